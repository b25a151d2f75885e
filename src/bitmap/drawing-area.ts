import {
  bitmapOf,
  boxOf,
  componentBits,
  componentsOf,
  dilate,
  inverse,
  shrink,
  without,
  type Bitmap,
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
  const isFrame = frameComponents(lines, found.labels, found.list.length);
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
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / SHRINK) * w;
    for (let x = 0; x < width; x++) bits[y * width + x] = isKept[regions.labels[row + Math.floor(x / SHRINK)]];
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
function frameComponents({ width, height, bits }: Bitmap, labels: Int32Array, numbers: number): Uint8Array {
  const isFrame = new Uint8Array(numbers);
  const counts = new Uint32Array(numbers);
  // Examines `lines` lines of `length` pixels: `step` leads from pixel to pixel, `across` from line to line.
  const look = (lines: number, across: number, length: number, step: number): void => {
    for (let first = 0; first < lines; first += BAND_PX) {
      if (first > NEAR_EDGE * lines && first < (1 - NEAR_EDGE) * lines) continue;
      counts.fill(0);
      for (let i = 0; i < length; i++) {
        for (let line = first; line < Math.min(lines, first + BAND_PX); line++) {
          const at = line * across + i * step;
          if (bits[at] === 0) continue;
          if (++counts[labels[at]] > LONG * length) isFrame[labels[at]] = 1;
          break;
        }
      }
    }
  };
  look(height, width, width, 1);
  look(width, 1, height, width);
  return isFrame;
}

/** Ink in level or upright runs of at least `least` pixels; gaps of 2 are bridged. */
function longRuns({ width, height, bits }: Bitmap, least: number): Bitmap {
  const kept = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) keepRuns(bits, kept, { start: y * width, step: 1, length: width }, least);
  for (let x = 0; x < width; x++) keepRuns(bits, kept, { start: x, step: width, length: height }, least);
  return bitmapOf(width, height, kept);
}

function keepRuns(
  bits: Uint8Array,
  kept: Uint8Array,
  { start, step, length }: { readonly start: number; readonly step: number; readonly length: number },
  least: number,
): void {
  let first = -1,
    last = -1;
  for (let i = 0; i <= length; i++) {
    const isSet = i < length && bits[start + i * step] !== 0;
    if (isSet && first < 0) first = i;
    if (isSet) last = i;
    if (first < 0 || (!isSet && i - last <= 2 && i < length)) continue;
    if (isSet) continue;
    if (last - first + 1 >= least) for (let j = first; j <= last; j++) kept[start + j * step] = bits[start + j * step];
    first = -1;
  }
}
