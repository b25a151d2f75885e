import type { Database, Statement } from 'better-sqlite3';

/** A bound on a number. */
export interface Bound {
  readonly operator: '<' | '<=' | '>' | '>=';
  readonly value: number;
}

/** The numbers of one attribute: those of a dimension in its base unit, or (dimension undefined) those without a unit as written. */
export interface NumbersAsked {
  readonly nameId: number;
  readonly dimension: string | undefined;
  readonly bounds: readonly Bound[];
}

/** Numbers, rising, and whose they are. */
interface Column {
  readonly values: Float64Array;
  readonly fileIds: Uint32Array;
  /** State of the attribute that it was read in. */
  readonly changes: number;
}

/** An answer of so many files is worth a column for the next. */
const WIDE = 1_024;
/** Numbers that are held at most, of all columns together; 12 bytes each. */
const MOST_NUMBERS = 2_000_000;

/**
 * Numbers of attributes in memory, for wide ranges: SQLite takes 0.3 µs a file to tell them, and several times that where two or three files
 * share each number. A column is read (0.6 µs a number) when a wide range is asked for twice without a change of the attribute in
 * between, and given up when the attribute has changed. The least recently used go first.
 */
export class NumberColumns {
  readonly #ofDimension: Statement<[number, string], [number, number]>;
  readonly #asWritten: Statement<[number], [number, number]>;
  readonly #columns = new Map<string, Column>();
  /** The state in which a wide range was answered without a column. */
  readonly #asked = new Map<string, number>();
  #held = 0;

  constructor(database: Database) {
    const numbers = (column: string, where: string): string => `
      SELECT v.${column}, ifnull(v.file_id, u.file_id) FROM attribute_value AS v LEFT JOIN attribute_use AS u ON v.file_id IS NULL AND u.value_id = v.id
      WHERE v.name_id = ? AND ${where} AND coalesce(v.file_id, u.file_id) IS NOT NULL ORDER BY v.${column}`;
    this.#ofDimension = database.prepare<[number, string], [number, number]>(numbers('value', 'v.dimension = ?')).raw();
    this.#asWritten = database.prepare<[number], [number, number]>(numbers('number', 'v.number IS NOT NULL')).raw();
  }

  /** Files of the numbers within the bounds, in no order, some perhaps twice; undefined where there is no column. changes: state of the attribute now. */
  within(asked: NumbersAsked, changes: number): Uint32Array | undefined {
    const key = keyOf(asked);
    const column = this.#columns.get(key);
    if (column === undefined) return undefined;
    this.#forget(key);
    if (column.changes !== changes) return undefined;
    this.#keep(key, column);
    let from = 0, to = column.values.length;
    for (const { operator, value } of asked.bounds) {
      const at = placeOf(column.values, value, operator === '<=' || operator === '>');
      if (operator[0] === '<') to = Math.min(to, at);
      else from = Math.max(from, at);
    }
    return column.fileIds.slice(from, Math.max(from, to));
  }

  /** An answer was read from the catalogue. numbers: how many the attribute has at most. */
  answered(asked: NumbersAsked, changes: number, files: number, numbers: number): void {
    if (files < WIDE || numbers > MOST_NUMBERS) return;
    const key = keyOf(asked);
    if (this.#asked.get(key) === changes) {
      this.#asked.delete(key);
      this.#keep(key, this.#read(asked, changes));
      return;
    }
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear();
    this.#asked.set(key, changes);
  }

  #read({ nameId, dimension }: NumbersAsked, changes: number): Column {
    const rows = dimension === undefined ? this.#asWritten.all(nameId) : this.#ofDimension.all(nameId, dimension);
    const values = new Float64Array(rows.length), fileIds = new Uint32Array(rows.length);
    for (let i = 0; i < rows.length; i++) [values[i], fileIds[i]] = rows[i];
    return { values, fileIds, changes };
  }

  #keep(key: string, column: Column): void {
    this.#columns.set(key, column);
    this.#held += column.values.length;
    for (const oldest of this.#columns.keys()) {
      if (this.#held <= MOST_NUMBERS) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#held -= this.#columns.get(key)?.values.length ?? 0;
    this.#columns.delete(key);
  }
}

/** Questions that are remembered. */
const MOST_ASKED = 1_000;

function keyOf({ nameId, dimension }: NumbersAsked): string {
  return `${nameId} ${dimension ?? '='}`;
}

/** The first place of a value that is not below `value`; `after`: that is above it. */
function placeOf(values: Float64Array, value: number, after: boolean): number {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (after ? values[middle] <= value : values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
