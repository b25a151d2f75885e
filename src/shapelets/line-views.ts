import { boxOf, componentsOf, count, crop, dilate, either, erode, fillHoles, shrink, type Bitmap, type PixelBox } from './bitmap.js';
import type { CleanLines } from './line-cleaning.js';

/** Views are told apart in a picture that is smaller by this factor. */
const SHRINK = 4;
/** Units of 1/2400 of the page's longer side: half the gap within a view, and the least longer side of a view. */
const HALF_GAP = 9;
const LEAST_SIDE = 28;
/** Boxes that overlap by more than this share of the smaller are one view. */
const OVERLAP = 0.6;
/** Most views of a page. */
const MOST_VIEWS = 200;

/** A shape found in a picture. */
export interface FoundShape {
  readonly box: PixelBox;
  /** Of the box's size: filled outline. */
  readonly mask: Bitmap;
  /** Of the box's size: outlines and edges. */
  readonly lines: Bitmap;
}

/** How open outlines are closed. */
export interface Closing {
  /** Outlines count as closed when they enclose this share of what wide gaps would enclose too. */
  readonly enclosed: number;
  /** Widest gap that is closed, share of the shape's longer side. */
  readonly widest: number;
}

/** Closing of outlines of drawings, and of sketches, whose outlines have gaps. */
export const DRAWN: Closing = Object.freeze({ enclosed: 0.3, widest: 0.06 });
export const SKETCHED: Closing = Object.freeze({ enclosed: 0.6, widest: 0.16 });

/** Groups cleaned lines into views by nearness, in the order of falling area of their boxes. */
export function groupViews({ lines, solids, lineWidth }: CleanLines, closing: Closing, halfGap = HALF_GAP): FoundShape[] {
  const all = either(lines, solids);
  const unit = Math.max(all.width, all.height) / 2400;
  const small = shrink(all, SHRINK);
  const { labels } = componentsOf(dilate(small, Math.max(1, Math.round((halfGap * unit) / SHRINK))), 8);
  const boxes = merge(boxesOf(all, labels, small.width)).filter(({ x0, y0, x1, y1 }) => Math.max(x1 - x0, y1 - y0) >= LEAST_SIDE * unit);
  return boxes
    .sort((a, b) => areaOf(b) - areaOf(a) || a.y0 - b.y0 || a.x0 - b.x0)
    .slice(0, MOST_VIEWS)
    .map((box) => {
      const own = crop(all, box, 0);
      return { box, mask: either(fillOutline(own, lineWidth, closing), own), lines: crop(lines, box, 0) };
    });
}

/**
 * Fills an outline: closes it, floods from outside, inverts, takes back what closing added. Gaps are closed by as little as makes the
 * outline enclose an area.
 */
export function fillOutline(outline: Bitmap, lineWidth: number, { enclosed, widest }: Closing): Bitmap {
  const longest = Math.max(outline.width, outline.height);
  const most = Math.max(2, Math.round((widest * longest) / 2));
  const fill = (radius: number): Bitmap => {
    const margin = radius + 1;
    const filled = erode(fillHoles(dilate(crop(outline, { x0: 0, y0: 0, x1: outline.width, y1: outline.height }, margin), radius)), radius);
    return crop(filled, { x0: margin, y0: margin, x1: margin + outline.width, y1: margin + outline.height }, 0);
  };
  const first = Math.max(1, Math.min(most, Math.round(lineWidth / 2)));
  const target = enclosed * count(fill(most));
  for (let radius = first; radius < most; radius = Math.ceil(1.6 * radius)) {
    const filled = fill(radius);
    if (count(filled) >= target) return filled;
  }
  return fill(most);
}

/** Boxes of the pixels of each component of the smaller, widened picture. */
function boxesOf({ width, height, bits }: Bitmap, labels: Int32Array, columns: number): PixelBox[] {
  const boxes = new Map<number, { x0: number; y0: number; x1: number; y1: number }>();
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / SHRINK) * columns;
    for (let x = bits.indexOf(1, y * width) - y * width; x >= 0 && x < width; x++) {
      if (bits[y * width + x] === 0) continue;
      const label = labels[row + Math.floor(x / SHRINK)];
      const box = boxes.get(label);
      if (box === undefined) {
        boxes.set(label, { x0: x, y0: y, x1: x + 1, y1: y + 1 });
        continue;
      }
      if (x < box.x0) box.x0 = x;
      if (x >= box.x1) box.x1 = x + 1;
      box.y1 = y + 1;
    }
  }
  return [...boxes.values()];
}

function merge(boxes: PixelBox[]): PixelBox[] {
  let merged = boxes;
  for (let changed = true; changed;) {
    changed = false;
    const next: PixelBox[] = [];
    for (const box of merged) {
      const at = next.findIndex((other) => overlap(box, other) > OVERLAP * Math.min(areaOf(box), areaOf(other)));
      if (at < 0) {
        next.push(box);
        continue;
      }
      const other = next[at];
      next[at] = { x0: Math.min(box.x0, other.x0), y0: Math.min(box.y0, other.y0), x1: Math.max(box.x1, other.x1), y1: Math.max(box.y1, other.y1) };
      changed = true;
    }
    merged = next;
  }
  return merged;
}

function overlap(a: PixelBox, b: PixelBox): number {
  return Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0));
}

function areaOf({ x0, y0, x1, y1 }: PixelBox): number {
  return (x1 - x0) * (y1 - y0);
}

/** Tight box of a shape within its own box, page pixels; undefined when nothing is set. */
export function tightBox({ box, mask }: FoundShape): PixelBox | undefined {
  const tight = boxOf(mask);
  return tight && { x0: box.x0 + tight.x0, y0: box.y0 + tight.y0, x1: box.x0 + tight.x1, y1: box.y0 + tight.y1 };
}
