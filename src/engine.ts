import { once } from 'node:events';
import { availableParallelism, totalmem } from 'node:os';
import { checkAccountOptions } from './accounts/account-options.js';
import { Accounts } from './accounts/accounts.js';
import type { Company } from './company/company.js';
import { openCompany, type SharedServices } from './company/open-company.js';
import { OpenSearches } from './company/open-searches.js';
import { ServedCompany } from './company/served/served-company.js';
import { Core } from './core/core.js';
import { FINE_BYTES } from './core/compare.js';
import { COMPACT_DIMENSION, DESCRIPTORS } from './descriptors/description.js';
import { VIEWS_VERSION, VIEW_BYTES } from './descriptors/views.js';
import { FileSources } from './indexing/file-sources.js';
import { sweepInputs } from './indexing/input-sweep.js';
import { IndexQueue } from './indexing/queue.js';
import { IndexingTally } from './indexing/tally.js';
import { QuietMerging } from './indexing/quiet-merging.js';
import { CONTENT_VERSION } from './indexing/worker/file-description.js';
import { WorkerPool } from './indexing/pool/pool.js';
import { isDatabaseUrl, migrateLibrary, openLibrary, type Library } from './library.js';
import type { MigrationOptions, MigrationReport } from './store/shared/migration-options.js';
import { checkEngineOptions, withDefaults, type CheckedEngineOptions, type EngineOptions } from './options.js';
import { KeptPictures } from './pictures/kept-pictures.js';
import { PICTURES_VERSION } from './pictures/thumbnail-options.js';
import { PMI_VERSION } from './pmi/pmi.js';
import {
  BACKUP_DEFAULTS,
  backupLibrary,
  backupOfDatabase,
  type BackupOptions,
  type BackupReport,
} from './store/backup.js';
import { checkCompanyName } from './store/catalog/company-name.js';
import type { SeenInputs } from './store/catalog/seen-inputs.js';
import type { LibraryStats } from './store/catalog/stats.js';
import { Lifetime } from './store/lifetime.js';
import type { SharedPlace } from './store/shared/replica-folder.js';

import { graphWarning } from './vectors/hnswlib.js';
import { termMaker } from './words/file-terms.js';
import type { DescriptorRules } from './store/catalog/indexed-file.js';
import type { LibraryWarning } from './store/library-warning.js';
import type { VerifyOptions, VerifyReport } from './store/verify-report.js';

// Early releases of Node 20 lack the symbol that `await using` needs.
if (Symbol.asyncDispose === undefined)
  Object.defineProperty(Symbol, 'asyncDispose', { value: Symbol('Symbol.asyncDispose') });

/** Which files are indexed again. */
export interface ReindexOptions {
  /**
   * 'stale': files whose descriptors are missing or of an older version. 'all': every file, including failed ones.
   * Default 'stale'.
   */
  readonly only: 'stale' | 'all';
}

const REINDEX_DEFAULTS: ReindexOptions = Object.freeze({ only: 'stale' });
const VERIFY_DEFAULTS: VerifyOptions = Object.freeze({
  repair: true,
  purge: false,
  onProgress: undefined,
  signal: undefined,
});

/** Time after which an idle worker is ended to release its memory, ms. */
const WORKER_IDLE_MS = 60_000;

/** Stored descriptors of other versions are computed again. */
const DESCRIPTOR_RULES: DescriptorRules = Object.freeze({
  versions: DESCRIPTORS,
  lengths: { compact: COMPACT_DIMENSION * Float32Array.BYTES_PER_ELEMENT, fine: FINE_BYTES },
  contentVersion: CONTENT_VERSION,
  views: Object.freeze({ version: VIEWS_VERSION, byteLength: VIEW_BYTES }),
  pmiVersion: PMI_VERSION,
});

/**
 * The services that an engine opens and closes.
 * @internal
 */
interface EngineServices extends SharedServices {
  readonly accounts: Accounts;
  readonly merging: QuietMerging;
  readonly tally: IndexingTally;
  readonly endSweep: () => void;
  /** Whether the library is in a database that processes share. */
  readonly isShared: boolean;
  /** Ends when the index of words holds every file, or could not be completed. */
  readonly termsMade: Promise<void>;
}

