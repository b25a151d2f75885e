import { boxOfCorners, cornersOf, distanceTo, edgeAt, longerSide, type Point } from '../../content/geometry.js';
import { addTo, DisjointSets } from '../../content/groups.js';
import type { Sheet, SheetBox } from '../../content/sheet.js';
import { isHollowHead } from '../line-placement.js';
import { boxOfBoxes } from '../page-frame.js';

/** Strokes that touch or contain each other, small enough for a letter: what may draw one glyph. */
export interface Blob {
  /** Stroke numbers, ascending. */
  readonly strokes: readonly number[];
  readonly box: SheetBox;
  readonly isFill: boolean;
  /** Whether it is one straight stroke: a hyphen or any line. */
  readonly isLine: boolean;
  /** Whether it is a filled head of an arrow, alone or with straight strokes, which are pieces of its line. */
  readonly isArrow: boolean;
  /** Whether another blob stands in it: a box or a balloon, which is no letter. */
  readonly isAround: boolean;
}

/** Largest letter, and the distance within which strokes touch, as shares of the sheet's longer side. */
const LARGEST = 0.04;
/** Longest straight stroke of a letter or sign, as a share of the sheet's longer side: longer ones run through text. */
const LONGEST_LINE = 0.02;
/** Strokes touch where their pens overlap by more than this share. */
const PEN = 0.6;
/** Size of what stands in a box or a balloon, in sizes of the box; further in the order of strokes it is not sought. */
const WELL_INSIDE = 0.75;
const LEAST_INSIDE = 0.12;
const NEAR_IN_ORDER = 24;
/** What is lower than this share of a ring around it stands in a balloon; letters in circles fill more of theirs. */
const IN_BALLOON = 0.4;
/** Smaller strokes, pen included, are dust: points of deviations on large sheets are .14 mm of 420. */
const SMALLEST = 0.0002;
const TOUCH = 1e-4;
const MOST_STROKES = 60_000;
const MOST_POINTS = 600;
/** Fewest corners of a circle. */
const FEWEST_ROUND = 8;
/**
 * Letters that touch cover less than this share of the smaller one in one direction, and more than the other in the
 * other.
 */
const BESIDE = 0.2;
const FACING = 0.7;
/** Strokes are narrower than this share of their length. */
const NARROW = 0.25;
/** Letters that touch differ by less in size. */
const ONE_SIZE = 0.75;
/** A line that crosses a letter is longer by the first factor, and reaches beyond it on both sides by the second. */
const CROSSES = 1.4;
const BEYOND = 0.15;
/** By how much more on one side than on the other. */
const UNEVEN = 0.04;
/** Most strokes of a letter. */
const MOST_PIECES = 24;
/** Most blobs of a sheet: a sheet with more has no text of this kind. */
const MOST_BLOBS = 6_000;
/** Most circles of two arcs that are examined. */
const MOST_RINGS = 400;
/** Width of a cell of the grid in which strokes are looked up, as a share of the sheet's longer side. */
const CELL = LARGEST / 8;
/** Most comparisons of boxes, and of edges, for a sheet; of 137 real sheets the largest had 5 million. */
const MOST_COMPARISONS = 100_000_000;

/**
 * The blobs of a sheet in the order of their first strokes. Strokes of annotations, and outlines of areas that are also
 * filled, are left out.
 */
export function blobsOf(sheet: Sheet): Blob[] {
  const small = smallStrokes(sheet);
  const joined = joinedStrokes(sheet, small);
  const side = Math.max(sheet.width, sheet.height);
  const groups = new Map<number, Small[]>();
  small.forEach((each, i) => addTo(groups, joined.rootOf(i), each));
  const blobs: Omit<Blob, 'isAround'>[] = [];
  for (const group of withRings(sheet, [...groups.values()].flatMap(withoutCrossing).sort(inOrder).flatMap(apart))) {
    const box = boxOf(group);
    if (
      group.length > MOST_PIECES ||
      longerOf(box) > LARGEST * side ||
      longerOf(box) + Math.max(...group.map(({ pen }) => pen)) < SMALLEST * side
    )
      continue;
    blobs.push({
      strokes: group.map(({ stroke }) => stroke),
      box,
      isFill: group.some(({ isFill }) => isFill),
      isLine: group.length === 1 && group[0].isLine,
      isArrow: group.some(({ isHead }) => isHead) && group.every(({ isLine, isHead }) => isLine || isHead),
    });
    if (blobs.length >= MOST_BLOBS) break;
  }
  return blobs.map((blob, i) => ({ ...blob, isAround: surrounds(blobs, i) }));
}

function inOrder([a]: readonly Small[], [b]: readonly Small[]): number {
  return a.stroke - b.stroke;
}

/**
 * Lines that cross a letter of strokes, which were drawn at another time and are longer than it: they are taken off.
 */
