/** What is indexed of a file: terms separated by spaces. */
export interface IndexedTerms {
  /** All that a word can be found by, in any order: terms, terms with marks, beginnings. */
  readonly words: string;
  /** The terms of each field in their order, for phrases. */
  readonly name: string;
  readonly attribute: string;
  readonly text: string;
  /** Those of the name once more, each with a mark. */
  readonly marked: string;
  /** How often each term occurs, in a form that is the maker's. */
  readonly weights: Uint8Array;
  /** Terms in all, marks not counted. */
  readonly length: number;
}

/** What must hold: FTS5 expressions for the table of words, for that of phrases, or both. One of them at least. */
export interface TermQuestion {
  readonly words?: string;
  readonly phrases?: string;
}

/** Size of a company's index. */
export interface TermFigures {
  readonly files: number;
  readonly terms: number;
}

/** What is known of a file beside the tables. */
export interface TermFacts {
  /** Terms; 0 when the file has no row. */
  readonly length: number;
  readonly weights: Uint8Array;
}
