import type { Database, Statement } from 'better-sqlite3';

/** Below this many pages (4 KB each) several segments are as fast as one. */
const LEAST_PAGES = 64;
/** Segments are merged when the largest one holds a smaller share of the pages than this. */
const LARGEST_SHARE = 0.9;

/**
 * The segments of one FTS5 table. Each write adds a small segment, and a lookup reads all of them. After many writes
 * there are about fifteen, several of them large; with one segment, a query by words takes 10 to 20 % less. SQLite
 * merges all segments at once (`optimize`: 8 s for 100 000 files) or, as here, page by page (`merge`). Each step is
 * complete in itself: search results stay the same, and after an interruption merging continues where it stopped.
 */
export class TermSegments {
  readonly #merge: Statement<[number]>;
  readonly #totalChanges: Statement<[], number>;
  readonly #next: Statement<[number], number>;
  readonly #pages: Statement<[number], number>;
  #isMerging = false;

  constructor(database: Database, table: string) {
    this.#merge = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
    this.#totalChanges = database.prepare<[], number>('SELECT total_changes()').pluck();
    // Shadow table `_idx` (FTS5 documentation, appendix B): the first term of each page of a segment. Only its columns
    // are read, none of FTS5's pages. The page number is shifted left by one bit.
    this.#next = database
      .prepare<[number], number>(`SELECT segid FROM ${table}_idx WHERE segid > ? ORDER BY segid LIMIT 1`)
      .pluck();
    this.#pages = database
      .prepare<[number], number>(`SELECT pgno >> 1 FROM ${table}_idx WHERE segid = ? ORDER BY term DESC LIMIT 1`)
      .pluck();
  }

  /** Approximate number of pages of each segment. */
  get pages(): number[] {
    const pages: number[] = [];
    for (let segment = this.#next.get(0); segment !== undefined; segment = this.#next.get(segment))
      pages.push(this.#pages.get(segment) ?? 0);
    return pages;
  }

  /** Whether a merge is under way or worth starting. */
  get isScattered(): boolean {
    if (this.#isMerging) return true;
    const pages = this.pages;
    const all = pages.reduce((sum, count) => sum + count, 0);
    return all >= LEAST_PAGES && Math.max(...pages) < LARGEST_SHARE * all;
  }

  /** Writes about this many pages of the merged segment. False: nothing is left to merge. Must run in a transaction. */
  merge(pages: number): boolean {
    const before = this.#totalChanges.get()!;
    // A negative number starts a merge of all present segments, a positive one continues it; a step that changes fewer
    // than two rows was the last.
    this.#merge.run(this.#isMerging ? pages : -pages);
    return (this.#isMerging = this.#totalChanges.get()! - before >= 2);
  }

  /** Must be called when the table was replaced. */
  forget(): void {
    this.#isMerging = false;
  }
}
