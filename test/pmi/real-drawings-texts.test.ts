// Texts of real drawings: what was told without a reason is not, and what was silent or wrong is read or told.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { unlistedSizes } from '../../dist/pmi/lists/unlisted-sizes.js';
import { PMI_TYPE, PMI_VERSION } from '../../dist/pmi/pmi.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { mayBeSizes } from '../../dist/pmi/sizes/unsure-texts.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, insert, line, text, type Groups } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

type Line = readonly [x0: number, y0: number, x1: number, y1: number];
const SIZE: Placed = ['⌀20 ±0.1', 600, 600];
const FRAME: readonly Groups[] = [[0, 0, 400, 0], [400, 0, 400, 300], [400, 300, 0, 300], [0, 300, 0, 0]]
  .map(([x0, y0, x1, y1]) => line(x0, y0, x1, y1)); // biome-ignore format: its sides

/** Texts on the shoulders of leaders below each other. */
function atLeaders(texts: readonly string[]): readonly (readonly [Uint8Array, string])[] {
  const placed = texts.map((said, i): Placed => [said, 245, 752 - 40 * i]);
  const lines = texts.flatMap((_, i): Line[] => [
    [200, 720 - 40 * i, 230, 750 - 40 * i],
    [230, 750 - 40 * i, 330, 750 - 40 * i],
  ]);
  return formatsOf([SIZE, ...placed], lines);
}

test('pieces, voltages, pins, materials, names of files, standards, zeros of positions are not told', async () => {
  const said = ['4PCS', '+5V', 'P$12', 'MATERIAL:SUS304 OR SUS420J2', 'ISO_7380_M3x4_A2', 'ISO 8015', '0.0'];
  for (const [bytes, name] of atLeaders([...said, 'Bl. 3'])) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ reading }) => reading)).toEqual(['⌀20 ±0.1']);
    expect(told.join()).toMatch(/^1 texts are like sizes.*: Bl\. 3$/);
  }
});

test('a full radius is told, with its count', async () => {
  for (const [bytes, name] of atLeaders(['FULL R', '2X FULL R'])) {
    const { told } = await listOf(bytes, name);
    expect(told.join()).toMatch(/^2 texts are like sizes.*: (?:FULL R; 2X FULL R|2X FULL R; FULL R)$/);
  }
});

test('principles of tolerancing are attributes', async () => {
  for (const [bytes, name] of formatsOf([
    SIZE,
    ['Tolerierung ISO 8015:2011', 20, 300],
    ['ASME Y14.5M - 1994', 20, 400],
  ])) {
    const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
    const stated = readPmi(content as never).attributes.filter((each) => each.name === 'Tolerancing standard');
    expect(stated.map(({ value }) => value).sort()).toEqual(['ASME Y14.5M-1994', 'ISO 8015:2011']);
  }
});

test('a frame whose symbol no text shows is a control frame, and no exact size', async () => {
  const box: readonly Line[] = [
    [300, 500, 340, 500], [300, 510, 340, 510], [300, 500, 300, 510], [312, 500, 312, 510], [340, 500, 340, 510],
    [300, 505, 260, 480],
  ]; // biome-ignore format: a frame of two cells with its leader
  const frames = async (symbol: readonly Placed[]): Promise<string[]> => {
    const lists = formatsOf([SIZE, ...symbol, ['0.01', 318, 502.5]], box).map((each) => listOf(...each));
    return (await Promise.all(lists)).map(({ rows }) => rows.filter(({ kind }) => kind === 'control frame'))
      .map(([row]) => row?.reading ?? 'none');
  }; // biome-ignore format: a chain
  expect(await frames([])).toEqual(['? | 0.01', '? | 0.01', '? | 0.01']);
  // The letter of a font of symbols, in the range for private use.
  expect(await frames([['\uf067', 304, 503]])).toEqual(['⌭ | 0.01', '⌭ | 0.01', '⌭ | 0.01']);
});

test('the sides of an arrow at the end of a line are no tail of a weld', async () => {
  const arrow: readonly Line[] = [
    [300, 430, 240, 430], [300, 430, 310, 431.6], [310, 431.6, 310, 428.4], [310, 428.4, 300, 430],
    [300, 430, 320, 430], [240, 430, 230, 420],
  ]; // biome-ignore format: a dimension line with an arrow outside
  const [, [bytes, name]] = formatsOf([SIZE, ['20.0', 260, 432]], arrow);
  const { rows, told } = await listOf(bytes, name);
  expect(rows.map(({ reading }) => reading).sort()).toEqual(['20.0', '⌀20 ±0.1']);
  expect(told.join()).not.toContain('weld');
});

test('weld symbols in any direction are told as such', async () => {
  // Turned by 30 degrees about (200, 400): leader, reference line, tail; the numbers above it.
  const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  const at = (x: number, y: number) => [200 + cos * x - sin * y, 400 + sin * x + cos * y] as const;
  const lines = ([[[-20, -30], [0, 0]], [[0, 0], [100, 0]], [[100, 0], [108, 6]], [[100, 0], [108, -6]]] as const)
    .map(([[x0, y0], [x1, y1]]) => line(...at(x0, y0), ...at(x1, y1))); // biome-ignore format: lines
  const bytes = dxf({
    entities: [
      ...FRAME.map((each) => each),
      text('3x50(100)', ...at(30, 2), 5, 30),
      text('%%c20 H7', 40, 40),
      ...lines,
    ],
  });
  const { rows, told } = await listOf(bytes, 'a.dxf');
  expect(rows.map(({ reading }) => reading)).toEqual(['⌀20 H7']);
  expect(told).toContain('1 weld symbols, whose numbers are no sizes here: weld 3x50(100)');
});

