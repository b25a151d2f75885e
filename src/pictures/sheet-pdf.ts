import { fitWithin, type PixelBounds } from '../content/pixels.js';
import { shownArea, type Sheet, type StrokeStyle } from '../content/sheet.js';
import { PdfPage, type PathStyle } from './pdf-page.js';

/** Bounds on what is drawn of one sheet; the rest is left out. */
export const SHEET_PICTURE_LIMITS = Object.freeze({
  /** Corners of lines, after indistinguishable ones are dropped. */
  points: 600_000,
  texts: 20_000,
  /** Length of all lines, pixels: each pixel of a full picture is passed some twenty times. */
  linePx: 20_000_000,
  /** Pixels of placed pictures. */
  picturePixels: 30_000_000,
});

/** Thinnest line, pixels: thinner ones would be grey. */
const THINNEST_PX = 0.9;
/** Widest line, as a share of the page's longer side: a wider one is most likely a mistake in the file's units. */
const WIDEST = 0.05;
/** Corners nearer than this to the one before are dropped, pixels. */
const NEAR_PX = 0.35;
/** Smaller text is not legible and is left out, pixels. */
const SMALLEST_TEXT_PX = 1.5;
/** Height of the font's capitals, ems. */
const CAPITALS = 0.718;
/** Consecutive strokes of one style form one path up to this many numbers. */
const PATH_NUMBERS = 20_000;

/** A sheet as a PDF whose points are the pixels of the wanted picture; undefined for an empty sheet. */
export function sheetPdf(sheet: Sheet, bounds: PixelBounds): Uint8Array | undefined {
  const { strokes, texts, pictures } = sheet;
  if (strokes.count === 0 && texts.length === 0 && pictures.length === 0) return undefined;
  if (!(sheet.width > 0 && sheet.height > 0)) return undefined;
  const area = shownArea(sheet);
  const margin = -area.x;
  const { widthPx, heightPx, scale } = fitWithin(area.width, area.height, bounds);
  const page = new PdfPage(widthPx, heightPx);
  const place = (value: number): number => (value + margin) * scale;
  placePictures(page, sheet, scale, place);
  drawStrokes(page, sheet, scale, place);
  for (const { text, x, y, angleRad, height, width } of texts.slice(0, SHEET_PICTURE_LIMITS.texts)) {
    const size = (height * scale) / CAPITALS;
    if (size >= SMALLEST_TEXT_PX && size <= 2 * heightPx)
      page.write({ text, x: place(x), y: place(y), size, angleRad, width: width * scale });
  }
  return page.end();
}

function placePictures(page: PdfPage, { pictures }: Sheet, scale: number, place: (value: number) => number): void {
  let left: number = SHEET_PICTURE_LIMITS.picturePixels;
  for (const { box, picture } of pictures) {
    left -= picture.widthPx * picture.heightPx;
    if (left < 0) return;
    page.place(picture, place(box.x), place(box.y), box.width * scale, box.height * scale);
  }
}

/** In the order of the file. Consecutive strokes of one style form one path; filled ones only within one group. */
function drawStrokes(page: PdfPage, sheet: Sheet, scale: number, place: (value: number) => number): void {
  const { count, points, starts, styles, groups } = sheet.strokes;
  let left: number = SHEET_PICTURE_LIMITS.points,
    leftPx: number = SHEET_PICTURE_LIMITS.linePx;
  let path: number[][] = [];
  let numbers = 0;
  const widestPx = WIDEST * scale * Math.max(sheet.width, sheet.height);
  for (let stroke = 0; stroke < count && left > 0 && leftPx > 0; stroke++) {
    const whole = corners(points, starts[stroke], starts[stroke + 1], place);
    const { line, lengthPx } = within(whole, leftPx);
    path.push(line);
    numbers += line.length;
    left -= line.length / 2;
    leftPx -= lengthPx;
    const next = stroke + 1;
    const { isFill } = sheet.styles[styles[stroke]];
    const goesOn =
      next < count &&
      left > 0 &&
      leftPx > 0 &&
      styles[next] === styles[stroke] &&
      (isFill ? groups[next] === groups[stroke] : numbers < PATH_NUMBERS);
    if (goesOn) continue;
    const style = styleOf(sheet.styles[styles[stroke]], scale, widestPx);
    if (isFill || path.every(({ length }) => length <= PATH_NUMBERS)) page.draw(path, style);
    else for (const piece of path.flatMap(piecesOf)) page.draw([piece], style);
    path = [];
    numbers = 0;
  }
}

/** The line up to the corner at which it is longer than that; its length in steps along the axes. */
function within(line: number[], mostPx: number): { readonly line: number[]; readonly lengthPx: number } {
  let lengthPx = 0;
  for (let i = 2; i < line.length; i += 2) {
    lengthPx += Math.abs(line[i] - line[i - 2]) + Math.abs(line[i + 1] - line[i - 1]);
    if (lengthPx > mostPx) return { line: line.slice(0, i + 2), lengthPx };
  }
  return { line, lengthPx };
}

/** A long line in parts that each begin where the one before ends: the time for a path grows with its square. */
function piecesOf(line: number[]): number[][] {
  const pieces: number[][] = [];
  for (let i = 0; i === 0 || i + 2 < line.length; i += PATH_NUMBERS) pieces.push(line.slice(i, i + PATH_NUMBERS + 2));
  return pieces;
}

/** The distinguishable corners; always the first and the last. */
function corners(points: Float32Array, first: number, end: number, place: (value: number) => number): number[] {
  const line: number[] = [];
  let lastX = Infinity,
    lastY = Infinity;
  for (let i = first; i < end; i++) {
    const x = place(points[2 * i]),
      y = place(points[2 * i + 1]);
    if (i > first && i < end - 1 && Math.abs(x - lastX) + Math.abs(y - lastY) < NEAR_PX) continue;
    line.push(x, y);
    lastX = x;
    lastY = y;
  }
  return line;
}

function styleOf({ color, width, dash, isFill }: StrokeStyle, scale: number, widestPx: number): PathStyle {
  if (isFill) return { color };
  const lengths = dash.map((length) => length * scale);
  // Dashes shorter than a pixel would merge to a line.
  const shown = lengths.some((length) => length >= 1) && lengths.every((length) => length >= 0) ? lengths : [];
  return { color, lineWidth: Math.max(THINNEST_PX, Math.min(widestPx, width * scale)), dash: shown };
}
