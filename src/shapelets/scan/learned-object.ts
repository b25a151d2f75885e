import { readFileSync } from 'node:fs';
import { bitmapOf, boxOf, componentBits, componentsOf, type Bitmap, type PixelBox } from '../../bitmap/bitmap.js';
import type { PictureColors } from '../../content/sheet.js';
import type { Core } from '../../core/core.js';
import { objectOdds } from '../../core/object-net.js';
import { EngineError } from '../../errors.js';
import type { GrayGrid } from './gray-grid.js';

/** Longer sides of what the network looks at first and then, pixels; all are multiples of `STEP`, at least `LEAST`. */
const FIRST = 128;
const SECOND = 160;
const STEP = 16;
const LEAST = 64;
/** Margin around what the first look found, share of its longer side, and the least one, share of the picture's. */
const MARGIN = 0.2;
const LEAST_MARGIN = 0.03;
/** Pieces smaller than this share of the largest are not the object; holes below the second share of it are spots. */
const LEAST_PIECE = 0.06;
const LEAST_HOLE = 0.002;

const BYTES = 706_536;
let loaded: Uint8Array | undefined;

/** @throws EngineError `CORE_FAILED` when the file is not of this version. */
function table(): Uint8Array {
  if (loaded !== undefined) return loaded;
  const bytes = new Uint8Array(readFileSync(new URL('../../tables/photo-objects.bin', import.meta.url)));
  if (bytes.length !== BYTES)
    throw new EngineError(
      'CORE_FAILED',
      `photo-objects.bin does not fit this version: ${bytes.length} bytes, ${BYTES} were expected`,
    );
  return (loaded = bytes);
}

/** What the network sees within a box of a picture. */
interface Look {
  readonly box: PixelBox;
  readonly width: number;
  readonly height: number;
  /** f32[height × width]: logarithm of the odds. */
  readonly odds: Float32Array;
}

/**
 * The pixels of the object of a photo as a learned network sees them: before any background, with shadows left out. It
 * looks at the whole picture, then closer at what it found there. Empty where it sees none.
 * @param colors of the same picture, in any size. Without them it is grey.
 */
export function learnedObject(core: Core, picture: GrayGrid, colors?: PictureColors): Bitmap {
  const planes = planesOf(picture, colors);
  const whole = { x0: 0, y0: 0, x1: picture.width, y1: picture.height };
  const box = boxOf(mainPieces(seenBy(look(core, planes, whole, FIRST), picture)));
  if (box === undefined) return bitmapOf(picture.width, picture.height);
  const margin = Math.max(
    MARGIN * Math.max(box.x1 - box.x0, box.y1 - box.y0),
    LEAST_MARGIN * Math.max(picture.width, picture.height),
  );
  const around = {
    x0: Math.max(0, Math.floor(box.x0 - margin)),
    y0: Math.max(0, Math.floor(box.y0 - margin)),
    x1: Math.min(picture.width, Math.ceil(box.x1 + margin)),
    y1: Math.min(picture.height, Math.ceil(box.y1 + margin)),
  };
  return mainPieces(seenBy(look(core, planes, around, SECOND), picture));
}

/** Red, green and blue, or grey alone, and how many of their pixels take a side of one of the picture. */
interface Planes {
  readonly grids: readonly GrayGrid[];
  readonly scale: number;
}

function planesOf(picture: GrayGrid, colors: PictureColors | undefined): Planes {
  if (colors === undefined) return { grids: [picture], scale: 1 };
  const { widthPx: width, heightPx: height, rgb } = colors;
  const grids = [0, 1, 2].map((color): GrayGrid => {
    const values = Float32Array.from({ length: width * height }, (_, i) => rgb[3 * i + color]);
    return { values, width, height };
  });
  return { grids, scale: width / picture.width };
}

/**
 * What the network sees there: the mean over the four quarter turns of the picture. It learned light from above more
 * than other light, so it sees other pixels when a picture is turned; the mean is the same for each turn but for the
 * order of its sums, and surer.
 */
function look(core: Core, { grids, scale: finer }: Planes, box: PixelBox, side: number): Look {
  const wide = box.x1 - box.x0,
    high = box.y1 - box.y0;
  const scale = side / Math.max(wide, high);
  const [width, height] = [wide, high].map((length) => Math.max(LEAST, STEP * Math.round((scale * length) / STEP)));
  const { x0, x1, y0, y1 } = box;
  const part = { x0: finer * x0, x1: finer * x1, y0: finer * y0, y1: finer * y1 };
  const seen = grids.map((grid) => resampled(grid, part, { width, height }));
  const odds = new Float32Array(width * height);
  for (let quarters = 0; quarters < 4; quarters++) {
    const from = turnedPlaces(width, height, quarters);
    const colors = new Float32Array(3 * from.length);
    for (let i = 0, to = 0; i < from.length; i++)
      for (let color = 0; color < 3; color++, to++) colors[to] = seen[color % seen.length][from[i]] / 127.5 - 1;
    const size = quarters % 2 === 0 ? { width, height } : { width: height, height: width };
    const found = objectOdds(core, { ...size, colors }, table());
    for (let i = 0; i < from.length; i++) odds[from[i]] += found[i] / 4;
  }
  return { box, width, height, odds };
}