/**
 * An open library: one folder that holds the files of all companies, their descriptors and their queue. Only one engine
 * at a time can have a library open. Files are read in processes of their own; files that still wait are read when the
 * library is opened again.
 *
 * ```ts
 * const engine = await Engine.open('./library');
 * const acme = await engine.company('acme');
 * const record = await acme.put('brackets/B-17.step', bytes);
 * const { hits } = await acme.search({ like: { uid: record.uid } });
 * await engine.close();
 * ```
 */
export class Engine {
  readonly #services: EngineServices;
  readonly #companies = new Map<string, Promise<Company>>();
  #closing: Promise<void> | undefined;

  private constructor(services: EngineServices) {
    this.#services = services;
  }

  /**
   * Opens the library in a folder and continues with its queue. If the folder is missing or empty, a new library is
   * created there. A `postgres://` URL opens a library in that database, which many processes may have open at once;
   * its bytes are where the option `blobs` says.
   * @throws EngineError `LIBRARY_LOCKED` (`details.holder` names the process), `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`,
   * `STORAGE_FAILED`, `CORE_FAILED`; TypeError or RangeError that names the wrong option.
   */
  static async open(folder: string, options?: Partial<EngineOptions>): Promise<Engine> {
    if (typeof folder !== 'string' || folder === '')
      throw new TypeError(`folder must be a path, received ${String(folder)}`);
    const isShared = isDatabaseUrl(folder);
    const machine = { cores: availableParallelism(), memoryMiB: memoryMiB(), isShared };
    const checked = checkEngineOptions(options, machine);
    const accountOptions = checkAccountOptions(checked.accounts);
    const core = await Core.load();
    const store = await openLibrary(folder, {
      fileBytesLimit: checked.limits.fileBytes,
      crashLimit: checked.crashes,
      terms: termMaker(checked.limits),
      picturesVersion: PICTURES_VERSION,
      lostFoundDays: checked.lostFoundDays,
      ...(isShared ? { shared: sharedPlace(checked) } : {}),
    });
    try {
      await store.jobs.reindexAfterUpgrade(DESCRIPTOR_RULES);
      const lifetime = new Lifetime(() => store.tooOld);
      const fileBytesLimit = checked.limits.fileBytes;
      const accounts = await Accounts.open({ store, lifetime, options: accountOptions, fileBytesLimit });
      return new Engine(startServices(store, { core, lifetime, accounts, options: checked }));
    } catch (cause) {
      await store.close();
      throw cause;
    }
  }

  /**
   * Copies a library that nothing has open from a folder into an empty database, or from a database into an empty
   * folder; see {@link migrateLibrary}.
   */
  static migrate(
    from: string,
    to: string,
    options: Pick<MigrationOptions, 'blobs'> & Partial<MigrationOptions>,
  ): Promise<MigrationReport> {
    return migrateLibrary(from, to, options);
  }

  /** Users, tokens, and the settings, usage and requests of companies. */
  get accounts(): Accounts {
    return this.#services.accounts;
  }

  /**
   * What was found when the library was opened and its owner should know, such as a catalogue that is older than its
   * files; empty: nothing. `stats` has the same sentences among its own.
   */
  get warnings(): readonly LibraryWarning[] {
    return this.#open().store.warnings;
  }

