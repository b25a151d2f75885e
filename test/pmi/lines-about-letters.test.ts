import { expect, test } from 'vitest';
import { bitmapOf, componentsOf } from '../../dist/bitmap/bitmap.js';
import { arrowheads } from '../../dist/pmi/pictures/arrowheads.js';
import { dashedLines } from '../../dist/pmi/pictures/dashes.js';
import { isOfLetters } from '../../dist/pmi/pictures/line-bands.js';
import { bracketsOf } from '../../dist/pmi/pictures/lines/brackets.js';
import { slantedSides } from '../../dist/pmi/pictures/lines/slanted-sides.js';
import { isWalled } from '../../dist/pmi/pictures/lines/walled.js';

const LETTER = 20;
const [WIDTH, HEIGHT] = [80, 60];

/** Rectangles of ink: left, top, right, bottom. */
function drawn(...boxes: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    return boxes.some(([x0, y0, x1, y1]) => x >= x0 && x < x1 && y >= y0 && y < y1) ? 1 : 0;
  });
}

function found(bits: Uint8Array) {
  return bracketsOf(componentsOf(bitmapOf(WIDTH, HEIGHT, bits), 8), () => true, { letter: LETTER, width: WIDTH, bits });
}

/** Turned by a quarter. */
function turned(bits: Uint8Array): Uint8Array {
  const all = new Uint8Array(bits.length);
  bits.forEach((bit, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    if (bit !== 0 && y < WIDTH && x < HEIGHT) all[x * WIDTH + y] = 1;
  });
  return all;
}

const SIDES = [
  [10, 10, 12, 45],
  [38, 10, 40, 45],
];
const BAR = [10, 36, 40, 39];
const ONE = [24, 12, 27, 32];

test('short extension lines with their dimension line about a value are lines, level or upright', () => {
  const level = drawn(...SIDES, BAR, ONE);
  const [{ lines, bar }] = found(level);
  expect(lines).toHaveLength(3);
  expect(bar).toEqual({ x0: 12, y0: 36, x1: 38, y1: 39 });
  const [upright] = found(turned(level));
  expect(upright.bar).toEqual({ x0: 36, y0: 12, x1: 39, y1: 38 });
});

test('an H holds nothing, a box has a line at its end, and letters that touch each other are low', () => {
  expect(found(drawn(...SIDES, [10, 26, 40, 29]))).toEqual([]);
  expect(found(drawn(...SIDES, [10, 43, 40, 45], ONE))).toEqual([]);
  expect(found(drawn([10, 10, 12, 30], [38, 10, 40, 30], [10, 26, 40, 28], ONE))).toEqual([]);
});

/** A slanted line with square ends, and the head of an arrow at one of them. */
function leader(length: number, head: number): Uint8Array {
  const bits = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < length; i++) {
    const wide = i < 12 ? head : 1;
    for (let t = -wide; t <= wide; t++) {
      const [x, y] = [Math.round(10 + 0.8 * i - 0.6 * t), Math.round(10 + 0.6 * i + 0.8 * t)];
      bits[y * WIDTH + x] = bits[y * WIDTH + x + 1] = 1;
    }
  }
  return bits;
}

test('a slanted bar that is longer than letters is a leader, with its head too; a shorter one may be a slash', () => {
  const walls = bitmapOf(WIDTH, HEIGHT);
  const sidesOf = (bits: Uint8Array) =>
    slantedSides(componentsOf(bitmapOf(WIDTH, HEIGHT, bits), 8), () => true, { walls, letter: LETTER });
  expect(sidesOf(leader(46, 1))).toHaveLength(1);
  expect(sidesOf(leader(46, 4))).toHaveLength(1);
  expect(sidesOf(leader(28, 1))).toHaveLength(0);
  // Ink off the line at both ends is a letter.
  const both = leader(46, 4).map((bit, i) => bit | leader(46, 4)[WIDTH * HEIGHT - 1 - i]);
  expect(sidesOf(both)).toHaveLength(0);
});

test('letters of a slanted chain are parted by the extension line between their middles', () => {
  const walls = new Uint8Array(WIDTH * HEIGHT);
  for (let i = -18; i <= 18; i++) walls[(30 + i) * WIDTH + 30 + i] = walls[(30 + i) * WIDTH + 31 + i] = 1;
  const [a, b] = [
    { x0: 12, y0: 30, x1: 32, y1: 50 },
    { x0: 30, y0: 12, x1: 50, y1: 32 },
  ];
  expect(isWalled(a, b, bitmapOf(WIDTH, HEIGHT, walls))).toBe(true);
  expect(isWalled(a, b, bitmapOf(WIDTH, HEIGHT))).toBe(false);
});

test('a solid head stands on a line that goes on; the same form on a stroke of a letter is none', () => {
  const headOn = (line: number): number => {
    const bits = new Uint8Array(WIDTH * HEIGHT);
    for (let i = 0; i < 14; i++)
      for (let t = -Math.floor(i / 3.5); t <= Math.floor(i / 3.5); t++) bits[(50 - i) * WIDTH + 30 + t] = 1;
    const pieces = componentsOf(bitmapOf(WIDTH, HEIGHT, bits.slice()), 8);
    for (let y = 50 - line; y < 50; y++) bits[y * WIDTH + 30] = 1;
    return arrowheads(pieces, () => true, { letter: LETTER, page: bitmapOf(WIDTH, HEIGHT, bits) }).length;
  };
  expect(headOn(36)).toBe(1);
  expect(headOn(22)).toBe(0);
});

test('a run of ink through letters that touch each other is no line, nor are they a dash', () => {
  // Strokes of six letters, joined through their middle.
  const strokes = Array.from({ length: 6 }, (_, i) => [10 + 9 * i, 10, 15 + 9 * i, 30]);
  const row = bitmapOf(WIDTH, HEIGHT, drawn(...strokes, [10, 19, 60, 22]));
  const through = { x0: 10, y0: 20.5, x1: 60, y1: 20.5, thickness: 3 };
  expect(isOfLetters(through, row, LETTER)).toBe(true);
  // A dimension line with its heads, below a text.
  const heads = [
    [10, 34, 24, 42],
    [46, 34, 60, 42],
  ];
  const line = bitmapOf(WIDTH, HEIGHT, drawn([10, 37, 60, 39], ...heads, [20, 10, 50, 30]));
  expect(isOfLetters({ x0: 10, y0: 38, x1: 60, y1: 38, thickness: 2 }, line, LETTER)).toBe(false);
  const dashesOf = (high: number) => {
    const boxes = Array.from({ length: 4 }, (_, i) => [2 + 19 * i, 10, 17 + 19 * i, 10 + high]);
    const { list } = componentsOf(bitmapOf(WIDTH, HEIGHT, drawn(...boxes)), 8);
    return dashedLines(list, () => true, { letter: 8, heads: [] });
  };
  expect(dashesOf(2)).toHaveLength(1);
  expect(dashesOf(6)).toHaveLength(0);
});
