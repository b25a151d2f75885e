import type { Core } from '../../core/core.js';
import { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import type { Store } from '../../store/store.js';
import type { FileViews } from '../../descriptors/file-views.js';
import type { ViewsInput } from '../query/inputs.js';
import type { Surfaces } from '../query/match-class.js';
import { fitFiles, MOST_FITTED } from './inks/ink-search.js';
import { KeptInks } from './inks/kept-inks.js';
import { queryInk, type PageFit } from './inks/page-fits.js';
import { MOST_PHOTO_MODELS } from '../query/query.js';
import { candidateOf, hasCamera, hasFreeViews, isFree, type InputQuery } from './asked-views.js';
import { laidOver } from './drawn/drawn-hits.js';
import { drawnInputOf, DrawnSearch, type DrawnInput } from './drawn/drawn-search.js';
import { ModelMeshes } from './model-meshes.js';
import { OrdinaryDistances } from './ordinary-distances.js';
import { fittedHits } from './photos/photo-hits.js';
import { PhotoSearch, photosOf } from './photos/photo-search.js';
import { leftByLengths } from './left-by-lengths.js';
import { rankedHits, type RankedWith, type Ranking } from './ranked-hits.js';
import { readOnce, type ReadRows } from './search-rows.js';
import { byScore, type ViewHit } from './view-hit.js';
import { ViewCandidates } from './view-candidates.js';
import { ViewIndex } from './view-index.js';
import type { TableFailed } from '../usable-table.js';

/** What a company's search by views needs. */
export interface ViewSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Up to four times so many views, every search reads all of them. */
  readonly exactLimit: number;
  /** Memory for the views that the search may hold now, bytes. Absent: no bound. */
  readonly room?: () => number;
  /** Called when the table of views cannot be used any more; see `ViewIndexParts`. */
  readonly onTableFailed?: TableFailed;
}

/** Options of a search by views. */
export interface ViewSearching {
  /** Hits wanted: the first ones by rising score, ties by UID. */
  readonly wanted: number;
  /** Files with the same bytes as an input, or the same drawing: they are compared in any case. */
  readonly same: readonly number[];
  /** Those of them that are a whole input and no crop: they come first. */
  readonly identical: ReadonlySet<number>;
  /** The same drawing as an input in other bytes, and which input that is: they come next. */
  readonly anew: ReadonlyMap<number, number>;
  /** Number of models, nearest to a photo, that are rendered in its pose and compared again. */
  readonly photoModels: number;
  /** Where some of the inputs are models: how models lie to them, by their surfaces. */
  readonly surfaces?: Surfaces;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/**
 * Files of one fine comparison for photos, for which the scan is less reliable; else {@link ViewIndex.compared}: the
 * nearest by the scan first, then the next block.
 */
const PHOTO_BLOCK = MOST_PHOTO_MODELS;
const NO_LAYOUTS = new Uint8Array();

/** Least agreement of the ink of a photo that counts. */
const LEAST_OF_PHOTO = 0.7;

/**
 * The searchable shapelets of one company. `add` and `remove` may be called twice for a file, and whether or not `open`
 * has read it.
 */
export class ViewSearch {
  readonly #parts: ViewSearchParts;
  readonly #index: ViewIndex;
  readonly #ordinary: OrdinaryDistances;
  readonly #meshes: ModelMeshes;
  readonly #photos: PhotoSearch;
  readonly #drawn: DrawnSearch;
  readonly #inks: KeptInks;

  private constructor(parts: ViewSearchParts, index: ViewIndex, ordinaryViews: OrdinaryViews) {
    this.#parts = parts;
    this.#index = index;
    this.#ordinary = new OrdinaryDistances(parts.core, ordinaryViews);
    this.#meshes = new ModelMeshes(parts);
    this.#photos = new PhotoSearch(parts.core, this.#meshes);
    this.#drawn = new DrawnSearch(parts.core, this.#meshes);
    this.#inks = new KeptInks((fileIds) => parts.store.views.inks(fileIds), parts.room ?? (() => Infinity));
  }

  /**
   * Reads the views of the company's drawings and images. Those of models, which have most views, are read on first
   * use.
   */
  static async open(parts: ViewSearchParts): Promise<ViewSearch> {
    return new ViewSearch(parts, await ViewIndex.open(parts), await OrdinaryViews.load());
  }

  /** See {@link ViewIndex.loadModels}. */
  loadModels(): Promise<void> {
    return this.#index.loadModels();
  }

