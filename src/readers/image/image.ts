import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Image, ImageFormat } from '../../content/image.js';
import type { Picture } from '../../content/sheet.js';
import type { TextPage } from '../../content/text.js';
import { EngineError, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { decodeBmp, readBmpHeader } from './bmp.js';
import { readExif } from '../metadata/exif.js';
import { decodeGray, PICTURE_PAGES } from '../pixels/gray-pictures.js';
import { readIptc } from '../metadata/iptc.js';
import type { OcrBounds, Pictures } from '../pixels/ocr-pictures.js';
import { PropertyList } from '../metadata/property-list.js';
import { readXmp } from '../metadata/xmp.js';

/**
 * Reads an image: its size as it is seen upright, resolution, and what Exif, IPTC, XMP and PNG texts say of it. Where a picture was
 * taken (GPS) is not read: a library is shared by people who need not know where somebody lives. Its pixels are kept as luminance: of
 * a TIFF file those of the first {@link PICTURE_PAGES} pages, of a moving picture the first frame. With `ocr`, text is recognised on it.
 * @param ocrEndMs when recognising ends, by `performance.now()`.
 * @throws EngineError `FILE_MALFORMED`; `LIMIT_EXCEEDED` for more than `limits.imagePixels`, before anything is decoded.
 */
export async function readImage(
  bytes: Uint8Array,
  format: ImageFormat,
  options: ReadOptions,
  ocrEndMs: number,
): Promise<Image> {
  return format === 'bmp' ? readBmp(bytes, options, ocrEndMs) : readByDecoder(bytes, format, options, ocrEndMs);
}

async function readByDecoder(
  bytes: Uint8Array,
  format: ImageFormat,
  { limits, ocr }: ReadOptions,
  ocrEndMs: number,
): Promise<Image> {
  const metadata = await metadataOf(bytes, format);
  const { width: widthPx, height: heightPx } = metadata.autoOrient;
  const pictures = metadata.pages ?? 1;
  checkPixels(widthPx * heightPx * pictures, limits);
  // Of a moving picture the first frame, of a TIFF file all pages.
  const count = format === 'tiff' ? pictures : 1;
  const warnings: Warning[] = [];
  const decoded = await decodePictures(bytes, format, count, limits, warnings);
  const list = new PropertyList();
  addSizes(list, widthPx, heightPx, metadata.density);
  if (pictures > 1) list.add(format === 'tiff' ? 'Pages' : 'Frames', pictures);
  const words = [
    // TIFF keeps these words in its own list of tags, which is laid out as Exif's.
    ...readExif(format === 'tiff' ? bytes : (metadata.exif ?? new Uint8Array())),
    ...readIptc(metadata.iptc ?? new Uint8Array()),
    ...(metadata.comments ?? []).map(({ keyword, text }): [string, string] => [keyword, text]),
  ];
  for (const [name, value] of words) list.add(name, value);
  if (metadata.xmp !== undefined) list.addAll(readXmp(metadata.xmp, limits));
  const pictureAt = (page: number): Sharp =>
    sharp(bytes, { page, limitInputPixels: limits.imagePixels, failOn: 'none' });
  const pages = ocr === true ? await textOn({ count, pictureAt }, { limits, endMs: ocrEndMs }, warnings) : [];
  return { kind: 'image', format, widthPx, heightPx, pictures: decoded, pages, properties: list.properties, warnings };
}

async function readBmp(bytes: Uint8Array, { limits, ocr }: ReadOptions, ocrEndMs: number): Promise<Image> {
  const header = readBmpHeader(bytes);
  const { widthPx, heightPx, bitsPerPixel, compression, pixelsAt, pixelsPerMetre } = header;
  checkPixels(widthPx * heightPx, limits);
  const expected = pixelsAt + 4 * Math.ceil((widthPx * bitsPerPixel) / 32) * heightPx;
  const warnings: Warning[] = [];
  const isPlain = compression === 0 || compression === 3;
  if (isPlain && bytes.length < expected) {
    warnings.push({
      code: 'FILE_TRUNCATED',
      message: `the BMP file has ${bytes.length} of ${expected} bytes; the missing pixels are black`,
    });
  }
  const list = new PropertyList();
  addSizes(list, widthPx, heightPx, pixelsPerMetre > 0 ? Math.round(pixelsPerMetre * 0.0254) : undefined);
  const pixels = decodeBmp(bytes, header);
  if (pixels === undefined) {
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `the BMP file is packed in way ${compression}, of which ${bitsPerPixel} bits are not read; its pixels were left out`,
    });
  }
  const pictureAt = (): Sharp =>
    sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 }, limitInputPixels: false });
  const pictures = pixels === undefined ? [] : [await decodeGray(pictureAt())];
  const pages =
    pixels === undefined || ocr !== true
      ? []
      : await textOn({ count: 1, pictureAt }, { limits, endMs: ocrEndMs }, warnings);
  return { kind: 'image', format: 'bmp', widthPx, heightPx, pictures, pages, properties: list.properties, warnings };
}

