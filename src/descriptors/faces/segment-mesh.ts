import { boxOf, diagonalOf } from '../../content/boxes.js';
import { DisjointSets, medianOf } from '../../content/groups.js';
import type { Mesh } from '../../content/model.js';
import { groupedBy, smoothFaces } from './smooth-faces.js';
import { Patches, pointOf, type Geometry, type Triangles } from './face-patch.js';
import { fitSurface } from './fit-surface.js';
import { distanceTo, normalAt, type FittedSurface } from './fitted-surface.js';
import { dot, type Vector } from './vector.js';

/** Triangles that lie in one plane up to this bend belong together, as 1 minus the cosine (0.3°). */
const COPLANAR = 1.4e-5;
/** A flat piece this much larger than its neighbours is a flat face; the strips of an arc are alike. */
const FLAT = 4;
/** Growing: triangles of a first try, fewest of a face, tries at one piece, faces of one piece, largest piece tried. */
const SEED_TRIANGLES = 24;
const LEAST_TRIANGLES = 12;
const TRIES = 12;
const MOST_GROWN = 24;
const MOST_TRIANGLES = 20_000;
/** Least share of a piece that its flat faces have; most radius of a grown face beside its extent: a helix is flat everywhere. */
const LEAST_FLAT = 0.2;
const MOST_RADIUS = 8;
/** Largest share of a piece that may lie on none of its grown faces. */
const MOST_LEFT = 0.3;
/** Cosine of the largest angle between a triangle and the surface on which it grows, 20°. */
const COS_GROWN = 0.94;

/** A face that was found in a mesh. */
export interface Segment {
  readonly triangles: Triangles;
  /** Where it was fitted already, from normals as the triangles have them. */
  readonly surface?: FittedSurface;
}

/**
 * The faces of a mesh without faces, in the order of their first triangles: bounded by its sharp edges (24°), then by
 * flat pieces that run smoothly into others, then grown on cylinders, cones, spheres and tori (Varady, Martin, Cox 1997:
 * direct segmentation). What lies on none of these stays one free face.
 * @param off as that of `find-faces.ts`. @param partners as of `pairCorners`.
 */
export function segmentMesh(
  mesh: Mesh,
  { off, partners }: { readonly off: { readonly face: number; readonly mesh: number }; readonly partners: Int32Array },
): Segment[] {
  const { positions, indices } = mesh;
  const { low, high } = boxOf(positions);
  const centred = Float32Array.from(positions, (value, i) => value - (low[i % 3] + high[i % 3]) / 2);
  const diagonal = diagonalOf({ low, high });
  const segmenter = new Segmenter(mesh, partners, (extent) => off.face * extent + off.mesh * diagonal);
  return smoothFaces({ positions: centred, indices }, partners)
    .flatMap((piece) => segmenter.split(piece))
    .sort((a, b) => a.triangles[0] - b.triangles[0]);
}

class Segmenter {
  readonly #geometry: Geometry;
  readonly #patches: Patches;
  readonly #toleranceOf: (extent: number) => number;
  /** By corner: the triangle beyond the edge from it; negative unless there is exactly one. */
  readonly #neighbours: Int32Array;
  /** Of each triangle: unit normal, f64[3 * n], 0 without area, and area, mm². */
  readonly #normals: Float64Array;
  readonly #areas: Float64Array;
  /** The piece in which a triangle is looked for now; 0: in none. */
  readonly #piece: Uint32Array;
  #pieces = 0;
  /** The search that reached a triangle last. */
  readonly #reachedBy: Uint32Array;
  #searches = 0;
  readonly #queue: Uint32Array;
  /** By triangle: its place in the list that is joined now, and its cluster. */
  readonly #places: Uint32Array;
  readonly #clusters: Int32Array;

  constructor({ positions, indices }: Mesh, partners: Int32Array, toleranceOf: (extent: number) => number) {
    this.#geometry = { positions, indices, sign: 1 };
    this.#patches = new Patches(this.#geometry);
    this.#toleranceOf = toleranceOf;
    const count = indices.length / 3;
    this.#neighbours = partners.map((partner) => (partner >= 0 ? Math.floor(partner / 3) : -1));
    this.#normals = new Float64Array(3 * count);
    this.#areas = new Float64Array(count);
    this.#fillNormals();
    this.#piece = new Uint32Array(count);
    this.#reachedBy = new Uint32Array(count);
    this.#queue = new Uint32Array(count);
    this.#places = new Uint32Array(count);
    this.#clusters = new Int32Array(count).fill(-1);
  }

