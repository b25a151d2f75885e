import type { Database, Statement } from 'better-sqlite3';
import { parseIds, readIds } from '../store/database/id-lists.js';
import type { IndexedTerms, TermFacts, TermFigures, TermQuestion } from './indexed-terms.js';
import { TermSegments } from './term-segments.js';

/** The step of the catalogue that brings the frequencies of a file's terms; what is indexed already is made again. */
export const WEIGHTS_STEP = `ALTER TABLE term_row ADD COLUMN weights BLOB NOT NULL DEFAULT x'';`;

/** What may be in a term beside letters and digits: marks; see MARKS of the index. */
const TOKEN_CHARACTERS = '@~=.|!$<';

/** Row ids are this times the class of the file's length, plus the file's id: rows then come in the order of length. */
const LENGTH_STEP = 2 ** 32;

/** Classes of length for each doubling: steps of 9 %. */
const CLASSES_PER_OCTAVE = 8;

/** Rows that are looked up one by one in the other table: a search of it for all of them takes as long as some twenty of those. */
const SINGLY = 20;

const NO_FACTS: TermFacts = Object.freeze({ length: 0, weights: new Uint8Array(0) });

/**
 * One company's two FTS5 tables. That of words knows which files hold a word, a class of frequency or a beginning, and not where: positions
 * of beginnings alone would take as much room as all else. That of phrases knows where the terms stand. Their rows have the same ids and
 * come in the order of the files' length, so that of many files in which a term is equally frequent the best are read first. Contentless:
 * texts are stored once, as they were read.
 */
export class TermTable {
  readonly #database: Database;
  readonly #companyId: number;
  readonly #words: string;
  readonly #phrases: string;
  readonly #insertWords: Statement<[number, string]>;
  readonly #insertPhrases: Statement<[number, string, string, string, string]>;
  readonly #deletes: readonly Statement<[number]>[];
  readonly #inWords: OneTable;
  readonly #inPhrases: OneTable;
  readonly #countTerm: Statement<[string], number>;
  readonly #rowOf: Statement<[number], number>;
  readonly #facts: Statement<[number], TermFacts>;
  readonly #manyFacts: Statement<[string], [number, number, Uint8Array]>;
  readonly #lengths: Statement<[string], { files: Uint8Array | null; lengths: Uint8Array | null }>;
  readonly #figures: Statement<[number], TermFigures>;
  readonly #segments: readonly TermSegments[];
  #changes = 0;
  /** State in which there was nothing to merge. */
  #mergedAt = -1;

