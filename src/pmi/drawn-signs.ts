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
/** Most strokes of a sign. */
const MOST_STROKES = 24;

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
  return withRings(shapes);
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

function shapeOf(points: [number, number][]): Shape {
  const [first, last] = [points[0], points[points.length - 1]];
  return { points, isRound: points.length > 7, isClosed: Math.hypot(last[0] - first[0], last[1] - first[1]) < NEAR };
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
