import { EngineError } from '../errors.js';
import { Core, type Arena } from './core.js';
import { VIEW_AXES } from './view-axes.js';
import { CAMERA_FLAG, FLAGS_AT, FREE_FLAG, LEAST_STRIDE, TURNS, turnedViews } from './views.js';

/** Files whose views come nearest, nearest first; equal ones by smaller id. */
export interface NearestFiles {
  readonly fileIds: Uint32Array;
  /** Means of logarithms of distances over the views: for order alone, and only of one search. */
  readonly distances: Float64Array;
}

/** Coordinates of a compact vector. A product of two equal ones is {@link EQUAL}. */
const DIMENSION = 64;
const EQUAL = 127 * 127;
/** Keeps the logarithm of a distance within bounds: what 64 coordinates of one byte cannot tell. */
const NOISE = 0.04;

const FIRST_CAPACITY = 4096;
/** Holes are closed when they pass this share of the rows. */
const MOST_HOLES = 0.25;

/** Where a file's rows lie. */
interface Range {
  readonly first: number;
  readonly count: number;
  /** How many stand upright; those that were laid along their longest axis follow. 0 of a page's views are told apart. */
  readonly upright: number;
  /** Of a page: whether its first view may be turned by any angle. */
  readonly isFree: boolean;
}

/**
 * The first stage of a search by views: which files may be near, over all views of a company. Of each view it holds a compact vector of 64 bytes in
 * the memory of a core of its own, and reads all of them for every search.
 *
 * Views on pages speak, views by cameras are spoken of: a file counts by how near it comes to each view of the query; but where the query's
 * views are a model's, by how near that comes to each view of the file.
 */
export class ViewScan {
  readonly #core: Core;
  readonly #stride: number;
  readonly #ranges = new Map<number, Range>();
  /** Per row: the weight of its view within its file. */
  #weights = new Float32Array(FIRST_CAPACITY);
  #capacity = 0;
  #rowsAt = 0;
  #axesAt = 0;
  /** Rows in use, holes included. */
  #end = 0;
  #holes = 0;
  #failure: EngineError | undefined;

  private constructor(core: Core, stride: number) {
    this.#core = core;
    this.#stride = stride;
  }

