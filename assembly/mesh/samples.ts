/**
 * Points spread evenly over a surface: systematic sampling, one point per equal share of area with a random start;
 * uniform within its triangle (Turk 1990). Seeded, so equal meshes get equal points.
 */
import { DONE, NOT_FINITE, NO_GEOMETRY, BAD_INDEX } from '../status';
import { TRIANGLE, VERTEX, allBelow } from './check';

let state: u64 = 0;
let nx: f64 = 0;
let ny: f64 = 0;
let nz: f64 = 0;

/**
 * Writes `count` points, f32[3 * count], and the unit normals of their triangles, f32[3 * count]. They come in the
 * order of the triangles. Returns a status.
 */
export function sampleSurface(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  count: u32,
  seed: u32,
  outPositions: usize,
  outNormals: usize,
): i32 {
  if (triangleCount == 0) return NO_GEOMETRY;
  if (!allBelow(indices, triangleCount * 3, vertexCount)) return BAD_INDEX;
  const end = indices + <usize>triangleCount * TRIANGLE;
  let total: f64 = 0;
  for (let at = indices; at < end; at += TRIANGLE) total += twiceArea(positions, at);
  if (!isFinite(total)) return NOT_FINITE;
  if (total == 0) return NO_GEOMETRY;

  state = ((<u64>seed) << 1) | 1;
  nextNumber();
  const share = total / count;
  const start = nextNumber();
  let sum: f64 = 0;
  let last: usize = 0;
  let made: u32 = 0;
  for (let at = indices; at < end && made < count; at += TRIANGLE) {
    const area = twiceArea(positions, at);
    if (area == 0) continue;
    last = at;
    sum += area;
    while (made < count && (<f64>made + start) * share < sum)
      putSample(positions, at, area, made++, outPositions, outNormals);
  }
  // Rounding may leave the last point beyond the end.
  const area = made < count ? twiceArea(positions, last) : 0;
  while (made < count) putSample(positions, last, area, made++, outPositions, outNormals);
  return DONE;
}

/** Twice the triangle's area; stores its normal of that length. */
function twiceArea(positions: usize, at: usize): f64 {
  const a = positions + <usize>load<u32>(at) * VERTEX,
    b = positions + <usize>load<u32>(at, 4) * VERTEX,
    c = positions + <usize>load<u32>(at, 8) * VERTEX;
  const ax = <f64>load<f32>(a),
    ay = <f64>load<f32>(a, 4),
    az = <f64>load<f32>(a, 8);
  const ux = <f64>load<f32>(b) - ax,
    uy = <f64>load<f32>(b, 4) - ay,
    uz = <f64>load<f32>(b, 8) - az;
  const wx = <f64>load<f32>(c) - ax,
    wy = <f64>load<f32>(c, 4) - ay,
    wz = <f64>load<f32>(c, 8) - az;
  nx = uy * wz - uz * wy;
  ny = uz * wx - ux * wz;
  nz = ux * wy - uy * wx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Writes a random point of the triangle whose normal is stored. */
function putSample(positions: usize, at: usize, area: f64, sample: u32, outPositions: usize, outNormals: usize): void {
  const a = positions + <usize>load<u32>(at) * VERTEX,
    b = positions + <usize>load<u32>(at, 4) * VERTEX,
    c = positions + <usize>load<u32>(at, 8) * VERTEX;
  const root = Math.sqrt(nextNumber());
  const toC = root * nextNumber(),
    toA = 1 - root,
    toB = 1 - toA - toC;
  const offset = <usize>sample * VERTEX;
  for (let axis: usize = 0; axis < VERTEX; axis += 4) {
    const value = toA * <f64>load<f32>(a + axis) + toB * <f64>load<f32>(b + axis) + toC * <f64>load<f32>(c + axis);
    store<f32>(outPositions + offset + axis, <f32>value);
  }
  store<f32>(outNormals + offset, <f32>(nx / area));
  store<f32>(outNormals + offset, <f32>(ny / area), 4);
  store<f32>(outNormals + offset, <f32>(nz / area), 8);
}

/** The next number in [0, 1), by PCG-XSH-RR 64/32 (O'Neill 2014). */
function nextNumber(): f64 {
  const before = state;
  state = before * 6364136223846793005 + 1442695040888963407;
  const mixed = <u32>(((before >> 18) ^ before) >> 27);
  return <f64>rotr<u32>(mixed, <u32>(before >> 59)) / 4294967296;
}
