import type { ImageFormat } from '../../content/image.js';
import { fitWithin, type PixelBounds, type Pixels } from '../../content/pixels.js';
import { EngineError, fileMalformed, messageOf } from '../../errors.js';
import type { Limits } from '../../options.js';
import { processorTimeMs } from '../../processor-time.js';
import { sharp, type Sharp } from '../decoding/decoder.js';
import { checkBmp, decodeBmp, readBmpHeader, sharpOfBmp } from './bmp.js';
import { checkDecoding, pictureHeader } from '../decoding/decoded-bytes.js';
import { drawPage, openPdf } from '../pdf-file/pdfjs.js';

/** A file whose pages can be drawn from its bytes. */
export interface PageSource {
  readonly format: 'pdf' | ImageFormat;
  readonly bytes: Uint8Array;
}

/** How a page is drawn. */
export interface PageDrawing {
  /** Page number, from 1. */
  readonly page: number;
  /** One picture is drawn for each of these sizes; largest first. */
  readonly bounds: readonly PixelBounds[];
  readonly limits: Limits;
  /** Time by `processorTimeMs` at which drawing is abandoned. */
  readonly endMs: number;
}

/** Shrinks the scale a little, because canvas sizes are rounded up to whole pixels and must stay within the bounds. */
const ROUNDED_UP = 1 - 1e-6;

/**
 * Draws one page of a PDF or image: upright, on white, once per given size, as large as that size allows. Images are
 * never enlarged. Returns undefined when the page does not exist; an animation has one page, its first frame.
 * @throws EngineError `FILE_MALFORMED`, `FORMAT_UNSUPPORTED`, `LIMIT_EXCEEDED`, `TIMEOUT`.
 */
export async function drawPageOf(source: PageSource, drawing: PageDrawing): Promise<Pixels[] | undefined> {
  if (processorTimeMs() >= drawing.endMs) throw late();
  try {
    return source.format === 'pdf'
      ? await pdfPixels(source.bytes, drawing)
      : await imagePixels(source.bytes, source.format, drawing);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    if (processorTimeMs() >= drawing.endMs) throw late(cause);
    throw fileMalformed(`page ${drawing.page} of the ${source.format} cannot be drawn: ${messageOf(cause)}`, { cause });
  }
}

async function pdfPixels(
  bytes: Uint8Array,
  { page: number, bounds, limits, endMs }: PageDrawing,
): Promise<Pixels[] | undefined> {
  const document = await openPdf(bytes, limits, { images: true });
  try {
    if (number > document.numPages) return undefined;
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const drawn: Pixels[] = [];
    for (const most of bounds)
      drawn.push(await drawPage(document, page, fitWithin(width, height, most).scale * ROUNDED_UP, endMs));
    return drawn;
  } finally {
    await document.loadingTask.destroy();
  }
}

/** libvips measures time by the clock: this many times the processor time that is left. */
const CLOCK_FACTOR = 4;

async function imagePixels(
  bytes: Uint8Array,
  format: ImageFormat,
  { page, bounds, limits, endMs }: PageDrawing,
): Promise<Pixels[] | undefined> {
  const image = format === 'bmp' ? bmp(bytes, page, limits) : await decoded(bytes, format, page, limits);
  if (image === undefined) return undefined;
  const drawn: Pixels[] = [];
  let next = image.autoOrient().toColourspace('srgb').flatten({ background: 'white' });
  for (const { widthPx: width, heightPx: height } of bounds) {
    const { data, info } = await next
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
      .raw()
      .timeout({ seconds: Math.max(1, Math.ceil((CLOCK_FACTOR * (endMs - processorTimeMs())) / 1_000)) })
      .toBuffer({ resolveWithObject: true });
    drawn.push({ widthPx: info.width, heightPx: info.height, rgba: data });
    next = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
  }
  return drawn;
}

async function decoded(
  bytes: Uint8Array,
  format: ImageFormat,
  page: number,
  limits: Limits,
): Promise<Sharp | undefined> {
  const metadata = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  if (page > (format === 'tiff' ? (metadata.pages ?? 1) : 1)) return undefined;
  checkDecoding('the image', bytes, pictureHeader(format, metadata, page), limits);
  return sharp(bytes, { page: page - 1, limitInputPixels: limits.imagePixels, failOn: 'none' });
}

function bmp(bytes: Uint8Array, page: number, limits: Limits): Sharp | undefined {
  const header = readBmpHeader(bytes);
  checkBmp(bytes, header, limits);
  const pixels = page === 1 ? decodeBmp(bytes, header) : undefined;
  return pixels && sharpOfBmp(pixels);
}

function late(cause?: unknown): EngineError {
  return new EngineError('TIMEOUT', 'drawing the page took too long (limits.timeoutMs)', {
    details: { limit: 'timeoutMs' },
    cause,
  });
}
