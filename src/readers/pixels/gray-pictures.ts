import type { Picture } from '../../content/sheet.js';
import type { Sharp } from '../decoding/decoder.js';

/**
 * Longest side of a stored picture, pixels; larger pictures are reduced. An A3 page then has 145 pixels per inch: its
 * thinnest lines are one pixel wide, the page takes at most 5.8 MB, and splitting it into views takes under a second.
 */
export const PICTURE_SIDE_PX = 2_400;

/** Most pictures stored per file; together at most 185 MB. */
export const PICTURE_PAGES = 32;

/**
 * Decodes a picture to luminance: upright, blended with white where it is transparent, at most {@link PICTURE_SIDE_PX}
 * on a side.
 * @throws whatever error sharp throws.
 */
export async function decodeGray(picture: Sharp): Promise<Picture> {
  const { data, info } = await picture
    .autoOrient()
    .flatten({ background: 'white' })
    .resize(PICTURE_SIDE_PX, PICTURE_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width: widthPx, height: heightPx, channels } = info;
  if (channels === 1) return { widthPx, heightPx, gray: new Uint8Array(data) };
  return { widthPx, heightPx, gray: Uint8Array.from({ length: widthPx * heightPx }, (_, i) => data[channels * i]) };
}
