import { threadsIn, type NamedThread } from '../content/thread-names.js';
import { parseQuantity } from '../attributes/quantity.js';
import type { AttributeForms } from '../attributes/attribute-condition.js';
import { MARKS } from './file-terms.js';
import { joinedOf, keyOf, termsOf, TERMS_VERSION, type Term } from './terms.js';

/** Marks a letter or two with the number behind them, `^m5`: `M3x0.5` has the words m and 5, and no M5. */
const PAIR = '^';
/** Longer words are rare enough by themselves. */
const PAIR_LETTERS = 2;

/**
 * Raised when a value gives another quantity, other joined terms or other numbers; {@link TERMS_VERSION} covers the
 * terms themselves.
 */
const VERSION = 8;

/** The normal forms by which names and values of attributes are compared and found. */
export const ATTRIBUTE_FORMS: AttributeForms = Object.freeze({
  version: 1_000 * VERSION + TERMS_VERSION,
  key: keyOf,
  terms: (text: string, unit: string) => {
    const { dimension = '' } = parseQuantity(text, unit) ?? {};
    const terms = dimension === '' || dimension === 'date' ? termsOf(text) : wholeNumbersIn(text, termsOf(text));
    return [
      ...new Set([
        ...terms.map(({ term }) => term),
        ...joinedIn(text, terms).map(({ term }) => MARKS.joined + term),
        ...pairsIn(terms, 1).values(),
        ...threadsIn(text).map(termOfThread),
      ]),
    ];
  },
  quantity: parseQuantity,
});

/**
 * The terms of a text with its part numbers written without separators (`rev AB-123/4` -> rev ~ab1234), to find part
 * numbers that are divided in another way. Undefined when the text holds no part number.
 */
export function joinedTermsOf(text: string): string[] | undefined {
  const terms = termsOf(text);
  const joined = joinedIn(text, terms);
  if (joined.length === 0) return undefined;
  const apart = terms.filter(({ start, end }) => !joined.some((one) => start >= one.start && end <= one.end));
  return [...apart, ...joined.map((one) => ({ ...one, term: MARKS.joined + one.term }))]
    .sort((a, b) => a.start - b.start)
    .map(({ term }) => term);
}

/**
 * The terms that a value must have to be found by a word or a part of it: those of `terms`, and a letter or two with
 * the number right behind them as one. isBegun: whether the last term is only the beginning of one.
 */
export function askedTermsOf(text: string, terms: readonly string[], { isBegun = false } = {}): string[] {
  const all = termsOf(text);
  // Scripts without spaces are asked for by other terms.
  if (all.length !== terms.length) return [...terms];
  const pairs = pairsIn(all, 0);
  const lastPair = isBegun ? pairs.get(all.length - 1) : undefined;
  const whole = lastPair === undefined ? terms : terms.slice(0, -1);
  const others = [...pairs].filter(([at]) => !isBegun || at < all.length - 1).map(([, pair]) => pair);
  // The beginning stands last.
  return lastPair === undefined && isBegun
    ? [...others, ...whole]
    : [...whole, ...others, ...(lastPair === undefined ? [] : [lastPair])];
}

/**
 * The terms that a thread must have to be found by a text that states a whole one, which is one term: `M8x1` is no
 * `M8x1.25`, and `M8` is one (ISO 261). Undefined for other texts, `M8` among them: threads of any pitch have its
 * words.
 */
export function askedThreadTermsOf(text: string): string[] | undefined {
  const threads = threadsIn(text).filter(({ isWhole }) => isWhole);
  if (threads.length === 0) return undefined;
  const rest = threads.reduceRight((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text);
  return [...termsOf(rest).map(({ term }) => term), ...threads.map(termOfThread)];
}

function termOfThread({ name }: Pick<NamedThread, 'name'>): string {
  return PAIR + name.toLowerCase();
}

/**
 * Short words with the number that follows them within `gap` characters, by the place of the number among the terms.
 */
function pairsIn(terms: readonly Term[], gap: number): Map<number, string> {
  const pairs = new Map<number, string>();
  for (let i = 1; i < terms.length; i++) {
    const [word, number] = [terms[i - 1], terms[i]];
    if (
      number.start - word.end <= gap &&
      word.term.length <= PAIR_LETTERS &&
      /^[a-z]+$/.test(word.term) &&
      /^\d+$/.test(number.term)
    )
      pairs.set(i, `${PAIR}${word.term}${number.term}`);
  }
  return pairs;
}

/** The terms of a quantity with a unit. Its number is one, `8.5 mm` -> 8.5 mm: who asks for 8 does not get it. */
function wholeNumbersIn(text: string, terms: readonly Term[]): Term[] {
  const whole: Term[] = [];
  for (const term of terms) {
    const before = whole.at(-1);
    const isDecimals =
      before !== undefined && /^[.,]$/.test(text.slice(before.end, term.start)) && /^\d+$/.test(term.term);
    if (isDecimals) whole[whole.length - 1] = { ...before, term: `${before.term}.${term.term}`, end: term.end };
    else whole.push(term);
  }
  return whole;
}

/** Part numbers of a text. A quantity is not a part number: 12.5 must not match 1.25. */
function joinedIn(text: string, terms: readonly Term[]): Term[] {
  return parseQuantity(text, '') === undefined ? joinedOf(text, terms) : [];
}
