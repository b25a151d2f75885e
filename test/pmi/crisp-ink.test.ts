import { expect, test } from 'vitest';
import { crispInk } from '../../dist/pmi/pictures/crisp-ink.js';
import { bridgesOf } from '../../dist/pmi/pictures/line-bands.js';
import { slantsBeside } from '../../dist/pmi/pictures/slants-beside.js';
import { bitmapOf, componentsOf } from '../../dist/bitmap/bitmap.js';

/** Rows of figures, a tenth of the darkest ink each; every pixel that is not clear counts as ink. */
function crisp(...rows: readonly string[]): string[] {
  const width = rows[0].length;
  const darkness = Uint8Array.from([...rows.join('')], (figure) => 25 * Number(figure));
  const bits = Uint8Array.from(darkness, (dark) => (dark > 0 ? 1 : 0));
  const page = { darkness, ink: bitmapOf(width, rows.length, bits) };
  const kept = crispInk(page as unknown as Parameters<typeof crispInk>[0]);
  return rows.map((_, y) =>
    [...kept.subarray(y * width, (y + 1) * width)].map((bit) => (bit === 1 ? '#' : '.')).join(''),
  );
}

test('pale edges between two strokes are no ink, and they touch no more', () => {
  const row = '0029920029920000';
  expect(crisp(...Array.from({ length: 9 }, () => row.replace('200', '222')))[4]).toBe('...##....##.....');
});

test('a faint line stays, also where it meets a dark one', () => {
  const clear = '0'.repeat(12),
    line = `${'2'.repeat(9)}999`;
  const rows = crisp(clear, clear, clear, line, clear, clear, clear);
  expect(rows[3]).toBe('############');
});

test('what was left where a line was removed is a bridge between letters, and they are none', () => {
  const rows = ['.........', '##.....##', '##.###.##', '##.....##', '.........'];
  const left = Uint8Array.from([...rows.join('')], (sign) => (sign === '#' ? 1 : 0));
  const page = bitmapOf(9, 5, left);
  const pieces = componentsOf(page, 8);
  const line = { x0: 4.5, y0: 0, x1: 4.5, y1: 5, thickness: 1 };
  const bridges = bridgesOf(pieces, [line], page);
  expect(pieces.list.map(({ box }, i) => [box.x0, bridges[i]]).slice(1)).toEqual([
    [0, 0],
    [7, 0],
    [3, 1],
  ]);
});

test('a letter in a box that leans is read along its sides, a text along the line beside it', () => {
  const at = (deg: number, away: number, half: number) => {
    const rad = (deg * Math.PI) / 180;
    const [x, y] = [100 + away * Math.sin(rad), 100 - away * Math.cos(rad)];
    const [dx, dy] = [half * Math.cos(rad), half * Math.sin(rad)];
    return { x0: x - dx, y0: y - dy, x1: x + dx, y1: y + dy, thickness: 2 };
  };
  const letter = { x0: 93, y0: 90, x1: 107, y1: 110 };
  const degreesOf = (all: readonly number[]): number[] => all.map((rad) => Math.round((rad * 180) / Math.PI));
  const box = [30, 120, 210, 300].map((deg) => at(deg, 20, 20));
  expect(degreesOf(slantsBeside({ lines: box, letter: 20 }, letter).boxed).sort((a, b) => a - b)).toEqual([-60, 30]);
  const open = slantsBeside({ lines: box.slice(1), letter: 20 }, letter);
  expect(open.boxed).toEqual([]);
  const along = slantsBeside({ lines: [at(15, -25, 60), at(0, -25, 60)], letter: 20 }, { ...letter, x0: 60, x1: 140 });
  expect(degreesOf(along.beside)).toEqual([15]);
});
