import { readDimension, type DimensionReading } from '../dimension-text.js';
import { BENT, COUNTERBORE, COUNTERSINK, DEPTH, isDepthByWord } from '../dimension-words.js';
import { closeParts, compoundParts, textOf, type CalloutPart } from './compounds.js';
import { spacedLimits } from './limits.js';
import { isDrillOf } from './tap-threads.js';
import { wordedSize } from './worded-sizes.js';

/** Most words of a callout that are tried. */
const MOST_WORDS = 24;
const SINKS = `${COUNTERBORE}|${COUNTERSINK}`;
const COUNT = String.raw`(?:\d{1,3}\s?[xX×]\s?)?`;
const DRAWN = new RegExp(String.raw`^${COUNT}(?:[⌴⌵↧]|(?:${DEPTH})\s?[\d.,])`, 'iu');
/** What a size within a callout begins with: a sign, a thread, the name of a counterbore, a depth before its number. */
const BEGINS = new RegExp(
  String.raw`^${COUNT}(?:[⌴⌵↧⌀]|S⌀|S\.?F\.?\s?⌀|M\s?\d|G\s?\d|` +
    String.raw`(?:#\d{1,2}|(?:\d[ -])?\d{1,2}/\d{1,2}|\d*[.,]\d+)\s?-\s?\d{1,2}\s?UN|` +
    String.raw`(?:\d{2,3}\s?°\s?)?(?:${SINKS})(?!\p{L})|(?:${DEPTH})\s?[\d.,])`,
  'iu',
);
/** Words that tell that a line speaks of a hole, and not of two sizes that stand side by side. */
const OF_HOLE = new RegExp(
  String.raw`[⌴⌵↧]|(?<!\p{L})(?:THRU|THROUGH|durch\p{L}*|DRILL|TAP|${DEPTH}|${SINKS})(?!\p{L})`,
  'iu',
);
/** What stands between two sizes and belongs to neither. */
const BETWEEN = /^(?:[-/,;&+]|and|with|und|mit|et|avec)$/i;
const ROUND: ReadonlySet<DimensionReading['kind']> = new Set([
  'diameter',
  'thread',
  'counterbore',
  'countersink',
  'depth',
]);

/**
 * The sizes of a hole that are written one behind the other, in the fewest parts: `⌀6.5 THRU` and `CBORE ⌀11 DEEP
 * 6.4`. Undefined where the words are one size, or no such callout as a whole.
 */
export function calloutParts(words: readonly string[]): readonly CalloutPart[] | undefined {
  if (words.length < 2 || words.length > MOST_WORDS) return undefined;
  const compound = compoundParts(words);
  if (compound !== undefined) return compound;
  const bend = bendParts(words);
  if (bend !== undefined) return bend;
  const isBegin = words.map((_, i) => i > 0 && BEGINS.test(words.slice(i, i + 3).join(' ')));
  if (!isBegin.includes(true) || !(OF_HOLE.test(words.join(' ')) || isTapped(words))) return undefined;
  // best[n]: the parts of the first n words.
  const best: (readonly CalloutPart[] | undefined)[] = [[]];
  for (let to = 1; to <= words.length; to++) {
    for (let start = 0; start < to; start++) {
      const before = best[start];
      if (before === undefined || before.length + 1 >= (best[to]?.length ?? Infinity)) continue;
      const from = start > 0 && BETWEEN.test(words[start]) ? start + 1 : start;
      if (from >= to || (from > 0 && !isBegin[from])) continue;
      const text = textOf(words.slice(from, to));
      const reading = readDimension(text);
      if (reading === undefined || (from === 0 && !ROUND.has(reading.kind) && !isDrawn(words, to))) continue;
      best[to] = [...before, { from, to, text, reading }];
    }
  }
  const parts = best[words.length];
  return parts === undefined || parts.length < 2 ? undefined : parts;
}

const BEND = new RegExp(String.raw`^(?:${BENT})\s[\d.,]+\s?°,?\s(?=R\s?[\d.,]+$)`, 'iu');

