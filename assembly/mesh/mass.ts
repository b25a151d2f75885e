/**
 * Volume, surface area and moments of a triangle mesh by the divergence theorem: each triangle spans a signed
 * tetrahedron with one common apex.
 *
 * Two triangles are computed at once in the lanes of f64x2. Long sums carry their rounding error along (TwoSum, Knuth
 * 1969; Sum2, Ogita, Rump, Oishi 2005, "Accurate sum and dot product"). volumeArea does so once for each block of 512
 * triangles: within a block at most 256 additions round, 3e-14 of the sum of magnitudes at the very worst, and beyond
 * it the error no longer grows with the size of the mesh. Compensating each triangle took 7.8 ms where this takes 5.4
 * (a million triangles).
 *
 * Products of two single-precision numbers are exact in double precision, and the rounding of the sums is far smaller
 * than that of the single-precision vertices, so a mesh far from the origin needs no shift for its volume: only the
 * higher moments are computed about the centre of the box.
 */
import { reserve } from '../arena';
import { BAD_INDEX, DONE, NOT_FINITE, NO_GEOMETRY, OPEN_MESH, OUT_OF_MEMORY } from '../status';
import { TRIANGLE, VERTEX, allBelow, boundsOf } from './check';

/**
 * Triangles per block that is summed without compensation. Their indices are checked together first, so the second read
 * hits the first-level cache.
 */
const BLOCK: u32 = 512;

/**
 * |sum of area vectors| / area above which a mesh counts as open. Except for rounding it is 0 for a closed mesh; the
 * volume of an open one depends on the apex.
 */
const OPEN: f64 = 1e-9;

// The sums of volumeArea between two calls, f64x2 each.
const SUM_VOLUME: usize = 0;
const SUM_VOLUME_ERROR: usize = 16;
const SUM_AREA: usize = 32;
const SUM_AREA_ERROR: usize = 48;
const SUM_X: usize = 64;
const SUM_Y: usize = 80;
const SUM_Z: usize = 96;
const SUMS_LENGTH: u32 = 14;

/**
 * Adds triangles to the sums of a mesh, f64[14], initially 0. So indices can be passed in chunks that are still in the
 * cache when they are read. All calls but the last need a multiple of 512 triangles. Returns a status.
 */
