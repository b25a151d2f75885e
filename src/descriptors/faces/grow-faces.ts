import { boxOf, diagonalOf } from '../../content/boxes.js';
import { Patches, pointOf, type Triangles } from './face-patch.js';
import { fitSurface } from './fit-surface.js';
import { distanceTo, fillDistances, normalAt, type FittedSurface } from './fitted-surface.js';
import type { TriangleNet } from './triangle-net.js';
import { dot, type Vector } from './vector.js';

/** Fewest triangles of a grown face, and of a piece in which one is looked for. */
export const LEAST_TRIANGLES = 12;
/** Tries at one piece, faces of one piece, largest piece tried. */
const TRIES = 12;
const MOST_GROWN = 24;
const MOST_TRIANGLES = 20_000;
/**
 * Triangles of a first try; in a third of the tries this share of the piece, at most so many: what is fine needs more.
 */
const SEED_TRIANGLES = 24;
const SEED_SHARE = 1 / 32;
const MOST_SEED = 256;
/** Most times that a surface is fitted anew to what lies on it; least growth for another. */
const MOST_ROUNDS = 8;
const GROWS = 1.1;
/** Most radius of a grown face beside its extent: a helix is flat everywhere. */
const MOST_RADIUS = 8;
/**
 * Largest root mean square of the vertices' distances from a grown face, as a share of the tolerance. A face ends where
 * its surface does; a strip of something else ends where the tolerance does, so that its vertices are off by half of
 * it.
 */
const MOST_RMS = 0.25;
/** Most triangles of all tries at a piece together, as a multiple of its own. */
const MOST_WORK = 60;
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

interface Fitted {
  readonly surface: FittedSurface;
  readonly points: Float64Array;
  readonly extent: number;
}

/** From which triangle a face is grown, and in what way. */
interface Seed {
  readonly t: number;
  /** Triangles that are fitted first. */
  readonly most: number;
  /** Whether these are those over the longest edges, instead of the nearest. */
  readonly isLong: boolean;
}

/**
 * Faces of a net, grown on the surfaces that fit some of their triangles (Varady, Martin, Cox 1997: direct
 * segmentation).
 */
export class FaceGrower {
  readonly #net: TriangleNet;
  readonly #patches: Patches;
  readonly #toleranceOf: (extent: number) => number;
  /** Triangles that may still be tried at the present piece. */
  #work = 0;

  /** @param toleranceOf largest distance of a vertex from the surface of a face of that extent, mm. */
  constructor(net: TriangleNet, toleranceOf: (extent: number) => number) {
    this.#net = net;
    this.#patches = new Patches(net.geometry);
    this.#toleranceOf = toleranceOf;
  }

  /** The surface of triangles, their vertices, and the diagonal of the box around these. */
  fit(triangles: Triangles): Fitted {
    const patch = this.#patches.of(triangles);
    const extent = diagonalOf(boxOf(patch.points));
    return { surface: fitSurface(patch, this.#toleranceOf(extent)), points: patch.points, extent };
  }

  /** Faces grown from seeds in a piece, largest first; what is left over hangs together as free faces. */
  grown(piece: Triangles, surface: FittedSurface): Segment[] {
    const net = this.#net;
    if (piece.length > MOST_TRIANGLES) return [{ triangles: piece, surface }];
    const found: Segment[] = [];
    let rest = piece;
    this.#work = MOST_WORK * piece.length;
    while (this.#work > 0 && rest.length >= LEAST_TRIANGLES && found.length < MOST_GROWN) {
      const best = this.#largestIn(rest);
      if (best === undefined) break;
      found.push(best);
      const taken = net.mark(best.triangles);
      rest = rest.filter((t) => !net.has(t, taken));
    }
    // A surface that is none of these has places everywhere that nearly are.
    const isMade = net.areaOf(rest) <= MOST_LEFT * net.areaOf(piece);
    if (!isMade) return [{ triangles: piece, surface }];
    return [...found, ...net.joined(rest, () => true).map((triangles) => ({ triangles }))];
  }

  #largestIn(piece: Triangles): Segment | undefined {
    const mark = this.#net.mark(piece);
    const share = Math.floor(SEED_SHARE * piece.length);
    const many = Math.max(SEED_TRIANGLES, Math.min(MOST_SEED, share));
    let best: Segment | undefined;
    for (let i = 0; i < TRIES && this.#work > 0; i++) {
      const t = piece[Math.floor((i * piece.length) / TRIES)];
      const seed = { t, most: i % 3 === 2 ? many : SEED_TRIANGLES, isLong: i % 3 === 1 };
      best = this.#growFrom(seed, { mark, least: (best?.triangles.length ?? LEAST_TRIANGLES - 1) + 1 }) ?? best;
      if (best !== undefined && 2 * best.triangles.length > piece.length) break;
    }
    return best;
  }

  /**
   * The face of at least so many triangles around a seed. The surface of few triangles is known badly: it is fitted
   * anew to what lies on it until no more does.
   */
  #growFrom({ t, most, isLong }: Seed, { mark, least }: { mark: number; least: number }): Segment | undefined {
    const net = this.#net;
    const first = isLong
      ? net.reachedOverLongest(t, { mark, most })
      : net.reached(t, { mark, most, accepts: () => true });
    let { surface, extent } = this.fit(first);
    let best: Segment | undefined;
    let enough = 0;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (surface.kind === 'free' || surface.radiusMm > MOST_RADIUS * extent) break;
      const on = surface,
        tolerance = this.#toleranceOf(extent);
      const accepts = (other: number): boolean => this.#isOn(other, on, tolerance);
      const all = net.reached(t, { mark, most: Infinity, accepts });
      const grown = (accepts(t) ? all : all.subarray(1)).sort();
      this.#work -= grown.length;
      if (grown.length <= enough) break;
      enough = GROWS * grown.length;
      const fitted = this.fit(grown);
      ({ surface, extent } = fitted);
      const isFace = surface.kind !== 'free' && surface.radiusMm <= MOST_RADIUS * extent;
      if (isFace && grown.length >= least && this.#isSure(fitted)) best = { triangles: grown, surface };
    }
    return best;
  }

  #isSure({ surface, points, extent }: Fitted): boolean {
    const off = new Float64Array(points.length / 3);
    fillDistances(surface, points, { factor: 1, into: off });
    let squares = 0;
    for (let i = 0; i < off.length; i++) squares += off[i] * off[i];
    const most = MOST_RMS * this.#toleranceOf(extent);
    return squares <= most * most * off.length;
  }

  #isOn(t: number, surface: FittedSurface, tolerance: number): boolean {
    const { positions, indices } = this.#net.geometry;
    const normals = this.#net.normals;
    const normal: Vector = [normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]];
    if (Math.abs(dot(normalAt(surface, pointOf(positions, indices[3 * t])), normal)) < COS_GROWN) return false;
    for (let k = 0; k < 3; k++) {
      if (Math.abs(distanceTo(surface, pointOf(positions, indices[3 * t + k]))) > tolerance) return false;
    }
    return true;
  }
}
