import { termsOf } from './terms.js';

/** A term of the index and the number of files that have it. */
export interface KnownTerm {
  readonly term: string;
  readonly files: number;
}

/** What the index knows of terms. */
export interface Vocabulary {
  /** Whether any file has a term. */
  has(term: string): boolean;
  /** Terms that begin so, of letters and digits, with their numbers of files; at most some thousands. */
  beginning(letters: string): readonly KnownTerm[];
}

/** Shorter words have too many neighbours. */
const LEAST_LETTERS = 4;
/** From this length on two letters may be wrong. */
const LONG = 7;
/** Most texts that are proposed. */
const MOST_TEXTS = 3;

/**
 * The text with words that no file has replaced by the nearest ones that some file has, the nearest and most frequent
 * first; none where every word is known, or has no neighbour. A letter may be missing, added or another, or two
 * neighbouring ones swapped; of seven and more letters two of these; the first letter must be right, or swapped with
 * the second. Words with digits, quotes and operators stay as they are.
 */
export function respelled(text: string, vocabulary: Vocabulary): readonly string[] {
  const pieces = text.split(/(\s+)/);
  const replaced = new Map<number, readonly string[]>();
  for (const [at, piece] of pieces.entries()) {
    if (!/^\p{L}+$/u.test(piece)) continue;
    const [word, ...more] = termsOf(piece);
    if (word === undefined || more.length > 0 || word.term.length < LEAST_LETTERS || vocabulary.has(word.term))
      continue;
    const near = nearest(word.term, vocabulary);
    if (near.length === 0) return [];
    replaced.set(at, near);
  }
  if (replaced.size === 0) return [];
  // Beside the nearest of all words: each other neighbour in its turn.
  const first = pieces.map((piece, at) => replaced.get(at)?.[0] ?? piece);
  const others = [...replaced].flatMap(([at, near]) => near.slice(1).map((word) => first.with(at, word)));
  return [first, ...others].slice(0, MOST_TEXTS).map((one) => one.join(''));
}

function nearest(word: string, vocabulary: Vocabulary): readonly string[] {
  const most = word.length >= LONG ? 2 : 1;
  const starts = new Set([word.slice(0, 2), word[1] + word[0]]);
  const found = ranked([...starts].flatMap((start) => vocabulary.beginning(start)));
  return found.length > 0 ? found : ranked(vocabulary.beginning(word[0]));

  function ranked(known: readonly KnownTerm[]): readonly string[] {
    return known
      .map(({ term, files }) => ({ term, files, away: lettersApart(word, term, most) }))
      .filter(({ away }) => away <= most)
      .sort((a, b) => a.away - b.away || b.files - a.files || (a.term < b.term ? -1 : 1))
      .slice(0, MOST_TEXTS)
      .map(({ term }) => term);
  }
}

/**
 * Letters to change, add, leave out or swap with the next to make one word of another (optimal string alignment,
 * Boytsov 2011); more than `most` is not told exactly.
 */
export function lettersApart(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, last[j] + 1, row[j - 1] + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[b.length];
}
