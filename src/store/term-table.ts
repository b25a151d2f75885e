import type { Database, Statement } from 'better-sqlite3';
import { parseIds } from './id-lists.js';

/** What is indexed of a file: terms separated by spaces, one column a field. */
export interface IndexedTerms {
  readonly name: string;
  readonly attribute: string;
  readonly text: string;
  /** The name's terms once more, each with a mark; then the terms that weigh more than one occurrence in the text, each with a mark of its class. */
  readonly often: string;
  /** Terms in all, marks not counted. */
  readonly length: number;
}

/** Size of a company's index. */
export interface TermFigures {
  readonly files: number;
  readonly terms: number;
}

/**
 * What may be in a term beside letters and digits, and what marks one: a class (`@3steel`), a word written in one piece (`~ab1234`), a
 * number in one form (`=12.5`), the border between two texts (`|`), a term of the name (`!steel`, `!~ab1234`).
 */
const TOKEN_CHARACTERS = '@~=.|!';

/** Row ids are this times the class of the file's length, plus the file's id: rows then come in the order of length. */
const LENGTH_STEP = 2 ** 32;

/** Classes of length for each doubling: steps of 9 %. */
const CLASSES_PER_OCTAVE = 8;

/**
 * One company's FTS5 table. Its rows come in the order of their length, so that of many files in which a term is equally
 * frequent the best are read first. Contentless: texts are stored once, as they were read.
 */
export class TermTable {
  readonly #database: Database;
  readonly #companyId: number;
  readonly #name: string;
  readonly #insert: Statement<[number, string, string, string, string]>;
  readonly #delete: Statement<[number]>;
  readonly #count: Statement<[string], number>;
  readonly #countTerm: Statement<[string], number>;
  readonly #first: Statement<[string, number], number>;
  readonly #all: Statement<[string], string | null>;
  readonly #files: Statement<[string], Uint8Array | null>;
  readonly #holds: Statement<[number, string], number>;
  readonly #rowHolds: Statement<[number, string], number>;
  readonly #length: Statement<[number], number>;
  readonly #figures: Statement<[number], TermFigures>;
  #changes = 0;

