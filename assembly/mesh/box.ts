/**
 * Smallest box in any orientation. The optimum either lies flush with a face of the convex hull or touches it with edges
 * on several sides (O'Rourke 1985; Jylänki 2015), so this tries, as the direction of one side:
 *   the normals of the hull's faces, the directions of its edges, and the normals that two of its edges have in common;
 * each with the smallest rectangle around the shadow along it. The best few are then improved: alternately (a side's
 * direction fixed, the best rectangle along it: Barequet, Har-Peled 2001) and by small seeded random turns, for boxes that
 * no face lies flush with. Nothing here depends on the frame of the coordinates, so a turned part finds the same box.
 *
 * The hull is only as fine as it needs to be (see hull.ts); the sizes are taken from all vertices.
 */
import { reserve } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { VERTEX, boundsOf } from './check';
import {
  FLAT, HULL_COARSE, HULL_FLAT, HULL_NO_MEMORY, MOST_HULL_VERTICES, POINT,
  baseA, baseB, baseC, convexHull, hullCorner, hullFaceIsAlive, hullFaceSlots, hullNeighbour, hullNormal,
} from './hull';
import { volumeArea } from './mass';
import { POINT2, rectangleArea, sideX, sideY, smallestRectangle } from './rectangle';

/** Face directions tried at most, largest faces first, and the least angle between two of them (cosine of 0.5°). */
const MOST_FACE_DIRECTIONS: u32 = 96;
/** A hull of more corners than this gets fewer directions and turns in proportion: a round shape is no box's friend anyway. */
const MANY_CORNERS: u32 = 400;
const APART: f64 = 0.99996;
/** Edge directions at most, longest edges first; every two of them give one direction more. */
const MOST_EDGE_DIRECTIONS: u32 = 18;
/** Edges flatter than this are the triangulation's (cosine between the faces' normals, about 1°). */
const SHARP: f64 = 0.99985;
/** Boxes that are improved by alternation, and how many of them then by random turns. */
const KEPT: u32 = 12;
const TURNED: u32 = 4;
/** Directions nearer than this (cosine of 0.001 radians) are tried once. */
const TRIED: f64 = 1 - 5e-7;
/** Boxes are the same when their volumes differ by less, relatively. */
const SAME: f64 = 1e-6;
/** A box larger than the best by this factor is not worth improving: small turns never gain so much. */
const HOPEFUL: f64 = 1.15;
/** Random turns for each, and the first and last size of a turn, radians. */
const TURNS: u32 = 240;
const FIRST_TURN: f64 = 0.03;
const LAST_TURN: f64 = 1e-6;
/** Alternations at most; seldom more than three bring anything. */
const ALTERNATIONS: u32 = 6;

/** A box that was found: f64 volume, then f64[9] its three directions. */
const CANDIDATE: usize = 80;
const MOST_FACES: u32 = 2 * MOST_HULL_VERTICES;

let allPoints: usize = 0;
let allCount: u32 = 0;
// The hull's corners by coordinate, f64 each, an even number; its faces' normals likewise, corners and neighbours u32[3].
let cornerX: usize = 0;
let cornerY: usize = 0;
let cornerZ: usize = 0;
let cornerCount: u32 = 0;
let normalX: usize = 0;
let normalY: usize = 0;
let normalZ: usize = 0;
let faceAreas: usize = 0;
let faceCorners: usize = 0;
let faceNeighbours: usize = 0;
let faceCount: u32 = 0;
// Scratch: which side of the shadow a face is on, which corners are in the outline, the outline and its hull.
let sides: usize = 0;
let isOutline: usize = 0;
let outline: usize = 0;
let outlineHull: usize = 0;
// Boxes kept, smallest first.
let kept: usize = 0;
let keptCount: u32 = 0;
let trial: usize = 0;
// Directions tried so far.
let tried: usize = 0;
let triedCount: u32 = 0;
let seed: u32 = 0;

/** Smallest and largest coordinates, to `out`: f32[8] = low x y z, free, high x y z, free. Returns a status. */
export function axisAlignedBox(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  return boundsOf(positions, vertexCount, indices, triangleCount, out);
}

/**
 * The smallest box, to `out`: f64[16] = 0..2 centre mm, 3..11 directions of its sides (unit rows, right-handed,
 * longest side first), 12..14 lengths of the sides mm, falling, 15 volume mm³. Returns a status.
 */
