import { boxOf, diagonalOf } from '../../content/boxes.js';
import type { Mesh } from '../../content/model.js';
import type { PartFace } from '../faces/part-face.js';
import { across, cross, dot, lengthOf, minus, movedPoint, plus, turned, unit, type Vector } from '../faces/vector.js';
import { Rims, type RimArc } from './rim-arcs.js';

/** A mesh, of exact surfaces where it has such, as it is looked at from several sides. */
export class Body {
  readonly mesh: Mesh;
  /** Surfaces of `mesh.faces`, in their order; may be fewer, and none of a mesh without exact surfaces. */
  readonly faces: readonly PartFace[];
  /** Coordinates of the vertices that triangles use, f64[3 * n], and their numbers. */
  readonly used: Float64Array;
  readonly numbers: Uint32Array;
  /** Diagonal of its box. */
  readonly sizeMm: number;
  /** By vertex, 1 for those that some reach has found to be nearly farthest out. */
  readonly isNear: Uint8Array;
  /** Numbers of the faces that are spheres and tori. */
  readonly balls: readonly number[];
  #rims: Rims | undefined;

  constructor(mesh: Mesh, faces: readonly PartFace[]) {
    this.mesh = mesh;
    this.faces = mesh.curved === undefined ? [] : faces;
    const { positions, indices } = mesh;
    this.isNear = new Uint8Array(positions.length / 3);
    this.balls = [...this.faces.keys()].filter((face) => isBall(this.faces[face]));
    const isUsed = new Uint8Array(positions.length / 3);
    let count = 0;
    for (let corner = 0; corner < indices.length; corner++) {
      if (isUsed[indices[corner]] === 1) continue;
      isUsed[indices[corner]] = 1;
      count++;
    }
    this.numbers = new Uint32Array(count);
    this.used = new Float64Array(3 * count);
    for (let vertex = 0, i = 0; vertex < isUsed.length; vertex++) {
      if (isUsed[vertex] === 0) continue;
      this.used[3 * i] = positions[3 * vertex];
      this.used[3 * i + 1] = positions[3 * vertex + 1];
      this.used[3 * i + 2] = positions[3 * vertex + 2];
      this.numbers[i++] = vertex;
    }
    this.sizeMm = this.numbers.length === 0 ? 0 : diagonalOf(boxOf(this.used));
  }

  /** Once all reaches have marked what is near. */
  get rims(): Rims {
    return (this.#rims ??= new Rims(this.mesh, this.faces, this));
  }
}

/** A body at its place. */
export interface PlacedBody {
  readonly body: Body;
  /** f64[16], column-major, from the body's frame to that of the file, mm. */
  readonly matrix: Float64Array;
}

/** Tangent of the angle by which a direction may be turned from the one for which a {@link Reach} was made. */
export const MOST_TURN = 0.02;
/**
 * Largest height of an exact surface over its triangles, as a share of the diagonal of the body: the reader tessellates
 * within a thousandth of the mean side of its box.
 */
const MOST_HEIGHT = 2e-3;

/** Directions nearer to the axis of a torus than this count as along it, rad. */
const STRAIGHT = 1e-9;
/** Most ways from that axis that are then tried. */
const MOST_WAYS = 32;

/** A sphere or torus, and those of its triangles that are far out. */
interface Ball {
  readonly centre: Vector;
  readonly axis: Vector;
  /** Of a torus, of the circle in the middle of its tube; of a sphere 0. */
  readonly ring: number;
  /** Of the sphere or the tube. */
  readonly radius: number;
  /** f64[9 * n]: corners of triangles. */
  readonly triangles: Float64Array;
  /** Longest side of these. */
  readonly side: number;
}

/** What of a part may be farthest out in a direction and those near it. Call `addCurves` of all before asking any. */
export class Reach {
  readonly #direction: Vector;
  readonly #farthest: Vector;
  /** Bodies that have something there, with which of their vertices. */
  readonly #near: (PlacedBody & { readonly nearly: Uint8Array })[] = [];
  readonly #points: Float64Array;
  readonly #arcs: RimArc[] = [];
  readonly #balls: Ball[] = [];

