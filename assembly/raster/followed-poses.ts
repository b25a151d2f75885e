/**
 * Poses that follow the outline of an object: a mesh is rendered, each point of its outline is paired with the nearest
 * one of the object's outline that faces the same way, and the other way round, and the pose is turned by the least
 * squares of the distances along the object's normals (iterated closest points, Besl and McKay 1992, of the points of
 * an occluding contour). One rendering a round, where trying steps along each axis takes ten.
 */
import { mark, reserve, reset } from '../arena';
import { MOST_TRIANGLES, TRIANGLE, VERTEX, areAllNamed, boundsOf } from '../mesh/check';
import { DONE, OUT_OF_MEMORY } from '../status';
import { triangleNormals } from './edge-list';
import { NOTHING } from './lines';
import { FIGURES, POSE, measure, render } from './poses';
import { POINT as FIXED } from './triangles';

/**
 * A point of an outline: column, row, outward normal right and down; of a rendering also right, down, toward, larger.
 */
const POINT: usize = 32;
/** Turns about right, up and the camera's axis; nearness; size, place right and down, which the box takes again. */
const TERMS: i32 = 7;
const ROW: usize = 64;
const SUMS: usize = memory.data(7 * 64, 16);
const TERM: usize = memory.data(7 * 8, 16);
/** Share of the pairs that is added for each term, pixels² over its unit²: keeps undetermined terms small. */
const RIDGE_OF_TURN: f64 = 1;
const RIDGE_OF_NEARNESS: f64 = 2;
const RIDGE_OF_PLACE: f64 = 1e-3;
/** Distance, pixels of 32, at which a pair counts half. */
const FAR: f32 = 4;
/** Largest turn of a round, rad, and step of nearness; largest nearness. */
const MOST_TURN: f64 = 0.5;
const MOST_STEP: f64 = 0.1;
const MOST_NEARNESS: f64 = 0.4;

/**
 * positions: f32[3 * vertexCount]. indices: u32[3 * triangleCount]. gray: f32[size²], brightness of the object's
 * pixels, -1 where it is not; the longer side of its box takes 60 of 64 parts of a side, centred; rows run downwards.
 * poses: f64[count][10]: unit vectors right, up and towards the camera, then half the diagonal of the mesh's box over
 * the camera's distance from its centre, 0 for a camera far away. posesOut: f64[count][rounds + 1][10], each pose as it
 * was and after each round. out: f32[count][rounds + 1][4], for each of these: pixels of both, of either, what the
 * light leaves unexplained of the squares of brightness in pixels of both, and their squares about the mean. Returns a
 * status.
 */
export function followPoses(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  gray: usize,
  size: i32,
  poses: usize,
  count: i32,
  rounds: i32,
  posesOut: usize,
  out: usize,
): i32 {
  const scratch = mark();
  const status = follow(
    positions, vertexCount, indices, triangleCount, gray, size, poses, count, rounds, posesOut, out,
  );
  reset(scratch);
  return status;
}

