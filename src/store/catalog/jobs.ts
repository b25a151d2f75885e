import type { Database, Statement } from 'better-sqlite3';
import type { ErrorCode } from '../../errors.js';
import type { PmiTable } from './pmi-table.js';
import type { StaleFile } from './record.js';
import type { RoomEvents } from '../rooms.js';
import { Assemblies } from './assemblies.js';
import { Components, IS_NO_COMPONENT } from './components.js';
import type { Views } from './views.js';
import type { DescriptorRules, IndexedFile, IndexedShape, StoredDescriptor } from './indexed-file.js';

/** A file that a worker is to read. */
export interface Job {
  readonly fileId: number;
  readonly companyId: number;
  readonly uid: string;
  readonly path: string;
  readonly hash: string;
  readonly byteLength: number;
  /** 1: the file is indexed without its shape. */
  readonly textOnly: 0 | 1;
  /** 1: the components of an assembly are indexed too. */
  readonly components: 0 | 1;
  /** Workers that died while they read it. */
  readonly attempts: number;
  /** Processes that died while it ran. */
  readonly crashes: number;
}

/** A file that was being read in this many crashes is read alone, so that another crash is certainly its own. */
const SUSPECT_CRASHES = 2;

/**
 * The durable queue: which file is next, which are being read, and their results. All methods except
 * {@link Jobs.length} run inside a transaction of the caller. The result of a job whose file was deleted or replaced
 * meanwhile is dropped.
 */
export class Jobs {
  readonly #database: Database;
  readonly #next: Statement<[], Job>;
  readonly #start: Statement<[number]>;
  readonly #stop: Statement<[number, number]>;
  readonly #remove: Statement<[number]>;
  readonly #setIndexed: Statement<[object]>;
  readonly #setShape: Statement<[object]>;
  readonly #setFailed: Statement<[string, string, number]>;
  readonly #owner: Statement<[number], { companyId: number; uid: string }>;
  readonly #events: RoomEvents;
  readonly #views: Views;
  readonly #assemblies: Assemblies;
  readonly #components: Components;
  readonly #pmi: PmiTable;
  readonly #setDescriptor: Readonly<Record<StoredDescriptor, Statement<[number, number, Uint8Array]>>>;