  #fillNormals(): void {
    const { positions, indices } = this.#geometry;
    for (let t = 0; t < this.#areas.length; t++) {
      const a = 3 * indices[3 * t],
        b = 3 * indices[3 * t + 1],
        c = 3 * indices[3 * t + 2];
      const ux = positions[b] - positions[a],
        uy = positions[b + 1] - positions[a + 1],
        uz = positions[b + 2] - positions[a + 2];
      const vx = positions[c] - positions[a],
        vy = positions[c + 1] - positions[a + 1],
        vz = positions[c + 2] - positions[a + 2];
      const x = uy * vz - uz * vy,
        y = uz * vx - ux * vz,
        z = ux * vy - uy * vx;
      const length = Math.sqrt(x * x + y * y + z * z);
      this.#areas[t] = length / 2;
      if (!(length > 0)) continue;
      const factor = 1 / length;
      this.#normals[3 * t] = factor * x;
      this.#normals[3 * t + 1] = factor * y;
      this.#normals[3 * t + 2] = factor * z;
    }
  }

  split(piece: Triangles): Segment[] {
    const { surface } = this.#fit(piece);
    if (surface.kind !== 'free') return [{ triangles: piece, surface }];
    const { flat, rest } = this.#flatPieces(piece);
    return [...flat.map((triangles) => ({ triangles })), ...rest.flatMap((part) => this.#splitCurved(part))];
  }

  #splitCurved(part: Triangles): Segment[] {
    const { surface } = this.#fit(part);
    return surface.kind === 'free' ? this.#grown(part, surface) : [{ triangles: part, surface }];
  }

  /** The surface of triangles, and the diagonal of the box around them. */
  #fit(triangles: Triangles): { surface: FittedSurface; extent: number } {
    const patch = this.#patches.of(triangles);
    const extent = diagonalOf(boxOf(patch.points));
    return { surface: fitSurface(patch, this.#toleranceOf(extent)), extent };
  }

  /** Flat faces in a piece, and what remains in pieces that hang together. */
  #flatPieces(piece: Triangles): { flat: Triangles[]; rest: Triangles[] } {
    const normals = this.#normals,
      clusterOf = this.#clusters,
      neighbours = this.#neighbours;
    const isCoplanar = (a: number, b: number): boolean =>
      1 -
        (normals[3 * a] * normals[3 * b] +
          normals[3 * a + 1] * normals[3 * b + 1] +
          normals[3 * a + 2] * normals[3 * b + 2]) <=
      COPLANAR;
    const clusters = this.#joined(piece, isCoplanar);
    const size = clusters.map((triangles) => this.#areaOf(triangles));
    for (const [i, triangles] of clusters.entries()) for (const t of triangles) clusterOf[t] = i;
    const beside = clusters.map(() => new Set<number>());
    for (const t of piece)
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const b = neighbours[corner] < 0 ? -1 : clusterOf[neighbours[corner]];
        if (b >= 0 && clusterOf[t] !== b) beside[clusterOf[t]].add(b);
      }
    const isFlat = clusters.map((_, i) => {
      const median = medianOf([...beside[i]].map((k) => size[k]));
      return median !== undefined && size[i] >= FLAT * median;
    });
    const flat = clusters.filter((_, i) => isFlat[i]);
    const curved = piece.filter((t) => !isFlat[clusterOf[t]]);
    for (const t of piece) clusterOf[t] = -1;
    const wholeMm2 = size.reduce((sum, mm2) => sum + mm2, 0);
    const flatMm2 = size.reduce((sum, mm2, i) => (isFlat[i] ? sum + mm2 : sum), 0);
    if (flat.length === 0 || flatMm2 < LEAST_FLAT * wholeMm2) return { flat: [], rest: [piece] };
    return { flat, rest: this.#joined(curved, () => true) };
  }

  /** Faces grown from seeds in a piece, largest first; what is left over hangs together as free faces. */
  #grown(piece: Triangles, surface: FittedSurface): Segment[] {
    if (piece.length > MOST_TRIANGLES) return [{ triangles: piece, surface }];
    const found: Segment[] = [];
    let rest = piece;
    while (rest.length >= LEAST_TRIANGLES && found.length < MOST_GROWN) {
      const mark = this.#mark(rest);
      let best: Segment | undefined;
      for (let i = 0; i < TRIES; i++) {
        const seed = rest[Math.floor((i * rest.length) / TRIES)];
        best = this.#growFrom(seed, { mark, least: (best?.triangles.length ?? LEAST_TRIANGLES - 1) + 1 }) ?? best;
        if (best !== undefined && 2 * best.triangles.length > rest.length) break;
      }
      if (best === undefined) break;
      found.push(best);
      const taken = this.#mark(best.triangles);
      rest = rest.filter((t) => this.#piece[t] !== taken);
    }
    // A surface that is none of these has places everywhere that nearly are.
    const isMade = this.#areaOf(rest) <= MOST_LEFT * this.#areaOf(piece);
    if (!isMade) return [{ triangles: piece, surface }];
    return [...found, ...this.#joined(rest, () => true).map((triangles) => ({ triangles }))];
  }

  #areaOf(triangles: Triangles): number {
    let sum = 0;
    for (const t of triangles) sum += this.#areas[t];
    return sum;
  }

  /** The face of at least so many triangles around a seed. */
  #growFrom(seed: number, { mark, least }: { mark: number; least: number }): Segment | undefined {
    const { surface, extent } = this.#fit(this.#reached(seed, { mark, most: SEED_TRIANGLES, accepts: () => true }));
    if (surface.kind === 'free') return undefined;
    const tolerance = this.#toleranceOf(extent);
    const accepts = (t: number): boolean => this.#isOn(t, surface, tolerance);
    const all = this.#reached(seed, { mark, most: Infinity, accepts });
    const grown = (accepts(seed) ? all : all.subarray(1)).sort();
    if (grown.length < least) return undefined;
    const whole = this.#fit(grown);
    if (whole.surface.kind === 'free' || whole.surface.radiusMm > MOST_RADIUS * whole.extent) return undefined;
    return { triangles: grown, surface: whole.surface };
  }

  #isOn(t: number, surface: FittedSurface, tolerance: number): boolean {
    const { positions, indices } = this.#geometry;
    const normal: Vector = [this.#normals[3 * t], this.#normals[3 * t + 1], this.#normals[3 * t + 2]];
    if (Math.abs(dot(normalAt(surface, pointOf(positions, indices[3 * t])), normal)) < COS_GROWN) return false;
    for (let k = 0; k < 3; k++) {
      if (Math.abs(distanceTo(surface, pointOf(positions, indices[3 * t + k]))) > tolerance) return false;
    }
    return true;
  }

  /** At most so many triangles that are reached from one by neighbours with a mark. */
  #reached(
    seed: number,
    { mark, most, accepts }: { mark: number; most: number; accepts: (t: number) => boolean },
  ): Triangles {
    const search = ++this.#searches,
      queue = this.#queue;
    queue[0] = seed;
    this.#reachedBy[seed] = search;
    let count = 1;
    for (let at = 0; at < count && count < most; at++)
      for (let corner = 3 * queue[at]; corner < 3 * queue[at] + 3 && count < most; corner++) {
        const other = this.#neighbours[corner];
        if (other < 0 || this.#reachedBy[other] === search || this.#piece[other] !== mark || !accepts(other)) continue;
        this.#reachedBy[other] = search;
        queue[count++] = other;
      }
    return queue.slice(0, count);
  }

  /** Pieces of triangles that hang together, in the order of their first ones. */
  #joined(triangles: Triangles, areTogether: (a: number, b: number) => boolean): Triangles[] {
    const mark = this.#mark(triangles);
    const places = this.#places;
    for (const [i, t] of triangles.entries()) places[t] = i;
    const sets = new DisjointSets(triangles.length);
    for (const t of triangles)
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const other = this.#neighbours[corner];
        if (other > t && this.#piece[other] === mark && areTogether(t, other)) sets.join(places[t], places[other]);
      }
    return groupedBy(triangles, (i) => sets.rootOf(i));
  }

  /** Marks triangles, and no others, with a number of their own. */
  #mark(triangles: Triangles): number {
    const mark = ++this.#pieces;
    for (const t of triangles) this.#piece[t] = mark;
    return mark;
  }
}
