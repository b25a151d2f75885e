import { HALVES_BEND, nextCorner } from '../../../descriptors/shared-edges.js';
import type { PartSurface } from './part-surface.js';
import { scaleOf, type Pose } from './pose.js';

/**
 * Step of the grid on which vertices are stored, as a share of the reach; bends that rounding can cause are ignored.
 */
const GRID = 6e-5;
/** Largest angle of the surface that a chord can span in a usual mesh, rad. */
const MOST_TURN = 1.3;
/** A chord of a curved surface bends towards a neighbour by at least this share of its angle; a flat face does not. */
const LEAST_BEND = 0.3;

/** A triangle of a surface; `pose` transforms it to the frame of the comparison; undefined: it is in that frame. */
export interface PlacedTriangle {
  readonly part: PartSurface;
  readonly triangle: number;
  readonly pose: Pose | undefined;
}

/** The curvature of a surface at a triangle in one direction. */
interface Bend {
  /** 1/mm; positive: the surface is above its chords, on the side of the triangle's normal. */
  curvature: number;
  x: number;
  y: number;
  z: number;
}

const first: Bend = { curvature: 0, x: 0, y: 0, z: 0 };
const second: Bend = { curvature: 0, x: 0, y: 0, z: 0 };
const corners = new Float64Array(9);
const shares = new Float64Array(3);

/**
 * Height of a surface over a triangle that is a chord of it, mm, at the point (x, y, z) of the triangle or beside it,
 * when the curvature is taken from another, finer mesh: half the mean of its quadratic form over the corners relative
 * to the point. Positive: on the side to which the normal of `fine` points. 0 when the chord itself does not bend in
 * that sense: a flat face is not a chord.
 * facing: 1 when the normals of both point the same way, else −1.
 */
export function heightOverChord(
  chord: PlacedTriangle,
  fine: PlacedTriangle,
  facing: 1 | -1,
  [x, y, z]: readonly [number, number, number],
): number {
  if (!readBends(fine)) return 0;
  placeCorners(chord);
  let low = Infinity,
    high = -Infinity;
  for (let i = 0; i < 9; i += 3) {
    const along = first.x * corners[i] + first.y * corners[i + 1] + first.z * corners[i + 2];
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  const turn = Math.abs(first.curvature) * (high - low);
  if (turn > MOST_TURN || bendTowards(chord, Math.sign(first.curvature) * facing) < LEAST_BEND * turn) return 0;
  barycentric(x, y, z);
  const px = shares[0] * corners[0] + shares[1] * corners[3] + shares[2] * corners[6];
  const py = shares[0] * corners[1] + shares[1] * corners[4] + shares[2] * corners[7];
  const pz = shares[0] * corners[2] + shares[1] * corners[5] + shares[2] * corners[8];
  let form = 0;
  for (let i = 0; i < 3; i++) {
    const vx = corners[3 * i] - px,
      vy = corners[3 * i + 1] - py,
      vz = corners[3 * i + 2] - pz;
    const along = first.x * vx + first.y * vy + first.z * vz,
      across = second.x * vx + second.y * vy + second.z * vz;
    form += shares[i] * (first.curvature * along * along + second.curvature * across * across);
  }
  return form / 2;
}

/**
 * Fills `first` with the direction of largest curvature at the triangle, and `second` with the one across it. False:
 * the surface is flat there.
 */
function readBends({ part, triangle, pose }: PlacedTriangle): boolean {
  first.curvature = second.curvature = 0;
  const halves = halvesOf(part, triangle);
  for (const half of halves) addBends(part, half, 'most');
  if (first.curvature === 0) return false;
  for (const half of halves) addBends(part, half, 'across');
  const { normals: n } = part,
    t = 3 * triangle;
  second.x = n[t + 1] * first.z - n[t + 2] * first.y;
  second.y = n[t + 2] * first.x - n[t] * first.z;
  second.z = n[t] * first.y - n[t + 1] * first.x;
  if (pose !== undefined) {
    turn(first, pose);
    turn(second, pose);
  }
  return true;
}

/** Finds the largest curvature over the edges of a triangle, or the largest across the one found before. */
function addBends(
  { positions: p, indices, normals: n, edges: { bends, across }, facts: { reachMm } }: PartSurface,
  triangle: number,
  which: 'most' | 'across',
): void {
  const t = 3 * triangle;
  for (let corner = t; corner < t + 3; corner++) {
    const a = 3 * indices[corner],
      b = 3 * indices[nextCorner(corner)],
      c = 3 * indices[nextCorner(nextCorner(corner))];
    const ex = p[b] - p[a],
      ey = p[b + 1] - p[a + 1],
      ez = p[b + 2] - p[a + 2];
    // In the plane of the triangle, across the edge.
    let x = n[t + 1] * ez - n[t + 2] * ey,
      y = n[t + 2] * ex - n[t] * ez,
      z = n[t] * ey - n[t + 1] * ex;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) return;
    x /= length;
    y /= length;
    z /= length;
    const own = Math.abs(x * (p[c] - p[a]) + y * (p[c + 1] - p[a + 1]) + z * (p[c + 2] - p[a + 2])),
      other = across[corner];
    const lower = Math.min(own, other);
    const bend = Math.max(0, Math.abs(bends[corner]) - (GRID * reachMm) / lower);
    if (!(bend > 0)) continue;
    // Chords of one arc bend by the mean of their angles; at a flat face beside a fillet only the lower neighbour
    // counts.
    const curvature = Math.sign(bends[corner]) * bend * Math.min(2 / (own + other), lower / (own * own));
    if (which === 'most') {
      if (Math.abs(curvature) > Math.abs(first.curvature)) Object.assign(first, { curvature, x, y, z });
      continue;
    }
    const along = first.x * x + first.y * y + first.z * z;
    if (along * along < 0.5 && Math.abs(curvature) > Math.abs(second.curvature)) second.curvature = curvature;
  }
}

