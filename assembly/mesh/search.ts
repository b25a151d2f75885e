/**
 * The search for the smallest box around a solid shape. The optimum either lies flush with a face of the convex hull or
 * touches it with edges on several sides (O'Rourke 1985; Jylänki 2015), so this tries, as the direction of one side:
 * the normals of the hull's faces, the directions of its edges, and the normals that two of its edges have in common;
 * each with the smallest rectangle around the shadow along it. The best few are then improved: alternately (a side's
 * direction fixed, the best rectangle along it: Barequet, Har-Peled 2001) and by small seeded random rotations, for
 * boxes without a flush face. Nothing depends on the coordinate frame, so a rotated part gets the same box.
 *
 * The hull is only as fine as it needs to be (see hull.ts); the sizes are taken from all vertices.
 */
import { reserve } from '../arena';
import { BOX, POINT, SIDE_A, SIDE_B, SIDE_C, alongPoint, makeFrame } from './frame';
import {
  MOST_FACES,
  boxAlong,
  boxAround,
  castShadow,
  cornerCount,
  cornerX,
  cornerY,
  cornerZ,
  extentAlong,
  faceAreas,
  faceCorners,
  faceCount,
  faceNeighbours,
  gatherAllPoints,
  gatherHull,
  normalX,
  normalY,
  normalZ,
  volumeOf,
} from './solid';

/** Most face directions tried, largest faces first, and the smallest angle between two of them (cosine of 0.5°). */
const MOST_FACE_DIRECTIONS: u32 = 96;
const APART: f64 = 0.99996;
/**
 * For a hull with more corners, proportionally fewer directions and rotations are tried: on a round shape all are about
 * equally good.
 */
const MANY_CORNERS: u32 = 400;
/** Most edge directions, longest edges first; each pair of them gives one more direction. */
const MOST_EDGE_DIRECTIONS: u32 = 18;
/** Flatter edges are artefacts of the triangulation (cosine of the angle between the normals, about 1°). */
const SHARP: f64 = 0.99985;
/** Number of boxes that are improved by alternation, and of those that are then improved by random rotations. */
const KEPT: u32 = 12;
const TURNED: u32 = 4;
/** Directions nearer than this (cosine of 0.001 radians) are tried once. */
const TRIED: f64 = 1 - 5e-7;
/** Boxes are the same when their volumes differ by less, relatively. */
const SAME: f64 = 1e-6;
/** A box larger than the best by this factor is not improved: small rotations never gain that much. */
const HOPEFUL: f64 = 1.15;
/** Random rotations per box, and the first and last angle, radians. */
const TURNS: u32 = 240;
const FIRST_TURN: f64 = 0.03;
const LAST_TURN: f64 = 1e-6;
/** Most alternations; more than three rarely improve the box. */
const ALTERNATIONS: u32 = 6;

// Boxes kept, smallest first, and one to try.
let kept: usize = 0;
let keptCount: u32 = 0;
let trial: usize = 0;
// Directions tried so far.
let tried: usize = 0;
let triedCount: u32 = 0;
let seed: u32 = 0;

/**
 * Searches the smallest box around f64[3 * count] points whose hull was built, and leaves it in `box`. `isCoarse`: the
 * hull lacks some of the points. False without memory.
 */
export function findSolidBox(points: usize, count: u32, isCoarse: bool, box: usize): bool {
  if (!gatherHull(points, count)) return false;
  kept = reserve((KEPT + 1) * <u32>BOX);
  trial = reserve(<u32>BOX);
  tried = reserve((MOST_FACE_DIRECTIONS + MOST_EDGE_DIRECTIONS * MOST_EDGE_DIRECTIONS) * <u32>POINT);
  if (kept == 0 || trial == 0 || tried == 0) return false;
  keptCount = 0;
  triedCount = 0;
  seed = 0x9e3779b9;
  const directions = reserve(<u32>POINT * (MOST_FACE_DIRECTIONS + MOST_EDGE_DIRECTIONS));
  const isDone = reserve(MOST_FACES * 3);
  if (directions == 0 || isDone == 0) return false;

  const fromFaces = pickFaceDirections(directions, isDone);
  for (let i: u32 = 0; i < fromFaces; i++) {
    const d = directions + <usize>i * POINT;
    tryDirection(load<f64>(d), load<f64>(d, 8), load<f64>(d, 16), box);
  }
  const fromEdges = pickEdgeDirections(directions, isDone);
  for (let i: u32 = 0; i < fromEdges; i++) {
    const d = directions + <usize>i * POINT;
    const x = load<f64>(d),
      y = load<f64>(d, 8),
      z = load<f64>(d, 16);
    tryDirection(x, y, z, box);
    for (let j: u32 = 0; j < i; j++) {
      const e = directions + <usize>j * POINT;
      const ex = load<f64>(e),
        ey = load<f64>(e, 8),
        ez = load<f64>(e, 16);
      tryDirection(y * ez - z * ey, z * ex - x * ez, x * ey - y * ex, box);
    }
  }

  for (let i: u32 = 0; i < keptCount; i++) alternate(kept + <usize>i * BOX);
  sortKept();
  keptCount = min(keptCount, TURNED);
  for (let i: u32 = 0; i < keptCount; i++) {
    turnAbout(kept + <usize>i * BOX, FIRST_TURN);
    alternate(kept + <usize>i * BOX);
  }
  // The hull may be coarser than the shape, so boxes are measured around all points.
  if (!gatherAllPoints(points, count)) return false;
  for (let i: u32 = 0; i < keptCount; i++) {
    const candidate = kept + <usize>i * BOX;
    store<f64>(candidate, volumeOf(candidate));
    if (i == 0 || load<f64>(candidate) < load<f64>(box)) memory.copy(box, candidate, BOX);
  }
  if (isCoarse) turnAbout(box, FIRST_TURN / 4);
  return true;
}

