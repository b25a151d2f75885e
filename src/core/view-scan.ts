import { EngineError } from '../errors.js';
import type { Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import { loadBytes } from './load-bytes.js';
import {
  countOf,
  DIMENSION,
  distancesOf,
  nearestOf,
  vectorsOf,
  type NearestFiles,
  type ViewRange,
  type ViewRows,
  type ViewVectors,
} from './view-distances.js';
import { LEAST_STRIDE, LINE_BYTES } from './views.js';

const FIRST_CAPACITY = 4096;
/** The memory of a core grows in place, so little is reserved ahead. */
const AHEAD = 1.25;
/** Rows are compacted when removed ones exceed this share. */
const MOST_HOLES = 0.25;

/**
 * The first stage of a search by views: finds candidate files among all views of a company. It keeps a compact vector
 * of 64 bytes for each view in the memory of a core of its own, and scans all of them in every search.
 *
 * The views of the page (drawing or photo) are the ones that must be explained. For a query from a page, each query
 * view is matched with its nearest view in the file; for a query from a model, each view of the file is matched with
 * its nearest view of the model.
 */
export class ViewScan implements ViewRows {
  readonly core: KeptRows;
  readonly stride: number;
  readonly isNarrow = false;
  readonly axesAt: number;
  rowsAt = 0;
  readonly #ranges = new Map<number, ViewRange>();
  /** f32[capacity]: the weight of each row's view within its file. */
  #weights = new Float32Array(FIRST_CAPACITY);
  #capacity = 0;
  /** Rows in use, removed ones included. */
  #end = 0;
  #holes = 0;

  private constructor(core: KeptRows, stride: number, axesAt: number) {
    this.core = core;
    this.stride = stride;
    this.axesAt = axesAt;
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
    const axes = await loadAxes();
    const kept = await KeptRows.open(core);
    const axesAt = kept.keep((arena) => arena.copyIn(axes));
    return new ViewScan(kept, stride, axesAt);
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
    countOf('views', views, this.stride);
    this.put(fileId, vectorsOf(this, views));
  }

  /** Like {@link add}, of what {@link vectorsOf} made of the views. */
  put(fileId: number, { vectors, weights, upright, isFree }: ViewVectors): void {
    this.remove(fileId);
    const count = weights.length;
    if (count === 0) return;
    if (this.#end + count > this.#capacity) this.#grow(this.#end + count);
    const first = this.#end;
    this.core.keep(({ kernels: { memory } }) =>
      new Int8Array(memory.buffer).set(vectors, this.rowsAt + first * DIMENSION),
    );
    this.#weights.set(weights, first);
    this.#ranges.set(fileId, { first, count, upright, isFree });
    this.#end += count;
  }

  /** What {@link put} was given of a file. */
  vectorsOf(fileId: number): ViewVectors | undefined {
    const range = this.#ranges.get(fileId);
    if (range === undefined) return undefined;
    const { first, count, upright, isFree } = range;
    const vectors = this.core.keep(({ kernels: { memory } }) =>
      new Int8Array(memory.buffer, this.rowsAt + first * DIMENSION, count * DIMENSION).slice(),
    );
    return { vectors, weights: this.weightsOfFile(fileId, range), upright, isFree };
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

  rangeOf(fileId: number): ViewRange {
    return this.#ranges.get(fileId)!;
  }

  weightsOfFile(_: number, { first, count }: ViewRange): Float32Array {
    return this.#weights.subarray(first, first + count);
  }

  /**
   * The k files nearest to the views of a query.
   * @param allowed files that may be found; those without views are ignored. Default all.
   * @throws RangeError when the query's length is not a multiple of the stride, or k is not a positive whole number.
   */
  nearest(query: Uint8Array, k: number, allowed?: Uint32Array): NearestFiles {
    const count = countOf('query', query, this.stride);
    if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a positive whole number, received ${k}`);
    const ids = allowed === undefined ? [...this.#ranges.keys()] : [...allowed].filter((id) => this.#ranges.has(id));
    if (ids.length === 0 || count === 0) return { fileIds: new Uint32Array(0), distances: new Float64Array(0) };
    return nearestOf(distancesOf(this, query, ids), ids, k);
  }

  /** Rows are the last thing reserved, so they grow in place. */
  #grow(wanted: number): void {
    const capacity = Math.max(FIRST_CAPACITY, wanted, Math.ceil(AHEAD * this.#capacity));
    this.rowsAt = this.core.grow(this.rowsAt, (arena) => arena.reserve(capacity * DIMENSION));
    this.#capacity = capacity;
    const weights = new Float32Array(capacity);
    weights.set(this.#weights.subarray(0, this.#end));
    this.#weights = weights;
  }

  /** Moves rows down over the removed ones. */
  #compact(): void {
    this.core.keep(({ kernels: { memory } }) => {
      const rows = new Int8Array(memory.buffer, this.rowsAt, this.#end * DIMENSION);
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

/** Axes of compact vectors, i8[64][512]. @throws EngineError `CORE_FAILED` when the table is of another version. */
export async function loadAxes(): Promise<Uint8Array> {
  const axes = await loadBytes(new URL('../tables/view-axes.bin', import.meta.url));
  if (axes.length !== DIMENSION * LINE_BYTES)
    throw new EngineError(
      'CORE_FAILED',
      `view-axes.bin is not of this version: ${axes.length} bytes, expected ${DIMENSION * LINE_BYTES}`,
    );
  return axes;
}
