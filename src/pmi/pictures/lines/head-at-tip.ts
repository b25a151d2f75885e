import type { Ink } from '../../../bitmap/binarise.js';
import type { Point } from '../../../content/geometry.js';

/** How far from a dimension line its head reaches at most, and how long heads are, in heights of most letters. */
const REACH = 0.3;
const LENGTH = [0.5, 2] as const;
/** Least reach, and what the extension line at the tip covers, pixels. */
const LEAST_REACH = 4;
const AT_TIP = 2;
/** How far from its place a line may be, pixels. */
const OFF = 2;
const MOST_DRIFT = 1.5;
const USUAL = 0.4;
/** A line across the dimension line is at least this dark on both sides of it; the one at the tip is no thicker. */
const ACROSS = 0.25;
const MOST_AT_TIP = 4;
/** What is paler than this share of the darkest pixel about it is paper. */
const PALE = 0.12;
/** The width of a head, as its moment about the line: least, pixels², and how often that of the line. */
const LEAST_MOMENT = 0.16;
const OF_LINE = 0.18;
/** The share of its largest moment at which a head begins and ends. */
const SLOPE = 0.25;
/** How much of its axis is ink. */
const INKED = 0.8;
const LOW = 0.2;
/** The share of the largest moment that a head has at its back, and all that is left behind it. */
const BACK = 0.6;
const BEHIND = 0.35;
const BACK_TO_BACK = 1.2;
/** Towards its tip it gets narrower: the first part beside the last one, and their shares of the length. */
const FIRST = 0.4;
const LAST = 0.6;
const NARROWER = 0.6;
/** In its middle it has at least this share of the largest moment: what grows at once is a dot, or a line across. */
const MIDDLE = [0.45, 0.75] as const;
const EVENLY = 0.04;

/** Where the tip of a head may be, and the direction in which it points, length 1. */
export interface TipPlace extends Point {
  readonly dx: number;
  readonly dy: number;
}

/**
 * The length of the head of an arrow that has its tip at a place; 0 where there is none. Heads of dimension
 * lines stay joined to their lines on most pages, and are no wider than three pixels on small ones: what tells them is
 * how much darkness there is beside the line, which grows evenly away from the tip and ends at once, of filled heads
 * and of open ones.
 * @param letter height of most letters, pixels.
 */
export function headAtTip({ width, height, darkness }: Ink, { x, y, dx, dy }: TipPlace, letter: number): number {
  const reach = Math.max(LEAST_REACH, Math.round(REACH * letter)),
    longest = Math.ceil(LENGTH[1] * letter);
  const side = 2 * reach + 1,
    count = longest - AT_TIP;
  const grid = new Float32Array(count * side);
  let most = 0;
  for (let k = 0; k < count; k++)
    for (let t = -reach; t <= reach; t++) {
      const s = -(k + AT_TIP);
      const dark = darkAt({ width, height, darkness }, x + s * dx - t * dy, y + s * dy + t * dx);
      grid[k * side + t + reach] = dark;
      if (dark > most) most = dark;
    }
  if (most === 0) return 0;
  // Up to the next line across, from behind the one at the tip.
  const isAcross = (k: number): boolean =>
    Math.min(grid[k * side], grid[k * side + 2 * reach]) > ACROSS * most && grid[k * side + reach] > ACROSS * most;
  let from = 0;
  while (from < MOST_AT_TIP && isAcross(from)) from++;
  let to = from;
  while (to < count && !isAcross(to)) to++;
  if (to < count) to--;
  if (to - from < 2) return 0;
  // Directions are known to a degree.
  const half = (to - from) >> 1;
  const near = middleOf(grid.subarray(from * side), { count: half, side, reach }),
    far = middleOf(grid.subarray((from + half) * side), { count: to - from - half, side, reach });
  const drift = Math.abs(far - near) > MOST_DRIFT ? 0 : (far - near) / half;
  const upper = new Float32Array(to - from),
    lower = new Float32Array(to - from);
  for (let k = from; k < to; k++)
    for (let t = -reach; t <= reach; t++) {
      const dark = grid[k * side + t + reach] / most;
      if (dark < PALE) continue;
      const off = t - near - drift * (k - from - half / 2);
      if (off < 0) upper[k - from] -= off * dark;
      else lower[k - from] += off * dark;
    }
  // What stands on one side alone is none of the head: a comma of the value.
  const moments = smoothed(upper.map((value, k) => 2 * Math.min(value, lower[k])));
  const length = lengthOfHead(moments, AT_TIP + from, LENGTH[0] * letter);
  // A head is filled, or its line goes on to its tip.
  let inked = 0;
  const own = length - AT_TIP - from;
  for (let k = 0; k < own; k++) {
    const at = (from + k) * side + reach + Math.round(near + drift * (k - half / 2));
    if (Math.max(grid[at - 1], grid[at], grid[at + 1]) > ACROSS * most) inked++;
  }
  return inked < INKED * own ? 0 : length;
}

