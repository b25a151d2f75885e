/** Distances of points to a mesh: of each point, or summarised for several transforms of the points. */
import { DONE, NOT_FINITE } from '../status';
import { VERTEX } from './check';
import { buildTree, squareToMesh } from './tree';

/** Number of points from all over the list that are measured first. */
const SCOUTS: u32 = 48;

// Sums over the points of one transform.
let most: f64 = 0;
let sum: f64 = 0;
let squares: f64 = 0;
let seen: u32 = 0;

/** Distances from f32[3 * pointCount] to the mesh, to `out`: f32[pointCount], mm. Returns a status. */
export function pointMeshDistances(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  points: usize,
  pointCount: u32,
  out: usize,
): i32 {
  const status = buildTree(positions, vertexCount, indices, triangleCount);
  if (status != DONE) return status;
  for (let i: usize = 0; i < <usize>pointCount; i++) {
    const p = points + i * VERTEX;
    const x = load<f32>(p),
      y = load<f32>(p, 4),
      z = load<f32>(p, 8);
    if (!isFinite(x) || !isFinite(y) || !isFinite(z)) return NOT_FINITE;
    store<f32>(out + (i << 2), Mathf.sqrt(squareToMesh(x, y, z)));
  }
  return DONE;
}

/**
 * Distances of the points to the mesh after each of several transforms (f32[12] each, row-major 3 × 4), to `out`:
 * f64[4] each = largest, mean and root mean square distance, mm, and the number of points measured. A transform is
 * abandoned at the first point farther than `bound`; its figures are then those of the points so far. Some points from
 * all over the list come first, so that a bad fit shows early; the rest come in order, because neighbours in the list
 * are often near each other. Returns a status.
 */
export function surfaceDeviations(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  points: usize,
  pointCount: u32,
  transforms: usize,
  transformCount: u32,
  bound: f32,
  out: usize,
): i32 {
  const built = buildTree(positions, vertexCount, indices, triangleCount);
  if (built != DONE) return built;
  const stride = (pointCount + SCOUTS - 1) / SCOUTS;
  const squareBound = <f64>bound * <f64>bound;
  for (let t: usize = 0; t < <usize>transformCount; t++) {
    const m = transforms + t * 48;
    most = 0;
    sum = 0;
    squares = 0;
    seen = 0;
    let status = DONE;
    for (let i: u32 = 0; i < pointCount && status == DONE && most <= squareBound; i += stride)
      status = addPoint(points, i, m);
    for (let i: u32 = 0; i < pointCount && status == DONE && most <= squareBound; i++) {
      if (i % stride != 0) status = addPoint(points, i, m);
    }
    if (status != DONE) return status;
    const to = out + (t << 5);
    store<f64>(to, Math.sqrt(most));
    store<f64>(to, seen == 0 ? 0 : sum / seen, 8);
    store<f64>(to, seen == 0 ? 0 : Math.sqrt(squares / seen), 16);
    store<f64>(to, seen, 24);
  }
  return DONE;
}

/** Adds the distance of one transformed point to the sums; a coordinate that is not finite gives a status. */
function addPoint(points: usize, i: u32, m: usize): i32 {
  const p = points + <usize>i * VERTEX;
  const px = load<f32>(p),
    py = load<f32>(p, 4),
    pz = load<f32>(p, 8);
  const x = load<f32>(m) * px + load<f32>(m, 4) * py + load<f32>(m, 8) * pz + load<f32>(m, 12);
  const y = load<f32>(m, 16) * px + load<f32>(m, 20) * py + load<f32>(m, 24) * pz + load<f32>(m, 28);
  const z = load<f32>(m, 32) * px + load<f32>(m, 36) * py + load<f32>(m, 40) * pz + load<f32>(m, 44);
  if (!isFinite(x) || !isFinite(y) || !isFinite(z)) return NOT_FINITE;
  const square = <f64>squareToMesh(x, y, z);
  most = Math.max(most, square);
  sum += Math.sqrt(square);
  squares += square;
  seen++;
  return DONE;
}
