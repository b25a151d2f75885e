import { setImmediate } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { storedJson } from '../database/stored-json.js';
import { isRowWhole, type CheckedRow } from './checked-views.js';
import { IS_UNPACKED, packText, packViews, unpackText, unpackViews } from './packed-views.js';
import type { IndexedModel, ViewDoor, ViewsAsked } from '../catalogue.js';
import type { StoredViews } from './indexed-file.js';
import type { FileViewRow, StoredShapelet } from './shapelet.js';

interface Row extends Omit<FileViewRow, 'numbersMm' | 'extentsMm'> {
  readonly numbers: string;
  readonly extents: string;
}

/** A row as it is stored, packed or not. */
interface StoredRow {
  readonly fileId: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly places: string;
}

/** Rows read at a time; a row has some kilobytes. */
const PAGE_ROWS = 512;
const MODEL_ROWS = 4_096;
/** Packed in one transaction, some 8 ms, and looked at. */
const PACKED_ROWS = 3;
const LOOKED_AT = 512;
const MOST_TWINS = 1_000;
/** Rows that a check unpacks before other work has its turn, some 10 ms. */
const CHECKED_ROWS = 32;
/** Version of views that are to be made again; extractions count from 1. */
const TO_MAKE_AGAIN = 0;

/** The migration step that adds views. Small columns come first: SQLite reaches those behind a long one slowly. */
export const VIEWS_STEP = `
  CREATE TABLE views (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    count INTEGER NOT NULL,
    -- Lists of numbers, JSON, mm.
    numbers TEXT NOT NULL,
    extents TEXT NOT NULL,
    bytes BLOB NOT NULL,
    -- Where the shapelets are, JSON.
    places TEXT NOT NULL,
    pictures BLOB
  ) STRICT;
`;

/** The migration step that adds layouts of pages; views that were stored before are made again. */
export const LAYOUTS_STEP = "ALTER TABLE views ADD COLUMN layouts BLOB NOT NULL DEFAULT x'';";

/** The migration step that adds the ink of pages; views that were stored before are made again. */
export const INKS_STEP = 'ALTER TABLE views ADD COLUMN inks BLOB;';

/** Number of a file's views that come first and are often read alone; see `StoredViews.first`. */
export type FirstOf = (views: Uint8Array, count: number) => number;

/** The shapelets of files. Writing methods run inside a transaction of the caller. */
export class Views implements ViewDoor {
  readonly #page: Statement<[number, number, number, 0 | 1], Row>;
  readonly #some: Statement<[string, number, number | null, number | null], Row>;
  readonly #models: Statement<[number, number], IndexedModel>;
  readonly #one: Statement<[number], Row>;
  readonly #lengths: Statement<[number], Pick<Row, 'numbers' | 'extents'>>;
  readonly #places: Statement<[number], string>;
  readonly #pictures: Statement<[number], Uint8Array | null>;
  readonly #inks: Statement<[number], Uint8Array | null>;
  readonly #layouts: Statement<[number], Uint8Array>;
  readonly #ofBytes: Statement<[string, number], number>;
  readonly #put: Statement<[object]>;
  readonly #remove: Statement<[number]>;
  readonly #next: Statement<[number], number | null>;
  readonly #unpacked: Statement<[number, number], StoredRow>;
  readonly #pack: Statement<[Uint8Array, string, number]>;
  readonly #stored: Statement<[number], CheckedRow>;
  readonly #spoil: Statement<[number, number]>;

