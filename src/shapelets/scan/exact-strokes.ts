import { longerSide } from '../../content/geometry.js';
import { boxOf, crop, type Bitmap } from '../../bitmap/bitmap.js';
import { thin, traceLines } from '../../bitmap/skeleton.js';

/** Pixels by which a stroke of a hand leaves a straight line or a circle at most, and a drawn one in the middle. */
const OFF = 2.5;
const EXACT_OFF = 0.45;
/** Least piece that is looked for, and from which length on pieces tell anything: pixels, and shares of the drawing. */
const FIRST = 16;
const LEAST_PX = 40;
const LEAST_SHARE = 0.08;
const GROWTH = 1.4;

/**
 * Whether strokes were drawn by a program: most of their length are straight lines and arcs that they do not leave by
 * more than thinning does. A hand sways.
 */
export function areExact(ink: Bitmap): boolean {
  return swayOf(ink) <= EXACT_OFF;
}

/** By how much the strokes leave straight lines and circles: the median over their length, pixels. */
export function swayOf(ink: Bitmap): number {
  const box = boxOf(ink);
  if (box === undefined) return Infinity;
  const own = crop(ink, box, 2);
  const { chains } = traceLines(thin(own));
  const side = longerSide(box);
  const least = Math.max(LEAST_PX, LEAST_SHARE * side);
  const pieces: { readonly length: number; readonly off: number }[] = [];
  let all = 0;
  for (const { pixels } of chains) {
    if (pixels.length < least) continue;
    const [xs, ys] = [pixels.map((at) => at % own.width), pixels.map((at) => Math.floor(at / own.width))];
    const off = (from: number, to: number): number =>
      Math.min(offLine(xs, ys, from, to), offArc(xs, ys, { from, to }, side));
    for (let from = 0; from + 1 < pixels.length; ) {
      const to = endOfPiece(from, pixels.length - 1, (a, b) => off(a, b) < Infinity);
      if (to - from >= least) {
        pieces.push({ length: to - from, off: off(from, to) });
        all += to - from;
      }
      from = to;
    }
  }
  pieces.sort((a, b) => a.off - b.off);
  let before = 0;
  for (const { length, off } of pieces) if ((before += length) >= all / 2) return off;
  return Infinity;
}

/** The last place up to which a piece from a place on fits; it grows, and is made shorter where it does not fit. */
function endOfPiece(from: number, last: number, fits: (from: number, to: number) => boolean): number {
  let good = Math.min(last, from + FIRST),
    bad = Infinity;
  if (!fits(from, good)) return good;
  while (good < last && bad - good > 2) {
    const next = Math.min(last, bad === Infinity ? Math.ceil(from + GROWTH * (good - from)) : (good + bad) >> 1);
    if (fits(from, next)) good = next;
    else bad = next;
  }
  return good;
}

/** Root of the mean square by which a piece leaves the line between its ends; Infinity where it leaves it farther. */
function offLine(xs: Int32Array, ys: Int32Array, from: number, to: number): number {
  const [dx, dy] = [xs[to] - xs[from], ys[to] - ys[from]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return Infinity;
  let [sum, squares] = [0, 0];
  for (let i = from; i <= to; i++) {
    const off = ((xs[i] - xs[from]) * dy - (ys[i] - ys[from]) * dx) / length;
    if (Math.abs(off) > OFF) return Infinity;
    sum += off;
    squares += off * off;
  }
  return spread(sum, squares, to - from + 1);
}

/** The same for the circle through its ends and its middle, which is no larger than the drawing. */
function offArc(xs: Int32Array, ys: Int32Array, { from, to }: { from: number; to: number }, side: number): number {
  const middle = (from + to) >> 1;
  const [ax, ay] = [xs[middle] - xs[from], ys[middle] - ys[from]],
    [bx, by] = [xs[to] - xs[from], ys[to] - ys[from]];
  const cross = 2 * (ax * by - ay * bx);
  if (cross === 0) return Infinity;
  const [a, b] = [ax * ax + ay * ay, bx * bx + by * by];
  const [u, v] = [(by * a - ay * b) / cross, (ax * b - bx * a) / cross];
  const radius = Math.hypot(u, v);
  if (radius > side) return Infinity;
  let [sum, squares] = [0, 0];
  for (let i = from; i <= to; i++) {
    const off = Math.hypot(xs[i] - xs[from] - u, ys[i] - ys[from] - v) - radius;
    if (Math.abs(off) > OFF) return Infinity;
    sum += off;
    squares += off * off;
  }
  return spread(sum, squares, to - from + 1);
}

/** A piece whose ends are a pixel off lies beside its line evenly, so the mean does not count. */
function spread(sum: number, squares: number, count: number): number {
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
