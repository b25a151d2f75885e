import type { Database } from 'better-sqlite3';
import { EngineError, messageOf } from '../errors.js';
import type { Files } from './catalog/files.js';
import type { JobDoor } from './catalogue.js';
import { ReadProbe } from './database/read-probe.js';
import { codeOf, storageError, withRemedy } from './database/storage-errors.js';
import { unownedReason } from './library-warning.js';
import type { OwnedBlobs } from './owned-blobs.js';
import type { BlobStore } from './disk/blobs.js';
import type { BlobFault } from './disk/blob-file.js';
import type { LostAndFound } from './disk/lost-and-found.js';
import type { OpenCatalog, RoomTables, Rooms } from './rooms.js';
import type { VerifyOptions, VerifyProblem, VerifyReport } from './verify-report.js';
import type { DescriptorRules } from './catalog/indexed-file.js';
import type { StaleFile } from './catalog/record.js';
import type { Views } from './catalog/views.js';

/** The parts of the store that a check uses. */
interface CheckedStore {
  readonly rooms: Rooms;
  readonly blobs: BlobStore;
  readonly jobs: JobDoor;
  readonly owned: OwnedBlobs;
}

/** What a check works on. */
interface Checked {
  readonly catalog: OpenCatalog;
  readonly files: Files;
  readonly views: Views;
  readonly store: CheckedStore;
  readonly lost: LostAndFound;
  readonly rules: DescriptorRules;
  /** Whether the catalogue is known to be older than its blobs. */
  readonly isOlder: () => boolean;
  readonly forgetOlder: () => Promise<void>;
}

/**
 * Reads the whole library once and checks it. Original data are never changed, only data derived from them. Each part
 * of the check that the library is too damaged for becomes a problem of the report, and the next part follows.
 * @throws EngineError `ABORTED`.
 * @internal
 */
export function verifyLibrary(checked: Checked, options: VerifyOptions): Promise<VerifyReport> {
  return new Check(checked, options).run();
}

/** A file whose shapelets cannot be read. */
type DamagedViews = Pick<StaleFile, 'fileId' | 'uid' | 'path' | 'company'>;

class Check {
  readonly #checked: Checked;
  readonly #options: VerifyOptions;
  readonly #problems: VerifyProblem[] = [];

