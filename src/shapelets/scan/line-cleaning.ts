import { gapBetween, longerSide } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Ink } from '../../bitmap/binarise.js';
import {
  bitmapOf,
  both,
  componentBits,
  componentsOf,
  dilate,
  drawLine,
  either,
  erode,
  fillHoles,
  count,
  open,
  without,
  type Bitmap,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { drawingArea } from '../../bitmap/drawing-area.js';
import { thin, traceLines, type LineGraph } from '../../bitmap/skeleton.js';
import { ARROW, arrowedLines, straightLines, strokeWidth } from './arrowed-lines.js';
import { joinedAtBreaks, type FacingEnds } from './break-ends.js';
import { closedLines } from './closed-lines.js';
import { tablesOf } from './ruled-boxes.js';
import { FEWEST_LETTERS, isFrameOfSheet } from './sheet-signs.js';
import { shadedBodies, type Shading } from './shading.js';

/** Sizes in units of 1/2400 of the page's longer side: 0.18 mm on A3, 0.12 mm on A4. */
const SIZE = Object.freeze({
  /** Dark areas thinner than this are lines. */
  solid: 8,
  /** Solid areas that are smaller in both directions are arrowheads and bold letters. */
  solidLeast: 40,
  /** Largest letters. */
  letter: 60,
  /** Least size of an isolated circle that is a view. */
  ring: 26,
});
/** Pixels inside shading that are at least this dark belong to it. */
const PINHOLE = 7;
/** A page with a larger share of solid ink has shaded views. */
const SHADED = 0.2;
/** On shaded views, outlines are darker than this share of the darkest pixels. */
const VIEW_DARKNESS = 0.64;
/** What remains of a page when everything but the parts is removed. */
export interface CleanLines {
  /** Outlines and visible edges, one or more pixels wide. */
  readonly lines: Bitmap;
  /** Dark areas; on a page with shaded views the silhouettes of these. */
  readonly solids: Bitmap;
  /** Of a page with shaded views; undefined on other pages. */
  readonly shading: Shading | undefined;
  readonly isFramed: boolean;
  /** Whether that is the frame of a sheet; else these are outlines of a view that was cut out of its page. */
  readonly isSheet: boolean;
  /** Share of ink that is solid, 0 to 1. */
  readonly solidShare: number;
  /** Width of typical lines, pixels. */
  readonly lineWidth: number;
  /** Small pieces that are probably letters. */
  readonly letters: Bitmap;
  /** All ink within the frame, from which lines, solids and letters were chosen. */
  readonly inside: Bitmap;
}

/** What a small view encloses at least, in squares of the usual size of letters, of which none encloses half. */
const ENCLOSED = 0.75;
/** Share of the ink within a dark rim that a solid body has in a photo. */
const OBJECT_ALONE = 0.9;

/**
 * Removes frame, tables, letters, dimensions, leaders and centre lines from a page. Lines are thinned and traced
 * between nodes. Of two kinds of weight (width times darkness), the heavier one belongs to the part. Lines with an
 * arrowhead are removed, then all lines with a free end.
 */
export function cleanLines(page: Ink): CleanLines {
  const { width, height, ink } = page;
  const unit = Math.max(width, height) / 2400;
  const bold = open(ink, Math.round(14 * unit));
  const { area, isFramed, frame } = drawingArea(without(ink, bold), unit);
  const within = both(ink, area);
  const isObject = (): boolean => count(largeSolids(within, page.darkness, unit)) > OBJECT_ALONE * count(within);
  const isSheet = isFramed && (isFrameOfSheet(ink, frame, SIZE.letter * unit) || isObject());
  // Else what looks like a frame are outlines of a view that was cut out of its page.
  const inside = isSheet ? within : ink;
  const cores = largeSolids(inside, page.darkness, unit);
  const solidShare = count(cores) / Math.max(1, count(inside));
  const isShaded = solidShare > SHADED;
  const solids = isShaded ? shadedBodies(page, inside, cores, unit) : cores;
  const lineInk = without(inside, dilate(solids, 1));
  const pieces = componentsOf(lineInk, 8);
  const isLetter = lettersOf(lineInk, pieces.list, pieces.labels, unit);
  const letters = componentBits(lineInk, pieces, (_, number) => isLetter[number] === 1);
  const drawn = without(without(lineInk, letters), tablesOf(lineInk, pieces, letters, unit));
  const skeleton = thin(closeGaps(drawn, 1));
  const graph = traceLines(skeleton);
  const weights = weightsOf(graph, page, skeleton, unit);
  const lineWidth = Math.max(1, count(drawn) / Math.max(1, count(skeleton)));
  const straight = straightLines(graph, width, unit);
  const isLight = isShaded ? lighterThanViews(graph, page, solids) : new Uint8Array(graph.chains.length);
  const arrowed = arrowedLines(graph, drawn, unit);
  const traits = { weights, isLight, arrowed, straight };
  const broken = joinedAtBreaks(graph, width, unit);
  const chosen = closedLines(broken.graph, traits, dilate(solids, 4), { unit, isShaded });
  const kept = broken.gaps.filter(({ from, to }) => chosen[from.chain] === 0 && chosen[to.chain] === 0);
  const lines = either(inkOf(graph, chosen, drawn, lineWidth), acrossGaps(kept, page, lineWidth));
  const shading = isShaded ? page : undefined;
  return { lines, solids, shading, isFramed, isSheet, solidShare, lineWidth, letters, inside };
}

/** Dark areas that are not lines, arrowheads or letters. */
function largeSolids(ink: Bitmap, darkness: Uint8Array, unit: number): Bitmap {
  // The radius exceeds half the width of a typical line.
  const radius = Math.max(
    3,
    Math.round((SIZE.solid * unit) / 2),
    Math.min(Math.round(SIZE.solid * 0.75 * unit), Math.ceil(0.6 * typicalWidth(ink, unit))),
  );
  // Faint shading of scans has pinholes, which are not quite as light as paper.
  const closed = closeGaps(ink, Math.max(1, Math.round(2 * unit)));
  for (let i = 0; i < darkness.length; i++) if (darkness[i] < PINHOLE) closed.bits[i] = ink.bits[i];
  const cores = open(closed, radius);
  const found = componentsOf(cores, 8);
  const least = SIZE.solidLeast * unit;
  return componentBits(cores, found, ({ box, area }) => longerSide(box) >= least && area > 0.25 * least * least);
}

/** Median width of lines, sampled at pixels of ink; anything as wide as the length of an arrowhead is not a line. */
function typicalWidth(ink: Bitmap, unit: number): number {
  const { bits, width } = ink;
  const most = ARROW * unit,
    found: number[] = [];
  for (let i = bits.indexOf(1), seen = 0; i >= 0; i = bits.indexOf(1, i + 1), seen++) {
    if (seen % 37 !== 0 || i < width || i >= bits.length - width) continue;
    const wide = strokeWidth(ink, i, most);
    if (wide < 0.4 * most) found.push(wide);
  }
  return medianOf(found) ?? 0;
}

/** u8[list]: 1 for pieces of the size of letters, except isolated circles, and small views beside smaller letters. */
function lettersOf(
  ink: Bitmap,
  list: readonly { box: PixelBox; area: number }[],
  labels: Int32Array,
  unit: number,
): Uint8Array {
  const most = SIZE.letter * unit;
  const isLetter = Uint8Array.from(list, ({ box }, number) => (number > 0 && longerSide(box) <= most ? 1 : 0));
  const boxes = list.filter((_, number) => isLetter[number] === 1).map(({ box }) => box);
  const usual = boxes.length < FEWEST_LETTERS ? Infinity : (medianOf(boxes.map(longerSide)) ?? Infinity);
  const isBeside = (box: PixelBox, inOneLine: boolean): boolean =>
    boxes.some(
      (other) =>
        other !== box &&
        gapBetween(box, other) < 0.8 * longerSide(box) &&
        !(other.x0 >= box.x0 && other.x1 <= box.x1 && other.y0 >= box.y0 && other.y1 <= box.y1) &&
        longerSide(other) > 0.5 * (box.x1 - box.x0) &&
        (!inOneLine || isInLine(box, other)),
    );
  list.forEach(({ box, area }, number) => {
    if (isLetter[number] === 0) return;
    const w = box.x1 - box.x0,
      h = box.y1 - box.y0;
    const isRound = Math.max(w, h) <= 1.15 * Math.min(w, h) && area <= 0.5 * w * h;
    const isRing = isRound && Math.min(w, h) >= SIZE.ring * unit && !isBeside(box, false);
    const isLarge = Math.min(w, h) >= 0.8 * usual && w * h >= ENCLOSED * usual * usual && !isBeside(box, true);
    if (!isRing && !isLarge) return;
    const part = bitmapOf(w + 2, h + 2);
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        if (labels[(box.y0 + y) * ink.width + box.x0 + x] === number) part.bits[(y + 1) * (w + 2) + x + 1] = 1;
    const filled = count(fillHoles(part));
    // A disc fills π/4 of its box.
    if ((isRing && filled > 0.7 * w * h) || (isLarge && filled - area > ENCLOSED * usual * usual)) isLetter[number] = 0;
  });
  return isLetter;
}

/** Whether two pieces stand beside each other, as letters of a line do. */
function isInLine(a: PixelBox, b: PixelBox): boolean {
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > 0.5 * Math.min(a.y1 - a.y0, b.y1 - b.y0);
}

/** Bridges gaps of up to twice the radius, pixels. */
function closeGaps(map: Bitmap, radius: number): Bitmap {
  return either(map, erode(dilate(map, radius), radius));
}

/**
 * Weight of each chain: median over its pixels of darkness per length of skeleton in a window, which is width times
 * darkness.
 */
function weightsOf(
  { chains }: LineGraph,
  { darkness, width, height }: Ink,
  { bits: skeleton }: Bitmap,
  unit: number,
): Float32Array {
  const radius = Math.max(3, Math.round(4 * unit));
  return Float32Array.from(chains, ({ pixels }) => {
    const found: number[] = [];
    const step = Math.max(1, Math.floor(pixels.length / 40));
    // Near the ends the window would include other lines of the node.
    const margin = pixels.length > 4 * radius ? radius + 1 : 0;
    for (let i = margin; i < pixels.length - margin; i += step) {
      const y = Math.floor(pixels[i] / width),
        x = pixels[i] - y * width;
      let dark = 0,
        length = 0;
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
        for (let u = Math.max(0, x - radius), at = v * width + u; u <= Math.min(width - 1, x + radius); u++, at++) {
          if (darkness[at] > 12) dark += darkness[at];
          if (skeleton[at] === 0) continue;
          // Length per pixel: half a step to each neighbour, 1 to sides and √2 to corners.
          const sides = skeleton[at - 1] + skeleton[at + 1] + skeleton[at - width] + skeleton[at + width];
          const corners =
            skeleton[at - width - 1] + skeleton[at - width + 1] + skeleton[at + width - 1] + skeleton[at + width + 1];
          length += sides >= 2 ? 1 : Math.max(1, (sides + corners * Math.SQRT2) / 2);
        }
      }
      found.push(dark / 255 / length);
    }
    return medianOf(found) ?? 0;
  });
}