  /**
   * An empty scan. stride: bytes of a view as `describeViews` makes them. core: any core; only its compiled module is shared.
   * @throws RangeError for another stride.
   */
  static async open(core: Core, stride: number): Promise<ViewScan> {
    if (!Number.isInteger(stride) || stride < LEAST_STRIDE || stride % 16 !== 0) {
      throw new RangeError(`stride must be a multiple of 16 from ${LEAST_STRIDE}, received ${stride}`);
    }
    const scan = new ViewScan(await Core.load(core.module), stride);
    scan.#axesAt = scan.#core.keep((arena) =>
      arena.copyIn(Uint8Array.from(atob(VIEW_AXES), (character) => character.charCodeAt(0))),
    );
    return scan;
  }

  /** Files. */
  get size(): number {
    return this.#ranges.size;
  }

  /** Views of all files. */
  get viewCount(): number {
    return this.#end - this.#holes;
  }

  /** Bytes that are held, room to grow included. */
  get byteLength(): number {
    return this.#capacity * (DIMENSION + 4);
  }

  has(fileId: number): boolean {
    return this.#ranges.has(fileId);
  }

  /**
   * Adds a file's views, or replaces them; none removes the file. fileId: u32. views: as `describeViews` makes them.
   * @throws RangeError for bytes that are no whole number of views.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full.
   */
  add(fileId: number, views: Uint8Array): void {
    const count = this.#countOf('views', views);
    this.remove(fileId);
    if (count === 0) return;
    if (this.#end + count > this.#capacity) this.#grow(this.#end + count);
    const first = this.#end;
    this.#guarded((arena) => {
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

  /** Removes a file; false when it was not there. */
  remove(fileId: number): boolean {
    const range = this.#ranges.get(fileId);
    if (range === undefined) return false;
    this.#ranges.delete(fileId);
    this.#holes += range.count;
    if (this.#holes > FIRST_CAPACITY && this.#holes > MOST_HOLES * this.#end) this.#close();
    return true;
  }

  /**
   * The k files that are nearest to the views of a query, or of those that `allow` lets through.
   * @throws RangeError for bytes that are no whole number of views, or a k that is no positive whole number.
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

  /** Each view of the query finds its nearest in each file. */
  #distancesOfFiles(query: Uint8Array, count: number, ids: readonly number[]): Float64Array {
    const weights = weightsOf(query, this.#stride);
    const products = this.#productsOf(query, count, ids);
    return Float64Array.from(ids, (_, file) => {
      let sum = 0;
      for (let view = 0; view < count; view++) sum += weights[view] * logOf(products[view * ids.length + file]);
      return sum;
    });
  }

  /** i32[view * files + file]: the largest product of each view in any turn. */
  #productsOf(query: Uint8Array, count: number, ids: readonly number[]): Int32Array {
    return this.#guarded((arena) => {
      const queriesAt = this.#project(arena, query, count),
        rangesAt = arena.copyIn(this.#rangesOf(ids, isFree(query)));
      const out = arena.reserve(4 * count * ids.length);
      arena.kernels.scanFiles(queriesAt, count, TURNS, this.#rowsAt, rangesAt, ids.length, out);
      return new Int32Array(arena.u32(out, count * ids.length).buffer);
    });
  }

  /** Drawings look among the model's upright views, photos among those that were laid. */
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

  /** Each view of each file finds its nearest in the query. */
  #distancesOfRows(query: Uint8Array, count: number, ids: readonly number[]): Float64Array {
    const ranges = this.#rangesOf(ids, undefined);
    const rowCount = ranges.reduce((sum, value, i) => sum + (i % 2 === 1 ? value : 0), 0);
    const products = this.#guarded((arena) => {
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

  /** Compact vectors of the query's views in their four turns, i16; returns their address. */
  #project(arena: Arena, query: Uint8Array, count: number): number {
    const turned = arena.copyIn(turnedViews(query, this.#stride));
    const narrow = arena.reserve(count * TURNS * DIMENSION);
    arena.kernels.projectViews(turned, this.#stride, count * TURNS, this.#axesAt, narrow);
    return arena.copyIn(Int16Array.from(new Int8Array(arena.u8(narrow, count * TURNS * DIMENSION).buffer)));
  }

  /** free: what models show: upright or laid views; undefined: all. */
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

  /** Rows are the last thing reserved, so that they grow where they are. */
  #grow(wanted: number): void {
    const capacity = Math.max(FIRST_CAPACITY, wanted, 2 * this.#capacity);
    this.#core.keep((arena) => {
      const end = arena.kernels.mark();
      if (this.#rowsAt !== 0) arena.kernels.reset(this.#rowsAt);
      try {
        this.#rowsAt = arena.reserve(capacity * DIMENSION);
      } catch (cause) {
        arena.kernels.reset(end);
        throw cause;
      }
    });
    this.#capacity = capacity;
    const weights = new Float32Array(capacity);
    weights.set(this.#weights.subarray(0, this.#end));
    this.#weights = weights;
  }

  /** Moves rows down over the holes. */
  #close(): void {
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

  /** A trap takes the rows with it: from then on every call says so. */
  #guarded<T>(body: (arena: Arena) => T): T {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return this.#core.call(body);
    } catch (cause) {
      if (cause instanceof EngineError && cause.code === 'CORE_FAILED') this.#failure = cause;
      throw cause;
    }
  }
}

/** Indices of all values up to the k-th least: numbers are sorted much faster than indices by their numbers. */
function leastOf(values: Float64Array, k: number): number[] {
  const most = values.length <= k ? Infinity : values.slice().sort()[k - 1];
  const least: number[] = [];
  for (let i = 0; i < values.length; i++) if (values[i] <= most) least.push(i);
  return least;
}

/** The logarithm of a distance, from a product of compact vectors. */
function logOf(product: number): number {
  return Math.log(Math.max(0, 1 - product / EQUAL) + NOISE);
}

/** How many of a model's views stand upright, before those that were laid; 0 for a page's. */
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

/** Whether the first view was seen by a camera. */
function isOfModel(views: Uint8Array): boolean {
  return (views[FLAGS_AT] & CAMERA_FLAG) !== 0;
}

/** Shares of the views of one file: by the roots of the areas of their boxes. */
function weightsOf(views: Uint8Array, stride: number): Float32Array {
  const facts = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const roots = Float32Array.from({ length: views.length / stride }, (_, i) =>
    Math.sqrt(Math.max(facts.getFloat32(i * stride + 640, true) * facts.getFloat32(i * stride + 644, true), 1e-12)),
  );
  const sum = roots.reduce((total, root) => total + root, 0);
  return roots.map((root) => root / sum);
}
