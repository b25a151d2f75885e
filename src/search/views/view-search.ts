import type { Core } from '../../core/core.js';
import { VIEW_BYTES } from '../../descriptors/views.js';
import { OrdinaryViews } from '../../descriptors/ordinary-views.js';
import type { Store } from '../../store/store.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { ViewsInput } from '../query/inputs.js';
import { distanceOfDrawings, distanceOfInk, distanceOfViews, SIMILAR_LEAST } from '../query/likeness.js';
import type { Surfaces } from '../query/match-class.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { fitFiles, LAID, laidOn, MOST_FITTED, sharedInk } from './inks/ink-search.js';
import { KeptInks } from './inks/kept-inks.js';
import { queryInk, type PageFit } from './inks/page-fits.js';
import { MOST_PHOTO_MODELS } from '../query/query.js';
import { candidateOf, hasCamera, hasFreeViews, isFree, seenIn, type InputQuery } from './asked-views.js';
import { laidOver } from './drawn/drawn-hits.js';
import { statedApart } from './drawn-sizes.js';
import { drawnInputOf, DrawnSearch, type DrawnFit, type DrawnInput, type LaidInputs } from './drawn/drawn-search.js';
import { ModelMeshes } from './model-meshes.js';
import { OrdinaryDistances } from './ordinary-distances.js';
import { fittedHits } from './photos/photo-hits.js';
import { PhotoSearch, photosOf } from './photos/photo-search.js';
import { joined } from './match-views.js';
import { leftByLengths } from './left-by-lengths.js';
import { readOnce, type ReadRows } from './search-rows.js';
import { byScore, type ViewHit } from './view-hit.js';
import { rankInputs } from './view-rank.js';
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
/** Files that are compared finely for each of the other proportions of a drawn view. */
const STRETCHED_EACH = 24;
const NO_LAYOUTS = new Uint8Array();

