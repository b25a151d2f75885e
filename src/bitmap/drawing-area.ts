import {
  bitmapOf,
  boxOf,
  componentBits,
  componentsOf,
  dilate,
  either,
  shrink,
  without,
  type Bitmap,
} from './bitmap.js';

/** Shares of the page's sides: how long a line of the frame is at least, how near the edge. */
const LONG = 0.5;
const NEAR_EDGE = 0.15;
/** The area to draw in takes at least this share of the page; enclosed areas below the second are cells of tables. */
const LEAST_AREA = 0.2;
const CELL_AREA = 0.12;
/** Areas are told apart in a picture that is smaller by this factor. */
const SHRINK = 4;
/** Lines that are looked at together. */
const BAND_PX = 4;

/**
 * Where views may stand: inside the sheet's frame, outside its tables, not on their lines. Long level and upright lines near the page's
 * edges, and all level and upright ones that touch them, are the frame; the largest area that they enclose is drawn in, when there is one.
 * @param thin ink without solid areas. @param unit pixels that are 1/2400 of the page's longer side.
 */
export function drawingArea(thin: Bitmap, unit: number): { readonly area: Bitmap; readonly isFramed: boolean } {
  const { width, height } = thin;
  const lines = either(levelRuns(thin, Math.round(36 * unit)), uprightRuns(thin, Math.round(36 * unit)));
  const found = componentsOf(dilate(lines, 1), 8);
  const isFrame = frameComponents(lines, found.labels, found.list.length);
  const frame = componentBits(lines, found, (_, number) => isFrame[number] === 1);
  const small = dilate(shrink(frame, SHRINK), 1);
  const { width: w, height: h } = small;
  const open = bitmapOf(
    w,
    h,
    small.bits.map((bit) => bit ^ 1),
  );
  const regions = componentsOf(open, 4);
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
  };
}

/** Which components hold a long line near an edge of the page. Rows are looked at in bands, as lines of scans are never quite straight. */
function frameComponents({ width, height, bits }: Bitmap, labels: Int32Array, numbers: number): Uint8Array {
  const isFrame = new Uint8Array(numbers);
  const counts = new Uint32Array(numbers);
  // Along lines of `step`, of which `length` pixels are looked at; bands of lines stand `across` apart.
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

/** Ink in runs along rows of at least `least` pixels, gaps of 2 bridged. */
function levelRuns({ width, height, bits }: Bitmap, least: number): Bitmap {
  const kept = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) keepRuns(bits, kept, y * width, 1, width, least);
  return bitmapOf(width, height, kept);
}

function uprightRuns({ width, height, bits }: Bitmap, least: number): Bitmap {
  const kept = new Uint8Array(bits.length);
  for (let x = 0; x < width; x++) keepRuns(bits, kept, x, width, height, least);
  return bitmapOf(width, height, kept);
}

function keepRuns(
  bits: Uint8Array,
  kept: Uint8Array,
  start: number,
  step: number,
  length: number,
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
