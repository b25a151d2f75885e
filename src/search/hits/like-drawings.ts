import type { Because } from '../query/because.js';
import { MILLIMETRES } from '../../content/units.js';
import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';
import { countApart } from './drawn-holes.js';

type Kind = DrawnSize['kind'];

/** In the order in which they are said. */
const KINDS: readonly Kind[] = ['length', 'diameter', 'thread', 'radius'];
/** Most sizes of a kind that are named; of more it is said how many there are. */
const MOST_NAMED = 3;
/** Sizes of one feature do not differ by more: of another size the drawing would show another thing. */
const MOST_FACTOR = 5;
/** Of so many sizes, all equal or all by one factor larger, it is said at once. */
const FEW = 3;
/** So many sizes by the factor of two units are more likely in another unit than of another part. */
const FEW_OF_UNIT = 2;
/** Factors that differ by less, as a share, are one. */
const SAME_FACTOR = 5e-3;
/** Factors of units are as large and larger; a part that is ten times as large is rare. */
const LEAST_OF_UNITS = 10;
/** Metres of feet, and inches of millimetres that are drawn to a scale or are centimetres. */
const OF_UNITS: readonly number[] = [3.048, ...[4, 5, 8, 10, 16, 20, 25].map((scale) => MILLIMETRES.in / scale)];
/** What rounding of numbers adds, mm. */
const SAME_MM = 1e-6;
/**
 * What rounding to another unit adds at most, mm and as a share; with more, up to the doubtful share, none can tell.
 */
const CONVERTED_MM = 0.05;
const CONVERTED = 5e-3;
const DOUBTFUL = 0.03;
/** Share of the sizes of both that must have a partner: else the two drawings state other things of their parts. */
const LEAST_PAIRED = 0.6;

/**
 * How the sizes differ that two drawings state, or that they are the same. Only what can be held against each other is
 * told: kinds of which both state as many. Which size belongs to which is not known where several differ, so these
 * are told together. Sizes of nothing, as of an ordinate's zero, are none.
 */
export function likeDrawings(asked: DrawnSizes, found: DrawnSizes): Because[] {
  if (asked.unread !== found.unread) return [];
  const unsure = new Set([...asked.unsure, ...found.unsure]);
  const [ofAsked, ofFound] = [asked, found].map(({ sizes }) => sizes.filter(isSize));
  const kinds = KINDS.filter((kind) => !unsure.has(kind)).map((kind) => comparedKind(kind, ofAsked, ofFound));
  const held = kinds.filter(({ isHeld }) => isHeld);
  const pairedCount = held.reduce((sum, { own }) => sum + own.length, 0);
  if (pairedCount < LEAST_PAIRED * Math.max(ofAsked.length, ofFound.length)) return [];
  // A unit that was mistaken says nothing of threads, which are in millimetres on all drawings.
  const ofUnits = commonFactor(held.filter(({ kind }) => kind !== 'thread').flatMap(ranked), FEW_OF_UNIT);
  if (ofUnits !== undefined && isOfUnits(ofUnits)) return [];
  const isAll = held.length === kinds.length && unsure.size === 0;
  const factor = isAll ? factorOfAll(held.flatMap(ranked)) : undefined;
  if (factor !== undefined) return isOfUnits(factor) ? [] : [{ code: 'all-stated-sizes', factor }];
  const isSame = isAll && held.every(({ left, changed }) => left.length + changed.length === 0);
  if (isSame) return pairedCount < FEW ? [] : [{ code: 'same-stated-sizes', count: pairedCount }];
  return held.flatMap(differencesOf);
}

/** Distance in log extents by the numbers of features that two drawings state; 0 where nothing is told of them. */
export function countsApart(asked: DrawnSizes, found: DrawnSizes): number {
  return Math.hypot(
    ...likeDrawings(asked, found).map((reason) =>
      reason.code === 'other-stated-count' ? countApart(reason.count, reason.queryCount) : 0,
    ),
  );
}

/** One of each drawing. */
type Pair = readonly [own: DrawnSize, other: DrawnSize];

/** The sizes of one kind of two drawings, descending. */
interface ComparedKind {
  readonly kind: Kind;
  readonly own: readonly DrawnSize[];
  readonly other: readonly DrawnSize[];
  /** Those that the other one does not state. */
  readonly left: readonly DrawnSize[];
  readonly otherLeft: readonly DrawnSize[];
  /** Those that both state, for another number of features. */
  readonly changed: readonly Pair[];
  /** Whether both state as many, and it is plain which of them are the same. */
  readonly isHeld: boolean;
}

function isSize({ sizeMm }: DrawnSize): boolean {
  return Number.isFinite(sizeMm) && sizeMm > 0;
}

function comparedKind(kind: Kind, ...drawings: readonly [readonly DrawnSize[], readonly DrawnSize[]]): ComparedKind {
  const [own, other] = drawings.map((sizes) =>
    sizes
      .filter((size) => size.kind === kind)
      .sort((a, b) => b.sizeMm - a.sizeMm || (b.pitchMm ?? 0) - (a.pitchMm ?? 0) || b.count - a.count),
  );
  const otherLeft = [...other];
  const changed: Pair[] = [];
  // As many of it before another number of it.
  const uncounted = own.filter((size) => {
    const at = otherLeft.findIndex((each) => each.count === size.count && areSame(size, each));
    if (at >= 0) otherLeft.splice(at, 1);
    return at < 0;
  });
  const left = uncounted.filter((size) => {
    const at = otherLeft.findIndex((each) => areSame(size, each));
    if (at >= 0) changed.push([size, otherLeft.splice(at, 1)[0]]);
    return at < 0;
  });
  const isDoubtful = left.some((size) => otherLeft.some((each) => mayBeSame(size, each)));
  return { kind, own, other, left, otherLeft, changed, isHeld: own.length === other.length && !isDoubtful };
}