export function addVolumeArea(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, sums: usize,
): i32 {
  let volume = v128.load(sums, SUM_VOLUME), volumeError = v128.load(sums, SUM_VOLUME_ERROR);
  let area = v128.load(sums, SUM_AREA), areaError = v128.load(sums, SUM_AREA_ERROR);
  let sumX = v128.load(sums, SUM_X), sumY = v128.load(sums, SUM_Y), sumZ = v128.load(sums, SUM_Z);

  for (let first: u32 = 0; first < triangleCount; first += BLOCK) {
    const count = min(BLOCK, triangleCount - first);
    let at = indices + <usize>first * TRIANGLE;
    if (!allBelow(at, count * 3, vertexCount)) return BAD_INDEX;
    const end = at + <usize>count * TRIANGLE;
    let blockVolume = f64x2.splat(0), blockArea = f64x2.splat(0);
    for (; at < end; at += 2 * TRIANGLE) {
      const a0 = positions + <usize>load<u32>(at) * VERTEX;
      const b0 = positions + <usize>load<u32>(at, 4) * VERTEX;
      const c0 = positions + <usize>load<u32>(at, 8) * VERTEX;
      // An odd last triangle is paired with a point, which adds nothing.
      let a1 = a0, b1 = a0, c1 = a0;
      if (at + TRIANGLE < end) {
        a1 = positions + <usize>load<u32>(at, 12) * VERTEX;
        b1 = positions + <usize>load<u32>(at, 16) * VERTEX;
        c1 = positions + <usize>load<u32>(at, 20) * VERTEX;
      }
      const va0 = v128.load(a0), va1 = v128.load(a1);
      const vb0 = v128.load(b0), vb1 = v128.load(b1);
      const vc0 = v128.load(c0), vc1 = v128.load(c1);
      const ax = firstOf(va0, va1), ay = secondOf(va0, va1), az = thirdOf(va0, va1);
      const ux = f64x2.sub(firstOf(vb0, vb1), ax), uy = f64x2.sub(secondOf(vb0, vb1), ay),
          uz = f64x2.sub(thirdOf(vb0, vb1), az);
      const wx = f64x2.sub(firstOf(vc0, vc1), ax), wy = f64x2.sub(secondOf(vc0, vc1), ay),
          wz = f64x2.sub(thirdOf(vc0, vc1), az);
      const nx = f64x2.sub(f64x2.mul(uy, wz), f64x2.mul(uz, wy));
      const ny = f64x2.sub(f64x2.mul(uz, wx), f64x2.mul(ux, wz));
      const nz = f64x2.sub(f64x2.mul(ux, wy), f64x2.mul(uy, wx));
      sumX = f64x2.add(sumX, nx);
      sumY = f64x2.add(sumY, ny);
      sumZ = f64x2.add(sumZ, nz);
      blockVolume = f64x2.add(blockVolume, dot(ax, ay, az, nx, ny, nz));
      blockArea = f64x2.add(blockArea, f64x2.sqrt(dot(nx, ny, nz, nx, ny, nz)));
    }
    const volumeNext = f64x2.add(volume, blockVolume);
    volumeError = f64x2.add(volumeError, roundingOf(volume, blockVolume, volumeNext));
    volume = volumeNext;
    const areaNext = f64x2.add(area, blockArea);
    areaError = f64x2.add(areaError, roundingOf(area, blockArea, areaNext));
    area = areaNext;
  }

  v128.store(sums, volume, SUM_VOLUME);
  v128.store(sums, volumeError, SUM_VOLUME_ERROR);
  v128.store(sums, area, SUM_AREA);
  v128.store(sums, areaError, SUM_AREA_ERROR);
  v128.store(sums, sumX, SUM_X);
  v128.store(sums, sumY, SUM_Y);
  v128.store(sums, sumZ, SUM_Z);
  return DONE;
}

/**
 * Signed volume and surface area by the sums of all triangles, to `out`: f64[2], in mm³ and mm². Returns a status;
 * OPEN_MESH: the volume depends on the apex, use massProperties.
 */
export function volumeAreaOf(sums: usize, out: usize): i32 {
  const twiceArea = both(v128.load(sums, SUM_AREA)) + both(v128.load(sums, SUM_AREA_ERROR));
  const sixVolumes = both(v128.load(sums, SUM_VOLUME)) + both(v128.load(sums, SUM_VOLUME_ERROR));
  if (!isFinite(twiceArea) || !isFinite(sixVolumes)) return NOT_FINITE;
  if (twiceArea == 0) return NO_GEOMETRY;
  const x = both(v128.load(sums, SUM_X)), y = both(v128.load(sums, SUM_Y)), z = both(v128.load(sums, SUM_Z));
  if (Math.sqrt(x * x + y * y + z * z) > OPEN * twiceArea) return OPEN_MESH;
  store<f64>(out, sixVolumes / 6);
  store<f64>(out, twiceArea / 2, 8);
  return DONE;
}

/** Signed volume and surface area of the whole mesh, to `out`: f64[2], in mm³ and mm². Returns a status. */
export function volumeArea(positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  const sums = reserve(SUMS_LENGTH * 8);
  const properties = reserve(MASS_LENGTH * 8);
  if (sums == 0 || properties == 0) return OUT_OF_MEMORY;
  memory.fill(sums, 0, SUMS_LENGTH * 8);
  let status = addVolumeArea(positions, vertexCount, indices, triangleCount, sums);
  if (status == DONE) status = volumeAreaOf(sums, out);
  if (status != OPEN_MESH) return status;
  // With the area's centroid as the apex, so that the order of triangles has no effect.
  status = massProperties(positions, vertexCount, indices, triangleCount, properties);
  if (status != DONE) return status;
  store<f64>(out, load<f64>(properties));
  store<f64>(out, load<f64>(properties, 8), 8);
  return DONE;
}

