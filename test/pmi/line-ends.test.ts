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

test('the head of an arrow at an extension line behind or before a value is no letter of it', () => {
  const headAt = (tipX: number, tipY = 200) => ({ number: 1, tipX, tipY, backX: tipX - 25, backY: tipY, width: 12 });
  const said = (read: PictureText, tip?: number): string =>
    withoutLineEnds(read, { lines: [], heads: tip === undefined ? [] : [headAt(tip)] }).text;
  const words = ['14.0-', 'H'].map((text, i) => ({ text, confidence: -0.01, start: 60 * i, width: i === 0 ? 50 : 20 }));
  const apart = { ...level('14.0- H'), words };
  expect([said(apart, 385), said(level('2.4H'), 385), said(level('-1'), 290), said(level('x-8'), 290)]).toEqual([
    '14.0',
    '2.4',
    '1',
    '8',
  ]);
  // No head is there, or one elsewhere: a fit may have lost its grade, and a minus stays.
  expect([said(apart), said(level('2.4H')), said(level('2.4H'), 600), said(level('-1'), 600)]).toEqual([
    '14.0- H',
    '2.4H',
    '2.4H',
    '-1',
  ]);
});
