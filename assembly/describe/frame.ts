import { reserve, mark, reset } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { eigenSymmetric3 } from './eigen';

/**
 * Frames that rotate with the part: one from the directions of its faces, one from the second moments of its surface.
 * The sign of normals is ignored, because the winding of meshes is not reliable.
 */

/** Bins along one side of a face of the half cube that directions are counted on: about one degree each. */
const SIDE: i32 = 90;
const BINS: i32 = 3 * SIDE * SIDE;
/** Directions nearer than 3° are merged. */
const COS_NEAR: f64 = 0.9986295347545738;
const SIN_NEAR: f64 = 0.052335956242943835;
/** Number of directions kept, largest first, and of those among which a frame is searched. */
export const CLUSTERS: i32 = 64;
const CANDIDATES: i32 = 24;
/** Bytes of one bin or cluster: area, then the area-weighted sum of its unit normals. */
const ENTRY: usize = 32;

/**
 * The directions of faces, merged within 3° and with their opposites, by descending area.
 * positions: f32[3 * n]; indices: u32[3 * triangleCount].
 * clusters: f64[4 * CLUSTERS] out: share of the total area, then the unit direction. Unused ones have share 0.
 * Returns the status.
 */
export function faceDirections(positions: usize, indices: usize, triangleCount: i32, clusters: usize): i32 {
  const scratch = mark();
  const bins = reserve(<u32>(BINS * <i32>ENTRY));
  const order = reserve(<u32>(BINS * 4));
  if (bins == 0 || order == 0) { reset(scratch); return OUT_OF_MEMORY; }
  memory.fill(bins, 0, <usize>BINS * ENTRY);
  memory.fill(clusters, 0, <usize>CLUSTERS * ENTRY);
  let total: f64 = 0;
  for (let t = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * 12;
    const a = positions + <usize>load<u32>(i) * 12;
    const b = positions + <usize>load<u32>(i, 4) * 12;
    const c = positions + <usize>load<u32>(i, 8) * 12;
    const ax = <f64>load<f32>(a), ay = <f64>load<f32>(a, 4), az = <f64>load<f32>(a, 8);
    const ux = <f64>load<f32>(b) - ax, uy = <f64>load<f32>(b, 4) - ay, uz = <f64>load<f32>(b, 8) - az;
    const vx = <f64>load<f32>(c) - ax, vy = <f64>load<f32>(c, 4) - ay, vz = <f64>load<f32>(c, 8) - az;
    let nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) continue;
    total += length;
    // The half cube: the largest component chooses the face and is made positive.
    const absX = Math.abs(nx), absY = Math.abs(ny), absZ = Math.abs(nz);
    let face: i32, p: f64, q: f64, major: f64;
    if (absX >= absY && absX >= absZ) { face = 0; major = nx; p = ny; q = nz; }
    else if (absY >= absZ) { face = 1; major = ny; p = nz; q = nx; }
    else { face = 2; major = nz; p = nx; q = ny; }
    if (major < 0) { nx = -nx; ny = -ny; nz = -nz; }
    const column = min<i32>(SIDE - 1, <i32>((p / major + 1) * 0.5 * <f64>SIDE));
    const row = min<i32>(SIDE - 1, <i32>((q / major + 1) * 0.5 * <f64>SIDE));
    const bin = bins + <usize>((face * SIDE + row) * SIDE + column) * ENTRY;
    store<f64>(bin, load<f64>(bin) + length);
    store<f64>(bin, load<f64>(bin, 8) + nx, 8);
    store<f64>(bin, load<f64>(bin, 16) + ny, 16);
    store<f64>(bin, load<f64>(bin, 24) + nz, 24);
  }
  if (!(total > 0)) { reset(scratch); return NO_GEOMETRY; }
  let used = 0;
  for (let bin = 0; bin < BINS; bin++) {
    if (load<f64>(bins + <usize>bin * ENTRY) > 0) store<i32>(order + (<usize>(used++) << 2), bin);
  }
  sortByArea(order, used, bins);

  let count = 0;
  for (let i = 0; i < used; i++) {
    const bin = bins + <usize>load<i32>(order + (<usize>i << 2)) * ENTRY;
    const sx = load<f64>(bin, 8), sy = load<f64>(bin, 16), sz = load<f64>(bin, 24);
    const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
    if (!(length > 0)) continue;
    let joined = false;
    for (let k = 0; k < count; k++) {
      const cluster = clusters + <usize>k * ENTRY;
      const cx = load<f64>(cluster, 8), cy = load<f64>(cluster, 16), cz = load<f64>(cluster, 24);
      const dot = (sx * cx + sy * cy + sz * cz) / (length * Math.sqrt(cx * cx + cy * cy + cz * cz));
      if (Math.abs(dot) < COS_NEAR) continue;
      const sign: f64 = dot < 0 ? -1 : 1;
      store<f64>(cluster, load<f64>(cluster) + load<f64>(bin));
      store<f64>(cluster, cx + sign * sx, 8);
      store<f64>(cluster, cy + sign * sy, 16);
      store<f64>(cluster, cz + sign * sz, 24);
      joined = true;
      break;
    }
    if (!joined && count < CLUSTERS) {
      memory.copy(clusters + <usize>(count++) * ENTRY, bin, ENTRY);
    }
  }
  // Insertion sort: clusters are nearly in order already.
  for (let i = 1; i < count; i++) {
    for (let k = i; k > 0; k--) {
      const here = clusters + <usize>k * ENTRY;
      if (load<f64>(here) <= load<f64>(here - ENTRY)) break;
      swapEntries(here, here - ENTRY);
    }
  }
  for (let k = 0; k < count; k++) {
    const cluster = clusters + <usize>k * ENTRY;
    const cx = load<f64>(cluster, 8), cy = load<f64>(cluster, 16), cz = load<f64>(cluster, 24);
    const scale = 1 / Math.sqrt(cx * cx + cy * cy + cz * cz);
    store<f64>(cluster, load<f64>(cluster) / total);
    store<f64>(cluster, cx * scale, 8);
    store<f64>(cluster, cy * scale, 16);
    store<f64>(cluster, cz * scale, 24);
  }
  reset(scratch);
  return DONE;
}

