import sharp from 'sharp';
import type { Pixels } from '../content/pixels.js';

/** Compression level: the next levels take twice the time for a few per cent. */
const COMPRESSION = 6;

/** A picture as PNG without an alpha channel, which pages on white do not need. */
export async function encodePng({ widthPx, heightPx, rgba }: Pixels): Promise<Uint8Array> {
  return sharp(rgba, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: COMPRESSION })
    .toBuffer();
}

/** A PNG no larger than `size` either way, on white where asked for. */
export async function fitPng(
  png: Uint8Array,
  { size, background }: { readonly size: number; readonly background: 'transparent' | 'white' },
): Promise<Uint8Array> {
  const { width, height } = await sharp(png).metadata();
  const fits = width <= size && height <= size;
  if (fits && background === 'transparent') return png;
  const fitted = fits ? sharp(png) : sharp(png).resize(size, size, { fit: 'inside', withoutEnlargement: true });
  return (background === 'white' ? fitted.flatten({ background: 'white' }) : fitted)
    .png({ compressionLevel: COMPRESSION })
    .toBuffer();
}
