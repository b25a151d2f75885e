import { reserve, mark, reset } from '../arena';
import { DONE, OUT_OF_MEMORY, OVERLAID } from '../status';
import { drawAlongAxis } from '../raster/orthographic';
import { boundsOf } from '../mesh/check';
import { sampleSurface } from '../mesh/samples';
import { CLUSTERS, faceDirections, faceFrame, spreadFrame, surfaceMoments } from './frame';
import { stretch } from './stretch';
import { SIDE, HOG_LENGTH, hog, blurred } from './hog';
import { ANGLES_LENGTH, PAIRS_LENGTH, pairHistogram } from './pairs';
import { CHANNEL_LENGTH, IMAGE_SIDE, IMAGES_LENGTH } from './arrangement';

/**
 * The shape of a part in numbers that do not depend on how it is turned, moved or scaled. Rows of f32:
 *   hog      [3 channels: depth, facing, layers][CHANNEL_LENGTH]  views along the face frame, stretched to a cube
 *   images   [IMAGES_LENGTH]      facing images along the spread frame, stretched to a cube
 *   pairs    [PAIRS_LENGTH]       point pairs of the half-stretched part
 *   plain    [PAIRS_LENGTH]       point pairs of the part as it is: its proportions
 *   angles   [ANGLES_LENGTH]      angles between normals of the part as it is
 *   shares   [SHARES]             square roots of the area shares of the largest face directions, falling
 *   entropy  [1]                  of these shares, over 5
 *   extents  [3]                  edges of the box along the face frame, falling, mm
 *
 * Stretching each axis until the box is a cube makes a long and a short screw alike (and is what the retrieval of part
 * classes gains most from); the order within a family comes from the extents.
 */
export const SHARES: i32 = 16;
export const SHAPE_LENGTH: i32 = 3 * CHANNEL_LENGTH + IMAGES_LENGTH + 2 * PAIRS_LENGTH + ANGLES_LENGTH + SHARES + 1 + 3;

/** Pixels a side that views are drawn with, averaged 3 × 3 for the histograms and 6 × 6 for the small images. */
const DRAWN: i32 = 96;
const DRAWN_BYTES: u32 = DRAWN * DRAWN * 4;
const BOX_FILL: f64 = 0.98;
/** Largest area of the surface of a stretched part: 5,000 squares of its box's diagonal. It takes as long to draw. */
const MOST_AREA: f64 = 5000 * 3 * (2 * BOX_FILL) * (2 * BOX_FILL);
const HOG_BLUR: f32 = 0.7;
const IMAGE_BLUR: f32 = 1.5;
const SAMPLES: i32 = 4096;
const PARTNERS: i32 = 5;
const SEED: u32 = 0x5eed;

/**
 * positions: f32[3 * vertexCount], mm, near the origin. indices: u32[3 * triangleCount]. out: f32[SHAPE_LENGTH].
 * Returns the status.
 */
export function describeShape(positions: usize, vertexCount: i32, indices: usize, triangleCount: i32, out: usize): i32 {
  const scratch = mark();
  const status = describe(positions, vertexCount, indices, triangleCount, out);
  reset(scratch);
  return status;
}

