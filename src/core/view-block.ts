import type { Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import {
  countOf,
  distancesOf,
  NARROW_BYTES,
  vectorsOf,
  type ViewRange,
  type ViewRows,
  type ViewVectors,
} from './view-distances.js';
import { loadAxes } from './view-scan.js';

/** The views of a file as {@link ViewBlock} reads them. */
export interface NarrowViews {
  /** i8[count × 32]: 28 of each vector, then 0. */
  readonly rows: Uint8Array;
  readonly count: number;
  /** As in `ViewVectors`. */
  readonly upright: number;
  readonly isFree: boolean;
  /** f32[count]; empty for a model, whose views weigh the same. */
  readonly weights: Float32Array;
}

/** Files of a block. */
export type BlockFiles = readonly ({ readonly fileId: number } & Omit<NarrowViews, 'rows'>)[];

/**
 * Distances to views that are kept elsewhere: one block of them after another is brought into the memory of a core. The
 * vectors are those of `ViewLists`, and so are the distances.
 */
export class ViewBlock implements ViewRows {
  readonly core: KeptRows;
  readonly stride: number;
  readonly isNarrow = true;
  readonly axesAt: number;
  rowsAt = 0;
  #capacity = 0;
  #ranges = new Map<number, ViewRange & { readonly weights: Float32Array }>();

  private constructor(core: KeptRows, stride: number, axesAt: number) {
    this.core = core;
    this.stride = stride;
    this.axesAt = axesAt;
  }

  /**
   * @param core any core; only its compiled module is shared. @param stride bytes per view, as `describeViews` returns
   * them.
   */
  static async open(core: Core, stride: number): Promise<ViewBlock> {
    const axes = await loadAxes();
    const kept = await KeptRows.open(core);
    return new ViewBlock(
      kept,
      stride,
      kept.keep((arena) => arena.copyIn(axes)),
    );
  }

  /** What is to be kept of described views. @throws RangeError when the length is not a multiple of the stride. */
  narrow(views: Uint8Array): NarrowViews {
    countOf('views', views, this.stride);
    return this.narrowed(vectorsOf(this, views));
  }

  /** The same of long vectors. */
  narrowed({ vectors, weights, upright, isFree }: ViewVectors): NarrowViews {
    const count = weights.length;
    const rows = this.core.call((arena) => {
      const from = arena.copyIn(vectors),
        out = arena.reserve(count * NARROW_BYTES);
      arena.kernels.narrowViews(from, count, 0, out);
      return arena.u8(out, count * NARROW_BYTES);
    });
    return { rows, count, upright, isFree, weights: upright > 0 ? new Float32Array(0) : weights };
  }

  /**
   * The distance of each file of a block from a query, in their order.
   * rows: u8[views × 32] of all files, one after another.
   */
  distances(query: Uint8Array, files: BlockFiles, rows: Uint8Array): Float64Array {
    if (rows.length > this.#capacity) {
      this.rowsAt = this.core.grow(this.rowsAt, (arena) => arena.reserve(rows.length));
      this.#capacity = rows.length;
    }
    this.core.keep(({ kernels: { memory } }) => new Uint8Array(memory.buffer).set(rows, this.rowsAt));
    let first = 0;
    this.#ranges = new Map(
      files.map(({ fileId, ...file }) => {
        first += file.count;
        return [fileId, { first: first - file.count, ...file }];
      }),
    );
    return distancesOf(
      this,
      query,
      files.map(({ fileId }) => fileId),
    );
  }

  rangeOf(fileId: number): ViewRange {
    return this.#ranges.get(fileId)!;
  }

  weightsOfFile(fileId: number, { count }: ViewRange): Float32Array {
    const { weights } = this.#ranges.get(fileId)!;
    return weights.length > 0 ? weights : new Float32Array(count).fill(1 / count);
  }
}
