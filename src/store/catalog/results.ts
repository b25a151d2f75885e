import type { Database, Statement } from 'better-sqlite3';
import type { FileError } from './record.js';
import type { RoomEvents } from '../rooms.js';
import { Assemblies } from './assemblies.js';
import { Components } from './components.js';
import { STORED_DESCRIPTORS, type IndexedFile, type IndexedShape, type StoredDescriptor } from './indexed-file.js';
import { packBytes } from './packed-views.js';
import type { PmiTable } from './pmi-table.js';
import type { Views } from './views.js';

/** Of a file without a shape. */
const NO_SHAPE = `triangle_count = NULL, component_count = NULL, volume_mm3 = NULL, bbox_volume_mm3 = NULL,
  bbox_length_mm = NULL, bbox_width_mm = NULL, bbox_height_mm = NULL, surface_area_mm2 = NULL, features = NULL`;

/** What indexing files gave, in all tables. All methods run inside a transaction of the caller. */
export class Results {
  readonly #events: RoomEvents;
  readonly #views: Views;
  readonly #assemblies: Assemblies;
  readonly #components: Components;
  readonly #pmi: PmiTable;
  readonly #owner: Statement<[number], { companyId: number; uid: string }>;
  readonly #setIndexed: Statement<[object]>;
  readonly #setShape: Statement<[object]>;
  readonly #clearShape: Statement<[number]>;
  readonly #setFailed: Statement<[string, string, string | null, number]>;
  readonly #descriptors: readonly {
    readonly name: StoredDescriptor;
    readonly put: Statement<[number, number, Uint8Array]>;
    readonly remove: Statement<[number]>;
  }[];

  constructor(database: Database, events: RoomEvents, views: Views, pmi: PmiTable) {
    this.#events = events;
    this.#views = views;
    this.#assemblies = new Assemblies(database);
    this.#components = new Components(database);
    this.#pmi = pmi;
    this.#owner = database.prepare('SELECT company_id AS companyId, uid FROM file WHERE id = ?');
    this.#setIndexed = database.prepare(`
      UPDATE file SET state = 'indexed', indexed_at = @now, error_code = NULL, error_message = NULL,
        warnings = @warnings, kind = @kind, content_version = @contentVersion, face_count = @faceCount,
        page_count = @pageCount
      WHERE id = @fileId`);
    this.#setShape = database.prepare(`
      UPDATE file SET triangle_count = @triangleCount, component_count = @componentCount, volume_mm3 = @volumeMm3,
        bbox_volume_mm3 = @bboxVolumeMm3, bbox_length_mm = @length, bbox_width_mm = @width, bbox_height_mm = @height,
        surface_area_mm2 = @surfaceAreaMm2, features = @features
      WHERE id = @fileId`);
    this.#clearShape = database.prepare(`UPDATE file SET ${NO_SHAPE} WHERE id = ?`);
    this.#setFailed = database.prepare(`
      UPDATE file SET state = 'failed', error_code = ?, error_message = ?, error_details = ?, indexed_at = NULL, warnings = '[]',
        face_count = NULL, page_count = NULL
      WHERE id = ?`);
    this.#descriptors = STORED_DESCRIPTORS.map((name) => ({
      name,
      put: database.prepare(`INSERT OR REPLACE INTO ${name} (file_id, version, bytes) VALUES (?, ?, ?)`),
      remove: database.prepare(`DELETE FROM ${name} WHERE file_id = ?`),
    }));
  }

  put(fileId: number, file: IndexedFile): void {
    const { kind, contentVersion, faceCount, pageCount, shape, views, assembly, components = [], pmi } = file;
    const warnings = JSON.stringify(file.warnings);
    this.#setIndexed.run({ fileId, kind, contentVersion, faceCount, pageCount, warnings, now: Date.now() });
    const { companyId, uid } = this.#owner.get(fileId)!;
    this.#events.indexed({ companyId, fileId }, file);
    if (shape === undefined) this.#removeShape(fileId);
    else this.#putShape(fileId, shape);
    if (views === undefined) this.#views.remove(fileId);
    else this.#views.put(fileId, views);
    if (assembly === undefined) this.#assemblies.remove(fileId);
    else this.#assemblies.put(fileId, assembly);
    this.#components.put({ fileId, companyId, uid }, components, (componentId, component) => {
      this.#putShape(componentId, component.shape);
      this.#views.put(componentId, component.views);
    });
    if (pmi === undefined) this.#pmi.remove(fileId);
    else this.#pmi.put(fileId, pmi);
  }

  /** The file could not be read. */
  fail(fileId: number, { code, message, details }: FileError): void {
    const facts = details === undefined || Object.keys(details).length === 0 ? null : JSON.stringify(details);
    this.#setFailed.run(code, message, facts, fileId);
    this.#events.failed({ companyId: this.#owner.get(fileId)!.companyId, fileId });
    this.#removeShape(fileId);
    this.#views.remove(fileId);
    this.#assemblies.remove(fileId);
    this.#components.remove(fileId);
    this.#pmi.remove(fileId);
  }

  /** The file cannot be compared until it is indexed again. */
  withdraw(companyId: number, fileId: number): void {
    this.#events.withdrawn({ companyId, fileId });
    this.#components.remove(fileId);
  }

  #putShape(
    fileId: number,
    { descriptors, bboxSizeMm: [length, width, height], features, ...figures }: IndexedShape,
  ): void {
    this.#setShape.run({ ...figures, features: features ?? null, fileId, length, width, height });
    for (const { name, put } of this.#descriptors) {
      const { version, bytes } = descriptors[name];
      // Those of faces are the longest, of 4 kB, and few are read by a search; packed 1.2 kB.
      put.run(fileId, version, name === 'faces' ? packBytes(bytes) : bytes);
    }
  }

  #removeShape(fileId: number): void {
    this.#clearShape.run(fileId);
    for (const { remove } of this.#descriptors) remove.run(fileId);
  }
}
