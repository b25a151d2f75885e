/**
 * Convex hull of points in space: quickhull (Barber, Dobkin, Huhdanpaa 1996), farthest points first, so that it
 * approximates the shape evenly when a limit of vertices stops it. All memory comes from the arena.
 *
 * Points are f64[3] each, scaled so that the size of the shape is about 1. A point that would break the topology
 * (rounding on needle-shaped faces) is omitted: the hull stays a closed convex surface, but may exclude points by a
 * rounding error. Therefore extents are taken from the points and only directions from the hull.
 */
import { reserve } from '../arena';
import { POINT } from './frame';

/**
 * Largest number of vertices; a finer hull of a round shape offers no better directions, only more of them. With 800, a
 * torus of 64 segments lost 0.24 % of its box in some orientations.
 */
export const MOST_HULL_VERTICES: u32 = 1200;
const MOST_FACES: u32 = 2 * MOST_HULL_VERTICES + 64;
/** Most tests of a point against a face; after these the hull is left as coarse as it is. */
const MOST_TESTS: u32 = 40_000_000;
/** A point counts as outside a face from this distance on; twice what single-precision coordinates resolve. */
const OUTSIDE: f64 = 2e-7;
/** Points nearer to one line or plane than this make a flat shape. */
export const FLAT: f64 = 1e-6;
/** Least height above a face from which it is visible: more than rounding in double precision. */
const SEEN: f64 = 1e-13;
const NONE: u32 = 0xffffffff;

/** Results of `convexHull`. */
export const HULL_SOLID: i32 = 0;
/** The same, but a limit stopped it before all points were inside. */
export const HULL_COARSE: i32 = 1;
export const HULL_FLAT: i32 = 2;
export const HULL_NO_MEMORY: i32 = 3;

// A face in memory. Corners run counter-clockwise seen from outside; neighbour i lies across the edge from corner i to
// i + 1.
const CORNERS: usize = 0; // u32[3]
const NEIGHBOURS: usize = 12; // u32[3]
const STAMP: usize = 24; // u32: the last visit
const HEAD: usize = 28; // u32: first of the points outside
const FARTHEST: usize = 32; // u32
const ALIVE: usize = 36; // u32
const PLANE: usize = 40; // f64[4]: unit normal, offset
const DISTANCE: usize = 72; // f64: of the farthest point
const FACE: usize = 80;

let points: usize = 0;
let nexts: usize = 0;
let faces: usize = 0;
let faceCount: u32 = 0;
let spare: u32 = NONE;
let stamp: u32 = 0;
let horizon: usize = 0;
let horizonLength: u32 = 0;
let stack: usize = 0;
let tests: u32 = 0;

/** Corners of a large triangle that is found quickly, and a point far above it; set by convexHull. */
export let baseA: u32 = 0;
export let baseB: u32 = 0;
export let baseC: u32 = 0;
let baseD: u32 = 0;

/** Builds the hull of f64[3 * count]. HULL_FLAT leaves only the base triangle. */
export function convexHull(at: usize, count: u32): i32 {
  points = at;
  if (!findBase(count)) return HULL_FLAT;
  nexts = reserve(count * 4);
  faces = reserve(MOST_FACES * <u32>FACE);
  horizon = reserve(MOST_FACES * 3 * 8);
  stack = reserve(MOST_FACES * 12);
  if (nexts == 0 || faces == 0 || horizon == 0 || stack == 0) return HULL_NO_MEMORY;
  faceCount = 0;
  spare = NONE;
  stamp = 0;
  tests = 0;
  makeBase(count);
  let vertexCount: u32 = 4;
  // Coarse to fine, so that a round shape is approximated evenly when the limit of vertices is reached.
  for (let width: f64 = 0.1; width >= OUTSIDE; width = width > OUTSIDE ? Math.max(width / 4, OUTSIDE) : 0) {
    let grew = true;
    while (grew) {
      grew = false;
      for (let face: u32 = 0; face < faceCount; face++) {
        const f = faceAt(face);
        if (load<u32>(f, ALIVE) == 0 || load<u32>(f, FARTHEST) == NONE || load<f64>(f, DISTANCE) <= width) continue;
        if (vertexCount >= MOST_HULL_VERTICES || tests > MOST_TESTS) return HULL_COARSE;
        if (addPoint(face, load<u32>(f, FARTHEST))) vertexCount++;
        grew = true;
      }
    }
  }
  return HULL_SOLID;
}

