import type { Content } from '../content/content.js';
import { CROP_SIDE, type Crop } from '../content/crop.js';
import type { Image } from '../content/image.js';
import {
  shownArea,
  type Picture,
  type PictureColors,
  type Sheet,
  type SheetBox,
  type SheetPicture,
  type Strokes,
} from '../content/sheet.js';

/** Whether a crop leaves out some of a drawing's pages or an image; a model is never cropped. */
export function isPartOf(content: Content, crop: Crop): boolean {
  const isOutside = (width: number, height: number): boolean =>
    crop.x > 0 || crop.y > 0 || crop.x + crop.width < Math.floor(width) || crop.y + crop.height < Math.floor(height);
  if (content.kind === 'image') return isOutside(content.widthPx, content.heightPx);
  if (content.kind !== 'drawing') return false;
  return content.sheets.some((sheet) => {
    const { width, height } = shownArea(sheet);
    const unit = Math.max(width, height) / CROP_SIDE;
    return isOutside(width / unit, height / unit);
  });
}

/** The box of a crop on a sheet, sheet units. */
export function partOfSheet(sheet: Sheet, crop: Crop): SheetBox {
  const area = shownArea(sheet);
  const unit = Math.max(area.width, area.height) / CROP_SIDE;
  return {
    x: area.x + crop.x * unit,
    y: area.y + crop.y * unit,
    width: crop.width * unit,
    height: crop.height * unit,
  };
}

/** A sheet reduced to what lies within a crop; coordinates do not change. */
export function cropSheet(sheet: Sheet, crop: Crop): Sheet {
  const box = partOfSheet(sheet, crop);
  const { strokes, kept } = clipStrokes(sheet.strokes, box);
  return {
    ...sheet,
    strokes,
    arcs: sheet.arcs.flatMap((arc) => (kept.has(arc.stroke) ? [{ ...arc, stroke: kept.get(arc.stroke)! }] : [])),
    texts: sheet.texts.map((text) => (contains(box, text.x, text.y) ? text : { ...text, text: '' })),
    pictures: sheet.pictures.flatMap((picture) => cropPlaced(picture, box)),
  };
}

/**
 * The part of an image's picture (which may be smaller than the image) within a crop; undefined if they do not overlap.
 */
export function cropPicture(
  picture: Picture,
  { widthPx }: Pick<Image, 'widthPx'>,
  crop: Crop,
): { picture: Picture; box: SheetBox } | undefined {
  const scale = picture.widthPx / widthPx;
  return cut(picture, { x: crop.x * scale, y: crop.y * scale, width: crop.width * scale, height: crop.height * scale });
}

function cropPlaced({ box, picture }: SheetPicture, part: SheetBox): SheetPicture[] {
  const across = picture.widthPx / box.width,
    down = picture.heightPx / box.height;
  const found = cut(picture, {
    x: (part.x - box.x) * across,
    y: (part.y - box.y) * down,
    width: part.width * across,
    height: part.height * down,
  });
  if (found === undefined) return [];
  return [
    {
      picture: found.picture,
      box: {
        x: box.x + found.box.x / across,
        y: box.y + found.box.y / down,
        width: found.box.width / across,
        height: found.box.height / down,
      },
    },
  ];
}

/** The pixels of a box, and the box rounded to whole pixels. */
function cut(
  { widthPx, heightPx, gray, colors }: Picture,
  box: SheetBox,
): { picture: Picture; box: SheetBox } | undefined {
  const left = Math.max(0, Math.floor(box.x)),
    top = Math.max(0, Math.floor(box.y));
  const right = Math.min(widthPx, Math.ceil(box.x + box.width)),
    bottom = Math.min(heightPx, Math.ceil(box.y + box.height));
  const width = right - left,
    height = bottom - top;
  if (!(width > 0 && height > 0)) return undefined;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    pixels.set(gray.subarray((top + row) * widthPx + left, (top + row) * widthPx + right), row * width);
  const picture = { widthPx: width, heightPx: height, gray: pixels };
  const part = { x: left, y: top, width, height };
  return {
    picture: colors === undefined ? picture : { ...picture, colors: cutColors(colors, part, widthPx) },
    box: part,
  };
}

