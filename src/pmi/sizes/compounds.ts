import { readDimension, type DimensionKind, type DimensionReading } from '../dimension-text.js';
import { DEPTH } from '../dimension-words.js';
import { isNoSize } from './no-sizes.js';

/** Words of a callout that are one size: from, and up to but without to. */
export interface CalloutPart {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly reading: DimensionReading;
}

const ROUND: ReadonlySet<DimensionKind> = new Set(['diameter', 'counterbore']);
/** What an angle of its own may follow. */
const SUNK: ReadonlySet<DimensionKind> = new Set([...ROUND, 'countersink']);
/** Most words of several sizes that are tried: each x may part them. */
const MOST_WORDS = 14;
/** Longest side of a chamfer, and its angles that need no sign. */
const MOST_LEG = 5;
const USUAL_ANGLE = /^(?:30|45|60)$/;
const TIMES = /^[x×]$/i;
const ON = /^(?:on|auf)$/i;
/** Between sizes and a circle: `ON A ⌀83 B.C.`. */
const ARTICLE = /^a$/i;
const DEEP = new RegExp(String.raw`^[\d.,]+\s?(?:mm\s?)?(?:${DEPTH})(?!\p{L})`, 'iu');
/** What behind a bare number is a screw, a size of paper or a name, and no fit: `2 M6 x 20`, `20 A4 x 3`. */
const NO_FIT = /^[A-CM]\d/;
/** A size with an x close to what stands before it: `⌀8H7x20±0.5`. */
const CLOSE = /(?<=[\d)])(?=[xX×]\s?[\d.,])|(?<=\d\s?[xX×])(?=\s?[\d.,])/;

/**
 * Two sizes and more of which one has a tolerance within the text, or each its own: `20 ±0.1 x 30`, `⌀8 H7 x 20
 * ±0.5`, `M8 x 20 ±1`, `4x ⌀6 H7 auf TK ⌀80 ±0.1`. What follows several holes is their depth and keeps its x.
 */
export function compoundParts(words: readonly string[]): readonly CalloutPart[] | undefined {
  if (words.length < 3 || words.length > MOST_WORDS || isNoSize(words.join(' '))) return undefined;
  for (let at = words.length - 2; at > 0; at--) {
    const parts = TIMES.test(words[at])
      ? behind(words, at, at + 1)
      : ON.test(words[at])
        ? onCircle(words, at)
        : DEEP.test(words.slice(at, at + 2).join(' '))
          ? behind(words, at, at)
          : undefined;
    if (parts !== undefined) return parts;
  }
  return undefined;
}

/** Words, those too that an x joins: `⌀8H7x20±0.5` are three. */
export function closeParts(text: string): string[] {
  return text.split(CLOSE).filter((part) => part.trim() !== '');
}

function partOf(words: readonly string[], from: number, to: number): CalloutPart | undefined {
  const text = textOf(words.slice(from, to));
  const reading = from < to ? readDimension(text) : undefined;
  return reading && { from, to, text, reading };
}

/**
 * A chamfer whose leg has a tolerance before its angle, `1 ±0.1 x 45° ±1°`, or a round size and an angle,
 * `⌀8 ±0.1 x 45° ±1°`: the angle is a size of its own where it has a tolerance, or the first one is no leg.
 */
function withAngle(first: CalloutPart, second: CalloutPart): readonly CalloutPart[] | undefined {
  const { kind, nominal, toleranceTexts, further } = first.reading;
  if (further !== undefined || second.reading.count !== 1) return undefined;
  const isLeg = kind === 'length' && nominal <= MOST_LEG && toleranceTexts.length > 0;
  if (!isLeg && !SUNK.has(kind)) return undefined;
  if (second.reading.kind === 'angle') return [first, second];
  const text = `${second.text}°`;
  const reading = readDimension(text);
  return reading && [first, { ...second, text, reading }];
}

/** @param at where the first size ends, and the second one begins: behind the x. */
function behind(words: readonly string[], at: number, from: number): readonly CalloutPart[] | undefined {
  const second = partOf(words, from, words.length);
  const first = partOf(words, 0, at);
  const before = first === undefined ? compoundParts(words.slice(0, at)) : [first];
  if (second === undefined || before === undefined) return undefined;
  const isTurn =
    second.reading.kind === 'angle' || (first?.reading.kind === 'length' && isAngleOfChamfer(first, second));
  if (isTurn) return first === undefined || from === at ? undefined : withAngle(first, second);
  if (!isSide(second)) return undefined;
  const parts = [...before, second];
  if (!parts.some(({ reading }) => reading.toleranceTexts.length > 0)) return undefined;
  if (parts.every(isSide))
    return parts.some(({ reading: { fit } }) => fit !== undefined && NO_FIT.test(fit)) ? undefined : parts;
  // `⌀8 ±0.1 x 20 ±0.2 x 30`, `□20 ±0.1 x 30`: a part, whose further sizes are its own.
  const [{ reading: of }, ...rest] = parts;
  const isOne = of.count === 1 && of.further === undefined && (ROUND.has(of.kind) || of.kind === 'square');
  if (isOne && rest.every(isSide)) return parts;
  if (first === undefined || first.reading.further !== undefined) return undefined;
  const { kind, count } = first.reading;
  // A class behind the length of a screw is none of its deviations: `M8x20-8.8`.
  if (kind === 'thread' ? !second.reading.toleranceTexts[0]?.startsWith('±') : !ROUND.has(kind)) return undefined;
  if (count === 1 || from === at) return parts;
  const text = `x ${second.text}`;
  const reading = readDimension(text);
  return reading && [first, { ...second, from: at, text, reading }];
}

/** `1.5 ±0.1 x 45`: the usual angle of a chamfer without its sign, behind a short leg with its tolerance. */
function isAngleOfChamfer({ reading: leg }: CalloutPart, { reading: angle }: CalloutPart): boolean {
  const isLeg = leg.nominal <= MOST_LEG && leg.count === 1 && leg.toleranceTexts.length > 0 && leg.fit === undefined;
  return isLeg && USUAL_ANGLE.test(angle.text);
}

function isSide({ reading: { kind, count, further } }: CalloutPart): boolean {
  return kind === 'length' && count === 1 && further === undefined;
}

function onCircle(words: readonly string[], at: number): readonly CalloutPart[] | undefined {
  const from = ARTICLE.test(words[at + 1]) ? at + 2 : at + 1;
  const [holes, circle] = [partOf(words, 0, at), partOf(words, from, words.length)];
  const areHoles = holes?.reading.kind === 'diameter' || holes?.reading.kind === 'thread';
  if (!areHoles || circle?.reading.kind !== 'diameter') return undefined;
  const parts = [holes, circle];
  return parts.some(({ reading }) => reading.toleranceTexts.length > 0) ? parts : undefined;
}

/** Words of a part as they are read: without a comma at their end, signs close to their numbers. */
export function textOf(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/\s?[,;]$/, '')
    .replace(/([⌴⌵↧⌀]) (?=[⌀\d.,])/g, '$1');
}
