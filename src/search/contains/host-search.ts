import type { SurfaceKind } from '../../descriptors/faces/fitted-surface.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { covers } from '../../descriptors/faces/region.js';
import { type ScrewMotion, screwMotionsOf } from '../../descriptors/faces/screw-motion.js';
import { type Vector, dot, lengthOf, plus } from '../../descriptors/faces/vector.js';
import { type SurfacePoint, isOnFace, surfacePoints } from './free-face.js';
import { missingOf, overhangOf } from './overhang.js';
import {
  type PairMeasures,
  areLike,
  axisFace,
  edgeMap,
  heightOf,
  isWithin,
  keyOf,
  keyOfPose,
  liesOn,
  measuresOf,
  pointFace,
  radiusOf,
  sameDirection,
  shareOf,
  signedTurn,
} from './pair-measures.js';
import type { PlacedShape } from './placed-shape.js';
import {
  type Directions,
  FROM_AXIS,
  type Pairing,
  type Pose,
  directionsOf,
  movedBy,
  rotationsAlong,
  rotationsBetween,
  shiftOf,
  turnedBy,
} from './pose.js';
import { type LaidPoints, refinedPose } from './refine-pose.js';

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

/** Fits this much worse than the best are occurrences of their own. */
const AS_GOOD = 0.02;
/** From here a fit is complete, and only further occurrences are looked for. */
export const COMPLETE = 0.995;
/**
 * Query faces whose pairs may be seeds; pairs that are tried; pairs of host faces of one; poses and face tests of a
 * host.
 */
const RAREST = 24;
const MOST_SEEDS = 8;
const MOST_PAIRS = 40_000;
const MOST_POSES = 3_000;
/** Further faces that are tried where two leave a direction free. */
const MOST_THIRDS = 4;
/**
 * Free faces whose points fix a pose; least cosine of the normals there; points that prove it, of so many faces, and
 * share that must lie on the host.
 */
const SPOT_FACES = 2;
const SPOT_NORMAL = 0.95;
const PROOFS = 24;
const PROOF_FACES = 6;
/** Share of the query's area that free faces must have for that; samples of a host that are tried. */
const LEAST_FREE = 0.2;
const MOST_SAMPLES = 400;
const SPOT_SHARE = 0.6;
/**
 * How far such a point may be off in height or distance from an axis, as a share of the shape's size; tolerances before
 * the pose is refined.
 */
const SPOT_SLACK = 0.03;
const LOOSE = 10;
const ROUND: readonly SurfaceKind[] = ['cylinder', 'cone', 'torus'];
const FLAT: readonly SurfaceKind[] = ['plane'];
const NOT_TURNED: Pose['rows'] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A face of the query with the points at which it is compared. */
export interface QueryFace {
  readonly face: PartFace;
  readonly points: readonly Vector[];
  /** Of a free face instead of `points`. */
  readonly spots: readonly SurfacePoint[];
  readonly extentMm: number;
  /** Of a free face how far it reaches from its middle, mm; else 0. */
  readonly reachMm: number;
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
  readonly matched: ReadonlySet<number>;
}

export interface HostSearchParts {
  readonly query: readonly QueryFace[];
  readonly queryEdges: ReadonlyMap<number, number>;
  readonly area: number;
  readonly toleranceMm: number;
  readonly sizeMm: number;
  readonly host: PlacedShape;
  /** Of each host face how far it reaches from its middle, mm; empty if no query face is free. */
  readonly reachMm: readonly number[];
  /** Of the query's free faces. */
  readonly screws: readonly ScrewMotion[];
  /** By query face: positions of host faces that may be it. */
  readonly candidates: readonly (readonly number[])[];
  /** Least coverage of a place. */
  readonly least: number;
  readonly mostTests: number;
}

/** Looks for the best place of a shape in one host. */
export class HostSearch {
  readonly #parts: HostSearchParts;
  readonly #hostEdges: ReadonlyMap<number, number>;
  /** Query faces in the order in which they are compared: those with the fewest candidates first. */
  readonly #order: readonly number[];
  readonly #found: Found[] = [];
  readonly #all: ReadonlySet<number>;
  /** Points of the query's largest free faces: that fix a pose, and that prove it. */
  readonly #spots: readonly SurfacePoint[];
  readonly #proofs: readonly (SurfacePoint & { readonly extentMm: number })[];
  /** Free faces of the host, and their samples. */
  readonly #hostFree: readonly number[];
  readonly #samples: readonly SurfacePoint[];
  readonly #placeOf: ReadonlyMap<PartFace, number>;
  readonly #thirdsOf = new Map<string, readonly number[]>();
  /** Poses that were tried, and whether enough of the shape was found there. */
  readonly #tried = new Map<string, boolean>();
  #bestCoverage = 0;
  #poses = 0;
  /** How often a pose was tried, again or first, at which enough was found. */
  #successes = 0;
  #tests = 0;

