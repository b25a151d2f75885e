import type { Database, Statement } from 'better-sqlite3';
import { splitValues } from '../../attributes/attribute.js';
import { damageOf } from '../../store/database/storage-errors.js';
import type { ChangeLog } from '../../store/database/change-log.js';
import type { IndexedTerms, TermMaker } from '../indexed-terms.js';
import { quoted } from '../text-leaf.js';
import { FrequentRoom } from './frequent-room.js';
import { FREQUENT_WORDS, FrequentWords, type FrequentWordLimits, type WordRows } from './frequent-words.js';
import { rowIdOf, TermTable } from './term-table.js';
import type { TextTerms } from '../../store/catalog/file-text.js';
import type { FileLabels } from '../../store/catalog/file-labels.js';
import type { Texts } from './texts.js';

/** Files whose terms are computed in one transaction while an index is rebuilt. */
const REBUILD_SLICE = 32;

/** Terms of files that are held at once, about. */
const GATHERED_TERMS = 100_000;

/** Terms of a file that are to be written. */
interface MadeTerms {
  readonly fileId: number;
  readonly companyId: number;
  readonly rowId: number;
  readonly terms: IndexedTerms;
}

/**
 * The full-text index. Every indexed file has one row in each FTS5 table of its company; companies have separate
 * tables, so that the statistics of one reveal nothing about another. The index is derived from names, attributes and
 * texts and can be rebuilt from them. Writing methods run inside the transaction that changes the file.
 */
export class Terms {
  readonly #database: Database;
  readonly #texts: Texts;
  readonly #changes: ChangeLog;
  readonly #maker: TermMaker | undefined;
  readonly #tables = new Map<number, TermTable>();
  readonly #frequent = new Map<number, FrequentWords>();
  readonly #limits: FrequentWordLimits;
  readonly #room: FrequentRoom;
  /** Companies of which rows were written here, undone transactions included. */
  readonly #written = new Set<number>();
  readonly #file: Statement<[number], { companyId: number; path: string; state: string }>;
  readonly #given: Statement<[number], { name: string; unit: string; value: string }>;
  readonly #extracted: Statement<[number], { name: string; unit: string; value: string }>;
  readonly #row: Statement<[number], { companyId: number; rowId: number; length: number }>;
  readonly #insertRow: Statement<[number, number, number, number, Uint8Array]>;
  readonly #deleteRow: Statement<[number]>;
  readonly #count: Statement<[number, number, number]>;

