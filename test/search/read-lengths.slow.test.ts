import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Crop, Engine, SearchHit } from '../../dist/index.js';
import { pdfOf } from '../../bench/parts/drawings/page-pdf.mjs';
import { pagePicture, scanOf } from '../../bench/support/crossmodal-queries.mjs';
import { threeViews } from '../fixtures/drawing-of-body.js';
import { box, lBracket, type Body } from '../fixtures/shapes.js';
import { fill, libraries } from './library.js';
import { runs } from '../fixtures/runs.js';

// Drawings of a family often share one picture: only the numbers in it say which of them a scan is.

/** A sheet of three views with a frame and two dimensions, whose numbers are given. */
function pageOf(body: Body, numbers: readonly string[]): Parameters<typeof pdfOf>[0] {
  const line = (width: number, ...points: (readonly [number, number])[]): object => ({ points, width });
  return {
    widthMm: 297,
    heightMm: 210,
    items: [
      line(0.7, [10, 10], [287, 10], [287, 200], [10, 200], [10, 10]),
      ...Array.from({ length: 40 }, (_, i) => line(0.25, [15 + 6.8 * i, 5], [15 + 6.8 * i, 10])),
      ...threeViews(body).map(([a, b, c, d]) => line(0.5, [60 + a, 160 - b], [60 + c, 160 - d])),
      line(0.18, [60, 162], [60, 178]),
      line(0.18, [120, 162], [120, 178]),
      line(0.18, [60, 176], [120, 176]),
      ...numbers.map((text, i) => ({ text, x: 87 - 47 * i, y: 175 - 30 * i, height: 3.5 })),
      ...[168, 186].map((y) => line(0.5, [200, y], [287, y])),
      { text: 'STEEL S235', x: 205, y: 192, height: 3.5 },
      ...['SCALE 1:1', 'DRAWN MEYER', 'CHECKED BAUER', 'MATERIAL'].map((text, i) => {
        return { text, x: 240, y: 174 + 6 * i, height: 3.5 };
      }),
    ],
  };
}

const angle = lBracket(60, 8, 30);
const FAMILY = [
  ['60', '30'],
  ['75', '42'],
  ['96', '54'],
];
const PAGES: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(FAMILY.map((numbers) => [`${numbers[0]}.pdf`, pdfOf(pageOf(angle, numbers))])),
  'block.pdf': pdfOf(pageOf(box(60, 30, 20), ['60', '20'])),
};

const library = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await library.open(library.fresh());
  company = await engine.company('acme');
  await fill(company, Object.entries(PAGES));
});
afterAll(() => engine.close());

const scanned = async (page: Uint8Array, seed: number): Promise<Uint8Array> =>
  new Uint8Array(await scanOf(await pagePicture(page, 1, 200), seed));

const told = (hits: readonly SearchHit[]): object =>
  hits.filter(({ path }) => path in PAGES).map(({ path, score }) => [path, score]);

test('a scan finds the page that states its numbers among pages with the same picture, given or stored', async () => {
  const stored = await engine.company('scans');
  await fill(stored, Object.entries(PAGES));
  for (const [i, [number]] of FAMILY.slice(1, 1 + runs(3)).entries()) {
    const bytes = await scanned(PAGES[`${number}.pdf`], i + 1);
    const { hits } = await company.search({ like: { bytes, extension: 'jpg' } });
    expect(hits[0].path).toBe(`${number}.pdf`);
    expect(hits[0].matchClass).toBe('similar');
    const { uid } = await stored.put(`scan-${number}.jpg`, bytes);
    const again = await stored.search({ like: { uid } });
    expect(told(again.hits)).toEqual(told(hits));
    await stored.delete(uid);
  }
});

test('a scan in a PDF does so as well', async () => {
  for (const [number] of FAMILY.slice(-runs(3))) {
    const { widthPx, heightPx, gray } = await pagePicture(PAGES[`${number}.pdf`], 1, 200);
    const scan = { picture: { widthPx, heightPx, gray }, x: 0, y: 0, widthMm: 297, heightMm: 210 };
    const bytes = pdfOf({ widthMm: 297, heightMm: 210, items: [scan] });
    const { hits } = await company.search({ like: { bytes, extension: 'pdf' } });
    expect(hits[0].path).toBe(`${number}.pdf`);
  }
});

test('numbers that no page states change nothing, nor do those of a part of a picture', async () => {
  const spreadOf = async (page: Uint8Array, crop?: Crop): Promise<number> => {
    const like = { bytes: await scanned(page, 9), extension: 'jpg', ...(crop === undefined ? {} : { crop }) };
    const { hits } = await company.search({ like });
    const scores = hits.filter(({ path }) => path !== 'block.pdf').map(({ score }) => score);
    expect(scores).toHaveLength(FAMILY.length);
    return Math.max(...scores) - Math.min(...scores);
  };
  const crop = { x: 20, y: 20, width: 960, height: 960 };
  expect(await spreadOf(pdfOf(pageOf(angle, ['83', '39'])))).toBeLessThan(0.002);
  expect(await spreadOf(PAGES['75.pdf'])).toBeGreaterThan(0.005);
  expect(await spreadOf(PAGES['75.pdf'], crop)).toBeLessThan(0.002);
});
