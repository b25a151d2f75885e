import { parseQuantity } from '../attributes/quantity.js';
import type { AttributeForms } from '../attributes/attribute-condition.js';
import { MARKS } from './file-terms.js';
import { joinedOf, keyOf, termsOf, TERMS_VERSION, type Term } from './terms.js';

/** Raised when a value gives another quantity or joined terms; terms have a version of their own. */
const VERSION = 4;

/** How names and values of attributes are compared and found. */
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
 * What to look for beside the terms of `text`, because part numbers are divided in different ways: its terms with every such number in one
 * piece (`rev AB-123/4` -> rev ~ab1234). Undefined when none is in it.
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

/** A quantity is no part number: 12.5 is not what 1.25 is. */
function joinedIn(text: string, terms: readonly Term[]): Term[] {
  return parseQuantity(text, '') === undefined ? joinedOf(text, terms) : [];
}