/** Number of face slots; some may be empty. */
export function hullFaceSlots(): u32 {
  return faceCount;
}

export function hullFaceIsAlive(face: u32): bool {
  return load<u32>(faceAt(face), ALIVE) != 0;
}

/** Address of the face's unit normal, f64[3]. */
export function hullNormal(face: u32): usize {
  return faceAt(face) + PLANE;
}

/** Number of the point that is the corner. */
export function hullCorner(face: u32, corner: u32): u32 {
  return load<u32>(faceAt(face) + (<usize>corner << 2), CORNERS);
}

/** The face across the edge from the corner to the next. */
export function hullNeighbour(face: u32, corner: u32): u32 {
  return load<u32>(faceAt(face) + (<usize>corner << 2), NEIGHBOURS);
}

/**
 * Large triangle: farthest from the mean, farthest from that, farthest from their line; then farthest from the plane.
 */
function findBase(count: u32): bool {
  let x: f64 = 0, y: f64 = 0, z: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p = pointAt(i);
    x += load<f64>(p);
    y += load<f64>(p, 8);
    z += load<f64>(p, 16);
  }
  x /= count;
  y /= count;
  z /= count;
  baseA = farthestFrom(count, x, y, z);
  const a = pointAt(baseA);
  const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
  baseB = farthestFrom(count, ax, ay, az);
  const b = pointAt(baseB);
  const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  baseC = baseA;
  let most: f64 = -1;
  for (let i: u32 = 0; i < count; i++) {
    const p = pointAt(i);
    const wx = load<f64>(p) - ax, wy = load<f64>(p, 8) - ay, wz = load<f64>(p, 16) - az;
    const cx = uy * wz - uz * wy, cy = uz * wx - ux * wz, cz = ux * wy - uy * wx;
    const distance = cx * cx + cy * cy + cz * cz;
    if (distance > most) {
      most = distance;
      baseC = i;
    }
  }
  if (length == 0 || Math.sqrt(most) / length < FLAT) return false;
  const c = pointAt(baseC);
  const wx = load<f64>(c) - ax, wy = load<f64>(c, 8) - ay, wz = load<f64>(c, 16) - az;
  let nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  nx *= scale;
  ny *= scale;
  nz *= scale;
  most = 0;
  let isAbove = false;
  for (let i: u32 = 0; i < count; i++) {
    const p = pointAt(i);
    const distance = nx * (load<f64>(p) - ax) + ny * (load<f64>(p, 8) - ay) + nz * (load<f64>(p, 16) - az);
    if (Math.abs(distance) > most) {
      most = Math.abs(distance);
      baseD = i;
      isAbove = distance > 0;
    }
  }
  if (isAbove) {
    const swapped = baseB;
    baseB = baseC;
    baseC = swapped;
  }
  return most >= FLAT;
}

function farthestFrom(count: u32, x: f64, y: f64, z: f64): u32 {
  let found: u32 = 0;
  let most: f64 = -1;
  for (let i: u32 = 0; i < count; i++) {
    const p = pointAt(i);
    const dx = load<f64>(p) - x, dy = load<f64>(p, 8) - y, dz = load<f64>(p, 16) - z;
    const distance = dx * dx + dy * dy + dz * dz;
    if (distance > most) {
      most = distance;
      found = i;
    }
  }
  return found;
}

/** The first tetrahedron, D below the triangle ABC, and all points given to its faces. */
function makeBase(count: u32): void {
  newFace(baseA, baseB, baseC);
  newFace(baseA, baseD, baseB);
  newFace(baseB, baseD, baseC);
  newFace(baseC, baseD, baseA);
  link(0, 1, 2, 3);
  link(1, 3, 2, 0);
  link(2, 1, 3, 0);
  link(3, 2, 1, 0);
  for (let i: u32 = 0; i < count; i++) {
    if (i != baseA && i != baseB && i != baseC && i != baseD) giveTo(0, 4, i);
  }
}

function link(face: u32, a: u32, b: u32, c: u32): void {
  const f = faceAt(face);
  store<u32>(f, a, NEIGHBOURS);
  store<u32>(f, b, NEIGHBOURS + 4);
  store<u32>(f, c, NEIGHBOURS + 8);
}

