import type { Database, Statement } from 'better-sqlite3';
import { hasViewBytes } from './packed-views.js';
import type { JobDoor } from '../catalogue.js';
import type { Writes } from '../database/writes.js';
import type { Settings } from '../database/settings.js';
import { IS_NO_COMPONENT } from './components.js';
import type { DescriptorRules, IndexedFile, StoredDescriptor } from './indexed-file.js';
import type { Job } from './job.js';
import type { FileError, StaleFile } from './record.js';
import type { Results } from './results.js';

/**
 * A file that was being read in this many crashes, or in all but the last that it may have, is read alone, so that
 * another crash is certainly its own.
 */
const SUSPECT_CRASHES = 2;

/** Descriptors without which a model cannot be compared. Without the others it is found by shape all the same. */
const COMPARED: readonly StoredDescriptor[] = ['compact', 'fine', 'surface'];

/**
 * The setting that counts descriptions, also those whose file was deleted or described by another process meanwhile.
 */
export const DESCRIBED = 'described';

/** Places in the queue for the calls of one millisecond, where the clock gives them. */
const PLACES_PER_MS = 1_024;

/** What the queue works with. */
export interface JobsParts {
  readonly database: Database;
  readonly writes: Writes;
  readonly settings: Settings;
  readonly results: Results;
  /** Number of this process among those that share the queue. */
  readonly owner: () => number;
  /** A file fails after this many processes died while they read it. */
  readonly crashLimit: number;
  /** Whether places in the queue go by the clock, because other processes give some too. */
  readonly byClock: boolean;
}

/**
 * The durable queue: which file is next, which are being read, and their results. The result of a job whose file was
 * deleted or replaced meanwhile is dropped.
 */
export class Jobs implements JobDoor {
  readonly #database: Database;
  readonly #writes: Writes;
  readonly #settings: Settings;
  readonly #results: Results;
  readonly #owner: () => number;
  readonly #crashLimit: number;
  /** Crashes from which on a file is read alone. */
  readonly #suspectCrashes: number;
  readonly #next: Statement<[], Job>;
  readonly #start: Statement<[number, number]>;
  readonly #stop: Statement<[number, number, number]>;
  readonly #remove: Statement<[number]>;
  readonly #end: Statement<[number, number]>;
  readonly #countDescribed: Statement<[string]>;
  readonly #enqueue: Statement<[number, number, number]>;
  readonly #byClock: boolean;
  #sequence: number;

