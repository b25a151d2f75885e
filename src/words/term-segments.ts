import type { Database, Statement } from 'better-sqlite3';

/** An index of fewer pages (4 KB each) is searched as fast in several segments. */
const LEAST_PAGES = 64;
/** Segments are merged when the largest holds a smaller share of the pages than this. */
const LARGEST_SHARE = 0.9;

/**
 * The segments in which FTS5 keeps one table: each write adds a small one, and a term is looked up in all of them. After many writes there are
 * some fifteen, of which several are large; in one, a query by words takes a tenth to a fifth less. SQLite merges all of them at once
 * (`optimize`: 8 s for 100 000 files) or, as here, page by page (`merge`), each step whole in itself: what is found stays the same, and whoever is
 * interrupted goes on from there.
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
    // The first terms of pages, by segment; a page's number stands one bit to the left.
    this.#next = database
      .prepare<[number], number>(`SELECT segid FROM ${table}_idx WHERE segid > ? ORDER BY segid LIMIT 1`)
      .pluck();
    this.#pages = database
      .prepare<[number], number>(`SELECT pgno >> 1 FROM ${table}_idx WHERE segid = ? ORDER BY term DESC LIMIT 1`)
      .pluck();
  }

  /** Pages of each segment, about. */
  get pages(): number[] {
    const pages: number[] = [];
    for (let segment = this.#next.get(0); segment !== undefined; segment = this.#next.get(segment))
      pages.push(this.#pages.get(segment) ?? 0);
    return pages;
  }

  /** Whether merging is begun or worth it. */
  get isScattered(): boolean {
    if (this.#isMerging) return true;
    const pages = this.pages;
    const all = pages.reduce((sum, count) => sum + count, 0);
    return all >= LEAST_PAGES && Math.max(...pages) < LARGEST_SHARE * all;
  }

  /** Writes about so many pages of one segment that takes all in. False: there is nothing left to do. Call it in a transaction. */
  merge(pages: number): boolean {
    const before = this.#totalChanges.get()!;
    // A negative number begins with all segments that there are then, others go on with what is begun; one that changed nothing was the last.
    this.#merge.run(this.#isMerging ? pages : -pages);
    return (this.#isMerging = this.#totalChanges.get()! - before >= 2);
  }

  /** The table is another one. */
  forget(): void {
    this.#isMerging = false;
  }
}
