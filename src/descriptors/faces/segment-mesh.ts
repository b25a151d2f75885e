import { boxOf, diagonalOf } from '../../content/boxes.js';
import { DisjointSets } from '../../content/groups.js';
import type { Mesh } from '../../content/model.js';
import { smoothFaces } from './smooth-faces.js';
import { pairCorners } from '../shared-edges.js';
import { cornersAt, patchOf, pointOf, type Geometry, type Triangles } from './face-patch.js';
import { distanceTo, fitSurface, normalAt, type FittedSurface } from './fit-surface.js';
import { cross, dot, lengthOf, minus, unit, type Vector } from './vector.js';

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

/**
 * The faces of a mesh without faces, in the order of their first triangles: bounded by its sharp edges (24°), then by
 * flat pieces that run smoothly into others, then grown on cylinders, cones, spheres and tori (Varady, Martin, Cox 1997:
 * direct segmentation). What lies on none of these stays one free face.
 * @param off as that of `find-faces.ts`.
 */
export function segmentMesh(mesh: Mesh, off: { readonly face: number; readonly mesh: number }): Triangles[] {
  const { positions, indices } = mesh;
  const { low, high } = boxOf(positions);
  const centred = Float32Array.from(positions, (value, i) => value - (low[i % 3] + high[i % 3]) / 2);
  const diagonal = diagonalOf({ low, high });
  const segmenter = new Segmenter(mesh, (extent) => off.face * extent + off.mesh * diagonal);
  return smoothFaces({ positions: centred, indices })
    .flatMap((piece) => segmenter.split(piece))
    .sort((a, b) => a[0] - b[0]);
}

class Segmenter {
  readonly #geometry: Geometry;
  readonly #partners: Int32Array;
  readonly #toleranceOf: (extent: number) => number;
  /** The piece in which a triangle is looked for now; 0: in none. */
  readonly #piece: Uint32Array;
  #pieces = 0;

  constructor({ positions, indices }: Mesh, toleranceOf: (extent: number) => number) {
    this.#geometry = { positions, indices, sign: 1 };
    this.#partners = pairCorners(indices);
    this.#toleranceOf = toleranceOf;
    this.#piece = new Uint32Array(indices.length / 3);
  }

