import { eachEdge, shownArea, type Arc, type Sheet, type StrokeStyle, type Strokes } from '../../content/sheet.js';

/** Directions among which lengths are shared out, evenly over half a turn; the first is level. */
export const LINE_DIRECTIONS = 8;
/** Places along each axis among which lengths are shared out, evenly from -3 to 3 mean distances from the middle. */
export const LINE_PLACES = 64;
const REACH = 3;
const STEP = (2 * REACH) / (LINE_PLACES - 1);
/** Axes along which lines are placed, evenly over half a turn; the first is level. */
export const LINE_AXES = 4;

/** Chords of an arc: each reader has its own, which share its length among the directions in another way. */
const ARC_CHORDS = 64;
/**
 * Numbers before those of the places: lengths by direction, the mean distance, the middle, and the area of pictures.
 */
export const LINE_HEAD = LINE_DIRECTIONS + 4;
/** Numbers of {@link lineSums}: twice the head and the lengths by places. */
export const LINE_SUMS = 2 * (LINE_HEAD + LINE_AXES * LINE_PLACES);

/**
 * What a line counts, so that a hidden edge that was made solid changes the sums: dashes of one length, and of several,
 * as those of centre lines.
 */
const DASHED = 0.5;
const CHAIN = 0.7;
/** Largest difference of two lengths of a pattern that repeats, as a share. */
const SAME_DASH = 0.02;

/** The sum of a part of the lines. */
type Add = (x0: number, y0: number, x1: number, y1: number, times?: number) => void;

/**
 * Sums over all lines of a sheet and the outlines of its filled areas, texts left out; f32[{@link LINE_SUMS}], first
 * with the chords that the reader found, then with the lengths of arcs. Each half: the lengths by direction, the root
 * mean square distance of the lines from their middle, the middle (x, y from the upper left corner of what is shown)
 * and the area of all pictures, all in units of the longer side of that; then for each axis, as shares of all, the
 * lengths at places along it, in mean distances from the middle. Whichever program wrote the page, and in whatever
 * pieces and order, wherever it stands on its paper, it has the same shares, so they tell whether a line came, went or
 * moved, which a raster of the page does not show. Undefined for a sheet without lines.
 */
export function lineSums(sheet: Sheet): Float32Array | undefined {
  const area = shownArea(sheet);
  const longer = Math.max(area.width, area.height);
  if (!(longer > 0)) return undefined;
  const arcs = new Map(sheet.arcs.map((arc) => [arc.stroke, arc]));
  const sums: Float64Array[] = [];
  const pictured = sheet.pictures.reduce((sum, { box }) => sum + box.width * box.height, 0) / longer ** 2;
  // Without arcs both halves are of the same lines.
  for (const known of arcs.size === 0 ? [arcs] : [new Map<number, Arc>(), arcs]) {
    const each = (add: Add): void => {
      eachLine(sheet, known, (x0, y0, x1, y1, times) => {
        add((x0 - area.x) / longer, (y0 - area.y) / longer, (x1 - area.x) / longer, (y1 - area.y) / longer, times);
      });
    };
    const half = sumsOf(each);
    if (half === undefined) return undefined;
    half[LINE_HEAD - 1] = pictured;
    sums.push(half);
  }
  return Float32Array.from([...sums[0], ...sums.at(-1)!]);
}

