import { expect, test } from 'vitest';
import { drawnText } from '../../bench/drawings/lettering.mjs';
import { LineIndex } from '../../dist/pmi/line-index.js';
import { linesOfBlobs } from '../../dist/pmi/outlines/blob-lines.js';
import { blobsOf } from '../../dist/pmi/outlines/blobs.js';
import { outlinedTexts } from '../../dist/pmi/outlines/outlined-text.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';

type Stroke = readonly (readonly [x: number, y: number])[];

/** Numbers of the strokes of each line of letters on a sheet of these strokes. */
function linesOf(strokes: readonly Stroke[]): (readonly number[])[] {
  const maker = new SheetMaker(1_000, 1_000);
  for (const stroke of strokes) maker.outline(...stroke);
  const sheet = maker.sheet();
  return linesOfBlobs(sheet, blobsOf(sheet), new LineIndex(sheet)).map(({ blobs }) =>
    blobs.flatMap((blob) => blob.strokes).sort((a, b) => a - b),
  );
}

/** A letter as a ring of six corners: its left, top, right and bottom. */
function ring(left: number, top: number, right: number, bottom: number): Stroke {
  const [x, y] = [(left + right) / 2, (bottom - top) / 4];
  return [
    [left, top + y],
    [x, top],
    [right, top + y],
    [right, bottom - y],
    [x, bottom],
    [left, bottom - y],
    [left, top + y],
  ];
}

test('a wall between the cells of a frame is no letter, and a stem that ends at no line is one', () => {
  // A wide sign before a wall as high as the frame, and three letters behind it.
  const letters = [
    ring(404, 505, 424, 519),
    ring(440, 508, 449, 517),
    ring(452, 508, 461, 517),
    ring(464, 508, 473, 517),
  ];
  const wall: Stroke = [[430, 502], [430, 522]]; // biome-ignore format: a line
  const sides = [502, 522].map((y): Stroke => [[400, y], [520, y]]); // biome-ignore format: lines
  const drawn = [letters[0], wall, ...letters.slice(1)];
  expect(linesOf([...drawn, ...sides]).flat()).not.toContain(1);
  expect(linesOf(drawn).flat()).toContain(1);
});

test('figures behind a bracket, and the point of wide letters, are no deviations', () => {
  // The bracket is 1.3 times as high as figures, and begins below them.
  const bracket = ring(400, 499, 403, 512);
  const one = ring(407, 499, 412, 509),
    point = ring(417, 507.8, 419.2, 509);
  const rest = [422, 431, 440].map((left) => ring(left, 499, left + 7, 509));
  expect(linesOf([bracket, one, point, ...rest])).toEqual([[0, 1, 2, 3, 4, 5]]);
  // A raised figure behind a letter is one of another line.
  expect(
    linesOf([ring(400, 499, 407, 509), ring(410, 499, 417, 509), ring(420, 496, 424, 502), ring(426, 496, 430, 502)]),
  ).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

/** What is read on a sheet of these texts in strokes, 10 points high, each on a row of its own. */
function readOf(texts: readonly string[]): string[] {
  const maker = new SheetMaker(1_000, 1_000);
  for (const [i, text] of texts.entries())
    for (const stroke of drawnText(text, { stroke: { table: 'grid', rounds: 2 } }).strokes)
      maker.thin(...stroke.map(([x, y]) => [100 + 10 * x, 100 + 30 * i - 10 * y] as const));
  return outlinedTexts(maker.sheet()).map(({ text }) => text);
}

test('a stroke before a comma is the digit 1, no leg of a leader', () => {
  const texts = ['1,2', '1,7', '1,4', '2,1', '11,5', 'STEEL'];
  expect(readOf(texts).sort()).toEqual([...texts].sort());
});

test('a sheet whose texts are all short is read, and one of repeated marks has no text', () => {
  const texts = ['12,5', '18', '7,25', '42', '64,8'];
  expect(readOf(texts).sort()).toEqual([...texts].sort());
  expect(readOf(['I0I', '0I0', 'III', '000', 'OIO'])).toEqual([]);
});

test('a note in strokes is a note, with how sure it is', async () => {
  const written = ['BREAK SHARP EDGES', '12.5', '64.8', 'NO PAINT'].flatMap((text, i) =>
    drawnText(text, { stroke: { table: 'technical', rounds: 2 } }).strokes.map(
      (stroke) => `M${stroke.map(([x, y]) => `${100 + 3 * x} ${50 + 15 * i - 3 * y}`).join('L')}`,
    ),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">
    <path stroke="black" fill="none" d="M20 20h60v40h-60z ${written.join('')}"/></svg>`;
  const content = await readContent(Buffer.from(svg), 'a.svg', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'drawing') throw new Error(content.kind);
  const [{ notes = [] }] = readPmi(content).pages;
  expect(notes).toContainEqual({
    text: 'BREAK SHARP EDGES',
    box: expect.anything(),
    confidence: expect.closeTo(0.95, 1),
  });
});