export function orientedBox(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  // Refuses bad meshes, and those without area: a line has no box worth the name.
  let status = volumeArea(positions, vertexCount, indices, triangleCount, out);
  if (status == DONE) status = boundsOf(positions, vertexCount, indices, triangleCount, out);
  if (status != DONE) return status;
  const x = (<f64>load<f32>(out) + <f64>load<f32>(out, 16)) / 2;
  const y = (<f64>load<f32>(out, 4) + <f64>load<f32>(out, 20)) / 2;
  const z = (<f64>load<f32>(out, 8) + <f64>load<f32>(out, 24)) / 2;
  const dx = <f64>load<f32>(out, 16) - x, dy = <f64>load<f32>(out, 20) - y, dz = <f64>load<f32>(out, 24) - z;
  const size = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (size == 0) return NO_GEOMETRY;
  if (!gatherPoints(positions, vertexCount, indices, triangleCount, x, y, z, 1 / size)) return OUT_OF_MEMORY;

  const box = reserve(<u32>CANDIDATE);
  if (box == 0) return OUT_OF_MEMORY;
  const hull = convexHull(allPoints, allCount);
  if (hull == HULL_NO_MEMORY) return OUT_OF_MEMORY;
  const isFlat = hull == HULL_FLAT;
  if (!(isFlat ? findFlatBox(box) : findSolidBox(box, hull == HULL_COARSE))) return OUT_OF_MEMORY;
  writeBox(box, isFlat, x, y, z, size, out);
  return DONE;
}

/** The vertices in use, once each, centred and scaled. */
function gatherPoints(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, x: f64, y: f64, z: f64, scale: f64): bool {
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

/** Of a shape in a plane: the plane's normal and the smallest rectangle within. */
function findFlatBox(box: usize): bool {
  outline = reserve(allCount * <u32>POINT2);
  outlineHull = reserve((allCount + 1) * <u32>POINT2);
  if (outline == 0 || outlineHull == 0) return false;
  const a = allPoints + <usize>baseA * POINT, b = allPoints + <usize>baseB * POINT, c = allPoints + <usize>baseC * POINT;
  const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
  const wx = load<f64>(c) - load<f64>(a), wy = load<f64>(c, 8) - load<f64>(a, 8), wz = load<f64>(c, 16) - load<f64>(a, 16);
  makeFrame(box, uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx, ux, uy, uz);
  for (let i: u32 = 0; i < allCount; i++) {
    const p = allPoints + <usize>i * POINT;
    const to = outline + <usize>i * POINT2;
    store<f64>(to, alongPoint(p, box + 32));
    store<f64>(to, alongPoint(p, box + 56), 8);
  }
  smallestRectangle(outline, allCount, outlineHull);
  turnFrame(box, sideX, sideY);
  return true;
}

function findSolidBox(box: usize, isCoarse: bool): bool {
  if (!gatherHull()) return false;
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
    const x = load<f64>(d), y = load<f64>(d, 8), z = load<f64>(d, 16);
    tryDirection(x, y, z, box);
    for (let j: u32 = 0; j < i; j++) {
      const e = directions + <usize>j * POINT;
      const ex = load<f64>(e), ey = load<f64>(e, 8), ez = load<f64>(e, 16);
      tryDirection(y * ez - z * ey, z * ex - x * ez, x * ey - y * ex, box);
    }
  }

  for (let i: u32 = 0; i < keptCount; i++) alternate(kept + <usize>i * CANDIDATE);
  sortKept();
  keptCount = min(keptCount, TURNED);
  for (let i: u32 = 0; i < keptCount; i++) {
    turnAbout(kept + <usize>i * CANDIDATE, FIRST_TURN);
    alternate(kept + <usize>i * CANDIDATE);
  }
  // The hull may be coarser than the shape: what counts is the box around all points.
  if (!gatherAllPoints()) return false;
  for (let i: u32 = 0; i < keptCount; i++) {
    const candidate = kept + <usize>i * CANDIDATE;
    store<f64>(candidate, volumeOf(candidate));
    if (i == 0 || load<f64>(candidate) < load<f64>(box)) memory.copy(box, candidate, CANDIDATE);
  }
  if (isCoarse) turnAbout(box, FIRST_TURN / 4);
  return true;
}

