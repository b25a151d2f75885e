import type { Database, Statement } from 'better-sqlite3';
import { splitValues } from '../attributes/attribute.js';
import { storageError } from '../store/database/storage-errors.js';
import type { ChangeLog } from '../store/database/change-log.js';
import type { IndexedTerms } from './indexed-terms.js';
import { TermTable } from './term-table.js';
import type { StoredPage, TextTerms } from '../store/catalog/file-text.js';
import type { FileLabels } from '../store/catalog/file-labels.js';
import type { Texts } from './texts.js';

/** Makes what is indexed of a file. The store knows no language: its opener tells it. */
export interface TermMaker {
  /** Raised when it makes other terms of the same file; all are then made again. */
  readonly version: number;
  readonly ofText: (pages: readonly StoredPage[]) => TextTerms;
  readonly ofFile: (labels: FileLabels, text: TextTerms) => IndexedTerms;
}

/** Files whose terms are made in one turn when all are made again. */
const REBUILD_SLICE = 32;

/**
 * The full-text index: for every indexed file of a company one row in each of that company's own FTS5 tables, so that the statistics
 * of one tell nothing of another. Derived: made of names, attributes and texts, and made again from them. Writing methods run
 * inside a transaction of the caller, the same that changes the file.
 */
export class Terms {
  readonly #database: Database;
  readonly #texts: Texts;
  readonly #changes: ChangeLog;
  readonly #maker: TermMaker | undefined;
  readonly #tables = new Map<number, TermTable>();
  readonly #file: Statement<[number], { companyId: number; path: string; state: string }>;
  readonly #given: Statement<[number], { name: string; unit: string; value: string }>;
  readonly #extracted: Statement<[number], { name: string; unit: string; value: string }>;
  readonly #row: Statement<[number], { companyId: number; rowId: number; length: number }>;
  readonly #insertRow: Statement<[number, number, number, number, Uint8Array]>;
  readonly #deleteRow: Statement<[number]>;
  readonly #count: Statement<[number, number, number]>;

