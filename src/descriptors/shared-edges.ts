/** What the edges between triangles tell about the surface that the mesh stands for; lengths in mm, f64[triangleCount]. */
export interface SharedEdges {
  /**
   * How far the true surface may lie above each triangle (where its normal points) and below: the height of the arc over it,
   * if the surface bends on as it does over the triangle's edges. Sharp edges, and edges with no or several neighbours,
   * say nothing.
   */
  readonly above: Float64Array;
  readonly below: Float64Array;
  /** How far the true surface may reach beyond each triangle's sharp edges: the arcs of its neighbours there. */
  readonly beyond: Float64Array;
  /**
   * f32[3 * triangleCount], for the edge from each corner to the next: by how much the surface bends over it, rad, positive where it stands
   * above the triangle. And the height of the neighbour over it, mm; 0 for edges that are sharp or have no or several neighbours.
   */
  readonly bends: Float32Array;
  readonly across: Float32Array;
  /** i32[3 * triangleCount]: the corner that has the same edge in the neighbour; negative where there is not just one. */
  readonly partners: Int32Array;
  /** u32[triangleCount]: the number of the smooth patch of each triangle (the number of its first triangle). */
  readonly patchOf: Uint32Array;
}

/** Cosine of 0.95 rad: a larger bend is an edge of the part, not of its tessellation (a hexagon bends by 1.047). */
const COS_SHARP = 0.5816830894638836;

/**
 * A bend by more than 0.5 rad between strips of which one is over eight times as wide as the other is an edge of a chamfer. An arc that
 * runs on into a flat bends there half as much as within, and within it the strips are alike.
 */
const COS_CHAMFER = 0.8775825618903728;
const CHAMFER_WIDTH = 1 / 8;

/**
 * Compares the triangles across each edge; turnings are not looked at.
 * @param normals f64[3 * triangleCount], unit or 0.
 * @param options.chamfers `edges`: the bends of a chamfer are edges of the part, as where parts are compared. `arcs`: they count as those of an arc
 * meshed coarsely, as in what is stored.
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
  /** What bends add to these that are no chamfer's. */
  const roundAbove = new Float64Array(triangleCount);
  const roundBelow = new Float64Array(triangleCount);
  const patchOf = new Uint32Array(triangleCount);
  const bends = new Float32Array(indices.length);
  const across = new Float32Array(indices.length);
  for (let t = 0; t < triangleCount; t++) patchOf[t] = t;
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
    // An arc of chord h that bends by θ from one chord to the next has the height h θ / 8; θ ≈ 2 sin(θ / 2). The lower
    // neighbour counts: a wide flat beside a fillet is no arc.
    const angle = Math.sqrt(Math.max(0, 2 - 2 * bend.cos));
    const sagitta = (Math.min(bend.heightA, bend.heightB) * angle) / 8;
    // The surface lies on the side from which the neighbour bends away.
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
    joinPatches(patchOf, s, t);
  }
  if (chamfers === 'edges') joinHalves({ partners, bends, across, above, below, roundAbove, roundBelow });
  for (const corner of sharp) {
    const s = Math.floor(corner / 3),
      t = Math.floor(partners[corner] / 3);
    beyond[s] = Math.max(beyond[s], above[t] + below[t]);
    beyond[t] = Math.max(beyond[t], above[s] + below[s]);
  }
  for (let t = 0; t < triangleCount; t++) patchOf[t] = patchRoot(patchOf, t);
  return { above, below, beyond, bends, across, partners, patchOf };
}

/** The halves of a quadrangle on a bent surface bend by no more than this, rad. */
export const HALVES_BEND = 0.08;

/** Of two triangles that are halves of a quadrangle one alone may have a neighbour on the arc: both get the greater height. */
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

/** Which side of triangle t the vertex lies on: positive above; 0 where the triangle has no normal. */
function sideOf(p: Float32Array, normals: Float64Array, t: number, on: number, vertex: number): number {
  let side = 0;
  for (let k = 0; k < 3; k++) side += normals[3 * t + k] * (p[3 * vertex + k] - p[3 * on + k]);
  return side;
}

/** For the edge from each corner to the next: the other corner that has the same edge, or −1 when it is not just one. */
function pairCorners(indices: Uint32Array): Int32Array {
  const partners = new Int32Array(indices.length).fill(-1);
  let size = 16;
  while (size < 2 * indices.length) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const MANY = -2;
  for (let corner = 0; corner < indices.length; corner++) {
    const a = indices[corner],
      b = indices[nextCorner(corner)];
    const low = Math.min(a, b),
      high = Math.max(a, b);
    for (let slot = edgeHash(low, high) & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const held = table[slot];
      if (held < 0) {
        table[slot] = corner;
        break;
      }
      const c = indices[held],
        d = indices[nextCorner(held)];
      if (Math.min(c, d) !== low || Math.max(c, d) !== high) continue;
      if (partners[held] === -1) {
        partners[held] = corner;
        partners[corner] = held;
      } else {
        if (partners[held] >= 0) partners[partners[held]] = MANY;
        partners[held] = MANY;
        partners[corner] = MANY;
      }
      break;
    }
  }
  return partners;
}

/** A number from the two vertices of an edge, the lower first; its low bits are well mixed. */
export function edgeHash(low: number, high: number): number {
  const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The next corner of the same triangle. */
export function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** How far the surface bends over an edge (cos 1 is flat, −1 folded back), and the heights of both triangles over it. */
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

function patchRoot(patchOf: Uint32Array, t: number): number {
  while (patchOf[t] !== t) t = patchOf[t] = patchOf[patchOf[t]];
  return t;
}

function joinPatches(patchOf: Uint32Array, s: number, t: number): void {
  const a = patchRoot(patchOf, s),
    b = patchRoot(patchOf, t);
  if (a < b) patchOf[b] = a;
  else patchOf[a] = b;
}
