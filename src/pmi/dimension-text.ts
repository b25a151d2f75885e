import {
  areWordsOfCount,
  areWordsOfDepth,
  countBefore,
  countBehind,
  endsInDepth,
  isDepthByWord,
  kindWith,
  tellOfOtherHole,
  tellOfSizeBehind,
  wordAt,
  wordsBefore,
} from './dimension-words.js';
import type { DimensionKind, DimensionReading, FurtherSize } from './sizes/dimension.js';
import { furtherSizes } from './sizes/further-sizes.js';
import { limitsAt } from './sizes/limits.js';
import { ANGLE, FEET, FRACTION, NUMBER, numberOf, plainSigns, UNIT, withoutThousands } from './sizes/numbers.js';
import { isNoSize } from './sizes/no-sizes.js';
import { isThreadOfHole } from './sizes/tap-threads.js';
import { isInchThread, sizeOfThread, THREAD, withPitchBehind } from './sizes/threads.js';
import { toleranceAt, type FoundTolerance } from './sizes/tolerance-text.js';
import { equalSteps, secondUnit, sidesIn } from './sizes/whole-forms.js';

export type { DimensionKind, DimensionReading } from './sizes/dimension.js';
export { numberOf, plainSigns } from './sizes/numbers.js';
export { readTolerance } from './sizes/tolerance-text.js';

/** Longer strings are not read as dimensions. */
const LONGEST = 80;
/** Largest plausible size; a longer number is a part number. */
const LARGEST = 1e6;

/** Largest deviation, in sizes: to one side alone, and of two where one is zero. */
const MOST_ALONE = 0.5;
const MOST_DEVIATION = 5;
/** Smaller deviations are plausible for small sizes too, in the size's unit: `0.5 -0.3`, `1 +0.6`. */
const LEAST_FAR = 1;
/** Larger whole numbers behind a C are steels, `C45`. */
const MOST_CHAMFER = 21;
/** Sides of a chamfer are shorter; larger ones are those of something else. */
const MOST_LEG = 5;
/** Angles of chamfers, which are such without their sign too: `0.5x45`. */
const USUAL_ANGLE = /^(?:30|45|60)$/;

/** Fractions of an inch behind a sign: `⌀3/8`. */
const OF_INCHES = /(?<![\d.,])\d{1,2}\/(?:2|4|8|16|32|64)$/;

/** Signs before a size, and the kind of dimension that they make. */
const SIGNS: readonly (readonly [pattern: RegExp, kind: DimensionKind])[] = [
  [/^⌴\s?⌀?/, 'counterbore'],
  [/^⌵\s?⌀?/, 'countersink'],
  [/^↧/, 'depth'],
  [/^⌒/, 'arcLength'],
  [/^□/, 'square'],
  [/^S?⌀/, 'diameter'],
  [/^(?:SR|CR|R)(?=\s?[\d.,])/, 'radius'],
  [/^C(?=\s?[\d.,])/, 'chamfer'],
];

const ROUND_KINDS: ReadonlySet<DimensionKind> = new Set(['diameter', 'counterbore', 'countersink']);

/** Sizes of holes and shafts that a length or a depth of its own may follow. */
const HOLE_KINDS: ReadonlySet<DimensionKind> = new Set(['diameter', 'counterbore']);
/** Smaller whole numbers with a star are marks of notes. */
const MOST_MARK = 10;

const SIZE = new RegExp(`^(${ANGLE}|${FEET}|${FRACTION}|${NUMBER})${UNIT}`);
const CHAMFER = new RegExp(String.raw`^(${NUMBER})\s?(?:mm)?\s?[xX×]\s?(${ANGLE}|${NUMBER})`);
/** `45° X .06`; a countersink is wider. */
const ANGLE_FIRST = new RegExp(String.raw`^(?:[1-5]?\d(?:[.,]\d+)?|60)\s?°\s?[xX×]\s?(${NUMBER})(?![\d.,]|\s?°)`);
/** `2x45°`, `1 x 45°`, `2 X 45°`, `2X45°`: `2X 45°` are two angles (ASME Y14.5), one alone is not counted. */
const LEG_AND_ANGLE = /^(?:[\d.,]+\s?(?:mm)?(?:\s?[x×]\s?|\sX\s?|X)|1X\s)[\d.,]+\s?°/;
const ANGLE_BEHIND = /[x×]\s?([\d.,]+\s?°)\s*$/i;
const FULL_TURN = 360;
/** `⌀6x12`, `⌀6 x12`: a length behind a size. Shafts of the zone x have grades up to 9, and a space before it. */
const BY = /^(?:x(?:[5-9]|1\d)|\sx1\d)(?![\d.,])/;
/** Units behind a tolerance. */
const UNIT_BEHIND = /^(?:°|mm)(?=\s|$)\s*/;

