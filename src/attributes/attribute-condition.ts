/** A number and what it measures; `Quantity` is assignable to it. */
export interface StoredQuantity {
  /** '' for a plain number. */
  readonly dimension: string;
  /** In the dimension's base unit. */
  readonly value: number;
  /** As written. Absent in conditions. */
  readonly number?: number;
}

/**
 * The normal forms of names and values. They are passed in, because the definition of a word belongs to `words`. When
 * the version of the forms differs from that of a library, its index of attributes is rebuilt at opening.
 */
export interface AttributeForms {
  readonly version: number;
  /** For whole names and values: equal for texts that differ only in case, diacritics and the like. */
  key(text: string): string;
  /** The words that a value is found by. unit: of the attribute, '' for none. */
  terms(text: string, unit: string): readonly string[];
  /** The quantity that a value states; undefined when it states none. */
  quantity(value: string, unit: string): StoredQuantity | undefined;
}

/**
 * A condition on the values of an attribute. One value of the attribute must meet the whole condition; the values of
 * all units count.
 *
 * - `terms`: the value has all these terms, in any order. Empty: the file has the attribute, with any value.
 * - `prefix`: the same, but the last term is only the beginning of one.
 * - `equals`: the value has this key, or states this quantity in any unit.
 * - `compare`: the value states a quantity of this dimension that is smaller or larger, and within the bounds of `and`.
 *   A bound of dimension '' combines with bounds of one other dimension; bounds of two other dimensions match nothing.
 *
 * A quantity of dimension '' is compared with the number as written, in the unit of the attribute: `Length>20` finds
 * `Length(mm)=25.4` and not `Length(in)=1`. Dates compare with dates only. Numbers that differ by rounding are equal.
 */
export type AttributeMatch =
  | { readonly kind: 'terms'; readonly terms: readonly string[] }
  | { readonly kind: 'prefix'; readonly terms: readonly string[] }
  | { readonly kind: 'equals'; readonly key: string; readonly quantity?: StoredQuantity }
  | (Comparison & { readonly kind: 'compare'; readonly and?: readonly Comparison[] });

/** A bound on a quantity. */
export interface Comparison {
  readonly operator: '<' | '<=' | '>' | '>=';
  readonly quantity: StoredQuantity;
}

/** A condition on the attribute of one name, given or extracted. */
export interface AttributeCondition {
  /** {@link AttributeForms.key} of the name. */
  readonly nameKey: string;
  readonly match: AttributeMatch;
}

/** An attribute that files of a company have, one for each name and unit. */
export interface FileAttribute {
  /** In the casing in which it was first given. */
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /** 'number' or 'date' when all its values are such (ISO dates); else 'text'. */
  readonly type: 'text' | 'number' | 'date';
  /** Files that have it. */
  readonly count: number;
}

/** One value of an attribute. */
export interface AttributeCount {
  readonly value: string;
  /** '' when there is none. */
  readonly unit: string;
  /** Files that have it. */
  readonly count: number;
}
