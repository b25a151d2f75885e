/** Renders a mesh from many directions in one call: the pictures of its shapelets. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, VERTEX, areAllNamed, boundsOf, boundsOfAll } from '../mesh/check';
import { listEdges, listedBytes, triangleNormals } from './edge-list';
import { HIDDEN_LINE, RANGE, VISIBLE_LINE, drawEdges, heightRanges } from './lines';
import { FLOOD_SCRATCH } from './flood';
import { drawOutlines } from './outlines';
import { Keep, POINT, drawTriangles, fixPoints } from './triangles';
import { lastAngle, lastScale, layAlong } from './lay-along';
import { clearSurface, fit, turn } from './view';

/** Pixels a side of the pictures, and of the drawings that are averaged to them. */
const PICTURE: i32 = 64;
const DRAWN: i32 = 128;
/** Pixels of a picture that the longest side of the box takes; equal to SHAPELET_SPAN. */
const SPAN: f64 = 60;

/** How a view is drawn. */
namespace Mode {
  /** Orthographic; the camera's up vector points upwards. */
  export const UPRIGHT: u8 = 0;
  /** In perspective, as photos are, turned so that the longest axis of the shape is horizontal. */
  export const LAID: u8 = 1;
}

/** Bytes of one view: mask, lines, hidden lines. */
const VIEW: usize = 3 * 64 * 64;

/**
 * positions: f32[3 * vertexCount], mm. indices: u32[3 * triangleCount]. cameras: f64[9 * count], each the rows right,
 * up and towards the camera, orthonormal. creaseCos: cosine of the angle between normals from which an edge is a line.
 * modes: u8[count], of {@link Mode}. nearness: half the diagonal of the mesh's box over the distance of a camera in
 * perspective from its middle, 0 to 0.5. pictures: u8[count][3][64²] out: mask, visible lines, hidden lines, how much
 * of each pixel they cover, 0 to 255; rows run downwards. frames: f64[count][4] out: mm a pixel, width and height of
 * the box of what is drawn upright, mm, and radians by which the picture was turned counter-clockwise; 0 a pixel where
 * the part is a point to that camera, and then its pictures are empty. Returns a status.
 */
export function renderModelViews(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, cameras: usize, modes: usize, count: i32,
  nearness: f64, creaseCos: f32, pictures: usize, frames: usize,
): i32 {
  const scratch = mark();
  const status = render(positions, vertexCount, indices, triangleCount, cameras, modes, count, nearness, creaseCos,
      pictures, frames);
  reset(scratch);
  return status;
}

