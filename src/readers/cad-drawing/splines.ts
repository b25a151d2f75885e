import type { PlanePoint as Point, StrokePath } from '../sheet/stroke-path.js';

/** Turn of the control polygon per chord, rad. */
const CHORD_RAD = Math.PI / 36;
const MOST_CHORDS_OF_SPAN = 36;
/** Chords of a spline, but for the two that each span has at least. */
const MOST_CHORDS = 200_000;
/**
 * A vertex of the control polygon turns as many spans as the degree, so a curve of high degree and many spans is far
 * smoother than its polygon: its turns count in so many spans at most.
 */
const MOST_SPANS_OF_TURN = 7;
/** Highest degree that is drawn. Real drawings stay below it, and evaluation time grows with its square. */
const HIGHEST_DEGREE = 25;

/**
 * Draws a B-spline curve (de Boor's algorithm), rational when there is a weight for each point. Invalid knots are
 * replaced by uniform ones.
 */
export function drawSpline(
  points: readonly Point[],
  degree: number,
  knots: readonly number[],
  weights: readonly number[],
  path: StrokePath,
): void {
  const { length } = points;
  if (!Number.isInteger(degree) || degree < 1 || degree > HIGHEST_DEGREE || length <= degree) return;
  const isRising =
    knots.length === length + degree + 1 &&
    knots.every((knot, i) => Number.isFinite(knot) && (i === 0 || knot >= knots[i - 1]));
  const u = isRising && knots[length] > knots[degree] ? knots : evenKnots(length, degree);
  const w =
    weights.length === length && weights.every((weight) => weight > 0 && Number.isFinite(weight)) ? weights : undefined;
  const curve: Spline = { points, weights: w, knots: u, degree };
  let spans = 0;
  for (let span = degree; span < length; span++) if (u[span + 1] > u[span]) spans++;
  const share = Math.min(1, MOST_SPANS_OF_TURN / Math.min(degree, spans));
  const mostChords = Math.max(2, Math.min(Math.ceil(share * MOST_CHORDS_OF_SPAN), Math.floor(MOST_CHORDS / spans)));
  let isFirst = true;
  for (let span = degree; span < length; span++) {
    if (!(u[span + 1] > u[span])) continue;
    const turn = share * turnOf(points, span - degree, span);
    const chords = degree === 1 ? 1 : Math.min(mostChords, Math.max(2, Math.ceil(turn / CHORD_RAD)));
    for (let i = isFirst ? 0 : 1; i <= chords; i++) {
      place(curve, span, u[span] + ((u[span + 1] - u[span]) * i) / chords);
      const weight = w === undefined ? 1 : W[degree];
      const x = X[degree] / weight,
        y = Y[degree] / weight;
      if (isFirst) path.move(x, y);
      else path.line(x, y);
      isFirst = false;
    }
  }
}

/** Draws a smooth curve through points (Catmull and Rom, 1974). */
export function drawFitted(points: readonly Point[], isClosed: boolean, path: StrokePath): void {
  const { length } = points;
  if (length < 2) return;
  const at = (i: number): Point =>
    isClosed ? points[(i + length) % length] : points[Math.max(0, Math.min(length - 1, i))];
  path.move(...points[0]);
  for (let i = 0; i < (isClosed ? length : length - 1); i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path.curve(
      [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6],
      [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6],
      to,
    );
  }
  if (isClosed) path.close();
}

function evenKnots(points: number, degree: number): number[] {
  return Array.from({ length: points + degree + 1 }, (_, i) => Math.max(0, Math.min(points - degree, i - degree)));
}

/** Total turn of the control polygon between two of its points, rad. */
function turnOf(points: readonly Point[], from: number, to: number): number {
  let turn = 0;
  for (let i = Math.max(1, from); i < to; i++) {
    const ax = points[i][0] - points[i - 1][0],
      ay = points[i][1] - points[i - 1][1],
      bx = points[i + 1][0] - points[i][0],
      by = points[i + 1][1] - points[i][1];
    turn += Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by));
  }
  return turn;
}

interface Spline {
  readonly points: readonly Point[];
  readonly weights: readonly number[] | undefined;
  readonly knots: readonly number[];
  readonly degree: number;
}

/** The control points of the span that is drawn, times their weights, and the weights where there are any. */
const X = new Float64Array(HIGHEST_DEGREE + 1),
  Y = new Float64Array(HIGHEST_DEGREE + 1),
  W = new Float64Array(HIGHEST_DEGREE + 1);

/** Leaves the point at parameter `t`, which lies in the knot span `span`, as the last one of `X`, `Y` and `W`. */
function place({ points, weights, knots: u, degree }: Spline, span: number, t: number): void {
  const first = span - degree;
  for (let i = 0; i <= degree; i++) {
    const weight = weights?.[first + i] ?? 1;
    const [x, y] = points[first + i];
    X[i] = x * weight;
    Y[i] = y * weight;
    W[i] = weight;
  }
  for (let level = 1; level <= degree; level++) {
    for (let i = degree; i >= level; i--) {
      const low = u[first + i],
        high = u[span + 1 + i - level];
      const share = high > low ? (t - low) / (high - low) : 0;
      X[i] = (1 - share) * X[i - 1] + share * X[i];
      Y[i] = (1 - share) * Y[i - 1] + share * Y[i];
      if (weights !== undefined) W[i] = (1 - share) * W[i - 1] + share * W[i];
    }
  }
}
