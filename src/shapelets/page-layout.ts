import { bytesOf } from '../content/bytes-of.js';
import { TurnedFrame } from '../content/geometry.js';
import { eachEdge, shownArea, type Picture, type Sheet, type SheetBox } from '../content/sheet.js';
import { binarise } from '../bitmap/binarise.js';
import { skewOf } from '../bitmap/skew.js';
import { INK_SIDE, InkCells, type PageInk } from './page-ink.js';
import { lineSums } from './sheet/line-sums.js';
import { roundLoops } from './sheet/round-loops.js';

/** Cells per side of a layout, and its bytes. */
export const LAYOUT_SIDE = 32;
export const LAYOUT_BYTES = LAYOUT_SIDE ** 2;

/** Cells per side of the raster that collects the ink. */
const RASTER = 512;
/** Share of the ink that may lie outside each side of its box: specks and the edge of the paper. */
const BEYOND = 0.005;
/** A line of text is drawn as strokes at these heights (shares of the letters), each this dark compared with a line. */
const TEXT_STROKES = [0.2, 0.5, 0.8];
const TEXT_INK = 0.8;
/**
 * Ink are pixels that are darker than their surroundings by this factor and offset, and in pictures on a sheet also
 * darker than `DARK`: lines and edges, not shaded or filled areas.
 */
const DARK = 30;
const DARKER_TIMES = 1.25;
const DARKER = 6;
/** Radius of a pixel's surroundings, as a share of the longer side of the page. */
const ABOUT = 0.005;
/** Stored values are those of a vector of length 1, times this. */
const UNIT = 1_000;

/** What is kept of all ink of a page; a member is missing for an empty page. */
export interface InkOfPage {
  /** The distribution of ink: u8[32²], rows of the square roots of the ink in each cell of its box, smoothed. */
  readonly layout: Uint8Array | undefined;
  readonly ink: PageInk | undefined;
}

/** The amount of ink in each cell of a raster over the page. */
class InkRaster {
  readonly cells = new Float32Array(RASTER * RASTER);

  /** Adds ink at x, y (shares of the page); points outside the page are ignored. */
  add(x: number, y: number, amount: number): void {
    const column = Math.floor(x * RASTER),
      row = Math.floor(y * RASTER);
    if (column >= 0 && row >= 0 && column < RASTER && row < RASTER) this.cells[row * RASTER + column] += amount;
  }

  /** Reduces areas full of ink to their edges, as `linesIn` does with shaded and filled areas of scans. */
  clear(): void {
    const full = bytesOf(this.cells, (ink) => 255 * Math.min(1, ink));
    const lines = linesIn(full, full, RASTER, RASTER, ABOUT * RASTER);
    for (let i = 0; i < full.length; i++) this.cells[i] = lines[i] === 0 ? 0 : full[i] / 255;
  }

  addLine(x0: number, y0: number, x1: number, y1: number, amount: number): void {
    const length = Math.hypot(x1 - x0, y1 - y0) * RASTER;
    const steps = Math.min(2 * RASTER, Math.max(1, Math.ceil(length)));
    for (let i = 0; i < steps; i++) {
      const at = (i + 0.5) / steps;
      this.add(x0 + (x1 - x0) * at, y0 + (y1 - y0) * at, (amount * length) / steps);
    }
  }
}

/**
 * The ink of a sheet. Shaded and filled areas count by their edges only. A scan of the sheet has nearly the same.
 * part: the only part that is looked at; default all that is shown.
 */
export function inkOfSheet(sheet: Sheet, part: SheetBox = shownArea(sheet)): InkOfPage {
  const { strokes, texts, pictures } = sheet;
  const page = shownArea(sheet);
  const { x: left, y: top, width, height } = part;
  const raster = new InkRaster();
  const line = (x0: number, y0: number, x1: number, y1: number, amount: number): void =>
    raster.addLine((x0 - left) / width, (y0 - top) / height, (x1 - left) / width, (y1 - top) / height, amount);
  for (let i = 0; i < strokes.count; i++) eachEdge(strokes, i, (x0, y0, x1, y1) => line(x0, y0, x1, y1, 1));
  raster.clear();
  for (const text of texts) {
    if (text.text === '') continue;
    const cos = Math.cos(text.angleRad),
      sin = Math.sin(text.angleRad);
    for (const share of TEXT_STROKES) {
      const x = text.x + sin * text.height * share,
        y = text.y - cos * text.height * share;
      line(x, y, x + cos * text.width, y + sin * text.width, TEXT_INK);
    }
  }
  for (const { box, picture } of pictures) {
    if (!(box.width > 0 && box.height > 0)) continue;
    const { widthPx, heightPx } = picture;
    const darkness = picture.gray.map((bright) => 255 - bright);
    const reach = (ABOUT * Math.max(page.width, page.height) * widthPx) / box.width;
    const isInk = linesIn(
      darkness,
      darkness.map((dark) => (dark > DARK ? 1 : 0)),
      widthPx,
      heightPx,
      reach,
    );
    // A pixel counts by the share of a cell that it covers; a line one cell wide counts like a stroke.
    const amount = ((box.width / width) * (box.height / height) * RASTER ** 2) / (widthPx * heightPx);
    for (let i = isInk.indexOf(1); i >= 0; i = isInk.indexOf(1, i + 1)) {
      const row = Math.floor(i / widthPx),
        column = i - row * widthPx;
      raster.add(
        (box.x + ((column + 0.5) / widthPx) * box.width - left) / width,
        (box.y + ((row + 0.5) / heightPx) * box.height - top) / height,
        amount,
      );
    }
  }
  const cells = new InkCells({ x: left - page.x, y: top - page.y, width, height }, INK_SIDE);
  for (const [i, amount] of raster.cells.entries())
    if (amount > 0) cells.add(((i % RASTER) + 0.5) / RASTER, (Math.floor(i / RASTER) + 0.5) / RASTER);
  const ink = cells.ink(page, 0),
    lines = linesOf(sheet);
  return { layout: layoutOf(raster), ink: ink && lines ? { ...ink, lines } : ink };
}