  constructor(database: Database) {
    const columns = 'file.id AS fileId, uid, count, numbers, extents, bytes, layouts';
    this.#page = database.prepare(`
      SELECT ${columns} FROM views CROSS JOIN file ON file.id = views.file_id
      WHERE views.file_id > ? AND company_id = ? AND state = 'indexed' AND version >= ? AND (kind = 'ThreeD') = ?
        AND count > 0 ORDER BY views.file_id LIMIT ${PAGE_ROWS}`);
    this.#some = database.prepare(`
      SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value
        CROSS JOIN views ON views.file_id = file.id
      WHERE company_id = ? AND state = 'indexed' AND (? IS NULL OR version >= ?)`);
    this.#models = database.prepare(`
      SELECT id AS fileId, uid, indexed_at AS indexedAt FROM file INDEXED BY file_by_arrival
      WHERE company_id = ? AND id > ? AND state = 'indexed' AND kind = 'ThreeD' ORDER BY id LIMIT ${MODEL_ROWS}`);
    this.#one = database.prepare(
      `SELECT ${columns} FROM views CROSS JOIN file ON file.id = views.file_id WHERE file.id = ?`,
    );
    this.#lengths = database.prepare('SELECT numbers, extents FROM views WHERE file_id = ?');
    this.#places = database.prepare<[number], string>('SELECT places FROM views WHERE file_id = ?').pluck();
    this.#pictures = database
      .prepare<[number], Uint8Array | null>('SELECT pictures FROM views WHERE file_id = ?')
      .pluck();
    this.#inks = database.prepare<[number], Uint8Array | null>('SELECT inks FROM views WHERE file_id = ?').pluck();
    this.#layouts = database.prepare<[number], Uint8Array>('SELECT layouts FROM views WHERE file_id = ?').pluck();
    // Without INDEXED BY, SQLite walks all files of the company in the order of their UIDs: 1.5 ms per thousand files.
    this.#ofBytes = database
      .prepare<[string, number], number>(`
      SELECT id FROM file INDEXED BY file_by_blob CROSS JOIN views ON file_id = id
      WHERE blob_hash = ? AND company_id = ? AND state = 'indexed' AND count > 0 ORDER BY uid LIMIT ${MOST_TWINS}`)
      .pluck();
    this.#put = database.prepare(`
      INSERT OR REPLACE INTO views (file_id, version, count, numbers, extents, bytes, places, pictures, layouts, inks)
      VALUES (@fileId, @version, @count, @numbers, @extents, @bytes, @places, @pictures, @layouts, @inks)`);
    this.#remove = database.prepare('DELETE FROM views WHERE file_id = ?');
    this.#next = database
      .prepare<[number], number | null>(`
      SELECT max(file_id) FROM (SELECT file_id FROM views WHERE file_id > ? ORDER BY file_id LIMIT ${LOOKED_AT})`)
      .pluck();
    this.#unpacked = database.prepare(`
      SELECT file_id AS fileId, count, bytes, places FROM views WHERE file_id > ? AND file_id <= ? AND ${IS_UNPACKED}
      ORDER BY file_id LIMIT ${PACKED_ROWS}`);
    this.#pack = database.prepare('UPDATE views SET bytes = ?, places = ? WHERE file_id = ?');
    this.#stored = database.prepare(`
      SELECT file_id AS fileId, count, bytes, places, numbers, extents, pictures, inks FROM views WHERE file_id > ?
      ORDER BY file_id LIMIT ${CHECKED_ROWS}`);
    this.#spoil = database.prepare('UPDATE views SET version = ? WHERE file_id = ?');
  }

  async after(
    companyId: number,
    after: number,
    { since, models }: { readonly since: number; readonly models: boolean },
  ): Promise<FileViewRow[]> {
    return this.#page.all(after, companyId, since, models ? 1 : 0).map((row) => viewRowOf(row));
  }

  async some(companyId: number, fileIds: readonly number[], { since, part }: ViewsAsked = {}): Promise<FileViewRow[]> {
    const rows = this.#some.all(JSON.stringify(fileIds), companyId, since ?? null, since ?? null);
    return rows.map((row) => viewRowOf(row, part));
  }

  async modelsAfter(companyId: number, after: number): Promise<IndexedModel[]> {
    return this.#models.all(companyId, after);
  }

  async ofBytes(companyId: number, sha256: string): Promise<number[]> {
    return this.#ofBytes.all(sha256, companyId);
  }

  async one(fileId: number): Promise<FileViewRow | undefined> {
    const row = this.#one.get(fileId);
    return row && viewRowOf(row);
  }

  async lengths(fileIds: readonly number[]): Promise<Pick<FileViewRow, 'numbersMm' | 'extentsMm'>[]> {
    return fileIds.map((fileId) => lengthsOf(this.#lengths.get(fileId) ?? { numbers: '[]', extents: '[]' }));
  }

  async shapelets(fileId: number): Promise<StoredShapelet[]> {
    return this.#placesOf(fileId);
  }

  async shapeletsOf(fileIds: readonly number[]): Promise<ReadonlyMap<number, StoredShapelet[]>> {
    return new Map(fileIds.map((fileId) => [fileId, this.#placesOf(fileId)]));
  }

  async pictures(fileId: number): Promise<Uint8Array | undefined> {
    return this.#pictures.get(fileId) ?? undefined;
  }

  async inks(fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
    return bytesOfEach(this.#inks, fileIds);
  }

  async layouts(fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
    return bytesOfEach(this.#layouts, fileIds);
  }

  put(
    fileId: number,
    { version, bytes, first, shapelets, numbersMm, extentsMm, layouts = new Uint8Array(), inks, pictures }: StoredViews,
  ): void {
    this.#put.run({
      fileId,
      version,
      bytes: packViews(bytes, shapelets.length, first ?? 0),
      pictures,
      layouts,
      inks: inks ?? null,
      count: shapelets.length,
      numbers: JSON.stringify(numbersMm),
      extents: JSON.stringify(extentsMm),
      places: packText(JSON.stringify(shapelets)),
    });
  }

  remove(fileId: number): void {
    this.#remove.run(fileId);
  }

  /** Packs the next views that an engine of before stored; see `Store.packViews`. */
  packNext(after: number, firstOf: FirstOf): number | undefined {
    const last = this.#next.get(after) ?? undefined;
    const rows = last === undefined ? [] : this.#unpacked.all(after, last);
    for (const { fileId, count, bytes, places } of rows) {
      const views = unpackViews(bytes);
      const isWhole = views.length > 0 && views.length % count === 0;
      const packed = isWhole ? packViews(views, count, firstOf(views, count)) : bytes;
      const text = packText(unpackText(places));
      // Views of which none are equal are packed as an engine of before packed them: nothing is written then.
      if (text !== places || Buffer.compare(packed, bytes) !== 0) this.#pack.run(packed, text, fileId);
    }
    return rows.length < PACKED_ROWS ? last : rows[rows.length - 1].fileId;
  }

  /** Files of whose views something cannot be read, see {@link isRowWhole}; read 32 rows at a time. */
  async *damaged(viewBytes: number): AsyncGenerator<number> {
    for (let after = 0; ; ) {
      const rows = this.#stored.all(after);
      for (const row of rows) if (!isRowWhole(row, viewBytes)) yield row.fileId;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.fileId;
      await setImmediate();
    }
  }

  /** Has the views of a file made again, by another version: a file without views is not found by a drawing. */
  spoil(fileId: number): void {
    this.#spoil.run(TO_MAKE_AGAIN, fileId);
  }

  #placesOf(fileId: number): StoredShapelet[] {
    return storedJson(unpackText(this.#places.get(fileId) ?? '[]'), 'the shapelets of a file');
  }
}

/** What a statement gives of each of these files; those without are left out. */
function bytesOfEach(
  statement: Statement<[number], Uint8Array | null>,
  fileIds: readonly number[],
): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (const fileId of fileIds) {
    const bytes = statement.get(fileId) ?? undefined;
    if (bytes !== undefined && bytes.length > 0) found.set(fileId, bytes);
  }
  return found;
}

function viewRowOf({ numbers, extents, bytes, ...row }: Row, part?: 'all' | 'first'): FileViewRow {
  return {
    ...row,
    bytes: unpackViews(bytes, part),
    ...lengthsOf({ numbers, extents }),
  };
}

function lengthsOf({
  numbers,
  extents,
}: Pick<Row, 'numbers' | 'extents'>): Pick<FileViewRow, 'numbersMm' | 'extentsMm'> {
  return {
    numbersMm: storedJson(numbers, 'the dimensions of a drawing'),
    extentsMm: storedJson(extents, 'the sizes of views'),
  };
}
