import type { Database, Statement } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import type { StoredDescriptor } from './indexed-file.js';

/** The data of a searchable file that the shape index holds. */
export interface CompactShape {
  readonly fileId: number;
  readonly uid: string;
  /** The `compact` descriptor's bytes. */
  readonly compact: Uint8Array;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  /** Edges of the smallest box, descending. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
}

/** The fine descriptors of several files. */
export interface FineShapes {
  readonly fileIds: readonly number[];
  /** The `fine` descriptors' bytes in this order, one after another, all of one length. */
  readonly bytes: Uint8Array;
}

interface CompactRow extends Omit<CompactShape, 'bboxSizeMm'> {
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Rows read at a time. */
const PAGE_ROWS = 4_096;

const SIZE_COLUMNS = `volume_mm3 AS volumeMm3, bbox_volume_mm3 AS bboxVolumeMm3, surface_area_mm2 AS surfaceAreaMm2,
  bbox_length_mm AS length, bbox_width_mm AS width, bbox_height_mm AS height`;

/** Reads the descriptors of indexed files. */
export class Shapes {
  readonly #page: Statement<[number, number], CompactRow>;
  readonly #fine: Statement<
    [string],
    { fileIds: string; shortest: number | null; longest: number | null; bytes: Uint8Array | null }
  >;
  readonly #hashOf: Statement<[number], string>;
  readonly #bytes: Readonly<Record<StoredDescriptor, Statement<[number], Uint8Array>>>;

  constructor(database: Database) {
    // CROSS JOIN fixes the order of the join: SQLite would sort all files of the company for every page.
    this.#page = database.prepare(`
      SELECT file.id AS fileId, uid, compact.bytes AS compact, ${SIZE_COLUMNS} FROM compact CROSS JOIN file ON file.id = compact.file_id
      WHERE compact.file_id > ? AND company_id = ? AND state = 'indexed' ORDER BY compact.file_id LIMIT ${PAGE_ROWS}`);
    // One blob for all: handing over hundreds of small ones costs more than reading them. group_concat appends the
    // bytes unchanged, in the order of the rows, which is that of `fileIds`.
    this.#fine = database.prepare(`
      SELECT json_group_array(file_id) AS fileIds, min(length(bytes)) AS shortest, max(length(bytes)) AS longest, CAST(group_concat(bytes, '') AS BLOB) AS bytes
      FROM json_each(?) AS wanted CROSS JOIN fine ON fine.file_id = wanted.value`);
    this.#hashOf = database.prepare<[number], string>('SELECT blob_hash FROM file WHERE id = ?').pluck();
    const bytes = (name: StoredDescriptor) =>
      database.prepare<[number], Uint8Array>(`SELECT bytes FROM ${name} WHERE file_id = ?`).pluck();
    this.#bytes = { compact: bytes('compact'), fine: bytes('fine'), surface: bytes('surface') };
  }

  /** All searchable files of a company in the order of their ids. */
  *all(companyId: number): Generator<CompactShape, void, void> {
    // Page by page, because SQLite refuses writes on a connection while one of its statements is open.
    for (let last = 0; ; ) {
      const rows = this.#page.all(last, companyId);
      for (const { length, width, height, ...shape } of rows) yield { ...shape, bboxSizeMm: [length, width, height] };
      if (rows.length < PAGE_ROWS) return;
      last = rows[rows.length - 1].fileId;
    }
  }

  /** SHA-256 of a file's bytes, hex, if it is still there. */
  hashOf(fileId: number): string | undefined {
    return this.#hashOf.get(fileId);
  }

  /** One descriptor of each of the given files, in their order; undefined for those that have none. */
  descriptors(name: StoredDescriptor, fileIds: Iterable<number>): (Uint8Array | undefined)[] {
    return Array.from(fileIds, (fileId) => this.#bytes[name].get(fileId));
  }

  /**
   * The fine descriptors of the given files, in the given order; files without one (any more) are left out.
   * @throws EngineError `LIBRARY_DAMAGED` when they differ in length.
   */
  fine(fileIds: readonly number[]): FineShapes {
    const { fileIds: found, shortest, longest, bytes } = this.#fine.get(JSON.stringify(fileIds))!;
    if (shortest !== longest)
      throw new EngineError(
        'LIBRARY_DAMAGED',
        `fine descriptors of ${shortest} to ${longest} bytes are stored, expected one length`,
      );
    return { fileIds: JSON.parse(found) as number[], bytes: bytes ?? new Uint8Array() };
  }
}
