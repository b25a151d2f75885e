import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { TextInk } from '../../dist/readers/pdf/text-ink.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const wordsOf = ({ text, tolerance = [] }: { readonly text: string; readonly tolerance?: readonly string[] }): string =>
  [text, ...tolerance].join(' ');

/** A shading from black to dark grey, `/S1`. */
const SHADING =
  '/Shading << /S1 << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 595 0] /Extend [true true] ' +
  '/Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0.3] /N 1 >> >> >> ';

/** The sizes of a page with so much line work that it is a drawing, and what is said about what is not read. */
async function read(content: string): Promise<{ sizes: string[]; said: string[] }> {
  const bytes = pdf([
    { resources: SHADING, content: `${lineWork(400)}0 0 0 rg\n${textAt('25 H7', 100, 700)}${content}` },
  ]);
  const found = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const { pages, leftOut } = readPmi(found);
  const sizes = pages.flatMap(({ objects }) => objects.map(({ parts }) => parts.map(wordsOf).join(' ')));
  return { sizes, said: [...found.warnings.map(({ message }) => message), ...leftOut] };
}
const unseen = (count: number): string =>
  `${count} texts that are not seen, because they are white, drawn without ink, cut off or covered, are no part of the PMI`;

test.each([
  ['neither filled nor stroked', `3 Tr\n${textAt('31 H7', 200, 700)}0 Tr\n`],
  ['a clip alone', `q 7 Tr\n${textAt('31 H7', 200, 700)}Q\n`],
  ['white', `1 1 1 rg\n${textAt('31 H7', 200, 700)}0 0 0 rg\n`],
  ['nearly white', `q .99 .99 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
])('a text that is %s is no size, and is told', async (_, content) => {
  expect(await read(`${content}${textAt('44 H7', 300, 700)}`)).toEqual({
    sizes: ['25 H7', '44 H7'],
    said: [unseen(1)],
  });
});

test.each([
  ['yellow', `q 1 1 0 rg\n${textAt('31 H7', 200, 700)}Q\n`],
  ['white on a dark area', `q 0 0 .4 rg 190 690 80 30 re f 1 1 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
  ['stroked in black and not filled', `q 1 Tr 1 1 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
])('a text that is %s is seen', async (_, content) => {
  expect(await read(content)).toEqual({ sizes: ['25 H7', '31 H7'], said: [] });
});

const white = (text = '31 H7', size = 12): string => `q 1 1 1 rg\n${textAt(text, 200, 650, size)}Q\n`;
const SEEN = { sizes: ['25 H7', '31 H7'], said: [] };
const thick = (width: number): string => `q ${width} w 0 0 0 RG `;
test.each([
  ['a halo as strokes', `q 1 Tr 1 1 1 RG 2 w\n${textAt('31 H7', 200, 650)}Q\n${textAt('31 H7', 200, 650)}`],
  ['a halo as areas', `${white()}${textAt('31 H7', 200, 650, 12)}`],
  ['recognised again', `${textAt('31 H7', 200, 650)}3 Tr\n${textAt('31 H7', 200, 650)}0 Tr\n`],
  ['white on a thick line', `${thick(20)}180 655 m 300 655 l S Q ${white()}`],
  ['white on a thick slanted line', `${thick(30)}150 635 m 290 675 l S Q ${white()}`],
  ['white on light grey', `q .82 g 180 640 120 30 re f Q ${white()}`],
  [
    'white on a tile for each letter',
    `q 0 g ${[...Array(8).keys()].map((i) => `${196 + i * 6} 645 6 20 re f`).join(' ')} Q ${white()}`,
  ],
  ['white on a shading', `q 180 640 120 30 re W n /S1 sh Q ${white()}`],
  ['a clip of a shading', `q BT /F1 12 Tf 7 Tr 1 0 0 1 200 650 Tm (31 H7) Tj ET /S1 sh Q`],
  [
    'a clip of an area that is filled',
    `q BT /F1 12 Tf 7 Tr 1 0 0 1 200 650 Tm (31 H7) Tj ET 0 0 0 rg 195 645 30 20 re f Q`,
  ],
])('a text that is %s is seen once', async (_, content) => expect(await read(content)).toEqual(SEEN));

test.each([11, 14, 24, 60])(
  'letters of %i pt as areas or strokes are seen below a text for searching',
  async (size) => {
    const letters = [0, 0.55, 1.4, 2.1].map((x) => 200 + x * size);
    const search = `3 Tr\n${textAt('31 H7', 200, 600, size)}0 Tr\n`;
    const areas = letters.map((x) => `${x} 600 ${0.45 * size} ${0.7 * size} re f\n`).join('');
    const strokes = letters.map((x) => `${x} 600 m ${x + 0.4 * size} ${600 + 0.7 * size} l S\n`).join('');
    for (const drawn of [areas, strokes]) expect(await read(`${drawn}${search}`)).toEqual(SEEN);
  },
);

test('a text is unseen where a line alone runs through it, or an area beside it', async () => {
  for (const drawn of [
    '.5 w 150 655 m 300 655 l S ',
    '0 g 150 600 200 40 re f ',
    `${thick(8)}150 640 m 300 640 l S Q `,
  ])
    expect(await read(`${drawn}${white()}`)).toEqual({ sizes: ['25 H7'], said: [unseen(1)] });
});

test('a piece of a text is seen where one of its strings is', async () => {
  const parts = (first: string): string => `q BT /F1 12 Tf 200 650 Td ${first} 0 Tr 0 0 0 rg (1.5 H7) Tj ET Q\n`;
  for (const first of ['1 1 1 rg (3) Tj', '3 Tr (3) Tj'])
    expect(await read(parts(first))).toEqual({ sizes: ['25 H7', '31.5 H7'], said: [] });
});

test('texts of any size and number are told in bounded time', async () => {
  const many = (count: number, size: number): string =>
    Array.from({ length: count }, (_, i) => textAt('31 H7', 10 + (i % 50), 10 + i / 5, size)).join('');
  const areas = Array.from({ length: 8_000 }, (_, i) => `${i % 500} ${Math.floor(i / 500)} .2 .2 re f\n`).join('');
  const took = stopwatch();
  await read(`3 Tr\n${textAt('31 H7', 200, 600, 1_000_000)}`);
  await read(`3 Tr\n${many(300, 2_000)}`);
  await read(`${areas}3 Tr\n${many(800, 6)}`);
  expect(took()).toBeLessThan(20_000);
});

test('a text without ink over its letters as areas says what is seen there', async () => {
  const areas = [0, 7, 14, 21].map((x) => `${200 + x} 700 5 8 re f`).join('\n');
  expect(await read(`${areas}\n3 Tr\n${textAt('31 H7', 200, 700)}0 Tr\n`)).toEqual({
    sizes: ['25 H7', '31 H7'],
    said: [],
  });
});

test('texts that are too small to be read are told; on a page whose letters are all small they are read', async () => {
  const usual = textAt('44 H7', 300, 700) + textAt('NOTE', 400, 700);
  expect(await read(`${usual}${textAt('31 H7', 200, 700, 1)}`)).toEqual({
    sizes: ['25 H7', '44 H7'],
    said: ['1 texts with figures are too small to be read on paper, and were left out'],
  });
  // Letters of 5 points are small beside those of 12, and can be read.
  expect((await read(`${usual}${textAt('31 H7', 200, 700, 5)}`)).said).toEqual([]);
  const small = Array.from({ length: 20 }, (_, i) => textAt('31 H7', 200, 100 + 30 * i, 1)).join('');
  expect((await read(small)).sizes).toHaveLength(21);
});

test('sizes of a plan that was made smaller as a whole are read beside larger notes', async () => {
  const notes = Array.from({ length: 14 }, (_, i) => textAt('NOTE OF THE PLAN', 300, 780 - 6 * i, 3.5)).join('');
  const sizes = Array.from({ length: 10 }, (_, i) => textAt(`${20 + i}.5`, 50 + 30 * (i % 5), 600 - 15 * (i % 2), 1.2));
  const found = await read(`${notes}${sizes.join('')}`);
  expect(found.sizes).toHaveLength(11);
  expect(found.said).toEqual([]);
});

test('the letters of Type 3 fonts are drawings: modes of text mean nothing for them', () => {
  const ink = new TextInk({ OPS } as unknown as ConstructorParameters<typeof TextInk>[0]);
  const drawn = [{ unicode: '1', operatorListId: '49' }];
  ink.apply(OPS.setTextRenderingMode, [3]);
  expect([ink.isNone([{ unicode: '1' }]), ink.isNone(drawn)]).toEqual([true, false]);
  ink.apply(OPS.setFillRGBColor, ['#ffffff']);
  expect(ink.isNone(drawn)).toBe(false);
  ink.apply(OPS.setStrokeRGBColor, ['#ffffff']);
  expect(ink.isNone(drawn)).toBe(true);
});
