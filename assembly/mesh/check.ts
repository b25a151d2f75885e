/**
 * Checks that every kernel makes before it loads a vertex: each index names one. Vertices that no triangle uses are
 * ignored, here and elsewhere: they are not part of the shape.
 */
import { BAD_INDEX, DONE, NOT_FINITE, NO_GEOMETRY } from '../status';

/** Bytes of one vertex: f32[3]. */
export const VERTEX: usize = 12;
/** Bytes of one triangle: u32[3]. */
export const TRIANGLE: usize = 12;

/** Most triangles for kernels that reserve memory per triangle: with more, sizes in bytes would exceed 32 bits. */
export const MOST_TRIANGLES: u32 = 1 << 25;

/** True when all u32[count] at the address are below the limit. */
export function allBelow(address: usize, count: u32, limit: u32): bool {
  const end = address + ((<usize>count) << 2);
  const vectorEnd = address + ((<usize>(count & ~3)) << 2);
  let highest = i32x4.splat(0);
  let at = address;
  for (; at < vectorEnd; at += 16) highest = i32x4.max_u(highest, v128.load(at));
  let most = max(
    max(<u32>i32x4.extract_lane(highest, 0), <u32>i32x4.extract_lane(highest, 1)),
    max(<u32>i32x4.extract_lane(highest, 2), <u32>i32x4.extract_lane(highest, 3)),
  );
  for (; at < end; at += 4) most = max(most, load<u32>(at));
  return count == 0 || most < limit;
}

/**
 * Whether each of the vertices is named by one of u32[count] indices, all below their number. marks: u8[vertexCount].
 */
export function areAllNamed(indices: usize, count: u32, vertexCount: u32, marks: usize): bool {
  memory.fill(marks, 0, vertexCount);
  let left = vertexCount;
  for (let at = indices; at < indices + ((<usize>count) << 2); at += 4) {
    const mark = marks + <usize>load<u32>(at);
    left -= 1 - <u32>load<u8>(mark);
    store<u8>(mark, 1);
  }
  return left == 0;
}

/** As {@link boundsOf}, of finite vertices that triangles use all: a sixth of the loads. */
export function boundsOfAll(positions: usize, vertexCount: u32, box: usize): void {
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  for (let at = positions; at < positions + <usize>vertexCount * VERTEX; at += VERTEX) {
    const vertex = v128.load(at);
    low = f32x4.min(low, vertex);
    high = f32x4.max(high, vertex);
  }
  v128.store(box, low);
  v128.store(box, high, 16);
}

/**
 * Smallest and largest coordinates of the vertices that triangles use, to `box`: f32[8] = low x y z, free, high x y z,
 * free. Returns a status: BAD_INDEX, NOT_FINITE, or NO_GEOMETRY when there is no triangle.
 */
export function boundsOf(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, box: usize): i32 {
  if (triangleCount == 0) return NO_GEOMETRY;
  const count = triangleCount * 3;
  if (!allBelow(indices, count, vertexCount)) return BAD_INDEX;
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  const end = indices + ((<usize>count) << 2);
  // min and max of WebAssembly propagate NaN, so one check at the end finds any.
  for (let at = indices; at < end; at += 4) {
    const vertex = v128.load(positions + <usize>load<u32>(at) * VERTEX);
    low = f32x4.min(low, vertex);
    high = f32x4.max(high, vertex);
  }
  v128.store(box, low);
  v128.store(box, high, 16);
  for (let axis: usize = 0; axis < 12; axis += 4) {
    if (!isFinite(load<f32>(box + axis)) || !isFinite(load<f32>(box + axis, 16))) return NOT_FINITE;
  }
  return DONE;
}
