import type { Database, Statement } from 'better-sqlite3';
import { parseIds, readIds } from '../../store/database/id-lists.js';
import { quoted } from '../text-leaf.js';
import type { IndexedTerms, TermFacts, TermFigures, TermQuestion } from '../indexed-terms.js';
import type { KnownTerm } from '../spellings.js';
import { TermSegments } from './term-segments.js';

/** The migration that adds the frequencies of a file's terms; existing indexes are rebuilt after it. */
export const WEIGHTS_STEP = `ALTER TABLE term_row ADD COLUMN weights BLOB NOT NULL DEFAULT x'';`;

/** Most terms of one beginning that are looked through for a spelling. */
const MOST_TERMS = 20_000;

/** Characters of terms besides letters and digits: the marks of {@link MARKS} in `file-terms.ts`. */
const TOKEN_CHARACTERS = '@~=.|!$<';

/**
 * A row id is this times the length class of the file, plus the file id, so that FTS5 returns rows in the order of
 * length.
 */
const LENGTH_STEP = 2 ** 32;

/** Length classes per doubling: steps of 9 %. */
const CLASSES_PER_OCTAVE = 8;

/**
 * Up to this many rows are looked up one by one in the other table; searching it for all rows takes as long as about
 * twenty lookups.
 */
const SINGLY = 20;

const NO_FACTS: TermFacts = Object.freeze({ length: 0, weights: new Uint8Array(0) });

