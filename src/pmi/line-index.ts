import { cornersOf, lengthOf, type Segment, type TurnedFrame } from '../content/geometry.js';
import { addTo } from '../content/groups.js';
import type { Sheet } from '../content/sheet.js';

/** A straight piece of a stroke, sheet units. */
export interface Edge extends Segment {
  readonly stroke: number;
}

/** A circle that is drawn as one stroke. */
export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly stroke: number;
}

/** An ellipse that is drawn as one stroke: a circle in the plane of a pictorial view. */
export interface Ellipse {
  readonly x: number;
  readonly y: number;
  /** Its longer and its shorter half axis. */
  readonly major: number;
  readonly minor: number;
  /** a, b, c of a u² + b uv + c v² = 1 about its middle. */
  readonly conic: readonly [number, number, number];
}

/** Cells per side of the grid. */
const CELLS = 96;
/** Strokes with more corners are curves; their chords are not lines. */
const MOST_CORNERS = 8;
const FEWEST_RING_CORNERS = 8;
const MOST_RING_CORNERS = 400;
/** Most edges that one query returns: an area with more is hatched or a picture. */
const MOST_NEAR = 3_000;
/** Answers that are kept for the same question. */
const MOST_ANSWERS = 64;
/**
 * A circle's corners may be off by this share of its radius; those of a small one, a share of the sheet, are rounded.
 */
const ROUND = 0.06;
const SMALL_ROUND = 0.12;
const SMALL = 0.0015;
/** The shorter axis of an ellipse is at least this share of the longer one. */
const FLATTEST = 0.35;
/** Most ellipses of a sheet. */
const MOST_ELLIPSES = 5_000;

/** Spatial index of the straight edges and the circles of a sheet. */
export class LineIndex {
  /** In ascending order of strokes. */
  readonly rings: readonly Ring[];
  /** Those that are no rings, in ascending order of strokes. */
  readonly ellipses: readonly Ellipse[];
  readonly #edges: Edge[] = [];
  /** Strokes, curves included, by the cell of their first corner. */
  readonly #strokes = new Map<number, number[]>();
  readonly #cells = new Map<number, number[]>();
  readonly #cell: number;
  /** u32 per edge: the number of the last query that returned it. */
  #seen: Uint32Array | undefined;
  #questions = 0;
  #found: Uint32Array | undefined;
  /** Edges by the cells that they were asked of. */
  readonly #answers = new Map<number, readonly Edge[]>();

