import { TurnedFrame } from '../content/geometry.js';
import type { Sheet } from '../content/sheet.js';
import type { Frame } from './frames/drawn-frames.js';

/**
 * Strokes in one cell of a control frame, in the cell's own frame: y from 0 at the top to its number of rows at the
 * bottom, x in the same unit from the left bar.
 */
interface Shape {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly isRound: boolean;
  readonly isClosed: boolean;
}

/** A cell of a frame. */
export interface SignCell {
  readonly frame: Frame;
  /** Direction of the frame. */
  readonly angleRad: number;
  /** Number of the cell. */
  readonly number: number;
  /** Its height in rows of the frame, where several share its symbol; 1 by default. */
  readonly rows?: number;
  /** Strokes near it. */
  readonly strokes: readonly number[];
}

/** Tolerance for positions, as a share of a row's height. */
const NEAR = 0.09;
/** Least length of the shafts of run-out, as a share of a row's height; barbs are half as long. */
const SHAFT = 0.38;
/** Most strokes of a sign, chords of an arc counted as one. */
const MOST_STROKES = 24;
/** Most strokes in a cell whose chords are joined. */
const MOST_CHORDS = 240;
/** Ends of chords are so near to each other: a share of a row's height, and of the shorter chord. */
const AT_JOINT = [0.02, 0.4] as const;
/** Where chords of an arc meet they turn by less than this, radians, and all to one side. */
const MOST_TURN = 0.7;
/** Rounded coordinates may turn a short chord to the other side by so much. */
const SLIGHT = 0.06;
/** An arc has so many chords, which turn by so much in all, radians. */
const FEWEST_CHORDS = 5;
const LEAST_TURN = 1.5;

/**
 * The symbol of a geometric characteristic that is drawn by strokes in a cell of a frame, recognised by its circles,
 * arcs and straight lines (ISO 1101, ISO 7083); undefined for other strokes.
 */
export function drawnSign(sheet: Sheet, cell: SignCell): string | undefined {
  const shapes = shapesIn(sheet, cell);
  if (shapes.length === 0 || shapes.length > MOST_STROKES) return undefined;
  const rings = shapes.filter(({ isRound, isClosed }) => isRound && isClosed);
  const arcs = shapes.filter(({ isRound, isClosed }) => isRound && !isClosed);
  const lines = distinct(
    shapes
      .filter(({ isRound }) => !isRound)
      .flatMap(({ points }) => points.slice(1).map((end, i) => ({ start: points[i], end }))),
  );
  const level = lines.filter((line) => Math.abs(slopeOf(line)) < 0.12);
  const upright = lines.filter((line) => Math.abs(slopeOf(line)) > 6);
  const slanted = lines.filter((line) => Math.abs(slopeOf(line)) >= 0.12 && Math.abs(slopeOf(line)) <= 6);
  if (rings.length === 2) return '◎';
  if (rings.length === 1) {
    if (level.length > 0 && upright.length > 0) return '⌖';
    if (slanted.length >= 2) return '⌭';
    if (lines.length > 0) return undefined;
    // Half a disc drawn in one stroke is twice as wide as high.
    return proportionOf(rings[0]) > 1.35 ? '⌓' : '○';
  }
  if (arcs.length > 0) return level.length > 0 ? '⌓' : lines.length === 0 ? '⌒' : undefined;
  if (level.length === 3 && upright.length + slanted.length === 0) return '⌯';
  if (level.length === 1 && upright.length === 1 && slanted.length === 0) return '⊥';
  if (level.length >= 2 && slanted.length === 2) return '⏥';
  if (
    level.length === 0 &&
    upright.length === 0 &&
    slanted.length === 2 &&
    Math.abs(slopeOf(slanted[0]) - slopeOf(slanted[1])) < 0.4
  )
    return '∥';
  if (level.length === 1 && upright.length === 0 && slanted.length === 1) return '∠';
  if (level.length === 1 && upright.length + slanted.length === 0) return '⏤';
  const shafts = slanted.filter((line) => lengthOf(line) > SHAFT);
  if (shafts.length === 2) return '⌰';
  return shafts.length === 1 ? '↗' : undefined;
}

