import type { FaceRange } from '../../content/model.js';
import { cross, dot, minus, plus, times, type Vector } from '../geometry/vectors.js';
import type { CurvedFace, Surplus } from './curved-surplus.js';
import { fitTorus, type Torus } from './fit-torus.js';

/** Farthest a vertex may lie from the torus of its face, as a fraction of the radius of the tube. */
const TOLERANCE = 1e-4;
/** Least cosine between a triangle and the torus at its corners; two segments of the tessellation give 0.98. */
const LEAST_COSINE = 0.97;
/** Most swaps per triangle of a face. */
const MOST_SWAPS = 50;
/** Angles are told to this, rad. */
const ROUNDING = 1e-5;
/** Areas in the plane of the two angles, and sines, below this are 0. */
const ZERO = 1e-9;
/** Quadrature of degree 5 over a triangle: two of the shares of its corners, and the part of its area. */
const QUADRATURE = [
  [1 / 3, 1 / 3, 0.225],
  ...[
    [0.47014206410511505, 0.1323941527885062],
    [0.10128650732345633, 0.1259391805448271],
  ].flatMap(([share, part]) => [
    [share, share, part],
    [share, 1 - 2 * share, part],
    [1 - 2 * share, share, part],
  ]),
] as const;

/**
 * Finds the faces that lie on a ring torus, and mends their triangles in place. The kernel triangulates between its two
 * angles as if both were equally curved, so on a slender ring some triangles reach across many segments of the tube and
 * cut deep into it (a ring of 400 x 5.33 mm lost 10 % of its volume). Where a triangle turns away from the torus, the
 * diagonals of the face are swapped until it is a Delaunay triangulation of the angles, each scaled by how far the
 * surface rises along it. Vertices and the border of the face stay.
 *
 * positions: f64[3 * n], mm. indices: u32[3 * m], welded, changed. faces: runs of the triangles.
 * @returns the faces on a torus, by their place in `faces`.
 */
export function mendTorusFaces(
  positions: Float64Array,
  indices: Uint32Array,
  faces: readonly Pick<FaceRange, 'first' | 'count'>[],
): ReadonlyMap<number, CurvedFace> {
  const found = new Map<number, CurvedFace>();
  for (const [place, { first, count }] of faces.entries()) {
    const corners = indices.subarray(3 * first, 3 * (first + count));
    const vertices = [...new Set(corners)];
    const torus = fitTorus(positions, vertices);
    if (torus === undefined || !vertices.every((vertex) => isOn(positions, vertex, torus))) continue;
    const face = new TorusFace(positions, corners, torus);
    if (!face.isWide()) continue;
    if (face.turnsAway()) face.swapDiagonals();
    found.set(place, face);
  }
  return found;
}

function isOn(positions: Float64Array, vertex: number, torus: Torus): boolean {
  const [x, y, z] = inFrame(positions, vertex, torus);
  return Math.abs(Math.hypot(Math.hypot(x, y) - torus.ringMm, z) - torus.tubeMm) <= TOLERANCE * torus.tubeMm;
}

function inFrame(positions: Float64Array, vertex: number, { origin, axes }: Torus): Vector {
  const from: Vector = [
    positions[3 * vertex] - origin[0],
    positions[3 * vertex + 1] - origin[1],
    positions[3 * vertex + 2] - origin[2],
  ];
  return [dot(from, axes[0]), dot(from, axes[1]), dot(from, axes[2])];
}

/** Triangles of one face of a torus, over the plane of its two angles. A side has the number of its first corner. */
class TorusFace implements CurvedFace {
  readonly #positions: Float64Array;
  readonly #corners: Uint32Array;
  readonly #torus: Torus;
  /** The angles around the axis and around the tube, rad, by vertex. */
  readonly #angles = new Map<number, readonly [number, number]>();

  /** Twice the area in the plane of the angles, below 0 where its triangles run clockwise there. */
  readonly #area: number;