/** Writes the normals of the largest faces, no two nearly equal or opposite, to `directions`; returns their number. */
function pickFaceDirections(directions: usize, isDone: usize): u32 {
  memory.fill(isDone, 0, faceCount);
  let picked: u32 = 0;
  const limit = fewer(MOST_FACE_DIRECTIONS);
  while (picked < limit) {
    let most: f64 = 0;
    let at: usize = 0;
    for (let face: u32 = 0; face < faceCount; face++) {
      const area = load<f64>(faceAreas + ((<usize>face) << 3));
      if (area > most && load<u8>(isDone + face) == 0) {
        most = area;
        at = (<usize>face) << 3;
      }
    }
    if (most == 0) break;
    const x = load<f64>(normalX + at),
      y = load<f64>(normalY + at),
      z = load<f64>(normalZ + at);
    for (let face: usize = 0; face < <usize>faceCount; face++) {
      const f = face << 3;
      if (Math.abs(x * load<f64>(normalX + f) + y * load<f64>(normalY + f) + z * load<f64>(normalZ + f)) > APART)
        store<u8>(isDone + face, 1);
    }
    store<u8>(isDone + (at >> 3), 1);
    putDirection(directions, picked++, x, y, z);
  }
  return picked;
}

/** Writes the directions of the longest sharp edges, no two nearly equal, to `directions`; returns their number. */
function pickEdgeDirections(directions: usize, isDone: usize): u32 {
  memory.fill(isDone, 0, faceCount * 3);
  // Each edge once, without flat ones.
  for (let face: u32 = 0; face < faceCount; face++) {
    for (let k: u32 = 0; k < 3; k++) {
      const beyond = load<u32>(faceNeighbours + <usize>face * 12 + ((<usize>k) << 2));
      const f = (<usize>face) << 3,
        g = (<usize>beyond) << 3;
      const cosine =
        load<f64>(normalX + f) * load<f64>(normalX + g) +
        load<f64>(normalY + f) * load<f64>(normalY + g) +
        load<f64>(normalZ + f) * load<f64>(normalZ + g);
      if (beyond < face || cosine > SHARP) store<u8>(isDone + face * 3 + k, 1);
    }
  }
  let picked: u32 = 0;
  const limit = fewer(MOST_EDGE_DIRECTIONS);
  while (picked < limit) {
    let most: f64 = 0;
    let x: f64 = 0,
      y: f64 = 0,
      z: f64 = 0;
    for (let edge: u32 = 0; edge < faceCount * 3; edge++) {
      if (load<u8>(isDone + edge) != 0) continue;
      const face = edge / 3,
        k = edge % 3;
      const corners = faceCorners + <usize>face * 12;
      const a = (<usize>load<u32>(corners + ((<usize>k) << 2))) << 3,
        b = (<usize>load<u32>(corners + ((<usize>(k == 2 ? 0 : k + 1)) << 2))) << 3;
      const dx = load<f64>(cornerX + b) - load<f64>(cornerX + a);
      const dy = load<f64>(cornerY + b) - load<f64>(cornerY + a);
      const dz = load<f64>(cornerZ + b) - load<f64>(cornerZ + a);
      const square = dx * dx + dy * dy + dz * dz;
      if (square <= most) continue;
      if (isPicked(directions, picked, dx, dy, dz, square)) {
        store<u8>(isDone + edge, 1);
        continue;
      }
      most = square;
      x = dx;
      y = dy;
      z = dz;
    }
    if (most == 0) break;
    const scale = 1 / Math.sqrt(most);
    putDirection(directions, picked++, x * scale, y * scale, z * scale);
  }
  return picked;
}

function isPicked(directions: usize, picked: u32, x: f64, y: f64, z: f64, square: f64): bool {
  for (let i: u32 = 0; i < picked; i++) {
    const d = directions + <usize>i * POINT;
    const cosine = x * load<f64>(d) + y * load<f64>(d, 8) + z * load<f64>(d, 16);
    if (cosine * cosine > APART * APART * square) return true;
  }
  return false;
}

