import { parseQuantity } from '../../attributes/quantity.js';
import { keyOf } from '../../words/terms.js';
import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { AttributeTest } from '../query/expression.js';

/** Most sentences, and most characters of a quoted text. */
const MOST_REASONS = 4;
const QUOTED_LENGTH = 100;

/**
 * Explains why conditions on attributes match nothing: no file has the attribute, or it is compared with a quantity of
 * another dimension. Sentences for people; empty when no such reason applies.
 */
export async function reasonsOf(
  tests: readonly AttributeTest[],
  attributes: AttributeDoor,
  companyId: number,
): Promise<string[]> {
  const reasons = new Set<string>();
  for (const test of tests) {
    if (reasons.size === MOST_REASONS) break;
    const reason = reasonOf(test, await attributes.dimensionsOf(companyId, keyOf(test.name)));
    if (reason !== undefined) reasons.add(reason);
  }
  return [...reasons];
}

/** dimensions: of the numbers among the values; undefined when no file has the attribute. */
function reasonOf(
  { name, unit, operator, value }: AttributeTest,
  dimensions: readonly string[] | undefined,
): string | undefined {
  if (dimensions === undefined) return `No file has the attribute ${quote(name)}.`;
  const bounds = operator === 'contains' ? boundsOf(value, unit) : undefined;
  if (bounds !== undefined) {
    const [least, most] = bounds;
    const of = `${name}${unit === '' ? '' : `(${unit})`}`;
    return (
      `${quote(`${of}=${value}`)} asks for this text; what lies between two values is asked for by two conditions: ` +
      `${quote(`${of}>=${least}`)} and ${quote(`${of}<=${most}`)}.`
    );
  }
  const compares = '<>'.includes(operator[0]);
  const asked =
    compares || operator === 'equals' || operator === 'contains' ? parseQuantity(value, unit)?.dimension : undefined;
  if (asked === undefined || dimensions.includes(asked)) return undefined;
  // A number without unit takes the unit of the attribute, and `=` may have asked for a text.
  if (asked === '' ? dimensions.some((dimension) => dimension !== 'date') : !compares && dimensions.length === 0)
    return undefined;
  const written = `${name}${unit === '' ? '' : `(${unit})`}${compares ? operator : '='}${value}`;
  const own = dimensions.length === 0 ? 'text' : dimensions.map(inWords).join(', ');
  return `${quote(written)} asks for ${inWords(asked)}; the values of ${quote(name)} are ${own}.`;
}

/** The bounds that somebody may have meant by `10..20`, `10-20mm` or `10 to 20`; undefined for another text. */
function boundsOf(value: string, unit: string): readonly [least: string, most: string] | undefined {
  for (const between of [/\.{2,3}/, /…/, /–/, /\bto\b/, /(?<=\w ?)-/]) {
    const [least, most, another] = value.split(between).map((bound) => bound.trim());
    if (most === undefined || another !== undefined) continue;
    if ([least, most].every((bound) => parseQuantity(bound, unit) !== undefined)) return [least, most];
  }
  return undefined;
}

function inWords(dimension: string): string {
  return dimension === '' ? 'numbers without a unit' : dimension === 'date' ? 'dates' : `quantities of ${dimension}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH)}…`);
}
