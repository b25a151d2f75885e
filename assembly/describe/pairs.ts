import { reserve, mark, reset } from '../arena';
import { DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';

/**
 * Histogram of point pairs (after Drost et al. 2010, "Model globally, match locally", and Osada et al. 2002, D2):
 * distance of two points of the surface, and angles of their normals with each other and with the line between them.
 */

const DISTANCE_BINS: i32 = 12;
const NORMAL_BINS: i32 = 4;
const LINE_BINS: i32 = 10;
export const PAIRS_LENGTH: i32 = DISTANCE_BINS * NORMAL_BINS * LINE_BINS;
export const ANGLES_LENGTH: i32 = 36;

/** xorshift32 (Marsaglia 2003). */
let state: u32 = 1;
// @ts-ignore: decorator
@inline
function random(): u32 {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/**
 * points, normals: f32[3 * count], unit normals (signs do not matter). Each point is paired with `partners` others.
 * histogram: f32[PAIRS_LENGTH] out, square roots of shares: [distance over three mean distances][|n1·n2|][|n1·d|,
 * |n2·d|]. angles: f32[ANGLES_LENGTH] out, square roots of shares of the angle between the normals, 0 to 90°.
 */
export function pairHistogram(
  points: usize, normals: usize, count: i32, partners: i32, seed: u32, histogram: usize, angles: usize,
): i32 {
  const scratch = mark();
  const order = reserve(<u32>count * 4);
  if (order == 0) return OUT_OF_MEMORY;
  state = seed | 1;
  for (let i = 0; i < count; i++) store<i32>(order + (<usize>i << 2), i);
  for (let i = count - 1; i > 0; i--) {
    const j = <i32>(random() % <u32>(i + 1));
    const held = load<i32>(order + (<usize>i << 2));
    store<i32>(order + (<usize>i << 2), load<i32>(order + (<usize>j << 2)));
    store<i32>(order + (<usize>j << 2), held);
  }
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) {
    for (let k = 1; k <= partners; k++) {
      const a = points + <usize>load<i32>(order + (<usize>i << 2)) * 12;
      const b = points + <usize>load<i32>(order + (<usize>((i + k) % count) << 2)) * 12;
      const dx = load<f32>(b) - load<f32>(a), dy = load<f32>(b, 4) - load<f32>(a, 4),
          dz = load<f32>(b, 8) - load<f32>(a, 8);
      sum += <f64>sqrt<f32>(dx * dx + dy * dy + dz * dz);
    }
  }
  if (!(sum > 0)) { reset(scratch); return NO_GEOMETRY; }
  const pairs = <f64>count * <f64>partners;
  const distanceScale: f32 = <f32>(<f64>DISTANCE_BINS / (3 * sum / pairs));
  memory.fill(histogram, 0, PAIRS_LENGTH << 2);
  memory.fill(angles, 0, ANGLES_LENGTH << 2);
  for (let i = 0; i < count; i++) {
    for (let k = 1; k <= partners; k++) {
      const ia = <usize>load<i32>(order + (<usize>i << 2)) * 12;
      const ib = <usize>load<i32>(order + (<usize>((i + k) % count) << 2)) * 12;
      const dx = load<f32>(points + ib) - load<f32>(points + ia);
      const dy = load<f32>(points + ib, 4) - load<f32>(points + ia, 4);
      const dz = load<f32>(points + ib, 8) - load<f32>(points + ia, 8);
      const ax = load<f32>(normals + ia), ay = load<f32>(normals + ia, 4), az = load<f32>(normals + ia, 8);
      const bx = load<f32>(normals + ib), by = load<f32>(normals + ib, 4), bz = load<f32>(normals + ib, 8);
      const distance = sqrt<f32>(dx * dx + dy * dy + dz * dz);
      const inverse: f32 = distance > 0 ? 1 / distance : 0;
      const between = min<f32>(1, abs<f32>(ax * bx + ay * by + az * bz));
      const alongA = abs<f32>(ax * dx + ay * dy + az * dz) * inverse;
      const alongB = abs<f32>(bx * dx + by * dy + bz * dz) * inverse;
      const q = min<i32>(3, <i32>(alongA * 4)), r = min<i32>(3, <i32>(alongB * 4));
      const low = min(q, r), high = max(q, r);
      const line = (high * (high + 1) >> 1) + low;
      const bin = (min<i32>(DISTANCE_BINS - 1, <i32>(distance * distanceScale)) * NORMAL_BINS
          + min<i32>(3, <i32>(between * 4))) * LINE_BINS + line;
      const at = histogram + (<usize>bin << 2);
      store<f32>(at, load<f32>(at) + 1);
      const angle = Mathf.acos(between) * <f32>(ANGLES_LENGTH * 2 / Math.PI);
      const angleAt = angles + (<usize>min<i32>(ANGLES_LENGTH - 1, <i32>angle) << 2);
      store<f32>(angleAt, load<f32>(angleAt) + 1);
    }
  }
  const share: f32 = <f32>(1 / pairs);
  for (let i: usize = 0; i < <usize>PAIRS_LENGTH; i++)
    store<f32>(histogram + (i << 2), sqrt<f32>(load<f32>(histogram + (i << 2)) * share));
  for (let i: usize = 0; i < <usize>ANGLES_LENGTH; i++)
    store<f32>(angles + (i << 2), sqrt<f32>(load<f32>(angles + (i << 2)) * share));
  reset(scratch);
  return DONE;
}
