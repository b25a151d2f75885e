import { eachEdge, type Arc, type Sheet, type Strokes } from '../../content/sheet.js';

/** Directions among which lengths are shared out, evenly over half a turn; the first is level. */
export const LINE_DIRECTIONS = 8;

/** Chords of an arc: each reader has its own, which share its length among the directions in another way. */
const ARC_CHORDS = 64;
/** Numbers of {@link lineSums}: twice the lengths by direction and the distance. */
export const LINE_SUMS = 2 * (LINE_DIRECTIONS + 1);

/**
 * Sums over all lines of a sheet and the outlines of its filled areas, texts left out: their lengths by direction, then
 * the root mean square distance of the lines from their middle, in units of the page's longer side; f32[18], first with
 * the chords that the reader found, then with the lengths of arcs. Whichever program wrote the page, and in whatever
 * pieces and order, it has the same sums, so they tell whether a line came or went anywhere on it, which a raster of
 * the page does not show. Undefined for a sheet without lines.
 */
export function lineSums(sheet: Sheet): Float32Array | undefined {
  const longer = Math.max(sheet.width, sheet.height);
  const arcs = new Map(sheet.arcs.map((arc) => [arc.stroke, arc]));
  const sums = [new Map<number, Arc>(), arcs].map((known) => sumsOf(sheet, known));
  if (!(longer > 0 && sums.every(([total]) => total > 0))) return undefined;
  return Float32Array.from(sums.flatMap(([, ...each]) => each.map((value) => value / longer)));
}

/** The length of all lines, that by direction, and the distance from their middle. arcs: strokes that count as arcs. */
function sumsOf({ strokes, styles }: Sheet, arcs: ReadonlyMap<number, Arc>): number[] {
  const sums = new Float64Array(LINE_DIRECTIONS);
  let total = 0,
    sumX = 0,
    sumY = 0,
    squares = 0;
  const add = (x0: number, y0: number, x1: number, y1: number, times = 1): void => {
    const length = times * Math.hypot(x1 - x0, y1 - y0);
    const x = (x0 + x1) / 2,
      y = (y0 + y1) / 2;
    total += length;
    sumX += length * x;
    sumY += length * y;
    // Of an edge about its own middle and of that about the origin.
    squares += length * (length ** 2 / 12 + x * x + y * y);
    // Shared between the two nearest directions, so that a slightly other angle changes the sums slightly.
    const angle = (Math.atan2(y1 - y0, x1 - x0) / Math.PI) * LINE_DIRECTIONS + LINE_DIRECTIONS;
    const low = Math.floor(angle);
    sums[low % LINE_DIRECTIONS] += length * (1 - angle + low);
    sums[(low + 1) % LINE_DIRECTIONS] += length * (angle - low);
  };
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    const arc = arcs.get(stroke);
    // Letters that were saved as outlines are filled areas, so these count too.
    if (styles[strokes.styles[stroke]].isFill) addOutline(strokes, stroke, add);
    else if (arc === undefined) eachEdge(strokes, stroke, (x0, y0, x1, y1) => add(x0, y0, x1, y1));
    else addArc(arc, add);
  }
  const middleX = sumX / total,
    middleY = sumY / total;
  return [total, ...sums, Math.sqrt(Math.max(0, squares / total - middleX ** 2 - middleY ** 2))];
}

/** A filled area, closed whether or not a program says so. */
function addOutline(
  strokes: Strokes,
  stroke: number,
  add: (x0: number, y0: number, x1: number, y1: number) => void,
): void {
  eachEdge(strokes, stroke, (x0, y0, x1, y1) => add(x0, y0, x1, y1));
  const { points, starts } = strokes;
  const first = 2 * starts[stroke],
    last = 2 * starts[stroke + 1] - 2;
  if (last > first) add(points[last], points[last + 1], points[first], points[first + 1]);
}

/** An arc in {@link ARC_CHORDS} chords, with the factor that gives them its length. */
function addArc(
  { x, y, radius, startRad, sweepRad }: Arc,
  add: (x0: number, y0: number, x1: number, y1: number, times: number) => void,
): void {
  const step = sweepRad / ARC_CHORDS;
  const times = step === 0 ? 1 : step / 2 / Math.sin(step / 2);
  const at = (k: number): [x: number, y: number] => [
    x + radius * Math.cos(startRad + k * step),
    y + radius * Math.sin(startRad + k * step),
  ];
  for (let k = 0; k < ARC_CHORDS; k++) add(...at(k), ...at(k + 1), times);
}
