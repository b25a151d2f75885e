import type { Core } from '../../core/core.js';
import type { Vector3 } from '../../core/mass.js';
import { ViewScan } from '../../core/view-scan.js';
import { VIEW_BYTES, VIEW_FLAG, VIEWS_VERSION, viewFacts } from '../../descriptors/views.js';
import { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import type { Store } from '../../store/store.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { firstNotBelow } from '../filters/id-set.js';
import type { ViewsInput } from '../query/inputs.js';
import { PageLayouts } from './page-layouts.js';
import { MOST_PHOTO_MODELS, type ShapeMatch } from '../query/query.js';
import type { Photo } from './photos/photo.js';
import { PhotoSearch, photosOf } from './photos/photo-search.js';
import { rankViews, type ViewsCandidate, type ViewsQuery } from './view-rank.js';
import type { FileViewRow } from '../../store/catalog/shapelet.js';

/** What a company's search by views needs. */
export interface ViewSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
}

/** A file found by its views. */
export interface ViewHit {
  readonly fileId: number;
  readonly uid: string;
  /** 0 or more; lower is nearer. */
  readonly score: number;
  readonly match: Pick<ShapeMatch, 'input' | 'queryShapelet' | 'shapelet'>;
}

/** Options of a search by views. */
export interface ViewSearching {
  /** Hits wanted: the first ones by rising score, ties by UID. */
  readonly wanted: number;
  /** Files with the same bytes as an input, which come first. */
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
/** Factor from the unexplained share of a photo, 0 to 1, to scores of views. */
const PHOTO_SCORE = 1;

const NO_LAYOUTS = new Uint8Array();

/** Exponent of a page's layout ratio, which multiplies the score of its views. */
const LAYOUT_POWER = 2;

/**
 * The searchable shapelets of one company. `add` and `remove` may be called twice for a file, and whether or not `open`
 * has read it.
 */
export class ViewSearch {
  readonly #parts: ViewSearchParts;
  readonly #scan: ViewScan;
  readonly #layouts = new PageLayouts();
  readonly #uids = new Map<number, string>();
  /** Ordinary distances of the views of drawings, by file; used when the query is a model. */
  readonly #ordinary = new Map<number, Float32Array>();
  readonly #ordinaryViews: OrdinaryViews;
  readonly #photos: PhotoSearch;
  /** The keys of `#uids`, rising; built on demand and never modified. */
  #ids: Uint32Array | undefined;
  /** Whether the views of models were loaded. */
  #hasModels = false;

  private constructor(parts: ViewSearchParts, scan: ViewScan, ordinaryViews: OrdinaryViews) {
    this.#parts = parts;
    this.#scan = scan;
    this.#ordinaryViews = ordinaryViews;
    this.#photos = new PhotoSearch(parts);
  }

  /**
   * Reads the views of the company's drawings and images. Those of models, which have most views, are read on first
   * use.
   */
  static async open(parts: ViewSearchParts): Promise<ViewSearch> {
    const search = new ViewSearch(parts, await ViewScan.open(parts.core, VIEW_BYTES), await OrdinaryViews.load());
    search.#load({ models: false });
    return search;
  }

  #load(which: { readonly models: boolean }): void {
    for (const { fileId, uid, bytes, layouts } of this.#parts.store.views.all(
      this.#parts.companyId,
      VIEWS_VERSION,
      which,
    )) {
      // Damaged rows are skipped (their files are indexed again), and so are files that were added meanwhile.
      if (bytes.length === 0 || bytes.length % VIEW_BYTES !== 0 || this.#uids.has(fileId)) continue;
      this.#uids.set(fileId, uid);
      this.#scan.add(fileId, bytes);
      this.#layouts.add(fileId, layouts);
    }
    this.#ids = undefined;
  }

  #needModels(): void {
    if (this.#hasModels) return;
    this.#hasModels = true;
    this.#load({ models: true });
  }

  add(
    fileId: number,
    uid: string,
    { shapelets, bytes, layouts }: Pick<FileViews, 'shapelets' | 'bytes' | 'layouts'>,
  ): void {
    this.remove(fileId);
    if (shapelets.length === 0) return;
    this.#ids = undefined;
    this.#uids.set(fileId, uid);
    this.#scan.add(fileId, bytes);
    this.#layouts.add(fileId, layouts ?? NO_LAYOUTS);
  }

