import type { Arena } from './core.js';
import type { KeptRows } from './kept-rows.js';
import { Least } from './least.js';
import { isFree, isOfModel, uprightOf, weightsOf } from './view-facts.js';
import { TURNS, turnedIn } from './views.js';

/** Files with the nearest views, nearest first; equal distances are ordered by ascending id. */
export interface NearestFiles {
  readonly fileIds: Uint32Array;
  /** Means over the views of the logarithms of their distances. They only order the files of one search. */
  readonly distances: Float64Array;
}

/** Length of a compact vector. The scalar product of two equal vectors is {@link EQUAL}. */
export const DIMENSION = 64;
export const EQUAL = 127 * 127;
/** Added to a distance before its logarithm is taken: about the error of a vector of 64 single bytes. */
const NOISE = 0.04;

/** Bytes of a short row: 28 of the vector, then the number of its file, u32. */
export const NARROW_BYTES = 32;

/**
 * Rows that are gathered at a time, or those of one file if it has more: what a core reserves it never gives back, and
 * a search for many hits reads all of its rows.
 */
const GATHERED_ROWS = 65_536;

/** The rows of one file. */
export interface ViewRange {
  readonly first: number;
  readonly count: number;
  /** Of a model: the number of upright views; those turned to their longest axis follow. 0 for the views of a page. */
  readonly upright: number;
  /** Of a page: whether its views may have been turned by any angle, as in photos. */
  readonly isFree: boolean;
}

/** Rows of compact vectors in the memory of a core. */
export interface ViewRows {
  readonly core: KeptRows;
  /** Bytes of a described view. */
  readonly stride: number;
  /** Address of i8[64][512]: the axes of compact vectors. */
  readonly axesAt: number;
  /** Address of the rows: i8[64] each, or, if `isNarrow`, of {@link NARROW_BYTES}. */
  readonly rowsAt: number;
  readonly isNarrow: boolean;
  /** Where rows do not lie as their ranges say: copies them so, and tells where. */
  gathered?(arena: Arena, ranges: Uint32Array): GatheredRows;
  rangeOf(fileId: number): ViewRange;
  /** f32[count]: weights of the views of a file of pages. */
  weightsOfFile(fileId: number, range: ViewRange): Float32Array;
}

/** Rows of files, one file after another. */
export interface GatheredRows {
  readonly rowsAt: number;
  /** u32[2 × files]: first row and number of rows of each file. */
  readonly ranges: Uint32Array;
}

/** What is kept of the views of a file. */
export interface ViewVectors {
  /** i8[count × 64]. */
  readonly vectors: Int8Array;
  /** f32[count]; they sum to 1. */
  readonly weights: Float32Array;
  readonly upright: number;
  readonly isFree: boolean;
}

/** The compact vectors of described views. */
export function vectorsOf({ core, stride, axesAt }: ViewRows, views: Uint8Array): ViewVectors {
  const count = views.length / stride;
  const vectors = core.call((arena) => {
    const viewsAt = arena.copyIn(views);
    const out = arena.reserve(count * DIMENSION);
    arena.kernels.projectViews(viewsAt, stride, count, axesAt, out);
    return new Int8Array(arena.u8(out, count * DIMENSION).buffer);
  });
  return {
    vectors,
    weights: weightsOf(views, stride),
    upright: uprightOf(views, stride),
    isFree: !isOfModel(views) && isFree(views),
  };
}

/** The distance of each of these files from a query, in their order. */
export function distancesOf(rows: ViewRows, query: Uint8Array, fileIds: readonly number[]): Float64Array {
  const count = query.length / rows.stride;
  const compute = isOfModel(query) ? distancesToModel : distancesOfFiles;
  if (rows.gathered === undefined) return compute(rows, query, count, fileIds);
  const distances = new Float64Array(fileIds.length);
  for (let from = 0, end = 0; from < fileIds.length; from = end) {
    let gathered = rows.rangeOf(fileIds[end++]).count;
    for (; end < fileIds.length; end++) {
      gathered += rows.rangeOf(fileIds[end]).count;
      if (gathered > GATHERED_ROWS) break;
    }
    distances.set(compute(rows, query, count, fileIds.slice(from, end)), from);
  }
  return distances;
}

/** The k files with the least distances. */
export function nearestOf(distances: Float64Array, fileIds: readonly number[], k: number): NearestFiles {
  const least = new Least(Math.min(k, fileIds.length));
  for (const [i, fileId] of fileIds.entries()) if (distances[i] <= least.bound) least.offer(distances[i], fileId);
  const found = least.rising();
  return {
    fileIds: Uint32Array.from(found, ({ number }) => number),
    distances: Float64Array.from(found, ({ value }) => value),
  };
}

/** Logarithm of the distance that a scalar product of compact vectors stands for. */
export function logOf(product: number): number {
  return Math.log(Math.max(0, 1 - product / EQUAL) + NOISE);
}

/**
 * Logarithms of the products from 0 to {@link EQUAL}; rounding makes some larger by a little. A library has hundreds of
 * thousands of them in a search.
 */
const LOGS = Float64Array.from({ length: EQUAL + 1 }, (_, product) => logOf(product));

/** @throws RangeError when the length is not a multiple of the stride. */
export function countOf(what: string, views: Uint8Array, stride: number): number {
  if (views.length % stride !== 0)
    throw new RangeError(`${what} must hold ${stride} bytes a view, received ${views.length}`);
  return views.length / stride;
}

/**
 * Address of the query's vectors in their four turns, widened: i16[count × TURNS][64], or [32] for short rows, of which
 * the last four are 0.
 */