/** Extends the hull to the point; false when the point had to be omitted. */
function addPoint(face: u32, point: u32): bool {
  const p = pointAt(point);
  const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
  findHorizon(face, x, y, z);
  if (!isOneLoop()) {
    dropPoint(face, point);
    return false;
  }
  // Collects the points of all removed faces, then frees their slots.
  let orphans: u32 = NONE;
  for (let f: u32 = 0, slots = faceCount; f < slots; f++) {
    const seen = faceAt(f);
    if (load<u32>(seen, STAMP) != stamp || load<u32>(seen, ALIVE) == 0) continue;
    for (let i = load<u32>(seen, HEAD); i != NONE; ) {
      const next = load<u32>(nextAt(i));
      if (i != point) {
        store<u32>(nextAt(i), orphans);
        orphans = i;
      }
      i = next;
    }
    store<u32>(seen, 0, ALIVE);
    store<u32>(seen, spare, HEAD);
    spare = f;
  }
  // A fan from the point to the horizon; the faces' numbers are listed in the stack's memory, which is free by now.
  let first: u32 = NONE, before: u32 = NONE;
  for (let i: u32 = 0; i < horizonLength; i++) {
    const entry = horizon + (<usize>i << 3);
    const outer = load<u32>(entry) >> 2, edge = load<u32>(entry) & 3;
    const a = load<u32>(entry, 4);
    const b = load<u32>(horizon + (<usize>(i + 1 == horizonLength ? 0 : i + 1) << 3), 4);
    const made = newFace(a, b, point);
    store<u32>(faceAt(made), outer, NEIGHBOURS);
    store<u32>(faceAt(outer) + (<usize>edge << 2), made, NEIGHBOURS);
    if (before == NONE) first = made;
    else {
      store<u32>(faceAt(before), made, NEIGHBOURS + 4);
      store<u32>(faceAt(made), before, NEIGHBOURS + 8);
    }
    before = made;
    store<u32>(stack + (<usize>i << 2), made);
  }
  store<u32>(faceAt(before), first, NEIGHBOURS + 4);
  store<u32>(faceAt(first), before, NEIGHBOURS + 8);
  for (let i = orphans; i != NONE && tests <= MOST_TESTS; ) {
    const next = load<u32>(nextAt(i));
    giveToListed(horizonLength, i);
    i = next;
  }
  return true;
}

/**
 * Marks all faces that are visible from the point, starting from the given one, and lists the edges around them (the
 * horizon) in order: for each the face beyond and its edge there (face << 2 | edge), and the corner from which the edge
 * starts.
 */
function findHorizon(face: u32, x: f64, y: f64, z: f64): void {
  stamp++;
  horizonLength = 0;
  let depth: u32 = 1;
  store<u32>(stack, face);
  store<u32>(stack, 0, 4);
  store<u32>(stack, 3, 8);
  store<u32>(faceAt(face), stamp, STAMP);
  while (depth > 0) {
    const top = stack + <usize>(depth - 1) * 12;
    const left = load<u32>(top, 8);
    if (left == 0) {
      depth--;
      continue;
    }
    const here = load<u32>(top), edge = load<u32>(top, 4);
    store<u32>(top, edge == 2 ? 0 : edge + 1, 4);
    store<u32>(top, left - 1, 8);
    const beyond = hullNeighbour(here, edge);
    const b = faceAt(beyond);
    if (load<u32>(b, STAMP) == stamp) continue;
    const back: u32 = hullNeighbour(beyond, 0) == here && hullCorner(beyond, 1) == hullCorner(here, edge) ? 0
      : hullNeighbour(beyond, 1) == here && hullCorner(beyond, 2) == hullCorner(here, edge) ? 1 : 2;
    if (above(b, x, y, z) > SEEN) {
      store<u32>(b, stamp, STAMP);
      const entry = stack + <usize>depth * 12;
      store<u32>(entry, beyond);
      store<u32>(entry, back == 2 ? 0 : back + 1, 4);
      store<u32>(entry, 2, 8);
      depth++;
    } else {
      const entry = horizon + (<usize>horizonLength << 3);
      store<u32>(entry, (beyond << 2) | back);
      store<u32>(entry, hullCorner(here, edge), 4);
      horizonLength++;
    }
  }
}

