import { kindsGraph, type KindsGraph } from './kinds-graph.js';
import { KindsSearch, type Laid } from './kinds-search.js';
import type { PlacedShape } from './placed-shape.js';

/**
 * Where a feature was found in another size: the best laying, and the faces of each place that is as good, that of the
 * best first.
 */
export interface KindsFit extends Laid {
  readonly places: readonly (readonly number[])[];
}

/** Least coverage of a hit, and faces of a query that are compared. */
const LEAST_COVERAGE = 0.6;
const MOST_FACES = 60;
/**
 * How much more the edges of a further place may differ: less than one of two edges that is missing (0.25), so that a
 * through hole is no further place of the wall of a blind one.
 */
const AS_GOOD_A_PLACE = 0.2;

/**
 * Finds a group of faces in other sizes: faces of the same kind, convexity and number, with edges of the same kind and
 * angle between them, and like edges around them. The faces of the query are laid one after another, each next to one
 * that lies already (subgraph isomorphism with backtracking: Ullmann 1976).
 */
export class KindsFitter {
  readonly #query: KindsGraph;
  readonly #order: readonly number[];
  readonly #size: number;

  /**
   * @param whole the part that the faces belong to.
   * @param among positions of the faces that are looked for.
   */
  constructor(whole: PlacedShape, among: readonly number[]) {
    this.#query = kindsGraph(whole);
    this.#order = connected(this.#query, among.slice(0, MOST_FACES));
    this.#size = sizeOf(whole);
  }

  /**
   * Undefined if a host holds too few of the faces. leastCoverage: what a hit must hold at least, beside the least of
   * all.
   */
  fit(host: PlacedShape, leastCoverage: number): KindsFit | undefined {
    const search = new KindsSearch({
      query: this.#query,
      order: this.#order,
      host: kindsGraph(host),
      larger: sizeOf(host) - this.#size,
      least: Math.max(LEAST_COVERAGE, leastCoverage),
    });
    const all = search.all();
    if (all.length === 0) return undefined;
    const [best] = all;
    const taken = new Set<number>();
    const places: (readonly number[])[] = [];
    for (const { apart, faces } of all) {
      if (apart > best.apart + AS_GOOD_A_PLACE || faces.some((face) => taken.has(face))) continue;
      places.push(faces);
      for (const face of faces) taken.add(face);
    }
    return { ...best, places };
  }
}

/** The faces so that each comes when most of its edges lead to those before it. */
function connected({ beside }: KindsGraph, faces: readonly number[]): number[] {
  const isIn = new Set(faces);
  const within = new Map(faces.map((face) => [face, [...beside[face].keys()].filter((other) => isIn.has(other))]));
  const left = new Map(
    [...within].sort(([a, one], [b, other]) => other.length - one.length || a - b).map(([a]) => [a, 0]),
  );
  const order: number[] = [];
  while (left.size > 0) {
    let next = -1;
    for (const [face, before] of left) if (next < 0 || before > left.get(next)!) next = face;
    left.delete(next);
    order.push(next);
    for (const other of within.get(next)!) if (left.has(other)) left.set(other, left.get(other)! + 1);
  }
  return order;
}

/** Logarithm of the size of all faces: of the root of their area, mm. */
function sizeOf({ faces }: PlacedShape): number {
  return (
    Math.log(
      Math.max(
        Number.MIN_VALUE,
        faces.reduce((sum, { areaMm2 }) => sum + areaMm2, 0),
      ),
    ) / 2
  );
}
