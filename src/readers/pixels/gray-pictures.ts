import { isOnPaper } from '../../content/paper.js';
import type { Picture, PictureColors } from '../../content/sheet.js';
import type { Sharp } from '../decoding/decoder.js';

/**
 * Longest side of a stored picture, pixels; larger pictures are reduced. An A3 page then has 145 pixels per inch: its
 * thinnest lines are one pixel wide, the page takes at most 5.8 MB, and splitting it into views takes under a second.
 */
export const PICTURE_SIDE_PX = 2_400;

/** Most pictures stored per file; together at most 185 MB. */
export const PICTURE_PAGES = 32;

/** Longest side of the finer picture on which small letters are read: an A3 page at 218 pixels per inch. */
export const FINE_SIDE_PX = 3_600;
/** Longest side of the colors of a picture: an object is looked for on so many pixels. */
const COLORS_SIDE_PX = 480;

/** Spaces of pictures without colors, as libvips names them. */
const GREY: ReadonlySet<string | undefined> = new Set(['b-w', 'grey16']);

/** A finer picture has more pixels on a side than the stored one by at least this factor. */
export const FINER = 1.1;
/** Most finer pictures of a file; together at most 104 MB. */
export const FINE_PAGES = 8;

/**
 * Decodes a picture to luminance: upright, blended with white where it is transparent, at most `side` pixels
 * on a side, {@link PICTURE_SIDE_PX} by default.
 * @throws whatever error sharp throws.
 */
export async function decodeGray(picture: Sharp, side = PICTURE_SIDE_PX): Promise<Picture> {
  const { data, info } = await picture
    .autoOrient()
    .flatten({ background: 'white' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width: widthPx, height: heightPx, channels } = info;
  if (channels === 1) return { widthPx, heightPx, gray: new Uint8Array(data) };
  return { widthPx, heightPx, gray: Uint8Array.from({ length: widthPx * heightPx }, (_, i) => data[channels * i]) };
}

/**
 * The picture with what else it may be asked for beside it. Of bright paper with more pixels in the file: a finer one,
 * to read small letters on. Where it may be a photo: its colors, unless its header says that it is grey. A large
 * picture on bright paper may be one as a JPEG, of which few pixels are quickly decoded; any other would be decoded
 * whole once more for nothing. Small ones, and dark ones, in color are decoded twice, whatever the format.
 * @param longest longer side in the file, pixels.
 * @param open the same picture again, to be decoded.
 */
export async function withMore(stored: Picture, longest: number, open: () => Sharp): Promise<Picture> {
  const isPage = longest >= FINER * Math.max(stored.widthPx, stored.heightPx) && isOnPaper(stored);
  const fine = isPage ? await decodeGray(open(), FINE_SIDE_PX) : undefined;
  const { format, space } = await open().metadata();
  const mayBePhoto = !GREY.has(space) && (!isPage || format === 'jpeg');
  const colors = mayBePhoto ? await decodeColors(open()) : undefined;
  return { ...stored, ...(fine === undefined ? {} : { fine }), ...(colors === undefined ? {} : { colors }) };
}

/** Undefined for grey pictures. @throws whatever error sharp throws. */
async function decodeColors(picture: Sharp): Promise<PictureColors | undefined> {
  const { data, info } = await picture
    .autoOrient()
    .flatten({ background: 'white' })
    .resize(COLORS_SIDE_PX, COLORS_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels < 3) return undefined;
  const rgb = new Uint8Array(3 * info.width * info.height);
  let isGrey = true;
  for (let from = 0, to = 0; to < rgb.length; from += info.channels, to += 3) {
    rgb.set(data.subarray(from, from + 3), to);
    isGrey &&= data[from] === data[from + 1] && data[from] === data[from + 2];
  }
  return isGrey ? undefined : { widthPx: info.width, heightPx: info.height, rgb };
}