function areSame(a: DrawnSize, b: DrawnSize): boolean {
  if (a.kind === 'thread') return a.sizeMm === b.sizeMm && a.pitchMm === b.pitchMm;
  const converted = Math.min(a.slackMm + b.slackMm, CONVERTED * a.sizeMm, CONVERTED_MM);
  return Math.abs(a.sizeMm - b.sizeMm) <= Math.max(SAME_MM, a.unit === b.unit ? 0 : converted);
}

/** Whether one may be the other, converted and rounded. */
function mayBeSame(a: DrawnSize, b: DrawnSize): boolean {
  return a.kind !== 'thread' && a.unit !== b.unit && Math.abs(a.sizeMm / b.sizeMm - 1) <= DOUBTFUL;
}

/** The largest of both, the next ones and so on. */
function ranked({ own, other }: Pick<ComparedKind, 'own' | 'other'>): Pair[] {
  return own.map((size, i) => [size, other[i]]);
}

function differencesOf(compared: ComparedKind): Because[] {
  const { kind, own, other, left, otherLeft, changed } = compared;
  if (left.length === 0) {
    // The same sizes, of another number of features: told where each is stated once.
    const isPlain = changed.every(([size]) => timesStated(own, size) === 1 && timesStated(other, size) === 1);
    if (!isPlain || changed.length > MOST_NAMED) return [];
    return changed.map(([size, { count }]) => {
      return { code: 'other-stated-count', kind, ...namedOf(size), count, queryCount: size.count };
    });
  }
  // One of two equal sizes may have gone to the other one's count.
  if (changed.some(([size]) => timesStated(left, size) + timesStated(otherLeft, size) > 0)) return [];
  const apart = ranked(compared).filter(([size, each]) => !areSame(size, each));
  const areLeft =
    apart.length === left.length &&
    apart.every(([size, each], i) => areSame(size, left[i]) && areSame(each, otherLeft[i]));
  if (apart.some(([size, each]) => isFar(each.sizeMm / size.sizeMm))) return [];
  // The width of one may be the length of the other by chance: then those that differ are told in their order.
  if (!areLeft && apart.length > MOST_NAMED) return [];
  if (!areLeft) {
    const [querySizes, sizes] = [0, 1].map((of) => apart.map((pair) => ({ ...namedOf(pair[of]), isAnother: false })));
    return [{ code: 'other-stated-sizes', kind, sizes, querySizes }];
  }
  if (left.length > MOST_NAMED) return [{ code: 'many-stated-sizes', kind, count: left.length, of: own.length }];
  const sizes = otherLeft.map((size) => ({ ...namedOf(size), isAnother: timesStated(own, size) > 0 }));
  const querySizes = left.map((size) => ({ ...namedOf(size), isAnother: timesStated(other, size) > 0 }));
  const [{ count }] = otherLeft;
  const counts = left.length === 1 && count === left[0].count && count > 1 ? { count } : {};
  // Where both number and size differ, the two may be other features.
  if (left.length === 1 && count !== left[0].count) return [];
  return [{ code: 'other-stated-sizes', kind, sizes, querySizes, ...counts }];
}

function namedOf({ sizeMm, thread }: DrawnSize): { sizeMm: number; thread?: string } {
  return { sizeMm, ...(thread !== undefined && { thread }) };
}

function timesStated(sizes: readonly DrawnSize[], size: DrawnSize): number {
  return sizes.filter((each) => areSame(each, size)).length;
}

function isFar(factor: number): boolean {
  return !(factor <= MOST_FACTOR && factor >= 1 / MOST_FACTOR);
}

/** Where all sizes, and the pitches of all threads, are larger by one factor, of as many features each. */
function factorOfAll(pairs: readonly Pair[]): number | undefined {
  const factor = commonFactor(pairs, FEW);
  if (factor === undefined || pairs.some(([a, b]) => a.count !== b.count)) return undefined;
  const pitches = pairs.flatMap(([a, b]) => (a.kind === 'thread' ? (b.pitchMm ?? 0) / (a.pitchMm ?? 0) : []));
  return pitches.every((each) => areOne(each, factor)) ? factor : undefined;
}

/** By which all are larger, where it is not 1. least: of fewer sizes none is known. */
function commonFactor(pairs: readonly Pair[], least: number): number | undefined {
  if (pairs.length < least) return undefined;
  const factors = pairs.map(([a, b]) => b.sizeMm / a.sizeMm);
  const middle = factors.toSorted((a, b) => a - b)[Math.floor(factors.length / 2)];
  return areOne(middle, 1) || !factors.every((factor) => areOne(factor, middle)) ? undefined : middle;
}

function areOne(a: number, b: number): boolean {
  return Math.abs(a / b - 1) <= SAME_FACTOR;
}

/** Whether sizes that are larger by this factor may be the same ones in another unit. */
function isOfUnits(factor: number): boolean {
  const larger = Math.max(factor, 1 / factor);
  return larger >= LEAST_OF_UNITS * (1 - SAME_FACTOR) || OF_UNITS.some((each) => areOne(larger, each));
}
