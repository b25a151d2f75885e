/**
 * Feature lines over a drawing: the edges that a draughtsman would draw, seen ones told apart from hidden ones.
 *
 * Frame here: x right, y down, z towards the viewer; the image covers [-1, 1] of x and y. So a pixel is 2 / size wide.
 */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { TRIANGLE, VERTEX } from '../mesh/check';
import { endOf, isCollapsed, sortByEdge, startOf } from '../mesh/edges';
import { weldByPlace } from '../mesh/weld';

/** What a pixel of the image of lines can be. */
export const HIDDEN_LINE: u8 = 1;
export const VISIBLE_LINE: u8 = 2;
/** Only while outlines are drawn: these must not count as lines that are there already. */
const OUTLINE: u8 = 3;

/** The number of the triangle seen where none is. */
export const NOTHING: u32 = 0xffffffff;

/** |normal · view| up to which a triangle counts as seen from its edge, as all sides of a bore do along its axis. */
const EDGE_ON: f32 = 1e-4;

/** How far before a line, in pixels, a surface must lie to hide it. */
const HIDES: f32 = 0.25;

/**
 * How far one surface must lie before its neighbour to get an outline: pixels, and share of the image, because round
 * surfaces fall away the more pixels at their rim, the larger they are drawn.
 */
const STEP: f32 = 2;
const STEP_SHARE: f32 = 0.01;

/** Height below which a triangle has no direction: its corners are rounded to single precision, 6e-8 at the rim. */
const SLIVER: f32 = 2e-6;

/**
 * Unit normals of all triangles, whichever way they look; 0 0 0 for slivers. normals: f32[3 * triangleCount] out.
 */
export function triangleNormals(positions: usize, indices: usize, triangleCount: u32, normals: usize): void {
  for (let t: u32 = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * TRIANGLE;
    const a = positions + <usize>load<u32>(i) * VERTEX;
    const b = positions + <usize>load<u32>(i, 4) * VERTEX;
    const c = positions + <usize>load<u32>(i, 8) * VERTEX;
    const px = load<f32>(b) - load<f32>(a), py = load<f32>(b, 4) - load<f32>(a, 4), pz = load<f32>(b, 8) - load<f32>(a, 8);
    const qx = load<f32>(c) - load<f32>(a), qy = load<f32>(c, 4) - load<f32>(a, 4), qz = load<f32>(c, 8) - load<f32>(a, 8);
    const rx = qx - px, ry = qy - py, rz = qz - pz;
    const nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
    const length = sqrt<f32>(nx * nx + ny * ny + nz * nz);
    const longest = sqrt<f32>(max(px * px + py * py + pz * pz, max(qx * qx + qy * qy + qz * qz, rx * rx + ry * ry + rz * rz)));
    const inverse: f32 = length > SLIVER * longest ? 1 / length : 0;
    const out = normals + <usize>t * 12;
    store<f32>(out, nx * inverse);
    store<f32>(out, ny * inverse, 4);
    store<f32>(out, nz * inverse, 8);
  }
}

/** Bytes of one listed edge: u32[4] = both ends' vertices, one of its triangles, the other or a constant below. */
const LISTED: usize = 16;
/** Instead of the other triangle: the edge is a feature whatever direction it is seen from. */
const CREASE: u32 = 0xffffffff;
/** The same of an edge that has not two triangles. */
const RIM: u32 = 0xfffffffe;
/** Added to the other triangle's number when it is wound the other way. */
const OPPOSED: u32 = 1 << 31;

/** Most bytes that {@link listEdges} may write. */
export function listedBytes(triangleCount: u32): u32 {
  return triangleCount * 3 * <u32>LISTED;
}

/**
 * Lists the edges of the welded mesh that may be lines: those that have one triangle, more than two, two that meet at more
 * than the crease angle, or two that a direction of sight may part. Faces of opposite winding count as if they were not.
 * normals: from triangleNormals, in any frame. edges: out. Returns their number, or minus a status.
 */
