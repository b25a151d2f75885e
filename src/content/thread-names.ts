import { metricThread } from './metric-threads.js';

/**
 * Threads as people write them in many ways, and one name for each: `M 8 × 1,25` is `M8x1.25`, `G 1/2"` is `G1/2`, `M8
 * links` is `M8 LH`.
 */

const NUMBER = String.raw`(?:\d{1,3}(?:[.,]\d{1,3})?|[.,]\d{1,3})`;
const INCHES = String.raw`(?:\d{1,2}[ -]\d{1,2}/\d{1,2}|\d{1,2}/\d{1,2}|\d{1,2})`;
const TIMES = String.raw`\s?[xX×]\s?`;
const UNIFIED = String.raw`(?:#\s?\d{1,2}|\d{1,2}/\d{1,2}|\d{1,2}[ -]\d{1,2}/\d{1,2}|\d?\.\d{2,4})`;
/** Not within a word or a longer number. */
const START = String.raw`(?<![\p{L}\d.,/])`;
const END = String.raw`(?![\d/]|[.,]\d)`;

/** Left hands (ISO 965: LH), in the languages of drawings. */
const LEFT =
  /[\s-]*(?:LH|links(?:gewinde)?|left(?:[ -]?hand(?:ed)?)?|gauche|sinistr[oaei]|izquierda|лев(?:ая|\.)?)(?![\p{L}\d])/iu;

const FORMS: readonly (readonly [pattern: RegExp, name: (...groups: readonly string[]) => string])[] = [
  [
    new RegExp(`${START}(M|MJ|Tr)\\s?(${NUMBER})(?:${TIMES}(${NUMBER})|(?!\\s?[x×]))${END}`, 'giu'),
    (letters, size, pitch) => `${cased(letters)}${plain(size)}${pitch === undefined ? '' : `x${plain(pitch)}`}`,
  ],
  [
    new RegExp(`${START}(G|Rp|Rc|R|NPTF?|BSP[PT]?)\\s?(${INCHES})(?:\\s?["″])?${END}`, 'giu'),
    (letters, size) => `${cased(letters)}${size.replace('-', ' ')}`,
  ],
  [
    new RegExp(`${START}(${INCHES})(?:\\s?["″])?\\s?-?\\s?(NPTF?|BSP[PT]?)(?![\\p{L}\\d])`, 'giu'),
    (size, letters) => `${cased(letters)}${size.replace('-', ' ')}`,
  ],
  [
    new RegExp(
      `${START}(${UNIFIED})(?:\\s?["″])?\\s?-\\s?(\\d{1,2})(?:\\s?UN[JR]?(?:EF|[CFS])?(?![\\p{L}]))?${END}`,
      'giu',
    ),
    (size, pitch) => `${size.replace(/\s/g, size.includes('/') ? ' ' : '')}-${pitch}`,
  ],
];

/** A thread that a text names. */
export interface NamedThread {
  /** Without class and hand: `M8x1.25`, also of `M8`, whose pitch is that (ISO 261); `M8` where no pitch is known. */
  readonly name: string;
  /** As people write it alone: `M8`, `M8x1`, `G1/2`, `1/4-20 UNC`. */
  readonly short: string;
  /** Whether it states more than a diameter. */
  readonly isWhole: boolean;
  readonly start: number;
  readonly end: number;
}

/** The threads that a text names; of `M8x20`, whose 20 is a length, none. */
export function threadsIn(text: string): NamedThread[] {
  if (!/\d/.test(text)) return [];
  const found = FORMS.flatMap(([pattern, nameOf]) =>
    [...text.matchAll(pattern)].flatMap((match): NamedThread[] => {
      const [said] = match;
      const name = nameOf(...match.slice(1));
      const place = { start: match.index, end: match.index + said.length };
      const isWhole = !/^(?:MJ?|Tr)[\d.]+$/.test(name);
      const metric = metricThread(name.toLowerCase());
      if (metric === undefined)
        return [{ name, short: name.startsWith('M') ? name : plainThread(said), isWhole, ...place }];
      const { diameterMm, pitchMm, isPitchStated, isCoarse } = metric;
      if (pitchMm === undefined) return isPitchStated ? [] : [{ name, short: name, isWhole, ...place }];
      const full = `M${diameterMm}x${pitchMm}`;
      return [{ name: full, short: isCoarse ? `M${diameterMm}` : full, isWhole, ...place }];
    }),
  );
  return found.sort((a, b) => a.start - b.start);
}

/** A thread in one spelling: points, no spaces but before LH, the x of a pitch. Other texts stay as they are. */
export function plainThread(text: string): string {
  const hand = LEFT.exec(text);
  const right = hand === null ? text : `${text.slice(0, hand.index)}${text.slice(hand.index + hand[0].length)}`;
  const said = right
    .trim()
    .replace(/(?<=\d),(?=\d)/g, '.')
    .replace(/(?<=[\d)])\s?[xX×]\s?(?=\d|Ph)/g, 'x')
    .replace(/^([A-Za-z]{1,4})\s(?=[\d.])/, '$1')
    .replace(/\s?["″]/g, '')
    .replace(/\s?-\s?/g, '-');
  return hand === null ? said : `${said} LH`;
}

function cased(letters: string): string {
  const small = letters.toLowerCase();
  return small.length < 3 ? small[0].toUpperCase() + (small === 'mj' ? 'J' : small.slice(1)) : small.toUpperCase();
}

function plain(number: string): string {
  return String(Number(number.replace(',', '.')));
}