/**
 * The frame of a part's faces: the perpendicular pair among its 24 largest face directions that, with the faces along
 * their cross product, holds the most area. Without such a pair, the largest direction and the main axis of the surface
 * across it.
 * clusters: from faceDirections. moments: f64[6] second moments of the surface (xx, yy, zz, xy, xz, yz).
 * axes: f64[9] out, unit rows, right-handed.
 */
export function faceFrame(clusters: usize, moments: usize, axes: usize): void {
  let best: f64 = -1;
  let first = 0, second = 0;
  for (let i = 0; i < CANDIDATES; i++) {
    const a = clusters + <usize>i * ENTRY;
    if (!(load<f64>(a) > 0)) break;
    for (let j = i + 1; j < CANDIDATES; j++) {
      const b = clusters + <usize>j * ENTRY;
      if (!(load<f64>(b) > 0)) break;
      const ax = load<f64>(a, 8), ay = load<f64>(a, 16), az = load<f64>(a, 24);
      const bx = load<f64>(b, 8), by = load<f64>(b, 16), bz = load<f64>(b, 24);
      if (Math.abs(ax * bx + ay * by + az * bz) > SIN_NEAR) continue;
      const cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx;
      let area = load<f64>(a) + load<f64>(b);
      for (let k = 0; k < CLUSTERS; k++) {
        const c = clusters + <usize>k * ENTRY;
        if (!(load<f64>(c) > 0)) break;
        if (Math.abs(cx * load<f64>(c, 8) + cy * load<f64>(c, 16) + cz * load<f64>(c, 24)) >= COS_NEAR)
          area += load<f64>(c);
      }
      if (area > best * (1 + 1e-6)) { best = area; first = i; second = j; }
    }
  }
  const a = clusters + <usize>first * ENTRY;
  const ax = load<f64>(a, 8), ay = load<f64>(a, 16), az = load<f64>(a, 24);
  let bx: f64, by: f64, bz: f64;
  if (best > 0) {
    const b = clusters + <usize>second * ENTRY;
    bx = load<f64>(b, 8); by = load<f64>(b, 16); bz = load<f64>(b, 24);
  } else {
    // Any vector across, then the main axis of the moments in the plane that it spans with its perpendicular.
    let px: f64 = 0, py: f64 = 0, pz: f64 = 0;
    if (Math.abs(ax) <= Math.abs(ay) && Math.abs(ax) <= Math.abs(az)) px = 1;
    else if (Math.abs(ay) <= Math.abs(az)) py = 1;
    else pz = 1;
    const along = px * ax + py * ay + pz * az;
    px -= along * ax; py -= along * ay; pz -= along * az;
    const scale = 1 / Math.sqrt(px * px + py * py + pz * pz);
    px *= scale; py *= scale; pz *= scale;
    const qx = ay * pz - az * py, qy = az * px - ax * pz, qz = ax * py - ay * px;
    const pp = form(moments, px, py, pz, px, py, pz);
    const qq = form(moments, qx, qy, qz, qx, qy, qz);
    const pq = form(moments, px, py, pz, qx, qy, qz);
    const angle = 0.5 * Math.atan2(2 * pq, pp - qq);
    const c = Math.cos(angle), s = Math.sin(angle);
    bx = c * px + s * qx; by = c * py + s * qy; bz = c * pz + s * qz;
  }
  const along = ax * bx + ay * by + az * bz;
  bx -= along * ax; by -= along * ay; bz -= along * az;
  const scale = 1 / Math.sqrt(bx * bx + by * by + bz * bz);
  bx *= scale; by *= scale; bz *= scale;
  store<f64>(axes, ax); store<f64>(axes, ay, 8); store<f64>(axes, az, 16);
  store<f64>(axes, bx, 24); store<f64>(axes, by, 32); store<f64>(axes, bz, 40);
  store<f64>(axes, ay * bz - az * by, 48); store<f64>(axes, az * bx - ax * bz, 56);
  store<f64>(axes, ax * by - ay * bx, 64);
}

