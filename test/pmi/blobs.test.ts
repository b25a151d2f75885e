import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobsOf } from '../../dist/pmi/outlines/blobs.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';
import { stopwatch } from '../fixtures/stopwatch.js';

type Stroke = readonly (readonly [x: number, y: number])[];

const SIDE = 1_000;
/** What the sheet of these strokes is seen as: the strokes of each blob. */
function groupsOf(strokes: readonly Stroke[]): (readonly number[])[] {
  const maker = new SheetMaker(SIDE, SIDE);
  for (const stroke of strokes) maker.outline(...stroke);
  return blobsOf(maker.sheet()).map(({ strokes }) => strokes);
}

/** The same by comparing each stroke with each other one by itself. */
function groupsByPairs(strokes: readonly Stroke[]): (readonly number[])[] {
  const groups = strokes.map((_, i) => [i]);
  for (let i = 0; i < strokes.length; i++) {
    for (let j = 0; j < i; j++) {
      if (groups[i] === groups[j] || groupsOf([strokes[i], strokes[j]]).length === 2) continue;
      const all = [...groups[i], ...groups[j]].sort((a, b) => a - b);
      for (const each of all) groups[each] = all;
    }
  }
  return [...new Set(groups)];
}

/** Lengths in quarters of a unit. */
const upTo = (most: number): fc.Arbitrary<number> => fc.integer({ min: -4 * most, max: 4 * most }).map((n) => n / 4);
/** Strokes of 1 to 5 units, around two places, across borders of cells of every width. */
const strokes = fc.array(
  fc
    .tuple(
      fc.constantFrom([500, 500], [507, 498]),
      fc.tuple(upTo(5), upTo(5)),
      fc.array(fc.tuple(upTo(2), upTo(2)), { minLength: 1, maxLength: 4 }),
    )
    .map(([[x, y], [dx, dy], points]): Stroke => {
      const [px, py] = points[0];
      return [[px + 1, py], ...points].map(([ux, uy]) => [x + dx + ux, y + dy + uy]);
    }),
  { minLength: 2, maxLength: 14 },
);

test('strokes that touch are one blob, whatever else is on the sheet', () => {
  fc.assert(
    fc.property(strokes, (drawn) => {
      expect(groupsOf(drawn)).toEqual(groupsByPairs(drawn));
    }),
    { numRuns: 300 },
  );
});

test('a letter that reaches down to the head of an arrow is none of it', () => {
  const loop = Array.from({ length: 13 }, (_, i) => {
    const rad = (2 * Math.PI * i) / 12;
    return [500 + 3 * Math.cos(rad), 500 + 3 * Math.sin(rad)] as const;
  });
  const head: Stroke = [
    [498, 502],
    [508, 500],
    [508, 504],
    [498, 502],
  ];
  const sheet = new SheetMaker(SIDE, SIDE)
    .outline(...loop)
    .stroke(head, { isFill: true })
    .sheet();
  // The head belongs to the line on which it stands, as before.
  const line: Stroke = [
    [498, 502],
    [512, 502],
  ];
  const withLine = new SheetMaker(SIDE, SIDE)
    .outline(...line)
    .stroke(head, { isFill: true })
    .sheet();
  expect(blobsOf(sheet).map(({ strokes }) => strokes)).toEqual([[0], [1]]);
  expect(blobsOf(withLine).map(({ strokes }) => strokes)).toEqual([[0, 1]]);
});

test('strokes over each other, and in two sets that touch only later, are joined in time', () => {
  const elapsedMs = stopwatch();
  const line = (x: number): Stroke => [
    [x, 500],
    [x + 1, 500],
  ];
  groupsOf(Array.from({ length: 50_000 }, () => line(500)));
  const apart = Array.from({ length: 8_000 }, (_, i) => line(i % 2 === 0 ? 500 : 503));
  expect(groupsOf([...apart, line(501), line(502), ...apart])).toEqual([]);
  // .6 s; comparing all pairs of a place took over a minute.
  expect(elapsedMs()).toBeLessThan(20_000);
});

test('long strokes that lie in each other are compared a bounded number of times', () => {
  const elapsedMs = stopwatch();
  const angle = (y: number): Stroke =>
    Array.from({ length: 600 }, (_, i) => [485 + 0.05 * i, y + 0.05 * Math.abs(i - 300)] as const);
  groupsOf(Array.from({ length: 400 }, (_, i) => angle(500 + 0.3 * (i % 50))));
  // 3 s; comparing all edges of all took over a minute.
  expect(elapsedMs()).toBeLessThan(20_000);
});
