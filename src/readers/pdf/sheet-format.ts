import { applyTo, compose2d, emptyBounds, include, mappedBox, type Affine, type Bounds } from '../geometry/affine.js';
import type { OperatorList, Pdfjs } from '../pdf-file/pdfjs.js';
import { segmentsOf, type PathArguments } from './path-segments.js';

/** What a page has of the format of a drawing sheet, and how much of it pictures cover. */
export interface SheetFormat {
  /** Whether level and upright lines stand near all four edges of the page, as a border does. */
  readonly hasBorder: boolean;
  /** Whether ruled cells fill the lower right corner of the sheet, where a title block stands. */
  readonly hasTitleCorner: boolean;
  /** Shares of the page that its pictures cover, each for itself, descending. */
  readonly pictureShares: readonly number[];
  /** Pairs of filled heads of arrows on one line that point away from each other or at each other: dimension lines. */
  readonly headPairs: number;
  /** Filled heads of arrows, up to a bound. */
  readonly heads: number;
}

/**
 * Shares of a side of the page: how far from its edge a border is at most and at least, and how much it takes of it.
 */
const NEAR_EDGE = 0.12;
const OFF_EDGE = 0.003;
const WHOLE = 0.7;
/** How near two rules that meet are to each other. */
const MEETS = 0.004;
/** Lines of a title block: least length across and up, how far above the corner they are, and how many there are. */
const ACROSS = 0.05;
const UP = 0.02;
const ROWS_WITHIN = 0.35;
const LINES = 3;
/** Filled areas that are wider are none that stand for a line. */
const THIN = 0.01;
/** Heads of arrows: at least so much longer than wide, at most so long, in shares of the page; most that are paired. */
const HEAD_RATIO = 1.5;
const LONGEST_HEAD = 0.03;
const MOST_HEADS = 400;
/** How far the tips of a pair are beside each other's axis, and how parallel both are. */
const BESIDE_AXIS = 0.002;
const OPPOSITE = -0.99;
/** Deepest nesting of graphics states, and most rules that are looked at. */
const DEEPEST = 1_000;
const MOST_RULES = 5_000;
const UNIT_SQUARE: Bounds = { minX: 0, minY: 0, maxX: 1, maxY: 1 };

/** A level or upright line in shares of the page: where it is, and from where to where it reaches. */
interface Rule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The format of a page by its operators; clips and hidden layers are not looked at.
 * @param map from the units of the page to shares of it, y downwards.
 */
export function sheetFormatOf({ fnArray, argsArray }: OperatorList, map: Affine, { OPS }: Pdfjs): SheetFormat {
  const level: Rule[] = [],
    upright: Rule[] = [],
    pictureShares: number[] = [],
    heads: Head[] = [];
  const saved: Affine[] = [];
  let own = map;
  const isFilled = (painting: unknown): boolean => painting !== OPS.stroke && painting !== OPS.closeStroke;
  for (const [i, fn] of fnArray.entries()) {
    const args = (argsArray[i] ?? []) as readonly unknown[];
    if (fn === OPS.save || fn === OPS.paintFormXObjectBegin || fn === OPS.beginGroup || fn === OPS.beginAnnotation) {
      if (saved.length < DEEPEST) saved.push(own);
      if (fn === OPS.paintFormXObjectBegin && args[0] != null) own = compose2d(own, args[0] as Affine);
    } else if (fn === OPS.restore || fn === OPS.paintFormXObjectEnd || fn === OPS.endGroup || fn === OPS.endAnnotation)
      own = saved.pop() ?? own;
    else if (fn === OPS.transform) own = compose2d(own, args as unknown as Affine);
    else if (fn === OPS.paintImageXObject || fn === OPS.paintInlineImageXObject)
      pictureShares.push(areaWithin(mappedBox(UNIT_SQUARE, own)));
    else if (fn === OPS.constructPath && (args as PathArguments)[0] !== OPS.endPath)
      addRules(args as PathArguments, { map: own, isFilled: isFilled(args[0]), level, upright, heads });
  }
  const edges = emptyBounds();
  for (const { at, from, to } of level) for (const x of [from, to]) include(edges, x, at);
  for (const { at, from, to } of upright) for (const y of [from, to]) include(edges, at, y);
  return {
    hasBorder:
      [edges.minX, edges.maxX].every((at) => isAlongEdge(upright, at)) &&
      [edges.minY, edges.maxY].every((at) => isAlongEdge(level, at)),
    hasTitleCorner: hasTitleCorner(level, upright),
    pictureShares: pictureShares.sort((a, b) => b - a),
    headPairs: pairsOf(heads),
    heads: heads.length,
  };
}

