/** Lines where one surface ends in front of another and no edge is drawn. */
import { NOTHING, STEP, VISIBLE_LINE, heightOf } from './lines';

/**
 * Least step as a share of the image, if that is more than STEP: the larger a round surface is drawn, the more its
 * depth changes per pixel at the rim.
 */
const STEP_SHARE: f32 = 0.01;

/** Marks pixels of new outlines while outlines are drawn, so that they do not count as existing lines. */
const OUTLINE: u8 = 3;

/**
 * Adds visible lines where one surface ends in front of another or of the background and no edge is drawn, for example
 * where surfaces penetrate each other. ranges: from heightRanges. depth: f32[size²], z of the visible surface,
 * -Infinity for background; 16 bytes after it and after `seen` are read but have no effect.
 */
export function drawOutlines(
  positions: usize, indices: usize, ranges: usize, depth: usize, seen: usize, size: i32, lines: usize,
): void {
  const step: f32 = max<f32>(STEP, STEP_SHARE * <f32>size) * 2 / <f32>size;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column += 4) {
      const here = row * size + column;
      const parted = partings(seen, depth, here, here + 1, step)
          | (row + 1 < size ? partings(seen, depth, here, here + size, step) : 0);
      if (parted == 0) continue;
      const end = min(4, size - column);
      for (let i = 0; i < end; i++) {
        if ((parted & (1 << i)) == 0) continue;
        if (column + i + 1 < size)
          drawOutline(positions, indices, ranges, depth, seen, size, here + i, here + i + 1, step, lines);
        if (row + 1 < size)
          drawOutline(positions, indices, ranges, depth, seen, size, here + i, here + i + size, step, lines);
      }
    }
  }
  keepOutlines(lines, <usize>(size * size));
}

/** Outlines become visible lines. */
function keepOutlines(lines: usize, pixels: usize): void {
  let i: usize = 0;
  for (; i + 16 <= pixels; i += 16) {
    const sixteen = v128.load(lines + i);
    v128.store(lines + i, v128.bitselect(i8x16.splat(VISIBLE_LINE), sixteen, i8x16.eq(sixteen, i8x16.splat(OUTLINE))));
  }
  for (; i < pixels; i++) if (load<u8>(lines + i) == OUTLINE) store<u8>(lines + i, VISIBLE_LINE);
}

/**
 * Bits of those of four pixels that show another triangle than their neighbours, a step in front or behind. The
 * background is infinitely far behind.
 */
// @ts-ignore: decorator
@inline
function partings(seen: usize, depth: usize, here: i32, there: i32, step: f32): i32 {
  const at = <usize>here << 2, to = <usize>there << 2;
  const apart = f32x4.gt(f32x4.abs(f32x4.sub(v128.load(depth + at), v128.load(depth + to))), f32x4.splat(step));
  return i32x4.bitmask(v128.and(i32x4.ne(v128.load(seen + at), v128.load(seen + to)), apart));
}

function drawOutline(
  positions: usize,
  indices: usize,
  ranges: usize,
  depth: usize,
  seen: usize,
  size: i32,
  here: i32,
  there: i32,
  step: f32,
  lines: usize,
): void {
  const a = load<u32>(seen + (<usize>here << 2)), b = load<u32>(seen + (<usize>there << 2));
  if (a == b) return;
  let front = a == NOTHING ? there : here;
  const isStep = a != NOTHING && b != NOTHING;
  const az = load<f32>(depth + (<usize>here << 2)), bz = load<f32>(depth + (<usize>there << 2));
  if (isStep) {
    if (abs<f32>(az - bz) <= step) return;
    front = az > bz ? here : there;
  }
  // Most steps have a line.
  if (isLineNear(lines, front, size)) return;
  if (isStep) {
    // A steep surface is not a step: there is a step only if neither plane continues to the other pixel.
    if (abs<f32>(heightOf(a, centreOf(there % size, size), centreOf(there / size, size), positions, indices, ranges)
        - bz) <= step) return;
    if (abs<f32>(heightOf(b, centreOf(here % size, size), centreOf(here / size, size), positions, indices, ranges)
        - az) <= step) return;
  }
  store<u8>(lines + <usize>front, OUTLINE);
}

function centreOf(pixel: i32, size: i32): f32 {
  return (2 * <f32>pixel + 1) / <f32>size - 1;
}

/** Whether the pixel or one of its eight neighbours belongs to a visible line. */
function isLineNear(lines: usize, pixel: i32, size: i32): bool {
  const column = pixel % size, row = pixel / size;
  for (let y = max(0, row - 1); y <= min(size - 1, row + 1); y++) {
    for (let x = max(0, column - 1); x <= min(size - 1, column + 1); x++) {
      if (load<u8>(lines + <usize>(y * size + x)) == VISIBLE_LINE) return true;
    }
  }
  return false;
}