function withoutCrossing(group: Small[]): Small[][] {
  const lines = group.filter(({ isLine }) => isLine),
    others = group.filter(({ isLine }) => !isLine);
  if (lines.length === 0 || others.length === 0 || others.some(({ isFill }) => isFill)) return [group];
  const isNext = (line: Small): boolean =>
    group.some((other) => other !== line && Math.abs(other.stroke - line.stroke) === 1);
  const box = boxOf(others);
  const size = longerOf(box);
  // The stem of a letter ends at its bowl.
  const isThrough = ({ box: { x, y, width, height } }: Small): boolean => {
    const [before, behind] =
      height > width ? [box.y - y, y + height - box.y - box.height] : [box.x - x, x + width - box.x - box.width];
    // Lines of a cross reach as far beyond its ring on either side.
    return Math.min(before, behind) > BEYOND * size && Math.abs(before - behind) > UNEVEN * size;
  };
  const crossing = lines.filter((line) => longerOf(line.box) > CROSSES * size && isThrough(line) && !isNext(line));
  return crossing.length === 0
    ? [group]
    : [group.filter((each) => !crossing.includes(each)), ...crossing.map((line) => [line])];
}

/** Two letters that touch, like `ft`: two areas of about one size, filled one after the other, beside each other. */
function apart(group: Small[]): Small[][] {
  const operations = [...new Set(group.map((each) => each.group))];
  if (operations.length !== 2 || !group.every(({ isFill, corners }) => isFill && corners > 3)) return [group];
  const halves = operations.map((operation) => group.filter((each) => each.group === operation));
  const [a, b] = halves.map(boxOf);
  const isStroke = ({ width, height }: SheetBox): boolean => Math.min(width, height) < NARROW * Math.max(width, height);
  const sizes = [longerOf(a), longerOf(b)];
  if (isStroke(a) || isStroke(b) || Math.min(...sizes) < ONE_SIZE * Math.max(...sizes)) return [group];
  const shares = [
    (Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) / Math.min(a.width, b.width),
    (Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)) / Math.min(a.height, b.height),
  ];
  return Math.min(...shares) < BESIDE && Math.max(...shares) > FACING ? halves : [group];
}

/** Whether an unfilled blob has another one well inside that is drawn soon before or after it. */
function surrounds(blobs: readonly Omit<Blob, 'isAround'>[], at: number): boolean {
  const { box, isFill, isArrow, isLine } = blobs[at];
  if (isLine || (isFill && !isArrow && blobs[at].strokes.length === 1)) return false;
  return blobs
    .slice(Math.max(0, at - NEAR_IN_ORDER), at + NEAR_IN_ORDER)
    .some(
      ({ box: other, isLine: isStroke }) =>
        !isStroke &&
        longerOf(other) < WELL_INSIDE * longerOf(box) &&
        longerOf(other) > LEAST_INSIDE * longerOf(box) &&
        other.x > box.x &&
        other.y > box.y &&
        other.x + other.width < box.x + box.width &&
        other.y + other.height < box.y + box.height,
    );
}

/**
 * Joins strokes that touch. A cell of the grid holds its strokes in groups that are joined already, so a stroke is
 * compared with no more of a group once it belongs to it.
 */
function joinedStrokes(sheet: Sheet, small: readonly Small[]): DisjointSets {
  const joined = new DisjointSets(small.length);
  const side = Math.max(sheet.width, sheet.height),
    touch = TOUCH * side,
    cell = CELL * side;
  const cells = new Map<number, number[][]>();
  // The stroke with which each one was compared last: two may share several cells.
  const comparedWith = new Int32Array(small.length).fill(-1);
  let comparisons = 0;
  const isJoinedWith = (group: readonly number[], i: number): boolean => {
    if (joined.rootOf(group[0]) === joined.rootOf(i)) return true;
    for (const other of group) {
      if (comparedWith[other] === i) continue;
      comparedWith[other] = i;
      comparisons++;
      if (!near(small[other].box, small[i].box, touch)) continue;
      comparisons += small[other].points * small[i].points;
      if (comparisons > MOST_COMPARISONS) return false;
      const reach = Math.max(touch, (PEN / 2) * Math.min(small[other].pen, small[i].pen));
      if (touches(sheet, small[other], small[i], reach)) {
        joined.join(other, i);
        return true;
      }
    }
    return false;
  };
  for (let i = 0; i < small.length && comparisons <= MOST_COMPARISONS; i++) {
    const { x, y, width, height } = small[i].box;
    for (let column = Math.floor((x - touch) / cell); column <= Math.floor((x + width + touch) / cell); column++) {
      for (let row = Math.floor((y - touch) / cell); row <= Math.floor((y + height + touch) / cell); row++) {
        const key = column * 65_536 + row;
        const others: number[][] = [];
        let own = [i];
        for (const group of cells.get(key) ?? []) {
          comparisons++;
          if (isJoinedWith(group, i)) own = appended(own, group);
          else others.push(group);
        }
        others.push(own);
        cells.set(key, others);
      }
    }
  }
  return joined;
}

