import { DisjointSets } from '../content/groups.js';

/** What the edges between triangles reveal of the true surface behind the mesh; lengths in mm, f64[triangleCount]. */
export interface SharedEdges {
  /**
   * Largest possible height of the true surface above each triangle (on the side of its normal) and below it: the
   * height of the arc over the triangle, if the surface continues to bend as it does over the triangle's edges. Sharp
   * edges and edges without exactly one neighbour do not count.
   */
  readonly above: Float64Array;
  readonly below: Float64Array;
  /**
   * Distance by which the true surface may extend beyond a triangle's sharp edges: the arcs of its neighbours there.
   */
  readonly beyond: Float64Array;
  /**
   * f32[3 * triangleCount], for the edge from each corner to the next: `bends` is the angle by which the surface bends
   * there, rad, positive when the neighbour rises above the triangle; `across` is the height of the neighbour over the
   * edge, mm. Both are 0 for sharp edges and for edges without exactly one neighbour.
   */
  readonly bends: Float32Array;
  readonly across: Float32Array;
  /** i32[3 * triangleCount]: the corner of the same edge in the neighbour; negative unless there is exactly one. */
  readonly partners: Int32Array;
  /** u32[triangleCount]: the smooth patch of each triangle, named by the number of its first triangle. */
  readonly patchOf: Uint32Array;
}

/** Cosine of 0.95 rad: a larger bend is an edge of the part, not of its tessellation (a hexagon bends by 1.047). */
const COS_SHARP = 0.5816830894638836;

/**
 * A bend of more than 0.5 rad between two strips is an edge of a chamfer when one strip is over eight times as wide as
 * the other. Where an arc ends in a flat face it bends half as much as inside, and inside an arc the strips are equally
 * wide.
 */
const COS_CHAMFER = 0.8775825618903728;
const CHAMFER_WIDTH = 1 / 8;

/**
 * Compares the triangles across each edge. The orientation of triangles has no effect.
 * @param normals f64[3 * triangleCount], unit or 0.
 * @param options.chamfers `edges`: the bends of a chamfer are edges of the part (used when parts are compared). `arcs`:
 *   they count as those of a coarsely meshed arc (used for stored measures).
 */
export function shareEdges(
  positions: Float32Array,
  indices: Uint32Array,
  normals: Float64Array,
  { chamfers }: { chamfers: 'edges' | 'arcs' },
): SharedEdges {
  const triangleCount = indices.length / 3;
  const above = new Float64Array(triangleCount);
  const below = new Float64Array(triangleCount);
  const beyond = new Float64Array(triangleCount);
  /** The contributions to `above` and `below` of bends that cannot be those of a chamfer. */
  const roundAbove = new Float64Array(triangleCount);
  const roundBelow = new Float64Array(triangleCount);
  const patches = new DisjointSets(triangleCount);
  const bends = new Float32Array(indices.length);
  const across = new Float32Array(indices.length);
  const partners = pairCorners(indices);
  const sharp: number[] = [];
  for (let corner = 0; corner < indices.length; corner++) {
    const partner = partners[corner];
    if (partner <= corner) continue;
    const bend = bendOver(positions, indices, corner, partner);
    const isChamfer =
      chamfers === 'edges' &&
      bend.cos < COS_CHAMFER &&
      Math.min(bend.heightA, bend.heightB) < CHAMFER_WIDTH * Math.max(bend.heightA, bend.heightB);
    if (bend.cos < COS_SHARP || isChamfer) {
      sharp.push(corner);
      continue;
    }
    const s = Math.floor(corner / 3),
      t = Math.floor(partner / 3);
    // An arc with chords h that bends by θ from chord to chord has the height h θ / 8; θ ≈ 2 sin(θ / 2). The smaller
    // height counts: a wide flat face beside a fillet is not an arc.
    const angle = Math.sqrt(Math.max(0, 2 - 2 * bend.cos));
    const sagitta = (Math.min(bend.heightA, bend.heightB) * angle) / 8;
    // The true surface lies on the side from which the neighbour bends away.
    const sideOfT = sideOf(positions, normals, s, indices[corner], indices[nextCorner(nextCorner(partner))]);
    const sideOfS = sideOf(positions, normals, t, indices[corner], indices[nextCorner(nextCorner(corner))]);
    const isRound = bend.cos > COS_CHAMFER;
    const add = (triangle: number, side: number): void => {
      if (side <= 0) above[triangle] += sagitta;
      if (side >= 0) below[triangle] += sagitta;
      if (isRound && side <= 0) roundAbove[triangle] += sagitta;
      if (isRound && side >= 0) roundBelow[triangle] += sagitta;
    };
    add(s, sideOfT);
    add(t, sideOfS);
    bends[corner] = -Math.sign(sideOfT) * angle;
    bends[partner] = -Math.sign(sideOfS) * angle;
    across[corner] = bend.heightB;
    across[partner] = bend.heightA;
    patches.join(s, t);
  }
  if (chamfers === 'edges') joinHalves({ partners, bends, across, above, below, roundAbove, roundBelow });
  for (const corner of sharp) {
    const s = Math.floor(corner / 3),
      t = Math.floor(partners[corner] / 3);
    beyond[s] = Math.max(beyond[s], above[t] + below[t]);
    beyond[t] = Math.max(beyond[t], above[s] + below[s]);
  }
  const patchOf = new Uint32Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) patchOf[t] = patches.rootOf(t);
  return { above, below, beyond, bends, across, partners, patchOf };
}