/** Sums of the lines, then the number of its round loops and these, unless there are too many. */
function linesOf(sheet: Sheet): Float32Array | undefined {
  const sums = lineSums(sheet);
  const loops = sums && roundLoops(sheet);
  return sums === undefined || loops === undefined ? sums : Float32Array.from([...sums, loops.length / 3, ...loops]);
}

/**
 * The ink of a picture, after its skew is corrected. area: of the picture on its page, and the page, in one unit;
 * default the picture is the page.
 */
export function inkOfPicture(
  picture: Picture,
  {
    area = { x: 0, y: 0, width: picture.widthPx, height: picture.heightPx },
    page = area,
  }: { readonly area?: SheetBox; readonly page?: Pick<SheetBox, 'width' | 'height'> } = {},
): InkOfPage {
  const found = binarise(picture);
  const { width, height } = found.ink;
  const bits = linesIn(found.darkness, found.ink.bits, width, height, ABOUT * Math.max(width, height));
  const skewRad = (skewOf(found) * Math.PI) / 180;
  const frame = new TurnedFrame(skewRad);
  const raster = new InkRaster();
  const cells = new InkCells(area, Math.max(width, height));
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    const row = Math.floor(i / width),
      x = i - row * width + 0.5 - width / 2,
      y = row + 0.5 - height / 2;
    const across = frame.s(x, y) / width + 0.5,
      down = frame.t(x, y) / height + 0.5;
    raster.add(across, down, 1);
    cells.add(across, down);
  }
  return { layout: layoutOf(raster), ink: cells.ink(page, skewRad) };
}

function layoutOf({ cells }: InkRaster): Uint8Array | undefined {
  const columns = new Float64Array(RASTER),
    rows = new Float64Array(RASTER);
  for (let i = 0; i < cells.length; i++) {
    columns[i % RASTER] += cells[i];
    rows[Math.floor(i / RASTER)] += cells[i];
  }
  const [left, right] = spanOf(columns),
    [top, bottom] = spanOf(rows);
  if (right <= left || bottom <= top) return undefined;
  const side = LAYOUT_SIDE,
    sums = new Float64Array(LAYOUT_BYTES);
  for (let i = 0; i < cells.length; i++) {
    if (cells[i] === 0) continue;
    const x = (((i % RASTER) - left) / (right - left)) * (side - 2) + 0.5,
      y = ((Math.floor(i / RASTER) - top) / (bottom - top)) * (side - 2) + 0.5;
    const column = Math.floor(x),
      row = Math.floor(y);
    for (const [u, v] of [
      [column, row],
      [column + 1, row],
      [column, row + 1],
      [column + 1, row + 1],
    ]) {
      if (u >= 0 && v >= 0 && u < side && v < side)
        sums[v * side + u] += cells[i] * (1 - Math.abs(x - u)) * (1 - Math.abs(y - v));
    }
  }
  const soft = smooth(sums.map(Math.sqrt));
  const length = Math.hypot(...soft);
  return Uint8Array.from(soft, (value) => Math.min(255, Math.round((UNIT * value) / length)));
}

/** u8[ink]: 1 for pixels of ink (not 0) that are darker than their surroundings. */
function linesIn(darkness: Uint8Array, ink: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const radius = Math.min(Math.max(width, height), Math.max(2, Math.round(reach))),
    lines = new Uint8Array(ink.length);
  // Sums of the columns of the window, which moves down row by row.
  const columns = new Float64Array(width);
  const addRow = (y: number, sign: 1 | -1): void => {
    if (y >= 0 && y < height) for (let x = 0; x < width; x++) columns[x] += sign * darkness[y * width + x];
  };
  for (let y = 0; y < radius; y++) addRow(y, 1);
  for (let y = 0; y < height; y++) {
    addRow(y + radius, 1);
    addRow(y - radius - 1, -1);
    const rows = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += columns[x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += columns[x + radius];
      if (x > radius) sum -= columns[x - radius - 1];
      const mean = sum / (rows * (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1)),
        i = y * width + x;
      if (ink[i] !== 0 && darkness[i] > DARKER_TIMES * mean + DARKER) lines[i] = 1;
    }
  }
  return lines;
}

/** First and last index after a share {@link BEYOND} of the sum is cut off at both ends. */
function spanOf(sums: Float64Array): [first: number, last: number] {
  const least = BEYOND * sums.reduce((total, value) => total + value, 0);
  const reach = (values: Float64Array): number => {
    let sum = 0;
    return values.findIndex((value) => (sum += value) > least);
  };
  return [reach(sums), sums.length - 1 - reach(sums.slice().reverse())];
}

/** Smooths with the weights 1 2 1 in both directions. */
function smooth(values: Float64Array): Float64Array {
  const side = LAYOUT_SIDE;
  const at = (x: number, y: number): number => (x >= 0 && y >= 0 && x < side && y < side ? values[y * side + x] : 0);
  return values.map((_, i) => {
    const x = i % side,
      y = Math.floor(i / side);
    let sum = 0;
    for (let v = -1; v <= 1; v++)
      for (let u = -1; u <= 1; u++) sum += ((2 - Math.abs(u)) * (2 - Math.abs(v)) * at(x + u, y + v)) / 16;
    return sum;
  });
}
