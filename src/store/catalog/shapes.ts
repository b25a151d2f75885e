import type { Database, Statement } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { storedJson } from '../database/stored-json.js';
import type { CompactShape, FaceWordsRow, FineShapes, ShapeDoor, ShapeFacts, ShapeSizes } from '../catalogue.js';
import type { StoredDescriptor } from './indexed-file.js';
import { unpackViews } from './packed-views.js';

interface CompactRow extends Omit<CompactShape, 'bboxSizeMm'> {
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** A descriptor of several files, joined. */
interface JoinedRow {
  readonly fileIds: string;
  readonly shortest: number | null;
  readonly longest: number | null;
  readonly bytes: Uint8Array | null;
}

/** Rows read at a time. */
const PAGE_ROWS = 4_096;

const SIZE_COLUMNS = `volume_mm3 AS volumeMm3, bbox_volume_mm3 AS bboxVolumeMm3, surface_area_mm2 AS surfaceAreaMm2,
  bbox_length_mm AS length, bbox_width_mm AS width, bbox_height_mm AS height`;

/** Reads the descriptors of indexed files. */
export class Shapes implements ShapeDoor {
  readonly #page: Statement<[number, number], CompactRow>;
  readonly #one: Statement<[number], CompactRow>;
  readonly #facts: Statement<[string], Omit<CompactRow, 'compact'>>;
  readonly #fine: Statement<[string], JoinedRow>;
  readonly #compacts: Statement<[string], JoinedRow>;
  readonly #sizes: Statement<[string], ShapeSizes>;
  readonly #hashOf: Statement<[number], string>;
  readonly #featuresOf: Statement<[number], string | null>;
  readonly #wordsPage: Statement<[number, number], FaceWordsRow>;
  readonly #bytes: Readonly<Record<StoredDescriptor, Statement<[number, number], Uint8Array>>>;

  constructor(database: Database) {
    // CROSS JOIN fixes the order of the join: SQLite would sort all files of the company for every page.
    this.#page = database.prepare(`
      SELECT file.id AS fileId, uid, compact.bytes AS compact, ${SIZE_COLUMNS} FROM compact
        CROSS JOIN file ON file.id = compact.file_id
      WHERE compact.file_id > ? AND company_id = ? AND state = 'indexed' ORDER BY compact.file_id LIMIT ${PAGE_ROWS}`);
    this.#one = database.prepare(`
      SELECT file.id AS fileId, uid, compact.bytes AS compact, ${SIZE_COLUMNS} FROM compact
        CROSS JOIN file ON file.id = compact.file_id
      WHERE compact.file_id = ? AND state = 'indexed'`);
    this.#facts = database.prepare(`
      SELECT file.id AS fileId, uid, ${SIZE_COLUMNS} FROM json_each(?) AS wanted
        CROSS JOIN file ON file.id = wanted.value
      WHERE state = 'indexed' AND EXISTS (SELECT 1 FROM compact WHERE file_id = file.id)`);
    // One blob for all: handing over hundreds of small ones costs more than reading them. group_concat appends the
    // bytes unchanged, in the order of the rows, which is that of `fileIds`.
    const joined = (table: 'fine' | 'compact') =>
      database.prepare<[string], JoinedRow>(`
        SELECT json_group_array(file_id) AS fileIds, min(length(bytes)) AS shortest, max(length(bytes)) AS longest,
          CAST(group_concat(bytes, '') AS BLOB) AS bytes
        FROM json_each(?) AS wanted CROSS JOIN ${table} ON ${table}.file_id = wanted.value`);
    this.#fine = joined('fine');
    this.#compacts = joined('compact');
    this.#sizes = database.prepare(`
      SELECT file.id AS fileId, volume_mm3 AS volumeMm3, bbox_volume_mm3 AS bboxVolumeMm3,
        surface_area_mm2 AS surfaceAreaMm2
      FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value WHERE state = 'indexed'`);
    this.#hashOf = database.prepare<[number], string>('SELECT blob_hash FROM file WHERE id = ?').pluck();
    this.#featuresOf = database.prepare<[number], string | null>('SELECT features FROM file WHERE id = ?').pluck();
    const bytes = (name: StoredDescriptor) =>
      database
        .prepare<[number, number], Uint8Array>(`SELECT substr(bytes, 1, ?) FROM ${name} WHERE file_id = ?`)
        .pluck();
    this.#bytes = {
      compact: bytes('compact'),
      fine: bytes('fine'),
      surface: bytes('surface'),
      faces: bytes('faces'),
      faceWords: bytes('faceWords'),
    };
    this.#wordsPage = database.prepare(`
      SELECT file.id AS fileId, uid, faceWords.bytes AS bytes FROM faceWords
        CROSS JOIN file ON file.id = faceWords.file_id
      WHERE faceWords.file_id > ? AND company_id = ? AND state = 'indexed' ORDER BY faceWords.file_id LIMIT ${PAGE_ROWS}`);
  }

  async after(companyId: number, after: number): Promise<CompactShape[]> {
    return this.#page.all(after, companyId).map(shapeOf);
  }

  async one(fileId: number): Promise<CompactShape | undefined> {
    const row = this.#one.get(fileId);
    return row && shapeOf(row);
  }

  async faceWordsAfter(companyId: number, after: number): Promise<FaceWordsRow[]> {
    return this.#wordsPage.all(after, companyId);
  }

  async hashes(fileIds: readonly number[]): Promise<(string | undefined)[]> {
    return fileIds.map((fileId) => this.#hashOf.get(fileId));
  }

  async features(fileIds: readonly number[]): Promise<(string | undefined)[]> {
    return fileIds.map((fileId) => this.#featuresOf.get(fileId) ?? undefined);
  }

  async descriptors(
    name: StoredDescriptor,
    fileIds: readonly number[],
    byteLength = 2 ** 31 - 1,
  ): Promise<(Uint8Array | undefined)[]> {
    const found = fileIds.map((fileId) => this.#bytes[name].get(byteLength, fileId));
    return name === 'faces' ? found.map((bytes) => bytes && unpackViews(bytes)) : found;
  }

  async fine(fileIds: readonly number[]): Promise<FineShapes> {
    return joinedOf(this.#fine.get(JSON.stringify(fileIds))!, 'fine');
  }

  async compacts(fileIds: Uint32Array): Promise<FineShapes> {
    return joinedOf(this.#compacts.get(`[${fileIds.join()}]`)!, 'compact');
  }

  async facts(fileIds: readonly number[]): Promise<ShapeFacts[]> {
    return this.#facts.all(JSON.stringify(fileIds)).map(shapeOf);
  }

  async sizes(fileIds: Uint32Array): Promise<ShapeSizes[]> {
    return this.#sizes.all(`[${fileIds.join()}]`);
  }
}

function joinedOf({ fileIds, shortest, longest, bytes }: JoinedRow, name: StoredDescriptor): FineShapes {
  if (shortest !== longest)
    throw new EngineError(
      'LIBRARY_DAMAGED',
      `${name} descriptors of ${shortest} to ${longest} bytes are stored, expected one length`,
    );
  return { fileIds: storedJson(fileIds, 'the ids of descriptors'), bytes: bytes ?? new Uint8Array() };
}

function shapeOf<T extends Omit<CompactRow, 'compact'>>({
  length,
  width,
  height,
  ...shape
}: T): Omit<T, 'length' | 'width' | 'height'> & Pick<CompactShape, 'bboxSizeMm'> {
  return { ...shape, bboxSizeMm: [length, width, height] };
}
