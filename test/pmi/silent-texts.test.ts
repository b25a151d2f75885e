// Texts of draughtsmen that were silently lost or read as something else: on dimension lines, at leaders, in notes.
import { expect, test } from 'vitest';
import { readDimension, threadIn } from '../../dist/pmi/dimension-text.js';
import { sizesIn } from '../../dist/pmi/sizes/callouts.js';
import { generalRules, whyNoRules } from '../../dist/pmi/tolerances/general-tolerance.js';
import { generalToleranceIn } from '../../dist/pmi/tolerances/stated-tolerance.js';
import { formatsOf, listOf } from '../fixtures/texts-in-formats.js';

/** Texts between the filled arrows of dimension lines below each other, and others at leaders, in an SVG. */
function drawing({ dimensions = [], leaders = [] }: { dimensions?: readonly string[]; leaders?: readonly string[] }) {
  const line = (x1: number, y1: number, x2: number, y2: number): string => `<path d="M${x1} ${y1}L${x2} ${y2}"/>`;
  const head = (x: number, y: number, to: number): string =>
    `<path fill="#000" d="M${x} ${y}L${x + 3 * to} ${y + 0.5}L${x + 3 * to} ${y - 0.5}Z"/>`;
  const text = (said: string, x: number, y: number): string =>
    `<text x="${x}" y="${y}" font-size="4" stroke="none" fill="#000" text-anchor="middle">${said}</text>`;
  const drawn = [
    ...dimensions.map((said, i) => {
      const y = 40 + 20 * i;
      return `${line(50, y, 150, y)}${line(50, y - 9, 50, y + 1)}${line(150, y - 9, 150, y + 1)}${head(50, y, 1)}${head(150, y, -1)}${text(said, 100, y - 1.5)}`;
    }),
    ...leaders.map((said, i) => {
      const y = 40 + 20 * i;
      return `${line(250, y + 12, 270, y)}${line(270, y, 330, y)}${head(250, y + 12, 1)}${text(said, 300, y - 1)}`;
    }),
  ];
  return new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297"><g fill="none" stroke="#000">' +
      `<path d="M5 5H415V292H5Z"/>${drawn.join('')}</g></svg>`,
  );
}

test.each([
  ['45 deg', '45°', 45],
  ['mind. 25', 'mind. 25', 25],
  ['NO. 10-24', 'NO. 10-24', 0.19],
  ['⬜20', '□20', 20],
  ['5.', '5', 5],
  ['10 NOM', '10 NOM', 10],
  ['[]12', '□12', 12],
  ['b=12', 'b=12', 12],
  // A straight line measures no angle: the leg of a chamfer, said so that it cannot be twelve angles.
  ['12 x 30°', '30° x 12', 12],
  ['М10х1,25', 'M10x1,25', 10],
])('%s on a dimension line is %s', async (said, reading, nominal) => {
  const { rows, told } = await listOf(drawing({ dimensions: [said] }), 'a.svg');
  expect(rows).toMatchObject([{ reading, nominal, count: 1 }]);
  expect(told).toEqual([]);
});

test('parameters between the arrows of dimension lines are told, letters of sections are not', async () => {
  const { told } = await listOf(drawing({ dimensions: ['L', 'd1', 'H 12.5', 'DIN 76-B', '60° oder 120°'] }), 'a.svg');
  expect(told).toEqual([
    expect.stringMatching(/^5 texts on dimension lines were not understood: L; d1; H 12.5; DIN 76-B; 60° oder 120°$/),
  ]);
  expect((await listOf(drawing({ dimensions: ['A', 'A'] }), 'a.svg')).told).toEqual([]);
});

test('what a leader says with a figure is told, but for the names of steels', async () => {
  const { told } = await listOf(drawing({ leaders: ['Z=24 m=2', 'CBORE 3/8 DIA x 1/4 DP', 'C45'] }), 'a.svg');
  expect(told.join()).toMatch(/^2 texts are like sizes.*Z=24 m=2; CBORE 3\/8 DIA x 1\/4 DP$/);
});