/** u32[pixels]: for each pixel of a picture that is turned clockwise, its place in the picture as it was. */
function turnedPlaces(width: number, height: number, quarters: number): Uint32Array {
  const isUpright = quarters % 2 === 0;
  const [across, down] = isUpright ? [width, height] : [height, width];
  const from = new Uint32Array(width * height);
  for (let y = 0, i = 0; y < down; y++) {
    for (let x = 0; x < across; x++, i++) {
      const u = quarters === 0 ? x : quarters === 1 ? y : quarters === 2 ? width - 1 - x : width - 1 - y;
      const v = quarters === 0 ? y : quarters === 1 ? height - 1 - x : quarters === 2 ? height - 1 - y : x;
      from[i] = v * width + u;
    }
  }
  return from;
}

/** Where the odds are for the object, as pixels of the whole picture. */
function seenBy({ box, width, height, odds }: Look, picture: GrayGrid): Bitmap {
  const seen = bitmapOf(picture.width, picture.height);
  const wide = box.x1 - box.x0,
    high = box.y1 - box.y0;
  const sized = resampled(
    { values: odds, width, height },
    { x0: 0, y0: 0, x1: width, y1: height },
    {
      width: wide,
      height: high,
    },
  );
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++)
      if (sized[y * wide + x] > 0) seen.bits[(box.y0 + y) * picture.width + box.x0 + x] = 1;
  return seen;
}

/** A part of a grid in another size: means of samples, about one for each pixel of the grid and at least one. */
function resampled(
  { values, width: rowLength, height: rows }: GrayGrid,
  box: PixelBox,
  { width, height }: { readonly width: number; readonly height: number },
): Float32Array {
  const across = tapsOf(box.x0, box.x1, width, rowLength),
    down = tapsOf(box.y0, box.y1, height, rows);
  const top = Math.min(...down.first),
    bottom = Math.min(rows, Math.max(...down.first) + down.count);
  const narrow = new Float64Array((bottom - top) * width);
  for (let y = top, to = 0; y < bottom; y++) {
    const row = y * rowLength;
    for (let x = 0; x < width; x++, to++) {
      const first = across.first[x],
        last = Math.min(across.count, rowLength - first);
      let sum = 0;
      for (let k = 0; k < last; k++) sum += across.shares[x * across.count + k] * values[row + first + k];
      narrow[to] = sum;
    }
  }
  const result = new Float32Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    const first = (down.first[y] - top) * width,
      last = Math.min(down.count, rows - down.first[y]);
    for (let x = 0; x < width; x++, to++) {
      let sum = 0;
      for (let k = 0; k < last; k++) sum += down.shares[y * down.count + k] * narrow[first + k * width + x];
      result[to] = sum;
    }
  }
  return result;
}

/** How pixels along one side are made: `count` pixels of the grid from `first` on, each with its share. */
interface Taps {
  readonly count: number;
  readonly first: Int32Array;
  readonly shares: Float64Array;
}

/** Pixels between `low` and `high` as `size` means of samples, each between two pixels of a side of `end` pixels. */
function tapsOf(low: number, high: number, size: number, end: number): Taps {
  const samples = Math.max(1, Math.ceil((high - low) / size - 0.01));
  const step = (high - low) / (size * samples);
  const count = samples + 2;
  const first = new Int32Array(size),
    shares = new Float64Array(size * count);
  for (let i = 0, at = 0; i < size; i++) {
    for (let sample = 0; sample < samples; sample++, at++) {
      const place = Math.max(0, Math.min(end - 1, low + (at + 0.5) * step - 0.5));
      const pixel = Math.floor(place),
        after = place - pixel;
      if (sample === 0) first[i] = pixel;
      const to = i * count + pixel - first[i];
      shares[to] += (1 - after) / samples;
      if (after > 0) shares[to + 1] += after / samples;
    }
  }
  return { count, first, shares };
}

/** The pieces that are not small compared with the largest, with spots in them filled. */
function mainPieces(map: Bitmap): Bitmap {
  const pieces = componentsOf(map, 8);
  const largest = pieces.list.reduce((most, { area }) => Math.max(most, area), 0);
  const kept = componentBits(map, pieces, ({ area }) => area > 0 && area >= LEAST_PIECE * largest);
  const clear = bitmapOf(
    map.width,
    map.height,
    kept.bits.map((bit) => 1 - bit),
  );
  const holes = componentsOf(clear, 4);
  const spots = componentBits(clear, holes, ({ area }) => area < LEAST_HOLE * largest);
  for (let i = 0; i < kept.bits.length; i++) if (spots.bits[i] === 1) kept.bits[i] = 1;
  return kept;
}
