import { parseQuantity } from '../content/quantity.js';
import type { AttributeForms } from '../store/attribute-condition.js';
import { keyOf, termsOf, TERMS_VERSION } from './terms.js';

/** Raised when a value gives another quantity; terms have a version of their own. */
const QUANTITY_VERSION = 1;

/** How names and values of attributes are compared and found. */
export const ATTRIBUTE_FORMS: AttributeForms = Object.freeze({
  version: 1_000 * QUANTITY_VERSION + TERMS_VERSION,
  key: keyOf,
  terms: (text: string) => [...new Set(termsOf(text).map(({ term }) => term))],
  quantity: parseQuantity,
});
