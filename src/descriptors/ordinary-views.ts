import type { Core } from '../core/core.js';
import { loadBytes } from '../core/load-bytes.js';
import { compareViews } from '../core/views.js';
import { EngineError } from '../errors.js';
import { pickViews, VIEW_BYTES, VIEW_FLAG, viewAt, viewFacts } from './views.js';

/** Number of upright reference views, and of those turned so that their longest axis is horizontal. */
const COUNT_OF_A_SORT = 256;
/** Number of nearest reference views that are averaged. */
const NEAREST = 4;
/** Added to a distance before its logarithm is taken, so that the logarithm of 0 is finite. */
const NOISE = 0.02;
/**
 * Bounds of the returned distance. The lower one is about the error of a picture, also for a disc, which is near to
 * many views. The upper one keeps an unusual shape from being evidence for a model by being unusual alone.
 */
const LEAST = 0.12;
const MOST = 0.25;

/**
 * Reference views of parts that this project generates by code (`npm run bench -- learn/ordinary-views`); no user's
 * file is among them.
 */
export class OrdinaryViews {
  readonly #views: readonly Uint8Array[];

  /** Loads the reference views of this package. */
  static async load(): Promise<OrdinaryViews> {
    return new OrdinaryViews(await loadBytes(new URL('../tables/ordinary-views.bin', import.meta.url)));
  }

  /** @throws EngineError `CORE_FAILED` when the bytes are not those of this version. */
  constructor(bytes: Uint8Array) {
    const expected = 2 * COUNT_OF_A_SORT * VIEW_BYTES;
    if (bytes.length !== expected)
      throw new EngineError(
        'CORE_FAILED',
        `ordinary-views.bin is not of this version: ${bytes.length} bytes, expected ${expected}`,
      );
    this.#views = Array.from({ length: 2 * COUNT_OF_A_SORT }, (_, i) => viewAt(bytes, i));
  }

  /**
   * Distance of each view of a page from ordinary views: the geometric mean of the distances to the nearest four
   * reference views. Plain shapes such as rectangles are near to many. f32[count], 0.12 to 0.25, on the scale of 1 −
   * likeness.
   * @param views u8[count × VIEW_BYTES], as `describeViews` returns them.
   */
  measure(core: Core, views: Uint8Array): Float32Array {
    const distances = new Float32Array(views.length / VIEW_BYTES);
    for (const isFree of [false, true]) {
      const own = Array.from(distances.keys()).filter(
        (i) => ((viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0) === isFree,
      );
      if (own.length === 0) continue;
      const sort = isFree ? this.#views.slice(COUNT_OF_A_SORT) : this.#views.slice(0, COUNT_OF_A_SORT);
      const { likeness } = compareViews(core, pickViews(views, own), sort, VIEW_BYTES);
      for (const [at, i] of own.entries())
        distances[i] = meanOfNearest(likeness.subarray(at * COUNT_OF_A_SORT, (at + 1) * COUNT_OF_A_SORT));
    }
    return distances;
  }
}

function meanOfNearest(likeness: Float32Array): number {
  const nearest = new Float32Array(NEAREST).fill(-Infinity);
  for (const value of likeness) {
    if (value <= nearest[0]) continue;
    // The least of them leaves; the others move down.
    let at = 0;
    for (; at + 1 < NEAREST && nearest[at + 1] < value; at++) nearest[at] = nearest[at + 1];
    nearest[at] = value;
  }
  let sum = 0;
  for (const value of nearest) sum += Math.log(1 - value + NOISE) / NEAREST;
  return Math.min(MOST, Math.max(LEAST, Math.exp(sum) - NOISE));
}
