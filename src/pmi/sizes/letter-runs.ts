import type { Placed } from '../placed-text.js';

/** Letters of a word are nearer, in heights of their font; longer words are no numbers of balloons. */
const CLOSE = 0.3;
const MOST_OF_RUN = 8;
/** Most pieces that are looked at beside a letter: a page with more in one column is no drawing. */
const MOST_LOOKED_AT = 400;

/**
 * Words of a direction, where a file holds each of their letters by itself. Pieces are sorted along the line, so that a
 * page of many single digits takes no time that grows with the square of their number.
 */
export class LetterRuns {
  readonly #byStart: readonly Placed[];
  readonly #byEnd: readonly Placed[];

  /** @param placed the pieces of one direction. */
  constructor(placed: readonly Placed[]) {
    this.#byStart = placed.toSorted((a, b) => a.start - b.start);
    this.#byEnd = placed.toSorted((a, b) => a.end - b.end);
  }

  /** A text with those close before and behind it; one of several letters is a word by itself. */
  runOf(piece: Placed): string {
    if (piece.text.trim().length > 1) return piece.text.trim();
    let { text, start, end } = piece;
    const gap = CLOSE * piece.height;
    // A longer piece is a word by itself, too: a flag may stand right behind it.
    const isOther = (other: Placed): boolean =>
      other !== piece && Math.abs(other.t - piece.t) <= gap && other.text.trim().length === 1;
    while (text.length < MOST_OF_RUN) {
      const behind = near(this.#byStart, end, gap, {
        placeOf: (each) => each.start,
        isWanted: (other) => isOther(other) && other.end > end,
      });
      const before = near(this.#byEnd, start, gap, {
        placeOf: (each) => each.end,
        isWanted: (other) => isOther(other) && other.start < start,
      });
      if (behind === undefined && before === undefined) break;
      text = `${before?.text ?? ''}${text}${behind?.text ?? ''}`;
      [start, end] = [before?.start ?? start, behind?.end ?? end];
    }
    return text;
  }
}

/** The wanted piece whose place is nearest to another one, within a gap, of pieces that are sorted by it. */
function near(
  sorted: readonly Placed[],
  at: number,
  gap: number,
  { placeOf, isWanted }: { placeOf: (piece: Placed) => number; isWanted: (piece: Placed) => boolean },
): Placed | undefined {
  let low = 0,
    high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(sorted[middle]) <= at - gap) low = middle + 1;
    else high = middle;
  }
  const last = Math.min(sorted.length, low + MOST_LOOKED_AT);
  // A point is narrower than the gap: the letter beyond it is within that, too.
  let nearest: Placed | undefined;
  for (let i = low; i < last && placeOf(sorted[i]) < at + gap; i++) {
    const isNearer = nearest === undefined || Math.abs(placeOf(sorted[i]) - at) < Math.abs(placeOf(nearest) - at);
    if (isNearer && isWanted(sorted[i])) nearest = sorted[i];
  }
  return nearest;
}
