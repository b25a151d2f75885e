import { expect, test } from 'vitest';
import { withoutLineEnds } from '../../dist/pmi/pictures/line-ends.js';
import type { PictureText } from '../../dist/pmi/pictures/picture-text.js';

function level(text: string): PictureText {
  const words = [{ text, confidence: -0.01, start: 0, width: 80 }];
  const place = { x: 300, y: 215, angleRad: 0, height: 30, width: 80 };
  return { text, confidence: -0.01, ...place, count: text.length, isBars: false, words, fill: 0.2 };
}

/** A level line at the middle of the capitals. */
const line = (x0: number, x1: number, y = 200) => ({ x0, y0: y, x1, y1: y, thickness: 3 });

test('a dash that a dimension line or the head of an arrow goes on from is no minus', () => {
  const read = withoutLineEnds(level('-54.4'), { lines: [line(200, 295)], heads: [] });
  expect([read.text, read.words[0].text]).toEqual(['54.4', '54.4']);
  expect(read.x).toBeGreaterThan(305);
  expect(withoutLineEnds(level('54-'), { lines: [line(385, 500)], heads: [] }).text).toBe('54');
  const head = { number: 1, tipX: 250, tipY: 200, backX: 280, backY: 200, width: 12 };
  expect(withoutLineEnds(level('-54.4'), { lines: [], heads: [head] }).text).toBe('54.4');
});

test('lines apart from it are ends where they stand on both sides; before an ordinate a leader ends on one', () => {
  const sides = [line(150, 270), line(400, 500)];
  expect(withoutLineEnds(level('-54.4'), { lines: sides, heads: [] }).text).toBe('54.4');
  expect(withoutLineEnds(level('54-'), { lines: sides, heads: [] }).text).toBe('54');
  for (const end of [265, 280, 290])
    expect(withoutLineEnds(level('-54.4'), { lines: [line(150, end)], heads: [] }).text).toBe('-54.4');
});

test('a minus stays where no line goes on from it', () => {
  for (const lines of [[], [line(200, 295, 235)], [line(100, 200)], [{ ...line(290, 290), y0: 100, y1: 300 }]])
    expect(withoutLineEnds(level('-54.4'), { lines, heads: [] }).text).toBe('-54.4');
});
