import type { Core } from '../../core/core.js';
import type { Vector3 } from '../../core/mass.js';
import { ViewLists } from '../../core/view-lists.js';
import { ViewScan } from '../../core/view-scan.js';
import { VIEW_BYTES, VIEW_FLAG, VIEWS_VERSION, viewFacts } from '../../descriptors/views.js';
import { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import type { Store } from '../../store/store.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { turn } from '../event-loop.js';
import { IdMarks } from '../filters/id-set.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import { pagesOf } from '../../store/pages.js';
import type { ViewsInput } from '../query/inputs.js';
import { distanceOfViews } from '../query/likeness.js';
import type { SeenKind } from '../query/likeness-tables.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { fitFiles, laidOn, MOST_FITTED } from './inks/ink-search.js';
import { queryInk, type PageFit } from './inks/page-fits.js';
import type { LaidInk } from './inks/laid-ink.js';
import { PageLayouts } from './page-layouts.js';
import { MOST_PHOTO_MODELS, type MatchPosition, type ShapeMatch } from '../query/query.js';
import type { Photo } from './photos/photo.js';
import { PhotoSearch, photosOf } from './photos/photo-search.js';
import { joined } from './match-views.js';
import { rankInputs, type ViewsCandidate, type ViewsQuery } from './view-rank.js';
import type { FileViewRow } from '../../store/catalog/shapelet.js';

/** What a company's search by views needs. */
export interface ViewSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Up to four times so many views, every search reads all of them. */
  readonly exactLimit: number;
}

/** A file found by its views. */
export interface ViewHit {
  readonly fileId: number;
  readonly uid: string;
  /** 0 to 2; lower is nearer; on the scale of distances of surfaces. */
  readonly score: number;
  readonly match: Pick<ShapeMatch, 'input' | 'queryShapelet' | 'shapelet'> & {
    /** How the page of the shapelet lies on the query's, where all ink tells it; else the views may. */
    readonly position?: MatchPosition;
  };
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
/** Views that are read in every search, for each file of `exactLimit`: reading 400 000 takes 20 ms. */
const EXACT_VIEWS = 4;
/** Files that are moved into lists in one turn of the event loop. */
const MOVED = 128;

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
  /** Lists for many views. Lists are not left again, so that a library near the limit does not go to and fro. */
  #scan: ViewScan | ViewLists;
  readonly #layouts: PageLayouts;
  readonly #uids = new Map<number, string>();
  /** The keys of `#uids`, as bits. */
  readonly #marks = new IdMarks();
  /** Ordinary distances of the views of drawings, by file; used when the query is a model. */
  readonly #ordinary = new Map<number, Float32Array>();
  readonly #ordinaryViews: OrdinaryViews;
  readonly #photos: PhotoSearch;
  /** The keys of `#uids`, rising; built on demand and never modified. */
  #ids: Uint32Array | undefined;
  /** Whether the views of models were loaded. */
  #hasModels = false;

  private constructor(
    parts: ViewSearchParts,
    { scan, layouts, ordinaryViews }: { scan: ViewScan; layouts: PageLayouts; ordinaryViews: OrdinaryViews },
  ) {
    this.#parts = parts;
    this.#scan = scan;
    this.#layouts = layouts;
    this.#ordinaryViews = ordinaryViews;
    this.#photos = new PhotoSearch(parts);
  }

  /**
   * Reads the views of the company's drawings and images. Those of models, which have most views, are read on first
   * use.
   */
  static async open(parts: ViewSearchParts): Promise<ViewSearch> {
    const [scan, layouts, ordinaryViews] = await Promise.all([
      ViewScan.open(parts.core, VIEW_BYTES),
      PageLayouts.open(parts.core),
      OrdinaryViews.load(),
    ]);
    const search = new ViewSearch(parts, { scan, layouts, ordinaryViews });
    await search.#load({ models: false });
    return search;
  }

  async #load({ models }: { readonly models: boolean }): Promise<void> {
    const { store, companyId } = this.#parts;
    const which = { version: VIEWS_VERSION, models };
    for await (const page of pagesOf((fileId) => store.views.after(companyId, fileId, which))) {
      for (const { fileId, uid, bytes, layouts } of page) {
        // Damaged rows are skipped (their files are indexed again), and so are files that were added before.
        if (bytes.length > 0 && bytes.length % VIEW_BYTES === 0 && !this.#uids.has(fileId))
          this.#put(fileId, uid, { bytes, layouts });
      }
      await this.settle();
    }
  }

  /** Moves the views into lists when they are many. No {@link add} and {@link remove} until the promise resolves. */
  async settle(): Promise<void> {
    const { core, exactLimit } = this.#parts;
    const scan = this.#scan,
      exactViews = EXACT_VIEWS * exactLimit;
    if (scan instanceof ViewLists || scan.viewCount <= exactViews) return;
    const lists = await ViewLists.open(core, VIEW_BYTES, { exactViews });
    let moved = 0;
    for (const fileId of this.#uids.keys()) {
      const vectors = scan.vectorsOf(fileId);
      if (vectors !== undefined) lists.put(fileId, vectors);
      if (++moved % MOVED === 0) await turn();
    }
    this.#scan = lists;
  }

