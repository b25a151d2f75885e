import type { Database, Statement } from 'better-sqlite3';
import { storedJson } from '../database/stored-json.js';
import type { ComponentDoor } from '../catalogue.js';
import type { ComponentRow, IndexedComponent } from './assembly-component.js';
import { derivedGuid } from './derived-guid.js';
import type { NewComponent } from './indexed-file.js';

/**
 * The migration step that adds components that are searchable on their own. Each is a row of `file`, so that everything
 * derived from a file's shape can be derived from it. The rows belong to a separate company beside that of the
 * assembly, as search inputs do, so that no query for a company's files can list, count or find them.
 */
export const COMPONENTS_STEP = `
  -- Whether the components of the file are wanted, too.
  ALTER TABLE file ADD COLUMN components INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE component (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    assembly_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Names, JSON.
    place TEXT NOT NULL,
    occurrences INTEGER NOT NULL,
    is_assembly INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX component_by_assembly ON component (assembly_id, number);
  -- A component's row in 'file' goes with it.
  CREATE TRIGGER component_gone AFTER DELETE ON component BEGIN DELETE FROM file WHERE id = OLD.file_id; END;
`;

/** SQL condition: the row of `file` is a file, not a component. */
export const IS_NO_COMPONENT = 'NOT EXISTS (SELECT 1 FROM component WHERE component.file_id = file.id)';

