import { expect, test } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { packInks, unpackInks } from '../../dist/descriptors/page-inks.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { INK_SIDE } from '../../dist/shapelets/page-ink.js';
import { inkOfSheet } from '../../dist/shapelets/page-layout.js';
import { lineSumsApart } from '../../dist/descriptors/line-sums-apart.js';
import { loopsDiffer } from '../../dist/descriptors/loops-apart.js';
import {
  LINE_AXES,
  LINE_DIRECTIONS,
  LINE_HEAD,
  LINE_PLACES,
  LINE_SUMS,
  lineSums,
} from '../../dist/shapelets/sheet/line-sums.js';

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
  const byArcs = circle.subarray(LINE_SUMS / 2);
  const length = byArcs.subarray(0, LINE_DIRECTIONS).reduce((sum, value) => sum + value, 0);
  expect(length).toBeCloseTo((40 * Math.PI) / 400, 5);
});

/** The largest difference, turned by so many quarters. */
function most(a: Float32Array, b: Float32Array, quarters = 0): number {
  const { lengths, places } = lineSumsApart(a, b, quarters);
  return Math.max(lengths, places);
}

test('lengths are shared out by their places along four axes', async () => {
  const sums = await sumsOf(BOX);
  // Level, aslant, upright, aslant: all of the lines are there, and their middle is the middle of the places.
  for (let axis = 0; axis < LINE_AXES; axis++) {
    const at = LINE_HEAD + axis * LINE_PLACES;
    const places = sums.subarray(at, at + LINE_PLACES);
    expect(places.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    expect(places.reduce((sum, value, i) => sum + value * (i - (LINE_PLACES - 1) / 2), 0)).toBeCloseTo(0, 4);
  }
  // The sides of 100 stand at two places along x, half of the others' length between them.
  const along = [...sums.subarray(LINE_HEAD, LINE_HEAD + LINE_PLACES)];
  expect(along.filter((share) => share > 0.05).reduce((sum, value) => sum + value, 0)).toBeGreaterThan(1 / 3);
});

test('pieces, order, place and size change nothing, a line more does', async () => {
  const own = await sumsOf(BOX + HOLE);
  const inPieces = await sumsOf(`${HOLE}<path d="M240 150H40M40 50V90M40 90V150M240 150V50M240 50H40"/>`);
  expect(most(own, inPieces)).toBeLessThan(1e-6);
  const placed = await sumsOf(`<g transform="translate(60 90) scale(1.2)">${BOX}${HOLE}</g>`);
  expect(most(own, placed)).toBeLessThan(1e-6);
  const { scale, middles } = lineSumsApart(own, placed, 0);
  expect(scale).toBeCloseTo(1.2, 4);
  expect(middles[1][0]).toBeCloseTo(1.2 * middles[0][0] + 60 / 400, 4);
  expect(middles[1][1]).toBeCloseTo(1.2 * middles[0][1] + 90 / 400, 4);
  const more = await sumsOf(`${BOX}${HOLE}<path d="M60 60h1"/>`);
  expect(most(own, more)).toBeGreaterThan(5e-4);
  // A polygon of 96 sides is a circle of another program.
  const corners = Array.from({ length: 96 }, (_, i) => (i * Math.PI) / 48);
  const points = corners.map((angle) => `${100 + 20 * Math.cos(angle)},${90 + 20 * Math.sin(angle)}`);
  expect(most(own, await sumsOf(`${BOX}<polygon points="${points.join(' ')}"/>`))).toBeLessThan(1e-4);
});

test.each([
  ['90', 1, 'translate(330 10)'],
  ['180', 2, 'translate(330 250)'],
  ['270', 3, 'translate(10 280)'],
] as const)(
  'lines turned by %s degrees are the same, turned by so many quarters alone',
  async (angle, turns, place) => {
    const own = await sumsOf(BOX + HOLE);
    const turned = await sumsOf(`<g transform="${place} rotate(${angle})">${BOX}${HOLE}</g>`);
    for (let quarters = 0; quarters < 4; quarters++) {
      if (quarters === turns) expect(most(own, turned, quarters)).toBeLessThan(1e-5);
      else expect(most(own, turned, quarters)).toBeGreaterThan(0.005);
    }
    const mirrored = await sumsOf(`<g transform="translate(330 0) scale(-1 1)">${BOX}${HOLE}</g>`);
    expect(most(own, mirrored)).toBeGreaterThan(0.005);
  },
);

test('a hole that is moved by .3 mm is seen by its place, a hidden edge made solid by what it counts', async () => {
  const edge = (style: string): string => `<path d="M60 70H130" ${style}/>`;
  const own = await sumsOf(BOX + HOLE + edge('stroke-dasharray="2 1"'));
  const moved = await sumsOf(`${BOX}<circle cx="100.3" cy="90" r="20"/>${edge('stroke-dasharray="2 1"')}`);
  expect(lineSumsApart(own, moved, 0).places).toBeGreaterThan(1e-3);
  expect(most(own, await sumsOf(BOX + HOLE + edge('')))).toBeGreaterThan(0.01);
  expect(most(own, await sumsOf(BOX + HOLE + edge('stroke-dasharray="8 2 2 2"')))).toBeGreaterThan(0.01);
  // Dashes of one length are written once or twice.
  expect(most(own, await sumsOf(BOX + HOLE + edge('stroke-dasharray="2 1 2 1"')))).toBeLessThan(1e-6);
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

/** A page of 200 × 100 points with a border along its edge, moved by so many points. clip: comes before it. */
async function borderedPage(x: number, y: number, clip = ''): Promise<Sheet> {
  const rest = Array.from({ length: 30 }, (_, i) => `40 ${30 + i} 60 20 re S`).join(' ');
  const drawn = `${clip}0.5 w 1 0 0 1 ${x} ${y} cm 0 0 200 100 re S ${rest}`;
  const text = [
    '%PDF-1.4',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<>>>> endobj',
    `4 0 obj <</Length ${drawn.length}>> stream\n${drawn}\nendstream endobj`,
    'trailer <</Root 1 0 R>>',
  ].join('\n');
  const bytes = new TextEncoder().encode(text);
  const content = await readContent(bytes, 'page.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  return (content as Drawing).sheets[0];
}

test('a border on the very edge of a PDF page is there whatever rounding does to it', async () => {
  const own = lineSums(await borderedPage(0, 0))!;
  expect(own[0]).toBeCloseTo((400 + 30 * 120) / 200, 4);
  const clip = '0 0 200 100 re W n ';
  const moved = [await borderedPage(0.03, 0.03), await borderedPage(-0.03, -0.1), await borderedPage(0.1, -0.03, clip)];
  for (const sheet of moved) expect(most(own, lineSums(sheet)!)).toBeLessThan(1e-5);
  // What is really cut off is not there.
  expect(most(own, lineSums(await borderedPage(3, 3))!)).toBeGreaterThan(0.01);
});

test('round loops tell a hole that was moved and a small one that came, whatever wrote them', async () => {
  const linesOf = async (shapes: string): Promise<Float32Array> => {
    const { ink } = inkOfSheet(await sheetOf(shapes));
    // As it is stored.
    return unpackInks(packInks([{ ...ink!, number: 1, boxes: [] }]))[0]!.lines!;
  };
  const corners = (x: number, y: number, radius: number, count: number): string => {
    const at = (i: number): string => {
      // Unevenly spread, as some programs do.
      const angle = 2 * Math.PI * (i / count) ** 1.3;
      return `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
    };
    return `<path d="M${Array.from({ length: count }, (_, i) => at(i)).join('L')}Z"/>`;
  };
  const itself = { scale: 1, atX: (x: number) => x, atY: (_: number, y: number) => y };
  const own = await linesOf(BOX + HOLE);
  expect(own).toHaveLength(LINE_SUMS + 4);
  expect([...own.subarray(LINE_SUMS)]).toEqual([1, 0.25, 0.225, 0.05].map(Math.fround));
  const differs = async (shapes: string): Promise<boolean> => loopsDiffer(own, await linesOf(shapes), itself);
  expect(await differs(BOX + HOLE)).toBe(false);
  expect(await differs(BOX + corners(100, 90, 20, 40))).toBe(false);
  expect(await differs(`${BOX}<circle cx="100.3" cy="90" r="20"/>`)).toBe(true);
  expect(await differs(`${BOX}<circle cx="100" cy="90" r="20.3"/>`)).toBe(true);
  expect(await differs(`${BOX}${HOLE}<circle cx="200" cy="100" r="1"/>`)).toBe(true);
  // Halves are no loops; squares and ovals are no circles.
  expect(await differs(`${BOX}<path d="M80 90A20 20 0 0 1 120 90"/><path d="M120 90A20 20 0 0 1 80 90"/>`)).toBe(false);
  expect(await linesOf(`${BOX}<ellipse cx="100" cy="90" rx="20" ry="15"/>`)).toHaveLength(LINE_SUMS + 1);
  // Circles that another program cuts in another way tell nothing.
  expect(await differs(`${BOX}<circle cx="60" cy="60" r="5"/>`)).toBe(false);
  const many = Array.from({ length: 129 }, (_, i) => `<circle cx="${20 + 2 * i}" cy="20" r="2"/>`).join('');
  expect(await linesOf(BOX + many)).toHaveLength(LINE_SUMS);
});