test.each([[true], [false]])(
  'constant attributes of DXF blocks are read, others not (markers: %s)',
  async (hasMarkers) => {
    const definition = (value: string, flags: number, y: number): Groups =>
    ([[0, 'ATTDEF'], [100, 'AcDbEntity'], [8, '0'], [100, 'AcDbText'], [10, 5], [20, y], [30, 0], [40, 5], [1, value],
      [100, 'AcDbAttributeDefinition'], [3, 'P'], [2, 'DIA'], [70, flags]] as Groups)
      .filter(([code]) => hasMarkers || code !== 100); // biome-ignore format: groups
    const block = [
      line(0, 0, 10, 0),
      definition('%%c12 H7', 2, 5),
      definition('%%c14 H7', 0, 25),
      definition('%%c16 H7', 3, 45),
    ];
    const bytes = dxf({
      version: hasMarkers ? 'AC1024' : 'AC1009',
      blocks: { B: block },
      entities: [...FRAME, insert('B', 100, 100), text('%%c20 H7', 200, 200)],
    });
    const { rows } = await listOf(bytes, 'a.dxf');
    expect(rows.map(({ reading }) => reading).sort()).toEqual(['⌀12 H7', '⌀20 H7']);
  },
);

test('texts that show the numbers of their glyphs are letters again', async () => {
  const glyphs = [...'Hole for M8 screw'].map((letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0'));
  const font =
    '<< /Type /Font /Subtype /Type0 /BaseFont /SegoeUI /Encoding /Identity-H /DescendantFonts [<< /Type /Font ' +
    '/Subtype /CIDFontType2 /BaseFont /SegoeUI /CIDSystemInfo ' +
    '<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
    '/FontDescriptor << /Type /FontDescriptor /FontName /SegoeUI /Flags 32 /Ascent 900 /Descent -200 /CapHeight 700 ' +
    '/ItalicAngle 0 /StemV 80 /FontBBox [0 -200 1000 900] >> >>] >>';
  const bytes = pdf([
    {
      content: `${lineWork(80)}${textAt('\xd820 \xb10.1', 300, 500)} /Fm0 Do`,
      forms: [
        {
          content: `BT /G1 12 Tf 100 600 Td <${glyphs.join('')}> Tj ET`,
          dictionary: `/Resources << /Font << /G1 ${font} >> >>`,
        },
      ],
    },
  ]);
  const content = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  expect(content.sheets[0].texts.map(({ text: said }) => said)).toContain('Hole for M8 screw');
});

test('the name of a part in its title block is no size in a table', () => {
  const cells = ['Capnut M8', '⌀8 H7'].map((said) => ({ text: said }));
  const table = {
    id: 1,
    typeId: PMI_TYPE.table,
    group: 'Other',
    parts: cells,
    box: [0, 0, 9, 9],
    confidence: 1,
  } as const;
  const pages = [{ page: 1, widthPx: 10, heightPx: 10, objects: [table] }];
  const field = { name: 'Name', value: 'Capnut M8', page: 1, confidence: 1 };
  const toldOf = (fields: readonly object[]) =>
    unlistedSizes({ version: PMI_VERSION, pages, fields } as never, []).cells;
  expect(toldOf([])).toEqual(['Capnut M8', '⌀8 H7']);
  expect(toldOf([field])).toEqual(['⌀8 H7']);
});

test('pieces of views on pages of pixels are no unsure sizes, texts as high as others are', () => {
  const box = { x: 0, y: 0, width: 30, height: 24 };
  const unsure = [
    { text: '(1', box, height: 60 },
    { text: '118', box, height: 8, confidence: 0.26 },
    { text: '14', box, height: 24, confidence: 0.49 },
    { text: '6', box, height: 8, confidence: 0.55 },
    { text: '-7', box, height: 10 },
  ];
  const toldBeside = (heights: readonly number[]) =>
    mayBeSizes(unsure, { heights, frames: [] }).map(({ text: said }) => said);
  expect(toldBeside([24, 22, 24, 25, 23])).toEqual(['14', '6', '-7']);
  // Nothing tells how high letters are.
  expect(toldBeside([24, 22])).toEqual(['(1', '118', '14', '6', '-7']);
});

test('scales of views and symbols of frames that were read are no unsure sizes of pixels, tapers are', () => {
  const unsure = ['SCALE 2:1', 'KEGEL 1:10', 'MASSSTAB 1:5', '⌖'].map((text, i) => ({
    text,
    box: { x: 100 * i, y: 0, width: 30, height: 24 },
    height: 24,
  }));
  const toldIn = (frames: readonly (typeof unsure)[number]['box'][]) =>
    mayBeSizes(unsure, { heights: [], frames }).map(({ text }) => text);
  expect(toldIn([])).toEqual(['KEGEL 1:10', '⌖']);
  expect(toldIn([{ x: 295, y: -5, width: 200, height: 34 }])).toEqual(['KEGEL 1:10']);
});