export function listEdges(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, normals: usize, creaseCos: f32, edges: usize,
): i32 {
  const scratch = mark();
  const welded = reserve(vertexCount << 2);
  const corners = reserve(triangleCount * 12);
  const order = reserve(triangleCount * 12);
  if (welded == 0 || corners == 0 || order == 0) return -OUT_OF_MEMORY;
  let status = weldByPlace(positions, vertexCount, welded);
  if (status != DONE) return -status;
  const count = triangleCount * 3;
  for (let i: usize = 0; i < <usize>count << 2; i += 4) store<u32>(corners + i, load<u32>(welded + (<usize>load<u32>(indices + i) << 2)));
  status = sortByEdge(corners, vertexCount, triangleCount, order);
  if (status != DONE) return -status;

  let out = edges;
  for (let i: u32 = 0; i < count;) {
    const first = load<u32>(order + (<usize>i << 2));
    const start = startOf(corners, first), end = endOf(corners, first);
    let held: u32 = 0, one: u32 = 0, other: u32 = 0;
    for (; i < count; i++) {
      const half = load<u32>(order + (<usize>i << 2));
      const s = startOf(corners, half), e = endOf(corners, half);
      if (!(s == start && e == end) && !(s == end && e == start)) break;
      if (isCollapsed(corners, half / 3)) continue;
      if (held == 0) one = half; else other = half;
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

/** CREASE; or the other triangle, with OPPOSED, for an edge that may be a silhouette; or RIM for one that is no line ever. */
function kindOf(normals: usize, one: u32, other: u32, opposed: bool, creaseCos: f32): u32 {
  const a = normals + <usize>one * 12, b = normals + <usize>other * 12;
  const ax = load<f32>(a), ay = load<f32>(a, 4), az = load<f32>(a, 8);
  const sign: f32 = opposed ? -1 : 1;
  const bx = sign * load<f32>(b), by = sign * load<f32>(b, 4), bz = sign * load<f32>(b, 8);
  if ((ax == 0 && ay == 0 && az == 0) || (bx == 0 && by == 0 && bz == 0)) return RIM;
  if (ax * bx + ay * by + az * bz < creaseCos) return CREASE;
  // Triangles of one plane are never parted.
  return ax == bx && ay == by && az == bz ? RIM : other | (opposed ? OPPOSED : 0);
}

/**
 * Draws the listed edges that are lines in this direction; an edge within one surface, as seen, is none.
 * positions, normals: in the frame of the image. edges: from listEdges. seen: u32[size²], numbers of the triangles that are
 * seen. lines: u8[size²], added to.
 */
export function drawEdges(
  positions: usize, indices: usize, normals: usize, edges: usize, edgeCount: i32, creaseCos: f32, seen: usize, size: i32, lines: usize,
): void {
  const end = edges + <usize>edgeCount * LISTED;
  for (let edge = edges; edge < end; edge += LISTED) {
    const one = load<u32>(edge, 8), kind = load<u32>(edge, 12);
    if (kind != CREASE && kind != RIM) {
      const sign: f32 = (kind & OPPOSED) != 0 ? -1 : 1;
      const az = load<f32>(normals + <usize>one * 12, 8), bz = sign * load<f32>(normals + <usize>(kind & ~OPPOSED) * 12, 8);
      if (az > EDGE_ON == bz > EDGE_ON) continue;
    }
    const a = positions + <usize>load<u32>(edge) * VERTEX, b = positions + <usize>load<u32>(edge, 4) * VERTEX;
    drawEdge(a, b, positions, indices, normals, kind == RIM ? one : NOTHING, creaseCos, seen, size, lines);
  }
}

/**
 * One pixel for each step along the edge's longer direction in the image. owner: a triangle of an edge that has not two; such
 * an edge is left out where the same surface is seen on both sides of it. Faces that were cut into triangles each for itself
 * have many: a vertex of one lies on an edge of the other.
 */
function drawEdge(
  a: usize, b: usize, positions: usize, indices: usize, normals: usize, owner: u32, creaseCos: f32, seen: usize, size: i32, lines: usize,
): void {
  const half = <f32>size * 0.5;
  const isSteep = abs<f32>(load<f32>(b, 4) - load<f32>(a, 4)) > abs<f32>(load<f32>(b) - load<f32>(a));
  const along: usize = isSteep ? 4 : 0, across: usize = 4 - along;
  if (load<f32>(a + along) > load<f32>(b + along)) {
    const held = a; a = b; b = held;
  }
  const a0 = (load<f32>(a + along) + 1) * half, b0 = (load<f32>(b + along) + 1) * half;
  const a1 = (load<f32>(a + across) + 1) * half, b1 = (load<f32>(b + across) + 1) * half;
  const az = load<f32>(a, 8), bz = load<f32>(b, 8);
  const inverse: f32 = b0 > a0 ? 1 / (b0 - a0) : 0;
  // An edge along the view is one pixel, seen where its near end is.
  const last = min(size - 1, <i32>floor<f32>(b0));
  for (let i = max(0, <i32>floor<f32>(a0)); i <= last; i++) {
    const t = max<f32>(0, min<f32>(1, (<f32>i + 0.5 - a0) * inverse));
    const p0 = a0 + t * (b0 - a0), p1 = a1 + t * (b1 - a1);
    const z = inverse == 0 ? max(az, bz) : az + t * (bz - az);
    const j = <i32>floor<f32>(p1);
    if (j < 0 || j >= size) continue;
    const x = (isSteep ? p1 : p0) / half - 1, y = (isSteep ? p0 : p1) / half - 1;
    const step = isSteep ? 1 : size;
    const pixel = isSteep ? i * size + j : j * size + i;
    if (owner != NOTHING && j > 0 && j < size - 1
      && isSameSurface(owner, x, y, z, pixel - step, positions, indices, normals, creaseCos, seen, half)
      && isSameSurface(owner, x, y, z, pixel + step, positions, indices, normals, creaseCos, seen, half)) continue;
    // A pixel's centre may lie to either side of a line on a surface's rim: seen on one side is seen.
    const isSeen = isSeenAt(x, y, z, pixel, positions, indices, seen, half)
      || j == 0 || isSeenAt(x, y, z, pixel - step, positions, indices, seen, half)
      || j == size - 1 || isSeenAt(x, y, z, pixel + step, positions, indices, seen, half);
    const at = lines + <usize>pixel;
    if (isSeen) store<u8>(at, VISIBLE_LINE);
    else if (load<u8>(at) == 0) store<u8>(at, HIDDEN_LINE);
  }
}

/** Whether the triangle seen at the pixel leaves the point free. */
function isSeenAt(x: f32, y: f32, z: f32, pixel: i32, positions: usize, indices: usize, seen: usize, half: f32): bool {
  const triangle = load<u32>(seen + (<usize>pixel << 2));
  return triangle == NOTHING || heightOf(triangle, x, y, positions, indices) <= z + HIDES / half;
}

/** Whether the triangle seen at the pixel leads to the point, but for a step that has no outline either, and looks the same way. */
function isSameSurface(
  owner: u32, x: f32, y: f32, z: f32, pixel: i32, positions: usize, indices: usize, normals: usize, creaseCos: f32, seen: usize, half: f32,
): bool {
  const triangle = load<u32>(seen + (<usize>pixel << 2));
  if (triangle == NOTHING || abs<f32>(heightOf(triangle, x, y, positions, indices) - z) > STEP / half) return false;
  const a = normals + <usize>owner * 12, b = normals + <usize>triangle * 12;
  return abs<f32>(load<f32>(a) * load<f32>(b) + load<f32>(a, 4) * load<f32>(b, 4) + load<f32>(a, 8) * load<f32>(b, 8)) >= creaseCos;
}

/**
 * z of a triangle's plane at x, y, kept within the triangle's own range: planes that are seen nearly from their edge run
 * off within a fraction of a pixel.
 */
function heightOf(triangle: u32, x: f32, y: f32, positions: usize, indices: usize): f32 {
  const i = indices + <usize>triangle * TRIANGLE;
  const a = positions + <usize>load<u32>(i) * VERTEX;
  const b = positions + <usize>load<u32>(i, 4) * VERTEX;
  const c = positions + <usize>load<u32>(i, 8) * VERTEX;
  const az = load<f32>(a, 8), bz = load<f32>(b, 8), cz = load<f32>(c, 8);
  const px = load<f32>(b) - load<f32>(a), py = load<f32>(b, 4) - load<f32>(a, 4);
  const qx = load<f32>(c) - load<f32>(a), qy = load<f32>(c, 4) - load<f32>(a, 4);
  const area = px * qy - py * qx;
  const low = min(az, min(bz, cz)), high = max(az, max(bz, cz));
  if (area == 0) return low;
  const dx = x - load<f32>(a), dy = y - load<f32>(a, 4);
  const z = az + ((dx * qy - dy * qx) * (bz - az) + (px * dy - py * dx) * (cz - az)) / area;
  return max(low, min(high, z));
}

/**
 * Adds visible lines where one surface ends before another or before nothing and no edge was drawn: the rims of surfaces
 * that cut through each other, for one. depth: f32[size²], z of what is seen.
 */
export function drawOutlines(positions: usize, indices: usize, depth: usize, seen: usize, size: i32, lines: usize): void {
  const step: f32 = max<f32>(STEP, STEP_SHARE * <f32>size) * 2 / <f32>size;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const here = row * size + column;
      for (let side = 0; side < 2; side++) {
        if (side == 0 ? column + 1 == size : row + 1 == size) continue;
        const there = here + (side == 0 ? 1 : size);
        const a = load<u32>(seen + (<usize>here << 2)), b = load<u32>(seen + (<usize>there << 2));
        if (a == b) continue;
        let front = a == NOTHING ? there : here;
        if (a != NOTHING && b != NOTHING) {
          const az = load<f32>(depth + (<usize>here << 2)), bz = load<f32>(depth + (<usize>there << 2));
          if (abs<f32>(az - bz) <= step) continue;
          // A steep surface is no step: neither plane may lead on to the other pixel.
          const ax = centreOf(column, size), ay = centreOf(row, size);
          const bx = side == 0 ? centreOf(column + 1, size) : ax, by = side == 0 ? ay : centreOf(row + 1, size);
          if (abs<f32>(heightOf(a, bx, by, positions, indices) - bz) <= step) continue;
          if (abs<f32>(heightOf(b, ax, ay, positions, indices) - az) <= step) continue;
          front = az > bz ? here : there;
        }
        if (!isLineNear(lines, front, size)) store<u8>(lines + <usize>front, OUTLINE);
      }
    }
  }
  const pixels = <usize>(size * size);
  for (let i: usize = 0; i < pixels; i++) if (load<u8>(lines + i) == OUTLINE) store<u8>(lines + i, VISIBLE_LINE);
}

function centreOf(pixel: i32, size: i32): f32 {
  return (2 * <f32>pixel + 1) / <f32>size - 1;
}

/** Whether the pixel or one of the eight around it is of a visible line. */
function isLineNear(lines: usize, pixel: i32, size: i32): bool {
  const column = pixel % size, row = pixel / size;
  for (let y = max(0, row - 1); y <= min(size - 1, row + 1); y++) {
    for (let x = max(0, column - 1); x <= min(size - 1, column + 1); x++) {
      if (load<u8>(lines + <usize>(y * size + x)) == VISIBLE_LINE) return true;
    }
  }
  return false;
}
