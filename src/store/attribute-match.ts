import type { AttributeForms, AttributeMatch, StoredQuantity } from './attribute-condition.js';
import type { Bound } from './number-columns.js';

/** A quantity in the terms of one attribute; `asWritten`: to be compared with numbers in whatever unit the value has. */
export interface Asked { readonly quantity: StoredQuantity; readonly asWritten: boolean }

/** A number without unit is in that of the attribute; where the attribute has none, in that of each value. */
export function askedOf(quantity: StoredQuantity, unit: string, forms: AttributeForms): Asked[] {
  if (quantity.dimension !== '') return [{ quantity, asWritten: false }];
  const own = forms.quantity(String(quantity.value), unit) ?? quantity;
  return own.dimension === '' ? [{ quantity, asWritten: false }, { quantity, asWritten: true }] : [{ quantity: own, asWritten: false }];
}

/** Two numbers nearer than this are the same: 3 in is 76.2 mm, in spite of rounding. */
function tolerance(value: number): number {
  return 1e-9 * Math.abs(value) + 1e-12;
}

/** The least number that is the same as this one. */
export function lowOf(value: number): number {
  return value - tolerance(value);
}

/** The largest number that is the same as this one. */
export function highOf(value: number): number {
  return value + tolerance(value);
}

/** What equals a bound within rounding is neither below nor above it. */
export function boundOf(operator: Bound['operator'], value: number): Bound {
  return { operator, value: operator === '<' || operator === '>=' ? lowOf(value) : highOf(value) };
}

function isWithin(found: number, { operator, value }: Bound): boolean {
  if (operator === '<') return found < value;
  if (operator === '<=') return found <= value;
  return operator === '>' ? found > value : found >= value;
}

/** Whether a value in a unit meets what is asked, as the statements of the attributes' tables say it of all. */
export function meetsMatch(text: string, unit: string, match: AttributeMatch, forms: AttributeForms): boolean {
  if (match.kind === 'terms' || match.kind === 'prefix') {
    const terms = forms.terms(text);
    const words = match.kind === 'prefix' ? match.terms.slice(0, -1) : match.terms;
    const prefix = match.kind === 'prefix' ? match.terms.at(-1) ?? '' : '';
    return words.every((word) => terms.includes(word)) && (prefix === '' || terms.some((term) => term.startsWith(prefix)));
  }
  if (match.kind === 'equals' && forms.key(text) === match.key) return true;
  const own = forms.quantity(text, unit);
  if (own === undefined || match.quantity === undefined) return false;
  const others = match.kind === 'compare' && match.and !== undefined ? askedOf(match.and.quantity, unit, forms) : [];
  return askedOf(match.quantity, unit, forms).some(({ quantity: { dimension, value }, asWritten }, i) => {
    if (asWritten ? own.dimension === '' || own.dimension === 'date' : own.dimension !== dimension) return false;
    const found = asWritten ? own.number ?? own.value : own.value;
    if (match.kind === 'equals') return found >= lowOf(value) && found <= highOf(value);
    return isWithin(found, boundOf(match.operator, value)) && (match.and === undefined || isWithin(found, boundOf(match.and.operator, others[i].quantity.value)));
  });
}
