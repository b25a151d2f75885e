import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import type { EngineError } from '../../errors.js';
import { checksumOf } from './checksum.js';
import { checkTypes, mismatch, openDerived, spoiled, withDerived } from './derived-database.js';
import { storedJson } from './stored-json.js';

/** Raised when a column or the meaning of its bytes changes; a table of another version is made anew. */
const FORMAT = 3;
const FORMATS_OF_A_VERSION = 1_000;
const LISTED_ROWS = 8_192;
const PAGE_BYTES = 16_384;
/** Of a view. */
const ROW_BYTES = 32;
const SCHEMA = `
  CREATE TABLE view_row (
    file_id INTEGER PRIMARY KEY,
    indexed_at REAL NOT NULL,
    count INTEGER NOT NULL,
    upright INTEGER NOT NULL,
    free INTEGER NOT NULL,
    -- Of file_id, indexed_at and count; of file_id, count, upright, free, weights and rows.
    facts_checksum INTEGER NOT NULL,
    rows_checksum INTEGER NOT NULL,
    weights BLOB NOT NULL,
    rows BLOB NOT NULL
  ) STRICT;
  -- A row is some kB: what an opening asks of all files is read from here.
  CREATE INDEX view_row_facts ON view_row (file_id, indexed_at, count, facts_checksum)`;

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

/** What is listed of a file. */
export type ViewFacts = Pick<ViewRowsOfFile, 'fileId' | 'indexedAt' | 'count'>;

/**
 * The short vectors of the views of a company in a database of its own below `cache/`: for searches of a company whose
 * views do not fit in memory. Derived from the catalogue: it may be deleted while no engine is open. What is read is
 * compared with its checksum; a file whose row is lost reads as one without views.
 */
export class ViewTable {
  readonly #database: Database;
  readonly #read: Statement<
    [string],
    { readonly files: string; readonly weights: Uint8Array | null; readonly rows: Uint8Array | null }
  >;
  readonly #facts: Statement<[number], ViewFacts & { readonly checksum: number }>;
  readonly #put: Statement<[number, number, number, number, number, number, number, Uint8Array, Uint8Array]>;
  readonly #remove: Statement<[number]>;

  private constructor(database: Database) {
    this.#database = database;
    // One row for all, as in `catalog/shapes.ts`.
    this.#read = database.prepare(`
      SELECT json_group_array(json_array(file_id, count, upright, free, rows_checksum)) AS files,
        CAST(group_concat(weights, '') AS BLOB) AS weights, CAST(group_concat(rows, '') AS BLOB) AS rows
      FROM json_each(?) AS wanted CROSS JOIN view_row ON file_id = wanted.value`);
    this.#facts = database.prepare(
      `SELECT file_id AS fileId, indexed_at AS indexedAt, count, facts_checksum AS checksum
        FROM view_row INDEXED BY view_row_facts
        WHERE file_id > ? ORDER BY file_id
        LIMIT ${LISTED_ROWS}`,
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO view_row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM view_row WHERE file_id = ?');
  }

  /**
   * As `CompactTable.open`.
   * @param version of the views that it holds: one of another version is made anew.
   * @throws EngineError `STORAGE_FAILED`, as does every call.
   */
  static open(folder: string, version: number): ViewTable {
    const format = FORMATS_OF_A_VERSION * version + FORMAT;
    const schema = { format, tables: SCHEMA, pageBytes: PAGE_BYTES };
    return openDerived(join(folder, 'views.sqlite'), schema, (database) => new ViewTable(database));
  }

  /** The files of the next rows, rising, with the time at which each was indexed and the number of its views. */
  async facts(after: number): Promise<readonly ViewFacts[]> {
    return this.#with(() => {
      const rows = this.#facts.all(after);
      for (const { fileId, indexedAt, count, checksum } of rows) {
        const what = `file ${fileId} in a list of views`;
        checkTypes(what, [fileId, indexedAt, count]);
        if (checksumOf([fileId, indexedAt, count]) !== checksum) throw mismatch(what);
      }
      return rows;
    });
  }

  /** What it holds of these files, in their order. */
  async read(fileIds: Uint32Array): Promise<ViewRowsOfFiles> {
    return this.#with(() => {
      const found = this.#read.get(`[${fileIds.join()}]`)!;
      // A copy, so that its start is aligned.
      const weights = new Float32Array(new Uint8Array(found.weights ?? []).buffer);
      const rows = found.rows ?? new Uint8Array();
      let [weight, row] = [0, 0];
      const files = storedJson<[number, number, number, number, number][]>(found.files, 'the views of files').map(
        ([fileId, count, upright, free, checksum]) => {
          const what = `the views of file ${fileId}`;
          checkTypes(what, [fileId, count, upright, free]);
          const own = weights.subarray(weight, upright > 0 ? weight : (weight += count));
          const from = row;
          row += ROW_BYTES * count;
          if (checksumOf([fileId, count, upright, free], bytesOf(own), rows.subarray(from, row)) !== checksum)
            throw mismatch(what);
          return { fileId, count, upright, isFree: free === 1, weights: own };
        },
      );
      return { files, rows };
    });
  }

  /** Adds or replaces files, and removes others, all or nothing. */
  async change(put: Iterable<ViewRowsOfFile>, removed: Iterable<number>): Promise<void> {
    this.#with(
      this.#database.transaction(() => {
        for (const fileId of removed) this.#remove.run(fileId);
        for (const { fileId, indexedAt, rows, count, upright, isFree, weights } of put) {
          const [free, own] = [Number(isFree), bytesOf(weights)];
          const facts = checksumOf([fileId, indexedAt, count]);
          const checksum = checksumOf([fileId, count, upright, free], own, rows);
          this.#put.run(fileId, indexedAt, count, upright, free, facts, checksum, own, rows);
        }
      }),
    );
  }

  #with<T>(run: () => T): T {
    return withDerived(this.#database, run);
  }

  /** Has the next opening make it anew; returns what to throw. */
  spoil(): EngineError {
    return spoiled(this.#database);
  }

  close(): void {
    this.#database.close();
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
