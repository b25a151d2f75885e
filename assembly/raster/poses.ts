/**
 * How well a mesh in given poses explains a picture of an object: rendered in perspective and fitted to the box of the
 * object, it must cover the same pixels, and one light must explain their brightness by the rendered normals.
 */
import { TRIANGLE, VERTEX, boundsOf, boundsOfAll } from '../mesh/check';
import { NOTHING } from './lines';
import { Keep, POINT, drawTriangles, fixPoint } from './triangles';
import { clearSurface } from './view';

/** How much of a side of the picture the longer side of the object's box takes. */
const SPAN: f64 = 60.0 / 64;
/** A pose: rows right, up, towards the camera, then the object's radius over its distance. */
export const POSE: usize = 80;
export const FIGURES: usize = 16;

/** Model of the brightness at a normal n: a + b·n. Each row of the sums is followed by its right-hand side. */
const TERMS: i32 = 4;
const ROW: usize = 40;
const SUMS: usize = memory.data(4 * 40, 16);
const BASIS: usize = memory.data(4 * 8, 16);
/** Regularisation: keeps undetermined terms small, as a share of a pixel. */
const RIDGE: f64 = 0.02;

/** As the camera sees them: right, down, and what grows towards the camera and is linear along lines of the picture. */
function place(
  positions: usize,
  vertexCount: u32,
  pose: usize,
  x: f64,
  y: f64,
  z: f64,
  radius: f64,
  out: usize,
): void {
  const scale: f64 = radius > 0 ? 1 / radius : 0;
  const rx = <f32>(load<f64>(pose) * scale),
    ry = <f32>(load<f64>(pose, 8) * scale),
    rz = <f32>(load<f64>(pose, 16) * scale);
  const ux = <f32>(-load<f64>(pose, 24) * scale),
    uy = <f32>(-load<f64>(pose, 32) * scale),
    uz = <f32>(-load<f64>(pose, 40) * scale);
  const tx = <f32>(load<f64>(pose, 48) * scale),
    ty = <f32>(load<f64>(pose, 56) * scale),
    tz = <f32>(load<f64>(pose, 64) * scale);
  const near = <f32>load<f64>(pose, 72),
    ox = <f32>x,
    oy = <f32>y,
    oz = <f32>z;
  for (let i: usize = 0; i < <usize>vertexCount * VERTEX; i += VERTEX) {
    const px = load<f32>(positions + i) - ox,
      py = load<f32>(positions + i, 4) - oy,
      pz = load<f32>(positions + i, 8) - oz;
    const toward = tx * px + ty * py + tz * pz;
    const larger: f32 = 1 / (1 - near * toward);
    store<f32>(out + i, (rx * px + ry * py + rz * pz) * larger);
    store<f32>(out + i, (ux * px + uy * py + uz * pz) * larger, 4);
    store<f32>(out + i, near > 0 ? larger : toward, 8);
  }
}

/**
 * Renders a mesh in a pose: depth and number of the triangle at each pixel. x, y, z: middle of its box; radius: half
 * the diagonal. isWhole: triangles use all vertices. placed: f32[3 * vertexCount] and points: [vertexCount][POINT],
 * scratch. frame: f32[8], out: centre right and down, then the factor by which the mesh was fitted to the picture.
 */
export function render(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, isWhole: bool,
  pose: usize, x: f64, y: f64, z: f64, radius: f64,
  size: i32, placed: usize, points: usize, frame: usize, depth: usize, seen: usize,
): void {
  place(positions, vertexCount, pose, x, y, z, radius, placed);
  if (isWhole) boundsOfAll(placed, vertexCount, frame);
  else boundsOf(placed, vertexCount, indices, triangleCount, frame);
  fitBox(placed, vertexCount, frame, size, points);
  clearSurface(depth, seen, <usize>(size * size));
  drawTriangles<i32>(placed, indices, triangleCount, 2, size, Keep.NEAREST, depth, seen, 0, 0, 0, points);
}

/**
 * Fixed-point places on the picture, scaled and centred so that the longer side of the box takes its share. The box
 * becomes the frame.
 */
function fitBox(placed: usize, vertexCount: u32, box: usize, size: i32, points: usize): void {
  const centreX = (load<f32>(box) + load<f32>(box, 16)) / 2,
    centreY = (load<f32>(box, 4) + load<f32>(box, 20)) / 2;
  const side = max(load<f32>(box, 16) - load<f32>(box), load<f32>(box, 20) - load<f32>(box, 4));
  const scale: f32 = side > 0 ? <f32>(2 * SPAN) / side : 0;
  const middle = f32x4.replace_lane(f32x4.splat(centreX), 1, centreY), factor = f32x4.splat(scale);
  const end = points + <usize>vertexCount * POINT;
  for (let out = points, at = placed; out < end; out += POINT, at += VERTEX)
    fixPoint(f32x4.mul(f32x4.sub(v128.load64_zero(at), middle), factor), size, out);
  store<f32>(box, centreX);
  store<f32>(box, centreY, 4);
  store<f32>(box, scale, 8);
}

