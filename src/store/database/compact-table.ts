import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import type { EngineError } from '../../errors.js';
import { checksumOf } from './checksum.js';
import { checkTypes, mismatch, openDerived, spoiled, withDerived } from './derived-database.js';

/** Raised when a column or the meaning of its bytes changes. */
const FORMAT = 2;
/** A row of 1 024 files is some 280 kB. */
const PAGE_BYTES = 65_536;
/** Files whose ids differ in their low bits alone lie in one row: up to 1 024, 256 KiB of vectors. */
const BLOCK_BITS = 10;
const SCHEMA = `
  CREATE TABLE block (
    number INTEGER PRIMARY KEY,
    -- u32[files], rising; f64[files], the time at which each was indexed, ms; f32[files × 64].
    file_ids BLOB NOT NULL,
    indexed_at BLOB NOT NULL,
    vectors BLOB NOT NULL,
    -- Of the number, file_ids and indexed_at; of the number, file_ids and vectors.
    facts_checksum INTEGER NOT NULL,
    vectors_checksum INTEGER NOT NULL
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

interface Facts {
  readonly number: number;
  readonly fileIds: Uint8Array;
  readonly indexedAt: Uint8Array;
  readonly factsChecksum: number;
}

interface Vectors {
  readonly fileIds: Uint8Array;
  readonly vectors: Uint8Array;
  readonly vectorsChecksum: number;
}

/**
 * The compact vectors of a company in a database of its own below `cache/`, many in a row: for searches of a company
 * that does not fit in memory. From the rows of the catalogue, 100 000 take 98 ms, from here some 10. Derived: it may
 * be deleted while no engine is open. What is read is compared with its checksum; a block whose row is lost reads as
 * one without files.
 */
export class CompactTable {
  readonly #database: Database;
  readonly #listed: Statement<[], Facts>;
  readonly #facts: Statement<[number], Facts>;
  readonly #read: Statement<[number], Vectors>;
  readonly #put: Statement<[number, Uint8Array, Uint8Array, Uint8Array, number, number]>;
  readonly #remove: Statement<[number]>;

  private constructor(database: Database) {
    const facts =
      'SELECT number, file_ids AS fileIds, indexed_at AS indexedAt, facts_checksum AS factsChecksum FROM block';
    this.#database = database;
    this.#listed = database.prepare(`${facts} ORDER BY number`);
    this.#facts = database.prepare(`${facts} WHERE number = ?`);
    this.#read = database.prepare(
      'SELECT file_ids AS fileIds, vectors, vectors_checksum AS vectorsChecksum FROM block WHERE number = ?',
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM block WHERE number = ?');
  }

  /**
   * @param folder one of its own; made where it is missing.
   * @throws EngineError `STORAGE_FAILED`, as does every call; see `isDamage`. Damaged, it is made anew by the next
   * opening.
   */
  static open(folder: string): CompactTable {
    const schema = { format: FORMAT, tables: SCHEMA, pageBytes: PAGE_BYTES };
    return openDerived(join(folder, 'compact.sqlite'), schema, (database) => new CompactTable(database));
  }

  /** The number of the block of a file. */
  static blockOf(fileId: number): number {
    return fileId >>> BLOCK_BITS;
  }

  /** All files, rising, and the time at which each was indexed. */
  async files(): Promise<{ readonly fileIds: Uint32Array; readonly indexedAt: Float64Array }> {
    return this.#with(() => {
      const rows = this.#listed.all();
      for (const row of rows) checkFacts(row);
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
      const row = this.#vectorsOf(block);
      return row && { fileIds: idsOf(row.fileIds), vectors: row.vectors };
    });
  }

  #vectorsOf(block: number): Vectors | undefined {
    const row = this.#read.get(block);
    if (row === undefined) return undefined;
    const what = `block ${block} of ${this.#database.name}`;
    checkTypes(what, [], row.fileIds, row.vectors);
    if (checksumOf([block], row.fileIds, row.vectors) !== row.vectorsChecksum) throw mismatch(what);
    return row;
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
    const facts = this.#facts.get(block);
    const row = this.#vectorsOf(block);
    if (facts !== undefined && row !== undefined) {
      checkFacts(facts);
      const times = timesOf(facts.indexedAt);
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
    const fileIds = bytesOf(Uint32Array.from(kept, ({ fileId }) => fileId));
    const indexedAt = bytesOf(Float64Array.from(kept, ({ indexedAt: time }) => time));
    const vectors = Buffer.concat(kept.map(({ bytes }) => bytes));
    const checksums = [checksumOf([block], fileIds, indexedAt), checksumOf([block], fileIds, vectors)] as const;
    this.#put.run(block, fileIds, indexedAt, vectors, ...checksums);
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

function checkFacts({ number, fileIds, indexedAt, factsChecksum }: Facts): void {
  const what = `the list of block ${number}`;
  checkTypes(what, [], fileIds, indexedAt);
  if (checksumOf([number], fileIds, indexedAt) !== factsChecksum) throw mismatch(what);
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
