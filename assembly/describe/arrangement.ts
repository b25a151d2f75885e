import { CELLS, DIRECTIONS, HOG_LENGTH } from './hog';

/**
 * A frame fixes three lines, but not their names and directions: 24 right-handed arrangements (rotations) remain. Each
 * only permutes the numbers of six axis views, because it turns their images by quarters or mirrors them.
 *
 * Views are numbered 2 * axis + side (side 0 seen from +). Columns of an image run along axis + 1, rows along axis + 2.
 */

export const ARRANGEMENTS: i32 = 24;
export const VIEWS: i32 = 6;
/** Numbers of one HOG channel over all views. */
export const CHANNEL_LENGTH: i32 = VIEWS * HOG_LENGTH;
/** Side and numbers of the small facing images over all views. */
export const IMAGE_SIDE: i32 = 16;
export const IMAGES_LENGTH: i32 = VIEWS * IMAGE_SIDE * IMAGE_SIDE;
/** Numbers of one channel pooled to 2 × 2 cells. */
export const POOLED_LENGTH: i32 = VIEWS * 2 * 2 * DIRECTIONS;

/** u16[ARRANGEMENTS][…]: for each new number, its old position. */
const HOG_TABLE: usize = memory.data(ARRANGEMENTS * CHANNEL_LENGTH * 2, 16);
const IMAGE_TABLE: usize = memory.data(ARRANGEMENTS * IMAGES_LENGTH * 2, 16);
const POOLED_TABLE: usize = memory.data(ARRANGEMENTS * POOLED_LENGTH * 2, 16);
/** i32[ARRANGEMENTS]: the arrangement that undoes this one. */
const INVERSES: usize = memory.data(ARRANGEMENTS * 4, 16);
let prepared: bool = false;

/** u16[CHANNEL_LENGTH] of one arrangement. */
export function hogTable(arrangement: i32): usize {
  prepare();
  return HOG_TABLE + <usize>(arrangement * CHANNEL_LENGTH * 2);
}

/** u16[IMAGES_LENGTH] of one arrangement. */
export function imageTable(arrangement: i32): usize {
  prepare();
  return IMAGE_TABLE + <usize>(arrangement * IMAGES_LENGTH * 2);
}

/** u16[POOLED_LENGTH] of one arrangement. */
export function pooledTable(arrangement: i32): usize {
  prepare();
  return POOLED_TABLE + <usize>(arrangement * POOLED_LENGTH * 2);
}

export function inverseOf(arrangement: i32): i32 {
  prepare();
  return load<i32>(INVERSES + (<usize>arrangement << 2));
}

/**
 * Permutation of arrangement n (in the order of prepare): packed axis of each new axis (2 bits) and its sign (1 bit).
 */
function codeOf(n: i32): i32 {
  let count = 0;
  for (let order = 0; order < 6; order++) {
    const p0 = order >> 1;
    const p1 = (p0 + 1 + (order & 1)) % 3;
    const p2 = 3 - p0 - p1;
    const odd = order & 1;
    for (let signs = 0; signs < 8; signs++) {
      const minus = (signs & 1) + (signs >> 1 & 1) + (signs >> 2);
      if (((minus + odd) & 1) != 0) continue;
      if (count++ == n) return p0 | p1 << 2 | p2 << 4 | signs << 6;
    }
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function axisOf(code: i32, axis: i32): i32 { return code >> (2 * axis) & 3; }
// @ts-ignore: decorator
@inline
function turned(code: i32, axis: i32): bool { return (code >> (6 + axis) & 1) != 0; }

function prepare(): void {
  if (prepared) return;
  prepared = true;
  for (let n = 0; n < ARRANGEMENTS; n++) {
    const code = codeOf(n);
    fill(HOG_TABLE + <usize>(n * CHANNEL_LENGTH * 2), code, CELLS, DIRECTIONS);
    fill(IMAGE_TABLE + <usize>(n * IMAGES_LENGTH * 2), code, IMAGE_SIDE, 1);
    fill(POOLED_TABLE + <usize>(n * POOLED_LENGTH * 2), code, 2, DIRECTIONS);
  }
  for (let n = 0; n < ARRANGEMENTS; n++) {
    for (let m = 0; m < ARRANGEMENTS; m++) {
      const a = POOLED_TABLE + <usize>(n * POOLED_LENGTH * 2), b = POOLED_TABLE + <usize>(m * POOLED_LENGTH * 2);
      let undoes = true;
      for (let i: usize = 0; i < <usize>POOLED_LENGTH && undoes; i++) {
        undoes = <usize>load<u16>(b + (<usize>load<u16>(a + (i << 1)) << 1)) == i;
      }
      if (undoes) store<i32>(INVERSES + (<usize>n << 2), m);
    }
  }
}

/** Fills one table for images of side × side cells with `directions` numbers each. */
function fill(table: usize, code: i32, side: i32, directions: i32): void {
  const last = side - 1;
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3;
    const oldAxis = axisOf(code, axis);
    const flipU = turned(code, u), flipV = turned(code, v);
    // The new columns run along the old columns or along the old rows.
    const swapped = axisOf(code, u) != (oldAxis + 1) % 3;
    for (let side01 = 0; side01 < 2; side01++) {
      const oldView = 2 * oldAxis + (turned(code, axis) ? 1 - side01 : side01);
      for (let row = 0; row < side; row++) {
        for (let column = 0; column < side; column++) {
          const alongU = flipU ? last - column : column, alongV = flipV ? last - row : row;
          const oldRow = swapped ? alongU : alongV, oldColumn = swapped ? alongV : alongU;
          for (let k = 0; k < directions; k++) {
            let old = k;
            if (directions > 1) {
              const mirrored = flipU != flipV;
              const half = directions >> 1;
              if (!swapped) old = mirrored ? (directions - k) % directions : k;
              else old = mirrored ? (half + k) % directions : (half - k + directions) % directions;
            }
            const at = (((2 * axis + side01) * side + row) * side + column) * directions + k;
            store<u16>(table + (<usize>at << 1),
                <u16>(((oldView * side + oldRow) * side + oldColumn) * directions + old));
          }
        }
      }
    }
  }
}
