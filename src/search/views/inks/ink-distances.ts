/** Distances beyond this count as this, cells. */
const MOST_DISTANCE = 12;
const DIAGONAL = Math.SQRT2;

/**
 * Distance of each cell to the nearest one with ink by steps to the eight neighbours (Borgefors 1986), at most 8 % too
 * long: f32[height × width], cells, at most 12. bits: u8[height × width], 1 where there is ink.
 */
export function distancesTo(bits: Uint8Array, width: number, height: number): Float32Array {
  const found = new Float32Array(width * height).fill(MOST_DISTANCE);
  for (let at = bits.indexOf(1); at >= 0; at = bits.indexOf(1, at + 1)) found[at] = 0;
  const outside = new Float32Array(width).fill(MOST_DISTANCE);
  let behind: Float32Array = outside;
  for (let y = 0; y < height; y++) behind = stepAlong(found.subarray(y * width, (y + 1) * width), behind, 1);
  behind = outside;
  for (let y = height - 1; y >= 0; y--) behind = stepAlong(found.subarray(y * width, (y + 1) * width), behind, -1);
  return found;
}

/** Lowers the distances of a row, in a direction, by those of the row behind it and its own; returns the row. */
function stepAlong(row: Float32Array, behind: Float32Array, step: 1 | -1): Float32Array {
  const { length } = row;
  const first = step === 1 ? 0 : length - 1;
  // The neighbours move along, so that each cell is read once.
  let before = MOST_DISTANCE,
    left = MOST_DISTANCE,
    middle = behind[first];
  for (let at = first, count = 0; count < length; at += step, count++) {
    const right = count + 1 < length ? behind[at + step] : MOST_DISTANCE;
    let least = row[at];
    if (least > 0) {
      if (before + 1 < least) least = before + 1;
      if (middle + 1 < least) least = middle + 1;
      if (left + DIAGONAL < least) least = left + DIAGONAL;
      if (right + DIAGONAL < least) least = right + DIAGONAL;
      least = Math.fround(least);
      row[at] = least;
    }
    before = least;
    left = middle;
    middle = right;
  }
  return row;
}
