import { isOnPaper } from '../../content/paper.js';
import type { Picture } from '../../content/sheet.js';
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
 * The picture with a finer one beside it where the file has more pixels and the picture may be a drawing: bright paper.
 * @param longest longer side in the file, pixels.
 * @param open the same picture again, to be decoded.
 */
export async function withFine(stored: Picture, longest: number, open: () => Sharp): Promise<Picture> {
  if (longest < FINER * Math.max(stored.widthPx, stored.heightPx) || !isOnPaper(stored)) return stored;
  return { ...stored, fine: await decodeGray(open(), FINE_SIDE_PX) };
}
