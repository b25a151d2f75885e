import type { Sheet } from '../../content/sheet.js';
import type { Arrowhead } from './arrowheads.js';
import type { SheetMeasures } from './sheet-measures.js';
import type { StrokeEnds } from './stroke-ends.js';

/** Lengths in points. */
const SHORTEST = 3;
const CELL = 12;
const NEAR = 0.8;
/** Largest distance from the arrow that touches an extension line to the end of that line. */
const OVERSHOOT = 12;
/**
 * Most points of a leader or dimension line; an arc has more, ends at the arrow and deviates from its direction by less
 * than the second (sine).
 */
const MOST_POINTS = 6;
const BEND = 0.35;
/**
 * A line goes on behind its end where another one starts within this many points and turns by less (cosine): so do
 * fillets and the pieces of a circle, at which arrows of radii and cutting planes point, but no arc of a dimension.
 */
const MEETS = 0.5;
const GOES_ON = 0.9;
/**
 * Largest sine of the angle between parallel lines, and largest difference of the sine from 1 for perpendicular ones.
 */
const PARALLEL = 0.06;
const UPRIGHT = 0.12;
/** Largest number of entries of the grid; further lines of a sheet are ignored. */
const MOST_ENTRIES = 8_000_000;

/** Segments of strokes by the cells of a grid that they cross. */
interface PieceGrid {
  readonly columns: number;
  readonly rows: number;
  readonly cell: number;
  readonly starts: Uint32Array;
  /** The point at which a segment ends. */
  readonly pieces: Uint32Array;
  /** Stroke of each point. */
  readonly strokeOf: Uint32Array;
}

/**
 * Marks dimension lines and leaders (which end in an arrowhead) and extension lines (which the tip of an arrow touches
 * near their end).
 * @param isOpen u8[count]: 1 for strokes that may be such lines.
 * @param ends those of the open strokes.
 * @returns u8[count]: 1 for the marked strokes and for the arrowheads with a line.
 */
export function markDimensionLines(
  sheet: Sheet,
  { point }: SheetMeasures,
  heads: readonly Arrowhead[],
  isOpen: Uint8Array,
  ends: StrokeEnds,
): Uint8Array {
  const { points, starts, count } = sheet.strokes;
  const marks = new Uint8Array(count);
  if (heads.length === 0) return marks;
  const grid = gridOf(sheet, point, isOpen);
  const across: number[] = [];
  for (const { strokes: own, x, y, dx, dy, length } of heads) {
    let hasLine = false;
    across.length = 0;
    const column = Math.floor(x / grid.cell),
      row = Math.floor(y / grid.cell);
    for (let r = Math.max(0, row - 1); r <= Math.min(grid.rows - 1, row + 1); r++) {
      for (let c = Math.max(0, column - 1); c <= Math.min(grid.columns - 1, column + 1); c++) {
        const at = r * grid.columns + c;
        for (let e = grid.starts[at]; e < grid.starts[at + 1]; e++) {
          const p = grid.pieces[e],
            stroke = grid.strokeOf[p];
          const x0 = points[2 * p - 2],
            y0 = points[2 * p - 1];
          const ux = points[2 * p] - x0,
            uy = points[2 * p + 1] - y0;
          const size = Math.hypot(ux, uy);
          const cross = (ux * dy - uy * dx) / size;
          const along = ((x - x0) * ux + (y - y0) * uy) / size;
          const off = Math.abs((x - x0) * uy - (y - y0) * ux) / size;
          if (starts[stroke + 1] - starts[stroke] > MOST_POINTS) {
            const isNear = Math.abs(cross) < BEND && endsAt(sheet, { stroke, p }, { x, y }, 1.2 * length);
            if (isNear && !goesOn(sheet, ends, { stroke, p, own }, MEETS * point)) {
              hasLine = true;
              marks[stroke] = 1;
            }
            continue;
          }
          if (off > NEAR * point || own.includes(stroke)) continue;
          if (Math.abs(cross) < PARALLEL) {
            if (along < -1.2 * length || along > size + 1.2 * length) continue;
            hasLine = true;
            marks[stroke] = 1;
          } else if (
            Math.abs(cross) > 1 - UPRIGHT &&
            along > -NEAR * point &&
            along < size + NEAR * point &&
            Math.min(along, size - along) < OVERSHOOT * point &&
            starts[stroke + 1] - starts[stroke] === 2 &&
            hasFreeEnd(ends, stroke)
          ) {
            across.push(stroke);
          }
        }
      }
    }
    if (hasLine) for (const stroke of [...across, ...own]) marks[stroke] = 1;
  }
  return marks;
}

