/**
 * Feature lines over a rendering: the edges that a draughtsman would draw, visible and hidden ones distinguished.
 *
 * Frame here: x right, y down, z towards the viewer; the image covers [-1, 1] of x and y. So a pixel is 2 / size wide.
 */
import { TRIANGLE, VERTEX } from '../mesh/check';
import { CREASE, LISTED, OPPOSED, RIM } from './edge-list';

/** Values of a pixel of the image of lines. */
export const HIDDEN_LINE: u8 = 1;
export const VISIBLE_LINE: u8 = 2;

/** The triangle number of background pixels. */
export const NOTHING: u32 = 0xffffffff;

/** |normal · view| up to which a triangle counts as seen edge-on, as the wall of a bore does along its axis. */
const EDGE_ON: f32 = 1e-4;

/** Least distance in front of a line, in pixels, at which a surface hides it. */
const HIDES: f32 = 0.25;

/** Least step between one surface and its neighbour, in pixels, that gets an outline. */
export const STEP: f32 = 2;

/** Bytes that {@link heightRanges} writes of one triangle. */
export const RANGE: usize = 8;

/**
 * Lowest and highest z of each triangle, f32[2 * triangleCount] out: for most points they decide without a division
 * whether a triangle hides them.
 */
export function heightRanges(positions: usize, indices: usize, triangleCount: u32, ranges: usize): void {
  const end = indices + <usize>triangleCount * TRIANGLE;
  for (let i = indices, out = ranges; i < end; i += TRIANGLE, out += RANGE) {
    const a = load<f32>(positions + <usize>load<u32>(i) * VERTEX, 8);
    const b = load<f32>(positions + <usize>load<u32>(i, 4) * VERTEX, 8);
    const c = load<f32>(positions + <usize>load<u32>(i, 8) * VERTEX, 8);
    store<f32>(out, min(a, min(b, c)));
    store<f32>(out, max(a, max(b, c)), 4);
  }
}

/**
 * Draws the listed edges that are lines in this direction, except edges inside what appears as one surface. positions,
 * normals: in the frame of the image. ranges: from heightRanges. edges: from listEdges. seen: u32[size²], numbers of
 * the triangles that are seen. lines: u8[size²], added to.
 */
export function drawEdges(
  positions: usize, indices: usize, normals: usize, ranges: usize, edges: usize, edgeCount: i32, creaseCos: f32,
      seen: usize, size: i32, lines: usize,
): void {
  const end = edges + <usize>edgeCount * LISTED;
  for (let edge = edges; edge < end; edge += LISTED) {
    const one = load<u32>(edge, 8), kind = load<u32>(edge, 12);
    if (kind != CREASE && kind != RIM) {
      const sign: f32 = (kind & OPPOSED) != 0 ? -1 : 1;
      const az = load<f32>(normals + <usize>one * 12, 8),
          bz = sign * load<f32>(normals + <usize>(kind & ~OPPOSED) * 12, 8);
      if (az > EDGE_ON == bz > EDGE_ON) continue;
    }
    const a = positions + <usize>load<u32>(edge) * VERTEX, b = positions + <usize>load<u32>(edge, 4) * VERTEX;
    drawEdge(a, b, positions, indices, normals, ranges, kind == RIM ? one : NOTHING, creaseCos, seen, size, lines);
  }
}

/**
 * Draws one pixel per step along the edge's longer direction in the image. owner: a triangle of an edge that does not
 * have exactly two; such an edge is skipped where the same surface is visible on both sides of it. Faces that were
 * triangulated separately have many such edges: a vertex of one face lies on an edge of the other.
 */
