import { kindOf } from '../../descriptors/faces/face-words.js';
import type { FaceEdge } from '../../descriptors/faces/part-face.js';
import type { PlacedShape } from './placed-shape.js';

/** Where a feature was found in another size. */
export interface KindsFit {
  /** Share of the query's faces that were found, 0 to 1. */
  readonly coverage: number;
  /**
   * How much the edges differ, 0 to 1: the share of edges around the query's faces that the found ones do not have, and the
   * mean difference of the angles of the others.
   */
  readonly apart: number;
  /** Positions of the faces, rising. */
  readonly faces: readonly number[];
  /** The faces of each place at which it was found like this, the best first. */
  readonly places: readonly (readonly number[])[];
}

/** Edges whose angles differ by less are alike, rad. */
const SAME_TURN = 0.21;
/** Least coverage of a hit, and faces of a query that are compared. */
const LEAST_COVERAGE = 0.6;
const MOST_FACES = 60;
/** Steps of the search in one host. */
const MOST_STEPS = 20_000;

/** An edge as one of its faces sees it. */
interface Beside {
  readonly other: number;
  /** Rad, negative where it is concave. */
  readonly turn: number;
}

/**
 * Finds a group of faces in other sizes: faces of the same kind, convexity and number, with edges of the same kind and
 * angle between them, and like edges around them. The faces of the query are laid one after another, each next to one
 * that lies already (subgraph isomorphism with backtracking: Ullmann 1976).
 */
export class KindsFitter {
  readonly #query: PlacedShape;
  readonly #beside: readonly (readonly Beside[])[];
  /** Faces of the query, each after one that it touches if there is one. */
  readonly #order: readonly number[];
  readonly #isIn: (face: number) => boolean;

  /**
   * @param whole the part that the faces belong to.
   * @param among positions of the faces that are looked for.
   */
  constructor(whole: PlacedShape, among: readonly number[]) {
    const set = new Set(among.slice(0, MOST_FACES));
    this.#query = whole;
    this.#beside = besideOf(whole);
    this.#isIn = (face) => set.has(face);
    this.#order = this.#connected([...set]);
  }

  /** Undefined if a host holds too few of the faces. */
  fit(host: PlacedShape): KindsFit | undefined {
    const beside = besideOf(host);
    const search = new KindsSearch({
      query: this.#query,
      queryBeside: this.#beside,
      order: this.#order,
      isIn: this.#isIn,
      host,
      hostBeside: beside,
    });
    return search.best();
  }

  #connected(faces: readonly number[]): number[] {
    const edgesWithin = (face: number): number => this.#beside[face].filter(({ other }) => this.#isIn(other)).length;
    const left = [...faces].sort((a, b) => edgesWithin(b) - edgesWithin(a) || a - b);
    const order: number[] = [];
    while (left.length > 0) {
      const at = left.findIndex((face) => this.#beside[face].some(({ other }) => order.includes(other)));
      order.push(...left.splice(Math.max(0, at), 1));
    }
    return order;
  }
}

interface KindsParts {
  readonly query: PlacedShape;
  readonly queryBeside: readonly (readonly Beside[])[];
  readonly order: readonly number[];
  readonly isIn: (face: number) => boolean;
  readonly host: PlacedShape;
  readonly hostBeside: readonly (readonly Beside[])[];
}

interface Laid {
  readonly faces: readonly number[];
  readonly coverage: number;
  readonly apart: number;
}

class KindsSearch {
  readonly #parts: KindsParts;
  readonly #found = new Map<string, Laid>();
  #most = 0;
  #steps = 0;

  constructor(parts: KindsParts) {
    this.#parts = parts;
  }

