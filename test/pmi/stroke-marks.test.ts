// Marks of letters that are strokes: feet, inches, minutes, short hyphens, and lines that stand beside or cross them.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { compared } from '../../bench/support/pmi/score.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { blobsOf } from '../../dist/pmi/outlines/blobs.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';

test.each([
  { title: 'feet and inches, short hyphens, values beside them', options: { seed: 91_300, isBroad: true } },
  { title: 'dots of the lower fits, js7 below G6, beside the size', options: { seed: 71_002, isFits: true } },
])('sizes with marks of strokes: $title', async ({ options: sheet }) => {
  const options = { ...sheet, count: 1, kinds: ['pdf-outlines'] };
  for await (const { path, casesOf } of generatedDrawings(options)) {
    const bytes = new Uint8Array(await readFile(path));
    const content = await readContent(bytes, path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
    const { wanted, found } = casesOf(readPmi(content));
    const { missed, invented } = compared(wanted, found, { isPlaced: true });
    const said = ({ text }: { readonly text: string }): string => text;
    expect([missed.map(said), invented.map(said)]).toEqual([[], []]);
  }
});

test('a line that crosses a zero is none of it, and the lines of a cross in its ring are', () => {
  const ring = Array.from({ length: 25 }, (_, i) => {
    const rad = (2 * Math.PI * i) / 24;
    return [500 + 3 * Math.cos(rad), 500 + 5 * Math.sin(rad)] as const;
  });
  const upright = (from: number, to: number): (readonly (readonly number[])[])[] => {
    const far = [
      [700, 700],
      [700, 704],
    ] as const;
    const line = [
      [501, from],
      [501, to],
    ] as const;
    const maker = new SheetMaker(1_000, 1_000)
      .outline(...ring)
      .outline(...far)
      .outline(...line);
    return [blobsOf(maker.sheet()).map(({ strokes }) => strokes)];
  };
  expect(upright(490, 507)).toEqual([[[0], [1], [2]]]);
  expect(upright(491, 509)).toEqual([[[0, 2], [1]]]);
});