  constructor(parts: HostSearchParts) {
    this.#parts = parts;
    const { query, candidates, host } = parts;
    this.#all = new Set(query.keys());
    const free = query.filter(({ spots }) => spots.length > 0).sort((a, b) => b.face.areaMm2 - a.face.areaMm2);
    const freeMm2 = free.reduce((sum, { face }) => sum + face.areaMm2, 0);
    const some = freeMm2 >= LEAST_FREE * parts.area ? free : [];
    this.#spots = some.slice(0, SPOT_FACES).flatMap(({ spots }) => [spots[0], spots[spots.length >> 1]]);
    const proofs = some
      .slice(0, PROOF_FACES)
      .flatMap(({ spots, extentMm }) => spots.map((spot) => ({ ...spot, extentMm })));
    const step = Math.max(1, Math.floor(proofs.length / PROOFS));
    this.#proofs = proofs.filter((_, i) => i % step === 0);
    this.#hostFree = some.length === 0 ? [] : [...host.faces.keys()].filter((i) => host.faces[i].samples.length > 0);
    this.#samples = this.#hostFree.flatMap((i) => surfacePoints(host.faces[i])).slice(0, MOST_SAMPLES);
    this.#placeOf = new Map(query.map(({ face }, i) => [face, i]));
    this.#hostEdges = edgeMap(
      host.edges.map(({ faces: [a, b], kind, turnRad }) => ({ a, b, turn: signedTurn(kind, turnRad) })),
      host.faces.length,
    );
    this.#order = [...query.keys()].sort(
      (a, b) =>
        Number(query[a].spots.length > 0) - Number(query[b].spots.length > 0) ||
        candidates[a].length - candidates[b].length ||
        query[b].face.areaMm2 - query[a].face.areaMm2 ||
        a - b,
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
    if (this.#bestCoverage < COMPLETE) this.#trySpots();
    const best = this.#best();
    if (best === undefined) return undefined;
    const pose = this.#refined(best);
    const again = this.#verified(pose, 0) ?? best;
    const { coverage, faces, pose: kept } = again.coverage >= best.coverage - 1e-9 ? again : best;
    const exact = Math.min(coverage, this.#verified(kept, 0, true)?.coverage ?? coverage);
    return { coverage: exact, pose: kept, faces: [...faces].sort((a, b) => a - b), places: this.#places(best) };
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
    const rarest = this.#order
      .filter((i) => candidates[i].length > 0 && query[i].face.kind !== 'free')
      .slice(0, RAREST);
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

  /** A face, or the screw motion of free faces, fixes an axis or a normal, and a point of a free face what is left. */
  #trySpots(): void {
    const { query, host, candidates, screws } = this.#parts;
    if (this.#spots.length === 0 || this.#samples.length === 0) return;
    const anchors: Pairing[] = [];
    for (const screw of screws)
      for (const on of screwMotionsOf(host))
        if (areLike(screw, on)) anchors.push([axisFace(screw, host.faces[0]), axisFace(on, host.faces[0])]);
    for (const kinds of [ROUND, FLAT]) {
      const i = this.#order.find((k) => candidates[k].length > 0 && kinds.includes(query[k].face.kind));
      if (i !== undefined) for (const j of candidates[i]) anchors.push([query[i].face, host.faces[j]]);
    }
    for (const pairing of anchors)
      for (const spot of this.#spots)
        for (const sample of this.#samples) {
          if (this.#isSpent() || this.#bestCoverage >= COMPLETE) return;
          this.#tests++;
          this.#trySpot(pairing, spot, sample);
        }
  }

  #trySpot(pairing: Pairing, spot: SurfacePoint, sample: SurfacePoint): void {
    const [query, host] = pairing;
    const [from, to] = [pointFace(query, spot), pointFace(host, sample)];
    const slack = SPOT_SLACK * this.#parts.sizeMm;
    let directions: Directions | undefined;
    if (query.kind === 'plane') {
      if (Math.abs(heightOf(query, spot) - heightOf(host, sample)) > slack) return;
      directions = directionsOf(query, from);
    } else {
      if (Math.abs(radiusOf(query, spot) - radiusOf(host, sample)) > slack) return;
      directions = radiusOf(query, spot) > slack ? FROM_AXIS : directionsOf(query, from);
    }
    if (directions === undefined) return;
    for (const rows of rotationsBetween(directions, pairing, [from, to])) {
      if (dot(turnedBy({ rows }, spot.normal), sample.normal) < SPOT_NORMAL) continue;
      // On the plane of the sample, or at the sample where that leaves a way free.
      const flat = shiftOf({ rows }, [pairing, [from, { ...to, kind: 'plane' }]]);
      const { shift } = flat.fixed === 3 ? flat : shiftOf({ rows }, [pairing, [from, to]]);
      const pose = { rows, shift };
      this.#poses++;
      if (this.#mostSpotsLie(pose)) this.#tryPose(this.#refined({ pose, matched: this.#all }, LOOSE));
    }
  }

  /** Whether most of some points of the largest free faces lie on free faces of the host. */
  #mostSpotsLie(pose: Pose): boolean {
    const { host, toleranceMm, reachMm } = this.#parts;
    let left = Math.floor((1 - SPOT_SHARE) * this.#proofs.length);
    for (const { point, normal, extentMm } of this.#proofs) {
      const spot = { point: movedBy(pose, point), normal: turnedBy(pose, normal) };
      this.#tests += this.#hostFree.length;
      const isOn = this.#hostFree.some(
        (j) =>
          isWithin(spot.point, host.faces[j].middle, reachMm[j]) &&
          isOnFace(spot, host.faces[j], extentMm, LOOSE * toleranceMm),
      );
      if (!isOn && --left < 0) return false;
    }
    return true;
  }

  /** For shapes that have only one axis: any turn about it is right. */
  #tryAxis(): void {
    const { query, host, candidates } = this.#parts;
    const first =
      this.#order.find((i) => candidates[i].length > 0 && query[i].face.kind !== 'sphere') ?? this.#order[0];
    if (query[first].face.kind === 'free') return;
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
    const { shift, fixed } = shiftOf({ rows }, pairings);
    if (fixed === 3) return this.#tryPose({ rows, shift });
    const thirds = this.#thirds(pairings.map(([face]) => face));
    if (thirds.length === 0) return this.#tryPose({ rows, shift });
    for (const third of thirds) if (this.#tryThird(rows, pairings, third)) return;
    this.#trySpotThirds(rows, pairings);
  }

  /** Points of free faces fix what is left. */
  #trySpotThirds(rows: Pose['rows'], pairings: readonly Pairing[]): void {
    for (const spot of this.#spots)
      for (const sample of this.#samples) {
        this.#tests++;
        if (this.#isSpent()) return;
        if (dot(turnedBy({ rows }, spot.normal), sample.normal) < SPOT_NORMAL) continue;
        const to = pointFace(pairings[0][1], sample);
        const { shift, fixed } = shiftOf({ rows }, [
          ...pairings,
          [pointFace(pairings[0][0], spot), { ...to, kind: 'plane' }],
        ]);
        if (fixed < 3 || !this.#fitsPairings(rows, shift, pairings)) continue;
        const pose = { rows, shift };
        this.#poses++;
        if (this.#mostSpotsLie(pose)) this.#tryPose(this.#refined({ pose, matched: this.#all }, LOOSE));
      }
  }

  /**
   * The rarest faces that fix what others leave free; one that the host lacks, such as that of a cut, is followed by
   * the next.
   */
  #thirds(faces: readonly PartFace[]): readonly number[] {
    const key = faces.map((face) => this.#placeOf.get(face)).join(' ');
    const known = this.#thirdsOf.get(key);
    if (known !== undefined) return known;
    const { query, candidates } = this.#parts;
    // What is fixed is the same in every pose.
    const fixedBy = (some: readonly PartFace[]): number =>
      shiftOf(
        { rows: NOT_TURNED },
        some.map((face) => [face, face]),
      ).fixed;
    const before = fixedBy(faces);
    const thirds: number[] = [];
    for (const i of this.#order) {
      if (thirds.length === MOST_THIRDS) break;
      const { face } = query[i];
      if (
        candidates[i].length > 0 &&
        face.kind !== 'free' &&
        !faces.includes(face) &&
        fixedBy([...faces, face]) > before
      )
        thirds.push(i);
    }
    this.#thirdsOf.set(key, thirds);
    return thirds;
  }

  /** Whether a host face was found for a further query face. */
  #tryThird(rows: Pose['rows'], pairings: readonly Pairing[], third: number): boolean {
    const { query, host, candidates } = this.#parts;
    const { face } = query[third];
    const axis = turnedBy({ rows }, face.axis);
    const before = this.#successes;
    for (const i of candidates[third]) {
      this.#tests++;
      const on = host.faces[i];
      if (!sameDirection(face, axis, on)) continue;
      const next = shiftOf({ rows }, [...pairings, [face, on]]);
      if (!this.#fitsPairings(rows, next.shift, pairings)) continue;
      if (next.fixed < 3 && pairings.length < 3) this.#tryRotation(rows, [...pairings, [face, on]]);
      else this.#tryPose({ rows, shift: next.shift });
      if (this.#isSpent()) break;
    }
    return this.#successes > before;
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
    const key = keyOfPose(pose, this.#parts.toleranceMm);
    const known = this.#tried.get(key);
    if (known === undefined) {
      this.#poses++;
      const found = this.#verified(pose, Math.max(this.#parts.least, this.#bestCoverage - AS_GOOD));
      this.#tried.set(key, found !== undefined);
      if (found === undefined) return;
      this.#bestCoverage = Math.max(this.#bestCoverage, found.coverage);
      this.#found.push(found);
    } else if (!known) return;
    this.#successes++;
  }

  /**
   * Undefined if less than `least` of the area is found. toEnds: what hangs over the ends of round faces, or is
   * larger than what it lies on, is not found; for refined poses.
   */
  #verified(pose: Pose, least: number, toEnds = false): Found | undefined {
    const { query, candidates, host, area, toleranceMm } = this.#parts;
    let lost = 0,
      share = 0;
    const faces = new Set<number>();
    const matched = new Set<number>();
    for (const i of this.#order) {
      const { face, points, spots } = query[i];
      let part: number;
      if (spots.length > 0) part = this.#freeShare(pose, query[i], candidates[i], faces);
      else {
        const axis = turnedBy(pose, face.axis),
          origin = movedBy(pose, face.origin);
        const on: number[] = [];
        for (const j of candidates[i]) {
          this.#tests++;
          const other = host.faces[j];
          if (sameDirection(face, axis, other) && liesOn(origin, other, toleranceMm)) on.push(j);
        }
        part = on.length === 0 ? 0 : this.#shareOn(pose, points, on, faces);
        if (toEnds && part > 0) {
          const onFaces = on.map((j) => host.faces[j]);
          part = Math.min(part, 1 - overhangOf(pose, face, onFaces, toleranceMm), 1 - missingOf(pose, face, onFaces));
        }
      }
      if (part > 0) matched.add(i);
      share += part * face.areaMm2;
      lost += (1 - part) * face.areaMm2;
      if (lost > (1 - least) * area + 1e-9) return undefined;
    }
    return { coverage: Math.min(1, share / area), pose, faces: [...faces], matched };
  }

  /** Share of a face's points that host faces cover; adds those that cover any. */
  #shareOn(pose: Pose, points: readonly Vector[], on: readonly number[], faces: Set<number>): number {
    const { host } = this.#parts;
    const had: number[] = [];
    let covered = 0;
    for (const point of points) {
      const moved = movedBy(pose, point);
      let j = -1;
      for (const k of on) {
        if (!covers(host.faces[k], host.faces[k].region, moved)) continue;
        j = k;
        break;
      }
      if (j < 0) continue;
      covered++;
      if (!had.includes(j)) had.push(j);
    }
    return shareOf(covered, points.length, had, faces);
  }

  /** The same for a free face, which may lie on faces of any kind. */
  #freeShare(
    pose: Pose,
    { face, spots, extentMm, reachMm: reach }: QueryFace,
    on: readonly number[],
    faces: Set<number>,
  ): number {
    const { host, toleranceMm, reachMm } = this.#parts;
    const middle = movedBy(pose, face.middle);
    const near = on.filter((j) => isWithin(middle, host.faces[j].middle, reach + reachMm[j] + toleranceMm));
    const had: number[] = [];
    let covered = 0;
    for (const { point, normal } of spots) {
      const spot = { point: movedBy(pose, point), normal: turnedBy(pose, normal) };
      // Points that follow each other are often on the same face.
      const last = had.at(-1);
      const isOn = (k: number): boolean => isOnFace(spot, host.faces[k], extentMm, toleranceMm);
      const j = last !== undefined && isOn(last) ? last : near.find(isOn);
      if (j === undefined) continue;
      covered++;
      if (!had.includes(j)) had.push(j);
    }
    this.#tests += on.length + 4 * near.length;
    return shareOf(covered, spots.length, had, faces);
  }

  /** The pose that brings the points of all matched faces nearest to their surfaces. */
  #refined({ pose, matched }: Pick<Found, 'pose' | 'matched'>, factor = 1): Pose {
    const { query, candidates, host } = this.#parts;
    const toleranceMm = factor * this.#parts.toleranceMm;
    const laid: LaidPoints[] = [];
    for (const i of matched) {
      const { face, points, spots, extentMm } = query[i];
      if (spots.length > 0) {
        for (const { point, normal } of spots) {
          const spot = { point: movedBy(pose, point), normal: turnedBy(pose, normal) };
          const j = candidates[i].find((k) => isOnFace(spot, host.faces[k], extentMm, toleranceMm));
          if (j !== undefined) laid.push({ points: [point], on: host.faces[j] });
        }
        continue;
      }
      const axis = turnedBy(pose, face.axis),
        origin = movedBy(pose, face.origin);
      const j = candidates[i].find(
        (k) => sameDirection(face, axis, host.faces[k]) && liesOn(origin, host.faces[k], toleranceMm),
      );
      if (j !== undefined) laid.push({ points, on: host.faces[j] });
    }
    return refinedPose(pose, laid);
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
