import { distanceBetween, kindOf, PARALLEL } from '../../descriptors/faces/face-words.js';
import { distanceTo } from '../../descriptors/faces/fit-surface.js';
import { leastSquares } from '../../descriptors/faces/least-squares.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { covers, pointsOf } from '../../descriptors/faces/region.js';
import { cross, dot, lengthOf, plus, scaled, unit, type Vector } from '../../descriptors/faces/vector.js';
import type { PlacedShape } from './placed-shape.js';
import {
  directionsOf,
  movedBy,
  rotationsAlong,
  rotationsBetween,
  shiftOf,
  turnedBy,
  type Directions,
  type Pairing,
  type Pose,
} from './pose.js';

/** Where a shape was found in another. */
export interface Fit {
  /** Share of the query's area that was found, 0 to 1. */
  readonly coverage: number;
  readonly pose: Pose;
  /** Positions of the faces on which it lies, rising. */
  readonly faces: readonly number[];
  /** The faces of each place at which it was found like this; two places share less than half. The best first. */
  readonly places: readonly (readonly number[])[];
}

/** Least coverage of a hit. */
export const LEAST_COVERAGE = 0.3;
/** Points of a face that are compared. */
const POINTS = 24;
/** A face of which so much is found counts whole: its rim is known to a grid cell only; below the second, not at all. */
const WHOLE = 0.95;
const NOTHING = 0.2;
/** Fits this much worse than the best are occurrences of their own. */
const AS_GOOD = 0.02;
/** From here a fit is complete, and only further occurrences are looked for. */
export const COMPLETE = 0.995;
/** Most faces of a query: the largest. */
const MOST_FACES = 600;
/** Query faces whose pairs may be seeds; pairs that are tried; pairs of host faces of one; poses and face tests of a host. */
const RAREST = 24;
const MOST_SEEDS = 8;
const MOST_PAIRS = 40_000;
const MOST_POSES = 3_000;
/** Further faces that are tried where two leave a direction free. */
const MOST_THIRDS = 4;
/** Comparisons of a query face with a host face, of all hosts of a search; one host gets an eighth of what is left. */
export const MOST_TESTS = 1_500_000;
/** A host face must be this large beside that of the query. */
const LEAST_AREA = 0.25;
/** Cosine below which two directions differ. */
const SAME_DIRECTION = 0.9995;

interface QueryFace {
  readonly face: PartFace;
  readonly points: readonly Vector[];
}

interface Seed {
  readonly a: number;
  readonly b: number;
  readonly directions: Directions;
  readonly isAdjacent: boolean;
}

interface Found {
  readonly coverage: number;
  readonly pose: Pose;
  readonly faces: readonly number[];
  /** By query face: the host face that covers most of it. */
  readonly pairings: readonly Pairing[];
  readonly matched: ReadonlySet<number>;
}

/**
 * Lays a shape into others: two of its faces fix a pose (rarest first, by what the host has of their kinds and radii), a
 * third where they leave a direction free; then all faces are compared at points of theirs.
 */
export class ShapeFitter {
  readonly #faces: readonly QueryFace[];
  readonly #edges: ReadonlyMap<number, number>;
  readonly #area: number;
  readonly #toleranceMm: number;
  #testsLeft = MOST_TESTS;