/** Copies the hull into flat arrays, numbering its corners and faces anew. */
function gatherHull(): bool {
  const room = (MOST_HULL_VERTICES + 2) * 8;
  cornerX = reserve(room);
  cornerY = reserve(room);
  cornerZ = reserve(room);
  normalX = reserve(MOST_FACES * 8);
  normalY = reserve(MOST_FACES * 8);
  normalZ = reserve(MOST_FACES * 8);
  faceAreas = reserve(MOST_FACES * 8);
  faceCorners = reserve(MOST_FACES * 12);
  faceNeighbours = reserve(MOST_FACES * 12);
  sides = reserve(MOST_FACES);
  isOutline = reserve(MOST_HULL_VERTICES);
  outline = reserve(MOST_HULL_VERTICES * <u32>POINT2);
  outlineHull = reserve((MOST_HULL_VERTICES + 1) * <u32>POINT2);
  kept = reserve((KEPT + 1) * <u32>CANDIDATE);
  trial = reserve(<u32>CANDIDATE);
  tried = reserve((MOST_FACE_DIRECTIONS + MOST_EDGE_DIRECTIONS * MOST_EDGE_DIRECTIONS) * <u32>POINT);
  const slots = hullFaceSlots();
  const newFace = reserve(slots * 4);
  const newCorner = reserve(allCount * 4);
  if (kept == 0 || trial == 0 || tried == 0 || newFace == 0 || newCorner == 0 || outlineHull == 0) return false;

  memory.fill(newCorner, 0xff, <usize>allCount << 2);
  cornerCount = 0;
  faceCount = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    if (!hullFaceIsAlive(slot)) continue;
    store<u32>(newFace + (<usize>slot << 2), faceCount);
    const n = hullNormal(slot);
    const to = <usize>faceCount << 3;
    store<f64>(normalX + to, load<f64>(n));
    store<f64>(normalY + to, load<f64>(n, 8));
    store<f64>(normalZ + to, load<f64>(n, 16));
    for (let k: u32 = 0; k < 3; k++) {
      const point = hullCorner(slot, k);
      let corner = load<u32>(newCorner + (<usize>point << 2));
      if (corner == 0xffffffff) {
        corner = cornerCount++;
        store<u32>(newCorner + (<usize>point << 2), corner);
        putCorner(corner, point);
      }
      store<u32>(faceCorners + <usize>faceCount * 12 + (<usize>k << 2), corner);
    }
    faceCount++;
  }
  let face: usize = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    if (!hullFaceIsAlive(slot)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      store<u32>(faceNeighbours + face * 12 + (<usize>k << 2), load<u32>(newFace + (<usize>hullNeighbour(slot, k) << 2)));
    }
    store<f64>(faceAreas + (face << 3), areaOf(faceCorners + face * 12));
    face++;
  }
  evenOut();
  return true;
}

/** Lets all points take the place of the hull's corners in what measures extents. */
function gatherAllPoints(): bool {
  cornerX = reserve(allCount * 8 + 8);
  cornerY = reserve(allCount * 8 + 8);
  cornerZ = reserve(allCount * 8 + 8);
  if (cornerX == 0 || cornerY == 0 || cornerZ == 0) return false;
  cornerCount = allCount;
  for (let i: u32 = 0; i < allCount; i++) putCorner(i, i);
  evenOut();
  return true;
}

/** Makes the last pair of corners whole: both its lanes hold the same one. */
function evenOut(): void {
  if ((cornerCount & 1) == 0) return;
  const last = <usize>(cornerCount - 1) << 3;
  store<f64>(cornerX + last, load<f64>(cornerX + last), 8);
  store<f64>(cornerY + last, load<f64>(cornerY + last), 8);
  store<f64>(cornerZ + last, load<f64>(cornerZ + last), 8);
}

function putCorner(corner: u32, point: u32): void {
  const p = allPoints + <usize>point * POINT;
  const to = <usize>corner << 3;
  store<f64>(cornerX + to, load<f64>(p));
  store<f64>(cornerY + to, load<f64>(p, 8));
  store<f64>(cornerZ + to, load<f64>(p, 16));
}

