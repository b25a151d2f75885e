import type { Sheet } from '../../content/sheet.js';
import type { Arrowhead } from './arrowheads.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Lengths of ticks, and least length of a line that ends at one, points. */
const SHORTEST = 3;
const LONGEST = 20;
const LINE = 6;
/** Largest distance of the middle of a tick from a line, and from the end of it, points. */
const NEAR = 0.8;
const OVERSHOOT = 12;
/** Sines of the angles between a tick and its lines: 25° to 65°. Largest cosine between these two lines. */
const SLANTED = [0.42, 0.91] as const;
const UPRIGHT = 0.12;
/** Relative difference of the lengths of ticks of one sheet, and least number of equal ones. */
const SAME_LENGTH = 0.05;
const FEWEST = 2;
/** Largest number of ticks of a sheet, and most ends of lines that are looked at near one. */
const MOST = 20_000;
const MOST_ENDS = 64;
/** Most points of a line; a curve has more. */
const MOST_POINTS = 6;

/** An end of a line, and the unit vector along the line to it. */
interface LineEnd {
  readonly stroke: number;
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/**
 * Finds the oblique strokes that stand in place of arrowheads (ISO 129-1, architects' drawings): each is centred where
 * a dimension line and an extension line cross, near the ends of both. Chamfers and hatches begin or end on a line.
 * @param isOpen u8[count]: 1 for strokes that may be such lines or ticks.
 */
export function findTicks(sheet: Sheet, measures: SheetMeasures, isOpen: Uint8Array): Arrowhead[] {
  const { count, points, starts } = sheet.strokes;
  const { point } = measures;
  const cell = OVERSHOOT * point;
  const ends = endsByCell(sheet, point, isOpen, cell);
  const found: Arrowhead[] = [];
  for (let i = 0; i < count && found.length < MOST; i++) {
    if (isOpen[i] === 0 || starts[i + 1] - starts[i] !== 2) continue;
    const [x0, y0, x1, y1] = points.subarray(2 * starts[i], 2 * starts[i] + 4);
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (!(length >= SHORTEST * point && length <= LONGEST * point)) continue;
    const x = (x0 + x1) / 2,
      y = (y0 + y1) / 2;
    const lines = endsNear(ends, { x, y, cell, reach: NEAR * point }).filter(({ stroke, dx, dy }) => {
      const sine = Math.abs((x1 - x0) * dy - (y1 - y0) * dx) / length;
      return stroke !== i && sine >= SLANTED[0] && sine <= SLANTED[1];
    });
    const line = lines.find((a) => lines.some((b) => Math.abs(a.dx * b.dx + a.dy * b.dy) <= UPRIGHT));
    if (line !== undefined) found.push({ strokes: [i], x, y, dx: line.dx, dy: line.dy, length: length / 2 });
  }
  const lengths = Float64Array.from(found, ({ length }) => length).sort();
  return found.filter(({ length }) => {
    const first = firstNotBelow(lengths, (1 - SAME_LENGTH) * length);
    return lengths[first + FEWEST - 1] <= (1 + SAME_LENGTH) * length;
  });
}

/** The first place in rising values of one that is not below another. */
function firstNotBelow(values: Float64Array, least: number): number {
  let low = 0,
    high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The ends of straight lines by the cells of a grid, `column row`. */
function endsByCell(
  { strokes: { count, points, starts } }: Sheet,
  point: number,
  isOpen: Uint8Array,
  cell: number,
): ReadonlyMap<string, readonly LineEnd[]> {
  const ends = new Map<string, LineEnd[]>();
  const add = (stroke: number, from: number, to: number): void => {
    const x = points[2 * to],
      y = points[2 * to + 1];
    const along = [x - points[2 * from], y - points[2 * from + 1]];
    const length = Math.hypot(along[0], along[1]);
    if (!(length >= LINE * point)) return;
    const key = `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
    const own = ends.get(key);
    const end = { stroke, x, y, dx: along[0] / length, dy: along[1] / length };
    if (own === undefined) ends.set(key, [end]);
    else if (own.length < MOST_ENDS) own.push(end);
  };
  for (let i = 0; i < count; i++) {
    const pointCount = starts[i + 1] - starts[i];
    if (isOpen[i] === 0 || pointCount < 2 || pointCount > MOST_POINTS) continue;
    add(i, starts[i] + 1, starts[i]);
    add(i, starts[i + 1] - 2, starts[i + 1] - 1);
  }
  return ends;
}

/** Ends of lines that pass a place, not far before they end. */
function endsNear(
  ends: ReadonlyMap<string, readonly LineEnd[]>,
  { x, y, cell, reach }: { readonly x: number; readonly y: number; readonly cell: number; readonly reach: number },
): LineEnd[] {
  const found: LineEnd[] = [];
  for (let row = Math.floor(y / cell) - 1; row <= Math.floor(y / cell) + 1; row++)
    for (let column = Math.floor(x / cell) - 1; column <= Math.floor(x / cell) + 1; column++)
      for (const end of ends.get(`${column} ${row}`) ?? []) {
        const beyond = (end.x - x) * end.dx + (end.y - y) * end.dy,
          off = Math.abs((end.x - x) * end.dy - (end.y - y) * end.dx);
        if (off <= reach && beyond >= -reach && beyond <= cell) found.push(end);
      }
  return found;
}