  /** The file database of a company, created on first use. Names are case-sensitive and have up to 200 characters. */
  async company(name: string): Promise<Company> {
    const services = this.#open();
    const label = checkCompanyName(name);
    let company = this.#companies.get(label);
    if (company === undefined) {
      company = openCompany(label, services);
      this.#companies.set(label, company);
      company.catch(() => this.#companies.delete(label));
    }
    return company;
  }

  /**
   * A company as a service offers it to its users: searches and uploads with the defaults and bounds of the company's
   * profile, counted in its monthly usage. The HTTP adapter returns the results of these calls. `inputs`: whose search
   * inputs and requests for quotation the user sees; default all.
   */
  async served(name: string, inputs: SeenInputs = 'all'): Promise<ServedCompany> {
    const company = await this.company(name);
    const own = inputs === 'all' ? company : company.seeing(inputs);
    return new ServedCompany({ company: own, accounts: this.accounts, seen: inputs });
  }

  /** Names of all companies, sorted. */
  async companies(): Promise<string[]> {
    return (await this.#open().store.files.companies()).map(({ name }) => name);
  }

  /** Number of files by state, kind and company; bytes on disk; length of the queue; what holds reading processes. */
  async stats(): Promise<LibraryStats> {
    const { store, pool, lifetime, tally, searches } = this.#open();
    const counts = await lifetime.write(() => store.stats());
    const reading = await pool.confinement().catch(() => undefined);
    const own = { ...counts, indexing: tally.counts(), readingBytes: pool.residentBytes };
    const stats = reading === undefined ? own : { ...own, reading };
    const told = [graphWarning(), searches.warning].filter((one) => one !== undefined);
    const warnings = [...store.warnings.map(({ message }) => message), ...told];
    return warnings.length === 0 ? stats : { ...stats, warnings };
  }

  /**
   * Reads every stored byte once and reports damaged or missing data; derived data is repaired unless `repair` is
   * false. Bytes that no file has are moved to `lost+found`; `purge` removes what is there. However damaged the library
   * is, this resolves with a report: a part that cannot be checked is a problem in it. SQLite's own integrity check
   * blocks this thread for as long as it takes to read the catalogue.
   */
  async verify(options?: Partial<VerifyOptions>): Promise<VerifyReport> {
    const { store, queue, searches, lifetime, termsMade } = this.#open();
    const checked = withDefaults('verify options', options, VERIFY_DEFAULTS);
    if (checked.purge && !checked.repair)
      throw new TypeError('verify options.purge needs repair, received repair: false');
    await orAborted(termsMade, checked.signal); // Words that are just being made are not missing.
    lifetime.checkOpen();
    const report = await lifetime.write(() => store.verify(DESCRIPTOR_RULES, checked));
    // What is merely of another version stays searchable.
    const unfit = new Set(
      report.problems.flatMap(({ code, company, uid }) => (code === 'DESCRIPTOR_STALE' ? [`${company} ${uid}`] : [])),
    );
    searches.removed(report.requeued.filter(({ company, uid }) => unfit.has(`${company} ${uid}`)));
    queue.wake();
    return report;
  }

  /**
   * Copies the library, as it is at one moment, to a folder that is missing or empty, while it is read and written to;
   * see {@link backupLibrary}, which does the same for a library that another process has open.
   * @throws EngineError `CONFLICT` when the folder holds something, `STORAGE_FAILED`, `ABORTED` by the signal or
   * because the engine closes; `NOT_ALLOWED` for a library in PostgreSQL: its message says what to back up.
   */
  async backup(folder: string, options?: Partial<BackupOptions>): Promise<BackupReport> {
    const { store, lifetime, isShared } = this.#open();
    if (isShared) throw backupOfDatabase();
    const { signal: own } = withDefaults('backup options', options, BACKUP_DEFAULTS);
    const signal = own === undefined ? lifetime.signal : AbortSignal.any([own, lifetime.signal]);
    return lifetime.write(() => backupLibrary(store.folder, folder, { ...options, signal }));
  }

  /** Queues files to be indexed again and returns how many. With 'all', indexed files stay searchable meanwhile. */
  async reindex(options?: Partial<ReindexOptions>): Promise<number> {
    const { store, queue, searches, lifetime } = this.#open();
    const { only } = withDefaults('reindex options', options, REINDEX_DEFAULTS);
    if (only !== 'stale' && only !== 'all')
      throw new RangeError(`reindex options.only must be 'stale' or 'all', received ${String(only)}`);
    let count: number;
    if (only === 'all') count = await lifetime.write(() => store.jobs.reindexAll());
    else {
      const outdated = await store.jobs.outdated(DESCRIPTOR_RULES);
      const stale = await lifetime.write(() => store.jobs.reindexStale(DESCRIPTOR_RULES));
      searches.removed(stale);
      count = new Set([...outdated, ...stale].map(({ fileId }) => fileId)).size;
    }
    queue.wake();
    return count;
  }

  /** Resolves when no file waits or is being read. */
  async idle(options?: { readonly signal?: AbortSignal }): Promise<void> {
    const { signal } = withDefaults('idle options', options, { signal: undefined });
    await this.#open().queue.idle(signal);
  }

  /**
   * Ends the workers and releases the library. Files that wait or are being read stay queued; puts that wait for them,
   * and searches under way reject with `ENGINE_CLOSED`. Further calls have no effect.
   */
  close(): Promise<void> {
    this.#closing ??= closeServices(this.#services);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #open(): EngineServices {
    this.#services.lifetime.checkOpen();
    return this.#services;
  }
}

function sharedPlace(options: CheckedEngineOptions): SharedPlace {
  const { blobs, blobsCacheMiB, replica, replicaAgeMs, leaseMs, connectTimeoutMs, outageMs } = options;
  const times = { ageMs: replicaAgeMs, leaseMs, connectMs: connectTimeoutMs, outageMs };
  return { blobs: blobs!, blobsCacheMiB, replica, ...times };
}

/** Memory of the machine, or what the control group of this process allows of it. */
function memoryMiB(): number {
  const allowed = process.constrainedMemory() || Infinity;
  return Math.floor(Math.min(allowed, totalmem()) / 2 ** 20);
}

/** Everything that runs while a library is open. */
function startServices(
  store: Library,
  {
    core,
    lifetime,
    accounts,
    options,
  }: {
    readonly core: Core;
    readonly lifetime: Lifetime;
    readonly accounts: Accounts;
    readonly options: CheckedEngineOptions;
  },
): EngineServices {
  const { limits, defaultUnit, ocr, pdfsAreDrawings, inputTtlMs } = options;
  const pool = new WorkerPool({
    entry: new URL('./indexing/worker/worker.js', import.meta.url),
    data: { readOptions: { limits, defaultUnit, ocr, pdfsAreDrawings } },
    ...limits,
    workers: Math.max(1, options.workers), // One that only answers reads what searches are given.
    folders: [],
    hidden: [store.folder, store.blobs.folder],
    recycleAfter: options.recycleAfter,
    idleMs: WORKER_IDLE_MS,
  });
  const sources = new FileSources(store, limits.fileBytes);
  const searches = new OpenSearches({ ...options, store, core, pool, sources, closing: lifetime.signal });
  const wakeCallbacks = (): void => accounts.wakeCallbacks();
  const tally = new IndexingTally(store.files, options.onIndexing);
  const queue = new IndexQueue({
    store,
    pool,
    sources,
    attempts: options.attempts,
    pictures: options.pictures,
    claims: options.workers > 0,
    listeners: [searches, tally, { indexed: wakeCallbacks, failed: wakeCallbacks }],
  });
  store.watch({
    running: () => queue.running,
    changed: ({ files, ended, hasJobs }) => {
      searches.changed(files);
      if (hasJobs || ended.length > 0) queue.changed(ended);
      if (ended.length > 0) wakeCallbacks();
    },
  });
  const kept = new KeptPictures(store, lifetime);
  const endSweep = sweepInputs({ store, queue, lifetime, inputTtlMs });
  const merging = new QuietMerging(store);
  queue.wake();
  // Runs in the background. Terms that cannot be written now are computed at the next opening.
  const termsMade = lifetime.write(() => store.rooms.words.make(lifetime.signal)).catch(() => undefined);
  const isShared = options.blobs !== undefined;
  const shared = { store, core, pool, queue, sources, kept, searches, lifetime, callbacks: accounts };
  return { ...shared, inputTtlMs, defaultUnit, accounts, merging, tally, endSweep, isShared, termsMade };
}

/** Ends when `work` ends or the signal aborts, whichever is first. */
async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined || signal.aborted) return signal === undefined ? work : undefined;
  const waiting = new AbortController(); // So that no listener stays behind.
  const aborted = once(signal, 'abort', { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([work, aborted]);
  waiting.abort();
}

async function closeServices(services: EngineServices): Promise<void> {
  const { store, pool, queue, searches, accounts, merging, endSweep, lifetime } = services;
  endSweep();
  const merged = merging.close();
  // The accounts close first, while the library is still open: they write the counted usage, and running deliveries
  // must not be recorded as failures.
  const accountsClosed = accounts.close();
  lifetime.end();
  store.owned.endWaits();
  const queueClosed = queue.close();
  await pool.close();
  await Promise.all([queueClosed, accountsClosed, merged]);
  await lifetime.settled();
  // Waits one more turn of the event loop, so that callers whose promises have just resolved can read their records
  // before the catalogue closes.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    await searches.close();
  } finally {
    await store.close();
  }
}
