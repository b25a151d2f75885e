import type { Ink } from '../../bitmap/binarise.js';
import type { Bitmap } from '../../bitmap/bitmap.js';
import { readDimension } from '../dimension-text.js';
import { upright } from './cell-sign.js';
import type { PageInk } from './page-ink.js';
import type { PictureText } from './picture-text.js';
import { asWholeLine } from './surer-line.js';
import { readWholeLine, type WholeLine } from './whole-line.js';

/** How far before and behind a text signs of it may stand, in heights of a capital. */
const BEFORE = 1.3;
const BEHIND = 1.1;
/** Paper that is left beside a text where it is not stretched. */
const BESIDE = 0.2;
/** Ink beside a text begins so far from it, and is at least this share of a square of its height. */
const APART = 0.1;
const LEAST_INK = 0.02;
/** Behind a text, what stands so near to the stretch has signs of its own there. */
const CLEAR = 1;
/** Texts of one line differ by less in direction, radians. */
const SAME_DIRECTION = 0.05;
/** The gap between two parts of a size of which a sign between them was lost; how far their baselines may be apart. */
const LOST_GAP = [0.25, 1.5] as const;
const SAME_LINE = 0.2;
const SAME_HEIGHT = 0.3;
/** Where the sign of a counterbore stands before its diameter, in heights of a capital, and where it may begin. */
const HOLLOW = [1.4, 0.25] as const;
const HOLLOW_REACH = 1.75;
/** Longer texts are notes. */
const MOST_LETTERS = 20;
/** Least confidence of a text that is taken for a shorter one. */
const LEAST = -0.2;
/** Where a wall must have ink, in heights below the baseline. */
const ACROSS = [-1.3, -1.15, -0.75, -0.5, -0.25, 0.15, 0.25];
/**
 * Most stretches of a page that are read again, some 1 ms each, and most pixels that are looked at for them, some 30 ns
 * each. Drawings made by code take 4 to 21, and .05 to .75 million pixels.
 */
export const STRETCH_BOUNDS = Object.freeze({ tries: 400, pixels: 40_000_000 });
/**
 * What may be missing before and behind a text, and between two. A stroke beside a text looks like a 1, the end of a
 * leader like a sign of countersinks, deviations and fits behind a size like a figure of it.
 */