  constructor({ database, writes, settings, results, owner, crashLimit, byClock }: JobsParts) {
    this.#database = database;
    this.#writes = writes;
    this.#settings = settings;
    this.#results = results;
    this.#owner = owner;
    this.#crashLimit = crashLimit;
    this.#suspectCrashes = Math.max(1, Math.min(SUSPECT_CRASHES, crashLimit - 1));
    this.#next = database.prepare(`
      SELECT file_id AS fileId, company_id AS companyId, uid, path, blob_hash AS hash, byte_length AS byteLength,
        text_only AS textOnly, components, attempts, crashes
      FROM job JOIN file ON file.id = file_id WHERE running = 0 ORDER BY job.priority, sequence LIMIT 1`);
    this.#start = database.prepare('UPDATE job SET running = ? WHERE file_id = ?');
    this.#stop = database.prepare(
      'UPDATE job SET running = 0, attempts = attempts + ? WHERE file_id = ? AND running = ?',
    );
    this.#remove = database.prepare('DELETE FROM job WHERE file_id = ?');
    this.#end = database.prepare('DELETE FROM job WHERE file_id = ? AND running IN (0, ?)');
    this.#countDescribed = database.prepare(
      `INSERT INTO setting (name, value) VALUES (?, '1')
       ON CONFLICT DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`,
    );
    this.#enqueue = database.prepare(
      'INSERT INTO job (file_id, priority, sequence) VALUES (?, ?, ?) ON CONFLICT (file_id) DO NOTHING',
    );
    const last = database.prepare<[], number>('SELECT coalesce(max(sequence), 0) FROM job').pluck().get() as number;
    this.#sequence = last + 1;
    this.#byClock = byClock;
  }

  /** The next place in the queue. */
  nextSequence(): number {
    if (this.#byClock) this.#sequence = Math.max(this.#sequence, Date.now() * PLACES_PER_MS);
    return this.#sequence++;
  }

  async length(): Promise<number> {
    return this.#database.prepare<[], number>('SELECT count(*) FROM job').pluck().get() as number;
  }

  claim(count: number, options: { idle: boolean; running?: readonly number[] }): Promise<Job[]> {
    return this.#writes.runDerived(() => this.#claim(count, options));
  }

  complete(fileId: number, file: IndexedFile): Promise<boolean> {
    return this.#writes.runDerived(() => {
      this.#countDescribed.run(DESCRIBED);
      const isThere = this.#end.run(fileId, this.#owner()).changes > 0;
      if (isThere) this.#results.put(fileId, file);
      return isThere;
    });
  }

  fail(fileId: number, error: FileError): Promise<boolean> {
    return this.#writes.run(() => {
      const isThere = this.#end.run(fileId, this.#owner()).changes > 0;
      if (isThere) this.#results.fail(fileId, error);
      return isThere;
    });
  }

  release(fileId: number, { attempted }: { attempted: boolean }): Promise<void> {
    return this.#writes.run(() => void this.#stop.run(attempted ? 1 : 0, fileId, this.#owner()));
  }

  wantComponents(fileId: number): Promise<void> {
    return this.#writes.run(() => {
      const wanted = this.#database.prepare<[number], { id: number; priority: number }>(
        'UPDATE file SET components = 1 WHERE id = ? RETURNING id, priority',
      );
      this.#queue(wanted.all(fileId));
    });
  }

  reindexAll(companyId?: number): Promise<number> {
    return this.#writes.run(() => {
      this.#database
        .prepare(
          `UPDATE file SET state = 'queued', indexed_at = NULL, error_code = NULL, error_message = NULL
           WHERE state = 'failed' AND (@companyId IS NULL OR company_id = @companyId)`,
        )
        .run({ companyId: companyId ?? null });
      const { changes } = this.#database
        .prepare<[object]>(
          `INSERT INTO job (file_id, priority, sequence)
           SELECT id, priority, @first - 1 + row_number() OVER (ORDER BY id)
           FROM file WHERE (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT}
           ON CONFLICT (file_id) DO NOTHING`,
        )
        .run({ companyId: companyId ?? null, first: this.nextSequence() });
      this.#sequence += changes;
      return changes;
    });
  }

  retryFailed(companyId: number, uid?: string): Promise<number> {
    return this.#writes.run(() => {
      const failed = this.#database
        .prepare<[object], { id: number; priority: number }>(
          `UPDATE file SET state = 'queued', error_code = NULL, error_message = NULL
           WHERE company_id = @companyId AND state = 'failed' AND (@uid IS NULL OR uid = @uid) RETURNING id, priority`,
        )
        .all({ companyId, uid: uid ?? null });
      this.#queue(failed.sort((a, b) => a.id - b.id));
      return failed.length;
    });
  }

  async stale(rules: DescriptorRules): Promise<StaleFile[]> {
    return this.#stale(rules);
  }

  async outdated(rules: DescriptorRules): Promise<StaleFile[]> {
    return this.#outdated(rules);
  }

  reindexStale(rules: DescriptorRules, companyId?: number): Promise<StaleFile[]> {
    return this.#writes.run(() => this.#queueStale(rules, companyId));
  }

  async reindexAfterUpgrade(rules: DescriptorRules): Promise<void> {
    const wanted = JSON.stringify({
      ...rules.versions,
      content: rules.contentVersion,
      views: rules.views?.version,
      pmi: rules.pmiVersion,
    });
    if (this.#settings.get('descriptors') === wanted) return;
    await this.#writes.run(() => {
      this.#queueStale(rules);
      this.#settings.set('descriptors', wanted);
    });
  }

  /** Numbers of the processes that have jobs, rising. */
  owners(): number[] {
    return this.#database
      .prepare<[], number>('SELECT DISTINCT running FROM job WHERE running > 0 ORDER BY running')
      .pluck()
      .all();
  }

  /**
   * After a crash of a process: its jobs that were running wait again in their places with one crash more each; files
   * that reach the limit fail. Call it inside a transaction.
   */
  recover(owners: readonly number[] = [this.#owner()]): void {
    const free = this.#database.prepare<[number]>(
      'UPDATE job SET running = 0, crashes = crashes + 1 WHERE running = ?',
    );
    for (const owner of owners) free.run(owner);
    const hopeless = this.#database
      .prepare<[number], number>('SELECT file_id FROM job WHERE crashes >= ?')
      .pluck()
      .all(this.#crashLimit);
    for (const fileId of hopeless) {
      const message = `the process ended ${this.#crashLimit} times while it read this file`;
      this.#fail(fileId, { code: 'WORKER_FAILED', message });
    }
  }

