import { distanceTo, edgeAt, lengthOf, TurnedFrame } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import type { GlyphCandidate } from '../glyph.js';
import type { LineIndex } from '../line-index.js';
import { type Extent, extentOf } from './blob-picture.js';
import type { Blob } from './blobs.js';
import { A_POINT, type Glyph, LOW, POINT, recognised, NO_LETTER } from './line-glyphs.js';
import { isStacked } from './lone-zeros.js';
import type { ReadLine } from './read-line.js';
import { isPrime, smallI, withMarks } from './stroke-marks.js';

/** Lengths of hyphens and their largest gap to a digit, as shares of the height of capitals. */
const HYPHEN = [0.25, 0.85] as const;
const SHORT_HYPHEN = 0.18;
const HYPHEN_GAP = 0.62;
/** Least length of a line whose shoulder a stroke may be, and how near its end is to it, in those heights. */
const LEAST_LEG = 1.2;
const MEETS = 0.05;
/** Strokes of one line are offset by less, and how far beyond a text another one is sought. */
const ONE_LINE = 0.06;
const DASH_REACH = 3;
const SIGN_TEXT = 0.5;
/** What open arrowheads beside a value look like. */
const ARROW = /^[<>]$/;
const SPECK_GAP = 0.5;
/** What is longer than high by more is a hyphen and no point. */
const BAR = 1.7;
const SIGN_GAP = 2.4;
/** Least size of a sign beside a line, degrees excepted. */
const SMALLEST_SIGN = 0.5;
/** How far the starts of two limits differ, and how far before them their sign stands, in heights of capitals. */
const LIMITS_START = 0.5;
const LIMITS_SIGN = 1.2;

/** What a stroke at the top of a text, behind a figure, is. */
const A_PRIME: GlyphCandidate = { text: "'", probability: 0.9 };