/** A head of an arrow: its tip, and the direction in which it points. */
interface Head {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

type Place = readonly [x: number, y: number];

/** The filled triangle of three segments as a head; undefined for other shapes. */
function headOf(corners: readonly Place[]): Head | undefined {
  const sides = corners.map(([x, y], i) => Math.hypot(x - corners[(i + 1) % 3][0], y - corners[(i + 1) % 3][1]));
  const base = Math.min(...sides);
  const at = sides.indexOf(base);
  const [one, other, tip] = [corners[at], corners[(at + 1) % 3], corners[(at + 2) % 3]];
  const [dx, dy] = [tip[0] - (one[0] + other[0]) / 2, tip[1] - (one[1] + other[1]) / 2];
  const length = Math.hypot(dx, dy);
  if (!(base > 0 && length >= HEAD_RATIO * base && length <= LONGEST_HEAD)) return undefined;
  return { x: tip[0], y: tip[1], dx: dx / length, dy: dy / length };
}

/** How many heads have another one on their line that points the other way; each is of one pair. */
function pairsOf(heads: readonly Head[]): number {
  const free = new Set(heads.slice(0, MOST_HEADS));
  let pairs = 0;
  for (const head of free) {
    free.delete(head);
    const isOther = ({ x, y, dx, dy }: Head): boolean =>
      head.dx * dx + head.dy * dy < OPPOSITE && Math.abs((x - head.x) * head.dy - (y - head.y) * head.dx) < BESIDE_AXIS;
    const other = [...free].find(isOther);
    if (other === undefined) continue;
    free.delete(other);
    pairs++;
  }
  return pairs;
}

/**
 * The triangles of a filled path, which need not be closed: runs of two or three segments that go on from each other.
 */
function trianglesOf(segments: readonly (readonly [from: Place, to: Place])[]): Place[][] {
  const runs: (readonly [from: Place, to: Place])[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    const end = run?.at(-1)?.[1];
    if (run !== undefined && end !== undefined && end[0] === segment[0][0] && end[1] === segment[0][1])
      run.push(segment);
    else runs.push([segment]);
  }
  return runs.flatMap((run) => (run.length === 2 || run.length === 3 ? [[run[0][0], run[1][0], run[1][1]]] : []));
}

/** Adds the level and upright lines of a path; a filled one stands for a line only where it is thin. */
function addRules(
  [, [data]]: PathArguments,
  {
    map,
    isFilled,
    level,
    upright,
    heads,
  }: { map: Affine; isFilled: boolean; level: Rule[]; upright: Rule[]; heads: Head[] },
): void {
  const segments = segmentsOf(data).map(([x0, y0, x1, y1]) => [applyTo(map, x0, y0), applyTo(map, x1, y1)] as const);
  if (isFilled) {
    for (const corners of trianglesOf(segments)) {
      const head = heads.length < MOST_HEADS ? headOf(corners) : undefined;
      if (head !== undefined) heads.push(head);
    }
    const box = emptyBounds();
    for (const ends of segments) for (const [x, y] of ends) include(box, x, y);
    if (Math.min(box.maxX - box.minX, box.maxY - box.minY) > THIN) return;
  }
  for (const [[x0, y0], [x1, y1]] of segments) {
    if (level.length + upright.length >= MOST_RULES) return;
    const [wide, high] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    const isOnPage = [x0, y0, x1, y1].every((value) => value > OFF_EDGE && value < 1 - OFF_EDGE);
    if (!isOnPage) continue;
    if (wide > ACROSS && high < OFF_EDGE)
      level.push({ at: (y0 + y1) / 2, from: Math.min(x0, x1), to: Math.max(x0, x1) });
    if (high > UP && wide < OFF_EDGE) upright.push({ at: (x0 + x1) / 2, from: Math.min(y0, y1), to: Math.max(y0, y1) });
  }
}

/** Whether rules at a place near an edge of the page take most of that edge. */
function isAlongEdge(rules: readonly Rule[], at: number): boolean {
  if (Math.min(at, 1 - at) > NEAR_EDGE) return false;
  const along = rules.filter((rule) => Math.abs(rule.at - at) < MEETS).sort((a, b) => a.from - b.from);
  let covered = 0,
    end = 0;
  for (const { from, to } of along) {
    covered += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return covered >= WHOLE;
}

/** Whether lines of cells end at an upright and at a level line near the right and the lower edge of the page. */
function hasTitleCorner(level: readonly Rule[], upright: readonly Rule[]): boolean {
  const rights = upright.filter(({ at }) => 1 - at <= NEAR_EDGE),
    lows = level.filter(({ at }) => 1 - at <= NEAR_EDGE);
  return rights.some((right) =>
    lows.some((low) => {
      if (Math.abs(right.to - low.at) > MEETS || Math.abs(low.to - right.at) > MEETS) return false;
      const rows = placesOf(level, right.at, low.at, ROWS_WITHIN),
        columns = placesOf(upright, low.at, right.at, 1);
      return rows > 0 && columns > 0 && rows + columns >= LINES;
    }),
  );
}

/**
 * At how many places rules end at a line, before the corner that it makes with another one and at most so far from it.
 */
function placesOf(rules: readonly Rule[], line: number, corner: number, within: number): number {
  const places = rules
    .filter(({ at, to }) => Math.abs(to - line) <= MEETS && corner - at > MEETS && corner - at <= within)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  return places.filter((at, i) => i === 0 || at - places[i - 1] > MEETS).length;
}

/** Area of a box within the page, of which it is a share. */
function areaWithin({ minX, minY, maxX, maxY }: Bounds): number {
  const [wide, high] = [Math.min(1, maxX) - Math.max(0, minX), Math.min(1, maxY) - Math.max(0, minY)];
  return Math.max(0, wide) * Math.max(0, high);
}