interface Row extends Omit<IndexedComponent, 'place' | 'isAssembly' | 'bboxSizeMm'> {
  readonly place: string;
  readonly isAssembly: 0 | 1;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Components that are searchable on their own. Writing methods run inside a transaction of the caller. */
export class Components implements ComponentDoor {
  readonly #of: Statement<[number], Row>;
  readonly #one: Statement<[number], Row>;
  readonly #idsOf: Statement<[number], number>;
  readonly #all: Statement<[number], ComponentRow>;
  readonly #byUid: Statement<[number, string], ComponentRow>;
  readonly #byNumber: Statement<[number, number], ComponentRow>;
  readonly #companyOf: Statement<[number], number>;
  readonly #insertCompany: Statement<[string, number, number]>;
  readonly #insertFile: Statement<[object]>;
  readonly #insert: Statement<[object]>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    const select = `
      SELECT file.uid, assembly.uid AS assemblyUid, number, name, place, occurrences, is_assembly AS isAssembly,
        file.volume_mm3 AS volumeMm3,
        file.bbox_volume_mm3 AS bboxVolumeMm3, file.bbox_length_mm AS length, file.bbox_width_mm AS width,
          file.bbox_height_mm AS height,
        file.surface_area_mm2 AS surfaceAreaMm2, file.triangle_count AS triangleCount
      FROM component CROSS JOIN file ON file.id = file_id CROSS JOIN file AS assembly ON assembly.id = assembly_id`;
    this.#of = database.prepare(`${select} WHERE assembly_id = ? ORDER BY number`);
    this.#one = database.prepare(`${select} WHERE file_id = ?`);
    this.#idsOf = database
      .prepare<[number], number>('SELECT file_id FROM component WHERE assembly_id = ? ORDER BY number')
      .pluck();
    this.#all = database.prepare(`
      SELECT file_id AS fileId, assembly_id AS assemblyId FROM company
        CROSS JOIN file INDEXED BY file_by_arrival ON file.company_id = company.id
        CROSS JOIN component ON file_id = file.id
      WHERE inputs_of = ? AND company.name = char(2) || inputs_of ORDER BY file_id`);
    this.#byUid = database.prepare(`
      SELECT file_id AS fileId, assembly_id AS assemblyId FROM file CROSS JOIN component ON file_id = file.id
      WHERE file.company_id = ? AND file.uid = ?`);
    this.#byNumber = database.prepare(
      'SELECT file_id AS fileId, assembly_id AS assemblyId FROM component WHERE assembly_id = ? AND number = ?',
    );
    this.#companyOf = database
      .prepare<[number], number>('SELECT id FROM company WHERE inputs_of = ? AND name = char(2) || inputs_of')
      .pluck();
    this.#insertCompany = database.prepare('INSERT INTO company (name, added_at, inputs_of) VALUES (?, ?, ?)');
    this.#insertFile = database.prepare(`
      INSERT INTO file (company_id, uid, path, extension, kind, blob_hash, byte_length, state, priority, added_at,
        indexed_at, content_version)
      SELECT @companyId, @uid, uid || '/' || @number, extension, kind, blob_hash, byte_length, 'indexed', priority,
        added_at, @now, content_version
      FROM file WHERE id = @assemblyId`);
    this.#insert = database.prepare(`
      INSERT INTO component (file_id, assembly_id, number, name, place, occurrences, is_assembly)
      VALUES (@fileId, @assemblyId, @number, @name, @place, @occurrences, @isAssembly)`);
    this.#remove = database.prepare('DELETE FROM component WHERE assembly_id = ?');
  }

  async companyOf(companyId: number): Promise<number | undefined> {
    return this.#companyOf.get(companyId);
  }

  async of(assemblyId: number): Promise<IndexedComponent[]> {
    return this.#of.all(assemblyId).map(componentOf);
  }

  async idsOf(assemblyId: number): Promise<number[]> {
    return this.#idsOf.all(assemblyId);
  }

  async one(fileId: number): Promise<IndexedComponent | undefined> {
    const row = this.#one.get(fileId);
    return row && componentOf(row);
  }

  async some(fileIds: readonly number[]): Promise<ReadonlyMap<number, IndexedComponent>> {
    const found = new Map<number, IndexedComponent>();
    for (const fileId of fileIds) {
      const row = this.#one.get(fileId);
      if (row !== undefined) found.set(fileId, componentOf(row));
    }
    return found;
  }

  /** The component with this UID. companyId: of the assembly. */
  async byUid(companyId: number, uid: string): Promise<ComponentRow | undefined> {
    const beside = this.#companyOf.get(companyId);
    return beside === undefined ? undefined : this.#byUid.get(beside, uid);
  }

  async byNumber(assemblyId: number, number: number): Promise<ComponentRow | undefined> {
    return this.#byNumber.get(assemblyId, number);
  }

  async all(companyId: number): Promise<ComponentRow[]> {
    return this.#all.all(companyId);
  }

  /** Replaces the components of an assembly. putShape: stores the shape and the views of a component under its row. */
  put(
    assembly: { readonly fileId: number; readonly uid: string; readonly companyId: number },
    components: readonly NewComponent[],
    putShape: (fileId: number, component: NewComponent) => void,
  ): void {
    this.remove(assembly.fileId);
    if (components.length === 0) return;
    const companyId =
      this.#companyOf.get(assembly.companyId) ??
      Number(this.#insertCompany.run(`\u0002${assembly.companyId}`, Date.now(), assembly.companyId).lastInsertRowid);
    const now = Date.now();
    for (const component of components) {
      const { number, name, place, occurrences, isAssembly } = component;
      const uid = derivedGuid(`component ${number} of ${assembly.uid}`);
      const fileId = Number(
        this.#insertFile.run({ companyId, uid, number, now, assemblyId: assembly.fileId }).lastInsertRowid,
      );
      this.#insert.run({
        fileId,
        assemblyId: assembly.fileId,
        number,
        name,
        place: JSON.stringify(place),
        occurrences,
        isAssembly: isAssembly ? 1 : 0,
      });
      putShape(fileId, component);
    }
  }

  remove(assemblyId: number): void {
    this.#remove.run(assemblyId);
  }
}

function componentOf({ place, isAssembly, length, width, height, ...row }: Row): IndexedComponent {
  return {
    ...row,
    place: storedJson(place, 'the place of a component'),
    isAssembly: isAssembly === 1,
    bboxSizeMm: [length, width, height],
  };
}
