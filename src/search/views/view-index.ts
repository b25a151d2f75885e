import type { Core } from '../../core/core.js';
import { Least } from '../../core/least.js';
import { ViewLists } from '../../core/view-lists.js';
import { ViewScan } from '../../core/view-scan.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { keyBehind } from '../../descriptors/line-key.js';
import { OLDEST_COMPARED_VIEWS, VIEW_BYTES } from '../../descriptors/views.js';
import type { FileViewRow } from '../../store/catalog/shapelet.js';
import { CacheFile } from '../../store/disk/cache-file.js';
import { pagesOf } from '../../store/pages.js';
import type { Store } from '../../store/store.js';
import { turn } from '../event-loop.js';
import { IdMarks } from '../../store/database/id-marks.js';
import { UidTable } from '../filters/uid-table.js';
import type { TableFailed } from '../usable-table.js';
import { keepViews, readKeptViews, type KeptViews } from './kept-views.js';
import { LineKeys } from './line-keys.js';
import { PageLayouts } from './page-layouts.js';
import { TabledViews } from './tabled-views.js';

/** What the views of a company are read with. */
export interface ViewIndexParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Up to four times so many views, every search reads all of them. */
  readonly exactLimit: number;
  /** Memory for the views that may be held now, bytes; beyond it they are read from a table. Absent: no bound. */
  readonly room?: () => number;
  /** Views that lists hold at most; beyond it they are read from a table. Default: what a core's 4 GiB hold. */
  readonly mostListed?: number;
  /** Called when the table cannot be used any more: until it is opened anew, searches ask the catalogue. */
  readonly onTableFailed?: TableFailed;
}

/** Views that are read in every search, for each file of `exactLimit`, and at most. */
const EXACT_VIEWS = 4;
const MOST_EXACT_VIEWS = 400_000;
/**
 * So many are read as long vectors, 70 bytes each, and not more than `exactLimit`; more lie in lists, as short ones.
 */
const MOST_LONG_VIEWS = 100_000;
/** Files that are moved into lists in one turn of the event loop. */
const MOVED = 128;
/** What is kept of the views of models is written anew when this share of them changed. */
const KEPT_CHANGE = 0.1;
/** Models whose views are read from the catalogue at a time. */
const READ_AT_ONCE = 256;

/** Memory of a view, bytes: its vector, weight and share of its file's entry. In lists: measured with 2.2 M views. */
const BYTES_OF_A_VIEW = 72;
const BYTES_OF_A_LISTED_VIEW = 40;

/**
 * A core holds 4 GiB, of which a view in lists takes 34 bytes: 3.4 GB, and the rest is what searches reserve and what
 * grows ahead.
 */
const MOST_LISTED_VIEWS = 100_000_000;

/** Views of a model, by which it is told before they are read whether all fit. */
const MODEL_VIEWS = 80;
/** Of a scan and a table, so many times the files that are wanted are kept: some may be equally near. */
const KEPT = 4;
/** Lists measure this many times the files that they are asked for, or all. */
const MEASURED_OF = 4;

/** Files that are compared finely: by long vectors, by short ones, and by short ones of many views. */
const COMPARED = 96;
const COMPARED_BY_SHORT = 192;
const COMPARED_OF_MANY = 384;
const MANY_VIEWS = 4_000_000;

const NO_LAYOUTS = new Uint8Array();

/** What is in memory of the views of a company: which files have views, and candidates for a search. */
export class ViewIndex {
  readonly #parts: ViewIndexParts;
  /**
   * Lists for many views, a table where there is no room for these. None goes back, so that a library near the
   * limit does not go to and fro.
   */
  #scan: ViewScan | ViewLists | TabledViews;
  readonly #layouts: PageLayouts;
  readonly #lines = new LineKeys();
  readonly #uids = new UidTable();
  /** The keys of `#uids`, as bits. */
  readonly #marks = new IdMarks();
  /** The keys of `#uids`, rising; built on demand and never modified. */
  #ids: Uint32Array | undefined;
  /** Whether the views of models were loaded. */
  #hasModels = false;
  /** Writing of the cache; never rejects. */
  #keeping: Promise<void> | undefined;

