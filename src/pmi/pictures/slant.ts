import type { InkGrid } from './text-blocks.js';
import type { UprightPiece } from './upright-block.js';

/** Slants that are tried: how far letters lean to the right, as a share of their height. */
const SLANTS: readonly number[] = Object.freeze([0, 0.06, 0.12, 0.18, 0.24, 0.3, 0.36]);
/** Smaller slants do no harm; the sharpness of a slant is above that of upright letters by this factor at least. */
const LEAST = 0.1;
const SHARPER = 1.05;
/** Ink is at least this dark. */
const INK = 64;

/**
 * How much most level texts of a page lean: columns of ink are sharpest in their own direction. 0 for upright letters.
 * @param blocks inks of level texts.
 */
export function slantOf(blocks: Iterable<InkGrid>): number {
  const sums = new Float64Array(SLANTS.length);
  for (const { width, height, ink } of blocks) {
    const columns: Uint32Array[] = SLANTS.map(() => new Uint32Array(width + Math.ceil(height) + 1));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (ink[y * width + x] < INK) continue;
        SLANTS.forEach((slant, i) => columns[i][Math.round(x + slant * y)]++);
      }
    }
    columns.forEach((counts, i) => {
      for (const count of counts) sums[i] += count * count;
    });
  }
  let best = 0;
  for (let i = 1; i < SLANTS.length; i++) if (sums[i] > sums[best]) best = i;
  return SLANTS[best] < LEAST || sums[best] < SHARPER * sums[0] ? 0 : SLANTS[best];
}

/**
 * Leaning pieces set upright about their baseline, so that what stands between letters is between them.
 * @param bottom baseline, pixels.
 */
export function setUpright(pieces: readonly UprightPiece[], slant: number, bottom: number): UprightPiece[] {
  return pieces.map(({ x0, x1, y0, y1, ink }) => {
    const width = x1 - x0;
    const shiftOf = (y: number): number => -slant * (bottom - y - 0.5);
    const shifts = [shiftOf(y0), shiftOf(y1 - 1)];
    const least = Math.floor(Math.min(...shifts)),
      wide = width + Math.ceil(Math.max(...shifts)) - least + 1;
    const turned = new Uint8Array(wide * (y1 - y0));
    let left = wide,
      right = 0;
    for (let y = y0; y < y1; y++) {
      const shift = shiftOf(y) - least;
      const whole = Math.floor(shift),
        part = shift - whole;
      for (let x = 0; x <= width; x++) {
        const here = x < width ? ink[(y - y0) * width + x] : 0,
          before = x > 0 ? ink[(y - y0) * width + x - 1] : 0;
        const dark = Math.round((1 - part) * here + part * before);
        if (dark === 0) continue;
        turned[(y - y0) * wide + x + whole] = dark;
        left = Math.min(left, x + whole);
        right = Math.max(right, x + whole + 1);
      }
    }
    if (right <= left) return { x0, x1, y0, y1, ink };
    const own = right - left;
    const cut = new Uint8Array(own * (y1 - y0));
    for (let y = 0; y < y1 - y0; y++) cut.set(turned.subarray(y * wide + left, y * wide + right), y * own);
    return { x0: x0 + least + left, x1: x0 + least + right, y0, y1, ink: cut };
  });
}
