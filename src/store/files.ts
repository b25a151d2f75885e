import { randomUUID } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import { EngineError } from '../errors.js';
import type { Attribute } from './attribute.js';
import { extensionOf, numberedPath } from './file-path.js';
import type { Terms } from './terms.js';
import { recordOf, type FileKind, type FileRecord, type FileRow, type FileState, type Priority } from './record.js';

/** A file to be entered in the catalogue; its blob is durable. */
export interface NewFile {
  readonly companyId: number;
  readonly path: string;
  /** Lower-case GUID to store it under; absent: that of the file with this path, else a new one. */
  readonly uid?: string;
  /** False: an existing path is left alone and a number is appended to this one. */
  readonly overwrite: boolean;
  readonly hash: string;
  readonly byteLength: number;
  readonly sourceMtimeMs?: number;
  /** Absent: those of the file that it replaces. */
  readonly attributes?: readonly Attribute[];
  /** True: its shape is not wanted. */
  readonly textOnly: boolean;
  /** What it seems to be, by its extension. */
  readonly kind: FileKind;
  readonly priority: Priority;
  /** Turn of arrival. */
  readonly sequence: number;
}

/** What entering a file did. */
export interface EnteredFile {
  readonly fileId: number;
  readonly uid: string;
  /** True: the same bytes were there under the same path and UID, so nothing is read again. */
  readonly unchanged: boolean;
  /** Rows that this one replaced. */
  readonly removed: readonly RemovedFile[];
}

/** A row that is gone: its id, for the index; its blob, which may be without owner now. */
export interface RemovedFile {
  readonly fileId: number;
  readonly hash: string;
}

/** Which files to list. */
export interface ListOptions {
  readonly companyId: number;
  /** Only paths that begin so. */
  readonly prefix: string;
  /** Only paths after this one, in the order of their UTF-8 bytes. */
  readonly after: string;
  readonly limit: number;
  readonly state?: FileState;
}

/** Companies, files and attributes in the catalogue. Writing methods run inside a transaction of the caller. */
export class Files {
  readonly #database: Database;
  readonly #terms: Terms;
  readonly #byUid: Statement<[number, string], FileRow>;
  readonly #byPath: Statement<[number, string], FileRow>;
  readonly #byId: Statement<[number], FileRow>;
  readonly #attributes: Statement<[number], string>;
  readonly #extracted: Statement<[number], string>;
  readonly #insertFile: Statement<[object]>;
  readonly #insertAttribute: Statement<[number, number, string, string, string, string]>;
  readonly #insertJob: Statement<[number, number, number]>;
  readonly #deleteFile: Statement<[number]>;
  readonly #refers: Statement<[string], number>;

