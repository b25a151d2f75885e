import { kindOf } from '../../descriptors/faces/face-words.js';
import type { FaceEdge } from '../../descriptors/faces/part-face.js';
import type { PlacedShape } from './placed-shape.js';

/** Most that one trait counts when two faces are compared. */
const MOST_APART = 3;
/** Numbers of a face that stay the same in every pose and size. */
const TRAITS = 4;
/** Least area that has a logarithm, mm². */
const LEAST_MM2 = 1e-9;
/** Least distance that has a logarithm, mm. */
const LEAST_MM = 1e-3;

/**
 * The faces of a shape as the search for any size sees them: kinds, edges, and what tells one face from others of its
 * kind.
 */
export interface KindsGraph {
  /** Kind and side of each face, see `kindOf`. */
  readonly kinds: readonly number[];
  /** For each face those beside it, and the angle of the edge between them, rad, negative where it is concave. */
  readonly beside: readonly ReadonlyMap<number, number>[];
  /** Logarithm of the size of each face: of the root of its area, mm. */
  readonly sizes: Float64Array;
  /** For each face {@link TRAITS} numbers, see {@link strangeness}. */
  readonly traits: Float64Array;
  /** Centroid of each face, mm: x, y, z one after another. */
  readonly middles: Float64Array;
  /** The faces of each kind, rising. */
  readonly byKind: ReadonlyMap<number, readonly number[]>;
}

/** Sees a shape as a graph of kinds. */
export function kindsGraph({ faces, edges }: PlacedShape): KindsGraph {
  const kinds = faces.map(kindOf);
  const beside = faces.map(() => new Map<number, number>());
  const perimeters = new Float64Array(faces.length);
  for (const { faces: pair, kind, turnRad, lengthMm } of edges) {
    const [a, b] = pair;
    const turn = signed(kind, turnRad);
    if (!beside[a].has(b)) beside[a].set(b, turn);
    if (!beside[b].has(a)) beside[b].set(a, turn);
    perimeters[a] += lengthMm;
    perimeters[b] += lengthMm;
  }
  const sizes = Float64Array.from(faces, ({ areaMm2 }) => Math.log(Math.max(LEAST_MM2, areaMm2)) / 2);
  const traits = new Float64Array(TRAITS * faces.length);
  const byKind = new Map<number, number[]>();
  for (const [face, around] of beside.entries()) {
    let turns = 0,
      larger = 0;
    for (const [other, turn] of around) {
      turns += turn;
      larger += sizes[other] - sizes[face];
    }
    const narrow = perimeters[face] > 0 ? Math.log(perimeters[face]) - sizes[face] : 0;
    traits.set([around.size, turns, larger / Math.max(1, around.size), narrow], TRAITS * face);
    const alike = byKind.get(kinds[face]);
    if (alike === undefined) byKind.set(kinds[face], [face]);
    else alike.push(face);
  }
  const middles = Float64Array.from(faces.flatMap(({ middle }) => [...middle]));
  return { kinds, beside, sizes, traits, middles, byKind };
}

/**
 * How little two faces look like the same one in another size, from 0: by the number of their edges, the sum of the
 * angles, how large the faces beside them are, and how long their edges are, all as a share of their own size.
 */
export function strangeness(one: KindsGraph, face: number, other: KindsGraph, candidate: number): number {
  let sum = 0;
  for (let i = 0; i < TRAITS; i++)
    sum += Math.min(MOST_APART, Math.abs(one.traits[TRAITS * face + i] - other.traits[TRAITS * candidate + i]));
  return sum;
}

/** Logarithm of the distance of the centroids of two faces, in mm. */
export function distanceOf({ middles }: KindsGraph, a: number, b: number): number {
  const x = middles[3 * a] - middles[3 * b],
    y = middles[3 * a + 1] - middles[3 * b + 1],
    z = middles[3 * a + 2] - middles[3 * b + 2];
  return Math.log(Math.max(LEAST_MM, Math.sqrt(x * x + y * y + z * z)));
}

function signed(kind: FaceEdge['kind'], turnRad: number): number {
  return kind === 'concave' ? -turnRad : turnRad;
}