/** Reads one line of text; undefined when it is no dimension. */
export function readDimension(text: string): DimensionReading | undefined {
  if (text.length > LONGEST) return undefined;
  const { plain, parted } = withoutThousands(plainSigns(text));
  if (parted.length > 0) {
    const reading = readDimension(plain);
    const said = parted.reduce((all, [written, whole]) => all.replace(whole, written), reading?.text ?? '');
    return reading && { ...reading, text: said };
  }
  if (isNoSize(plain)) return undefined;
  const pitched = withPitchBehind(plain);
  if (pitched !== undefined) {
    const thread = readDimension(pitched);
    return thread && { ...thread, text: plain };
  }
  const behind = countBehind(plain);
  if (behind === undefined) return readBracketed(plain);
  const reading = readBracketed(plainSigns(plain.replace(behind.said, ' ')));
  if (reading === undefined) return undefined;
  // `20 ±0.1 4x` without its tolerance: the count in brackets may stand before it.
  const isBare = reading.toleranceTexts.length > 0 && !behind.said.includes('(');
  const written = behind.said.trim();
  const said = isBare ? ` (${written.replace(/^[-,;]\s?/, '')})` : written.replace(/^(?![,;])/, ' ');
  return { ...reading, text: `${reading.text}${said}`, count: behind.count * reading.count };
}

/**
 * Whether a text has a number that no drawing writes, `01` or `00.5`: of pixels, what was misread or has lost a sign.
 */
export function hasLeadingZero(text: string): boolean {
  return /(?<![\d.,])0\d/.test(text);
}

/** The thread of a size, without count and words: `M8x1-6H` of `4x M8x1-6H 20 tief`, `M4` of `TAP M4`. */
export function threadIn(text: string): string {
  const said = plainSigns(text).replace(/^\((.+)\)$/, '$1');
  const plain = withPitchBehind(said) ?? said;
  const body = plain.slice(countBefore(plain)?.said.length ?? 0);
  const words = body.split(' ');
  const [thread] = words.flatMap((_, i) => THREAD.exec(words.slice(i).join(' '))?.[0] ?? []);
  return (thread ?? body).trim();
}

function readBracketed(plain: string): DimensionReading | undefined {
  const counted = countBefore(plain);
  // `4x (R5)`: the count stands before the brackets.
  if (counted !== undefined && plain[counted.said.length] === '(') {
    const reading = readBracketed(plain.slice(counted.said.length));
    if (reading !== undefined && reading.count === 1)
      return { ...reading, text: `${counted.said}${reading.text}`, count: counted.count };
  }
  // `(50) ±0.1`, as lists write `(50 ±0.1)`.
  const [, inside, after] = /^\(([^()]+)\) ([±+-].+)$/.exec(plain) ?? [];
  const apart = inside === undefined ? undefined : readWhole(`${inside} ${after}`);
  if (apart !== undefined && apart.text === inside) return { ...apart, text: `(${inside})`, isReference: true };
  // `(12) REF` says it twice.
  const bracketed = /^\((.+)\)(\s?REF\.?)?$/i.exec(plain);
  const reading = readWhole(bracketed?.[1].trim() ?? plain);
  if (reading === undefined || bracketed === null) return reading;
  return { ...reading, text: `(${reading.text})${bracketed[2] ?? ''}`, isReference: true };
}

/** `-0.2 25 +0.1`: one deviation before the size, the other one behind it. */
const DEVIATIONS_ABOUT = new RegExp(String.raw`^([+-])\s?(${NUMBER}) ((?:S?⌀|R|□)?\s?${NUMBER}) ([+-]\s?${NUMBER})$`);