  constructor(checked: Checked, options: VerifyOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  async run(): Promise<VerifyReport> {
    const { lost, isOlder, forgetOlder, store } = this.#checked;
    const { repair, purge = false } = this.#options;
    await this.#part("SQLite's own check", async () => this.#checkDatabase());
    await this.#part('the rows that refer to others', async () => this.#checkReferences());
    // What moves or removes bytes trusts the catalogue, so it is left out when the catalogue is damaged.
    const isSound = this.#problems.length === 0;
    await this.#part('the indexes of texts and attributes', () => this.#checkRooms());
    let removed = 0;
    let takenBack = 0;
    if (isSound && repair) {
      await this.#part('lost+found', async () => {
        takenBack = await store.owned.takeBack();
        if (!purge) return;
        removed = await store.owned.removeLost({ now: Date.now() });
        await forgetOlder();
      });
    }
    const read = await this.#checkBlobs();
    let requeued: readonly StaleFile[] = [];
    await this.#part('the descriptors', async () => {
      requeued = await this.#checkDescriptors();
    });
    let moved = 0;
    await this.#part('the bytes that belong to no file', async () => {
      moved = await this.#sweep(repair && isSound);
    });
    const older = await this.#part('the number of commits', async () => isOlder());
    const entries = lost.entries();
    const byteLength = entries.reduce((sum, entry) => sum + entry.byteLength, 0);
    return {
      ...read,
      problems: this.#problems,
      catalogueIsOlder: older ?? false,
      lostAndFound: { count: entries.length, byteLength, moved, takenBack, removed },
      requeued,
    };
  }

  /** Runs a part of the check; its failure is a problem of the library. */
  async #part<T>(what: string, check: () => Promise<T>): Promise<T | undefined> {
    this.#checkSignal();
    try {
      return await check();
    } catch (cause) {
      this.#checkSignal();
      const found = codeOf(cause) === '' ? cause : storageError(`read ${what}`, cause);
      const isDisk = found instanceof EngineError && found.code === 'STORAGE_FAILED';
      const message = `${what} could not be checked: ${messageOf(withRemedy(found, undefined))}`;
      this.#problems.push({ code: isDisk ? 'CHECK_FAILED' : 'CATALOG_DAMAGED', message, repaired: false });
      return undefined;
    }
  }

  #checkSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
  }

  #rooms(): readonly RoomTables[] {
    const { words, attributes, accounts } = this.#checked.store.rooms;
    return [words, attributes, accounts];
  }

  #checkDatabase(): void {
    const { database } = this.#checked.catalog;
    for (const { integrity_check: found } of database.pragma('integrity_check') as { integrity_check: string }[]) {
      if (found === 'ok') continue;
      this.#checkReading();
      if (!this.#rooms().some((room) => room.reports?.(found)))
        this.#problems.push({ code: 'CATALOG_DAMAGED', message: found, repaired: false });
    }
  }

  /** SQLite's check calls a page that the disk refuses to read a wrong one. @throws EngineError `STORAGE_FAILED`. */
  #checkReading(): void {
    const refusal = ReadProbe.refusalOf(this.#checked.catalog.database.name);
    if (refusal !== undefined) throw storageError('read the catalogue', refusal);
  }

  #checkReferences(): void {
    const rows = this.#checked.catalog.database.pragma('foreign_key_check') as { table: string; rowid: number }[];
    for (const row of rows) {
      if (this.#rooms().some((room) => room.reports?.(row.table))) continue;
      const message = `row ${row.rowid} of ${row.table} belongs to nothing`;
      this.#problems.push({ code: 'CATALOG_DAMAGED', message, repaired: false });
    }
  }

  async #checkRooms(): Promise<void> {
    const { catalog } = this.#checked;
    const { repair, signal } = this.#options;
    for (const room of this.#rooms()) {
      for (const found of (await room.verify?.(catalog, { repair, ...(signal && { signal }) })) ?? []) {
        const { companyId, ...problem } = found;
        const company = companyId === undefined ? undefined : companyName(catalog.database, companyId);
        this.#problems.push({ ...problem, ...(company === undefined ? {} : { company }), repaired: repair });
      }
    }
  }

  /** Hashes the bytes of all files; when the catalogue cannot list them, all that are on disk. */
  async #checkBlobs(): Promise<Pick<VerifyReport, 'blobsChecked' | 'bytesChecked'>> {
    const { files, store } = this.#checked;
    const blobs: readonly { hash: string; byteLength?: number }[] =
      (await this.#part('the list of files', async () => files.blobs())) ??
      (await this.#part('the folder of bytes', async () => (await store.blobs.list()).hashes))?.map((hash) => ({
        hash,
      })) ??
      [];
    let bytesChecked = 0;
    for (const [position, { hash, byteLength }] of blobs.entries()) {
      await this.#part(`the bytes ${hash}`, () => this.#checkBlob(hash, byteLength));
      bytesChecked += byteLength ?? 0;
      this.#options.onProgress?.({ done: position + 1, total: blobs.length });
    }
    return { blobsChecked: blobs.length, bytesChecked };
  }

  async #checkBlob(hash: string, byteLength: number | undefined): Promise<void> {
    const { files, store, lost } = this.#checked;
    const fault = await store.blobs.check(hash, byteLength);
    if (fault === undefined) return;
    const { code, says } = FAULTS[fault];
    const place = lost.has(hash) ? '; lost+found holds bytes of this name' : '';
    // The files may have been deleted meanwhile: then the blob has no owner, and nothing is wrong.
    for (const { uid, path, company } of files.owners(hash)) {
      const message = `the bytes of ${path} ${says}${place}`;
      this.#problems.push({ code, message, company, uid, path, repaired: false });
    }
  }

  async #checkDescriptors(): Promise<readonly StaleFile[]> {
    const { store, rules } = this.#checked;
    const { repair } = this.#options;
    const damaged = await this.#damagedViews();
    const stale = await store.jobs.stale(rules);
    const unfit = new Set(stale.map(({ fileId }) => fileId));
    const outdated = (await store.jobs.outdated(rules)).filter(({ fileId }) => !unfit.has(fileId));
    for (const { path, uid, company } of stale) {
      const message = `the descriptors of ${path} are missing or unfit`;
      this.#problems.push({ code: 'DESCRIPTOR_STALE', message, company, uid, path, repaired: repair });
    }
    for (const { path, uid, company } of outdated) {
      const message = `the texts, shapelets, PMI or faces of ${path} are of another version or missing`;
      this.#problems.push({ code: 'CONTENT_STALE', message, company, uid, path, repaired: repair });
    }
    const told = new Set([...unfit, ...outdated.map(({ fileId }) => fileId)]);
    for (const { fileId, path, uid, company } of damaged) {
      if (told.has(fileId)) continue;
      const message = `the shapelets of ${path} are damaged`;
      this.#problems.push({ code: 'CONTENT_STALE', message, company, uid, path, repaired: false });
    }
    if (!repair || stale.length + outdated.length === 0) return [];
    return [...(await store.jobs.reindexStale(rules)), ...outdated];
  }

  /**
   * Files whose shapelets are damaged; with `repair` they count as outdated from now on. A replica has none: its rows
   * are those of the database.
   */
  async #damagedViews(): Promise<readonly DamagedViews[]> {
    const { catalog, views, rules } = this.#checked;
    const found: DamagedViews[] = [];
    if (rules.views === undefined || catalog.isReplica) return found;
    const owner = catalog.database.prepare<[number], Omit<DamagedViews, 'fileId'>>(
      'SELECT uid, path, company.name AS company FROM file JOIN company ON company.id = company_id WHERE file.id = ?',
    );
    for await (const fileId of views.damaged(rules.views.byteLength)) {
      this.#checkSignal();
      const file = owner.get(fileId);
      if (file === undefined) continue;
      found.push({ fileId, ...file });
      if (this.#options.repair) await catalog.writes.run(() => views.spoil(fileId));
    }
    return found;
  }

  /** Returns how many were moved. */
  async #sweep(move: boolean): Promise<number> {
    const { store, isOlder } = this.#checked;
    const { unowned, moved } = await store.owned.sweep({ move, why: unownedReason(isOlder()) });
    if (unowned > 0) {
      const message = `${unowned} stored byte strings belong to no file`;
      this.#problems.push({ code: 'BLOB_UNOWNED', message, repaired: moved === unowned });
    }
    return moved;
  }
}

const FAULTS: Readonly<Record<BlobFault, { readonly code: VerifyProblem['code']; readonly says: string }>> = {
  missing: { code: 'BLOB_MISSING', says: 'are missing' },
  changed: { code: 'BLOB_CHANGED', says: 'are not those that were put' },
  unreadable: { code: 'BLOB_UNREADABLE', says: 'cannot be read' },
};

/** Name of a company; for one that holds search inputs, the name of the company that they belong to. */
function companyName(database: Database, companyId: number): string | undefined {
  return database
    .prepare<[number], string>(
      'SELECT name FROM company WHERE id = (SELECT coalesce(inputs_of, id) FROM company WHERE id = ?)',
    )
    .pluck()
    .get(companyId);
}
