import { bitmapOf, componentsOf, inverse } from '../../bitmap/bitmap.js';
import { areaOf } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { hasPaperSides } from '../scan/sheet-signs.js';
import { MILLIMETRES } from '../../content/units.js';
import type { SheetMeasures } from './sheet-measures.js';

/** The purpose of an area of a sheet. */
export type Area = 'drawing' | 'cell' | 'margin';

/** The frame of a sheet with its title block and attached tables. */
export interface RuledFrame {
  /** u8[count]: 1 for strokes that are ruled lines of the frame. */
  readonly strokes: Uint8Array;
  /** Purpose of the area that contains a point, as far as ruled lines divide the sheet. */
  readonly areaAt: (x: number, y: number) => Area;
}

/**
 * The first lines of the frame: least length as a share of the sheet's side, and largest distance from its edge. Then
 * lengths in points.
 */
const SEED_SHARE = 0.6;
const EDGE_SHARE = 0.12;
/** A line that is shorter than this share of the longest such one is an edge of a large view, not a second frame. */
const NESTED_SHARE = 0.8;
const SHORTEST = 3;
const TOUCH = 0.8;
/** Lines nearer to the sheet's edge than this, points, are the edge itself. */
const RIM = 3;
/** Largest deviation of a line from the horizontal or vertical over its whole length, points. */
const LEAN = 0.3;
/** Number of runs of each direction that are used, the longest ones. */
const MOST_RUNS = 4_000;
const CELLS_WITH_TEXT = 3;
/** Sides of the sheets of ISO 216 and ANSI Y14.1. */
const PAPERS_MM = [
  ...[210, 297, 420, 594, 841].map((side, i, all) => [all[i + 1] ?? 1_189, side] as const),
  ...(
    [
      [11, 8.5],
      [17, 11],
      [22, 17],
      [34, 22],
      [44, 34],
    ] as const
  ).map(([a, b]) => [MILLIMETRES.in * a, MILLIMETRES.in * b] as const),
];
/**
 * Both margins of a sheet together, and by how much wider those beside are, where sheets are bound (ISO 5457), within
 * the last.
 */
const MARGINS_MM = [8, 42] as const;
const BINDING_MM = [0, 10, 15];
const OFF_MM = 1;
/** Fewest texts within the frame of a drawing. */
const TEXTS_WITHIN = 3;
/** An area that fills less than this share of its box surrounds another one. */
const RING_SHARE = 0.5;
/** Cells along the longer side of the grid in which areas are found. */
const GRID = 600;
/**
 * Shares of the sheet: least size of an enclosed drawing area; enclosed areas smaller than the second are cells of
 * tables.
 */
const DRAWING_SHARE = 0.2;
const CELL_SHARE = 0.1;
/** So many strokes smaller than this share of the longer side may be letters that were drawn as outlines. */
const FEWEST_OUTLINED = 40;
const LETTER_SHARE = 0.03;

/** A ruled line made of one or more collinear pieces: along x (or y) from `from` to `to`, at `at` on the other axis. */
interface Run {
  readonly at: number;
  from: number;
  to: number;
  readonly pieces: Piece[];
  found: boolean;
}
interface Piece extends Readonly<Pick<Run, 'at' | 'from' | 'to'>> {
  readonly stroke: number;
}

/**
 * Finds the frame: long lines near the edges of the sheet, the horizontal and vertical lines that meet these, and so
 * on. Then finds the areas that they enclose: the drawing area, the cells of the title block and the margin.
 */
export function findFrame(sheet: Sheet, measures: SheetMeasures): RuledFrame {
  const { point, lengths } = measures;
  const level = runsOf(sheet, point, 0),
    upright = runsOf(sheet, point, 1);
  flood(level, upright, sheet, point);
  const isFrame =
    sheet.space !== 'model' || hasTitleBlock(sheet, level, upright) || isPaperBorder(sheet, measures, level, upright);
  if (!isFrame || isLoneView(sheet)) for (const run of [...level, ...upright]) run.found = false;
  const ruled = new Float32Array(sheet.strokes.count);
  for (const run of [...level, ...upright])
    if (run.found) for (const { stroke, from, to } of run.pieces) ruled[stroke] += to - from;
  const strokes = Uint8Array.from(ruled, (length, i) => (length > 0.6 * lengths[i] ? 1 : 0));
  return {
    strokes,
    areaAt: areasOf(
      sheet,
      level.filter((run) => isInner(run, sheet.height, point)),
      upright.filter((run) => isInner(run, sheet.width, point)),
    ),
  };
}

