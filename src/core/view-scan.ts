import type { Core } from './core.js';
import { compareViews } from './views.js';

/** Files whose views come nearest, nearest first; equal ones by smaller id. */
export interface NearestFiles {
  readonly fileIds: Uint32Array;
  /** Means of the logarithms of the distances, which only their order means something. */
  readonly distances: Float64Array;
}

/** Most files of one comparison: bounds what is copied at once. */
const CHUNK = 256;
const NOISE = 0.02;

/** The first stage of a search by views: which files may be near, over all views of a company. */
export class ViewScan {
  readonly #core: Core;
  readonly #stride: number;
  readonly #files = new Map<number, Uint8Array>();

  private constructor(core: Core, stride: number) {
    this.#core = core;
    this.#stride = stride;
  }

  /** An empty scan. stride: bytes of a view as `describeViews` makes them. core: any core; only its compiled module is shared. */
  static async open(core: Core, stride: number): Promise<ViewScan> {
    return new ViewScan(core, stride);
  }

  /** Files. */
  get size(): number {
    return this.#files.size;
  }

  has(fileId: number): boolean {
    return this.#files.has(fileId);
  }

  /** Adds a file's views, or replaces them. fileId: u32. views: as `describeViews` makes them; none removes the file. */
  add(fileId: number, views: Uint8Array): void {
    if (views.length === 0) this.#files.delete(fileId);
    else this.#files.set(fileId, views);
  }

  /** Removes a file; false when it was not there. */
  remove(fileId: number): boolean {
    return this.#files.delete(fileId);
  }

  /**
   * The k files that are nearest to the views of a query, or of those that `allow` lets through.
   * weights: of the query's views, their sum 1; default: all alike.
   */
  nearest(query: Uint8Array, k: number, allow?: (fileId: number) => boolean): NearestFiles {
    const count = query.length / this.#stride;
    const found: { fileId: number; distance: number }[] = [];
    const ids = [...this.#files.keys()].filter((fileId) => allow === undefined || allow(fileId));
    for (let first = 0; first < ids.length && count > 0; first += CHUNK) {
      const chunk = ids.slice(first, first + CHUNK);
      const { likeness } = compareViews(this.#core, query, chunk.map((id) => this.#files.get(id) as Uint8Array), this.#stride);
      for (const [i, fileId] of chunk.entries()) {
        let sum = 0;
        for (let view = 0; view < count; view++) sum += Math.log(1 - likeness[view * chunk.length + i] + NOISE) / count;
        found.push({ fileId, distance: sum });
      }
    }
    found.sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const nearest = found.slice(0, k);
    return { fileIds: Uint32Array.from(nearest, ({ fileId }) => fileId), distances: Float64Array.from(nearest, ({ distance }) => distance) };
  }
}
