import { bytesOf } from '../../content/bytes-of.js';
import type { Segment } from '../../content/geometry.js';
import { eachEdge, sharesOf, type Sheet, type SheetBox, type SheetPicture } from '../../content/sheet.js';
import { bitmapOf, count, dilate, drawLine, erode, fillHoles, type Bitmap } from '../../bitmap/bitmap.js';
import { SHAPELET_SIZE, SHAPELET_SPAN, type Shapelet } from '../shapelet.js';
import { bareBodyOf } from './bare-body.js';
import { STROKE_ROLES } from './stroke-roles.js';

/** Views are drawn this many times larger than their shapelets and then reduced. */
const FINE = 4;
/**
 * Radii of closing, fine pixels: gaps of an outline up to twice a radius are closed. A larger radius is tried when the
 * smaller one leaves most of the box empty.
 */
const CLOSED = [1, 4, 8];
const EMPTY_SHARE = 0.2;
/** A larger radius is accepted when it fills this many times more. */
const FULLER = 2.5;
/** Least difference of grey levels at an edge; pixels at least as light as the second are paper. */
const EDGE = 45;
export const PAPER = 243;

/** Lines that end so near the edge of what is cut out belong to it, as a share of its longer side. */
const NEAR_EDGE = 0.01;

/** A view whose pieces are moved apart at its break, so that it has one of the lengths in which models are rendered. */
export interface DrawnOut {
  /** Direction of the part on the sheet: 0 along x, 1 along y. */
  readonly along: 0 | 1;
  /** What lies behind this place is moved, sheet units. */
  readonly at: number;
  /** By so much, sheet units; below 0 by at most a hundredth of the length. */
  readonly by: number;
}

/** What is drawn of a view. */
export interface DrawnStrokes {
  readonly box: SheetBox;
  readonly strokes: Uint32Array;
  /** Lines that go on behind a break, drawn across it. */
  readonly bridges: readonly Segment[];
  /** Where the view is drawn out; absent: as it stands on the sheet. */
  readonly drawnOut?: DrawnOut;
  /** Whether only what lies within the box is drawn of the strokes. */
  readonly isCut?: boolean;
}

/** A view, and the body alone of one with strands. */
export interface DrawnView {
  readonly shapelet: Shapelet;
  readonly bare?: { readonly box: SheetBox; readonly shapelet: Shapelet };
}

/** Draws a view: its strokes and the pictures within its box. */
export function drawView(sheet: Sheet, drawn: DrawnStrokes, roles: Uint8Array, pictures: readonly number[]): DrawnView {
  const { shapelet, filled, seen, scale, left, top } = drawnOf(sheet, drawn, roles, pictures);
  const isWhole = drawn.drawnOut === undefined && drawn.bridges.length === 0 && pictures.length === 0;
  const body = isWhole ? bareBodyOf(filled, seen) : undefined;
  if (body === undefined) return { shapelet };
  const box = {
    x: (body.x0 - left) / scale,
    y: (body.y0 - top) / scale,
    width: (body.x1 - body.x0) / scale,
    height: (body.y1 - body.y0) / scale,
  };
  const bare = drawnOf(sheet, { ...drawn, box, isCut: true }, roles, []);
  return { shapelet, bare: { box, shapelet: { ...bare.shapelet, isBare: true } } };
}

/** What is drawn, with its filled outlines and its visible lines in the frame of the larger picture. */
interface DrawnPicture {
  readonly shapelet: Shapelet;
  readonly filled: Bitmap;
  readonly seen: Bitmap;
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

function drawnOf(
  sheet: Sheet,
  { box, strokes, bridges, drawnOut, isCut = false }: DrawnStrokes,
  roles: Uint8Array,
  pictures: readonly number[],
): DrawnPicture {
  const side = FINE * SHAPELET_SIZE;
  const more = drawnOut?.by ?? 0;
  const size = drawnOut?.along === 1 ? { ...box, height: box.height + more } : { ...box, width: box.width + more };
  const scale = (FINE * SHAPELET_SPAN) / Math.max(size.width, size.height, Number.MIN_VALUE);
  const left = side / 2 - scale * (box.x + size.width / 2),
    top = side / 2 - scale * (box.y + size.height / 2);
  const across = (x: number): number => left + scale * (drawnOut?.along === 0 && x > drawnOut.at ? x + more : x);
  const down = (y: number): number => top + scale * (drawnOut?.along === 1 && y > drawnOut.at ? y + more : y);
  const seen = bitmapOf(side, side),
    unseen = bitmapOf(side, side),
    body = bitmapOf(side, side);
  let hiddenCount = 0;
  for (const i of strokes) {
    const isHidden = roles[i] === STROKE_ROLES.hidden;
    if (isHidden) hiddenCount++;
    eachEdge(sheet.strokes, i, (x0, y0, x1, y1) => {
      if (isCut && !(isWithin(box, x0, y0) && isWithin(box, x1, y1))) return;
      drawLine(isHidden ? unseen : seen, across(x0), down(y0), across(x1), down(y1));
    });
  }
  for (const { x0, y0, x1, y1 } of bridges) drawLine(seen, across(x0), down(y0), across(x1), down(y1));
  for (const index of pictures) drawPicture(sheet.pictures[index], box, { scale, left, top, drawnOut }, seen, body);
  for (let i = 0; i < body.bits.length; i++) body.bits[i] |= seen.bits[i] | unseen.bits[i];
  const filled = fillBody(body, scale * scale * size.width * size.height);
  const { width, height } = sheet;
  const toScale = sheet.space === 'model' && sheet.unitMm !== null;
  const unit = toScale ? sheet.unitMm : 1 / Math.max(width, height);
  const shapelet: Shapelet = {
    place: { kind: 'page', page: sheet.number, box: sharesOf(sheet, box) },
    mask: shrink(filled, FINE * FINE),
    lines: shrink(seen, FINE),
    hiddenLines: hiddenCount === 0 ? new Uint8Array(0) : shrink(unseen, FINE),
    size: [size.width * unit, size.height * unit],
    isToScale: toScale,
    ...(bridges.length > 0 ? { isBroken: true } : {}),
  };
  return { shapelet, filled, seen, scale, left, top };
}

function isWithin({ x, y, width, height }: SheetBox, u: number, v: number): boolean {
  const near = NEAR_EDGE * Math.max(width, height);
  return u >= x - near && u <= x + width + near && v >= y - near && v <= y + height + near;
}

/** Fills what outlines enclose. Outlines may have gaps where other lines were drawn in place of edges. */
function fillBody(outlines: Bitmap, boxArea: number): Bitmap {
  let best: Bitmap | undefined;
  let most = 0;
  for (const radius of CLOSED) {
    const filled = erode(fillHoles(dilate(outlines, radius)), radius);
    const area = count(filled);
    if (best === undefined || area > FULLER * most) [best, most] = [filled, area];
    if (most > EMPTY_SHARE * boxArea) break;
  }
  return best ?? outlines;
}

/** Pixels of a picture per unit of the sheet, the pixel at which the sheet begins, and how the view is drawn out. */
interface PictureFrame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly drawnOut: DrawnOut | undefined;
}