/** The larger list with what the other one holds. */
function appended(a: number[], b: number[]): number[] {
  const [smaller, larger] = a.length < b.length ? [a, b] : [b, a];
  for (const each of smaller) larger.push(each);
  return larger;
}

/** Joins what stands inside a circle of two arcs with the circle. In the order of the first strokes. */
function withRings({ strokes: { points, starts } }: Sheet, groups: readonly Small[][]): readonly Small[][] {
  const isArc = ({ stroke, isFill, isLine }: Small): boolean =>
    !isFill && !isLine && starts[stroke + 1] - starts[stroke] > FEWEST_ROUND;
  const corner = (i: number): readonly [number, number] => [points[2 * i], points[2 * i + 1]];
  const apart = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number =>
    Math.hypot(ax - bx, ay - by);
  const rings = groups
    .filter((group) => {
      if (group.length !== 2 || !group.every(isArc)) return false;
      const [a, b] = group.map(({ stroke }) => [corner(starts[stroke]), corner(starts[stroke + 1] - 1)] as const);
      const near = 0.05 * apart(a[0], a[1]);
      return (
        (apart(a[0], b[1]) < near && apart(a[1], b[0]) < near) || (apart(a[0], b[0]) < near && apart(a[1], b[1]) < near)
      );
    })
    .slice(0, MOST_RINGS)
    .map((group) => ({ group, box: boxOf(group) }));
  if (rings.length === 0) return groups;
  const within = new Map<Small[], Small[]>();
  const gone = new Set<Small[]>();
  for (const group of groups) {
    const box = boxOf(group);
    const ring = rings.find(
      (each) =>
        each.group !== group &&
        box.x > each.box.x &&
        box.y > each.box.y &&
        box.x + box.width < each.box.x + each.box.width &&
        box.y + box.height < each.box.y + each.box.height,
    );
    if (ring === undefined) continue;
    gone.add(group);
    for (const each of group) addTo(within, ring.group, each);
  }
  return groups
    .filter((group) => !gone.has(group))
    .map((group) => [...group, ...(within.get(group) ?? [])].sort((a, b) => a.stroke - b.stroke));
}

interface Small {
  readonly stroke: number;
  readonly points: number;
  /** Points without one at the end that closes it. */
  readonly corners: number;
  readonly box: SheetBox;
  /** Number of the drawing operation. */
  readonly group: number;
  readonly isFill: boolean;
  readonly isClosed: boolean;
  readonly isLine: boolean;
  /** Whether it is a filled triangle, or one with a hollow back; letters and points have more corners. */
  readonly isHead: boolean;
  /** Width of the pen; 0 for areas. */
  readonly pen: number;
}

function smallStrokes({
  strokes: { count: strokeCount, points, starts, styles, groups, annotations },
  styles: all,
  width,
  height,
}: Sheet): Small[] {
  const largest = LARGEST * Math.max(width, height),
    longest = LONGEST_LINE * Math.max(width, height);
  const found: Small[] = [];
  let lastFill = -1;
  for (let stroke = 0; stroke < Math.min(strokeCount, MOST_STROKES); stroke++) {
    const start = starts[stroke],
      end = starts[stroke + 1];
    if (annotations[stroke] >= 0 || end - start < 2 || end - start > MOST_POINTS) continue;
    const corners = cornersOf(points, start, end);
    const { isFill, color, width: pen } = all[styles[stroke]];
    // White areas cover the paper under a text.
    if (color > 0xf0f0f0 && isFill) continue;
    const isLine = !isFill && end - start === 2;
    if (!(longerSide(corners) <= (isLine ? longest : largest))) continue;
    if (isFill) lastFill = stroke;
    else if (lastFill >= 0 && isSame(points, starts, lastFill, stroke)) continue;
    // A box is not joined with what it surrounds.
    const isBox = !isFill && end - start <= FEWEST_ROUND;
    const isClosed =
      !isBox &&
      Math.hypot(points[2 * start] - points[2 * end - 2], points[2 * start + 1] - points[2 * end - 1]) <
        0.02 * longerSide(corners);
    const count = end - start - Number(isReturn(points, start, end));
    found.push({
      stroke,
      points: end - start,
      corners: count,
      box: boxOfCorners(corners),
      group: groups[stroke],
      isFill,
      isClosed: isClosed || isFill,
      isLine,
      isHead: isFill && (count === 3 || (count === 4 && isHollowHead(pointsOf(points, start, start + count)))),
      pen: isFill ? 0 : pen,
    });
  }
  return found;
}