/** Length of what massProperties writes. */
export const MASS_LENGTH: u32 = 15;

// Sums of the pass over the triangles. Slots in memory: f64x2 sum, f64x2 error each.
const VOLUME: usize = 0; // 6 V
const AREA: usize = 1; // 2 A
const NORMAL: usize = 2; // 3 slots: 2 × the sum of area vectors
const AREA_MOMENT: usize = 5; // 3 slots: 6 × area × centroid
const MOMENT: usize = 8; // 3 slots: 24 × volume × centroid
const SECOND: usize = 11; // 6 slots: 120 × integral of xx, yy, zz, xy, xz, yz
const SLOTS: usize = 17;
const SLOT: usize = 32;

/**
 * Mass properties of the mesh, to `out`: f64[15] = 0 signed volume mm³, 1 surface area mm², 2..4 centroid mm, 5..7
 * centroid of the area mm, 8..13 inertia tensor about the centroid (xx yy zz xy xz yz; unit density, mm⁵), 14 whether
 * it is open (1 or 0). The centroid of an open or flat mesh is that of its area. The inertia is that of a positive
 * density, so reversed normals do not change it. Returns a status.
 */
export function massProperties(
  positions: usize, vertexCount: u32, indices: usize, triangleCount: u32, out: usize,
): i32 {
  const sums = reserve(<u32>(SLOTS * SLOT));
  if (sums == 0) return OUT_OF_MEMORY;
  const status = boundsOf(positions, vertexCount, indices, triangleCount, sums);
  if (status != DONE) return status;
  let originX = (<f64>load<f32>(sums) + <f64>load<f32>(sums, 16)) / 2;
  let originY = (<f64>load<f32>(sums, 4) + <f64>load<f32>(sums, 20)) / 2;
  let originZ = (<f64>load<f32>(sums, 8) + <f64>load<f32>(sums, 24)) / 2;

  sumTriangles(positions, indices, triangleCount, originX, originY, originZ, sums);
  const area = total(sums, AREA) / 2;
  if (!isFinite(area)) return NOT_FINITE;
  if (area == 0) return NO_GEOMETRY;
  const areaX = originX + total(sums, AREA_MOMENT) / (6 * area);
  const areaY = originY + total(sums, AREA_MOMENT + 1) / (6 * area);
  const areaZ = originZ + total(sums, AREA_MOMENT + 2) / (6 * area);
  const nx = total(sums, NORMAL), ny = total(sums, NORMAL + 1), nz = total(sums, NORMAL + 2);
  const isOpen = Math.sqrt(nx * nx + ny * ny + nz * nz) > OPEN * 2 * area;
  if (isOpen) {
    originX = areaX;
    originY = areaY;
    originZ = areaZ;
    sumTriangles(positions, indices, triangleCount, originX, originY, originZ, sums);
  }

  const volume = total(sums, VOLUME) / 6;
  const sign: f64 = volume < 0 ? -1 : 1;
  // If the volume is negligible compared with the area, its centroid is only rounding error.
  const isFlat = Math.abs(volume) <= 1e-12 * area * Math.sqrt(area);
  const useArea = isOpen || isFlat;
  const x = useArea ? areaX - originX : total(sums, MOMENT) / (24 * volume);
  const y = useArea ? areaY - originY : total(sums, MOMENT + 1) / (24 * volume);
  const z = useArea ? areaZ - originZ : total(sums, MOMENT + 2) / (24 * volume);

  // Second moments about the origin, moved to the centroid (Steiner), with a positive density.
  const mx = total(sums, MOMENT) / 24, my = total(sums, MOMENT + 1) / 24, mz = total(sums, MOMENT + 2) / 24;
  const xx = sign * (total(sums, SECOND) / 120 - 2 * x * mx + x * x * volume);
  const yy = sign * (total(sums, SECOND + 1) / 120 - 2 * y * my + y * y * volume);
  const zz = sign * (total(sums, SECOND + 2) / 120 - 2 * z * mz + z * z * volume);
  const xy = sign * (total(sums, SECOND + 3) / 120 - x * my - y * mx + x * y * volume);
  const xz = sign * (total(sums, SECOND + 4) / 120 - x * mz - z * mx + x * z * volume);
  const yz = sign * (total(sums, SECOND + 5) / 120 - y * mz - z * my + y * z * volume);

  store<f64>(out, volume);
  store<f64>(out, area, 8);
  store<f64>(out, originX + x, 16);
  store<f64>(out, originY + y, 24);
  store<f64>(out, originZ + z, 32);
  store<f64>(out, areaX, 40);
  store<f64>(out, areaY, 48);
  store<f64>(out, areaZ, 56);
  store<f64>(out, yy + zz, 64);
  store<f64>(out, xx + zz, 72);
  store<f64>(out, xx + yy, 80);
  store<f64>(out, -xy, 88);
  store<f64>(out, -xz, 96);
  store<f64>(out, -yz, 104);
  store<f64>(out, isOpen ? 1 : 0, 112);
  return DONE;
}