/**
 * Whether the segment of a stroke that ends at point `p` is its first or last one, and its free end is near a place.
 */
function endsAt(
  { strokes: { points, starts } }: Sheet,
  { stroke, p }: { readonly stroke: number; readonly p: number },
  { x, y }: { readonly x: number; readonly y: number },
  reach: number,
): boolean {
  const isNear = (at: number): boolean => Math.hypot(points[2 * at] - x, points[2 * at + 1] - y) < reach;
  return (p - 1 === starts[stroke] && isNear(p - 1)) || (p === starts[stroke + 1] - 1 && isNear(p));
}

/**
 * Whether a stroke is closed, or another one, which is no part of the arrow, goes on where its segment that ends at
 * point `p` ends.
 */
function goesOn(
  { strokes: { points, starts } }: Sheet,
  ends: StrokeEnds,
  { stroke, p, own }: { readonly stroke: number; readonly p: number; readonly own: readonly number[] },
  near: number,
): boolean {
  const first = starts[stroke],
    last = starts[stroke + 1] - 1;
  if (Math.hypot(points[2 * first] - points[2 * last], points[2 * first + 1] - points[2 * last + 1]) <= near)
    return true;
  const { x, y, ux, uy } = ends.place(2 * stroke + (p === last ? 1 : 0));
  return ends.some(x, y, (other, vx, vy) => other !== stroke && !own.includes(other) && ux * vx + uy * vy <= -GOES_ON);
}

/** Whether no other stroke ends where one end of a stroke is; edges between two others have no such end. */
function hasFreeEnd(ends: StrokeEnds, stroke: number): boolean {
  return [0, 1].some((end) => {
    const { x, y } = ends.place(2 * stroke + end);
    return !ends.some(x, y, (other) => other !== stroke);
  });
}

function gridOf(
  { width, height, strokes: { count, points, starts } }: Sheet,
  point: number,
  isOpen: Uint8Array,
): PieceGrid {
  const cell = Math.max(CELL * point, Math.max(width, height) / 1_000);
  const columns = Math.max(1, Math.ceil(width / cell)),
    rows = Math.max(1, Math.ceil(height / cell));
  const strokeOf = new Uint32Array(points.length / 2);
  const fills = new Uint32Array(columns * rows + 1);
  const visit = (each: (cell: number, p: number) => void): void => {
    for (let i = 0; i < count; i++) {
      if (isOpen[i] === 0) continue;
      for (let p = starts[i] + 1; p < starts[i + 1]; p++) {
        const x0 = points[2 * p - 2],
          y0 = points[2 * p - 1],
          dx = points[2 * p] - x0,
          dy = points[2 * p + 1] - y0;
        const size = Math.hypot(dx, dy);
        const isEnd = p === starts[i] + 1 || p === starts[i + 1] - 1;
        if (!(size >= (isEnd ? 0.3 : 1) * SHORTEST * point)) continue;
        strokeOf[p] = i;
        const steps = Math.ceil(size / (0.5 * cell));
        let last = -1;
        for (let k = 0; k <= steps; k++) {
          const c = Math.floor((x0 + (k / steps) * dx) / cell),
            r = Math.floor((y0 + (k / steps) * dy) / cell);
          const at = r * columns + c;
          if (c < 0 || r < 0 || c >= columns || r >= rows || at === last) continue;
          last = at;
          each(at, p);
        }
      }
    }
  };
  let entries = 0;
  visit((at) => {
    if (entries++ < MOST_ENTRIES) fills[at + 1]++;
  });
  for (let i = 1; i < fills.length; i++) fills[i] += fills[i - 1];
  const pieces = new Uint32Array(Math.min(entries, MOST_ENTRIES));
  const next = fills.slice(0, -1);
  let entered = 0;
  visit((at, p) => {
    if (entered++ < MOST_ENTRIES) pieces[next[at]++] = p;
  });
  return { columns, rows, cell, starts: fills, pieces, strokeOf };
}