/** Whether the horizon is one closed chain of edges that passes no corner twice, and there are slots for its faces. */
function isOneLoop(): bool {
  if (horizonLength < 3) return false;
  for (let i: u32 = 0; i < horizonLength; i++) {
    const entry = horizon + (<usize>i << 3);
    const outer = load<u32>(entry) >> 2, edge = load<u32>(entry) & 3;
    const next = load<u32>(horizon + (<usize>(i + 1 == horizonLength ? 0 : i + 1) << 3), 4);
    // Seen from beyond, the edge runs the other way: it starts where the next one of the horizon does.
    if (hullCorner(outer, edge) != next) return false;
    for (let j: u32 = 0; j < i; j++) {
      if (load<u32>(horizon + (<usize>j << 3), 4) == load<u32>(entry, 4)) return false;
    }
  }
  return true;
}

/** Removes from the list of a face its farthest point. */
function dropPoint(face: u32, point: u32): void {
  const f = faceAt(face);
  let i = load<u32>(f, HEAD);
  store<u32>(f, NONE, HEAD);
  store<u32>(f, NONE, FARTHEST);
  store<f64>(f, 0, DISTANCE);
  while (i != NONE) {
    const next = load<u32>(nextAt(i));
    if (i != point) giveTo(face, 1, i);
    i = next;
  }
}

/**
 * Adds the point to the list of the first of `count` faces, starting from `first`, that it is outside of; if none, it
 * is inside.
 */
function giveTo(first: u32, count: u32, point: u32): void {
  for (let face = first; face < first + count; face++) {
    if (accepts(faceAt(face), point)) return;
  }
}

/** The same over the faces listed in the stack's memory. */
function giveToListed(count: u32, point: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    if (accepts(faceAt(load<u32>(stack + (<usize>i << 2))), point)) return;
  }
}

function accepts(f: usize, point: u32): bool {
  tests++;
  const p = pointAt(point);
  const distance = above(f, load<f64>(p), load<f64>(p, 8), load<f64>(p, 16));
  if (distance <= OUTSIDE) return false;
  store<u32>(nextAt(point), load<u32>(f, HEAD));
  store<u32>(f, point, HEAD);
  if (distance > load<f64>(f, DISTANCE)) {
    store<f64>(f, distance, DISTANCE);
    store<u32>(f, point, FARTHEST);
  }
  return true;
}

function newFace(a: u32, b: u32, c: u32): u32 {
  let face = spare;
  if (face != NONE) spare = load<u32>(faceAt(face), HEAD);
  else face = faceCount++;
  const f = faceAt(face);
  const pa = pointAt(a), pb = pointAt(b), pc = pointAt(c);
  const ax = load<f64>(pa), ay = load<f64>(pa, 8), az = load<f64>(pa, 16);
  const ux = load<f64>(pb) - ax, uy = load<f64>(pb, 8) - ay, uz = load<f64>(pb, 16) - az;
  const wx = load<f64>(pc) - ax, wy = load<f64>(pc, 8) - ay, wz = load<f64>(pc, 16) - az;
  const nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const scale = length > 0 ? 1 / length : 0;
  store<u32>(f, a, CORNERS);
  store<u32>(f, b, CORNERS + 4);
  store<u32>(f, c, CORNERS + 8);
  store<u32>(f, 0, STAMP);
  store<u32>(f, NONE, HEAD);
  store<u32>(f, NONE, FARTHEST);
  store<u32>(f, 1, ALIVE);
  store<f64>(f, nx * scale, PLANE);
  store<f64>(f, ny * scale, PLANE + 8);
  store<f64>(f, nz * scale, PLANE + 16);
  store<f64>(f, (nx * ax + ny * ay + nz * az) * scale, PLANE + 24);
  store<f64>(f, 0, DISTANCE);
  return face;
}

// @ts-ignore: decorator
@inline function above(f: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(f, PLANE) * x + load<f64>(f, PLANE + 8) * y + load<f64>(f, PLANE + 16) * z
      - load<f64>(f, PLANE + 24);
}

// @ts-ignore: decorator
@inline function faceAt(face: u32): usize {
  return faces + <usize>face * FACE;
}

// @ts-ignore: decorator
@inline function pointAt(point: u32): usize {
  return points + <usize>point * POINT;
}

// @ts-ignore: decorator
@inline function nextAt(point: u32): usize {
  return nexts + (<usize>point << 2);
}
