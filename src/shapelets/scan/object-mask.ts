import { medianOf } from '../../content/groups.js';
import type { Picture } from '../../content/sheet.js';
import type { Core } from '../../core/core.js';
import { noiseOf } from '../../bitmap/binarise.js';
import {
  bitmapOf,
  boxOf,
  both,
  componentBits,
  componentsOf,
  count,
  crop,
  dilate,
  either,
  erode,
  inverse,
  reachedFromBorder,
  without,
  type Bitmap,
} from '../../bitmap/bitmap.js';
import { blur, edges, gradient, range, reduce, type GrayGrid } from './gray-grid.js';
import type { FoundShape } from './found-shape.js';
import { learnedObject } from './learned-object.js';

/** Longer side of the reduced picture in which an object is searched, pixels. */
const WORK_SIDE = 480;
/** Least difference of an object from the background, grey levels; noise raises it. */
const SEEN = 9;
/** Least gradient of an edge, grey levels per pixel. */
const STEP = 7;
/**
 * Least gradient of an object's outline, for which the search is more sensitive; gaps of up to twice `GAP` pixels are
 * closed.
 */
const OUTLINE = 5;
const GAP = 6;
/** A shadow has at least this share of the background's brightness. */
const SHADOW_LIGHT = 0.35;
/**
 * Pieces smaller than this share of the largest are not part of the object; holes smaller than the second share of the
 * picture are spots.
 */
const LEAST_PIECE = 0.02;
const LEAST_HOLE = 0.0006;

/**
 * Views of a page without a frame stand at least this far from each other, share of the longer side of what was found,
 * and have at least this share of the largest one's pixels.
 */
const APART = 0.03;
const LEAST_VIEW = 0.05;

/** An object in front of a background. */
export interface FoundObject extends FoundShape {
  /** Pixels of the picture per pixel of the box and masks. */
  readonly scale: number;
}

/** A picture reduced for the search of an object, and what is measured of it. */
interface Prepared extends GrayGrid {
  readonly scale: number;
  readonly noise: number;
  readonly smooth: Float32Array;
  readonly steps: Float32Array;
}

function prepare(picture: Picture): Prepared {
  const { values, width, height, scale } = reduce(picture, WORK_SIDE);
  const smooth = blur(values, width, height);
  const noise = Math.max(0.5, noiseOf(picture) / Math.max(1, scale));
  return { values, width, height, scale, noise, smooth, steps: gradient(smooth, width, height) };
}

/**
 * Finds the object of a photo. With a core, a learned network tells its pixels, before any background; without one, or
 * where the network sees nothing, what stands out from a plain or smoothly changing background is the object. Undefined
 * when nothing or everything does.
 */
export function findObject(picture: Picture, core?: Core): FoundObject | undefined {
  const prepared = prepare(picture);
  const learned = core === undefined ? undefined : shapeOf(prepared, learnedObject(core, prepared, picture.colors));
  return learned ?? shapeOf(prepared, standingOut(prepared));
}

/**
 * The object in front of a plain background: a quadratic surface, fitted to the border of the picture and then to all
 * pixels near it. Pixels that differ are the object, except shadows: darker pixels that are connected to the border
 * without an outline in between.
 */
function standingOut({ values, width, height, smooth, steps, noise }: Prepared): Bitmap {
  const background = backgroundOf(smooth, width, height);
  const seen = Math.max(SEEN, 4 * noise);
  const differs = bitmapOf(width, height);
  for (let i = 0; i < values.length; i++) if (Math.abs(smooth[i] - background[i]) > seen) differs.bits[i] = 1;
  const outlines = edges(smooth, steps, width, height, Math.max(OUTLINE, 2.5 * noise));
  return solidPieces(withoutShadows(differs, smooth, background, outlines));
}

/** Box, mask and lines of an object whose pixels are known. Undefined when nothing or everything belongs to it. */
function shapeOf({ width, height, scale, smooth, steps, noise }: Prepared, object: Bitmap): FoundObject | undefined {
  const box = boxOf(object);
  if (box === undefined || count(object) > 0.97 * width * height) return undefined;
  const step = Math.max(STEP, 3.5 * noise);
  const mask = crop(object, box, 0);
  const inner = edges(smooth, steps, width, height, Math.max(2.2 * step, 0.12 * range(smooth, object)));
  const lines = either(
    without(mask, erode(crop(object, box, 1), 1).width > 0 ? innerOf(object, box) : mask),
    both(crop(inner, box, 0), mask),
  );
  return { box, mask, lines, lineWidth: 1, scale };
}

/** Whether what was found are several things that stand apart, as the shaded views of a page. */
export function standsApart({ mask }: Pick<FoundObject, 'mask'>): boolean {
  const gap = Math.max(1, Math.round((APART * Math.max(mask.width, mask.height)) / 2));
  const margin = gap + 1;
  const whole = { x0: 0, y0: 0, x1: mask.width, y1: mask.height };
  const { list, labels } = componentsOf(dilate(crop(mask, whole, margin), gap), 8);
  const areas = new Float64Array(list.length);
  const { bits } = crop(mask, whole, margin);
  for (let i = 0; i < bits.length; i++) if (bits[i] === 1) areas[labels[i]]++;
  areas[0] = 0;
  const most = Math.max(...areas);
  return areas.filter((area) => area >= LEAST_VIEW * most).length > 1;
}

/** The object without its outermost pixels, cropped to the box. */
function innerOf(object: Bitmap, box: FoundShape['box']): Bitmap {
  const margin = 2;
  const inner = erode(crop(object, box, margin), 1);
  return crop(inner, { x0: margin, y0: margin, x1: inner.width - margin, y1: inner.height - margin }, 0);
}

