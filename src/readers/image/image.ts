import type { Image, ImageFormat } from '../../content/image.js';
import type { Picture } from '../../content/sheet.js';
import type { TextPage } from '../../content/text.js';
import { checkLimit, type EngineError, messageOf, warning, type Warning, fileDamaged } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { checkDecoding, pictureHeader } from '../decoding/decoded-bytes.js';
import { sharp, type Metadata, type Sharp } from '../decoding/decoder.js';
import { checkBmp, decodeBmp, readBmpHeader, sharpOfBmp } from '../pixels/bmp.js';
import { readExif } from '../metadata/exif.js';
import { decodeGray, FINE_PAGES, PICTURE_PAGES, withMore } from '../pixels/gray-pictures.js';
import { readIptc } from '../metadata/iptc.js';
import type { OcrBounds, Pictures } from '../pixels/ocr-pictures.js';
import { PropertyList } from '../metadata/property-list.js';
import { readXmp } from '../metadata/xmp.js';

/**
 * Reads an image: its upright size, resolution, and the texts of its Exif, IPTC, XMP and PNG metadata. The place where
 * a picture was taken (GPS) is not read, because a library is shared and the place may be somebody's home. Pixels are
 * kept as luminance: of a TIFF file the first {@link PICTURE_PAGES} pages (the first alone when it has more than
 * `limits.pages`), of an animation the first frame. With `ocr`,
 * text on the pictures is recognised.
 * @param ocrEndMs time by `processorTimeMs` after which no further picture is recognised.
 * @throws EngineError `FILE_MALFORMED`; `LIMIT_EXCEEDED` for more than `limits.imagePixels` or, as estimated from the
 * header, `limits.decodedBytes`, before any pixel is decoded; `PACKAGE_MISSING` with `ocr` when the recogniser is not
 * installed.
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
  checkLimit('the image', limits, 'imagePixels', widthPx * heightPx * pictures);
  // Only TIFF has pages; the frames of an animation show the same thing.
  const count = format === 'tiff' ? pictures : 1;
  // libvips walks through all directories of a TIFF file for each page that it opens.
  const most = pictures > limits.pages ? 1 : PICTURE_PAGES;
  checkDecoding('the image', bytes, pictureHeader(format, metadata, Math.min(count, most)), limits);
  const warnings: Warning[] = [];
  const longest = Math.max(widthPx, heightPx);
  const decoded = await decodePictures({ bytes, format, count, most, longest }, limits, warnings);
  const list = new PropertyList();
  addSizes(list, widthPx, heightPx, metadata.density);
  if (pictures > 1) list.add(format === 'tiff' ? 'Pages' : 'Frames', pictures);
  const words = [
    // A TIFF file holds these tags in its own directory, which has the layout of an Exif block.
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
  checkBmp(bytes, header, limits);
  const expected = pixelsAt + 4 * Math.ceil((widthPx * bitsPerPixel) / 32) * heightPx;
  const warnings: Warning[] = [];
  const isPlain = compression === 0 || compression === 3;
  if (isPlain && bytes.length < expected) {
    warnings.push(
      warning('FILE_TRUNCATED', `the BMP file has ${bytes.length} of ${expected} bytes; the missing pixels are black`),
    );
  }
  const list = new PropertyList();
  addSizes(list, widthPx, heightPx, pixelsPerMetre > 0 ? Math.round(pixelsPerMetre * 0.0254) : undefined);
  const pixels = decodeBmp(bytes, header);
  if (pixels === undefined) {
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `the BMP file has compression ${compression} at ${bitsPerPixel} bits, which is not read; ` +
          'its pixels were left out',
      ),
    );
  }
  const open = (): Sharp => sharpOfBmp(pixels!);
  const pictures =
    pixels === undefined ? [] : [await withMore(await decodeGray(open()), Math.max(widthPx, heightPx), open)];
  const pages =
    pixels === undefined || ocr !== true
      ? []
      : await textOn({ count: 1, pictureAt: () => sharpOfBmp(pixels) }, { limits, endMs: ocrEndMs }, warnings);
  return { kind: 'image', format: 'bmp', widthPx, heightPx, pictures, pages, properties: list.properties, warnings };
}

/** Loads the recogniser on first use. */
async function textOn(pictures: Pictures, bounds: OcrBounds, warnings: Warning[]): Promise<TextPage[]> {
  return (await import('../pixels/ocr-pictures.js')).recogniseImage(pictures, bounds, warnings);
}

function addSizes(list: PropertyList, widthPx: number, heightPx: number, dotsPerInch: number | undefined): void {
  list.add('Width', widthPx, 'px');
  list.add('Height', heightPx, 'px');
  if (dotsPerInch !== undefined) list.add('Resolution', dotsPerInch, 'dpi');
}

async function metadataOf(bytes: Uint8Array, format: ImageFormat): Promise<Metadata> {
  try {
    // Without a page selected, sharp reports the number of pages.
    return await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  } catch (cause) {
    throw malformed(format, cause);
  }
}

/** An image file, the number of its pictures, and the most that are decoded. */
interface PictureFile {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly count: number;
  readonly most: number;
  /** Longer side of the first picture, pixels. */
  readonly longest: number;
}

/**
 * Decodes the pictures one by one: strictly, then, if that fails, tolerating damage. @throws EngineError when the first
 * fails.
 */
async function decodePictures(
  { bytes, format, count, most, longest }: PictureFile,
  limits: Limits,
  warnings: Warning[],
): Promise<Picture[]> {
  // Of a TIFF file that was cut off only 'error' knows: the missing rows were grey or black without a word.
  const strict = format === 'tiff' ? 'error' : 'truncated';
  const decode = async (page: number, failOn: typeof strict | 'none'): Promise<Picture> => {
    const open = (): Sharp => sharp(bytes, { page, limitInputPixels: limits.imagePixels, failOn });
    const stored = await decodeGray(open());
    return page < FINE_PAGES ? await withMore(stored, longest, open) : stored;
  };
  const pictures: Picture[] = [];
  let damage: unknown;
  for (let page = 0; page < Math.min(count, most); page++) {
    try {
      pictures.push(await decode(page, strict));
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
    warnings.push(
      warning('FILE_TRUNCATED', `the ${format} image is damaged; what could be decoded was kept: ${messageOf(damage)}`),
    );
  }
  if (pictures.length < count)
    warnings.push(
      warning('CONTENT_SKIPPED', `only the pixels of the first ${pictures.length} of ${count} pictures were kept`),
    );
  return pictures;
}

function malformed(format: ImageFormat, cause: unknown): EngineError {
  return fileDamaged(`the ${format} image`, 'its decoder', cause);
}
