import { expect, test } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { packInks, unpackInks } from '../../dist/descriptors/page-inks.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { INK_SIDE } from '../../dist/shapelets/page-ink.js';
import { inkOfSheet } from '../../dist/shapelets/page-layout.js';
import { lineSumsApart } from '../../dist/descriptors/line-sums-apart.js';
import { LINE_DIRECTIONS, LINE_SUMS, lineSums } from '../../dist/shapelets/sheet/line-sums.js';

type Sheet = Drawing['sheets'][number];

async function sheetOf(shapes: string, { width = 400, height = 300 } = {}): Promise<Sheet> {
  const size = `width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}"`;
  const lines = `<g fill="none" stroke="black">${shapes}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${lines}</svg>`;
  const content = await readContent(new TextEncoder().encode(svg), 'page.svg', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  });
  return (content as Drawing).sheets[0];
}

const sumsOf = async (shapes: string): Promise<Float32Array> => lineSums(await sheetOf(shapes))!;
const BOX = '<path d="M40 50H240V150H40Z"/>';
const HOLE = '<circle cx="100" cy="90" r="20"/>';

test('the lines of a page are summed by direction', async () => {
  const sums = await sumsOf(BOX);
  expect(sums).toHaveLength(LINE_SUMS);
  // Level, then upright: half a turn has eight directions. The page is 400 mm wide.
  expect(sums[0]).toBeCloseTo(400 / 400, 5);
  expect(sums[LINE_DIRECTIONS / 2]).toBeCloseTo(200 / 400, 5);
  expect(sums[1] + sums[2] + sums[3] + sums[5] + sums[6] + sums[7]).toBeCloseTo(0, 5);
  // Along x: sides of 200 have squares of 200² / 12, those at the ends of 100²; along y 50² and 100² / 12.
  const squares = (400 * (200 ** 2 / 12 + 50 ** 2) + 200 * (100 ** 2 + 100 ** 2 / 12)) / 600;
  expect(sums[LINE_DIRECTIONS]).toBeCloseTo(Math.sqrt(squares) / 400, 5);
  const circle = await sumsOf(HOLE);
  const length = circle.subarray(LINE_SUMS / 2, LINE_SUMS - 1).reduce((sum, value) => sum + value, 0);
  expect(length).toBeCloseTo((40 * Math.PI) / 400, 5);
});

test('pieces, order, place and size change nothing, a line more does', async () => {
  const own = await sumsOf(BOX + HOLE);
  const inPieces = await sumsOf(`${HOLE}<path d="M240 150H40M40 50V90M40 90V150M240 150V50M240 50H40"/>`);
  expect(lineSumsApart(own, inPieces, 0)).toBeLessThan(1e-6);
  const moved = await sumsOf(`<g transform="translate(60 90) scale(1.2)">${BOX}${HOLE}</g>`);
  expect(lineSumsApart(own, moved, 0)).toBeLessThan(1e-6);
  const turned = await sumsOf(`<g transform="translate(330 10) rotate(90)">${BOX}${HOLE}</g>`);
  expect(lineSumsApart(own, turned, 1)).toBeLessThan(1e-5);
  expect(lineSumsApart(own, turned, 0)).toBeGreaterThan(0.1);
  const more = await sumsOf(`${BOX}${HOLE}<path d="M60 60h1"/>`);
  expect(lineSumsApart(own, more, 0)).toBeGreaterThan(5e-4);
  // A polygon of 96 sides is a circle of another program.
  const corners = Array.from({ length: 96 }, (_, i) => (i * Math.PI) / 48);
  const points = corners.map((angle) => `${100 + 20 * Math.cos(angle)},${90 + 20 * Math.sin(angle)}`);
  expect(lineSumsApart(own, await sumsOf(`${BOX}<polygon points="${points.join(' ')}"/>`), 0)).toBeLessThan(1e-4);
});

test('every page size has an ink that can be read again, with its sums', async () => {
  for (let i = 0; i < 60; i++) {
    const side = 100 + 13.37 * i;
    const { ink } = inkOfSheet(await sheetOf(BOX, { width: side, height: 0.7 * side }));
    const [kept] = unpackInks(packInks([ink]));
    expect(kept?.width, `page of ${side} mm`).toBe(INK_SIDE);
    expect(kept!.lines).toEqual(ink!.lines);
  }
});