function areaOf(corners: usize): f64 {
  const a = <usize>load<u32>(corners) << 3, b = <usize>load<u32>(corners, 4) << 3, c = <usize>load<u32>(corners, 8) << 3;
  const ux = load<f64>(cornerX + b) - load<f64>(cornerX + a), wx = load<f64>(cornerX + c) - load<f64>(cornerX + a);
  const uy = load<f64>(cornerY + b) - load<f64>(cornerY + a), wy = load<f64>(cornerY + c) - load<f64>(cornerY + a);
  const uz = load<f64>(cornerZ + b) - load<f64>(cornerZ + a), wz = load<f64>(cornerZ + c) - load<f64>(cornerZ + a);
  const x = uy * wz - uz * wy, y = uz * wx - ux * wz, z = ux * wy - uy * wx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** Normals of the largest faces, no two nearly the same or opposite, to `directions`; returns how many. */
function pickFaceDirections(directions: usize, isDone: usize): u32 {
  memory.fill(isDone, 0, faceCount);
  let picked: u32 = 0;
  const limit = fewer(MOST_FACE_DIRECTIONS);
  while (picked < limit) {
    let most: f64 = 0;
    let at: usize = 0;
    for (let face: u32 = 0; face < faceCount; face++) {
      const area = load<f64>(faceAreas + (<usize>face << 3));
      if (area > most && load<u8>(isDone + face) == 0) {
        most = area;
        at = <usize>face << 3;
      }
    }
    if (most == 0) break;
    const x = load<f64>(normalX + at), y = load<f64>(normalY + at), z = load<f64>(normalZ + at);
    for (let face: usize = 0; face < <usize>faceCount; face++) {
      const f = face << 3;
      if (Math.abs(x * load<f64>(normalX + f) + y * load<f64>(normalY + f) + z * load<f64>(normalZ + f)) > APART) store<u8>(isDone + face, 1);
    }
    store<u8>(isDone + (at >> 3), 1);
    putDirection(directions, picked++, x, y, z);
  }
  return picked;
}

/** Directions of the longest sharp edges, no two nearly the same, to `directions`; returns how many. */
function pickEdgeDirections(directions: usize, isDone: usize): u32 {
  memory.fill(isDone, 0, faceCount * 3);
  // Each edge once, and flat ones never.
  for (let face: u32 = 0; face < faceCount; face++) {
    for (let k: u32 = 0; k < 3; k++) {
      const beyond = load<u32>(faceNeighbours + <usize>face * 12 + (<usize>k << 2));
      const f = <usize>face << 3, g = <usize>beyond << 3;
      const cosine = load<f64>(normalX + f) * load<f64>(normalX + g) + load<f64>(normalY + f) * load<f64>(normalY + g)
        + load<f64>(normalZ + f) * load<f64>(normalZ + g);
      if (beyond < face || cosine > SHARP) store<u8>(isDone + face * 3 + k, 1);
    }
  }
  let picked: u32 = 0;
  const limit = fewer(MOST_EDGE_DIRECTIONS);
  while (picked < limit) {
    let most: f64 = 0;
    let x: f64 = 0, y: f64 = 0, z: f64 = 0;
    for (let edge: u32 = 0; edge < faceCount * 3; edge++) {
      if (load<u8>(isDone + edge) != 0) continue;
      const face = edge / 3, k = edge % 3;
      const corners = faceCorners + <usize>face * 12;
      const a = <usize>load<u32>(corners + (<usize>k << 2)) << 3, b = <usize>load<u32>(corners + (<usize>(k == 2 ? 0 : k + 1) << 2)) << 3;
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
  const d = box + 8;
  for (let i: u32 = 0; i < triedCount; i++) {
    if (Math.abs(alongPoint(tried + <usize>i * POINT, d)) > TRIED) return;
  }
  putDirection(tried, triedCount++, load<f64>(d), load<f64>(d, 8), load<f64>(d, 16));
  const shadow = castShadow(load<f64>(d), load<f64>(d, 8), load<f64>(d, 16));
  // No rectangle is smaller than the shadow that it holds. On parts with flat or round sides this ends most trials here.
  const least = keptCount == 0 ? Infinity : load<f64>(kept);
  if (shadow * extentAlong(d) >= least * (1 - SAME)) return;
  boxAround(box);
  const volume = load<f64>(box);
  if (volume > least * HOPEFUL) return;
  // The same box is found from each of its sides.
  for (let i: u32 = 0; i < keptCount; i++) {
    if (Math.abs(load<f64>(kept + <usize>i * CANDIDATE) - volume) <= SAME * volume) return;
  }
  keep(box, keptCount);
  if (keptCount < KEPT) keptCount++;
}

/** Puts the box among the first `count` that are kept, which are in order; the last one moves out behind them. */
function keep(box: usize, count: u32): void {
  const volume = load<f64>(box);
  let i = count;
  for (; i > 0 && load<f64>(kept + <usize>(i - 1) * CANDIDATE) > volume; i--) {
    memory.copy(kept + <usize>i * CANDIDATE, kept + <usize>(i - 1) * CANDIDATE, CANDIDATE);
  }
  memory.copy(kept + <usize>i * CANDIDATE, box, CANDIDATE);
}

/** Puts the boxes in order again after they have changed. */
function sortKept(): void {
  for (let i: u32 = 1; i < keptCount; i++) {
    memory.copy(trial, kept + <usize>i * CANDIDATE, CANDIDATE);
    keep(trial, i);
  }
}

/** The smallest box with its first side along the direction, to `box`. */
function boxAlong(x: f64, y: f64, z: f64, box: usize): void {
  makeFrame(box, x, y, z, 0, 0, 0);
  castShadow(load<f64>(box, 8), load<f64>(box, 16), load<f64>(box, 24));
  boxAround(box);
}

/** Turns the second and third side of the box, whose first one has cast the shadow, to make it the smallest. */
function boxAround(box: usize): void {
  markOutline();
  let count: u32 = 0;
  const ux = load<f64>(box, 32), uy = load<f64>(box, 40), uz = load<f64>(box, 48);
  const vx = load<f64>(box, 56), vy = load<f64>(box, 64), vz = load<f64>(box, 72);
  for (let corner: usize = 0; corner < <usize>cornerCount; corner++) {
    if (load<u8>(isOutline + corner) == 0) continue;
    const px = load<f64>(cornerX + (corner << 3)), py = load<f64>(cornerY + (corner << 3)), pz = load<f64>(cornerZ + (corner << 3));
    const to = outline + <usize>count * POINT2;
    store<f64>(to, ux * px + uy * py + uz * pz);
    store<f64>(to, vx * px + vy * py + vz * pz, 8);
    count++;
  }
  smallestRectangle(outline, count, outlineHull);
  turnFrame(box, sideX, sideY);
  store<f64>(box, extentAlong(box + 8) * rectangleArea);
}

/** Notes which faces are turned to the light along the unit vector; returns the area of the shadow. */
function castShadow(x: f64, y: f64, z: f64): f64 {
  const xs = f64x2.splat(x), ys = f64x2.splat(y), zs = f64x2.splat(z);
  let area = f64x2.splat(0);
  for (let face: usize = 0; face < <usize>faceCount; face += 2) {
    const f = face << 3;
    const facing = f64x2.add(
      f64x2.add(f64x2.mul(xs, v128.load(normalX + f)), f64x2.mul(ys, v128.load(normalY + f))),
      f64x2.mul(zs, v128.load(normalZ + f)),
    );
    area = f64x2.add(area, f64x2.mul(f64x2.abs(facing), v128.load(faceAreas + f)));
    const lit = i64x2.bitmask(f64x2.gt(facing, f64x2.splat(0)));
    store<u8>(sides + face, lit & 1);
    store<u8>(sides + face, lit >> 1, 1);
  }
  return (f64x2.extract_lane(area, 0) + f64x2.extract_lane(area, 1)) / 2;
}

/** Marks the corners of the shadow's outline: those of edges between a face turned to the light and one turned away. */
function markOutline(): void {
  memory.fill(isOutline, 0, cornerCount);
  for (let face: usize = 0; face < <usize>faceCount; face++) {
    if (load<u8>(sides + face) == 0) continue;
    const corners = faceCorners + face * 12, neighbours = faceNeighbours + face * 12;
    for (let k: usize = 0; k < 3; k++) {
      if (load<u8>(sides + <usize>load<u32>(neighbours + (k << 2))) != 0) continue;
      store<u8>(isOutline + <usize>load<u32>(corners + (k << 2)), 1);
      store<u8>(isOutline + <usize>load<u32>(corners + ((k == 2 ? 0 : k + 1) << 2)), 1);
    }
  }
}

/** Length of the hull along the unit vector at the address. */
function extentAlong(d: usize): f64 {
  const x = v128.load64_splat(d), y = v128.load64_splat(d, 8), z = v128.load64_splat(d, 16);
  let low = f64x2.splat(Infinity), high = f64x2.splat(-Infinity);
  const end = <usize>cornerCount << 3;
  for (let at: usize = 0; at < end; at += 16) {
    const here = f64x2.add(
      f64x2.add(f64x2.mul(x, v128.load(cornerX + at)), f64x2.mul(y, v128.load(cornerY + at))),
      f64x2.mul(z, v128.load(cornerZ + at)),
    );
    low = f64x2.pmin(low, here);
    high = f64x2.pmax(high, here);
  }
  return Math.max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) - Math.min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1));
}

