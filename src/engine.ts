import { availableParallelism } from 'node:os';
import { checkAccountOptions } from './accounts/account-options.js';
import { Accounts } from './accounts/accounts.js';
import { DEFAULT_MODEL_OPTIONS, LARGEST_KEPT_MODEL, type ModelOptions } from './convert/model-options.js';
import {
  PICTURES_VERSION,
  THUMBNAIL_SIZES,
  type PageImageOptions,
  type ThumbnailOptions,
} from './pictures/thumbnail-options.js';
import { Company } from './company/company.js';
import { MILLIMETRES, type LengthUnit } from './content/units.js';
import { Core } from './core/core.js';
import { COMPACT_DIMENSION, DESCRIPTORS } from './descriptors/description.js';
import { VIEWS_VERSION, VIEW_BYTES } from './descriptors/views.js';
import { EngineError } from './errors.js';
import { termMaker } from './words/file-terms.js';
import { TextIndex } from './words/text-index.js';
import { CONTENT_VERSION } from './indexing/worker/file-description.js';
import type { FileSource } from './indexing/worker/messages.js';
import { modelName, pictureName } from './pictures/picture-name.js';
import { WorkerPool } from './indexing/worker/pool.js';
import { IndexQueue } from './indexing/queue.js';
import { QuietMerging } from './indexing/quiet-merging.js';
import {
  DEFAULT_ENGINE_OPTIONS,
  DEFAULT_LIMITS,
  checkInteger,
  withDefaults,
  type AccountOptions,
  type EngineOptions,
  type Limits,
  type ReadOptions,
} from './options.js';
import { PMI_VERSION } from './pmi/pmi.js';
import type { DescribedInput } from './search/query/inputs.js';
import type { SearchInput } from './search/query/query.js';
import { CompanySearch } from './search/company-search.js';
import { findDuplicates } from './search/duplicates/find-duplicates.js';
import { checkCompanyName } from './store/catalog/company-name.js';
import type { DescriptorRules } from './store/catalog/jobs.js';
import type { LibraryStats } from './store/catalog/stats.js';
import { openLibrary, type Library } from './library.js';
import { graphWarning } from './vectors/hnswlib.js';
import type { VerifyOptions, VerifyReport } from './store/verify.js';

type CheckedOptions = EngineOptions & { readonly limits: Limits; readonly accounts: AccountOptions };

// Early releases of Node 20 lack the symbol that `await using` looks for.
if (Symbol.asyncDispose === undefined)
  Object.defineProperty(Symbol, 'asyncDispose', { value: Symbol('Symbol.asyncDispose') });

/** Which files are indexed again. */
export interface ReindexOptions {
  /** 'stale': those whose descriptors are of an older version or missing. 'all': every one, failed ones too. Default 'stale'. */
  readonly only: 'stale' | 'all';
}

const REINDEX_DEFAULTS: ReindexOptions = Object.freeze({ only: 'stale' });
const VERIFY_DEFAULTS: VerifyOptions = Object.freeze({ repair: true, onProgress: undefined, signal: undefined });

/** How often search inputs whose time has come are removed, ms. */
const SWEEP_MS = 10 * 60_000;

/** What a timer of Node takes: 24 days. A longer one would end at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Time after which a worker with nothing to do gives its memory back, ms. */
const WORKER_IDLE_MS = 60_000;

/** What a descriptor must look like to be of use. */
const DESCRIPTOR_RULES: DescriptorRules = Object.freeze({
  versions: DESCRIPTORS,
  lengths: { compact: COMPACT_DIMENSION * Float32Array.BYTES_PER_ELEMENT },
  contentVersion: CONTENT_VERSION,
  views: Object.freeze({ version: VIEWS_VERSION, byteLength: VIEW_BYTES }),
  pmiVersion: PMI_VERSION,
});

