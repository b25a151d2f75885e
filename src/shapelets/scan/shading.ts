import { bytesOf } from '../../content/bytes-of.js';
import { longerSide } from '../../content/geometry.js';
import type { Ink } from '../../bitmap/binarise.js';
import {
  bitmapOf,
  both,
  componentBits,
  componentsOf,
  crop,
  dilate,
  either,
  erode,
  inverse,
  open,
  without,
  type Bitmap,
  type Components,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { blur, edges, gradient, range, reduce } from './gray-grid.js';
import { tightBox, type FoundShape } from './found-shape.js';

/** Units of 1/2400 of the page's longer side: half the width of the widest line, and half the widest pinhole. */
const LINE = 3;
const PINHOLE = 3;
/** Distance from ink at which the level of an enclosed area is read, and its least side there, same units. */
const CLEARANCE = 3;
const LEAST_FACE = 8;
/** A face is at least this much darker than the paper, 0 to 255. */
const TINT = 4;
/** Longer side of the reduced view in which edges are searched, pixels. */
const WORK_SIDE = 256;
/** Least gradient of an edge: levels per pixel, share of the view's range of levels, and multiple of its noise. */
const STEP = 4;
const STEP_SHARE = 0.1;
const STEP_NOISE = 1.2;
/** Least longer side of a connected edge, as a share of the view's; shorter ones are noise. */
const LEAST_EDGE = 0.05;

/** Darkness of a page and the noise of its picture before it was smoothed. */
export type Shading = Pick<Ink, 'darkness' | 'noise'>;

/**
 * Silhouettes of the shaded views of a page: dark cores to their rim, with the lighter faces that lines enclose beside
 * them. A hole shows paper and stays clear. Lines that leave a silhouette, such as those of dimensions, are not part of
 * it.
 * @param inside ink within the frame. @param cores its dark areas without rims.
 * @param unit 1/2400 of the page's longer side, pixels.
 */
export function shadedBodies({ darkness, ink }: Ink, inside: Bitmap, cores: Bitmap, unit: number): Bitmap {
  const pinhole = Math.max(1, Math.round(PINHOLE * unit)),
    line = Math.max(1, Math.round(LINE * unit)),
    clearance = Math.max(1, Math.round(CLEARANCE * unit));
  const areas = componentsOf(inverse(dilate(inside, clearance)), 4);
  const levels = medianLevels(darkness, areas, LEAST_FACE * unit);
  const least = paperLevel(darkness, ink) + TINT;
  const faces = componentBits(inside, areas, (_, number) => levels[number] >= least);
  const dark = either(inside, dilate(faces, clearance));
  // Faces are separated by lines; what is thinner than a line leaves the body: dimensions, leaders.
  const bodies = open(erode(dilate(dark, pinhole), pinhole), line);
  const pieces = componentsOf(bodies, 8);
  const hasCore = new Uint8Array(pieces.list.length);
  for (let i = 0; i < cores.bits.length; i++) if (cores.bits[i] === 1) hasCore[pieces.labels[i]] = 1;
  return componentBits(bodies, pieces, (_, number) => hasCore[number] === 1);
}

/**
 * The shape of a shaded view: its silhouette, and as lines its outline and the steps of its shading.
 * @param silhouette of all shaded views of a page. @param within the box of the view, page pixels.
 */
export function shadedShape(silhouette: Bitmap, { darkness, noise }: Shading, within: PixelBox): FoundShape {
  const box = tightBox({ box: within, mask: crop(silhouette, within, 0) }) ?? within;
  const mask = crop(silhouette, box, 0);
  const gray = crop(bitmapOf(silhouette.width, silhouette.height, darkness), box, 0).bits;
  const picture = { widthPx: mask.width, heightPx: mask.height, gray };
  const { values, width, height, scale } = reduce(picture, WORK_SIDE);
  const smooth = blur(values, width, height);
  const covers = reduce({ ...picture, gray: mask.bits.map((bit) => 255 * bit) }, WORK_SIDE).values;
  const small = bitmapOf(
    width,
    height,
    bytesOf(covers, (cover) => (cover >= 128 ? 1 : 0)),
  );
  const least = Math.max(STEP, STEP_SHARE * range(smooth, small), (STEP_NOISE * noise) / scale);
  const found = edges(smooth, gradient(smooth, width, height), width, height, least);
  const steps = componentBits(
    found,
    componentsOf(found, 8),
    (edge) => longerSide(edge.box) >= LEAST_EDGE * Math.max(width, height),
  );
  const lines = either(without(small, shrunk(small, 1)), both(steps, shrunk(small, 2)));
  return { box, mask, lines: enlarged(lines, mask), lineWidth: scale };
}

/** Erosion for which pixels outside the picture count as clear. */
function shrunk(map: Bitmap, radius: number): Bitmap {
  const margin = radius + 1;
  const all = { x0: 0, y0: 0, x1: map.width, y1: map.height };
  const less = erode(crop(map, all, margin), radius);
  return crop(less, { x0: margin, y0: margin, x1: margin + map.width, y1: margin + map.height }, 0);
}

/** A reduced bitmap at the size of another one. */
function enlarged({ width, height, bits }: Bitmap, { width: toWidth, height: toHeight }: Bitmap): Bitmap {
  const large = bitmapOf(toWidth, toHeight);
  for (let y = 0, at = 0; y < toHeight; y++) {
    const row = Math.min(height - 1, Math.floor((y * height) / toHeight)) * width;
    for (let x = 0; x < toWidth; x++, at++)
      large.bits[at] = bits[row + Math.min(width - 1, Math.floor((x * width) / toWidth))];
  }
  return large;
}

/** Median darkness of all pixels without ink. */
function paperLevel(darkness: Uint8Array, { bits }: Bitmap): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < darkness.length; i++) if (bits[i] === 0) counts[darkness[i]]++;
  return medianLevel(counts);
}

/** Median darkness of each component whose shorter side has at least `leastSide` pixels; 0 for others. */
function medianLevels(darkness: Uint8Array, { labels, list }: Components, leastSide: number): Uint8Array {
  const counts = list.map(({ box }, number) =>
    number > 0 && Math.min(box.x1 - box.x0, box.y1 - box.y0) >= leastSide ? new Uint32Array(256) : undefined,
  );
  for (let i = 0; i < darkness.length; i++) {
    const own = counts[labels[i]];
    if (own !== undefined) own[darkness[i]]++;
  }
  return Uint8Array.from(counts, (own) => (own === undefined ? 0 : medianLevel(own)));
}

function medianLevel(counts: Uint32Array): number {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  let level = 0;
  for (let below = counts[0]; below < half && level < 255; below += counts[++level]);
  return level;
}
