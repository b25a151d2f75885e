import { distanceOf, strangeness, type KindsGraph } from './kinds-graph.js';

/** Edges whose angles differ by less are alike, rad. */
const SAME_TURN = 0.21;
/** Steps of the search in one host. */
const MOST_STEPS = 10_000;
/** Steps of the first search from one face of the host, and more for each face of the query. */
const FIRST_STEPS = 200;
const STEPS_A_FACE = 20;
/** A laying that is off by less is not looked for in other ways. */
const AS_GOOD = 1e-3;
/** Faces from which distances are compared: four fix a place. */
const MARKS = 4;
/** Steps that it takes at most to compare all faces of the host, where a face touches none that lies. */
const MOST_LOOSE = 100;
/** What uneven sizes count beside other edges where layings of one host are compared. */
const UNEVEN = 0.2;
/** Faces that a complete laying has count as so much stranger. */
const TAKEN = 100;

/** What is looked for, and where. */
export interface KindsParts {
  readonly query: KindsGraph;
  /** Faces of the query, each after one that it touches if there is one. */
  readonly order: readonly number[];
  readonly host: KindsGraph;
  /** Logarithm of how much larger the host is than the whole part of the query, as a length. */
  readonly larger: number;
  /** Least share of the faces that must be found. */
  readonly least: number;
}

/** One way in which faces of the query lie on faces of the host. */
export interface Laid {
  /** Rising. */
  readonly faces: readonly number[];
  readonly coverage: number;
  /** How much the edges differ, 0 to 1. */
  readonly apart: number;
  /**
   * How much the sizes differ from evenly scaled ones, 0 to 1: the mean distance of logarithms of ratios from their
   * median.
   */
  readonly uneven: number;
  /** Logarithm of the scale, by which the found faces are larger as lengths. */
  readonly scale: number;
}

/** What a laying falls short of the same faces in another size, beside its coverage. */
export function shortfall({ apart, uneven }: Laid): number {
  return apart + UNEVEN * uneven;
}

/**
 * Lays the faces of a query on those of one host, one after another. From each face of the host that the first may be,
 * the candidates that look most like the query's face at the scale of the first come first, so that a part finds
 * itself at once; from each only so many steps are taken before the next has its turn.
 */
export class KindsSearch {
  readonly #parts: KindsParts;
  readonly #found = new Map<string, Laid>();
  readonly #positions: ReadonlyMap<number, number>;
  /** By position in the order, the face of the host; undefined: left out, or not yet laid. */
  readonly #laid: (number | undefined)[];
  /** By face of the query, the face of the host on which it lies; -1: none. */
  readonly #hostOf: Int32Array;
  readonly #isOn = new Set<number>();
  readonly #taken = new Set<number>();
  #most = 0;
  #steps = 0;
  /** Steps after which this start gives way. */
  #until = 0;
  #isDone = false;
  #scale = 0;

  constructor(parts: KindsParts) {
    this.#parts = parts;
    this.#positions = new Map(parts.order.map((face, at) => [face, at]));
    this.#laid = parts.order.map(() => undefined);
    this.#hostOf = new Int32Array(parts.query.kinds.length).fill(-1);
  }