/**
 * An open library: one folder that holds the files of all companies, their descriptors and their queue. Only one engine at
 * a time can have a library open. Files are read in worker threads; waiting ones go on when the library is opened again.
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
  readonly #store: Library;
  readonly #exactLimit: number;
  readonly #fineCacheMiB: number;
  readonly #core: Core;
  readonly #pool: WorkerPool;
  readonly #queue: IndexQueue;
  readonly #limits: Limits;
  readonly #defaultUnit: LengthUnit;
  /** Set by {@link open} before anybody sees the engine. */
  #accounts!: Accounts;
  readonly #companies = new Map<string, Promise<Company>>();
  /** Searches by company id; what happens to a company's files is told to its search in order, once it is open. */
  readonly #searches = new Map<number, Promise<CompanySearch>>();
  /** Calls that write and must end before the store closes. */
  readonly #writing = new Set<Promise<unknown>>();
  /** Pictures of stored files that are being drawn. */
  readonly #drawing = new Map<string, Promise<Uint8Array>>();
  readonly #inputTtlMs: number;
  readonly #sweeping: NodeJS.Timeout;
  readonly #merging: QuietMerging;
  /** Ends what is done in the background. */
  readonly #ending = new AbortController();
  #closing: Promise<void> | undefined;

  private constructor(store: Library, core: Core, options: CheckedOptions) {
    this.#store = store;
    this.#core = core;
    const { workers, limits, defaultUnit, ocr, attempts, recycleAfter, pictures } = options;
    this.#exactLimit = options.exactLimit;
    this.#fineCacheMiB = options.fineCacheMiB;
    this.#limits = limits;
    this.#defaultUnit = defaultUnit;
    this.#inputTtlMs = options.inputTtlMs;
    this.#merging = new QuietMerging(store);
    this.#sweeping = setInterval(() => this.#sweepInputs(), Math.min(options.inputTtlMs, SWEEP_MS)).unref();
    const readOptions: ReadOptions = { limits, defaultUnit, ocr };
    this.#pool = new WorkerPool({
      entry: new URL('./indexing/worker/worker.js', import.meta.url),
      workerData: { core: core.module, readOptions },
      workers,
      timeoutMs: limits.timeoutMs,
      viewsTimeoutMs: limits.viewsTimeoutMs,
      workerMemoryMiB: limits.workerMemoryMiB,
      recycleAfter,
      idleMs: WORKER_IDLE_MS,
      onFree: () => this.#queue.wake(),
    });
    this.#queue = new IndexQueue({
      store,
      pool: this.#pool,
      attempts,
      pictures,
      unitOf: (companyId) => this.#unitOf(companyId),
      onIndexed: ({ companyId, fileId }, { shape, views }) => {
        this.#tellSearch(companyId, (search) => search.put(fileId, { shape, views }));
        this.#accounts.wakeCallbacks();
      },
      onFailed: ({ companyId, fileId }) => {
        this.#tellSearch(companyId, (search) => search.remove(fileId));
        this.#accounts.wakeCallbacks();
      },
    });
  }

  /**
   * Opens the library in a folder, or makes one where the folder is missing or empty, and goes on with its queue.
   * @throws EngineError `LIBRARY_LOCKED` (`details.holder` names who has it), `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`,
   * `STORAGE_FAILED`, `CORE_FAILED`; TypeError or RangeError that names a wrong option.
   */
  static async open(folder: string, options?: Partial<EngineOptions>): Promise<Engine> {
    if (typeof folder !== 'string' || folder === '')
      throw new TypeError(`folder must be a path, received ${String(folder)}`);
    const checked = checkOptions(options);
    const core = await Core.load();
    const store = await openLibrary(folder, {
      fileBytesLimit: checked.limits.fileBytes,
      crashLimit: checked.crashes,
      terms: termMaker(checked.limits),
      picturesVersion: PICTURES_VERSION,
    });
    try {
      await store.reindexAfterUpgrade(DESCRIPTOR_RULES);
    } catch (cause) {
      store.close();
      throw cause;
    }
    const engine = new Engine(store, core, checked);
    try {
      engine.#accounts = await Accounts.open({
        store,
        options: checked.accounts,
        fileBytesLimit: checked.limits.fileBytes,
        checkOpen: () => engine.#checkOpen(),
        write: (work) => engine.#write(work),
      });
    } catch (cause) {
      clearInterval(engine.#sweeping);
      await engine.#merging.close();
      await engine.#pool.close();
      store.close();
      throw cause;
    }
    engine.#sweepInputs();
    engine.#queue.wake();
    engine.#makeTerms();
    return engine;
  }

  /** Users, tokens, and what companies have set, used and asked for. */
  get accounts(): Accounts {
    return this.#accounts;
  }

  /** The file database of a company, made on first use. Names are case-sensitive, up to 200 characters. */
  async company(name: string): Promise<Company> {
    this.#checkOpen();
    const label = checkCompanyName(name);
    let company = this.#companies.get(label);
    if (company === undefined) {
      company = this.#openCompany(label);
      this.#companies.set(label, company);
      company.catch(() => this.#companies.delete(label));
    }
    return company;
  }

  /** Names of all companies, sorted. */
  async companies(): Promise<string[]> {
    this.#checkOpen();
    return this.#store.files.companies().map(({ name }) => name);
  }

  /** Counts by state, kind and company; bytes on disk; length of the queue. */
  async stats(): Promise<LibraryStats> {
    this.#checkOpen();
    const stats = await this.#write(() => this.#store.stats());
    const warning = graphWarning();
    return warning === undefined ? stats : { ...stats, warnings: [warning] };
  }

  /**
   * Reads every stored byte once and reports what is not as it should be; what is derived is mended unless `repair` is
   * false. SQLite's own check holds this thread for as long as reading the catalogue takes.
   */
  async verify(options?: Partial<VerifyOptions>): Promise<VerifyReport> {
    this.#checkOpen();
    const checked = withDefaults('verify options', options, VERIFY_DEFAULTS);
    const report = await this.#write(() => this.#store.verify(DESCRIPTOR_RULES, checked));
    for (const { companyId, fileId } of report.requeued) this.#tellSearch(companyId, (search) => search.remove(fileId));
    this.#queue.wake();
    return report;
  }

  /** Queues files to be indexed again and returns how many. With 'all', indexed ones stay searchable meanwhile. */
  async reindex(options?: Partial<ReindexOptions>): Promise<number> {
    this.#checkOpen();
    const { only } = withDefaults('reindex options', options, REINDEX_DEFAULTS);
    if (only !== 'stale' && only !== 'all')
      throw new RangeError(`reindex options.only must be 'stale' or 'all', received ${String(only)}`);
    if (only === 'all') {
      const count = await this.#write(() => this.#store.reindexAll());
      this.#queue.wake();
      return count;
    }
    const stale = await this.#write(() => this.#store.reindexStale(DESCRIPTOR_RULES));
    for (const { companyId, fileId } of stale) this.#tellSearch(companyId, (search) => search.remove(fileId));
    this.#queue.wake();
    return stale.length;
  }

  /** Resolves when no file waits or is being read. */
  async idle({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    this.#checkOpen();
    await this.#queue.idle(signal);
  }

  /**
   * Ends the workers and releases the library. Files that wait or are being read stay queued; puts that wait for them
   * reject with `ENGINE_CLOSED`. Closing again is fine.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeping);
    const merged = this.#merging.close();
    // First, so that nothing on its way notices the closing and takes it for a failure.
    const accountsClosed = this.#accounts.close();
    this.#ending.abort();
    const ended = this.#queue.close();
    await this.#pool.close();
    await ended;
    await accountsClosed;
    await merged;
    await Promise.allSettled(this.#writing);
    // One turn more, so that callers who were just told read their records before the catalogue closes.
    await new Promise((resolve) => setImmediate(resolve));
    for (const search of this.#searches.values()) await (await search).close();
    this.#store.close();
  }

  /** In the background. What the disk refuses now is tried again at the next opening. */
  #makeTerms(): void {
    void this.#write(() => this.#store.rooms.words.make(this.#ending.signal)).catch(() => undefined);
  }

  async #openCompany(name: string): Promise<Company> {
    const companyId = await this.#write(() => this.#store.company(name));
    const opening = CompanySearch.open({
      store: this.#store,
      companyId,
      texts: new TextIndex(this.#store, companyId),
      core: this.#core,
      exactLimit: this.#exactLimit,
      fineBytesKept: this.#fineCacheMiB * 2 ** 20,
      describe: (input, signal) => this.#describe(companyId, input, signal),
    });
    this.#searches.set(companyId, opening);
    try {
      await opening;
    } catch (cause) {
      this.#searches.delete(companyId);
      throw cause;
    }
    return new Company({
      name,
      companyId,
      inputTtlMs: this.#inputTtlMs,
      store: this.#store,
      queue: this.#queue,
      checkOpen: () => this.#checkOpen(),
      write: (work) => this.#write(work),
      callbackAsked: () => this.#accounts.wakeCallbacks(),
      removed: (fileIds) => {
        for (const fileId of fileIds) {
          this.#queue.forget(fileId);
          this.#tellSearch(companyId, (search) => search.remove(fileId));
        }
      },
      search: async (query) => (await opening).search(query),
      duplicates: async (options) =>
        findDuplicates({ store: this.#store, companyId, core: this.#core, shapes: (await opening).shapes }, options),
      warmUp: async (searches, signal) => (await opening).warmUp(searches, signal),
      draw: (part, options) => this.#draw(companyId, part, options),
      drawShapelet: (part, index, options) => this.#drawShapelet(companyId, part, index, options),
      drawOverlay: async (query, { queryShapelet, shapelet }, uid, size) =>
        this.#pool.run({
          kind: 'overlay',
          of: this.#stored(companyId, uid),
          index: shapelet,
          query: this.#source(companyId, query),
          queryIndex: queryShapelet,
          ...(query.crop === undefined ? {} : { queryCrop: query.crop }),
          size,
        }),
      drawPage: (uid, options) => this.#drawPage(companyId, uid, options),
      writeModel: (uid, options) => this.#writeModel(companyId, uid, options),
      deviations: (first, second, { signal, transform, samples, withModel }) =>
        this.#pool.run(
          {
            kind: 'deviations',
            of: this.#stored(companyId, first),
            other: this.#stored(companyId, second),
            wishes: { samples, withModel, ...(transform === undefined ? {} : { transform: Array.from(transform) }) },
          },
          signal,
        ),
      convert: ({ name, bytes }, { to, toleranceMm, signal }) =>
        this.#pool.run(
          { kind: 'convert', of: { ...this.#given(companyId, bytes, ''), name }, to, toleranceMm },
          signal,
        ),
    });
  }

  /** Reads and describes a stored file or bytes in a worker, storing nothing. */
  #describe(companyId: number, input: SearchInput, signal?: AbortSignal): Promise<DescribedInput> {
    const { crop } = input;
    return this.#pool.run(
      {
        kind: 'describe',
        of: this.#source(companyId, input),
        textOnly: false,
        ...(crop === undefined ? {} : { crop }),
      },
      signal,
    );
  }

  /** The thumbnail that is kept, or else a new one, in the wanted size. */
  async #draw(companyId: number, part: SearchInput, { page, ...fit }: ThumbnailOptions): Promise<Uint8Array> {
    const picture = {
      kind: 'thumbnail',
      size: fit.size <= THUMBNAIL_SIZES.small ? THUMBNAIL_SIZES.small : THUMBNAIL_SIZES.large,
      page,
    } as const;
    const request = { kind: 'picture', of: this.#source(companyId, part), picture } as const;
    const png = await this.#kept(request.of, pictureName(request.of.name, picture), () => this.#pool.run(request));
    // Loaded when it is wanted: the image library takes time and memory.
    return (await import('./pictures/png.js')).fitPng(png, fit);
  }

  async #drawPage(companyId: number, uid: string, { page, width }: PageImageOptions): Promise<Uint8Array> {
    const picture = { kind: 'page', width, page } as const;
    const request = { kind: 'picture', of: this.#stored(companyId, uid), picture } as const;
    const draw = (): Promise<Uint8Array> => this.#pool.run(request);
    // Of other widths there could be any number.
    return width === THUMBNAIL_SIZES.large
      ? this.#kept(request.of, pictureName(request.of.name, picture), draw)
      : draw();
  }

  async #drawShapelet(
    companyId: number,
    part: SearchInput,
    index: number,
    options: ThumbnailOptions,
  ): Promise<Uint8Array> {
    const request = { kind: 'shapelet', of: this.#source(companyId, part), index, ...options } as const;
    const draw = (): Promise<Uint8Array> => this.#pool.run(request);
    const { size, background } = options;
    if (size !== THUMBNAIL_SIZES.small || background !== 'transparent') return draw();
    return this.#kept(request.of, pictureName(request.of.name, { kind: 'shapelet', size, index }), draw);
  }

  async #writeModel(companyId: number, uid: string, { triangles }: ModelOptions): Promise<Uint8Array> {
    const request = { kind: 'model', of: this.#stored(companyId, uid), triangles } as const;
    const write = (): Promise<Uint8Array> => this.#pool.run(request);
    if (triangles !== DEFAULT_MODEL_OPTIONS.triangles) return write();
    return this.#kept(
      request.of,
      modelName(request.of.name, request.of.unit ?? this.#defaultUnit),
      write,
      LARGEST_KEPT_MODEL,
    );
  }

  /** A picture of a stored file: the one that is kept, or else a new one; drawn once for all who ask meanwhile. largest: above it, none is kept, bytes. */
  async #kept(of: FileSource, name: string, draw: () => Promise<Uint8Array>, largest = Infinity): Promise<Uint8Array> {
    if (of.kind !== 'stored') return draw();
    const key = { hash: of.hash, name: of.component === undefined ? name : `component-${of.component}-${name}` };
    const kept = await this.#store.pictures.read(key);
    if (kept !== undefined) return kept;
    const id = `${key.hash} ${key.name}`;
    const drawing =
      this.#drawing.get(id) ??
      this.#write(async () => {
        const png = await draw();
        if (png.length <= largest) await this.#store.pictures.put(key, png);
        return png;
      }).finally(() => this.#drawing.delete(id));
    this.#drawing.set(id, drawing);
    return drawing;
  }

  #source(companyId: number, input: SearchInput): FileSource {
    const source =
      'uid' in input ? this.#stored(companyId, input.uid) : this.#given(companyId, input.bytes, input.extension);
    return input.component === undefined ? source : { ...source, component: input.component };
  }

  /** uid: of a file, a search input, or a component that was indexed by itself. */
  #stored(companyId: number, uid: string): FileSource {
    const part = this.#store.componentWith(companyId, uid.toLowerCase());
    const component = part && this.#store.components.one(part.fileId);
    const { blob_hash: hash, path: name } = this.#store.fileOrInput(companyId, component?.assemblyUid ?? uid);
    return {
      kind: 'stored',
      blobFolder: this.#store.blobs.folder,
      hash,
      name,
      unit: this.#unitOf(companyId),
      ...(component === undefined ? {} : { component: component.number }),
    };
  }

  #given(companyId: number, bytes: Uint8Array, extension: string): FileSource {
    const allowed = this.#limits.fileBytes;
    if (bytes.length > allowed) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the input has ${bytes.length} bytes, allowed are ${allowed} (limits.fileBytes)`,
        {
          details: { limit: 'fileBytes', allowed, found: bytes.length },
        },
      );
    }
    const name = `input${extension === '' || extension.startsWith('.') ? extension : `.${extension}`}`;
    return { kind: 'bytes', bytes: new Uint8Array(bytes), name, unit: this.#unitOf(companyId) };
  }

  /** The unit that a company prefers for files which have none. */
  #unitOf(companyId: number): LengthUnit | undefined {
    const { inputs, rooms } = this.#store;
    return (
      (rooms.accounts.companies.fields(inputs.ownerOf(companyId))['preferredUnits'] as LengthUnit | null | undefined) ??
      undefined
    );
  }

  /** What the disk refuses to remove now is removed by the next sweep. */
  #sweepInputs(): void {
    if (this.#closing !== undefined) return;
    this.#write(() => this.#store.removeExpired(Date.now())).then(
      (removed) => removed.forEach(({ fileId }) => this.#queue.forget(fileId)),
      () => undefined,
    );
  }

  #tellSearch(companyId: number, tell: (search: CompanySearch) => void): void {
    // Not open yet: it will read the catalogue. Opening: told when it is open, before anybody can search.
    void this.#searches.get(companyId)?.then(tell, () => undefined);
  }

  async #write<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#writing.add(running);
    try {
      return await running;
    } finally {
      this.#writing.delete(running);
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new EngineError('ENGINE_CLOSED', 'the engine is closed');
  }
}

function checkOptions(given: Partial<EngineOptions> | undefined): CheckedOptions {
  const options = withDefaults('options', given, { ...DEFAULT_ENGINE_OPTIONS, workers: availableParallelism() });
  const limits = withDefaults('options.limits', options.limits, DEFAULT_LIMITS);
  checkInteger('options.workers', options.workers, 1, 1_024);
  checkInteger('options.attempts', options.attempts, 1);
  checkInteger('options.crashes', options.crashes, 1);
  checkInteger('options.recycleAfter', options.recycleAfter, 1);
  checkInteger('options.exactLimit', options.exactLimit, 0);
  checkInteger('options.fineCacheMiB', options.fineCacheMiB, 0);
  checkInteger('options.inputTtlMs', options.inputTtlMs, 1, 2 ** 31 - 1);
  if (!['none', 'small', 'all'].includes(options.pictures))
    throw new RangeError(`options.pictures must be 'none', 'small' or 'all', received ${String(options.pictures)}`);
  if (typeof options.ocr !== 'boolean')
    throw new TypeError(`options.ocr must be true or false, received ${String(options.ocr)}`);
  for (const [name, value] of Object.entries(limits))
    checkInteger(`options.limits.${name}`, value, 1, name === 'timeoutMs' ? LONGEST_TIMEOUT_MS : undefined);
  if (!(options.defaultUnit in MILLIMETRES)) {
    throw new RangeError(
      `options.defaultUnit must be one of ${Object.keys(MILLIMETRES).join(', ')}, received ${String(options.defaultUnit)}`,
    );
  }
  return { ...options, limits, accounts: checkAccountOptions(options.accounts) };
}
