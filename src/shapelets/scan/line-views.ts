import { areaOf, longerSide, sharedArea, unionOf } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import {
  boxOf,
  componentBits,
  componentsOf,
  count,
  crop,
  dilate,
  either,
  erode,
  fillHoles,
  firstIn,
  shrink,
  without,
  type Bitmap,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { widestBreak, type ViewBreak } from '../break-between.js';
import type { FoundShape } from './found-shape.js';
import type { CleanLines } from './line-cleaning.js';
import { isDimensionLoop } from './ruled-boxes.js';
import { shadedShape } from './shading.js';

/** Views are separated in a picture that is reduced by this factor. */
const SHRINK = 4;
/**
 * Units of 1/2400 of the page's longer side: half the largest gap within a view, and the least longer side of a view.
 */
const HALF_GAP = 9;
const LEAST_SIDE = 40;
/** Boxes that overlap by more than this share of the smaller are one view. */
const OVERLAP = 0.6;
/** Units of a point on an A3 sheet. */
const POINT = 2;
/** Units: widest gap of a break in a view. */
const BROKEN_GAP = 90;
/**
 * Closed lines around letters: largest mean height in units and in heights of the letters, and least share that letters
 * cover.
 */
const LABEL_HEIGHT = 85;
const LABEL_LETTERS = 3;
const LABEL_SHARE = 0.14;
/**
 * Isolated symbols, such as that of surface texture: largest longer side in units, and largest share of the largest
 * view's box.
 */
const SIGN_SIDE = 100;
const SIGN_SHARE = 0.025;
/** A view is shaded if that takes a larger share of its filled outline, or so many times the ink of its lines. */
const SHADED_SHARE = 0.4;
const SHADED_LINES = 3;
/** Largest number of views of a page. */
const MOST_VIEWS = 200;

/** How open outlines are closed. */
interface Closing {
  /** An outline counts as closed when it encloses this share of what it encloses after closing the widest gaps. */
  readonly enclosed: number;
  /** Widest gap that is closed, as a share of the shape's longer side. */
  readonly widest: number;
}

/** Closing of the outlines of drawings, and of sketches, which have wider gaps. */
const DRAWN: Closing = Object.freeze({ enclosed: 0.3, widest: 0.06 });
const SKETCHED: Closing = Object.freeze({ enclosed: 0.6, widest: 0.16 });

/**
 * Groups cleaned lines into views by distance, ordered by descending area of their boxes. Frames around letters and
 * loops of dimensions are not views.
 */
export function groupViews({ lines, solids, shading, letters, lineWidth, inside }: CleanLines): FoundShape[] {
  const all = either(lines, solids);
  const unit = Math.max(all.width, all.height) / 2400;
  const letterBoxes = componentsOf(letters, 8)
    .list.slice(1)
    .map(({ box }) => box);
  const drawn = { lines, ink: without(inside, letters), lineWidth };
  // Labels are removed before overlapping boxes are joined, because balloons may lie in the corners of views.
  const single = grouped(all, unit).filter(
    (box) =>
      !isDimensionLoop(box, drawn, unit) &&
      (Math.min(box.x1 - box.x0, box.y1 - box.y0) > 4 * LABEL_HEIGHT * unit ||
        !isLabel(shapeAt(box, all, lines, lineWidth, DRAWN), letterBoxes, unit)),
  );
  const bodies = shading === undefined ? [] : bodiesOf(solids, unit);
  const apart = merge(single.flatMap((box) => bodiesApart(box, bodies)));
  // No edge closes a shaded view: flanges of two, one above the other, would be lines that go on behind a break.
  const shaded = new Set(apart.filter((box) => bodiesIn(box, bodies).length > 0));
  const drawnBoxes = apart.filter((box) => !shaded.has(box));
  const broken = joinAtBreaks(drawnBoxes, all, lines, POINT * unit);
  const boxes = [...broken.whole, ...joinBroken([...broken.others, ...shaded], BROKEN_GAP * unit)];
  const largest = boxes.reduce((most, box) => Math.max(most, areaOf(box)), 0);
  const leastSide = (box: PixelBox): number => (areaOf(box) > SIGN_SHARE * largest ? LEAST_SIDE : SIGN_SIDE);
  return boxes
    .filter((box) => longerSide(box) >= leastSide(box) * unit)
    .sort((a, b) => areaOf(b) - areaOf(a) || a.y0 - b.y0 || a.x0 - b.x0)
    .slice(0, MOST_VIEWS)
    .map((box) => {
      const shape = shapeAt(box, broken.all, broken.lines, lineWidth, DRAWN);
      if (shading === undefined) return shape;
      const shaded = count(crop(solids, box, 0));
      const isShaded = shaded > SHADED_SHARE * count(shape.mask) || shaded > SHADED_LINES * count(shape.lines);
      return isShaded ? shadedShape(solids, shading, box) : shape;
    });
}

/** All ink of a sketch as one shape, without specks. */
export function sketchedShape({ inside, lineWidth }: Pick<CleanLines, 'inside' | 'lineWidth'>): FoundShape | undefined {
  const found = componentsOf(inside, 8);
  const largest = Math.max(...found.list.map(({ area }) => area));
  const ink = componentBits(inside, found, ({ area }) => area >= Math.max(4 * lineWidth, 0.01 * largest));
  const box = boxOf(ink);
  return box && shapeAt(box, ink, ink, lineWidth, SKETCHED);
}

function shapeAt(box: PixelBox, all: Bitmap, lines: Bitmap, lineWidth: number, closing: Closing): FoundShape {
  const own = crop(all, box, 0);
  return { box, mask: either(fillOutline(own, lineWidth, closing), own), lines: crop(lines, box, 0), lineWidth };
}

/** Whether a shape is a narrow closed line around letters: a control frame, a framed dimension, a balloon. */
function isLabel({ box, mask }: FoundShape, letters: readonly PixelBox[], unit: number): boolean {
  const area = count(mask);
  if (area / Math.max(mask.width, mask.height) > LABEL_HEIGHT * unit) return false;
  const inside = letters.filter((letter) => {
    const x = (letter.x0 + letter.x1) >> 1,
      y = (letter.y0 + letter.y1) >> 1;
    // A circle at the centre is an edge of the part, not a letter.
    const isRound =
      Math.abs(letter.x1 - letter.x0 - (letter.y1 - letter.y0)) < 0.1 * (letter.y1 - letter.y0) &&
      Math.abs(2 * x - box.x0 - box.x1) < 8 &&
      Math.abs(2 * y - box.y0 - box.y1) < 8;
    return (
      !isRound &&
      x >= box.x0 &&
      x < box.x1 &&
      y >= box.y0 &&
      y < box.y1 &&
      mask.bits[(y - box.y0) * mask.width + x - box.x0] === 1
    );
  });
  const letterHeight = medianOf(inside.map((letter) => letter.y1 - letter.y0)) ?? 0;
  if (area / Math.max(mask.width, mask.height) > LABEL_LETTERS * letterHeight) return false;
  return inside.reduce((sum, letter) => sum + areaOf(letter), 0) > LABEL_SHARE * area;
}

/** Boxes of the bodies of a page with shaded views. */
function bodiesOf(solids: Bitmap, unit: number): PixelBox[] {
  return grouped(solids, unit).filter((body) => longerSide(body) >= LEAST_SIDE * unit);
}

function bodiesIn(box: PixelBox, bodies: readonly PixelBox[]): PixelBox[] {
  return bodies.filter((body) => sharedArea(body, box) > OVERLAP * areaOf(body));
}

/** The bodies that lines alone join, as those of dimensions do, each as a view of its own. */
function bodiesApart(box: PixelBox, bodies: readonly PixelBox[]): PixelBox[] {
  const apart = merge(bodiesIn(box, bodies));
  return apart.length > 1 ? apart : [box];
}

/** Boxes of what is drawn near each other. */
function grouped(drawn: Bitmap, unit: number): PixelBox[] {
  const small = shrink(drawn, SHRINK);
  const { labels } = componentsOf(dilate(small, Math.max(1, Math.round((HALF_GAP * unit) / SHRINK))), 8);
  return boxesOf(drawn, labels, small.width);
}

/** Views that were joined at a break, other boxes, and the picture without break lines, with what goes on behind. */
interface MendedViews {
  readonly whole: PixelBox[];
  readonly others: PixelBox[];
  readonly all: Bitmap;
  readonly lines: Bitmap;
}

/** Joins pieces of views whose facing ends are those of a break, at the widest one first. */
function joinAtBreaks(boxes: readonly PixelBox[], all: Bitmap, lines: Bitmap, point: number): MendedViews {
  const left = [...boxes];
  const whole = new Set<PixelBox>();
  let mended = { all, lines };
  for (;;) {
    const found = widestBreak(mended.all, left, point, true);
    if (found === undefined) break;
    const pieces = [left[found.first], left[found.second]];
    const around = unionOf(pieces[0], pieces[1]);
    if (whole.size === 0) mended = { all: copyOf(all), lines: copyOf(lines) };
    for (const map of [mended.all, mended.lines]) bridge(map, around, found);
    const ink = boxOf(crop(mended.all, around, 0));
    const box =
      ink === undefined
        ? around
        : { x0: around.x0 + ink.x0, y0: around.y0 + ink.y0, x1: around.x0 + ink.x1, y1: around.y0 + ink.y1 };
    for (const piece of pieces) whole.delete(piece);
    whole.add(box);
    left[found.first] = box;
    left.splice(found.second, 1);
  }
  return { whole: [...whole], others: left.filter((box) => !whole.has(box)), ...mended };
}

function copyOf({ width, height, bits }: Bitmap): Bitmap {
  return { width, height, bits: bits.slice() };
}

/** Clears a break within a box and draws the lines that go on behind it. */
function bridge({ width, bits }: Bitmap, { x0, y0, x1, y1 }: PixelBox, { along, zone, lines }: ViewBreak): void {
  const [from, to] = along === 0 ? [y0, y1] : [x0, x1];
  const [start, end] = [Math.max(zone.from, along === 0 ? x0 : y0), Math.min(zone.to, along === 0 ? x1 : y1)];
  for (let across = from; across < to; across++) {
    const ink = lines.some((line) => across >= line.from && across < line.to) ? 1 : 0;
    for (let at = start; at < end; at++) bits[along === 0 ? across * width + at : at * width + across] = ink;
  }
}

/** Joins the pieces of views with a break: side by side, of equal width, longer than wide, with a small gap. */
function joinBroken(boxes: PixelBox[], mostGap: number): PixelBox[] {
  const joined = [...boxes];
  const fits = (a: PixelBox, b: PixelBox): boolean => {
    const [aw, ah, bw, bh] = [a.x1 - a.x0, a.y1 - a.y0, b.x1 - b.x0, b.y1 - b.y0];
    const level = Math.max(a.x0 - b.x1, b.x0 - a.x1),
      upright = Math.max(a.y0 - b.y1, b.y0 - a.y1);
    const isAlike = (low: number, high: number, across: number, other: number): boolean =>
      Math.abs(low) + Math.abs(high) <= 4 + 0.12 * Math.max(across, other);
    if (level > 0)
      return level < mostGap && isAlike(a.y0 - b.y0, a.y1 - b.y1, ah, bh) && Math.min(aw / ah, bw / bh) > 1.3;
    return (
      upright > 0 && upright < mostGap && isAlike(a.x0 - b.x0, a.x1 - b.x1, aw, bw) && Math.min(ah / aw, bh / bw) > 1.3
    );
  };
  for (let i = 0; i < joined.length; i++) {
    for (let j = i + 1; j < joined.length; j++) {
      if (!fits(joined[i], joined[j])) continue;
      joined[i] = unionOf(joined[i], joined[j]);
      joined.splice(j, 1);
      j = i;
    }
  }
  return joined;
}

/**
 * Fills an outline: closes gaps by dilation, floods from outside, inverts, and erodes again. The smallest radius is
 * used with which the outline encloses enough area.
 */
function fillOutline(outline: Bitmap, lineWidth: number, { enclosed, widest }: Closing): Bitmap {
  const longest = Math.max(outline.width, outline.height);
  const most = Math.max(2, Math.round((widest * longest) / 2));
  const fill = (radius: number): Bitmap => {
    const margin = radius + 1;
    const filled = erode(
      fillHoles(dilate(crop(outline, { x0: 0, y0: 0, x1: outline.width, y1: outline.height }, margin), radius)),
      radius,
    );
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

/** Bounding boxes of the pixels of each component of the reduced, dilated picture. */
function boxesOf({ width, height, bits }: Bitmap, labels: Int32Array, columns: number): PixelBox[] {
  const boxes = new Map<number, { x0: number; y0: number; x1: number; y1: number }>();
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / SHRINK) * columns;
    for (let x = firstIn(bits, y * width, width); x < width; x++) {
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
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    const next: PixelBox[] = [];
    for (const box of merged) {
      const at = next.findIndex((other) => sharedArea(box, other) > OVERLAP * Math.min(areaOf(box), areaOf(other)));
      if (at < 0) next.push(box);
      else next[at] = unionOf(box, next[at]);
    }
    merged = next;
  }
  return merged;
}
