import type { Picture } from '../content/sheet.js';
import { bitmapOf, componentsOf, dilate, type Bitmap, type PixelBox } from './bitmap.js';

/** Side of the blocks in which the brightness of the paper is measured, and how many blocks a dark area may cover. */
const BLOCK_PX = 32;
const HIDDEN_BLOCKS = 8;
/** Hysteresis thresholds: a pixel darker than the first is ink if it is connected to one darker than the second. */
const FAINT = 20;
const CLEAR = 46;

/** Half of these for lines that are paler than ink. */
const PALE_FAINT = FAINT / 2;
const PALE_CLEAR = CLEAR / 2;
/** Least pixels of such lines beside those of ink, and in longer sides of the picture. */
const PALE_BESIDE = 0.2;
const PALE_LEAST = 0.3;
/** Pixels about ink that are left out, which is half the width of a line as well; and the least length of a line. */
const PALE_MARGIN = 3;
const PALE_LENGTH = 24;
/** Most pixels of a line that have others on all sides. */
const PALE_INNER = 0.2;

/** A picture with more noise is smoothed, grey levels. */
const NOISY = 3;
/** Paper is no darker than this. */
const DARKEST_PAPER = 48;

/** Least share of pure white that is paper without noise. */
const WHITE_PAPER = 0.2;

/** The ink of a page. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  /**
   * u8[height × width]: how much darker than the paper each pixel is, as a share of the paper's brightness, 0 to 255.
   */
  readonly darkness: Uint8Array;
  readonly ink: Bitmap;
  /** Standard deviation of the noise of the picture, grey levels. */
  readonly noise: number;
  /** Brightness of the paper. */
  readonly paper: Paper;
}

/** Brightness of the paper about the middles of square blocks. */
interface Paper {
  readonly columns: number;
  readonly rows: number;
  /** f32[rows × columns]. */
  readonly levels: Float32Array;
}

/**
 * Separates ink from paper. The brightness of the paper is the 90th percentile of each block, closed over dark areas,
 * so that uneven light and shaded areas do no harm. The threshold has two levels, so that faint lines stay connected
 * and specks of noise vanish.
 */
export function binarise(picture: Picture): Ink {
  const { widthPx: width, heightPx: height } = picture;
  // Paper that is evenly white has no noise; what remains is edges of lines, of which a close crop mostly consists.
  const noise = whiteShare(picture) >= WHITE_PAPER ? 0 : noiseOf(picture);
  const paper = paperOf(picture);
  let darkness = darknessOf(picture, paper);
  // Smoothing removes noise that would count as ink; thin lines lose some darkness by it.
  const isNoisy = noise > NOISY;
  if (isNoisy) darkness = smooth(darkness, width, height);
  const left = isNoisy ? 0.4 * noise : noise;
  const faint = Math.max(FAINT, 5 * left),
    clear = Math.max(CLEAR, 9 * left);
  const map = connectedInk(width, height, darkness, { faint, clear });
  if (noise === 0) addFaintLines(map, darkness);
  return { width, height, darkness, ink: map, noise, paper };
}

/** What is at least as dark as `faint` and connected with what is at least as dark as `clear`. */
function connectedInk(
  width: number,
  height: number,
  darkness: Uint8Array,
  { faint, clear }: { readonly faint: number; readonly clear: number },
): Bitmap {
  const weak = new Uint8Array(width * height);
  for (let i = 0; i < weak.length; i++) if (darkness[i] >= faint) weak[i] = 1;
  const found = componentsOf(bitmapOf(width, height, weak), 8);
  const { count, starts, ends, numbers } = found.runs;
  const isKept = new Uint8Array(found.list.length);
  for (let run = 0; run < count; run++) {
    const end = ends[run];
    for (let i = starts[run]; i < end && isKept[numbers[run]] === 0; i++)
      if (darkness[i] >= clear) isKept[numbers[run]] = 1;
  }
  for (let run = 0; run < count; run++) if (isKept[numbers[run]] === 0) weak.fill(0, starts[run], ends[run]);
  return bitmapOf(width, height, weak);
}

/**
 * Adds lines that are paler than ink, as the grey ones of a drawing that was saved as a picture: only where there are
 * many of them beside what is ink, and only what is long and thin. Ink has a margin in which JPEG is untrue.
 */
