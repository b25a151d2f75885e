import { viewFacts } from '../../descriptors/views.js';
import type { ViewMatch } from './match-views.js';

/**
 * How the sizes of the parts on two drawings differ: by the proportions of their views, whatever the scale, and by the
 * lengths that they state. Views are drawn to fill the paper, so two sizes of one kind may look the same on one form.
 */

/** Logarithms that differ by more say that other things were compared, and count as this. */
const MOST_OF_PROPORTIONS = 0.4;
const MOST_STATED = 0.5;
/** Of three views of a part of which one side is longer, two are stretched. */
const OF_ONE_SIDE = 1.5;
/** Of the lengths of a part about a third follow each of its three sides. */
const SIDES = 3;
/** Fewer lengths that differ say nothing. */
const FEW = 2;
/** Lengths that differ by less, as a share, are the same: what is written has two digits behind the point at most. */
const SAME = 2e-3;
/** Least length that counts, mm: smaller numbers are mostly tolerances, counts and names of zones. */
const LEAST_MM = 3;

/** A pair of views, and how much of all views it is. */
export interface WeighedPair extends ViewMatch {
  readonly queryView: number;
  readonly weight: number;
}

/**
 * Distance in log extents of the boxes of two parts by the proportions of their views: that of one side which is longer.
 * 0 where all proportions are equal. query, candidate: from `describeViews`.
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

function aspectOf(views: Uint8Array, index: number): number {
  const { width, height } = viewFacts(views, index);
  return width > 0 && height > 0 ? Math.log(width / height) : 0;
}

/**
 * Distance in log extents by the lengths that two drawings state, mm, each once, descending; 0 where one of them states
 * none, or all but one of the other's. Those that both state are the same; the others belong together in their order, or where one drawing has more of
 * them, each to the nearest one of the other drawing.
 */
export function statedApart(a: readonly number[] = [], b: readonly number[] = []): number {
  const [own, other] = [a, b].map((all) => all.filter((length) => length >= LEAST_MM));
  if (own.length === 0 || other.length === 0) return 0;
  const ownLeft = withoutSame(own, other),
    otherLeft = withoutSame(other, own);
  // One number that was changed is no other size of the part.
  if (Math.min(ownLeft.length, otherLeft.length) < FEW) return 0;
  const apart =
    ownLeft.length === otherLeft.length
      ? ownLeft.map((length, i) => logApart(length, otherLeft[i]))
      : ownLeft.length > otherLeft.length
        ? otherLeft.map((length) => nearestApart(length, ownLeft))
        : ownLeft.map((length) => nearestApart(length, otherLeft));
  const same = Math.min(own.length - ownLeft.length, other.length - otherLeft.length);
  const squares = apart.reduce((sum, each) => sum + each ** 2, 0);
  return Math.sqrt((SIDES * squares) / (apart.length + same));
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