function render(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, cameras: usize, modes: usize, count: i32,
  nearness: f64, creaseCos: f32, pictures: usize, frames: usize,
): i32 {
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const pixels = <usize>(DRAWN * DRAWN);
  const box = reserve(32), frame = reserve(32);
  const turned = reserve(vertexCount * <u32>VERTEX), points = reserve(vertexCount * <u32>POINT);
  const normals = reserve(triangleCount * 12), turnedNormals = reserve(triangleCount * 12);
  const edges = reserve(listedBytes(triangleCount));
  const ranges = reserve(triangleCount * <u32>RANGE);
  const depth = reserve(<u32>pixels << 2), seen = reserve(<u32>pixels << 2), lines = reserve(<u32>pixels);
  const upright = reserve(<u32>VIEW), outside = reserve(4096), rows = reserve(FLOOD_SCRATCH);
  if (points == 0 || ranges == 0 || box == 0 || frame == 0 || turned == 0 || normals == 0 || turnedNormals == 0 || edges == 0
      || depth == 0 || seen == 0 || lines == 0
    || upright == 0 || outside == 0 || rows == 0) {
    return OUT_OF_MEMORY;
  }
  const status = boundsOf(positions, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  triangleNormals(positions, indices, triangleCount, normals);
  const edgeCount = listEdges(positions, vertexCount, indices, triangleCount, normals, creaseCos, edges);
  if (edgeCount < 0) return -edgeCount;

  const lowX = <f64>load<f32>(box), lowY = <f64>load<f32>(box, 4), lowZ = <f64>load<f32>(box, 8);
  const dx = (<f64>load<f32>(box, 16) - lowX) / 2, dy = (<f64>load<f32>(box, 20) - lowY) / 2,
      dz = (<f64>load<f32>(box, 24) - lowZ) / 2;
  const middleX = lowX + dx, middleY = lowY + dy, middleZ = lowZ + dz, radius = sqrt<f64>(dx * dx + dy * dy + dz * dz);

  // The points are not needed before the first view.
  const isWhole = areAllNamed(indices, triangleCount * 3, vertexCount, points);

  memory.fill(pictures, 0, <usize>count * VIEW);
  for (let view = 0; view < count; view++) {
    const camera = cameras + <usize>view * 72;
    const mode = load<u8>(modes + <usize>view);
    const out = frames + <usize>view * 32;
    const picture = pictures + <usize>view * VIEW;
    store<f64>(out, 0);
    store<f64>(out, 0, 24);
    turn(positions, vertexCount, camera, turned);
    if (mode == Mode.LAID) {
      bringNear(turned, vertexCount, camera, middleX, middleY, middleZ, radius, nearness);
      // In perspective, other faces are turned away, so normals are computed again.
      triangleNormals(turned, indices, triangleCount, turnedNormals);
    } else turn(normals, triangleCount, camera, turnedNormals);
    if (isWhole) boundsOfAll(turned, vertexCount, box);
    else boundsOf(turned, vertexCount, indices, triangleCount, box);
    store<f64>(out, <f64>load<f32>(box, 16) - <f64>load<f32>(box), 8);
    store<f64>(out, <f64>load<f32>(box, 20) - <f64>load<f32>(box, 4), 16);
    if (fit(turned, vertexCount, box, 0.5 - SPAN / <f64>PICTURE / 2, frame, DRAWN) == 0) continue;
    store<f64>(out, load<f64>(frame) * <f64>(DRAWN / PICTURE));

    clearSurface(depth, seen, pixels);
    memory.fill(lines, 0, pixels);
    fixPoints(turned, vertexCount, DRAWN, points);
    drawTriangles<i32>(turned, indices, triangleCount, 2, DRAWN, Keep.NEAREST, depth, seen, 0, 0, 0, points);
    heightRanges(turned, indices, triangleCount, ranges);
    drawEdges(turned, indices, turnedNormals, ranges, edges, edgeCount, creaseCos, seen, DRAWN, lines);
    drawOutlines(turned, indices, ranges, depth, seen, DRAWN, lines);
    average(seen, lines, mode == Mode.LAID ? upright : picture);
    if (mode == Mode.LAID) lay(upright, outside, rows, picture, out);
  }
  return DONE;
}

/**
 * Turns an orthographic frame into perspective: coordinates about the centre are scaled by their nearness, and so is
 * the depth, so that lines and planes are preserved.
 */
function bringNear(
  turned: usize, vertexCount: u32, camera: usize, x: f64, y: f64, z: f64, radius: f64, nearness: f64,
): void {
  if (radius == 0 || nearness == 0) return;
  const right = load<f64>(camera) * x + load<f64>(camera, 8) * y + load<f64>(camera, 16) * z;
  const down = -(load<f64>(camera, 24) * x + load<f64>(camera, 32) * y + load<f64>(camera, 40) * z);
  const toward = load<f64>(camera, 48) * x + load<f64>(camera, 56) * y + load<f64>(camera, 64) * z;
  const rate = nearness / radius;
  for (let at = turned; at < turned + <usize>vertexCount * VERTEX; at += VERTEX) {
    const larger = 1 / (1 - rate * (<f64>load<f32>(at, 8) - toward));
    store<f32>(at, <f32>((<f64>load<f32>(at) - right) * larger));
    store<f32>(at, <f32>((<f64>load<f32>(at, 4) - down) * larger), 4);
    store<f32>(at, <f32>((larger - 1) / rate), 8);
  }
}

/** Turns the pictures of a view and writes its new scale. */
function lay(from: usize, outside: usize, rows: usize, to: usize, frame: usize): void {
  layAlong(from, 3, outside, rows, to);
  store<f64>(frame, load<f64>(frame) * lastScale());
  store<f64>(frame, lastAngle(), 24);
}

/** Four drawn pixels become one of each picture: eight drawn columns of two rows at a time. */
function average(seen: usize, lines: usize, out: usize): void {
  const picture = <usize>(PICTURE * PICTURE);
  for (let row = 0; row < PICTURE; row++) {
    for (let column = 0; column < PICTURE; column += 4) {
      const at = <usize>(2 * row * DRAWN + 2 * column), below = at + <usize>DRAWN;
      const to = out + <usize>(row * PICTURE + column);
      const free = i16x8.add(free8(seen + (at << 2)), free8(seen + (below << 2)));
      store4(to, i32x4.add(i32x4.splat(4), i32x4.extadd_pairwise_i16x8_s(free)));
      const upper = v128.load64_zero(lines + at), lower = v128.load64_zero(lines + below);
      store4(to + picture, count4(upper, lower, VISIBLE_LINE));
      store4(to + 2 * picture, count4(upper, lower, HIDDEN_LINE));
    }
  }
}

/** -1 where nothing is seen, else 0: i16x8. */
// @ts-ignore: decorator
@inline
function free8(seen: usize): v128 {
  const nothing = i32x4.splat(-1);
  return i16x8.narrow_i32x4_s(i32x4.eq(v128.load(seen), nothing), i32x4.eq(v128.load(seen, 16), nothing));
}

/** How many of each four bytes, two above two, are of a kind. */
// @ts-ignore: decorator
@inline
function count4(upper: v128, lower: v128, kind: u8): v128 {
  const both = i8x16.add(i8x16.eq(upper, i8x16.splat(kind)), i8x16.eq(lower, i8x16.splat(kind)));
  return i32x4.neg(i32x4.extadd_pairwise_i16x8_s(i16x8.extend_low_i8x16_s(both)));
}

/** Counts 0 to 4 as shares of 255, in four bytes. */
// @ts-ignore: decorator
@inline
function store4(to: usize, counts: v128): void {
  const shares = i32x4.shr_u(i32x4.mul(counts, i32x4.splat(255)), 2);
  const narrow = i16x8.narrow_i32x4_s(shares, shares);
  v128.store32_lane(to, i8x16.narrow_i16x8_u(narrow, narrow), 0);
}
