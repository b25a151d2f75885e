/** A piece of a page's text and its box in fractions of the page, origin upper left. */
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

/** The text of one page as the process that read it tells it. */
export interface DescribedPage extends Omit<StoredPage, 'runs'> {
  /** Where its pieces stand, in the form in which the room of words stores it. Absent: unknown. */
  readonly places?: string;
}

/** The terms of a file's text, counted by the worker that read it. */
export interface TextTerms {
  /** All terms in order, separated by spaces, position marks included. */
  readonly text: string;
  /** Every term that a word can be found by, once each, separated by spaces. */
  readonly words: string;
  /** How often each term occurs. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms. */
  readonly length: number;
}
