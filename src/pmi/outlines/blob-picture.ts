import { distanceTo } from '../../content/geometry.js';
import { addTo } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import type { Blob } from './blobs.js';

/**
 * Directions of a line of text on the sheet: along it, and up the stems of its letters, which need not be
 * perpendicular.
 */
export interface Slant {
  /** Clockwise on the page, from the x axis. */
  readonly alongRad: number;
  /** Direction of the stems, likewise: a quarter turn less than `alongRad` for upright letters. */
  readonly upRad: number;
}

/** The extent of a blob in the frame of a slant: s along the line, h up its stems. */
export interface Extent {
  readonly minS: number;
  readonly maxS: number;
  readonly minH: number;
  readonly maxH: number;
}

/** Grey pixels, as {@link import('./recognise-glyph.js').recogniseGlyph} takes them. */
export interface GlyphPicture {
  readonly pixels: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Longer side of a picture, pixels. */
const SIDE = 30;
/** Sample rows that are averaged to one row of pixels. */
const ROWS = 2;
/** Width of strokes without a width, and the least width, as shares of the picture's longer side. */
const PEN = 0.08;

/** Maps the sheet to the frame of a slant. */
export function slanted({ alongRad, upRad }: Slant): (x: number, y: number) => readonly [s: number, h: number] {
  const ax = Math.cos(alongRad),
    ay = Math.sin(alongRad),
    ux = Math.cos(upRad),
    uy = Math.sin(upRad);
  const size = ax * uy - ay * ux;
  return (x, y) => [(x * uy - y * ux) / size, (ax * y - ay * x) / size];
}

/** The extent of strokes. */
export function extentOf(
  { strokes: { points, starts } }: Sheet,
  { strokes }: Pick<Blob, 'strokes'>,
  slant: Slant,
): Extent {
  const place = slanted(slant);
  let minS = Infinity,
    maxS = -Infinity,
    minH = Infinity,
    maxH = -Infinity;
  for (const stroke of strokes) {
    for (let i = starts[stroke]; i < starts[stroke + 1]; i++) {
      const [s, h] = place(points[2 * i], points[2 * i + 1]);
      minS = Math.min(minS, s);
      maxS = Math.max(maxS, s);
      minH = Math.min(minH, h);
      maxH = Math.max(maxH, h);
    }
  }
  return { minS, maxS, minH, maxH };
}

/** Draws strokes as an upright picture: areas filled, lines with a pen of their width. */
export function pictureOf(sheet: Sheet, blob: Pick<Blob, 'strokes'>, slant: Slant): GlyphPicture {
  const {
    strokes: { points, starts, styles, groups },
    styles: all,
  } = sheet;
  const place = slanted(slant);
  const { minS, maxS, minH, maxH } = extentOf(sheet, blob, slant);
  const longer = Math.max(maxS - minS, maxH - minH, 1e-9);
  const scale = SIDE / longer;
  const margin = 3;
  const width = Math.ceil((maxS - minS) * scale) + 2 * margin,
    height = Math.ceil((maxH - minH) * scale) + 2 * margin;
  const pixels = new Float32Array(width * height);
  const placed = (stroke: number): Float64Array => {
    const found = new Float64Array(2 * (starts[stroke + 1] - starts[stroke]));
    for (let i = starts[stroke], j = 0; i < starts[stroke + 1]; i++, j += 2) {
      const [s, h] = place(points[2 * i], points[2 * i + 1]);
      found[j] = (s - minS) * scale + margin;
      found[j + 1] = (maxH - h) * scale + margin;
    }
    return found;
  };
  const fills = new Map<number, Float64Array[]>();
  for (const stroke of blob.strokes) {
    const style = all[styles[stroke]];
    if (style.isFill) {
      // The paths of one fill operation include holes; paths of several operations may overlap.
      addTo(fills, groups[stroke], placed(stroke));
    } else drawLine(pixels, width, height, placed(stroke), Math.max(PEN * SIDE, style.width * scale) / 2);
  }
  for (const contours of fills.values()) fillArea(pixels, width, height, contours);
  return { pixels, width, height };
}

function drawLine(pixels: Float32Array, width: number, height: number, line: Float64Array, half: number): void {
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x0, y0, x1, y1] = line.subarray(i, i + 4);
    const [left, top] = [Math.min(x0, x1), Math.min(y0, y1)].map((least) => Math.max(0, Math.floor(least - half - 1)));
    const right = Math.min(width - 1, Math.max(x0, x1) + half + 1),
      bottom = Math.min(height - 1, Math.max(y0, y1) + half + 1);
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const ink = half + 0.5 - distanceTo({ x0, y0, x1, y1 }, x + 0.5, y + 0.5);
        pixels[y * width + x] = Math.max(pixels[y * width + x], Math.min(1, Math.max(0, ink)));
      }
    }
  }
}

function fillArea(pixels: Float32Array, width: number, height: number, contours: readonly Float64Array[]): void {
  const areas = contours.map(areaOf);
  // If some paths run the other way round, these are holes (non-zero rule); if all run one way, what is covered twice
  // is a hole (even-odd rule).
  const isWound = areas.some((area) => area > 0) && areas.some((area) => area < 0);
  const crossings: { readonly x: number; readonly turn: number }[][] = Array.from({ length: height * ROWS }, () => []);
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i += 2) {
      const j = (i + 2) % contour.length;
      const x0 = contour[i],
        y0 = contour[i + 1],
        x1 = contour[j],
        y1 = contour[j + 1];
      const first = Math.max(0, Math.ceil(Math.min(y0, y1) * ROWS - 0.5)),
        last = Math.min(crossings.length - 1, Math.ceil(Math.max(y0, y1) * ROWS - 0.5) - 1);
      for (let row = first; row <= last; row++)
        crossings[row].push({ x: x0 + ((x1 - x0) * ((row + 0.5) / ROWS - y0)) / (y1 - y0), turn: y1 > y0 ? 1 : -1 });
    }
  }
  crossings.forEach((row, at) => {
    row.sort((a, b) => a.x - b.x);
    let winding = 0;
    for (let i = 0; i + 1 < row.length; i++) {
      winding += isWound ? row[i].turn : 1;
      if (isWound ? winding !== 0 : winding % 2 === 1)
        addSpan(pixels, width, Math.floor(at / ROWS), row[i].x, row[i + 1].x);
    }
  });
}

function addSpan(pixels: Float32Array, width: number, y: number, from: number, to: number): void {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(width, to); x++) {
    const share = Math.min(x + 1, to) - Math.max(x, from);
    if (share > 0) pixels[y * width + x] = Math.min(1, pixels[y * width + x] + share / ROWS);
  }
}

function areaOf(contour: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < contour.length; i += 2) {
    const j = (i + 2) % contour.length;
    sum += contour[i] * contour[j + 1] - contour[j] * contour[i + 1];
  }
  return sum / 2;
}
