import type { Color } from '../../content/model.js';

/**
 * Converts linear light to sRGB (IEC 61966-2-1), clamped to 0–1 and rounded to 1e-6, because sources store single
 * precision.
 */
export function colorOfLinear(red: number, green: number, blue: number): Color {
  return [encode(red), encode(green), encode(blue)];
}

/** `#RRGGBB` or `#RRGGBBAA` in hexadecimal; undefined for anything else. */
export function colorOfHex(text: string): Color | undefined {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/i.exec(text.trim());
  if (found === null) return undefined;
  return [parseInt(found[1], 16) / 255, parseInt(found[2], 16) / 255, parseInt(found[3], 16) / 255];
}

function encode(linear: number): number {
  const value = linear > 0 ? Math.min(1, linear) : 0;
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(1e6 * encoded) / 1e6;
}