/** One pass over all triangles with the given apex; indices have been checked. */
function sumTriangles(
  positions: usize, indices: usize, triangleCount: u32, originX: f64, originY: f64, originZ: f64, sums: usize,
): void {
  memory.fill(sums, 0, SLOTS * SLOT);
  const ox = f64x2.splat(originX), oy = f64x2.splat(originY), oz = f64x2.splat(originZ);
  const end = indices + <usize>triangleCount * TRIANGLE;
  for (let at = indices; at < end; at += 2 * TRIANGLE) {
    const a0 = positions + <usize>load<u32>(at) * VERTEX;
    const b0 = positions + <usize>load<u32>(at, 4) * VERTEX;
    const c0 = positions + <usize>load<u32>(at, 8) * VERTEX;
    let a1 = a0, b1 = a0, c1 = a0;
    if (at + TRIANGLE < end) {
      a1 = positions + <usize>load<u32>(at, 12) * VERTEX;
      b1 = positions + <usize>load<u32>(at, 16) * VERTEX;
      c1 = positions + <usize>load<u32>(at, 20) * VERTEX;
    }
    const va0 = v128.load(a0), va1 = v128.load(a1);
    const vb0 = v128.load(b0), vb1 = v128.load(b1);
    const vc0 = v128.load(c0), vc1 = v128.load(c1);
    const pax = firstOf(va0, va1), pay = secondOf(va0, va1), paz = thirdOf(va0, va1);
    const pbx = firstOf(vb0, vb1), pby = secondOf(vb0, vb1), pbz = thirdOf(vb0, vb1);
    const pcx = firstOf(vc0, vc1), pcy = secondOf(vc0, vc1), pcz = thirdOf(vc0, vc1);
    // Edges are computed before the shift: differences of two singles are nearly exact, shifted corners would be
    // rounded.
    const ux = f64x2.sub(pbx, pax), uy = f64x2.sub(pby, pay), uz = f64x2.sub(pbz, paz);
    const wx = f64x2.sub(pcx, pax), wy = f64x2.sub(pcy, pay), wz = f64x2.sub(pcz, paz);
    const nx = f64x2.sub(f64x2.mul(uy, wz), f64x2.mul(uz, wy));
    const ny = f64x2.sub(f64x2.mul(uz, wx), f64x2.mul(ux, wz));
    const nz = f64x2.sub(f64x2.mul(ux, wy), f64x2.mul(uy, wx));
    const ax = f64x2.sub(pax, ox), ay = f64x2.sub(pay, oy), az = f64x2.sub(paz, oz);
    const bx = f64x2.sub(pbx, ox), by = f64x2.sub(pby, oy), bz = f64x2.sub(pbz, oz);
    const cx = f64x2.sub(pcx, ox), cy = f64x2.sub(pcy, oy), cz = f64x2.sub(pcz, oz);
    const six = dot(ax, ay, az, nx, ny, nz);
    const twice = f64x2.sqrt(dot(nx, ny, nz, nx, ny, nz));
    const sx = f64x2.add(f64x2.add(ax, bx), cx), sy = f64x2.add(f64x2.add(ay, by), cy),
        sz = f64x2.add(f64x2.add(az, bz), cz);
    add(sums, VOLUME, six);
    add(sums, AREA, twice);
    add(sums, NORMAL, nx);
    add(sums, NORMAL + 1, ny);
    add(sums, NORMAL + 2, nz);
    add(sums, AREA_MOMENT, f64x2.mul(twice, sx));
    add(sums, AREA_MOMENT + 1, f64x2.mul(twice, sy));
    add(sums, AREA_MOMENT + 2, f64x2.mul(twice, sz));
    add(sums, MOMENT, f64x2.mul(six, sx));
    add(sums, MOMENT + 1, f64x2.mul(six, sy));
    add(sums, MOMENT + 2, f64x2.mul(six, sz));
    // The second moment of a tetrahedron with its apex at the origin (Tonon 2004): 6V/120 (aa + bb + cc + ss).
    add(sums, SECOND, f64x2.mul(six, f64x2.add(dot(ax, bx, cx, ax, bx, cx), f64x2.mul(sx, sx))));
    add(sums, SECOND + 1, f64x2.mul(six, f64x2.add(dot(ay, by, cy, ay, by, cy), f64x2.mul(sy, sy))));
    add(sums, SECOND + 2, f64x2.mul(six, f64x2.add(dot(az, bz, cz, az, bz, cz), f64x2.mul(sz, sz))));
    add(sums, SECOND + 3, f64x2.mul(six, f64x2.add(dot(ax, bx, cx, ay, by, cy), f64x2.mul(sx, sy))));
    add(sums, SECOND + 4, f64x2.mul(six, f64x2.add(dot(ax, bx, cx, az, bz, cz), f64x2.mul(sx, sz))));
    add(sums, SECOND + 5, f64x2.mul(six, f64x2.add(dot(ay, by, cy, az, bz, cz), f64x2.mul(sy, sz))));
  }
}

