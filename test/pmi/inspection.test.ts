import { describe, expect, test } from 'vitest';
import { inspectionCsv, inspectionList, PMI_TYPE, type Pmi, type PmiObject } from '../../dist/index.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { deviationsOfFit } from '../../dist/pmi/tolerances/iso-286.js';
import { generalRules } from '../../dist/pmi/tolerances/general-tolerance.js';
import { generalAngles, generalTolerance } from '../../dist/pmi/tolerances/iso-2768.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { FRACTIONS, generalToleranceIn } from '../../dist/pmi/tolerances/stated-tolerance.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, mtext, text, viewport } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

describe('ISO 286', () => {
  // Values as tables of manufacturers print them, µm.
  test.each([
    ['H7', 20, 21, 0],
    ['H7', 3, 10, 0],
    ['H8', 50, 39, 0],
    ['H11', 120, 220, 0],
    ['F8', 25, 53, 20],
    ['G7', 40, 34, 9],
    ['D10', 8, 98, 40],
    ['E9', 16, 75, 32],
    ['JS9', 20, 26, -26],
    ['K7', 20, 6, -15],
    ['M7', 20, 0, -21],
    ['N7', 20, -7, -28],
    ['N9', 10, 0, -36],
    ['P7', 20, -14, -35],
    ['P9', 10, -15, -51],
    ['R7', 60, -30, -60],
    ['M6', 300, -9, -41],
    ['h6', 20, 0, -13],
    ['g6', 20, -7, -20],
    ['f7', 20, -20, -41],
    ['k6', 20, 15, 2],
    ['k6', 30.5, 18, 2],
    ['m6', 20, 21, 8],
    ['n6', 20, 28, 15],
    ['p6', 20, 35, 22],
    ['r6', 60, 60, 41],
    ['s6', 45, 59, 43],
    ['d9', 65, -100, -174],
    ['c11', 35, -120, -280],
    ['js7', 10, 7.5, -7.5],
    ['h9', 500, 0, -155],
    ['a11', 20, -300, -430],
    ['b11', 45, -180, -340],
    ['A11', 3, 330, 270],
    ['B11', 100, 440, 220],
    ['j6', 20, 9, -4],
    ['j7', 60, 18, -12],
    ['J7', 20, 12, -9],
    ['J8', 110, 34, -20],
    ['t6', 30, 54, 41],
    ['T7', 45, -45, -70],
    ['u6', 24, 54, 41],
    ['u6', 25, 61, 48],
    ['U7', 20, -33, -54],
    ['x6', 18, 56, 45],
    ['X7', 35, -71, -96],
  ])('%s of %d mm', (fit, nominal, upper, lower) => {
    expect(deviationsOfFit(fit, nominal)).toEqual({ upper: upper / 1000, lower: lower / 1000 });
  });

  test('what the tables do not have is left open', () => {
    for (const [fit, nominal] of [
      ['H7', 0],
      ['H7', 501],
      ['H19', 20],
      ['ZC7', 20],
      ['K9', 20],
      ['a11', 1],
      ['t6', 24],
      ['j8', 20],
      ['H7/g6', 20],
    ] as const)
      expect(deviationsOfFit(fit, nominal)).toBeUndefined();
  });
});

test('ISO 2768 by range, lengths and edges apart', () => {
  const half = (nominal: number, isEdge = false): unknown => generalTolerance(nominal, 'm', isEdge);
  expect([0.5, 3, 3.1, 6, 30, 31, 120, 400, 401, 4000].map((size) => half(size))).toEqual([
    0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.5, 0.8, 2,
  ]);
  expect([0.4, 4001].map((size) => half(size))).toEqual([undefined, undefined]);
  expect([1, 6, 50].map((size) => half(size, true))).toEqual([0.2, 0.5, 1]);
  expect([generalTolerance(2, 'v', false), generalTolerance(3000, 'f', false)]).toEqual([undefined, undefined]);
});

test('ISO 2768-1, tables 1 to 3, in full', () => {
  const sizes = [2, 5, 20, 100, 300, 900, 1800, 3500];
  const none = undefined;
  for (const [name, halves, edges, angles] of [
    ['f', [0.05, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, none], [0.2, 0.5, 1], [60, 30, 20, 10, 5]],
    ['m', [0.1, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2], [0.2, 0.5, 1], [60, 30, 20, 10, 5]],
    ['c', [0.2, 0.3, 0.5, 0.8, 1.2, 2, 3, 4], [0.4, 1, 2], [90, 60, 30, 15, 10]],
    ['v', [none, 0.5, 1, 1.5, 2.5, 4, 6, 8], [0.4, 1, 2], [180, 120, 60, 30, 20]],
  ] as const) {
    expect(sizes.map((size) => generalTolerance(size, name, false))).toEqual(halves);
    expect([2, 5, 20].map((size) => generalTolerance(size, name, true))).toEqual(edges);
    expect(generalAngles(name).map((half) => Math.round(60 * half))).toEqual(angles);
  }
});