  constructor(database: Database, companyId: number) {
    this.#database = database;
    this.#companyId = companyId;
    const name = (this.#name = tableName(companyId));
    this.#insert = database.prepare(`INSERT INTO ${name} (rowid, name, attribute, text, often) VALUES (?, ?, ?, ?, ?)`);
    this.#delete = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
    this.#count = database.prepare<[string], number>(`SELECT count(*) FROM ${name} WHERE ${name} MATCH ?`).pluck();
    // A term's rows are counted twice as fast where no expression is evaluated for each of them.
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name}_rows USING fts5vocab('main', '${name}', 'row')`);
    this.#countTerm = database.prepare<[string], number>(`SELECT doc FROM temp.${name}_rows WHERE term = ?`).pluck();
    this.#first = database.prepare<[string, number], number>(`SELECT rowid FROM ${name} WHERE ${name} MATCH ? ORDER BY rowid LIMIT ?`).pluck();
    // One string is fetched much faster than as many rows.
    this.#all = database.prepare<[string], string | null>(`SELECT group_concat(rowid) FROM ${name} WHERE ${name} MATCH ?`).pluck();
    this.#files = database.prepare<[string], Uint8Array | null>(
      `SELECT CAST(group_concat(rowid & ${LENGTH_STEP - 1}) AS BLOB) FROM ${name} WHERE ${name} MATCH ?`).pluck();
    this.#holds = database.prepare<[number, string], number>(
      `SELECT 1 FROM ${name} WHERE rowid = (SELECT row_id FROM term_row WHERE file_id = ?) AND ${name} MATCH ?`).pluck();
    // A number comes from JavaScript as a real one, which FTS5 does not take for a row.
    this.#rowHolds = database.prepare<[number, string], number>(`SELECT 1 FROM ${name} WHERE rowid = CAST(? AS INTEGER) AND ${name} MATCH ?`).pluck();
    this.#length = database.prepare<[number], number>('SELECT length FROM term_row WHERE file_id = ?').pluck();
    this.#figures = database.prepare('SELECT files, terms FROM term_total WHERE company_id = ?');
  }

  /** Makes the table where it is missing; `anew`: an empty one in any case. */
  static create(database: Database, companyId: number, { anew = false }: { anew?: boolean } = {}): void {
    const name = tableName(companyId);
    if (anew) database.exec(`DROP TABLE IF EXISTS ${name}`);
    // Terms come folded and split: the tokenizer only has to cut at spaces. Prefixes of two to four letters have indexes of their own.
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5(name, attribute, text, often,
      content = '', contentless_delete = 1, prefix = '2 3 4', tokenize = "ascii tokenchars '${TOKEN_CHARACTERS}'")`);
  }

  /** Grows with every change: what was counted before may then be otherwise. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the id of the row. */
  insert(fileId: number, { name, attribute, text, often, length }: IndexedTerms): number {
    this.#changes++;
    const rowId = lengthClass(length) * LENGTH_STEP + fileId;
    this.#insert.run(rowId, name, attribute, text, often);
    return rowId;
  }

  /** Call after {@link TermTable.create} `anew`. */
  emptied(): void {
    this.#changes++;
  }

  delete(rowId: number): void {
    this.#changes++;
    this.#delete.run(rowId);
  }

  /** Files that an FTS5 expression holds for. */
  count(match: string): number {
    return this.#count.get(match) as number;
  }

  /** Files that hold one term, in any field. */
  countTerm(term: string): number {
    return this.#countTerm.get(term) ?? 0;
  }

  /** The first rows that it holds for, shortest files first. */
  first(match: string, limit: number): number[] {
    return this.#first.all(match, limit);
  }

  /** All rows that it holds for, shortest files first. */
  all(match: string): Float64Array {
    return parseNumbers(this.#all.get(match) ?? '');
  }

  /** The files of all those rows, rising. */
  files(match: string): Uint32Array {
    return parseIds([this.#files.get(match) ?? null]);
  }

  holds(match: string, fileId: number): boolean {
    return this.#holds.get(fileId, match) !== undefined;
  }

  rowHolds(rowId: number, match: string): boolean {
    return this.#rowHolds.get(rowId, match) !== undefined;
  }

  /** Terms of a file; 0 when it has no row. */
  length(fileId: number): number {
    return this.#length.get(fileId) ?? 0;
  }

  figures(): TermFigures {
    return this.#figures.get(this.#companyId) ?? { files: 0, terms: 0 };
  }

  /** What is wrong with it; undefined when nothing is. Throws SQLite's error when it is damaged. */
  check(): string | undefined {
    const name = this.#name;
    this.#database.exec(`INSERT INTO ${name} (${name}) VALUES ('integrity-check')`);
    const rows = this.#database.prepare<[], number>(`SELECT count(*) FROM ${name}_docsize`).pluck().get() as number;
    const known = this.#database.prepare<[number], number>(
      `SELECT count(*) FROM term_row WHERE company_id = ? AND row_id IN (SELECT id FROM ${name}_docsize)`).pluck().get(this.#companyId) as number;
    const { files } = this.figures();
    return rows === known && rows === files ? undefined : `it holds ${rows} rows, of which ${known} are of the ${files} files`;
  }
}

/** The file of a row. */
export function fileOfRow(rowId: number): number {
  return rowId % LENGTH_STEP;
}

/** Terms of the row's file, to within half a class. */
export function lengthOfRow(rowId: number): number {
  return 2 ** (Math.floor(rowId / LENGTH_STEP) / CLASSES_PER_OCTAVE);
}

function lengthClass(length: number): number {
  return Math.round(CLASSES_PER_OCTAVE * Math.log2(Math.max(1, length)));
}

function tableName(companyId: number): string {
  return `terms_${companyId}`;
}

/** Whole numbers separated by commas. */
function parseNumbers(text: string): Float64Array {
  if (text === '') return new Float64Array(0);
  let count = 1;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) count++;
  const numbers = new Float64Array(count);
  let number = 0;
  let position = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c) {
      numbers[position++] = number;
      number = 0;
    } else number = 10 * number + code - 0x30;
  }
  numbers[position] = number;
  return numbers;
}
