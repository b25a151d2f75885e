import { addTo } from '../content/groups.js';
import {
  hasLeadingZero,
  numberOf,
  plainSigns,
  readDimension,
  readTolerance,
  type DimensionReading,
} from './dimension-text.js';
import { endsInDepth } from './dimension-words.js';
import { areNearAsLimits } from './sizes/limits.js';
import { asFitted, asShaft } from './sizes/read-fits.js';
import { deviationOf } from './sizes/tolerance-text.js';
import { wordedSize } from './sizes/worded-sizes.js';
import type { TextLine } from './text-lines.js';

/** A line that reads as a dimension, with the lines of its tolerance. */
export interface ReadLine {
  readonly line: TextLine;
  readonly reading: DimensionReading;
  /** The second line of a size that is given by its limits. */
  readonly lowerLimit?: string;
  /** Other lines that belong to it and have no meaning of their own. */
  readonly taken: readonly TextLine[];
  /** The same where other sizes stand between: outside of its place. */
  readonly far?: readonly TextLine[];
}

/** In letter heights: how far above or below, and how far behind the size, deviations may stand. */
const LOWEST = 0.2;
/** Small deviations are centred on the size, so the lower one begins hardly below its baseline. */
const LOWEST_BELOW = 0.08;
/**
 * Still smaller ones, as a share of the size's height, stand above and below its middle, so much above its baseline.
 */
const SMALL = 0.85;
const MIDDLE = 0.35;
/** The same for the lower fit of a pair. */
const LOWEST_FIT = 0.02;
const HIGHEST = 1.35;
/** The same for the lower one of two limits: above and below a dimension line. */
const LIMITS_APART = 1.45;
/** The same for a lower deviation on a line of its own, as large as the size. */
const DEVIATION_BELOW = [0.8, 1.8] as const;
const SAME_HEIGHT = 1.4;
const BEHIND = 0.9;
/** The same for deviations with a sign: on slanted text one of the two lines begins further off. */
const BEHIND_SIGNED = 1.4;
/** How far before the end of a size they may begin, as a share of the room that its guessed width leaves. */
const GUESSED_EARLY = 0.5;
/** Zeros stand below the digits of the other deviation, behind the room of its sign. */
const BEHIND_ZERO = 1.9;

/** `9-M10` whose hyphen was not seen: no hole has a fit M of such a grade. */
const THREADS_COUNTED = /^(\d{1,2}) ?(M(?:1[02468]|2[0247]|30|36))$/;

/** Words with less confidence of their letters are not told as such. */
const SURE = 0.8;
/** Limits of one width, as a share of it. */
const SAME_WIDTH = 0.1;
/** Most lines beside a size; of more a person can read none. */
const MOST_NEIGHBOURS = 100;

/**
 * Reads lines as dimensions. Deviations stacked on each other, and sizes stacked as limits, become one dimension. In
 * the given order.
 * @param isHeld whether a leader or a dimension line holds a text: then words that no grammar knows may stand about it.
 */
