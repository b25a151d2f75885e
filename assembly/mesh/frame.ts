/** Boxes during the search: volume and directions of the three sides. */

/** Bytes of a box: f64 volume, then f64[9], three orthogonal unit vectors, right-handed. */
export const BOX: usize = 80;
/** Offset of its directions. */
export const SIDE_A: usize = 8;
export const SIDE_B: usize = 32;
export const SIDE_C: usize = 56;
/** Bytes of one point or direction: f64[3]. */
export const POINT: usize = 24;

/**
 * Writes three orthogonal unit vectors to the box: d, the component of u perpendicular to d (any perpendicular if u is
 * 0), and d × u.
 */
export function makeFrame(box: usize, dx: f64, dy: f64, dz: f64, ux: f64, uy: f64, uz: f64): void {
  let scale = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
  dx *= scale;
  dy *= scale;
  dz *= scale;
  if (ux == 0 && uy == 0 && uz == 0) {
    const x = Math.abs(dx), y = Math.abs(dy), z = Math.abs(dz);
    if (x <= y && x <= z) ux = 1;
    else if (y <= z) uy = 1;
    else uz = 1;
  }
  const along = ux * dx + uy * dy + uz * dz;
  ux -= along * dx;
  uy -= along * dy;
  uz -= along * dz;
  scale = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux *= scale;
  uy *= scale;
  uz *= scale;
  store<f64>(box, dx, SIDE_A);
  store<f64>(box, dy, SIDE_A + 8);
  store<f64>(box, dz, SIDE_A + 16);
  store<f64>(box, ux, SIDE_B);
  store<f64>(box, uy, SIDE_B + 8);
  store<f64>(box, uz, SIDE_B + 16);
  store<f64>(box, dy * uz - dz * uy, SIDE_C);
  store<f64>(box, dz * ux - dx * uz, SIDE_C + 8);
  store<f64>(box, dx * uy - dy * ux, SIDE_C + 16);
}

/** Rotates the second and third vector of the box to the direction that was found in their plane. */
export function turnFrame(box: usize, x: f64, y: f64): void {
  for (let axis: usize = 0; axis < POINT; axis += 8) {
    const u = load<f64>(box + axis, SIDE_B), v = load<f64>(box + axis, SIDE_C);
    store<f64>(box + axis, x * u + y * v, SIDE_B);
    store<f64>(box + axis, x * v - y * u, SIDE_C);
  }
}

// @ts-ignore: decorator
@inline export function alongPoint(p: usize, d: usize): f64 {
  return load<f64>(p) * load<f64>(d) + load<f64>(p, 8) * load<f64>(d, 8) + load<f64>(p, 16) * load<f64>(d, 16);
}
