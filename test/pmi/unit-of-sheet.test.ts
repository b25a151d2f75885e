import { describe, expect, test } from 'vitest';
import { describeFile } from '../../dist/indexing/worker/describe-file.js';
import { inspectionList, PMI_TYPE, type Pmi, type PmiObject } from '../../dist/index.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { unitByForm } from '../../dist/pmi/sizes/unit-of-sheet.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

type Written = readonly [text: string, ...tolerance: string[]];

/** A page of sizes; a text with a sign of geometry is a control frame. */
function pmiOf(...written: readonly Written[]): Pmi {
  const objects = written.map(([text, ...tolerance], i): PmiObject => {
    const isFrame = /[⌖⏥⊥]/.test(text);
    return {
      typeId: isFrame ? PMI_TYPE.controlFrame : PMI_TYPE.arrows,
      id: i + 1,
      group: /2768/.test(text) ? 'GeneralTolerance' : isFrame ? 'GD&T' : 'Measurement',
      box: [100, 100 + 90 * i, 60, 20],
      parts: [tolerance.length === 0 ? { text } : { text, tolerance }],
    };
  });
  return { version: 1, pages: [{ page: 1, widthPx: 3000, heightPx: 2000, objects }] };
}
const unitOf = (...written: readonly Written[]) => unitByForm(pmiOf(...written).pages);

describe('the unit of sizes by how they are written', () => {
  test('no zero before the point: inches', () => {
    expect(unitOf(['.500'], ['⌀.250', '±.005'], ['1.750'], ['45°'])).toBe('in');
    expect(unitOf(['.500'], ['1.250'], ['⌖ | ⌀.005 | A'], ['.375', 'basic'])).toBe('in');
    expect(unitOf(['.500'], ['.750'], ['1/4-20 UNC-2B'])).toBe('in');
    expect(unitOf(['.500'], ['1.250'], ['2.750'], ['.375'], ['3.125'])).toBe('in');
    expect(unitOf(['.500'], ['.750'], ['M8'])).toBe('unknown');
    expect(unitOf(...Array.from({ length: 11 }, (): Written => ['.500']), ['M8'])).toBe('in');
    expect(unitOf(['.50'], ['12'], ['M8'])).toBeUndefined();
  });

  test.each<readonly [string, readonly Written[]]>([
    ['a zero before the point', [['0.5'], ['12.5'], ['40']]],
    ['a comma', [['12,5'], ['40']]],
    ['whole numbers', [['12'], ['40'], ['⌀8']]],
    ['a tolerance alone without a zero', [['12', '±.1'], ['40'], ['25', '±.05']]],
    ['a fit', [['12', 'H7'], ['40']]],
    ['one decimal', [['12.5'], ['40.2'], ['3.1']]],
  ])('%s: nothing hints at inches', (_, written) => {
    expect(unitOf(...written)).toBeUndefined();
  });

  test('many signs of millimetres outweigh one of inches', () => {
    expect(unitOf(['.50'], ['12', 'H7'], ['8', 'g6'])).toBeUndefined();
  });

  test.each([
    ['a second unit of inches', '12.70 [.500]', '25.40 [1.000]', '6.35 [.250]', '19.05 [.750]', '⌀9.53 [.375]'],
    ['few of many', '120', '45.5', '80', 'R.50', 'R.25', '33', '⌀12', '16', '300', '250'],
    ['chamfers', '120', '45', '80', '.50 X 45°', '.50 X 45°', '33', '⌀12', '16'],
    ['one size twice', '120', '45', '80', '.05', '.05', '33', '⌀12', '16'],
    ['metric threads', '120', '45', 'M6', 'M8', 'M10', '.50', '.25', '200'],
    ['whole numbers', '120', '45', '.38', '.32', '33', '250', '180'],
  ])('%s: millimetres', (_, ...texts) => {
    expect(unitOf(...texts.map((text): Written => [text]))).toBeUndefined();
  });

  test('sizes with a second one in millimetres: inches, those without one too', () => {
    expect(unitOf(['1.000 [25.4]'], ['2.000 [50.8]'], ['3.00'])).toBe('in');
    expect(unitOf(['0.50 (12.7)'], ['2.00 (50.8)'], ['0.25'])).toBe('in');
    expect(unitOf(['1.000 [25.4]'], ['20'], ['30'], ['45'], ['12,5'])).toBeUndefined();
    expect(unitOf(['25.4 [1.000]'], ['50.8 [2.000]'], ['3.00'])).toBeUndefined();
  });

  test('many sizes below one with whole numbers: not known', () => {
    expect(unitOf(['.50'], ['.25'], ['.38'], ['45'], ['80'])).toBe('unknown');
  });

  test('both, or three decimals alone: not known', () => {
    expect(unitOf(['.500'], ['.750'], ['0.25'])).toBe('unknown');
    expect(unitOf(['.500'], ['.750'], ['25', 'H7'])).toBe('unknown');
    expect(unitOf(['.500'], ['1.250'])).toBe('unknown');
    expect(unitOf(['1.500'], ['2.250'], ['3.125'], ['45°'])).toBe('unknown');
    expect(unitOf(['.500'], ['.750'], ['GENERAL TOLERANCES ISO 2768-m'])).toBe('unknown');
  });
});

