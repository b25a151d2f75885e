import type { Arc } from '../../content/sheet.js';
import { limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { applyTo, IDENTITY, type Affine } from '../geometry/affine.js';
import { GrowableF64 } from '../geometry/growable.js';

/** Chords of a full circle; they stay within 0.1 % of its radius. */
const CHORDS_OF_CIRCLE = 72;
const CHORD_RAD = (2 * Math.PI) / CHORDS_OF_CIRCLE;
/** Points allowed per allowed stroke: splines and circles have more, lines fewer. */
const POINTS_PER_STROKE = 4;
/** Coordinates beyond this are not drawn; some writers put 1e20 for "nowhere". */
export const FARTHEST = 1e15;

/** A point of the plane. */
export type PlanePoint = readonly [x: number, y: number];

/** Counts the strokes and points of all sheets of one file. */
export class SheetBudget {
  readonly #format: string;
  readonly #limits: Limits;
  #strokes = 0;
  #points = 0;

  constructor(format: string, limits: Limits) {
    this.#format = format;
    this.#limits = limits;
  }

  /**
   * Counts strokes and points.
   * @throws EngineError `LIMIT_EXCEEDED` for more strokes than `limits.entities`, or more than four times as many
   * points.
   */
  count(strokes: number, points: number): void {
    this.#strokes += strokes;
    this.#points += points;
    const { entities } = this.#limits;
    if (this.#strokes <= entities && this.#points <= POINTS_PER_STROKE * entities) return;
    const found = Math.max(this.#strokes, Math.ceil(this.#points / POINTS_PER_STROKE));
    throw limitExceeded(`the ${this.#format} file`, 'limits.entities', entities, found);
  }
}

/**
 * Draws strokes: lines, arcs and curves go through `map` and become polylines. A stroke ends when the next one begins,
 * or at a coordinate that is not finite.
 */
export abstract class StrokePath {
  /** From the frame of the calls to the frame of the strokes. */
  map: Affine = IDENTITY;
  protected readonly budget: SheetBudget;
  /** Points of the open stroke, mapped. */
  readonly #open = new GrowableF64();
  #openArc: Omit<Arc, 'stroke'> | undefined;
  #lastX = 0;
  #lastY = 0;
  #hasLast = false;

  constructor(budget: SheetBudget) {
    this.budget = budget;
  }

  /** Starts a stroke. */
  move(x: number, y: number): void {
    this.end();
    this.#add(x, y);
    this.#remember(x, y);
  }

  line(x: number, y: number): void {
    this.#resume();
    this.#add(x, y);
    this.#remember(x, y);
  }

  /** Draws a stroke through points. */
  polyline(points: Iterable<PlanePoint>, isClosed = false): void {
    let isFirst = true;
    for (const [x, y] of points) {
      if (isFirst) this.move(x, y);
      else this.line(x, y);
      isFirst = false;
    }
    if (isClosed) this.close();
  }

  /** Continues with a cubic Bézier curve: two control points and the end point. */
  curve([x1, y1]: PlanePoint, [x2, y2]: PlanePoint, [x3, y3]: PlanePoint): void {
    this.#resume();
    const x0 = this.#lastX,
      y0 = this.#lastY;
    const turn = angleBetween(x1 - x0, y1 - y0, x2 - x1, y2 - y1) + angleBetween(x2 - x1, y2 - y1, x3 - x2, y3 - y2);
    const chords = Math.min(CHORDS_OF_CIRCLE, Math.max(1, Math.ceil(turn / CHORD_RAD)));
    for (let i = 1; i < chords; i++) {
      const t = i / chords,
        s = 1 - t;
      const a = s * s * s,
        b = 3 * s * s * t,
        c = 3 * s * t * t,
        d = t * t * t;
      this.#add(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
    }
    this.#add(x3, y3);
    this.#remember(x3, y3);
  }

  /**
   * Draws a separate stroke: a circle or arc about x, y. It is recorded as an arc unless `map` makes it an ellipse.
   * Angles turn from x to y.
   */
  arc(x: number, y: number, radius: number, startRad: number, sweepRad: number): void {
    if (![x, y, radius, startRad, sweepRad].every(Number.isFinite) || !(radius > 0) || sweepRad === 0) return;
    const sweep = Math.max(-2 * Math.PI, Math.min(2 * Math.PI, sweepRad));
    this.move(x + radius * Math.cos(startRad), y + radius * Math.sin(startRad));
    this.#turn(x, y, radius, startRad, sweep);
    const [cx, cy] = applyTo(this.map, x, y);
    const size = similarityOf(this.map);
    if (size !== 0 && this.#open.length >= 4) {
      const [sx, sy] = [this.#open.values[0], this.#open.values[1]];
      this.#openArc = {
        x: cx,
        y: cy,
        radius: radius * Math.abs(size),
        startRad: Math.atan2(sy - cy, sx - cx),
        sweepRad: size < 0 ? -sweep : sweep,
      };
    }
    this.end();
  }

  /** Continues the stroke along a circle about x, y, from the current point, which lies on it. */
  arcOn(x: number, y: number, sweepRad: number): void {
    this.#resume();
    const radius = Math.hypot(this.#lastX - x, this.#lastY - y);
    if (!(radius > 0) || !Number.isFinite(sweepRad)) return;
    this.#turn(
      x,
      y,
      radius,
      Math.atan2(this.#lastY - y, this.#lastX - x),
      Math.max(-2 * Math.PI, Math.min(2 * Math.PI, sweepRad)),
    );
  }

  /** Closes the stroke and ends it. */
  close(): void {
    if (this.#open.length < 4) return;
    const [x, y] = this.#open.values;
    this.#addMapped(x, y);
    this.end();
    this.#hasLast = false;
  }

  /** Receives a stroke that has ended; `points` are overwritten afterwards. */
  protected abstract put(points: Float64Array, arc: Omit<Arc, 'stroke'> | undefined): void;

  /** Ends the open stroke. */
  protected end(): void {
    const { length } = this.#open;
    const arc = this.#openArc;
    this.#openArc = undefined;
    this.#open.length = 0;
    if (length >= 4) this.put(this.#open.values.subarray(0, length), arc);
  }

  #remember(x: number, y: number): void {
    this.#lastX = x;
    this.#lastY = y;
    this.#hasLast = Number.isFinite(x) && Number.isFinite(y);
  }

  /** After a close or a change of style, a path continues at the last point. */
  #resume(): void {
    if (this.#open.length === 0 && this.#hasLast) this.#add(this.#lastX, this.#lastY);
  }

  #turn(x: number, y: number, radius: number, start: number, sweep: number): void {
    const chords = Math.max(1, Math.ceil(Math.abs(sweep) / CHORD_RAD - 1e-9));
    for (let i = 1; i <= chords; i++) {
      const angle = start + (sweep * i) / chords;
      this.#add(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
    // A circle ends exactly at its start.
    if (Math.abs(sweep) === 2 * Math.PI && this.#open.length >= 4) {
      this.#open.values[this.#open.length - 2] = this.#open.values[0];
      this.#open.values[this.#open.length - 1] = this.#open.values[1];
    }
    this.#remember(x + radius * Math.cos(start + sweep), y + radius * Math.sin(start + sweep));
  }

  #add(x: number, y: number): void {
    const [px, py] = applyTo(this.map, x, y);
    if (Math.abs(px) < FARTHEST && Math.abs(py) < FARTHEST) this.#addMapped(px, py);
    else this.end();
  }

  #addMapped(x: number, y: number): void {
    const { values, length } = this.#open;
    if (length >= 2 && values[length - 2] === x && values[length - 1] === y) return;
    this.budget.count(0, 1);
    this.#open.push(x);
    this.#open.push(y);
  }
}

/** Collects strokes without clipping or styles. */
export class StrokeList extends StrokePath {
  readonly #strokes: Float64Array[] = [];

  /** The strokes drawn so far, each as x, y pairs. */
  strokes(): readonly Float64Array[] {
    this.end();
    return this.#strokes;
  }

  protected override put(points: Float64Array): void {
    this.#strokes.push(points.slice());
  }
}

/** The scale of a similarity, negative when it mirrors; 0 for a map that is not a similarity. */
export function similarityOf([a, b, c, d]: Affine): number {
  const first = Math.hypot(a, b),
    second = Math.hypot(c, d);
  const even = first > 0 && Math.abs(first - second) <= 1e-6 * first && Math.abs(a * c + b * d) <= 1e-6 * first * first;
  return even ? Math.sign(a * d - b * c) * first : 0;
}

function angleBetween(ax: number, ay: number, bx: number, by: number): number {
  return Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by));
}