/** Largest bend between the two triangles of a quadrangle on a curved surface, rad. */
export const HALVES_BEND = 0.08;

/** Of the two triangles of a quadrangle, only one may have a neighbour on the arc; both get the larger height. */
function joinHalves({
  partners,
  bends,
  across,
  above,
  below,
  roundAbove,
  roundBelow,
}: Omit<SharedEdges, 'beyond' | 'patchOf'> & {
  readonly roundAbove: Float64Array;
  readonly roundBelow: Float64Array;
}): void {
  for (let corner = 0; corner < partners.length; corner++) {
    if (!(across[corner] > 0) || Math.abs(bends[corner]) > HALVES_BEND) continue;
    const t = Math.floor(corner / 3),
      other = Math.floor(partners[corner] / 3);
    above[t] = Math.max(above[t], roundAbove[other]);
    below[t] = Math.max(below[t], roundBelow[other]);
  }
}

/** Signed distance of a vertex from the plane of triangle t: positive above, 0 when the triangle has no normal. */
function sideOf(p: Float32Array, normals: Float64Array, t: number, on: number, vertex: number): number {
  let side = 0;
  for (let k = 0; k < 3; k++) side += normals[3 * t + k] * (p[3 * vertex + k] - p[3 * on + k]);
  return side;
}

/**
 * For the edge from each corner to the next: the corner of the same edge in the other triangle; negative unless exactly
 * one.
 */
export function pairCorners(indices: Uint32Array): Int32Array {
  const partners = new Int32Array(indices.length).fill(-1);
  const table = new EdgeTable(indices);
  const MANY = -2;
  for (let corner = 0; corner < indices.length; corner++) {
    const held = table.corners[table.slotOf(corner)];
    if (held === corner) continue;
    if (partners[held] === -1) {
      partners[held] = corner;
      partners[corner] = held;
    } else {
      if (partners[held] >= 0) partners[partners[held]] = MANY;
      partners[held] = MANY;
      partners[corner] = MANY;
    }
  }
  return partners;
}

/** The edges of a mesh by their two vertices, whatever their order (open addressing). */
export class EdgeTable {
  readonly #indices: Uint32Array;
  /** A power of two. */
  readonly size: number;
  /** By slot: the first corner whose edge to the next corner is this one; negative where there is none. */
  readonly corners: Int32Array;

  constructor(indices: Uint32Array) {
    this.#indices = indices;
    let size = 16;
    while (size < 2 * indices.length) size *= 2;
    this.size = size;
    this.corners = new Int32Array(this.size).fill(-1);
  }

  /** The slot of the edge from a corner to the next; a new edge gets one. */
  slotOf(corner: number): number {
    const { corners } = this,
      indices = this.#indices,
      last = this.size - 1;
    const a = indices[corner],
      b = indices[nextCorner(corner)];
    const low = Math.min(a, b),
      high = Math.max(a, b);
    // The low bits of the hash are well mixed.
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & last; ; slot = (slot + 1) & last) {
      const held = corners[slot];
      if (held < 0) {
        corners[slot] = corner;
        return slot;
      }
      const c = indices[held],
        d = indices[nextCorner(held)];
      if (Math.min(c, d) === low && Math.max(c, d) === high) return slot;
    }
  }
}

/** The next corner of the same triangle. */
export function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** Cosine of the bend over an edge (1: flat, −1: folded back), and the heights of both triangles over it. */
function bendOver(
  p: Float32Array,
  indices: Uint32Array,
  corner: number,
  partner: number,
): { cos: number; heightA: number; heightB: number } {
  const a = 3 * indices[corner],
    b = 3 * indices[nextCorner(corner)];
  const c = 3 * indices[nextCorner(nextCorner(corner))],
    d = 3 * indices[nextCorner(nextCorner(partner))];
  const ex = p[b] - p[a],
    ey = p[b + 1] - p[a + 1],
    ez = p[b + 2] - p[a + 2];
  const ee = ex * ex + ey * ey + ez * ez;
  let ux = p[c] - p[a],
    uy = p[c + 1] - p[a + 1],
    uz = p[c + 2] - p[a + 2];
  let vx = p[d] - p[a],
    vy = p[d + 1] - p[a + 1],
    vz = p[d + 2] - p[a + 2];
  const eu = (ex * ux + ey * uy + ez * uz) / ee,
    ev = (ex * vx + ey * vy + ez * vz) / ee;
  ux -= eu * ex;
  uy -= eu * ey;
  uz -= eu * ez;
  vx -= ev * ex;
  vy -= ev * ey;
  vz -= ev * ez;
  const heightA = Math.sqrt(ux * ux + uy * uy + uz * uz),
    heightB = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const product = heightA * heightB;
  return { cos: product > 0 ? -(ux * vx + uy * vy + uz * vz) / product : 1, heightA, heightB };
}