export function projectQuery(rows: ViewRows, arena: Arena, query: Uint8Array): number {
  const { stride, axesAt, isNarrow } = rows;
  const count = (query.length / stride) * TURNS;
  const turned = turnedIn(arena, query, stride);
  const vectors = arena.reserve(count * DIMENSION);
  arena.kernels.projectViews(turned, stride, count, axesAt, vectors);
  if (!isNarrow) return arena.copyIn(Int16Array.from(new Int8Array(arena.u8(vectors, count * DIMENSION).buffer)));
  const short = arena.reserve(count * NARROW_BYTES);
  arena.kernels.narrowViews(vectors, count, 0, short);
  return arena.copyIn(Int16Array.from(new Int8Array(arena.u8(short, count * NARROW_BYTES).buffer)));
}

/** For a query from a page: matches each query view with its nearest view in each file. */
function distancesOfFiles(rows: ViewRows, query: Uint8Array, count: number, fileIds: readonly number[]): Float64Array {
  const weights = weightsOf(query, rows.stride);
  const files = fileIds.length;
  const products = productsOf(rows, query, count, fileIds);
  const distances = new Float64Array(files);
  for (let file = 0; file < files; file++) {
    let sum = 0;
    for (let view = 0; view < count; view++) {
      const product = products[view * files + file];
      sum += weights[view] * (product < 0 ? logOf(product) : LOGS[Math.min(product, EQUAL)]);
    }
    distances[file] = sum;
  }
  return distances;
}

/** i32[view * files + file]: the largest scalar product of each query view with a view of the file, over all turns. */
function productsOf(rows: ViewRows, query: Uint8Array, count: number, fileIds: readonly number[]): Int32Array {
  const { core, isNarrow } = rows;
  const files = fileIds.length;
  return core.call((arena) => {
    const { rowsAt, ranges } = gatheredOf(rows, arena, rangesOf(rows, fileIds, isFree(query)));
    const queriesAt = projectQuery(rows, arena, query),
      rangesAt = arena.copyIn(ranges);
    const out = arena.reserve(4 * count * files);
    if (isNarrow) arena.kernels.scanNarrowFiles(queriesAt, count, rowsAt, rangesAt, files, out);
    else arena.kernels.scanFiles(queriesAt, count, TURNS, rowsAt, rangesAt, files, out);
    return new Int32Array(arena.u32(out, count * files).buffer);
  });
}

/**
 * For a query from a model: drawings are compared with its upright views, photos with those turned to their longest
 * axis.
 */
function distancesToModel(rows: ViewRows, query: Uint8Array, count: number, fileIds: readonly number[]): Float64Array {
  const upright = uprightOf(query, rows.stride);
  if (upright === 0 || upright === count) return distancesOfRows(rows, query, count, fileIds);
  const distances = new Float64Array(fileIds.length);
  for (const free of [false, true]) {
    const own = [...fileIds.keys()].filter((i) => rows.rangeOf(fileIds[i]).isFree === free);
    const views = free ? query.subarray(upright * rows.stride) : query.subarray(0, upright * rows.stride);
    const found = distancesOfRows(
      rows,
      views,
      views.length / rows.stride,
      own.map((i) => fileIds[i]),
    );
    for (const [at, i] of own.entries()) distances[i] = found[at];
  }
  return distances;
}

/** Matches each view of each file with its nearest view of the query. */
function distancesOfRows(rows: ViewRows, query: Uint8Array, count: number, fileIds: readonly number[]): Float64Array {
  const { core, isNarrow } = rows;
  const asked = rangesOf(rows, fileIds, undefined);
  let rowCount = 0;
  for (let i = 1; i < asked.length; i += 2) rowCount += asked[i];
  const products = core.call((arena) => {
    const { rowsAt, ranges } = gatheredOf(rows, arena, asked);
    const queriesAt = projectQuery(rows, arena, query),
      rangesAt = arena.copyIn(ranges);
    const out = arena.reserve(4 * rowCount);
    const kernel = isNarrow ? 'scanNarrowRows' : 'scanRows';
    arena.kernels[kernel](queriesAt, count * TURNS, rowsAt, rangesAt, fileIds.length, out);
    return new Int32Array(arena.u32(out, rowCount).buffer);
  });
  let row = 0;
  return Float64Array.from(fileIds, (fileId) => {
    const range = rows.rangeOf(fileId);
    const weights = rows.weightsOfFile(fileId, range);
    let sum = 0;
    for (let i = 0; i < range.count; i++) {
      const product = products[row++];
      sum += weights[i] * (product < 0 ? logOf(product) : LOGS[Math.min(product, EQUAL)]);
    }
    return sum;
  });
}

function gatheredOf(rows: ViewRows, arena: Arena, ranges: Uint32Array): GatheredRows {
  return rows.gathered?.(arena, ranges) ?? { rowsAt: rows.rowsAt, ranges };
}

/**
 * u32[2 × files]: first row and number of rows of each file.
 * @param free of a model, only its upright views (false) or only those turned to their longest axis (true); absent:
 *   all.
 */
function rangesOf(rows: ViewRows, fileIds: readonly number[], free: boolean | undefined): Uint32Array {
  const ranges = new Uint32Array(2 * fileIds.length);
  for (const [i, fileId] of fileIds.entries()) {
    const { first, count, upright } = rows.rangeOf(fileId);
    const isWhole = free === undefined || upright === 0 || upright === count;
    ranges[2 * i] = isWhole || !free ? first : first + upright;
    ranges[2 * i + 1] = isWhole ? count : free ? count - upright : upright;
  }
  return ranges;
}
