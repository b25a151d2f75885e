/** The edges of a mesh that may be lines, whatever direction it is seen from. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { TRIANGLE, VERTEX } from '../mesh/check';
import { endOf, isCollapsed, sortByEdge, startOf } from '../mesh/edges';
import { weldByPlace } from '../mesh/weld';

/**
 * Height below which a triangle has no reliable normal: its corners are rounded to single precision, 6e-8 at the
 * border.
 */
const SLIVER: f32 = 2e-6;

/**
 * Unit normals of all triangles, on the side that their winding gives; 0 0 0 for slivers. normals: f32[3 *
 * triangleCount] out.
 */
export function triangleNormals(positions: usize, indices: usize, triangleCount: u32, normals: usize): void {
  for (let t: u32 = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * TRIANGLE;
    const a = positions + <usize>load<u32>(i) * VERTEX;
    const b = positions + <usize>load<u32>(i, 4) * VERTEX;
    const c = positions + <usize>load<u32>(i, 8) * VERTEX;
    const px = load<f32>(b) - load<f32>(a),
      py = load<f32>(b, 4) - load<f32>(a, 4),
      pz = load<f32>(b, 8) - load<f32>(a, 8);
    const qx = load<f32>(c) - load<f32>(a),
      qy = load<f32>(c, 4) - load<f32>(a, 4),
      qz = load<f32>(c, 8) - load<f32>(a, 8);
    const rx = qx - px,
      ry = qy - py,
      rz = qz - pz;
    const nx = py * qz - pz * qy,
      ny = pz * qx - px * qz,
      nz = px * qy - py * qx;
    const length = sqrt<f32>(nx * nx + ny * ny + nz * nz);
    const longest = sqrt<f32>(
      max(px * px + py * py + pz * pz, max(qx * qx + qy * qy + qz * qz, rx * rx + ry * ry + rz * rz)),
    );
    const inverse: f32 = length > SLIVER * longest ? 1 / length : 0;
    const out = normals + <usize>t * 12;
    store<f32>(out, nx * inverse);
    store<f32>(out, ny * inverse, 4);
    store<f32>(out, nz * inverse, 8);
  }
}

/** Bytes of one listed edge: u32[4] = both ends' vertices, one of its triangles, the other or a constant below. */
export const LISTED: usize = 16;
/** Instead of the other triangle: the edge is a feature whatever direction it is seen from. */
export const CREASE: u32 = 0xffffffff;
/** The same, for an edge that does not have exactly two triangles. */
export const RIM: u32 = 0xfffffffe;
/** Added to the other triangle's number when its winding is opposite. */
export const OPPOSED: u32 = 1 << 31;

/** Most bytes that {@link listEdges} may write. */
export function listedBytes(triangleCount: u32): u32 {
  return triangleCount * 3 * <u32>LISTED;
}

/**
 * Lists the edges of the welded mesh that may be lines: those with one triangle or more than two, with two that meet at
 * more than the crease angle, or with two of which one may face the viewer and the other not. Opposite winding of two
 * faces is compensated. normals: from triangleNormals, in any frame. edges: out. Returns their number, or minus a
 * status.
 */
export function listEdges(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  normals: usize,
  creaseCos: f32,
  edges: usize,
): i32 {
  const scratch = mark();
  const welded = reserve(vertexCount << 2);
  const corners = reserve(triangleCount * 12);
  const order = reserve(triangleCount * 12);
  if (welded == 0 || corners == 0 || order == 0) return -OUT_OF_MEMORY;
  let status = weldByPlace(positions, vertexCount, welded);
  if (status != DONE) return -status;
  const count = triangleCount * 3;
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4)
    store<u32>(corners + i, load<u32>(welded + ((<usize>load<u32>(indices + i)) << 2)));
  status = sortByEdge(corners, vertexCount, triangleCount, order);
  if (status != DONE) return -status;

  let out = edges;
  for (let i: u32 = 0; i < count; ) {
    const first = load<u32>(order + ((<usize>i) << 2));
    const start = startOf(corners, first),
      end = endOf(corners, first);
    let held: u32 = 0,
      one: u32 = 0,
      other: u32 = 0;
    for (; i < count; i++) {
      const half = load<u32>(order + ((<usize>i) << 2));
      const s = startOf(corners, half),
        e = endOf(corners, half);
      if (!(s == start && e == end) && !(s == end && e == start)) break;
      if (isCollapsed(corners, half / 3)) continue;
      if (held == 0) one = half;
      else other = half;
      held++;
    }
    if (held == 0) continue;
    let kind = RIM;
    if (held == 2) {
      kind = kindOf(normals, one / 3, other / 3, startOf(corners, one) == startOf(corners, other), creaseCos);
      if (kind == RIM) continue;
    }
    store<u32>(out, start);
    store<u32>(out, end, 4);
    store<u32>(out, one / 3, 8);
    store<u32>(out, kind, 12);
    out += LISTED;
  }
  reset(scratch);
  return <i32>((out - edges) / LISTED);
}

/**
 * CREASE; or the other triangle, with OPPOSED, for an edge that may be a silhouette; or RIM for an edge that is never a
 * line.
 */
function kindOf(normals: usize, one: u32, other: u32, opposed: bool, creaseCos: f32): u32 {
  const a = normals + <usize>one * 12,
    b = normals + <usize>other * 12;
  const ax = load<f32>(a),
    ay = load<f32>(a, 4),
    az = load<f32>(a, 8);
  const sign: f32 = opposed ? -1 : 1;
  const bx = sign * load<f32>(b),
    by = sign * load<f32>(b, 4),
    bz = sign * load<f32>(b, 8);
  if ((ax == 0 && ay == 0 && az == 0) || (bx == 0 && by == 0 && bz == 0)) return RIM;
  if (ax * bx + ay * by + az * bz < creaseCos) return CREASE;
  // Coplanar triangles never have a silhouette between them.
  return ax == bx && ay == by && az == bz ? RIM : other | (opposed ? OPPOSED : 0);
}