function follow(
  positions: usize,
  vertexCount: u32,
  indices: usize,
  triangleCount: u32,
  gray: usize,
  size: i32,
  poses: usize,
  count: i32,
  rounds: i32,
  posesOut: usize,
  out: usize,
): i32 {
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const pixels = <usize>(size * size);
  const box = reserve(32),
    placed = reserve(vertexCount * <u32>VERTEX),
    fixed = reserve(vertexCount * <u32>FIXED),
    normals = reserve(triangleCount * <u32>TRIANGLE);
  const depth = reserve((<u32>pixels) << 2),
    seen = reserve((<u32>pixels) << 2),
    sums = reserve(triangleCount << 3);
  const wanted = reserve(<u32>(pixels * POINT)),
    drawn = reserve(<u32>(pixels * POINT)),
    nearest = reserve((<u32>pixels) << 4);
  if (sums == 0 || seen == 0 || depth == 0 || normals == 0 || placed == 0 || box == 0) return OUT_OF_MEMORY;
  if (fixed == 0 || wanted == 0 || drawn == 0 || nearest == 0) return OUT_OF_MEMORY;
  const status = boundsOf(positions, vertexCount, indices, triangleCount, box);
  if (status != DONE) return status;
  triangleNormals(positions, indices, triangleCount, normals);
  // The points are not needed before the first pose.
  const isWhole = areAllNamed(indices, triangleCount * 3, vertexCount, fixed);
  const x = (<f64>load<f32>(box) + <f64>load<f32>(box, 16)) / 2,
    y = (<f64>load<f32>(box, 4) + <f64>load<f32>(box, 20)) / 2,
    z = (<f64>load<f32>(box, 8) + <f64>load<f32>(box, 24)) / 2;
  const dx = <f64>load<f32>(box, 16) - x,
    dy = <f64>load<f32>(box, 20) - y,
    dz = <f64>load<f32>(box, 24) - z;
  const radius = sqrt<f64>(dx * dx + dy * dy + dz * dz);
  // What is not the object is -1, as what was not drawn has no triangle.
  for (let at: usize = 0; at < pixels << 2; at += 4)
    store<u32>(seen + at, load<f32>(gray + at) < 0 ? <u32>NOTHING : 0);
  const wantedCount = outlineOf(seen, size, wanted);
  for (let start = 0; start < count; start++) {
    let pose = posesOut + <usize>(start * (rounds + 1)) * POSE;
    memory.copy(pose, poses + <usize>start * POSE, POSE);
    for (let round = 0; ; round++, pose += POSE) {
      render(positions, vertexCount, indices, triangleCount, isWhole, pose, x, y, z, radius,
        size, placed, fixed, box, depth, seen);
      measure(gray, pixels, seen, normals, triangleCount, sums, pose,
        out + <usize>(start * (rounds + 1) + round) * FIGURES);
      if (round == rounds) break;
      const drawnCount = outlineOf(seen, size, drawn);
      placePoints(drawn, drawnCount, depth, size, pose, box);
      memory.copy(pose + POSE, pose, POSE);
      if (sumPairs(wanted, wantedCount, drawn, drawnCount, nearest, size, pose, box)) turn(pose + POSE);
    }
  }
  return DONE;
}

/** Pixels of a silhouette beside one that is not of it, with their normals. Returns their number. */
function outlineOf(seen: usize, size: i32, points: usize): i32 {
  let count = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (clear(seen, size, column, row)) continue;
      if (
        !clear(seen, size, column - 1, row) &&
        !clear(seen, size, column + 1, row) &&
        !clear(seen, size, column, row - 1) &&
        !clear(seen, size, column, row + 1)
      )
        continue;
      let across: f32 = 0,
        down: f32 = 0;
      for (let v = -2; v <= 2; v++) {
        for (let u = -2; u <= 2; u++) {
          if (!clear(seen, size, column + u, row + v)) continue;
          across += <f32>u;
          down += <f32>v;
        }
      }
      const length = sqrt<f32>(across * across + down * down);
      if (length == 0) continue;
      const at = points + <usize>count * POINT;
      store<f32>(at, <f32>column);
      store<f32>(at, <f32>row, 4);
      store<f32>(at, across / length, 8);
      store<f32>(at, down / length, 12);
      count++;
    }
  }
  return count;
}

// @ts-ignore: decorator
@inline
function clear(seen: usize, size: i32, column: i32, row: i32): bool {
  if (column < 0 || row < 0 || column >= size || row >= size) return true;
  return load<u32>(seen + ((<usize>(row * size + column)) << 2)) == NOTHING;
}