  constructor(database: Database, events: RoomEvents, views: Views, pmi: PmiTable) {
    this.#database = database;
    this.#owner = database.prepare('SELECT company_id AS companyId, uid FROM file WHERE id = ?');
    this.#events = events;
    this.#views = views;
    this.#assemblies = new Assemblies(database);
    this.#components = new Components(database);
    this.#pmi = pmi;
    this.#next = database.prepare(`
      SELECT file_id AS fileId, company_id AS companyId, uid, path, blob_hash AS hash, byte_length AS byteLength,
        text_only AS textOnly, components, attempts, crashes
      FROM job JOIN file ON file.id = file_id WHERE running = 0 ORDER BY job.priority, sequence LIMIT 1`);
    this.#start = database.prepare('UPDATE job SET running = 1 WHERE file_id = ?');
    this.#stop = database.prepare('UPDATE job SET running = 0, attempts = attempts + ? WHERE file_id = ?');
    this.#remove = database.prepare('DELETE FROM job WHERE file_id = ?');
    this.#setIndexed = database.prepare(`
      UPDATE file SET state = 'indexed', indexed_at = @now, error_code = NULL, error_message = NULL, warnings = @warnings,
        kind = @kind, content_version = @contentVersion, face_count = @faceCount, page_count = @pageCount
      WHERE id = @fileId`);
    this.#setShape = database.prepare(`
      UPDATE file SET triangle_count = @triangleCount, component_count = @componentCount, volume_mm3 = @volumeMm3,
        bbox_volume_mm3 = @bboxVolumeMm3, bbox_length_mm = @length, bbox_width_mm = @width, bbox_height_mm = @height,
        surface_area_mm2 = @surfaceAreaMm2
      WHERE id = @fileId`);
    this.#setFailed = database.prepare(`
      UPDATE file SET state = 'failed', error_code = ?, error_message = ?, indexed_at = NULL, warnings = '[]',
        triangle_count = NULL, component_count = NULL, volume_mm3 = NULL, bbox_volume_mm3 = NULL, bbox_length_mm = NULL,
        bbox_width_mm = NULL, bbox_height_mm = NULL, surface_area_mm2 = NULL, face_count = NULL, page_count = NULL
      WHERE id = ?`);
    const setDescriptor = (name: StoredDescriptor) =>
      database.prepare<[number, number, Uint8Array]>(
        `INSERT OR REPLACE INTO ${name} (file_id, version, bytes) VALUES (?, ?, ?)`,
      );
    this.#setDescriptor = {
      compact: setDescriptor('compact'),
      fine: setDescriptor('fine'),
      surface: setDescriptor('surface'),
    };
  }

  /** Jobs that wait or run. */
  length(): number {
    return this.#database.prepare<[], number>('SELECT count(*) FROM job').pluck().get() as number;
  }

  /**
   * Marks the next jobs, at most `count`, as running: by priority, then arrival. A file that may be the one that
   * crashes the process is handed out only when `idle`, and alone.
   */
  claim(count: number, { idle }: { idle: boolean }): Job[] {
    const claimed: Job[] = [];
    while (claimed.length < count) {
      const job = this.#next.get();
      if (job === undefined) break;
      const suspect = job.crashes >= SUSPECT_CRASHES;
      if (suspect && (!idle || claimed.length > 0)) break;
      this.#start.run(job.fileId);
      claimed.push(job);
      if (suspect) break;
    }
    return claimed;
  }

  /** Stores the result and ends the job. Returns false when the file was deleted or replaced. */
  complete(fileId: number, file: IndexedFile): boolean {
    if (this.#remove.run(fileId).changes === 0) return false;
    const { kind, contentVersion, faceCount, pageCount, warnings, shape, views, assembly, components = [], pmi } = file;
    this.#setIndexed.run({
      fileId,
      kind,
      contentVersion,
      faceCount,
      pageCount,
      warnings: JSON.stringify(warnings),
      now: Date.now(),
    });
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
    return true;
  }

  #putShape(fileId: number, shape: IndexedShape): void {
    const {
      descriptors,
      bboxSizeMm: [length, width, height],
      triangleCount,
      componentCount,
      volumeMm3,
      bboxVolumeMm3,
      surfaceAreaMm2,
    } = shape;
    this.#setShape.run({
      fileId,
      triangleCount,
      componentCount,
      volumeMm3,
      bboxVolumeMm3,
      surfaceAreaMm2,
      length,
      width,
      height,
    });
    for (const [name, { version, bytes }] of Object.entries(descriptors)) {
      this.#setDescriptor[name as StoredDescriptor].run(fileId, version, bytes);
    }
  }

  #removeShape(fileId: number): void {
    const nothing = {
      triangleCount: null,
      componentCount: null,
      volumeMm3: null,
      bboxVolumeMm3: null,
      surfaceAreaMm2: null,
      length: null,
      width: null,
      height: null,
    };
    this.#setShape.run({ fileId, ...nothing });
    for (const name of Object.keys(this.#setDescriptor))
      this.#database.prepare(`DELETE FROM ${name} WHERE file_id = ?`).run(fileId);
  }

  /** Marks the file as failed and ends the job. Returns false when the file was deleted or replaced. */
  fail(fileId: number, code: ErrorCode, message: string): boolean {
    if (this.#remove.run(fileId).changes === 0) return false;
    this.#setFailed.run(code, message, fileId);
    this.#events.failed({ companyId: this.#owner.get(fileId)!.companyId, fileId });
    this.#removeShape(fileId);
    this.#views.remove(fileId);
    this.#assemblies.remove(fileId);
    this.#components.remove(fileId);
    this.#pmi.remove(fileId);
    return true;
  }

  /** Returns a running job to its place in the queue. `attempted`: its worker died, which is counted. */
  release(fileId: number, { attempted }: { attempted: boolean }): void {
    this.#stop.run(attempted ? 1 : 0, fileId);
  }

  /**
   * After a crash of the process: jobs that were running wait again in their places with one crash more each; files
   * that reach `crashLimit` fail. Returns how many jobs were running.
   */
  recover(crashLimit: number): number {
    const { changes } = this.#database
      .prepare('UPDATE job SET running = 0, crashes = crashes + 1 WHERE running = 1')
      .run();
    const hopeless = this.#database
      .prepare<[number], number>('SELECT file_id FROM job WHERE crashes >= ?')
      .pluck()
      .all(crashLimit);
    for (const fileId of hopeless) {
      this.fail(fileId, 'WORKER_FAILED', `the process ended ${crashLimit} times while it read this file`);
    }
    return changes;
  }

  /** Queues files again, last in the queue; indexed ones stay searchable until they are replaced. Returns how many. */
  again(firstSequence: number, companyId: number | undefined): number {
    this.#database
      .prepare(
        `UPDATE file SET state = 'queued', indexed_at = NULL, error_code = NULL, error_message = NULL
         WHERE state = 'failed' AND (@companyId IS NULL OR company_id = @companyId)`,
      )
      .run({ companyId: companyId ?? null });
    return this.#database
      .prepare<[object]>(
        `INSERT INTO job (file_id, priority, sequence)
         SELECT id, priority, @first - 1 + row_number() OVER (ORDER BY id)
         FROM file WHERE (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT}
         ON CONFLICT (file_id) DO NOTHING`,
      )
      .run({ companyId: companyId ?? null, first: firstSequence }).changes;
  }

  /** Queues a company's failed files (uid: this one alone) again, last in the queue. Returns how many. */
  againFailed(firstSequence: number, companyId: number, uid: string | undefined): number {
    const failed = this.#database
      .prepare<[object], { id: number; priority: number }>(
        `UPDATE file SET state = 'queued', error_code = NULL, error_message = NULL
         WHERE company_id = @companyId AND state = 'failed' AND (@uid IS NULL OR uid = @uid) RETURNING id, priority`,
      )
      .all({ companyId, uid: uid ?? null });
    const enqueue = this.#database.prepare(
      'INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?) ON CONFLICT (file_id) DO NOTHING',
    );
    failed
      .sort((a, b) => a.id - b.id)
      .forEach(({ id, priority }, position) => enqueue.run(id, priority, firstSequence + position));
    return failed.length;
  }

  /** Queues a file again to index its components too. */
  wantComponents(fileId: number, sequence: number): void {
    this.#database.prepare('UPDATE file SET components = 1 WHERE id = ?').run(fileId);
    this.#database
      .prepare(
        'INSERT INTO job (file_id, priority, sequence) SELECT id, priority, ? FROM file WHERE id = ? ON CONFLICT (file_id) DO NOTHING',
      )
      .run(sequence, fileId);
  }

  /**
   * Indexed files that lack a descriptor of the required version or length, and assemblies with a component that does.
   */
  stale({ versions, lengths }: DescriptorRules, companyId?: number): StaleFile[] {
    const lacks = (fileId: string): string =>
      (Object.keys(versions) as StoredDescriptor[])
        .map((name) => {
          const length = lengths[name] === undefined ? 'length(bytes) > 0' : `length(bytes) = ${Number(lengths[name])}`;
          return `NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.file_id = ${fileId} AND version = ${Number(versions[name])} AND ${length})`;
        })
        .join(' OR ');
    return this.#database
      .prepare<[object], StaleFile>(
        `SELECT file.id AS fileId, company_id AS companyId, uid, path, priority, company.name AS company
         FROM file JOIN company ON company.id = company_id
         WHERE state = 'indexed' AND kind = 'ThreeD' AND text_only = 0 AND (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT}
           AND (${lacks('file.id')} OR EXISTS (SELECT 1 FROM component WHERE assembly_id = file.id AND (${lacks('component.file_id')})))
         ORDER BY file.id`,
      )
      .all({ companyId: companyId ?? null });
  }

  /**
   * Indexed files whose texts are of another version, or whose shapelets or PMI are missing or of another version or
   * length. They stay searchable with their stored data.
   */
  outdated({ contentVersion, views, pmiVersion }: DescriptorRules, companyId?: number): StaleFile[] {
    return this.#database
      .prepare<[object], StaleFile>(
        `SELECT file.id AS fileId, company_id AS companyId, uid, path, priority, company.name AS company
         FROM file JOIN company ON company.id = company_id
         WHERE state = 'indexed' AND (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT} AND (content_version <> @contentVersion
           OR (@viewsVersion IS NOT NULL AND kind <> 'Text' AND text_only = 0 AND NOT EXISTS (
             SELECT 1 FROM views WHERE file_id = file.id AND version = @viewsVersion AND length(bytes) = count * @viewBytes))
           OR (@pmiVersion IS NOT NULL AND kind = 'TwoD' AND NOT EXISTS (SELECT 1 FROM pmi WHERE file_id = file.id AND version = @pmiVersion)))
         ORDER BY file.id`,
      )
      .all({
        companyId: companyId ?? null,
        contentVersion,
        viewsVersion: views?.version ?? null,
        viewBytes: views?.byteLength ?? 0,
        pmiVersion: pmiVersion ?? null,
      });
  }

  /** Queues {@link outdated} files again, last in the queue. Returns them. */
  againOutdated(firstSequence: number, rules: DescriptorRules, companyId?: number): StaleFile[] {
    const outdated = this.outdated(rules, companyId);
    const enqueue = this.#database.prepare(
      'INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?) ON CONFLICT (file_id) DO NOTHING',
    );
    outdated.forEach(({ fileId, priority }, position) => enqueue.run(fileId, priority, firstSequence + position));
    return outdated;
  }

  /**
   * Queues {@link stale} files again, last in the queue. They cannot be compared, so they are not searchable until they
   * are indexed.
   */
  againStale(firstSequence: number, rules: DescriptorRules, companyId?: number): StaleFile[] {
    const stale = this.stale(rules, companyId);
    const enqueue = this.#database.prepare(
      'INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?) ON CONFLICT (file_id) DO NOTHING',
    );
    const wait = this.#database.prepare(`UPDATE file SET state = 'queued', indexed_at = NULL WHERE id = ?`);
    stale.forEach(({ companyId: owner, fileId, priority }, position) => {
      enqueue.run(fileId, priority, firstSequence + position);
      wait.run(fileId);
      this.#events.withdrawn({ companyId: owner, fileId });
      this.#components.remove(fileId);
    });
    return stale;
  }

  /** The sequence number after the last job's. */
  nextSequence(): number {
    return (
      (this.#database.prepare<[], number>('SELECT coalesce(max(sequence), 0) FROM job').pluck().get() as number) + 1
    );
  }
}
