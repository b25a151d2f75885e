/**
 * A convex hull in the form that the search for the smallest box needs: extents along a direction, the outline of its
 * shadow, and the best box with one side along a direction. Coordinates are stored by axis, for f64x2.
 */
import { reserve } from '../arena';
import { POINT, SIDE_A, SIDE_B, SIDE_C, makeFrame, turnFrame } from './frame';
import { MOST_HULL_VERTICES, hullCorner, hullFaceIsAlive, hullFaceSlots, hullNeighbour, hullNormal } from './hull';
import { POINT2, rectangleArea, sideX, sideY, smallestRectangle } from './rectangle';

/** Most faces of a hull (Euler). */
export const MOST_FACES: u32 = 2 * MOST_HULL_VERTICES;

// The hull's corners by coordinate, f64 each, an even number; its faces' normals and areas likewise; the faces' corners
// and neighbours, u32[3] each.
export let cornerX: usize = 0;
export let cornerY: usize = 0;
export let cornerZ: usize = 0;
export let cornerCount: u32 = 0;
export let normalX: usize = 0;
export let normalY: usize = 0;
export let normalZ: usize = 0;
export let faceAreas: usize = 0;
export let faceCorners: usize = 0;
export let faceNeighbours: usize = 0;
export let faceCount: u32 = 0;
// Scratch: which side of the shadow a face is on, which corners are in the outline, the outline and its hull.
let sides: usize = 0;
let isOutline: usize = 0;
let outline: usize = 0;
let outlineHull: usize = 0;

/** Copies the hull into flat arrays, numbering its corners and faces anew. */
export function gatherHull(points: usize, count: u32): bool {
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
  const slots = hullFaceSlots();
  const newFace = reserve(slots * 4);
  const newCorner = reserve(count * 4);
  if (newFace == 0 || newCorner == 0 || outlineHull == 0) return false;

  memory.fill(newCorner, 0xff, (<usize>count) << 2);
  cornerCount = 0;
  faceCount = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    if (!hullFaceIsAlive(slot)) continue;
    store<u32>(newFace + ((<usize>slot) << 2), faceCount);
    const n = hullNormal(slot);
    const to = (<usize>faceCount) << 3;
    store<f64>(normalX + to, load<f64>(n));
    store<f64>(normalY + to, load<f64>(n, 8));
    store<f64>(normalZ + to, load<f64>(n, 16));
    for (let k: u32 = 0; k < 3; k++) {
      const point = hullCorner(slot, k);
      let corner = load<u32>(newCorner + ((<usize>point) << 2));
      if (corner == 0xffffffff) {
        corner = cornerCount++;
        store<u32>(newCorner + ((<usize>point) << 2), corner);
        putCorner(corner, points + <usize>point * POINT);
      }
      store<u32>(faceCorners + <usize>faceCount * 12 + ((<usize>k) << 2), corner);
    }
    faceCount++;
  }
  let face: usize = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    if (!hullFaceIsAlive(slot)) continue;
    for (let k: u32 = 0; k < 3; k++) {
      store<u32>(
        faceNeighbours + face * 12 + ((<usize>k) << 2),
        load<u32>(newFace + ((<usize>hullNeighbour(slot, k)) << 2)),
      );
    }
    store<f64>(faceAreas + (face << 3), areaOf(faceCorners + face * 12));
    face++;
  }
  evenOut();
  return true;
}

/** Makes extents be measured on all points instead of the hull's corners. */
export function gatherAllPoints(points: usize, count: u32): bool {
  cornerX = reserve(count * 8 + 8);
  cornerY = reserve(count * 8 + 8);
  cornerZ = reserve(count * 8 + 8);
  if (cornerX == 0 || cornerY == 0 || cornerZ == 0) return false;
  cornerCount = count;
  for (let i: u32 = 0; i < count; i++) putCorner(i, points + <usize>i * POINT);
  evenOut();
  return true;
}

/** Completes the last pair of corners: both lanes hold the same corner. */
function evenOut(): void {
  if ((cornerCount & 1) == 0) return;
  const last = (<usize>(cornerCount - 1)) << 3;
  store<f64>(cornerX + last, load<f64>(cornerX + last), 8);
  store<f64>(cornerY + last, load<f64>(cornerY + last), 8);
  store<f64>(cornerZ + last, load<f64>(cornerZ + last), 8);
}

function putCorner(corner: u32, p: usize): void {
  const to = (<usize>corner) << 3;
  store<f64>(cornerX + to, load<f64>(p));
  store<f64>(cornerY + to, load<f64>(p, 8));
  store<f64>(cornerZ + to, load<f64>(p, 16));
}