  /** changes: is notified of every file that is added, changed or removed. Without a maker nothing is indexed. */
  constructor(database: Database, texts: Texts, changes: ChangeLog, maker?: TermMaker, limits = FREQUENT_WORDS) {
    this.#limits = limits;
    this.#room = new FrequentRoom(limits.bytes);
    this.#database = database;
    this.#changes = changes;
    this.#texts = texts;
    this.#maker = maker;
    // Search inputs are never found: they have no terms, and their company has no table.
    this.#file = database.prepare(
      `SELECT company_id AS companyId, path, state FROM file JOIN company ON company.id = company_id
       WHERE file.id = ? AND inputs_of IS NULL`,
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

  /** Creates the missing tables of all companies. Runs inside the transaction that opens the library. */
  createTables(): void {
    for (const id of this.companies()) this.createTable(id);
    // Without a maker, files may change while the library is open; the next opening with a maker rebuilds all indexes.
    if (this.#maker === undefined) this.#database.prepare(`DELETE FROM setting WHERE name = 'terms'`).run();
  }

  /** Creates the tables of a company, in the transaction that adds the company. */
  createTable(companyId: number): void {
    if (this.#maker !== undefined) TermTable.create(this.#database, companyId);
  }

  /** The table of a company. */
  table(companyId: number): TermTable {
    let table = this.#tables.get(companyId);
    if (table === undefined) this.#tables.set(companyId, (table = new TermTable(this.#database, companyId)));
    return table;
  }

  /** The frequent words of a company. */
  frequent(companyId: number): FrequentWords {
    let frequent = this.#frequent.get(companyId);
    if (frequent === undefined) {
      const table = this.table(companyId);
      const rows: WordRows = {
        files: () => table.figures().files,
        next: (word, after, limit) => table.nextFiles(word, after, limit),
        all: (word) => table.files({ words: quoted(word) }),
        holds: (fileId, word) => table.holds({ words: quoted(word) }, fileId),
        spread: (count) => table.spread(count),
        wordsOf: (fileId, characters) => this.#termsOfBeginning(fileId, characters)?.terms.words ?? '',
      };
      this.#frequent.set(companyId, (frequent = new FrequentWords(rows, this.#changes, this.#limits, this.#room)));
    }
    return frequent;
  }

  /** Whether there is room for more frequent words. */
  get hasRoom(): boolean {
    return this.#room.has(1);
  }

  /** Whether rows of a company's index were written by this object. */
  isWritten(companyId: number): boolean {
    return this.#written.has(companyId);
  }

  /**
   * Lists frequent words ahead of questions for about so long; see {@link FrequentWords.step}. False: nothing is left
   * in any company.
   */
  listFrequent(ms: number): boolean {
    if (this.#maker === undefined) return false;
    const until = performance.now() + ms;
    const companies = this.companies();
    while (companies.some((id) => this.frequent(id).step())) if (performance.now() > until) return true;
    return false;
  }

  /**
   * Recomputes the terms of a file. Must be called in every transaction that changes the path, the attributes, the text
   * or the state of a file. Only indexed files have terms. text: the terms of its text when they are known; otherwise
   * they are computed from the stored text.
   */
  refresh(fileId: number, text?: TextTerms): void {
    if (this.#maker === undefined) this.#changes.note(fileId);
    else this.#enter([this.#made(fileId, this.#maker, text)]);
  }

  /** The same for many files, from what is stored. */
  refreshAll(fileIds: readonly number[]): void {
    const maker = this.#maker;
    let gathered: (MadeTerms | undefined)[] = [];
    let terms = 0;
    for (const fileId of fileIds) {
      if (maker === undefined) {
        this.#changes.note(fileId);
        continue;
      }
      const made = this.#made(fileId, maker);
      gathered.push(made);
      terms += made?.terms.length ?? 0;
      if (terms < GATHERED_TERMS) continue;
      this.#enter(gathered);
      gathered = [];
      terms = 0;
    }
    this.#enter(gathered);
  }

  /** Lets the terms of a file go and makes them anew; undefined when it is to have none. */
  #made(fileId: number, maker: TermMaker, text?: TextTerms): MadeTerms | undefined {
    this.remove(fileId);
    const made = this.#termsOf(fileId, maker, text);
    return made && { fileId, rowId: rowIdOf(fileId, made.terms.length), ...made };
  }

  /** What the index is to hold of a file; undefined when it is to hold nothing. */
  #termsOf(
    fileId: number,
    maker = this.#maker,
    text?: TextTerms,
  ): { readonly companyId: number; readonly terms: IndexedTerms } | undefined {
    const file = this.#file.get(fileId);
    if (maker === undefined || file === undefined || file.state !== 'indexed') return undefined;
    const { companyId, path } = file;
    const terms = maker.ofFile(this.#labelsOf(fileId, path), text ?? maker.ofText(this.#texts.pages(fileId)));
    return { companyId, terms };
  }

  /** The same of a file of which only so much text is read. */
  #termsOfBeginning(fileId: number, characters: number): { readonly terms: IndexedTerms } | undefined {
    if (this.#maker === undefined) return undefined;
    return this.#termsOf(fileId, this.#maker, this.#maker.ofText(this.#texts.beginning(fileId, characters)));
  }

  /**
   * Writes the rows of these files, rising: FTS5 writes out what it has gathered when a row comes before the last one,
   * and merges more of such pieces.
   */
  #enter(files: readonly (MadeTerms | undefined)[]): void {
    const made = files.filter((file) => file !== undefined).sort((a, b) => a.rowId - b.rowId);
    for (const { companyId, rowId, terms } of made) {
      this.#written.add(companyId);
      this.table(companyId).insert(rowId, terms);
    }
    for (const { fileId, companyId, rowId, terms } of made) {
      this.#insertRow.run(fileId, companyId, rowId, terms.length, terms.weights);
      this.#count.run(companyId, 1, terms.length);
    }
  }

  /** Removes a file from the index. Must be called before its row is deleted and when it must not be found any more. */
  remove(fileId: number): void {
    this.#changes.note(fileId);
    const row = this.#row.get(fileId);
    if (row === undefined) return;
    this.#written.add(row.companyId);
    this.table(row.companyId).delete(row.rowId);
    this.#deleteRow.run(fileId);
    this.#count.run(row.companyId, -1, -row.length);
  }

  /** Of a replica: lets the row of a file go, in the transaction that is undone here. */
  release(fileId: number): void {
    this.#deleteRow.run(fileId);
  }

  /** The tables may have changed beneath this connection. */
  changedBeneath(): void {
    for (const table of this.#tables.values()) table.changedBeneath();
  }

  /** Path and attributes of a file; undefined when it was deleted. */
  labels(fileId: number): FileLabels | undefined {
    const file = this.#file.get(fileId);
    return file === undefined ? undefined : this.#labelsOf(fileId, file.path);
  }

  /** Version of the maker of terms; undefined: there is none, and no index. */
  get version(): number | undefined {
    return this.#maker?.version;
  }

  /** What a rebuild by this maker has left to do: nothing, the missing files, or all files. */
  get pending(): 'nothing' | 'missing' | 'all' {
    if (this.#maker === undefined) return 'nothing';
    const made = this.#database.prepare<[], string>(`SELECT value FROM setting WHERE name = 'terms'`).pluck().get();
    if (made === String(this.#maker.version)) return 'nothing';
    return made === `${this.#maker.version} incomplete` ? 'missing' : 'all';
  }

  /**
   * Empties the tables of one company, or of all. {@link makeMissing} then fills them, and {@link complete} marks them
   * as complete.
   */
  clear(companyId?: number): void {
    this.#changes.forget();
    if (this.#maker === undefined) return;
    for (const id of companyId === undefined ? this.companies() : [companyId]) {
      this.#written.add(id);
      TermTable.create(this.#database, id, { anew: true });
      this.table(id).emptied();
      this.#frequent.get(id)?.clear();
      this.#database.prepare('DELETE FROM term_row WHERE company_id = ?').run(id);
      this.#database.prepare('DELETE FROM term_total WHERE company_id = ?').run(id);
    }
    this.#setMade(`${this.#maker.version} incomplete`);
  }

  /** Records that all indexed files have their terms. */
  complete(): void {
    if (this.#maker !== undefined) this.#setMade(String(this.#maker.version));
  }

  /**
   * Computes the missing terms of the next files after id `after`. Returns the last of these ids; undefined when no
   * file is left.
   */
  makeMissing(after: number): number | undefined {
    if (this.#maker === undefined) return undefined;
    const missing = this.#database
      .prepare<[number, number], number>(
        `SELECT id FROM file WHERE id > ? AND state = 'indexed'
           AND NOT EXISTS (SELECT 1 FROM term_row WHERE file_id = id)
           AND NOT EXISTS (SELECT 1 FROM search_input WHERE file_id = id) ORDER BY id LIMIT ?`,
      )
      .pluck()
      .all(after, REBUILD_SLICE);
    this.refreshAll(missing);
    return missing.at(-1);
  }

  /**
   * Merges segments of the tables of one company, about this many pages. False: nothing is left to merge in any
   * company.
   */
  merge(pages: number): boolean {
    return this.#maker !== undefined && this.companies().some((id) => this.table(id).merge(pages));
  }

  /**
   * Companies whose tables are damaged or do not hold exactly their indexed files, with a description. Reads all
   * tables.
   */
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
        `SELECT count(*) FROM file WHERE company_id = ? AND state = 'indexed'
           AND NOT EXISTS (SELECT 1 FROM term_row WHERE file_id = id)`,
      )
      .pluck()
      .get(companyId) as number;
    if (lacking > 0) return `the terms of ${lacking} files are missing`;
    try {
      return this.table(companyId).check();
    } catch (cause) {
      return damageOf('check the index of texts', cause).message;
    }
  }

  /** Ids of the companies whose files are found by words. */
  companies(): number[] {
    return this.#database
      .prepare<[], number>('SELECT id FROM company WHERE inputs_of IS NULL ORDER BY id')
      .pluck()
      .all();
  }

  #setMade(value: string): void {
    this.#database.prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('terms', ?)`).run(value);
  }
}
