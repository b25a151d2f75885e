import type { PlanePoint as Point, StrokePath } from '../sheet/stroke-path.js';

/** Turn of the control polygon per chord, rad. */
const CHORD_RAD = Math.PI / 36;
const MOST_CHORDS_OF_SPAN = 36;
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
  let isFirst = true;
  for (let span = degree; span < length; span++) {
    if (!(u[span + 1] > u[span])) continue;
    const chords =
      degree === 1
        ? 1
        : Math.min(MOST_CHORDS_OF_SPAN, Math.max(2, Math.ceil(turnOf(points, span - degree, span) / CHORD_RAD)));
    for (let i = isFirst ? 0 : 1; i <= chords; i++) {
      const [x, y] = pointAt(
        { points, weights: w, knots: u, degree },
        span,
        u[span] + ((u[span + 1] - u[span]) * i) / chords,
      );
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

/** The point at parameter `t`, which lies in the knot span `span`. */
function pointAt({ points, weights, knots: u, degree }: Spline, span: number, t: number): [number, number] {
  const x: number[] = [],
    y: number[] = [],
    w: number[] = [];
  for (let i = span - degree; i <= span; i++) {
    const weight = weights?.[i] ?? 1;
    x.push(points[i][0] * weight);
    y.push(points[i][1] * weight);
    w.push(weight);
  }
  for (let level = 1; level <= degree; level++) {
    for (let i = degree; i >= level; i--) {
      const low = u[span - degree + i],
        high = u[span + 1 + i - level];
      const share = high > low ? (t - low) / (high - low) : 0;
      x[i] = (1 - share) * x[i - 1] + share * x[i];
      y[i] = (1 - share) * y[i - 1] + share * y[i];
      w[i] = (1 - share) * w[i - 1] + share * w[i];
    }
  }
  return [x[degree] / w[degree], y[degree] / w[degree]];
}
