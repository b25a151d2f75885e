import { FINE_BYTES, compareFine, comparePairs } from '../../core/compare.js';
import type { Core } from '../../core/core.js';
import { backgroundOfFine } from '../../descriptors/fine.js';
import type { Reference } from '../../descriptors/reference.js';
import { normalise, sumTerms } from '../../descriptors/shape-distance.js';
import { distanceOfModels } from '../query/likeness.js';
import type { SamePart } from '../query/match-class.js';
import { chainedItems, neighbourhoodDistances } from './neighbourhood.js';

/** What the fine comparison needs of a part. */
export interface Comparable {
  /** u8[FINE_BYTES]. */
  readonly fine: Uint8Array;
  /** Edges of the smallest box, mm, falling. */
  readonly bboxSizeMm: readonly [number, number, number];
}

/**
 * Candidates whose neighbourhoods are compared. More hardly help: before the learned terms, first tier 0.547 with 200,
 * 0.544 with 128.
 */
const CONTEXT = 128;
/** Share of the neighbourhood in the distance; the rest is the comparison of the two parts alone. */
const NEIGHBOURHOOD_WEIGHT = 0.5;
/**
 * Two parts between which others lie, each a small step from the next, are sizes of one design, and their
 * neighbourhoods count as at most CHAINED apart. A family of more sizes than a neighbourhood has members falls into
 * groups otherwise: M4x16 found M4x40 before M4x12. Chosen on parts made by code; bench/findings/shapes.md has the
 * figures.
 */
const CHAIN = Object.freeze({ step: 0.008, widest: 0.02, apart: 3 });
const CHAINED = 0.2;
/** Neighbourhoods of parts of one plan count as at most so far apart; see `ofOnePlan`. */
const OF_ONE_PLAN = 0.3;
/**
 * Weight of the square root of the distance in log extents where the nearest candidate is chosen. Parts are stretched
 * to a cube before they are compared, which makes all lengths of a screw equal.
 */
const SIZE_WEIGHT = 0.01;
/** Candidates whose pairwise distances differ by less are as near. */
const AS_NEAR = 0.005;
/**
 * Largest relative difference between edges of one part in one size, as another export rounds them. Descriptors do not
 * change when a part is scaled, so the box alone tells a copy from another size.
 */
const SAME_SIZE = 2e-4;

/** Options of {@link shapeDistances}. */
export interface RankOptions {
  /** The distance is 0 for the same shape in any size and proportions. */
  readonly ignoreSize: boolean;
  /**
   * Candidates that are known to be the same part as the query, by their places: `identical`, however exported, or
   * mirrored or in another size. Those with equal descriptors and boxes are known as identical without being told.
   */
  readonly same?: ReadonlyMap<number, Pick<SamePart, 'matchClass'>>;
  /** Candidates of the query's plan, by their places; see `ofOnePlan`. */
  readonly onePlan?: ReadonlySet<number>;
}

/**
 * Distances of a query to candidates: 0 for the same shape and size, about 1.1 and more for unrelated parts.
 * candidates: in the order of their compact vectors, nearest first.
 */
export function shapeDistances(
  core: Core,
  reference: Reference,
  query: Comparable,
  candidates: readonly Comparable[],
  { ignoreSize, same, onePlan }: RankOptions,
): Float64Array {
  const count = candidates.length;
  const compared = compareFine(
    core,
    query.fine,
    candidates.map((candidate) => candidate.fine),
  );
  const sums = sumTerms(compared, reference);
  const background = backgroundOfFine(query.fine);
  const pairwise = new Float64Array(count);
  for (let i = 0; i < count; i++)
    pairwise[i] = normalise(sums[i], background, backgroundOfFine(candidates[i].fine), reference.unit);

  // A stored file is its own candidate, and often there are other exports, mirror images and sizes of it. The same part
  // takes no place in neighbourhoods, and not the first one: what is like it would count as a neighbour of both.
  const isCopy = candidates.map(
    (candidate, i) => same?.get(i)?.matchClass === 'identical' || isCopyOf(candidate, query),
  );
  const isSame = isCopy.map((copy, i) => copy || same?.has(i) === true);
  const order = [...pairwise.keys()]
    .filter((i) => !isSame[i])
    .sort((a, b) => pairwise[a] - pairwise[b] || a - b)
    .slice(0, CONTEXT);
  const apart = neighbourhoods(
    core,
    reference,
    query,
    order.map((i) => candidates[i].fine),
  );
  const distances = pairwise.map(
    (distance, i) => (isCopy[i] ? 0 : NEIGHBOURHOOD_WEIGHT) + (1 - NEIGHBOURHOOD_WEIGHT) * distance,
  );
  order.forEach((candidate, i) => {
    const most = onePlan?.has(candidate) === true ? OF_ONE_PLAN : 1;
    distances[candidate] -= NEIGHBOURHOOD_WEIGHT * (1 - Math.min(apart[i], most));
  });
  const own = logExtents(query.bboxSizeMm);
  for (let i = 0; i < count; i++) {
    const sizes = ignoreSize ? 0 : apart3(own, logExtents(candidates[i].bboxSizeMm));
    distances[i] = distanceOfModels(distances[i], sizes);
    pairwise[i] += SIZE_WEIGHT * Math.sqrt(sizes);
  }
  keepNearestFirst(distances, pairwise, isSame);
  levelTwins(distances, pairwise, candidates);
  return distances;
}