  best(): KindsFit | undefined {
    this.#lay([], new Map());
    const all = [...this.#found.values()]
      .filter(({ coverage }) => coverage >= this.#most - 1e-9)
      .sort((a, b) => a.apart - b.apart || a.faces[0] - b.faces[0]);
    if (all.length === 0) return undefined;
    const [{ faces, coverage, apart }] = all;
    const taken = new Set<number>();
    const places: (readonly number[])[] = [];
    for (const laid of all) {
      if (laid.apart > apart + 0.25 || laid.faces.some((face) => taken.has(face))) continue;
      places.push(laid.faces);
      for (const face of laid.faces) taken.add(face);
    }
    return { coverage, apart, faces, places };
  }

  /** Lays the next face of the order in all ways; `missed` of those before are left out. */
  #lay(laid: readonly (number | undefined)[], hosts: Map<number, number>): void {
    const { order, query, host, queryBeside } = this.#parts;
    const count = order.length;
    const placed = hosts.size;
    if (laid.length === count) return this.#keep(laid);
    const missed = laid.length - placed;
    // What is still possible must reach the best so far.
    const possible = (count - missed) / count;
    if (possible < LEAST_COVERAGE || possible < this.#most - 1e-9 || this.#steps > MOST_STEPS) return;
    const face = order[laid.length];
    const anchor = queryBeside[face].find(({ other }) => this.#hostOf(laid, other) !== undefined);
    const among =
      anchor === undefined
        ? host.faces.keys()
        : this.#parts.hostBeside[this.#hostOf(laid, anchor.other)!].map(({ other }) => other);
    let hasFit = false;
    for (const candidate of among) {
      if (hosts.has(candidate) || kindOf(host.faces[candidate]) !== kindOf(query.faces[face])) continue;
      this.#steps++;
      if (!this.#agrees(face, candidate, laid)) continue;
      hasFit = true;
      hosts.set(candidate, face);
      this.#lay([...laid, candidate], hosts);
      hosts.delete(candidate);
    }
    if (!hasFit) this.#lay([...laid, undefined], hosts);
  }

  #hostOf(laid: readonly (number | undefined)[], face: number): number | undefined {
    const at = this.#parts.order.indexOf(face);
    return at < laid.length ? laid[at] : undefined;
  }

  /** Whether the edges to all faces that lie are those of the query. */
  #agrees(face: number, candidate: number, laid: readonly (number | undefined)[]): boolean {
    const { order, queryBeside, hostBeside } = this.#parts;
    return laid.every((on, i) => {
      if (on === undefined) return true;
      const wanted = queryBeside[face].find(({ other }) => other === order[i]);
      const there = hostBeside[candidate].find(({ other }) => other === on);
      if (wanted === undefined || there === undefined) return wanted === there;
      return Math.abs(wanted.turn - there.turn) <= SAME_TURN;
    });
  }

  #keep(laid: readonly (number | undefined)[]): void {
    const { order, queryBeside, hostBeside, isIn } = this.#parts;
    const on = laid.filter((face) => face !== undefined);
    const coverage = on.length / order.length;
    if (coverage < LEAST_COVERAGE) return;
    const isOn = new Set(on);
    let same = 0,
      all = 0,
      off = 0,
      compared = 0;
    laid.forEach((face, i) => {
      if (face === undefined) return;
      const around = queryBeside[order[i]].filter(({ other }) => !isIn(other)).map(({ turn }) => turn);
      const there = hostBeside[face].filter(({ other }) => !isOn.has(other)).map(({ turn }) => turn);
      all += Math.max(around.length, there.length);
      for (const turn of around) {
        const nearest = there.reduce(
          (best, other, k) => (apartAt(other, turn) < apartAt(there[best], turn) ? k : best),
          0,
        );
        if (there.length === 0 || apartAt(there[nearest], turn) > SAME_TURN) continue;
        off += apartAt(there[nearest], turn);
        compared++;
        there.splice(nearest, 1);
        same++;
      }
      for (const { other, turn } of queryBeside[order[i]]) {
        const on = laid[order.indexOf(other)];
        const edge = on === undefined ? undefined : hostBeside[face].find((one) => one.other === on);
        if (edge === undefined) continue;
        off += apartAt(edge.turn, turn);
        compared++;
      }
    });
    const missing = all === 0 ? 0 : 1 - same / all;
    const apart = (missing + off / (Math.max(1, compared) * SAME_TURN)) / 2;
    const faces = [...on].sort((a, b) => a - b);
    const key = faces.join(' ');
    const known = this.#found.get(key);
    if (known === undefined || apart < known.apart) this.#found.set(key, { faces, coverage, apart });
    this.#most = Math.max(this.#most, coverage);
  }
}

function apartAt(one: number, other: number): number {
  return Math.abs(one - other);
}

function besideOf({ faces, edges }: PlacedShape): Beside[][] {
  const beside = faces.map((): Beside[] => []);
  for (const {
    faces: [a, b],
    kind,
    turnRad,
  } of edges) {
    const turn = signed(kind, turnRad);
    beside[a].push({ other: b, turn });
    beside[b].push({ other: a, turn });
  }
  return beside;
}

function signed(kind: FaceEdge['kind'], turnRad: number): number {
  return kind === 'concave' ? -turnRad : turnRad;
}
