import type { Core } from '../core/core.js';
import {
  ASPECT_AT,
  CAMERA_FLAG,
  FLAGS_AT,
  FREE_FLAG,
  LEAST_STRIDE,
  LINE_BYTES,
  SILHOUETTE_BYTES,
  describePictures,
} from '../core/views.js';
import { SHAPELET_SIZE, type Shapelet } from '../shapelets/shapelet.js';

/** Raised whenever a file would get other shapelets, a shapelet other bytes or a page another layout. */
export const VIEWS_VERSION = 34;

/**
 * Views of this version and later are compared with those of today: 9 and 10 find other views in some files, 11 the
 * objects of photos before any background, 12 views that reach the edge of their sheet, and broken views in other
 * lengths, 13 shaded views with a break as one, slender views beside each other as two, photos on grained grounds, and
 * objects by closer looks, 14 objects by their colors, 15 by looks in four turns, 16 other
 * views of scans and pictures, 17 the ink of pages of every size, and the sums of their lines, 18 views that were
 * cut out of their page, whose outlines are no frame, 19 bodies without their strands, and the places of lines,
 * 20 keys of lines, 21 sketches with thick strokes, which are no photos, 22 pale lines of pictures, and round loops,
 * 23 small sections of pictures, 24 lengths that are written otherwise than they measure, 25 outlines of views that
 * were saved by themselves, 26 line work on a dark ground, and sheets of shaded views, 27 frames of model spaces, and
 * outlines of one stroke, 28 shaded views above each other as two, bodies without leads side by side, and views
 * cut out closely, 31 pictures of a table alone, which show no view, 33 signs of projection, clouds of revisions and
 * logos, which are no views; all describe a view as before.
 * Files with older ones are found by views again when they have been described anew.
 */
export const OLDEST_COMPARED_VIEWS = 8;

/**
 * Bytes of one view: silhouette (128), lines (512), width and height (f32 each), flags (u8, see {@link VIEW_FLAG}), the
 * page (u8; 0: none, 255: page 255 or later), two bytes of 0, and the logarithm of width / height (f32).
 */
export const VIEW_BYTES = LEAST_STRIDE;

/** Flag bits of a view. */
export const VIEW_FLAG = Object.freeze({
  /** Rendered from a model; otherwise found on a page. */
  CAMERA: CAMERA_FLAG,
  /** Its size is in mm of the part. */
  TO_SCALE: 2,
  /** Turned so that its longest axis is horizontal, because it may have been turned by any angle. */
  FREE: FREE_FLAG,
  /** Shortened by a break, as drawings show long parts. */
  BROKEN: 8,
  /** The body alone of the view before it, which has strands: either of both is compared. */
  BARE: 16,
  /** All that a picture shows, with strokes that a program drew: no sketch. */
  EXACT: 32,
  /** Cut off by the edge of its picture or of a crop, so that its outline is not all of it. */
  CUT: 64,
});

const SIZE_AT = SILHOUETTE_BYTES + LINE_BYTES;
const PAGE_AT = SIZE_AT + 9;

/** Largest ratio of the sides that is told apart: a sheet seen from its edge may have the height 0. */
const MOST_ASPECT = 1000;

/** Data of a view besides its pictures. */
export interface ViewFacts {
  readonly width: number;
  readonly height: number;
  readonly flags: number;
  /** From 1; 0 for a view of a model. */
  readonly page: number;
}

/**
 * Describes shapelets for comparison: u8[count][{@link VIEW_BYTES}], in their order. The same shapelets give the same
 * bytes; a picture that is turned by a quarter gives permuted bytes.
 * @throws RangeError for a picture of another size.
 */
export function describeViews(core: Core, shapelets: readonly Shapelet[]): Uint8Array {
  for (const [i, { mask, lines }] of shapelets.entries()) {
    for (const [name, { length }] of Object.entries({ mask, lines })) {
      if (length !== SHAPELET_SIZE ** 2)
        throw new RangeError(`shapelets[${i}].${name} must hold ${SHAPELET_SIZE ** 2} pixels, received ${length}`);
    }
  }
  // The renderer has already turned the pictures of models to their longest axis.
  const pictures = shapelets.map(({ mask, lines, isFree, place }) => ({
    mask,
    lines,
    isFree: isFree === true && place.kind === 'page',
  }));
  const described = describePictures(core, pictures);
  const views = new Uint8Array(shapelets.length * VIEW_BYTES);
  const facts = new DataView(views.buffer);
  for (const [i, { place, size, isToScale, isFree, isBroken, isBare, isExact, isCut }] of shapelets.entries()) {
    const at = i * VIEW_BYTES;
    views.set(described.subarray(i * SIZE_AT, (i + 1) * SIZE_AT), at);
    facts.setFloat32(at + SIZE_AT, size[0], true);
    facts.setFloat32(at + SIZE_AT + 4, size[1], true);
    facts.setFloat32(
      at + ASPECT_AT,
      isFree === true
        ? 0
        : Math.log(Math.max(size[0], size[1] / MOST_ASPECT) / Math.max(size[1], size[0] / MOST_ASPECT)),
      true,
    );
    views[at + FLAGS_AT] =
      (place.kind === 'camera' ? VIEW_FLAG.CAMERA : 0) |
      (isToScale ? VIEW_FLAG.TO_SCALE : 0) |
      (isFree === true ? VIEW_FLAG.FREE : 0) |
      ((place.kind === 'camera' ? place.brokenOff !== undefined : isBroken === true) ? VIEW_FLAG.BROKEN : 0) |
      (isBare === true ? VIEW_FLAG.BARE : 0) |
      (isExact === true ? VIEW_FLAG.EXACT : 0) |
      (isCut === true ? VIEW_FLAG.CUT : 0);
    views[at + PAGE_AT] = place.kind === 'page' ? Math.min(place.page, 255) : 0;
  }
  return views;
}

/** The bytes of one view. @param views as {@link describeViews} returns them. */
export function viewAt(views: Uint8Array, index: number): Uint8Array {
  return views.subarray(index * VIEW_BYTES, (index + 1) * VIEW_BYTES);
}

/** Some of the views, in the given order. */
export function pickViews(views: Uint8Array, indices: readonly number[]): Uint8Array {
  const picked = new Uint8Array(indices.length * VIEW_BYTES);
  indices.forEach((index, at) => picked.set(viewAt(views, index), at * VIEW_BYTES));
  return picked;
}

/** Data of one view. @param views as {@link describeViews} returns them. */
export function viewFacts(views: Uint8Array, index: number): ViewFacts {
  const at = index * VIEW_BYTES;
  const facts = new DataView(views.buffer, views.byteOffset, views.byteLength);
  return {
    width: facts.getFloat32(at + SIZE_AT, true),
    height: facts.getFloat32(at + SIZE_AT + 4, true),
    flags: views[at + FLAGS_AT],
    page: views[at + PAGE_AT],
  };
}
