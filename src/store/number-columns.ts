import type { Database, Statement } from 'better-sqlite3';
import type { ChangeLog } from './change-log.js';
import { readIds } from './id-lists.js';

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
  /** State of the attribute that it was read in, and where the log stood then. */
  readonly changes: number;
  readonly mark: number;
}

/** An answer of so many files is worth a column for the next. */
const WIDE = 1_024;
/** Numbers that are held at most, of all columns together; 12 bytes each. */
const MOST_NUMBERS = 2_000_000;
/** A column is mended while fewer files changed than this share of its numbers: to look a file up takes some 10 µs, to read a number 1. */
const MENDED_SHARE = 1 / 16;

/**
 * Numbers of attributes in memory, for wide ranges: SQLite takes 0.3 µs a file to tell them, and several times that where two or three files
 * share each number. A column is read (1 µs a number) when a wide range is asked for twice without a change of the attribute in
 * between. Where the attribute has changed since, the numbers of the files that changed are looked up; the column is given up when they are
 * many. The least recently used go first.
 */
export class NumberColumns {
  readonly #ofDimension: Statement<[number, string], Lists>;
  readonly #asWritten: Statement<[number], Lists>;
  readonly #log: ChangeLog;
  readonly #numbersOf: (fileId: number, asked: NumbersAsked) => readonly number[];
  readonly #columns = new Map<string, Column>();
  /** The state in which a wide range was answered without a column. */
  readonly #asked = new Map<string, number>();
  #held = 0;

  /** log: told of every file whose attributes changed. numbersOf: those of one file, as they are now. */
  constructor(database: Database, log: ChangeLog, numbersOf: (fileId: number, asked: NumbersAsked) => readonly number[]) {
    this.#log = log;
    this.#numbersOf = numbersOf;
    // Two strings are fetched four times as fast as a row for each. With 17 digits a number is read back as it was.
    const numbers = (column: string, where: string): string => `
      SELECT group_concat(printf('%!.17g', number)) AS numbers, CAST(group_concat(file_id) AS BLOB) AS files FROM (
        SELECT v.${column} AS number, ifnull(v.file_id, u.file_id) AS file_id
        FROM attribute_value AS v LEFT JOIN attribute_use AS u ON v.file_id IS NULL AND u.value_id = v.id
        WHERE v.name_id = ? AND ${where} AND coalesce(v.file_id, u.file_id) IS NOT NULL ORDER BY v.${column})`;
    this.#ofDimension = database.prepare(numbers('value', 'v.dimension = ?'));
    this.#asWritten = database.prepare(numbers('number', 'v.number IS NOT NULL'));
  }

  /** Files of the numbers within the bounds, in no order, some perhaps twice; undefined where there is no column. changes: state of the attribute now. */
  within(asked: NumbersAsked, changes: number): Uint32Array | undefined {
    const key = keyOf(asked);
    const known = this.#columns.get(key);
    if (known === undefined) return undefined;
    this.#forget(key);
    const column = known.changes === changes ? known : this.#mended(known, asked, changes);
    if (column === undefined) return undefined;
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
    const { numbers, files } = (dimension === undefined ? this.#asWritten.get(nameId) : this.#ofDimension.get(nameId, dimension))!;
    const values = numbers === null ? new Float64Array(0) : Float64Array.from(numbers.split(','), Number);
    return { values, fileIds: readIds([files]), changes, mark: this.#log.mark };
  }

  /** With the numbers that the files have now; undefined when it is not known which changed, or they are many. */
  #mended({ values, fileIds, mark }: Column, asked: NumbersAsked, changes: number): Column | undefined {
    const changed = this.#log.since(mark);
    if (changed === undefined || changed.length > MENDED_SHARE * values.length) return undefined;
    const gone = new Set(changed);
    const fresh = changed.flatMap((fileId) => this.#numbersOf(fileId, asked).map((value) => ({ value, fileId }))).sort((a, b) => a.value - b.value);
    const length = fresh.length + fileIds.reduce((count, fileId) => count + Number(!gone.has(fileId)), 0);
    const to = { values: new Float64Array(length), fileIds: new Uint32Array(length) };
    let at = 0, next = 0;
    const enter = (value: number, fileId: number): void => {
      to.values[at] = value;
      to.fileIds[at++] = fileId;
    };
    for (let i = 0; i <= values.length; i++) {
      for (; next < fresh.length && (i === values.length || fresh[next].value < values[i]); next++) enter(fresh[next].value, fresh[next].fileId);
      if (i < values.length && !gone.has(fileIds[i])) enter(values[i], fileIds[i]);
    }
    return { ...to, changes, mark: this.#log.mark };
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

/** The numbers and the files of a column, rising by number. */
interface Lists { readonly numbers: string | null; readonly files: Uint8Array | null }

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
