import type { Content } from '../content/content.js';
import type { Crop } from '../content/crop.js';
import type { Drawing } from '../content/drawing.js';
import { sharesOf, type Sheet, type SheetBox } from '../content/sheet.js';
import type { Image } from '../content/image.js';
import type { Core } from '../core/core.js';
import type { TriangleMesh } from '../core/mesh.js';
import { EngineError } from '../errors.js';
import type { Limits } from '../options.js';
import { cropPicture, cropSheet, partOfSheet } from './crop.js';
import { isCutAt, type Side } from './cut-off.js';
import { drawExactLines } from './sheet/exact-lines.js';
import { placeMeshes } from './model/mesh.js';
import { renderBrokenViews, renderModelViews } from './model/model-views.js';
import { splitPicture } from './scan/split-picture.js';
import type { PagePlace, Shapelet } from './shapelet.js';
import { splitSheet, type SheetView } from './sheet/split-sheet.js';

/** A shapelet with its exact lines. */
export interface FoundShapelet {
  readonly shapelet: Shapelet;
  /**
   * u8[64²] in the frame of the shapelet: its lines as exact as the file states them; for pictures the shapelet's own
   * lines.
   */
  readonly exactLines: Uint8Array;
}

/** Least share of a sheet that a picture covers when it is a scan of the sheet. */
const SCAN_SHARE = 0.5;
/** A view so near to the edge of a crop is cut off there, shares of the page. */
const AT_EDGE = 0.002;

/**
 * The shapelets of a file, at most `limits.shapelets`: the views of a model, the views on the pages of a drawing, the
 * shapes in an image. A document has none.
 * @param crop only this part of each page is used.
 * @throws EngineError `NO_GEOMETRY` for a model without a surface.
 */
export function shapeletsOf(
  core: Core,
  content: Content,
  { shapelets: most }: Pick<Limits, 'shapelets'>,
  crop?: Crop,
): FoundShapelet[] {
  if (content.kind === 'document') return [];
  if (content.kind === 'model') return shapeletsOfModel(core, placeMeshes(content)).slice(0, most).map(asFound);
  const found: FoundShapelet[] = [];
  for (const shapelets of content.kind === 'image'
    ? shapeletsOfImage(core, content, crop)
    : shapeletsOfDrawing(core, content, crop)) {
    found.push(...shapelets);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** Upright views first, then shortened ones, then free ones; `ViewScan` relies on this order. */
function shapeletsOfModel(core: Core, mesh: TriangleMesh): Shapelet[] {
  const views = renderModelViews(core, mesh),
    broken = renderBrokenViews(core, mesh);
  return [
    ...views.filter(({ isFree }) => isFree !== true),
    ...broken,
    ...views.filter(({ isFree }) => isFree === true),
  ];
}

function asFound(shapelet: Shapelet): FoundShapelet {
  return { shapelet, exactLines: shapelet.lines };
}

function* shapeletsOfImage(
  core: Core,
  image: Image,
  crop: Crop | undefined,
): Generator<readonly FoundShapelet[], void, void> {
  for (const [i, picture] of image.pictures.entries()) {
    const part = crop && cropPicture(picture, image, crop);
    if (crop === undefined) yield splitPicture(picture, i + 1, core).map(asFound);
    else if (part !== undefined) {
      const page = { width: picture.widthPx, height: picture.heightPx, number: i + 1, space: 'paper' } as const;
      yield splitPicture(part.picture, i + 1, core).map((shapelet) => asFound(placedIn(shapelet, part.box, page)));
    }
  }
}

function* shapeletsOfDrawing(
  core: Core,
  { sheets }: Drawing,
  crop: Crop | undefined,
): Generator<readonly FoundShapelet[], void, void> {
  for (const sheet of sheets) {
    if (crop === undefined) yield shapeletsOfSheet(core, sheet);
    else {
      const part = sharesOf(sheet, partOfSheet(sheet, crop));
      yield shapeletsOfSheet(core, cropSheet(sheet, crop)).map((found) =>
        isCutBy(part, found.shapelet) ? { ...found, shapelet: { ...found.shapelet, isCut: true } } : found,
      );
    }
  }
}

/** Whether a view is cut off at an edge of a part of its page, shares of it, that is none of the page. */
function isCutBy(part: PagePlace['box'], shapelet: Shapelet): boolean {
  const { place } = shapelet;
  if (place.kind !== 'page') return false;
  const { x, y, width, height } = place.box;
  const sides: [Side, number, number][] = [
    [0, part.x, x - part.x],
    [1, 1 - part.x - part.width, part.x + part.width - x - width],
    [2, part.y, y - part.y],
    [3, 1 - part.y - part.height, part.y + part.height - y - height],
  ];
  return sides.some(([side, outside, margin]) => outside > AT_EDGE && margin < AT_EDGE && isCutAt(shapelet, side));
}

/** The views that the lines of a sheet draw; for a scanned page those of its picture. */
function shapeletsOfSheet(core: Core, sheet: Sheet): FoundShapelet[] {
  const views = splitSheet(sheet);
  if (views.length > 0)
    return views.flatMap(({ bare, ...view }) =>
      [view, ...(bare === undefined ? [] : [{ ...view, ...bare }])].map((own) => ({
        shapelet: own.shapelet,
        exactLines: exactOrNot(sheet, own),
      })),
    );
  return scansOf(sheet).flatMap(({ box, picture }) =>
    splitPicture(picture, sheet.number, core).map((shapelet) => asFound(placedIn(shapelet, box, sheet))),
  );
}

/** The pictures that are scans of a sheet; empty when the lines of the sheet draw views. */
export function scansOf(sheet: Sheet): Sheet['pictures'] {
  const area = sheet.width * sheet.height;
  return splitSheet(sheet).length > 0
    ? []
    : sheet.pictures.filter(({ box }) => box.width * box.height >= SCAN_SHARE * area);
}

/** Exact lines of a view; one that consists of pictures has no strokes and keeps the lines of its shapelet. */
function exactOrNot(sheet: Sheet, view: SheetView): Uint8Array {
  return view.strokes.length === 0 ? view.shapelet.lines : drawExactLines(sheet, view);
}

/** A shapelet of a picture, with its box converted to shares of the page that holds the picture. */
function placedIn(
  shapelet: Shapelet,
  picture: SheetBox,
  page: Pick<Sheet, 'width' | 'height' | 'number' | 'space'>,
): Shapelet {
  if (shapelet.place.kind !== 'page')
    throw new EngineError('CORE_FAILED', 'a view of a picture has no place on a page');
  const { box } = shapelet.place;
  const place: PagePlace = {
    kind: 'page',
    page: page.number,
    box: sharesOf(page, {
      x: picture.x + box.x * picture.width,
      y: picture.y + box.y * picture.height,
      width: box.width * picture.width,
      height: box.height * picture.height,
    }),
  };
  const longer = Math.max(picture.width, picture.height) / Math.max(page.width, page.height);
  return {
    ...shapelet,
    place,
    size: shapelet.isToScale ? shapelet.size : [shapelet.size[0] * longer, shapelet.size[1] * longer],
  };
}
