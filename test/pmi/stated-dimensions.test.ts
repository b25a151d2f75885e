// Dimensions of DXF files that no block draws: their text is made of what they measure, by their style.
import { expect, test } from 'vitest';
import { inspectionList } from '../../dist/index.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, entity, line, text, type Groups } from '../fixtures/dxf-writer.js';

/** A level dimension of a length, whose text is typed; none: what it measures. */
const dimension = (length: number, typed: string, y: number): Groups =>
  entity('DIMENSION', 'AcDbDimension', [
    ...([[10, 20 + length], [20, y], [30, 0], [11, 20 + length / 2], [21, y + 2], [31, 0], [70, 32]] as const),
    ...([[1, typed], [3, 'Standard'], [100, 'AcDbAlignedDimension'], [13, 20], [23, y - 10], [33, 0]] as const),
    ...([[14, 20 + length], [24, y - 10], [34, 0], [50, 0], [100, 'AcDbRotatedDimension']] as const),
  ]); // biome-ignore format: pairs of codes and values

const styled = (style: Groups): Groups => [
  ...([[0, 'TABLE'], [2, 'DIMSTYLE'], [5, 'A'], [100, 'AcDbSymbolTable'], [70, 1], [0, 'DIMSTYLE']] as const),
  ...([[105, '27'], [100, 'AcDbSymbolTableRecord'], [100, 'AcDbDimStyleTableRecord'], [2, 'Standard']] as const),
  [70, 0],
  ...style,
  [0, 'ENDTAB'],
]; // biome-ignore format: pairs of codes and values

async function listOf(bytes: Uint8Array) {
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  const pmi = readPmi(content);
  return inspectionList(pmi, [...pmi.attributes, ...content.properties]);
}
const drawing = (style: Groups, entities: readonly Groups[]): Uint8Array =>
  dxf({ tables: styled(style), entities: [line(0, 0, 400, 0), line(400, 0, 400, 300), ...entities] });

test.each([
  [[[271, 3], [78, 0]], 50.25, '50.250'],
  [[[271, 3], [78, 4]], 0.5, '.500'],
  [[[271, 3], [78, 8]], 50.25, '50.25'],
  [[[271, 2], [78, 12]], 0.5, '.5'],
  [[[271, 1], [78, 0], [278, 44]], 50.25, '50,3'],
  [[[271, 2], [78, 8], [45, 0.5]], 50.3, '50.5'],
] as const)('the style %j writes %d as %s', async (style, length, said) => {
  const rows = await listOf(drawing(style, [dimension(length, '', 30)]));
  expect(rows.map(({ reading }) => reading)).toEqual([said]);
}); // biome-ignore format: pairs of codes and values

test('decimals choose the general tolerance, also of whole numbers', async () => {
  const note = text('GENERAL TOLERANCES: X %%p0.5  X.X %%p0.2  X.XX %%p0.05', 20, 250);
  const rowOf = async (places: number) =>
    (
      await listOf(
        drawing(
          [
            [271, places],
            [78, 0],
          ],
          [dimension(50, '', 30), note],
        ),
      )
    )[0];
  expect(await rowOf(0)).toMatchObject({ reading: '50', upper: 0.5, lower: -0.5, from: 'general' });
  expect(await rowOf(1)).toMatchObject({ reading: '50.0', upper: 0.2, from: 'general' });
  expect(await rowOf(2)).toMatchObject({ reading: '50.00', upper: 0.05, from: 'general' });
});

test('a blank text suppresses that of a dimension', async () => {
  const bytes = drawing([], [dimension(44, ' ', 30), dimension(50, '', 60)]);
  expect((await listOf(bytes)).map(({ reading }) => reading)).toEqual(['50']);
});

test('lines may end in a carriage return alone', async () => {
  const bytes = drawing([], [dimension(50, '', 60)]).map((byte) => (byte === 0x0a ? 0x0d : byte));
  expect((await listOf(bytes)).map(({ reading }) => reading)).toEqual(['50']);
});
