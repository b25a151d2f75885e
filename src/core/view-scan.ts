import { EngineError } from '../errors.js';
import type { Arena, Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import { loadBytes } from './load-bytes.js';
import { CAMERA_FLAG, FLAGS_AT, FREE_FLAG, LEAST_STRIDE, LINE_BYTES, TURNS, turnedViews } from './views.js';

/** Files with the nearest views, nearest first; equal distances are ordered by ascending id. */
export interface NearestFiles {
  readonly fileIds: Uint32Array;
  /** Means over the views of the logarithms of their distances. They only order the files of one search. */
  readonly distances: Float64Array;
}

/** Length of a compact vector. The scalar product of two equal vectors is {@link EQUAL}. */
const DIMENSION = 64;
const EQUAL = 127 * 127;
/** Added to a distance before its logarithm is taken: about the error of a vector of 64 single bytes. */
const NOISE = 0.04;

const FIRST_CAPACITY = 4096;
/** Rows are compacted when removed ones exceed this share. */
const MOST_HOLES = 0.25;

/** The rows of one file. */
interface Range {
  readonly first: number;
  readonly count: number;
  /** Of a model: the number of upright views; those turned to their longest axis follow. 0 for the views of a page. */
  readonly upright: number;
  /** Of a page: whether its views may have been turned by any angle, as in photos. */
  readonly isFree: boolean;
}

/**
 * The first stage of a search by views: finds candidate files among all views of a company. It keeps a compact vector
 * of 64 bytes for each view in the memory of a core of its own, and scans all of them in every search.
 *
 * The views of the page (drawing or photo) are the ones that must be explained. For a query from a page, each query
 * view is matched with its nearest view in the file; for a query from a model, each view of the file is matched with
 * its nearest view of the model.
 */
export class ViewScan {
  readonly #core: KeptRows;
  readonly #stride: number;
  readonly #ranges = new Map<number, Range>();
  /** f32[capacity]: the weight of each row's view within its file. */
  #weights = new Float32Array(FIRST_CAPACITY);
  #capacity = 0;
  #rowsAt = 0;
  #axesAt = 0;
  /** Rows in use, removed ones included. */
  #end = 0;
  #holes = 0;

  private constructor(core: KeptRows, stride: number) {
    this.#core = core;
    this.#stride = stride;
  }

  /**
   * Opens an empty scan.
   * @param core any core; only its compiled module is shared.
   * @param stride bytes per view, as `describeViews` returns them.
   * @throws RangeError for an impossible stride; EngineError `CORE_FAILED` when the table of axes is of another
   *   version.
   */
  static async open(core: Core, stride: number): Promise<ViewScan> {
    if (!Number.isInteger(stride) || stride < LEAST_STRIDE || stride % 16 !== 0) {
      throw new RangeError(`stride must be a multiple of 16 from ${LEAST_STRIDE}, received ${stride}`);
    }
    const axes = await loadBytes(new URL('../tables/view-axes.bin', import.meta.url));
    if (axes.length !== DIMENSION * LINE_BYTES) {
      throw new EngineError(
        'CORE_FAILED',
        `view-axes.bin is not of this version: ${axes.length} bytes, expected ${DIMENSION * LINE_BYTES}`,
      );
    }
    const scan = new ViewScan(await KeptRows.open(core), stride);
    scan.#axesAt = scan.#core.keep((arena) => arena.copyIn(axes));
    return scan;
  }

  /** Number of files. */
  get size(): number {
    return this.#ranges.size;
  }

  /** Number of views of all files. */
  get viewCount(): number {
    return this.#end - this.#holes;
  }

  /** Bytes reserved, spare capacity included. */
  get byteLength(): number {
    return this.#capacity * (DIMENSION + 4);
  }

  has(fileId: number): boolean {
    return this.#ranges.has(fileId);
  }

  /**
   * Adds or replaces a file's views. Without views the file is removed.
   * @param fileId u32.
   * @param views u8[count × stride], as `describeViews` returns them.
   * @throws RangeError when the length is not a multiple of the stride.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full.
   */
  add(fileId: number, views: Uint8Array): void {
    const count = this.#countOf('views', views);
    this.remove(fileId);
    if (count === 0) return;
    if (this.#end + count > this.#capacity) this.#grow(this.#end + count);
    const first = this.#end;
    this.#core.call((arena) => {
      const viewsAt = arena.copyIn(views);
      arena.kernels.projectViews(viewsAt, this.#stride, count, this.#axesAt, this.#rowsAt + first * DIMENSION);
    });
    this.#weights.set(weightsOf(views, this.#stride), first);
    this.#ranges.set(fileId, {
      first,
      count,
      upright: uprightOf(views, this.#stride),
      isFree: !isOfModel(views) && isFree(views),
    });
    this.#end += count;
  }

  /** Removes a file; false when the scan does not hold it. */
  remove(fileId: number): boolean {
    const range = this.#ranges.get(fileId);
    if (range === undefined) return false;
    this.#ranges.delete(fileId);
    this.#holes += range.count;
    if (this.#holes > FIRST_CAPACITY && this.#holes > MOST_HOLES * this.#end) this.#compact();
    return true;
  }

  /**
   * The k files nearest to the views of a query, among those that `allow` accepts.
   * @throws RangeError when the query's length is not a multiple of the stride, or k is not a positive whole number.
   */
  nearest(query: Uint8Array, k: number, allow?: (fileId: number) => boolean): NearestFiles {
    const count = this.#countOf('query', query);
    if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a positive whole number, received ${k}`);
    const ids = [...this.#ranges.keys()].filter((fileId) => allow === undefined || allow(fileId));
    if (ids.length === 0 || count === 0) return { fileIds: new Uint32Array(0), distances: new Float64Array(0) };
    const distances = isOfModel(query)
      ? this.#distancesToModel(query, count, ids)
      : this.#distancesOfFiles(query, count, ids);
    const order = leastOf(distances, k)
      .sort((a, b) => distances[a] - distances[b] || ids[a] - ids[b])
      .slice(0, k);
    return {
      fileIds: Uint32Array.from(order, (i) => ids[i]),
      distances: Float64Array.from(order, (i) => distances[i]),
    };
  }

  /** For a query from a page: matches each query view with its nearest view in each file. */
  #distancesOfFiles(query: Uint8Array, count: number, ids: readonly number[]): Float64Array {
    const weights = weightsOf(query, this.#stride);
    const products = this.#productsOf(query, count, ids);
    return Float64Array.from(ids, (_, file) => {
      let sum = 0;
      for (let view = 0; view < count; view++) sum += weights[view] * logOf(products[view * ids.length + file]);
      return sum;
    });
  }

  /**
   * i32[view * files + file]: the largest scalar product of each query view with a view of the file, over all turns.
   */
  #productsOf(query: Uint8Array, count: number, ids: readonly number[]): Int32Array {
    return this.#core.call((arena) => {
      const queriesAt = this.#project(arena, query, count),
        rangesAt = arena.copyIn(this.#rangesOf(ids, isFree(query)));
      const out = arena.reserve(4 * count * ids.length);
      arena.kernels.scanFiles(queriesAt, count, TURNS, this.#rowsAt, rangesAt, ids.length, out);
      return new Int32Array(arena.u32(out, count * ids.length).buffer);
    });
  }

  /**
   * For a query from a model: drawings are compared with its upright views, photos with those turned to their longest
   * axis.
   */
  #distancesToModel(query: Uint8Array, count: number, ids: readonly number[]): Float64Array {
    const upright = uprightOf(query, this.#stride);
    if (upright === 0 || upright === count) return this.#distancesOfRows(query, count, ids);
    const distances = new Float64Array(ids.length);
    for (const free of [false, true]) {
      const own = [...ids.keys()].filter((i) => (this.#ranges.get(ids[i]) as Range).isFree === free);
      const views = free ? query.subarray(upright * this.#stride) : query.subarray(0, upright * this.#stride);
      const found = this.#distancesOfRows(
        views,
        views.length / this.#stride,
        own.map((i) => ids[i]),
      );
      for (const [at, i] of own.entries()) distances[i] = found[at];
    }
    return distances;
  }

  /** Matches each view of each file with its nearest view of the query. */
  #distancesOfRows(query: Uint8Array, count: number, ids: readonly number[]): Float64Array {
    const ranges = this.#rangesOf(ids, undefined);
    const rowCount = ranges.reduce((sum, value, i) => sum + (i % 2 === 1 ? value : 0), 0);
    const products = this.#core.call((arena) => {
      const queriesAt = this.#project(arena, query, count),
        rangesAt = arena.copyIn(ranges);
      const out = arena.reserve(4 * rowCount);
      arena.kernels.scanRows(queriesAt, count * TURNS, this.#rowsAt, rangesAt, ids.length, out);
      return new Int32Array(arena.u32(out, rowCount).buffer);
    });
    let row = 0;
    return Float64Array.from(ids, (_, file) => {
      const first = ranges[2 * file];
      let sum = 0;
      for (let i = 0; i < ranges[2 * file + 1]; i++) sum += this.#weights[first + i] * logOf(products[row++]);
      return sum;
    });
  }

  /** Address of i16[count × TURNS × DIMENSION]: compact vectors of the query's views in their four turns. */
  #project(arena: Arena, query: Uint8Array, count: number): number {
    const turned = arena.copyIn(turnedViews(query, this.#stride));
    const narrow = arena.reserve(count * TURNS * DIMENSION);
    arena.kernels.projectViews(turned, this.#stride, count * TURNS, this.#axesAt, narrow);
    return arena.copyIn(Int16Array.from(new Int8Array(arena.u8(narrow, count * TURNS * DIMENSION).buffer)));
  }

  /**
   * u32[2 × ids]: first row and number of rows of each file.
   * @param free of a model, only its upright views (false) or only those turned to their longest axis (true); absent:
   *   all.
   */
  #rangesOf(ids: readonly number[], free: boolean | undefined): Uint32Array {
    const ranges = new Uint32Array(2 * ids.length);
    for (const [i, fileId] of ids.entries()) {
      const { first, count, upright } = this.#ranges.get(fileId) as Range;
      const isWhole = free === undefined || upright === 0 || upright === count;
      ranges[2 * i] = isWhole || !free ? first : first + upright;
      ranges[2 * i + 1] = isWhole ? count : free ? count - upright : upright;
    }
    return ranges;
  }

  #countOf(what: string, views: Uint8Array): number {
    if (views.length % this.#stride !== 0)
      throw new RangeError(`${what} must hold ${this.#stride} bytes a view, received ${views.length}`);
    return views.length / this.#stride;
  }

  /** Rows are the last thing reserved, so they grow in place. */
  #grow(wanted: number): void {
    const capacity = Math.max(FIRST_CAPACITY, wanted, 2 * this.#capacity);
    this.#rowsAt = this.#core.grow(this.#rowsAt, (arena) => arena.reserve(capacity * DIMENSION));
    this.#capacity = capacity;
    const weights = new Float32Array(capacity);
    weights.set(this.#weights.subarray(0, this.#end));
    this.#weights = weights;
  }

  /** Moves rows down over the removed ones. */
  #compact(): void {
    this.#core.keep(({ kernels: { memory } }) => {
      const rows = new Int8Array(memory.buffer, this.#rowsAt, this.#end * DIMENSION);
      let end = 0;
      for (const [fileId, range] of [...this.#ranges].sort(([, a], [, b]) => a.first - b.first)) {
        rows.copyWithin(end * DIMENSION, range.first * DIMENSION, (range.first + range.count) * DIMENSION);
        this.#weights.copyWithin(end, range.first, range.first + range.count);
        this.#ranges.set(fileId, { ...range, first: end });
        end += range.count;
      }
      this.#end = end;
      this.#holes = 0;
    });
  }
}

/**
 * Indices of all values up to the k-th smallest. Sorting numbers is much faster than sorting indices by their numbers.
 */
function leastOf(values: Float64Array, k: number): number[] {
  const most = values.length <= k ? Infinity : values.slice().sort()[k - 1];
  const least: number[] = [];
  for (let i = 0; i < values.length; i++) if (values[i] <= most) least.push(i);
  return least;
}

/** Logarithm of the distance that a scalar product of compact vectors stands for. */
function logOf(product: number): number {
  return Math.log(Math.max(0, 1 - product / EQUAL) + NOISE);
}

/** Number of upright views of a model, which come first; 0 for the views of a page. */
function uprightOf(views: Uint8Array, stride: number): number {
  if (!isOfModel(views)) return 0;
  let count = 0;
  for (let at = FLAGS_AT; at < views.length && (views[at] & FREE_FLAG) === 0; at += stride) count++;
  return count;
}

/** Whether the first view may be turned by any angle. */
function isFree(views: Uint8Array): boolean {
  return (views[FLAGS_AT] & FREE_FLAG) !== 0;
}

/** Whether the views were rendered from a model. */
function isOfModel(views: Uint8Array): boolean {
  return (views[FLAGS_AT] & CAMERA_FLAG) !== 0;
}

/** Weights of the views of one file, in proportion to the square roots of the areas of their boxes; they sum to 1. */
function weightsOf(views: Uint8Array, stride: number): Float32Array {
  const facts = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const roots = Float32Array.from({ length: views.length / stride }, (_, i) =>
    Math.sqrt(Math.max(facts.getFloat32(i * stride + 640, true) * facts.getFloat32(i * stride + 644, true), 1e-12)),
  );
  const sum = roots.reduce((total, root) => total + root, 0);
  return roots.map((root) => root / sum);
}