function putDirection(directions: usize, index: u32, x: f64, y: f64, z: f64): void {
  const to = directions + <usize>index * POINT;
  store<f64>(to, x);
  store<f64>(to, y, 8);
  store<f64>(to, z, 16);
}

/** Finds the smallest box with a side along the direction, and keeps it if it is among the best. `box` is scratch. */
function tryDirection(x: f64, y: f64, z: f64, box: usize): void {
  if (x * x + y * y + z * z < 1e-12) return;
  makeFrame(box, x, y, z, 0, 0, 0);
  const d = box + SIDE_A;
  for (let i: u32 = 0; i < triedCount; i++) {
    if (Math.abs(alongPoint(tried + <usize>i * POINT, d)) > TRIED) return;
  }
  putDirection(tried, triedCount++, load<f64>(d), load<f64>(d, 8), load<f64>(d, 16));
  const shadow = castShadow(load<f64>(d), load<f64>(d, 8), load<f64>(d, 16));
  // No rectangle is smaller than the shadow inside it. On parts with flat or round sides this ends most trials
  // here.
  const least = keptCount == 0 ? Infinity : load<f64>(kept);
  if (shadow * extentAlong(d) >= least * (1 - SAME)) return;
  boxAround(box);
  const volume = load<f64>(box);
  if (volume > least * HOPEFUL) return;
  // The same box is found from each of its sides.
  for (let i: u32 = 0; i < keptCount; i++) {
    if (Math.abs(load<f64>(kept + <usize>i * BOX) - volume) <= SAME * volume) return;
  }
  keep(box, keptCount);
  if (keptCount < KEPT) keptCount++;
}

/** Inserts the box into the `count` kept ones, which are sorted; the last one moves behind them. */
function keep(box: usize, count: u32): void {
  const volume = load<f64>(box);
  let i = count;
  for (; i > 0 && load<f64>(kept + <usize>(i - 1) * BOX) > volume; i--) {
    memory.copy(kept + <usize>i * BOX, kept + <usize>(i - 1) * BOX, BOX);
  }
  memory.copy(kept + <usize>i * BOX, box, BOX);
}

/** Sorts the boxes again after changes. */
function sortKept(): void {
  for (let i: u32 = 1; i < keptCount; i++) {
    memory.copy(trial, kept + <usize>i * BOX, BOX);
    keep(trial, i);
  }
}

/** Improves the box by the best rectangle along each side in turn, while that reduces its volume. */
function alternate(box: usize): void {
  for (let round: u32 = 0, idle: u32 = 0; round < 3 * ALTERNATIONS && idle < 3; round++) {
    const side = box + SIDE_A + <usize>(round % 3) * POINT;
    boxAlong(load<f64>(side), load<f64>(side, 8), load<f64>(side, 16), trial);
    if (load<f64>(trial) < load<f64>(box) * (1 - 1e-9)) {
      memory.copy(box, trial, BOX);
      idle = 0;
    } else idle++;
  }
}

/**
 * Improves the box by small random rotations about its own sides; their size adapts to their success (Rechenberg 1973).
 */
function turnAbout(box: usize, first: f64): void {
  const turns = fewer(TURNS);
  let size = first;
  for (let turn: u32 = 0; turn < turns && size > LAST_TURN; turn++) {
    const p = size * nextTurn(),
      q = size * nextTurn(),
      r = size * nextTurn();
    const d = box + SIDE_A,
      u = box + SIDE_B,
      v = box + SIDE_C;
    makeFrame(
      trial,
      load<f64>(d) + r * load<f64>(u) - q * load<f64>(v),
      load<f64>(d, 8) + r * load<f64>(u, 8) - q * load<f64>(v, 8),
      load<f64>(d, 16) + r * load<f64>(u, 16) - q * load<f64>(v, 16),
      load<f64>(u) - r * load<f64>(d) + p * load<f64>(v),
      load<f64>(u, 8) - r * load<f64>(d, 8) + p * load<f64>(v, 8),
      load<f64>(u, 16) - r * load<f64>(d, 16) + p * load<f64>(v, 16),
    );
    const volume = volumeOf(trial);
    if (volume < load<f64>(box)) {
      store<f64>(trial, volume);
      memory.copy(box, trial, BOX);
      size = Math.min(size * 1.6, first);
    } else size *= 0.93;
  }
}

/** The number, reduced in proportion when the hull has many corners, but to no less than a third. */
function fewer(most: u32): u32 {
  return min(most, max(most / 3, (most * MANY_CORNERS) / cornerCount));
}

/** The next seeded number, -1 to 1 (xorshift, Marsaglia 2003). */
function nextTurn(): f64 {
  seed ^= seed << 13;
  seed ^= seed >> 17;
  seed ^= seed << 5;
  return <f64>seed / 2147483648 - 1;
}
