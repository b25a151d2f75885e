import { readFileSync } from 'node:fs';
import { bitmapOf, boxOf, componentBits, componentsOf, type Bitmap, type PixelBox } from '../../bitmap/bitmap.js';
import type { Core } from '../../core/core.js';
import { objectOdds } from '../../core/object-net.js';
import { EngineError } from '../../errors.js';
import type { GrayGrid } from './gray-grid.js';

/** Longer side of what the network looks at, pixels; sides are multiples of `STEP`, at least `LEAST`. */
const SIDE = 128;
const STEP = 16;
const LEAST = 64;
/** Margin around what the first look found, share of its longer side, and the least one, share of the picture's. */
const MARGIN = 0.2;
const LEAST_MARGIN = 0.03;
/** Pieces smaller than this share of the largest are not the object; holes below the second share of it are spots. */
const LEAST_PIECE = 0.06;
const LEAST_HOLE = 0.002;

const BYTES = 427_560;
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

/**
 * The pixels of the object of a photo as a learned network sees them: before any background, with shadows left out. It
 * looks twice, at the whole picture and at what it found there. Empty where it sees none.
 */
export function learnedObject(core: Core, picture: GrayGrid): Bitmap {
  const whole = { x0: 0, y0: 0, x1: picture.width, y1: picture.height };
  const box = boxOf(mainPieces(look(core, picture, whole)));
  if (box === undefined) return bitmapOf(picture.width, picture.height);
  const margin = Math.max(
    MARGIN * Math.max(box.x1 - box.x0, box.y1 - box.y0),
    LEAST_MARGIN * Math.max(picture.width, picture.height),
  );
  return mainPieces(
    look(core, picture, {
      x0: Math.max(0, Math.floor(box.x0 - margin)),
      y0: Math.max(0, Math.floor(box.y0 - margin)),
      x1: Math.min(picture.width, Math.ceil(box.x1 + margin)),
      y1: Math.min(picture.height, Math.ceil(box.y1 + margin)),
    }),
  );
}

/** What the network sees in a part of the picture, as pixels of the whole picture. */
function look(core: Core, picture: GrayGrid, box: PixelBox): Bitmap {
  const wide = box.x1 - box.x0,
    high = box.y1 - box.y0;
  const scale = SIDE / Math.max(wide, high);
  const [width, height] = [wide, high].map((side) => Math.max(LEAST, STEP * Math.round((scale * side) / STEP)));
  const odds = objectOdds(core, { width, height, colors: colorsOf(picture, box, { width, height }) }, table());
  const seen = bitmapOf(picture.width, picture.height);
  for (let y = box.y0; y < box.y1; y++) {
    const v = Math.max(0, Math.min(height - 1, ((y - box.y0 + 0.5) * height) / high - 0.5));
    const row = Math.min(height - 2, Math.floor(v)),
      down = v - row;
    for (let x = box.x0; x < box.x1; x++) {
      const u = Math.max(0, Math.min(width - 1, ((x - box.x0 + 0.5) * width) / wide - 0.5));
      const column = Math.min(width - 2, Math.floor(u)),
        right = u - column,
        at = row * width + column;
      const upper = (1 - right) * odds[at] + right * odds[at + 1],
        lower = (1 - right) * odds[at + width] + right * odds[at + width + 1];
      if ((1 - down) * upper + down * lower > 0) seen.bits[y * picture.width + x] = 1;
    }
  }
  return seen;
}

/** A part of the picture in another size: means of the pixels that each new one covers, one at least. */
function colorsOf(
  { values, width: rowLength }: GrayGrid,
  box: PixelBox,
  { width, height }: { readonly width: number; readonly height: number },
): Float32Array {
  const colors = new Float32Array(3 * width * height);
  const across = (box.x1 - box.x0) / width,
    down = (box.y1 - box.y0) / height;
  for (let y = 0; y < height; y++) {
    const top = box.y0 + Math.floor(y * down),
      bottom = Math.max(top + 1, box.y0 + Math.floor((y + 1) * down));
    for (let x = 0; x < width; x++) {
      const left = box.x0 + Math.floor(x * across),
        right = Math.max(left + 1, box.x0 + Math.floor((x + 1) * across));
      let sum = 0;
      for (let v = top; v < bottom; v++) for (let u = left; u < right; u++) sum += values[v * rowLength + u];
      const value = sum / ((bottom - top) * (right - left)) / 127.5 - 1;
      colors.fill(value, 3 * (y * width + x), 3 * (y * width + x) + 3);
    }
  }
  return colors;
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