/** Whether a diameter symbol is drawn in a cell: a circle with a stroke through it. */
export function hasDiameterSign(sheet: Sheet, cell: SignCell): boolean {
  const shapes = shapesIn(sheet, cell);
  return shapes.some(({ isRound, isClosed, points }) => {
    if (!isRound || !isClosed) return false;
    const x = points.reduce((sum, point) => sum + point[0], 0) / points.length,
      y = points.reduce((sum, point) => sum + point[1], 0) / points.length;
    const radius = Math.hypot(points[0][0] - x, points[0][1] - y);
    return shapes.some(
      (other) =>
        !other.isRound &&
        other.points.length === 2 &&
        Math.hypot(
          (other.points[0][0] + other.points[1][0]) / 2 - x,
          (other.points[0][1] + other.points[1][1]) / 2 - y,
        ) <
          0.4 * radius &&
        lengthOf({ start: other.points[0], end: other.points[1] }) > 2.1 * radius,
    );
  });
}

function proportionOf({ points }: Shape): number {
  const xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  return (Math.max(...xs) - Math.min(...xs)) / Math.max(1e-9, Math.max(...ys) - Math.min(...ys));
}

interface Line {
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
}

function shapesIn(
  { strokes: { points, starts } }: Sheet,
  { frame: { top, bottom, bars, skew }, angleRad, number, strokes, rows = 1 }: SignCell,
): Shape[] {
  const turned = new TurnedFrame(angleRad);
  // The slanted sides of skewed boxes are longer than the boxes are high.
  const high = bottom - top,
    unit = Math.hypot(high, skew) / rows,
    left = bars[number],
    wide = (bars[number + 1] - left) / unit;
  const shapes: Shape[] = [];
  for (const stroke of strokes) {
    const placed: [number, number][] = [];
    let isInside = true;
    for (let i = starts[stroke]; i < starts[stroke + 1] && isInside; i++) {
      const s = turned.s(points[2 * i], points[2 * i + 1]),
        t = turned.t(points[2 * i], points[2 * i + 1]);
      const y = (rows * (t - top)) / high,
        x = (s - skew * (y / rows - 0.5) - left) / unit;
      isInside = x > 0.02 && x < wide - 0.02 && y > 0.02 && y < rows - 0.02;
      placed.push([x, y]);
    }
    if (isInside && placed.length > 1) shapes.push(shapeOf(placed));
  }
  return withRings(withArcs(shapes));
}

/** Strokes of few corners that follow each other and turn to one side are the chords of one arc. */
function withArcs(shapes: readonly Shape[]): Shape[] {
  const chords = shapes.filter(({ isRound }) => !isRound);
  if (chords.length > MOST_CHORDS) return [...shapes];
  const left = new Set(chords);
  const arcs: Shape[] = [];
  for (const first of chords) {
    if (!left.has(first)) continue;
    const own = new Set([first]);
    let points = first.points;
    // To its end, then from its start.
    for (let isForward = true; ; isForward = false) {
      for (let next = nextChord(points, left, own); next !== undefined; next = nextChord(points, left, own)) {
        own.add(next.chord);
        points = [...points, ...next.points.slice(1)];
      }
      points = points.toReversed();
      if (!isForward) break;
    }
    const arc = shapeOf(points);
    if (!arc.isRound) continue;
    for (const chord of own) left.delete(chord);
    arcs.push(arc);
  }
  return [...shapes.filter((shape) => shape.isRound || left.has(shape)), ...arcs];
}