export function measure(
  gray: usize,
  pixels: usize,
  seen: usize,
  normals: usize,
  triangleCount: u32,
  sums: usize,
  pose: usize,
  out: usize,
): void {
  memory.fill(sums, 0, (<usize>triangleCount) << 3);
  let both = 0,
    either = 0;
  let squares: f64 = 0,
    sum: f64 = 0;
  for (let at: usize = 0; at < pixels << 2; at += 4) {
    const triangle = load<u32>(seen + at),
      value = load<f32>(gray + at);
    const isObject = value >= 0,
      isDrawn = triangle != NOTHING;
    if (!isObject && !isDrawn) continue;
    either++;
    if (!isObject || !isDrawn) continue;
    both++;
    squares += <f64>value * <f64>value;
    sum += <f64>value;
    const to = sums + ((<usize>triangle) << 3);
    store<f32>(to, load<f32>(to) + 1);
    store<f32>(to, load<f32>(to, 4) + value, 4);
  }
  store<f32>(out, <f32>both);
  store<f32>(out, <f32>either, 4);
  store<f32>(out, <f32>(both == 0 ? 0 : squares - explained(normals, triangleCount, sums, pose)), 8);
  store<f32>(out, <f32>(both == 0 ? 0 : squares - (sum * sum) / <f64>both), 12);
}

/** The part of the sum of squares of brightness that the best light explains, given the normals. */
function explained(normals: usize, triangleCount: u32, sums: usize, pose: usize): f64 {
  memory.fill(SUMS, 0, 4 * 40);
  for (let triangle: u32 = 0; triangle < triangleCount; triangle++) {
    const pixels = <f64>load<f32>(sums + ((<usize>triangle) << 3));
    if (pixels == 0) continue;
    const light = <f64>load<f32>(sums + ((<usize>triangle) << 3), 4);
    setBasis(normals + <usize>triangle * TRIANGLE, pose);
    for (let i = 0; i < TERMS; i++) {
      const weight = load<f64>(BASIS + ((<usize>i) << 3));
      const row = SUMS + <usize>i * ROW;
      for (let j = i; j < TERMS; j++)
        store<f64>(
          row + ((<usize>j) << 3),
          load<f64>(row + ((<usize>j) << 3)) + pixels * weight * load<f64>(BASIS + ((<usize>j) << 3)),
        );
      store<f64>(row + 32, load<f64>(row + 32) + light * weight);
    }
  }
  return solve();
}

/** The basis of the brightness model, 1 and the normal turned to the camera, f64[4], of a triangle in a pose. */
export function basisOf(normal: usize, pose: usize): usize {
  setBasis(normal, pose);
  return BASIS;
}

/**
 * The weights of {@link basisOf} of the light that explains what {@link measure} looked at last. light: f64[4], out.
 */
export function lightOf(light: usize): void {
  for (let i = TERMS - 1; i >= 0; i--) {
    const row = SUMS + <usize>i * ROW;
    let value = load<f64>(row + 32);
    for (let j = i + 1; j < TERMS; j++)
      value -= load<f64>(row + ((<usize>j) << 3)) * load<f64>(light + ((<usize>j) << 3));
    store<f64>(light + ((<usize>i) << 3), value / (load<f64>(row + ((<usize>i) << 3)) + RIDGE));
  }
}

function setBasis(normal: usize, pose: usize): void {
  const a = <f64>load<f32>(normal),
    b = <f64>load<f32>(normal, 4),
    c = <f64>load<f32>(normal, 8);
  let z = a * load<f64>(pose, 48) + b * load<f64>(pose, 56) + c * load<f64>(pose, 64);
  const side: f64 = z < 0 ? -1 : 1;
  z *= side;
  const x = side * (a * load<f64>(pose) + b * load<f64>(pose, 8) + c * load<f64>(pose, 16));
  const y = side * (a * load<f64>(pose, 24) + b * load<f64>(pose, 32) + c * load<f64>(pose, 40));
  store<f64>(BASIS, 1);
  store<f64>(BASIS, x, 8);
  store<f64>(BASIS, y, 16);
  store<f64>(BASIS, z, 24);
}

/** Cholesky elimination of the symmetric sums; returns the sum of squares that is explained. */
function solve(): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < TERMS; i++) {
    const row = SUMS + <usize>i * ROW;
    const pivot = load<f64>(row + ((<usize>i) << 3)) + RIDGE;
    const right = load<f64>(row + 32);
    sum += (right * right) / pivot;
    for (let j = i + 1; j < TERMS; j++) {
      const factor = load<f64>(row + ((<usize>j) << 3)) / pivot;
      if (factor == 0) continue;
      const below = SUMS + <usize>j * ROW;
      for (let k = j; k < TERMS; k++)
        store<f64>(
          below + ((<usize>k) << 3),
          load<f64>(below + ((<usize>k) << 3)) - factor * load<f64>(row + ((<usize>k) << 3)),
        );
      store<f64>(below + 32, load<f64>(below + 32) - factor * right);
    }
  }
  return sum;
}