  private constructor(parts: ViewIndexParts, scan: ViewScan, layouts: PageLayouts) {
    this.#parts = parts;
    this.#scan = scan;
    this.#layouts = layouts;
  }

  /** Reads the views of drawings and images. */
  static async open(parts: ViewIndexParts): Promise<ViewIndex> {
    const { core } = parts;
    const index = new ViewIndex(parts, await ViewScan.open(core, VIEW_BYTES), await PageLayouts.open(core));
    await index.#load({ models: false });
    return index;
  }

  async #load({ models }: { readonly models: boolean }): Promise<void> {
    const { store, companyId } = this.#parts;
    const which = { since: OLDEST_COMPARED_VIEWS, models };
    for await (const page of pagesOf((fileId) => store.views.after(companyId, fileId, which))) {
      this.#putRows(page);
      await this.settle();
      // There was room for the pages so far: how many views there are is known only when all are read.
      if (this.#scan instanceof ViewLists && !this.#hasRoomFor(this.#scan.viewCount)) await this.#toTable();
    }
  }

  #putRows(rows: readonly FileViewRow[]): void {
    for (const { fileId, uid, bytes, layouts } of rows) {
      // Damaged rows are skipped (their files are indexed again), and so are files that were added before.
      if (bytes.length > 0 && bytes.length % VIEW_BYTES === 0 && !this.#uids.has(fileId))
        this.add(fileId, uid, { bytes, layouts });
    }
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return this.#scan instanceof ViewScan ? BYTES_OF_A_VIEW * this.#scan.viewCount : this.heldBytes;
  }

  /** Of that, what would lie in a table if there were no room. */
  get heldBytes(): number {
    return this.#scan instanceof ViewLists ? BYTES_OF_A_LISTED_VIEW * this.#scan.viewCount : 0;
  }

  /**
   * Moves the views into lists or a table when they are many, and writes what was added to a table. No {@link add} and
   * {@link remove} until the promise resolves.
   */
  async settle(): Promise<void> {
    const scan = this.#scan;
    if (scan instanceof TabledViews) await scan.flush();
    // Of memory alone the company is told apart, and opened anew (`CompanySearch.hasOutgrown`).
    else if (scan instanceof ViewLists && scan.viewCount > this.#mostListed) await this.#toTable();
    else if (scan instanceof ViewScan && scan.viewCount > this.#longViews)
      await (this.#hasRoomFor(scan.viewCount) ? this.#toLists(scan) : this.#toTable());
  }

  #hasRoomFor(views: number): boolean {
    return views <= this.#longViews || (views <= this.#mostListed && this.#isWithinRoom(views));
  }

  #isWithinRoom(views: number): boolean {
    const { room = () => Infinity } = this.#parts;
    return views <= this.#longViews || BYTES_OF_A_LISTED_VIEW * views <= room();
  }

  get #mostListed(): number {
    return this.#parts.mostListed ?? MOST_LISTED_VIEWS;
  }

  /** Reads the views of all files that are held again, into a table. */
  async #toTable(): Promise<TabledViews> {
    const { store, companyId } = this.#parts;
    const table = await TabledViews.open(this.#parts);
    const fileIds = this.#uids.ids();
    for (let first = 0; first < fileIds.length; first += READ_AT_ONCE) {
      const some = [...fileIds.subarray(first, first + READ_AT_ONCE)];
      for (const { fileId, bytes } of await store.views.some(companyId, some)) table.add(fileId, bytes);
      await table.flush();
      await turn();
    }
    this.#scan = table;
    return table;
  }

