/** What a file's index terms are derived from, besides its text. */
export interface FileLabels {
  readonly path: string;
  /** Given attributes, then extracted ones; one entry per value. */
  readonly attributes: readonly { readonly name: string; readonly unit: string; readonly value: string }[];
}
