/** How often values of an attribute are among files, given or extracted. */
export interface AttributeFacet {
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /** The most frequent first, then in the order of their characters. Values that differ in nothing but case count as one. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /**
   * Where an attribute has more than 10 values and all are numbers: the least and the greatest, in its unit; `values` is empty then. Of more than 500
   * files those of all files of the company.
   */
  readonly range?: { readonly least: number; readonly most: number };
}
