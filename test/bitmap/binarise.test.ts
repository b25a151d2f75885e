import { describe, expect, test } from 'vitest';
import { binarise } from '../../dist/bitmap/binarise.js';

const SIDE = 600;

/** The ink of a page of these grey levels. */
function inkOf(levelAt: (x: number, y: number) => number): (x: number, y: number) => number {
  const gray = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => levelAt(i % SIDE, Math.floor(i / SIDE)));
  const { ink } = binarise({ widthPx: SIDE, heightPx: SIDE, gray });
  return (x, y) => ink.bits[y * SIDE + x];
}

/** Edges of a rectangle, two pixels wide. */
const isLine = (x: number, y: number, half = 200): boolean => {
  const [u, v] = [Math.abs(x - 300), Math.abs(y - 300)];
  return (Math.abs(u - half) < 1.5 && v < half) || (Math.abs(v - half) < 1.5 && u < half);
};
/** A black mark, as letters are. */
const isMark = (x: number, y: number): boolean => x >= 30 && x < 36 && y >= 30 && y < 60;

describe('faint lines', () => {
  test('are ink where there is hardly any other', () => {
    const ink = inkOf((x, y) => (isMark(x, y) ? 0 : isLine(x, y) ? 220 : 255));
    expect(ink(33, 40)).toBe(1);
    expect(ink(100, 300)).toBe(1);
    expect(ink(300, 300)).toBe(0);
  });

  test('are ink up to black lines that they meet', () => {
    const ink = inkOf((x, y) =>
      isLine(x, y, 100) ? 0 : isLine(x, y) || (y === 300 && x > 100 && x < 200) ? 220 : 255,
    );
    expect(ink(100, 300)).toBe(1);
    expect([150, 195, 198].map((x) => ink(x, 300))).toEqual([1, 1, 1]);
  });

  const none: [name: string, levelAt: (x: number, y: number) => number, at: [number, number]][] = [
    ['beside many dark ones', (x, y) => (y < 400 && y % 20 === 0 ? 0 : y === 500 && x < 400 ? 220 : 255), [200, 500]],
    ['that are areas', (x, y) => (isMark(x, y) ? 0 : Math.hypot(x - 300, y - 300) < 90 ? 225 : 255), [300, 300]],
    ['that are specks', (x, y) => (x % 30 < 3 && y % 30 < 3 ? 225 : 255), [301, 301]],
    ['that are fainter still', (x, y) => (isMark(x, y) ? 0 : isLine(x, y) ? 240 : 255), [100, 300]],
  ];
  test.each(none)('are none %s', (_, levelAt, [x, y]) => {
    expect(inkOf(levelAt)(x, y)).toBe(0);
  });
});
