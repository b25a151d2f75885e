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

/** u16[ARRANGEMENTS][…]: for each new number, its old position. */
const HOG_TABLE: usize = memory.data(ARRANGEMENTS * CHANNEL_LENGTH * 2, 16);
const IMAGE_TABLE: usize = memory.data(ARRANGEMENTS * IMAGES_LENGTH * 2, 16);
/** u16[ARRANGEMENTS]: see codeOf. */
const CODES: usize = memory.data(ARRANGEMENTS * 2, 16);
let prepared: bool = false;

/** u16[CHANNEL_LENGTH] of one arrangement. */
export function hogTable(arrangement: i32): usize {
  prepare();
  return HOG_TABLE + <usize>(arrangement * CHANNEL_LENGTH * 2);
}

/**
 * Copies u16[ARRANGEMENTS][CHANNEL_LENGTH], u16[ARRANGEMENTS][IMAGES_LENGTH] and the codes of the arrangements, u16
 * each.
 */
export function arrangementTables(hog: usize, images: usize, codes: usize): void {
  prepare();
  memory.copy(hog, HOG_TABLE, ARRANGEMENTS * CHANNEL_LENGTH * 2);
  memory.copy(images, IMAGE_TABLE, ARRANGEMENTS * IMAGES_LENGTH * 2);
  memory.copy(codes, CODES, ARRANGEMENTS * 2);
}

/** Arrangement n, packed: the old axis of each new axis (2 bits each), whether it is turned round (1 bit each). */
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
function isTurned(code: i32, axis: i32): bool { return (code >> (6 + axis) & 1) != 0; }
function prepare(): void {
  if (prepared) return;
  prepared = true;
  for (let n = 0; n < ARRANGEMENTS; n++) {
    const code = codeOf(n);
    store<u16>(CODES + (<usize>n << 1), <u16>code);
    fill(HOG_TABLE + <usize>(n * CHANNEL_LENGTH * 2), code, CELLS, DIRECTIONS);
    fill(IMAGE_TABLE + <usize>(n * IMAGES_LENGTH * 2), code, IMAGE_SIDE, 1);
  }
}

/** Fills one table for images of side × side cells with `directions` numbers each. */
function fill(table: usize, code: i32, side: i32, directions: i32): void {
  const last = side - 1;
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3;
    const oldAxis = axisOf(code, axis);
    const flipU = isTurned(code, u), flipV = isTurned(code, v);
    // The new columns run along the old columns or along the old rows.
    const swapped = axisOf(code, u) != (oldAxis + 1) % 3;
    for (let side01 = 0; side01 < 2; side01++) {
      const oldView = 2 * oldAxis + (isTurned(code, axis) ? 1 - side01 : side01);
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