function addFaintLines(ink: Bitmap, darkness: Uint8Array): void {
  const { width, height, bits } = ink;
  let clear = 0,
    faint = 0;
  for (let i = 0; i < bits.length; i++) {
    if (bits[i] === 1) clear++;
    else if (darkness[i] >= PALE_CLEAR) faint++;
  }
  if (faint < PALE_BESIDE * clear || faint < PALE_LEAST * Math.max(width, height)) return;
  const around = dilate(ink, PALE_MARGIN);
  const weak = new Uint8Array(bits.length);
  for (let i = 0; i < bits.length; i++) if (darkness[i] >= PALE_FAINT && around.bits[i] === 0) weak[i] = 1;
  const { labels, list } = componentsOf(bitmapOf(width, height, weak), 8);
  const [inner, seen] = [new Uint32Array(list.length), new Uint8Array(list.length)];
  for (let y = PALE_MARGIN; y + PALE_MARGIN < height; y++) {
    for (let x = PALE_MARGIN; x + PALE_MARGIN < width; x++) {
      const at = y * width + x;
      if (weak[at] === 0) continue;
      if (darkness[at] >= PALE_CLEAR) seen[labels[at]] = 1;
      const sides = weak[at - PALE_MARGIN] + weak[at + PALE_MARGIN];
      if (sides + weak[at - PALE_MARGIN * width] + weak[at + PALE_MARGIN * width] === 4) inner[labels[at]]++;
    }
  }
  const isLine = list.map(({ area, box: { x0, y0, x1, y1 } }, label) => {
    const isLong = Math.max(x1 - x0, y1 - y0) >= PALE_LENGTH;
    return label > 0 && seen[label] === 1 && isLong && inner[label] <= PALE_INNER * area;
  });
  let added = 0;
  for (let i = 0; i < bits.length; i++) if (isLine[labels[i]]) added++;
  if (added < PALE_BESIDE * clear) return;
  for (let i = 0; i < bits.length; i++) if (isLine[labels[i]]) bits[i] = 1;
  // What the margin took between such lines and ink.
  for (let i = 0; i < bits.length; i++)
    if (around.bits[i] === 1 && bits[i] === 0 && darkness[i] >= PALE_CLEAR) bits[i] = 1;
}

/**
 * How much darker than the paper the pixels of an area of a finer picture of the same page are, 0 to 255.
 * @param area of the finer picture, its pixels.
 */
export function fineDarkness({ paper, noise, width }: Ink, fine: Picture, area: PixelBox): Uint8Array {
  const smaller = width / fine.widthPx;
  const columns = area.x1 - area.x0,
    rows = area.y1 - area.y0;
  const darkness = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const fromY = y + area.y0;
    if (fromY < 0 || fromY >= fine.heightPx) continue;
    for (let x = 0; x < columns; x++) {
      const fromX = x + area.x0;
      if (fromX < 0 || fromX >= fine.widthPx) continue;
      const bright = brightAt(paper, (fromX + 0.5) * smaller, (fromY + 0.5) * smaller);
      const below = (255 * (bright - fine.gray[fromY * fine.widthPx + fromX])) / bright;
      if (below > 0) darkness[y * columns + x] = below;
    }
  }
  return noise > NOISY ? smooth(darkness, columns, rows) : darkness;
}

function brightAt({ columns, rows, levels }: Paper, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, x / BLOCK_PX - 0.5)),
    row = Math.min(rows - 1, Math.max(0, y / BLOCK_PX - 0.5));
  const left = Math.floor(column),
    top = Math.floor(row);
  const right = Math.min(columns - 1, left + 1),
    bottom = Math.min(rows - 1, top + 1);
  const upper = levels[top * columns + left] * (left + 1 - column) + levels[top * columns + right] * (column - left),
    lower = levels[bottom * columns + left] * (left + 1 - column) + levels[bottom * columns + right] * (column - left);
  return Math.max(DARKEST_PAPER, upper * (top + 1 - row) + lower * (row - top));
}

/** Share of pixels that are pure white like their neighbour. */
function whiteShare({ gray }: Picture): number {
  let white = 0;
  for (let i = 1; i < gray.length; i += 3) if (gray[i] === 255 && gray[i - 1] === 255) white++;
  return (3 * white) / gray.length;
}

/**
 * Standard deviation of the noise, from the median of second differences along rows, on which gradients and lines have
 * little effect.
 */
export function noiseOf({ widthPx, heightPx, gray }: Picture): number {
  const histogram = new Uint32Array(1024);
  let samples = 0;
  for (let y = 0; y < heightPx; y += 3) {
    for (let x = 1; x + 1 < widthPx; x += 2) {
      const at = y * widthPx + x;
      // White that is clipped shows no noise.
      if (gray[at] === 255 && gray[at - 1] === 255) continue;
      histogram[Math.abs(gray[at - 1] - 2 * gray[at] + gray[at + 1])]++;
      samples++;
    }
  }
  // A page that is mostly pure white has no noise.
  if (samples < (widthPx * heightPx) / 30) return 0;
  let below = 0,
    median = 0;
  while (below + histogram[median] < samples / 2) below += histogram[median++];
  return median / (0.6745 * Math.sqrt(6));
}

function paperOf({ widthPx, heightPx, gray }: Picture): Paper {
  const columns = Math.ceil(widthPx / BLOCK_PX),
    rows = Math.ceil(heightPx / BLOCK_PX);
  const blocks = new Float32Array(columns * rows);
  const histogram = new Uint16Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      histogram.fill(0);
      let pixels = 0;
      for (let y = row * BLOCK_PX; y < Math.min(heightPx, (row + 1) * BLOCK_PX); y += 2) {
        for (let x = column * BLOCK_PX; x < Math.min(widthPx, (column + 1) * BLOCK_PX); x += 2, pixels++)
          histogram[gray[y * widthPx + x]]++;
      }
      let above = 0,
        level = 255;
      while (level > 0 && above + histogram[level] < 0.1 * pixels) above += histogram[level--];
      blocks[row * columns + column] = level;
    }
  }
  const grid = { columns, rows };
  const dilated = joinWindows(blocks, grid, HIDDEN_BLOCKS, Math.max);
  const closed = joinWindows(dilated, grid, HIDDEN_BLOCKS, Math.min);
  return { ...grid, levels: joinWindows(withoutBasins(closed, grid), grid, 1, 'mean') };
}