function drawEdge(
  a: usize, b: usize, positions: usize, indices: usize, normals: usize, ranges: usize, owner: u32, creaseCos: f32,
      seen: usize, size: i32, lines: usize,
): void {
  const half = <f32>size * 0.5, hides = HIDES / half;
  // Dividing by a power of two is multiplying by its inverse.
  const isPower = (size & (size - 1)) == 0, share: f32 = 1 / half;
  const isSteep = abs<f32>(load<f32>(b, 4) - load<f32>(a, 4)) > abs<f32>(load<f32>(b) - load<f32>(a));
  const along: usize = isSteep ? 4 : 0, across: usize = 4 - along;
  if (load<f32>(a + along) > load<f32>(b + along)) {
    const held = a; a = b; b = held;
  }
  const a0 = (load<f32>(a + along) + 1) * half, b0 = (load<f32>(b + along) + 1) * half;
  const a1 = (load<f32>(a + across) + 1) * half, b1 = (load<f32>(b + across) + 1) * half;
  const az = load<f32>(a, 8), bz = load<f32>(b, 8);
  const inverse: f32 = b0 > a0 ? 1 / (b0 - a0) : 0;
  const step = isSteep ? 1 : size;
  // An edge along the view is one pixel, seen where its near end is.
  const last = min(size - 1, <i32>floor<f32>(b0));
  for (let i = max(0, <i32>floor<f32>(a0)); i <= last; i++) {
    let t = (<f32>i + 0.5 - a0) * inverse;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const p1 = a1 + t * (b1 - a1);
    const j = <i32>floor<f32>(p1);
    if (j < 0 || j >= size) continue;
    const pixel = isSteep ? i * size + j : j * size + i;
    const at = lines + <usize>pixel;
    // What is seen of another edge stays so, whatever this one is: edges of fine meshes share most of their pixels.
    if (load<u8>(at) == VISIBLE_LINE) continue;
    const p0 = a0 + t * (b0 - a0);
    const z = inverse == 0 ? max(az, bz) : az + t * (bz - az);
    const q0 = isPower ? p0 * share : p0 / half, q1 = isPower ? p1 * share : p1 / half;
    const x = (isSteep ? q1 : q0) - 1, y = (isSteep ? q0 : q1) - 1;
    if (owner != NOTHING && j > 0 && j < size - 1
      && isSameSurface(owner, x, y, z, pixel - step, positions, indices, normals, ranges, creaseCos, seen, half)
      && isSameSurface(owner, x, y, z, pixel + step, positions, indices, normals, ranges, creaseCos, seen,
          half)) continue;
    // The centre of a pixel may be on either side of a line at the rim of a surface: visible on one side is enough.
    const own = load<u32>(seen + (<usize>pixel << 2)), most = z + hides;
    let isSeen = isSeenBehind(own, x, y, most, positions, indices, ranges);
    if (!isSeen) {
      // Most neighbours show the same triangle, which hides the point there too.
      const before = j == 0 ? NOTHING : load<u32>(seen + (<usize>(pixel - step) << 2));
      const after = j == size - 1 ? NOTHING : load<u32>(seen + (<usize>(pixel + step) << 2));
      isSeen = (before != own && isSeenBehind(before, x, y, most, positions, indices, ranges))
        || (after != own && after != before && isSeenBehind(after, x, y, most, positions, indices, ranges));
    }
    if (isSeen) store<u8>(at, VISIBLE_LINE);
    else store<u8>(at, HIDDEN_LINE);
  }
}

/** Whether a triangle does not hide the point, if it is seen there. most: highest z that does not. */
// @ts-ignore: decorator
@inline
function isSeenBehind(
  triangle: u32, x: f32, y: f32, most: f32, positions: usize, indices: usize, ranges: usize,
): bool {
  if (triangle == NOTHING) return true;
  const range = ranges + <usize>triangle * RANGE;
  if (load<f32>(range, 4) <= most) return true;
  // Between its lowest and its highest point its plane decides, which needs no clamping.
  return load<f32>(range) <= most && planeAt(triangle, x, y, positions, indices, -Infinity) <= most;
}

/**
 * Whether the triangle visible at the pixel continues to the point, within a step that gets no outline, with the same
 * orientation.
 */
function isSameSurface(
  owner: u32, x: f32, y: f32, z: f32, pixel: i32, positions: usize, indices: usize, normals: usize, ranges: usize,
      creaseCos: f32, seen: usize, half: f32,
): bool {
  const triangle = load<u32>(seen + (<usize>pixel << 2));
  if (triangle == NOTHING) return false;
  const range = ranges + <usize>triangle * RANGE, most = STEP / half;
  const low = load<f32>(range), high = load<f32>(range, 4);
  if (low - z > most || z - high > most) return false;
  const a = normals + <usize>owner * 12, b = normals + <usize>triangle * 12;
  if (!(abs<f32>(load<f32>(a) * load<f32>(b) + load<f32>(a, 4) * load<f32>(b, 4) + load<f32>(a, 8)
      * load<f32>(b, 8)) >= creaseCos)) return false;
  return abs<f32>(clamped(planeAt(triangle, x, y, positions, indices, low), low, high) - z) <= most;
}

/**
 * z of a triangle's plane at x, y, clamped to the triangle's own range, because a plane that is seen nearly edge-on
 * changes by much within a fraction of a pixel.
 */
export function heightOf(triangle: u32, x: f32, y: f32, positions: usize, indices: usize, ranges: usize): f32 {
  const range = ranges + <usize>triangle * RANGE;
  const low = load<f32>(range), high = load<f32>(range, 4);
  return clamped(planeAt(triangle, x, y, positions, indices, low), low, high);
}

// @ts-ignore: decorator
@inline
function clamped(z: f32, low: f32, high: f32): f32 {
  return z < low ? low : z > high ? high : z;
}

/** z of a triangle's plane at x, y; `low` where it is seen edge-on. */
// @ts-ignore: decorator
@inline
function planeAt(triangle: u32, x: f32, y: f32, positions: usize, indices: usize, low: f32): f32 {
  const i = indices + <usize>triangle * TRIANGLE;
  const a = positions + <usize>load<u32>(i) * VERTEX;
  const b = positions + <usize>load<u32>(i, 4) * VERTEX;
  const c = positions + <usize>load<u32>(i, 8) * VERTEX;
  const px = load<f32>(b) - load<f32>(a), py = load<f32>(b, 4) - load<f32>(a, 4);
  const qx = load<f32>(c) - load<f32>(a), qy = load<f32>(c, 4) - load<f32>(a, 4);
  const area = px * qy - py * qx;
  if (area == 0) return low;
  const az = load<f32>(a, 8), bz = load<f32>(b, 8), cz = load<f32>(c, 8);
  const dx = x - load<f32>(a), dy = y - load<f32>(a, 4);
  return az + ((dx * qy - dy * qx) * (bz - az) + (px * dy - py * dx) * (cz - az)) / area;
}
