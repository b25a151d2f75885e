import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

const wordsOf = ({ text, tolerance = [] }: { readonly text: string; readonly tolerance?: readonly string[] }): string =>
  [text, ...tolerance].join(' ');

type Placed = readonly [text: string, x: number, y: number];

/** What is found on a page that has these texts, each with its place in points, and these lines. */
async function pmiOf(texts: readonly Placed[], drawn = '') {
  const written = texts.map(([text, x, y]) => textAt(text, x, y, 10)).join('');
  const content = `${lineWork(400)}0 0 0 rg 0 0 0 RG\n${drawn}${written}`;
  const found = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const { pages, leftOut } = readPmi(found);
  const sizes = pages.flatMap(({ objects }) => objects.map(({ parts }) => parts.map(wordsOf).join(' ')));
  return { sizes, leftOut };
}

const sizesOf = async (...texts: readonly Placed[]): Promise<string[]> => (await pmiOf(texts)).sizes;

/** A dimension from x0 to x1 with extension lines, and ticks for arrows. */
const dimension = (x0: number, x1: number, y: number): string =>
  `0.5 w ${x0} ${y} m ${x1} ${y} l S ${[x0, x1]
    .map((x) => `${x - 2} ${y - 2} m ${x + 2} ${y + 2} l S ${x} ${y - 40} m ${x} ${y + 4} l S `)
    .join('')}\n`;

