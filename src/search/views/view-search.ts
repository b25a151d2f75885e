import type { Core } from '../../core/core.js';
import type { Vector3 } from '../../core/mass.js';
import { VIEW_BYTES, VIEW_FLAG, viewFacts } from '../../descriptors/views.js';
import { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import type { Store } from '../../store/store.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { ViewsInput } from '../query/inputs.js';
import { distanceOfViews } from '../query/likeness.js';
import type { SeenKind } from '../query/likeness-tables.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { fitFiles, laidOn, MOST_FITTED } from './inks/ink-search.js';
import { queryInk, type PageFit } from './inks/page-fits.js';
import type { LaidInk } from './inks/laid-ink.js';
import { MOST_PHOTO_MODELS } from '../query/query.js';
import type { Photo } from './photos/photo.js';
import { laidOver } from './drawn/drawn-hits.js';
import { drawnViewsOf, fitDrawn, type DrawnView } from './drawn/drawn-search.js';
import { ModelMeshes } from './model-meshes.js';
import { PhotoSearch, photosOf } from './photos/photo-search.js';
import { joined } from './match-views.js';
import { byScore, type ViewHit } from './view-hit.js';
import { rankInputs, type ViewsCandidate, type ViewsQuery } from './view-rank.js';
import { ViewIndex } from './view-index.js';
import type { FileViewRow } from '../../store/catalog/shapelet.js';

/** What a company's search by views needs. */
export interface ViewSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Up to four times so many views, every search reads all of them. */
  readonly exactLimit: number;
}

/** Options of a search by views. */
export interface ViewSearching {
  /** Hits wanted: the first ones by rising score, ties by UID. */
  readonly wanted: number;
  /** Files with the same bytes as an input, which are compared in any case. */
  readonly same: readonly number[];
  /** Number of models, nearest to a photo, that are rendered in its pose and compared again. */
  readonly photoModels: number;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/**
 * Files of one fine comparison: the nearest by the scan first, then the next block. For photos the scan is less
 * reliable, so blocks are larger.
 */
const BLOCK = 96;
const PHOTO_BLOCK = MOST_PHOTO_MODELS;
/**
 * Lists hold shorter vectors, so more files are compared: of the first ten hits of the exact way 95 % are among the 96
 * nearest by lists, 99.7 % among 192 (`npm run bench -- views-index`).
 */
const LISTED_BLOCK = 192;
const NO_LAYOUTS = new Uint8Array();

/** Distance of unrelated files. */
const UNRELATED = 1.1;
/** Exponent of the ratio by which a page is like the query's as a whole; it multiplies the score of its views. */
const PAGE_POWER = 2;
/** Least agreement of the ink of a photo that counts. */
const LEAST_OF_PHOTO = 0.7;

/**
 * The searchable shapelets of one company. `add` and `remove` may be called twice for a file, and whether or not `open`
 * has read it.
 */
export class ViewSearch {
  readonly #parts: ViewSearchParts;
  readonly #index: ViewIndex;
  /** Ordinary distances of the views of drawings, by file; used when the query is a model. */
  readonly #ordinary = new Map<number, Float32Array>();
  readonly #ordinaryViews: OrdinaryViews;
  readonly #meshes: ModelMeshes;
  readonly #photos: PhotoSearch;