/** Undefined without any length. */
function sumsOf(each: (add: Add) => void): Float64Array | undefined {
  const found = new Float64Array(LINE_SUMS / 2);
  let total = 0,
    sumX = 0,
    sumY = 0,
    squares = 0;
  each((x0, y0, x1, y1, times = 1) => {
    const own = Math.hypot(x1 - x0, y1 - y0),
      length = times * own;
    const x = (x0 + x1) / 2,
      y = (y0 + y1) / 2;
    total += length;
    sumX += length * x;
    sumY += length * y;
    // Of an edge about its own middle and of that about the origin.
    squares += length * (own ** 2 / 12 + x * x + y * y);
    // Shared between the two nearest directions, so that a slightly other angle changes the sums slightly.
    const angle = (Math.atan2(y1 - y0, x1 - x0) / Math.PI) * LINE_DIRECTIONS + LINE_DIRECTIONS;
    const low = Math.floor(angle);
    found[low % LINE_DIRECTIONS] += length * (1 - angle + low);
    found[(low + 1) % LINE_DIRECTIONS] += length * (angle - low);
  });
  const middleX = sumX / total,
    middleY = sumY / total;
  const mean = Math.sqrt(Math.max(0, squares / total - middleX ** 2 - middleY ** 2));
  if (!(total > 0 && mean > 0)) return undefined;
  found.set([mean, middleX, middleY], LINE_DIRECTIONS);
  const axes = Array.from({ length: LINE_AXES }, (_, k) => {
    const at = LINE_HEAD + k * LINE_PLACES;
    const angle = (Math.PI * k) / LINE_AXES;
    return { cos: Math.cos(angle), sin: Math.sin(angle), places: found.subarray(at, at + LINE_PLACES) };
  });
  const unit = mean * STEP,
    origin = (LINE_PLACES - 1) / 2;
  each((x0, y0, x1, y1, times = 1) => {
    const share = (times * Math.hypot(x1 - x0, y1 - y0)) / total;
    for (const { cos, sin, places } of axes) {
      const from = (cos * (x0 - middleX) + sin * (y0 - middleY)) / unit + origin,
        to = (cos * (x1 - middleX) + sin * (y1 - middleY)) / unit + origin;
      addAlong(places, Math.min(from, to), Math.max(from, to), share);
    }
  });
  return found;
}

/**
 * Shares out what lies evenly between two places, each piece among the two places beside it by how near they are, so
 * that it does not matter in what pieces a line is written. What lies outside counts at the end.
 */
function addAlong(places: Float64Array, from: number, to: number, share: number): void {
  const last = places.length - 1;
  const put = (at: number, part: number): void => {
    const place = Math.min(last, Math.max(0, at)),
      low = Math.min(last - 1, Math.floor(place));
    places[low] += part * (1 - place + low);
    places[low + 1] += part * (place - low);
  };
  const length = to - from;
  // What is shorter is as good as a point.
  if (length < 1e-9) return put(from, share);
  for (let start = from; start < to; ) {
    const end = start < 0 ? Math.min(to, 0) : start >= last ? to : Math.min(to, Math.floor(start) + 1);
    put((start + end) / 2, (share * (end - start)) / length);
    start = end;
  }
}

/** Calls `add` with every straight piece and what it counts. arcs: strokes that count as arcs. */
function eachLine({ strokes, styles }: Sheet, arcs: ReadonlyMap<number, Arc>, add: Add): void {
  const times = styles.map(timesOf);
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    const arc = arcs.get(stroke);
    const style = strokes.styles[stroke];
    const own: Add = (x0, y0, x1, y1, more = 1) => {
      add(x0, y0, x1, y1, more * times[style]);
    };
    // Letters that were saved as outlines are filled areas, so these count too.
    if (styles[style].isFill) addOutline(strokes, stroke, own);
    else if (arc === undefined) eachEdge(strokes, stroke, own);
    else addArc(arc, own);
  }
}

/** What a line of a style counts. */
function timesOf({ dash, isFill }: StrokeStyle): number {
  if (isFill || dash.length === 0) return 1;
  // A pattern of an odd number of lengths has its gaps in the next round.
  const pattern = dash.length % 2 === 0 ? dash : [...dash, ...dash];
  const longest = Math.max(...pattern);
  const isOfOne = pattern.every((length, i) => Math.abs(length - pattern[i % 2]) <= SAME_DASH * longest);
  return isOfOne ? DASHED : CHAIN;
}

/** A filled area, closed whether or not a program says so. */
function addOutline(strokes: Strokes, stroke: number, add: Add): void {
  eachEdge(strokes, stroke, add);
  const { points, starts } = strokes;
  const first = 2 * starts[stroke],
    last = 2 * starts[stroke + 1] - 2;
  if (last > first) add(points[last], points[last + 1], points[first], points[first + 1]);
}

/** An arc in {@link ARC_CHORDS} chords, with the factor that gives them its length. */
function addArc({ x, y, radius, startRad, sweepRad }: Arc, add: Add): void {
  const step = sweepRad / ARC_CHORDS;
  const times = step === 0 ? 1 : step / 2 / Math.sin(step / 2);
  let fromX = x + radius * Math.cos(startRad),
    fromY = y + radius * Math.sin(startRad);
  for (let k = 1; k <= ARC_CHORDS; k++) {
    const toX = x + radius * Math.cos(startRad + k * step),
      toY = y + radius * Math.sin(startRad + k * step);
    add(fromX, fromY, toX, toY, times);
    [fromX, fromY] = [toX, toY];
  }
}
