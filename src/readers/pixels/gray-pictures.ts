import { isOnPaper } from '../../content/paper.js';
import type { Picture, PictureColors } from '../../content/sheet.js';
import type { Sharp } from '../decoding/decoder.js';
import { linesOnWhite } from './dark-ground.js';
import { withPaleLines } from './pale-lines.js';

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

/** Chroma that shows a line in a reduced picture, and the least share of the picture that has as much. */
const SOME_CHROMA = 16;
const FEW_COLORED = 2e-3;

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
 * The picture with what else it may be asked for beside it; line work on a dark ground is seen on white. Of bright
 * paper with more pixels in the file: a finer one, to read small letters on. Where it may be a photo: its colors,
 * unless its header says that it is grey. A large picture on bright paper may be one as a JPEG, of which few pixels are
 * quickly decoded; any other would be decoded whole once more for nothing. Small ones, and dark ones, in color are
 * decoded twice, whatever the format.
 * @param longest longer side in the file, pixels.
 * @param open the same picture again, to be decoded.
 */
export async function withMore(decoded: Picture, longest: number, open: () => Sharp): Promise<Picture> {
  const stored = linesOnWhite(decoded);
  if (stored !== decoded) {
    const isFiner = longest >= FINER * Math.max(stored.widthPx, stored.heightPx);
    return isFiner ? { ...stored, fine: linesOnWhite(await decodeGray(open(), FINE_SIDE_PX)) } : stored;
  }
  const isPaper = isOnPaper(stored);
  const isPage = longest >= FINER * Math.max(stored.widthPx, stored.heightPx) && isPaper;
  const { format, space } = await open().metadata();
  const isGrey = GREY.has(space);
  const mayBePhoto = !isGrey && (!isPage || format === 'jpeg');
  const colors = isGrey || !(mayBePhoto || isPaper) ? undefined : await decodeColors(open());
  const isPale = isPaper && colors !== undefined && hasColors(colors);
  const seen = isPale ? await paled(stored, open) : stored;
  const fine = isPage ? await decodeGray(open(), FINE_SIDE_PX) : undefined;
  return {
    ...seen,
    ...(fine === undefined ? {} : { fine: seen === stored ? fine : await paled(fine, open) }),
    ...(mayBePhoto && colors !== undefined ? { colors } : {}),
  };
}

/** The picture, of which colors were seen, with its pale lines. */
async function paled(picture: Picture, open: () => Sharp): Promise<Picture> {
  const { widthPx, heightPx } = picture;
  const { data, info } = await open()
    .autoOrient()
    .flatten({ background: 'white' })
    .resize(widthPx, heightPx, { fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return info.channels < 3 ? picture : withPaleLines(picture, data, info.channels);
}

/** Whether so many of the reduced pixels are colored that there may be lines. */
function hasColors({ rgb }: PictureColors): boolean {
  let count = 0;
  for (let i = 0; i < rgb.length; i += 3) {
    const [r, g, b] = [rgb[i], rgb[i + 1], rgb[i + 2]];
    if (Math.max(r, g, b) - Math.min(r, g, b) >= SOME_CHROMA) count++;
  }
  return count >= (FEW_COLORED * rgb.length) / 3;
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