/** Brightness of the background: a quadratic surface, fitted to the border and then refitted to pixels near it. */
function backgroundOf(values: Float32Array, width: number, height: number): Float32Array {
  const margin = Math.max(2, Math.round(0.03 * Math.max(width, height)));
  const isUsed = new Uint8Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      if (x < margin || y < margin || x >= width - margin || y >= height - margin) isUsed[y * width + x] = 1;
  }
  let surface = fit(values, isUsed, width, height);
  for (let round = 0; round < 5; round++) {
    const rests: number[] = [];
    for (let i = 0; i < values.length; i += 3) if (isUsed[i] === 1) rests.push(Math.abs(values[i] - surface[i]));
    const tolerance = Math.max(4, 3 * 1.48 * (medianOf(rests) ?? 0));
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const isBorder = x < margin || y < margin || x >= width - margin || y >= height - margin;
        // The first rounds use only the border, so that the object does not attract the surface.
        isUsed[i] = Math.abs(values[i] - surface[i]) <= tolerance && (isBorder || round >= 2) ? 1 : 0;
      }
    }
    surface = fit(values, isUsed, width, height);
  }
  return surface;
}

/** Least squares fit of 1, x, y, x², xy, y² to the used pixels. */
function fit(values: Float32Array, isUsed: Uint8Array, width: number, height: number): Float32Array {
  const terms = 6;
  const normal = Array.from({ length: terms }, () => new Float64Array(terms + 1));
  const basis = new Float64Array(terms);
  const setBasis = (x: number, y: number): void => {
    const u = (2 * x) / width - 1,
      v = (2 * y) / height - 1;
    basis[0] = 1;
    basis[1] = u;
    basis[2] = v;
    basis[3] = u * u;
    basis[4] = u * v;
    basis[5] = v * v;
  };
  for (let y = 0; y < height; y++) {
    for (let x = y % 2; x < width; x += 2) {
      if (isUsed[y * width + x] === 0) continue;
      setBasis(x, y);
      for (let a = 0; a < terms; a++) {
        for (let b = 0; b < terms; b++) normal[a][b] += basis[a] * basis[b];
        normal[a][terms] += basis[a] * values[y * width + x];
      }
    }
  }
  const weights = solve(normal, terms);
  const surface = new Float32Array(values.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      setBasis(x, y);
      for (let a = 0; a < terms; a++) surface[i] += weights[a] * basis[a];
    }
  }
  return surface;
}

/** Gaussian elimination; undetermined terms are 0. */
function solve(rows: Float64Array[], terms: number): Float64Array {
  for (let a = 0; a < terms; a++) {
    let pivot = a;
    for (let b = a + 1; b < terms; b++) if (Math.abs(rows[b][a]) > Math.abs(rows[pivot][a])) pivot = b;
    [rows[a], rows[pivot]] = [rows[pivot], rows[a]];
    if (Math.abs(rows[a][a]) < 1e-6) continue;
    for (let b = 0; b < terms; b++) {
      if (b === a) continue;
      const factor = rows[b][a] / rows[a][a];
      for (let c = a; c <= terms; c++) rows[b][c] -= factor * rows[a][c];
    }
  }
  return Float64Array.from({ length: terms }, (_, a) =>
    Math.abs(rows[a][a]) < 1e-6 ? 0 : rows[a][terms] / rows[a][a],
  );
}

/**
 * Removes shadows: pixels that can be reached from the border over background and darker pixels without crossing an
 * edge or a gap in one. Faces of the object that are as even as a shadow stay, because their outline is an edge.
 */
function withoutShadows(differs: Bitmap, values: Float32Array, background: Float32Array, outlines: Bitmap): Bitmap {
  const { width, height } = differs;
  const passable = bitmapOf(width, height);
  for (let i = 0; i < values.length; i++) {
    const isShade = values[i] < background[i] && values[i] > SHADOW_LIGHT * background[i];
    if ((differs.bits[i] === 0 || isShade) && outlines.bits[i] === 0) passable.bits[i] = 1;
  }
  const reached = reachedFromBorder(without(passable, dilate(outlines, GAP)));
  for (let round = 0; round < 2 * GAP; round++) growWithin(reached, passable);
  return without(differs, reached);
}

/** Grows an area by one pixel within a map, through sides only, so that lines one pixel wide are not crossed. */
function growWithin(grown: Bitmap, { bits }: Bitmap): void {
  const { width } = grown;
  const before = grown.bits.slice();
  for (let at = 0; at < bits.length; at++) {
    if (bits[at] === 0 || before[at] === 1) continue;
    const x = at % width;
    if (
      (x > 0 && before[at - 1] === 1) ||
      (x + 1 < width && before[at + 1] === 1) ||
      before[at - width] === 1 ||
      before[at + width] === 1
    )
      grown.bits[at] = 1;
  }
}

/** The pieces that are not small compared with the largest, with small holes filled. */
function solidPieces(map: Bitmap): Bitmap {
  const area = map.width * map.height;
  const closed = erode(dilate(map, 1), 1);
  const pieces = componentsOf(closed, 8);
  const largest = pieces.list.reduce((most, piece) => Math.max(most, piece.area), 0);
  const kept = componentBits(closed, pieces, (piece) => piece.area >= Math.max(12, LEAST_PIECE * largest));
  const clear = inverse(kept);
  const holes = componentsOf(clear, 4);
  return either(
    kept,
    componentBits(clear, holes, (hole) => hole.area < LEAST_HOLE * area),
  );
}