  constructor(positions: Float64Array, corners: Uint32Array, torus: Torus) {
    this.#positions = positions;
    this.#corners = corners;
    this.#torus = torus;
    for (const vertex of corners) {
      if (this.#angles.has(vertex)) continue;
      const [x, y, z] = inFrame(positions, vertex, torus);
      this.#angles.set(vertex, [Math.atan2(y, x), Math.atan2(z, Math.hypot(x, y) - torus.ringMm)]);
    }
    let sum = 0;
    for (let at = 0; at < corners.length; at += 3) {
      const [a, b, c] = corners.subarray(at, at + 3);
      sum += area(this.#from(a, b), this.#from(a, c));
    }
    this.#area = sum;
  }

  /** Whether the face covers some of the torus; the plane across its tube has its vertices on it, too. */
  isWide(): boolean {
    return Math.abs(this.#area) > ZERO;
  }

  /** Whether a triangle stands at an angle to the torus at one of its corners. */
  turnsAway(): boolean {
    for (let at = 0; at < this.#corners.length; at += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => inFrame(this.#positions, this.#corners[at + corner], this.#torus));
      const normal = cross(minus(b, a), minus(c, a));
      const least = LEAST_COSINE * Math.hypot(...normal);
      for (let corner = 0; corner < 3; corner++) {
        const [around, tube] = this.#angles.get(this.#corners[at + corner])!;
        const across = Math.cos(around) * normal[0] + Math.sin(around) * normal[1];
        if (Math.abs(Math.cos(tube) * across + Math.sin(tube) * normal[2]) < least) return true;
      }
    }
    return false;
  }

  /** By quadrature over the plane of the two angles. The third side of a triangle is a straight line there, too. */
  surplusOf(triangle: number): Surplus {
    const [a, b, c] = this.#corners.subarray(3 * triangle, 3 * triangle + 3);
    const start = this.#angles.get(a)!;
    const [toB, toC] = [b, c].map((vertex): Point => {
      const [u, v] = less(this.#angles.get(vertex)!, start);
      return [shortWay(u), shortWay(v)];
    });
    const at = (s: number, t: number): Point => [
      start[0] + s * toB[0] + t * toC[0],
      start[1] + s * toB[1] + t * toC[1],
    ];
    const [pa, pb, pc] = [at(0, 0), at(1, 0), at(0, 1)].map((angles) => this.#pointAt(angles));
    const [ab, ac] = [minus(pb, pa), minus(pc, pa)];
    const normal = cross(ab, ac);
    const double = Math.hypot(...normal);
    let [volume, area] = [0, -double / 2];
    for (const [s, t, part] of QUADRATURE) {
      const angles = at(s, t);
      const flat = plus(pa, plus(times(ab, s), times(ac, t)));
      const rise = minus(this.#pointAt(angles), flat);
      const [along, across] = [this.#wayAt(angles, toB), this.#wayAt(angles, toC)];
      area += (part / 2) * Math.hypot(...cross(along, across));
      // From the triangle straight to the surface; the integrand is quadratic on the way, so Simpson's rule is exact.
      const middle = cross(times(plus(ab, along), 0.5), times(plus(ac, across), 0.5));
      volume += (part / 12) * dot(rise, plus(normal, plus(times(middle, 4), cross(along, across))));
    }
    return { volume, area };
  }

  #pointAt([u, v]: Point): Vector {
    const { ringMm, tubeMm } = this.#torus;
    const radius = ringMm + tubeMm * Math.cos(v);
    return [radius * Math.cos(u), radius * Math.sin(u), tubeMm * Math.sin(v)];
  }

  /** Derivative of the point along a way in the plane of the angles. */
  #wayAt([u, v]: Point, [du, dv]: Point): Vector {
    const { ringMm, tubeMm } = this.#torus;
    const around = (ringMm + tubeMm * Math.cos(v)) * du,
      inwards = -tubeMm * Math.sin(v) * dv;
    return [
      inwards * Math.cos(u) - around * Math.sin(u),
      inwards * Math.sin(u) + around * Math.cos(u),
      tubeMm * Math.cos(v) * dv,
    ];
  }

  swapDiagonals(): void {
    const corners = this.#corners;
    const twins = twinSides(corners);
    const pending = Array.from(corners.keys());
    let left = (MOST_SWAPS * corners.length) / 3;
    for (let side = pending.pop(); side !== undefined && left > 0; side = pending.pop()) {
      const twin = twins[side];
      if (twin < 0 || !this.#isBetterSwapped(side, twin)) continue;
      left--;
      // The triangles a b c and b a d become a d c and d b c.
      const [ab, bc, ca] = sidesFrom(side),
        [ba, ad, db] = sidesFrom(twin);
      const [c, d] = [corners[ca], corners[db]];
      const [besideBc, besideCa, besideAd, besideDb] = [twins[bc], twins[ca], twins[ad], twins[db]];
      const [a, b] = [corners[ab], corners[ba]];
      [corners[ab], corners[bc], corners[ca]] = [a, d, c];
      [corners[ba], corners[ad], corners[db]] = [d, b, c];
      tie(twins, ab, besideAd);
      tie(twins, bc, db);
      tie(twins, ca, besideCa);
      tie(twins, ba, besideDb);
      tie(twins, ad, besideBc);
      pending.push(ab, ca, ba, ad);
    }
  }

  /** Whether the angles opposite to a side are together more than a half-turn, and the other diagonal lies inside. */
  #isBetterSwapped(side: number, twin: number): boolean {
    const [ab, , ca] = sidesFrom(side),
      [ba, , db] = sidesFrom(twin);
    const [a, b, c, d] = [ab, ba, ca, db].map((corner) => this.#corners[corner]);
    if (c === d) return false;
    const [pb, pc, pd] = [b, c, d].map((vertex) => this.#from(a, vertex));
    const sign = Math.sign(this.#area);
    if (!(sign * area(pd, pc) > ZERO && sign * area(less(pb, pd), less(pc, pd)) > ZERO)) return false;
    // A triangle over more than half of the tube seems to lie on its other side, turned over.
    if (Math.min(sign * area(pb, pc), sign * area(pd, pb)) < -ZERO) return true;
    const [ca1, cb] = [less([0, 0], pc), less(pb, pc)],
      [db1, da] = [less(pb, pd), less([0, 0], pd)];
    const atC = Math.atan2(sign * area(ca1, cb), inner(ca1, cb)),
      atD = Math.atan2(sign * area(db1, da), inner(db1, da));
    return atC + atD > Math.PI + ZERO;
  }

  /** The scaled angles of a vertex less those of another one, the short way round. */
  #from(base: number, vertex: number): Point {
    const [u0, v0] = this.#angles.get(base)!,
      [u, v] = this.#angles.get(vertex)!;
    // A chord lies below the surface by 1/8 of radius times square of the angle.
    const { ringMm, tubeMm } = this.#torus;
    return [Math.sqrt((ringMm + tubeMm) / tubeMm) * shortWay(u - u0), shortWay(v - v0)];
  }
}

type Point = readonly [number, number];

function less([x, y]: Point, [x0, y0]: Point): Point {
  return [x - x0, y - y0];
}

/** Twice the area between two ways, counter-clockwise. */
function area([x, y]: Point, [p, q]: Point): number {
  return x * q - y * p;
}

function inner([x, y]: Point, [p, q]: Point): number {
  return x * p + y * q;
}

/** The angle between -π and π; half a turn is told as -π, however it was rounded. */
function shortWay(angle: number): number {
  const short = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return short > Math.PI - ROUNDING ? short - 2 * Math.PI : short;
}

/** The three sides of a triangle, from the given one on. */
function sidesFrom(side: number): readonly [number, number, number] {
  const own = side - (side % 3);
  return [side, own + ((side + 1) % 3), own + ((side + 2) % 3)];
}

function tie(twins: Int32Array, side: number, other: number): void {
  twins[side] = other;
  if (other >= 0) twins[other] = side;
}

/** For each side the same side of the neighbour; -1 at a border, and where more than two triangles meet. */
function twinSides(corners: Uint32Array): Int32Array {
  const twins = new Int32Array(corners.length).fill(-1);
  const known = new Map<number, number>();
  const keyOf = (from: number, to: number): number => from * 2 ** 26 + to;
  const many = new Set<number>();
  for (let side = 0; side < corners.length; side++) {
    const key = keyOf(corners[side], corners[sidesFrom(side)[1]]);
    if (known.has(key)) many.add(key);
    known.set(key, side);
  }
  for (let side = 0; side < corners.length; side++) {
    const [from, to] = [corners[side], corners[sidesFrom(side)[1]]];
    if (many.has(keyOf(from, to)) || many.has(keyOf(to, from))) continue;
    twins[side] = known.get(keyOf(to, from)) ?? -1;
  }
  return twins;
}