/** Adds the signs beside a line that are drawn out of order, or by strokes beside letters that are areas. */
export function beside(
  { sheet, index }: { readonly sheet: Sheet; readonly index: LineIndex },
  line: ReadLine,
  blobs: readonly Blob[],
  used: Set<Blob>,
): ReadLine {
  const { slant, height, baseline } = line;
  const glyphs = [...line.glyphs];
  const start = Math.min(...glyphs.map(({ minS }) => minS)),
    end = Math.max(...glyphs.map(({ maxS }) => maxS));
  for (const [at, blob] of blobs.entries()) {
    if (used.has(blob) || blob.isAround) continue;
    const extent = extentOf(sheet, blob, slant);
    const high = extent.maxH - extent.minH;
    if (
      extent.minS > end + SIGN_GAP * height ||
      extent.maxS < start - SIGN_GAP * height ||
      extent.minH < baseline - 0.6 * height ||
      extent.maxH > baseline + 1.7 * height
    )
      continue;
    if (high > 2.1 * height || extent.maxS - extent.minS > 2.6 * height) continue;
    if (isPointOf(glyphs, extent, line)) {
      used.add(blob);
      glyphs.push({ blobs: [blob], candidates: [A_POINT], ...extent });
      continue;
    }
    if (isPrime(blob, index, { ...line, glyphs }, extent)) {
      used.add(blob);
      glyphs.push({ blobs: [blob], candidates: [A_PRIME], ...extent });
      continue;
    }
    const small = smallI(sheet, blobs.slice(at, at + 2), line);
    if (small !== undefined && !used.has(blobs[at + 1])) {
      used.add(blob).add(blobs[at + 1]);
      glyphs.push(small);
      continue;
    }
    const [first] = recognised(sheet, [blob], slant, {
      height: high / height,
      bottom: (extent.minH - baseline) / height,
    });
    // A mark below the line is a minus of the line below.
    if (
      first === undefined ||
      first.text === '' ||
      first.text === '_' ||
      first.probability < SIGN_TEXT ||
      ARROW.test(first.text) ||
      ((blob.isLine || blob.isArrow || first.text === '-') &&
        !isHyphen(first.text, extent, { ...line, glyphs }, start, end)) ||
      (blob.isLine &&
        (isShoulder(sheet, blob, index, height) || isDash(sheet, blob, { index, line, start, end, used })))
    )
      continue;
    if (!blob.isFill && /^[A-Za-z0-9.,:'"]$/.test(first.text)) continue;
    if (first.text === '.' && !isPointAt(extent, line, start, end)) continue;
    // A digit off the line is a deviation.
    if (/^[A-Za-z0-9]$/.test(first.text) && Math.abs(extent.minH - baseline) > LOW * height) continue;
    // The points at which dimension lines end have lines through them.
    if (
      NO_LETTER.test(first.text) &&
      first.text !== '°' &&
      Math.max(high, extent.maxS - extent.minS) < SMALLEST_SIGN * height
    )
      continue;
    used.add(blob);
    glyphs.push({ blobs: [blob], candidates: [first], ...extent });
  }
  const sorted = glyphs.sort((a, b) => a.minS - b.minS);
  return { ...line, glyphs: withMarks(sorted, height) };
}

/**
 * The sign of a diameter or radius that stands before two limits, in the middle of their height, as a line of its own.
 */
export function signsOfLimits(
  sheet: Sheet,
  read: readonly ReadLine[],
  blobs: readonly Blob[],
  used: Set<Blob>,
): readonly ReadLine[] {
  const found: ReadLine[] = [];
  const startOf = ({ glyphs }: ReadLine): number => Math.min(...glyphs.map(({ minS }) => minS));
  for (const upper of read) {
    const { slant, height } = upper;
    const lower = read.find(
      (line) =>
        line !== upper &&
        upper.baseline - line.baseline > height &&
        isStacked(line, upper) &&
        Math.abs(startOf(line) - startOf(upper)) < LIMITS_START * height,
    );
    if (lower === undefined) continue;
    const baseline = (upper.baseline + lower.baseline) / 2,
      start = startOf(upper);
    for (const blob of blobs) {
      if (used.has(blob) || blob.isLine || blob.isAround) continue;
      const extent = extentOf(sheet, blob, slant);
      const high = extent.maxH - extent.minH;
      if (
        start - extent.maxS < -0.1 * height ||
        start - extent.maxS > LIMITS_SIGN * height ||
        high < SMALLEST_SIGN * height ||
        high > 1.6 * height ||
        Math.abs((extent.minH + extent.maxH) / 2 - baseline - height / 2) > 0.2 * height
      )
        continue;
      const place = { height: high / height, bottom: (extent.minH - baseline) / height };
      const candidates = recognised(sheet, [blob], slant, place);
      if (!/^[⌀R]$/.test(candidates.at(0)?.text ?? '') || candidates[0].probability < SIGN_TEXT) continue;
      used.add(blob);
      const glyph = { blobs: [blob], candidates, ...extent };
      found.push({ glyphs: [glyph], slant, height, baseline, score: candidates[0].probability });
    }
  }
  return found;
}

/** Whether a point stands where one may: on the baseline and near, not a hyphen or the dot at a line's end. */
function isPointAt(
  { minS, maxS, minH, maxH }: Extent,
  { height, baseline }: ReadLine,
  start: number,
  end: number,
): boolean {
  return (
    maxS - minS < BAR * (maxH - minH) &&
    Math.abs(minH - baseline) < LOW * height &&
    Math.max(minS - end, start - maxS) < SPECK_GAP * height
  );
}

/** Whether a speck stands on the baseline right before or behind a digit. */
function isPointOf(glyphs: readonly Glyph[], speck: Extent, { height, baseline }: ReadLine): boolean {
  const { minS, maxS, minH, maxH } = speck;
  if (Math.max(maxS - minS, maxH - minH) > POINT * height || Math.abs(minH - baseline) > LOW * height) return false;
  return glyphs.some(
    (glyph) =>
      /^\d$/.test(glyph.candidates.at(0)?.text ?? '') &&
      Math.max(minS - glyph.maxS, glyph.minS - maxS) > 0 &&
      Math.max(minS - glyph.maxS, glyph.minS - maxS) < SPECK_GAP * height,
  );
}

/** Whether an end of a stroke lies on a longer line, whose shoulder it is. */
function isShoulder({ strokes: { points, starts } }: Sheet, blob: Blob, index: LineIndex, height: number): boolean {
  const [stroke] = blob.strokes;
  const piece = edgeAt(points, starts[stroke]);
  const least = Math.max(LEAST_LEG * height, lengthOf(piece));
  return [
    [piece.x0, piece.y0],
    [piece.x1, piece.y1],
  ].some(([x, y]) =>
    index
      .near(x, y, MEETS * height)
      .some((edge) => edge.stroke !== stroke && lengthOf(edge) > least && distanceTo(edge, x, y) < MEETS * height),
  );
}

/** A text on a sheet, and the blobs of all texts. */
interface TextAt {
  readonly index: LineIndex;
  readonly line: ReadLine;
  readonly start: number;
  readonly end: number;
  readonly used: ReadonlySet<Blob>;
}

/**
 * Whether a stroke before a text goes on in another one of its line, before it or behind the text: a dash of a broken
 * dimension line.
 */
function isDash(
  sheet: Sheet,
  blob: Blob,
  { index, line: { slant, height, baseline, glyphs }, start, end, used }: TextAt,
): boolean {
  const { points, starts } = sheet.strokes;
  const frame = new TurnedFrame(slant.alongRad);
  const [stroke] = blob.strokes;
  const edge = frame.turned(edgeAt(points, starts[stroke]));
  const [from, to, t] = [Math.min(edge.x0, edge.x1), Math.max(edge.x0, edge.x1), (edge.y0 + edge.y1) / 2];
  const further = index
    .nearIn(frame, (start + end) / 2, t, (end - start) / 2 + DASH_REACH * height)
    .filter((each) => each.stroke !== stroke && Math.abs(each.y0 - t) + Math.abs(each.y1 - t) < 2 * ONE_LINE * height);
  const dashes = further.filter(({ x0, x1 }) => {
    const [first, last] = [Math.min(x0, x1), Math.max(x0, x1)];
    const before = from - last;
    const isBefore = before > -ONE_LINE * height && before < Math.max(to - from, last - first);
    const isBehind = first > end - ONE_LINE * height && first < end + HYPHEN_GAP * height;
    return last - first > HYPHEN[0] * height && (isBefore || isBehind);
  });
  if (dashes.length === 0) return false;
  const letters = new Set([...used].flatMap(({ strokes }) => strokes));
  if (dashes.every(({ stroke: of }) => letters.has(of))) return false;
  // A hyphen of a date has letters of another line on its other side.
  const own = new Set(glyphs.flatMap(({ blobs }) => blobs));
  const { minS, maxS } = extentOf(sheet, blob, slant);
  const isBefore = maxS < (start + end) / 2;
  return ![...used].some((other) => {
    if (own.has(other)) return false;
    const extent = extentOf(sheet, other, slant);
    const gap = isBefore ? minS - extent.maxS : extent.minS - maxS;
    const middle = (extent.minH + extent.maxH) / 2;
    return (
      Math.abs(gap) < HYPHEN_GAP * height &&
      Math.abs(middle - baseline - height / 2) < 0.3 * height &&
      extent.maxH - extent.minH > 0.6 * height
    );
  });
}

/** Lines beside a text may also be its leader. Between two letters a hyphen of a narrow font may be shorter. */
function isHyphen(
  text: string,
  { minS, maxS }: Extent,
  { height, glyphs }: ReadLine,
  start: number,
  end: number,
): boolean {
  const length = (maxS - minS) / height;
  const isBetween =
    length > SHORT_HYPHEN &&
    [(glyph: Glyph) => minS - glyph.maxS, (glyph: Glyph) => glyph.minS - maxS].every((gapOf) =>
      glyphs.some((glyph) => gapOf(glyph) > 0 && gapOf(glyph) < HYPHEN_GAP * height),
    );
  return (
    text === '-' &&
    (length > HYPHEN[0] || isBetween) &&
    length < HYPHEN[1] &&
    minS > start - (length + HYPHEN_GAP) * height &&
    maxS < end
  );
}
