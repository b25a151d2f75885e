import { lengthOf } from '../../content/geometry.js';
import { upright } from './cell-sign.js';
import { likeliestText } from './likelier-size.js';
import type { PageInk } from './page-ink.js';
import type { PictureText } from './picture-text.js';
import { readBetween, STRETCH_BOUNDS, type StretchBudget } from './stretched-line.js';
import { readWholeLine } from './whole-line.js';

/** A size without a tolerance, behind which a pair of fits may stand. */
const SIZE = /^\(?(?:\d{1,3}\s?[xX×]\s?)?(?:S?⌀|□)?\s?\d[\d.,]*$/;
/** Above and below the baseline of a size, where the pair is sought, in heights of its capitals. */
const ABOVE = 1.6;
const BELOW = 0.75;
/** How far before the end of the size it may begin, where a line was read with it, and how far behind. */
const BEFORE = 1.7;
const BEHIND = 1.2;
/** The longest pair, and the gap that ends it. */
const LONGEST = 2.8;
const END_GAP = 0.5;
/** Paper between the size and the pair. */
const GAP = 0.07;
/** Height of the letters of a pair as a share of those of the size. */
const SMALL = [0.42, 1.1] as const;
/** Where the gap between the two lines may be, as a share of the height of both; its ink beside the rows of letters. */
const SPLIT = [0.33, 0.62] as const;
const SPLIT_INK = 0.6;
/** Height of the lower line, in that of the upper one. */
const LOWER = [0.6, 1.5] as const;
/** Least mean logarithm of a fit's letters. */
const LEAST = -0.45;
/** Shortest line that is no stroke of a letter, in heights of the size. */
const LONG_LINE = 2.6;
/** Darker pixels are ink. */
const INK = 60;
/** Paper before a size that is read again. */
const BESIDE = 0.2;
const HOLE = /^(?:CD|EF|FG|JS|Z[ABC]|[A-HJKMNPR-VX-Z])(?:1[0-8]|0[1]?|[1-9])$/;
const BEGINS = /^[A-Za-z]{1,2}\d{0,2}$/;
const SHAFT = /^(?:cd|ef|fg|js|z[abc]|[a-hjkmnpr-vx-z])(?:1[0-8]|0[1]?|[1-9])$/;

/**
 * Texts of a drawing with the pairs of fits that stand behind sizes, a hole's above a shaft's: small letters, which
 * touch each other or are taken for a figure of the size. Behind each size without a tolerance the two lines are read
 * again, as fits alone.
 */
export function stackedFits(texts: readonly PictureText[], part: PageInk): PictureText[] {
  const budget = { ...STRETCH_BOUNDS };
  const dropped = new Set<PictureText>();
  const added: PictureText[] = [];
  const kept = texts.map((text) => {
    if (!SIZE.test(text.text)) return text;
    const found = pairBehind(text, part, budget);
    if (found === undefined) return text;
    for (const other of texts) if (other !== text && isCovered(other, found.fits)) dropped.add(other);
    added.push(...found.fits);
    return found.size;
  });
  return [...kept.filter((text) => !dropped.has(text)), ...added];
}

interface Pair {
  readonly size: PictureText;
  readonly fits: readonly [PictureText, PictureText];
}

function pairBehind(text: PictureText, part: PageInk, budget: StretchBudget): Pair | undefined {
  const { x, y, angleRad, height, width } = text;
  const scale = part.fine.widthPx / part.page.width;
  const from = Math.max(0.3 * height, width - BEFORE * height),
    to = width + (BEHIND + LONGEST) * height;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const middle = (from + to) / 2,
    down = ((BELOW - ABOVE) / 2) * height;
  const place = {
    x: x + middle * cos - down * sin,
    y: y + middle * sin + down * cos,
    angleRad,
    width: to - from,
    height: (ABOVE + BELOW) * height,
  };
  const [wide, high] = [Math.round(place.width * scale), Math.round(place.height * scale)];
  if (wide < 8 || high < 10 || wide > 1_500 || high > 400 || budget.tries <= 0) return undefined;
  if (budget.pixels < wide * wide + high * high) return undefined;
  budget.pixels -= wide * wide + high * high;
  budget.tries--;
  const ink = upright(part.page, part.fine, place, { wide, high });
  withoutLines(ink, { wide, high, scale, place }, part.lines, height);
  const size = height * scale;
  const columns = new Float64Array(wide);
  for (let v = 0; v < high; v++)
    for (let u = 0; u < wide; u++) if (ink[v * wide + u] >= INK) columns[u] += ink[v * wide + u];
  const ends = (width - from) * scale;
  for (let u = 1; u < wide; u++) {
    if (columns[u] === 0 || columns[u - 1] > 0) continue;
    // A gap before it, or the edge of what is looked at.
    let gap = 0;
    while (gap < u && columns[u - 1 - gap] === 0) gap++;
    if (gap < GAP * size || u > ends + BEHIND * size) continue;
    const fits = fitsFrom(ink, { wide, high, start: u, size, columns });
    if (fits === undefined) continue;
    const at = (s: number, t: number): Pick<PictureText, 'x' | 'y'> => ({
      x: x + (from + s / scale) * cos - (t / scale - ABOVE * height) * sin,
      y: y + (from + s / scale) * sin + (t / scale - ABOVE * height) * cos,
    });
    const said = fits.map((fit): PictureText => {
      const long = (fit.end - fit.start) / scale;
      return {
        ...text,
        ...at(fit.start, fit.baseline),
        text: fit.text,
        confidence: fit.confidence,
        height: fit.height / scale,
        width: long,
        count: fit.text.length,
        words: [{ text: fit.text, confidence: fit.confidence, start: 0, width: long }],
      };
    });
    const pair = [said[0], said[1]] as const;
    if (u >= ends - 0.15 * size) return { size: text, fits: pair };
    const cut = from + (u - gap / 2) / scale;
    const again = readBetween(text, -BESIDE * height, cut, part, budget);
    if (again !== undefined && SIZE.test(again.text) && again.confidence > LEAST)
      return { size: atStart(text, again, cut), fits: pair };
  }
  return undefined;
}

/** A size as it was read again, at the place of its first reading, up to where the pair begins. */
function atStart(text: PictureText, { text: said, confidence, count, words }: PictureText, width: number): PictureText {
  const { height } = text;
  const own = words.map((word, i) => {
    const start = i === 0 ? 0 : Math.max(0, word.start - BESIDE * height);
    const end = i === words.length - 1 ? width : word.start + word.width - BESIDE * height;
    return { ...word, start, width: Math.max(1, end - start) };
  });
  return { ...text, text: said, confidence, count, width, words: own };
}

interface Stretch {
  readonly wide: number;
  readonly high: number;
  /** First column of the pair, and the height of the size's capitals, pixels. */
  readonly start: number;
  readonly size: number;
  readonly columns: Float64Array;
}

interface Fit {
  readonly text: string;
  readonly confidence: number;
  readonly start: number;
  readonly end: number;
  readonly baseline: number;
  readonly height: number;
}

/** The two fits whose letters begin at a column; undefined where there are none. */
function fitsFrom(ink: Uint8Array, stretch: Stretch): readonly [Fit, Fit] | undefined {
  const { wide, high, start, size, columns } = stretch;
  let end = start,
    empty = 0;
  for (let u = start; u < wide && empty < END_GAP * size && u - start < LONGEST * size; u++) {
    if (columns[u] > 0) [end, empty] = [u + 1, 0];
    else empty++;
  }
  if (end - start < 0.5 * size) return undefined;
  const rows = new Float64Array(high);
  for (let v = 0; v < high; v++)
    for (let u = start; u < end; u++) if (ink[v * wide + u] >= INK) rows[v] += ink[v * wide + u];
  let [top, bottom] = [0, high];
  while (top < high && rows[top] === 0) top++;
  while (bottom > top && rows[bottom - 1] === 0) bottom--;
  const both = bottom - top;
  if (both < 2 * SMALL[0] * size || both > 2.7 * SMALL[1] * size) return undefined;
  let split = -1;
  for (let v = Math.round(top + SPLIT[0] * both); v <= top + SPLIT[1] * both; v++)
    if (split < 0 || rows[v] < rows[split]) split = v;
  const full = [...rows.subarray(top, bottom)].sort((a, b) => a - b)[both >> 1];
  if (split < 0 || rows[split] > SPLIT_INK * full) return undefined;
  // The gap's two sides.
  let [upper, lower] = [split, split];
  while (upper > top && rows[upper - 1] <= SPLIT_INK * full) upper--;
  while (lower < bottom && rows[lower] <= SPLIT_INK * full) lower++;
  const capital = upper - top;
  if (capital < SMALL[0] * size || capital > SMALL[1] * size) return undefined;
  // The shaft's grade stands on the baseline, its letter may go below.
  let baseline = lower;
  for (let u = end - Math.max(2, Math.round(0.4 * capital)); u < end; u++)
    for (let v = baseline; v < bottom; v++) if (ink[v * wide + u] >= INK) baseline = v + 1;
  if (baseline - lower < LOWER[0] * capital || baseline - lower > LOWER[1] * capital) return undefined;
  const fitOf = (base: number, [first, last]: readonly [number, number], form: RegExp): Fit | undefined => {
    const own = new Uint8Array(wide * high);
    own.set(ink.subarray(first * wide, last * wide), first * wide);
    const place = { x: start, y: base, angleRad: 0, height: capital, width: end - start };
    const whole = readWholeLine({ width: wide, height: high, ink: own }, place);
    const likeliest = whole && likeliestText(whole.scores, { form, begins: BEGINS });
    if (likeliest === undefined) return undefined;
    const said = likeliest.text;
    const confidence = likeliest.sum / said.length;
    if (confidence < LEAST) return undefined;
    return { text: said, confidence, start, end, baseline: base, height: capital };
  };
  const hole = fitOf(upper, [0, split], HOLE);
  const shaft = hole && fitOf(baseline, [split, high], SHAFT);
  return hole === undefined || shaft === undefined ? undefined : [hole, shaft];
}

/** Takes lines that are longer than letters, and their grey edges, out of a part of the page. */
export function withoutLines(
  ink: Uint8Array,
  { wide, high, scale, place }: { wide: number; high: number; scale: number; place: Parameters<typeof upright>[2] },
  lines: PageInk['lines'],
  height: number,
): void {
  const cos = Math.cos(place.angleRad),
    sin = Math.sin(place.angleRad);
  const reach = Math.hypot(place.width, place.height) / 2;
  const inFrame = (x: number, y: number): readonly [number, number] => {
    const [dx, dy] = [x - place.x, y - place.y];
    return [(dx * cos + dy * sin) * scale + wide / 2, (dy * cos - dx * sin) * scale + high / 2];
  };
  for (const line of lines) {
    const { x0, y0, x1, y1, thickness } = line;
    if (lengthOf(line) < LONG_LINE * height) continue;
    if (Math.min(x0, x1) > place.x + reach || Math.max(x0, x1) < place.x - reach) continue;
    if (Math.min(y0, y1) > place.y + reach || Math.max(y0, y1) < place.y - reach) continue;
    const [u0, v0] = inFrame(x0, y0),
      [u1, v1] = inFrame(x1, y1);
    const long = Math.hypot(u1 - u0, v1 - v0);
    const most = (thickness / 2 + 1) * scale;
    for (let v = 0; v < high; v++)
      for (let u = 0; u < wide; u++) {
        const along = ((u + 0.5 - u0) * (u1 - u0) + (v + 0.5 - v0) * (v1 - v0)) / long;
        const across = ((u + 0.5 - u0) * (v1 - v0) - (v + 0.5 - v0) * (u1 - u0)) / long;
        if (along > -most && along < long + most && Math.abs(across) < most) ink[v * wide + u] = 0;
      }
  }
}

/** Whether the middle of a text stands among the letters of a pair. */
function isCovered({ x, y, angleRad, width, height }: PictureText, fits: readonly PictureText[]): boolean {
  const [u, v] = [
    x + 0.5 * width * Math.cos(angleRad) + 0.5 * height * Math.sin(angleRad),
    y + 0.5 * width * Math.sin(angleRad) - 0.5 * height * Math.cos(angleRad),
  ];
  return fits.some((fit) => {
    const cos = Math.cos(fit.angleRad),
      sin = Math.sin(fit.angleRad);
    const s = (u - fit.x) * cos + (v - fit.y) * sin,
      t = (v - fit.y) * cos - (u - fit.x) * sin;
    return s > -0.3 * fit.height && s < fit.width + 0.3 * fit.height && t < 0.3 * fit.height && t > -1.3 * fit.height;
  });
}