  remove(fileId: number): void {
    if (!this.#uids.delete(fileId)) return;
    this.#ids = undefined;
    this.#ordinary.delete(fileId);
    this.#photos.forget(fileId);
    this.#layouts.remove(fileId);
    this.#scan.remove(fileId);
  }

  has(fileId: number): boolean {
    this.#needModels();
    return this.#uids.has(fileId);
  }

  /** Ids of all files with shapelets, rising. */
  get ids(): Uint32Array {
    this.#needModels();
    return this.drawnIds;
  }

  /** Like {@link ids}, but without models that are not loaded; for callers that only need drawings and images. */
  get drawnIds(): Uint32Array {
    return (this.#ids ??= Uint32Array.from(this.#uids.keys()).sort());
  }

  /**
   * The allowed files (rising, all with shapelets) that match the inputs best. With several inputs each view is matched
   * by another view of a file.
   */
  async nearest(
    inputs: readonly ViewsInput[],
    allowed: Uint32Array,
    { wanted, same, photoModels, turn }: ViewSearching,
  ): Promise<ViewHit[]> {
    const query = joinInputs(inputs);
    const photos = photoModels === 0 ? undefined : photosOf(inputs);
    const hits: ViewHit[] = [];
    // The scan compares short descriptors and may miss files with the same bytes or page.
    const first = same.filter((fileId) => this.#uids.has(fileId) && contains(allowed, fileId));
    const pages =
      inputs.length === 1
        ? this.#layouts.nearest(inputs[0].layouts ?? NO_LAYOUTS, (fileId) => contains(allowed, fileId))
        : new Map<number, number>();
    first.push(...[...pages.keys()].filter((fileId) => !same.includes(fileId)));
    const known = new Set(first);
    const block = photos === undefined ? BLOCK : PHOTO_BLOCK;
    const near = this.#nearest(query.views, Math.ceil(Math.min(wanted, allowed.length) / block) * block, allowed);
    const order = [...first, ...near.filter((fileId) => !known.has(fileId))];
    for (let start = 0; start < order.length; start += block) {
      if (start > 0) await turn();
      const floor = hits.length === 0 ? 0 : hits[hits.length - 1].score;
      const ranked = await this.#rank(query, order.slice(start, start + block), floor, pages);
      hits.push(
        ...(photos === undefined || start > 0 ? ranked : await this.#fitted(photos, ranked, photoModels, turn)),
      );
    }
    return hits.slice(0, wanted);
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
          : [{ ...hit, score: PHOTO_SCORE * fit.cost, match: { ...hit.match, shapelet: fit.view } }];
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
    const among = allowed.length === this.#uids.size ? undefined : new Set(allowed);
    const allow = among && ((fileId: number): boolean => among.has(fileId));
    for (let k = count + 1; ; k *= 2) {
      const { fileIds, distances } = this.#scan.nearest(views, k, allow);
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

  async #rank(
    query: JoinedViews,
    fileIds: readonly number[],
    floor: number,
    pages: ReadonlyMap<number, number>,
  ): Promise<ViewHit[]> {
    const { store, companyId, core } = this.#parts;
    const rows = await store.views.some(companyId, fileIds);
    const isModel = hasCamera(query.views);
    const scores = rankViews(
      core,
      query,
      rows.map((row) => {
        const ordinary = isModel && !hasCamera(row.bytes) ? this.#ordinaryOf(row) : undefined;
        return { ...candidateOf(row), ...(ordinary === undefined ? {} : { ordinary }) };
      }),
    );
    return rows
      .map(({ fileId, uid }, i): ViewHit => {
        const { score, queryView, view } = scores[i];
        // A page with the same layout is the same page, whatever its views give.
        const told = score * (pages.get(fileId) ?? 1) ** LAYOUT_POWER;
        return { fileId, uid, score: Math.max(told, floor), match: { ...query.places[queryView], shapelet: view } };
      })
      .sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
  }
}

/** The views of all inputs, as views of one part. */
interface JoinedViews extends ViewsQuery {
  /** For each view, its input and the index of its shapelet there. */
  readonly places: readonly { readonly input: number; readonly queryShapelet: number }[];
}

/** ids: rising. */
function contains(ids: Uint32Array, id: number): boolean {
  return ids[firstNotBelow(ids, id, 0, ids.length)] === id;
}

function joinInputs(inputs: readonly ViewsInput[]): JoinedViews {
  const views = new Uint8Array(inputs.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of inputs) {
    views.set(bytes, at);
    at += bytes.length;
  }
  const places = inputs.flatMap(({ shapelets }, input) =>
    shapelets.map((_, queryShapelet) => ({ input, queryShapelet })),
  );
  return {
    ...candidateOf({
      bytes: views,
      numbersMm: inputs.flatMap(({ numbersMm }) => numbersMm),
      extentsMm: inputs.find(({ extentsMm }) => extentsMm.length > 0)?.extentsMm ?? [],
    }),
    places,
    inputs: inputs.map(({ shapelets }) => shapelets.length),
  };
}

function hasCamera(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.CAMERA) !== 0;
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
