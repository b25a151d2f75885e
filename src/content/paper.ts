import type { Picture } from './sheet.js';

/**
 * Least share of paper in a picture that is no photo, and the largest difference of paper from the commonest bright
 * grey level.
 */
const PAPER_SHARE = 0.55;
export const PAPER_LEVELS = 28;
const BRIGHT = 120;

/** The commonest bright level of a picture: that of its paper, if it shows one. */
export function paperLevel({ gray }: Picture): number {
  return commonestOf(histogramOf(gray));
}

/** Whether a picture may show a drawing: most of it has one bright grey level. */
export function isOnPaper({ gray }: Picture): boolean {
  const histogram = histogramOf(gray);
  const paper = commonestOf(histogram);
  let count = 0;
  for (let level = Math.max(0, paper - PAPER_LEVELS); level <= Math.min(255, paper + PAPER_LEVELS); level++)
    count += histogram[level];
  return count >= PAPER_SHARE * gray.length;
}

function histogramOf(gray: Uint8Array): Uint32Array {
  const histogram = new Uint32Array(256);
  for (const level of gray) histogram[level]++;
  return histogram;
}

function commonestOf(histogram: Uint32Array): number {
  let paper = BRIGHT;
  for (let level = BRIGHT; level < 256; level++) if (histogram[level] > histogram[paper]) paper = level;
  return paper;
}
