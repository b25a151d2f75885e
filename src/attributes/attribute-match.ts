import type { AttributeForms, AttributeMatch, Comparison, StoredQuantity } from './attribute-condition.js';
import type { Bound } from './tables/attribute-pairs.js';

/**
 * A quantity in the unit of one attribute. `asWritten`: compared with the number as it is written, whatever its unit.
 */
export interface Asked {
  readonly quantity: StoredQuantity;
  readonly asWritten: boolean;
}

/** A number without unit is in the unit of the attribute; if that has none, in the unit of each value. */
export function askedOf(quantity: StoredQuantity, unit: string, forms: AttributeForms): Asked[] {
  if (quantity.dimension !== '') return [{ quantity, asWritten: false }];
  const own = forms.quantity(String(quantity.value), unit) ?? quantity;
  return own.dimension === ''
    ? [
        { quantity, asWritten: false },
        { quantity, asWritten: true },
      ]
    : [{ quantity: own, asWritten: false }];
}

/**
 * A range for one attribute: of numbers in the base unit of a dimension, or (dimension undefined) of numbers with a
 * unit as they are written.
 */
export interface AskedRange {
  readonly dimension: string | undefined;
  /** `asWritten`: a bound on the number as it is written. */
  readonly bounds: readonly (Bound & { readonly asWritten: boolean })[];
}

/** The ranges that a comparison means for an attribute in this unit; a value must be within one of them. */
export function rangesOf(
  match: Comparison & { readonly and?: readonly Comparison[] },
  unit: string,
  forms: AttributeForms,
): AskedRange[] {
  // A bound can have several readings, a value has one.
  const read = [match, ...(match.and ?? [])].map(({ operator, quantity }) =>
    askedOf(quantity, unit, forms).map((one) => ({ ...one, operator })),
  );
  const dimensions = new Set(
    read.flat().map(({ quantity, asWritten }) => (asWritten ? undefined : quantity.dimension)),
  );
  return [...dimensions].flatMap((dimension): AskedRange[] => {
    const bounds = read.map(
      (ways) =>
        ways.find(({ quantity, asWritten }) => !asWritten && quantity.dimension === dimension) ??
        (dimension === '' ? undefined : ways.find(({ asWritten }) => asWritten)),
    );
    if (bounds.includes(undefined)) return [];
    return [
      {
        dimension,
        bounds: bounds.map((bound) => ({
          ...boundOf(bound!.operator, bound!.quantity.value),
          asWritten: bound!.asWritten,
        })),
      },
    ];
  });
}

/** Numbers that differ by at most this are equal: 3 in is 76.2 mm, in spite of rounding. */
function tolerance(value: number): number {
  return 1e-9 * Math.abs(value) + 1e-12;
}

/** The smallest number that is equal to this one. */
export function lowOf(value: number): number {
  return value - tolerance(value);
}

/** The largest number that is equal to this one. */
export function highOf(value: number): number {
  return value + tolerance(value);
}

/** The bound adjusted for rounding: a number that equals it within rounding is neither below nor above it. */
export function boundOf(operator: Bound['operator'], value: number): Bound {
  return { operator, value: operator === '<' || operator === '>=' ? lowOf(value) : highOf(value) };
}

function isWithin(found: number, { operator, value }: Bound): boolean {
  if (operator === '<') return found < value;
  if (operator === '<=') return found <= value;
  return operator === '>' ? found > value : found >= value;
}

/** Whether a value in a unit meets a match; the SQL in `attributes.ts` gives the same answer for all files. */
export function meetsMatch(text: string, unit: string, match: AttributeMatch, forms: AttributeForms): boolean {
  if (match.kind === 'terms' || match.kind === 'prefix') {
    const terms = forms.terms(text, unit);
    const words = match.kind === 'prefix' ? match.terms.slice(0, -1) : match.terms;
    const prefix = match.kind === 'prefix' ? (match.terms.at(-1) ?? '') : '';
    return (
      words.every((word) => terms.includes(word)) && (prefix === '' || terms.some((term) => term.startsWith(prefix)))
    );
  }
  if (match.kind === 'equals' && forms.key(text) === match.key) return true;
  const own = forms.quantity(text, unit);
  if (own === undefined || match.quantity === undefined) return false;
  // Only a number with its own unit has a written number besides its value.
  const written = own.dimension === '' || own.dimension === 'date' ? undefined : (own.number ?? own.value);
  if (match.kind === 'equals') {
    return askedOf(match.quantity, unit, forms).some(({ quantity: { dimension, value }, asWritten }) => {
      const found = asWritten ? written : own.dimension === dimension ? own.value : undefined;
      return found !== undefined && found >= lowOf(value) && found <= highOf(value);
    });
  }
  return rangesOf(match, unit, forms).some(
    ({ dimension, bounds }) =>
      (dimension === undefined || own.dimension === dimension) &&
      bounds.every((bound) => {
        const found = bound.asWritten ? written : own.value;
        return found !== undefined && isWithin(found, bound);
      }),
  );
}