/**
 * Second moments of the surface about its area centroid, per unit area: exact integrals over the triangles ("continuous
 * PCA", Vranić, Saupe & Richter 2001). moments: f64[6] out: xx, yy, zz, xy, xz, yz. centroid: f64[3] out.
 */
export function surfaceMoments(
  positions: usize, indices: usize, triangleCount: i32, moments: usize, centroid: usize,
): i32 {
  let total: f64 = 0;
  let mx: f64 = 0, my: f64 = 0, mz: f64 = 0;
  let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
  for (let t = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * 12;
    const a = positions + <usize>load<u32>(i) * 12;
    const b = positions + <usize>load<u32>(i, 4) * 12;
    const c = positions + <usize>load<u32>(i, 8) * 12;
    const ax = <f64>load<f32>(a), ay = <f64>load<f32>(a, 4), az = <f64>load<f32>(a, 8);
    const bx = <f64>load<f32>(b), by = <f64>load<f32>(b, 4), bz = <f64>load<f32>(b, 8);
    const cx = <f64>load<f32>(c), cy = <f64>load<f32>(c, 4), cz = <f64>load<f32>(c, 8);
    const ux = bx - ax, uy = by - ay, uz = bz - az, vx = cx - ax, vy = cy - ay, vz = cz - az;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const sx = ax + bx + cx, sy = ay + by + cy, sz = az + bz + cz;
    total += area;
    mx += area * sx; my += area * sy; mz += area * sz;
    xx += area * (sx * sx + ax * ax + bx * bx + cx * cx);
    yy += area * (sy * sy + ay * ay + by * by + cy * cy);
    zz += area * (sz * sz + az * az + bz * bz + cz * cz);
    xy += area * (sx * sy + ax * ay + bx * by + cx * cy);
    xz += area * (sx * sz + ax * az + bx * bz + cx * cz);
    yz += area * (sy * sz + ay * az + by * bz + cy * cz);
  }
  if (!(total > 0)) return NO_GEOMETRY;
  mx /= 3 * total; my /= 3 * total; mz /= 3 * total;
  const k = 1 / (12 * total);
  store<f64>(centroid, mx); store<f64>(centroid, my, 8); store<f64>(centroid, mz, 16);
  store<f64>(moments, xx * k - mx * mx); store<f64>(moments, yy * k - my * my, 8);
  store<f64>(moments, zz * k - mz * mz, 16);
  store<f64>(moments, xy * k - mx * my, 24); store<f64>(moments, xz * k - mx * mz, 32);
  store<f64>(moments, yz * k - my * mz, 40);
  return DONE;
}

/**
 * The inertial frame of the surface: eigenvectors of its second moments, descending. axes: f64[9] out, right-handed.
 */
export function spreadFrame(moments: usize, axes: usize): void {
  const scratch = mark();
  const values = reserve(24);
  eigenSymmetric3(moments, axes, values);
  reset(scratch);
}

/** u · M v for the symmetric M = moments. */
function form(m: usize, ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64): f64 {
  const xx = load<f64>(m), yy = load<f64>(m, 8), zz = load<f64>(m, 16);
  const xy = load<f64>(m, 24), xz = load<f64>(m, 32), yz = load<f64>(m, 40);
  return ux * (xx * vx + xy * vy + xz * vz) + uy * (xy * vx + yy * vy + yz * vz) + uz * (xz * vx + yz * vy + zz * vz);
}

function swapEntries(a: usize, b: usize): void {
  for (let k: usize = 0; k < ENTRY; k += 8) {
    const held = load<f64>(a + k);
    store<f64>(a + k, load<f64>(b + k));
    store<f64>(b + k, held);
  }
}

/** Heap sort of bin numbers by descending area, then ascending number. */
function sortByArea(order: usize, count: i32, bins: usize): void {
  for (let start = (count >> 1) - 1; start >= 0; start--) sink(order, start, count, bins);
  for (let end = count - 1; end > 0; end--) {
    const held = load<i32>(order);
    store<i32>(order, load<i32>(order + (<usize>end << 2)));
    store<i32>(order + (<usize>end << 2), held);
    sink(order, 0, end, bins);
  }
}

/** Whether bin a comes after bin b. */
// @ts-ignore: decorator
@inline
function after(a: i32, b: i32, bins: usize): bool {
  const areaA = load<f64>(bins + <usize>a * ENTRY), areaB = load<f64>(bins + <usize>b * ENTRY);
  return areaA != areaB ? areaA < areaB : a > b;
}

function sink(order: usize, root: i32, count: i32, bins: usize): void {
  let parent = root;
  while (true) {
    let child = 2 * parent + 1;
    if (child >= count) return;
    const right = child + 1;
    if (right < count && after(load<i32>(order + (<usize>right << 2)), load<i32>(order + (<usize>child << 2)), bins))
      child = right;
    const above = load<i32>(order + (<usize>parent << 2)), below = load<i32>(order + (<usize>child << 2));
    if (!after(below, above, bins)) return;
    store<i32>(order + (<usize>parent << 2), below);
    store<i32>(order + (<usize>child << 2), above);
    parent = child;
  }
}
