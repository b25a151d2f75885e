import type { DrawnSizes } from '../content/drawn-size.js';
import type { Core } from '../core/core.js';
import type { FileSources } from '../indexing/file-sources.js';
import type { IndexListener } from '../indexing/queue.js';
import type { FileDescription } from '../indexing/worker/file-description.js';
import { statedSizes } from '../pmi/lists/stated-sizes.js';
import { parsePmi } from '../pmi/stored-pmi.js';
import type { WorkerPool } from '../indexing/pool/pool.js';
import { BYTES_AT_LEAST, CompanySearch } from '../search/company-search.js';
import type { DrawnPmi } from '../search/query/drawn-pmi.js';
import type { DescribedInput } from '../search/query/inputs.js';
import type { SearchInput } from '../search/query/query.js';
import type { TableFailed } from '../search/usable-table.js';
import type { EngineError } from '../errors.js';
import type { Job } from '../store/catalog/job.js';
import { isDamage } from '../store/database/derived-database.js';
import { storedJson } from '../store/database/stored-json.js';
import type { Library } from '../library.js';

/**
 * What the searches of all companies share.
 * @internal
 */
interface SearchesParts {
  readonly store: Library;
  readonly core: Core;
  readonly pool: WorkerPool;
  readonly sources: FileSources;
  /** Largest number of files for which a search scans all compact vectors. */
  readonly exactLimit: number;
  /** Memory for the fine descriptors of one company, MiB. */
  readonly fineCacheMiB: number;
  /** Memory for all searches together, MiB; undefined: as much as they take. */
  readonly searchMemoryMiB: number | undefined;
  /** Aborts when the engine begins to close: searches under way end. */
  readonly closing: AbortSignal;
}

/**
 * The search of one company: opened where it is not, and open at least until `work` has ended.
 * @internal
 */
export interface SearchOfCompany {
  use<T>(work: (search: CompanySearch) => Promise<T>): Promise<T>;
  /** A file is gone; see {@link CompanySearch.remove}. */
  remove(fileId: number): void;
}

/** Of the memory for all searches, the share that the fine descriptors of one company take at most. */
const FINE_SHARE = 1 / 4;

/** A search whose table the disk refused, or that was damaged again so soon, is opened anew after so long. */
const RETRY_MS = 60_000;

/** A search that is open or being opened. */
interface Kept {
  readonly search: Promise<CompanySearch>;
  /** Calls that work with it. */
  users: number;
  /**
   * It reads the catalogue in the place of a table that failed: opened anew, at this time or later, it tries again. Of
   * the clock of `performance`; Infinity: all is well.
   */
  retryAtMs: number;
  /** When it had been opened; Infinity: it is being opened. */
  openedAtMs: number;
}

/**
 * The searches of the companies in use, by company id. Each search is notified of changes to its company's files, in
 * order. A search that is not open needs no notification, because it reads the catalogue when it opens.
 *
 * When all of them take more memory than they may, those that were not used for longest are closed; the next search of
 * such a company opens it anew and finds the same. One that alone does not fit asks the database for what it cannot
 * hold; when it came to hold more than it may, it is opened anew so.
 * @internal
 */
export class OpenSearches implements IndexListener {
  readonly #parts: SearchesParts;
  /** The last used one last. */
  readonly #open = new Map<number, Kept>();
  /** Searches that are being closed: what they write to the cache must not meet a new one. */
  readonly #closing = new Map<number, Promise<void>>();
  /** By company, why a table of derived data cannot be written or read. */
  readonly #failures = new Map<number, EngineError>();
  /** Paths of the tables that proved damaged. */
  readonly #damaged = new Set<unknown>();

  constructor(parts: SearchesParts) {
    this.#parts = parts;
  }

  /** The search of a company. */
  of(companyId: number): SearchOfCompany {
    return {
      use: (work) => this.#use(companyId, work),
      remove: (fileId) => this.removed([{ companyId, fileId }]),
    };
  }

  async #use<T>(companyId: number, work: (search: CompanySearch) => Promise<T>): Promise<T> {
    const kept = this.#open.get(companyId) ?? this.#toOpen(companyId);
    kept.users++;
    this.#open.delete(companyId);
    this.#open.set(companyId, kept);
    try {
      const search = await kept.search.catch((cause: unknown) => {
        if (this.#open.get(companyId) === kept) this.#open.delete(companyId);
        throw cause;
      });
      return await work(search);
    } finally {
      kept.users--;
      await this.#keepWithin();
    }
  }

