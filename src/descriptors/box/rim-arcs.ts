import type { Mesh } from '../../content/model.js';
import { distanceTo } from '../faces/fitted-surface.js';
import type { PartFace } from '../faces/part-face.js';
import { cross, dot, lengthOf, minus, plus, scaled, unit, type Vector } from '../faces/vector.js';

/**
 * A piece of a circle between two neighbouring vertices of a rim, where two faces meet: `centre + out cos(t) + along
 * sin(t)`, for t with |tan t| up to `tangent`. `out` points to its middle; both have the length of the radius.
 */
export interface RimArc {
  readonly centre: Vector;
  readonly out: Vector;
  readonly along: Vector;
  readonly tangent: number;
}

/** A rim's edge between two faces. */
interface RimEdge {
  readonly from: number;
  readonly to: number;
  readonly faces: readonly [number, number];
}

/** A circle in space. */
interface Circle {
  readonly centre: Vector;
  readonly axis: Vector;
}

/**
 * How far the middle of an arc may be from a surface that holds both its ends, as a share of its height over the chord,
 * and of the size of the mesh. Rims that are no circles, such as ellipses, pass where a circle is near enough.
 */
const OFF_SURFACE = { height: 0.1, mesh: 1e-9 };
/** Largest turn of an arc between two vertices, as the tangent of its half: some 30 degrees in all. */
const MOST_TANGENT = 0.27;
/** Heights over the chord smaller than this share of the mesh's size are left out. */
const LEAST_HEIGHT = 1e-9;

/** The rims of a body, where two faces meet of which at least one is a cylinder, cone, sphere or torus. */
export class Rims {
  readonly #positions: Float64Array;
  readonly #faces: readonly PartFace[];
  readonly #sizeMm: number;
  readonly #edges: readonly RimEdge[];
  readonly #chains: Chains;
  /** By edge, as far as they were asked for; null where there is none. */
  readonly #arcs: (RimArc | null | undefined)[] = [];

  /**
   * mesh: with the ranges of its faces. faces: the surfaces of these, in their order; may be fewer. isNear: by vertex,
   * 0 or 1; edges without such an end are left out.
   */
  constructor(mesh: Mesh, faces: readonly PartFace[], { sizeMm, isNear }: { sizeMm: number; isNear: Uint8Array }) {
    this.#positions = mesh.positions;
    this.#faces = faces;
    this.#sizeMm = sizeMm;
    this.#edges = rimEdges(mesh, faces, isNear);
    this.#chains = new Chains(this.#edges, faces.length);
  }

