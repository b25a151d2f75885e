// Weld symbols at leaders: their sizes, lengths and numbers of processes are none of the part's sizes.
import { expect, test } from 'vitest';
import { formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

type Line = readonly [x0: number, y0: number, x1: number, y1: number];
const LEADER: readonly Line[] = [[200, 400, 230, 430], [230, 430, 330, 430]]; // biome-ignore format: two lines
const FILLET: readonly Line[] = [[270, 430, 270, 420], [270, 420, 280, 430]]; // biome-ignore format: two lines
const GROOVE: readonly Line[] = [[270, 430, 267, 436], [270, 430, 273, 436]]; // biome-ignore format: two lines
const HALF: readonly Line[] = [[270, 430, 270, 436], [270, 430, 274, 436]]; // biome-ignore format: two lines
const TAIL: readonly Line[] = [[330, 430, 338, 436], [330, 430, 338, 424]]; // biome-ignore format: two lines
const SIZE: Placed = ['⌀20 ±0.1', 600, 600];

test.each<[string, readonly Placed[], readonly Line[], string]>([
  ['a fillet', [['5', 255, 423], ['100', 290, 423]], FILLET, 'weld 5 100'],
  ['the V of a butt weld', [['8', 255, 432], ['200', 290, 432]], GROOVE, 'weld 8 200'],
  ['half a V', [['8', 255, 432], ['200', 290, 432]], HALF, 'weld 8 200'],
  ['a tail', [['3x50(100)', 280, 432], ['135', 342, 428]], TAIL, 'weld 3x50(100) 135'],
  ['its size alone', [['z6', 255, 432], ['ISO 5817-C', 335, 428]], [], 'weld z6 ISO 5817-C'],
])('the numbers of a weld symbol with %s are told as one', async (_, texts, lines, said) => {
  for (const [bytes, name] of formatsOf([...texts, SIZE], [...LEADER, ...lines]).slice(0, 2)) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ reading }) => reading)).toEqual(['⌀20 ±0.1']);
    expect(told).toContain(`1 weld symbols, whose numbers are no sizes here: ${said}`);
  }
}); // biome-ignore format: rows

test('a size at a leader without a sign of a weld stays one, and welds of notes are told', async () => {
  const texts: Placed[] = [['R5', 335, 428], SIZE, ['Schweißnähte a4', 20, 300], ['3. WELD ALL AROUND z3', 20, 200]];
  const [, [bytes, name]] = formatsOf(texts, LEADER);
  const { rows, told } = await listOf(bytes, name);
  expect(rows.map(({ reading }) => reading)).toEqual(['⌀20 ±0.1', 'R5']);
  expect(told.join()).toMatch(/Schweißnähte a4.*WELD ALL AROUND z3/);
});

test('strokes of different lengths on a shoulder are a mark of roughness, and no groove of a weld', async () => {
  const mark: readonly Line[] = [[300, 430, 297, 434], [300, 430, 306, 442]]; // biome-ignore format: two lines
  const texts: Placed[] = [['12', 250, 432], SIZE];
  const { told } = await listOf(...formatsOf(texts, [...LEADER, ...mark])[1]);
  expect(told.join()).not.toContain('weld');
});

test('a tolerance class of a shaft at a leader is no weld', async () => {
  const texts: Placed[] = [['⌀20 H7', 240, 432], ['s6', 290, 415], SIZE];
  for (const [bytes, name] of formatsOf(texts, LEADER)) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ reading }) => reading)).toContain('⌀20 H7');
    expect(told.join()).not.toContain('weld');
  }
});