/** Volume of the box with these directions. */
function volumeOf(box: usize): f64 {
  return extentAlong(box + 8) * extentAlong(box + 32) * extentAlong(box + 56);
}

/** Improves the box by the best rectangle along each side in turn, while that brings anything. */
function alternate(box: usize): void {
  for (let round: u32 = 0, idle: u32 = 0; round < 3 * ALTERNATIONS && idle < 3; round++) {
    const side = box + 8 + <usize>(round % 3) * POINT;
    boxAlong(load<f64>(side), load<f64>(side, 8), load<f64>(side, 16), trial);
    if (load<f64>(trial) < load<f64>(box) * (1 - 1e-9)) {
      memory.copy(box, trial, CANDIDATE);
      idle = 0;
    } else idle++;
  }
}

/** Improves the box by small random turns about its own sides; their size follows their success (Rechenberg 1973). */
function turnAbout(box: usize, first: f64): void {
  const turns = fewer(TURNS);
  let size = first;
  for (let turn: u32 = 0; turn < turns && size > LAST_TURN; turn++) {
    const p = size * nextTurn(), q = size * nextTurn(), r = size * nextTurn();
    const d = box + 8, u = box + 32, v = box + 56;
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
      memory.copy(box, trial, CANDIDATE);
      size = Math.min(size * 1.6, first);
    } else size *= 0.93;
  }
}

