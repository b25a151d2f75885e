/**
 * A small convolutional network that tells whether a rendering of a mesh shows the object of a photo;
 * `bench/learn/photos/fits.py` learns it. It sees both pictures at once, of 64 × 64 pixels, so that it can tell by what
 * they differ: a hole, a step, a thread, and not that a shadow or a reflection has no place in the rendering.
 */
import { mark, reserve, reset } from '../arena';
import { MOST_TRIANGLES, TRIANGLE, VERTEX, areAllNamed, boundsOf } from '../mesh/check';
import { DONE, OUT_OF_MEMORY } from '../status';
import { triangleNormals } from './edge-list';
import { NOTHING } from './lines';
import { at, framed, layer, openTable, restOfTable } from './net-layers';
import { POSE, basisOf, lightOf, measure, render } from './poses';
import { POINT } from './triangles';

const SIZE: i32 = 64;
const PIXELS: usize = 4096;
/** Channels of the pictures and of the layers, of which two each have a side half as long as the ones before. */
const SEEN: i32 = 8, A: i32 = 24, B: i32 = 40, C: i32 = 72, D: i32 = 120;
/** Added to the deviation of the brightness of a photo, by which it is divided; most of what results. */
const EVEN: f64 = 0.05;
const MOST: f64 = 4;

const LIGHT: usize = memory.data(4 * 8, 16);
const MEASURED: usize = memory.data(16, 16);

/**
 * positions: f32[3 * vertexCount]. indices: u32[3 * triangleCount]. gray: f32[64²], poses: f64[count][10], as for
 * {@link followPoses}. table: the learned file. out: f32[count]: for each pose how surely the photo shows the mesh, the
 * higher the surer. Returns a status.
 */
export function photoFits(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  gray: usize,
  poses: usize,
  count: i32,
  table: usize,
  out: usize,
): i32 {
  const scratch = mark();
  const status = tell(positions, vertexCount, indices, triangleCount, gray, poses, count, table, out);
  reset(scratch);
  return status;
}