/** The chord that goes on where points end, its points in that order; those that were drawn twice are passed over. */
function nextChord(
  points: Shape['points'],
  left: ReadonlySet<Shape>,
  own: ReadonlySet<Shape>,
): { readonly chord: Shape; readonly points: Shape['points'] } | undefined {
  const turned = turnsOf(points);
  for (const chord of left) {
    if (own.has(chord)) continue;
    for (const ordered of [chord.points, chord.points.toReversed()]) {
      const [last, start] = [points[points.length - 1], ordered[0]];
      const size = Math.min(distance(last, points[points.length - 2]), distance(start, ordered[1]));
      if (distance(last, start) > Math.min(AT_JOINT[0], AT_JOINT[1] * size)) continue;
      const turns = turnsOf([...points.slice(-2), ...ordered.slice(1)]);
      if (areOfArc([...turned, ...turns])) return { chord, points: ordered };
    }
  }
  return undefined;
}

/** By how much a stroke turns at each of its inner corners, radians. */
function turnsOf(points: Shape['points']): number[] {
  return points.slice(2).map((end, i) => {
    const [a, b] = [points[i], points[i + 1]];
    const [dx, dy, ex, ey] = [b[0] - a[0], b[1] - a[1], end[0] - b[0], end[1] - b[1]];
    return Math.atan2(dx * ey - dy * ex, dx * ex + dy * ey);
  });
}

/** Whether a stroke turns to one side alone, and nowhere sharply. */
function areOfArc(turns: readonly number[]): boolean {
  const side = Math.sign(turns.reduce((sum, turn) => sum + turn, 0));
  return turns.every((turn) => Math.abs(turn) < MOST_TURN && turn * side > -SLIGHT);
}

type Ends = readonly [start: Shape['points'][number], end: Shape['points'][number]];

/** Whether two strokes have the same ends, in either order. */
function haveSameEnds([a, b]: Ends, [c, d]: Ends): boolean {
  const isNear = (p: Ends[0], q: Ends[0]): boolean => Math.hypot(p[0] - q[0], p[1] - q[1]) < NEAR / 2;
  return (isNear(a, c) && isNear(b, d)) || (isNear(a, d) && isNear(b, c));
}

function endsOf({ points }: Shape): Ends {
  return [points[0], points[points.length - 1]];
}

/** Two arcs that end where the other begins are one circle. */
function withRings(shapes: readonly Shape[]): Shape[] {
  const isArc = ({ isRound, isClosed }: Shape): boolean => isRound && !isClosed;
  const kept: Shape[] = [];
  for (const shape of shapes) {
    const ends = endsOf(shape);
    const at = isArc(shape) ? kept.findIndex((other) => isArc(other) && haveSameEnds(endsOf(other), ends)) : -1;
    if (at < 0) kept.push(shape);
    else kept[at] = { points: [...kept[at].points, ...shape.points], isRound: true, isClosed: true };
  }
  return kept;
}

function shapeOf(points: Shape['points']): Shape {
  const turns = turnsOf(points);
  const isArc =
    points.length > FEWEST_CHORDS &&
    areOfArc(turns) &&
    Math.abs(turns.reduce((sum, turn) => sum + turn, 0)) > LEAST_TURN;
  const isClosed = distance(points[0], points[points.length - 1]) < NEAR;
  return { points, isRound: isArc || points.length > 7, isClosed };
}

function distance([x0, y0]: Ends[0], [x1, y1]: Ends[0]): number {
  return Math.hypot(x1 - x0, y1 - y0);
}

/** The longer lines, each once: some are drawn twice. */
function distinct(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  for (const line of lines) {
    const isNew = !kept.some(({ start, end }) => haveSameEnds([start, end], [line.start, line.end]));
    if (lengthOf(line) >= 0.12 && isNew) kept.push(line);
  }
  return kept;
}

function lengthOf({ start, end }: Line): number {
  return Math.hypot(end[0] - start[0], end[1] - start[1]);
}

function slopeOf({ start, end }: Line): number {
  const dx = end[0] - start[0],
    dy = end[1] - start[1];
  return Math.abs(dx) < 1e-6 ? 1e6 : dy / dx;
}
