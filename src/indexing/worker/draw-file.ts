import { sheetPdf } from '../../pictures/sheet-pdf.js';
import { textPdf } from '../../pictures/text-pdf.js';
import { thumbnail } from '../../pictures/thumbnail.js';
import { PAGE_IMAGE_LIMITS, THUMBNAIL_SIZES } from '../../pictures/thumbnail-options.js';
import type { Model } from '../../content/model.js';
import type { PixelBounds } from '../../content/pixels.js';
import type { Core } from '../../core/core.js';
import type { ColoredMesh } from '../../core/shaded.js';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { PageSource } from '../../readers/pixels/page-pixels.js';
import type { ReadFile } from '../../readers/read.js';
import { placeMeshes } from '../../shapelets/model/mesh.js';
import { triangleTints } from '../../shapelets/model/triangle-tints.js';
import type { FilePictures } from './file-description.js';
import type { DrawnPicture } from '../../pictures/picture-name.js';

/** A later sheet is shown instead of the first if it has more than this many times as many strokes. */
const MUCH_FULLER = 5;

/** What drawing needs in addition to the file. */
export interface DrawingBounds {
  readonly core: Core;
  readonly limits: Limits;
  /** Time at which drawing gives up, by `processorTimeMs`. */
  readonly endMs: number;
}

/**
 * Draws a picture of a file that was read, as PNG: models shaded with their edges, pages of PDFs and images unchanged,
 * sheets of other drawings from their line work and text, other documents as the first lines of a page.
 * @throws EngineError `NO_GEOMETRY` when there is no such page; the errors of reading.
 */
export async function drawFile(file: ReadFile, picture: DrawnPicture, bounds: DrawingBounds): Promise<Uint8Array> {
  const { page } = picture;
  if (picture.kind === 'faces') {
    if (file.content.kind !== 'model')
      throw new EngineError('NO_GEOMETRY', `the file is a ${file.content.kind}; only models have faces`);
    const { litFacesPicture } = await import('../../pictures/lit-faces.js');
    return litFacesPicture(bounds.core, file.content, picture);
  }
  if (file.content.kind === 'model') {
    if (page !== undefined && page !== 1)
      throw new EngineError('NO_GEOMETRY', `a model has one picture, there is no page ${page}`);
    const size = picture.kind === 'thumbnail' ? picture.size : Math.min(picture.width, THUMBNAIL_SIZES.large);
    return thumbnail(bounds.core, coloredMesh(file.content), { size });
  }
  if (picture.kind === 'page')
    return (await drawPage(file, page, [{ widthPx: picture.width, heightPx: PAGE_IMAGE_LIMITS.height }], bounds))[0];
  // The same settings as during indexing, so that a picture that is drawn again is identical.
  const drawn = await drawBoth(file, page, bounds);
  return picture.size <= THUMBNAIL_SIZES.small ? drawn.small : drawn.large;
}

/**
 * Draws the thumbnails of a file. Returns undefined if drawing fails or takes too long; the file is indexed all the
 * same. wanted: 'small' draws only the small one of a model, and of a document whose page is made of its text; other
 * pages are drawn once for both sizes.
 */
export async function drawThumbnails(
  file: ReadFile,
  wanted: 'small' | 'all',
  bounds: DrawingBounds,
): Promise<FilePictures | undefined> {
  const { content } = file;
  const { small, large } = THUMBNAIL_SIZES;
  try {
    if (content.kind === 'document' && file.pages === undefined && wanted === 'small') {
      // Text is soon read again, and its large picture took two thirds of all that indexing a short one costs.
      const [png] = await drawPage(file, undefined, [square(small)], bounds, square(large));
      return { small: png };
    }
    if (content.kind !== 'model') return await drawBoth(file, undefined, bounds);
    const mesh = coloredMesh(content);
    const smallPng = await thumbnail(bounds.core, mesh, { size: small });
    return wanted === 'small'
      ? { small: smallPng }
      : { small: smallPng, large: await thumbnail(bounds.core, mesh, { size: large }) };
  } catch (cause) {
    // A trap in the core must be reported; other errors occur again when somebody requests the picture.
    if (cause instanceof EngineError && cause.code === 'CORE_FAILED') throw cause;
    return undefined;
  }
}

function coloredMesh(model: Model): ColoredMesh {
  return { ...placeMeshes(model), tints: triangleTints(model) };
}

async function drawBoth(
  file: ReadFile,
  page: number | undefined,
  bounds: DrawingBounds,
): Promise<Required<FilePictures>> {
  const [large, small] = await drawPage(
    file,
    page,
    [square(THUMBNAIL_SIZES.large), square(THUMBNAIL_SIZES.small)],
    bounds,
  );
  return { small, large };
}

/**
 * Draws a page in several sizes, the largest first. madeFor: the size for which a page without a picture is laid out.
 */
async function drawPage(
  file: ReadFile,
  wanted: number | undefined,
  sizes: readonly PixelBounds[],
  { limits, endMs }: DrawingBounds,
  madeFor = sizes[0],
): Promise<Uint8Array[]> {
  // Loaded when first needed: pictures of models need no image library, which takes time and memory.
  const [{ drawPageOf }, { encodePng }] = [
    await import('../../readers/pixels/page-pixels.js'),
    await import('../../pictures/png.js'),
  ];
  const page = wanted ?? faceOf(file);
  const source = file.pages ?? madePage(file, page, madeFor);
  // A generated PDF has only one page.
  const drawn =
    source && (await drawPageOf(source, { page: source === file.pages ? page : 1, bounds: sizes, limits, endMs }));
  if (drawn === undefined)
    throw new EngineError('NO_GEOMETRY', `the ${file.content.kind} has no page ${page} that can be drawn`);
  const pngs: Uint8Array[] = [];
  for (const pixels of drawn) pngs.push(await encodePng(pixels));
  return pngs;
}

/**
 * The page that shows a file best. CAD drawings begin with their model space, which may be empty or contain only a
 * stray line if the drawing itself is on a layout.
 */
function faceOf({ content, pages }: ReadFile): number {
  if (pages !== undefined || content.kind !== 'drawing' || content.sheets.length === 0) return 1;
  const [first] = content.sheets;
  const fullest = content.sheets.reduce(
    (best, sheet) => (sheet.strokes.count > best.strokes.count ? sheet : best),
    first,
  );
  return fullest.strokes.count > MUCH_FULLER * first.strokes.count ? fullest.number : first.number;
}

/** Generates a page, from line work or text, for a file whose format has no visible pages. */
function madePage({ content }: ReadFile, page: number, size: PixelBounds): PageSource | undefined {
  if (content.kind === 'model') return undefined;
  const sheet = content.kind === 'drawing' ? content.sheets.find(({ number }) => number === page) : undefined;
  // A file without text gets a blank first page; other pages must exist.
  const text =
    content.pages.find(({ number }) => number === page) ?? (page === 1 ? { number: 1, name: '', text: '' } : undefined);
  const bytes = (sheet && sheetPdf(sheet, size)) ?? (text && textPdf(text, size));
  return bytes && { format: 'pdf', bytes };
}

function square(size: number): PixelBounds {
  return { widthPx: size, heightPx: size };
}