  constructor({ faces, edges }: PlacedShape, toleranceMm: number) {
    this.#toleranceMm = toleranceMm;
    const largest = [...faces.keys()]
      .sort((a, b) => faces[b].areaMm2 - faces[a].areaMm2 || a - b)
      .slice(0, MOST_FACES)
      .sort((a, b) => a - b);
    const placeOf = new Map(largest.map((position, i) => [position, i]));
    this.#faces = largest.map((position) => {
      const face = faces[position];
      const points = pointsOf(face, face.region);
      const count = Math.min(POINTS, points.length);
      return { face, points: Array.from({ length: count }, (_, i) => points[Math.floor((i * points.length) / count)]) };
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

  /** The best place in a host; undefined if it holds less than {@link LEAST_COVERAGE} of the shape, or no work is left. */
  fit(host: PlacedShape): Fit | undefined {
    const byKind = new Map<number, number[]>();
    for (const [i, face] of host.faces.entries()) {
      const list = byKind.get(kindOf(face));
      if (list === undefined) byKind.set(kindOf(face), [i]);
      else list.push(i);
    }
    const candidates = this.#faces.map(({ face }) =>
      (byKind.get(kindOf(face)) ?? []).filter((i) => this.#isLike(face, host.faces[i])),
    );
    const possible = this.#faces.reduce((sum, { face }, i) => sum + (candidates[i].length > 0 ? face.areaMm2 : 0), 0);
    if (possible < LEAST_COVERAGE * this.#area) return undefined;
    const search = new HostSearch({
      query: this.#faces,
      queryEdges: this.#edges,
      area: this.#area,
      toleranceMm: this.#toleranceMm,
      host,
      candidates,
      mostTests: Math.ceil(this.#testsLeft / 8),
    });
    const best = search.best();
    this.#testsLeft -= search.tests;
    return best;
  }

  #isLike(query: PartFace, host: PartFace): boolean {
    const off = (a: number, b: number): number => Math.abs(a - b);
    if (host.areaMm2 < LEAST_AREA * query.areaMm2) return false;
    switch (query.kind) {
      case 'plane':
        return true;
      case 'free':
        return off(query.areaMm2, host.areaMm2) <= 0.05 * query.areaMm2;
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

interface HostSearchParts {
  readonly query: readonly QueryFace[];
  readonly queryEdges: ReadonlyMap<number, number>;
  readonly area: number;
  readonly toleranceMm: number;
  readonly host: PlacedShape;
  /** By query face: positions of host faces that may be it. */
  readonly candidates: readonly (readonly number[])[];
  readonly mostTests: number;
}

class HostSearch {
  readonly #parts: HostSearchParts;
  readonly #hostEdges: ReadonlyMap<number, number>;
  /** Query faces in the order in which they are compared: those with the fewest candidates first. */
  readonly #order: readonly number[];
  readonly #found: Found[] = [];
  #bestCoverage = 0;
  #poses = 0;
  #tests = 0;

  constructor(parts: HostSearchParts) {
    this.#parts = parts;
    const { query, candidates, host } = parts;
    this.#hostEdges = edgeMap(
      host.edges.map(({ faces: [a, b], kind, turnRad }) => ({ a, b, turn: signedTurn(kind, turnRad) })),
      host.faces.length,
    );
    this.#order = [...query.keys()].sort(
      (a, b) => candidates[a].length - candidates[b].length || query[b].face.areaMm2 - query[a].face.areaMm2 || a - b,
    );
  }

  best(): Fit | undefined {
    const seeds = this.#seeds();
    const used = new Set<number>();
    for (const seed of seeds) {
      if (this.#bestCoverage >= COMPLETE || this.#isSpent()) break;
      // A pair that lies in the best place already was part of what was tried.
      const best = this.#best();
      if (best?.matched.has(seed.a) === true && best.matched.has(seed.b) && used.has(seed.a) && used.has(seed.b))
        continue;
      used.add(seed.a);
      used.add(seed.b);
      this.#trySeed(seed);
    }
    // A cut may be all that fixes a turn about the only axis.
    if (this.#bestCoverage < COMPLETE) this.#tryAxis();
    const best = this.#best();
    if (best === undefined) return undefined;
    const pose = this.#refined(best);
    const again = this.#verified(pose, 0) ?? best;
    const { coverage, faces, pose: kept } = again.coverage >= best.coverage - 1e-9 ? again : best;
    return { coverage, pose: kept, faces: [...faces].sort((a, b) => a - b), places: this.#places(best) };
  }

  /** Comparisons of faces so far. */
  get tests(): number {
    return this.#tests;
  }

  #best(): Found | undefined {
    return this.#found.reduce<Found | undefined>(
      (best, found) => (best === undefined || found.coverage > best.coverage ? found : best),
      undefined,
    );
  }

  #isSpent(): boolean {
    return this.#poses >= MOST_POSES || this.#tests >= this.#parts.mostTests;
  }

  /** Pairs of query faces that fix a rotation, those with the fewest pairs of candidates first. */
  #seeds(): Seed[] {
    const { query, queryEdges, candidates } = this.#parts;
    const rarest = this.#order.filter((i) => candidates[i].length > 0).slice(0, RAREST);
    const seeds: (Seed & { readonly pairs: number })[] = [];
    for (const [k, a] of rarest.entries())
      for (const b of rarest.slice(k + 1)) {
        const isAdjacent = queryEdges.has(keyOf(a, b, query.length));
        const arePlanes = query[a].face.kind === 'plane' && query[b].face.kind === 'plane';
        if (arePlanes && !isAdjacent) continue;
        const directions = directionsOf(query[a].face, query[b].face);
        if (directions === undefined) continue;
        const pairs = candidates[a].length * candidates[b].length;
        seeds.push({ a, b, directions, isAdjacent, pairs });
      }
    seeds.sort((one, other) => one.pairs - other.pairs || one.a - other.a || one.b - other.b);
    const uses = new Map<number, number>();
    const kept: Seed[] = [];
    for (const seed of seeds) {
      if (kept.length === MOST_SEEDS) break;
      if ((uses.get(seed.a) ?? 0) >= 2 || (uses.get(seed.b) ?? 0) >= 2) continue;
      for (const face of [seed.a, seed.b]) uses.set(face, (uses.get(face) ?? 0) + 1);
      kept.push(seed);
    }
    return kept;
  }

  #trySeed({ a, b, directions, isAdjacent }: Seed): void {
    const { query, queryEdges, host, candidates } = this.#parts;
    const [one, other] = [query[a].face, query[b].face];
    const wanted = measuresOf(one, other);
    const turn = isAdjacent ? queryEdges.get(keyOf(a, b, query.length)) : undefined;
    const arePlanes = one.kind === 'plane' && other.kind === 'plane';
    let pairs = 0;
    for (const i of candidates[a]) {
      for (const j of candidates[b]) {
        if (i === j) continue;
        if (arePlanes) {
          // Planes are many: only pairs that meet as those of the query do.
          const there = this.#hostEdges.get(keyOf(i, j, host.faces.length));
          if (there === undefined || Math.abs(there - turn!) > 0.02) continue;
        }
        this.#tests++;
        if (++pairs > MOST_PAIRS || this.#isSpent()) return;
        if (!this.#areAlike(wanted, measuresOf(host.faces[i], host.faces[j]))) continue;
        const pairings: Pairing[] = [
          [one, host.faces[i]],
          [other, host.faces[j]],
        ];
        for (const rows of rotationsBetween(directions, pairings[0], pairings[1])) this.#tryRotation(rows, pairings);
      }
    }
  }

  /** For shapes that have only one axis: any turn about it is right. */
  #tryAxis(): void {
    const { query, host, candidates } = this.#parts;
    const first =
      this.#order.find((i) => candidates[i].length > 0 && query[i].face.kind !== 'sphere') ?? this.#order[0];
    for (const i of candidates[first]) {
      if (this.#isSpent()) return;
      const pairing: Pairing = [query[first].face, host.faces[i]];
      for (const rows of rotationsAlong(pairing)) this.#tryRotation(rows, [pairing]);
    }
  }

  #areAlike(one: PairMeasures, other: PairMeasures): boolean {
    if (Math.abs(one.cosine - other.cosine) > 0.005) return false;
    if (one.apart === undefined || other.apart === undefined) return one.apart === other.apart;
    return Math.abs(one.apart - other.apart) <= 3 * this.#parts.toleranceMm;
  }

  #tryRotation(rows: Pose['rows'], pairings: readonly Pairing[]): void {
    const { shift, fixed } = shiftOf(rows, pairings);
    if (fixed === 3) return this.#tryPose({ rows, shift });
    const { query, candidates } = this.#parts;
    // The rarest faces that fix what is free; one that the host lacks, such as that of a cut, is followed by the next.
    const thirds = this.#order.filter((i) => {
      const { face } = query[i];
      if (candidates[i].length === 0 || pairings.some(([one]) => one === face)) return false;
      return shiftOf(rows, [...pairings, [face, { ...face, axis: turnedBy({ rows }, face.axis) }]]).fixed > fixed;
    });
    if (thirds.length === 0) return this.#tryPose({ rows, shift });
    for (const third of thirds.slice(0, MOST_THIRDS)) if (this.#tryThird(rows, pairings, third)) return;
  }

