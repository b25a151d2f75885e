import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { circle, dxf, entity, line, text, type DxfParts, type Groups } from '../fixtures/dxf-writer.js';

const BORDER = [line(0, 0, 200, 0), line(200, 0, 200, 100), line(200, 100, 0, 100), line(0, 100, 0, 0)];

async function pmiOf(entities: readonly Groups[], parts: Partial<DxfParts> = {}) {
  const bytes = dxf({ ...parts, entities: [...BORDER, ...entities] });
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return readPmi(content);
}

async function sizesOf(entities: readonly Groups[], parts: Partial<DxfParts> = {}): Promise<string[]> {
  const { pages } = await pmiOf(entities, parts);
  return pages.flatMap(({ objects }) =>
    objects.map((object) =>
      object.parts.map(({ text: said, tolerance = [] }) => [said, ...tolerance].join(' ')).join(),
    ),
  );
}

/** A dimension from 20 to 80; its block, if it names one, is not in the file. */
const dimension = (said: string, flags: number, ...block: Groups): Groups =>
  entity('DIMENSION', 'AcDbDimension', [
    ...[...block, [10, 80], [20, 60], [30, 0], [11, 50], [21, 62], [31, 0], [70, flags], [1, said]],
    ...[[3, 'STANDARD'], [13, 20], [23, 20], [33, 0], [14, 80], [24, 20], [34, 0]],
  ] as Groups).filter(([code]) => code !== 100); // biome-ignore format: points

test.each([0, 1, 32, 33])('dimensions of R12 keep their typed text, flags %i, without a block too', async (flags) => {
  for (const block of [[], [[2, '*D1']]] as const)
    expect(await sizesOf([dimension('60 %%p0.1', flags, ...block)], { version: 'AC1009' })).toEqual(['60 ±0.1']);
});

test('dimensions of R12 without flags keep their typed text', async () => {
  const bare = dimension('60 %%p0.1', 0).filter(([code]) => code !== 70);
  expect(await sizesOf([bare], { version: 'AC1009' })).toEqual(['60 ±0.1']);
});

test('angles that are texts beside dimensions are sizes, and bare numbers are not', async () => {
  const beside = [text('45%%d', 120, 50), text('30%%d', 150, 50), text('17', 120, 80)];
  expect(await sizesOf([dimension('60', 32), ...beside], { version: 'AC1009' })).toEqual(['60', '45°', '30°']);
});

test('a scale in a cell needs no colon, nor other fields', async () => {
  const cell = [line(120, 0, 120, 12), line(120, 12, 200, 12), line(160, 0, 160, 12)];
  const { attributes } = await pmiOf([...cell, text('Bracket', 122, 4, 3), text('SCALE 1:2', 162, 4, 3)]);
  expect(attributes).toEqual([{ name: 'Scale', unit: '', value: '1:2' }]);
  expect((await pmiOf([text('SCALE 1:2', 162, 4, 3)])).attributes).toEqual([]);
});

test('parts of a callout stand where leaders say how wide its letters are', async () => {
  const letter = 1.2 * 0.65 * 3;
  const noted = (said: string, x: number, y: number): Groups[] => [
    text(said, x, y, 3),
    line(x - 1, y - 1.2, x + letter * said.length, y - 1.2),
  ];
  const notes = [
    ['4x R5', 80],
    ['2x M6x1', 70],
    ['3x ⌀12', 60],
    ['6x 5x45°', 50],
  ] as const;
  const said = '⌀6.5 THRU ⌴⌀11 ↧6.4';
  const { pages } = await pmiOf([...notes.flatMap(([note, y]) => noted(note, 20, y)), ...noted(said, 100, 40)]);
  const [{ objects, widthPx }] = pages;
  const depth = objects.find(({ parts }) => parts[0].text === '↧6.4')!;
  // By the guess it would stand 5 mm further left.
  expect(Math.abs((depth.box[0] / widthPx) * 208 - 4 - (100 + letter * said.indexOf('↧')))).toBeLessThan(1.5);
});

test('parts of a callout stand where letters of usual widths put them, where no leader says more', async () => {
  const letter = 0.95 * 3;
  const said = '⌀6.5 THRU ⌴⌀11 ↧6.4';
  const { pages } = await pmiOf([text(said, 60, 40, 3)]);
  const [{ objects, widthPx }] = pages;
  const depth = objects.find(({ parts }) => parts[0].text === '↧6.4')!;
  // By the narrow guess that texts are joined by it would stand 14 mm further left.
  expect(Math.abs((depth.box[0] / widthPx) * 208 - 4 - (60 + letter * said.indexOf('↧')))).toBeLessThan(10);
});

test('a drawn ⌀ behind CBORE is of the counterbore, however narrow its letters are guessed', async () => {
  const sign = (x: number): Groups[] => [circle(x + 1.5, 51.5, 1.1), line(x, 50, x + 3, 53)];
  const texts = [text('9x', 20, 50, 3), text('7.1 THRU CBORE', 31, 50, 3), text('25.5 DEEP 11.8', 72, 50, 3)];
  const sizes = await sizesOf([...texts, ...sign(27.5), ...sign(68.5)]);
  expect(sizes).toEqual(['9x ⌀7.1 THRU', 'CBORE ⌀25.5 DEEP 11.8']);
});

test('datums of a frame near the edge of the sheet are no marks of zones', async () => {
  const cells = ['⊥', '0,1', 'C', 'D', 'E'].flatMap((said, i): Groups[] => {
    const [left, right] = [20 + 12 * i, 32 + 12 * i];
    const box = [
      line(left, 92, right, 92),
      line(left, 99, right, 99),
      line(left, 92, left, 99),
      line(right, 92, right, 99),
    ];
    return [...box, text(said, left + 3, 94, 3)];
  });
  expect(await sizesOf(cells)).toContain('⊥ | 0,1 | C | D | E');
});

test('the only datum of a frame near the edge of the sheet is no mark of a zone', async () => {
  const frames = ['C', 'D', 'E'].flatMap((datum, i): Groups[] =>
    ['⊥', '0,1', datum].flatMap((said, column) => {
      const [left, right] = [20 + 50 * i + 12 * column, 32 + 50 * i + 12 * column];
      const box = [
        line(left, 92, right, 92),
        line(left, 99, right, 99),
        line(left, 92, left, 99),
        line(right, 92, right, 99),
      ];
      return [...box, text(said, left + 3, 94, 3)];
    }),
  );
  expect((await sizesOf(frames)).filter((said) => said.includes('|'))).toEqual([
    '⊥ | 0,1 | C',
    '⊥ | 0,1 | D',
    '⊥ | 0,1 | E',
  ]);
});
