/** Renders a mesh from any direction: depth, normals, mask and feature lines. */
import { mark, reserve, reset } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, VERTEX, boundsOf } from '../mesh/check';
import { listEdges, listedBytes, triangleNormals } from './edge-list';
import { NOTHING, RANGE, drawEdges, heightRanges } from './lines';
import { drawOutlines } from './outlines';
import { Keep, drawTriangles } from './triangles';

/** Above this many pixels a side edge functions need 64 bits. */
export const NARROW: i32 = 181;

/**
 * Draws the mesh along a camera's axis, fitted into the image. positions: f32[3 * vertexCount], mm. indices: u32[3 *
 * triangleCount]. camera: f64[9], the rows right, up and towards the camera, orthonormal. size: pixels a side. margin:
 * share of a side left free at each border, below 0.5. creaseCos: cosine of the angle between normals from which an
 * edge is a line. depth: f32[size²] out, mm behind the nearest point; Infinity where nothing is. normals: i8[3 * size²]
 * out, right, up and towards the camera, times 127, turned to face it. mask: u8[size²] out. lines: u8[size²] out, 1
 * hidden, 2 visible. frame: f64[4] out, mm a pixel, then the coordinates along right, up and towards of the image's
 * centre at depth 0. Rows run downwards. Returns a status.
 */
export function renderView(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  camera: usize,
  size: i32,
  margin: f64,
  creaseCos: f32,
  depth: usize,
  normals: usize,
  mask: usize,
  lines: usize,
  frame: usize,
): i32 {
  const scratch = mark();
  const status = render(
    positions,
    vertexCount,
    indices,
    triangleCount,
    camera,
    size,
    margin,
    creaseCos,
    depth,
    normals,
    mask,
    lines,
    frame,
  );
  reset(scratch);
  return status;
}

