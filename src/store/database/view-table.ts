import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { openDerived, withDerived } from './derived-database.js';
import { storedJson } from './stored-json.js';

/** Raised when a column or the meaning of its bytes changes; a table of another version is made anew. */
const FORMAT = 2;
const FORMATS_OF_A_VERSION = 1_000;
const LISTED_ROWS = 8_192;
const SCHEMA = `
  CREATE TABLE view_row (
    file_id INTEGER PRIMARY KEY,
    indexed_at REAL NOT NULL,
    count INTEGER NOT NULL,
    upright INTEGER NOT NULL,
    free INTEGER NOT NULL,
    weights BLOB NOT NULL,
    rows BLOB NOT NULL
  ) STRICT;
  -- A row fills most of a page: what an opening asks of all files is read from here.
  CREATE INDEX view_row_facts ON view_row (file_id, indexed_at, count)`;

/** The short vectors of the views of a file. */
export interface ViewRowsOfFile {
  readonly fileId: number;
  /** When the file was indexed, ms; 0: unknown, so that the next opening reads it again. */
  readonly indexedAt: number;
  /** u8[count × 32]. */
  readonly rows: Uint8Array;
  readonly count: number;
  readonly upright: number;
  readonly isFree: boolean;
  /** f32[count], or empty. */
  readonly weights: Float32Array;
}

/** Many files, with the rows of all, one after another. */
export interface ViewRowsOfFiles {
  readonly files: readonly Omit<ViewRowsOfFile, 'rows' | 'indexedAt'>[];
  readonly rows: Uint8Array;
}

/**
 * The short vectors of the views of a company in a database of its own below `cache/`: for searches of a company whose
 * views do not fit in memory. Derived from the catalogue: it may be deleted while no engine is open.
 */
export class ViewTable {
  readonly #database: Database;
  readonly #read: Statement<
    [string],
    { readonly files: string; readonly weights: Uint8Array | null; readonly rows: Uint8Array | null }
  >;
  readonly #times: Statement<[number], { readonly fileId: number; readonly indexedAt: number }>;
  readonly #put: Statement<[number, number, number, number, number, Uint8Array, Uint8Array]>;
  readonly #remove: Statement<[number]>;
  readonly #views: Statement<[], number>;

  readonly #onDamaged: (() => void) | undefined;

  private constructor(database: Database, onDamaged: (() => void) | undefined) {
    this.#database = database;
    this.#onDamaged = onDamaged;
    // One row for all, as in `catalog/shapes.ts`.
    this.#read = database.prepare(`
      SELECT json_group_array(json_array(file_id, count, upright, free)) AS files,
        CAST(group_concat(weights, '') AS BLOB) AS weights, CAST(group_concat(rows, '') AS BLOB) AS rows
      FROM json_each(?) AS wanted CROSS JOIN view_row ON file_id = wanted.value`);
    this.#times = database.prepare(
      `SELECT file_id AS fileId, indexed_at AS indexedAt FROM view_row INDEXED BY view_row_facts
        WHERE file_id > ? ORDER BY file_id
        LIMIT ${LISTED_ROWS}`,
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO view_row VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM view_row WHERE file_id = ?');
    this.#views = database
      .prepare<[], number>('SELECT coalesce(sum(count), 0) FROM view_row INDEXED BY view_row_facts')
      .pluck();
  }

  /**
   * As `CompactTable.open`.
   * @param version of the views that it holds: one of another version is made anew.
   * @throws EngineError `STORAGE_FAILED`.
   */
  static open(folder: string, version: number, onDamaged?: () => void): ViewTable {
    const format = FORMATS_OF_A_VERSION * version + FORMAT;
    return new ViewTable(openDerived(join(folder, 'views.sqlite'), format, SCHEMA), onDamaged);
  }

  /** The files of the next rows, rising, with the time at which each was indexed. */
  async times(after: number): Promise<readonly { readonly fileId: number; readonly indexedAt: number }[]> {
    return this.#with(() => this.#times.all(after));
  }

  /** Number of all views. */
  async views(): Promise<number> {
    return this.#with(() => this.#views.get()!);
  }

  /** What it holds of these files, in their order. */
  async read(fileIds: Uint32Array): Promise<ViewRowsOfFiles> {
    return this.#with(() => {
      const { files, weights, rows } = this.#read.get(`[${fileIds.join()}]`)!;
      // A copy, so that its start is aligned.
      const all = new Float32Array(new Uint8Array(weights ?? []).buffer);
      let at = 0;
      return {
        files: storedJson<[number, number, number, number][]>(files, 'the views of files').map(
          ([fileId, count, upright, free]) => ({
            fileId,
            count,
            upright,
            isFree: free === 1,
            weights: upright > 0 ? all.subarray(0, 0) : all.subarray(at, (at += count)),
          }),
        ),
        rows: rows ?? new Uint8Array(),
      };
    });
  }

  /** Adds or replaces files, and removes others, all or nothing. */
  async change(put: Iterable<ViewRowsOfFile>, removed: Iterable<number>): Promise<void> {
    this.#with(
      this.#database.transaction(() => {
        for (const fileId of removed) this.#remove.run(fileId);
        for (const { fileId, indexedAt, rows, count, upright, isFree, weights } of put) {
          const bytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
          this.#put.run(fileId, indexedAt, count, upright, Number(isFree), bytes, rows);
        }
      }),
    );
  }

  #with<T>(run: () => T): T {
    return withDerived(this.#database, this.#onDamaged, run);
  }

  close(): void {
    this.#database.close();
  }
}