  private constructor(parts: ViewSearchParts, index: ViewIndex, ordinaryViews: OrdinaryViews) {
    this.#parts = parts;
    this.#index = index;
    this.#ordinaryViews = ordinaryViews;
    this.#meshes = new ModelMeshes(parts);
    this.#photos = new PhotoSearch(parts.core, this.#meshes);
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
    if (!this.#index.remove(fileId)) return;
    this.#ordinary.delete(fileId);
    this.#meshes.forget(fileId);
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
    { wanted, same, photoModels, turn }: ViewSearching,
  ): Promise<ViewHit[]> {
    const allowed = this.#index.those(fileIds);
    const photos = photoModels === 0 ? undefined : photosOf(inputs);
    const drawn = inputs.length === 1 ? drawnViewsOf(inputs[0]) : undefined;
    const hits: ViewHit[] = [];
    // The scan compares short descriptors and may miss files with the same bytes or page.
    const first = same.filter((fileId) => contains(allowed, fileId));
    const queries = inputs.map(
      (input): InputQuery => ({
        ...candidateOf(input),
        pages: this.#index.pagesLike(input.layouts ?? NO_LAYOUTS, allowed),
        ink: input.inks && queryInk(input.inks),
        fits: NO_FITS,
      }),
    );
    const block = photos !== undefined ? PHOTO_BLOCK : this.#index.isListed ? LISTED_BLOCK : BLOCK;
    const near = this.#candidates(queries, Math.ceil(Math.min(wanted, allowed.length) / block) * block, allowed);
    await this.#lay(queries, allowed, first, turn);
    for (const { pages } of queries) for (const fileId of pages.keys()) if (!first.includes(fileId)) first.push(fileId);
    const known = new Set(first);
    const order = [...first, ...near.filter((fileId) => !known.has(fileId))];
    for (let start = 0; start < order.length; start += block) {
      if (start > 0) await turn();
      const floor = hits.length === 0 ? 0 : hits[hits.length - 1].score;
      const ranked = await this.#rank(queries, order.slice(start, start + block), floor);
      if (start > 0) hits.push(...ranked);
      else if (drawn !== undefined) hits.push(...(await this.#laidOver(drawn, queries, ranked, turn)));
      else if (photos === undefined) hits.push(...ranked);
      else {
        // A shaded view that was cut out looks like a photo.
        const pages = ranked.filter(({ match }) => match.position !== undefined);
        const others = ranked.filter(({ match }) => match.position === undefined);
        hits.push(...byScore([...pages, ...(await this.#fitted(photos, others, photoModels, turn))]));
      }
    }
    return hits.slice(0, wanted);
  }

  /** Lays the pictures among the queries over the drawings and images whose layouts or views are nearest. */
  async #lay(
    queries: InputQuery[],
    allowed: Uint32Array,
    same: readonly number[],
    turn: () => Promise<void>,
  ): Promise<void> {
    if (queries.every(({ ink }) => ink === undefined)) return;
    const pages = allowed.filter((fileId) => this.#index.hasPages(fileId));
    // Chosen before the first await.
    const asked = queries.map((query) =>
      query.ink === undefined
        ? []
        : [...new Set([...same, ...query.pages.keys(), ...this.#candidates([query], MOST_FITTED, pages)])],
    );
    for (const [i, query] of queries.entries()) {
      if (query.ink === undefined) continue;
      const { fits, ratios } = await fitFiles(this.#parts.store, query.ink, asked[i].slice(0, MOST_FITTED), {
        // What looks like a photo and is one lies on drawings by chance.
        least: isFree(query.views) ? LEAST_OF_PHOTO : 0,
        turn,
      });
      const known = new Map(query.pages);
      for (const [fileId, ratio] of ratios) known.set(fileId, Math.min(ratio, known.get(fileId) ?? 1));
      queries[i] = { ...query, pages: known, fits };
    }
  }

  /**
   * Candidates by the scan: the `count` nearest files, for several inputs those of each and those of all together,
   * twice `count` at most.
   */
  #candidates(queries: readonly InputQuery[], count: number, allowed: Uint32Array): number[] {
    const asked = queries.map(({ views }) => views);
    if (asked.length === 1) return this.#index.nearest(asked[0], count, allowed);
    if (!asked.some(hasCamera)) asked.push(joined(asked));
    const places = new Map<number, number>();
    for (const views of asked)
      for (const [place, fileId] of this.#index.nearest(views, count, allowed).entries())
        places.set(fileId, Math.min(place, places.get(fileId) ?? Infinity));
    return [...places]
      .sort(([a, near], [b, far]) => near - far || (this.#index.uidOf(a) < this.#index.uidOf(b) ? -1 : 1))
      .slice(0, 2 * count)
      .map(([fileId]) => fileId);
  }

  #laidOver(
    drawn: readonly DrawnView[],
    queries: readonly InputQuery[],
    hits: readonly ViewHit[],
    turn: () => Promise<void>,
  ): Promise<ViewHit[]> {
    return laidOver(hits, {
      drawn,
      isAlone: queries[0].views.length === VIEW_BYTES,
      fits: (fileIds) => fitDrawn(this.#parts.core, this.#meshes, drawn, fileIds, turn),
      rank: (fileIds, measured) => this.#rank(queries, fileIds, 0, measured),
    });
  }

  /** The first `most` models in the order in which they explain the photos, then the others. */
  async #fitted(
    photos: readonly Photo[],
    hits: readonly ViewHit[],
    most: number,
    turn: () => Promise<void>,
  ): Promise<ViewHit[]> {
    const near = hits.slice(0, most);
    const fits = await this.#photos.fits(
      photos,
      near.map(({ fileId }) => fileId),
      turn,
    );
    const drawn = near
      .flatMap((hit, i) => {
        const fit = fits[i];
        return fit === undefined
          ? []
          : [
              {
                ...hit,
                score: distanceOfViews('fitted', 'model', fit.cost),
                match: { input: fit.photo, queryShapelet: 0, shapelet: fit.view },
              },
            ];
      })
      .sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
    const floor = drawn.length === 0 ? 0 : drawn[drawn.length - 1].score;
    const rest = hits
      .filter((_, i) => i >= most || fits[i] === undefined)
      .map((hit) => ({ ...hit, score: Math.max(hit.score, floor) }));
    return [...drawn, ...rest];
  }

  #ordinaryOf({ fileId, bytes }: Pick<FileViewRow, 'fileId' | 'bytes'>): Float32Array {
    let ordinary = this.#ordinary.get(fileId);
    if (ordinary === undefined) {
      ordinary = this.#ordinaryViews.measure(this.#parts.core, bytes);
      // Not cached for a file that was removed meanwhile.
      if (this.#index.has(fileId)) this.#ordinary.set(fileId, ordinary);
    }
    return ordinary;
  }

  /** measured: of a file, distances of views of the only query; see `ViewsCandidate`. */
  async #rank(
    queries: readonly InputQuery[],
    fileIds: readonly number[],
    floor: number,
    measured?: (fileId: number) => ReadonlyMap<number, number>,
  ): Promise<ViewHit[]> {
    const { store, companyId, core } = this.#parts;
    const rows = await store.views.some(companyId, fileIds);
    const hasModel = queries.some(({ views }) => hasCamera(views));
    const scores = rankInputs(
      core,
      queries,
      rows.map((row) => {
        const ordinary = hasModel && !hasCamera(row.bytes) ? this.#ordinaryOf(row) : undefined;
        return {
          ...candidateOf(row),
          ...(ordinary === undefined ? {} : { ordinary }),
          ...(measured === undefined ? {} : { measured: measured(row.fileId) }),
        };
      }),
    );
    return byScore(
      rows.map(({ fileId, uid }, i): ViewHit => {
        // A page with the same layout is the same page, whatever its views give.
        const found = hasCamera(rows[i].bytes) ? 'model' : 'page';
        const told = queries.map(({ pages, views }, k) =>
          distanceOfViews(seenIn(views), found, scores[k][i].score * (pages.get(fileId) ?? 1) ** PAGE_POWER),
        );
        const input = nearestInput(told);
        const { queryView, view } = scores[input][i];
        const score = Math.max(poolDistances(told, UNRELATED), floor);
        const laid = laidOn(queries[input].fits.get(fileId), rows[i].bytes, view);
        return { fileId, uid, score, found, match: { input, queryShapelet: queryView, shapelet: view, ...laid } };
      }),
    );
  }
}

/** An input. */
interface InputQuery extends ViewsQuery {
  /** Files with a page like its first one as a whole, and the ratio of their distance to that of an ordinary one. */
  readonly pages: ReadonlyMap<number, number>;
  /** Of a picture. */
  readonly ink: LaidInk | undefined;
  /** How it lies on files. */
  readonly fits: ReadonlyMap<number, PageFit>;
}

const NO_FITS: ReadonlyMap<number, PageFit> = new Map();

/** ids: rising. */
function contains(ids: Uint32Array, id: number): boolean {
  return ids[firstNotBelow(ids, id, 0, ids.length)] === id;
}

function hasCamera(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.CAMERA) !== 0;
}

/** What the views of an input are of. */
function seenIn(views: Uint8Array): SeenKind {
  if (hasCamera(views)) return 'model';
  if (isFree(views)) return 'photo';
  return views.length > VIEW_BYTES ? 'views' : 'view';
}

function isFree(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.FREE) !== 0;
}

function candidateOf({
  bytes,
  numbersMm,
  extentsMm,
}: Pick<FileViews, 'bytes' | 'numbersMm' | 'extentsMm'>): ViewsCandidate {
  // The last three are the extents along the model's axes, which drawings show; those of the smallest box precede them.
  const extents = extentsMm.slice(-3) as unknown as Vector3;
  return {
    views: bytes,
    ...(numbersMm.length === 0 ? {} : { numbersMm }),
    ...(extents.length < 3 ? {} : { extentsMm: extents }),
  };
}
