/** A color picture, upright, as it looks on white. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[4 × widthPx × heightPx], row by row from the top left: red, green, blue (sRGB), opacity. */
  readonly rgba: Uint8Array | Uint8ClampedArray;
}

/** Largest size of a picture. */
export interface PixelBounds {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The largest size with this aspect ratio that fits within bounds, whole pixels. */
export function fitWithin(
  width: number,
  height: number,
  bounds: PixelBounds,
): { widthPx: number; heightPx: number; scale: number } {
  const scale = Math.min(bounds.widthPx / width, bounds.heightPx / height);
  const pixels = (length: number, most: number): number => Math.min(most, Math.max(1, Math.round(scale * length)));
  return { widthPx: pixels(width, bounds.widthPx), heightPx: pixels(height, bounds.heightPx), scale };
}