test.each([
  'Rohmaß 50x50x125',
  'Ширина 25 мм',
  'szerokość 25',
  '板厚 2',
  'longueur développée 245',
  'Blechdicke s=2',
  'Alle Bohrungen 6,6',
  'A = 25, B = 30',
  'DRILL &amp; REAM FOR 1/4 DOWEL',
  'Flächen 1.6 Ra',
  'HRC 28-32',
  'Härte 60+4 HRC',
  '#7 DRILL',
])('the size of a note is told: %s', async (said) => {
  const [, [bytes, name]] = formatsOf([[said, 300, 500]]);
  expect((await listOf(bytes, name)).told.join()).toContain(said.replace('&amp;', '&'));
});

test.each([
  ['4 trous taraudés M5', 'thread', 5, 4],
  ['4 HOLES EQ SP ON 3.00 B.C.', 'diameter', 3, 1],
  ['4 отв. ⌀6,5', 'diameter', 6.5, 4],
  ['ф14Н7', 'diameter', 14, 1],
  ['М8-7Н', 'thread', 8, 1],
])('%s counts what it names', (said, kind, nominal, count) => {
  expect(sizesIn(said)).toMatchObject([{ kind, nominal, count }]);
});

test('a sign of inches behind a tolerance is that of the size, too', () => {
  expect(readDimension('45.5 ±.01"')).toMatchObject({ nominal: 45.5, isInch: true });
  expect(readDimension('45° ±30"')?.isInch).toBeUndefined();
});

test.each([
  ['⌀8 H7 - 2 x', 'diameter', 8, 2, ['H7']],
  ['⌀6,6; 4x', 'diameter', 6.6, 4, []],
  ['M6 - 4 Stk.', 'thread', 6, 4, []],
])('the count behind a dash or a comma is that of the size: %s', (said, kind, nominal, count, toleranceTexts) => {
  expect(readDimension(said)).toMatchObject({ kind, nominal, count, toleranceTexts });
});

test.each(['Pas 1,25 M8', 'M8 Steigung 1,25', '2x M8 P1.25'])('%s is a thread with its pitch', async (said) => {
  const { rows } = await listOf(drawing({ leaders: [said] }), 'a.svg');
  expect(rows).toMatchObject([{ reading: said, nominal: 8, unit: 'mm' }]);
  expect(threadIn(said)).toMatch(/^M8x1[.,]25$/);
});

test('two angles behind a slash are no limits, and what may be a depth or a count is no fit', async () => {
  const { rows, told } = await listOf(drawing({ dimensions: ['60°/120°'], leaders: ['⌀6.6 x4'] }), 'a.svg');
  expect(rows).toEqual([]);
  expect(told.join()).toMatch(/60°\/120°.*⌀6.6 x4|⌀6.6 x4.*60°\/120°/);
  expect(readDimension('44°/46°')).toMatchObject({ nominal: 46, tolerance: { upper: 0, lower: -2 } });
});

test('R and a fraction are a pipe thread, in inches a radius; a second size says the unit of the first', async () => {
  const metric = await listOf(drawing({ dimensions: ['70 ±0,2'], leaders: ['2x R 1/8'] }), 'a.svg');
  expect(metric.rows).toMatchObject([{ nominal: 70 }, { kind: 'leader note', nominal: 0.125, unit: 'in', count: 2 }]);
  expect(metric.told.join()).toContain(
    'taken for pipe threads (ISO 7-1), and are radii if sizes are in inches: 2x R 1/8',
  );
  const leaders = ['R 1/8', '.750', '.500', '1.25 ±.01', '12.7 [.500]'];
  const { rows } = await listOf(drawing({ dimensions: ['ALL DIMENSIONS IN INCHES'], leaders }), 'a.svg');
  expect(rows.map(({ kind, nominal, unit }) => [kind, nominal, unit])).toEqual(
    expect.arrayContaining([['radius', 0.125, 'in'], ['dimension', 12.7, 'mm']]),
  ); // biome-ignore format: rows
});

test('a class of general tolerances for some faces is told with each size, and not applied', () => {
  const stated = generalToleranceIn('1. ISO 2768-m for machined surfaces') ?? '';
  expect(stated).toBe('ISO 2768-m (machined surfaces)');
  expect(generalRules(stated)).toBeUndefined();
  expect(whyNoRules(stated)).toBe('ISO 2768-m (machined surfaces) holds for some faces alone');
  expect(generalToleranceIn('ISO 2768-m für bearbeitete Flächen')).toBe('ISO 2768-m (bearbeitete Flächen)');
  expect(generalToleranceIn('ISO 2768-m for machined parts')).toBe('ISO 2768-m');
});
