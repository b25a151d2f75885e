import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawnText } from '../../bench/drawings/lettering.mjs';
import { Core } from '../../dist/core/core.js';
import { LineNet } from '../../dist/pmi/pictures/line-net.js';
import { asWholeLine } from '../../dist/pmi/pictures/surer-line.js';
import { readWholeLine } from '../../dist/pmi/pictures/whole-line.js';

type Point = readonly [x: number, y: number];

/** A text of single strokes and lines beside it, in capitals from the start of its baseline, as pixels. */
function lineOf(text: string, high: number, lines: readonly (readonly Point[])[] = []) {
  const { strokes, width } = drawnText(text, { stroke: { table: 'grid', rounds: 2 } });
  const [wide, tall] = [Math.ceil((width + 2) * high), Math.ceil(3 * high)];
  const [x, y] = [high, 2 * high];
  const ink = new Uint8Array(wide * tall);
  for (const stroke of [...strokes, ...lines])
    for (let i = 0; i + 1 < stroke.length; i++) {
      const [ax, ay, bx, by] = [stroke[i], stroke[i + 1]].flatMap(([u, v]) => [x + high * u, y - high * v]);
      const long = (bx - ax) ** 2 + (by - ay) ** 2;
      for (let py = 0; py < tall; py++)
        for (let px = 0; px < wide; px++) {
          const [dx, dy] = [px + 0.5 - ax, py + 0.5 - ay];
          const t = long === 0 ? 0 : Math.max(0, Math.min(1, (dx * (bx - ax) + dy * (by - ay)) / long));
          const off = Math.hypot(dx - t * (bx - ax), dy - t * (by - ay)) - 0.05 * high;
          ink[py * wide + px] = Math.max(ink[py * wide + px], 255 * Math.max(0, Math.min(1, 0.5 - off)));
        }
    }
  const read = readWholeLine(
    { width: wide, height: tall, ink },
    { x, y, angleRad: 0, height: high, width: width * high },
  );
  return { text: read?.text, confidence: read?.confidence ?? -9, letters: read?.letters ?? [] };
}

test.each(['⌀12.5 H7', '4x M8', '(R3,25)', '25 ±0.1', '⌴⌀11 ↧6.5', '⌖ ⌀0.05Ⓜ A', 'SEE NOTE 3', '45°'])(
  "'%s' is read as a whole, large and small, with its gaps",
  (text) => {
    for (const high of [14, 25, 44]) {
      const read = lineOf(text, high);
      expect(read.text).toBe(text);
      expect(read.confidence).toBeGreaterThan(-0.6);
    }
  },
);

test('lines below a text, through it and beside it are no letters', () => {
  const long = (y: number): readonly Point[] => [
    [-1, y],
    [9, y],
  ];
  expect(lineOf('125.4', 20, [long(-0.3)]).text).toBe('125.4');
  expect(lineOf('36.25', 20, [long(0.5)]).text).toBe('36.25');
  expect(
    lineOf('⌀80', 20, [
      [
        [-1, 0.5],
        [-0.4, 0.5],
      ],
      [
        [-0.5, -1],
        [-0.5, 2],
      ],
    ]).text,
  ).toBe('⌀80');
});

test('letters are where they stand', () => {
  const { letters } = lineOf('12 34', 20);
  expect(letters.map(({ text }) => text).join('')).toBe('12 34');
  const places = letters.map(({ at }) => at / 20);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(places[0]).toBeLessThan(0.8);
  expect(places[4] - places[0]).toBeGreaterThan(2);
});

test('a damaged table is refused, and what is no line is not read', async () => {
  const bytes = readFileSync(new URL('../../dist/tables/line-reader.bin', import.meta.url));
  const core = await Core.load();
  expect(() => new LineNet(bytes.subarray(0, bytes.length - 4), core)).toThrow(/line-reader.bin does not fit/);
  const paper = { width: 40, height: 40, ink: new Uint8Array(1600) };
  expect(readWholeLine(paper, { x: 5, y: 30, angleRad: 0, height: 20, width: 30 })).toBeUndefined();
  expect(readWholeLine(paper, { x: 5, y: 30, angleRad: 0, height: 20, width: 1e6 })).toBeUndefined();
  expect(readWholeLine(paper, { x: 5, y: 30, angleRad: 0, height: 1, width: 30 })).toBeUndefined();
});

/** What a line that letters give as `read` is, where it is `seen` as a whole. */
function saidOf(read: string, seen: string): string | undefined {
  const confidence = -0.05;
  const letters = [...seen].map((text, i) => ({ text, at: 14 * (i + 0.5), place: i, sure: confidence }));
  const word = { text: read, confidence, start: 0, width: 14 * read.length };
  const text = { text: read, confidence, x: 0, y: 20, angleRad: 0, height: 20, width: 14 * read.length, fill: 0.2 };
  const line = { ...text, count: read.length, isBars: false, words: [word] };
  const whole = { text: seen, confidence, letters, scores: { values: new Float32Array(), places: 0 } };
  return asWholeLine(line, { before: 0, behind: 0, whole })?.text;
}

test('dashes, arrowheads and marks beside a value do not belong to it', () => {
  expect(saidOf('20', '-20--')).toBe('20');
  expect(saidOf('20', '-20')).toBe('20');
  expect(saidOf('0.1', '-0.1 mm')).toBe('-0.1 mm');
  expect(saidOf('10', '->10-<-')).toBe('10');
  expect(saidOf('3,2/', '3,2 /')).toBe('3,2');
  expect(saidOf('1', '')).toBeUndefined();
  expect(saidOf('A', '->')).toBeUndefined();
  expect(saidOf('2xM8', '2X M8')).toBe('2x M8');
  // A small k has a form of its own, whatever the height of it.
  expect(saidOf('12K6', '12 k6')).toBe('12 k6');
});