  get hasModels(): boolean {
    return this.#index.hasModels;
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return this.#index.bytes + this.#drawn.bytes + this.#inks.bytes;
  }

  /** Of that, what it would ask the database for if there were no room. */
  get heldBytes(): number {
    return this.#index.heldBytes;
  }

  /** See {@link ViewIndex.settle}. */
  settle(): Promise<void> {
    return this.#index.settle();
  }

  /** Waits for what is written to the cache. */
  close(): Promise<void> {
    return this.#index.close();
  }

  add(
    fileId: number,
    uid: string,
    { shapelets, bytes, layouts }: Pick<FileViews, 'bytes' | 'layouts'> & { readonly shapelets: readonly unknown[] },
  ): void {
    this.remove(fileId);
    if (shapelets.length > 0) this.#index.add(fileId, uid, { bytes, layouts });
  }

  remove(fileId: number): void {
    this.#index.remove(fileId);
    // Also of a file that is not held: a search that began before may have read what it was.
    this.#ordinary.forget(fileId);
    this.#meshes.forget(fileId);
    this.#drawn.forget(fileId);
    this.#inks.forget(fileId);
  }

  /** Files whose lines may be those of a drawing; see {@link ViewIndex.linesLike}. */
  linesLike(key: Float32Array, apart: number): number[] {
    return this.#index.linesLike(key, apart);
  }

  /** Ids of all files with shapelets, rising; without models before {@link loadModels}. Never modified. */
  get ids(): Uint32Array {
    return this.#index.ids;
  }

  /** Those of these files (rising) that have shapelets. */
  those(fileIds: Uint32Array): Uint32Array {
    return this.#index.those(fileIds);
  }