/** The recogniser is loaded when it is wanted. */
async function textOn(pictures: Pictures, bounds: OcrBounds, warnings: Warning[]): Promise<TextPage[]> {
  return (await import('../pixels/ocr-pictures.js')).recogniseImage(pictures, bounds, warnings);
}

/** @throws EngineError `LIMIT_EXCEEDED`. */
export function checkPixels(pixels: number, limits: Limits): void {
  if (pixels <= limits.imagePixels) return;
  throw new EngineError(
    'LIMIT_EXCEEDED',
    `the image has ${pixels} pixels, more than limits.imagePixels, ${limits.imagePixels}`,
    {
      details: { limit: 'imagePixels', allowed: limits.imagePixels, found: pixels },
    },
  );
}

function addSizes(list: PropertyList, widthPx: number, heightPx: number, dotsPerInch: number | undefined): void {
  list.add('Width', widthPx, 'px');
  list.add('Height', heightPx, 'px');
  if (dotsPerInch !== undefined) list.add('Resolution', dotsPerInch, 'dpi');
}

async function metadataOf(bytes: Uint8Array, format: ImageFormat): Promise<Metadata> {
  try {
    // All pictures of the file: otherwise its number of pages stays unknown.
    return await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  } catch (cause) {
    throw malformed(format, cause);
  }
}

/** Decodes the pictures one after another, each strictly, then forgivingly. The first must be one. */
async function decodePictures(
  bytes: Uint8Array,
  format: ImageFormat,
  count: number,
  limits: Limits,
  warnings: Warning[],
): Promise<Picture[]> {
  const decode = (page: number, failOn: 'truncated' | 'none'): Promise<Picture> =>
    decodeGray(sharp(bytes, { page, limitInputPixels: limits.imagePixels, failOn }));
  const pictures: Picture[] = [];
  let damage: unknown;
  for (let page = 0; page < Math.min(count, PICTURE_PAGES); page++) {
    try {
      pictures.push(await decode(page, 'truncated'));
    } catch (cause) {
      damage ??= cause;
      try {
        pictures.push(await decode(page, 'none'));
      } catch (second) {
        if (page === 0) throw malformed(format, second);
        break;
      }
    }
  }
  if (damage !== undefined) {
    warnings.push({
      code: 'FILE_TRUNCATED',
      message: `the ${format} image is damaged; what could be decoded was kept: ${messageOf(damage)}`,
    });
  }
  if (pictures.length < count)
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `of ${count} pictures the pixels of the first ${pictures.length} were kept`,
    });
  return pictures;
}

function malformed(format: ImageFormat, cause: unknown): EngineError {
  return new EngineError('FILE_MALFORMED', `the ${format} image cannot be decoded: ${messageOf(cause)}`, { cause });
}

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).trim().split('\n')[0].slice(0, 200);
}
