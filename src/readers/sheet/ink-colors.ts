/** Letters whose channels are all lighter are not seen on white paper; 0 to 255. */
export const WHITE = 250;

/** `#rrggbb` as a number; black for anything else. */
export function colorOf(value: unknown): number {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? Number.parseInt(value.slice(1), 16) : 0;
}

/** The colour, 0xRRGGBB, that results on white paper; alpha 0 to 1. */
export function onWhite(color: number, alpha: number): number {
  if (alpha >= 1) return color;
  const channel = (shift: number): number =>
    Math.round(255 + (((color >> shift) & 255) - 255) * Math.max(0, alpha)) << shift;
  return channel(16) | channel(8) | channel(0);
}

/** The darkest channel of a colour, 0 to 255: yellow and light blue letters are seen on white paper. */
export function darkestOf(color: number): number {
  return Math.min((color >> 16) & 255, (color >> 8) & 255, color & 255);
}