/**
 * u8[chains]: 1 for lines that are clearly lighter than the dark parts of shaded views: dimensions, which are often
 * grey.
 */
function lighterThanViews({ chains }: LineGraph, { darkness, width }: Ink, solids: Bitmap): Uint8Array {
  const found: number[] = [];
  for (let i = width; i < darkness.length - width; i += 3) if (solids.bits[i] === 1) found.push(darkness[i]);
  if (found.length < 200) return new Uint8Array(chains.length);
  found.sort((a, b) => a - b);
  const least = VIEW_DARKNESS * found[Math.floor(0.95 * found.length)];
  return Uint8Array.from(chains, ({ pixels }) => {
    const own = pixels.map((at) => darkestAbout(darkness, at, width));
    return medianOf(own)! < least ? 1 : 0;
  });
}

function darkestAbout(darkness: Uint8Array, at: number, width: number): number {
  return Math.max(darkness[at], darkness[at - 1], darkness[at + 1], darkness[at - width], darkness[at + width]);
}

/** The lines that go on behind a break: what it shows on both sides becomes one view, with a closed outline. */
function acrossGaps(gaps: readonly FacingEnds[], { width, height }: Ink, lineWidth: number): Bitmap {
  const drawn = bitmapOf(width, height);
  for (const { from, to } of gaps) drawLine(drawn, from.x, from.y, to.x, to.y);
  return dilate(drawn, Math.max(1, Math.round(lineWidth / 2)));
}

/** The ink of the remaining lines: pixels within the width of a line from their skeletons. */
function inkOf({ chains }: LineGraph, isGone: Uint8Array, ink: Bitmap, lineWidth: number): Bitmap {
  const kept = bitmapOf(ink.width, ink.height);
  chains.forEach(({ pixels }, i) => {
    if (isGone[i] === 0) for (const at of pixels) kept.bits[at] = 1;
  });
  return either(kept, both(dilate(kept, Math.max(1, Math.ceil(lineWidth))), ink));
}