const MISSED_BEFORE = /^(?:\d{1,2}[xX])?(?:S?⌀|□|S?R|\(|[+\-±]|[02-9])$/;
const MISSED_BEHIND = /^(?:°|\))$/;
const POINT_BEHIND = /\d[.,]$/;
const POINT_BEFORE = /^[.,]\d/;
const MISSED_BETWEEN = /^(?:[-+±/x°.,(]|\/-)$/;

/**
 * Texts of a drawing with what was lost of them: signs that touch a line and went with it, a minus that was taken for
 * a piece of a line. Each size with ink beside it is read again with its surroundings; what is read then counts if it
 * holds the text, adds what sizes have there, and reads as a size. Beyond the bounds texts stay as they are.
 */
export function stretchedTexts(
  texts: readonly PictureText[],
  part: PageInk,
  bounds: StretchBudget = STRETCH_BOUNDS,
): PictureText[] {
  const budget = { ...bounds };
  const found = joinedTexts(texts, part, budget);
  return found.map((text) => {
    if (!/\d/.test(text.text) || text.count > MOST_LETTERS || budget.tries <= 0) return text;
    const isFree = (from: number, to: number): boolean =>
      isPaid(budget, (to - from) * text.height) &&
      hasInk(part.page, text, from, to) &&
      !isWalled(part.walls, text, from, to) &&
      !found.some((other) => other !== text && isWithin(other, text, from, to + CLEAR * text.height));
    const { width, height } = text;
    const hollow = /^⌀/.test(text.text) ? withHollow(text, part, isFree, budget) : undefined;
    if (hollow !== undefined) return hollow;
    const before = isFree(-BEFORE * height, -APART * height),
      behind = isFree(width + APART * height, width + BEHIND * height);
    if (!before && !behind) return text;
    const [from, to] = [-(before ? BEFORE : BESIDE) * height, width + (behind ? BEHIND : BESIDE) * height];
    const read = readBetween(text, from, to, part, budget);
    if (read === undefined || read.confidence < LEAST || readDimension(read.text) === undefined) return text;
    const [long, short] = [plain(read.text), plain(text.text)];
    const at = long.indexOf(short);
    if (at < 0 || long === short) return text;
    const [first, last] = [long.slice(0, at), long.slice(at + short.length)];
    return (first === '' || MISSED_BEFORE.test(first)) && (last === '' || MISSED_BEHIND.test(last)) ? read : text;
  });
}

/**
 * A diameter with the sign of a counterbore before it: wider than others, and low, so that it is no letter of the line.
 */
function withHollow(
  text: PictureText,
  part: PageInk,
  isFree: (from: number, to: number) => boolean,
  budget: StretchBudget,
): PictureText | undefined {
  const { width, height } = text;
  if (!isFree(-HOLLOW[0] * height, -HOLLOW[1] * height)) return undefined;
  const read = readBetween(text, -HOLLOW_REACH * height, width + BESIDE * height, part, budget);
  if (read === undefined || read.confidence < LEAST) return undefined;
  return plain(read.text) === `⌴${plain(text.text)}` ? read : undefined;
}

/** What is left of {@link STRETCH_BOUNDS}. */
export interface StretchBudget {
  tries: number;
  pixels: number;
}

/** Takes pixels from the budget; false where it has not so many left. */
function isPaid(budget: StretchBudget, pixels: number): boolean {
  if (pixels > budget.pixels) return false;
  budget.pixels -= pixels;
  return true;
}

/**
 * Texts that follow each other with a sign between them, which was lost, or parted at a point in wide letters, as one.
 */
function joinedTexts(texts: readonly PictureText[], part: PageInk, budget: StretchBudget): PictureText[] {
  const taken = new Set<PictureText>();
  const withDigits = texts.filter(({ text }) => /\d/.test(text));
  const joined = texts.map((text) => {
    if (budget.tries <= 0 || taken.has(text) || !/\d/.test(text.text)) return text;
    const { width, height } = text;
    const reach = width + (LOST_GAP[1] + 1) * height;
    const next = withDigits.find((other) => {
      if (Math.abs(other.x - text.x) > reach || Math.abs(other.y - text.y) > reach) return false;
      if (other === text || taken.has(other)) return false;
      if (Math.abs(other.height - height) > SAME_HEIGHT * height) return false;
      const { s, t } = placeIn(text, other);
      const gap = (s - width) / height;
      return isAlong(other, text) && Math.abs(t) < SAME_LINE * height && gap > LOST_GAP[0] && gap < LOST_GAP[1];
    });
    if (next === undefined) return text;
    const { s } = placeIn(text, next);
    const [from, to] = [width + APART * height, s - APART * height];
    const isParted = POINT_BEHIND.test(text.text) !== POINT_BEFORE.test(next.text);
    if (!isPaid(budget, (to - from) * height) || !(isParted || hasInk(part.page, text, from, to))) return text;
    if (isWalled(part.walls, text, from, to)) return text;
    const read = readBetween(text, -BESIDE * height, s + next.width + BESIDE * height, part, budget);
    if (read === undefined || read.confidence < LEAST || readDimension(read.text) === undefined) return text;
    const [long, first, last] = [plain(read.text), plain(text.text), plain(next.text)];
    const between = long.slice(first.length, long.length - last.length);
    if (!long.startsWith(first) || !long.endsWith(last)) return text;
    if (!(isParted ? between === '' : MISSED_BETWEEN.test(between))) return text;
    taken.add(next);
    return read;
  });
  return joined.filter((text) => !taken.has(text));
}

function plain(text: string): string {
  return text.replaceAll(' ', '').replaceAll('X', 'x');
}

/** Where a text begins, along and across another one. */
function placeIn(text: PictureText, { x, y }: PictureText): { readonly s: number; readonly t: number } {
  const cos = Math.cos(text.angleRad),
    sin = Math.sin(text.angleRad);
  return { s: (x - text.x) * cos + (y - text.y) * sin, t: (y - text.y) * cos - (x - text.x) * sin };
}

function isAlong(other: PictureText, text: PictureText): boolean {
  return Math.abs(other.angleRad - text.angleRad) < SAME_DIRECTION;
}

/** Whether another text of the same direction stands in a stretch of a text's line. */
function isWithin(other: PictureText, text: PictureText, from: number, to: number): boolean {
  const reach = Math.max(Math.abs(from), Math.abs(to)) + other.width + other.height + text.height;
  if (Math.abs(other.x - text.x) > reach || Math.abs(other.y - text.y) > reach || !isAlong(other, text)) return false;
  const { s, t } = placeIn(text, other);
  return (
    s < to && s + other.width > from && t - other.height < -APART * text.height && t > APART * text.height - text.height
  );
}

/** Whether there is ink in a stretch of a text's line, between its baseline and the top of its capitals. */
function hasInk({ ink }: Ink, { x, y, angleRad, height }: PictureText, from: number, to: number): boolean {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const least = LEAST_INK * height * height;
  let count = 0;
  for (let s = from; s < to; s++)
    for (let t = -0.95 * height; t < 0; t++) {
      const u = Math.floor(x + s * cos - t * sin),
        v = Math.floor(y + s * sin + t * cos);
      if (u < 0 || v < 0 || u >= ink.width || v >= ink.height || ink.bits[v * ink.width + u] === 0) continue;
      if (++count > least) return true;
    }
  return false;
}

/**
 * Whether a line that was removed crosses a stretch of a text's line, and reaches above and below it: the side of a
 * cell.
 */
function isWalled({ bits, width, height: rows }: Bitmap, text: PictureText, from: number, to: number): boolean {
  const { x, y, angleRad, height } = text;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  return ACROSS.every((share) => {
    for (let s = from; s < to; s += 0.5) {
      const u = Math.floor(x + s * cos - share * height * sin),
        v = Math.floor(y + s * sin + share * height * cos);
      if (u >= 0 && v >= 0 && u < width && v < rows && bits[v * width + u] !== 0) return true;
    }
    return false;
  });
}

/** A stretch of a text's line, read as a whole; undefined where nothing is read, or the budget does not allow it. */
export function readBetween(
  text: PictureText,
  from: number,
  to: number,
  part: PageInk,
  budget: StretchBudget,
): PictureText | undefined {
  const whole = lineBetween(text, from, to, part, budget);
  if (whole === undefined) return undefined;
  const { x, y, angleRad } = text;
  const start = { x: x + from * Math.cos(angleRad), y: y + from * Math.sin(angleRad) };
  return asWholeLine(
    { ...text, ...start, text: '', count: 0, width: to - from, words: [] },
    { before: 0, behind: 0, whole },
  );
}

/** The same as the network reads it, places of its letters in pixels of the page. */
export function lineBetween(
  { x, y, angleRad, height }: PictureText,
  from: number,
  to: number,
  { page, fine }: PageInk,
  budget: StretchBudget,
): WholeLine | undefined {
  const scale = fine.widthPx / page.width;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const middle = (from + to) / 2;
  const place = {
    x: x + middle * cos + 0.5 * height * sin,
    y: y + middle * sin - 0.5 * height * cos,
    angleRad,
    width: to - from,
    height: 2.2 * height,
  };
  const [wide, high] = [Math.round(place.width * scale), Math.round(place.height * scale)];
  if (wide < 4 || high < 6 || wide > 2_000 || high > 400) return undefined;
  // The square around the stretch, however it is turned.
  if (budget.tries <= 0 || !isPaid(budget, wide * wide + high * high)) return undefined;
  budget.tries--;
  const size = height * scale;
  const whole = readWholeLine(
    { width: wide, height: high, ink: upright(page, fine, place, { wide, high }) },
    { x: 0, y: (high + size) / 2, angleRad: 0, height: size, width: wide },
  );
  return whole && { ...whole, letters: whole.letters.map((letter) => ({ ...letter, at: letter.at / scale })) };
}
