import type { Core } from '../core/core.js';
import { compareViews } from '../core/views.js';
import { EngineError } from '../errors.js';
import { VIEW_BYTES, VIEW_FLAG, viewFacts } from './views.js';

/** Views that stand upright, and as many that were laid along their longest axis. */
const COUNT_OF_A_SORT = 256;
/** So many of the nearest are taken together. */
const NEAREST = 4;
/** Keeps the logarithm of a distance within bounds. */
const NOISE = 0.02;
/** Bounds of what is returned: even of a disc all else lies farther than the error of a picture, and no shape speaks for a model by being strange alone. */
const LEAST = 0.12;
const MOST = 0.25;

/** Views of parts made by code, to measure against: no file of anybody's library is in them (`npm run bench -- learn/view-axes && npm run bench -- learn/ordinary-views`). */
export class OrdinaryViews {
  readonly #views: readonly Uint8Array[];

  /** @throws EngineError `CORE_FAILED` when the bytes are not those of this version. */
  constructor(bytes: Uint8Array) {
    const expected = 2 * COUNT_OF_A_SORT * VIEW_BYTES;
    if (bytes.length !== expected)
      throw new EngineError(
        'CORE_FAILED',
        `ordinary-views.bin is not that of this version: ${bytes.length} bytes, expected ${expected}`,
      );
    this.#views = Array.from({ length: 2 * COUNT_OF_A_SORT }, (_, i) =>
      bytes.slice(i * VIEW_BYTES, (i + 1) * VIEW_BYTES),
    );
  }

  /**
   * How far ordinary views lie from each of these views of a page: the geometric mean of the distances of the nearest four. Plain shapes, a
   * rectangle say, lie near many. From 0.12 to 0.25; f32 a view, the scale of 1 minus likeness. views: as `describeViews` makes them.
   */
  measure(core: Core, views: Uint8Array): Float32Array {
    const distances = new Float32Array(views.length / VIEW_BYTES);
    for (const isFree of [false, true]) {
      const own = Array.from(distances.keys()).filter(
        (i) => ((viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0) === isFree,
      );
      if (own.length === 0) continue;
      const joined = new Uint8Array(own.length * VIEW_BYTES);
      for (const [at, i] of own.entries())
        joined.set(views.subarray(i * VIEW_BYTES, (i + 1) * VIEW_BYTES), at * VIEW_BYTES);
      const sort = isFree ? this.#views.slice(COUNT_OF_A_SORT) : this.#views.slice(0, COUNT_OF_A_SORT);
      const { likeness } = compareViews(core, joined, sort, VIEW_BYTES);
      for (const [at, i] of own.entries())
        distances[i] = meanOfNearest(likeness.slice(at * COUNT_OF_A_SORT, (at + 1) * COUNT_OF_A_SORT));
    }
    return distances;
  }
}

function meanOfNearest(likeness: Float32Array): number {
  let sum = 0;
  for (const value of likeness.sort().subarray(-NEAREST)) sum += Math.log(1 - value + NOISE) / NEAREST;
  return Math.min(MOST, Math.max(LEAST, Math.exp(sum) - NOISE));
}