/**
 * The length of a head, from its tip to its back; 0 where there is none.
 * @param moments of what is dark about the line, from place `first` on.
 */
function lengthOfHead(moments: Float32Array, first: number, least: number): number {
  const count = moments.length;
  if (count + first < least) return 0;
  const line = moments.toSorted()[Math.floor(LOW * count)];
  const beyond = moments.map((value) => Math.max(0, value - line));
  // The first one: a second one may stand back to back with it.
  const highest = Math.max(...beyond);
  let most = 0;
  // What is left of the line at the tip.
  while (most + 1 < count && beyond[most + 1] <= beyond[most]) most++;
  const foot = most;
  while (most + 1 < count && beyond[most] < BACK * highest) most++;
  while (most + 1 < count && beyond[most + 1] >= beyond[most]) most++;
  const best = beyond[most];
  if (best < Math.max(LEAST_MOMENT, OF_LINE * line)) return 0;
  let back = most;
  while (back + 1 < count && beyond[back + 1] >= BACK * best) back++;
  const length = back + 1 + first;
  if (length < least || back + 3 > count) return 0;
  // Two heads may stand back to back.
  const behind = beyond.subarray(back + 2, back + 2 + Math.max(3, Math.round(BACK_TO_BACK * length)));
  if (Math.min(...behind) > BEHIND * best) return 0;
  // Seen from the other end, a head grows at once and gets narrower slowly.
  let [rise, fall] = [0, 0];
  while (most - rise > foot && beyond[most - rise] > SLOPE * best) rise++;
  while (most + fall < count && beyond[most + fall] > SLOPE * best) fall++;
  if (rise < fall) return 0;
  const near = meanOf(beyond, foot, Math.max(foot + 1, FIRST * length - first)),
    far = meanOf(beyond, LAST * length - first, back + 1),
    middle = meanOf(beyond, MIDDLE[0] * length - first, MIDDLE[1] * length - first);
  return near > NARROWER * far || middle < EVENLY * best ? 0 : length;
}

/** The middle of the line: its place across is known to a pixel or two, and texts stand beside it. */
function middleOf(grid: Float32Array, { count, side, reach }: Record<'count' | 'side' | 'reach', number>): number {
  // What most columns have: heads and texts are darker there.
  const usual = Float32Array.from({ length: 2 * OFF + 5 }, (_, t) => {
    const column = Float32Array.from({ length: count }, (_, k) => grid[k * side + t + reach - OFF - 2]);
    return column.sort()[Math.floor(USUAL * count)];
  });
  let best = 2;
  for (let t = 2; t + 2 < usual.length; t++) if (usual[t] > usual[best]) best = t;
  const about = [-2, -1, 0, 1, 2].map((t) => best + t);
  const all = about.reduce((sum, t) => sum + usual[t], 0);
  return all === 0 ? 0 : about.reduce((sum, t) => sum + usual[t] * (t - OFF - 2), 0) / all;
}

function darkAt({ width, height, darkness }: Pick<Ink, 'width' | 'height' | 'darkness'>, x: number, y: number): number {
  const u = x - 0.5,
    v = y - 0.5;
  const left = Math.floor(u),
    top = Math.floor(v);
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 0;
  const p = u - left,
    q = v - top,
    at = top * width + left;
  return (
    (1 - q) * ((1 - p) * darkness[at] + p * darkness[at + 1]) +
    q * ((1 - p) * darkness[at + width] + p * darkness[at + width + 1])
  );
}

function smoothed(values: Float32Array): Float32Array {
  const last = values.length - 1;
  return values.map((value, i) => (values[Math.max(0, i - 1)] + value + values[Math.min(last, i + 1)]) / 3);
}

function meanOf(values: Float32Array, from: number, to: number): number {
  const part = values.subarray(Math.max(0, Math.floor(from)), Math.min(values.length, Math.ceil(to)));
  return part.length === 0 ? 0 : part.reduce((sum, value) => sum + value, 0) / part.length;
}