  /** Reads the views of models, once. No {@link add} and {@link remove} may be called until the promise resolves. */
  async loadModels(): Promise<void> {
    if (this.#hasModels) return;
    await this.#load({ models: true });
    this.#hasModels = true;
  }

  get hasModels(): boolean {
    return this.#hasModels;
  }

  add(
    fileId: number,
    uid: string,
    { shapelets, bytes, layouts }: Pick<FileViews, 'bytes' | 'layouts'> & { readonly shapelets: readonly unknown[] },
  ): void {
    this.remove(fileId);
    if (shapelets.length > 0) this.#put(fileId, uid, { bytes, layouts });
  }

  #put(fileId: number, uid: string, { bytes, layouts = NO_LAYOUTS }: Pick<FileViews, 'bytes' | 'layouts'>): void {
    this.#ids = undefined;
    this.#uids.set(fileId, uid);
    this.#marks.add(fileId);
    this.#scan.add(fileId, bytes);
    this.#layouts.add(fileId, layouts);
  }

  remove(fileId: number): void {
    if (!this.#uids.delete(fileId)) return;
    this.#ids = undefined;
    this.#marks.delete(fileId);
    this.#ordinary.delete(fileId);
    this.#photos.forget(fileId);
    this.#layouts.remove(fileId);
    this.#scan.remove(fileId);
  }

  /** Ids of all files with shapelets, rising; without models before {@link loadModels}. Never modified. */
  get ids(): Uint32Array {
    return (this.#ids ??= Uint32Array.from(this.#uids.keys()).sort());
  }

  /** Those of these files (rising) that have shapelets. */
  those(fileIds: Uint32Array): Uint32Array {
    return this.#marks.those(fileIds);
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
    const allowed = this.#marks.those(fileIds);
    const isAll = allowed.length === this.#uids.size;
    const photos = photoModels === 0 ? undefined : photosOf(inputs);
    const hits: ViewHit[] = [];
    // The scan compares short descriptors and may miss files with the same bytes or page.
    const first = same.filter((fileId) => contains(allowed, fileId));
    const queries = inputs.map(
      (input): InputQuery => ({
        ...candidateOf(input),
        pages: this.#layouts.nearest(input.layouts ?? NO_LAYOUTS, isAll ? undefined : allowed),
        ink: input.inks && queryInk(input.inks),
        fits: NO_FITS,
      }),
    );
    const block = photos !== undefined ? PHOTO_BLOCK : this.#scan instanceof ViewLists ? LISTED_BLOCK : BLOCK;
    const near = this.#candidates(queries, Math.ceil(Math.min(wanted, allowed.length) / block) * block, allowed);
    await this.#lay(queries, allowed, first, turn);
    for (const { pages } of queries) for (const fileId of pages.keys()) if (!first.includes(fileId)) first.push(fileId);
    const known = new Set(first);
    const order = [...first, ...near.filter((fileId) => !known.has(fileId))];
    for (let start = 0; start < order.length; start += block) {
      if (start > 0) await turn();
      const floor = hits.length === 0 ? 0 : hits[hits.length - 1].score;
      const ranked = await this.#rank(queries, order.slice(start, start + block), floor);
      if (photos === undefined || start > 0) hits.push(...ranked);
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
    const pages = allowed.filter((fileId) => this.#layouts.has(fileId));
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
    if (asked.length === 1) return this.#nearest(asked[0], count, allowed);
    if (!asked.some(hasCamera)) asked.push(joined(asked));
    const places = new Map<number, number>();
    for (const views of asked)
      for (const [place, fileId] of this.#nearest(views, count, allowed).entries())
        places.set(fileId, Math.min(place, places.get(fileId) ?? Infinity));
    return [...places]
      .sort(([a, near], [b, far]) => near - far || (this.#uids.get(a)! < this.#uids.get(b)! ? -1 : 1))
      .slice(0, 2 * count)
      .map(([fileId]) => fileId);
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

  /** The `count` nearest files by the scan; equal distances are ordered by UID. */
  #nearest(views: Uint8Array, count: number, allowed: Uint32Array): number[] {
    if (count === 0) return [];
    const among = allowed.length === this.#uids.size ? undefined : allowed;
    for (let k = count + 1; ; k *= 2) {
      const { fileIds, distances } = this.#scan.nearest(views, k, among);
      const order = Array.from(fileIds, (fileId, i) => ({
        fileId,
        distance: distances[i],
        uid: this.#uids.get(fileId)!,
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

  #ordinaryOf({ fileId, bytes }: Pick<FileViewRow, 'fileId' | 'bytes'>): Float32Array {
    let ordinary = this.#ordinary.get(fileId);
    if (ordinary === undefined) {
      ordinary = this.#ordinaryViews.measure(this.#parts.core, bytes);
      // Not cached for a file that was removed meanwhile.
      if (this.#uids.has(fileId)) this.#ordinary.set(fileId, ordinary);
    }
    return ordinary;
  }

  async #rank(queries: readonly InputQuery[], fileIds: readonly number[], floor: number): Promise<ViewHit[]> {
    const { store, companyId, core } = this.#parts;
    const rows = await store.views.some(companyId, fileIds);
    const hasModel = queries.some(({ views }) => hasCamera(views));
    const scores = rankInputs(
      core,
      queries,
      rows.map((row) => {
        const ordinary = hasModel && !hasCamera(row.bytes) ? this.#ordinaryOf(row) : undefined;
        return { ...candidateOf(row), ...(ordinary === undefined ? {} : { ordinary }) };
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
        return { fileId, uid, score, match: { input, queryShapelet: queryView, shapelet: view, ...laid } };
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

function byScore(hits: ViewHit[]): ViewHit[] {
  return hits.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
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
