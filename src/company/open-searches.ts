import type { Core } from '../core/core.js';
import type { FileSources } from '../indexing/file-sources.js';
import type { IndexListener } from '../indexing/queue.js';
import type { FileDescription } from '../indexing/worker/file-description.js';
import type { WorkerPool } from '../indexing/pool/pool.js';
import { CompanySearch } from '../search/company-search.js';
import type { DescribedInput } from '../search/query/inputs.js';
import type { SearchInput } from '../search/query/query.js';
import type { Job } from '../store/catalog/job.js';
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
}

/**
 * The searches of the companies in use, by company id. Each search is notified of changes to its company's files, in
 * order. A search that is not open yet needs no notification, because it reads the catalogue when it opens.
 * @internal
 */
export class OpenSearches implements IndexListener {
  readonly #parts: SearchesParts;
  readonly #open = new Map<number, Promise<CompanySearch>>();

  constructor(parts: SearchesParts) {
    this.#parts = parts;
  }

  /** The search of a company; it is opened on first use. */
  async of(companyId: number): Promise<CompanySearch> {
    const open = this.#open.get(companyId) ?? this.#opened(companyId);
    this.#open.set(companyId, open);
    try {
      return await open;
    } catch (cause) {
      this.#open.delete(companyId);
      throw cause;
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
    await Promise.all([...this.#open.values()].map(async (search) => (await search.catch(() => undefined))?.close()));
  }

  async #opened(companyId: number): Promise<CompanySearch> {
    const { store, core, exactLimit, fineCacheMiB } = this.#parts;
    return CompanySearch.open({
      store,
      companyId,
      attributes: store.rooms.attributes.door,
      texts: store.rooms.words.door,
      core,
      exactLimit,
      fineBytesKept: fineCacheMiB * 2 ** 20,
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
    void this.#open.get(companyId)?.then(tell, () => undefined);
  }
}
