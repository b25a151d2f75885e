import type { Ink } from '../../bitmap/binarise.js';
import { bitmapOf, componentsOf, type Bitmap } from '../../bitmap/bitmap.js';

/** How far from a pixel the darkest one is sought, pixels, and the least share of it that is ink. */
const NEAR = 2;
const PALE = 0.4;
/** A thin line is darker by this factor than what is beside it, in one of four directions. */
const RIDGE = 1.3;
const STEPS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** How often what is crisp grows into the pale edges about it, pixels. */
const GROWTH = 3;

/**
 * Ink that is cut where letters touch each other, and the lines beside them, by their pale edges alone, as on blurred
 * pages. Strokes stay as thick as they were: from the crisp part of each piece its edges grow back, but for pixels at
 * which two pieces meet.
 */
export function cutInk(page: Pick<Ink, 'darkness' | 'ink'>): Bitmap {
  const { bits, width, height } = page.ink;
  const { labels } = componentsOf(bitmapOf(width, height, crispInk(page)), 8);
  const of = labels.slice();
  let pale: number[] = [];
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0 && of[i] === 0) pale.push(i);
  /** The piece beside a pixel: 0 for none, -1 where there are two. */
  const besideOf = (at: number): number => {
    const x = at % width,
      y = (at - x) / width;
    let found = 0;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const label = of[v * width + u];
        if (label <= 0 || label === found) continue;
        if (found !== 0) return -1;
        found = label;
      }
    return found;
  };
  const kept = bits.slice();
  for (let round = 0; round < GROWTH && pale.length > 0; round++) {
    const next: number[] = [];
    const grown: [at: number, label: number][] = [];
    for (const at of pale) {
      const label = besideOf(at);
      if (label > 0) grown.push([at, label]);
      else if (label < 0) kept[at] = 0;
      else next.push(at);
    }
    // Edges that meet in one round are cut on one side.
    for (const [at, label] of grown) {
      const beside = besideOf(at);
      if (beside < 0) kept[at] = 0;
      else of[at] = label;
    }
    pale = next;
  }
  return bitmapOf(width, height, kept);
}

/**
 * Ink without the pale edges of dark strokes: without what is much paler than the darkest pixel near it. Faint lines
 * stay, since nothing near them is darker.
 */
export function crispInk({ ink: { bits, width, height }, darkness }: Pick<Ink, 'darkness' | 'ink'>): Uint8Array {
  const kept = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (bits[at] === 0) continue;
      let most = 0;
      for (let v = Math.max(0, y - NEAR); v <= Math.min(height - 1, y + NEAR); v++)
        for (let u = Math.max(0, x - NEAR); u <= Math.min(width - 1, x + NEAR); u++)
          if (darkness[v * width + u] > most) most = darkness[v * width + u];
      if (darkness[at] >= PALE * most || isRidge({ darkness, width, height }, x, y)) kept[at] = 1;
    }
  }
  return kept;
}

/**
 * Whether a pixel is darker than what is beside it in one direction, as the middle of a thin line is, and not paler
 * than what is before and behind it, as the paper between two strokes is.
 */
function isRidge(
  { darkness, width, height }: Pick<Ink, 'darkness' | 'width' | 'height'>,
  x: number,
  y: number,
): boolean {
  if (x < NEAR || y < NEAR || x >= width - NEAR || y >= height - NEAR) return false;
  const at = y * width + x;
  const dark = darkness[at];
  for (let i = 0; i < STEPS.length; i++) {
    const [u, v] = STEPS[i];
    const across = NEAR * (v * width + u),
      along = NEAR * (u * width - v);
    const beside = Math.max(darkness[at - across], darkness[at + across]),
      ends = Math.min(darkness[at - along], darkness[at + along]);
    if (dark > RIDGE * beside && RIDGE * dark > ends) return true;
  }
  return false;
}
