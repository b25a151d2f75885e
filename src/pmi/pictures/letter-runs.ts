import type { Component, Components } from '../../bitmap/bitmap.js';
import { longAxisOf, longerSide } from '../../content/geometry.js';

/** Of bold letters that touch each other, in letter heights: how high and how long they are together. */
const HIGH = [0.7, 1.5] as const;
const LONG = [1.6, 25] as const;
/**
 * Share of their own box that is ink. A box with a line in it has less than the second share; a line covers more than
 * the third share of the box's length.
 */
const FILL = [0.22, 0.82] as const;
const BOLD = 0.35;
const LINE = 0.8;

/**
 * Height of a row of letters that touch each other, at any angle; undefined for other pieces. Such a row is longer than
 * a letter and would be taken for line work, and its strokes for lines.
 * @param letter height of most letters, pixels.
 */
export function heightOfRun(
  { labels }: Components,
  { box, area }: Component,
  number: number,
  { letter, width }: { readonly letter: number; readonly width: number },
): number | undefined {
  const long = longerSide(box);
  if (long < LONG[0] * letter || long > LONG[1] * letter) return undefined;
  if (area < FILL[0] * HIGH[0] * letter * (long - letter) || area > HIGH[1] * letter * LONG[1] * letter)
    return undefined;
  const points: number[] = [];
  for (let y = box.y0; y < box.y1; y++)
    for (let x = box.x0; x < box.x1; x++) if (labels[y * width + x] === number) points.push(x, y);
  const { middle, rad } = longAxisOf(points);
  const cos = Math.cos(rad),
    sin = Math.sin(rad);
  const rows = new Map<number, number>();
  let [first, last, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const dx = points[i] - middle.x,
      dy = points[i + 1] - middle.y;
    const along = dx * cos + dy * sin,
      across = Math.round(dy * cos - dx * sin);
    first = Math.min(first, along);
    last = Math.max(last, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
    rows.set(across, (rows.get(across) ?? 0) + 1);
  }
  const length = last - first + 1,
    height = bottom - top + 1;
  const fill = points.length / 2 / (length * height);
  const isRow =
    height > HIGH[0] * letter &&
    height < HIGH[1] * letter &&
    length > LONG[0] * letter &&
    fill > FILL[0] &&
    fill < FILL[1] &&
    (fill > BOLD || Math.max(...rows.values()) < LINE * length);
  return isRow ? height : undefined;
}