  constructor(sheet: Sheet) {
    const {
      strokes: { count, points, starts, styles },
    } = sheet;
    this.#cell = Math.max(sheet.width, sheet.height, 1e-6) / CELLS;
    const rings: Ring[] = [];
    const ellipses: Ellipse[] = [];
    const small = SMALL * Math.max(sheet.width, sheet.height);
    for (let stroke = 0; stroke < count; stroke++) {
      const corners = starts[stroke + 1] - starts[stroke];
      const cell =
        this.#cellOf(points[2 * starts[stroke]]) * (CELLS + 2) + this.#cellOf(points[2 * starts[stroke] + 1]);
      addTo(this.#strokes, cell, stroke);
      if (corners > FEWEST_RING_CORNERS && corners <= MOST_RING_CORNERS) {
        const ring = ringOf(points, starts[stroke], starts[stroke + 1], stroke, small);
        if (ring !== undefined) rings.push(ring);
        else if (ellipses.length < MOST_ELLIPSES) {
          const ellipse = ellipseOf(points, starts[stroke], starts[stroke + 1]);
          if (ellipse !== undefined) ellipses.push(ellipse);
        }
      }
      if (corners > MOST_CORNERS || sheet.styles[styles[stroke]].isFill) continue;
      for (let i = starts[stroke]; i + 1 < starts[stroke + 1]; i++)
        this.#add({ x0: points[2 * i], y0: points[2 * i + 1], x1: points[2 * i + 2], y1: points[2 * i + 3], stroke });
    }
    this.rings = rings;
    this.ellipses = ellipses;
  }

  /** All straight pieces, in ascending order of strokes. */
  get edges(): readonly Edge[] {
    return this.#edges;
  }

  /** Edges that may pass through a square around a point, each once, in ascending order. */
  near(x: number, y: number, reach: number): readonly Edge[] {
    const left = this.#cellOf(x - reach),
      right = this.#cellOf(x + reach),
      top = this.#cellOf(y - reach),
      bottom = this.#cellOf(y + reach);
    // Texts that lie upon each other, and the questions that are asked of one text, have the same cells.
    const cells = [left, right, top, bottom].reduce((key, cell) => key * (CELLS + 1) + cell, 0);
    const known = this.#answers.get(cells);
    if (known !== undefined) return known;
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.clear();
    const edges = this.#edgesIn(left, right, top, bottom);
    this.#answers.set(cells, edges);
    return edges;
  }

  #edgesIn(left: number, right: number, top: number, bottom: number): Edge[] {
    this.#seen ??= new Uint32Array(this.#edges.length);
    const seen = this.#seen,
      question = ++this.#questions;
    this.#found ??= new Uint32Array(MOST_NEAR);
    let count = 0;
    for (let column = left; column <= right && count < MOST_NEAR; column++) {
      for (let row = top; row <= bottom && count < MOST_NEAR; row++) {
        for (const edge of this.#cells.get(column * (CELLS + 2) + row) ?? []) {
          if (seen[edge] === question) continue;
          seen[edge] = question;
          this.#found[count] = edge;
          if (++count >= MOST_NEAR) break;
        }
      }
    }
    return Array.from(this.#found.subarray(0, count).sort(), (edge) => this.#edges[edge]);
  }

  /** Edges near a place of a turned frame, as that frame sees them. */
  nearIn(frame: TurnedFrame, s: number, t: number, reach: number): readonly Edge[] {
    const { x, y } = frame.point(s, t);
    const edges = this.near(x, y, reach);
    return frame.isLevel ? edges : edges.map((edge) => frame.turned(edge));
  }

  /** Strokes that may begin in a square around a point, ascending. */
  strokesNear(x: number, y: number, reach: number): number[] {
    const found: number[] = [];
    for (let column = this.#cellOf(x - reach); column <= this.#cellOf(x + reach); column++) {
      for (let row = this.#cellOf(y - reach); row <= this.#cellOf(y + reach); row++)
        found.push(...(this.#strokes.get(column * (CELLS + 2) + row) ?? []).slice(0, MOST_NEAR));
    }
    return found.sort((a, b) => a - b).slice(0, MOST_NEAR);
  }

  #add(edge: Edge): void {
    const number = this.#edges.push(edge) - 1;
    // Two samples per cell length, so that a cell is missed only at its corner.
    const steps = Math.max(1, Math.min(4 * CELLS, Math.ceil((2 * lengthOf(edge)) / this.#cell)));
    let last = -1;
    for (let i = 0; i <= steps; i++) {
      const at =
        this.#cellOf(edge.x0 + ((edge.x1 - edge.x0) * i) / steps) * (CELLS + 2) +
        this.#cellOf(edge.y0 + ((edge.y1 - edge.y0) * i) / steps);
      if (at === last) continue;
      last = at;
      addTo(this.#cells, at, number);
    }
  }

  #cellOf(value: number): number {
    return Math.max(0, Math.min(CELLS, Math.floor(value / this.#cell)));
  }
}

/** @param small radius up to which a circle's corners may be further off. */
function ringOf(points: Float32Array, start: number, end: number, stroke: number, small: number): Ring | undefined {
  const { x0, y0, x1, y1 } = cornersOf(points, start, end);
  const x = (x0 + x1) / 2,
    y = (y0 + y1) / 2;
  // Of a polygon that stands for a circle, not of the box around it: eight corners are 8 % further off than the sides.
  let radius = 0;
  for (let i = start; i < end; i++) radius += Math.hypot(points[2 * i] - x, points[2 * i + 1] - y) / (end - start);
  if (
    !(radius > 0) ||
    Math.hypot(points[2 * start] - points[2 * end - 2], points[2 * start + 1] - points[2 * end - 1]) > 0.2 * radius
  )
    return undefined;
  const slack = (radius > small ? ROUND : SMALL_ROUND) * radius;
  for (let i = start; i < end; i++)
    if (Math.abs(Math.hypot(points[2 * i] - x, points[2 * i + 1] - y) - radius) > slack) return undefined;
  return { x, y, radius, stroke };
}

/** The closed stroke as an ellipse: least squares of a u² + b uv + c v² = 1 about the middle of its box. */
function ellipseOf(points: Float32Array, start: number, end: number): Ellipse | undefined {
  const { x0, y0, x1, y1 } = cornersOf(points, start, end);
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const size = Math.max(x1 - x0, y1 - y0) / 2;
  const gap = Math.hypot(points[2 * start] - points[2 * end - 2], points[2 * start + 1] - points[2 * end - 1]);
  if (!(size > 0) || gap > 0.2 * size) return undefined;
  // Normal equations of three unknowns, in units of the size.
  const sums = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const u = (points[2 * i] - x) / size,
      v = (points[2 * i + 1] - y) / size;
    const [p, q, r] = [u * u, u * v, v * v];
    for (const [at, value] of [p * p, p * q, p * r, q * r, r * r, p, q, r].entries()) sums[at] += value;
  }
  const [pp, pq, pr, qr, rr, p, q, r] = sums;
  const qq = pr; // (uv)² is u² v².
  const det = pp * (qq * rr - qr * qr) - pq * (pq * rr - qr * pr) + pr * (pq * qr - qq * pr);
  if (!(Math.abs(det) > 1e-9)) return undefined;
  const a = (p * (qq * rr - qr * qr) - pq * (q * rr - qr * r) + pr * (q * qr - qq * r)) / det,
    b = (pp * (q * rr - qr * r) - p * (pq * rr - qr * pr) + pr * (pq * r - q * pr)) / det,
    c = (pp * (qq * r - q * qr) - pq * (pq * r - q * pr) + p * (pq * qr - qq * pr)) / det;
  const half = Math.hypot((a - c) / 2, b / 2);
  const [least, most] = [(a + c) / 2 - half, (a + c) / 2 + half];
  if (!(least > 0) || least < FLATTEST * FLATTEST * most) return undefined;
  for (let i = start; i < end; i++) {
    const u = (points[2 * i] - x) / size,
      v = (points[2 * i + 1] - y) / size;
    if (Math.abs(a * u * u + b * u * v + c * v * v - 1) > 2 * ROUND) return undefined;
  }
  const square = size * size;
  return {
    x,
    y,
    major: size / Math.sqrt(least),
    minor: size / Math.sqrt(most),
    conic: [a / square, b / square, c / square],
  };
}

/** Whether a place lies within an ellipse. */
export function isWithinEllipse({ x, y, conic: [a, b, c] }: Ellipse, px: number, py: number): boolean {
  const u = px - x,
    v = py - y;
  return a * u * u + b * u * v + c * v * v < 1;
}
