/** Where a piece of a page's text stands, as shares of the page, origin upper left. */
export interface StoredRun {
  /** UTF-16 offsets in the page's text. */
  readonly start: number;
  readonly end: number;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The text of one page. */
export interface StoredPage {
  /** From 1. */
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly runs?: readonly StoredRun[];
}

/** The terms of a file's text, as the worker that read it counted them. */
export interface TextTerms {
  /** In their order, separated by spaces, marks included. */
  readonly text: string;
  /** All that a word can be found by, separated by spaces, each once. */
  readonly words: string;
  /** How often each term occurs. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms. */
  readonly length: number;
}