/** The place on the sheet that a view shows at another one; undefined in the gap that was drawn out. */
function placeOf(shown: number, axis: 0 | 1, drawnOut: DrawnOut | undefined): number | undefined {
  if (drawnOut?.along !== axis || shown <= drawnOut.at) return shown;
  return shown > drawnOut.at + drawnOut.by ? shown - drawnOut.by : undefined;
}

/** Draws a picture: pixels that are not paper belong to the body, and steps of grey are lines. */
function drawPicture(
  { box, picture: { widthPx, heightPx, gray } }: SheetPicture,
  within: SheetBox,
  { scale, left, top, drawnOut }: PictureFrame,
  seen: Bitmap,
  body: Bitmap,
): void {
  const side = seen.width;
  const first = (start: number): number => Math.max(0, Math.floor(start));
  const [moreX, moreY] = [0, 1].map((axis) => (drawnOut?.along === axis ? Math.max(0, drawnOut.by) : 0));
  const [endX, endY] = [
    Math.min(box.x + box.width, within.x + within.width),
    Math.min(box.y + box.height, within.y + within.height),
  ];
  const fromX = first(left + scale * Math.max(box.x, within.x)),
    toX = Math.min(side, Math.ceil(left + scale * (endX + moreX)));
  const fromY = first(top + scale * Math.max(box.y, within.y)),
    toY = Math.min(side, Math.ceil(top + scale * (endY + moreY)));
  // Grey levels are compared at a distance of at least one pixel of the picture.
  const reachX = Math.max(1, widthPx / box.width / scale),
    reachY = Math.max(1, heightPx / box.height / scale);
  const grayAt = (u: number, v: number): number =>
    gray[
      Math.min(heightPx - 1, Math.max(0, Math.floor(v))) * widthPx + Math.min(widthPx - 1, Math.max(0, Math.floor(u)))
    ];
  for (let y = fromY; y < toY; y++) {
    const placeY = placeOf((y + 0.5 - top) / scale, 1, drawnOut);
    if (placeY === undefined || placeY > endY) continue;
    const v = (placeY - box.y) * (heightPx / box.height);
    for (let x = fromX; x < toX; x++) {
      const placeX = placeOf((x + 0.5 - left) / scale, 0, drawnOut);
      if (placeX === undefined || placeX > endX) continue;
      const u = (placeX - box.x) * (widthPx / box.width);
      const here = grayAt(u, v);
      if (here < PAPER) body.bits[y * side + x] = 1;
      // The line is drawn on the darker side, which belongs to the body.
      if (
        Math.max(grayAt(u + reachX, v), grayAt(u - reachX, v), grayAt(u, v + reachY), grayAt(u, v - reachY)) - here >
        EDGE
      )
        seen.bits[y * side + x] = 1;
    }
  }
}

/**
 * Reduces a picture to the size of a shapelet. @param full number of set pixels in a square that counts as fully
 * covered.
 */
function shrink({ width, bits }: Bitmap, full: number): Uint8Array {
  const counts = new Uint16Array(SHAPELET_SIZE ** 2);
  for (let y = 0, i = 0; y < width; y++) {
    const first = Math.floor(y / FINE) * SHAPELET_SIZE;
    for (let x = 0; x < width; x++, i++) counts[first + Math.floor(x / FINE)] += bits[i];
  }
  return bytesOf(counts, (count) => Math.min(255, Math.round((255 * count) / full)));
}
