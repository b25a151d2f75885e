import type { Sharp } from 'sharp';
import type { Picture } from '../../content/sheet.js';

/**
 * Longest side of a picture that is kept, pixels; larger ones are made smaller. An A3 page then has 145 pixels an inch: its thinnest
 * lines are a pixel wide, and a page takes at most 5.8 MB and is split into its views within a second.
 */
export const PICTURE_SIDE_PX = 2_400;

/** Most pictures that are kept of one file; at most 185 MB. */
export const PICTURE_PAGES = 32;

/**
 * Decodes a picture as it is seen: upright, on white where it is transparent, as luminance, no larger than {@link PICTURE_SIDE_PX}.
 * @throws what the decoder throws.
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
