import type { Core } from '../../core/core.js';
import { Least } from '../../core/least.js';
import { ViewBlock } from '../../core/view-block.js';
import type { NearestFiles } from '../../core/view-distances.js';
import { OLDEST_COMPARED_VIEWS, VIEW_BYTES } from '../../descriptors/views.js';
import { ViewTable, type ViewRowsOfFile } from '../../store/database/view-table.js';
import type { Store } from '../../store/store.js';
import { turn } from '../event-loop.js';

/** What the views of a company are read with. */
export interface TabledViewsParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Called when the table proves damaged; see `ViewTable.open`. */
  readonly onDamaged?: () => void;
}

/** Files read at a time, some 1 MiB of views. */
const BLOCK = 512;
/** Files that are written in one transaction. */
const WRITTEN = 256;

/**
 * The first stage of a search by views for a company whose views do not fit in memory: every search reads the short
 * vectors of the files that it may find from a table on disk, block by block. Exact; the distances are those of
 * `ViewLists`. What is added and removed is written by {@link flush}.
 */
export class TabledViews {
  readonly #block: ViewBlock;
  readonly #table: ViewTable;
  /** What is being written; never rejects. */
  #work: Promise<unknown> = Promise.resolve();
  /** Not yet written; undefined: the file is to be removed. */
  readonly #pending = new Map<number, ViewRowsOfFile | undefined>();
  #viewCount: number;

  private constructor(block: ViewBlock, table: ViewTable, viewCount: number) {
    this.#block = block;
    this.#table = table;
    this.#viewCount = viewCount;
  }

  /** Opens the table of a company as it was left. @throws EngineError `STORAGE_FAILED`. */
  static async open({ core, store, companyId, onDamaged }: TabledViewsParts): Promise<TabledViews> {
    const block = await ViewBlock.open(core, VIEW_BYTES);
    const table = ViewTable.open(store.cacheFolder(`view-rows-${companyId}`), OLDEST_COMPARED_VIEWS, onDamaged);
    try {
      return new TabledViews(block, table, await table.views());
    } catch (cause) {
      table.close();
      throw cause;
    }
  }

  /** Number of views, about: those of replaced and removed files are counted until the next opening. */
  get viewCount(): number {
    return this.#viewCount;
  }

  /** Adds or replaces the views of a file. indexedAt: when it was indexed, ms; absent: not known. */
  add(fileId: number, views: Uint8Array, indexedAt = 0): void {
    const narrow = this.#block.narrow(views);
    this.#viewCount += narrow.count;
    this.#pending.set(fileId, { fileId, indexedAt, ...narrow });
  }

  remove(fileId: number): void {
    this.#pending.set(fileId, undefined);
  }

  /** Writes what was added and removed. @throws EngineError `STORAGE_FAILED`. */
  flush(): Promise<void> {
    // One after another: what an earlier call took must not be written after what a later one did.
    const writing = this.#work.then(() => this.#flush());
    this.#work = writing.catch(() => undefined);
    return writing;
  }

  async #flush(): Promise<void> {
    const changes = [...this.#pending];
    for (let first = 0; first < changes.length; first += WRITTEN) {
      if (first > 0) await turn();
      const some = changes.slice(first, first + WRITTEN);
      await this.#table.change(
        some.flatMap(([, file]) => file ?? []),
        some.flatMap(([fileId, file]) => (file === undefined ? [fileId] : [])),
      );
      for (const [fileId, file] of some) if (this.#pending.get(fileId) === file) this.#pending.delete(fileId);
    }
  }

  /** The time at which each file that the table holds was indexed. */
  async times(): Promise<Map<number, number>> {
    const times = new Map<number, number>();
    for (let last = 0; ; ) {
      const page = await this.#table.times(last);
      if (page.length === 0) return times;
      for (const { fileId, indexedAt } of page) times.set(fileId, indexedAt);
      last = page[page.length - 1].fileId;
      await turn();
    }
  }

  /**
   * The k files with the nearest views among those allowed (rising); equal distances by smaller id. Reads what is
   * allowed now: a file that is removed meanwhile may be among them.
   */
  async nearest(query: Uint8Array, k: number, allowed: Uint32Array): Promise<NearestFiles> {
    await this.flush();
    const least = new Least(Math.max(1, Math.min(k, allowed.length)));
    for (let first = 0; first < allowed.length; first += BLOCK) {
      if (first > 0) await turn();
      const { files, rows } = await this.#table.read(allowed.subarray(first, first + BLOCK));
      if (files.length === 0) continue;
      const distances = this.#block.distances(query, files, rows);
      for (const [i, { fileId }] of files.entries()) if (distances[i] <= least.bound) least.offer(distances[i], fileId);
    }
    const found = least.rising();
    return {
      fileIds: Uint32Array.from(found, ({ number }) => number),
      distances: Float64Array.from(found, ({ value }) => value),
    };
  }

  /** What cannot be written any more is read from the catalogue by the next opening. */
  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    this.#table.close();
  }
}