describe('general tolerances as drawings state them', () => {
  test.each([
    ['Allgemeintoleranzen ISO 2768-mK', 'ISO 2768-mK'],
    ['TOLERANCES UNLESS NOTED: JIS B 0405-m', 'JIS B 0405-m'],
    ['JIS B0405:1991', undefined],
    ['GB/T 1804-2000-f', 'GB/T 1804-f'],
    ['UNI EN 22768-mK', 'EN 22768-mK'],
    ['ГОСТ 30893.1-m', 'ГОСТ 30893.1-m'],
    ['General tolerances ISO 22081\nlinear size ±0.1\nSurface profile tolerance 0.3 A B', 'ISO 22081 ±0.1 ⌓0.3 A B'],
    [
      'General tolerances ISO 22081\nLinear size ±0.1\nAngular size ±0.5°\n⌓ | 0.2 | A | B | C',
      'ISO 22081 ±0.1 ±0.5° ⌓0.2 A B C',
    ],
    ['ISO 22081 - linear size ±0,15', 'ISO 22081 ±0,15'],
    ['Allgemeintoleranzen ISO 22081: Längenmaße ±0,2; Winkelmaße ±1°', 'ISO 22081 ±0,2 ±1°'],
    ['ISO 22081', 'ISO 22081'],
    ['TOLERANCES: X.X ±0.1\nX.XX ±0.05\nANGLES ±1°', '.X ±0.1 .XX ±0.05 ±1°'],
    ['.XX ±.01 .XXX ±.005', '.XX ±.01 .XXX ±.005'],
    ['25 ±0.1', undefined],
    // A ± or a frame of another note is that of one size.
    ['GENERAL TOLERANCES ISO 22081\nFREE LENGTH OF SPRING 55 ±2', 'ISO 22081'],
    ['FREE LENGTH OF SPRING 55 ±2\nCOIL ANGLE 30 ±5°\nISO 22081\nLinear size ±0.1', 'ISO 22081 ±0.1'],
    ['Linear size ±2\n\nISO 22081 ±0.1 ±0.5°\nLENGTH 55 ±2\nANGLE 30 ±5°', 'ISO 22081 ±0.1 ±0.5°'],
    ['⌓ 0.05 A\nISO 22081\n⌓ 0.2 A B C', 'ISO 22081 ⌓0.2 A B C'],
    ['⌓ 0.05 A\nISO 22081\nNOTE 3', 'ISO 22081'],
    ['ISO 22081\n⌓\n0.2\nA\nB', 'ISO 22081 ⌓0.2 A B'],
    ['General tolerances: linear sizes ±0.1 mm\nISO 22081', 'ISO 22081 ±0.1 mm'],
    ['ISO 22081 ±0.1 in accordance with', 'ISO 22081 ±0.1'],
    ['COIL ANGLE 30 ±5°\nX.XX ±.01', '.XX ±.01'],
    // Zeros stand for any digits in tables; alone they are the size zero.
    ['0.00 ±0.02', undefined],
    ['0.00 ±0.02\n20.00\n0.0 ±0.1', undefined],
    ['TOLERANCES\n0.00 ±0.02', '.XX ±0.02'],
    ['0.0 ±0.1\n0.00 ±0.02', '.X ±0.1 .XX ±0.02'],
    ['.00 ±.01 .000 ±.005', '.XX ±.01 .XXX ±.005'],
    ['X.XX ±.01 IN\nX.XX ±0.25 MM', '.XX ±.01 in .XX ±0.25 mm'],
    ['INCH: X.XX ±.01 MM: X.X ±0.25', '.XX ±.01 in .X ±0.25 mm'],
    ['X.X ±0.5°', undefined],
    // One ± for all sizes, in a sentence.
    ['General tolerances ±0.05mm', '±0.05 mm'],
    ['2. ALL DIMENSIONS ±0,1 UNLESS OTHERWISE STATED', '±0,1'],
    ['Allgemeintoleranz ±0,2', '±0,2'],
    ['Tolérances générales : ±0,1 mm', '±0,1 mm'],
    ['Unless otherwise specified, tolerances are ±.005 in, angles ±1°', '±.005 in ±1°'],
    ['Tolerances: ±0.1', '±0.1'],
    ['UNLESS OTHERWISE SPECIFIED:\nLINEAR: ±0.1\nANGULAR: ±1°', '±0.1 ±1°'],
    ['General tolerances ±0.1\nAll dimensions ±0.2', '±0.1 ±0.2'],
    ['General tolerance for weld seams ±0.5', undefined],
    ['General tolerances: 55 ±2', undefined],
    ['All holes ±0.1', undefined],
    ['Tolerance ±0.1', undefined],
    ['Alle Maße ±0,1', '±0,1'],
    ['Cotes sans indication ±0,1 sauf indication contraire', '±0,1'],
    ['All dimensions (mm) ±0.1 unless marked', '±0.1'],
    ['Allgemeintoleranz +/-0.2', '±0.2'],
    ['Tol. gén. ±0,1', '±0,1'],
    ['Nicht tolerierte Maße ±0,1', '±0,1'],
    ['Quote senza toll. ±0,1', '±0,1'],
    ['Toleranzen, falls nicht anders angegeben: +-0,1', '±0,1'],
    ['Freimasstoleranz ±0,2', '±0,2'],
    ['±0.1 UNLESS OTHERWISE STATED', '±0.1'],
    ['TOLERANCE ±0.1 U.O.S.', '±0.1'],
    ['Tolerancje ogólne ±0,1', '±0,1'],
    ['Общие допуски ±0,1', '±0,1'],
    ['指示なき寸法公差 ±0.1', '±0.1'],
    ['LINEAR: ±0.1 ANGULAR: ±0.5°', '±0.1 ±0.5°'],
    // Classes by their names, behind other words and signs.
    ['Allgemeintoleranzen DIN ISO 2768 mittel', 'ISO 2768-m'],
    ['Toleranzen nach ISO 2768 Klasse m', 'ISO 2768-m'],
    ['ISO 2768: m-K', 'ISO 2768-mK'],
    ['ISO 2768 - MK', 'ISO 2768-mK'],
    ['DIN ISO 2768 Teil 1 fein', 'ISO 2768-f'],
    ['ISO 2768 very coarse', 'ISO 2768-v'],
    ['普通公差 JIS B 0405 中級', 'JIS B 0405-m'],
    ['未注公差按GB/T 1804-m', 'GB/T 1804-m'],
    ['ISO 2768 finish', undefined],
    // Decimals in words, fractions, minutes.
    ['FRACTIONAL ±1/64\nTWO PLACE DECIMAL ±.01\n3 PLC DEC ±.005', 'FRACTIONS ±1/64 .XX ±.01 .XXX ±.005'],
    ["TOLERANCES: .XX = .01 ANGLES ±0°30'", '.XX ±.01 ±0.5°'],
    ['TOLERANCES: .X ±.1 ANGLES ±1/2°', '.X ±.1 ±0.5°'],
    ['TOL: X.X=±.030 X.XX=±.010 ANG=±1.0°', '.X ±.030 .XX ±.010 ±1.0°'],
    ['TOLERANCE: 0 DEC PL ±0.5, 1 DEC PL ±0.2', 'X ±0.5 .X ±0.2'],
    // Of some sizes, or no plain number.
    ['All dimensions ±1/64 in', undefined],
    ['LINEAR ±1/64', undefined],
    ['All dimensions ±0.1%', undefined],
    ['All dimensions marked * ±0.05', undefined],
    ['All dimensions marked ±0.05', undefined],
    ['All dimensions shown in ( ) ±0.5', undefined],
    ['All angular dimensions ±0.5', undefined],
    ['Tolerance ±0.1 of all angular dimensions', undefined],
    ['All sizes 6-30: ±0.1 mm', undefined],
    ['Tolerances: ±0.1 on the 12.5 dimension', undefined],
    ['not all dimensions ±0.1', undefined],
    [`All dimensions ± ${'1.'.repeat(40_000)}`, undefined],
  ])('%s', (text, stated) => {
    expect(generalToleranceIn(text)).toBe(stated);
  });

  const half = (
    stated: string,
    kind: 'length' | 'radius' | 'angle' | 'chamfer',
    nominal: number,
    places = 0,
  ): unknown => generalRules(stated)?.of({ kind, nominal, places, isInch: false, isDrawingInch: false });

  test('a tolerance of fractions is that of sizes that are written as such', () => {
    const stated = 'FRACTIONS ±1/64 .XX ±.01 ±1°';
    expect(half(stated, 'length', 1.125, FRACTIONS)).toEqual({ half: 1 / 64, from: 'general' });
    expect(half(stated, 'length', 1.12, 2)).toEqual({ half: 0.01, from: 'general' });
    expect(half(stated, 'length', 1)).toBeUndefined();
  });

  test('tables have a ± in the next cell, or in the one below', async () => {
    const table = (cells: readonly (readonly [text: string, x: number, y: number])[]) =>
      `${lineWork(400)}${textAt('25.5', 300, 600)}${cells.map(([said, x, y]) => textAt(said.replace('±', '\xb1'), x, y)).join('')}`;
    const statedIn = async (cells: readonly (readonly [text: string, x: number, y: number])[]) => {
      const content = await readContent(pdf([{ content: table(cells) }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
      return content.kind !== 'drawing' ? undefined : readPmi(content).fields?.map(({ value }) => value);
    };
    expect(await statedIn([['.X', 60, 700], ['±0.1', 100, 700], ['.XX', 60, 684], ['±0.05', 100, 684]])).toEqual([
      '.X ±0.1 .XX ±0.05',
    ]);
    expect(await statedIn([['X.X', 60, 700], ['±0.1', 60, 684], ['X.XX', 120, 700], ['±0.05', 120, 684]])).toEqual([
      '.X ±0.1 .XX ±0.05',
    ]);
    expect(await statedIn([['Allgemeintoleranz', 60, 700], ['±0.1', 180, 700]])).toEqual(['±0.1']);
  }); // biome-ignore format: cells

  test('ISO 22081 gives its ± to sizes and angles, not to radii, whose surfaces have the profile', () => {
    const stated = 'ISO 22081 ±0,1 ±0.5° ⌓0.2 A B C';
    expect([half(stated, 'length', 500), half(stated, 'angle', 45), half(stated, 'radius', 5)]).toEqual([
      { half: 0.1, from: 'ISO 22081' },
      { half: 0.5, from: 'ISO 22081' },
      undefined,
    ]);
    expect(generalRules('ISO 22081')).toBeUndefined();
  });

  test('by decimals, and one for all', () => {
    const stated = '.X ±0.1 .XX ±0.05 ±1°';
    expect([1, 2, 3].map((places) => half(stated, 'length', 12, places))).toEqual([
      { half: 0.1, from: 'general' },
      { half: 0.05, from: 'general' },
      undefined,
    ]);
    expect(half(stated, 'angle', 30)).toEqual({ half: 1, from: 'general' });
    expect(half('±0.2', 'chamfer', 2)).toEqual({ half: 0.2, from: 'general' });
    expect(generalRules('see note 3 ±0.2 on holes')).toBeUndefined();
  });

  test('two classes of ISO 2768 are both said and none applies; nor does what is as large as the size', () => {
    expect(generalToleranceIn('ISO 2768-f\nISO 2768-mK\nISO 2768-m')).toBe('ISO 2768-f / ISO 2768-mK');
    expect(generalToleranceIn('ISO 2768-mK and ISO 2768-m')).toBe('ISO 2768-mK');
    expect(half('ISO 2768-f / ISO 2768-mK', 'length', 20)).toBeUndefined();
    expect(half('.X ±0.5', 'radius', 0.4, 1)).toBeUndefined();
  });

  test("a tolerance is in its unit or the drawing's, never in another of the size", () => {
    const of = (stated: string, isInch: boolean, isDrawingInch: boolean, places = 2): unknown =>
      generalRules(stated)?.of({ kind: 'length', nominal: 2, places, isInch, isDrawingInch })?.half;
    const both = '.XX ±.01 in .XX ±0.25 mm';
    expect([of(both, true, true), of(both, false, false), of(both, true, false)]).toEqual([0.01, 0.25, 0.01]);
    // Two for one size in one unit contradict.
    expect(of('.XX ±.01 .XX ±0.25', false, false)).toBeUndefined();
    expect(of('.XX ±0.25 .XXX ±0.1', true, false)).toBeUndefined();
    expect([of('ISO 22081 ±0.1', true, false), of('ISO 22081 ±0.1', false, false)]).toEqual([0.00394, 0.1]);
    expect([of('±.004 in', false, false), of('ISO 22081 ±0.1 mm', true, true)]).toEqual([0.1016, 0.00394]);
    expect(of('ISO 22081 ±0.1 ±0.2', false, false)).toBeUndefined();
  });
});

describe('the list of an inspector', () => {
  type Made = Pick<PmiObject, 'typeId' | 'group' | 'parts' | 'confidence'> &
    Partial<Pick<PmiObject, 'box' | 'orientedBox'>>;
  const pmiOf = (objects: readonly Made[], heightPx = 100): Pmi => ({
    version: 1,
    pages: [
      {
        page: 1,
        widthPx: 100,
        heightPx,
        objects: objects.map((object, i) => ({ box: [0, 0, 1, 1] as const, ...object, id: i + 1 })),
      },
    ],
  });
  const size = (
    text: string,
    ...tolerance: string[]
  ): Pick<PmiObject, 'typeId' | 'group' | 'parts' | 'confidence'> => ({
    typeId: PMI_TYPE.arrows,
    group: 'Measurement',
    parts: [tolerance.length === 0 ? { text } : { text, tolerance }],
  });
  const METRIC = [
    { name: 'General tolerance', value: 'ISO 2768-mK' },
    { name: 'Units', value: 'mm' },
  ];

  test('every size has a number, its deviations and where they come from', () => {
    const pmi = pmiOf([
      size('4x ⌀20', 'H7'),
      size('25,4', '+0,1', '-0,2'),
      size('50'),
      size('(51)'),
      size('30', 'basic'),
      size('45°'),
      size('R5'),
      size('3 MAX'),
      size('⌀20', 'H7/g6'),
      { ...size('11.30'), parts: [{ text: '11.30' }, { text: '11.20' }] },
      { typeId: PMI_TYPE.controlFrame, group: 'GD&T', parts: [{ text: '⌖ | ⌀0.1 | A' }] },
      { typeId: PMI_TYPE.position, group: 'GD&T', parts: [{ text: '⌖' }] },
      { typeId: PMI_TYPE.datum, group: 'Datum', parts: [{ text: 'A' }] },
    ]);
    expect(
      inspectionList(pmi, METRIC).map(({ number, reading, count, nominal, unit, upper, lower, from }) =>
        [number, reading, count, nominal, unit, upper, lower, from].join(';'),
      ),
    ).toEqual([
      '1;4x ⌀20 H7;4;20;mm;0.021;0;ISO 286',
      '2;25,4 +0,1 -0,2;1;25.4;mm;0.1;-0.2;written',
      '3;50;1;50;mm;0.3;-0.3;ISO 2768-m',
      '4;(51);1;51;mm;;;reference',
      '5;30 basic;1;30;mm;;;basic',
      '6;45°;1;45;°;;;ISO 2768-m: ±1° to ±0.08° by the shorter side',
      '7;R5;1;5;mm;0.5;-0.5;ISO 2768-m',
      '8;3 MAX;1;3;mm;0;;written',
      '9;⌀20 H7/g6;1;20;mm;;;',
      '10;11.30 11.20;1;11.3;mm;0;-0.1;limits',
      '11;⌖ | ⌀0.1 | A;1;;;;;written',
    ]);
  });

  test('a tolerance behind a further size is that of its row; a thread has no class of fit', () => {
    const sizes = [size('4x ⌀8 x 20', '±0.5'), size('2x45°', '±1°'), size('M8', 'A2')];
    expect(
      inspectionList(pmiOf(sizes), METRIC).map(({ kind, nominal, upper, lower, from, why }) =>
        [kind, nominal, upper, lower, from, why].join(';'),
      ),
    ).toEqual([
      'dimension;8;0.2;-0.2;ISO 2768-m;',
      'depth;20;0.5;-0.5;written;',
      'dimension;2;0.2;-0.2;ISO 2768-m;',
      'dimension;45;1;-1;written;',
      'dimension;8;;;;A2 is no class of a thread',
    ]);
  });

  test('a size that names its unit has that one, whatever the sheet says', () => {
    const said = ['5 mm', '⌀25.4 mm THRU', '1.5 IN', '2.5 cm', 'M8', '3', '12 IN 3 PLACES', '12.7 mm [.500 in]'];
    const sizes = [...said.map((text) => size(text)), size('3.5 mm', '±0.1'), size('2 cm', '+0.1', '-0.2')];
    const rows = (units: string) =>
      inspectionList(pmiOf(sizes), [{ name: 'Units', value: units }]).map(({ nominal, unit, upper, lower }) =>
        [nominal, unit, upper, lower].join(' ').trim(),
      );
    const alike = ['5 mm', '25.4 mm', '1.5 in', '25 mm', '8 mm'];
    const last = ['12.7 mm', '3.5 mm 0.1 -0.1', '20 mm 1 -2'];
    expect(rows('mm')).toEqual([...alike, '3 mm', '12 mm', ...last]);
    expect(rows('in')).toEqual([...alike, '3 in', '12 in', ...last]);
  });

  test('of a largest or smallest size that limit is known, and no general tolerance is its', () => {
    const sizes = ['12.5 MAX', '12.5MAX', 'R3 max.', '⌀5 MIN', 'MIN 4', '≤ 3'].map((text) => size(text));
    expect(inspectionList(pmiOf(sizes), METRIC).map(({ upper, lower, from }) => [upper, lower, from])).toEqual([
      [0, undefined, 'written'],
      [0, undefined, 'written'],
      [0, undefined, 'written'],
      [undefined, 0, 'written'],
      [undefined, 0, 'written'],
      [0, undefined, 'written'],
    ]);
  });

  test('numbers go by rows of the page from the upper left, and along what stands together', () => {
    const at = (text: string, x: number, y: number, turn?: number) => ({
      ...size(text),
      box: [x, y, 100, 30] as const,
      ...(turn !== undefined && { orientedBox: { x: x + 50, y: y + 15, width: 100, height: 30, angleDeg: turn } }),
    });
    const frame = { typeId: PMI_TYPE.controlFrame, group: 'GD&T' as const, parts: [{ text: '⌖ | ⌀0.1 | A' }] };
    const objects = [
      { ...frame, box: [900, 145, 140, 30] as const },
      at('8', 100, 1180),
      at('6', 900, 100),
      at('7', 1010, 112),
      at('5', 100, 180),
      // Upwards to the right: its second line stands below the first across its text, and farther left.
      at('32', 1415, 1126, -30),
      at('31', 1400, 1100, -30),
    ];
    const read = (heightPx: number): string[] =>
      inspectionList(pmiOf(objects, heightPx), []).map(({ reading }) => reading);
    expect(read(1600)).toEqual(['5', '6', '7', '⌖ | ⌀0.1 | A', '8', '31', '32']);
    // Annotations of a model have no place.
    expect(read(0)).toEqual(['⌖ | ⌀0.1 | A', '8', '6', '7', '5', '32', '31']);
  });

  test('every letter has its width in all ranges, and holes and shafts of one letter mirror each other', () => {
    const ends = [3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500];
    const rows = ends.map((end) => deviationsOfFit('H7', end)!.upper);
    for (const letter of 'abcdefghkmnprsux') {
      ends.forEach((end, i) => {
        const { upper, lower } = deviationsOfFit(`${letter}7`, end)!;
        expect(upper - lower).toBeCloseTo(rows[i], 6);
        // Holes A to H are the shafts' mirror images; tighter letters move by no more than the step of the grade.
        const hole = deviationsOfFit(`${letter.toUpperCase()}7`, end)!;
        expect(hole.upper - hole.lower).toBeCloseTo(rows[i], 6);
        if ('abcdefgh'.includes(letter)) expect([hole.lower, hole.upper]).toEqual([0 - upper || 0, 0 - lower || 0]);
      });
    }
    // A tighter letter never lies lower.
    for (const end of ends) {
      const lows = [...'abcdefghkmnprsux'].map((letter) => deviationsOfFit(`${letter}6`, end)!.lower);
      expect(lows).toEqual(lows.toSorted((a, b) => a - b));
    }
  });

  test('in inches fits and general tolerances are those of the size in mm', () => {
    const rows = inspectionList(pmiOf([size('2.000'), size('⌀.500', 'H7')]), [
      METRIC[0],
      { name: 'Units', value: 'in' },
    ]);
    expect(rows.map(({ unit, upper, from }) => [unit, upper, from])).toEqual([
      // 50.8 mm: ±0.3 mm; H7 at 12.7 mm: +0.018 mm.
      ['in', 0.01181, 'ISO 2768-m'],
      ['in', 0.00071, 'ISO 286'],
    ]);
  });

  test('where the stated general tolerance does not hold for a size, the list says why', () => {
    const why = (text: string, stated: string): [string, string | undefined] => {
      const [row] = inspectionList(pmiOf([size(text)]), [{ name: 'General tolerance', value: stated }]);
      return [row.from, row.why];
    };
    expect(why('5000', 'ISO 2768-m')).toEqual(['', 'ISO 2768-m gives nothing for a size of 5000']);
    expect(why('M8', 'JIS B 0405-m')).toEqual(['', 'JIS B 0405-m gives nothing for a thread']);
    for (const thread of ['M8-6H', 'M20x1,5 - 6g', 'Tr24x5-7e', '1/4-20 UNC-2B'])
      expect([thread, ...why(thread, 'ISO 2768-m')]).toEqual([thread, 'written', undefined]);
    expect(why('25', 'JIS B 0405-m')).toEqual(['JIS B 0405-m', undefined]);
    expect(why('25', 'EN 22768-mK')).toEqual(['EN 22768-m', undefined]);
    expect(why('25', 'ISO 2768-f / ISO 2768-mK')[1]).toMatch(/^two classes are stated/);
    expect(why('12.125', '.X ±0.1 .XX ±0.05')[1]).toMatch(/says nothing for 3 decimals$/);
    expect(why('R0.4', '.X ±0.5')[1]).toMatch(/would be ±0.5, as large as the size$/);
    expect(why('45°', '.X ±0.1 .XX ±0.05')[1]).toMatch(/states no ± for angles$/);
    expect(why('R5', 'ISO 22081 ±0.1')[1]).toMatch(/a radius is none$/);
    expect(why('25', 'ISO 22081 ±0.1 ±0.2')[1]).toMatch(/several values/);
    expect(inspectionList(pmiOf([size('25')]))[0]).not.toHaveProperty('why');
    const rows = inspectionList(pmiOf([size('M8')]), [METRIC[0]]);
    expect(inspectionCsv(rows)).toContain(',none: ISO 2768-m gives nothing for a thread,');
  });

  test('a note about general tolerances that is not understood is told for every size without one', () => {
    const note = { typeId: PMI_TYPE.plusMinus, group: 'GeneralTolerance' as const, parts: [{ text: 'ISO 2768-m?' }] };
    const rows = inspectionList(pmiOf([size('25'), size('30', '±0.1'), note]));
    expect(rows.map(({ from, why }) => [from, why])).toEqual([
      ['', 'not understood, or read unsurely: ISO 2768-m?'],
      ['written', undefined],
    ]);
  });

  test('what a layout shows of the model is listed once, and by itself where that page alone is asked for', () => {
    const [page] = pmiOf([size('25'), size('30')]).pages;
    const again = { ...page.objects[0], repeats: { page: 1, id: 1 } };
    const pages = [page, { ...page, page: 2, objects: [again, page.objects[1]] }];
    const listed = (shown: Pmi['pages']): unknown[] =>
      inspectionList({ version: 1, pages: shown }).map((row) => [row.page, row.reading]);
    expect(listed(pages)).toEqual([
      [1, '25'],
      [1, '30'],
      [2, '30'],
    ]);
    expect(listed(pages.slice(1))).toEqual([
      [2, '25'],
      [2, '30'],
    ]);
  });

  test('a size that was read with doubt says so, in the table too', () => {
    const rows = inspectionList(pmiOf([{ ...size('41.5'), confidence: 0.78 }, size('8')]));
    expect(rows.map(({ confidence }) => confidence)).toEqual([0.78, undefined]);
    expect(inspectionCsv(rows)).toMatch(/,Confidence,Measured\r\n1,[^\r]*,0\.78,\r\n2,[^\r]*,,\r\n/);
  });
});

test('a drawing that states ISO 22081 gives its sizes those deviations', async () => {
  const words = [
    ['50', 100, 700],
    ['20 \xb10.05', 250, 700],
    ['30\xb0', 400, 700],
    ['Tolerances ISO 22081', 60, 90],
    ['FREE LENGTH OF SPRING 55 \xb12', 300, 82],
    ['linear size \xb10.1', 60, 75],
    ['angular size \xb10.5\xb0', 60, 60],
  ] as const;
  const content = `${lineWork(400)}${words.map(([text, x, y]) => textAt(text, x, y)).join('')}`;
  const read = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  const { pages, version, attributes } = readPmi(read);
  expect(attributes).toContainEqual({ name: 'General tolerance', unit: '', value: 'ISO 22081 ±0.1 ±0.5°' });
  const rows = inspectionList({ version, pages }, attributes);
  expect(rows.map(({ reading, upper, from }) => [reading, upper, from])).toEqual([
    ['50', 0.1, 'ISO 22081'],
    ['20 ±0.05', 0.05, 'written'],
    ['30°', 0.5, 'ISO 22081'],
  ]);
});

test('a layout shows the same entities as the model, twice, and each is listed once', async () => {
  const frame = [line(0, 0, 420, 0), line(420, 0, 420, 297), line(420, 297, 0, 297), line(0, 297, 0, 0)];
  const window = (id: number, x: number) => viewport(id, x, 150, 200, 290, { x: 210, y: 148, height: 297 });
  const bytes = dxf({
    blocks: { '*Paper_Space': [...frame, window(1, 100), window(2, 100), window(3, 300)] },
    entities: [...frame, mtext('%%c20 H7', 200, 150), mtext('%%c20 H7', 200, 100), mtext('R5', 230, 120)],
  });
  const read = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  const { pages, version } = readPmi(read);
  expect(pages.map(({ objects }) => objects.length)).toEqual([3, 6]);
  const rows = inspectionList({ version, pages });
  expect(rows.map(({ page, reading }) => `${page} ${reading}`)).toEqual(['1 ⌀20 H7', '1 R5', '1 ⌀20 H7']);
});

test('one sentence gives all sizes their tolerance, and angles a reason', async () => {
  const words = [
    ['50', 100, 700],
    ['20 \xb10.1', 250, 700],
    ['R5', 330, 700],
    ['30\xb0', 400, 700],
    ['General tolerances \xb10.05mm', 60, 90],
  ] as const;
  const content = `${lineWork(400)}${words.map(([text, x, y]) => textAt(text, x, y)).join('')}`;
  const read = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  const { pages, version, attributes } = readPmi(read);
  const rows = inspectionList({ version, pages }, attributes);
  expect(rows.map(({ reading, upper, from, why }) => [reading, upper, from, why])).toEqual([
    ['50', 0.05, 'general', undefined],
    ['20 ±0.1', 0.1, 'written', undefined],
    ['R5', 0.05, 'general', undefined],
    ['30°', undefined, '', 'the general tolerance ±0.05 mm states no ± for angles'],
  ]);
});

test('notes about one size, on a sheet, are no general tolerances, and a count is no size', async () => {
  for (const [texts, sizes] of [
    [
      ['⌀6.5', '20.00', 'GENERAL TOLERANCES ISO 22081', 'FREE LENGTH OF SPRING 55 ±2'],
      ['⌀6.5', '20.00'],
    ],
    [
      ['0.00 ±0.02', '20.00', '35.50'],
      ['20.00', '35.50'],
    ],
    [
      ['⌀6.5', '4 HOLES', '20.00'],
      ['⌀6.5', '20.00'],
    ],
  ]) {
    const frame = [line(0, 0, 420, 0), line(420, 0, 420, 297), line(420, 297, 0, 297), line(0, 297, 0, 0)];
    const written = texts.map((each, i) => text(each, 60 + 40 * (i % 3), 200 - 40 * i, 3.5));
    const bytes = dxf({ entities: [...frame, ...written] });
    const read = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
    if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
    const { pages, version, attributes } = readPmi(read);
    const rows = inspectionList({ version, pages }, attributes).filter(({ from }) => from !== 'written');
    expect(rows.map(({ reading, from }) => [reading, from])).toEqual(sizes.map((size) => [size, '']));
  }
});

test('sizes in a table of holes are in the list, those of other tables are not', () => {
  const list = (...cells: readonly string[]): unknown[] => {
    const parts = cells.map((each) => ({ text: each }));
    const table = { typeId: PMI_TYPE.table, id: 1, group: '', box: [100, 100, 400, 200], parts } as const;
    return inspectionList({ version: 1, pages: [{ page: 1, widthPx: 999, heightPx: 999, objects: [table] }] }).map(
      ({ kind, reading, nominal, upper, lower }) => [kind, reading, nominal, upper, lower],
    );
  };
  expect(list('HOLE', 'X', 'Y', 'SIZE', 'A1', '10', '15', '⌀6.6 THRU', 'B1', '50', '50', '⌀10 H7')).toEqual([
    ['diameter', '⌀6.6 THRU', 6.6, undefined, undefined],
    ['diameter', '⌀10 H7', 10, 0.015, 0],
  ]);
  expect(list('Bohrung', 'Maß', '1', 'M8x1.25 - 6H')).toEqual([
    ['leader note', 'M8x1.25 - 6H', 8, undefined, undefined],
  ]);
  expect(list('HOLE NO', 'DIA', 'A', '⌀6')).toHaveLength(1);
  expect(list('HOLE', 'DIA', 'QTY', 'A', '6.6', '4', 'B', 'M8', '1', 'C', '10 H7', '2')).toEqual([
    ['diameter', '4x ⌀6.6', 6.6, undefined, undefined],
    ['leader note', 'M8', 8, undefined, undefined],
    ['diameter', '2x ⌀10 H7', 10, 0.015, 0],
  ]);
  // Parts lists, tables of revisions and of fits.
  expect(list('NO.', 'DESCRIPTION', 'QTY', '1', 'M8x20', '4')).toEqual([]);
  expect(list('REV', 'SIZE', 'A', '⌀12')).toEqual([]);
  expect(list('Passung', 'Größtmaß', '⌀20 H7', '20,021')).toEqual([]);
});