/** Where the points of a rendering are, as the camera sees them: right, down, toward, and how much larger. */
function placePoints(points: usize, count: i32, depth: usize, size: i32, pose: usize, frame: usize): void {
  const near = <f32>load<f64>(pose, 72);
  const scale = load<f32>(frame, 8);
  const inverse: f32 = scale > 0 ? 1 / scale : 0;
  for (let at = points; at < points + <usize>count * POINT; at += POINT) {
    const column = load<f32>(at),
      row = load<f32>(at, 4);
    const value = load<f32>(depth + ((<usize>(<i32>row * size + <i32>column)) << 2));
    const larger: f32 = near > 0 ? value : 1;
    const right: f32 = ((2 * column + 1) / <f32>size - 1) * inverse + load<f32>(frame);
    const down: f32 = ((2 * row + 1) / <f32>size - 1) * inverse + load<f32>(frame, 4);
    store<f32>(at, right / larger, 16);
    store<f32>(at, down / larger, 20);
    store<f32>(at, near > 0 ? (1 - 1 / value) / near : value, 24);
    store<f32>(at, larger, 28);
  }
}

/** Sums the normal equations of all pairs. False without pairs. */
function sumPairs(
  wanted: usize,
  wantedCount: i32,
  drawn: usize,
  drawnCount: i32,
  nearest: usize,
  size: i32,
  pose: usize,
  frame: usize,
): bool {
  memory.fill(SUMS, 0, 7 * 64);
  // Of each wanted point the nearest drawn one: squared distance, then number.
  for (let i = 0; i < wantedCount; i++) store<f32>(nearest + ((<usize>i) << 3), f32.MAX_VALUE);
  let weight: f64 = 0;
  for (let j = 0; j < drawnCount; j++) {
    const p = drawn + <usize>j * POINT;
    const px = load<f32>(p),
      py = load<f32>(p, 4),
      nx = load<f32>(p, 8),
      ny = load<f32>(p, 12);
    let least: f32 = f32.MAX_VALUE;
    let best: usize = 0;
    let q = wanted;
    for (let to = nearest; to < nearest + ((<usize>wantedCount) << 3); to += 8, q += POINT) {
      if (nx * load<f32>(q, 8) + ny * load<f32>(q, 12) <= 0) continue;
      const dx = load<f32>(q) - px,
        dy = load<f32>(q, 4) - py;
      const distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = q;
      }
      if (distance < load<f32>(to)) {
        store<f32>(to, distance);
        store<u32>(to, <u32>p, 4);
      }
    }
    if (best != 0) weight += addPair(p, best, least, size, pose, frame);
  }
  for (let i = 0; i < wantedCount; i++) {
    const to = nearest + ((<usize>i) << 3);
    const distance = load<f32>(to);
    if (distance < f32.MAX_VALUE)
      weight += addPair(<usize>load<u32>(to, 4), wanted + <usize>i * POINT, distance, size, pose, frame);
  }
  for (let i = 0; i < TERMS; i++) {
    const ridge = i < 3 ? RIDGE_OF_TURN : i == 3 ? RIDGE_OF_NEARNESS : RIDGE_OF_PLACE;
    const at = SUMS + <usize>i * (ROW + 8);
    store<f64>(at, load<f64>(at) + ridge * weight);
  }
  return weight > 0;
}

/** One pair of points: the drawn one should move to the wanted one, along the normal of that. Returns its weight. */
function addPair(p: usize, q: usize, distance: f32, size: i32, pose: usize, frame: usize): f64 {
  const far = (FAR * <f32>size) / 32;
  const weight = <f64>(1 / (1 + distance / (far * far)));
  const nx = <f64>load<f32>(q, 8),
    ny = <f64>load<f32>(q, 12);
  const apart = nx * <f64>(load<f32>(q) - load<f32>(p)) + ny * <f64>(load<f32>(q, 4) - load<f32>(p, 4));
  const x = <f64>load<f32>(p, 16),
    y = -<f64>load<f32>(p, 20),
    t = <f64>load<f32>(p, 24),
    larger = <f64>load<f32>(p, 28),
    near = load<f64>(pose, 72);
  const k = 0.5 * <f64>size * <f64>load<f32>(frame, 8) * larger;
  // The sum of n · (right, down) of the point, by which it moves when it comes nearer.
  const away = nx * x - ny * y;
  store<f64>(TERM, k * (ny * t + away * larger * near * y));
  store<f64>(TERM, k * (nx * t - away * larger * near * x), 8);
  store<f64>(TERM, k * (-nx * y - ny * x), 16);
  store<f64>(TERM, k * away * larger * t, 24);
  store<f64>(TERM, k * away, 32);
  store<f64>(TERM, nx, 40);
  store<f64>(TERM, ny, 48);
  for (let i = 0; i < TERMS; i++) {
    const own = weight * load<f64>(TERM + ((<usize>i) << 3));
    const row = SUMS + <usize>i * ROW;
    for (let j = i; j < TERMS; j++) {
      const at = row + ((<usize>j) << 3);
      store<f64>(at, load<f64>(at) + own * load<f64>(TERM + ((<usize>j) << 3)));
    }
    store<f64>(row, load<f64>(row, 56) + own * apart, 56);
  }
  return weight;
}