  /** Whether a host face was found for a further query face. */
  #tryThird(rows: Pose['rows'], pairings: readonly Pairing[], third: number): boolean {
    const { query, host, candidates } = this.#parts;
    const { face } = query[third];
    const axis = turnedBy({ rows }, face.axis);
    const before = this.#found.length;
    for (const i of candidates[third]) {
      this.#tests++;
      const on = host.faces[i];
      if (!sameDirection(face, axis, on)) continue;
      const next = shiftOf(rows, [...pairings, [face, on]]);
      if (!this.#fitsPairings(rows, next.shift, pairings)) continue;
      if (next.fixed < 3 && pairings.length < 3) this.#tryRotation(rows, [...pairings, [face, on]]);
      else this.#tryPose({ rows, shift: next.shift });
      if (this.#isSpent()) break;
    }
    return this.#found.length > before;
  }

  #fitsPairings(rows: Pose['rows'], shift: Vector, pairings: readonly Pairing[]): boolean {
    return pairings.every(([query, host]) => {
      const place = plus(turnedBy({ rows }, query.origin), shift);
      const from: Vector = [place[0] - host.origin[0], place[1] - host.origin[1], place[2] - host.origin[2]];
      const along = dot(from, host.axis);
      const off =
        host.kind === 'plane'
          ? Math.abs(along)
          : host.kind === 'cylinder'
            ? lengthOf(plus(from, host.axis, -along))
            : lengthOf(from);
      return off <= 3 * this.#parts.toleranceMm;
    });
  }

