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

/** How many times as many strokes a later sheet must have to be shown instead of the first. */
const MUCH_FULLER = 5;

/** What drawing needs beside the file. */
export interface DrawingBounds {
  readonly core: Core;
  readonly limits: Limits;
  /** When drawing is given up, by `performance.now()`. */
  readonly endMs: number;
}

/**
 * A picture of a file that was read, as PNG: models shaded with their edges, pages of PDFs and images as they are,
 * sheets of other drawings by their line work and text, other documents by the first lines of a page.
 * @throws EngineError `NO_GEOMETRY` when there is no such page; as reading does.
 */
export async function drawFile(file: ReadFile, picture: DrawnPicture, bounds: DrawingBounds): Promise<Uint8Array> {
  const { page } = picture;
  if (file.content.kind === 'model') {
    if (page !== undefined && page !== 1)
      throw new EngineError('NO_GEOMETRY', `a model has one picture, there is no page ${page}`);
    const size = picture.kind === 'thumbnail' ? picture.size : Math.min(picture.width, THUMBNAIL_SIZES.large);
    return thumbnail(bounds.core, coloredMesh(file.content), { size });
  }
  if (picture.kind === 'page')
    return (await drawPage(file, page, [{ widthPx: picture.width, heightPx: PAGE_IMAGE_LIMITS.height }], bounds))[0];
  // As indexing draws them, so that one that is drawn again is the same.
  const drawn = await drawBoth(file, page, bounds);
  return picture.size <= THUMBNAIL_SIZES.small ? drawn.small : drawn.large;
}

/**
 * The thumbnails of a file; undefined when it cannot be drawn in time, or at all: that is no reason to refuse the file.
 * wanted: 'small': of a model that alone; a page is drawn once for both.
 */
export async function drawThumbnails(
  file: ReadFile,
  wanted: 'small' | 'all',
  bounds: DrawingBounds,
): Promise<FilePictures | undefined> {
  const { content } = file;
  const { small, large } = THUMBNAIL_SIZES;
  try {
    if (content.kind !== 'model') return await drawBoth(file, undefined, bounds);
    const mesh = coloredMesh(content);
    const smallPng = await thumbnail(bounds.core, mesh, { size: small });
    return wanted === 'small'
      ? { small: smallPng }
      : { small: smallPng, large: await thumbnail(bounds.core, mesh, { size: large }) };
  } catch (cause) {
    // A trap of the core must not go unnoticed; all else is told again to those who ask for the picture.
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

/** A page in several sizes, the largest first. */
async function drawPage(
  file: ReadFile,
  wanted: number | undefined,
  sizes: readonly PixelBounds[],
  { limits, endMs }: DrawingBounds,
): Promise<Uint8Array[]> {
  // Loaded when it is wanted: pictures of models need no image library, which takes time and memory.
  const [{ drawPageOf }, { encodePng }] = [
    await import('../../readers/pixels/page-pixels.js'),
    await import('../../pictures/png.js'),
  ];
  const page = wanted ?? faceOf(file);
  const source = file.pages ?? madePage(file, page, sizes[0]);
  // A page that was made is the only one.
  const drawn =
    source && (await drawPageOf(source, { page: source === file.pages ? page : 1, bounds: sizes, limits, endMs }));
  if (drawn === undefined)
    throw new EngineError('NO_GEOMETRY', `the ${file.content.kind} has no page ${page} that can be drawn`);
  const pngs: Uint8Array[] = [];
  for (const pixels of drawn) pngs.push(await encodePng(pixels));
  return pngs;
}

/**
 * The page that shows a file best. CAD drawings begin with their model space, which may be empty, or hold a stray line
 * while the drawing is on a layout.
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

/** A page of a file whose format has none that could be seen: its line work, or its text. */
function madePage({ content }: ReadFile, page: number, size: PixelBounds): PageSource | undefined {
  if (content.kind === 'model') return undefined;
  const sheet = content.kind === 'drawing' ? content.sheets.find(({ number }) => number === page) : undefined;
  // The first page of a file that says nothing is blank; others have to be there.
  const text =
    content.pages.find(({ number }) => number === page) ?? (page === 1 ? { number: 1, name: '', text: '' } : undefined);
  const bytes = (sheet && sheetPdf(sheet, size)) ?? (text && textPdf(text, size));
  return bytes && { format: 'pdf', bytes };
}

function square(size: number): PixelBounds {
  return { widthPx: size, heightPx: size };
}
