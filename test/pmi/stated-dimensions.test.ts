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

test.each([
  // Fractions, feet, both as files before 2000 state them, and limits of them.
  [[[277, 5], [271, 4]], 1.125, '1 1/8', 1.125],
  [[[277, 4], [271, 4]], 15.5, `1'-3 1/2"`, 15.5],
  [[[277, 4], [271, 4]], 24, `2'-0"`, 24],
  [[[277, 3], [271, 2], [78, 0]], 15.5, `1'-3.50"`, 15.5],
  [[[270, 7], [271, 3]], 0.375, '3/8', 0.375],
  [[[277, 4], [271, 3], [72, 1], [47, 0.125], [48, 0.125], [272, 3]], 9.5, '9 5/8" 9 3/8"', 9.625],
  [[[277, 5], [271, 4], [71, 1], [47, 0.015625], [48, 0.015625], [272, 6]], 7.75, '7 3/4 ±1/64', 7.75],
  // The second unit (DIMALT), with its own decimals and suffix.
  [[[170, 1], [143, 0.03937], [171, 3], [271, 2]], 26.4, '26.4 [1.039]', 26.4],
  [[[170, 1], [143, 0.03937], [171, 2], [4, ' in']], 25.4, '25.4 [1.00in]', 25.4],
  // Tolerances and limits with their own decimals (DIMTDEC), a prefix and a suffix.
  [[[71, 1], [47, 0.05], [48, 0.02], [272, 2], [278, 44]], 31.25, '31,25 +0,05 -0,02', 31.25],
  [[[72, 1], [47, 0.02], [48, 0.01], [272, 3], [283, 0], [78, 0]], 21, '21.020 20.990', 21.02],
  [[[3, '%%c<> H7'], [271, 0]], 25, '⌀25 H7', 25],
] as const)('the style %j writes %d as %s', async (style, length, said, nominal) => {
  const [row] = await listOf(drawing(style, [dimension(length, '', 30)]));
  expect(row).toMatchObject({ reading: said, nominal });
}); // biome-ignore format: pairs of codes and values

/** An angle at 300, 0. */
const angle = (degrees: number, typed: string): Groups => {
  const at = (turn: number): [number, number] => [
    300 + 50 * Math.cos((turn * Math.PI) / 180),
    50 * Math.sin((turn * Math.PI) / 180),
  ];
  const [[bx, by], [mx, my]] = [at(degrees), at(degrees / 2)];
  return entity('DIMENSION', 'AcDbDimension', [
    ...([[10, mx], [20, my], [30, 0], [11, mx], [21, my], [31, 0], [70, 37], [1, typed], [3, 'Standard']] as const),
    ...([[100, 'AcDb3PointAngularDimension'], [13, 350], [23, 0], [33, 0], [14, bx], [24, by], [34, 0]] as const),
    ...([[15, 300], [25, 0], [35, 0]] as const),
  ]); // biome-ignore format: pairs of codes and values
};

test.each([
  [[[275, 1], [179, 4]], 45.5042, '', `45°30'15"`, { nominal: 45.504167 }],
  [[[275, 1], [179, 2]], 30.5, '', `30°30'`, { nominal: 30.5 }],
  [[[275, 0], [179, 1]], 45.5, '', '45.5°', { nominal: 45.5 }],
  [[[179, 0], [71, 1], [47, 0.5], [48, 0.5], [272, 1]], 30, '', '30° ±0.5°', { upper: 0.5 }],
  // Two angles, and no chamfer of 2.
  [[[179, 0]], 15, '2x <>', '2X 15°', { count: 2, nominal: 15 }],
] as const)('the style %j writes an angle of %d, typed %j, as %s', async (style, degrees, typed, said, facts) => {
  const [row] = await listOf(drawing(style, [angle(degrees, typed)]));
  expect(row).toMatchObject({ reading: said, unit: '°', ...facts });
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
