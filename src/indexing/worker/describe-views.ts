import { boxOf } from '../../content/boxes.js';
import type { Content } from '../../content/content.js';
import type { Image } from '../../content/image.js';
import { shownArea, type Picture, type Sheet, type SheetBox } from '../../content/sheet.js';
import type { PageBox } from '../../content/text.js';
import type { Crop } from '../../content/crop.js';
import type { Core } from '../../core/core.js';
import { uprightOf } from '../../core/view-facts.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { packPictures } from '../../descriptors/pack-pictures.js';
import { lineKeyOf } from '../../descriptors/line-key.js';
import { packInks } from '../../descriptors/page-inks.js';
import { statedLengths } from '../../descriptors/stated-lengths.js';
import { VIEWS_VERSION, VIEW_BYTES, describeViews } from '../../descriptors/views.js';
import type { Limits } from '../../options.js';
import { cropPicture, cropSheet, isPartOf, partOfSheet } from '../../shapelets/crop.js';
import { placeMeshes } from '../../shapelets/model/mesh.js';
import { withBoxes } from '../../shapelets/page-ink.js';
import { inkOfPicture, inkOfSheet, type InkOfPage } from '../../shapelets/page-layout.js';
import type { Shapelet } from '../../shapelets/shapelet.js';
import { scansOf, shapeletsOf } from '../../shapelets/find-shapelets.js';
import type { FileDescription } from './file-description.js';

/** Bounds of the search for shapelets. */
export interface ViewFinding {
  readonly limits: Limits;
  /** Only this part of each page is searched. */
  readonly crop: Crop | undefined;
}

/** Number of pages of a file whose layout is stored; the ink of fewer (`MOST_INKS`). */
const MOST_LAYOUTS = 8;

const NO_INK: InkOfPage = Object.freeze({ layout: undefined, ink: undefined });

/**
 * Finds the shapelets of a file and describes them. file: the content that was read from it. Undefined for a document,
 * which has no shapelets.
 */
export function describeFileViews(
  core: Core,
  content: Content,
  file: Pick<FileDescription, 'shape'>,
  { limits, crop: asked }: ViewFinding,
): FileViews | undefined {
  if (content.kind === 'document') return undefined;
  const crop = asked !== undefined && isPartOf(content, asked) ? asked : undefined;
  const found = shapeletsOf(core, content, limits, crop);
  const shapelets = found.map(({ shapelet }) => shapelet);
  const bytes = describeViews(core, shapelets);
  return {
    version: VIEWS_VERSION,
    ...(crop === undefined ? {} : { isPart: true }),
    bytes,
    first: uprightOf(bytes, VIEW_BYTES),
    shapelets: shapelets.map(({ place, size, isToScale }) => ({ place, size, isToScale })),
    numbersMm: content.kind === 'drawing' ? statedLengths(content) : [],
    extentsMm:
      content.kind === 'model'
        ? [...(file.shape?.bboxSizeMm ?? []), ...axisExtents(placeMeshes(content).positions)]
        : [],
    ...(shapelets.length > 0 ? inksAndLayouts(content, shapelets, crop) : {}),
    pictures:
      content.kind === 'model' || shapelets.length === 0
        ? null
        : packPictures([...found.map(({ exactLines }) => exactLines), ...graysOf(shapelets)]),
  };
}

/** Brightness of all images, if at least one has it. */
function graysOf(shapelets: readonly Shapelet[]): Uint8Array[] {
  if (shapelets.every(({ gray }) => gray === undefined)) return [];
  return shapelets.map(({ mask, gray }) => gray ?? new Uint8Array(mask.length));
}

/** The ink of the first pages, and the key of its lines. Photos and parts of a page have no layout. */
function inksAndLayouts(
  content: Content,
  shapelets: readonly Shapelet[],
  crop: Crop | undefined,
): Pick<FileViews, 'layouts' | 'inks'> {
  const pages = inksOf(content, crop).map(({ number, layout, ink }) => ({
    layout: layout ?? new Uint8Array(),
    ink: ink && withBoxes(ink, number, boxesOn(shapelets, number)),
  }));
  if (pages.length === 0) return {};
  const inks = pages.map(({ ink }) => ink);
  const areLaidOut = shapelets.every(({ isFree }) => isFree !== true);
  const layouts = areLaidOut ? pages.map(({ layout }) => layout) : [];
  return {
    ...(crop === undefined ? { layouts: Uint8Array.from(Buffer.concat([...layouts, lineKeyOf(inks)])) } : {}),
    inks: packInks(inks),
  };
}

function inksOf(content: Content, crop: Crop | undefined): (InkOfPage & { readonly number: number })[] {
  if (content.kind === 'drawing')
    return content.sheets.slice(0, MOST_LAYOUTS).map((sheet) => ({ number: sheet.number, ...inkOn(sheet, crop) }));
  if (content.kind === 'image')
    return content.pictures
      .slice(0, MOST_LAYOUTS)
      .map((picture, i) => ({ number: i + 1, ...inkIn(picture, content, crop) }));
  return [];
}

/** The ink of a sheet; that of a scan is in its picture. */
function inkOn(whole: Sheet, crop: Crop | undefined): InkOfPage {
  const sheet = crop === undefined ? whole : cropSheet(whole, crop);
  if (scansOf(whole).length === 0) return inkOfSheet(sheet, crop && partOfSheet(whole, crop));
  const [scan] = scansOf(whole);
  const page = shownArea(whole);
  const part = crop === undefined ? scan : sheet.pictures.find(({ box }) => isWithin(box, scan.box));
  if (part === undefined) return NO_INK;
  const { x, y, width, height } = part.box;
  return inkOfPicture(part.picture, { area: { x: x - page.x, y: y - page.y, width, height }, page });
}

function isWithin(box: SheetBox, other: SheetBox): boolean {
  return (
    box.x >= other.x - 1 &&
    box.y >= other.y - 1 &&
    box.x + box.width <= other.x + other.width + 1 &&
    box.y + box.height <= other.y + other.height + 1
  );
}

function inkIn(picture: Picture, image: Image, crop: Crop | undefined): InkOfPage {
  if (crop === undefined) return inkOfPicture(picture);
  const part = cropPicture(picture, image, crop);
  const page = { width: picture.widthPx, height: picture.heightPx };
  return part === undefined ? NO_INK : inkOfPicture(part.picture, { area: part.box, page });
}

function boxesOn(shapelets: readonly Shapelet[], page: number): PageBox[] {
  return shapelets.flatMap(({ place }) => (place.kind === 'page' && place.page === page ? [place.box] : []));
}

function axisExtents(positions: Float32Array): number[] {
  const { low, high } = boxOf(positions);
  return positions.length === 0 ? [] : low.map((value, axis) => high[axis] - value);
}
