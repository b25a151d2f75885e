import type { Because } from '../query/because.js';
import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';

type Kind = DrawnSize['kind'];

/** In the order in which they are said. */
const KINDS: readonly Kind[] = ['length', 'diameter', 'thread', 'radius'];
/** Most sizes of a kind that are named; of more it is said how many there are. */
const MOST_NAMED = 3;
/** Sizes of one feature do not differ by more: of another size the drawing would show another thing. */
const MOST_FACTOR = 5;
/** Of so many sizes, all equal or all by one factor larger, it is said at once. */
const FEW = 3;
/** Factors that differ by less, as a share, are one. */
const SAME_FACTOR = 5e-3;
const INCH = 25.4;
/** What rounding of numbers adds, mm. */
const SAME_MM = 1e-6;
/** Share of the sizes of both that must have a partner: else the two drawings state other things of their parts. */
const LEAST_PAIRED = 0.6;

/**
 * How the sizes differ that two drawings state, or that they are the same. Only what can be held against each other is
 * told: kinds of which both state as many. Which size belongs to which is not known where several differ, so these
 * are told together.
 */
export function likeDrawings(asked: DrawnSizes, found: DrawnSizes): Because[] {
  if (asked.unread !== found.unread) return [];
  const unsure = new Set([...asked.unsure, ...found.unsure]);
  const kinds = KINDS.filter((kind) => !unsure.has(kind)).map((kind) => comparedKind(kind, asked, found));
  const held = kinds.filter(({ isHeld }) => isHeld);
  const pairedCount = held.reduce((sum, { own }) => sum + own.length, 0);
  const most = Math.max(...[asked, found].map(({ sizes }) => sizes.length));
  if (pairedCount < LEAST_PAIRED * most) return [];
  const isAll = held.length === kinds.length && unsure.size === 0;
  const factor = isAll ? commonFactor(held) : undefined;
  if (factor !== undefined) return isInch(factor) ? [] : [{ code: 'all-stated-sizes', factor }];
  const differences = held.flatMap(differencesOf);
  const isSame = isAll && differences.length === 0 && held.every(({ left }) => left.length === 0);
  return isSame && pairedCount >= FEW ? [{ code: 'same-stated-sizes', count: pairedCount }] : differences;
}

/** The sizes of one kind of two drawings, descending. */
interface ComparedKind {
  readonly kind: Kind;
  readonly own: readonly DrawnSize[];
  readonly other: readonly DrawnSize[];
  /** Those that the other one does not state. */
  readonly left: readonly DrawnSize[];
  readonly otherLeft: readonly DrawnSize[];
  /** Whether both state as many. */
  readonly isHeld: boolean;
}

function comparedKind(kind: Kind, asked: DrawnSizes, found: DrawnSizes): ComparedKind {
  const [own, other] = [asked, found].map(({ sizes }) =>
    sizes.filter((size) => size.kind === kind).sort((a, b) => b.sizeMm - a.sizeMm || b.count - a.count),
  );
  const otherLeft = [...other];
  const left: DrawnSize[] = [];
  for (const size of own) {
    // As many of it before another number of it.
    const exact = otherLeft.findIndex((each) => areSame(size, each) && each.count === size.count);
    const at = exact >= 0 ? exact : otherLeft.findIndex((each) => areSame(size, each));
    if (at < 0) left.push(size);
    else otherLeft.splice(at, 1);
  }
  return { kind, own, other, left, otherLeft, isHeld: own.length === other.length };
}

function areSame(a: DrawnSize, b: DrawnSize): boolean {
  if (a.kind === 'thread') return a.thread === b.thread;
  return Math.abs(a.sizeMm - b.sizeMm) <= Math.max(SAME_MM, a.unit === b.unit ? 0 : a.slackMm + b.slackMm);
}

function differencesOf({ kind, own, other, left, otherLeft }: ComparedKind): Because[] {
  if (left.length === 0) {
    // The same sizes, of another number of features: told where one size alone is meant.
    const changed = own.filter((size, i) => size.count !== other[i].count && areSame(size, other[i]));
    if (changed.length !== 1 || timesStated(own, changed[0]) !== 1) return [];
    const [{ count: queryCount, ...size }] = changed;
    const { count } = other.find((each) => areSame(size as DrawnSize, each))!;
    return [{ code: 'other-stated-count', kind, ...namedOf(size), count, queryCount }];
  }
  if (left.some(({ sizeMm }, i) => isFar(otherLeft[i].sizeMm / sizeMm))) return [];
  if (left.length > MOST_NAMED) return [{ code: 'many-stated-sizes', kind, count: left.length, of: own.length }];
  const sizes = otherLeft.map((size) => ({ ...namedOf(size), isAnother: timesStated(own, size) > 0 }));
  const querySizes = left.map((size) => ({ ...namedOf(size), isAnother: timesStated(other, size) > 0 }));
  const [{ count }] = otherLeft;
  const counts = left.length === 1 && count === left[0].count && count > 1 ? { count } : {};
  // Where both number and size differ, the two may be other features.
  if (left.length === 1 && count !== left[0].count) return [];
  return [{ code: 'other-stated-sizes', kind, sizes, querySizes, ...counts }];
}

function namedOf({ sizeMm, thread }: Pick<DrawnSize, 'sizeMm' | 'thread'>): { sizeMm: number; thread?: string } {
  return { sizeMm, ...(thread !== undefined && { thread }) };
}

function timesStated(sizes: readonly DrawnSize[], size: DrawnSize): number {
  return sizes.filter((each) => areSame(each, size)).length;
}

function isFar(factor: number): boolean {
  return !(factor <= MOST_FACTOR && factor >= 1 / MOST_FACTOR);
}

/** Where all sizes of all kinds are larger by one factor. */
function commonFactor(kinds: readonly ComparedKind[]): number | undefined {
  const factors = kinds.flatMap(({ own, other }) => own.map(({ sizeMm }, i) => other[i].sizeMm / sizeMm));
  if (factors.length < FEW) return undefined;
  const middle = factors.toSorted((a, b) => a - b)[Math.floor(factors.length / 2)];
  if (Math.abs(middle - 1) <= SAME_FACTOR || factors.some((factor) => Math.abs(factor / middle - 1) > SAME_FACTOR))
    return undefined;
  return middle;
}

function isInch(factor: number): boolean {
  return [factor, 1 / factor].some((each) => Math.abs(each / INCH - 1) < SAME_FACTOR);
}
