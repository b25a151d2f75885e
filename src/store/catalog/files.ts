import { randomUUID } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { SearchInputs, type InputBounds, type SearchInputFacts } from './search-inputs.js';
import { Categories } from './categories.js';
import { readSettings } from './company-settings.js';
import { Duplicates } from './duplicate-records.js';
import { IS_NO_COMPONENT } from './components.js';
import { extensionOf, isNumberedPath, numberedPath, PATH_LENGTH_LIMIT } from './file-path.js';
import type { CompanySummary, FailureSummary, FolderSummary } from './company-summary.js';
import { countKinds, failuresOf, foldersIn, listRows, summarize, type ListOptions } from './listing.js';
import { recordOf, type FileKind, type FileRecord, type FileRow, type KindCounts, type Priority } from './record.js';
import type { AccountTables, AttributeTables, FileKey, RoomEvents, Rooms } from '../rooms.js';
import type { Attribute } from './attribute.js';

/** A file to be entered in the catalogue; its blob is durable. */
export interface NewFile {
  readonly companyId: number;
  readonly path: string;
  /** Lower-case GUID of the file; absent: the UID of the file that has this path, else a new one. */
  readonly uid?: string;
  /** False: when another file has the path, a number is appended. Absent: the company's setting decides. */
  readonly overwrite?: boolean;
  readonly hash: string;
  readonly byteLength: number;
  readonly sourceMtimeMs?: number;
  /** Absent: the attributes of the file that it replaces. */
  readonly attributes?: readonly Attribute[];
  /** null: no category. Absent: the category of the file that it replaces. */
  readonly categoryId?: number | null;
  /** True: the file is indexed without its shape. */
  readonly textOnly: boolean;
  /** Whether an assembly's components are indexed too. Absent: as for the file that it replaces, else false. */
  readonly components?: boolean;
  /** Guessed from the extension. */
  readonly kind: FileKind;
  readonly priority: Priority;
  /** Place in the queue among files of one priority. */
  readonly sequence: number;
  /** A new file is refused where the company has so many. Absent: no limit. */
  readonly mostFiles?: number;
  /** Present: the file is a search input, and `companyId` is the company that holds such inputs. */
  readonly input?: SearchInputFacts;
  /** Bounds of the search inputs of its owner. Absent: none. */
  readonly mostInputs?: InputBounds;
}

/** What entering a file did. */
export interface EnteredFile {
  readonly fileId: number;
  readonly uid: string;
  /** True: the same bytes were stored under the same path and UID, so the file is not read again. */
  readonly unchanged: boolean;
  /** False: neither path nor attributes changed, so the file's index terms stay. */
  readonly wordsChanged: boolean;
  /** Rows that this one replaced. */
  readonly removed: readonly RemovedFile[];
}

/** A deleted row: its id, for the index, and the hash of its blob, which may have no owner any more. */
export interface RemovedFile {
  readonly fileId: number;
  readonly hash: string;
}

/** Priority of search inputs: a user waits to search with them, so they go before stored files (3 and 4). */
const INPUT_PRIORITY = 2;

/** Companies and files in the catalogue. Writing methods run inside a transaction of the caller. */
export class Files {
  readonly #database: Database;
  readonly #attributes: AttributeTables;
  readonly #accounts: AccountTables;
  readonly #events: RoomEvents;
  readonly #categories: Categories;
  readonly #byUid: Statement<[number, string], FileRow>;
  readonly #byPath: Statement<[number, string], FileRow>;
  readonly #byId: Statement<[number], FileRow>;
  readonly #insertFile: Statement<[object]>;
  readonly #insertJob: Statement<[number, number, number]>;
  readonly #deleteFile: Statement<[number]>;
  readonly #refers: Statement<[string], number>;
  readonly #count: Statement<[number], number>;
  readonly #inputs: SearchInputs;
  readonly #duplicates: Duplicates;