/** The number, less in proportion when the hull has many corners, but at least a third of it. */
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

/** Writes three orthogonal unit vectors to the box: along d, along the part of u across d (any if u is 0), and d × u. */
function makeFrame(box: usize, dx: f64, dy: f64, dz: f64, ux: f64, uy: f64, uz: f64): void {
  let scale = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
  dx *= scale;
  dy *= scale;
  dz *= scale;
  if (ux == 0 && uy == 0 && uz == 0) {
    const x = Math.abs(dx), y = Math.abs(dy), z = Math.abs(dz);
    if (x <= y && x <= z) ux = 1;
    else if (y <= z) uy = 1;
    else uz = 1;
  }
  const along = ux * dx + uy * dy + uz * dz;
  ux -= along * dx;
  uy -= along * dy;
  uz -= along * dz;
  scale = 1 / Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux *= scale;
  uy *= scale;
  uz *= scale;
  store<f64>(box, dx, 8);
  store<f64>(box, dy, 16);
  store<f64>(box, dz, 24);
  store<f64>(box, ux, 32);
  store<f64>(box, uy, 40);
  store<f64>(box, uz, 48);
  store<f64>(box, dy * uz - dz * uy, 56);
  store<f64>(box, dz * ux - dx * uz, 64);
  store<f64>(box, dx * uy - dy * ux, 72);
}

/** Turns the second and third vector of the box to the side that was found in their plane. */
function turnFrame(box: usize, x: f64, y: f64): void {
  for (let axis: usize = 0; axis < POINT; axis += 8) {
    const u = load<f64>(box + axis, 32), v = load<f64>(box + axis, 56);
    store<f64>(box + axis, x * u + y * v, 32);
    store<f64>(box + axis, x * v - y * u, 56);
  }
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

// @ts-ignore: decorator
@inline function alongPoint(p: usize, d: usize): f64 {
  return load<f64>(p) * load<f64>(d) + load<f64>(p, 8) * load<f64>(d, 8) + load<f64>(p, 16) * load<f64>(d, 16);
}

/** Measures the box on all points, sorts its sides and writes the result in the mesh's frame. */
function writeBox(box: usize, isFlat: bool, x: f64, y: f64, z: f64, size: f64, out: usize): void {
  for (let side: usize = 0; side < 3; side++) {
    const d = box + 8 + side * POINT;
    const low = lowOf(d), high = highOf(d);
    // Rounding is no thickness.
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
  const a = out + 24, b = out + 48, c = out + 72;
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

/** Turns the vector round if its largest component is negative, so that a side has one direction, not two. */
function pointForward(d: usize): void {
  const x = load<f64>(d), y = load<f64>(d, 8), z = load<f64>(d, 16);
  const largest = Math.abs(x) >= Math.abs(y) && Math.abs(x) >= Math.abs(z) ? x : Math.abs(y) >= Math.abs(z) ? y : z;
  if (largest >= 0) return;
  store<f64>(d, -x);
  store<f64>(d, -y, 8);
  store<f64>(d, -z, 16);
}
