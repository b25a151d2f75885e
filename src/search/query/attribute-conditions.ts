import { parseQuantity } from '../../attributes/quantity.js';
import { plainThread, threadsIn } from '../../content/thread-names.js';
import { EngineError } from '../../errors.js';
import { askedTermsOf, askedThreadTermsOf, joinedTermsOf } from '../../words/attribute-forms.js';
import { keyOf, phraseOf } from '../../words/terms.js';
import type { AttributeCondition, AttributeMatch, Comparison } from '../../attributes/attribute-condition.js';
import type { AttributeTest } from './expression.js';

/** The attribute whose values are threads. */
const THREAD = 'thread';

/**
 * Converts a test of an attribute to alternative conditions, one of which must hold.
 *
 * A quantity also matches the same quantity in another form (`1in`, `25.4` with the unit mm,
 * `25,40`); a part number also matches with other separators.
 * @throws EngineError `QUERY_INVALID` for a comparison with a text that is not a number, or a prefix without letter or
 *   digit.
 */
export function conditionsOf(test: AttributeTest): AttributeCondition[] {
  const nameKey = keyOf(test.name);
  const matches = nameKey === THREAD ? threadMatchesOf(test) : matchesOf(test);
  return matches.map((match) => ({ nameKey, match }));
}

/** Threads are stored, and asked for, in one spelling. */
function threadMatchesOf(test: AttributeTest): AttributeMatch[] {
  const value = plainThread(test.value);
  const asked = test.operator === 'contains' ? askedThreadTermsOf(value) : undefined;
  if (asked !== undefined) return [{ kind: 'terms', terms: asked }];
  if (test.operator !== 'equals') return matchesOf({ ...test, value });
  const [{ name, short } = { name: value, short: value }, ...others] = threadsIn(value);
  // `M8` is `M8x1.25`; with a class or a hand both are as they are written.
  const isAlone = others.length === 0 && !/\s?-\s?\d[A-Za-z]|LH/.test(value);
  const all = new Set([test.value, value, ...(isAlone ? [name, short] : [])]);
  return [...all].flatMap((each) => matchesOf({ ...test, value: each }));
}

/**
 * Combines comparisons of one attribute: `Length>=10` and `Length<20` ask for one value between both, and a narrow
 * range is found much faster than two wide ones.
 */
export function joinRanges(tests: readonly (readonly AttributeCondition[])[]): (readonly AttributeCondition[])[] {
  const joined: (readonly AttributeCondition[])[] = [];
  const ranges = new Map<string, { at: number; bounds: Map<string, Comparison> }>();
  for (const test of tests) {
    const [{ nameKey, match }] = test;
    if (match.kind !== 'compare') {
      joined.push(test);
      continue;
    }
    const range = ranges.get(nameKey) ?? { at: joined.push(test) - 1, bounds: new Map<string, Comparison>() };
    ranges.set(nameKey, range);
    const { operator, quantity } = match;
    const side = `${operator[0]} ${quantity.dimension}`;
    range.bounds.set(side, tighter(range.bounds.get(side), { operator, quantity }, operator[0] === '<' ? -1 : 1));
  }
  for (const [nameKey, { at, bounds }] of ranges) {
    const [first, ...and] = bounds.values();
    joined[at] = [{ nameKey, match: { kind: 'compare', ...first, ...(and.length === 0 ? {} : { and }) } }];
  }
  return joined;
}

/** The tighter of two bounds. direction: 1 when the larger bound is tighter, -1 when the smaller one is. */
function tighter(a: Comparison | undefined, b: Comparison, direction: number): Comparison {
  if (a === undefined) return b;
  const difference = direction * (a.quantity.value - b.quantity.value);
  if (difference !== 0) return difference > 0 ? a : b;
  return a.operator.length === 1 ? a : b;
}

function matchesOf({ name, unit, operator, value }: AttributeTest): AttributeMatch[] {
  const quantity = parseQuantity(value, unit);
  // With a unit, the number alone must not match: `Length(in)=1` does not ask for 1 mm.
  const measured = unit !== '' && quantity !== undefined && quantity.dimension !== '';
  const equals: AttributeMatch = { kind: 'equals', key: keyOf(measured ? `${value} ${unit}` : value), quantity };
  switch (operator) {
    case 'exists':
      return [{ kind: 'terms', terms: [] }];
    case 'equals':
      return [equals];
    case 'prefix':
    case 'contains': {
      if (measured && operator === 'contains') return [equals];
      const { terms, prefix } = phraseOf(value, { prefix: operator === 'prefix' });
      if (terms.length > 0) {
        const kind = prefix ? 'prefix' : 'terms';
        const joined = joinedTermsOf(value);
        return [
          { kind, terms: askedTermsOf(value, terms, { isBegun: prefix }) },
          ...(joined === undefined ? [] : [{ kind, terms: joined } as const]),
          // The number of a quantity is one word.
          ...(prefix && /^\d+[.,]\d+$/.test(value) ? [{ kind, terms: [value.replace(',', '.')] } as const] : []),
          ...(operator === 'contains' && quantity !== undefined ? [equals] : []),
        ];
      }
      // A value without letters and digits has no words; it is compared as a whole.
      if (operator === 'contains') return [equals];
      throw invalid(`${name}=${value}*`, 'must have a letter or a digit before *');
    }
    default:
      if (quantity === undefined)
        throw invalid(
          `${name}${operator}${value}`,
          `must compare with a number, a quantity like 20mm or a date like 2024-05-31${unknownUnit(value)}`,
        );
      return [{ kind: 'compare', operator, quantity }];
  }
}

/** A note about text after a number that is not a known unit. */
function unknownUnit(value: string): string {
  const [, behind] = /^[-+]?[\d.,]+\s*(\p{L}.{0,40})$/u.exec(value.trim()) ?? [];
  return behind === undefined ? '' : `; ${JSON.stringify(behind)} is not a known unit`;
}

function invalid(text: string, reason: string): EngineError {
  return new EngineError('QUERY_INVALID', `the attribute expression ${JSON.stringify(text)} ${reason}`, {
    details: { name: 'FT', text },
  });
}
