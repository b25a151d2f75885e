import { MILLIMETRES } from '../../content/units.js';
import { VIEW_BYTES, viewFacts } from '../../descriptors/views.js';
import type { ViewMatch } from './match-views.js';

/**
 * How the sizes of the parts on two drawings differ: by the proportions of their views, whatever the scale, and by the
 * lengths that they state. Views are drawn to fill the paper, so two sizes of one kind may look the same on one form.
 * And how a model differs from a drawing that states the sides of all its views.
 */

/** Logarithms that differ by more say that other things were compared, and count as this. */
const MOST_OF_PROPORTIONS = 0.4;
const MOST_STATED = 0.5;
/** Of three views of a part of which one side is longer, two are stretched. */
const OF_ONE_SIDE = 1.5;
/** Of the lengths of a part about a third follow each of its three sides. */
const SIDES = 3;
/** Lengths that differ by less, as a share, are the same: what is written has two digits behind the point at most. */
const SAME = 2e-3;
/**
 * Least length that counts, mm, or as a share of the largest: smaller numbers are tolerances, counts, names of zones.
 */
const LEAST_MM = 3;
const LEAST_SHARE = 0.1;
/** A number that is so many times the next smaller one is no size, but the number of the drawing. */
const MOST_GAP = 8;
/** Numbers of which it is asked whether one is the sum of two others, the largest. */
const MOST_SUMMED = 64;
/** Share of the lengths that must be equal when one drawing is taken to be in inches without saying so. */
const LEAST_EQUAL = 0.6;

/** Largest views of a page whose sides tell its scale. */
const SCALE_VIEWS = 4;
/** Sides that differ by less, as logarithms, are one: all views of a disc are as long. */
const ONE_SIDE = 0.02;
/** A number that differs by less from a side, as a logarithm, states it: the ends of lines are as wide as they are. */
const STATED_SIDE = 4e-3;
/** The largest difference in size that is told, as a logarithm. */
const MOST_OF_SCALE = 0.3;

/** A pair of views, and how much of all views it is. */
export interface WeighedPair extends ViewMatch {
  readonly queryView: number;
  readonly weight: number;
}

/**
 * Distance in log extents of the boxes of two parts by the proportions of their views: that of one side which is
 * longer. 0 where all proportions are equal. query, candidate: from `describeViews`.
 */
export function proportionsApart(query: Uint8Array, candidate: Uint8Array, pairs: readonly WeighedPair[]): number {
  let sum = 0,
    weights = 0;
  for (const { queryView, view, turn, weight } of pairs) {
    const own = aspectOf(query, queryView),
      other = aspectOf(candidate, view);
    const apart = Math.abs(own - (turn % 2 === 0 ? other : -other));
    sum += weight * Math.min(MOST_OF_PROPORTIONS, apart) ** 2;
    weights += weight;
  }
  return weights > 0 ? Math.sqrt((OF_ONE_SIDE * sum) / weights) : 0;
}

/**
 * Distance in log extents of a model and the part on a drawing, of all three sides alike: by the scale in which the
 * drawing states the sides of its views. 0 where it states neither all of them nor, in two numbers and more, nothing
 * else, or where nothing tells.
 * @param page views of the drawing @param numbersMm that it states @param model views of the model
 * @param pairs which views of the model those of the drawing found: their numbers, and their shares of the page
 */
export function scaleApart(
  page: Uint8Array,
  numbersMm: readonly number[],
  model: Uint8Array,
  pairs: readonly { readonly drawn: number; readonly shown: number; readonly weight: number }[],
): number {
  const scales = pairs.length === 0 ? [] : statedScales(page, numbersMm);
  if (scales.length === 0) return 0;
  const found = pairs.map(({ drawn, shown }) => Math.log(longerSide(model, shown) / longerSide(page, drawn)));
  const apart = scales.map((scale) =>
    pairs.reduce((sum, { weight }, i) => sum + weight * Math.min(MOST_OF_SCALE, Math.abs(found[i] - scale)), 0),
  );
  const weights = pairs.reduce((sum, { weight }) => sum + weight, 0);
  return weights > 0 ? (Math.sqrt(SIDES) * Math.min(...apart)) / weights : 0;
}

/**
 * Scales, logarithms of mm for a unit of the page, in which its numbers state each side of its largest views, or all
 * of its numbers are sides of these, two different ones at least: a bolt may be drawn without its length.
 */