/** f64[near.length]: distance of each part's neighbourhood from that of the query, 0 to 1. near: nearest first. */
function neighbourhoods(
  core: Core,
  reference: Reference,
  query: Comparable,
  near: readonly Uint8Array[],
): Float64Array {
  // A small library has too few parts for neighbourhoods; reference parts fill the free places.
  const others = [...near, ...fillCohort(core, reference, query, CONTEXT - near.length)];
  const members = [query.fine, ...others];
  const count = members.length;
  const sums = sumTerms(comparePairs(core, members), reference);
  const backgrounds = members.map(backgroundOfFine);
  const distances = new Float64Array(count * count);
  for (let i = 1, pair = 0; i < count; i++) {
    for (let j = 0; j < i; j++, pair++) {
      const distance = normalise(sums[pair], backgrounds[i], backgrounds[j], reference.unit);
      distances[i * count + j] = distances[j * count + i] = distance;
    }
  }
  const chained = chainedItems(distances, count, CHAIN);
  return neighbourhoodDistances(distances, count)
    .map((apart, i) => (chained[i] === 1 ? Math.min(apart, CHAINED) : apart))
    .subarray(1, 1 + near.length);
}

/** The reference parts nearest to the query, at most `wanted`. */
function fillCohort(core: Core, reference: Reference, query: Comparable, wanted: number): Uint8Array[] {
  if (wanted <= 0) return [];
  const compared = compareFine(core, query.fine, reference.cohort);
  const sums = sumTerms(compared, reference);
  const background = backgroundOfFine(query.fine);
  return Array.from(sums, (sum, i) => {
    const fine = reference.cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES);
    return { fine, distance: normalise(sum, background, backgroundOfFine(fine), reference.unit) };
  })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, wanted)
    .map(({ fine }) => fine);
}

/**
 * Keeps the candidate first, after those that are known to be the same part, that is nearest by the pairwise distance,
 * whatever the neighbourhoods say; sizes may say otherwise of candidates that are as near. (Nearest neighbour 0.821
 * with this rule, 0.807 without, on 773 parts.)
 */
function keepNearestFirst(distances: Float64Array, pairwise: Float64Array, isSame: readonly boolean[]): void {
  let nearest = -1,
    first = -1;
  for (let i = 0; i < pairwise.length; i++) {
    if (isSame[i]) continue;
    if (nearest < 0 || pairwise[i] < pairwise[nearest]) nearest = i;
    if (first < 0 || distances[i] < distances[first]) first = i;
  }
  if (nearest >= 0 && pairwise[first] - pairwise[nearest] >= AS_NEAR)
    distances[nearest] = distances[first] * (1 - 1e-9);
}

/**
 * Gives candidates with the same descriptor and box the least of their distances, so that they are ordered by UID. The
 * neighbourhoods and {@link keepNearestFirst} may tell them apart.
 */
function levelTwins(distances: Float64Array, pairwise: Float64Array, candidates: readonly Comparable[]): void {
  const alike = new Map<number, number[]>();
  pairwise.forEach((distance, i) => {
    const others = alike.get(distance);
    if (others === undefined) alike.set(distance, [i]);
    else others.push(i);
  });
  for (const group of alike.values()) {
    while (group.length > 1) {
      const { fine, bboxSizeMm } = candidates[group[0]];
      const isTwin = (i: number): boolean =>
        Buffer.compare(fine, candidates[i].fine) === 0 &&
        bboxSizeMm.every((edge, axis) => edge === candidates[i].bboxSizeMm[axis]);
      const twins = group.filter(isTwin);
      const least = Math.min(...twins.map((i) => distances[i]));
      for (const i of twins) distances[i] = least;
      group.splice(0, group.length, ...group.filter((i) => !twins.includes(i)));
    }
  }
}

/** Whether two parts are the same in shape and size. */
function isCopyOf(a: Comparable, b: Comparable): boolean {
  return (
    Buffer.compare(a.fine, b.fine) === 0 &&
    a.bboxSizeMm.every((edge, axis) => Math.abs(edge - b.bboxSizeMm[axis]) <= SAME_SIZE * b.bboxSizeMm[0])
  );
}

/** Natural logarithms of the box edges. */
function logExtents([length, width, height]: readonly [number, number, number]): [number, number, number] {
  // A flat part has an edge of 0, which is replaced by a millionth of the longest.
  const least = Math.max(1e-6 * length, Number.MIN_VALUE);
  return [Math.log(Math.max(length, least)), Math.log(Math.max(width, least)), Math.log(Math.max(height, least))];
}

/** Euclidean distance; between log extents, 0.69 is one edge twice as long. */
function apart3(a: readonly [number, number, number], b: readonly [number, number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
