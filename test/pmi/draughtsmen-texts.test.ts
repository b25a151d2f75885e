// Texts of draughtsmen that were read as something else, or that no list and no warning had.
import { expect, test } from 'vitest';
import { comparePmi } from '../../dist/index.js';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { sizesIn } from '../../dist/pmi/sizes/callouts.js';
import { labelIn } from '../../dist/pmi/title/title-labels.js';
import { listOf } from '../fixtures/texts-in-formats.js';

const sheet = (drawn: string): Uint8Array =>
  new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">' +
      `<g fill="none" stroke="#000"><path d="M5 5H415V292H5Z"/></g>${drawn}</svg>`,
  );
const path = (d: string): string => `<path fill="none" stroke="#000" d="${d}"/>`;
const text = (said: string, x: number, y: number, size = 4): string =>
  `<text x="${x}" y="${y}" font-size="${size}">${said}</text>`;
/** A text at a leader with a shoulder. */
const atLeader = (said: string): Uint8Array =>
  sheet(`${path('M50 62L70 50H130')}<path d="M50 62L53 60.9L52.4 60Z"/>${text(said, 72, 49)}`);

test.each([
  ['⌀6x12', 6, 12],
  ['4x⌀6x12', 6, 12],
  ['⌀20x5', 20, 5],
  ['⌀6 x12', 6, 12],
])('%s has a length and no fit of the zone x', (said, nominal, length) => {
  expect(readDimension(said)).toMatchObject({ nominal, further: [{ nominal: length }] });
  expect(readDimension(said)?.fit).toBeUndefined();
});

test('a fit of the zone x is one beside a hole, or with its deviations; alone it may be a depth', () => {
  expect(readDimension('⌀40 H7/x6')?.fit).toBe('H7/x6');
  expect(readDimension('⌀40 x6 +0.080 +0.064')?.fit).toBe('x6');
  expect(readDimension('⌀40 x6')).toBeUndefined();
});

test.each(['90°-120°', 'Groove 1.6 x 0.5 deep', '2.2x0.5 undercut', '12 tief ⌀10', '⌀40 x6'])(
  '%s at a leader is told and no size, nor a chamfer or a count',
  async (said) => {
    const { rows, told } = await listOf(atLeader(said), 'a.svg');
    expect(rows).toEqual([]);
    expect(told.join()).toContain(said);
  },
);

test.each([
  'HEAT TREAT TO Rc 40-44',
  '未注倒角C1',
  '未注圆角R2',
  'EDGES ISO 13715: -0.2 / +0.1',
  'PAINT RAL 9005, 60 µm MIN',
  '50 gon',
])('the note %s is told', async (said) => {
  const { rows, told } = await listOf(sheet(text(said, 60, 100) + text('⌀20 H7', 60, 150)), 'a.svg');
  expect(rows.map(({ reading }) => reading)).toEqual(['⌀20 H7']);
  expect(told.join()).toContain(said);
});

test('near angles are limits, equal or lone legs chamfers', () => {
  expect(readDimension('44°-46°')).toMatchObject({ nominal: 46, tolerance: { upper: 0, lower: -2 } });
  for (const said of ['1 x 0.5 TYP', 'CHAMFER 1 x 0.5', 'Fase 1 x 1'])
    expect([said, sizesIn(said)[0]?.kind]).toEqual([said, 'chamfer']);
});

test('a fraction behind a sign is one of an inch, and a Pg thread has its diameter', async () => {
  const { rows } = await listOf(atLeader('⌀3/8 DRILL'), 'a.svg');
  expect(rows).toMatchObject([{ nominal: 0.375, unit: 'in' }]);
  expect(readDimension('Pg16')).toMatchObject({ kind: 'thread', nominal: 22.5 });
});

test('what was found and is in no list of sizes is told, in tables too', async () => {
  const circle = await listOf(atLeader('8 HOLES DIA 6.5 EQUISPACED ON 120 PCD'), 'a.svg');
  expect(circle.told.join()).toMatch(/in no list of sizes: 8 HOLES/);
  const rows = ['VARIANT', 'BORE', '01', '⌀8 H7', '02', '⌀10 H7'].map((said, i) =>
    text(said, 102 + 40 * (i % 2), 106 + 8 * Math.floor(i / 2), 3),
  );
  const grid = path('M100 100H180M100 108H180M100 116H180M100 124H180M100 100V124M140 100V124M180 100V124');
  const { told } = await listOf(sheet(`${grid}${rows.join('')}${text('⌀30', 20, 50)}`), 'a.svg');
  expect(told).toContain('2 sizes stand in tables and in no list of sizes: ⌀8 H7; ⌀10 H7');
});

test('extension lines that a long text crosses part no brackets', async () => {
  const lines = path('M50 40H78M50 31V42M78 31V42');
  const heads = '<path d="M50 40L53 40.5L53 39.5Z"/><path d="M78 40L75 40.5L75 39.5Z"/>';
  const said = '<text x="64" y="38.8" font-size="4.86" text-anchor="middle">⌀20 H7(+0.021 0)</text>';
  const { rows } = await listOf(sheet(`${lines}${heads}${said}`), 'a.svg');
  expect(rows).toMatchObject([{ nominal: 20, upper: 0.021, lower: 0 }]);
});

test('a note and the title block that say two materials are told', async () => {
  const grid = path('M250 250H410V292M250 250V292M250 260H410M250 270H410M250 280H410M300 250V290');
  const cells = [
    ['Werkstoff', '1.4301'],
    ['Maßstab', '1:2'],
    ['Gewicht', '1,2 kg'],
    ['Zeichnungsnr.', 'AX-1'],
  ].map(([label, value], i) => text(label, 252, 257 + 10 * i, 3) + text(value, 302, 257 + 10 * i, 3));
  const told = async (note: string): Promise<string> =>
    (await listOf(sheet(grid + cells.join('') + text(note, 20, 100, 3)), 'a.svg')).told.join();
  expect(await told('MATERIAL: 42CrMo4')).toContain(
    'in two ways, of which the first was taken: Material: 1.4301, 42CrMo4',
  );
  expect(await told('MATERIAL: 1.4301 (X5CrNi18-10)')).not.toContain('two ways');
});

test.each([
  ['Traitement de surface', 'Finish'],
  ['Traitement thermique', ''],
  ['版本', 'Revision'],
  ['改訂', 'Revision'],
  ['Ind. C', 'Revision'],
])('the label %s', (said, name) => {
  const found = labelIn(said);
  expect(found).toMatchObject({ name });
});

test('both letters for micro are one', () => {
  const pmi = (value: string) => ({
    version: 1,
    pages: [],
    fields: [{ name: 'Finish', value, page: 1, confidence: 0.99 }],
  });
  const attributes = (value: string) => [{ name: 'Finish', unit: '', value }];
  const [a, b] = ['ZINC 8 \u00b5m', 'ZINC 8 \u03bcm'];
  const found = comparePmi(
    { pmi: pmi(a), attributes: attributes(a) } as never,
    { pmi: pmi(b), attributes: attributes(b) } as never,
  );
  expect(found.counts).toMatchObject({ agrees: 1, contradicts: 0 });
});