  constructor(database: Database, { attributes, accounts }: Rooms, events: RoomEvents) {
    this.#database = database;
    this.#inputs = new SearchInputs(database);
    this.#duplicates = new Duplicates(database);
    this.#attributes = attributes;
    this.#categories = new Categories(database);
    this.#accounts = accounts;
    this.#events = events;
    this.#byUid = database.prepare('SELECT * FROM file WHERE company_id = ? AND uid = ?');
    this.#byPath = database.prepare('SELECT * FROM file WHERE company_id = ? AND path = ?');
    this.#byId = database.prepare('SELECT * FROM file WHERE id = ?');
    this.#insertFile = database.prepare(`
      INSERT INTO file (company_id, uid, path, extension, kind, text_only, components, blob_hash, byte_length,
        source_mtime_ms, state, priority, added_at,
        category_id)
      VALUES (@companyId, @uid, @path, @extension, @kind, @textOnly, @components, @hash, @byteLength, @sourceMtimeMs,
        'queued', @priority, @now,
        @categoryId)`);
    this.#insertJob = database.prepare(`
      INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?)
      ON CONFLICT (file_id) DO UPDATE SET priority = min(priority, excluded.priority)`);
    this.#deleteFile = database.prepare('DELETE FROM file WHERE id = ?');
    this.#count = database.prepare<[number], number>('SELECT count(*) FROM file WHERE company_id = ?').pluck();
    this.#refers = database.prepare<[string], number>('SELECT 1 FROM file WHERE blob_hash = ? LIMIT 1').pluck();
  }

  /** The id of a company, made on first use. */
  company(name: string): number {
    const select = this.#database.prepare<[string], number>('SELECT id FROM company WHERE name = ?').pluck();
    const id =
      select.get(name) ??
      Number(
        this.#database.prepare('INSERT INTO company (name, added_at) VALUES (?, ?)').run(name, Date.now())
          .lastInsertRowid,
      );
    this.#events.companyAdded(id);
    return id;
  }

  /** All companies by name. */
  companies(): { id: number; name: string }[] {
    return this.#database
      .prepare<[], { id: number; name: string }>('SELECT id, name FROM company WHERE inputs_of IS NULL ORDER BY name')
      .all();
  }

  /**
   * Enters a file with its attributes and its job. It replaces the file that has its UID or (with `overwrite`) its
   * path.
   * The same bytes under the same path and UID keep their record; a failed file is queued again.
   * @throws EngineError `CATEGORY_UNKNOWN`; `LIMIT_EXCEEDED` when the numbered path would be too long; `NOT_ALLOWED`
   * when the company, or the owner of a search input, has no room for a new one.
   */
  enter(file: NewFile): EnteredFile {
    if (typeof file.categoryId === 'number') this.#categories.get(file.companyId, file.categoryId);
    const overwrite = file.overwrite ?? readSettings(this.#database, file.companyId).overwriteFiles;
    const own = file.uid === undefined ? undefined : this.#byUid.get(file.companyId, file.uid);
    const path = overwrite ? file.path : this.#freePath(file.companyId, file.path, own?.path);
    const atPath = this.#byPath.get(file.companyId, path);
    const uid = file.uid ?? atPath?.uid ?? randomUUID();
    const atUid = own ?? this.#byUid.get(file.companyId, uid);
    const before = atUid ?? atPath;
    const components = file.components ?? before?.components === 1;
    const sameParts = before?.kind !== 'ThreeD' || (before.components === 1) === components;
    const sameWishes = before !== undefined && (before.text_only === 1) === file.textOnly && sameParts;
    if (file.input !== undefined && file.mostInputs !== undefined) {
      const { companyId, byteLength: bytes } = file;
      const { owner } = file.input;
      this.#inputs.checkRoom({ companyId, owner, bytes, replaced: before?.id }, file.mostInputs);
    }
    if (sameWishes && atUid?.id === atPath?.id && before.blob_hash === file.hash) {
      const wordsChanged = this.#renew(before, file);
      if (file.input !== undefined) this.#inputs.put(before.id, file.input);
      return { fileId: before.id, uid, unchanged: before.state !== 'failed', wordsChanged, removed: [] };
    }
    if (before === undefined && file.mostFiles !== undefined) this.#checkRoom(file.companyId, file.mostFiles);
    const attributes = file.attributes ?? (before === undefined ? [] : this.#attributes.given(before.id));
    const replaced = [atUid, atPath?.id === atUid?.id ? undefined : atPath].filter((row) => row !== undefined);
    for (const row of replaced) {
      this.#delete(row);
      if (row.uid !== uid) this.#duplicates.forget(file.companyId, row.uid);
    }
    const fileId = Number(
      this.#insertFile.run({
        companyId: file.companyId,
        uid,
        path,
        extension: extensionOf(path),
        kind: file.kind,
        textOnly: file.textOnly ? 1 : 0,
        components: components ? 1 : 0,
        hash: file.hash,
        byteLength: file.byteLength,
        sourceMtimeMs: file.sourceMtimeMs ?? null,
        priority: file.priority,
        now: Date.now(),
        categoryId: file.categoryId === undefined ? (before?.category_id ?? null) : file.categoryId,
      }).lastInsertRowid,
    );
    this.#attributes.put(file.companyId, fileId, attributes);
    if (file.input !== undefined) this.#inputs.put(fileId, file.input);
    this.#insertJob.run(fileId, file.input === undefined ? file.priority : INPUT_PRIORITY, file.sequence);
    return {
      fileId,
      uid,
      unchanged: false,
      wordsChanged: true,
      removed: replaced.map((row) => ({ fileId: row.id, hash: row.blob_hash })),
    };
  }

  /** Removes a file and all rows that refer to it. @throws EngineError `FILE_UNKNOWN`. */
  remove(companyId: number, uid: string): RemovedFile {
    const row = this.row(companyId, uid);
    this.#delete(row);
    this.#duplicates.forget(companyId, uid);
    return { fileId: row.id, hash: row.blob_hash };
  }

  /** Gives a file another path. @throws EngineError `FILE_UNKNOWN`; `CONFLICT` when another file has it. */
  rename(companyId: number, uid: string, path: string): FileRow {
    const row = this.row(companyId, uid);
    const other = this.#byPath.get(companyId, path);
    if (other !== undefined && other.id !== row.id) {
      throw new EngineError('CONFLICT', `another file has the path ${JSON.stringify(path)}`, {
        details: { uid: other.uid, path },
      });
    }
    this.#database.prepare('UPDATE file SET path = ?, extension = ? WHERE id = ?').run(path, extensionOf(path), row.id);
    return this.row(companyId, uid);
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  row(companyId: number, uid: string): FileRow {
    const row = this.#byUid.get(companyId, uid);
    if (row === undefined) throw new EngineError('FILE_UNKNOWN', `no file has the UID ${uid}`, { details: { uid } });
    return row;
  }

  /** The row with this path, if any. */
  rowAt(companyId: number, path: string): FileRow | undefined {
    return this.#byPath.get(companyId, path);
  }

  /** Ids of the files with these UIDs, each once; unknown ones are passed over. */
  idsOf(companyId: number, uids: readonly string[]): number[] {
    const ids = uids.map((uid) => this.#byUid.get(companyId, uid.toLowerCase())?.id).filter((id) => id !== undefined);
    return [...new Set(ids)];
  }

  /** The record with this id, if it is still there. */
  recordById(fileId: number): FileRecord | undefined {
    const row = this.#byId.get(fileId);
    return row === undefined ? undefined : this.record(row);
  }

  /** The row with this id, if it is still there. */
  rowById(fileId: number): FileRow | undefined {
    return this.#byId.get(fileId);
  }

  /** The record with this id without its extracted attributes: reading those takes half of the time of a record. */
  hitById(fileId: number): Omit<FileRecord, 'extractedAttributes'> | undefined {
    const row = this.#byId.get(fileId);
    return row === undefined ? undefined : recordOf(row, this.#attributes.texts(row.id), []);
  }

  /** The public form of a row. */
  record(row: FileRow): FileRecord {
    return recordOf(row, this.#attributes.texts(row.id), this.#attributes.extractedTexts(row.id));
  }

  /** Files in an order. */
  list(options: ListOptions): FileRecord[] {
    return listRows(this.#database, options).map((row) => this.record(row));
  }

  /** Files of a company by kind. */
  counts(companyId: number): KindCounts {
    return countKinds(this.#database, companyId);
  }

  /** How many files of each kind and state a company has. */
  summary(companyId: number): CompanySummary {
    return summarize(this.#database, companyId);
  }

  /** The folders directly in a folder of a company. */
  folders(companyId: number, prefix: string): FolderSummary[] {
    return foldersIn(this.#database, companyId, prefix);
  }

  /** Files of a company that could not be read, by reason. */
  failures(companyId: number): FailureSummary[] {
    return failuresOf(this.#database, companyId);
  }

  /** Whether any file or quote request of any company has these bytes. */
  refers(hash: string): boolean {
    return this.#refers.get(hash) !== undefined || this.#accounts.refers(hash);
  }

  /**
   * Those of the given hashes that a file or a quote request has. Reads the whole table and no index: what is about to
   * be moved or removed must not hang on a damaged index.
   */
  named(hashes: readonly string[]): Set<string> {
    if (hashes.length === 0) return new Set();
    const ofFiles = this.#database
      .prepare<[string], string>(
        'SELECT DISTINCT blob_hash FROM file NOT INDEXED WHERE blob_hash IN (SELECT value FROM json_each(?))',
      )
      .pluck()
      .all(JSON.stringify(hashes));
    return new Set([...ofFiles, ...this.#accounts.blobs().map(({ hash }) => hash)]);
  }

  /** All blobs that files and quote requests refer to, each once. */
  blobs(): { readonly hash: string; readonly byteLength: number }[] {
    const ofFiles = this.#database
      .prepare<[], { hash: string; byteLength: number }>(
        'SELECT DISTINCT blob_hash AS hash, byte_length AS byteLength FROM file',
      )
      .all();
    return [...ofFiles, ...this.#ofAccountsAlone()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  }

  /** Total size of these blobs, bytes. */
  blobBytes(): number {
    const ofFiles = this.#database
      .prepare<[], number>(
        'SELECT coalesce(sum(length), 0) FROM (SELECT DISTINCT blob_hash, byte_length AS length FROM file)',
      )
      .pluck()
      .get() as number;
    return this.#ofAccountsAlone().reduce((sum, { byteLength }) => sum + byteLength, ofFiles);
  }

  /** Files and quote requests that refer to a blob. */
  owners(hash: string): { uid: string; path: string; company: string }[] {
    const files = this.#database
      .prepare<[string], { uid: string; path: string; company: string }>(
        `SELECT uid, path, company.name AS company FROM file JOIN company ON company.id = company_id
         WHERE blob_hash = ? AND ${IS_NO_COMPONENT} ORDER BY uid`,
      )
      .all(hash);
    return [...files, ...this.#accounts.owners(hash)];
  }

  /** Updates a row whose bytes were put again. Returns whether its attributes changed. */
  #renew(row: FileRow, file: NewFile): boolean {
    const changed = file.attributes !== undefined && this.#attributes.put(row.company_id, row.id, file.attributes);
    if (file.categoryId !== undefined) this.#categories.assign(row.company_id, row.id, file.categoryId);
    if (file.sourceMtimeMs !== undefined) {
      this.#database.prepare('UPDATE file SET source_mtime_ms = ? WHERE id = ?').run(file.sourceMtimeMs, row.id);
    }
    if (row.state === 'indexed') return changed;
    this.#database
      .prepare(
        `UPDATE file SET state = 'queued', priority = min(priority, ?), indexed_at = NULL, error_code = NULL,
          error_message = NULL WHERE id = ?`,
      )
      .run(row.state === 'failed' ? row.priority : file.priority, row.id);
    this.#insertJob.run(row.id, file.priority, file.sequence);
    return changed;
  }

  #delete({ id, company_id }: FileRow): void {
    const file: FileKey = { companyId: company_id, fileId: id };
    this.#events.removing(file);
    this.#deleteFile.run(id);
  }

  #ofAccountsAlone(): { readonly hash: string; readonly byteLength: number }[] {
    return this.#accounts.blobs().filter(({ hash }) => this.#refers.get(hash) === undefined);
  }

  /** @throws EngineError `NOT_ALLOWED`. */
  #checkRoom(companyId: number, most: number): void {
    const found = this.#count.get(companyId)!;
    if (found >= most) throw noRoom(most, found);
  }

  /**
   * The path, numbered when another file has it. `own`: the path of the file that is replaced; it is kept when it is
   * `path` itself or `path` with a number.
   */
  #freePath(companyId: number, path: string, own: string | undefined): string {
    const isTaken = (number: number): boolean => this.#byPath.get(companyId, numberedPath(path, number)) !== undefined;
    if (own === path || this.#byPath.get(companyId, path) === undefined) return path;
    if (own !== undefined && isNumberedPath(own, path)) return own;
    // Thousands of files may share a name: an exponential, then a binary search for a free number.
    let taken = 1;
    let free = 2;
    while (isTaken(free)) [taken, free] = [free, 2 * free];
    while (free - taken > 1) {
      const middle = Math.floor((taken + free) / 2);
      if (isTaken(middle)) taken = middle;
      else free = middle;
    }
    const numbered = numberedPath(path, free);
    if (numbered.length <= PATH_LENGTH_LIMIT) return numbered;
    throw new EngineError(
      'LIMIT_EXCEEDED',
      `the path is taken, and with the number ${free} it would have ${numbered.length} characters; ` +
        `${PATH_LENGTH_LIMIT} are allowed`,
      {
        details: { limit: 'pathLength', allowed: PATH_LENGTH_LIMIT, found: numbered.length },
      },
    );
  }
}

/** A company that may have `most` files has `found`. */
export function noRoom(most: number, found: number): EngineError {
  return new EngineError(
    'NOT_ALLOWED',
    `The plan of the company has room for ${most} files, and ${found} are stored: delete some, or let the operator raise the limit.`,
    { details: { limit: 'fileLimit', allowed: most, found } },
  );
}