  /** changes: told of every file that comes, goes or changes. Without a maker nothing is indexed. */
  constructor(database: Database, texts: Texts, changes: ChangeLog, maker?: TermMaker) {
    this.#database = database;
    this.#changes = changes;
    this.#texts = texts;
    this.#maker = maker;
    // Search inputs are found by nobody: they have no terms, and their company has no table.
    this.#file = database.prepare(
      'SELECT company_id AS companyId, path, state FROM file JOIN company ON company.id = company_id WHERE file.id = ? AND inputs_of IS NULL',
    );
    this.#given = database.prepare('SELECT name, unit, value FROM attribute WHERE file_id = ? ORDER BY position');
    this.#extracted = database.prepare('SELECT name, unit, value FROM extracted WHERE file_id = ? ORDER BY position');
    this.#row = database.prepare(
      'SELECT company_id AS companyId, row_id AS rowId, length FROM term_row WHERE file_id = ?',
    );
    this.#insertRow = database.prepare(
      'INSERT INTO term_row (file_id, company_id, row_id, length, weights) VALUES (?, ?, ?, ?, ?)',
    );
    this.#deleteRow = database.prepare('DELETE FROM term_row WHERE file_id = ?');
    this.#count = database.prepare(`
      INSERT INTO term_total (company_id, files, terms) VALUES (?, ?, ?)
      ON CONFLICT (company_id) DO UPDATE SET files = files + excluded.files, terms = terms + excluded.terms`);
  }

  /** Makes the tables of all companies that lack them. Runs inside the transaction that opens the library. */
  createTables(): void {
    for (const id of this.#companies()) this.createTable(id);
    // Who opens it without a maker may change files: whoever has one then makes all again.
    if (this.#maker === undefined) this.#database.prepare(`DELETE FROM setting WHERE name = 'terms'`).run();
  }

  /** Makes the table of a company. Call it in the transaction that enters the company. */
  createTable(companyId: number): void {
    if (this.#maker !== undefined) TermTable.create(this.#database, companyId);
  }

  /** The table of a company. */
  table(companyId: number): TermTable {
    let table = this.#tables.get(companyId);
    if (table === undefined) this.#tables.set(companyId, (table = new TermTable(this.#database, companyId)));
    return table;
  }

  /**
   * Makes the terms of a file again: call it in every transaction that changes the path, the attributes or the text of a file, or that
   * makes it indexed. A file that is not indexed has none. `text`: the terms of its text where they are known; absent: made of what is stored.
   */
  refresh(fileId: number, text?: TextTerms): void {
    this.#changes.note(fileId);
    if (this.#maker === undefined) return;
    this.remove(fileId);
    const file = this.#file.get(fileId);
    if (file === undefined || file.state !== 'indexed') return;
    const terms = this.#maker.ofFile(
      this.#labelsOf(fileId, file.path),
      text ?? this.#maker.ofText(this.#texts.pages(fileId)),
    );
    const rowId = this.table(file.companyId).insert(fileId, terms);
    this.#insertRow.run(fileId, file.companyId, rowId, terms.length, terms.weights);
    this.#count.run(file.companyId, 1, terms.length);
  }

  /** Takes a file out of the index: call it before its row is deleted, and when it is not searchable any more. */
  remove(fileId: number): void {
    this.#changes.note(fileId);
    const row = this.#row.get(fileId);
    if (row === undefined) return;
    this.table(row.companyId).delete(row.rowId);
    this.#deleteRow.run(fileId);
    this.#count.run(row.companyId, -1, -row.length);
  }

  /** What the terms of a file are made of, beside its text; undefined when it is gone. */
  labels(fileId: number): FileLabels | undefined {
    const file = this.#file.get(fileId);
    return file === undefined ? undefined : this.#labelsOf(fileId, file.path);
  }

  /** What is to be done before all terms are of this maker: nothing, going on, or beginning anew. */
  get pending(): 'nothing' | 'missing' | 'all' {
    if (this.#maker === undefined) return 'nothing';
    const made = this.#database.prepare<[], string>(`SELECT value FROM setting WHERE name = 'terms'`).pluck().get();
    if (made === String(this.#maker.version)) return 'nothing';
    return made === `${this.#maker.version} incomplete` ? 'missing' : 'all';
  }

  /** Empties the tables (of one company); {@link makeMissing} then makes their terms again, {@link complete} says that it has. */
  clear(companyId?: number): void {
    this.#changes.forget();
    if (this.#maker === undefined) return;
    for (const id of companyId === undefined ? this.#companies() : [companyId]) {
      TermTable.create(this.#database, id, { anew: true });
      this.table(id).emptied();
      this.#database.prepare('DELETE FROM term_row WHERE company_id = ?').run(id);
      this.#database.prepare('DELETE FROM term_total WHERE company_id = ?').run(id);
    }
    this.#setMade(`${this.#maker.version} incomplete`);
  }

  /** All indexed files have their terms. */
  complete(): void {
    if (this.#maker !== undefined) this.#setMade(String(this.#maker.version));
  }

  /** Makes the terms of the next files after `after` that lack them. Returns the last file seen; undefined when none is left. */
  makeMissing(after: number): number | undefined {
    if (this.#maker === undefined) return undefined;
    const missing = this.#database
      .prepare<[number, number], number>(
        `SELECT id FROM file WHERE id > ? AND state = 'indexed' AND NOT EXISTS (SELECT 1 FROM term_row WHERE file_id = id)
           AND NOT EXISTS (SELECT 1 FROM search_input WHERE file_id = id) ORDER BY id LIMIT ?`,
      )
      .pluck()
      .all(after, REBUILD_SLICE);
    for (const fileId of missing) this.refresh(fileId);
    return missing.at(-1);
  }

  /** One step of bringing the tables of all companies into few segments, of about so many pages. False: nothing is left to do. */
  merge(pages: number): boolean {
    return this.#maker !== undefined && this.#companies().some((id) => this.table(id).merge(pages));
  }

  /** Companies whose table is damaged or does not hold exactly their indexed files, with what was found. Reads all of it. */
  damaged(): { companyId: number; company: string; found: string }[] {
    if (this.#maker === undefined) return [];
    const companies = this.#database
      .prepare<[], { companyId: number; company: string }>(
        'SELECT id AS companyId, name AS company FROM company WHERE inputs_of IS NULL ORDER BY id',
      )
      .all();
    return companies.flatMap(({ companyId, company }) => {
      const found = this.#check(companyId);
      return found === undefined ? [] : [{ companyId, company, found }];
    });
  }

  #labelsOf(fileId: number, path: string): FileLabels {
    const given = this.#given
      .all(fileId)
      .flatMap(({ name, unit, value }) => splitValues(value).map((one) => ({ name, unit, value: one })));
    return { path, attributes: [...given, ...this.#extracted.all(fileId)] };
  }

  #check(companyId: number): string | undefined {
    const lacking = this.#database
      .prepare<[number], number>(
        `SELECT count(*) FROM file WHERE company_id = ? AND state = 'indexed' AND NOT EXISTS (SELECT 1 FROM term_row WHERE file_id = id)`,
      )
      .pluck()
      .get(companyId) as number;
    if (lacking > 0) return `the terms of ${lacking} files are missing`;
    try {
      return this.table(companyId).check();
    } catch (cause) {
      return storageError('check the index of texts', cause).message;
    }
  }

  #companies(): number[] {
    return this.#database
      .prepare<[], number>('SELECT id FROM company WHERE inputs_of IS NULL ORDER BY id')
      .pluck()
      .all();
  }

  #setMade(value: string): void {
    this.#database.prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('terms', ?)`).run(value);
  }
}
