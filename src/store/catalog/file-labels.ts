/** What the terms of a file are made of, beside its text. */
export interface FileLabels {
  readonly path: string;
  /** Given attributes, then extracted ones; an entry for each value. */
  readonly attributes: readonly { readonly name: string; readonly unit: string; readonly value: string }[];
}