function describe(positions: usize, vertexCount: i32, indices: usize, triangleCount: i32, out: usize): i32 {
  const clusters = reserve(CLUSTERS * 32);
  const moments = reserve(48),
    centroid = reserve(24),
    axes = reserve(72),
    extents = reserve(24);
  const turned = reserve(<u32>vertexCount * 12),
    box = reserve(32);
  const points = reserve(SAMPLES * 12),
    normals = reserve(SAMPLES * 12);
  if (turned == 0 || box == 0 || points == 0 || normals == 0) return OUT_OF_MEMORY;

  let status = boundsOf(positions, <u32>vertexCount, indices, <u32>triangleCount, box);
  if (status != DONE) return status;
  status = faceDirections(positions, indices, triangleCount, clusters);
  if (status != DONE) return status;
  status = surfaceMoments(positions, indices, triangleCount, moments, centroid);
  if (status != DONE) return status;

  faceFrame(clusters, moments, axes);
  const images = out + <usize>(3 * CHANNEL_LENGTH * 4);
  const pairs = images + <usize>(IMAGES_LENGTH * 4);
  const plain = pairs + <usize>(PAIRS_LENGTH * 4);
  const angles = plain + <usize>(PAIRS_LENGTH * 4);
  const shares = angles + <usize>(ANGLES_LENGTH * 4);
  const entropy = shares + <usize>(SHARES * 4);

  stretch(positions, vertexCount, indices, triangleCount, axes, 0.5, BOX_FILL, turned, extents);
  status = sampleSurface(turned, <u32>vertexCount, indices, <u32>triangleCount, SAMPLES, SEED, points, normals);
  if (status != DONE) return status;
  status = pairHistogram(points, normals, SAMPLES, PARTNERS, SEED, pairs, angles);
  if (status != DONE) return status;
  status = sampleSurface(positions, <u32>vertexCount, indices, <u32>triangleCount, SAMPLES, SEED, points, normals);
  if (status != DONE) return status;
  status = pairHistogram(points, normals, SAMPLES, PARTNERS, SEED, plain, angles);
  if (status != DONE) return status;

  stretch(positions, vertexCount, indices, triangleCount, axes, 1, BOX_FILL, turned, extents);
  putShares(clusters, shares, entropy);
  putExtents(extents, entropy + 4);
  if (areaOf(turned, indices, triangleCount) > MOST_AREA) return OVERLAID;
  status = putHistograms(turned, indices, triangleCount, out);
  if (status != DONE) return status;

  spreadFrame(moments, axes);
  stretch(positions, vertexCount, indices, triangleCount, axes, 1, BOX_FILL, turned, extents);
  if (areaOf(turned, indices, triangleCount) > MOST_AREA) return OVERLAID;
  return putImages(turned, indices, triangleCount, images);
}

function areaOf(positions: usize, indices: usize, triangleCount: i32): f64 {
  let sum: f64 = 0;
  for (let t: usize = 0; t < <usize>triangleCount * 12; t += 12) {
    const a = positions + <usize>load<u32>(indices + t) * 12,
      b = positions + <usize>load<u32>(indices + t, 4) * 12,
      c = positions + <usize>load<u32>(indices + t, 8) * 12;
    const ax = load<f32>(a), ay = load<f32>(a, 4), az = load<f32>(a, 8);
    const ux = load<f32>(b) - ax, uy = load<f32>(b, 4) - ay, uz = load<f32>(b, 8) - az;
    const vx = load<f32>(c) - ax, vy = load<f32>(c, 4) - ay, vz = load<f32>(c, 8) - az;
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    sum += <f64>sqrt<f32>(x * x + y * y + z * z);
  }
  return 0.5 * sum;
}

/** Buffers of one drawing; five images of DRAWN² and one of SIDE². */
function reserveDrawing(): usize {
  return reserve(5 * DRAWN_BYTES + SIDE * SIDE * 4);
}

function putHistograms(positions: usize, indices: usize, triangleCount: i32, out: usize): i32 {
  const near = reserveDrawing();
  if (near == 0) return OUT_OF_MEMORY;
  const far = near + DRAWN_BYTES,
    nearFacing = far + DRAWN_BYTES,
    farFacing = nearFacing + DRAWN_BYTES;
  const layers = farFacing + DRAWN_BYTES,
    small = layers + DRAWN_BYTES;
  for (let axis = 0; axis < 3; axis++) {
    drawAlongAxis(positions, indices, triangleCount, axis, DRAWN, near, far, nearFacing, farFacing, layers);
    // A needle may pass between all pixel centres; its views are then empty, and its point pairs describe it.
    toDepth(near, 1);
    toDepth(far, -1);
    toLog(layers);
    const first = out + <usize>(2 * axis * HOG_LENGTH * 4);
    const second = first + <usize>(HOG_LENGTH * 4);
    const channel: usize = CHANNEL_LENGTH * 4;
    putHog(near, small, first);
    putHog(far, small, second);
    putHog(nearFacing, small, first + channel);
    putHog(farFacing, small, second + channel);
    putHog(layers, small, first + 2 * channel);
    memory.copy(second + 2 * channel, first + 2 * channel, HOG_LENGTH * 4);
  }
  return DONE;
}