  #toOpen(companyId: number): Kept {
    this.#failures.delete(companyId);
    const kept: Kept = {
      search: this.#opened(companyId, (failure) => this.#tableFailed(companyId, kept, failure)),
      users: 0,
      retryAtMs: Infinity,
      openedAtMs: Infinity,
    };
    const opened = (): void => void (kept.openedAtMs = performance.now());
    void kept.search.then(opened, () => undefined);
    return kept;
  }

  #tableFailed(companyId: number, kept: Kept, failure: EngineError): void {
    const now = performance.now();
    const path = failure.details.path;
    // One that is damaged again so soon after it was made anew lies on a bad medium: the next may not last either.
    const isLasting = this.#damaged.has(path) && now - kept.openedAtMs < RETRY_MS;
    if (isDamage(failure) && !isLasting) {
      this.#damaged.add(path);
      kept.retryAtMs = 0;
      return;
    }
    kept.retryAtMs = Math.min(kept.retryAtMs, now + RETRY_MS);
    this.#failures.set(companyId, failure);
  }

  /** One sentence for the host while tables of derived data cannot be used; undefined otherwise. */
  get warning(): string | undefined {
    const [failure] = this.#failures.values();
    if (failure === undefined) return undefined;
    const { size } = this.#failures;
    const companies = size === 1 ? '1 company that does' : `${size} companies that do`;
    const cause = `a table below cache/ cannot be used (${failure.message})`;
    return `searches of ${companies} not fit in searchMemoryMiB find the same, slower: they read the catalogue, because ${cause}`;
  }

  /** Closes searches until the others fit. */
  async #keepWithin(): Promise<void> {
    const { searchMemoryMiB } = this.#parts;
    if (searchMemoryMiB === undefined) return;
    let bytes = 0;
    for (const [companyId, kept] of [...this.#open].reverse()) {
      const search = await kept.search.catch(() => undefined);
      if (search === undefined) continue;
      const isLast = bytes === 0;
      bytes += search.bytes;
      if (kept.retryAtMs > performance.now() && (isLast ? !search.hasOutgrown : bytes <= searchMemoryMiB * 2 ** 20))
        continue;
      if (kept.users > 0 || this.#open.get(companyId) !== kept) continue;
      this.#open.delete(companyId);
      this.#failures.delete(companyId);
      bytes -= search.bytes;
      const closing = search.close().finally(() => this.#closing.delete(companyId));
      this.#closing.set(companyId, closing);
    }
  }

  indexed({ companyId, fileId }: Job, { shape, views }: FileDescription): void {
    this.#tell(companyId, (search) => search.put(fileId, { shape, views }));
  }

  failed({ companyId, fileId }: Job): void {
    this.removed([{ companyId, fileId }]);
  }

  /** Files were deleted or queued again: searches no longer find them. */
  removed(files: readonly { readonly companyId: number; readonly fileId: number }[]): void {
    for (const { companyId, fileId } of files) this.#tell(companyId, (search) => search.remove(fileId));
  }

  /** Files were changed by other processes. */
  changed(files: readonly { readonly companyId: number; readonly fileId: number }[]): void {
    for (const { companyId, fileId } of files) this.#tell(companyId, (search) => search.changed(fileId));
  }

  async close(): Promise<void> {
    // One that could not be opened has nothing to close: its caller was told why.
    await Promise.all([
      ...this.#closing.values(),
      ...[...this.#open.values()].map(async ({ search }) => (await search.catch(() => undefined))?.close()),
    ]);
  }

  async #opened(companyId: number, onTableFailed: TableFailed): Promise<CompanySearch> {
    const { store, core, exactLimit, fineCacheMiB, searchMemoryMiB = Infinity, closing } = this.#parts;
    const most = searchMemoryMiB * 2 ** 20;
    await this.#closing.get(companyId);
    return CompanySearch.open({
      store,
      companyId,
      attributes: store.rooms.attributes.door,
      texts: store.rooms.words.door,
      core,
      exactLimit,
      fineBytesKept: Math.min(fineCacheMiB * 2 ** 20, FINE_SHARE * most),
      room: () => most - BYTES_AT_LEAST,
      onTableFailed,
      closing,
      sizesIn: sizesOf,
      describe: (input, signal) => this.#describe(companyId, input, signal),
    });
  }

  /** Reads and describes a stored file or given bytes in a worker, without storing anything. */
  async #describe(companyId: number, input: SearchInput, signal?: AbortSignal): Promise<DescribedInput> {
    const { crop } = input;
    const { sources, pool } = this.#parts;
    const of = await sources.of(companyId, input);
    return sources.read(
      pool,
      { kind: 'describe', of, textOnly: false, ...(crop === undefined ? {} : { crop }) },
      signal,
    );
  }

  #tell(companyId: number, tell: (search: CompanySearch) => void): void {
    // A search that is just opening is notified before its first query.
    void this.#open.get(companyId)?.search.then(tell, () => undefined);
  }
}

/** @throws EngineError `LIBRARY_DAMAGED`. */
function sizesOf({ json, attributes }: DrawnPmi): DrawnSizes | undefined {
  return statedSizes(parsePmi(storedJson(json, 'the PMI of a file')), attributes);
}
