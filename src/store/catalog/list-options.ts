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
  /** 'path' (default): by the UTF-8 bytes of the paths. 'addedAt': in the order in which the files were put. */
  readonly order?: 'path' | 'addedAt';
  /** 'falling': from the last path, or the newest. Default 'rising'. */
  readonly direction?: 'rising' | 'falling';
  /**
   * Of the last record of the page before: its `path`, or (in the order of 'addedAt') its `arrival`. Pages skip and
   * repeat no file when others are added or deleted between them.
   */
  readonly after?: string | number;
  /** Most records returned. Default 1 000. */
  readonly limit?: number;
}
