import type { AttributeCondition } from '../attributes/attribute-condition.js';
import type { StoredPage } from '../store/catalog/file-text.js';
import type { HighlightsRead } from './text-highlights.js';
import type { TextQuery } from './text-query.js';

/** The requested part of a ranking. */
export interface RankOptions {
  readonly limit: number;
  readonly offset: number;
  /** Only these files, rising ids. Absent: all files. */
  readonly allow?: Uint32Array;
}

/** A part of a ranking. */
export interface RankedFiles {
  /**
   * Best first. Files of equal score are ordered by UID if all matching files are scored and at most `MOST_TIES` have
   * that score; otherwise by id, which is the order of arrival.
   */
  readonly fileIds: number[];
  /** Lower is better: 1 / (1 + BM25), above 0 and below 1. */
  readonly scores: number[];
  /** Number of files that match (and are allowed). */
  readonly total: number;
}

/** The part of a file's text to read. */
export interface PagesOptions {
  /** Number of the first page. */
  readonly from: number;
  /** No further page is read once this many UTF-16 units were read. */
  readonly characters: number;
}

/** What to highlight in a file, besides the words of a query. */
export interface HighlightOptions {
  /**
   * Most UTF-16 units of text and attributes to read; with 0 only the path is read, and only for words. Default: no
   * bound.
   */
  readonly characters?: number;
  /** Conditions on attributes whose matching values are highlighted. Default none. */
  readonly conditions?: readonly AttributeCondition[];
}

/**
 * Searches texts, names and attribute values by words, and reads texts. Each call sees one state of the catalogue.
 * All but {@link pages} throw EngineError `QUERY_INVALID` for too many terms and `LIBRARY_DAMAGED`.
 */
export interface WordDoor {
  /** Ids of the files of a company that match a query, rising. */
  matching(companyId: number, query: TextQuery): Promise<Uint32Array>;
  /** Those of these files that match a query, in the given order. */
  those(companyId: number, fileIds: Uint32Array, query: TextQuery): Promise<Uint32Array>;
  /** Whether {@link those} takes no longer for a file than {@link matching}, and {@link count} no time. */
  isKept(companyId: number, query: TextQuery): Promise<boolean>;
  /** Number of indexed files of a company. */
  size(companyId: number): Promise<number>;
  /** Exact number of files that match a query; takes a few milliseconds when most of 100 000 files match. */
  count(companyId: number, query: TextQuery): Promise<number>;
  /** A text with words that no file has replaced by near ones that some file has, the nearest first; none: none is. */
  respelled(companyId: number, text: string): Promise<readonly string[]>;
  /** The best files for a query. */
  ranked(companyId: number, query: TextQuery, options: RankOptions): Promise<RankedFiles>;
  /**
   * The matches of a query in a file, text first, and the attribute values that meet conditions; bounded by
   * HIGHLIGHT_LIMITS.
   */
  highlights(companyId: number, fileId: number, query: TextQuery, options: HighlightOptions): Promise<HighlightsRead>;
  /** The pages of a file with text, in page order. */
  pages(fileId: number, options: PagesOptions): Promise<StoredPage[]>;
}