function tell(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  gray: usize,
  poses: usize,
  count: i32,
  table: usize,
  out: usize,
): i32 {
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const box = reserve(32),
    placed = reserve(vertexCount * <u32>VERTEX),
    points = reserve(vertexCount * <u32>POINT),
    normals = reserve(triangleCount * <u32>TRIANGLE),
    sums = reserve(triangleCount << 3);
  const depth = reserve((<u32>PIXELS) << 2),
    seen = reserve((<u32>PIXELS) << 2);
  const image = framed(SIZE, SIZE, SEEN);
  const half = framed(SIZE / 2, SIZE / 2, A), halfAgain = framed(SIZE / 2, SIZE / 2, A);
  const quarter = framed(SIZE / 4, SIZE / 4, B), quarterAgain = framed(SIZE / 4, SIZE / 4, B);
  const eighth = framed(SIZE / 8, SIZE / 8, C), eighthAgain = framed(SIZE / 8, SIZE / 8, C);
  const low = framed(SIZE / 16, SIZE / 16, D), lowAgain = framed(SIZE / 16, SIZE / 16, D);
  const weights = reserve(<u32>(9 * D * D) << 2);
  if (
    box == 0 || placed == 0 || points == 0 || normals == 0 || sums == 0 || depth == 0 || seen == 0 || image == 0 ||
    half == 0 || halfAgain == 0 || quarter == 0 || quarterAgain == 0 || eighth == 0 || eighthAgain == 0 || low == 0 ||
    lowAgain == 0 || weights == 0
  ) return OUT_OF_MEMORY;
  const status = boundsOf(positions, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  triangleNormals(positions, indices, triangleCount, normals);
  // The points are not needed before the first pose.
  const isWhole = areAllNamed(indices, triangleCount * 3, vertexCount, points);
  const x = (<f64>load<f32>(box) + <f64>load<f32>(box, 16)) / 2,
    y = (<f64>load<f32>(box, 4) + <f64>load<f32>(box, 20)) / 2,
    z = (<f64>load<f32>(box, 8) + <f64>load<f32>(box, 24)) / 2;
  const dx = <f64>load<f32>(box, 16) - x,
    dy = <f64>load<f32>(box, 20) - y,
    dz = <f64>load<f32>(box, 24) - z;
  const radius = sqrt<f64>(dx * dx + dy * dy + dz * dz);
  for (let i = 0; i < count; i++) {
    const pose = poses + <usize>i * POSE;
    render(positions, vertexCount, indices, triangleCount, isWhole, pose, x, y, z, radius,
      SIZE, placed, points, box, depth, seen);
    measure(gray, PIXELS, seen, normals, triangleCount, sums, pose, MEASURED);
    lightOf(LIGHT);
    show(gray, depth, seen, normals, pose, <f64>load<f32>(box, 8), image);
    openTable(table);
    layer(image, SIZE, SIZE, SEEN, 0, SEEN, 2, half, A, 0, A, weights);
    layer(half, SIZE / 2, SIZE / 2, A, 0, A, 1, halfAgain, A, 0, A, weights);
    layer(halfAgain, SIZE / 2, SIZE / 2, A, 0, A, 2, quarter, B, 0, B, weights);
    layer(quarter, SIZE / 4, SIZE / 4, B, 0, B, 1, quarterAgain, B, 0, B, weights);
    layer(quarterAgain, SIZE / 4, SIZE / 4, B, 0, B, 2, eighth, C, 0, C, weights);
    layer(eighth, SIZE / 8, SIZE / 8, C, 0, C, 1, eighthAgain, C, 0, C, weights);
    layer(eighthAgain, SIZE / 8, SIZE / 8, C, 0, C, 2, low, D, 0, D, weights);
    layer(low, SIZE / 16, SIZE / 16, D, 0, D, 1, lowAgain, D, 0, D, weights);
    store<f32>(out + ((<usize>i) << 2), weigh(lowAgain));
  }
  return DONE;
}

/**
 * What the network sees: brightness and cover of the photo; normals of the rendering, right, up and towards the camera,
 * its depth and cover, and the brightness that one light gives it.
 */
function show(gray: usize, depth: usize, seen: usize, normals: usize, pose: usize, scale: f64, image: usize): void {
  let many = 0,
    sum: f64 = 0;
  for (let i: usize = 0; i < PIXELS << 2; i += 4) {
    const value = load<f32>(gray + i);
    if (value < 0) continue;
    many++;
    sum += <f64>value;
  }
  const mean = many == 0 ? 0 : sum / <f64>many;
  let squares: f64 = 0;
  for (let i: usize = 0; i < PIXELS << 2; i += 4) {
    const value = load<f32>(gray + i);
    if (value >= 0) squares += (<f64>value - mean) * (<f64>value - mean);
  }
  const spread = (many == 0 ? 0 : sqrt<f64>(squares / <f64>many)) + EVEN;
  const near = load<f64>(pose, 72);
  for (let i = 0; i < <i32>PIXELS; i++) {
    const pixel = at(image, SIZE, SEEN, i % SIZE, i / SIZE);
    memory.fill(pixel, 0, <usize>SEEN << 2);
    const value = load<f32>(gray + ((<usize>i) << 2));
    if (value >= 0) {
      put(pixel, 0, (<f64>value - mean) / spread);
      put(pixel, 1, 1);
    }
    const triangle = load<u32>(seen + ((<usize>i) << 2));
    if (triangle == NOTHING) continue;
    const basis = basisOf(normals + <usize>triangle * TRIANGLE, pose);
    let brightness: f64 = 0;
    for (let k = 0; k < 4; k++) {
      const term = load<f64>(basis + ((<usize>k) << 3));
      brightness += term * load<f64>(LIGHT + ((<usize>k) << 3));
      if (k > 0) put(pixel, 1 + k, term);
    }
    const larger = <f64>load<f32>(depth + ((<usize>i) << 2));
    put(pixel, 5, scale * (near > 0 ? (1 - 1 / larger) / near : larger));
    put(pixel, 6, 1);
    put(pixel, 7, (brightness - mean) / spread);
  }
}

// @ts-ignore: decorator
@inline
function put(pixel: usize, channel: i32, value: f64): void {
  store<f32>(pixel + ((<usize>channel) << 2), <f32>max(-MOST, min(MOST, value)));
}

/** The sum of the means of all channels, each with its weight. */
function weigh(grid: usize): f32 {
  const rest = restOfTable(), side = SIZE / 16;
  const factor = load<f32>(rest);
  let sum: f32 = load<f32>(rest, 4);
  for (let i = 0; i < D; i++) {
    let mean: f32 = 0;
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) mean += load<f32>(at(grid, side, D, x, y) + ((<usize>i) << 2));
    sum += (mean / <f32>(side * side)) * (<f32>load<i8>(rest + 8 + <usize>i) * factor);
  }
  return sum;
}