describe("an inspector's list", () => {
  const rows = (written: readonly Written[], attributes: readonly { name: string; value: string }[] = []) =>
    inspectionList(pmiOf(...written), attributes).map(({ reading, unit, from, why }) =>
      [reading, unit, from, ...(why === undefined ? [] : [why])].join(' # '),
    );

  test('says the unit that the form tells', () => {
    expect(rows([['.500'], ['.750', '±.005'], ['1.250']])).toEqual([
      '.500 # in # ',
      '.750 ±.005 # in # written',
      '1.250 # in # ',
    ]);
  });

  test('says that it is not known, and resolves nothing that needs it', () => {
    const general = [{ name: 'General tolerance', value: 'ISO 2768-m' }];
    const mixed: readonly Written[] = [['.375'], ['.500'], ['.750', '0', '-.005'], ['8 mm'], ['45°'], ['12', 'H7']];
    expect(rows(mixed, general)).toEqual([
      '.375 # unknown #  # ISO 2768-m of a size whose unit is not known',
      '.500 # unknown #  # ISO 2768-m of a size whose unit is not known',
      '.750 0 -.005 # unknown # written',
      '8 mm # mm # ISO 2768-m',
      '45° # ° # ISO 2768-m: ±1° to ±0.08° by the shorter side',
      '12 H7 # unknown #  # H7 of a size whose unit is not known',
    ]);
  });

  test('what the file states holds, whatever the form is', () => {
    expect(rows([['.500'], ['.750']], [{ name: 'Units', value: 'mm' }])).toEqual(['.500 # mm # ', '.750 # mm # ']);
    expect(rows([['0.5'], ['12,5']], [{ name: 'Units', value: 'in' }])).toEqual(['0.5 # in # ', '12,5 # in # ']);
  });
});

test.each([
  ['UNITS', 'INCH', 'in'],
  ['UNIT', 'in', 'in'],
  ['Einheiten', 'mm', 'mm'],
  ['UNIT\xc9', 'POUCES', 'in'],
])('%s %s in cells of a title block', async (label, value, unit) => {
  const fields = [
    [label, value],
    ['SCALE', '1:1'],
    ['MATERIAL', 'STEEL'],
    ['DRAWN BY', 'KM'],
    ['TITLE', 'PLATE'],
  ];
  const block = fields.map(([name, said], i) => textAt(name, 300 + 60 * i, 60, 6) + textAt(said, 300 + 60 * i, 50, 8));
  const content = `${lineWork(400)}${block.join('')}${textAt('2.50', 100, 500, 10)}`;
  const found = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  expect(readPmi(found).attributes).toContainEqual({ name: 'Units', unit: '', value: unit });
});

/** Units and widths of tolerances of a DXF file with two sizes and a note, which states inches in its header. */
async function ofDxf(note: string, first: string, second: string) {
  const inches = [[9, '$INSUNITS'], [70, 1]] as const; // biome-ignore format: a header
  const entities = [
    ...Array.from({ length: 6 }, (_, i) => line(20 * i, 0, 20 * i, 40)),
    text(first, 5, 10), text(second, 65, 10), text(note, 0, 60),
  ]; // biome-ignore format: a list
  const found = await readContent(dxf({ header: inches, entities }), 'a.dxf', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  } as never);
  const { properties, warnings } = describeFile(found, undefined as never, { textOnly: true, limits: DEFAULT_LIMITS });
  const wanted = properties.filter(({ name }) => name === 'Units' || name === 'Tolerance');
  return { stated: wanted.map(({ name, value }) => `${name} ${value}`), told: warnings.map(({ message }) => message) };
}

test('what a sheet states holds, and not the inches of a template', async () => {
  const { stated } = await ofDxf('ALLE MASSE IN MM', '50 \xb10.1', '80');
  expect(stated).toEqual(['Units mm', 'Tolerance 0.2']);
});

test('sizes that are written as those of millimetres are such, whatever a template states; told', async () => {
  const { stated, told } = await ofDxf('-', '50,5 \xb10,1', '80 H7');
  expect(stated).toEqual(['Units mm', 'Tolerance 0.03', 'Tolerance 0.2']);
  expect(told).toContainEqual(expect.stringContaining('the file states inches'));
  expect((await ofDxf('-', '2.00 \xb1.01', '3.125')).stated).toEqual(['Units in', 'Tolerance 0.508']);
});
