import type { FileKind, FileState } from './record.js';

/** Which files of a company to list, and in what order. */
export interface CompanyListOptions {
  /** Only paths that begin with this text. Default ''. */
  readonly prefix?: string;
  /** Only files in this state. */
  readonly state?: FileState;
  /** Only files of this kind. */
  readonly kind?: FileKind;
  /** Only files of the category with this id; null: only those without one. */
  readonly category?: number | null;
  /** 'path': in the order of the characters of their paths (their UTF-8 bytes). 'addedAt': in the order in which they were put. Default 'path'. */
  readonly order?: 'path' | 'addedAt';
  /** 'falling': from the last path, or the newest. Default 'rising'. */
  readonly direction?: 'rising' | 'falling';
  /**
   * What the page before ended with: of its last record the `path`, or (in the order of 'addedAt') the `arrival`. Files that come or
   * go between two pages make the pages neither skip nor repeat others.
   */
  readonly after?: string | number;
  /** Most records returned. Default 1 000. */
  readonly limit?: number;
}
