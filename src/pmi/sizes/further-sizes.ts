import { metricThread } from '../../content/metric-threads.js';
import { COUNTERBORE, COUNTERSINK, DEPTH, onCircle, wordAt } from '../dimension-words.js';
import type { DimensionKind, FurtherSize } from './dimension.js';
import { NUMBER, numberOf } from './numbers.js';

const SIDES = new RegExp(String.raw`^${NUMBER}(?:\s?mm)?((?:\s?[x×X]\s?${NUMBER}(?:\s?mm)?){1,2})$`);
/** The length of a thread: `M3x6mm`, as a pitch has no unit, `M8x1.25x20`, and `M8 x 20`, as no pitch is so long. */
const LENGTH_OF_THREAD = new RegExp(String.raw`^M.*[x×X]\s?(${NUMBER}(\s?mm)?)$`);
const PITCH_BEFORE = new RegExp(String.raw`^M\s?${NUMBER}\s?[x×X]\s?${NUMBER}\s?[x×X]`);
const DEEP = new RegExp(String.raw`(?:${DEPTH})\s?${NUMBER}|${NUMBER}(?:\s?mm)?\s?(?:${DEPTH})(?!\p{L})`, 'iu');
const DEPTH_WORD = new RegExp(`^(?:${DEPTH})`, 'iu');
const OF_SINK = new RegExp(String.raw`(?:${COUNTERBORE}|${COUNTERSINK})\s?(${NUMBER})`, 'iu');
const ON_CIRCLE = new RegExp(onCircle(NUMBER), 'iu');
const OPENING = new RegExp(String.raw`(${NUMBER}\s?°)`);
const OPENING_BEFORE = new RegExp(String.raw`^(\d{2,3}\s?°)\s?(?:${COUNTERSINK})`, 'iu');
const SECOND = new RegExp(String.raw`^[x×]\s?(${NUMBER}(?:\s?mm)?)\s*$`, 'i');
/** Angles of countersinks (ISO 15065, ASME B18.3), also without their sign: `CSK ⌀12 x 90`. */
const SINK_ANGLE = /^(?:60|82|90|100|110|120)$/;

/**
 * The sizes that a size states beside its own, in the order in which they are written.
 * @param size said: itself with its signs, which may hold the sides of something; words: what stands behind it; count:
 * how many there are, which several holes are and a shaft is not.
 */
export function furtherSizes({
  kind,
  said,
  words,
  count,
}: {
  readonly kind: DimensionKind;
  readonly said: string;
  readonly words: string;
  readonly count: number;
}): FurtherSize[] {
  if (kind === 'length') {
    const sides = SIDES.exec(said)?.[1].split(/[x×X]/) ?? [];
    if (sides.length > 0) return sides.slice(1).map((side) => sizeOf('length', side));
  }
  const found: FurtherSize[] = [];
  const opening = OPENING_BEFORE.exec(said);
  if (opening !== null) found.push(sizeOf('angle', opening[1]));
  const length = kind === 'thread' ? lengthOfThread(said) : undefined;
  if (length !== undefined) found.push(sizeOf('depth', length));
  const isRound = kind !== 'length' && kind !== 'angle';
  for (let rest = words.trimStart(); rest !== ''; ) {
    const word = wordAt(rest, { isRound });
    if (word === '') break;
    rest = rest.slice(word.length).trimStart();
    const one = furtherSize(word.trim(), kind, count);
    if (one !== undefined) found.push(one);
  }
  return found;
}

function lengthOfThread(said: string): string | undefined {
  const [, length, unit] = LENGTH_OF_THREAD.exec(said) ?? [];
  if (length === undefined || unit !== undefined || PITCH_BEFORE.test(said)) return length;
  const thread = metricThread(said.replace(/\s/g, '').replace('×', 'x').replaceAll(',', '.').toLowerCase());
  return thread?.isPitchStated === true && thread.pitchMm === undefined ? length : undefined;
}

function furtherSize(word: string, kind: DimensionKind, count: number): FurtherSize | undefined {
  const deep = DEEP.exec(word);
  if (deep !== null) return sizeOf('depth', deep[0]);
  const angle = OPENING.exec(word);
  if (angle !== null) return sizeOf('angle', angle[1]);
  const circle = ON_CIRCLE.exec(word);
  if (circle !== null) return sizeOf('diameter', circle[0].replace(/^(?:ON|AUF)\s(?:A\s)?/i, ''));
  const sink = OF_SINK.exec(word)?.[1];
  const number = sink ?? SECOND.exec(word)?.[1];
  if (number === undefined) return undefined;
  // `⌀25 x 60` is a shaft, `4x ⌀8 x 20` are holes.
  if (kind === 'diameter' && sink === undefined && count === 1) return sizeOf('length', number);
  return kind === 'countersink' && SINK_ANGLE.test(number) ? sizeOf('angle', number) : sizeOf('depth', number);
}

function sizeOf(kind: DimensionKind, text: string): FurtherSize {
  const written = text.trim();
  // The point of a word that is shortened is none of its number: `prof.20`.
  const number = new RegExp(NUMBER).exec(written.replace(DEPTH_WORD, ''))?.[0] ?? '';
  return { kind, text: written, nominal: numberOf(number) };
}