/** Solves the sums and turns the pose by what they say; size and place come from the box. */
function turn(pose: usize): void {
  for (let i = 0; i < TERMS; i++) {
    const row = SUMS + <usize>i * ROW;
    const pivot = load<f64>(row + ((<usize>i) << 3));
    for (let j = i + 1; j < TERMS; j++) {
      const factor = load<f64>(row + ((<usize>j) << 3)) / pivot;
      const below = SUMS + <usize>j * ROW;
      for (let l = j; l < TERMS; l++) {
        const at = below + ((<usize>l) << 3);
        store<f64>(at, load<f64>(at) - factor * load<f64>(row + ((<usize>l) << 3)));
      }
      store<f64>(below, load<f64>(below, 56) - factor * load<f64>(row, 56), 56);
    }
  }
  for (let i = TERMS - 1; i >= 0; i--) {
    const row = SUMS + <usize>i * ROW;
    let value = load<f64>(row, 56);
    for (let j = i + 1; j < TERMS; j++)
      value -= load<f64>(row + ((<usize>j) << 3)) * load<f64>(TERM + ((<usize>j) << 3));
    store<f64>(TERM + ((<usize>i) << 3), value / load<f64>(row + ((<usize>i) << 3)));
  }
  let x = load<f64>(TERM),
    y = load<f64>(TERM, 8),
    z = load<f64>(TERM, 16);
  const angle = sqrt<f64>(x * x + y * y + z * z);
  if (!(angle < 1e6)) return;
  const share = angle > MOST_TURN ? MOST_TURN / angle : 1;
  x *= share;
  y *= share;
  z *= share;
  const step = max(-MOST_STEP, min(MOST_STEP, load<f64>(TERM, 24)));
  store<f64>(pose, max<f64>(0, min(MOST_NEARNESS, load<f64>(pose, 72) + step)), 72);
  // To first order, then square to each other again.
  for (let i: usize = 0; i < 24; i += 8) {
    const right = load<f64>(pose + i),
      up = load<f64>(pose + i, 24),
      toward = load<f64>(pose + i, 48);
    store<f64>(pose + i, right + y * toward - z * up);
    store<f64>(pose + i, up + z * right - x * toward, 24);
    store<f64>(pose + i, toward + x * up - y * right, 48);
  }
  bringToOne(pose);
  takeAway(pose + 24, pose);
  bringToOne(pose + 24);
  takeAway(pose + 48, pose);
  takeAway(pose + 48, pose + 24);
  bringToOne(pose + 48);
}

function bringToOne(row: usize): void {
  const x = load<f64>(row),
    y = load<f64>(row, 8),
    z = load<f64>(row, 16);
  const inverse = 1 / sqrt<f64>(x * x + y * y + z * z);
  store<f64>(row, x * inverse);
  store<f64>(row, y * inverse, 8);
  store<f64>(row, z * inverse, 16);
}

function takeAway(row: usize, other: usize): void {
  const along = load<f64>(row) * load<f64>(other) + load<f64>(row, 8) * load<f64>(other, 8) +
    load<f64>(row, 16) * load<f64>(other, 16);
  for (let i: usize = 0; i < 24; i += 8) store<f64>(row + i, load<f64>(row + i) - along * load<f64>(other + i));
}
