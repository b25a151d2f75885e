import type { Picture } from '../content/sheet.js';
import { bitmapOf, componentsOf, type Bitmap } from './bitmap.js';

/** Side of the blocks in which the paper's brightness is looked for, and how far (blocks) something dark may hide it. */
const BLOCK_PX = 32;
const HIDDEN_BLOCKS = 8;
/** A pixel is ink above the first darkness when it is connected with one above the second; noise raises both. */
const FAINT = 20;
const CLEAR = 46;

/** Where a page is dark. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  /** u8[height × width]: how far each pixel is below the paper's brightness there, as a share of it, 0 to 255. */
  readonly darkness: Uint8Array;
  readonly ink: Bitmap;
  /** Standard deviation of the picture's noise, grey levels. */
  readonly noise: number;
}

/**
 * Tells ink from paper. The paper's brightness is the 90th percentile of blocks, closed over what is dark, so that light may be
 * uneven and areas shaded; the threshold has two levels, so that faint lines stay whole and specks of noise go.
 */
export function binarise(picture: Picture): Ink {
  const { widthPx: width, heightPx: height } = picture;
  const noise = noiseOf(picture);
  let darkness = darknessOf(picture);
  // Noise that would be taken for ink is averaged away; it costs thin lines some of their darkness.
  const isNoisy = noise > 3;
  if (isNoisy) darkness = smooth(darkness, width, height);
  const left = isNoisy ? 0.4 * noise : noise;
  const faint = Math.max(FAINT, 5 * left),
    clear = Math.max(CLEAR, 9 * left);
  const weak = new Uint8Array(width * height);
  for (let i = 0; i < weak.length; i++) if (darkness[i] >= faint) weak[i] = 1;
  const map = bitmapOf(width, height, weak);
  const { labels, list } = componentsOf(map, 8);
  const isKept = new Uint8Array(list.length);
  for (let i = 0; i < weak.length; i++) if (labels[i] !== 0 && darkness[i] >= clear) isKept[labels[i]] = 1;
  for (let i = 0; i < weak.length; i++) weak[i] = isKept[labels[i]];
  return { width, height, darkness, ink: map, noise };
}

/** Standard deviation of the noise: the median of second differences along rows, in which slow changes and lines count for little. */
export function noiseOf({ widthPx, heightPx, gray }: Picture): number {
  const histogram = new Uint32Array(1024);
  let samples = 0;
  for (let y = 0; y < heightPx; y += 3) {
    for (let x = 1; x + 1 < widthPx; x += 2) {
      const at = y * widthPx + x;
      // Clipped white hides noise: such pixels say nothing.
      if (gray[at] === 255 && gray[at - 1] === 255) continue;
      histogram[Math.abs(gray[at - 1] - 2 * gray[at] + gray[at + 1])]++;
      samples++;
    }
  }
  // A page that is mostly pure white has none.
  if (samples < (widthPx * heightPx) / 30) return 0;
  let below = 0,
    median = 0;
  while (below + histogram[median] < samples / 2) below += histogram[median++];
  return median / (0.6745 * Math.sqrt(6));
}

function darknessOf({ widthPx, heightPx, gray }: Picture): Uint8Array {
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
  const closed = extremes(
    extremes(blocks, columns, rows, HIDDEN_BLOCKS, Math.max),
    columns,
    rows,
    HIDDEN_BLOCKS,
    Math.min,
  );
  const paper = extremes(closed, columns, rows, 1, (a, b) => a + b, 3);
  const darkness = new Uint8Array(widthPx * heightPx);
  const lefts = new Float32Array(widthPx),
    shares = new Float32Array(widthPx);
  for (let x = 0; x < widthPx; x++) {
    const at = Math.min(columns - 1, Math.max(0, (x + 0.5) / BLOCK_PX - 0.5));
    lefts[x] = Math.min(Math.max(0, columns - 2), Math.floor(at));
    shares[x] = at - lefts[x];
  }
  const line = new Float32Array(columns);
  for (let y = 0; y < heightPx; y++) {
    const at = Math.min(rows - 1, Math.max(0, (y + 0.5) / BLOCK_PX - 0.5));
    const top = Math.min(Math.max(0, rows - 2), Math.floor(at)),
      share = at - top;
    for (let c = 0; c < columns; c++)
      line[c] = (1 - share) * paper[top * columns + c] + share * paper[Math.min(rows - 1, top + 1) * columns + c];
    for (let x = 0; x < widthPx; x++) {
      const left = lefts[x];
      const bright = Math.max(48, (1 - shares[x]) * line[left] + shares[x] * line[Math.min(columns - 1, left + 1)]);
      const below = (255 * (bright - gray[y * widthPx + x])) / bright;
      if (below > 0) darkness[y * widthPx + x] = below;
    }
  }
  return darkness;
}

/** Extreme (or mean, with `divisor` the window's side) of a square window, rows then columns; at borders what there is. */
function extremes(
  grid: Float32Array,
  columns: number,
  rows: number,
  radius: number,
  join: (a: number, b: number) => number,
  divisor = 0,
): Float32Array {
  const pass = (from: Float32Array, length: number, step: number, lines: number, lineStep: number): Float32Array => {
    const to = new Float32Array(from.length);
    for (let l = 0; l < lines; l++) {
      for (let i = 0; i < length; i++) {
        const first = Math.max(0, i - radius),
          last = Math.min(length - 1, i + radius);
        let value = from[l * lineStep + first * step];
        for (let j = first + 1; j <= last; j++) value = join(value, from[l * lineStep + j * step]);
        to[l * lineStep + i * step] = divisor > 0 ? value / (last - first + 1) : value;
      }
    }
    return to;
  };
  return pass(pass(grid, columns, 1, rows, columns), rows, columns, columns, 1);
}

/** Weights 1 2 1 along rows, then columns. */
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