/** The colors of a box of a picture that is so many pixels wide. */
function cutColors({ widthPx, heightPx, rgb }: PictureColors, box: SheetBox, pictureWidthPx: number): PictureColors {
  const scale = widthPx / pictureWidthPx;
  const left = Math.min(widthPx - 1, Math.round(scale * box.x)),
    top = Math.min(heightPx - 1, Math.round(scale * box.y));
  const width = Math.max(1, Math.min(widthPx - left, Math.round(scale * box.width))),
    height = Math.max(1, Math.min(heightPx - top, Math.round(scale * box.height)));
  const part = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 3 * ((top + row) * widthPx + left);
    part.set(rgb.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { widthPx: width, heightPx: height, rgb: part };
}

/** The pieces of strokes within a box. `kept` maps strokes that lie in it completely to their new numbers. */
function clipStrokes(
  { count, points, starts, styles, groups, annotations }: Strokes,
  box: SheetBox,
): { strokes: Strokes; kept: Map<number, number> } {
  const pieces: { readonly stroke: number; readonly points: number[] }[] = [];
  const kept = new Map<number, number>();
  for (let stroke = 0; stroke < count; stroke++) {
    const first = pieces.length;
    let piece: number[] | undefined;
    let isWhole = true;
    for (let i = starts[stroke]; i + 1 < starts[stroke + 1]; i++) {
      const inside = clipSegment(points[2 * i], points[2 * i + 1], points[2 * i + 2], points[2 * i + 3], box);
      const joins = inside !== undefined && inside.from === 0 && piece !== undefined;
      if (inside !== undefined && !joins) pieces.push({ stroke, points: (piece = [...inside.start]) });
      if (inside === undefined) piece = undefined;
      else {
        piece!.push(...inside.end);
        if (inside.to < 1) piece = undefined;
      }
      isWhole &&= inside !== undefined && inside.from === 0 && inside.to === 1;
    }
    if (isWhole && pieces.length === first + 1) kept.set(stroke, first);
  }
  const lengths = pieces.map((piece) => piece.points.length / 2);
  const newStarts = new Uint32Array(pieces.length + 1);
  lengths.forEach((length, i) => {
    newStarts[i + 1] = newStarts[i] + length;
  });
  const newPoints = new Float32Array(2 * newStarts[pieces.length]);
  pieces.forEach((piece, i) => newPoints.set(piece.points, 2 * newStarts[i]));
  const of = pieces.map(({ stroke }) => stroke);
  return {
    strokes: {
      count: pieces.length,
      points: newPoints,
      starts: newStarts,
      styles: Uint16Array.from(of, (stroke) => styles[stroke]),
      groups: Uint32Array.from(of, (stroke) => groups[stroke]),
      annotations: Int32Array.from(of, (stroke) => annotations[stroke]),
    },
    kept,
  };
}

/** The part of a segment within a box (Liang and Barsky 1984); `from` and `to` are shares of the segment. */
function clipSegment(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  box: SheetBox,
): { start: [number, number]; end: [number, number]; from: number; to: number } | undefined {
  let from = 0,
    to = 1;
  const dx = x1 - x0,
    dy = y1 - y0;
  for (const [step, room] of [
    [-dx, x0 - box.x],
    [dx, box.x + box.width - x0],
    [-dy, y0 - box.y],
    [dy, box.y + box.height - y0],
  ]) {
    if (step === 0) {
      if (room < 0) return undefined;
    } else if (step < 0) from = Math.max(from, room / step);
    else to = Math.min(to, room / step);
  }
  if (from > to) return undefined;
  return { start: [x0 + from * dx, y0 + from * dy], end: [x0 + to * dx, y0 + to * dy], from, to };
}

function contains({ x, y, width, height }: SheetBox, px: number, py: number): boolean {
  return px >= x && py >= y && px <= x + width && py <= y + height;
}