export function readLines(lines: readonly TextLine[], isHeld: (line: TextLine) => boolean = () => false): ReadLine[] {
  const taken = new Set<TextLine>();
  const read: ReadLine[] = [];
  const order = lines.flatMap((line) => {
    if (isRead(line) && hasLeadingZero(line.text)) return [];
    const text = isRead(line) ? line.text.replace(THREADS_COUNTED, '$1-$2') : line.text;
    const reading = readDimension(text) ?? (isRead(line) ? readDimension(asFitted(text)) : undefined);
    if (reading !== undefined)
      return [{ line, reading: isRead(line) ? withZeroApart(reading) : reading, hasEnd: false }];
    const worded = isSurelyRead(line) ? wordedSize(line.text) : undefined;
    if (worded !== undefined && isHeld(line)) return [{ line, reading: worded, hasEnd: false }];
    const plain = withoutEnds(line.text);
    const again = plain === undefined ? undefined : readDimension(plain);
    return again === undefined ? [] : [{ line, reading: again, hasEnd: true }];
  });
  const ofAngle = new Map<number, TextLine[]>();
  for (const line of lines) addTo(ofAngle, line.angleRad, line);
  const sizes = order.map((each) => {
    const { line } = each;
    const isBeside = (other: TextLine): boolean =>
      other !== line &&
      Math.abs(other.t - line.t) <= DEVIATION_BELOW[1] * line.height &&
      other.start < line.end + 6 * line.height &&
      other.end > line.start - line.height;
    const neighbours: TextLine[] = [];
    for (const other of ofAngle.get(line.angleRad) ?? []) {
      if (neighbours.length === MOST_NEIGHBOURS) break;
      if (isBeside(other)) neighbours.push(other);
    }
    const near = neighbours.filter((other) => Math.abs(other.t - line.t) < HIGHEST * line.height);
    const beside = neighbours.filter((other) => Math.abs(other.t - line.t) <= LIMITS_APART * line.height);
    return { ...each, neighbours: near, beside, about: neighbours };
  });
  const deviated = withOwnDeviations(sizes);
  for (const { taken: own } of deviated.values()) for (const other of own) taken.add(other);
  for (const { line, reading, neighbours, beside, about } of sizes) {
    const [free, freeAbout] = [neighbours, about].map((among) => among.filter((other) => !taken.has(other)));
    const stacked =
      deviated.get(line) ??
      withFits(line, reading, free) ??
      withLowerBelow(line, reading, freeAbout) ??
      asLimits(line, reading, beside);
    if (stacked === undefined) continue;
    for (const other of stacked.taken) taken.add(other);
    read.push(stacked);
  }
  const stackedLines = new Set(read.map(({ line }) => line));
  for (const { line, reading } of order) if (!stackedLines.has(line)) read.push({ line, reading, taken: [] });
  const places = new Map(lines.map((line, i) => [line, i]));
  return read.filter(({ line }) => !taken.has(line)).sort((a, b) => places.get(a.line)! - places.get(b.line)!);
}

interface OpenSize {
  readonly line: TextLine;
  readonly reading: DimensionReading;
  readonly hasEnd: boolean;
  readonly neighbours: readonly TextLine[];
  /** Those too that only limits of one size may be as far away from. */
  readonly beside: readonly TextLine[];
  /** Those too that only a lower deviation on a line of its own may be as far away from. */
  readonly about: readonly TextLine[];
}

/**
 * Sizes with the deviations about them. Where sizes stand close below each other a deviation may be that of two: it is
 * that of the one whose two deviations are nearest.
 */
function withOwnDeviations(sizes: readonly OpenSize[]): ReadonlyMap<TextLine, ReadLine> {
  const found = new Map<TextLine, ReadLine>();
  const taken = new Set<TextLine>();
  const readAmong = (size: OpenSize, among: readonly TextLine[]): ReadLine | undefined =>
    withDeviations(size.line, size.reading, among, { hasEnd: size.hasEnd });
  const apart = ({ line, taken: own }: ReadLine): number =>
    own.reduce((sum, { t }) => sum + Math.abs(t - line.t), 0) / line.height;
  const proposals = sizes
    .flatMap((size) => {
      const read = readAmong(size, size.neighbours);
      return read === undefined ? [] : [{ size, read }];
    })
    .sort((a, b) => apart(a.read) - apart(b.read));
  for (const { size, read } of proposals) {
    const isFree = read.taken.every((other) => !taken.has(other));
    const own = isFree
      ? read
      : readAmong(
          size,
          size.neighbours.filter((other) => !taken.has(other)),
        );
    if (own === undefined) continue;
    for (const other of own.taken) taken.add(other);
    found.set(size.line, own);
  }
  return found;
}

/**
 * `+0,10` alone, read from pixels or outlines, is `+0,1 0` whose gap was lost: a lower deviation is always written, and
 * of zero it has no decimals (ISO 129-1).
 */
function withZeroApart(reading: DimensionReading): DimensionReading {
  const [deviation] = reading.toleranceTexts;
  const isAlone = reading.toleranceTexts.length === 1 && /^\+(?:\d+)?[.,]\d*[1-9]0$/.test(deviation);
  return isAlone ? { ...reading, toleranceTexts: [deviation.slice(0, -1), '0'] } : reading;
}

/** Signs that stand before two limits, in the middle of their height, and the count before them. */
const BEFORE_LIMITS = /^(?:\d{1,3}\s?[xX×]\s?)?(?:S?⌀|SR|CR|R|□|↧|[⌴⌵]\s?⌀?)$|^\d{1,3}\s?[xX×]$/;
const BEFORE = 0.9;
const SIGN_AND_NUMBER = /^((?:\d{1,3}\s?[xX×]\s?)?(?:S?⌀|SR|R))\s?([\d.,]+)$/;
/** Numbers end at one place, in letter heights. */
const ENDS = 0.3;
/** Most fits behind one size that are tried as a pair. */
const MOST_STACKED = 8;

