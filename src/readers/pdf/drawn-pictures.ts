import type { Picture } from '../../content/sheet.js';

/** A picture decoded by pdfjs. `kind`: 1 for one bit per pixel, 2 for RGB, 3 for RGBA; stencils have none. */
export interface PdfjsPicture {
  readonly width: number;
  readonly height: number;
  readonly kind?: number;
  readonly data?: Uint8Array | Uint8ClampedArray | null;
}

/** The picture as luminance on white; undefined when its data is missing. */
export function grayOf({ width, height, kind, data }: PdfjsPicture): Picture | undefined {
  if (data == null || !(width > 0) || !(height > 0)) return undefined;
  const count = width * height;
  const gray = new Uint8Array(count);
  if (kind === 1) {
    const rowBytes = (width + 7) >> 3;
    if (data.length < rowBytes * height) return undefined;
    for (let i = 0; i < count; i++) gray[i] = bitAt(data, rowBytes, i % width, Math.floor(i / width)) ? 255 : 0;
    return { widthPx: width, heightPx: height, gray };
  }
  const channels = kind === 3 ? 4 : 3;
  if (data.length < channels * count) return undefined;
  for (let i = 0, at = 0; i < count; i++, at += channels) {
    const value = luma(data[at], data[at + 1], data[at + 2]);
    gray[i] = channels === 3 ? value : 255 + ((value - 255) * data[at + 3]) / 255;
  }
  return { widthPx: width, heightPx: height, gray };
}

/** A stencil painted with a colour (0xRRGGBB) on white; zero bits are painted. */
export function grayOfStencil({ width, height, data }: PdfjsPicture, color: number): Picture | undefined {
  const rowBytes = (width + 7) >> 3;
  if (data == null || !(width > 0) || !(height > 0) || data.length < rowBytes * height) return undefined;
  const paint = luma((color >> 16) & 255, (color >> 8) & 255, color & 255);
  const gray = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) gray[i] = bitAt(data, rowBytes, x, y) ? 255 : paint;
  return { widthPx: width, heightPx: height, gray };
}

function bitAt(data: Uint8Array | Uint8ClampedArray, rowBytes: number, x: number, y: number): boolean {
  return (data[y * rowBytes + (x >> 3)] & (128 >> (x & 7))) !== 0;
}

/** Luma by the weights of Rec. 601. */
function luma(red: number, green: number, blue: number): number {
  return Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
}
