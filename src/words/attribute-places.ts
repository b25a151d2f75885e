import type { AttributeCondition } from '../attributes/attribute-condition.js';
import { meetsMatch } from '../attributes/attribute-match.js';
import type { FileLabels } from '../store/catalog/file-labels.js';
import { ATTRIBUTE_FORMS } from './attribute-forms.js';
import { MARKS } from './file-terms.js';
import { joinedOf, keyOf, termsOf } from './terms.js';
import type { Range } from './text-leaf.js';

/**
 * The ranges of an attribute's value that meet conditions: the words that a condition names, or the whole value when it
 * is compared as a whole. Empty when it meets none.
 */
export function placesInValue(
  { name, unit, value }: FileLabels['attributes'][number],
  conditions: readonly AttributeCondition[],
): Range[] {
  if (conditions.length === 0 || value === '') return [];
  const nameKey = keyOf(name);
  const met = conditions.filter(
    (condition) => condition.nameKey === nameKey && meetsMatch(value, unit, condition.match, ATTRIBUTE_FORMS),
  );
  return met.flatMap(({ match }) => {
    if ((match.kind !== 'terms' && match.kind !== 'prefix') || match.terms.length === 0)
      return [{ start: 0, end: value.length }];
    const last = match.terms.at(-1)!;
    const terms = termsOf(value);
    return [...terms, ...joinedOf(value, terms).map((one) => ({ ...one, term: MARKS.joined + one.term }))].filter(
      ({ term }) => match.terms.includes(term) || (match.kind === 'prefix' && term.startsWith(last)),
    );
  });
}