  /**
   * This process was thought dead and lives: no crash is counted for the files that it reads, where others have them
   * now. Call it inside a transaction.
   */
  forgive(fileIds: readonly number[]): void {
    this.#database
      .prepare(
        `UPDATE job SET crashes = crashes - 1
         WHERE crashes > 0 AND running <> ? AND file_id IN (SELECT value FROM json_each(?))`,
      )
      .run(this.#owner(), JSON.stringify(fileIds));
  }

  #claim(count: number, { idle, running }: { idle: boolean; running?: readonly number[] }): Job[] {
    if (running !== undefined)
      this.#database
        .prepare('UPDATE job SET running = 0 WHERE running = ? AND file_id NOT IN (SELECT value FROM json_each(?))')
        .run(this.#owner(), JSON.stringify(running));
    const runsSuspect = this.#database.prepare('SELECT 1 FROM job WHERE running = ? AND crashes >= ? LIMIT 1');
    if (runsSuspect.get(this.#owner(), this.#suspectCrashes) !== undefined) return [];
    const claimed: Job[] = [];
    while (claimed.length < count) {
      const job = this.#next.get();
      if (job === undefined) break;
      const suspect = job.crashes >= this.#suspectCrashes;
      if (suspect && (!idle || claimed.length > 0)) break;
      this.#start.run(this.#owner(), job.fileId);
      claimed.push(job);
      if (suspect) break;
    }
    return claimed;
  }

  #fail(fileId: number, error: FileError): boolean {
    const isThere = this.#remove.run(fileId).changes > 0;
    if (isThere) this.#results.fail(fileId, error);
    return isThere;
  }

  /** Queues files in this order, last in the queue. */
  #queue(files: readonly { readonly id: number; readonly priority: number }[]): void {
    for (const { id, priority } of files) this.#enqueue.run(id, priority, this.nextSequence());
  }

  /** Queues stale and outdated files and returns the stale ones. */
  #queueStale(rules: DescriptorRules, companyId?: number): StaleFile[] {
    const stale = this.#stale(rules, companyId);
    const outdated = this.#outdated(rules, companyId);
    this.#queue(stale.map(({ fileId: id, priority }) => ({ id, priority })));
    // They cannot be compared, so they are not searchable until they are indexed.
    const wait = this.#database.prepare(`UPDATE file SET state = 'queued', indexed_at = NULL WHERE id = ?`);
    for (const file of stale) {
      wait.run(file.fileId);
      this.#results.withdraw(file.companyId, file.fileId);
    }
    this.#queue(outdated.map(({ fileId: id, priority }) => ({ id, priority })));
    // Outdated files stay searchable, so nothing may read their descriptors in the form of another version.
    for (const name of this.#uncompared(rules))
      this.#database.prepare(`DELETE FROM ${name} WHERE version <> ?`).run(rules.versions[name]);
    return stale;
  }

  /** Names of the descriptors that a model may lack for a while. */
  #uncompared({ versions }: DescriptorRules): StoredDescriptor[] {
    return (Object.keys(versions) as StoredDescriptor[]).filter((name) => !COMPARED.includes(name));
  }

  /** SQL: whether a file lacks one of these descriptors in the required version and length. */
  #lacks({ versions, lengths }: DescriptorRules, names: readonly StoredDescriptor[], fileId: string): string {
    if (names.length === 0) return 'FALSE';
    return names
      .map((name) => {
        const length = lengths[name] === undefined ? 'length(bytes) > 0' : `length(bytes) = ${Number(lengths[name])}`;
        return `NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.file_id = ${fileId}
          AND version = ${Number(versions[name])} AND ${length})`;
      })
      .join(' OR ');
  }

  /**
   * Indexed files that lack a compared descriptor of the required version or length, and assemblies with a component
   * that does.
   */
  #stale(rules: DescriptorRules, companyId?: number): StaleFile[] {
    const lacks = (fileId: string): string => this.#lacks(rules, COMPARED, fileId);
    return this.#database
      .prepare<[object], StaleFile>(
        `SELECT file.id AS fileId, company_id AS companyId, uid, path, priority, company.name AS company
         FROM file JOIN company ON company.id = company_id
         WHERE state = 'indexed' AND kind = 'ThreeD' AND text_only = 0
           AND (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT}
           AND (${lacks('file.id')} OR EXISTS (SELECT 1 FROM component WHERE assembly_id = file.id
             AND (${lacks('component.file_id')})))
         ORDER BY file.id`,
      )
      .all({ companyId: companyId ?? null });
  }

  /**
   * Indexed files whose texts are of another version, or whose shapelets, PMI or other descriptors than the compared
   * ones are missing or of another version or length. They stay searchable with their stored data.
   */
  #outdated(rules: DescriptorRules, companyId?: number): StaleFile[] {
    const { contentVersion, views, pmiVersion } = rules;
    const uncompared = this.#uncompared(rules);
    const lacks = (fileId: string): string => this.#lacks(rules, uncompared, fileId);
    return this.#database
      .prepare<[object], StaleFile>(
        `SELECT file.id AS fileId, company_id AS companyId, uid, path, priority, company.name AS company
         FROM file JOIN company ON company.id = company_id
         WHERE state = 'indexed' AND (@companyId IS NULL OR company_id = @companyId) AND ${IS_NO_COMPONENT}
           AND (content_version <> @contentVersion
           OR (@viewsVersion IS NOT NULL AND kind <> 'Text' AND text_only = 0 AND NOT EXISTS (
             SELECT 1 FROM views WHERE file_id = file.id AND version = @viewsVersion
               AND ${hasViewBytes('@viewBytes')}))
           OR (@pmiVersion IS NOT NULL AND kind = 'TwoD' AND NOT EXISTS (SELECT 1 FROM pmi WHERE file_id = file.id
             AND version = @pmiVersion))
           OR (kind = 'ThreeD' AND text_only = 0 AND (${lacks('file.id')} OR EXISTS (
             SELECT 1 FROM component WHERE assembly_id = file.id AND (${lacks('component.file_id')})))))
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
}
