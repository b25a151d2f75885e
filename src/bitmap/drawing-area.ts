import {
  bitmapOf,
  boxOf,
  componentBits,
  componentsOf,
  dilate,
  firstIn,
  inverse,
  shrink,
  without,
  type Bitmap,
  type FoundComponents,
} from './bitmap.js';

/** Least length of a line of the frame, and its largest distance from the edge, as shares of the page's side. */
const LONG = 0.5;
const NEAR_EDGE = 0.15;
/** Least share of the page for the drawing area; enclosed areas below the second share are cells of tables. */
const LEAST_AREA = 0.2;
const CELL_AREA = 0.12;
/** Areas are segmented in a picture that is reduced by this factor. */
const SHRINK = 4;
/** Number of adjacent pixel rows that are examined together. */
const BAND_PX = 4;
/** Clear pixels that are bridged within a run. */
const BRIDGED = 2;

/**
 * Where views can be: inside the frame of the sheet, outside its tables and not on their lines. The frame consists of
 * long horizontal and vertical lines near the edges of the page and of all horizontal and vertical lines that touch
 * these. The largest area that it encloses, if any, is the drawing area.
 * `frame`: its lines.
 * @param thin ink without solid areas.
 * @param unit 1/2400 of the page's longer side, pixels.
 */
export function drawingArea(
  thin: Bitmap,
  unit: number,
): { readonly area: Bitmap; readonly isFramed: boolean; readonly frame: Bitmap } {
  const { width, height } = thin;
  const lines = longRuns(thin, Math.round(36 * unit));
  const found = componentsOf(dilate(lines, 1), 8);
  const isFrame = frameComponents(lines, found);
  const frame = componentBits(lines, found, (_, number) => isFrame[number] === 1);
  const small = dilate(shrink(frame, SHRINK), 1);
  const { width: w, height: h } = small;
  const regions = componentsOf(inverse(small), 4);
  const page = w * h;
  let inner = 0;
  for (let number = 1; number < regions.list.length; number++) {
    const { area, box } = regions.list[number];
    const isInside = box.x0 > 0 && box.y0 > 0 && box.x1 < w && box.y1 < h;
    if (isInside && area > LEAST_AREA * page && (inner === 0 || area > regions.list[inner].area)) inner = number;
  }
  const keep = (number: number): boolean => {
    if (inner > 0) return number === inner;
    const { area, box } = regions.list[number];
    return area > CELL_AREA * page || box.x0 === 0 || box.y0 === 0 || box.x1 === w || box.y1 === h;
  };
  const isKept = Uint8Array.from(regions.list, (_, number) => (number > 0 && keep(number) ? 1 : 0));
  const bits = new Uint8Array(width * height);
  const { labels } = regions;
  for (let y = 0; y < height; y++) {
    const row = y * width,
      from = Math.floor(y / SHRINK) * w;
    if (y % SHRINK > 0) bits.copyWithin(row, row - width, row);
    else
      for (let i = 0; i < w; i++)
        if (isKept[labels[from + i]] === 1) bits.fill(1, row + i * SHRINK, row + Math.min(width, (i + 1) * SHRINK));
  }
  return {
    area: without(bitmapOf(width, height, bits), dilate(frame, Math.max(2, Math.round(3 * unit)))),
    isFramed: inner > 0 || boxOf(frame) !== undefined,
    frame,
  };
}

/**
 * u8[numbers]: 1 for components with a long line near an edge of the page. Rows are examined in bands, because lines of
 * scans are not quite straight.
 */
function frameComponents({ width, height, bits }: Bitmap, { labels, list }: FoundComponents): Uint8Array {
  const isFrame = new Uint8Array(list.length);
  const isNear = (line: number, lines: number): boolean => line <= NEAR_EDGE * lines || line >= (1 - NEAR_EDGE) * lines;
  // Of each band the pixels of its first set line, by component.
  const levels = new Map<number, number>(),
    uprights = new Map<number, number>();
  const level = new Int32Array(width).fill(-1),
    upright = new Int32Array(Math.ceil(width / BAND_PX)).fill(-1);
  const add = (counts: Map<number, number>, band: number, label: number, length: number): void => {
    const key = band * list.length + label;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > LONG * length) isFrame[label] = 1;
  };
  const isUprightNear = Uint8Array.from(upright, (_, band) => (isNear(band * BAND_PX, width) ? 1 : 0));
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const band = Math.floor(y / BAND_PX);
    const isLevelNear = isNear(band * BAND_PX, height);
    for (let x = firstIn(bits, row, width); x < width; x++) {
      if (bits[row + x] === 0) continue;
      const label = labels[row + x];
      if (isLevelNear && level[x] !== band) {
        level[x] = band;
        add(levels, band, label, width);
      }
      const column = Math.floor(x / BAND_PX);
      if (isUprightNear[column] === 1 && upright[column] !== y) {
        upright[column] = y;
        add(uprights, column, label, height);
      }
    }
  }
  return isFrame;
}

/** Ink in level or upright runs of at least `least` pixels; gaps of 2 are bridged. */
function longRuns({ width, height, bits }: Bitmap, least: number): Bitmap {
  const kept = new Uint8Array(bits.length);
  /** Copies `length` pixels, each `step` behind the one before. */
  const keep = (start: number, step: number, length: number): void => {
    if (length < least) return;
    for (let i = 0, at = start; i < length; i++, at += step) kept[at] = bits[at];
  };
  // First and last rows of the run that is open in each column.
  const firsts = new Int32Array(width).fill(-1),
    lasts = new Int32Array(width);
  const close = (x: number): void => {
    if (firsts[x] >= 0) keep(firsts[x] * width + x, width, lasts[x] - firsts[x] + 1);
  };
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let first = -1,
      last = -1;
    for (let x = firstIn(bits, row, width); x < width; x++) {
      if (bits[row + x] === 0) continue;
      if (first < 0 || x - last > BRIDGED + 1) {
        if (first >= 0) keep(row + first, 1, last - first + 1);
        first = x;
      }
      last = x;
      if (firsts[x] < 0 || y - lasts[x] > BRIDGED + 1) {
        close(x);
        firsts[x] = y;
      }
      lasts[x] = y;
    }
    if (first >= 0) keep(row + first, 1, last - first + 1);
  }
  for (let x = 0; x < width; x++) close(x);
  return bitmapOf(width, height, kept);
}
