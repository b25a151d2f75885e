import type { Database, Statement } from 'better-sqlite3';
import {
  KEY_COLUMNS,
  keyPlaces,
  quoted,
  SEQUENCES,
  type RowValue,
  type TableChange,
  type TableShape,
} from './table-shapes.js';

type Row = readonly RowValue[];

/** Statements that read what was noted of one table. */
interface TableNotes {
  readonly shape: TableShape;
  /** The noted rows that are there: company, then the columns. */
  readonly rows: Statement<[number], Row>;
  /** The noted keys that are gone. */
  readonly gone: Statement<[number], Row>;
  /** The company of the row with a key. */
  readonly company: Statement<RowValue[], number>;
  /** The hash of the bytes that the row with a key names; of tables whose rows name bytes. */
  readonly hash: Statement<RowValue[], string> | undefined;
}

/** The column of tables whose rows name bytes. */
const HASH = 'blob_hash';

/**
 * Notes which rows a transaction changes, by temporary triggers on every shared table. The notes are undone with the
 * transaction, also with a savepoint of it.
 */
export class RowNotes {
  readonly #tables: readonly TableNotes[];
  readonly #clear: Statement<[]>;
  readonly #sequences: Statement<[], Row>;
  #sequencesBefore: readonly Row[] = [];

  /** Call it once for a connection. */
  constructor(database: Database, shapes: readonly TableShape[]) {
    // Without it, INSERT OR REPLACE deletes rows and no trigger tells.
    database.pragma('recursive_triggers = ON');
    const keys = Array.from({ length: KEY_COLUMNS }, (_, at) => `k${at}`);
    database.exec(`CREATE TEMP TABLE noted (place INTEGER, ${keys.join(', ')})`);
    this.#tables = shapes.map((shape, place) => notesOf(database, shape, place));
    this.#clear = database.prepare('DELETE FROM temp.noted');
    this.#sequences = database.prepare<[], Row>(`SELECT 0, name, seq FROM ${SEQUENCES} ORDER BY name`).raw();
  }

  /** Call it inside the transaction, before its first change. */
  begin(): void {
    this.#clear.run();
    this.#sequencesBefore = this.#sequences.all();
  }

  /**
   * What the transaction changed so far. Call it inside the transaction; complete it with {@link withCompanies} when
   * the transaction is rolled back.
   */
  changes(): TableChange[] {
    const changes: TableChange[] = [];
    for (const [place, { shape, rows, gone }] of this.#tables.entries()) {
      const found = shape.name === SEQUENCES ? this.#sequenceRows() : rows.all(place);
      const lost = shape.name === SEQUENCES ? [] : gone.all(place);
      if (found.length + lost.length === 0) continue;
      changes.push({
        shape,
        rows: found.map((row) => row.slice(1)),
        companies: found.map(([company]) => company as number),
        gone: lost,
        goneCompanies: [],
      });
    }
    return changes;
  }

  /**
   * Finds the companies of rows that are gone, in the state before the transaction; rows of the transaction drop out.
   */
  withCompanies(changes: readonly TableChange[]): TableChange[] {
    return changes
      .map((change) => {
        const { company } = this.#tables.find(({ shape }) => shape === change.shape)!;
        const known = change.gone.map((key) => company.get(...key));
        return {
          ...change,
          gone: change.gone.filter((_, at) => known[at] !== undefined),
          goneCompanies: known.filter((one) => one !== undefined),
        };
      })
      .filter(({ rows, gone }) => rows.length + gone.length > 0);
  }

  /**
   * Hashes of bytes that rows named before the transaction and do not name after it, in order; others may name them
   * still. Call it when the transaction is rolled back.
   */
  unnamed(changes: readonly TableChange[]): string[] {
    const found = new Set<string>();
    for (const { shape, rows, gone } of changes) {
      const { hash } = this.#tables.find((table) => table.shape === shape)!;
      if (hash === undefined) continue;
      const at = shape.columns.findIndex(({ name }) => name === HASH);
      const places = keyPlaces(shape);
      const keysOf = (row: Row): RowValue[] => places.map((place) => row[place]);
      const after = [
        ...gone.map((key) => ({ key, now: undefined })),
        ...rows.map((r) => ({ key: keysOf(r), now: r[at] })),
      ];
      for (const { key, now } of after) {
        const before = hash.get(...key);
        if (before !== undefined && before !== now) found.add(before);
      }
    }
    return [...found].sort();
  }

  #sequenceRows(): Row[] {
    const before = new Map(this.#sequencesBefore.map(([, name, seq]) => [name, seq]));
    return this.#sequences.all().filter(([, name, seq]) => before.get(name) !== seq);
  }
}

function notesOf(database: Database, shape: TableShape, place: number): TableNotes {
  const { columns, key, company } = shape;
  const name = `main.${quoted(shape.name)}`;
  const keys = key.map((_, at) => `k${at}`);
  if (shape.name !== SEQUENCES) {
    const note = (row: string): string =>
      `INSERT INTO noted (place, ${keys.join(', ')}) VALUES (${place}, ${key.map((one) => `${row}.${quoted(one)}`).join(', ')});`;
    for (const [event, rows] of [
      ['INSERT', ['new']],
      ['UPDATE', ['old', 'new']],
      ['DELETE', ['old']],
    ] as const)
      database.exec(
        `CREATE TEMP TRIGGER "note ${event} ${shape.name}" AFTER ${event} ON ${name} BEGIN ${rows.map(note).join(' ')} END`,
      );
  }
  const noted = `(SELECT DISTINCT ${keys.join(', ')} FROM temp.noted WHERE place = ?) AS n`;
  const same = key.map((one, at) => `t.${quoted(one)} = n.k${at}`).join(' AND ');
  const byKey = `FROM ${name} AS t WHERE ${key.map((one) => `${quoted(one)} = ?`).join(' AND ')}`;
  const namesBytes = columns.some((column) => column.name === HASH);
  return {
    shape,
    rows: database
      .prepare<[number], Row>(
        `SELECT ${company}, ${columns.map((column) => `t.${quoted(column.name)}`).join(', ')}
         FROM ${noted} CROSS JOIN ${name} AS t ON ${same}`,
      )
      .raw(),
    gone: database
      .prepare<[number], Row>(
        `SELECT ${keys.join(', ')} FROM ${noted} WHERE NOT EXISTS (SELECT 1 FROM ${name} AS t WHERE ${same})`,
      )
      .raw(),
    company: database.prepare<RowValue[], number>(`SELECT ${company} ${byKey}`).pluck(),
    hash: namesBytes ? database.prepare<RowValue[], string>(`SELECT ${HASH} ${byKey}`).pluck() : undefined,
  };
}