/**
 * Whether there are cells with text. In model space the outline of a part may surround everything else; a frame has
 * such cells.
 */
function hasTitleBlock(sheet: Sheet, level: readonly Run[], upright: readonly Run[]): boolean {
  const areaAt = areasOf(
    sheet,
    level.filter(({ found }) => found),
    upright.filter(({ found }) => found),
  );
  let written = 0;
  for (const { x, y, width, angleRad, annotation } of sheet.texts) {
    if (annotation < 0 && areaAt(x + 0.5 * width * Math.cos(angleRad), y + 0.5 * width * Math.sin(angleRad)) === 'cell')
      written++;
  }
  return written >= CELLS_WITH_TEXT;
}

/**
 * Whether a model space ends at a rectangle of the size of a sheet of paper without its margins, with texts within it:
 * the frame of a drawing without cells. A plate of just that size would have its own sizes outside of its outline.
 */
function isPaperBorder(
  { unitMm, texts }: Sheet,
  { point, boxes }: SheetMeasures,
  level: readonly Run[],
  upright: readonly Run[],
): boolean {
  // Not the sheet's own, which ends behind its texts, whose widths are guessed.
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < boxes.length; i += 4) {
    [left, top] = [Math.min(left, boxes[i]), Math.min(top, boxes[i + 1])];
    [right, bottom] = [Math.max(right, boxes[i + 2]), Math.max(bottom, boxes[i + 3])];
  }
  const touch = TOUCH * point;
  const areEdges = (runs: readonly Run[], along: readonly number[], across: readonly number[]): boolean =>
    across.every((edge) =>
      runs.some(({ at, from, to }) => Math.abs(at - edge) < touch && from < along[0] + touch && to > along[1] - touch),
    );
  if (!areEdges(level, [left, right], [top, bottom]) || !areEdges(upright, [top, bottom], [left, right])) return false;
  const within = texts.filter(({ x, y }) => x > left && x < right && y > top && y < bottom).length;
  if (within < TEXTS_WITHIN || within < texts.length) return false;
  // Many files state no unit, or a wrong one.
  return [unitMm ?? 1, MILLIMETRES.mm, MILLIMETRES.in].some((unit) =>
    PAPERS_MM.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]).some(([wide, high]) => {
      const [aside, above] = [wide - unit * (right - left), high - unit * (bottom - top)];
      const isBound = BINDING_MM.some((more) => Math.abs(aside - above - more) < OFF_MM);
      return isBound && above > MARGINS_MM[0] && above < MARGINS_MM[1];
    }),
  );
}

/**
 * Whether nothing but lines is on a page that has not the sides of paper: a view that was cut out, or saved by itself.
 * Its outline may stand where a frame would.
 */
function isLoneView({ texts, strokes: { count, points, starts }, width, height }: Sheet): boolean {
  if (texts.length > 0 || hasPaperSides({ width, height })) return false;
  const least = LETTER_SHARE * Math.max(width, height);
  let letters = 0;
  for (let i = 0; i < count && letters < FEWEST_OUTLINED; i++) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let p = starts[i]; p < starts[i + 1]; p++) {
      left = Math.min(left, points[2 * p]);
      right = Math.max(right, points[2 * p]);
      top = Math.min(top, points[2 * p + 1]);
      bottom = Math.max(bottom, points[2 * p + 1]);
    }
    if (right - left < least && bottom - top < least) letters++;
  }
  return letters < FEWEST_OUTLINED;
}

function isInner({ at, found }: Run, across: number, point: number): boolean {
  return found && at > RIM * point && at < across - RIM * point;
}

