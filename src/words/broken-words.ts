import type { Term } from './terms.js';
import { TERM_LIMIT } from './terms.js';

/** A hyphen of any kind at the end of a line, and nothing else between the words before and after it. */
const BREAK = /^[-‐\u00ad][^\S\r\n]*\r?\n[^\S\r\n]*$/u;
const HYPHENS = '-‐\u00ad';
const LETTERS = /^[\p{L}\p{M}]+$/u;
const SMALL = /\p{Ll}/u;
/** Lines that one word runs over at most, and space at a line's end that is looked at. */
const MOST_PARTS = 4;
const LONGEST_BREAK = 64;

/**
 * Words that hyphens break at the ends of lines, in one piece: `hyphen-⏎ation` -> hyphenation. Their parts are terms by themselves. A
 * hyphen that belongs to the word stands at the end of a line, too, and nobody can tell it from the other; so the word is found in both ways.
 * What goes on with a capital after a small letter (`Müller-⏎Lüdenscheid`) and what holds digits is left as it is. `terms`: those of the text.
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
