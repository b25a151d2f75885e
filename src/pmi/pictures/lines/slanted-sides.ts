import type { Bitmap, Component, Components } from '../../../bitmap/bitmap.js';
import { longAxisOf, longerSide } from '../../../content/geometry.js';
import type { InkLine } from '../ink-lines.js';

/** Length of a side, in heights of letters: lower letters do not reach from line to line. */
const LONG = [1.15, 3] as const;
/** How far its pixels are from a straight line, and how far its ends are from other lines, pixels. */
const OFF = 1.6;
const REACH = 3;
/** It leans by more than this share of its length. */
const LEAN = 0.06;
/** Most of its box that is ink: a thin bar. */
const FILL = 0.6;
/** Least length of a leader that ends at no line, and how far from its line its head reaches, in heights of letters. */
const LEADER = 1.8;
const HEAD_LONG = 0.9;
const HEAD_WIDE = 0.4;
/** Half the thickness of its line, in heights of letters. */
const PEN = 0.11;

/**
 * The short sides of slanted boxes, and other slanted lines that are no longer than letters: straight bars that reach
 * from one line that was removed to another one; and short leaders: longer bars, with or without a head at one end.
 * @param isLetter by the number of a piece.
 */
export function slantedSides(
  { list, labels }: Components,
  isLetter: (number: number) => boolean,
  { walls, letter }: { readonly walls: Bitmap; readonly letter: number },
): { readonly line: InkLine; readonly number: number }[] {
  return list.flatMap((component, number) => {
    const long = longerSide(component.box);
    if (number === 0 || !isLetter(number) || long < 0.7 * LONG[0] * letter || long > LONG[1] * letter) return [];
    const line = barOf(component, number, { labels, width: walls.width, letter });
    if (line === undefined) return [];
    const length = Math.hypot(line.x1 - line.x0, line.y1 - line.y0);
    const lean = Math.min(Math.abs(line.x1 - line.x0), Math.abs(line.y1 - line.y0));
    if (length < LONG[0] * letter || lean < LEAN * length) return [];
    if (length > LEADER * letter) return [{ line, number }];
    const isSide = line.isThin && isNearWall(walls, line.x0, line.y0) && isNearWall(walls, line.x1, line.y1);
    return isSide ? [{ line: longer(line, REACH / length), number }] : [];
  });
}

/** A line that is longer at both ends by a share of it: the sides of a box meet in the middle of its lines. */
function longer({ x0, y0, x1, y1, thickness }: InkLine, share: number): InkLine {
  const [dx, dy] = [share * (x1 - x0), share * (y1 - y0)];
  return { x0: x0 - dx, y0: y0 - dy, x1: x1 + dx, y1: y1 + dy, thickness };
}

/** A piece as a straight line between its ends, which may have a head at one; undefined for any other form. */
function barOf(
  { box, area }: Component,
  number: number,
  { labels, width, letter }: { readonly labels: ArrayLike<number>; readonly width: number; readonly letter: number },
): (InkLine & { readonly isThin: boolean }) | undefined {
  const { x0, y0, x1, y1 } = box;
  if (area > FILL * (x1 - x0) * (y1 - y0)) return undefined;
  const points: number[] = [];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) if (labels[y * width + x] === number) points.push(x + 0.5, y + 0.5);
  const { middle, rad } = longAxisOf(points);
  const cos = Math.cos(rad),
    sin = Math.sin(rad);
  const pen = Math.max(OFF, PEN * letter);
  let [from, to, off] = [Infinity, -Infinity, 0];
  /** Where pixels are that are off the line. */
  let [first, last] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const dx = points[i] - middle.x,
      dy = points[i + 1] - middle.y;
    const along = dx * cos + dy * sin,
      across = Math.abs(dy * cos - dx * sin);
    from = Math.min(from, along);
    to = Math.max(to, along);
    off = Math.max(off, across);
    if (across <= pen) continue;
    first = Math.min(first, along);
    last = Math.max(last, along);
  }
  const hasHead = off > pen;
  if (hasHead && (off > HEAD_WIDE * letter || Math.min(last - from, to - first) > HEAD_LONG * letter)) return undefined;
  const { x, y } = middle;
  const ends = { x0: x + from * cos, y0: y + from * sin, x1: x + to * cos, y1: y + to * sin };
  return { ...ends, thickness: 2 * Math.min(off, pen), isThin: off <= OFF };
}

function isNearWall({ bits, width, height }: Bitmap, x: number, y: number): boolean {
  for (let v = Math.floor(y) - REACH; v <= Math.floor(y) + REACH; v++)
    for (let u = Math.floor(x) - REACH; u <= Math.floor(x) + REACH; u++)
      if (u >= 0 && v >= 0 && u < width && v < height && bits[v * width + u] !== 0) return true;
  return false;
}
