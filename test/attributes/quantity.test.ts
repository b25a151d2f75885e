import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BASE_UNITS, parseQuantity } from '../../dist/attributes/quantity.js';
import { UNITS, unitOf } from '../../dist/attributes/quantity-units.js';

test.each([
  ['25.4', 'mm', 'length', 25.4, 25.4],
  ['25,4', '', '', 25.4, 25.4],
  ['1in', 'mm', 'length', 25.4, 1],
  ['1"', '', 'length', 25.4, 1],
  ['1/2 in', '', 'length', 12.7, 0.5],
  ['1 1/2"', '', 'length', 38.1, 1.5],
  ['2-1/4 in', '', 'length', 57.15, 2.25],
  ['-3 1/2', '', '', -3.5, -3.5],
  ['1e3', '', '', 1000, 1000],
  ['2.5E-2', 'm', 'length', 25, 0.025],
  ['1,234.5', '', '', 1234.5, 1234.5],
  ['1.234,5', '', '', 1234.5, 1234.5],
  ['1 234 567', '', '', 1234567, 1234567],
  ['1,234,567', '', '', 1234567, 1234567],
  ["1'000", '', '', 1000, 1000],
  ['.5', '', '', 0.5, 0.5],
  ['5.', '', '', 5, 5],
  ['+7', '', '', 7, 7],
  ['\u22127', '', '', -7, -7],
  ['5\u00a0mm', '', 'length', 5, 5],
  ['12 mW', '', 'power', 0.012, 12],
  ['12 MW', '', 'power', 12e6, 12],
  ['12 MM', '', 'length', 12, 12],
  ['68', '°F', 'temperature', 20, 68],
  ['293.15', 'K', 'temperature', 20, 293.15],
  ['1', 'lb', 'mass', 453.59237, 1],
  ['1', 'psi', 'pressure', 0.006894757293168, 1],
  ['10', 'bar', 'pressure', 1, 10],
  ['2', 'cm³', 'volume', 2000, 2],
  ['3 Nm', '', 'torque', 3, 3],
  ['180', '°', 'angle', 180, 180],
  ['1½"', '', 'length', 38.1, 1.5],
  ['1 ½ in', '', 'length', 38.1, 1.5],
  ['¾', '', '', 0.75, 0.75],
  ['-2⅞', '', '', -2.875, -2.875],
  ['1\u20442', '', '', 0.5, 0.5],
  ['1 in.', '', 'length', 25.4, 1],
  ['25.4 mm.', '', 'length', 25.4, 25.4],
  ['2 Zoll', '', 'length', 50.8, 2],
  ['45º', '', 'angle', 45, 45],
  ['37 ℃', '', 'temperature', 37, 37],
  ['212F', '', 'temperature', 100, 212],
  ['212', '°F', 'temperature', 100, 212],
  ['7 N⋅m', '', 'torque', 7, 7],
  ['3000 min-1', '', 'speed of rotation', 3000, 3000],
  ['10', 'ksi', 'pressure', 68.94757293168, 10],
  ['5 µm', '', 'length', 0.005, 5],
  ['3', 'pcs', '', 3, 3],
  ['50 %', '', 'share', 50, 50],
])('%j in %j', (value, unit, dimension, base, number) => {
  const found = parseQuantity(value, unit);
  expect(found).toMatchObject({ dimension, number });
  expect(found!.value).toBeCloseTo(base, 9);
});

test('what overflows in the base unit is the largest finite number', () => {
  expect(parseQuantity('1e308', 'kg')).toEqual({ dimension: 'mass', value: Number.MAX_VALUE, number: 1e308 });
  expect(parseQuantity('-1e308 km')).toMatchObject({ dimension: 'length', value: -Number.MAX_VALUE });
});

test.each([
  '',
  '-',
  'Ø12',
  '10-20',
  '>5',
  'M8',
  'M8x20',
  '1.2.3',
  '1,2,3',
  '12,34,567',
  '3 pcs',
  '10k',
  '1/0',
  '5 10',
  '1e',
  '1e400',
  '12 ,',
  '½½',
  '1½½',
  '1.5½',
  '½/2',
  '5 mm..',
  'x½',
  '--3',
  'NaN',
  'Infinity',
  '0x10',
  '9'.repeat(65),
])('%j is no quantity', (value) => expect(parseQuantity(value, '')).toBeUndefined());

test('ISO dates', () => {
  const day = Date.UTC(2024, 4, 31);
  expect(parseQuantity('2024-05-31', 'mm')).toEqual({ dimension: 'date', value: day, number: day });
  expect(parseQuantity('2024-05-31T10:00', '')?.value).toBe(day + 36e5 * 10);
  expect(parseQuantity('2024-05-31 10:00:00.5+0200', '')?.value).toBe(day + 36e5 * 8 + 500);
  for (const value of [
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-05-00',
    '2024-5-1',
    '2024-05-31T25:00',
    '31.05.2024',
  ]) {
    expect(parseQuantity(value, ''), value).toBeUndefined();
  }
});

test('numbers are read as JavaScript writes them, with every unit', () => {
  const names = UNITS.flatMap(([, , factors]) => factors.flatMap(([units]) => units.split(' ')));
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 }).map((number) => number + 0),
      fc.constantFrom(...names),
      (number, name) => {
        const { dimension, factor, offset } = unitOf(name)!;
        const expected = { dimension, value: number * factor + offset, number };
        expect(parseQuantity(String(number), name)).toEqual(expected);
        expect(parseQuantity(`${number} ${name}`, 'kg')).toEqual(expected);
      },
    ),
  );
});

test('each name means one unit, and each dimension has its base unit', () => {
  const names = UNITS.flatMap(([, , factors]) => factors.flatMap(([units]) => units.split(' ')));
  expect(new Set(names).size).toBe(names.length);
  for (const [dimension, base] of Object.entries(BASE_UNITS))
    expect(unitOf(base)).toMatchObject({ dimension, factor: 1, offset: 0 });
});

test('without a unit a number is a plain one; what is no text is refused', () => {
  expect(parseQuantity('12,5')).toEqual({ dimension: '', value: 12.5, number: 12.5 });
  expect(() => parseQuantity(5 as never)).toThrow(/value must be a string, received number/);
});

test('no text takes long or throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,/ -+eE\'"mnk'), maxLength: 64 }), (text) => {
      const found = parseQuantity(text, 'mm');
      expect(found === undefined || (Number.isFinite(found.value) && Number.isFinite(found.number))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
