import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { distanceOfViews, SIMILAR_LEAST, similarityOf } from '../../dist/search/query/likeness.js';
import { toldApart } from '../../dist/search/views/drawn/told-apart.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

/** Closed lines between corners, u8[64²]. */
function drawn(...outlines: readonly (readonly (readonly [number, number])[])[]): Uint8Array {
  const lines = new Uint8Array(64 * 64);
  for (const corners of outlines)
    corners.forEach(([x, y], i) => {
      const [u, v] = corners[(i + 1) % corners.length];
      for (let k = 0; k <= 64; k++)
        lines[64 * Math.round(y + ((v - y) * k) / 64) + Math.round(x + ((u - x) * k) / 64)] = 255;
    });
  return lines;
}
const round = (radius: number): (readonly [number, number])[] =>
  Array.from({ length: 90 }, (_, i) => [
    31.5 + radius * Math.cos((i * Math.PI) / 45),
    31.5 + radius * Math.sin((i * Math.PI) / 45),
  ]);
const box = (left: number, top: number, right: number, bottom: number): (readonly [number, number])[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
const PLATE = drawn(box(4, 16, 59, 47));
const DISC = drawn(round(28));
const WASHER = drawn(round(28), round(14));
const BRACKET = drawn(
  [
    [4, 4],
    [24, 4],
    [24, 39],
    [59, 39],
    [59, 59],
    [4, 59],
  ],
  box(10, 10, 18, 18),
);

/** 0 to 100: what is said of models of which so much is left, px. */
const said = (apart: readonly number[], lines: Uint8Array): number[] =>
  toldApart(core, apart, lines).map((told) => similarityOf(SIMILAR_LEAST + distanceOfViews('laid', 'model', told)));
const others = (count: number): number[] => new Array<number>(count).fill(1.2);

test.each([
  ['plate', PLATE],
  ['disc', DISC],
])('a sketch of a plain %s finds it before all others, and is not said to be surely it', (_, lines) => {
  const [exact, near, other] = said([0.05, 0.2, 1.2], lines);
  expect(exact).toBeGreaterThan(25);
  expect(exact).toBeLessThan(50);
  expect(near).toBeLessThan(exact / 2);
  expect(other).toBeLessThan(1);
});

test('a plain plate is never said to be more than half like a model', () => {
  expect(said([0], PLATE)[0]).toBeLessThan(50);
});

test.each([
  ['washer', WASHER],
  ['bracket', BRACKET],
])('a sketch of a %s that lies exactly is like it, beside any number of copies', (_, lines) => {
  const [alone] = said([0.05], lines);
  expect(alone).toBeGreaterThan(90);
  expect(said([0.05, ...others(47)], lines)[0]).toBe(alone);
  expect(said([...new Array<number>(16).fill(0.05), ...others(32)], lines).slice(0, 16)).toEqual(
    new Array<number>(16).fill(alone),
  );
  expect(said([1.2], lines)[0]).toBeLessThan(50);
});

test('a pair is as like in a small library, in a large one and behind a filter', () => {
  const small = said([0.6, 0.7, 0.8], BRACKET);
  expect(said([0.6, 0.7, 0.8, ...new Array<number>(45).fill(0.9)], BRACKET).slice(0, 3)).toEqual(small);
  expect(said([0.7], BRACKET)).toEqual([small[1]]);
  expect(small[0]).toBeGreaterThan(small[1]);
  expect(small[1]).toBeGreaterThan(small[2]);
});
