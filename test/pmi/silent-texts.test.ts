// Texts of draughtsmen that were silently lost or read as something else: on dimension lines, at leaders, in notes.
import { expect, test } from 'vitest';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { sizesIn } from '../../dist/pmi/sizes/callouts.js';
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
  const { told } = await listOf(drawing({ dimensions: ['L', 'd1', 'H 12.5'] }), 'a.svg');
  expect(told).toEqual([expect.stringMatching(/^3 texts on dimension lines were not understood: L; d1; H 12.5$/)]);
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
])('the size of a note is told: %s', async (said) => {
  const [, [bytes, name]] = formatsOf([[said, 300, 500]]);
  expect((await listOf(bytes, name)).told.join()).toContain(said);
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
