import type { Term } from './terms.js';
import { TERM_LIMIT } from './terms.js';

/** A hyphen of any kind at the end of a line, with nothing else between the words before and after it. */
const BREAK = /^[-‐\u00ad][^\S\r\n]*\r?\n[^\S\r\n]*$/u;
const HYPHENS = '-‐\u00ad';
const LETTERS = /^[\p{L}\p{M}]+$/u;
const SMALL = /\p{Ll}/u;
/** Most lines that a word may span, and most characters of a line break with its white space. */
const MOST_PARTS = 4;
const LONGEST_BREAK = 64;

/**
 * Joins words that are hyphenated at line ends: `hyphen-⏎ation` -> hyphenation. Their parts stay terms as well, because
 * a hyphen at a line end may also belong to the word; the word is found in both ways. Words that continue with a
 * capital after a lower-case letter (`Müller-⏎Lüdenscheid`) and words with digits are not joined. terms: those of the
 * text.
 */
export function brokenWordsOf(text: string, terms: readonly Term[]): Term[] {
  const words: Term[] = [];
  for (let first = 0, next = 0; first < terms.length; first = next) {
    next = first + 1;
    while (next < terms.length && isBroken(text, terms[next - 1], terms[next])) next++;
    if (next - first < 2 || next - first > MOST_PARTS) continue;
    const term = terms
      .slice(first, next)
      .map((part) => part.term)
      .join('');
    if (term.length <= TERM_LIMIT) words.push({ term, start: terms[first].start, end: terms[next - 1].end });
  }
  return words;
}

function isBroken(text: string, before: Term, after: Term): boolean {
  return (
    HYPHENS.includes(text[before.end]) &&
    after.start - before.end <= LONGEST_BREAK &&
    BREAK.test(text.slice(before.end, after.start)) &&
    LETTERS.test(before.term) &&
    LETTERS.test(after.term) &&
    (SMALL.test(text[after.start]) || !SMALL.test(text.slice(before.start, before.end)))
  );
}