  constructor(database: Database, companyId: number) {
    this.#database = database;
    this.#companyId = companyId;
    const { words, phrases } = tableNames(companyId);
    this.#words = words;
    this.#phrases = phrases;
    this.#insertWords = database.prepare(`INSERT INTO ${words} (rowid, words) VALUES (?, ?)`);
    this.#insertPhrases = database.prepare(
      `INSERT INTO ${phrases} (rowid, name, attribute, text, marked) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#deletes = [words, phrases].map((name) => database.prepare(`DELETE FROM ${name} WHERE rowid = ?`));
    this.#segments = [words, phrases].map((name) => new TermSegments(database, name));
    this.#inWords = new OneTable(database, words);
    this.#inPhrases = new OneTable(database, phrases);
    // A term's rows are counted twice as fast where no expression is evaluated for each of them.
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${words}_rows USING fts5vocab('main', '${words}', 'row')`);
    this.#countTerm = database.prepare<[string], number>(`SELECT doc FROM temp.${words}_rows WHERE term = ?`).pluck();
    this.#rowOf = database.prepare<[number], number>('SELECT row_id FROM term_row WHERE file_id = ?').pluck();
    this.#facts = database.prepare('SELECT length, weights FROM term_row WHERE file_id = ?');
    const rows = 'FROM json_each(?) AS j CROSS JOIN term_row ON file_id = j.value';
    this.#manyFacts = database
      .prepare<[string], [number, number, Uint8Array]>(`SELECT file_id, length, weights ${rows}`)
      .raw();
    this.#lengths = database.prepare(
      `SELECT CAST(group_concat(file_id) AS BLOB) AS files, CAST(group_concat(length) AS BLOB) AS lengths ${rows}`,
    );
    this.#figures = database.prepare('SELECT files, terms FROM term_total WHERE company_id = ?');
  }

  /** Makes the tables where they are missing; `anew`: empty ones in any case. */
  static create(database: Database, companyId: number, { anew = false }: { anew?: boolean } = {}): void {
    const { words, phrases, former } = tableNames(companyId);
    if (anew) for (const name of [words, phrases, former]) database.exec(`DROP TABLE IF EXISTS ${name}`);
    // Terms come folded and split: the tokenizer only has to cut at spaces.
    const common = `content = '', contentless_delete = 1, tokenize = "ascii tokenchars '${TOKEN_CHARACTERS}'"`;
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5(words, detail = none, ${common});
      CREATE VIRTUAL TABLE IF NOT EXISTS ${phrases} USING fts5(name, attribute, text, marked, ${common})`);
  }

  /** Grows with every change: what was counted before may then be otherwise. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the id of the row. */
  insert(fileId: number, { words, name, attribute, text, marked, length }: IndexedTerms): number {
    this.#changes++;
    const rowId = lengthClass(length) * LENGTH_STEP + fileId;
    this.#insertWords.run(rowId, words);
    this.#insertPhrases.run(rowId, name, attribute, text, marked);
    return rowId;
  }

  /** Call after {@link TermTable.create} `anew`. */
  emptied(): void {
    this.#changes++;
    for (const segments of this.#segments) segments.forget();
  }

  /** One step towards one segment a table, of about so many pages; see {@link TermSegments}. False: nothing is left to do. */
  merge(pages: number): boolean {
    if (this.#mergedAt === this.#changes) return false;
    if (this.#segments.some((segments) => segments.isScattered && segments.merge(pages))) return true;
    // Where merging cannot make one of them it is not tried again for ever.
    this.#mergedAt = this.#changes;
    return false;
  }

  delete(rowId: number): void {
    this.#changes++;
    for (const statement of this.#deletes) statement.run(rowId);
  }

  /** Files that a question holds for. */
  count(question: TermQuestion): number {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question).length : table.count(match);
  }

  /** Files that hold one word. */
  countTerm(word: string): number {
    return this.#countTerm.get(word) ?? 0;
  }

  /** The first rows that it holds for, shortest files first. */
  first(question: TermQuestion, limit: number): ArrayLike<number> {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question).slice(0, limit) : table.first(match, limit);
  }

  /** All rows that it holds for, shortest files first. */
  all(question: TermQuestion): Float64Array {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question) : table.all(match);
  }

  /** The files of all those rows, rising. */
  files(question: TermQuestion): Uint32Array {
    const [table, match] = this.#only(question);
    return table === undefined ? Uint32Array.from(this.#inBoth(question), fileOfRow).sort() : table.files(match);
  }

  holds(question: TermQuestion, fileId: number): boolean {
    const rowId = this.#rowOf.get(fileId);
    return rowId !== undefined && this.rowHolds(rowId, question);
  }

  rowHolds(rowId: number, { words, phrases }: TermQuestion): boolean {
    return (
      (words === undefined || this.#inWords.rowHolds(rowId, words)) &&
      (phrases === undefined || this.#inPhrases.rowHolds(rowId, phrases))
    );
  }

  facts(fileId: number): TermFacts {
    return this.#facts.get(fileId) ?? NO_FACTS;
  }

  /** Those of many files: 2 µs each, one by one 6. What has no row is left out. */
  factsOfAll(fileIds: Uint32Array): Map<number, TermFacts> {
    return new Map(
      this.#manyFacts.all(`[${fileIds.join()}]`).map(([fileId, length, weights]) => [fileId, { length, weights }]),
    );
  }

  /** Terms of many files: 0.5 µs each; 0 of one that has no row. */
  lengthsOfAll(fileIds: Uint32Array): Uint32Array {
    const { files, lengths } = this.#lengths.get(`[${fileIds.join()}]`)!;
    const found = readIds([files]),
      told = readIds([lengths]);
    let at = 0;
    // In the order in which they were asked for, without those that have no row.
    return fileIds.map((fileId) => (found[at] === fileId ? told[at++] : 0));
  }

  figures(): TermFigures {
    return this.#figures.get(this.#companyId) ?? { files: 0, terms: 0 };
  }

  /** What is wrong with it; undefined when nothing is. Throws SQLite's error when it is damaged. */
  check(): string | undefined {
    const { files } = this.figures();
    for (const name of [this.#words, this.#phrases]) {
      this.#database.exec(`INSERT INTO ${name} (${name}) VALUES ('integrity-check')`);
      const rows = this.#database.prepare<[], number>(`SELECT count(*) FROM ${name}_docsize`).pluck().get() as number;
      const known = this.#database
        .prepare<[number], number>(
          `SELECT count(*) FROM term_row WHERE company_id = ? AND row_id IN (SELECT id FROM ${name}_docsize)`,
        )
        .pluck()
        .get(this.#companyId) as number;
      if (rows !== known || rows !== files) return `it holds ${rows} rows, of which ${known} are of the ${files} files`;
    }
    return undefined;
  }

  /** The table that alone is asked, and what; none when both are. */
  #only({ words, phrases }: TermQuestion): [OneTable, string] | [undefined, ''] {
    if (words !== undefined && phrases !== undefined) return [undefined, ''];
    return words === undefined ? [this.#inPhrases, phrases!] : [this.#inWords, words];
  }

  #inBoth({ words, phrases }: TermQuestion): Float64Array {
    const rows = this.#inPhrases.all(phrases!);
    if (rows.length <= SINGLY) return rows.filter((row) => this.#inWords.rowHolds(row, words!));
    const others = this.#inWords.all(words!);
    let at = 0;
    return rows.filter((row) => {
      while (at < others.length && others[at] < row) at++;
      return others[at] === row;
    });
  }
}

/** Questions to one FTS5 table. */
class OneTable {
  readonly #count: Statement<[string], number>;
  readonly #first: Statement<[string, number], number>;
  readonly #all: Statement<[string], Uint8Array | null>;
  readonly #files: Statement<[string], Uint8Array | null>;
  readonly #rowHolds: Statement<[number, string], number>;

  constructor(database: Database, name: string) {
    this.#count = database.prepare<[string], number>(`SELECT count(*) FROM ${name} WHERE ${name} MATCH ?`).pluck();
    this.#first = database
      .prepare<[string, number], number>(`SELECT rowid FROM ${name} WHERE ${name} MATCH ? ORDER BY rowid LIMIT ?`)
      .pluck();
    // One string is fetched much faster than as many rows.
    this.#all = database
      .prepare<[string], Uint8Array | null>(
        `SELECT CAST(group_concat(rowid) AS BLOB) FROM ${name} WHERE ${name} MATCH ?`,
      )
      .pluck();
    this.#files = database
      .prepare<[string], Uint8Array | null>(
        `SELECT CAST(group_concat(rowid & ${LENGTH_STEP - 1}) AS BLOB) FROM ${name} WHERE ${name} MATCH ?`,
      )
      .pluck();
    // A number comes from JavaScript as a real one, which FTS5 does not take for a row.
    this.#rowHolds = database
      .prepare<[number, string], number>(`SELECT 1 FROM ${name} WHERE rowid = CAST(? AS INTEGER) AND ${name} MATCH ?`)
      .pluck();
  }

  count(match: string): number {
    return this.#count.get(match) as number;
  }

  first(match: string, limit: number): number[] {
    return this.#first.all(match, limit);
  }

  all(match: string): Float64Array {
    return parseNumbers(this.#all.get(match) ?? new Uint8Array(0));
  }

  files(match: string): Uint32Array {
    return parseIds([this.#files.get(match) ?? null]);
  }

  rowHolds(rowId: number, match: string): boolean {
    return this.#rowHolds.get(rowId, match) !== undefined;
  }
}

/** The file of a row. */
export function fileOfRow(rowId: number): number {
  return rowId % LENGTH_STEP;
}

/** Terms of the row's file: least and most. */
export function lengthsOfRow(rowId: number): { readonly least: number; readonly most: number } {
  const number = Math.floor(rowId / LENGTH_STEP);
  return { least: 2 ** ((number - 0.5) / CLASSES_PER_OCTAVE), most: 2 ** ((number + 0.5) / CLASSES_PER_OCTAVE) };
}

function lengthClass(length: number): number {
  return Math.round(CLASSES_PER_OCTAVE * Math.log2(Math.max(1, length)));
}

/** former: the one table of catalogues without the other two. */
function tableNames(companyId: number): { readonly words: string; readonly phrases: string; readonly former: string } {
  return { words: `words_${companyId}`, phrases: `phrases_${companyId}`, former: `terms_${companyId}` };
}

/** Whole numbers separated by commas, as `readIds` of larger ones. */
function parseNumbers(digits: Uint8Array): Float64Array {
  const { length } = digits;
  if (length === 0) return new Float64Array(0);
  let count = 1;
  for (let at = 0; at < length; at++) count += Number(digits[at] === COMMA);
  const numbers = new Float64Array(count);
  let number = 0;
  let position = 0;
  for (let at = 0; at < length; at++) {
    const character = digits[at];
    if (character !== COMMA) number = 10 * number + character - ZERO;
    else {
      numbers[position++] = number;
      number = 0;
    }
  }
  numbers[position] = number;
  return numbers;
}

const COMMA = 0x2c;
const ZERO = 0x30;