/** Distance of unrelated files. */
const UNRELATED = 1.1;
/** Exponent of the ratio by which a page is like the query's as a whole; it multiplies the score of its views. */
const PAGE_POWER = 2;
/** Least share of a page's ink that a picture of all of it covers. */
const WHOLE = 0.97;
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
    const photos = photoModels === 0 ? undefined : photosOf(inputs);
    const drawn = inputs.map((input) => drawnInputOf(this.#parts.core, input, inputs.length === 1));
    const hits: ViewHit[] = [];
    // The scan compares short descriptors and may miss files with the same bytes or page.
    const first = same.filter((fileId) => contains(allowed, fileId));
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
      this.#candidates(asked, count, allowed, surfaces?.near),
      this.#stretched(drawn, allowed),
      this.#toBeLaid(asked, allowed),
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
      const all = await this.#rank(queries, order.slice(start, end), { rows, floor, anew, surfaces });
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

  /** Of each query that is laid over drawings and images: those whose views are nearest. */
  #toBeLaid(queries: readonly InputQuery[], allowed: Uint32Array): Promise<readonly (readonly number[])[]> {
    if (!queries.some(isLaid)) return Promise.resolve(queries.map(() => []));
    const pages = allowed.filter((fileId) => this.#index.hasPages(fileId));
    return Promise.all(
      queries.map((query) => (isLaid(query) ? this.#candidates([query], MOST_FITTED, pages) : Promise.resolve([]))),
    );
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

  /**
   * Candidates by the scan, chosen among what is in memory before the first await: the `count` nearest files, for
   * several inputs those of each and those of all together, twice `count` at most.
   */
  async #candidates(
    queries: readonly InputQuery[],
    count: number,
    allowed: Uint32Array,
    bySurface: readonly number[] = [],
  ): Promise<number[]> {
    const asked = queries.map(({ views }) => views);
    if (asked.length === 1) return this.#index.nearest(asked[0], count, allowed);
    if (!asked.some(hasCamera)) asked.push(joined(asked));
    const places = new Map<number, number>();
    const near = bySurface.filter((fileId) => contains(allowed, fileId));
    for (const found of [
      near,
      ...(await Promise.all(asked.map((views) => this.#index.nearest(views, count, allowed)))),
    ])
      for (const [place, fileId] of found.entries())
        places.set(fileId, Math.min(place, places.get(fileId) ?? Infinity));
    const ordered = [...places]
      .sort(([a, near], [b, far]) => near - far || (this.#index.uidOf(a) < this.#index.uidOf(b) ? -1 : 1))
      .slice(0, 2 * count)
      .map(([fileId]) => fileId);
    // Many copies of a model may stand behind all that its views are like.
    const isListed = new Set(ordered);
    return [...ordered, ...near.filter((fileId) => !isListed.has(fileId))];
  }

  /** Files that are near to a single drawn view in other proportions than it was drawn in, some for each of these. */
  async #stretched(inputs: readonly (DrawnInput | undefined)[], allowed: Uint32Array): Promise<number[]> {
    const shapes = inputs.length === 1 ? (inputs[0]?.drawn[0].shapes ?? []) : [];
    const found = await Promise.all(
      shapes.slice(1).map(({ view }) => this.#index.nearest(view, STRETCHED_EACH, allowed, true)),
    );
    return [...new Set(found.flat())];
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
      rank: (fileIds, laid) => this.#rank(queries, fileIds, { floor: -Infinity, laid, ...same }),
    });
  }

  #reader(part: 'all' | 'first'): ReadRows {
    const { store, companyId } = this.#parts;
    return readOnce((fileIds) => store.views.some(companyId, fileIds, { part }));
  }

  /** laid: how drawn inputs lie on each of the files. */
  async #rank(
    queries: readonly InputQuery[],
    fileIds: readonly number[],
    { rows: read, floor, laid, anew, surfaces }: Ranking,
  ): Promise<ViewHit[]> {
    const { core } = this.#parts;
    const rows = await read(fileIds);
    const bySurface = await surfaces?.compare(fileIds);
    const hasModel = queries.some(({ views }) => hasCamera(views));
    const ordinaryOf = hasModel
      ? this.#ordinary.of(
          rows.filter(({ bytes }) => !hasCamera(bytes)),
          this.#index,
        )
      : undefined;
    const candidates = rows.map((row) => {
      const ordinary = ordinaryOf?.get(row.fileId);
      return {
        ...candidateOf(row),
        ...(ordinary === undefined ? {} : { ordinary }),
        ...(laid === undefined ? {} : { measured: laid.get(row.fileId)!.map(distancesOf) }),
      };
    });
    const scores = rankInputs(core, queries, candidates);
    return byScore(
      rows.map(({ fileId, uid }, i): ViewHit => {
        // A page with the same layout is the same page, whatever its views give.
        const found = hasCamera(rows[i].bytes) ? 'model' : 'page';
        const own = laid?.get(fileId);
        const aloneIn = (k: number): DrawnFit | undefined =>
          queries[k].views.length === VIEW_BYTES ? own?.[k][0] : undefined;
        const surface = bySurface?.get(fileId);
        const told = queries.map(({ pages, views, fits, stated: read }, k) => {
          const distance = surface?.distances[k];
          if (distance !== undefined) return distance;
          const fit = aloneIn(k);
          if (fit !== undefined) return distanceOfViews('laid', 'model', fit.told);
          const seen = seenIn(views);
          const shown = isFree(rows[i].bytes) ? 'photo' : found;
          const ratio = (pages.get(fileId) ?? 1) ** PAGE_POWER * (read.get(fileId) ?? 1);
          const byViews = distanceOfViews(seen, shown, scores[k][i].score * ratio);
          const ink = fits.get(fileId);
          const isDrawn = shown === 'page' && seen !== 'model' && seen !== 'photo';
          const stated = isDrawn ? statedApart(queries[k].numbersMm, candidates[i].numbersMm) : 0;
          // Views of pictures are found less exactly than siblings differ; their ink tells these apart.
          const proportions = ink === undefined ? (scores[k][i].sizesApart ?? 0) : 0;
          const drawn = distanceOfDrawings(byViews, Math.max(proportions, stated));
          if (ink === undefined || seen === 'photo' || ink.covers < WHOLE || ink.agreement < LAID) return drawn;
          const shared = sharedInk(ink, views, rows[i].bytes);
          // Pictures of a page show its views in another way than its lines, but the same ink.
          return shared === undefined ? drawn : distanceOfInk(1 - shared, read.get(fileId) ?? 1);
        });
        const input = surface?.same?.input ?? anew?.get(fileId) ?? nearestInput(told);
        const { queryView } = scores[input][i];
        const view = aloneIn(input)?.view ?? scores[input][i].view;
        const onPage = laidOn(queries[input].fits.get(fileId), rows[i].bytes, view);
        const match = { input, queryShapelet: queryView, shapelet: view, ...onPage };
        const part = surface?.same?.part;
        const distance = part === undefined ? poolDistances(told, UNRELATED) : part.score - SIMILAR_LEAST;
        return {
          fileId,
          uid,
          score: part === undefined ? Math.max(distance, floor) : distance,
          ...(surface?.distances[input] === undefined ? {} : { surface: part ?? SIMILAR }),
          found,
          match,
        };
      }),
    );
  }
}

/** How files are ranked. floor: least score. laid: see `ViewSearch.#rank`. */
interface Ranking extends Partial<Pick<ViewSearching, 'surfaces' | 'anew'>> {
  /** Of all views, or of the upright ones, see {@link readsAll}. */
  readonly rows: ReadRows;
  readonly floor: number;
  readonly laid?: LaidInputs;
}

/** Of a model, drawings are compared with the views that lie upright alone, which come first. */
const readsAll = (queries: readonly InputQuery[]): boolean =>
  queries.some(({ views }) => hasCamera(views) || hasFreeViews(views));

/** Whether a query is laid over drawings and images. */
const isLaid = ({ ink, readMm }: InputQuery): boolean => ink !== undefined || readMm.length > 0;

/** Whether a hit is the same part as an input. */
const isPart = ({ score }: ViewHit): boolean => score < 0;

const SIMILAR = Object.freeze({ matchClass: 'similar' });
const NO_FITS: ReadonlyMap<number, PageFit> = new Map();
const NO_RATIOS: ReadonlyMap<number, number> = new Map();

/** ids: rising. */
function contains(ids: Uint32Array, id: number): boolean {
  return ids[firstNotBelow(ids, id, 0, ids.length)] === id;
}

/** Distances of the views of an input that was laid over a model, by their numbers. */
function distancesOf(fits: readonly DrawnFit[]): ReadonlyMap<number, number> {
  return new Map(fits.map(({ number, distance }) => [number, distance]));
}
