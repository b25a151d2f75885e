import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { openDerived, withDerived } from './derived-database.js';

/** Raised when a column or the meaning of its bytes changes. */
const FORMAT = 1;
/** Files whose ids differ in their low bits alone lie in one row: up to 1 024, 256 KiB of vectors. */
const BLOCK_BITS = 10;
const SCHEMA = `
  CREATE TABLE block (
    number INTEGER PRIMARY KEY,
    -- u32[files], rising; f64[files], the time at which each was indexed, ms; f32[files × 64].
    file_ids BLOB NOT NULL,
    indexed_at BLOB NOT NULL,
    vectors BLOB NOT NULL
  ) STRICT`;

/** A compact vector as it is stored. */
export interface CompactVector {
  readonly fileId: number;
  /** ms; 0: unknown, so that the next opening reads it again. */
  readonly indexedAt: number;
  /** f32[64], as bytes. */
  readonly bytes: Uint8Array;
}

/** The files of a block, rising. */
export interface CompactBlock {
  readonly fileIds: Uint32Array;
  /** f32[files × 64], as bytes. */
  readonly vectors: Uint8Array;
}

interface Row {
  readonly fileIds: Uint8Array;
  readonly indexedAt: Uint8Array;
  readonly vectors: Uint8Array;
}

/**
 * The compact vectors of a company in a database of its own below `cache/`, many in a row: for searches of a company
 * that does not fit in memory. From the rows of the catalogue, 100 000 take 98 ms, from here some 10. Derived: it may
 * be deleted while no engine is open.
 */
export class CompactTable {
  readonly #database: Database;
  readonly #listed: Statement<[], Omit<Row, 'vectors'>>;
  readonly #row: Statement<[number], Row>;
  readonly #read: Statement<[number], Omit<Row, 'indexedAt'>>;
  readonly #put: Statement<[number, Uint8Array, Uint8Array, Uint8Array]>;
  readonly #remove: Statement<[number]>;

  readonly #onDamaged: (() => void) | undefined;

  private constructor(database: Database, onDamaged: (() => void) | undefined) {
    this.#database = database;
    this.#onDamaged = onDamaged;
    this.#listed = database.prepare('SELECT file_ids AS fileIds, indexed_at AS indexedAt FROM block ORDER BY number');
    this.#row = database.prepare(
      'SELECT file_ids AS fileIds, indexed_at AS indexedAt, vectors FROM block WHERE number = ?',
    );
    this.#read = database.prepare('SELECT file_ids AS fileIds, vectors FROM block WHERE number = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM block WHERE number = ?');
  }

  /**
   * @param folder one of its own.
   * @param onDamaged called when it proves damaged: opened anew, it is made anew. Every call may then throw
   * `STORAGE_FAILED`.
   * @throws EngineError `STORAGE_FAILED`.
   */
  static open(folder: string, onDamaged?: () => void): CompactTable {
    return new CompactTable(openDerived(join(folder, 'compact.sqlite'), FORMAT, SCHEMA), onDamaged);
  }

  /** The number of the block of a file. */
  static blockOf(fileId: number): number {
    return fileId >>> BLOCK_BITS;
  }

  /** All files, rising, and the time at which each was indexed. */
  async files(): Promise<{ readonly fileIds: Uint32Array; readonly indexedAt: Float64Array }> {
    return this.#with(() => {
      const rows = this.#listed.all();
      const count = rows.reduce((sum, { fileIds }) => sum + fileIds.length / 4, 0);
      const all = { fileIds: new Uint32Array(count), indexedAt: new Float64Array(count) };
      let at = 0;
      for (const { fileIds, indexedAt } of rows) {
        all.fileIds.set(idsOf(fileIds), at);
        all.indexedAt.set(timesOf(indexedAt), at);
        at += fileIds.length / 4;
      }
      return all;
    });
  }

  /** Undefined: no file of this block is there. */
  async read(block: number): Promise<CompactBlock | undefined> {
    return this.#with(() => {
      const row = this.#read.get(block);
      return row && { fileIds: idsOf(row.fileIds), vectors: row.vectors };
    });
  }

  /** Adds or replaces files, and removes others, all or nothing. */
  async change(put: readonly CompactVector[], removed: readonly number[]): Promise<void> {
    const changes = new Map<number, Map<number, CompactVector | undefined>>();
    const note = (fileId: number, change: CompactVector | undefined): void => {
      const block = CompactTable.blockOf(fileId);
      const of = changes.get(block) ?? new Map<number, CompactVector | undefined>();
      changes.set(block, of.set(fileId, change));
    };
    for (const fileId of removed) note(fileId, undefined);
    for (const vector of put) note(vector.fileId, vector);
    this.#with(
      this.#database.transaction(() => {
        for (const [block, of] of changes) this.#change(block, of);
      }),
    );
  }

  #change(block: number, changes: ReadonlyMap<number, CompactVector | undefined>): void {
    const files = new Map<number, CompactVector | undefined>();
    const row = this.#row.get(block);
    if (row !== undefined) {
      const times = timesOf(row.indexedAt);
      const length = row.vectors.length / times.length;
      for (const [i, fileId] of idsOf(row.fileIds).entries()) {
        const bytes = row.vectors.subarray(length * i, length * (i + 1));
        files.set(fileId, { fileId, indexedAt: times[i], bytes });
      }
    }
    for (const [fileId, change] of changes) files.set(fileId, change);
    const kept = [...files.values()].filter((file) => file !== undefined).sort((a, b) => a.fileId - b.fileId);
    if (kept.length === 0) {
      this.#remove.run(block);
      return;
    }
    this.#put.run(
      block,
      bytesOf(Uint32Array.from(kept, ({ fileId }) => fileId)),
      bytesOf(Float64Array.from(kept, ({ indexedAt }) => indexedAt)),
      Buffer.concat(kept.map(({ bytes }) => bytes)),
    );
  }

  #with<T>(run: () => T): T {
    return withDerived(this.#database, this.#onDamaged, run);
  }

  close(): void {
    this.#database.close();
  }
}

// Copies, so that their starts are aligned.
function idsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

function timesOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer);
}

function bytesOf({ buffer }: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer);
}