  constructor(database: Database, terms: Terms) {
    this.#database = database;
    this.#terms = terms;
    this.#byUid = database.prepare('SELECT * FROM file WHERE company_id = ? AND uid = ?');
    this.#byPath = database.prepare('SELECT * FROM file WHERE company_id = ? AND path = ?');
    this.#byId = database.prepare('SELECT * FROM file WHERE id = ?');
    this.#attributes = database.prepare<[number], string>('SELECT text FROM attribute WHERE file_id = ? ORDER BY position').pluck();
    this.#extracted = database.prepare<[number], string>(
      `SELECT name || iif(unit = '', '', '(' || unit || ')') || '=' || value FROM extracted WHERE file_id = ? ORDER BY position`).pluck();
    this.#insertFile = database.prepare(`
      INSERT INTO file (company_id, uid, path, extension, kind, text_only, blob_hash, byte_length, source_mtime_ms, state, priority, added_at)
      VALUES (@companyId, @uid, @path, @extension, @kind, @textOnly, @hash, @byteLength, @sourceMtimeMs, 'queued', @priority, @now)`);
    this.#insertAttribute = database.prepare('INSERT INTO attribute (file_id, position, text, name, unit, value) VALUES (?, ?, ?, ?, ?, ?)');
    this.#insertJob = database.prepare(`
      INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?)
      ON CONFLICT (file_id) DO UPDATE SET priority = min(priority, excluded.priority)`);
    this.#deleteFile = database.prepare('DELETE FROM file WHERE id = ?');
    this.#refers = database.prepare<[string], number>('SELECT 1 FROM file WHERE blob_hash = ? LIMIT 1').pluck();
  }

  /** The id of a company, made on first use. */
  company(name: string): number {
    const select = this.#database.prepare<[string], number>('SELECT id FROM company WHERE name = ?').pluck();
    const known = select.get(name);
    if (known !== undefined) return known;
    const id = Number(this.#database.prepare('INSERT INTO company (name, added_at) VALUES (?, ?)').run(name, Date.now()).lastInsertRowid);
    this.#terms.createTable(id);
    return id;
  }

  /** All companies by name. */
  companies(): { id: number; name: string }[] {
    return this.#database.prepare<[], { id: number; name: string }>('SELECT id, name FROM company ORDER BY name').all();
  }

  /**
   * Enters a file, with its attributes and its job, replacing what has its UID or (with `overwrite`) its path. The same
   * bytes under the same path and UID stay one record; a failed one is queued again.
   */
  enter(file: NewFile): EnteredFile {
    const path = file.overwrite ? file.path : this.#freePath(file.companyId, file.path);
    const atPath = this.#byPath.get(file.companyId, path);
    const uid = file.uid ?? atPath?.uid ?? randomUUID();
    const atUid = this.#byUid.get(file.companyId, uid);
    const before = atUid ?? atPath;
    if (before !== undefined && atUid?.id === atPath?.id && before.blob_hash === file.hash && (before.text_only === 1) === file.textOnly) {
      this.#renew(before, file);
      return { fileId: before.id, uid, unchanged: before.state !== 'failed', removed: [] };
    }
    const attributes = file.attributes?.map(({ text, name, unit, value }) => [text, name, unit, value] as const)
      ?? (before === undefined ? [] : this.#attributeRows(before.id));
    const replaced = [atUid, atPath?.id === atUid?.id ? undefined : atPath].filter((row) => row !== undefined);
    for (const row of replaced) this.#delete(row.id);
    const fileId = Number(this.#insertFile.run({
      companyId: file.companyId,
      uid,
      path,
      extension: extensionOf(path),
      kind: file.kind,
      textOnly: file.textOnly ? 1 : 0,
      hash: file.hash,
      byteLength: file.byteLength,
      sourceMtimeMs: file.sourceMtimeMs ?? null,
      priority: file.priority,
      now: Date.now(),
    }).lastInsertRowid);
    attributes.forEach((attribute, position) => this.#insertAttribute.run(fileId, position, ...attribute));
    this.#insertJob.run(fileId, file.priority, file.sequence);
    return { fileId, uid, unchanged: false, removed: replaced.map((row) => ({ fileId: row.id, hash: row.blob_hash })) };
  }

  /** Removes a file with all that hangs on it. @throws EngineError `FILE_UNKNOWN`. */
  remove(companyId: number, uid: string): RemovedFile {
    const row = this.row(companyId, uid);
    this.#delete(row.id);
    return { fileId: row.id, hash: row.blob_hash };
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

  /** The public form of a row. */
  record(row: FileRow): FileRecord {
    return recordOf(row, this.#attributes.all(row.id), this.#extracted.all(row.id));
  }

  /** Files in the order of their paths. */
  list({ companyId, prefix, after, limit, state }: ListOptions): FileRecord[] {
    // Paths that begin with the prefix lie between it and it followed by the last code point.
    return this.#database
      .prepare<[object], FileRow>(
        `SELECT * FROM file WHERE company_id = @companyId AND path >= @prefix AND path < @end AND path > @after
           AND (@state IS NULL OR state = @state) ORDER BY path LIMIT @limit`,
      )
      .all({ companyId, prefix, end: `${prefix}\u{10FFFF}`, after, state: state ?? null, limit })
      .map((row) => this.record(row));
  }

  /** Whether any file of any company has these bytes. */
  refers(hash: string): boolean {
    return this.#refers.get(hash) !== undefined;
  }

  /** All blobs that files refer to, each once. */
  *blobs(): Generator<{ hash: string; byteLength: number }> {
    yield* this.#database
      .prepare<[], { hash: string; byteLength: number }>('SELECT DISTINCT blob_hash AS hash, byte_length AS byteLength FROM file ORDER BY blob_hash')
      .all();
  }

  /** Files that refer to a blob. */
  owners(hash: string): { fileId: number; uid: string; path: string; company: string }[] {
    return this.#database
      .prepare<[string], { fileId: number; uid: string; path: string; company: string }>(
        `SELECT file.id AS fileId, uid, path, company.name AS company
         FROM file JOIN company ON company.id = company_id WHERE blob_hash = ? ORDER BY file.id`,
      )
      .all(hash);
  }

  #delete(fileId: number): void {
    this.#terms.remove(fileId);
    this.#deleteFile.run(fileId);
  }

  /** The same bytes were put again. */
  #renew(row: FileRow, file: NewFile): void {
    if (file.attributes !== undefined) {
      this.#database.prepare('DELETE FROM attribute WHERE file_id = ?').run(row.id);
      file.attributes.forEach(({ text, name, unit, value }, position) => this.#insertAttribute.run(row.id, position, text, name, unit, value));
      this.#terms.refresh(row.id);
    }
    if (file.sourceMtimeMs !== undefined) {
      this.#database.prepare('UPDATE file SET source_mtime_ms = ? WHERE id = ?').run(file.sourceMtimeMs, row.id);
    }
    if (row.state === 'indexed') return;
    this.#database
      .prepare(`UPDATE file SET state = 'queued', priority = min(priority, ?), indexed_at = NULL, error_code = NULL, error_message = NULL WHERE id = ?`)
      .run(row.state === 'failed' ? row.priority : file.priority, row.id);
    this.#insertJob.run(row.id, file.priority, file.sequence);
  }

  #attributeRows(fileId: number): (readonly [string, string, string, string])[] {
    return this.#database
      .prepare<[number], [string, string, string, string]>('SELECT text, name, unit, value FROM attribute WHERE file_id = ? ORDER BY position')
      .raw()
      .all(fileId) as [string, string, string, string][];
  }

  #freePath(companyId: number, path: string): string {
    let free = path;
    for (let number = 2; this.#byPath.get(companyId, free) !== undefined; number++) free = numberedPath(path, number);
    return free;
  }
}
