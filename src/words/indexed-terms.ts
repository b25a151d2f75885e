import type { FileLabels } from '../store/catalog/file-labels.js';
import type { TextTerms } from '../store/catalog/file-text.js';

/** The terms of a file as they are indexed, separated by spaces. */
export interface IndexedTerms {
  /** All entries of the words table, in any order: terms, marked terms, beginnings. */
  readonly words: string;
  /** The terms of each field in their order, for phrases. */
  readonly name: string;
  readonly attribute: string;
  readonly text: string;
  /** The terms of the name again, each with a mark. */
  readonly marked: string;
  /** How often each term occurs; see `term-weights.ts`. */
  readonly weights: Uint8Array;
  /** Number of terms, without marked ones. */
  readonly length: number;
}

/** FTS5 expressions that must match: for the words table, the phrases table, or both. At least one is given. */
export interface TermQuestion {
  readonly words?: string;
  readonly phrases?: string;
}

/** Size of a company's index. */
export interface TermFigures {
  readonly files: number;
  readonly terms: number;
}

/** Facts of a file that are stored outside the FTS5 tables. */
export interface TermFacts {
  /** Number of terms; 0 when the file has no row. */
  readonly length: number;
  readonly weights: Uint8Array;
}

/** Computes the terms of a file. */
export interface TermMaker {
  /** Raised when the same file gives other terms; all indexes are then rebuilt. */
  readonly version: number;
  readonly ofText: (pages: readonly { readonly text: string }[]) => TextTerms;
  readonly ofFile: (labels: FileLabels, text: TextTerms) => IndexedTerms;
}