  /** Brings the table up to date with the models of the catalogue. */
  async #loadTabled(): Promise<void> {
    const { store, companyId } = this.#parts;
    const table = this.#scan instanceof TabledViews ? this.#scan : await this.#toTable();
    const times = await table.times();
    for await (const page of pagesOf((fileId) => store.views.modelsAfter(companyId, fileId))) {
      const missing = page.filter(({ fileId, indexedAt }) => times.get(fileId) !== indexedAt);
      // Those that have no views any more are found by none; what they had is replaced or removed.
      for (const { fileId } of missing) if (times.delete(fileId) && !this.#uids.has(fileId)) table.remove(fileId);
      const timeOf = new Map(missing.map(({ fileId, indexedAt }) => [fileId, indexedAt]));
      const known = new Map(page.map(({ fileId, uid }) => [fileId, uid]));
      for (let first = 0; first < missing.length; first += READ_AT_ONCE) {
        const some = missing.slice(first, first + READ_AT_ONCE).map(({ fileId }) => fileId);
        const rows = await store.views.some(companyId, some, { since: OLDEST_COMPARED_VIEWS });
        for (const { fileId, bytes } of rows)
          if (bytes.length > 0 && bytes.length % VIEW_BYTES === 0) {
            table.add(fileId, bytes, timeOf.get(fileId));
            times.set(fileId, timeOf.get(fileId)!);
          }
        await table.flush();
        await turn();
      }
      for (const [fileId, uid] of known)
        if (times.has(fileId)) {
          this.#uids.set(fileId, uid);
          this.#marks.add(fileId);
        }
    }
    this.#ids = undefined;
    for (const fileId of times.keys()) if (!this.#uids.has(fileId)) table.remove(fileId);
    await table.flush();
  }

  /**
   * Whether all views fit in memory, as far as can be told before those of models are read. Whether a core holds them
   * is found as they are read: most models have fewer.
   */
  async #willFit(): Promise<boolean> {
    const { store, companyId, room } = this.#parts;
    if (this.#scan instanceof TabledViews) return false;
    if (room === undefined || room() === Infinity) return true;
    let views = this.#scan.viewCount;
    for await (const page of pagesOf((fileId) => store.views.modelsAfter(companyId, fileId)))
      views += MODEL_VIEWS * page.length;
    return this.#isWithinRoom(views);
  }

  async #toLists(scan: ViewScan): Promise<ViewLists> {
    const lists = await ViewLists.open(this.#parts.core, VIEW_BYTES, { exactViews: this.#exactViews });
    lists.reserve(scan.viewCount);
    let moved = 0;
    for (const fileId of this.#uids.ids()) {
      const vectors = scan.vectorsOf(fileId);
      if (vectors !== undefined) lists.put(fileId, vectors);
      if (++moved % MOVED === 0) await turn();
    }
    this.#scan = lists;
    return lists;
  }

  get #exactViews(): number {
    return Math.min(MOST_EXACT_VIEWS, EXACT_VIEWS * this.#parts.exactLimit);
  }

  get #longViews(): number {
    return Math.min(MOST_LONG_VIEWS, this.#parts.exactLimit);
  }

  /** Reads the views of models, once. No {@link add} and {@link remove} may be called until the promise resolves. */
  async loadModels(): Promise<void> {
    if (this.#hasModels) return;
    if (!(await this.#willFit())) {
      await this.#loadTabled();
      this.#hasModels = true;
      return;
    }
    const { store, companyId } = this.#parts;
    const cacheFile = new CacheFile(store.cacheFolder(`views-${companyId}`));
    const kept = await readKeptViews(cacheFile);
    // Read before the views, so that a model that changes meanwhile is kept with an older time and read again next
    // time.
    const indexedAt = new Map<number, number>();
    const isOfUse = kept !== undefined && this.#scan.viewCount + kept.lists.length > this.#longViews;
    let restored = 0;
    if (isOfUse) restored = await this.#restore(kept, indexedAt);
    else {
      for await (const page of pagesOf((fileId) => store.views.modelsAfter(companyId, fileId)))
        for (const model of page) indexedAt.set(model.fileId, model.indexedAt);
      await this.#load({ models: true });
    }
    this.#hasModels = true;
    if (!(this.#scan instanceof ViewLists)) return;
    const models = [...indexedAt.keys()].filter((fileId) => this.#uids.has(fileId));
    const gone = (kept?.fileIds.length ?? 0) - restored;
    if (isOfUse && gone + models.length - restored <= KEPT_CHANGE * restored) return;
    const listed = this.#scan.listed(models);
    const times = Float64Array.from(listed.fileIds, (fileId) => indexedAt.get(fileId)!);
    // Without it the next opening reads the catalogue, as this one did.
    this.#keeping = keepViews(cacheFile, { ...listed, indexedAt: times }).catch(() => undefined);
  }

  /**
   * Puts what was kept and is still so into lists, then reads the other models.
   * @param indexedAt is given the time of each model.
   * @returns number of models that were restored.
   */
  async #restore(kept: KeptViews, indexedAt: Map<number, number>): Promise<number> {
    const { store, companyId } = this.#parts;
    // A company whose views lie in a table keeps nothing else of them.
    const lists = this.#scan instanceof ViewScan ? await this.#toLists(this.#scan) : (this.#scan as ViewLists);
    lists.reserve(kept.lists.length);
    const others: number[] = [];
    // Both lists rise.
    let at = 0,
      view = 0,
      restored = 0;
    for await (const page of pagesOf((fileId) => store.views.modelsAfter(companyId, fileId))) {
      for (const { fileId, uid, indexedAt: time } of page) {
        indexedAt.set(fileId, time);
        while (at < kept.fileIds.length && kept.fileIds[at] < fileId) view += kept.counts[at++];
        if (kept.fileIds[at] !== fileId || kept.indexedAt[at] !== time) others.push(fileId);
        else if (!this.#uids.has(fileId)) {
          this.#uids.set(fileId, uid);
          this.#marks.add(fileId);
          lists.putListed(kept, at, view);
          restored++;
        }
      }
      await turn();
    }
    this.#ids = undefined;
    for (let first = 0; first < others.length; first += READ_AT_ONCE) {
      this.#putRows(
        await store.views.some(companyId, others.slice(first, first + READ_AT_ONCE), { since: OLDEST_COMPARED_VIEWS }),
      );
      await this.settle();
    }
    return restored;
  }

  /** Waits for what is written to the cache. */
  async close(): Promise<void> {
    await this.#keeping;
    if (this.#scan instanceof TabledViews) await this.#scan.close();
  }

  get hasModels(): boolean {
    return this.#hasModels;
  }

  /**
   * How many of the nearest files are to be compared finely at a time. The more views, the less their short vectors
   * tell: of the first ten by long ones are among them .998 at 222 000 views, 1 at 2.2 million, .985 at 10 million
   * (`npm run bench -- views-index`).
   */
  get compared(): number {
    if (this.#scan instanceof ViewScan) return COMPARED;
    return this.#scan.viewCount > MANY_VIEWS ? COMPARED_OF_MANY : COMPARED_BY_SHORT;
  }

  has(fileId: number): boolean {
    return this.#uids.has(fileId);
  }

  /** '' for a file that was removed meanwhile. */
  uidOf(fileId: number): string {
    return this.#uids.get(fileId) ?? '';
  }

  /** Whether a file has page layouts. */
  hasPages(fileId: number): boolean {
    return this.#layouts.has(fileId);
  }

  /** Those of the allowed files (rising) that have a page like that of `layouts`; see {@link PageLayouts.nearest}. */
  pagesLike(layouts: Uint8Array, allowed: Uint32Array): Promise<Map<number, number>> {
    const { views } = this.#parts.store;
    return this.#layouts.nearest(
      layouts,
      (fileIds) => views.layouts(fileIds),
      allowed.length === this.#uids.size ? undefined : allowed,
    );
  }

  /** Files that may have the lines of a drawing, rising; see {@link LineKeys.like}. */
  linesLike(key: Float32Array, apart: number): number[] {
    return this.#lines.like(key, apart);
  }

  /** Adds a file that is not held. Nothing is entered when it throws, such as where the memory of a core is full. */
  add(fileId: number, uid: string, { bytes, layouts = NO_LAYOUTS }: Pick<FileViews, 'bytes' | 'layouts'>): void {
    this.#scan.add(fileId, bytes);
    try {
      this.#layouts.add(fileId, layouts);
    } catch (cause) {
      this.#scan.remove(fileId);
      throw cause;
    }
    const key = keyBehind(layouts);
    if (key !== undefined) this.#lines.add(fileId, key);
    this.#ids = undefined;
    this.#uids.set(fileId, uid);
    this.#marks.add(fileId);
  }

  /** False when the file is not held. */
  remove(fileId: number): boolean {
    if (this.#uids.delete(fileId) < 0) return false;
    this.#ids = undefined;
    this.#marks.delete(fileId);
    this.#layouts.remove(fileId);
    this.#lines.remove(fileId);
    this.#scan.remove(fileId);
    return true;
  }

  /** Ids of all files with shapelets, rising; without models before {@link loadModels}. Never modified. */
  get ids(): Uint32Array {
    return (this.#ids ??= this.#uids.ids());
  }

  /** Those of these files (rising) that have shapelets. */
  those(fileIds: Uint32Array): Uint32Array {
    return this.#marks.those(fileIds);
  }

  /**
   * The `count` nearest files by the scan; equal distances are ordered by UID. What is in memory is read before the
   * first await. isAdded: see {@link ViewLists.measured}.
   */
  async nearest(views: Uint8Array, count: number, allowed: Uint32Array, isAdded = false): Promise<number[]> {
    if (count === 0) return [];
    const among = allowed.length === this.#uids.size ? undefined : allowed;
    const scan = this.#scan;
    if (scan instanceof ViewLists) return this.#nearestListed(scan, views, { count, among, isAdded });
    for (let k = KEPT * count; ; k *= 2) {
      const { fileIds, distances } =
        scan instanceof TabledViews
          ? await scan.nearest(views, k, { allowed, has: (fileId) => this.#marks.has(fileId) })
          : scan.nearest(views, k, among);
      const order = Array.from(fileIds, (fileId, i) => ({
        fileId,
        distance: distances[i],
        uid: this.uidOf(fileId),
      })).sort((a, b) => a.distance - b.distance || (a.uid < b.uid ? -1 : 1));
      const unseen =
        order.length < Math.min(k, allowed.length) || order.length === allowed.length
          ? Infinity
          : order[order.length - 1].distance;
      // Files beyond the k nearest are no nearer than `unseen`. If one may be as near as the last of the list, a larger
      // k is needed.
      if (order.length <= count || order[count - 1].distance < unseen)
        return order.slice(0, count).map(({ fileId }) => fileId);
    }
  }

  /**
   * The same by lists. Of many like views more are equally near than are wanted, and asking again for more costs as
   * much as asking, so all files that are measured are looked at.
   */
  #nearestListed(
    lists: ViewLists,
    views: Uint8Array,
    {
      count,
      among,
      isAdded,
    }: { readonly count: number; readonly among: Uint32Array | undefined; readonly isAdded: boolean },
  ): number[] {
    for (let k = count; ; k *= 4) {
      const { fileIds, distances } = lists.measured(views, k, among, isAdded);
      const least = new Least(count);
      let most = -Infinity;
      for (const [i, distance] of distances.entries()) {
        if (distance <= least.bound) least.offer(distance, fileIds[i]);
        if (distance > most) most = distance;
      }
      const last = least.bound;
      // Where all that were measured from there on are equally near, others may be too.
      if (last >= most && fileIds.length >= MEASURED_OF * k) continue;
      return Array.from(fileIds, (fileId, i) => ({ fileId, distance: distances[i] }))
        .filter(({ distance }) => distance <= last)
        .map((file) => ({ ...file, uid: this.uidOf(file.fileId) }))
        .sort((a, b) => a.distance - b.distance || (a.uid < b.uid ? -1 : 1))
        .slice(0, count)
        .map(({ fileId }) => fileId);
    }
  }
}
