import { unpackPicture } from '../../descriptors/pack-pictures.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import { layOver, layPicture, type LayPicture } from './lay-over.js';
import type { MatchPosition } from '../query/query.js';

/** A shapelet on a page, ready to be laid over others, or others over it. */
export interface PlacedPicture {
  readonly picture: LayPicture;
  /** Where the middle of its picture is on its page, in units of the page's longer side. */
  readonly middle: readonly [x: number, y: number];
  /** Pixels of a unit of the page. */
  readonly pixels: number;
}

/** Pixels that the longest side of a shapelet takes in its picture. */
const SPAN = 60;

/** pictures: of all shapelets of the file, as `packPictures` makes them. Undefined where the shapelet lies on no page or has no lines. */
export function placedPicture(
  { place, size: [width, height] }: StoredShapelet,
  pictures: Uint8Array,
  index: number,
): PlacedPicture | undefined {
  const lines = unpackPicture(pictures, index);
  const picture = lines && layPicture(lines);
  if (place.kind !== 'page' || picture === undefined) return undefined;
  const { box } = place;
  // Whatever the unit of sizes is, it is that of the page too.
  const pageWidth = box.width > 0 ? width / box.width : height / box.height;
  const pageHeight = box.height > 0 ? height / box.height : pageWidth;
  const longer = Math.max(pageWidth, pageHeight);
  const longest = Math.max(width, height);
  if (!(longer > 0 && longer < Infinity && longest > 0)) return undefined;
  return {
    picture,
    middle: [((box.x + box.width / 2) * pageWidth) / longer, ((box.y + box.height / 2) * pageHeight) / longer],
    pixels: (SPAN * longer) / longest,
  };
}

/** How `match` is laid over `query`, by their lines. */
export function findPosition(query: PlacedPicture, match: PlacedPicture): MatchPosition {
  // Pictures and pages differ by a scale and a shift; both have x to the right and y downwards.
  const { rotationRad, scale, x, y } = layOver(query.picture, match.picture);
  const pageScale = (scale * match.pixels) / query.pixels;
  const cos = pageScale * Math.cos(rotationRad),
    sin = pageScale * Math.sin(rotationRad);
  return {
    x: query.middle[0] + x / query.pixels - (cos * match.middle[0] - sin * match.middle[1]),
    y: query.middle[1] + y / query.pixels - (sin * match.middle[0] + cos * match.middle[1]),
    rotationRad,
    scale: pageScale,
  };
}