/**
 * Levels without the dark areas that brighter ones enclose, as large shaded views are: each gets the level at which one
 * leaves it most easily. What reaches the border, as the shadow of a fold, stays.
 */
function withoutBasins(
  levels: Float32Array,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Float32Array {
  const filled = levels.map((level, i) => {
    const x = i % columns;
    const isBorder = x === 0 || x === columns - 1 || i < columns || i >= (rows - 1) * columns;
    return isBorder ? level : Infinity;
  });
  const lower = (i: number): boolean => {
    const x = i % columns;
    const around = Math.min(
      x > 0 ? filled[i - 1] : Infinity,
      x < columns - 1 ? filled[i + 1] : Infinity,
      filled[i - columns] ?? Infinity,
      filled[i + columns] ?? Infinity,
    );
    const level = Math.max(levels[i], around);
    if (level >= filled[i]) return false;
    filled[i] = level;
    return true;
  };
  for (let isLower = true; isLower; ) {
    isLower = false;
    for (let i = 0; i < filled.length; i++) if (lower(i)) isLower = true;
    for (let i = filled.length - 1; i >= 0; i--) if (lower(i)) isLower = true;
  }
  return filled;
}

function darknessOf({ widthPx, heightPx, gray }: Picture, { columns, rows, levels: paper }: Paper): Uint8Array {
  const darkness = new Uint8Array(widthPx * heightPx);
  const lefts = new Int32Array(widthPx),
    shares = new Float32Array(widthPx);
  for (let x = 0; x < widthPx; x++) {
    const at = Math.min(columns - 1, Math.max(0, (x + 0.5) / BLOCK_PX - 0.5));
    lefts[x] = Math.min(Math.max(0, columns - 2), Math.floor(at));
    shares[x] = at - lefts[x];
  }
  const line = new Float32Array(columns + 1);
  for (let y = 0; y < heightPx; y++) {
    const at = Math.min(rows - 1, Math.max(0, (y + 0.5) / BLOCK_PX - 0.5));
    const top = Math.min(Math.max(0, rows - 2), Math.floor(at)),
      share = at - top;
    for (let c = 0; c < columns; c++)
      line[c] = (1 - share) * paper[top * columns + c] + share * paper[Math.min(rows - 1, top + 1) * columns + c];
    line[columns] = line[columns - 1];
    for (let x = 0, i = y * widthPx; x < widthPx; x++, i++) {
      const left = lefts[x];
      const bright = (1 - shares[x]) * line[left] + shares[x] * line[left + 1];
      // Most of a page is as bright as paper.
      if (gray[i] >= bright && gray[i] >= DARKEST_PAPER) continue;
      const level = Math.max(DARKEST_PAPER, bright);
      darkness[i] = (255 * (level - gray[i])) / level;
    }
  }
  return darkness;
}

/**
 * Extreme or mean of a square window of 2 × radius + 1 values, first along rows, then columns; clipped at the borders.
 */
function joinWindows(
  values: Float32Array,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  radius: number,
  by: typeof Math.min | 'mean',
): Float32Array {
  const join = by === 'mean' ? (a: number, b: number): number => a + b : by;
  const pass = (from: Float32Array, length: number, step: number, lines: number, lineStep: number): Float32Array => {
    const to = new Float32Array(from.length);
    for (let l = 0; l < lines; l++) {
      for (let i = 0; i < length; i++) {
        const first = Math.max(0, i - radius),
          last = Math.min(length - 1, i + radius);
        let value = from[l * lineStep + first * step];
        for (let j = first + 1; j <= last; j++) value = join(value, from[l * lineStep + j * step]);
        to[l * lineStep + i * step] = by === 'mean' ? value / (last - first + 1) : value;
      }
    }
    return to;
  };
  return pass(pass(values, columns, 1, rows, columns), rows, columns, columns, 1);
}

/** Smooths with the weights 1 2 1 along rows, then columns. */
function smooth(values: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint16Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      rows[at] = values[x > 0 ? at - 1 : at] + 2 * values[at] + values[x < width - 1 ? at + 1 : at];
    }
  }
  const smoothed = new Uint8Array(values.length);
  for (let y = 0; y < height; y++) {
    const above = y > 0 ? -width : 0,
      below = y < height - 1 ? width : 0;
    for (let x = 0, at = y * width; x < width; x++, at++)
      smoothed[at] = (rows[at + above] + 2 * rows[at] + rows[at + below] + 8) >> 4;
  }
  return smoothed;
}