function render(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  camera: usize,
  size: i32,
  margin: f64,
  creaseCos: f32,
  depth: usize,
  normals: usize,
  mask: usize,
  lines: usize,
  frame: usize,
): i32 {
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const pixels = <usize>(size * size);
  const box = reserve(32);
  const turned = reserve(vertexCount * <u32>VERTEX);
  const triangleNormal = reserve(triangleCount * 12);
  const seen = reserve((<u32>pixels) << 2);
  const edges = reserve(listedBytes(triangleCount));
  const ranges = reserve(triangleCount * <u32>RANGE);
  if (ranges == 0 || box == 0 || turned == 0 || triangleNormal == 0 || seen == 0 || edges == 0) return OUT_OF_MEMORY;

  turn(positions, vertexCount, camera, turned);
  const status = boundsOf(turned, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  const unit = fit(turned, vertexCount, box, margin, frame, size);
  if (unit == 0) return NO_GEOMETRY;
  triangleNormals(turned, indices, triangleCount, triangleNormal);

  clearSurface(depth, seen, pixels);
  if (size <= NARROW) drawTriangles<i32>(turned, indices, triangleCount, 2, size, Keep.NEAREST, depth, seen, 0, 0, 0, 0);
  else drawTriangles<i64>(turned, indices, triangleCount, 2, size, Keep.NEAREST, depth, seen, 0, 0, 0, 0);

  memory.fill(lines, 0, pixels);
  const edgeCount = listEdges(turned, vertexCount, indices, triangleCount, triangleNormal, creaseCos, edges);
  if (edgeCount < 0) return -edgeCount;
  heightRanges(turned, indices, triangleCount, ranges);
  drawEdges(turned, indices, triangleNormal, ranges, edges, edgeCount, creaseCos, seen, size, lines);
  drawOutlines(turned, indices, ranges, depth, seen, size, lines);
  putPixels(pixels, unit, seen, triangleNormal, depth, normals, mask);
  return DONE;
}

/** Clears the buffers. depth: f32[pixels], seen: u32[pixels], both followed by 16 bytes. */
export function clearSurface(depth: usize, seen: usize, pixels: usize): void {
  memory.fill(seen, 0xff, pixels << 2);
  const far = f32x4.splat(-Infinity);
  for (let at = depth; at < depth + (pixels << 2); at += 16) v128.store(at, far);
}

/** Coordinates right, down and towards the camera, mm. */
export function turn(positions: usize, vertexCount: u32, camera: usize, out: usize): void {
  const rx = load<f64>(camera),
    ry = load<f64>(camera, 8),
    rz = load<f64>(camera, 16);
  const ux = load<f64>(camera, 24),
    uy = load<f64>(camera, 32),
    uz = load<f64>(camera, 40);
  const tx = load<f64>(camera, 48),
    ty = load<f64>(camera, 56),
    tz = load<f64>(camera, 64);
  for (let i: usize = 0; i < <usize>vertexCount * VERTEX; i += VERTEX) {
    const x = <f64>load<f32>(positions + i),
      y = <f64>load<f32>(positions + i, 4),
      z = <f64>load<f32>(positions + i, 8);
    store<f32>(out + i, <f32>(rx * x + ry * y + rz * z));
    store<f32>(out + i, <f32>-(ux * x + uy * y + uz * z), 4);
    store<f32>(out + i, <f32>(tx * x + ty * y + tz * z), 8);
  }
}

/**
 * Moves and scales so that the image covers [-1, 1], its centre that of the drawn box and its nearest point at z = 0.
 * Returns mm per unit; 0 when everything projects to one point.
 */
export function fit(turned: usize, vertexCount: u32, box: usize, margin: f64, frame: usize, size: i32): f64 {
  const lowX = <f64>load<f32>(box),
    lowY = <f64>load<f32>(box, 4),
    highX = <f64>load<f32>(box, 16),
    highY = <f64>load<f32>(box, 20);
  const centreX = (lowX + highX) / 2,
    centreY = (lowY + highY) / 2,
    nearest = <f64>load<f32>(box, 24);
  const unit = max(highX - lowX, highY - lowY) / 2 / (1 - 2 * margin);
  if (unit == 0) return 0;
  for (let at = turned; at < turned + <usize>vertexCount * VERTEX; at += VERTEX) {
    store<f32>(at, <f32>((<f64>load<f32>(at) - centreX) / unit));
    store<f32>(at, <f32>((<f64>load<f32>(at, 4) - centreY) / unit), 4);
    store<f32>(at, <f32>((<f64>load<f32>(at, 8) - nearest) / unit), 8);
  }
  store<f64>(frame, (2 * unit) / <f64>size);
  store<f64>(frame, centreX, 8);
  store<f64>(frame, -centreY, 16);
  store<f64>(frame, nearest, 24);
  return unit;
}

/** Converts the buffers to the results of the call. */
function putPixels(
  pixels: usize,
  unit: f64,
  seen: usize,
  triangleNormal: usize,
  depth: usize,
  normals: usize,
  mask: usize,
): void {
  for (let i: usize = 0; i < pixels; i++) {
    const triangle = load<u32>(seen + (i << 2));
    const isFilled = triangle != NOTHING;
    store<u8>(mask + i, isFilled ? 1 : 0);
    store<f32>(depth + (i << 2), isFilled ? <f32>(unit * -(<f64>load<f32>(depth + (i << 2)))) : Infinity);
    const normal = triangleNormal + (isFilled ? <usize>triangle * 12 : 0);
    const z = load<f32>(normal, 8);
    const scale: f32 = !isFilled ? 0 : z < 0 ? -127 : 127;
    store<i8>(normals + 3 * i, <i8>nearest<f32>(scale * load<f32>(normal)));
    store<i8>(normals + 3 * i, <i8>nearest<f32>(-scale * load<f32>(normal, 4)), 1);
    store<i8>(normals + 3 * i, <i8>nearest<f32>(scale * z), 2);
  }
}
