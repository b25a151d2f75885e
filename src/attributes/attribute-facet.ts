/** How many files have each value of an attribute, given or extracted. */
export interface AttributeFacet {
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /**
   * The most frequent first, then numbers rising, all else in the order of its characters. Values that differ only in
   * case count as one.
   */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /**
   * For an attribute with more than 10 values that are all numbers: the smallest and the largest, in its unit; `values`
   * is then empty. For more than 500 files, of all files of the company.
   */
  readonly range?: { readonly least: number; readonly most: number };
}