/** A hole's fit above that of the shaft, behind their common size. */
function withFits(line: TextLine, reading: DimensionReading, neighbours: readonly TextLine[]): ReadLine | undefined {
  if (reading.toleranceTexts.length > 0 || reading.kind === 'angle') return undefined;
  const { height } = line;
  const follows = ({ start }: TextLine): boolean =>
    start > line.end - 0.4 * height && start < line.end + BEHIND * height + slackOf(line);
  const isAbove = ({ t }: TextLine): boolean => line.t - t > LOWEST * height;
  const isBelow = ({ t }: TextLine): boolean => t - line.t > LOWEST_FIT * height;
  const fitOf = (other: TextLine): string => (isRead(other) && isBelow(other) ? asShaft(other.text) : other.text);
  const isFit = (other: TextLine): boolean => readTolerance(fitOf(other))?.fit !== undefined;
  const behind = neighbours.filter((other) => follows(other) && isFit(other)).slice(0, MOST_STACKED);
  for (const upper of behind.filter(isAbove))
    for (const lower of behind.filter(isBelow)) {
      const fit = readTolerance(`${plainSigns(upper.text)}/${plainSigns(fitOf(lower))}`);
      if (fit?.fit !== undefined && fit.toleranceTexts.length === 1)
        return { line, reading: { ...reading, ...fit }, taken: [upper, lower] };
    }
  return undefined;
}

/** A size with its upper deviation, and the lower one on a line of its own below the end of it: texts of a file. */
function withLowerBelow(line: TextLine, reading: DimensionReading, about: readonly TextLine[]): ReadLine | undefined {
  const [upper, ...more] = reading.toleranceTexts;
  if (isRead(line) || upper === undefined || more.length > 0 || !/^[+-]/.test(upper)) return undefined;
  const { height, end, t } = line;
  const isBelow = (other: TextLine): boolean =>
    other.t - t > DEVIATION_BELOW[0] * height &&
    other.t - t < DEVIATION_BELOW[1] * height &&
    other.start < end &&
    other.end > end - height &&
    Math.max(height, other.height) < SAME_HEIGHT * Math.min(height, other.height);
  for (const lower of about) {
    const text = plainSigns(lower.text).trim();
    if (!isBelow(lower) || !/^[+-]\s?[\d.,]+$/.test(text)) continue;
    const both = readTolerance(`${upper}/${text}`);
    if (both !== undefined && both.toleranceTexts.length === 2)
      return { line, reading: { ...reading, ...both }, taken: [lower] };
  }
  return undefined;
}

/**
 * A size without strokes of its dimension line, or of the minus behind it, that were read as marks: `-3.11-`. `4.` is a
 * note.
 */
function withoutEnds(text: string): string | undefined {
  const found = /^[-_]?\s?(.*[\d)])\s?(?:[-_.]*[-_][-_.]*|\.{2,})$/.exec(text);
  return found === null ? undefined : found[1];
}

/**
 * An upper deviation above the size, and a lower one below or on the line of the size. hasEnd: whether a mark stood
 * behind the size, which may be the minus of a lower deviation that has no sign.
 */
