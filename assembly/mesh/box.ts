/**
 * Boxes around a mesh: parallel to the axes, and the smallest in any orientation. For a solid shape it is searched with
 * its convex hull (see search.ts); for a flat shape it is the smallest rectangle in its plane.
 */
import { reserve } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { VERTEX, boundsOf } from './check';
import { BOX, POINT, SIDE_A, SIDE_B, SIDE_C, alongPoint, makeFrame, turnFrame } from './frame';
import { FLAT, HULL_COARSE, HULL_FLAT, HULL_NO_MEMORY, baseA, baseB, baseC, convexHull } from './hull';
import { volumeArea } from './mass';
import { POINT2, sideX, sideY, smallestRectangle } from './rectangle';
import { findSolidBox } from './search';

/** The vertices that triangles use: f64[3 * allCount], centred, in units of the shape's size. */
let allPoints: usize = 0;
let allCount: u32 = 0;

/** Smallest and largest coordinates, to `out`: f32[8] = low x y z, free, high x y z, free. Returns a status. */
export function axisAlignedBox(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  out: usize,
): i32 {
  return boundsOf(positions, vertexCount, indices, triangleCount, out);
}

/**
 * The smallest box, to `out`: f64[16] = 0..2 centre mm, 3..11 directions of its sides (unit rows, right-handed,
 * longest side first), 12..14 lengths of the sides mm, descending, 15 volume mm³. Returns a status.
 */
export function orientedBox(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  // Refuses invalid meshes and those without area.
  let status = volumeArea(positions, vertexCount, indices, triangleCount, out);
  if (status == DONE) status = boundsOf(positions, vertexCount, indices, triangleCount, out);
  if (status != DONE) return status;
  const x = (<f64>load<f32>(out) + <f64>load<f32>(out, 16)) / 2;
  const y = (<f64>load<f32>(out, 4) + <f64>load<f32>(out, 20)) / 2;
  const z = (<f64>load<f32>(out, 8) + <f64>load<f32>(out, 24)) / 2;
  const dx = <f64>load<f32>(out, 16) - x,
    dy = <f64>load<f32>(out, 20) - y,
    dz = <f64>load<f32>(out, 24) - z;
  const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (size == 0) return NO_GEOMETRY;
  if (!gatherPoints(positions, vertexCount, indices, triangleCount, x, y, z, 1 / size)) return OUT_OF_MEMORY;

  const box = reserve(<u32>BOX);
  if (box == 0) return OUT_OF_MEMORY;
  const hull = convexHull(allPoints, allCount);
  if (hull == HULL_NO_MEMORY) return OUT_OF_MEMORY;
  const isFlat = hull == HULL_FLAT;
  if (!(isFlat ? findFlatBox(box) : findSolidBox(allPoints, allCount, hull == HULL_COARSE, box))) return OUT_OF_MEMORY;
  writeBox(box, isFlat, x, y, z, size, out);
  return DONE;
}

/** Collects the vertices that triangles use, each once, centred and scaled. */
function gatherPoints(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  x: f64,
  y: f64,
  z: f64,
  scale: f64,
): bool {
  const isUsed = reserve(vertexCount);
  if (isUsed == 0) return false;
  memory.fill(isUsed, 0, vertexCount);
  allCount = 0;
  const end = indices + <usize>triangleCount * 12;
  for (let at = indices; at < end; at += 4) {
    const flag = isUsed + <usize>load<u32>(at);
    if (load<u8>(flag) == 0) {
      store<u8>(flag, 1);
      allCount++;
    }
  }
  allPoints = <u64>allCount * POINT > 0xffff0000 ? 0 : reserve(allCount * <u32>POINT);
  if (allPoints == 0) return false;
  let to = allPoints;
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) {
    if (load<u8>(isUsed + <usize>vertex) == 0) continue;
    const from = positions + <usize>vertex * VERTEX;
    store<f64>(to, (<f64>load<f32>(from) - x) * scale);
    store<f64>(to, (<f64>load<f32>(from, 4) - y) * scale, 8);
    store<f64>(to, (<f64>load<f32>(from, 8) - z) * scale, 16);
    to += POINT;
  }
  return true;
}