  /** The layings found, of the greatest coverage, the best first. */
  all(): Laid[] {
    const { order, query, host } = this.#parts;
    if (this.#mostByKinds() < this.#parts.least) return [];
    const first = order.findIndex((face) => host.byKind.has(query.kinds[face]));
    const starts = this.#starts(order[first]);
    const unfinished: number[] = [];
    for (const start of starts) {
      if (this.#steps >= MOST_STEPS) break;
      if (this.#taken.has(start)) continue;
      if (!this.#from(first, start, FIRST_STEPS + STEPS_A_FACE * order.length)) unfinished.push(start);
    }
    for (const [i, start] of unfinished.entries()) {
      if (this.#most >= 1 || this.#steps >= MOST_STEPS) break;
      this.#from(first, start, Math.floor((MOST_STEPS - this.#steps) / (unfinished.length - i)));
    }
    return [...this.#found.values()]
      .filter(({ coverage }) => coverage >= this.#most - 1e-9)
      .sort((a, b) => shortfall(a) - shortfall(b) || a.faces[0] - b.faces[0]);
  }

  /** The greatest share of the faces for which the host has faces of the kinds. */
  #mostByKinds(): number {
    const { order, query, host } = this.#parts;
    const wanted = new Map<number, number>();
    for (const face of order) wanted.set(query.kinds[face], 1 + (wanted.get(query.kinds[face]) ?? 0));
    let most = 0;
    for (const [kind, count] of wanted) most += Math.min(count, host.byKind.get(kind)?.length ?? 0);
    return most / order.length;
  }

  /**
   * The faces of the host that a face may be: first those that look like it, at its own size or that of the whole
   * host.
   */
  #starts(face: number): number[] {
    const { query, host, larger } = this.#parts;
    return leastFirst(host.byKind.get(query.kinds[face])!, (candidate) => {
      const scale = host.sizes[candidate] - query.sizes[face];
      return strangeness(query, face, host, candidate) + Math.min(Math.abs(scale), Math.abs(scale - larger));
    });
  }

  /** Whether all was looked at that begins with this face of the host. */
  #from(at: number, start: number, steps: number): boolean {
    const { order, query, host } = this.#parts;
    this.#until = Math.min(MOST_STEPS, this.#steps + steps);
    this.#isDone = false;
    this.#scale = host.sizes[start] - query.sizes[order[at]];
    this.#put(at, start);
    this.#lay(at + 1);
    this.#lift(at, start);
    return this.#isDone || this.#steps < this.#until;
  }

  #put(at: number, candidate: number): void {
    this.#laid[at] = candidate;
    this.#hostOf[this.#parts.order[at]] = candidate;
    this.#isOn.add(candidate);
  }

  #lift(at: number, candidate: number): void {
    this.#laid[at] = undefined;
    this.#hostOf[this.#parts.order[at]] = -1;
    this.#isOn.delete(candidate);
  }

  /** Lays the face at this place of the order, and those after it, in all ways. */
  #lay(at: number): void {
    const { order, least } = this.#parts;
    const count = order.length;
    if (at === count) return this.#keep();
    if (this.#steps >= this.#until) return;
    // What is still possible must reach the best so far.
    const possible = (count - at + this.#isOn.size) / count;
    if (possible < least || possible < this.#most - 1e-9) return;
    const candidates = this.#candidates(order[at]);
    for (const candidate of candidates) {
      if (this.#isDone) return;
      this.#put(at, candidate);
      this.#lay(at + 1);
      this.#lift(at, candidate);
    }
    if (candidates.length === 0) this.#lay(at + 1);
  }

  /**
   * Faces of the host that a face may be, those first whose size, edges and distances from others are the query's at
   * its scale.
   */
  #candidates(face: number): readonly number[] {
    const { order, query, host } = this.#parts;
    const kind = query.kinds[face];
    let near: ReadonlyMap<number, number> | undefined;
    for (const other of query.beside[face].keys()) {
      const on = this.#hostOf[other];
      if (on >= 0 && (near === undefined || host.beside[on].size < near.size)) near = host.beside[on];
    }
    const among: number[] = [];
    let compared = 0;
    for (const candidate of near === undefined ? (host.byKind.get(kind) ?? []) : near.keys()) {
      if (host.kinds[candidate] !== kind || this.#isOn.has(candidate)) continue;
      compared++;
      if (this.#agrees(face, candidate)) among.push(candidate);
    }
    this.#steps += near === undefined ? Math.min(MOST_LOOSE, compared) : compared;
    if (among.length < 2) return among;
    const marks = this.#marks();
    const distances = marks.map((at) => distanceOf(query, face, order[at]));
    return leastFirst(among, (candidate) => {
      const scale = host.sizes[candidate] - query.sizes[face];
      let cost = strangeness(query, face, host, candidate) + Math.abs(scale - this.#scale);
      for (const [i, at] of marks.entries()) {
        const ratio = distanceOf(host, candidate, this.#laid[at]!) - distances[i];
        cost += Math.min(1, Math.abs(ratio - this.#scale));
      }
      return this.#taken.has(candidate) ? cost + TAKEN : cost;
    });
  }

  /** Places in the order of the first faces that lie. */
  #marks(): number[] {
    const marks: number[] = [];
    for (let at = 0; at < this.#laid.length && marks.length < MARKS; at++)
      if (this.#laid[at] !== undefined) marks.push(at);
    return marks;
  }

  /** Whether the edges to all faces that lie are those of the query. */
  #agrees(face: number, candidate: number): boolean {
    const { query, host } = this.#parts;
    const there = host.beside[candidate];
    let shared = 0;
    for (const [other, turn] of query.beside[face]) {
      const on = this.#hostOf[other];
      if (on < 0) continue;
      const found = there.get(on);
      if (found === undefined || Math.abs(found - turn) > SAME_TURN) return false;
      shared++;
    }
    // No edge more either.
    const [few, many] = there.size < this.#isOn.size ? [there, this.#isOn] : [this.#isOn, there];
    for (const on of few.keys()) if (many.has(on)) shared--;
    return shared === 0;
  }

  #keep(): void {
    const { order } = this.#parts;
    const faces = [...this.#isOn].sort((a, b) => a - b);
    const coverage = faces.length / order.length;
    if (coverage < this.#parts.least) return;
    const laid: Laid = { faces, coverage, apart: this.#apart(), ...this.#sizes() };
    const key = faces.join(' ');
    const known = this.#found.get(key);
    if (known === undefined || shortfall(laid) < shortfall(known)) this.#found.set(key, laid);
    this.#most = Math.max(this.#most, coverage);
    if (coverage < 1 || shortfall(laid) > AS_GOOD) return;
    for (const face of faces) this.#taken.add(face);
    this.#isDone = true;
  }

  #apart(): number {
    const { order, query, host } = this.#parts;
    let same = 0,
      all = 0,
      off = 0,
      compared = 0;
    for (const [at, face] of this.#laid.entries()) {
      if (face === undefined) continue;
      const around = [...query.beside[order[at]]].filter(([other]) => !this.#positions.has(other));
      const there = [...host.beside[face]].filter(([other]) => !this.#isOn.has(other)).map(([, turn]) => turn);
      all += Math.max(around.length, there.length);
      for (const [, turn] of around) {
        const nearest = there.reduce(
          (best, other, k) => (Math.abs(other - turn) < Math.abs(there[best] - turn) ? k : best),
          0,
        );
        if (there.length === 0 || Math.abs(there[nearest] - turn) > SAME_TURN) continue;
        off += Math.abs(there[nearest] - turn);
        compared++;
        there.splice(nearest, 1);
        same++;
      }
      for (const [other, turn] of query.beside[order[at]]) {
        const on = this.#hostOf[other];
        const found = on < 0 ? undefined : host.beside[face].get(on);
        if (found === undefined) continue;
        off += Math.abs(found - turn);
        compared++;
      }
    }
    const missing = all === 0 ? 0 : 1 - same / all;
    return (missing + off / (Math.max(1, compared) * SAME_TURN)) / 2;
  }

  #sizes(): Pick<Laid, 'uneven' | 'scale'> {
    const { order, query, host } = this.#parts;
    const ratios: number[] = [];
    for (const [at, face] of this.#laid.entries())
      if (face !== undefined) ratios.push(host.sizes[face] - query.sizes[order[at]]);
    ratios.sort((a, b) => a - b);
    const scale = ratios[ratios.length >> 1];
    const uneven = ratios.reduce((sum, ratio) => sum + Math.min(1, Math.abs(ratio - scale)), 0) / ratios.length;
    return { uneven, scale };
  }
}

/** Numbers by their costs, of equal costs the smaller number first. */
function leastFirst(numbers: readonly number[], costOf: (number: number) => number): number[] {
  return numbers
    .map((number) => ({ number, cost: costOf(number) }))
    .sort((a, b) => a.cost - b.cost || a.number - b.number)
    .map(({ number }) => number);
}