function statedScales(views: Uint8Array, numbersMm: readonly number[]): number[] {
  const sides: number[] = [];
  const count = Math.min(SCALE_VIEWS, views.length / VIEW_BYTES);
  for (let i = 0; i < count; i++) {
    const { width, height, page } = viewFacts(views, i);
    if (page !== viewFacts(views, 0).page || !(width > 0 && height > 0)) continue;
    for (const side of [Math.log(width), Math.log(height)])
      if (sides.every((other) => Math.abs(other - side) > ONE_SIDE)) sides.push(side);
  }
  // One side of one length has a scale for every number.
  if (sides.length < 2) return [];
  const numbers = numbersMm.map(Math.log);
  const isIn = (all: readonly number[], length: number): boolean =>
    all.some((one) => Math.abs(one - length) < STATED_SIDE);
  const scales = sides.flatMap((side) => numbers.map((number) => number - side));
  return scales.filter((scale) => {
    const stated = sides.filter((side) => isIn(numbers, side + scale)).length;
    return stated === sides.length || (stated > 1 && numbers.every((number) => isIn(sides, number - scale)));
  });
}

/** Of one view, above 0. */
export function longerSide(views: Uint8Array, index: number): number {
  const { width, height } = viewFacts(views, index);
  return Math.max(width, height, Number.MIN_VALUE);
}

function aspectOf(views: Uint8Array, index: number): number {
  const { width, height } = viewFacts(views, index);
  return width > 0 && height > 0 ? Math.log(width / height) : 0;
}

/**
 * Distance in log extents by the lengths that two drawings state, mm, each once, descending; 0 where one of them states
 * none. Those that both state are the same, and so are those that the other one states in two parts (a chain of
 * dimensions), or where it is in inches; the others belong together in their order, or where one drawing has more of
 * them, each to the nearest one of the other drawing.
 */
export function statedApart(a: readonly number[] = [], b: readonly number[] = []): number {
  const [own, other] = [a, b].map(sizesAmong);
  if (own.length === 0 || other.length === 0) return 0;
  for (const unit of [MILLIMETRES.in, 1 / MILLIMETRES.in]) {
    const inUnit = other.map((length) => unit * length);
    const equal = own.length - withoutSame(own, inUnit).length;
    if (equal >= 2 && equal >= LEAST_EQUAL * Math.max(own.length, other.length)) return apartOf(own, inUnit);
  }
  return apartOf(own, other);
}

function apartOf(own: readonly number[], other: readonly number[]): number {
  const [left, leftThere] = [withoutSame(own, other), withoutSame(other, own)];
  if (areChains(left, leftThere) || areChains(leftThere, left)) return 0;
  const apart =
    left.length === leftThere.length
      ? left.map((length, i) => logApart(length, leftThere[i]))
      : left.length > leftThere.length
        ? leftThere.map((length) => nearestApart(length, left))
        : left.map((length) => nearestApart(length, leftThere));
  const same = Math.min(own.length - left.length, other.length - leftThere.length);
  const squares = apart.reduce((sum, each) => sum + each ** 2, 0);
  return Math.sqrt((SIDES * squares) / (apart.length + same));
}

/** The numbers that may be sizes of the part. */
function sizesAmong(all: readonly number[]): readonly number[] {
  let first = 0;
  while (first + 1 < all.length && all[first] > MOST_GAP * all[first + 1]) first++;
  const least = Math.min(LEAST_MM, LEAST_SHARE * (all[first] ?? 0));
  return all.slice(first).filter((length) => length >= least);
}

/**
 * Whether each length that one drawing alone states is stated by the other one in two parts, or none is. Sums of
 * lengths that both state are chance: 120 is no chain of 100 and 20.
 */
function areChains(lengths: readonly number[], others: readonly number[]): boolean {
  return lengths.every((length) => isSumOfTwo(length, others));
}

function isSumOfTwo(whole: number, lengths: readonly number[]): boolean {
  let [i, j] = [0, Math.min(lengths.length, MOST_SUMMED) - 1];
  while (i < j) {
    const sum = lengths[i] + lengths[j];
    if (Math.abs(sum - whole) <= SAME * whole) return true;
    if (sum > whole) i++;
    else j--;
  }
  return false;
}

function withoutSame(lengths: readonly number[], others: readonly number[]): number[] {
  let at = 0;
  return lengths.filter((length) => {
    while (at < others.length && others[at] > length * (1 + SAME)) at++;
    return !(at < others.length && others[at] >= length * (1 - SAME));
  });
}

function nearestApart(length: number, others: readonly number[]): number {
  return others.reduce((least, other) => Math.min(least, logApart(length, other)), MOST_STATED);
}

function logApart(a: number, b: number): number {
  return Math.min(MOST_STATED, Math.abs(Math.log(a / b)));
}