  #tryPose(pose: Pose): void {
    if (this.#isSpent()) return;
    this.#poses++;
    const found = this.#verified(pose, Math.max(LEAST_COVERAGE, this.#bestCoverage - AS_GOOD));
    if (found === undefined) return;
    this.#bestCoverage = Math.max(this.#bestCoverage, found.coverage);
    this.#found.push(found);
  }

  /** Undefined if less than `least` of the area is found. */
  #verified(pose: Pose, least: number): Found | undefined {
    const { query, candidates, host, area, toleranceMm } = this.#parts;
    let lost = 0,
      share = 0;
    const faces = new Set<number>();
    const matched = new Set<number>();
    const pairings: Pairing[] = [];
    for (const i of this.#order) {
      const { face, points } = query[i];
      const axis = turnedBy(pose, face.axis);
      const on: number[] = [];
      for (const j of candidates[i]) {
        this.#tests++;
        const other = host.faces[j];
        if (!sameDirection(face, axis, other)) continue;
        if (
          face.kind === 'free'
            ? isNear(movedBy(pose, face.middle), other.middle, 0.05 * Math.sqrt(face.areaMm2))
            : liesOn(pose, face, other, toleranceMm)
        )
          on.push(j);
      }
      const part = on.length === 0 ? 0 : this.#shareOn(pose, { face, points }, on, faces);
      if (part > 0) {
        matched.add(i);
        pairings.push([face, host.faces[on[0]]]);
      }
      share += part * face.areaMm2;
      lost += (1 - part) * face.areaMm2;
      if (lost > (1 - least) * area + 1e-9) return undefined;
    }
    return { coverage: Math.min(1, share / area), pose, faces: [...faces], pairings, matched };
  }

  /** Share of a face's points that host faces cover; adds those that cover any. */
  #shareOn(pose: Pose, { face, points }: QueryFace, on: readonly number[], faces: Set<number>): number {
    const { host } = this.#parts;
    if (face.kind === 'free') {
      faces.add(on[0]);
      return 1;
    }
    const counts = new Map<number, number>();
    let covered = 0;
    for (const point of points) {
      const moved = movedBy(pose, point);
      const j = on.find((k) => covers(host.faces[k], host.faces[k].region, moved));
      if (j === undefined) continue;
      covered++;
      counts.set(j, (counts.get(j) ?? 0) + 1);
    }
    const part = covered / points.length;
    if (part < NOTHING) return 0;
    for (const j of counts.keys()) faces.add(j);
    return part >= WHOLE ? 1 : part;
  }

  /** The pose that brings the points of all matched faces nearest to their surfaces. */
  #refined({ pose, pairings }: Found): Pose {
    const some = pairings.filter(([face]) => face.kind !== 'free').slice(0, 60);
    const pointsOfFace = new Map(this.#parts.query.map(({ face, points }) => [face, points]));
    const samples = some.flatMap(([face, on]) =>
      (pointsOfFace.get(face) ?? []).filter((_, i) => i % 3 === 0).map((point) => ({ point, on })),
    );
    if (samples.length < 6) return pose;
    const centre = scaled(
      samples.reduce<Vector>((sum, { point }) => plus(sum, movedBy(pose, point)), [0, 0, 0]),
      1 / samples.length,
    );
    const size = Math.max(1e-3, ...samples.map(({ point }) => lengthOf(plus(movedBy(pose, point), centre, -1))));
    const changed = ([a, b, c, x, y, z]: readonly number[]): Pose => {
      const rows = turnRows(pose.rows, [a, b, c]);
      // About the middle of the samples.
      const middle = plus(centre, pose.shift, -1);
      const turnedMiddle = turnVector([a, b, c], middle);
      return {
        rows,
        shift: [
          centre[0] - turnedMiddle[0] + size * x,
          centre[1] - turnedMiddle[1] + size * y,
          centre[2] - turnedMiddle[2] + size * z,
        ],
      };
    };
    const found = leastSquares([0, 0, 0, 0, 0, 0], samples.length + 6, (parameters, residuals) => {
      const next = changed(parameters);
      samples.forEach(({ point, on }, i) => (residuals[i] = distanceTo(on, movedBy(next, point)) / size));
      // What nothing fixes stays where it is.
      parameters.forEach((value, k) => (residuals[samples.length + k] = 1e-4 * value));
    });
    return found === undefined ? pose : changed(found);
  }

  #places({ coverage }: Found): number[][] {
    const taken: ReadonlySet<number>[] = [];
    const good = this.#found.filter((found) => found.coverage >= coverage - AS_GOOD);
    for (const { faces } of good.sort((a, b) => b.coverage - a.coverage)) {
      const isNew = taken.every((other) => faces.filter((face) => other.has(face)).length < faces.length / 2);
      if (isNew) taken.push(new Set(faces));
    }
    return taken.map((faces) => [...faces]);
  }
}