  split(piece: Triangles): Triangles[] {
    if (this.#fit(piece).kind !== 'free') return [piece];
    const { flat, rest } = this.#flatPieces(piece);
    return [...flat, ...rest.flatMap((part) => (this.#fit(part).kind === 'free' ? this.#grown(part) : [part]))];
  }

  #fit(triangles: Triangles): FittedSurface {
    const patch = patchOf(this.#geometry, triangles);
    return fitSurface(patch, this.#toleranceOf(diagonalOf(boxOf(patch.points))));
  }

  /** Flat faces in a piece, and what remains in pieces that hang together. */
  #flatPieces(piece: Triangles): { flat: Triangles[]; rest: Triangles[] } {
    const normals = new Map<number, Vector>(),
      areas = new Map<number, number>();
    for (const t of piece) {
      const cross2 = this.#crossOf(t);
      normals.set(t, unit(cross2));
      areas.set(t, lengthOf(cross2) / 2);
    }
    const clusters = this.#joined(piece, (a, b) => 1 - dot(normals.get(a)!, normals.get(b)!) <= COPLANAR);
    const clusterOf = new Map<number, number>();
    const size = clusters.map((triangles, i) => {
      for (const t of triangles) clusterOf.set(t, i);
      return triangles.reduce((sum, t) => sum + areas.get(t)!, 0);
    });
    const beside = clusters.map(() => new Set<number>());
    for (const t of piece)
      for (const other of this.#neighbours(t)) {
        const [a, b] = [clusterOf.get(t)!, clusterOf.get(other)];
        if (b !== undefined && a !== b) beside[a].add(b);
      }
    const isFlat = clusters.map((_, i) => {
      const others = [...beside[i]].map((k) => size[k]).sort((a, b) => a - b);
      return others.length > 0 && size[i] >= FLAT * others[others.length >> 1];
    });
    const flat = clusters.filter((_, i) => isFlat[i]);
    const [flatMm2, wholeMm2] = [flat, clusters].map((some) => some.reduce((sum, of) => sum + this.#areaOf(of), 0));
    if (flatMm2 < LEAST_FLAT * wholeMm2) return { flat: [], rest: [piece] };
    const curved = piece.filter((t) => !isFlat[clusterOf.get(t)!]);
    return { flat, rest: flat.length === 0 ? [piece] : this.#joined(curved, () => true) };
  }

  /** Faces grown from seeds in a piece, largest first; what is left over hangs together as free faces. */
  #grown(piece: Triangles): Triangles[] {
    if (piece.length > MOST_TRIANGLES) return [piece];
    const found: Triangles[] = [];
    let rest = piece;
    while (rest.length >= LEAST_TRIANGLES && found.length < MOST_GROWN) {
      let best: Triangles | undefined;
      for (let i = 0; i < TRIES; i++) {
        const grown = this.#growFrom(rest, rest[Math.floor((i * rest.length) / TRIES)]);
        if (grown !== undefined && grown.length > (best?.length ?? LEAST_TRIANGLES - 1)) best = grown;
        if (best !== undefined && 2 * best.length > rest.length) break;
      }
      if (best === undefined) break;
      found.push(best);
      const taken = new Set(best);
      rest = rest.filter((t) => !taken.has(t));
    }
    // A surface that is none of these has places everywhere that nearly are.
    const isMade = this.#areaOf(rest) <= MOST_LEFT * this.#areaOf(piece);
    return isMade ? [...found, ...this.#joined(rest, () => true)] : [piece];
  }

  #extentOf(triangles: Triangles): number {
    return diagonalOf(boxOf(patchOf(this.#geometry, triangles).points));
  }

  #areaOf(triangles: Triangles): number {
    return triangles.reduce((sum, t) => sum + lengthOf(this.#crossOf(t)) / 2, 0);
  }

  #growFrom(piece: Triangles, seed: number): Triangles | undefined {
    const isIn = this.#marks(piece);
    const first = this.#reached(seed, isIn, (_, count) => count < SEED_TRIANGLES);
    const surface = this.#fit(first);
    if (surface.kind === 'free') return undefined;
    const { positions, indices } = this.#geometry;
    const tolerance = this.#toleranceOf(this.#extentOf(first));
    const isOn = (t: number): boolean => {
      const corner = pointOf(positions, indices[3 * t]);
      if (Math.abs(dot(normalAt(surface, corner), unit(this.#crossOf(t)))) < COS_GROWN) return false;
      for (let k = 0; k < 3; k++) {
        if (Math.abs(distanceTo(surface, pointOf(positions, indices[3 * t + k]))) > tolerance) return false;
      }
      return true;
    };
    const all = this.#reached(seed, isIn, (t) => isOn(t));
    const grown = all.filter(isOn).sort();
    if (grown.length === 0) return undefined;
    const { kind, radiusMm } = this.#fit(grown);
    return kind !== 'free' && radiusMm <= MOST_RADIUS * this.#extentOf(grown) ? grown : undefined;
  }

  /** Triangles that are reached from one by neighbours within a piece. */
  #reached(seed: number, isIn: (t: number) => boolean, accepts: (t: number, count: number) => boolean): Triangles {
    const found = new Set<number>([seed]);
    for (const t of found)
      for (const other of this.#neighbours(t))
        if (!found.has(other) && isIn(other) && accepts(other, found.size)) found.add(other);
    return Uint32Array.from(found);
  }

  /** Pieces of triangles that hang together, in the order of their first ones. */
  #joined(triangles: Triangles, areTogether: (a: number, b: number) => boolean): Triangles[] {
    const isIn = this.#marks(triangles);
    const placeOf = new Map([...triangles].map((t, i) => [t, i]));
    const sets = new DisjointSets(triangles.length);
    for (const t of triangles)
      for (const other of this.#neighbours(t))
        if (other > t && isIn(other) && areTogether(t, other)) sets.join(placeOf.get(t)!, placeOf.get(other)!);
    const groups = new Map<number, number[]>();
    triangles.forEach((t, i) => {
      const root = sets.rootOf(i),
        group = groups.get(root);
      if (group === undefined) groups.set(root, [t]);
      else group.push(t);
    });
    return [...groups.values()].map((group) => Uint32Array.from(group));
  }

  #marks(triangles: Triangles): (t: number) => boolean {
    const piece = ++this.#pieces;
    for (const t of triangles) this.#piece[t] = piece;
    return (t) => this.#piece[t] === piece;
  }

  #neighbours(t: number): number[] {
    const found: number[] = [];
    for (let corner = 3 * t; corner < 3 * t + 3; corner++)
      if (this.#partners[corner] >= 0) found.push(Math.floor(this.#partners[corner] / 3));
    return found;
  }

  #crossOf(t: number): Vector {
    const { positions, indices } = this.#geometry;
    const [a, b, c] = cornersAt(positions, indices, t);
    return cross(minus(b, a), minus(c, a));
  }
}
