import { parseQuantity } from '../attributes/quantity.js';
import type { AttributeForms } from '../attributes/attribute-condition.js';
import { MARKS } from './file-terms.js';
import { joinedOf, keyOf, termsOf, TERMS_VERSION, type Term } from './terms.js';

/**
 * Raised when a value gives another quantity or other joined terms; {@link TERMS_VERSION} covers the terms themselves.
 */
const VERSION = 4;

/** The normal forms by which names and values of attributes are compared and found. */
export const ATTRIBUTE_FORMS: AttributeForms = Object.freeze({
  version: 1_000 * VERSION + TERMS_VERSION,
  key: keyOf,
  terms: (text: string) => {
    const terms = termsOf(text);
    return [
      ...new Set([...terms.map(({ term }) => term), ...joinedIn(text, terms).map(({ term }) => MARKS.joined + term)]),
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

/** Part numbers of a text. A quantity is not a part number: 12.5 must not match 1.25. */
function joinedIn(text: string, terms: readonly Term[]): Term[] {
  return parseQuantity(text, '') === undefined ? joinedOf(text, terms) : [];
}
