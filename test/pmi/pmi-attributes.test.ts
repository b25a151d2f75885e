import { describe, expect, test } from 'vitest';
import { attributesOfPmi } from '../../dist/pmi/pmi-attributes.js';
import { PMI_TYPE, type PmiObject } from '../../dist/pmi/pmi.js';
import { roughnessOf } from '../../dist/pmi/roughness.js';

const written = (text: string, ...tolerance: string[]): Partial<PmiObject> => ({
  parts: [tolerance.length === 0 ? { text } : { text, tolerance }],
});
function namesOf(objects: readonly Partial<PmiObject>[], isInch = false): Record<string, string[]> {
  const all = objects.map((object, i) => ({
    typeId: PMI_TYPE.arrows,
    id: i + 1,
    group: 'Measurement',
    box: [0, 0, 1, 1],
    ...object,
  })) as PmiObject[];
  const found: Record<string, string[]> = {};
  for (const { name, unit, value } of attributesOfPmi([{ page: 1, widthPx: 10, heightPx: 10, objects: all }], {
    isInch,
  }))
    (found[unit === '' ? name : `${name}(${unit})`] ??= []).push(value);
  return found;
}

describe('attributes of annotations', () => {
  test('a thread is found in one spelling, and by what its class is left out of', () => {
    expect(namesOf([written('4x M8x1.25-6H'), written('M6'), written('G 1/4 A'), written('M8x1,0')])).toEqual({
      Thread: ['M8x1.25-6H', 'M8', 'M6', 'G1/4 A', 'G1/4', 'M8x1.0', 'M8x1'],
    });
    expect(namesOf([written('M8 links'), written('M 12 × 1,25'), written('1/4-20 UNC-2B')])).toEqual({
      Thread: ['M8 LH', 'M12x1.25', '1/4-20 UNC-2B', '1/4-20 UNC'],
    });
  });

  test('threads are found among the words of a leader note, and nowhere else', () => {
    const note = (text: string) => ({ ...written(text), typeId: PMI_TYPE.leader, group: '' as const });
    expect(
      namesOf([note('TAP M6'), note('M5 x 0.8 ↧ 12'), note('M8 - 6H DEEP 15'), note('TAP 1/4-20 UNC-2B')]),
    ).toMatchObject({
      Thread: ['M6', 'M5x0.8', 'M5', 'M8-6H', 'M8', '1/4-20 UNC-2B', '1/4-20 UNC'],
    });
    expect(namesOf([note('SEE ITEM SM8'), note('DWG 12-M8'), note('BREAK ALL EDGES')])).toEqual({});
  });

  test('a range of roughness is its least and its most, and no dimension', () => {
    const mark = (text: string) => ({
      ...written(text),
      typeId: PMI_TYPE.finishMachining,
      group: 'SurfaceFinish' as const,
    });
    expect(namesOf([mark('Ra 0.8 - 1.6')])).toEqual({ 'Surface finish': ['Ra 0.8 - 1.6'], 'Ra(µm)': ['0.8', '1.6'] });
    expect(namesOf([mark('63')], true)).toEqual({ 'Surface finish': ['63'], 'Ra(µm)': ['1.6'] });
  });

  test('fits are found alone and in pairs, and by hole and shaft', () => {
    expect(namesOf([written('⌀20', 'H7/g6'), written('⌀8', 'h6')])).toMatchObject({
      Fit: ['H7/g6', 'H7', 'g6', 'h6'],
      'Hole fit': ['H7'],
      'Shaft fit': ['g6', 'h6'],
      // h6 at 8 mm is 0 -0.009.
      'Tolerance(mm)': ['0.009'],
    });
  });

  test('tolerances are the widths of lengths and diameters, in mm, rising', () => {
    const objects = [
      written('20', '±0.1'),
      written('⌀12', '+0.05', '0'),
      written('45°', '±1°'),
      written('7'),
      written('30', 'basic'),
    ];
    expect(namesOf(objects)['Tolerance(mm)']).toEqual(['0.05', '0.2']);
    expect(namesOf([written('1.000', '±.005'), written('⌀.5', 'H7')], true)['Tolerance(mm)']).toEqual([
      // H7 at 12.7 mm.
      '0.018',
      '0.254',
    ]);
  });

  test('zones of control frames, also of rows that share a symbol', () => {
    const frame = {
      typeId: PMI_TYPE.controlFrame,
      group: 'GD&T' as const,
      parts: [{ text: '⌖ | ⌀0.2Ⓜ | A' }, { text: '⌀0.05 | A' }, { text: '2 SURFACES' }],
    };
    const sign = { typeId: PMI_TYPE.position, group: 'GD&T' as const, parts: [{ text: '⌖' }] };
    expect(namesOf([frame, sign])).toEqual({
      'Geometric tolerance': ['position'],
      'Geometric tolerance(mm)': ['0.05', '0.2'],
    });
  });

  test('a finish is roughness in µm', () => {
    const mark = { ...written('Ra 1,6'), typeId: PMI_TYPE.finishMachining, group: 'SurfaceFinish' as const };
    expect(namesOf([mark])).toEqual({ 'Surface finish': ['Ra 1,6'], 'Ra(µm)': ['1.6'] });
  });
});

describe('roughness', () => {
  test.each([
    ['Ra 1.6', false, ['Ra 1.6']],
    ['√ Rz 6,3 µm', false, ['Rz 6.3']],
    ['N7', false, ['Ra 1.6']],
    ['3.2', false, ['Ra 3.2']],
    ['125', false, ['Ra 3.2']],
    ['63', true, ['Ra 1.6']],
    ['40', true, ['Ra 1.02']],
    ['1.6', true, ['Ra 1.6']],
    ['16 µin', false, ['Ra 0.4']],
    ['Ra 3.2 (√)', false, ['Ra 3.2']],
    ['A', false, []],
    ['Ra max', false, []],
  ] as const)('%s, inches: %s', (text, isInch, expected) => {
    expect(roughnessOf(text, isInch).map(({ parameter, valueUm }) => `${parameter} ${valueUm}`)).toEqual(expected);
  });
});
