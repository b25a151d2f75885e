import type { Database, Statement } from 'better-sqlite3';
import type { StoredDescriptor } from './jobs.js';

/** What the index needs of every searchable file. */
export interface CompactShape {
  readonly fileId: number;
  readonly uid: string;
  /** The `compact` descriptor's bytes. */
  readonly compact: Uint8Array;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  readonly surfaceAreaMm2: number;
}

/** What the finer comparison needs of one file. */
export interface FineShape extends Omit<CompactShape, 'compact'> {
  readonly path: string;
  readonly sha256: string;
  /** The `fine` descriptor's bytes. */
  readonly fine: Uint8Array;
  readonly bboxSizeMm: readonly [number, number, number];
}

interface FineRow extends Omit<FineShape, 'bboxSizeMm'> {
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Rows read at a time. */
const PAGE_ROWS = 4_096;

const SIZE_COLUMNS = 'volume_mm3 AS volumeMm3, bbox_volume_mm3 AS bboxVolumeMm3, surface_area_mm2 AS surfaceAreaMm2';

/** Reads the descriptors of indexed files. */
export class Shapes {
  readonly #page: Statement<[number, number], CompactShape>;
  readonly #one: Statement<[number, number], FineRow>;
  readonly #bytes: Readonly<Record<StoredDescriptor, Statement<[number], Uint8Array>>>;

  constructor(database: Database) {
    // CROSS JOIN keeps SQLite to this order: left to itself it sorts all files of the company for every page.
    this.#page = database.prepare(`
      SELECT file.id AS fileId, uid, compact.bytes AS compact, ${SIZE_COLUMNS} FROM compact CROSS JOIN file ON file.id = compact.file_id
      WHERE compact.file_id > ? AND company_id = ? AND state = 'indexed' ORDER BY compact.file_id LIMIT ${PAGE_ROWS}`);
    this.#one = database.prepare(`
      SELECT file.id AS fileId, uid, ${SIZE_COLUMNS}, path, blob_hash AS sha256, fine.bytes AS fine,
        bbox_length_mm AS length, bbox_width_mm AS width, bbox_height_mm AS height
      FROM file JOIN fine ON fine.file_id = file.id
      WHERE file.id = ? AND company_id = ? AND state = 'indexed'`);
    const bytes = (name: StoredDescriptor) =>
      database.prepare<[number], Uint8Array>(`SELECT bytes FROM ${name} WHERE file_id = ?`).pluck();
    this.#bytes = { compact: bytes('compact'), fine: bytes('fine'), surface: bytes('surface') };
  }

  /** All searchable files of a company in the order of their ids. */
  *all(companyId: number): Generator<CompactShape, void, void> {
    // Page by page, because SQLite lets nobody write while a statement is open.
    for (let last = 0; ; ) {
      const rows = this.#page.all(last, companyId);
      yield* rows;
      if (rows.length < PAGE_ROWS) return;
      last = rows[rows.length - 1].fileId;
    }
  }

  /** One descriptor of each of the given files, in their order; undefined for those that have none. */
  descriptors(name: StoredDescriptor, fileIds: Iterable<number>): (Uint8Array | undefined)[] {
    return Array.from(fileIds, (fileId) => this.#bytes[name].get(fileId));
  }

  /** The given files in the given order; those that are not searchable (any more) are left out. */
  some(companyId: number, fileIds: Iterable<number>): FineShape[] {
    const found: FineShape[] = [];
    for (const fileId of fileIds) {
      const row = this.#one.get(fileId, companyId);
      if (row === undefined) continue;
      const { uid, path, sha256, fine, volumeMm3, bboxVolumeMm3, surfaceAreaMm2, length, width, height } = row;
      found.push({ fileId, uid, path, sha256, fine, volumeMm3, bboxVolumeMm3, surfaceAreaMm2, bboxSizeMm: [length, width, height] });
    }
    return found;
  }
}