function putHog(image: usize, small: usize, out: usize): void {
  average(image, DRAWN / SIDE, SIDE, small);
  hog(small, HOG_BLUR, out);
}

function putImages(positions: usize, indices: usize, triangleCount: i32, out: usize): i32 {
  const near = reserveDrawing();
  if (near == 0) return OUT_OF_MEMORY;
  const far = near + DRAWN_BYTES,
    nearFacing = far + DRAWN_BYTES,
    farFacing = nearFacing + DRAWN_BYTES;
  const layers = farFacing + DRAWN_BYTES,
    small = layers + DRAWN_BYTES;
  const bytes: usize = IMAGE_SIDE * IMAGE_SIDE * 4;
  for (let axis = 0; axis < 3; axis++) {
    drawAlongAxis(positions, indices, triangleCount, axis, DRAWN, near, far, nearFacing, farFacing, layers);
    for (let side = 0; side < 2; side++) {
      average(side == 0 ? nearFacing : farFacing, DRAWN / SIDE, SIDE, small);
      average(blurred(small, IMAGE_BLUR), SIDE / IMAGE_SIDE, IMAGE_SIDE, out + <usize>(2 * axis + side) * bytes);
    }
  }
  return DONE;
}

/** Converts coordinates along the axis: 0 for empty pixels, 0.05 (farthest) to 1 (nearest) for others. */
function toDepth(image: usize, sign: f32): void {
  for (let i: usize = 0; i < <usize>DRAWN_BYTES; i += 4) {
    const depth = load<f32>(image + i);
    const empty = abs<f32>(depth) > 1.5;
    store<f32>(image + i, empty ? 0 : <f32>0.05 + <f32>0.475 * (sign * depth + 1));
  }
}

/** Converts layers to log(1 + layers), because further walls add little information. */
function toLog(image: usize): void {
  for (let i: usize = 0; i < <usize>DRAWN_BYTES; i += 4) store<f32>(image + i, Mathf.log(1 + load<f32>(image + i)));
}

/** Means of blocks of factor × factor pixels. image: f32[(side * factor)²]; out: f32[side²]. */
function average(image: usize, factor: i32, side: i32, out: usize): void {
  const wide = side * factor;
  const scale: f32 = 1 / <f32>(factor * factor);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let sum: f32 = 0;
      for (let j = 0; j < factor; j++) {
        const row = image + ((<usize>((y * factor + j) * wide + x * factor)) << 2);
        for (let i: usize = 0; i < <usize>factor; i++) sum += load<f32>(row + (i << 2));
      }
      store<f32>(out + ((<usize>(y * side + x)) << 2), sum * scale);
    }
  }
}

function putShares(clusters: usize, shares: usize, entropy: usize): void {
  let sum: f64 = 0;
  for (let k: usize = 0; k < <usize>CLUSTERS; k++) {
    const share = load<f64>(clusters + k * 32);
    if (share > 0) sum -= share * Math.log(share);
    if (k < <usize>SHARES) store<f32>(shares + (k << 2), <f32>Math.sqrt(share));
  }
  store<f32>(entropy, <f32>(sum / 5));
}

function putExtents(extents: usize, out: usize): void {
  let a = load<f64>(extents),
    b = load<f64>(extents, 8),
    c = load<f64>(extents, 16);
  let held: f64;
  if (a < b) {
    held = a;
    a = b;
    b = held;
  }
  if (b < c) {
    held = b;
    b = c;
    c = held;
  }
  if (a < b) {
    held = a;
    a = b;
    b = held;
  }
  store<f32>(out, <f32>a);
  store<f32>(out, <f32>b, 4);
  store<f32>(out, <f32>c, 8);
}