/** A bend of a sheet: its angle and its radius. */
function bendParts(words: readonly string[]): readonly CalloutPart[] | undefined {
  const [angle] = BEND.exec(words.join(' ')) ?? [];
  if (angle === undefined) return undefined;
  const at = angle.trim().split(' ').length;
  const parts = ([[0, at], [at, words.length]] as const).flatMap(([from, to]): CalloutPart[] => {
    const text = textOf(words.slice(from, to));
    const reading = readDimension(text);
    return reading === undefined ? [] : [{ from, to, text, reading }];
  }); // biome-ignore format: pairs
  return parts.length === 2 ? parts : undefined;
}

/**
 * Whether the size behind a first one begins with a drawn sign or is a depth: that one may be a plain number, `12 Tiefe
 * 4 ±0.1`.
 */
function isDrawn(words: readonly string[], at: number): boolean {
  return DRAWN.test(words.slice(at, at + 2).join(' '));
}

/** Whether words are a hole and the thread in it, `⌀5 M6`. */
function isTapped(words: readonly string[]): boolean {
  return words.some((word, i) => i > 0 && isDrillOf(word, words[i - 1]));
}

/** Words of a text, with signs of depths and counterbores apart from what stands close before them: `⌀5↧4`. */
export function calloutWords(text: string): string[] {
  return text
    .split(' ')
    .flatMap((word) => word.split(/(?<=[\d\p{L}])(?=[⌴⌵↧])/u))
    .filter((word) => word !== '');
}

/**
 * All sizes of a text: itself, or those of a callout of a hole. Empty for none.
 * @param options isBelowHole: whether a size of a hole stands before it, which a depth goes on from: `DEEP 6.4`;
 * isDimension: whether it is all that a dimension says, so that words may stand about a plain number: `26 Bohrung`.
 */
export function sizesIn(text: string, { isBelowHole = false, isDimension = false } = {}): readonly DimensionReading[] {
  if (!isBelowHole && isDepthByWord(text)) return [];
  const limits = spacedLimits(text);
  if (limits !== undefined) return [limits];
  const reading = readDimension(text);
  if (reading !== undefined) return [reading];
  const words = calloutWords(text);
  const parts = calloutParts(words) ?? compoundParts(words.flatMap(closeParts));
  if (parts !== undefined) return withCountBehind(parts.map((part) => part.reading));
  const worded = wordedSize(text, { mayBePlain: isDimension });
  return worded === undefined ? [] : [worded];
}

/** A count at the end of a text. */
const COUNT_BEHIND = /[\s(](?:[x×]\s?\d{1,3}|\d{1,3}\s?[x×])\)?$/i;

/** Whether a text ends with a count. */
export const hasCountBehind = (text: string): boolean => COUNT_BEHIND.test(text);

/** A count behind a callout is that of its hole, and not of its depth alone: `⌀9 ↧10 (4x)`. */
function withCountBehind(sizes: readonly DimensionReading[]): readonly DimensionReading[] {
  const { count, text } = sizes[sizes.length - 1];
  const isOfAll = count > 1 && hasCountBehind(text) && sizes.slice(0, -1).every((size) => size.count === 1);
  return isOfAll ? sizes.map((size) => ({ ...size, count })) : sizes;
}

const BEHIND_TOLERANCE = new RegExp(
  String.raw`^(.*?[\d)"″])\s?((?:THRU|THROUGH|durch\p{L}*|(?:${DEPTH})\s?[\d.,]+)(?!\p{L}).*)$`,
  'iu',
);

/** A size with its tolerance where drawings write it: before the words of its depth, `⌀10 ±0.05 DEEP 20`. */
export function withTolerance(text: string, tolerance: readonly string[]): string {
  const [, size, words] = (tolerance.length > 0 && BEHIND_TOLERANCE.exec(text)) || [];
  const parts = size === undefined ? [text, ...tolerance] : [size, ...tolerance, words];
  return parts.join(' ');
}
