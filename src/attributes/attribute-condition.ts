/** A number with what it measures; see `Quantity` of the content, which fits it. */
export interface StoredQuantity {
  /** '' for a plain number. */
  readonly dimension: string;
  /** In the dimension's base unit. */
  readonly value: number;
  /** As written. Conditions do without. */
  readonly number?: number;
}

/**
 * The normal forms of names and values. They are handed in, because what a word is, is not the store's to know; a library
 * whose forms are of another version is brought up to date when it is opened.
 */
export interface AttributeForms {
  readonly version: number;
  /** For whole names and values: equal for texts that differ in nothing but case and the like. */
  key(text: string): string;
  /** The words that a value is found by. */
  terms(text: string): readonly string[];
  /** What a value states as a number; undefined when it states none. */
  quantity(value: string, unit: string): StoredQuantity | undefined;
}

/**
 * What an attribute must be like. One value of the attribute must meet the whole condition; the values of all units count.
 *
 * - `terms`: the value has all these terms, in any order. None: the file has the attribute, with whatever value.
 * - `prefix`: the same, and of the last term only the beginning is given.
 * - `equals`: the value has this key; or it states this quantity, whatever its unit.
 * - `compare`: the value states a quantity of this dimension that is smaller or larger; `and`: and within these bounds, too. A bound of
 *   dimension '' goes with those of one other; with bounds of two others nothing is found.
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

/** An attribute that files of a company have. One entry for each name and unit. */
export interface FileAttribute {
  /** In the casing in which it was given first. */
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