/** Adds to a sum in memory, with its error. */
// @ts-ignore: decorator
@inline function add(sums: usize, slot: usize, value: v128): void {
  const at = sums + slot * SLOT;
  const before = v128.load(at);
  const after = f64x2.add(before, value);
  v128.store(at, after);
  v128.store(at, f64x2.add(v128.load(at, 16), roundingOf(before, value, after)), 16);
}

function total(sums: usize, slot: usize): f64 {
  const at = sums + slot * SLOT;
  return both(v128.load(at)) + both(v128.load(at, 16));
}

/** The exact rounding error of the addition sum + value = rounded (TwoSum). */
// @ts-ignore: decorator
@inline function roundingOf(sum: v128, value: v128, rounded: v128): v128 {
  const share = f64x2.sub(rounded, sum);
  return f64x2.add(f64x2.sub(sum, f64x2.sub(rounded, share)), f64x2.sub(value, share));
}

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

// @ts-ignore: decorator
@inline function both(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
}

/** The first coordinates of two vertices, in double precision; second and third likewise. */
// @ts-ignore: decorator
@inline function firstOf(p: v128, q: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(p, q, 0, 4, 1, 5));
}

// @ts-ignore: decorator
@inline function secondOf(p: v128, q: v128): v128 {
  const pairs = v128.shuffle<f32>(p, q, 0, 4, 1, 5);
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(pairs, pairs, 2, 3, 2, 3));
}

// @ts-ignore: decorator
@inline function thirdOf(p: v128, q: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(p, q, 2, 6, 3, 7));
}