/** The triangle and those that form quadrangles with it: only these may have a neighbour on the arc. */
function halvesOf({ edges: { bends, across, partners } }: PartSurface, triangle: number): number[] {
  const halves = [triangle];
  for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
    if (across[corner] > 0 && Math.abs(bends[corner]) <= HALVES_BEND) halves.push(Math.floor(partners[corner] / 3));
  }
  return halves;
}

/** Transforms a curvature to the frame of the comparison. */
function turn(bend: Bend, pose: Pose): void {
  const { x, y, z } = bend,
    scale = scaleOf(pose);
  bend.x = (pose[0] * x + pose[1] * y + pose[2] * z) / scale;
  bend.y = (pose[3] * x + pose[4] * y + pose[5] * z) / scale;
  bend.z = (pose[6] * x + pose[7] * y + pose[8] * z) / scale;
  bend.curvature /= scale;
}

/**
 * The largest bend of the triangle or of its other half towards a neighbour, rad. side: 1 if the surface is above, −1
 * below.
 */
function bendTowards({ part, triangle }: PlacedTriangle, side: number): number {
  const { bends } = part.edges;
  let most = 0;
  for (const half of halvesOf(part, triangle))
    most = Math.max(most, side * bends[3 * half], side * bends[3 * half + 1], side * bends[3 * half + 2]);
  return most;
}

function placeCorners({ part: { positions: p, indices }, triangle, pose }: PlacedTriangle): void {
  for (let i = 0; i < 3; i++) {
    const v = 3 * indices[3 * triangle + i];
    const x = p[v],
      y = p[v + 1],
      z = p[v + 2];
    for (let k = 0; k < 3; k++) {
      corners[3 * i + k] =
        pose === undefined ? p[v + k] : pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
    }
  }
}

/** Barycentric coordinates of the point's projection; points beside the triangle are moved to its edge. */
function barycentric(x: number, y: number, z: number): void {
  const [ax, ay, az] = corners;
  const ux = corners[3] - ax,
    uy = corners[4] - ay,
    uz = corners[5] - az;
  const vx = corners[6] - ax,
    vy = corners[7] - ay,
    vz = corners[8] - az;
  const wx = x - ax,
    wy = y - ay,
    wz = z - az;
  const uu = ux * ux + uy * uy + uz * uz,
    uv = ux * vx + uy * vy + uz * vz,
    vv = vx * vx + vy * vy + vz * vz;
  const uw = ux * wx + uy * wy + uz * wz,
    vw = vx * wx + vy * wy + vz * wz;
  const determinant = uu * vv - uv * uv;
  const b = Math.max(0, determinant > 0 ? (vv * uw - uv * vw) / determinant : 1 / 3),
    c = Math.max(0, determinant > 0 ? (uu * vw - uv * uw) / determinant : 1 / 3);
  const beyond = Math.max(1, b + c);
  shares[1] = b / beyond;
  shares[2] = c / beyond;
  shares[0] = 1 - shares[1] - shares[2];
}
