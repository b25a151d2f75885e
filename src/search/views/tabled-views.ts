import type { Core } from '../../core/core.js';
import { Least } from '../../core/least.js';
import { ViewBlock } from '../../core/view-block.js';
import type { NearestFiles } from '../../core/view-distances.js';
import { OLDEST_COMPARED_VIEWS, VIEW_BYTES } from '../../descriptors/views.js';
import { subtract } from '../../store/database/id-lists.js';
import {
  ViewTable,
  type ViewFacts,
  type ViewRowsOfFile,
  type ViewRowsOfFiles,
} from '../../store/database/view-table.js';
import type { Store } from '../../store/store.js';
import { turn } from '../event-loop.js';
import { UsableTable, type TableFailed } from '../usable-table.js';

/** What the views of a company are read with. */
export interface TabledViewsParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Called when the table cannot be used any more: until it is opened anew, searches ask the catalogue. */
  readonly onTableFailed?: TableFailed;
}

/** Files read at a time, some 1 MiB of views. */
const BLOCK = 512;
/** Files whose views are asked of the catalogue at a time, some 10 MiB. */
const ASKED = 128;
/** Files that are written in one transaction. */
const WRITTEN = 256;

/**
 * The first stage of a search by views for a company whose views do not fit in memory: every search reads the short
 * vectors of the files that it may find from a table on disk, block by block, or makes them of what the catalogue has
 * where the table cannot be used. Exact; the distances are those of `ViewLists`. What is added and removed is written
 * by {@link flush}.
 */
export class TabledViews {
  readonly #parts: TabledViewsParts;
  readonly #block: ViewBlock;
  readonly #table: UsableTable<ViewTable>;
  /** What is being written; never rejects. */
  #work: Promise<unknown> = Promise.resolve();
  /** Not yet written; undefined: the file is to be removed. */
  readonly #pending = new Map<number, ViewRowsOfFile | undefined>();
  #viewCount: number;

  private constructor(parts: TabledViewsParts, block: ViewBlock, table: UsableTable<ViewTable>, viewCount: number) {
    this.#parts = parts;
    this.#block = block;
    this.#table = table;
    this.#viewCount = viewCount;
  }

  /** Opens the table of a company as it was left. */
  static async open(parts: TabledViewsParts): Promise<TabledViews> {
    const { core, store, companyId, onTableFailed } = parts;
    const block = await ViewBlock.open(core, VIEW_BYTES);
    let views = 0;
    const table = await UsableTable.open(
      () => ViewTable.open(store.cacheFolder(`view-rows-${companyId}`), OLDEST_COMPARED_VIEWS),
      async (opening) => {
        views = 0;
        for await (const { count } of factsOf(opening)) views += count;
      },
      onTableFailed,
    );
    return new TabledViews(parts, block, table, table.isUsable ? views : 0);
  }

  /** Number of views, about: those of replaced and removed files are counted until the next opening. */
  get viewCount(): number {
    return this.#viewCount;
  }

  /** Adds or replaces the views of a file. indexedAt: when it was indexed, ms; absent: not known. */
  add(fileId: number, views: Uint8Array, indexedAt = 0): void {
    this.#viewCount += views.length / VIEW_BYTES;
    if (this.#table.isUsable) this.#pending.set(fileId, { fileId, indexedAt, ...this.#block.narrow(views) });
  }

  remove(fileId: number): void {
    this.#pending.set(fileId, undefined);
  }

  /** Writes what was added and removed. */
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
      await this.#table.use((table) =>
        table.change(
          some.flatMap(([, file]) => file ?? []),
          some.flatMap(([fileId, file]) => (file === undefined ? [fileId] : [])),
        ),
      );
      for (const [fileId, file] of some) if (this.#pending.get(fileId) === file) this.#pending.delete(fileId);
    }
  }

  /** The time at which each file that the table holds was indexed. */
  async times(): Promise<Map<number, number>> {
    const times = new Map<number, number>();
    for await (const { fileId, indexedAt } of factsOf(this.#table)) times.set(fileId, indexedAt);
    return times;
  }

  /**
   * The k files with the nearest views among those allowed (rising); equal distances by smaller id. Reads what is
   * allowed now: a file that is removed meanwhile may be among them. has: whether a file has views now.
   */
  async nearest(
    query: Uint8Array,
    k: number,
    { allowed, has }: { readonly allowed: Uint32Array; readonly has: (fileId: number) => boolean },
  ): Promise<NearestFiles> {
    await this.flush();
    const least = new Least(Math.max(1, Math.min(k, allowed.length)));
    for (let first = 0; first < allowed.length; first += BLOCK) {
      if (first > 0) await turn();
      for (const { files, rows } of await this.#read(allowed.subarray(first, first + BLOCK), has)) {
        const distances = this.#block.distances(query, files, rows);
        for (const [i, { fileId }] of files.entries())
          if (distances[i] <= least.bound) least.offer(distances[i], fileId);
      }
    }
    const found = least.rising();
    return {
      fileIds: Uint32Array.from(found, ({ number }) => number),
      distances: Float64Array.from(found, ({ value }) => value),
    };
  }

  /** What is held of files (rising). What the table lacks is made of what the catalogue has. */
  async #read(fileIds: Uint32Array, has: (fileId: number) => boolean): Promise<ViewRowsOfFiles[]> {
    const read = await this.#table.use((table) => table.read(fileIds));
    const found = read === undefined || read.files.length === 0 ? [] : [read];
    if (read?.files.length === fileIds.length) return found;
    const missing = subtract(
      fileIds,
      Uint32Array.from(read?.files ?? [], ({ fileId }) => fileId),
    );
    const asked: ViewRowsOfFile[] = [];
    for (let first = 0; first < missing.length; first += ASKED) {
      const { store, companyId } = this.#parts;
      const some = [...missing.subarray(first, first + ASKED)];
      for (const { fileId, bytes } of await store.views.some(companyId, some, { since: OLDEST_COMPARED_VIEWS }))
        if (bytes.length > 0 && bytes.length % VIEW_BYTES === 0)
          asked.push({ fileId, indexedAt: 0, ...this.#block.narrow(bytes) });
      await turn();
    }
    if (asked.length === 0) return found;
    // Files that go or come meanwhile may be in one of both alone.
    if (asked.some(({ fileId }) => has(fileId) && !this.#pending.has(fileId))) this.#table.spoil();
    return [...found, { files: asked, rows: Buffer.concat(asked.map(({ rows }) => rows)) }];
  }

  /** What cannot be written any more is read from the catalogue by the next opening. */
  async close(): Promise<void> {
    await this.flush();
    this.#table.close();
  }
}

/** The facts of all files that a table holds, rising; none where it cannot be used. */
async function* factsOf(table: UsableTable<ViewTable>): AsyncGenerator<ViewFacts> {
  for (let last = 0; ; ) {
    const page = (await table.use((usable) => usable.facts(last))) ?? [];
    if (page.length === 0) return;
    yield* page;
    last = page[page.length - 1].fileId;
    await turn();
  }
}