interface PairMeasures {
  readonly cosine: number;
  readonly apart: number | undefined;
}

/** What stays the same of two faces in every pose. */
function measuresOf(one: PartFace, other: PartFace): PairMeasures {
  const [a, b] = kindOf(one) <= kindOf(other) ? [one, other] : [other, one];
  const cosine = a.kind === 'sphere' || b.kind === 'sphere' ? 0 : dot(a.axis, b.axis);
  const signed = hasSign(a) && hasSign(b);
  const isParallel = lengthOf(cross(a.axis, b.axis)) <= PARALLEL;
  const apart = a.kind === 'free' || b.kind === 'free' ? undefined : distanceBetween(a, b, isParallel);
  return { cosine: signed ? cosine : Math.abs(cosine), apart };
}

function hasSign({ kind }: PartFace): boolean {
  return kind === 'plane' || kind === 'cone' || kind === 'free';
}

function sameDirection(query: PartFace, axis: Vector, host: PartFace): boolean {
  if (query.kind === 'sphere') return true;
  const cosine = dot(axis, host.axis);
  return (hasSign(query) ? cosine : Math.abs(cosine)) >= SAME_DIRECTION;
}

/** Whether the middle of a query face comes to lie on the surface of a host face, and its axis on that one's. */
function liesOn(pose: Pose, query: PartFace, host: PartFace, toleranceMm: number): boolean {
  const place = movedBy(pose, query.origin);
  const from: Vector = [place[0] - host.origin[0], place[1] - host.origin[1], place[2] - host.origin[2]];
  const along = dot(from, host.axis);
  if (host.kind === 'plane') return Math.abs(along) <= toleranceMm;
  if (host.kind === 'cylinder') return lengthOf(plus(from, host.axis, -along)) <= toleranceMm;
  return lengthOf(from) <= 2 * toleranceMm;
}

function isNear(a: Vector, b: Vector, distance: number): boolean {
  return lengthOf(plus(a, b, -1)) <= distance;
}

/** A vector turned by an axis times a small angle (Rodrigues). */
function turnVector(by: Vector, v: Vector): Vector {
  const angle = lengthOf(by);
  if (angle === 0) return v;
  const axis = unit(by);
  const sine = Math.sin(angle),
    cosine = Math.cos(angle);
  return plus(plus(scaled(v, cosine), cross(axis, v), sine), axis, dot(axis, v) * (1 - cosine));
}

function turnRows(rows: Pose['rows'], by: Vector): Pose['rows'] {
  const columns = [0, 1, 2].map((j) => turnVector(by, [rows[0][j], rows[1][j], rows[2][j]]));
  const row = (i: number): Vector => [columns[0][i], columns[1][i], columns[2][i]];
  return [row(0), row(1), row(2)];
}

function signedTurn(kind: 'convex' | 'concave' | 'smooth', turnRad: number): number {
  return kind === 'concave' ? -turnRad : turnRad;
}

function keyOf(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

function edgeMap(
  edges: readonly { readonly a: number; readonly b: number; readonly turn: number }[],
  count: number,
): Map<number, number> {
  return new Map(edges.map(({ a, b, turn }) => [keyOf(a, b, count), turn]));
}
