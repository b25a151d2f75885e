import type { Bitmap, Components } from '../../bitmap/bitmap.js';
import type { InkLine } from './ink-lines.js';

/** Of a level or upright line, the share along which there is ink right beside it. */
export function crossedShare({ x0, y0, x1, y1, thickness }: InkLine, { bits, width, height }: Bitmap): number {
  const isLevel = y0 === y1;
  const [at, from, to] = isLevel ? [y0, x0, x1] : [x0, y0, y1];
  const [across, along, rows] = isLevel ? [width, 1, height] : [1, width, width];
  const before = Math.round(at - thickness / 2) - 2,
    behind = Math.round(at + thickness / 2) + 1;
  if (before < 0 || behind >= rows) return 0;
  let count = 0;
  for (let i = from; i < to; i++)
    if (bits[before * across + i * along] !== 0 || bits[behind * across + i * along] !== 0) count++;
  return count / Math.max(1, to - from);
}

/** Longest rows of letters that may be taken for a line, in heights of letters. */
const ROW = 7;
/**
 * Ink right beside such a row: the share on both sides at once, through its middle, and on one of them, at its foot.
 */
const THROUGH = 0.33;
const ALONG = 0.6;
const HEAD = 0.2;

/**
 * Whether a level or upright line runs through bold letters that touch each other, or along their foot: its ink is
 * theirs. A dimension line below a text has paper between.
 */
export function isOfLetters(
  { x0, y0, x1, y1, thickness }: InkLine,
  { bits, width, height }: Bitmap,
  letter: number,
): boolean {
  const isLevel = y0 === y1;
  const [at, from, to] = isLevel ? [y0, x0, x1] : [x0, y0, y1];
  if (to - from > ROW * letter) return false;
  const [across, along, rows] = isLevel ? [width, 1, height] : [1, width, width];
  // Right beside it, and further off than heads of arrows are wide.
  return [0, HEAD * letter].every((far) => {
    const before = Math.round(at - thickness / 2 - far) - 2,
      behind = Math.round(at + thickness / 2 + far) + 1;
    if (before < 0 || behind >= rows) return false;
    let [both, upper, lower] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      const [above, below] = [bits[before * across + i * along], bits[behind * across + i * along]];
      if (above !== 0) upper++;
      if (below !== 0) lower++;
      if (above !== 0 && below !== 0) both++;
    }
    return both > THROUGH * (to - from) || Math.max(upper, lower) > ALONG * (to - from);
  });
}

/**
 * Which pieces are nothing but what was left where a line was removed: there letters touch it from both sides, and are
 * none of one text. By the number of a piece.
 */
export function bridgesOf(
  { list, labels }: Components,
  lines: readonly InkLine[],
  { width, height }: Bitmap,
): Uint8Array {
  const within = new Uint32Array(list.length);
  const seen = new Uint8Array(width * height);
  for (const line of lines) {
    const { across, along, from, to, first, last } = bandOf(line, { width, height });
    for (let i = from; i < to; i++)
      for (let row = first; row <= last; row++) {
        const at = row * across + i * along;
        if (labels[at] > 0 && seen[at] === 0) within[labels[at]]++;
        seen[at] = 1;
      }
  }
  return Uint8Array.from(list, ({ area }, i) => (i > 0 && within[i] === area ? 1 : 0));
}

/** The pixels of a level or upright line: rows across it from `first` to `last`, places along it before `to`. */
export function bandOf(
  { x0, y0, x1, y1, thickness }: InkLine,
  { width, height }: Pick<Bitmap, 'width' | 'height'>,
): {
  readonly across: number;
  readonly along: number;
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
} {
  const isLevel = y0 === y1;
  const [at, from, to] = isLevel ? [y0, x0, x1] : [x0, y0, y1];
  const [across, along, rows] = isLevel ? [width, 1, height] : [1, width, width];
  const first = Math.max(1, Math.round(at - thickness / 2) - 1),
    last = Math.min(rows - 1, Math.round(at + thickness / 2));
  return { across, along, from, to, first, last, rows };
}

/** Removes a line; what crosses it stays. */
export function takeOut(line: InkLine, bits: Uint8Array, width: number): void {
  const { across, along, from, to, first, last, rows } = bandOf(line, { width, height: bits.length / width });
  for (let i = from; i < to; i++) {
    const pixel = (row: number): number => row * across + i * along;
    if (first > 1 && last + 1 < rows && bits[pixel(first - 1)] !== 0 && bits[pixel(last + 1)] !== 0) continue;
    for (let row = first; row <= last; row++) bits[pixel(row)] = 0;
  }
}
