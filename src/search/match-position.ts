import { unpackPicture } from '../descriptors/pack-pictures.js';
import { layOver } from './lay-over.js';
import type { MatchPosition } from './query.js';
import type { StoredShapelet } from '../store/views.js';

/** A shapelet on a page, and the pictures of all shapelets of its file. */
export interface PicturedShapelet {
  readonly shapelet: Pick<StoredShapelet, 'place' | 'size'>;
  readonly pictures: Uint8Array;
  readonly index: number;
}

/** Pixels that the longest side of a shapelet takes in its picture. */
const SPAN = 60;

/** How `match` is laid over `query`, by their lines. Undefined where one of them lies on no page or has no lines. */
export function findPosition(query: PicturedShapelet, match: PicturedShapelet): MatchPosition | undefined {
  const from = unpackPicture(match.pictures, match.index), onto = unpackPicture(query.pictures, query.index);
  const fromFrame = frameOf(match.shapelet), ontoFrame = frameOf(query.shapelet);
  if (from === undefined || onto === undefined || fromFrame === undefined || ontoFrame === undefined) return undefined;
  const laid = layOver(onto, from);
  if (laid === undefined) return undefined;
  // Pictures and pages differ by a scale and a shift; both have x to the right and y downwards.
  const { rotationRad, scale, x, y } = laid;
  const pageScale = (scale * fromFrame.pixels) / ontoFrame.pixels;
  const cos = pageScale * Math.cos(rotationRad), sin = pageScale * Math.sin(rotationRad);
  const [fromX, fromY] = fromFrame.middle, [ontoX, ontoY] = ontoFrame.middle;
  return {
    x: ontoX + x / ontoFrame.pixels - (cos * fromX - sin * fromY),
    y: ontoY + y / ontoFrame.pixels - (sin * fromX + cos * fromY),
    rotationRad,
    scale: pageScale,
  };
}

/** Where the middle of a shapelet's picture is on its page, and how many pixels a unit of the page (its longer side) takes. */
function frameOf({ place, size: [width, height] }: PicturedShapelet['shapelet']): { middle: [number, number]; pixels: number } | undefined {
  if (place.kind !== 'page') return undefined;
  const { box } = place;
  // Whatever the unit of sizes is, it is that of the page too.
  const pageWidth = box.width > 0 ? width / box.width : height / box.height;
  const pageHeight = box.height > 0 ? height / box.height : pageWidth;
  const longer = Math.max(pageWidth, pageHeight);
  const longest = Math.max(width, height);
  if (!(longer > 0 && longer < Infinity && longest > 0)) return undefined;
  const middle: [number, number] = [((box.x + box.width / 2) * pageWidth) / longer, ((box.y + box.height / 2) * pageHeight) / longer];
  return { middle, pixels: (SPAN * longer) / longest };
}