/**
 * The two FTS5 tables of one company. The words table (detail = none) holds which files contain a word, a frequency
 * class or a beginning of a word, without positions: positions of the beginnings alone would take as much room as
 * everything else. The phrases table holds the positions of terms. Rows of one file have the same id in both, ordered
 * by the length of the file, so that among files with equal frequency of a term the best-ranked ones are read first.
 * Both are contentless: texts are stored once, in `text_page`.
 *
 * The files of a word come from `MATCH` and `group_concat`: 55 000 of 110 000 rows take 2.6 ms of processor time. The
 * `instance` form of fts5vocab takes 4.4 to 5.8 ms, a row at a time through better-sqlite3 6.3. Reading FTS5's own
 * pages took 1.2 ms with 290 lines that depended on its private format, and was removed.
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
  readonly #between: Statement<[string, string, number], KnownTerm>;
  readonly #rowOf: Statement<[number], number>;
  readonly #facts: Statement<[number], TermFacts>;
  readonly #manyFacts: Statement<[string], [number, number, Uint8Array]>;
  readonly #lengths: Statement<[string], { files: Uint8Array | null; lengths: Uint8Array | null }>;
  readonly #ends: Statement<[], { first: number | null; last: number | null }>;
  readonly #firstFrom: Statement<[number, number], number>;
  readonly #figures: Statement<[number], TermFigures>;
  readonly #segments: readonly TermSegments[];
  #changes = 0;
  /** Value of {@link changes} at which merging had nothing left to do. */
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
    // fts5vocab counts the rows of a term twice as fast as `count(*)` over MATCH.
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${words}_rows USING fts5vocab('main', '${words}', 'row')`);
    this.#countTerm = database.prepare<[string], number>(`SELECT doc FROM temp.${words}_rows WHERE term = ?`).pluck();
    this.#between = database.prepare(
      `SELECT term, doc AS files FROM temp.${words}_rows WHERE term >= ? AND term < ? LIMIT ?`,
    );
    this.#rowOf = database.prepare<[number], number>('SELECT row_id FROM term_row WHERE file_id = ?').pluck();
    this.#facts = database.prepare('SELECT length, weights FROM term_row WHERE file_id = ?');
    const rows = 'FROM json_each(?) AS j CROSS JOIN term_row ON file_id = j.value';
    this.#manyFacts = database
      .prepare<[string], [number, number, Uint8Array]>(`SELECT file_id, length, weights ${rows}`)
      .raw();
    this.#lengths = database.prepare(
      `SELECT CAST(group_concat(file_id) AS BLOB) AS files, CAST(group_concat(length) AS BLOB) AS lengths ${rows}`,
    );
    // Each by itself is looked up; both in one SELECT read all rows, .25 s of a million.
    this.#ends = database.prepare(
      'SELECT (SELECT min(file_id) FROM term_row) AS first, (SELECT max(file_id) FROM term_row) AS last',
    );
    // Where files of other companies lie between, few of them are looked through.
    this.#firstFrom = database
      .prepare<[number, number], number>(
        `SELECT file_id FROM (SELECT file_id, company_id FROM term_row WHERE file_id >= ? ORDER BY file_id LIMIT 256)
         WHERE company_id = ? LIMIT 1`,
      )
      .pluck();
    this.#figures = database.prepare('SELECT files, terms FROM term_total WHERE company_id = ?');
  }

  /** Creates missing tables; with `anew`, replaces existing ones by empty tables. */
  static create(database: Database, companyId: number, { anew = false }: { anew?: boolean } = {}): void {
    const { words, phrases, former } = tableNames(companyId);
    if (anew) for (const name of [words, phrases, former]) database.exec(`DROP TABLE IF EXISTS ${name}`);
    // Terms arrive folded and split, so the tokenizer only splits at spaces.
    const common = `content = '', contentless_delete = 1, tokenize = "ascii tokenchars '${TOKEN_CHARACTERS}'"`;
    database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5(words, detail = none, ${common});
      CREATE VIRTUAL TABLE IF NOT EXISTS ${phrases} USING fts5(name, attribute, text, marked, ${common})`);
  }

  /** Terms that begin so, of letters and digits, with their numbers of files; the first {@link MOST_TERMS}. */
  beginning(letters: string): KnownTerm[] {
    return this.#between.all(letters, `${letters}\u{10FFFF}`, MOST_TERMS);
  }

  /** Increases with every change; counts that were cached at another value are stale. */
  get changes(): number {
    return this.#changes;
  }

  /** Adds a file. rowId: of {@link rowIdOf}. */
  insert(rowId: number, { words, name, attribute, text, marked }: IndexedTerms): void {
    this.#changes++;
    this.#insertWords.run(rowId, words);
    this.#insertPhrases.run(rowId, name, attribute, text, marked);
  }

  /** Another connection may have changed the tables: counts that were cached are stale. */
  changedBeneath(): void {
    this.#changes++;
  }

  /** Must be called after {@link TermTable.create} with `anew`. */
  emptied(): void {
    this.#changes++;
    for (const segments of this.#segments) segments.forget();
  }

  /**
   * Merges segments of both tables, about this many pages at once; see {@link TermSegments}. False: nothing is left to
   * merge.
   */
  merge(pages: number): boolean {
    if (this.#mergedAt === this.#changes) return false;
    if (this.#segments.some((segments) => segments.isScattered && segments.merge(pages))) return true;
    // Until the next change: a table that cannot be merged into one segment must not be tried again and again.
    this.#mergedAt = this.#changes;
    return false;
  }

  delete(rowId: number): void {
    this.#changes++;
    for (const statement of this.#deletes) statement.run(rowId);
  }

  /** Number of files that match a question. */
  count(question: TermQuestion): number {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question).length : table.count(match);
  }

  /** Number of files that contain a word. */
  countTerm(word: string): number {
    return this.#countTerm.get(word) ?? 0;
  }

  /** The first matching rows, shortest files first. */
  first(question: TermQuestion, limit: number): ArrayLike<number> {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question).slice(0, limit) : table.first(match, limit);
  }

  /** All matching rows, shortest files first. */
  all(question: TermQuestion): Float64Array {
    const [table, match] = this.#only(question);
    return table === undefined ? this.#inBoth(question) : table.all(match);
  }

  /** All matching files, rising. */
  files(question: TermQuestion): Uint32Array {
    const [table, match] = this.#only(question);
    return table === undefined ? Uint32Array.from(this.#inBoth(question), fileOfRow).sort() : table.files(match);
  }

  /** The first files of a word whose rows come after a row id; `last`: the last row of these, absent at the end. */
  nextFiles(word: string, after: number, limit: number): { readonly fileIds: Uint32Array; readonly last?: number } {
    return this.#inWords.next(quoted(word), after, limit);
  }

  /** About so many files of the company, spread over all of it by their ids. */
  spread(count: number): number[] {
    const { first, last } = this.#ends.get()!;
    if (first === null || last === null) return [];
    const starts = Array.from({ length: count }, (_, i) => first + Math.floor((i * (last - first + 1)) / count));
    return [...new Set(starts.flatMap((from) => this.#firstFrom.get(from, this.#companyId) ?? []))];
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

  /** Facts of many files, 2 µs each (6 µs with {@link facts}). Files without a row are left out. */
  factsOfAll(fileIds: Uint32Array): Map<number, TermFacts> {
    return new Map(
      this.#manyFacts.all(`[${fileIds.join()}]`).map(([fileId, length, weights]) => [fileId, { length, weights }]),
    );
  }

  /** Number of terms of many files, 0.5 µs each; 0 for a file without a row. */
  lengthsOfAll(fileIds: Uint32Array): Uint32Array {
    const { files, lengths } = this.#lengths.get(`[${fileIds.join()}]`)!;
    const found = readIds([files]),
      told = readIds([lengths]);
    let at = 0;
    // `found` is in the order of `fileIds`, without the files that have no row.
    return fileIds.map((fileId) => (found[at] === fileId ? told[at++] : 0));
  }

  figures(): TermFigures {
    return this.#figures.get(this.#companyId) ?? { files: 0, terms: 0 };
  }

  /** Describes an inconsistency; undefined when there is none. Throws SQLite's error when a table is damaged. */
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

  /** The only table that a question needs, with its expression; undefined when it needs both. */
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

/** Queries of one FTS5 table. */
class OneTable {
  readonly #count: Statement<[string], number>;
  readonly #first: Statement<[string, number], number>;
  readonly #all: Statement<[string], Uint8Array | null>;
  readonly #files: Statement<[string], Uint8Array | null>;
  readonly #rowHolds: Statement<[number, string], number>;
  readonly #next: Statement<[string, number, number], { fileIds: Uint8Array | null; last: number | null }>;

  constructor(database: Database, name: string) {
    this.#count = database.prepare<[string], number>(`SELECT count(*) FROM ${name} WHERE ${name} MATCH ?`).pluck();
    this.#first = database
      .prepare<[string, number], number>(`SELECT rowid FROM ${name} WHERE ${name} MATCH ? ORDER BY rowid LIMIT ?`)
      .pluck();
    // Fetching one string is much faster than fetching a row for each id.
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
    this.#next = database.prepare(
      `SELECT CAST(group_concat(rowid & ${LENGTH_STEP - 1}) AS BLOB) AS fileIds, max(rowid) AS last FROM
         (SELECT rowid FROM ${name} WHERE ${name} MATCH ? AND rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ?)`,
    );
    // JavaScript numbers are bound as REAL, which FTS5 does not accept as a row id.
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

  next(match: string, after: number, limit: number): { readonly fileIds: Uint32Array; readonly last?: number } {
    const { fileIds, last } = this.#next.get(match, after, limit)!;
    return { fileIds: readIds([fileIds]), ...(last === null ? {} : { last }) };
  }

  rowHolds(rowId: number, match: string): boolean {
    return this.#rowHolds.get(rowId, match) !== undefined;
  }
}

/** Row id of a file with so many terms. */
export function rowIdOf(fileId: number, length: number): number {
  return lengthClass(length) * LENGTH_STEP + fileId;
}

/** File id of a row. */
export function fileOfRow(rowId: number): number {
  return rowId % LENGTH_STEP;
}

/** Bounds of the number of terms of a row's file, from its length class. */
export function lengthsOfRow(rowId: number): { readonly least: number; readonly most: number } {
  const number = Math.floor(rowId / LENGTH_STEP);
  return { least: 2 ** ((number - 0.5) / CLASSES_PER_OCTAVE), most: 2 ** ((number + 0.5) / CLASSES_PER_OCTAVE) };
}

function lengthClass(length: number): number {
  return Math.round(CLASSES_PER_OCTAVE * Math.log2(Math.max(1, length)));
}

/** former: the single table of older catalogues. */
function tableNames(companyId: number): { readonly words: string; readonly phrases: string; readonly former: string } {
  return { words: `words_${companyId}`, phrases: `phrases_${companyId}`, former: `terms_${companyId}` };
}

/** Parses whole numbers separated by commas, as `readIds` does for 32-bit ones. */
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