/** Horizontal (axis 0) or vertical (axis 1) lines; touching pieces are joined. */
function runsOf(
  { strokes: { count, points, starts, styles, annotations }, styles: all, annotations: entities }: Sheet,
  point: number,
  axis: 0 | 1,
): Run[] {
  const across = 1 - axis;
  const pieces: Piece[] = [];
  for (let i = 0; i < count; i++) {
    if (all[styles[i]].isFill || (annotations[i] >= 0 && entities[annotations[i]].kind !== 'table')) continue;
    for (let p = starts[i] + 1; p < starts[i + 1]; p++) {
      const a = points[2 * p - 2 + axis],
        b = points[2 * p + axis],
        c = points[2 * p - 2 + across],
        d = points[2 * p + across];
      if (Math.abs(d - c) <= LEAN * point && Math.abs(b - a) >= SHORTEST * point)
        pieces.push({ stroke: i, at: (c + d) / 2, from: Math.min(a, b), to: Math.max(a, b) });
    }
  }
  pieces.sort((p, q) => q.to - q.from - (p.to - p.from));
  pieces.length = Math.min(pieces.length, 4 * MOST_RUNS);
  const row = (at: number): number => Math.round(at / (0.5 * point));
  pieces.sort((p, q) => row(p.at) - row(q.at) || p.from - q.from);
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const piece of pieces) {
    if (last !== undefined && row(last.at) === row(piece.at) && piece.from <= last.to + TOUCH * point) {
      last.to = Math.max(last.to, piece.to);
      last.pieces.push(piece);
    } else {
      runs.push((last = { at: piece.at, from: piece.from, to: piece.to, pieces: [piece], found: false }));
    }
  }
  return runs.sort((p, q) => q.to - q.from - (p.to - p.from)).slice(0, MOST_RUNS);
}

function flood(level: readonly Run[], upright: readonly Run[], { width, height }: Sheet, point: number): void {
  const pending: { run: Run; others: readonly Run[]; own: readonly Run[] }[] = [];
  const take = (run: Run, own: readonly Run[], others: readonly Run[]): void => {
    if (run.found) return;
    run.found = true;
    pending.push({ run, own, others });
  };
  for (const [own, others, along, across] of [
    [level, upright, width, height],
    [upright, level, height, width],
  ] as const) {
    const seeds = own.filter(
      ({ at, from, to }) => to - from > SEED_SHARE * along && Math.min(at, across - at) < EDGE_SHARE * across,
    );
    const longest = seeds
      .filter(({ at }) => at > RIM * point && at < across - RIM * point)
      .reduce((length, { from, to }) => Math.max(length, to - from), 0);
    for (const run of seeds) if (run.to - run.from > NESTED_SHARE * longest) take(run, own, others);
  }
  const touch = TOUCH * point;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { run, own, others } = next;
    for (const other of others) {
      if (
        other.found ||
        other.at < run.from - touch ||
        other.at > run.to + touch ||
        run.at < other.from - touch ||
        run.at > other.to + touch
      )
        continue;
      // Lines that merely cross are not connected.
      const ends = Math.min(
        Math.abs(other.from - run.at),
        Math.abs(other.to - run.at),
        Math.abs(run.from - other.at),
        Math.abs(run.to - other.at),
      );
      if (ends <= touch) take(other, others, own);
    }
  }
}

/** Flood-fills the areas between the lines on a grid and determines the purpose of each. */
function areasOf(
  { width, height }: Sheet,
  level: readonly Run[],
  upright: readonly Run[],
): (x: number, y: number) => Area {
  const scale = GRID / Math.max(width, height);
  const columns = Math.max(1, Math.ceil(width * scale)),
    rows = Math.max(1, Math.ceil(height * scale));
  const column = (x: number): number => Math.min(columns - 1, Math.max(0, Math.floor(x * scale)));
  const row = (y: number): number => Math.min(rows - 1, Math.max(0, Math.floor(y * scale)));
  const walls = bitmapOf(columns, rows);
  for (const { at, from, to } of level)
    walls.bits.fill(1, row(at) * columns + column(from), row(at) * columns + column(to) + 1);
  for (const { at, from, to } of upright)
    for (let y = row(from); y <= row(to); y++) walls.bits[y * columns + column(at)] = 1;
  const { labels, list } = componentsOf(inverse(walls), 4);
  const all = columns * rows;
  const atEdge = list.map(
    ({ area, box }, label) =>
      label > 0 &&
      (box.x0 === 0 ||
        box.y0 === 0 ||
        box.x1 === columns ||
        box.y1 === rows ||
        (area > CELL_SHARE * all && area < RING_SHARE * areaOf(box))),
  );
  const isFramed = list.some(({ area }, label) => !atEdge[label] && area > DRAWING_SHARE * all);
  const kinds = list.map(
    ({ area }, label): Area =>
      atEdge[label] ? (isFramed ? 'margin' : 'drawing') : area > CELL_SHARE * all ? 'drawing' : 'cell',
  );
  return (x, y) => {
    const at = row(y) * columns + column(x);
    if (labels[at] > 0) return kinds[labels[at]];
    // On a line: the drawing area if it is beside the line.
    for (const next of [at - 1, at + 1, at - columns, at + columns])
      if (labels[next] > 0 && kinds[labels[next]] === 'drawing') return 'drawing';
    return 'cell';
  };
}
