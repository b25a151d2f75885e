import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { inspectionList } from '../../dist/pmi/inspection.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

type Letters = readonly [text: string, x: number, y: number, size: number];

/** The inspector's list of an SVG with some texts and paths. */
async function listOf(
  texts: readonly Letters[],
  { viewBox = '0 0 420 297', path = 'M10 10H410V287H10Z' } = {},
): Promise<string[]> {
  const drawn = texts.map(([text, x, y, size]) => `<text x="${x}" y="${y}" font-size="${size}">${text}</text>`);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" viewBox="${viewBox}">` +
    `<path d="${path}" fill="none" stroke="#000"/>${drawn.join('')}</svg>`;
  const limits = { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never;
  const content = await readContent(new TextEncoder().encode(svg), 'a.svg', limits);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return inspectionList(readPmi(content)).map(({ kind, reading }) => `${kind} ${reading}`);
}

const DEVIATED: readonly Letters[] = [
  ['⌀8', 150, 59, 5],
  ['+0.1', 157, 57, 3],
  ['0', 157, 60.2, 3],
];
const SIZE = 'diameter ⌀8 +0.1 0';

test.each<readonly [string, readonly Letters[], readonly string[]]>([
  ['DEEP 20', [['DEEP 20', 165, 59, 5]], [SIZE, 'depth DEEP 20']],
  ['x 20', [['x 20', 165, 59, 5]], [SIZE, 'dimension 20']],
  ['x 20 ±0.2', [['x 20 ±0.2', 165, 59, 5]], [SIZE, 'dimension 20 ±0.2']],
  [
    'x 20 and its own deviations',
    [
      ['x 20', 165, 59, 5],
      ['+0.2', 178, 57, 3],
      ['-0.3', 178, 60.2, 3],
    ],
    [SIZE, 'dimension 20 +0.2 -0.3'],
  ],
  ['x 45°', [['x 45°', 165, 59, 5]], ['diameter ⌀8 x 45° +0.1 0', 'dimension 45°']],
  [
    'x 45° and its own deviations',
    [
      ['x 45°', 165, 59, 5],
      ['+1°', 181, 57, 3],
      ['-2°', 181, 60.2, 3],
    ],
    [SIZE, 'dimension 45° +1° -2°'],
  ],
])('what follows small deviations is read: %s', async (_, texts, rows) => {
  expect(await listOf([...DEVIATED, ...texts])).toEqual(rows);
});

test.each<readonly [string, number, string]>([
  ['H7', 59, 'diameter ⌀45 H7'],
  ['H7', 57, 'diameter ⌀45 H7'],
  ['±0.1', 59, 'diameter ⌀45 ±0.1'],
  ['+0.1', 57, 'diameter ⌀45 +0.1'],
  ['-0.1', 60.5, 'diameter ⌀45 -0.1'],
])('a small tolerance alone behind a size is its own: %s at %f', async (small, y, row) => {
  const texts: Letters[] = [
    ['⌀45', 150, 59, 5],
    [small, 160.5, y, 3],
  ];
  expect(await listOf(texts)).toEqual([row]);
});

test.each([
  [['+0.1', '-0.2'], ['dimension 50 +0.1 -0.2']],
  [['±0.1'], ['dimension 50 ±0.1']],
])('a tolerance on the lines below a size is its own: %j', async (lines, rows) => {
  const texts = ['50', ...lines].map((each, i): Letters => [each, 150, 59 + 6 * i, 5]);
  expect(await listOf(texts)).toEqual(rows);
});

test.each([
  [['20', '25', '30', '45'], true, 4],
  [['5', '6', '7', '8'], true, 4],
  [['5', '6', '7', '8'], false, 0],
] as const)('a chain near the edge is none of zones: %j with arrows %s', async (values, hasArrows, count) => {
  const texts = values.map((value, i): Letters => [value, 73.6 + 30 * i, 10.5, 5]);
  const arrows = (x: number): string => `M${x} 12l3 .8v-1.6zM${x + 30} 12l-3 .8v-1.6z`;
  const line = (x: number): string => `M${x} 27V10M${x + 30} 27V10M${x} 12H${x + 30}${arrows(x)}`;
  const path = hasArrows ? values.map((_, i) => line(60 + 30 * i)).join('') : 'M60 30H180V90H60Z';
  expect(await listOf(texts, { viewBox: '55 0 130 120', path })).toHaveLength(count);
});