/** The box of a flat shape: the normal of its plane and the smallest rectangle in it. */
function findFlatBox(box: usize): bool {
  const shadow = reserve(allCount * <u32>POINT2);
  const room = reserve((allCount + 1) * <u32>POINT2);
  if (shadow == 0 || room == 0) return false;
  const a = allPoints + <usize>baseA * POINT,
    b = allPoints + <usize>baseB * POINT,
    c = allPoints + <usize>baseC * POINT;
  const ux = load<f64>(b) - load<f64>(a),
    uy = load<f64>(b, 8) - load<f64>(a, 8),
    uz = load<f64>(b, 16) - load<f64>(a, 16);
  const wx = load<f64>(c) - load<f64>(a),
    wy = load<f64>(c, 8) - load<f64>(a, 8),
    wz = load<f64>(c, 16) - load<f64>(a, 16);
  makeFrame(box, uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx, ux, uy, uz);
  for (let i: u32 = 0; i < allCount; i++) {
    const p = allPoints + <usize>i * POINT;
    const to = shadow + <usize>i * POINT2;
    store<f64>(to, alongPoint(p, box + SIDE_B));
    store<f64>(to, alongPoint(p, box + SIDE_C), 8);
  }
  smallestRectangle(shadow, allCount, room);
  turnFrame(box, sideX, sideY);
  return true;
}

function lowOf(d: usize): f64 {
  let low: f64 = Infinity;
  for (let i: u32 = 0; i < allCount; i++) low = Math.min(low, alongPoint(allPoints + <usize>i * POINT, d));
  return low;
}

function highOf(d: usize): f64 {
  let high: f64 = -Infinity;
  for (let i: u32 = 0; i < allCount; i++) high = Math.max(high, alongPoint(allPoints + <usize>i * POINT, d));
  return high;
}

/** Measures the box on all points, sorts its sides and writes the result in the mesh's frame. */
function writeBox(box: usize, isFlat: bool, x: f64, y: f64, z: f64, size: f64, out: usize): void {
  for (let side: usize = 0; side < 3; side++) {
    const d = box + SIDE_A + side * POINT;
    const low = lowOf(d),
      high = highOf(d);
    // A thickness of the size of rounding errors is 0.
    store<f64>(out + (side << 3), high - low < FLAT && isFlat ? 0 : (high - low) * size, 96);
    const middle = ((low + high) / 2) * size;
    x += middle * load<f64>(d);
    y += middle * load<f64>(d, 8);
    z += middle * load<f64>(d, 16);
    memory.copy(out + 24 + side * POINT, d, POINT);
  }
  if (load<f64>(out, 96) < load<f64>(out, 104)) swapSides(out, 0, 1);
  if (load<f64>(out, 104) < load<f64>(out, 112)) swapSides(out, 1, 2);
  if (load<f64>(out, 96) < load<f64>(out, 104)) swapSides(out, 0, 1);
  pointForward(out + 24);
  pointForward(out + 48);
  const a = out + 24,
    b = out + 48,
    c = out + 72;
  store<f64>(c, load<f64>(a, 8) * load<f64>(b, 16) - load<f64>(a, 16) * load<f64>(b, 8));
  store<f64>(c, load<f64>(a, 16) * load<f64>(b) - load<f64>(a) * load<f64>(b, 16), 8);
  store<f64>(c, load<f64>(a) * load<f64>(b, 8) - load<f64>(a, 8) * load<f64>(b), 16);
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, z, 16);
  store<f64>(out, load<f64>(out, 96) * load<f64>(out, 104) * load<f64>(out, 112), 120);
}

function swapSides(out: usize, i: usize, j: usize): void {
  const length = load<f64>(out + (i << 3), 96);
  store<f64>(out + (i << 3), load<f64>(out + (j << 3), 96), 96);
  store<f64>(out + (j << 3), length, 96);
  for (let axis: usize = 0; axis < POINT; axis += 8) {
    const value = load<f64>(out + 24 + i * POINT + axis);
    store<f64>(out + 24 + i * POINT + axis, load<f64>(out + 24 + j * POINT + axis));
    store<f64>(out + 24 + j * POINT + axis, value);
  }
}

/** Negates the vector if its largest component is negative, so that the direction of a side is unique. */
function pointForward(d: usize): void {
  const x = load<f64>(d),
    y = load<f64>(d, 8),
    z = load<f64>(d, 16);
  const largest = Math.abs(x) >= Math.abs(y) && Math.abs(x) >= Math.abs(z) ? x : Math.abs(y) >= Math.abs(z) ? y : z;
  if (largest >= 0) return;
  store<f64>(d, -x);
  store<f64>(d, -y, 8);
  store<f64>(d, -z, 16);
}
