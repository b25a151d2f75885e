import { describe, expect, test } from 'vitest';
import { withPaleLines } from '../../../dist/readers/pixels/pale-lines.js';

const SIDE = 600;
type Color = readonly [red: number, green: number, blue: number];
const WHITE: Color = [255, 255, 255];
const CYAN: Color = [0, 255, 255];

/** Pixels of a page, as a decoder gives them: their colors and their luminance. */
function pageOf(colorAt: (x: number, y: number) => Color): { gray: Uint8Array; rgb: Uint8Array } {
  const rgb = new Uint8Array(3 * SIDE * SIDE),
    gray = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < gray.length; i++) {
    const color = colorAt(i % SIDE, Math.floor(i / SIDE));
    rgb.set(color, 3 * i);
    const [r, g, b] = color.map((level) => (level / 255) ** 2.2);
    gray[i] = Math.round(255 * (0.2126 * r + 0.7152 * g + 0.0722 * b) ** (1 / 2.2));
  }
  return { gray, rgb };
}

function paled(colorAt: (x: number, y: number) => Color): { before: Uint8Array; after: Uint8Array } {
  const { gray, rgb } = pageOf(colorAt);
  const picture = { widthPx: SIDE, heightPx: SIDE, gray };
  return { before: gray, after: withPaleLines(picture, rgb, 3).gray };
}

/** Edges of a rectangle, two pixels wide. */
const isLine = (x: number, y: number): boolean => {
  const [u, v] = [Math.abs(x - 300), Math.abs(y - 300)];
  return (Math.abs(u - 200) < 1.5 && v < 200) || (Math.abs(v - 200) < 1.5 && u < 200);
};
const lines =
  (color: Color, paper: Color = WHITE) =>
  (x: number, y: number): Color =>
    isLine(x, y) ? color : paper;

describe('pale colored lines', () => {
  test.each<[name: string, color: Color]>([
    ['cyan', CYAN],
    ['yellow', [255, 255, 0]],
    ['green', [0, 255, 0]],
    ['lime', [150, 255, 50]],
  ])('%s ones become dark', (_, color) => {
    const { before, after } = paled(lines(color));
    const at = 300 * SIDE + 100;
    expect(before[at]).toBeGreaterThan(205);
    expect(after[at]).toBeLessThan(170);
    expect(after[0]).toBe(255);
  });

  test('on scanned paper, which is a little colored', () => {
    const { after } = paled(lines([60, 235, 240], [244, 240, 232]));
    expect(after[300 * SIDE + 100]).toBeLessThan(190);
    expect(after[0]).toBeGreaterThan(230);
  });

  const unchanged: [name: string, colorAt: (x: number, y: number) => Color][] = [
    ['black lines', lines([0, 0, 0])],
    ['paper alone', lines(WHITE)],
    ['yellow paper', lines([0, 0, 0], [255, 250, 150])],
    ['cyan lines on yellow paper', lines(CYAN, [255, 250, 150])],
    ['areas', (x, y) => (x > 250 && x < 350 && y > 250 && y < 350 ? CYAN : lines([0, 0, 0])(x, y))],
    ['a few marks beside black lines', (x, y) => (x > 20 && x < 60 && y === 20 ? CYAN : lines([0, 0, 0])(x, y))],
    ['a ruled page', (x, y) => (x % 12 < 2 || y % 12 < 2 ? CYAN : WHITE)],
  ];
  test.each(unchanged)('%s stay as they are', (_, colorAt) => {
    const { before, after } = paled(colorAt);
    expect(after).toBe(before);
  });

  test('pixels of another size are left alone', () => {
    const { gray, rgb } = pageOf(lines(CYAN));
    const picture = { widthPx: SIDE, heightPx: SIDE, gray };
    expect(withPaleLines(picture, rgb.subarray(3), 3)).toBe(picture);
  });
});