function readWhole(plain: string): DimensionReading | undefined {
  const about = DEVIATIONS_ABOUT.exec(plain);
  if (about !== null && !about[4].startsWith(about[1])) {
    const [, sign, before, size, behind] = about;
    return readPlain(`${size} ${sign === '+' ? `+${before} ${behind}` : `${behind} -${before}`}`);
  }
  const steps = equalSteps(plain);
  if (steps !== undefined) return steps;
  const second = /[[(]/.test(plain) ? secondUnit(plain, readPlain) : undefined;
  if (second === undefined) return readPlain(plain);
  const reading = readPlain(plainSigns(plain.replace(second.said, '')));
  const text = `${reading?.text ?? ''} ${second.said.trim()}`;
  return reading && { ...reading, text, isInch: second.isInch };
}

/** A diameter's sign that a program writes before a thread. */
const SIGN_OF_THREAD = /^((?:\d{1,3}\s?[xX×]\s?)?)⌀\s?(?=MJ?\d)/;

function readPlain(written: string): DimensionReading | undefined {
  const plain = written.replace(SIGN_OF_THREAD, '$1');
  const counted = countBefore(plain);
  // `2x45°` is a chamfer, `2x 45°` are two angles; `4x3` are four of 3.
  const chamfer = LEG_AND_ANGLE.test(plain) && !areEqualAngles(plain) ? readSized(plain, '', 1) : undefined;
  if (chamfer !== undefined) return chamfer;
  if (counted === undefined || sidesIn(plain) !== undefined) return readSized(plain, '', 1);
  return readSized(plain.slice(counted.said.length), counted.said, counted.count) ?? readSized(plain, '', 1);
}

/**
 * `3x120°`, `6x60°` go once around, `2x90°` are no chamfer by their angle; `8x45°`, `1x30°`, `2x60°` are
 * chamfers.
 */
function areEqualAngles(text: string): boolean {
  const [, count, angle] = /^(\d{1,2})\s?[x×X]\s?([\d.,]+)\s?°/.exec(text) ?? [];
  const each = numberOf(angle ?? '');
  return Number(count) > 1 && each !== 45 && (Number(count) * each === FULL_TURN || each >= FULL_TURN / 4);
}

/** @param before the count, as it is written. */
function readSized(body: string, before: string, count: number): DimensionReading | undefined {
  const finished = (kind: DimensionKind, said: string, size: string): DimensionReading | undefined =>
    finish({ kind, before, said: said.trim(), behind: body.slice(said.length), nominal: numberOf(size), count });
  const thread = THREAD.exec(body);
  if (thread !== null && !/^R\s?[\d.,]/.test(body)) return finished('thread', thread[0], sizeOfThread(thread));
  const chamfer = CHAMFER.exec(body);
  const isChamfer =
    chamfer !== null &&
    !areEqualAngles(chamfer[0]) &&
    (chamfer[2].includes('°') ||
      (numberOf(chamfer[1]) <= MOST_LEG && (numberOf(chamfer[2]) <= MOST_LEG || USUAL_ANGLE.test(chamfer[2]))));
  const sides = sidesIn(body);
  const turned = ANGLE_FIRST.exec(body);
  if (turned !== null) return finished('chamfer', turned[0], turned[1]);
  if (isChamfer && !/^[\d.,]+\s?[xX×]/.test(body.slice(chamfer[0].length - chamfer[2].length)))
    return finished('chamfer', chamfer[0], chamfer[1]);
  if (sides !== undefined) return finished('length', sides.said, sides.first);
  if (chamfer !== null) return finished('length', chamfer[0], chamfer[1]);
  const words = wordsBefore(body);
  // `4x x 20`: an x that goes on from holes has no count.
  if (before !== '' && /^[x×]\s/.test(words)) return undefined;
  const signed = body.slice(words.length);
  const sign = SIGNS.find(([pattern]) => pattern.test(signed));
  const prefix = words + (sign === undefined ? '' : sign[0].exec(signed)![0]);
  const rest = body.slice(prefix.length).trimStart();
  const size = SIZE.exec(rest);
  if (size === null) return undefined;
  if (sign?.[1] === 'chamfer' && words === '' && /^\d+$/.test(size[1]) && Number(size[1]) > MOST_CHAMFER)
    return undefined;
  const plainKind =
    areWordsOfDepth(words) || isDepthByWord(body) ? 'depth' : size[1].includes('°') ? 'angle' : 'length';
  const kind = kindWith([words], sign?.[1] ?? plainKind);
  return finished(kind, body.slice(0, body.length - rest.length) + size[0], size[1]);
}

/** A dimension string taken apart: count, size with its signs, what follows. */
interface SizeParts extends Pick<DimensionReading, 'kind' | 'nominal' | 'count'> {
  readonly before: string;
  readonly said: string;
  readonly behind: string;
}

function finish(parts: SizeParts): DimensionReading | undefined {
  const { before, said, behind, nominal, count } = parts;
  if (!Number.isFinite(nominal) || nominal >= LARGEST) return undefined;
  const limits = limitsAt(parts);
  const tail = tailOf(limits?.rest ?? behind, parts);
  if (tail === undefined || (limits !== undefined && tail.found !== undefined)) return undefined;
  const { found, words } = tail;
  // `26-8249` is a number of a part, not a 26 with a deviation.
  if (found !== undefined && isFarOff(parts, found)) return undefined;
  const bare = /^(\d+\s?[xX×]\s?)?\d+$/.exec(said);
  // `0815` is the number of a form, `07.2026` a month.
  if (/^0\d+$/.test(said) && found === undefined && limits === undefined) return undefined;
  if (/^0[1-9]\.(?:19|20)\d\d$/.test(said) && behind === '') return undefined;
  if (tellOfOtherHole(words)) return undefined;
  // `⌀6.6 x4` are four, or 4 deep; `⌀5 x8` is 8 deep, or a shaft of the zone x.
  if (/^x\d$/.test(found?.fit ?? '') && found?.tolerance === undefined) return undefined;
  const behindFit = words.slice(tail.before.trimEnd().length);
  if (found?.fit !== undefined && isThreadOfHole(found.fit, { ...parts, before: tail.before, behind: behindFit }))
    return undefined;
  // `⌀5 DEEP 12 ±0.5` and `⌀5 ±0.1 DEEP 12` are two sizes, and the tolerance is that of one.
  if (found !== undefined && found.fit === undefined && endsInDepth(words)) return undefined;
  if (found !== undefined && found.fit === undefined && HOLE_KINDS.has(parts.kind) && tellOfSizeBehind(behindFit))
    return undefined;
  // `Groove 1.6 x 0.5`: sides that differ, with words of something else.
  if (parts.kind === 'chamfer' && areSidesOfOther(said, words)) return undefined;
  // `2*` is a note, `DRAFT 2` a paper.
  if (bare !== null && nominal < MOST_MARK && found === undefined && /\*/.test(words)) return undefined;
  if (parts.kind !== 'angle' && /(?:^|\s)DRAFT$/i.test(words)) return undefined;
  const named = words.trim().replace(UNIT_BEHIND, '');
  // `4 trous taraudés M5` are four threads, and no 4 with a fit.
  const isThread = /^M\d/.test(found?.fit ?? '');
  if (bare !== null && (found === undefined || isThread) && areWordsOfCount(named, bare[1] ?? before)) return undefined;
  const isInch =
    parts.kind === 'thread'
      ? isInchThread(said)
      : parts.kind !== 'angle' &&
        (/["″]/.test(said) ||
          (parts.kind !== 'length' && OF_INCHES.test(said)) ||
          (found?.toleranceTexts ?? []).some((each) => /\d["″]$/.test(each) && !/^[±+-]\d{1,2}["″]$/.test(each)));
  const kind = limits?.isAngle === true ? 'angle' : kindWith(words.trim().split(' '), parts.kind);
  const written = found?.toleranceTexts ?? [];
  const sizes = furtherSizes({ kind, said, words, count });
  // `CSK ⌀12 x 90° ±1°`, `⌀8 x 20 ±0.5`: that of what stands before it; `2x45° ±1°` has one of its angle.
  const isTurn = kind !== 'angle' && written.some((each) => /[°'′]|^[±+-]\d{1,2}["″]$/.test(each));
  const own = found?.fit === undefined ? found?.tolerance : undefined;
  const isOfLast = own !== undefined && isBehind(sizes, { kind, isTurn, before: tail.before });
  const further = isOfLast
    ? sizes.map((size, i) => (i < sizes.length - 1 ? size : { ...size, tolerance: own }))
    : [...sizes];
  // `1 x 45° ±1°`: the angle of a chamfer that has a tolerance is a size of its own.
  const angle = kind === 'chamfer' && isTurn && own !== undefined ? ANGLE_BEHIND.exec(said)?.[1] : undefined;
  if (angle !== undefined && own !== undefined)
    further.push({ kind: 'angle', text: angle, nominal: numberOf(angle), tolerance: own });
  // `50 ±2°`: which of both is meant is not known.
  if (isTurn && own !== undefined && !isOfLast && kind !== 'chamfer') return undefined;
  const ofFirst = isTurn || isOfLast ? undefined : found?.tolerance;
  const tolerance = limits === undefined ? ofFirst : { upper: 0, lower: limits.lower };
  return {
    kind,
    text: `${before}${said}${limits?.said ?? ''}${words}`.trim(),
    toleranceTexts: written,
    count,
    nominal: limits?.upper ?? nominal,
    isReference: /\bREF\b/i.test(words),
    ...(isInch && { isInch: true as const }),
    ...(tolerance !== undefined && { tolerance }),
    ...(found?.fit !== undefined && { fit: found.fit }),
    ...(further.length > 0 && { further }),
  };
}

/** Whether what looks like the legs of a chamfer has other words about it, as grooves have. */
export function areSidesOfOther(said: string, words: string): boolean {
  const [, first, second] = CHAMFER.exec(said) ?? [];
  return (
    second !== undefined &&
    !second.includes('°') &&
    numberOf(first) !== numberOf(second) &&
    /\p{L}{4}/u.test(words) &&
    kindWith(words.trim().split(' '), 'length') !== 'chamfer'
  );
}

/** Whether a tolerance stands behind the last further size; the sides of something have one in common. */
function isBehind(
  sizes: readonly FurtherSize[],
  { kind, isTurn, before }: Pick<SizeParts, 'kind' | 'before'> & { readonly isTurn: boolean },
): boolean {
  const last = sizes.at(-1);
  if (last === undefined || (kind === 'length' && last.kind === 'length')) return false;
  return isTurn === (last.kind === 'angle') && before.trimEnd().endsWith(last.text);
}

/**
 * What stands behind a size: one tolerance, all words, and those before the tolerance. Undefined when it is something
 * else.
 */
function tailOf(
  behind: string,
  { kind }: Pick<SizeParts, 'kind'>,
): { readonly found?: FoundTolerance; readonly words: string; readonly before: string } | undefined {
  let found: FoundTolerance | undefined;
  let words = '';
  let before = '';
  let rest = behind;
  while (rest.trim() !== '') {
    const isBy = words === '' && BY.test(rest);
    const tolerance = found === undefined && !isBy ? toleranceAt(rest.trimStart(), kind) : undefined;
    if (found === undefined && tolerance === undefined && !isBy) return undefined;
    if (tolerance !== undefined && tolerance.toleranceTexts.length > 0) {
      found = tolerance;
      before = words;
      words = `${words.trimEnd()} `;
      rest = tolerance.rest;
      const unit = UNIT_BEHIND.exec(rest)?.[0] ?? '';
      words += unit;
      rest = rest.slice(unit.length);
      continue;
    }
    const gap = rest.length - rest.trimStart().length;
    const word = wordAt(rest.slice(gap), { isRound: ROUND_KINDS.has(kind) });
    // Letters directly behind a number make it part of a name.
    if (word === '') return undefined;
    words += rest.slice(0, gap + word.length);
    rest = rest.slice(gap + word.length);
  }
  return { words: words.trimEnd(), before, ...(found !== undefined && { found }) };
}

/**
 * Whether deviations are none: to one side alone and larger than half of the size, or many times the size. One that has
 * two sides is written as a tolerance. A thread has none.
 */
function isFarOff({ kind, nominal, said, behind }: SizeParts, { tolerance, toleranceTexts }: FoundTolerance): boolean {
  if (tolerance === undefined) return false;
  if (kind === 'thread') return true;
  // `0.0-0.5` is a range, `0 -0.1` has a space.
  if (nominal === 0) return /\d-\d/.test(said + behind);
  if (tolerance.upper !== 0 && tolerance.lower !== 0) return false;
  const isAlone = toleranceTexts.length === 1 && !toleranceTexts[0].startsWith('±');
  const most = Math.max(LEAST_FAR, (isAlone ? MOST_ALONE : MOST_DEVIATION) * nominal);
  // `1 - 1` is a section: nothing is left of the size.
  return (
    Math.max(tolerance.upper, -tolerance.lower) > most ||
    -tolerance.lower > nominal ||
    (isAlone && -tolerance.lower === nominal)
  );
}
