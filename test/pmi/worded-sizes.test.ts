// A size at a leader is listed with the words about it, in any language; what is not read is told with its text.
import { expect, test } from 'vitest';
import { formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

/** Texts below each other, each on the shoulder of a leader, or alone. */
function sheetOf(texts: readonly string[], isHeld: boolean): ReturnType<typeof formatsOf> {
  const placed = texts.map((said, i): Placed => [said, 100 + 300 * (i % 2), 700 - 25 * i]);
  const leaders = placed.flatMap(([, x, y]) => [
    [x - 30, y - 40, x - 2, y - 2],
    [x - 2, y - 2, x + 40, y - 2],
  ]);
  return formatsOf(placed, isHeld ? (leaders as never) : []);
}

/** As it is written, its count, its size, and its fit or deviation above. */
const CALLOUTS: readonly (readonly [said: string, reading: string, count: number, nominal: number])[] = [
  ['Bohrung ⌀5', 'Bohrung ⌀5', 1, 5],
  ['Bohr. ⌀5,5', 'Bohr. ⌀5,5', 1, 5.5],
  ['M4 THREAD', 'M4 THREAD', 1, 4],
  ['Gew. M4', 'Gew. M4', 1, 4],
  ['TAP M4', 'TAP M4', 1, 4],
  ['Nut 5 P9', 'Nut 5 P9', 1, 5],
  ['R10 (KONSTANT)', 'R10 (KONSTANT)', 1, 10],
  ['Bohrung ⌀6 H7 gerieben', 'Bohrung ⌀6 gerieben H7', 1, 6],
  ['3 Durchgangsbohrungen ⌀9', '3 Durchgangsbohrungen ⌀9', 3, 9],
];
/** Forms that need no words. */
const FORMS: readonly (readonly [said: string, count: number, nominal: number])[] = [
  ['1" [25.4]', 1, 1],
  ['25,4 (1")', 1, 25.4],
  ['UNC 1/4-20', 1, 0.25],
  ['(4 PL) 5.0', 4, 5],
  ['⌀4 6-fach', 6, 4],
  ["1'250.5", 1, 1250.5],
  ['⌀20 e8/H8', 1, 20],
  ['S 36x6', 1, 36],
  ['12,5 THEOR.', 1, 12.5],
];

test('sizes with words about them, at leaders', async () => {
  for (const [bytes, name] of sheetOf([...CALLOUTS.map(([said]) => said), 'Rz 6.3 / Rmax 10'], true)) {
    const { rows, told } = await listOf(bytes, name);
    const sizes = rows.filter(({ nominal }) => nominal !== undefined);
    expect([name, sizes.map((row) => [row.reading, row.count, row.nominal]).sort()]).toEqual([
      name,
      CALLOUTS.map(([, ...row]) => row).sort(),
    ]);
    expect([name, rows.find(({ nominal }) => nominal === undefined)?.reading]).toEqual([name, 'Rz 6.3 / Rmax 10']);
    expect([name, told]).toEqual([name, []]);
  }
});

test('forms of sizes that were lost', async () => {
  const grade = ['12 ±IT8/2', 1, 12] as const;
  for (const [bytes, name] of sheetOf([...FORMS.map(([said]) => said), grade[0]], true)) {
    const { rows } = await listOf(bytes, name);
    expect([name, rows.map((row) => [row.reading, row.count, row.nominal]).sort()]).toEqual([
      name,
      [...FORMS, grade].map((row) => [...row]).sort(),
    ]);
    const half = rows.find(({ reading }) => reading === grade[0]);
    expect([name, half?.upper, half?.lower, half?.from]).toEqual([name, 0.0135, -0.0135, 'ISO 286']);
  }
});

test('texts with sizes that nothing holds, notes about all sizes and bought parts are told with their texts', async () => {
  const notes = ['Gewinde M4', 'Alle Radien R0,5', 'Nut 6N9 x 3,5 tief'];
  for (const [bytes, name] of sheetOf(notes, false)) {
    const { rows, told } = await listOf(bytes, name);
    expect([name, rows]).toEqual([name, []]);
    for (const note of notes) expect([name, told.join()]).toEqual([name, expect.stringContaining(note)]);
  }
  const held = ['Zylinderschraube M4', 'Alle Radien R0,5', 'Freistich DIN 509-F0,6x0,3', 'Bl. 3', '1 250,5'];
  for (const [bytes, name] of sheetOf(held, true)) {
    const { rows, told } = await listOf(bytes, name);
    expect([name, rows]).toEqual([name, []]);
    for (const each of held) expect([name, told.join()]).toEqual([name, expect.stringContaining(each)]);
  }
});

test('bends of sheets have an angle and a radius; texts that stand close to each other are sizes of their own', async () => {
  for (const [bytes, name] of formatsOf([
    ['UP 90° R 1', 100, 700],
    ['DOWN 45.00° R1.5', 100, 600],
    ['⌀9 H7', 100, 500],
    ['M6x1', 118, 500],
  ])) {
    const { rows } = await listOf(bytes, name);
    const sizes = rows.map(({ reading, nominal, unit }) => [reading, nominal, unit]);
    expect([name, sizes.filter(([reading]) => /[°R]/.test(String(reading))).sort()]).toEqual([
      name,
      [
        ['DOWN 45.00°', 45, '°'],
        ['R 1', 1, 'mm'],
        ['R1.5', 1.5, 'mm'],
        ['UP 90°', 90, '°'],
      ],
    ]);
    expect([name, sizes.filter(([reading]) => /⌀|M/.test(String(reading))).map(([reading]) => reading)]).toEqual([
      name,
      ['⌀9 H7', 'M6x1'],
    ]);
  }
});

test('hardness, torque, coatings and pressures with deviations are told and are no sizes', async () => {
  const others = ['58+2 HRC', 'HARDNESS 240 ±20 HB', 'COATING 12 ±2 MICRON', 'TORQUE 25±2 NM', 'PRESSURE 6 ±0.5 BAR'];
  for (const [bytes, name] of sheetOf([...others, 'NUT 12 ±0.2'], true)) {
    const { rows, told } = await listOf(bytes, name);
    expect([name, rows.map(({ reading }) => reading)]).toEqual([name, ['NUT 12 ±0.2']]);
    for (const each of others) expect([name, told.join()]).toEqual([name, expect.stringContaining(each)]);
  }
});

test('Rmax is a roughness, and R max a radius', async () => {
  for (const [bytes, name] of sheetOf(['Rmax 10', 'RMAX 6,3', 'R max 12'], true)) {
    const { rows } = await listOf(bytes, name);
    expect([name, rows.map(({ kind, reading }) => `${kind} ${reading}`).sort()]).toEqual([
      name,
      ['machined surface RMAX 6,3', 'machined surface Rmax 10', 'radius R max 12'],
    ]);
  }
});

test('numbers of standards and of bearings are no sizes and are told', async () => {
  const others = ['CENTRE DRILL DIN 332 A4', 'DIN 13 M8', 'BEARING 6204 C3', 'RING DIN 472 H7', 'EN 10277 h9'];
  for (const [bytes, name] of sheetOf([...others, '60 H7'], true)) {
    const { rows, told } = await listOf(bytes, name);
    expect([name, rows.map(({ reading }) => reading)]).toEqual([name, ['60 H7']]);
    for (const each of others) expect([name, told.join()]).toEqual([name, expect.stringContaining(each)]);
  }
});

test('a count behind a callout is that of its hole', async () => {
  for (const [bytes, name] of sheetOf(['⌀9 ↧10 (4x)', 'M8 ↧16 (x6)', '⌀6.6 ⌴⌀11 ↧6.5 (3X)'], true)) {
    if (name.endsWith('.pdf')) continue; // Its font has no signs of depth.
    const { rows } = await listOf(bytes, name);
    expect([name, rows.map(({ nominal, count }) => [nominal, count])]).toEqual([
      name,
      [[9, 4], [10, 4], [6.6, 3], [11, 3], [6.5, 3], [8, 6], [16, 6]], // biome-ignore format: pairs
    ]);
  }
});
