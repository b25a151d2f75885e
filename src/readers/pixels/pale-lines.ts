import { PAPER_LEVELS, paperLevel } from '../../content/paper.js';
import type { Picture } from '../../content/sheet.js';

/**
 * Lines of pale colors. Luminance, as which pictures are read, shows pure green as 220 of 255, cyan as 232 and yellow
 * as 248, so lines of these colors vanish in the paper. Where a page has many of them, they are darkened by how colored
 * they are. Colored paper, areas and a few colored marks stay as they are.
 */

/** Part of the chroma (largest less least channel) that counts as darkness. */
const CHROMA_SHARE = 0.6;
/** Levels below the paper's from which on ink is clear, as in `bitmap/binarise.ts`, and half of what shows any. */
const CLEAR = 46;
const SOME = 24;
/** Paper of more chroma is colored. */
const COLORED_PAPER = 24;
/** Least pixels of pale lines beside those that are dark, and most of a page: what is more are areas. */
const LEAST_BESIDE = 0.2;
const MOST_OF_PAGE = 0.08;
/** A page has lines of so many pixels of its longer side at least. */
const LEAST_LENGTH = 0.3;
/** Half of the width, shares of the longer side, from which on something is no line; and how much of it may be. */
const WIDE = 1 / 400;
const MOST_WIDE = 0.2;

/**
 * The picture with its pale colored lines darkened; the same picture where it has none.
 * @param rgb u8[pixels × channels] of the same size, upright, on white
 * @param channels 3 or 4
 */
export function withPaleLines<P extends Picture>(picture: P, rgb: Uint8Array, channels: number): P {
  const { widthPx, heightPx, gray } = picture;
  if (rgb.length !== channels * gray.length) return picture;
  const paper = paperLevel(picture);
  const chroma = new Uint8Array(gray.length);
  const ofPaper = new Uint32Array(256);
  for (let i = 0, at = 0; i < gray.length; i++, at += channels) {
    const [r, g, b] = [rgb[at], rgb[at + 1], rgb[at + 2]];
    chroma[i] = Math.max(r, g, b) - Math.min(r, g, b);
    if (Math.abs(gray[i] - paper) <= PAPER_LEVELS) ofPaper[chroma[i]]++;
  }
  const own = medianLevel(ofPaper);
  if (own > COLORED_PAPER) return picture;
  const isPale = new Uint8Array(gray.length);
  let dark = 0,
    pale = 0;
  for (let i = 0; i < gray.length; i++) {
    if (gray[i] < paper - CLEAR) dark++;
    else if (CHROMA_SHARE * (chroma[i] - own) >= CLEAR) {
      isPale[i] = 1;
      pale++;
    }
  }
  const longer = Math.max(widthPx, heightPx);
  if (pale < LEAST_BESIDE * dark || pale < LEAST_LENGTH * longer || pale > MOST_OF_PAGE * gray.length) return picture;
  if (wideShare(isPale, widthPx, heightPx, Math.max(3, Math.round(WIDE * longer))) > MOST_WIDE) return picture;
  const seen = gray.slice();
  for (let i = 0; i < gray.length; i++) {
    const below = CHROMA_SHARE * (chroma[i] - own);
    if (below >= SOME) seen[i] = Math.max(0, Math.min(gray[i], paper - below));
  }
  return { ...picture, gray: seen };
}

function medianLevel(histogram: Uint32Array): number {
  const half = histogram.reduce((sum, count) => sum + count, 0) / 2;
  let level = 0;
  for (let sum = histogram[0]; sum < half && level < 255; ) sum += histogram[++level];
  return level;
}

/** Share of the pixels that have such pixels on all four sides at this distance. */
export function wideShare(bits: Uint8Array, width: number, height: number, reach: number): number {
  let all = 0,
    wide = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (bits[at] === 0) continue;
      all++;
      if (x < reach || y < reach || x + reach >= width || y + reach >= height) continue;
      if (bits[at - reach] + bits[at + reach] + bits[at - reach * width] + bits[at + reach * width] === 4) wide++;
    }
  }
  return all === 0 ? 0 : wide / all;
}
