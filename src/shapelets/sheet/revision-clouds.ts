import type { Sheet } from '../../content/sheet.js';
import { circleOf } from './detail-borders.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Fewest bows of a cloud, and fewest points of each. */
const FEWEST_BOWS = 8;
const BOW_POINTS = 4;
/** Points: largest radius of a bow, by how much its points may be off it, and ends that meet. */
const LARGEST = 40;
const OFF = 0.5;
const MEETS = 0.8;
/** How much larger a bow may be than the next one. */
const UNLIKE = 1.8;
/** Least angle at which two bows meet, and least turn of a bow, radians: fillets go on without a corner. */
const CORNER = 0.8;
const TURN = 1;
/** The bows of a knob lie on a circle about its middle; those of a cloud do not, by this share of their distances. */
const ROUND = 0.12;
/** Sheets with more bows are not examined. */
const MOST_BOWS = 4_000;

/** An end of a bow, and the direction from there into the bow. */
interface End {
  readonly x: number;
  readonly y: number;
  readonly ux: number;
  readonly uy: number;
}

interface Bow {
  readonly stroke: number;
  readonly ends: readonly [End, End];
  /** Its middle and radius. */
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/**
 * Finds the clouds that mark what a revision changed: closed chains of bows of about one size that meet in corners.
 * @param isOpen whether a stroke may belong to one.
 * @returns the strokes of the clouds.
 */
export function revisionClouds(sheet: Sheet, measures: SheetMeasures, isOpen: (stroke: number) => boolean): number[] {
  const bows: Bow[] = [];
  for (let i = 0; i < sheet.strokes.count && bows.length <= MOST_BOWS; i++)
    if (isOpen(i)) bows.push(...bowsOf(sheet, i, measures.point));
  if (bows.length > MOST_BOWS) return [];
  const meets = MEETS * measures.point;
  const places = new Map<string, number[]>();
  const keysAbout = ({ x, y }: End): string[] =>
    [-1, 0, 1].flatMap((c) => [-1, 0, 1].map((r) => `${Math.round(x / meets) + c} ${Math.round(y / meets) + r}`));
  bows.forEach((bow, n) => {
    for (const { x, y } of bow.ends) {
      const key = `${Math.round(x / meets)} ${Math.round(y / meets)}`;
      places.set(key, [...(places.get(key) ?? []), n]);
    }
  });
  const next = bows.map((bow, n) =>
    bow.ends.map((end) =>
      keysAbout(end)
        .flatMap((key) => places.get(key) ?? [])
        .filter((other) => other !== n && isNext(bow, bows[other], end, meets)),
    ),
  );
  const known = new Set<number>();
  const found = new Set<number>();
  for (let n = 0; n < bows.length; n++) {
    if (known.has(n)) continue;
    const chain = [n];
    known.add(n);
    for (let k = 0; k < chain.length; k++)
      for (const other of next[chain[k]].flat()) {
        if (known.has(other)) continue;
        known.add(other);
        chain.push(other);
      }
    // It is closed where each bow goes on at both ends.
    const held = chain.filter((bow) => next[bow].every((others) => others.length > 0));
    if (held.length >= FEWEST_BOWS && held.length === chain.length && !isRound(chain.map((bow) => bows[bow])))
      for (const bow of chain) found.add(bows[bow].stroke);
  }
  return [...found];
}

/** Pieces of a stroke between corners, each of which is a bow; none where one of them is not. */
function bowsOf(sheet: Sheet, stroke: number, point: number): Bow[] {
  const { points, starts } = sheet.strokes;
  // Where pieces were joined, a point stands twice.
  const way: number[] = [];
  for (let p = starts[stroke]; p < starts[stroke + 1]; p++) {
    const before = way[way.length - 1];
    if (before === undefined || points[2 * p] !== points[2 * before] || points[2 * p + 1] !== points[2 * before + 1])
      way.push(p);
  }
  const bows: Bow[] = [];
  let first = 0,
    turned = 0;
  for (let k = 1; k < way.length; k++) {
    const turn = k + 1 < way.length ? turnAt(points, way[k - 1], way[k], way[k + 1]) : Infinity;
    if (Math.abs(turn) < CORNER) {
      turned += turn;
      continue;
    }
    if (k - first + 1 < BOW_POINTS || Math.abs(turned) < TURN) return [];
    const circle = circleOf(sheet, stroke, OFF * point, way[first], way[k] + 1);
    if (circle === undefined || circle.r > LARGEST * point) return [];
    bows.push({
      ...circle,
      stroke,
      ends: [endAt(points, way[first], way[first + 1]), endAt(points, way[k], way[k - 1])],
    });
    [first, turned] = [k, 0];
  }
  return bows;
}

/** By how much a polyline turns at a point between two others, radians. */
function turnAt(points: Float32Array | Float64Array, before: number, p: number, after: number): number {
  const [ax, ay] = [points[2 * p] - points[2 * before], points[2 * p + 1] - points[2 * before + 1]];
  const [bx, by] = [points[2 * after] - points[2 * p], points[2 * after + 1] - points[2 * p + 1]];
  return Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
}

function endAt(points: Float32Array | Float64Array, p: number, inward: number): End {
  const [x, y] = [points[2 * p], points[2 * p + 1]];
  const [dx, dy] = [points[2 * inward] - x, points[2 * inward + 1] - y];
  const length = Math.hypot(dx, dy) || 1;
  return { x, y, ux: dx / length, uy: dy / length };
}

/** Whether another bow goes on at an end of a bow, in a corner. */
function isNext(bow: Bow, other: Bow, end: End, meets: number): boolean {
  if (bow.r > UNLIKE * other.r || other.r > UNLIKE * bow.r) return false;
  return other.ends.some(
    ({ x, y, ux, uy }) => Math.hypot(x - end.x, y - end.y) <= meets && ux * end.ux + uy * end.uy > -Math.cos(CORNER),
  );
}

function isRound(bows: readonly Bow[]): boolean {
  const [x, y] = [
    bows.reduce((sum, bow) => sum + bow.x, 0) / bows.length,
    bows.reduce((sum, bow) => sum + bow.y, 0) / bows.length,
  ];
  const away = bows.map((bow) => Math.hypot(bow.x - x, bow.y - y));
  return Math.max(...away) - Math.min(...away) < ROUND * Math.max(...away);
}
