import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { CATALOG_VERSION } from '../catalog/migrations.js';
import { withCodedErrors } from '../database/coded-errors.js';
import { prepared } from '../database/prepared.js';
import type { ChangeName } from './change-rows.js';
import { keyPlaces, quoted, SEQUENCES, type RowValue, type TableChange, type TableShape } from './table-shapes.js';
import { openDatabase } from '../database/open-database.js';

/** Pages that the connection which applies changes keeps in memory, KiB. */
const CACHE_KIB = 16 * 1024;

/** How long to wait for another program that reads the replica, ms. */
const BUSY_TIMEOUT_MS = 5_000;

/** What a replica knows of itself: its library, and the last change that it holds. */
interface ReplicaFacts extends ChangeName {
  readonly library: string;
}

/**
 * Makes a catalogue a replica: its triggers become temporary ones of the connection that runs writes, because what they
 * do arrives as rows in every other replica. Call it on each connection that runs writes, before it prepares
 * statements.
 */
export function openAsReplica(database: Database.Database): void {
  database
    .transaction(() => {
      database.exec(`
        CREATE TABLE IF NOT EXISTS replica (library TEXT NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS replica_batch (batch TEXT NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS replica_trigger (name TEXT PRIMARY KEY, sql TEXT NOT NULL) STRICT`);
      const found = database
        .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
        .all();
      for (const { name, sql } of found) {
        prepared(database, 'INSERT OR REPLACE INTO replica_trigger (name, sql) VALUES (?, ?)').run(name, sql);
        database.exec(`DROP TRIGGER main.${quoted(name)}`);
      }
    })
    .immediate();
  const kept = database.prepare<[], string>('SELECT sql FROM replica_trigger ORDER BY name').pluck().all();
  for (const sql of kept) database.exec(sql.replace(/^CREATE TRIGGER/, 'CREATE TEMP TRIGGER'));
}

/**
 * The connection that brings a replica up to date with the shared database: rows as they are there, with neither
 * triggers nor foreign keys, because what those do arrives as rows too.
 */
export class Replica {
  readonly database: Database.Database;
  readonly #places = new Map<TableShape, readonly number[]>();

  constructor(folder: string) {
    this.database = withCodedErrors(openDatabase(join(folder, 'catalog.sqlite'), { timeout: BUSY_TIMEOUT_MS }));
    // What a power cut undoes is read from the shared database again.
    this.database.pragma('synchronous = NORMAL');
    this.database.pragma('foreign_keys = OFF');
    this.database.pragma('temp_store = MEMORY');
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
  }

  /**
   * Which library it is a replica of and the number of the last change that it holds; undefined: it is new or of
   * another version.
   */
  get facts(): ReplicaFacts | undefined {
    const found = prepared<[number], { library: string; number: number; batch: string | null }>(
      this.database,
      'SELECT library, number, (SELECT batch FROM replica_batch) AS batch FROM replica WHERE version = ?',
    ).get(CATALOG_VERSION);
    return found && { ...found, batch: found.batch ?? undefined };
  }

  /** The last change that it holds; 0: none. */
  get held(): ChangeName {
    return this.facts ?? { number: 0, batch: undefined };
  }

  /** Number of the last change that it holds. */
  get number(): number {
    return this.held.number;
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
  }

  /** Changes rows inside the transaction: first all that go or come, so that no two have one unique value meanwhile. */
  put(changes: readonly TableChange[]): void {
    for (const { shape, rows, gone } of changes) {
      const remove = prepared<RowValue[], unknown>(
        this.database,
        `DELETE FROM ${quoted(shape.name)} WHERE ${shape.key.map((name) => `${quoted(name)} = ?`).join(' AND ')}`,
      );
      for (const key of gone) remove.run(...key);
      if (shape.name !== SEQUENCES) for (const row of rows) remove.run(...this.#keyPlaces(shape).map((at) => row[at]));
    }
    for (const { shape, rows } of changes) {
      // Last, because inserting rows with ids makes or raises these.
      if (shape.name === SEQUENCES)
        for (const [name] of rows) prepared(this.database, `DELETE FROM ${SEQUENCES} WHERE name = ?`).run(name);
      const insert = prepared<RowValue[], unknown>(
        this.database,
        `INSERT INTO ${quoted(shape.name)} (${shape.columns.map(({ name }) => quoted(name)).join(', ')})
         VALUES (${shape.columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) insert.run(...row);
    }
  }

  /** Notes what it holds and commits. */
  commit({ library, number, batch }: ReplicaFacts): void {
    prepared(this.database, 'DELETE FROM replica_batch').run();
    if (batch !== undefined) prepared(this.database, 'INSERT INTO replica_batch (batch) VALUES (?)').run(batch);
    prepared(this.database, 'DELETE FROM replica').run();
    prepared(this.database, 'INSERT INTO replica (library, number, version) VALUES (?, ?, ?)').run(
      library,
      number,
      CATALOG_VERSION,
    );
    this.database.exec('COMMIT');
  }

  rollBack(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
  }

  close(): void {
    this.database.close();
  }

  #keyPlaces(shape: TableShape): readonly number[] {
    let places = this.#places.get(shape);
    if (places === undefined) this.#places.set(shape, (places = keyPlaces(shape)));
    return places;
  }
}
