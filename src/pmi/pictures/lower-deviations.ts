import { bitmapOf, componentsOf } from '../../bitmap/bitmap.js';
import { bytesOf } from '../../content/bytes-of.js';
import { upright } from './cell-sign.js';
import { likeliestText } from './likelier-size.js';
import type { PageInk } from './page-ink.js';
import type { PictureText } from './picture-text.js';
import { withoutLines } from './stacked-fits.js';
import { STRETCH_BOUNDS, type StretchBudget } from './stretched-line.js';
import { readWholeLine } from './whole-line.js';

/** An upper deviation, and what stands below it. */
const UPPER = /^\+\s?(?:\d+[.,]?\d*|[.,]\d+)\.?$/;
const LOWER = /^(?:0(?:[.,]0+)?|[+-]\d*[.,]\d+)$/;
const BEGINS = /^(?:0(?:[.,]0*)?|[+-]\d*(?:[.,]\d*)?)$/;
/** What the size, or its fit, before it ends on. */
const SIZE_END = /[\d)°]$/;
/** In letter heights: how far before the deviation the size ends, and how far its baseline is below. */
const BEFORE = [-0.4, 1.6] as const;
const BELOW_UPPER = [0.1, 1.2] as const;
/** In letter heights: where a lower deviation stands below the baseline of the upper one. */
const FROM = 0.02;
const TO = 1.75;
const BESIDE = 0.25;
/** Its height, in that of the upper one. */
const HIGH = [0.75, 1.25] as const;
/** Where a line was taken out of a letter, in the letter's height. */
const LINE_GAP = 0.25;
/** How far what hangs down from above reaches, as a share of the place's height. */
const TAIL = 0.3;
/** Least mean logarithm of its letters. */
const LEAST = -0.9;
/** Darker pixels are ink. */
const INK = 60;

/**
 * Texts of a drawing with the lower deviations that were not read below upper ones, which no drawing leaves out
 * (ISO 129-1): a zero alone is taken for a piece of something, or touches the line below it. The place below each upper
 * deviation is read again, as a deviation alone.
 */
export function withLowerDeviations(texts: readonly PictureText[], part: PageInk): PictureText[] {
  const budget = { ...STRETCH_BOUNDS };
  return texts.flatMap((text) => {
    if (!UPPER.test(text.text) || !isOfSize(text, texts) || hasLower(text, texts)) return [text];
    const lower = lowerOf(text, part, budget);
    return lower === undefined ? [text] : [text, lower];
  });
}

/** Where the start of another text stands, seen from that of one, in the latter's letter heights. */
function seenFrom(text: PictureText, other: PictureText, along = 0): readonly [s: number, t: number] {
  const cos = Math.cos(text.angleRad),
    sin = Math.sin(text.angleRad);
  const [dx, dy] = [other.x + along * cos - text.x, other.y + along * sin - text.y];
  return [(dx * cos + dy * sin) / text.height, (dy * cos - dx * sin) / text.height];
}

function isParallel(text: PictureText, other: PictureText): boolean {
  return other !== text && Math.cos(text.angleRad - other.angleRad) > 0.99;
}

function isOfSize(text: PictureText, texts: readonly PictureText[]): boolean {
  return texts.some((other) => {
    if (!isParallel(text, other) || !SIZE_END.test(other.text)) return false;
    const [s, t] = seenFrom(text, other, other.width);
    return -s > BEFORE[0] && -s < BEFORE[1] && t > BELOW_UPPER[0] && t < BELOW_UPPER[1];
  });
}

/** Whether something was read below an upper deviation. */
function hasLower(text: PictureText, texts: readonly PictureText[]): boolean {
  const wide = text.width / text.height;
  return texts.some((other) => {
    if (other === text) return false;
    const [s, t] = seenFrom(text, other);
    return t > 0.3 && t < TO + 0.3 && s + other.width / text.height > 0.1 && s < wide;
  });
}

function lowerOf(text: PictureText, part: PageInk, budget: StretchBudget): PictureText | undefined {
  const { x, y, angleRad, height, width } = text;
  const scale = part.fine.widthPx / part.page.width;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const [along, down] = [width / 2, ((FROM + TO) / 2) * height];
  const place = {
    x: x + along * cos - down * sin,
    y: y + along * sin + down * cos,
    angleRad,
    width: width + 2 * BESIDE * height,
    height: (TO - FROM) * height,
  };
  const [wide, high] = [Math.round(place.width * scale), Math.round(place.height * scale)];
  if (wide < 8 || high < 8 || budget.tries <= 0 || budget.pixels < wide * wide + high * high) return undefined;
  budget.pixels -= wide * wide + high * high;
  budget.tries--;
  const ink = upright(part.page, part.fine, place, { wide, high });
  withoutLines(ink, { wide, high, scale, place }, part.lines, height);
  withoutTails(ink, wide, high);
  const rows = band(ink, { wide, high, gap: LINE_GAP * height * scale });
  if (rows === undefined) return undefined;
  const [top, bottom] = rows;
  const share = (bottom - top) / (height * scale);
  if (share < HIGH[0] || share > HIGH[1]) return undefined;
  const whole = readWholeLine(
    { width: wide, height: high, ink },
    { x: 0, y: bottom, angleRad: 0, height: bottom - top, width: wide },
  );
  const likeliest = whole && likeliestText(whole.scores, { form: LOWER, begins: BEGINS });
  if (likeliest === undefined) return undefined;
  const said = likeliest.text;
  const confidence = likeliest.sum / said.length;
  if (confidence < LEAST) return undefined;
  const t = bottom / scale + FROM * height;
  return {
    ...text,
    x: x - t * sin,
    y: y + t * cos,
    text: said,
    confidence,
    height: (bottom - top) / scale,
    count: said.length,
    words: [{ text: said, confidence, start: 0, width }],
  };
}

/** Takes out what reaches into the place from above: commas, and letters that hang down. */
function withoutTails(ink: Uint8Array, wide: number, high: number): void {
  const bits = bytesOf(ink, (dark) => (dark >= INK ? 1 : 0));
  const { labels, list } = componentsOf(bitmapOf(wide, high, bits), 8);
  const isTail = list.map(({ box }, i) => i > 0 && box.y0 === 0 && box.y1 < TAIL * high);
  for (let i = 0; i < ink.length; i++) if (isTail[labels[i]]) ink[i] = 0;
}

/**
 * The first and the last row of the highest band of ink. Fewer clear rows than `gap` do not end it: a line that was
 * taken out passed there.
 */
function band(
  ink: Uint8Array,
  { wide, high, gap }: { readonly wide: number; readonly high: number; readonly gap: number },
): readonly [top: number, bottom: number] | undefined {
  let best: readonly [number, number] | undefined;
  let top = 0,
    bottom = -1;
  for (let v = 0; v < high; v++) {
    if (!ink.subarray(v * wide, (v + 1) * wide).some((dark) => dark >= INK)) continue;
    if (bottom < 0 || v - bottom >= gap) top = v;
    bottom = v + 1;
    if (best === undefined || bottom - top > best[1] - best[0]) best = [top, bottom];
  }
  return best;
}