function areaOf(corners: usize): f64 {
  const a = (<usize>load<u32>(corners)) << 3,
    b = (<usize>load<u32>(corners, 4)) << 3,
    c = (<usize>load<u32>(corners, 8)) << 3;
  const ux = load<f64>(cornerX + b) - load<f64>(cornerX + a),
    wx = load<f64>(cornerX + c) - load<f64>(cornerX + a);
  const uy = load<f64>(cornerY + b) - load<f64>(cornerY + a),
    wy = load<f64>(cornerY + c) - load<f64>(cornerY + a);
  const uz = load<f64>(cornerZ + b) - load<f64>(cornerZ + a),
    wz = load<f64>(cornerZ + c) - load<f64>(cornerZ + a);
  const x = uy * wz - uz * wy,
    y = uz * wx - ux * wz,
    z = ux * wy - uy * wx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

/** The smallest box with its first side along the direction, to `box`. */
export function boxAlong(x: f64, y: f64, z: f64, box: usize): void {
  makeFrame(box, x, y, z, 0, 0, 0);
  castShadow(load<f64>(box, SIDE_A), load<f64>(box, SIDE_A + 8), load<f64>(box, SIDE_A + 16));
  boxAround(box);
}

/** Rotates the second and third side of the box to the smallest rectangle around the shadow along its first side. */
export function boxAround(box: usize): void {
  markOutline();
  let count: u32 = 0;
  const ux = load<f64>(box, SIDE_B),
    uy = load<f64>(box, SIDE_B + 8),
    uz = load<f64>(box, SIDE_B + 16);
  const vx = load<f64>(box, SIDE_C),
    vy = load<f64>(box, SIDE_C + 8),
    vz = load<f64>(box, SIDE_C + 16);
  for (let corner: usize = 0; corner < <usize>cornerCount; corner++) {
    if (load<u8>(isOutline + corner) == 0) continue;
    const px = load<f64>(cornerX + (corner << 3)),
      py = load<f64>(cornerY + (corner << 3)),
      pz = load<f64>(cornerZ + (corner << 3));
    const to = outline + <usize>count * POINT2;
    store<f64>(to, ux * px + uy * py + uz * pz);
    store<f64>(to, vx * px + vy * py + vz * pz, 8);
    count++;
  }
  smallestRectangle(outline, count, outlineHull);
  turnFrame(box, sideX, sideY);
  store<f64>(box, extentAlong(box + SIDE_A) * rectangleArea);
}

/** Marks the faces that are lit from the direction of the unit vector; returns the area of the shadow. */
export function castShadow(x: f64, y: f64, z: f64): f64 {
  const xs = f64x2.splat(x),
    ys = f64x2.splat(y),
    zs = f64x2.splat(z);
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

/** Marks the corners of the shadow's outline: those of edges between a lit face and an unlit one. */
function markOutline(): void {
  memory.fill(isOutline, 0, cornerCount);
  for (let face: usize = 0; face < <usize>faceCount; face++) {
    if (load<u8>(sides + face) == 0) continue;
    const corners = faceCorners + face * 12,
      neighbours = faceNeighbours + face * 12;
    for (let k: usize = 0; k < 3; k++) {
      if (load<u8>(sides + <usize>load<u32>(neighbours + (k << 2))) != 0) continue;
      store<u8>(isOutline + <usize>load<u32>(corners + (k << 2)), 1);
      store<u8>(isOutline + <usize>load<u32>(corners + ((k == 2 ? 0 : k + 1) << 2)), 1);
    }
  }
}

/** Length of the hull along the unit vector at the address. */
export function extentAlong(d: usize): f64 {
  const x = v128.load64_splat(d),
    y = v128.load64_splat(d, 8),
    z = v128.load64_splat(d, 16);
  let low = f64x2.splat(Infinity),
    high = f64x2.splat(-Infinity);
  const end = (<usize>cornerCount) << 3;
  for (let at: usize = 0; at < end; at += 16) {
    const here = f64x2.add(
      f64x2.add(f64x2.mul(x, v128.load(cornerX + at)), f64x2.mul(y, v128.load(cornerY + at))),
      f64x2.mul(z, v128.load(cornerZ + at)),
    );
    low = f64x2.pmin(low, here);
    high = f64x2.pmax(high, here);
  }
  return (
    Math.max(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) -
    Math.min(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1))
  );
}

/** Volume of the box with these directions. */
export function volumeOf(box: usize): f64 {
  return extentAlong(box + SIDE_A) * extentAlong(box + SIDE_B) * extentAlong(box + SIDE_C);
}
