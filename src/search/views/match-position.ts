import { unpackPicture } from '../../descriptors/pack-pictures.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import type { Core } from '../../core/core.js';
import { layOver, layPicture, type LayPicture } from '../../core/laid-pictures.js';
import type { MatchPosition } from '../query/query.js';

/** A shapelet on a page, prepared for alignment. */
export interface PlacedPicture {
  readonly picture: LayPicture;
  /** Centre of its picture on the page, in units of the page's longer side. */
  readonly middle: readonly [x: number, y: number];
  /** Pixels per unit of the page. */
  readonly pixels: number;
}

/** Length of a shapelet's longest side in its picture, pixels. */
const SPAN = 60;

/**
 * Prepares a shapelet. pictures: of all shapelets of the file, from `packPictures`. Undefined if the shapelet is not on
 * a page or has no lines.
 */
export function placedPicture(
  core: Core,
  { place, size: [width, height] }: StoredShapelet,
  pictures: Uint8Array,
  index: number,
): PlacedPicture | undefined {
  const lines = unpackPicture(pictures, index);
  const picture = lines && layPicture(core, lines);
  if (place.kind !== 'page' || picture === undefined) return undefined;
  const { box } = place;
  // Sizes of shapelets and pages are in the same unit.
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

/** The position of `match` on `query`, from the alignment of their lines. */
export function findPosition(core: Core, query: PlacedPicture, match: PlacedPicture): MatchPosition {
  // Pictures and pages differ by a scale and a translation; both have x to the right and y downwards.
  const { rotationRad, scale, x, y } = layOver(core, query.picture, match.picture);
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
