import sharp from 'sharp';
import type { Core } from '../core/core.js';
import { layOver, layPicture, type Laid } from '../core/laid-pictures.js';
import type { Limits } from '../options.js';
import { SHAPELET_SIZE } from '../shapelets/shapelet.js';
import { findShapelet, inkOf, type ShapeletSource } from './shapelet-picture.js';

/** Colours of the query and of the hit, sRGB. */
const QUERY_COLOR = [214, 30, 36] as const;
const MATCH_COLOR = [24, 84, 214] as const;

/**
 * A shapelet of a hit over one of the query: query red, hit blue, dark where both are. A PNG on white with the query
 * centred.
 */
export async function overlayPicture(
  core: Core,
  query: ShapeletSource,
  match: ShapeletSource,
  limits: Limits,
  size: number,
): Promise<Uint8Array> {
  const onto = findShapelet(core, query, limits),
    from = findShapelet(core, match, limits);
  const below = layPicture(core, onto.exactLines),
    above = layPicture(core, from.exactLines);
  const queryInk = await inkOf(core, query.content, onto.shapelet, size);
  const asDrawn = await inkOf(core, match.content, from.shapelet, size);
  const laid: Laid | undefined = below === undefined || above === undefined ? undefined : layOver(core, below, above);
  const turned = laid && moved(asDrawn, laid, size);
  // Of two revisions of a view the boxes are equal, which says exactly how one lies on the other.
  const matchInk = turned && agreement(queryInk, turned) > agreement(queryInk, asDrawn) ? turned : asDrawn;
  const pixels = new Uint8Array(3 * size * size);
  for (let i = 0; i < queryInk.length; i++) {
    for (let channel = 0; channel < 3; channel++) {
      const red = 1 - (queryInk[i] / 255) * (1 - QUERY_COLOR[channel] / 255),
        blue = 1 - (matchInk[i] / 255) * (1 - MATCH_COLOR[channel] / 255);
      pixels[3 * i + channel] = Math.round(255 * red * blue);
    }
  }
  return sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer();
}

/** What both have in common, as a share of all ink. */
function agreement(a: Uint8Array, b: Uint8Array): number {
  let [both, all] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    both += Math.min(a[i], b[i]);
    all += Math.max(a[i], b[i]);
  }
  return all === 0 ? 0 : both / all;
}

/** The picture moved and turned onto the other. */
function moved(ink: Uint8Array, { x, y, rotationRad, scale }: Laid, size: number): Uint8Array {
  const out = new Uint8Array(size * size);
  const cos = Math.cos(rotationRad) / scale,
    sin = Math.sin(rotationRad) / scale;
  const pixel = size / SHAPELET_SIZE,
    middle = (size - 1) / 2;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const dx = column - middle - x * pixel,
        dy = row - middle - y * pixel;
      const fromX = cos * dx + sin * dy + middle,
        fromY = cos * dy - sin * dx + middle;
      const left = Math.floor(fromX),
        top = Math.floor(fromY);
      if (left < 0 || top < 0 || left >= size - 1 || top >= size - 1) continue;
      const right = fromX - left,
        down = fromY - top,
        at = top * size + left;
      out[row * size + column] =
        (ink[at] * (1 - right) + ink[at + 1] * right) * (1 - down) +
        (ink[at + size] * (1 - right) + ink[at + size + 1] * right) * down;
    }
  }
  return out;
}