  /** direction: a unit vector. */
  constructor(bodies: readonly PlacedBody[], direction: Vector) {
    this.#direction = direction;
    this.#farthest = farthestOf(bodies, direction);
    const points: number[] = [];
    for (const placed of bodies) {
      const nearly = new Uint8Array(placed.body.isNear.length);
      if (addNear(points, nearly, placed, { direction, farthest: this.#farthest }) && placed.body.faces.length > 0)
        this.#near.push({ ...placed, nearly });
    }
    this.#points = Float64Array.from(points);
  }

  /** Adds the rims, spheres and tori that are near. */
  addCurves(): void {
    for (const { body, matrix, nearly } of this.#near) {
      for (const arc of body.rims.arcs(nearly)) this.#arcs.push(movedArc(matrix, arc));
      const direction = this.#direction,
        farthest = this.#farthest;
      for (const ball of ballsOf({ body, matrix }, nearly, { direction, farthest })) this.#balls.push(ball);
    }
  }

  /** Number of things that are looked at for one direction. */
  get size(): number {
    return (
      this.#points.length / 3 +
      this.#arcs.length +
      this.#balls.reduce((sum, { triangles }) => sum + triangles.length / 9, 0)
    );
  }

  /** Whether an exact surface is farther out in a direction than all vertices. */
  isRound(direction: Vector): boolean {
    return this.along(direction) > this.#ofPoints(direction);
  }

  /** How far the part goes in a direction, mm from the origin. direction: a unit vector near that of this reach. */
  along(direction: Vector): number {
    let most = this.#ofPoints(direction);
    for (const { centre, out, along, tangent } of this.#arcs) {
      const u = dot(direction, out),
        v = dot(direction, along);
      if (u > 0 && Math.abs(v) <= tangent * u) most = Math.max(most, dot(direction, centre) + Math.sqrt(u * u + v * v));
    }
    for (const ball of this.#balls) {
      const value = farthestOn(ball, direction);
      if (value > most && isReached(ball, direction)) most = value;
    }
    return most;
  }

  #ofPoints([x, y, z]: Vector): number {
    const points = this.#points;
    let most = -Infinity;
    for (let at = 0; at < points.length; at += 3) {
      const value = x * points[at] + y * points[at + 1] + z * points[at + 2];
      if (value > most) most = value;
    }
    return most;
  }
}

/** The vertex that is farthest out, in the frame of the file. */
function farthestOf(bodies: readonly PlacedBody[], direction: Vector): Vector {
  let most = -Infinity,
    found: Vector = [0, 0, 0];
  for (const { body, matrix } of bodies) {
    const { used } = body;
    const [x, y, z, offset] = inBody(matrix, direction);
    let best = -1;
    for (let at = 0; at < used.length; at += 3) {
      const value = offset + x * used[at] + y * used[at + 1] + z * used[at + 2];
      if (value > most) {
        most = value;
        best = at;
      }
    }
    if (best >= 0) found = movedPoint(matrix, [used[best], used[best + 1], used[best + 2]]);
  }
  return found;
}

/** A direction as a linear form in the frame of a body. */
function inBody(m: Float64Array, [x, y, z]: Vector): [x: number, y: number, z: number, offset: number] {
  return [
    m[0] * x + m[1] * y + m[2] * z,
    m[4] * x + m[5] * y + m[6] * z,
    m[8] * x + m[9] * y + m[10] * z,
    m[12] * x + m[13] * y + m[14] * z,
  ];
}

/**
 * Adds the vertices that a direction turned by {@link MOST_TURN} may bring farther out than the one that is farthest
 * now, and marks those whose surface may. False when there is none of either.
 */
function addNear(
  points: number[],
  nearly: Uint8Array,
  { body: { used, numbers, sizeMm, isNear }, matrix: m }: PlacedBody,
  { direction, farthest }: { readonly direction: Vector; readonly farthest: Vector },
): boolean {
  const [x, y, z, offset] = inBody(m, direction);
  const [fx, fy, fz] = farthest;
  const height = MOST_HEIGHT * sizeMm * lengthOf([m[0], m[1], m[2]]);
  const top = dot(farthest, direction);
  let isAny = false;
  for (let at = 0; at < used.length; at += 3) {
    const a = used[at],
      b = used[at + 1],
      c = used[at + 2];
    const below = top - (offset + x * a + y * b + z * c);
    const px = m[0] * a + m[4] * b + m[8] * c + m[12],
      py = m[1] * a + m[5] * b + m[9] * c + m[13],
      pz = m[2] * a + m[6] * b + m[10] * c + m[14];
    const square = (px - fx) ** 2 + (py - fy) ** 2 + (pz - fz) ** 2;
    // Distance across the direction, from that in space.
    const aside = Math.sqrt(Math.max(0, square - below * below));
    if (below > MOST_TURN * aside + height) continue;
    nearly[numbers[at / 3]] = 1;
    isNear[numbers[at / 3]] = 1;
    isAny = true;
    if (below <= MOST_TURN * aside) points.push(px, py, pz);
  }
  return isAny;
}

function movedArc(matrix: Float64Array, { centre, out, along, tangent }: RimArc): RimArc {
  return { centre: movedPoint(matrix, centre), out: turned(matrix, out), along: turned(matrix, along), tangent };
}

/** The spheres and tori of a body with triangles among the given vertices; none where the placement distorts. */
function ballsOf(
  { body: { mesh, faces, balls: numbers }, matrix }: PlacedBody,
  isNear: Uint8Array,
  { direction, farthest }: { readonly direction: Vector; readonly farthest: Vector },
): Ball[] {
  if (numbers.length === 0) return [];
  const columns = [0, 4, 8].map((at): Vector => [matrix[at], matrix[at + 1], matrix[at + 2]]);
  const scale = lengthOf(columns[0]);
  const isSimilar = columns.every(
    (column, k) =>
      Math.abs(lengthOf(column) / scale - 1) < 1e-9 &&
      Math.abs(dot(column, columns[(k + 1) % 3])) < 1e-9 * scale * scale,
  );
  if (!isSimilar) return [];
  const balls: Ball[] = [];
  for (const face of numbers) {
    const { kind, origin, axis, radiusMm, second } = faces[face];
    const whole = {
      centre: movedPoint(matrix, origin),
      axis: unit(turned(matrix, axis)),
      ring: kind === 'torus' ? scale * radiusMm : 0,
      radius: scale * (kind === 'torus' ? second : radiusMm),
    };
    const below = dot(farthest, direction) - farthestOn(whole, direction);
    if (below > MOST_TURN * (whole.ring + whole.radius + lengthOf(minus(whole.centre, farthest)))) continue;
    const triangles = trianglesAt(mesh, face, isNear);
    if (triangles.length === 0) continue;
    for (let at = 0; at < triangles.length; at += 3)
      triangles.set(movedPoint(matrix, [triangles[at], triangles[at + 1], triangles[at + 2]]), at);
    balls.push({ ...whole, triangles, side: longestSide(triangles) });
  }
  return balls;
}

function isBall({ kind }: PartFace): boolean {
  return kind === 'sphere' || kind === 'torus';
}

/** Corners of the triangles of a face that have one of the given vertices. */
function trianglesAt({ positions, indices, faces = [] }: Mesh, face: number, isNear: Uint8Array): Float64Array {
  const { first, count } = faces[face];
  const corners = new Float64Array(9 * count);
  let to = 0;
  for (let at = 3 * first; at < 3 * (first + count); at += 3) {
    if ((isNear[indices[at]] | isNear[indices[at + 1]] | isNear[indices[at + 2]]) === 0) continue;
    for (let corner = at; corner < at + 3; corner++)
      for (let axis = 0; axis < 3; axis++) corners[to++] = positions[3 * indices[corner] + axis];
  }
  return corners.slice(0, to);
}

/** How far a whole sphere or torus goes in a direction. */
function farthestOn({ centre, axis, ring, radius }: Omit<Ball, 'triangles' | 'side'>, direction: Vector): number {
  return dot(direction, centre) + ring * lengthOf(across(direction, axis)) + radius;
}

/** Whether the farthest point of a sphere or torus in a direction is on its triangles. */
function isReached(ball: Ball, direction: Vector): boolean {
  const { centre, axis, ring, triangles } = ball;
  if (ring === 0) return isCovered(ball, centre, direction);
  const beside = across(direction, axis),
    far = lengthOf(beside);
  if (far > STRAIGHT) return isCovered(ball, plus(centre, beside, ring / far), direction);
  // Straight along its axis a torus is equally far out all around, and a triangle says where it has a surface.
  const step = 9 * Math.ceil(triangles.length / (9 * MOST_WAYS));
  for (let at = 0; at < triangles.length; at += step) {
    const corner = minus([triangles[at], triangles[at + 1], triangles[at + 2]], centre);
    const out = unit(across(corner, axis));
    if (isCovered(ball, plus(centre, out, ring), direction)) return true;
  }
  return false;
}

function longestSide(triangles: Float64Array): number {
  let most = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const next = at % 9 === 6 ? at - 6 : at + 3;
    const x = triangles[at] - triangles[next],
      y = triangles[at + 1] - triangles[next + 1],
      z = triangles[at + 2] - triangles[next + 2];
    most = Math.max(most, x * x + y * y + z * z);
  }
  return Math.sqrt(most);
}

/** Whether a triangle is passed by the line from the middle of a sphere or tube in a direction. */
function isCovered({ triangles, radius, side }: Ball, from: Vector, direction: Vector): boolean {
  const corner = (at: number): Vector => minus([triangles[at], triangles[at + 1], triangles[at + 2]], from);
  const slack = 1e-9 * radius * radius;
  for (let at = 0; at < triangles.length; at += 9) {
    const x = triangles[at] - from[0],
      y = triangles[at + 1] - from[1],
      z = triangles[at + 2] - from[2];
    const far = x * direction[0] + y * direction[1] + z * direction[2];
    if (far < 0.5 * radius || x * x + y * y + z * z - far * far > side * side) continue;
    const a: Vector = [x, y, z],
      b = corner(at + 3),
      c = corner(at + 6);
    const u = dot(direction, cross(a, b)),
      v = dot(direction, cross(b, c)),
      w = dot(direction, cross(c, a));
    if ((u >= -slack && v >= -slack && w >= -slack) || (u <= slack && v <= slack && w <= slack)) return true;
  }
  return false;
}