  /**
   * The allowed files (rising) that match the inputs best, by the pooled scores of all inputs. The candidates are
   * chosen before the first await; files that are removed later are left out.
   */
  async nearest(
    inputs: readonly ViewsInput[],
    fileIds: Uint32Array,
    { wanted, same, identical, anew, photoModels, surfaces, turn }: ViewSearching,
  ): Promise<ViewHit[]> {
    const allowed = this.#index.those(fileIds);
    const candidates = new ViewCandidates(this.#index, allowed);
    const photos = photoModels === 0 ? undefined : photosOf(inputs);
    const drawn = inputs.map((input) => drawnInputOf(this.#parts.core, input, inputs.length === 1));
    const hits: ViewHit[] = [];
    // The scan compares short descriptors and may miss files with the same bytes or page.
    const first = same.filter((fileId) => candidates.has(fileId));
    const asked = inputs.map(
      (input): InputQuery => ({
        ...candidateOf(input),
        pages: NO_RATIOS,
        ink: input.inks && queryInk(this.#parts.core, input.inks),
        fits: NO_FITS,
        readMm: input.readMm ?? [],
        stated: NO_RATIOS,
      }),
    );
    const block = photos !== undefined ? PHOTO_BLOCK : this.#index.compared;
    const count = Math.ceil(Math.min(wanted, allowed.length) / block) * block;
    // Chosen before the first await.
    const [near, stretched, toBeLaid, pages] = await Promise.all([
      candidates.nearest(asked, count, surfaces?.near),
      candidates.stretched(drawn),
      candidates.toBeLaid(asked),
      Promise.all(inputs.map(({ layouts = NO_LAYOUTS }) => this.#index.pagesLike(layouts, allowed))),
    ]);
    const queries = asked.map((query, i): InputQuery => ({ ...query, pages: pages[i] }));
    await this.#lay(
      queries,
      queries.map((query, i) => [...new Set([...first, ...query.pages.keys(), ...toBeLaid[i]])].slice(0, MOST_FITTED)),
      turn,
    );
    for (const { pages } of queries) for (const fileId of pages.keys()) if (!first.includes(fileId)) first.push(fileId);
    const known = new Set(first);
    const others = near.filter((fileId) => !known.has(fileId));
    const nearest = others.slice(0, Math.max(0, block - first.length));
    for (const fileId of nearest) known.add(fileId);
    const more = stretched.filter((fileId) => !known.has(fileId));
    for (const fileId of more) known.add(fileId);
    const order = [...first, ...nearest, ...more, ...others.filter((fileId) => !known.has(fileId))];
    const parts: ViewHit[] = [];
    const rows = this.#reader(readsAll(queries) ? 'all' : 'first');
    for (let start = 0, end = block + more.length; start < order.length; start = end, end += block) {
      if (start > 0) await turn();
      const floor = hits.length === 0 ? -Infinity : hits[hits.length - 1].score;
      const all = await rankedHits(this.#rankedWith, queries, order.slice(start, end), { rows, floor, anew, surfaces });
      // What is the same part as an input stays that, whatever lies on it and whatever block it comes in.
      parts.push(...all.filter(isPart));
      const ranked = all.filter((hit) => !isPart(hit));
      if (start > 0) hits.push(...ranked);
      else if (drawn.some((input) => input !== undefined))
        hits.push(...(await this.#laidOver(drawn, queries, ranked, { rows, anew, surfaces, turn })));
      else if (photos === undefined) hits.push(...ranked);
      else hits.push(...(await fittedHits(ranked, photoModels, (ids) => this.#photos.fits(photos, ids, turn))));
    }
    const sure = [...byScore(parts), ...hits];
    const isAnew = ({ fileId }: ViewHit): boolean => !identical.has(fileId) && anew.has(fileId);
    return [
      ...sure.filter(({ fileId }) => identical.has(fileId)),
      ...sure.filter(isAnew),
      ...sure.filter((hit) => !identical.has(hit.fileId) && !isAnew(hit)),
    ].slice(0, wanted);
  }

  /**
   * Lays the pictures among the queries over drawings and images, and compares the lengths that were read in them.
   * fileIds: of each query those whose bytes, layouts or views are nearest.
   */
  async #lay(queries: InputQuery[], fileIds: readonly (readonly number[])[], turn: () => Promise<void>): Promise<void> {
    for (const [i, { readMm }] of queries.entries()) {
      if (readMm.length === 0) continue;
      const lengths = await this.#parts.store.views.lengths(fileIds[i]);
      const stated = leftByLengths(
        readMm,
        lengths.map(({ numbersMm }) => numbersMm),
      );
      queries[i] = { ...queries[i], stated: new Map(fileIds[i].map((fileId, k) => [fileId, stated[k]])) };
    }
    for (const [i, query] of queries.entries()) {
      if (query.ink === undefined) continue;
      const own = { core: this.#parts.core, inks: this.#inks };
      const { fits, ratios } = await fitFiles(own, query.ink, fileIds[i], {
        // What looks like a photo and is one lies on drawings by chance.
        least: isFree(query.views) ? LEAST_OF_PHOTO : 0,
        turn,
      });
      // Layouts tell pages of other forms apart, ink those of one form as well, so it counts twice as much.
      const known = new Map(ratios);
      for (const [fileId, ratio] of query.pages) known.set(fileId, Math.sqrt(ratio) * (ratios.get(fileId) ?? 1));
      queries[i] = { ...query, pages: known, fits };
    }
  }

  #laidOver(
    inputs: readonly (DrawnInput | undefined)[],
    queries: readonly InputQuery[],
    hits: readonly ViewHit[],
    { turn, ...same }: Pick<Ranking, 'rows'> & Pick<ViewSearching, 'surfaces' | 'anew' | 'turn'>,
  ): Promise<ViewHit[]> {
    const read = readsAll(queries) ? this.#reader('first') : same.rows;
    return laidOver(hits, {
      inputs,
      byShape: (input, fileIds) => this.#drawn.byShape(input, fileIds, read),
      fits: (fileIds) => this.#drawn.fits(inputs, fileIds, { read, turn }),
      rank: (fileIds, laid) => rankedHits(this.#rankedWith, queries, fileIds, { floor: -Infinity, laid, ...same }),
    });
  }

  get #rankedWith(): RankedWith {
    return { core: this.#parts.core, index: this.#index, ordinary: this.#ordinary };
  }

  #reader(part: 'all' | 'first'): ReadRows {
    const { store, companyId } = this.#parts;
    return readOnce((fileIds) => store.views.some(companyId, fileIds, { part }));
  }
}

/** Of a model, drawings are compared with the views that lie upright alone, which come first. */
const readsAll = (queries: readonly InputQuery[]): boolean =>
  queries.some(({ views }) => hasCamera(views) || hasFreeViews(views));

/** Whether a hit is the same part as an input. */
const isPart = ({ score }: ViewHit): boolean => score < 0;

const NO_FITS: ReadonlyMap<number, PageFit> = new Map();
const NO_RATIOS: ReadonlyMap<number, number> = new Map();