export function withDeviations(
  line: TextLine,
  reading: DimensionReading,
  neighbours: readonly TextLine[],
  { hasEnd }: { readonly hasEnd: boolean },
): ReadLine | undefined {
  const { height } = line;
  const isDeviation = (other: TextLine): boolean =>
    /^[+\-−]?\s?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s?[°'′]?$/.test(plainSigns(withoutLastPoint(other)));
  // The nearest first.
  const isSmall = (other: TextLine): boolean => other.height < SMALL * height;
  const raised = (other: TextLine): number => MIDDLE * (other.height / height - 1);
  const above = neighbours
    .filter((other) => line.t - other.t > (isSmall(other) ? -raised(other) : LOWEST) * height && isDeviation(other))
    .sort((a, b) => b.t - a.t);
  const below = neighbours
    .filter(
      (other) => other.t - line.t > (isSmall(other) ? raised(other) : LOWEST_BELOW) * height && isDeviation(other),
    )
    .sort((a, b) => a.t - b.t);
  const reachOf = ({ text }: TextLine): number => {
    if (/^0(?:[.,]0+)?$/.test(text)) return BEHIND_ZERO;
    return hasEnd || /^[+\-−]/.test(text) ? BEHIND_SIGNED : BEHIND;
  };
  // A size whose width is guessed may end before that.
  const early = Math.max(0.4 * height, GUESSED_EARLY * slackOf(line));
  const follows = (other: TextLine): boolean =>
    other.start > line.end - early && other.start < line.end + reachOf(other) * height + slackOf(line);
  const isFit = reading.fit !== undefined && reading.toleranceTexts.length === 1;
  if (isFit || (reading.toleranceTexts.length === 0 && reading.tolerance === undefined)) {
    const upper = above.find(follows),
      lower = below.find(follows);
    if (upper === undefined || lower === undefined) return undefined;
    const isSigned = !hasEnd || !/^[\d.,]/.test(lower.text) || numberOf(lower.text) === 0;
    const [first, second] = [upper, lower].map(withoutLastPoint);
    return merged(line, reading, [first, isSigned ? second : `-${second}`], [upper, lower]);
  }
  if (reading.toleranceTexts.length !== 1 || reading.fit !== undefined || reading.toleranceTexts[0].startsWith('±'))
    return undefined;
  // The lower deviation is on the line of the size, the upper one above it.
  const upper = above.find(
    (other) =>
      other.start > (line.start + line.end) / 2 - height &&
      other.start < line.end &&
      other.end < line.end + 1.2 * height,
  );
  return upper === undefined ? undefined : merged(line, reading, [upper.text, reading.toleranceTexts[0]], [upper]);
}

/** `+.03.` of pixels: the point is a speck, or the end of a line. */
function withoutLastPoint(line: TextLine): string {
  return isRead(line) ? line.text.replace(/(?<=\d)[.,]$/, '') : line.text;
}

function merged(
  line: TextLine,
  reading: DimensionReading,
  [above, below]: readonly [string, string],
  taken: readonly TextLine[],
): ReadLine | undefined {
  // Only zeros have no sign: over a negative deviation its plus was not read.
  const isPlus = /^[\d.,]/.test(above) && numberOf(above) > 0 && /^-/.test(plainSigns(below));
  // A lower deviation without a sign is negative: a minus is narrow, or lies in a line, and is lost before a plus is.
  const lower = isRead(line) ? withPointBehindZero(above, below) : below;
  const isMinus = isRead(line) && /^[\d.,]/.test(lower) && numberOf(lower) > 0;
  const written = [isPlus ? `+${above}` : above, isMinus ? `-${lower}` : lower];
  const values = written.map((text) => deviationOf(plainSigns(text), reading.kind));
  if (values.some((value) => !Number.isFinite(value))) return undefined;
  // Only angles have minutes.
  if (reading.kind !== 'angle' && written.some((text) => /['′]/.test(text))) return undefined;
  const fit = reading.fit === undefined ? [] : [reading.fit];
  const tolerance = readTolerance(written.map((text) => plainSigns(text).replace(/\s/g, '')).join(' '));
  const toleranceTexts = tolerance?.toleranceTexts ?? written.map((text) => plainSigns(text).replace(/\s/g, ''));
  // Behind `⌀10 DEEP 20` they are those of the depth.
  if (reading.kind !== 'depth' && endsInDepth(reading.text))
    return { line, reading: { ...reading, text: [reading.text, ...toleranceTexts].join(' ') }, taken };
  return {
    line,
    reading: {
      ...reading,
      toleranceTexts: [...fit, ...toleranceTexts],
      tolerance: { upper: Math.max(...values), lower: Math.min(...values) },
    },
    taken,
  };
}

/** `01` below `+0.37` is `0.1`: no number begins with a zero and a figure. */
function withPointBehindZero(above: string, below: string): string {
  const point = /0([.,])\d/.exec(above)?.[1];
  return point === undefined ? below : below.replace(/^([+\-−]?\s?0)(?=\d*[1-9]\d*$)/, `$1${point}`);
}

/** The lower limit with the point of the upper one, where it has as many figures and its own point was not read. */
function withPointOf(upper: string, lower: string): string {
  const [, whole, point, places] = /(\d*)([.,])(\d+)$/.exec(upper) ?? [];
  if (point === undefined || !/^\d+$/.test(lower) || lower.length !== whole.length + places.length) return lower;
  return `${lower.slice(0, whole.length)}${point}${lower.slice(whole.length)}`;
}

/** The upper limit with the point of the lower one, where its own was not seen: `4636` above `46.00`. */
function withOtherPoint(upper: DimensionReading, lower: string): DimensionReading {
  const text = withPointOf(lower, upper.text);
  return (text === upper.text ? undefined : readDimension(text)) ?? upper;
}

/** Limits: the larger size above the smaller one, near it and of the same form. */
function asLimits(line: TextLine, asRead: DimensionReading, neighbours: readonly TextLine[]): ReadLine | undefined {
  if (asRead.toleranceTexts.length > 0 || asRead.isReference) return undefined;
  for (const other of neighbours) {
    const down = other.t - line.t;
    if (
      down < 0.6 * line.height ||
      down > LIMITS_APART * line.height ||
      Math.abs(other.height - line.height) > unevenOf(line, other) * line.height
    )
      continue;
    if (
      Math.abs(other.start + other.end - (line.start + line.end)) > line.height &&
      Math.abs(other.end - line.end) > 0.3 * line.height
    )
      continue;
    const [, ownSign = '', number] = SIGN_AND_NUMBER.exec(plainSigns(other.text)) ?? [];
    // A sign on the line of the lower one stands for both where their numbers end at one place.
    const isShared =
      ownSign !== '' &&
      asRead.kind === 'length' &&
      asRead.count === 1 &&
      Math.abs(other.end - line.end) < ENDS * line.height;
    if (ownSign !== '' && !isShared) continue;
    const reading = isRead(line) ? withOtherPoint(asRead, number ?? plainSigns(other.text)) : asRead;
    const lowerLimit = withPointOf(reading.text, number ?? plainSigns(other.text));
    const limits = readDimension(`${reading.text}-${lowerLimit}`);
    const least = numberOf(lowerLimit);
    if (limits?.tolerance === undefined || !areNearAsLimits(reading.nominal, least, limits.kind)) continue;
    const sign = isShared ? undefined : signBefore(line, other, neighbours);
    const said = sign === undefined ? ownSign : plainSigns(sign.text);
    const signed = said === '' ? undefined : readDimension(`${said} ${reading.text}`);
    if (signed === undefined) return { line, reading: { ...limits, text: reading.text }, lowerLimit, taken: [other] };
    return {
      line,
      reading: { ...limits, kind: signed.kind, count: signed.count, text: `${said}${reading.text}` },
      lowerLimit,
      taken: sign === undefined ? [other] : [other, sign],
    };
  }
  return undefined;
}

/**
 * How far the heights of two limits may differ, as a share: those of letters of pixels and outlines are measured, on
 * slanted text worse than widths.
 */
function unevenOf(upper: TextLine, lower: TextLine): number {
  if (!isRead(upper) || !isRead(lower)) return 0.1;
  const [first, second] = [upper.end - upper.start, lower.end - lower.start];
  return Math.abs(first - second) < SAME_WIDTH * first ? 0.5 : 0.35;
}

/** How much further a line may reach than its guessed width. */
function slackOf({ pieces }: TextLine): number {
  return pieces.at(-1)?.slack ?? 0;
}

/** Whether no word of a line was read so unsurely that it may be another one; what a file says is sure. */
export function isSurelyRead({ pieces }: TextLine): boolean {
  return pieces.every(({ confidence = 1 }) => confidence > SURE);
}

/** Whether a line was read from pixels or outlines, where heights are measured and letters lean. */
export function isRead({ pieces }: TextLine): boolean {
  return pieces.some(({ confidence }) => confidence !== undefined);
}

/** The sign before both of two limits: its baseline lies between theirs. */
function signBefore(upper: TextLine, lower: TextLine, neighbours: readonly TextLine[]): TextLine | undefined {
  const start = Math.min(upper.start, lower.start);
  return neighbours.find(
    ({ text, end, t }) =>
      BEFORE_LIMITS.test(plainSigns(text)) &&
      Math.abs(start - end) < BEFORE * upper.height &&
      t > upper.t + LOWEST * upper.height &&
      t < lower.t,
  );
}