  /**
   * The arcs that edges of the rims stand for. Those of a circle about the axis of a face are exact; others are laid
   * through three neighbouring vertices of the rim, and taken only if they lie on both faces.
   * @param isNear by vertex, 0 or 1: only edges with at least one such end are looked at.
   */
  arcs(isNear: Uint8Array): RimArc[] {
    const arcs: RimArc[] = [];
    for (let i = 0; i < this.#edges.length; i++) {
      const { from, to } = this.#edges[i];
      if (isNear[from] === 0 && isNear[to] === 0) continue;
      if (this.#arcs[i] === undefined) this.#arcs[i] = this.#arcOf(this.#edges[i]) ?? null;
      const arc = this.#arcs[i];
      if (arc !== null && arc !== undefined) arcs.push(arc);
    }
    return arcs;
  }

  #arcOf(edge: RimEdge): RimArc | undefined {
    const point = (vertex: number): Vector => pointAt(this.#positions, vertex);
    const surfaces = edge.faces.map((face) => this.#faces[face]);
    const ends = [point(edge.from), point(edge.to)] as const;
    const fits = (circle: Circle): RimArc | undefined => {
      const arc = arcOf(circle, ends, this.#sizeMm);
      return arc !== undefined && liesOn(arc, ends, surfaces, this.#sizeMm) ? arc : undefined;
    };
    const about = surfaces.flatMap((surface) => circleAbout(surface, ends, this.#sizeMm));
    const through = this.#chains.triples(edge);
    return (
      firstFit(about, fits) ??
      firstFit(
        through.flatMap(([a, b, c]) => circleThrough(point(a), point(b), point(c))),
        fits,
      )
    );
  }
}

function firstFit(circles: readonly Circle[], fits: (circle: Circle) => RimArc | undefined): RimArc | undefined {
  for (const circle of circles) {
    const arc = fits(circle);
    if (arc !== undefined) return arc;
  }
  return undefined;
}

/** Edges between two faces of which one is round. */
function rimEdges(
  { positions, indices, faces: ranges = [] }: Mesh,
  faces: readonly PartFace[],
  isNear: Uint8Array,
): RimEdge[] {
  const held = new Map<number, { readonly face: number; readonly from: number; readonly to: number }>();
  const edges: RimEdge[] = [];
  const vertexCount = positions.length / 3;
  const isRim = rimVertices(indices, ranges, vertexCount);
  for (let face = 0; face < faces.length; face++) {
    const { first, count } = ranges[face];
    for (let corner = 3 * first; corner < 3 * (first + count); corner++) {
      const from = indices[corner],
        to = indices[corner % 3 === 2 ? corner - 2 : corner + 1];
      if ((isNear[from] | isNear[to]) === 0 || isRim[from] === 0 || isRim[to] === 0) continue;
      const key = Math.min(from, to) * vertexCount + Math.max(from, to);
      const other = held.get(key);
      if (other === undefined) held.set(key, { face, from, to });
      else if (other.face !== face && (isRound(faces[face]) || isRound(faces[other.face])))
        edges.push({ from: other.from, to: other.to, faces: [other.face, face] });
    }
  }
  return edges;
}

/** By vertex: 1 where triangles of several faces meet. */
function rimVertices(
  indices: Uint32Array,
  ranges: readonly { readonly first: number; readonly count: number }[],
  vertexCount: number,
): Uint8Array {
  const faceOf = new Int32Array(vertexCount).fill(-1);
  const isRim = new Uint8Array(vertexCount);
  for (const [face, { first, count }] of ranges.entries()) {
    for (let corner = 3 * first; corner < 3 * (first + count); corner++) {
      const vertex = indices[corner];
      if (faceOf[vertex] === -1) faceOf[vertex] = face;
      else if (faceOf[vertex] !== face) isRim[vertex] = 1;
    }
  }
  return isRim;
}

function isRound({ kind }: PartFace): boolean {
  return kind !== 'plane' && kind !== 'free';
}

/** The neighbours of vertices along the rim between two faces. */
class Chains {
  readonly #neighbours = new Map<number, number[]>();
  readonly #faceCount: number;

  constructor(edges: readonly RimEdge[], faceCount: number) {
    this.#faceCount = faceCount;
    for (const edge of edges) {
      for (const [vertex, other] of [
        [edge.from, edge.to],
        [edge.to, edge.from],
      ]) {
        const key = this.#keyOf(edge, vertex);
        const known = this.#neighbours.get(key);
        if (known === undefined) this.#neighbours.set(key, [other]);
        else known.push(other);
      }
    }
  }

  /** An edge with the vertex before it, and with that behind it; less where the rim ends or branches. */
  triples(edge: RimEdge): (readonly [number, number, number])[] {
    return (
      [
        [edge.from, edge.to],
        [edge.to, edge.from],
      ] as const
    ).flatMap(([vertex, other]) => {
      const known = this.#neighbours.get(this.#keyOf(edge, vertex)) ?? [];
      if (known.length !== 2) return [];
      return [[known[0] === other ? known[1] : known[0], vertex, other] as const];
    });
  }

  #keyOf({ faces: [a, b] }: RimEdge, vertex: number): number {
    return (vertex * this.#faceCount + Math.min(a, b)) * this.#faceCount + Math.max(a, b);
  }
}

/** The circle about the axis of a surface of revolution, if both points lie on one. */
function circleAbout({ kind, axis, origin }: PartFace, [a, b]: readonly [Vector, Vector], sizeMm: number): Circle[] {
  if (kind !== 'cylinder' && kind !== 'cone' && kind !== 'torus') return [];
  const alongA = dot(minus(a, origin), axis),
    alongB = dot(minus(b, origin), axis);
  const centre = plus(origin, axis, (alongA + alongB) / 2);
  const apart = lengthOf(minus(a, centre)) - lengthOf(minus(b, centre));
  const close = 1e-7 * sizeMm;
  return Math.abs(alongA - alongB) <= close && Math.abs(apart) <= close ? [{ centre, axis }] : [];
}

/** The circle through three points; none where they lie on a line. */
function circleThrough(a: Vector, b: Vector, c: Vector): Circle[] {
  const u = minus(a, b),
    v = minus(c, b);
  const normal = cross(u, v);
  const square = dot(normal, normal);
  if (!(square > 1e-14 * dot(u, u) * dot(v, v))) return [];
  const to = cross(minus(scaled(v, dot(u, u)), scaled(u, dot(v, v))), normal);
  return [{ centre: plus(b, to, 1 / (2 * square)), axis: unit(normal) }];
}

/** The part of a circle between two points on it. */
function arcOf({ centre, axis }: Circle, [a, b]: readonly [Vector, Vector], sizeMm: number): RimArc | undefined {
  const middle = scaled(plus(a, b), 0.5);
  const toMiddle = minus(middle, centre),
    half = scaled(minus(b, a), 0.5);
  const depth = lengthOf(toMiddle),
    chord = lengthOf(half);
  const radius = Math.sqrt(depth * depth + chord * chord);
  if (!(chord > 0) || !(chord <= MOST_TANGENT * depth) || radius - depth < LEAST_HEIGHT * sizeMm) return undefined;
  const out = scaled(toMiddle, radius / depth);
  return { centre, out, along: cross(axis, out), tangent: (chord / depth) * (1 + 1e-9) };
}

/** Whether the middle of an arc lies on surfaces as its ends do; of a free face that is not known. */
function liesOn(
  { centre, out }: RimArc,
  [a, b]: readonly [Vector, Vector],
  surfaces: readonly PartFace[],
  sizeMm: number,
): boolean {
  const middle = plus(centre, out);
  const height = lengthOf(minus(middle, scaled(plus(a, b), 0.5)));
  const most = OFF_SURFACE.height * height + OFF_SURFACE.mesh * sizeMm;
  return surfaces.every(
    (surface) =>
      surface.kind === 'free' ||
      Math.abs(distanceTo(surface, middle) - (distanceTo(surface, a) + distanceTo(surface, b)) / 2) <= most,
  );
}

function pointAt(positions: Float64Array, vertex: number): Vector {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}
