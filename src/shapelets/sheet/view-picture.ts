import { sharesOf, type Sheet, type SheetBox } from '../../content/sheet.js';
import { dilate, drawLine, erode, fillInside, newBitmap, type Bitmap } from '../../bitmap/page-raster.js';
import { SHAPELET_SIZE, SHAPELET_SPAN, type Shapelet } from '../shapelet.js';
import { STROKE_ROLES } from './stroke-roles.js';

/** Views are drawn so many times as large as their shapelets, and then made smaller. */
const FINE = 4;
/** Gaps of an outline up to twice so many fine pixels are closed; wider ones when the narrower ones leave nearly all of the box empty. */
const CLOSED = [1, 4, 8];
const EMPTY_SHARE = 0.2;
/** Closing wider gaps is right when it fills so many times more. */
const FULLER = 2.5;
/** A difference of grey that is an edge; lighter than the second is paper. */
const EDGE = 45;
export const PAPER = 243;

/** Draws a view: its strokes and what the pictures in its box show. */
export function drawView(
  sheet: Sheet,
  box: SheetBox,
  strokes: Uint32Array,
  roles: Uint8Array,
  pictures: readonly number[],
): Shapelet {
  const side = FINE * SHAPELET_SIZE;
  const scale = (FINE * SHAPELET_SPAN) / Math.max(box.width, box.height, Number.MIN_VALUE);
  const left = side / 2 - scale * (box.x + box.width / 2),
    top = side / 2 - scale * (box.y + box.height / 2);
  const seen = newBitmap(side, side),
    unseen = newBitmap(side, side),
    body = newBitmap(side, side);
  const { points, starts } = sheet.strokes;
  let hiddenCount = 0;
  for (const i of strokes) {
    const isHidden = roles[i] === STROKE_ROLES.hidden;
    if (isHidden) hiddenCount++;
    for (let p = starts[i] + 1; p < starts[i + 1]; p++) {
      drawLine(
        isHidden ? unseen : seen,
        left + scale * points[2 * p - 2],
        top + scale * points[2 * p - 1],
        left + scale * points[2 * p],
        top + scale * points[2 * p + 1],
      );
    }
  }
  for (const index of pictures) drawPicture(sheet, index, box, scale, left, top, seen, body);
  for (let i = 0; i < body.bits.length; i++) body.bits[i] |= seen.bits[i] | unseen.bits[i];
  const filled = fillBody(body, scale * scale * box.width * box.height);
  const { width, height } = sheet;
  const toScale = sheet.space === 'model' && sheet.unitMm !== null;
  const unit = toScale ? sheet.unitMm : 1 / Math.max(width, height);
  return {
    place: { kind: 'page', page: sheet.number, box: sharesOf(sheet, box) },
    mask: shrink(filled, FINE * FINE),
    lines: shrink(seen, FINE),
    hiddenLines: hiddenCount === 0 ? new Uint8Array(0) : shrink(unseen, FINE),
    size: [box.width * unit, box.height * unit],
    isToScale: toScale,
  };
}

/** What outlines enclose. Outlines may have gaps where other lines took the place of edges. */
function fillBody(outlines: Bitmap, boxArea: number): Bitmap {
  let best: Bitmap | undefined;
  let most = 0;
  for (const radius of CLOSED) {
    const filled = erode(fillInside(dilate(outlines, radius)), radius);
    const area = filled.bits.reduce((sum, bit) => sum + bit, 0);
    if (best === undefined || area > FULLER * most) [best, most] = [filled, area];
    if (most > EMPTY_SHARE * boxArea) break;
  }
  return best ?? outlines;
}

/** What is not paper belongs to the body; where the grey changes there are lines. */
function drawPicture(
  { pictures }: Sheet,
  index: number,
  within: SheetBox,
  scale: number,
  left: number,
  top: number,
  seen: Bitmap,
  body: Bitmap,
): void {
  const {
    box,
    picture: { widthPx, heightPx, gray },
  } = pictures[index];
  const side = seen.width;
  const first = (start: number): number => Math.max(0, Math.floor(start));
  const fromX = first(left + scale * Math.max(box.x, within.x)),
    toX = Math.min(side, Math.ceil(left + scale * Math.min(box.x + box.width, within.x + within.width)));
  const fromY = first(top + scale * Math.max(box.y, within.y)),
    toY = Math.min(side, Math.ceil(top + scale * Math.min(box.y + box.height, within.y + within.height)));
  // Differences reach at least a pixel of the picture.
  const reachX = Math.max(1, widthPx / box.width / scale),
    reachY = Math.max(1, heightPx / box.height / scale);
  const grayAt = (u: number, v: number): number =>
    gray[
      Math.min(heightPx - 1, Math.max(0, Math.floor(v))) * widthPx + Math.min(widthPx - 1, Math.max(0, Math.floor(u)))
    ];
  for (let y = fromY; y < toY; y++) {
    const v = ((y + 0.5 - top) / scale - box.y) * (heightPx / box.height);
    for (let x = fromX; x < toX; x++) {
      const u = ((x + 0.5 - left) / scale - box.x) * (widthPx / box.width);
      const here = grayAt(u, v);
      if (here < PAPER) body.bits[y * side + x] = 1;
      // On the darker side, which belongs to the body.
      if (
        Math.max(grayAt(u + reachX, v), grayAt(u - reachX, v), grayAt(u, v + reachY), grayAt(u, v - reachY)) - here >
        EDGE
      )
        seen.bits[y * side + x] = 1;
    }
  }
}

/** @param full set pixels of a square that count as all covered. */
function shrink({ width, bits }: Bitmap, full: number): Uint8Array {
  const counts = new Uint16Array(SHAPELET_SIZE ** 2);
  for (let y = 0, i = 0; y < width; y++) {
    const first = Math.floor(y / FINE) * SHAPELET_SIZE;
    for (let x = 0; x < width; x++, i++) counts[first + Math.floor(x / FINE)] += bits[i];
  }
  return Uint8Array.from(counts, (count) => Math.min(255, Math.round((255 * count) / full)));
}
