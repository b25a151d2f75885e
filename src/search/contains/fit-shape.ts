import { kindOf } from '../../descriptors/faces/face-words.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { pointsOf } from '../../descriptors/faces/region.js';
import { screwMotionsOf, type ScrewMotion } from '../../descriptors/faces/screw-motion.js';
import { surfacePoints } from './free-face.js';
import { HostSearch, type Fit, type QueryFace } from './host-search.js';
import { edgeMap, reachOf, signedTurn } from './pair-measures.js';
import { FacesBySize } from './nearest-size.js';
import { sizeOf, type PlacedShape } from './placed-shape.js';

/** Least coverage of a hit. */
export const LEAST_COVERAGE = 0.3;
/** Points of a face that are compared. */
const POINTS = 24;
/** Most faces of a query: the largest. */
const MOST_FACES = 600;
/** Comparisons of a query face with a host face, of all hosts of a search; one host gets an eighth of what is left. */
export const MOST_TESTS = 1_500_000;
/** A host face must be this large beside that of the query. */
const LEAST_AREA = 0.25;

/**
 * Lays a shape into others: two of its faces fix a pose (rarest first, by what the host has of their kinds and radii),
 * a third where they leave a direction free; then all faces are compared at points of theirs.
 */
export class ShapeFitter {
  readonly #faces: readonly QueryFace[];
  readonly #edges: ReadonlyMap<number, number>;
  readonly #area: number;
  readonly #toleranceMm: number;
  readonly #sizeMm: number;
  readonly #screws: readonly ScrewMotion[];
  #testsLeft = MOST_TESTS;

  constructor({ faces, edges }: PlacedShape, toleranceMm: number) {
    this.#toleranceMm = toleranceMm;
    this.#sizeMm = sizeOf(faces);
    this.#screws = screwMotionsOf({ faces, edges });
    const largest = [...faces.keys()]
      .sort((a, b) => faces[b].areaMm2 - faces[a].areaMm2 || a - b)
      .slice(0, MOST_FACES)
      .sort((a, b) => a - b);
    const placeOf = new Map(largest.map((position, i) => [position, i]));
    this.#faces = largest.map((position) => {
      const face = faces[position];
      const spots = some(surfacePoints(face), POINTS);
      const points = spots.length > 0 ? [] : some(pointsOf(face, face.region), POINTS);
      const reachMm = spots.length > 0 ? reachOf(face) : 0;
      return { face, points, spots, extentMm: Math.sqrt(face.areaMm2), reachMm };
    });
    this.#area = this.#faces.reduce((sum, { face }) => sum + face.areaMm2, 0);
    this.#edges = edgeMap(
      edges.flatMap(({ faces: [a, b], kind, turnRad }) => {
        const [one, other] = [placeOf.get(a), placeOf.get(b)];
        return one === undefined || other === undefined
          ? []
          : [{ a: Math.min(one, other), b: Math.max(one, other), turn: signedTurn(kind, turnRad) }];
      }),
      largest.length,
    );
  }

  /** The best place in a host; undefined if it holds less than a share of the shape, or no work is left. */
  fit(host: PlacedShape, least = LEAST_COVERAGE): Fit | undefined {
    const byKind = new Map<number, number[]>();
    for (const [i, face] of host.faces.entries()) {
      const list = byKind.get(kindOf(face));
      if (list === undefined) byKind.set(kindOf(face), [i]);
      else list.push(i);
    }
    const hasFree = this.#faces.some(({ spots }) => spots.length > 0);
    const free = byKind.get(kindOf({ kind: 'free', isHollow: false })) ?? [];
    const onAny = hasFree ? [...new Set([...free, ...host.faces.keys()])] : [];
    const bySize = new Map([...byKind].map(([kind, positions]) => [kind, new FacesBySize(host.faces, positions)]));
    const candidates = this.#faces.map(({ face, spots }) => {
      if (spots.length > 0) return onAny;
      // Those of the same size first: a whole body is then found at once among many alike.
      const isLike = (other: PartFace): boolean => this.#isLike(face, other);
      return bySize.get(kindOf(face))?.nearest(face.areaMm2, LEAST_AREA * face.areaMm2, isLike) ?? [];
    });
    const possible = this.#faces.reduce((sum, { face }, i) => sum + (candidates[i].length > 0 ? face.areaMm2 : 0), 0);
    if (possible < least * this.#area) return undefined;
    const search = new HostSearch({
      query: this.#faces,
      queryEdges: this.#edges,
      area: this.#area,
      toleranceMm: this.#toleranceMm,
      sizeMm: this.#sizeMm,
      host,
      screws: this.#screws,
      reachMm: hasFree ? host.faces.map(reachOf) : [],
      candidates,
      least,
      mostTests: Math.ceil(this.#testsLeft / 8),
    });
    const best = search.best();
    this.#testsLeft -= search.tests;
    return best;
  }

  #isLike(query: PartFace, host: PartFace): boolean {
    const off = (a: number, b: number): number => Math.abs(a - b);
    switch (query.kind) {
      case 'plane':
        return true;
      case 'free':
        return off(query.areaMm2, host.areaMm2) <= 0.05 * query.areaMm2; // Without samples.
      case 'cone':
        return off(query.second, host.second) <= 0.01;
      case 'torus':
        return (
          off(query.radiusMm, host.radiusMm) <= this.#toleranceMm && off(query.second, host.second) <= this.#toleranceMm
        );
      default:
        return off(query.radiusMm, host.radiusMm) <= this.#toleranceMm;
    }
  }
}

/** At most `count` of things, spread over all. */
function some<Thing>(all: readonly Thing[], count: number): Thing[] {
  const kept = Math.min(count, all.length);
  return Array.from({ length: kept }, (_, i) => all[Math.floor((i * all.length) / kept)]);
}
