import { expect, test } from 'vitest';
import { STRETCH_BOUNDS, stretchedTexts } from '../../dist/pmi/pictures/stretched-line.js';

type Part = Parameters<typeof stretchedTexts>[1];
type Texts = Parameters<typeof stretchedTexts>[0];

const SIDE = 1_000;

/** A page that is all ink, which counts how often a stretch of it is read. */
function blackPage(): { readonly part: Part; readonly reads: () => number } {
  const bitmap = (value: 0 | 1): Part['walls'] => ({
    width: SIDE,
    height: SIDE,
    bits: new Uint8Array(SIDE * SIDE).fill(value),
  });
  const fine = { widthPx: SIDE, heightPx: SIDE, gray: new Uint8Array(SIDE * SIDE) };
  let reads = 0;
  const part = {
    page: {
      width: SIDE,
      height: SIDE,
      ink: bitmap(1),
      noise: 0,
      paper: { columns: 1, rows: 1, levels: Float32Array.of(255) },
    },
    walls: bitmap(0),
    get fine() {
      reads++;
      return fine;
    },
  };
  return { part: part as unknown as Part, reads: () => reads };
}

/** Rows of numbers with a gap as of a lost sign between each two. */
function numbersOf(count: number): Texts {
  const perRow = 20;
  return Array.from({ length: count }, (_, i) => ({
    text: '12',
    confidence: 0,
    x: 20 + 48 * (i % perRow),
    y: 20 + ((i / perRow) | 0) * 0.2,
    angleRad: 0,
    height: 20,
    width: 30,
    count: 2,
    isBars: false,
    words: [],
    fill: 0.4,
  }));
}

test('stretches of a page are read again within one bound, those between two texts among them', () => {
  const { part, reads } = blackPage();
  const texts = numbersOf(3_000);
  expect(stretchedTexts(texts, part, { ...STRETCH_BOUNDS, tries: 8 })).toHaveLength(texts.length);
  expect(reads()).toBeGreaterThan(0);
  expect(reads()).toBeLessThanOrEqual(8);
});

test('pixels that are looked at for it are bounded, too', () => {
  const { part, reads } = blackPage();
  const texts = numbersOf(1_000);
  stretchedTexts(texts, part, { ...STRETCH_BOUNDS, pixels: 100_000 });
  // Each stretch of two numbers takes a square of some 90 pixels.
  expect(reads()).toBeLessThan(30);
});