describe('numbers beside the name of something else are no sizes', () => {
  test.each([
    ['DENSITY', '7.85'],
    ['Dichte', '7.85'],
    ['PROPERTY CLASS', '8.8'],
    ['Festigkeitsklasse:', '10.9'],
    ['QTY', '12'],
    ['POS.', '3'],
    ['TEL', '71112345'],
    ['WEIGHT (KG)', '2.35'],
    ['RESOLUTION', '1280 x 600'],
    ['FINISH CODE:', '17'],
    // Two words whose gap is lost.
    ['FINISHCODE:', '17'],
  ])('%s %s', async (label, value) => {
    expect(await sizesOf(['25 H7', 100, 700], [label, 100, 500], [value, 240, 500])).toEqual(['25 H7']);
  });

  test.each([
    'LENGTH AT LOAD:', 'HEIGHT UNDER LOAD', 'DIAMETER AT POSITION', 'ABSTAND POS.', 'MASSE', 'Wandst\xe4rke Pos.',
    'CHAMFER:', 'R\xe4nder brechen:', 'FASE:', 'KANTEN:', 'BOHRUNG:', 'BORE:', 'WALL:', 'GAP:', 'OFFSET:',
    'ALL FILLETS:', 'UNDERCUT:', 'SW:', 'CLEARANCE:',
  ])('%s 40 is one', async (label) => {
    expect(await sizesOf(['25 H7', 100, 700], [label, 100, 500], ['40', 230, 500])).toEqual(['25 H7', '40']);
  }); // biome-ignore format: a list

  test.each([
    ['DEBURR TO STANDARD', '0.5'],
    ['SEE NOTE NO', '0.5'],
    ['MOUNTING FACE CLASS', '12.5'],
  ])('%s %s is one: names are whole numbers', async (label, value) => {
    expect(await sizesOf(['25 H7', 100, 700], [label, 100, 500], [value, 230, 500])).toEqual(['25 H7', value]);
  });

  test('what a dimension line holds is one, and what is far away', async () => {
    const value = ['80', 250, 502] as const;
    const held = await pmiOf([['25 H7', 100, 700], ['SCALE', 130, 502], value], dimension(220, 300, 500));
    expect(held).toEqual({ sizes: ['25 H7', '80'], leftOut: [] });
    expect(await sizesOf(['25 H7', 100, 700], ['PAGE', 100, 500], ['17', 365, 500])).toEqual(['25 H7', '17']);
    expect(await sizesOf(['25 H7', 100, 700], ['60', 100, 500], ['BAR', 125, 500])).toEqual(['25 H7', '60']);
  });

  test('values below each other look like limits, and belong to their labels', async () => {
    const rows: Placed[] = [['PRESSURE', '11.0'], ['SHEET', '1'], ['YEAR', '2015']].flatMap(
      ([label, value], i): Placed[] => [[label, 100, 500 - 12 * i], [value, 180, 500 - 12 * i]],
    ); // biome-ignore format: a list
    const { sizes, leftOut } = await pmiOf([['25 H7', 100, 700], ...rows]);
    expect(sizes).toEqual(['25 H7']);
    expect(leftOut).toEqual([expect.stringMatching(/^3 numbers that name, count or measure something else/)]);
  });

  test('lines of a neighbour hold no value of a list, and a short label may stand further off there', async () => {
    const rows: Placed[] = [['NUMBER OF TEETH', '29'], ['TEL', '10756'], ['FAX:', '55507']].flatMap(
      ([label, value], i): Placed[] => [[label, 100, 500 - 14 * i], [value, 290, 500 - 14 * i]],
    ); // biome-ignore format: a list
    expect((await pmiOf([['25 H7', 100, 700], ...rows], dimension(330, 390, 490))).sizes).toEqual(['25 H7']);
  });

  test('what is taken for no size is told', async () => {
    const { leftOut } = await pmiOf([
      ['25 H7', 100, 700],
      ['DENSITY', 100, 500],
      ['7.85', 240, 500],
    ]);
    expect(leftOut).toEqual([expect.stringMatching(/^1 numbers that name, count or measure something else/)]);
  });

  test('nor are those with the unit of something else', async () => {
    expect(await sizesOf(['25 H7', 100, 700], ['58', 100, 500], ['HRC', 125, 500])).toEqual(['25 H7']);
    expect(await sizesOf(['25 H7', 100, 700], ['7.85', 100, 500], ['g/cm3', 140, 500])).toEqual(['25 H7']);
    expect(await sizesOf(['25 H7', 100, 700], ['800 x 600', 100, 500], ['px', 160, 500])).toEqual(['25 H7']);
  });

  test('those beside the name of a length, with a sign, or far away are', async () => {
    expect(await sizesOf(['25 H7', 100, 700], ['LENGTH:', 100, 500], ['40', 200, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 100, 500], ['\xd840', 200, 500])).toEqual(['25 H7', '⌀40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 40, 500], ['40', 500, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['17 PCS', 100, 500], ['40', 200, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 100, 500], ['40', 200, 480])).toEqual(['25 H7', '40']);
  });
});

describe('lists without lines have no sizes', () => {
  const cells = (y: number, ...texts: string[]): [string, number, number][] =>
    texts.map((text, i) => [text, [100, 140, 190, 290][i], y]);
  const rows = [
    cells(485, '1', '4', 'SCREW', 'M8x20'),
    cells(470, '2', '4', 'WASHER', '8.4'),
    cells(455, '3', '1', 'NUT', 'M8'),
  ].flat();

  test('below their headings, and above them', async () => {
    const heads = (y: number): [string, number, number][] => cells(y, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    expect(await sizesOf(['25 H7', 100, 700], ...heads(500), ...rows)).toEqual(['25 H7']);
    expect(await sizesOf(['25 H7', 100, 700], ...heads(440), ...rows)).toEqual(['25 H7']);
  });

  test('headings of narrow columns are one text, of two words too', async () => {
    const numbered = [
      ...[cells(485, '1', '4', '72137'), cells(470, '2', '4', '88213')].flat(),
      ...[['10.9', 240, 485] as const, ['8.8', 240, 470] as const],
      ...[['POS QTY', 100, 500] as const, ['PART NO REMARKS', 190, 500] as const],
    ];
    expect(await sizesOf(['25 H7', 100, 700], ...numbered)).toEqual(['25 H7']);
  });

  test('what stands beside a list, or farther below it, is none of it', async () => {
    const heads = cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    const beside = [['61', 480, 470], ['62', 100, 300]] as const; // biome-ignore format: a pair
    expect(await sizesOf(['25 H7', 100, 700], ...heads, ...rows, ...beside)).toEqual(['25 H7', '61', '62']);
  });

  test('they are told', async () => {
    const { leftOut } = await pmiOf([...cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD'), ...rows]);
    expect(leftOut).toEqual([expect.stringMatching(/^9 numbers /)]);
  });

  test.each([
    ['NO.', 'QTY', 'DESCRIPTION'],
    ['NO.', 'QTY', 'DESCRIPTIONBY'],
    ['POS', 'MENGE', 'BEMERKUNG'],
    ['ITEM', 'QTY', 'REMARKS'],
    ['REP', 'QTE', 'DESIGNATION'],
  ])('a list of holes below %s, %s, %s has sizes', async (...heads) => {
    const holes = [cells(485, '1', '4', '\xd88.5 THRU'), cells(470, '2', '2', '\xd812 H7'), cells(455, '3', '6', 'M8')];
    const found = await sizesOf(['25 H7', 100, 700], ...cells(500, ...heads), ...holes.flat());
    expect(found).toEqual(expect.arrayContaining(['\u23008.5 THRU', '\u230012 H7', 'M8']));
  });

  test('sizes with a sign or a tolerance in rows of a list are sizes', async () => {
    const heads = cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    const shafts = [...cells(485, '1', '4', 'SHAFT', '\xd830 h6'), ...cells(470, '2', '4', 'PLATE', '12 \xb10.1')];
    expect(await sizesOf(['25 H7', 100, 700], ...heads, ...shafts)).toEqual(['25 H7', '\u230030 h6', '12 \xb10.1']);
  });

  test('but not in rows with a day: they say what a revision was about', async () => {
    const row = (y: number, ...texts: string[]): Placed[] => texts.map((text, i) => [text, [100, 140, 220, 320][i], y]);
    const changes = [...row(485, '1', '12.11.2024', 'R5', 'KW'), ...row(470, '2', '13.12.2025', '12.5', 'JS')];
    const heads = row(500, 'REV', 'DATE', 'DESCRIPTION', 'BY');
    const { sizes, leftOut } = await pmiOf([['25 H7', 100, 700], ...heads, ...changes]);
    expect(sizes).toEqual(['25 H7']);
    expect(leftOut).toEqual([expect.stringMatching(/^4 numbers /)]);
  });

  test('a view below a list, in its columns, has sizes', async () => {
    const heads = cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    const view = cells(425, '20', '30', '40', '60');
    const drawn = dimension(90, 130, 425) + dimension(130, 180, 425);
    const { sizes } = await pmiOf([['25 H7', 100, 700], ...heads, ...rows, ...view], drawn);
    expect(sizes).toEqual(['25 H7', '20', '30', '40', '60']);
  });

  test('a list ends at a row without a name, as far apart as its own', async () => {
    const heads = cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    const chain = cells(440, '20', '30', '\xd840 H7', '60');
    const found = await sizesOf(['25 H7', 100, 700], ...heads, ...rows, ...chain);
    expect(found).toEqual(['25 H7', '20', '30', '\u230040 H7', '60']);
  });

  test('fewer than three words are no headings', async () => {
    const chain = [...cells(515, '20', '30'), ...cells(530, '55', '65')];
    const all = ['20', '30', '55', '65', '25 H7'].sort();
    expect((await sizesOf(['25 H7', 100, 700], ...cells(500, 'NAME', 'DATE'), ...chain)).sort()).toEqual(all);
    expect((await sizesOf(['25 H7', 100, 700], ['NAME DATE', 100, 500], ...chain)).sort()).toEqual(all);
    expect((await sizesOf(['25 H7', 100, 700], ...cells(500, 'N', 'NO'), ...chain)).sort()).toEqual(all);
  });

  test('a neighbour that reaches into a list does not end it', async () => {
    const rows: Placed[] = [['POS', 'QTY', 'DESCRIPTION', 'STANDARD'], ['1', '5', 'WASHER', 'M8x20'],
      ['2', '8', 'SCREW', 'M6']].flatMap((row, i) => row.map((text, column): Placed => [text, 100 + 60 * column +
      (column === 3 ? 30 : 0), 500 - 13 * i])); // biome-ignore format: a list
    expect(await sizesOf(['25 H7', 100, 700], ...rows, ['YEAR', 355, 494], ['2022', 410, 494])).toEqual(['25 H7']);
  });

  test('a list of holes has sizes', async () => {
    const heads = cells(500, 'HOLE', 'X', 'Y', 'SIZE');
    const found = await sizesOf(['25 H7', 100, 700], ...heads, ...cells(485, 'A1', '10.5', '20.5', '\xd86'));
    expect(found).toEqual(['25 H7', '10.5', '20.5', '⌀6']);
  });
});

test.each([
  'M8x20-8.8', 'M8x20 - 10.9', '4x M6 x 16 - A2-70', 'ISO 4762 M8x20',
  '27.11.2026', '27-11-26', '0711 123456', '+49 711 123456',
])('%s is no size', (text) => {
  expect(readDimension(text)).toBeUndefined();
}); // biome-ignore format: a table

test.each([
  'M8 A2',
  'M5-4.8',
  '800 x 600',
  '640x480',
  '1024x768',
  'M8x20',
  'M10 - 1.5',
  'M8-6H',
  '192 x 108',
  '8.8',
  '4x M6 x 16',
  '1920 x 1000',
])('%s is one', (text) => {
  expect(readDimension(text)).toBeDefined();
});