function pointsOf(points: Float32Array, start: number, end: number): Point[] {
  return Array.from({ length: end - start }, (_, i) => ({
    x: points[2 * (start + i)],
    y: points[2 * (start + i) + 1],
  }));
}

/** Whether the last point is the first one again. */
function isReturn(points: Float32Array, start: number, end: number): boolean {
  return points[2 * start] === points[2 * end - 2] && points[2 * start + 1] === points[2 * end - 1];
}

/** Whether two strokes have equally many points and begin alike. */
function isSame(points: Float32Array, starts: Uint32Array, first: number, second: number): boolean {
  const a = starts[first],
    b = starts[second];
  return (
    starts[first + 1] - a === starts[second + 1] - b &&
    [0, 1, 2, 3].every((i) => points[2 * a + i] === points[2 * b + i])
  );
}

function near(a: SheetBox, b: SheetBox, reach: number): boolean {
  return (
    a.x < b.x + b.width + reach &&
    b.x < a.x + a.width + reach &&
    a.y < b.y + b.height + reach &&
    b.y < a.y + a.height + reach
  );
}

function longerOf({ width, height }: SheetBox): number {
  return Math.max(width, height);
}

function boxOf(group: readonly Small[]): SheetBox {
  return boxOfBoxes(group.map(({ box }) => box));
}

/** Whether one is the head of an arrow and the other a letter: a `g` reaches down to the dimension line. */
function isHeadAt(head: Small, letter: Small): boolean {
  return (
    head.isHead &&
    !letter.isHead &&
    head.group !== letter.group &&
    letter.corners > (letter.isFill ? 3 : FEWEST_ROUND) &&
    !letter.isLine
  );
}

/**
 * Whether corners of one lie on the other, edges cross, or one lies in the other. An area is no part of a line that
 * crosses it, unless it is an arrowhead; and what is small in a ring stands in a balloon.
 */
function touches({ strokes: { points, starts } }: Sheet, a: Small, b: Small, reach: number): boolean {
  const corner = (stroke: number): readonly [number, number] => [
    points[2 * starts[stroke]],
    points[2 * starts[stroke] + 1],
  ];
  const isWithin = (inner: Small, outer: Small): boolean =>
    outer.isClosed &&
    // A straight line that begins in a letter of areas crosses it.
    !(inner.isLine && outer.isFill && !outer.isHead) &&
    (outer.isFill || longerOf(inner.box) > IN_BALLOON * longerOf(outer.box)) &&
    isInside(points, starts[outer.stroke], starts[outer.stroke + 1], ...corner(inner.stroke));
  if (isHeadAt(a, b) || isHeadAt(b, a)) return false;
  if (isWithin(b, a) || isWithin(a, b)) return true;
  if (a.isFill !== b.isFill && !a.isHead && !b.isHead) return false;
  for (let i = starts[a.stroke]; i + 1 < starts[a.stroke + 1]; i++) {
    for (let j = starts[b.stroke]; j + 1 < starts[b.stroke + 1]; j++) if (edgesTouch(points, i, j, reach)) return true;
  }
  return false;
}

function edgesTouch(points: Float32Array, i: number, j: number, reach: number): boolean {
  const ax = points[2 * i],
    ay = points[2 * i + 1],
    bx = points[2 * i + 2],
    by = points[2 * i + 3],
    cx = points[2 * j],
    cy = points[2 * j + 1],
    dx = points[2 * j + 2],
    dy = points[2 * j + 3];
  if (
    Math.min(ax, bx) > Math.max(cx, dx) + reach ||
    Math.min(cx, dx) > Math.max(ax, bx) + reach ||
    Math.min(ay, by) > Math.max(cy, dy) + reach ||
    Math.min(cy, dy) > Math.max(ay, by) + reach
  )
    return false;
  // Twice the signed area of each edge with a corner of the other: which side of the edge the corner is on.
  const cOfAb = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
    dOfAb = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax),
    aOfCd = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx),
    bOfCd = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
  if (cOfAb * dOfAb < 0 && aOfCd * bOfCd < 0) return true;
  const near = (corner: number, edge: number): boolean =>
    distanceTo(edgeAt(points, edge), points[2 * corner], points[2 * corner + 1]) < reach;
  return near(i, j) || near(i + 1, j) || near(j, i) || near(j + 1, i);
}

function isInside(points: Float32Array, start: number, end: number, x: number, y: number): boolean {
  let inside = false;
  for (let i = start, j = end - 1; i < end; j = i++) {
    const yi = points[2 * i + 1],
      yj = points[2 * j + 1];
    if (yi > y !== yj > y && x < points[2 * i] + ((points[2 * j] - points[2 * i]) * (y - yi)) / (yj - yi))
      inside = !inside;
  }
  return inside;
}
