import type { Picture } from '../../content/sheet.js';
import { wideShare } from './pale-lines.js';

/**
 * Line work on a dark ground, as a program for CAD shows it and as a blueprint is: bright lines, thin for the picture,
 * on one dark level. Such a picture is turned into its negative, on white, so that all that follows sees ink on paper.
 * A photo or a shaded view before a dark ground has bright areas and stays as it is.
 */

/** Brightest ground, levels about it that belong to it, and its least share of the picture. */
const DARKEST_GROUND = 110;
const GROUND_LEVELS = 12;
const GROUND_SHARE = 0.6;
/** Levels above the ground from which on something is a line; as for ink, see `bitmap/binarise.ts`. */
const CLEAR = 46;
/** Shortest side of such a picture, pixels, and least and most pixels of lines: in longer sides, and of the picture. */
const LEAST_SIDE = 100;
const LEAST_LENGTH = 0.5;
const MOST_LINES = 0.25;
/** Half of the width, shares of the longer side, from which on something is no line; and how much of it may be. */
const WIDE = 1 / 250;
const LEAST_WIDE_PX = 3;
const MOST_WIDE = 0.2;

/** The picture on white where it shows line work on a dark ground; else the same picture. */
export function linesOnWhite<P extends Picture>(picture: P): P {
  const { widthPx, heightPx, gray } = picture;
  if (Math.min(widthPx, heightPx) < LEAST_SIDE) return picture;
  const ground = groundOf(gray);
  if (ground === undefined) return picture;
  // A thing that is a little brighter than the ground may have bright edges, so all that is brighter has to be thin.
  const isBrighter = new Uint8Array(gray.length);
  let lines = 0;
  for (let i = 0; i < gray.length; i++) {
    if (gray[i] > ground + GROUND_LEVELS) isBrighter[i] = 1;
    if (gray[i] >= ground + CLEAR) lines++;
  }
  const longer = Math.max(widthPx, heightPx);
  if (lines < LEAST_LENGTH * longer || lines > MOST_LINES * gray.length) return picture;
  const reach = Math.max(LEAST_WIDE_PX, Math.round(WIDE * longer));
  if (wideShare(isBrighter, widthPx, heightPx, reach) > MOST_WIDE) return picture;
  const negative = Uint8Array.from({ length: 256 }, (_, level) =>
    Math.round(255 * (1 - Math.max(0, level - ground) / (255 - ground))),
  );
  return { ...picture, gray: gray.map((level) => negative[level]) };
}

/** The commonest dark level, if most of the picture has it. */
function groundOf(gray: Uint8Array): number | undefined {
  const histogram = new Uint32Array(256);
  for (const level of gray) histogram[level]++;
  let ground = 0;
  for (let level = 0; level <= DARKEST_GROUND; level++) if (histogram[level] > histogram[ground]) ground = level;
  const own = histogram.subarray(Math.max(0, ground - GROUND_LEVELS), ground + GROUND_LEVELS + 1);
  return own.reduce((sum, count) => sum + count, 0) >= GROUND_SHARE * gray.length ? ground : undefined;
}
