/** A number as drawings write it: with a point or a comma, possibly without a leading zero. */
export const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})`;
/** Degrees, with minutes and seconds behind them. */
export const ANGLE = String.raw`${NUMBER}\s?°(?:\s?\d{1,2}(?:[.,]\d+)?\s?['′](?:\s?\d{1,2}(?:[.,]\d+)?\s?["″])?)?`;
export const FRACTION = String.raw`(?:\d{1,4}[ -])?\d{1,3}/(?:2|4|8|16|32|64)(?=\s*["″]|$|\s?±|\s[+-]\s?\d)`;
/** Feet, and inches behind them: `5'-3 1/2"`. */
export const FEET =
  String.raw`\d{1,4}\s?['′]\s?-?\s?` +
  String.raw`(?:(?:\d{1,2}[ -])?\d{1,2}/\d{1,3}|\d{1,2}(?:[.,]\d{1,4})?)(?=\s*["″])`;
export const UNIT = String.raw`(?:\s?(?:mm|cm|MM|in\.?|IN\.?|["″]))?`;

/** Noise of binary fractions ends here: no drawing writes more decimals. */
const FINEST = 1e9;
const MINUTES = 60;
const SECONDS = 3600;

/** Cyrillic letters that look like Latin ones, beside figures: `М8`, `40 Н7`, `М10х1,25-7Н`. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  [...'АВЕКМНРСТХаекрсх'].map((letter, i) => [letter, 'ABEKMHPCTXaekpcx'[i]]),
);
const CYRILLIC = new RegExp(
  String.raw`(?<![\p{L}])М(?=\s?\d)|(?<=\d\s?)[АВЕКМНРСТаекрс](?=\d{1,2}(?![\p{L}\d]))|` +
    String.raw`(?<=\d)Н(?![\p{L}\d])|(?<=\d\s?)[хХ](?=\s?[\d⌀])`,
  'gu',
);
const HAS_CYRILLIC = /[\u0400-\u04ff]/;

function withoutCyrillic(text: string): string {
  if (!HAS_CYRILLIC.test(text)) return text;
  return text
    .replace(/(?<!\p{L})[Фф](?=\s?\d)/gu, '⌀')
    .replace(/(?<=\d)\s?мм(?!\p{L})/gu, ' mm')
    .replace(CYRILLIC, (letter) => LATIN[letter] ?? letter);
}

/** Figures as wide as other signs of Japanese texts have codes so much higher. */
const FULL_WIDTH = 0xfee0;

/**
 * Replaces lookalike characters by one: ⌀ for a diameter, ° for a degree, also where typed as `deg`, ± for `+/-`, □ for
 * `[]` before a number, plain spaces and hyphens.
 */
export function plainSigns(text: string): string {
  return withoutCyrillic(text)
    .normalize('NFC')
    .replace(/[０-９]/g, (figure) => String.fromCharCode(figure.charCodeAt(0) - FULL_WIDTH))
    .replace(/[ØøΦφϕ∅ɸ⦰]/g, '⌀')
    .replace(/[º˚]|(?<=\d)\s?(?:deg(?:rees?)?\b\.?|Grad(?!\p{L}))/giu, '°')
    .replace(/(?:\[\s?\]|[⬜◻▢☐])(?=\s?\d)/gu, '□')
    .replace(/[−‐‑–]/g, '-')
    .replace(/\+\s?\/\s?-|\+\\-|\+-(?=\s?[\d.,])|∓/g, '±')
    .replace(/[✕✖]/g, '×')
    .replace(/⏊/g, '⊥')
    .replace(/[\s\u00a0\u2000-\u200b\u202f]+/g, ' ')
    .trim();
}

/**
 * A number as drawings write it, NaN for none: feet are inches by twelves, minutes and seconds behind degrees are
 * degrees.
 */
export function numberOf(text: string): number {
  if (text.includes('°')) return degreesOf(text);
  const feet = /^(\d+)\s?['′]\s?-?\s?(.+)$/.exec(text.trim());
  if (feet !== null) return 12 * Number(feet[1]) + numberOf(feet[2]);
  const parts = /^([+-]?)\s?(?:(\d+)[ -])?(\d+)\/(\d+)/.exec(text.trim());
  if (parts !== null)
    return (parts[1] === '-' ? -1 : 1) * (Number(parts[2] ?? 0) + Number(parts[3]) / Number(parts[4]));
  return decimal(text);
}

/** Degrees of an angle that may have no whole ones: `30'`, `-0°15'`, `1°`; seconds alone too: `20"`. */
export function degreesOf(text: string): number {
  const [, sign, degrees, minutes, seconds] =
    /^([+-]?)\s?(?:([\d.,]+)\s?°)?\s?(?:([\d.,]+)\s?['′])?\s?(?:([\d.,]+)\s?["″])?/.exec(text.trim()) ?? [];
  if (degrees === undefined && minutes === undefined && seconds === undefined) return decimal(text);
  const value = [degrees, minutes, seconds].map((each) => (each === undefined ? 0 : decimal(each)));
  return withoutNoise((sign === '-' ? -1 : 1) * (value[0] + value[1] / MINUTES + value[2] / SECONDS));
}

/** The nearest number with nine decimals: what a sum or a difference of written numbers is. */
export function withoutNoise(value: number): number {
  return Math.round(value * FINEST) / FINEST;
}

/**
 * Thousands that are parted by the sign that is not before the decimals, or by an apostrophe: `1,234.5`, `1.250,5`,
 * `1'250.5`. A space may also stand between two numbers, `1 250,5`.
 */
const THOUSANDS = new RegExp(
  String.raw`(?<![\d.,])(?:\d{1,3}(?:,\d{3})+(?=\.\d+(?![\d.,]))|\d{1,3}(?:\.\d{3})+(?=,\d+(?![\d.,]))|` +
    String.raw`\d{1,3}(?:['’]\d{3})+(?![\d"″]))`,
  'g',
);

/** The text with its thousands in one piece, and those as they are written and as they are now. */
export function withoutThousands(text: string): {
  readonly plain: string;
  readonly parted: readonly (readonly [written: string, whole: string])[];
} {
  const parted: [string, string][] = [];
  const plain = text.replace(THOUSANDS, (written) => {
    const whole = written.replace(/[.,'’]/g, '');
    parted.push([written, whole]);
    return whole;
  });
  return { plain, parted };
}

/** Decimals of the size that is written first. */
export function placesOf(text: string): number {
  return (/\d*[.,](\d+)/.exec(withoutThousands(text).plain)?.[1] ?? '').length;
}

/** Decimals of the number that is written last. */
export function decimalsOf(text: string): number {
  return /[.,](\d+)\D*$/.exec(text)?.[1].length ?? 0;
}

function decimal(text: string): number {
  return Number(/[+-]?[\d.]+/.exec(text.replace(/\s/g, '').replace(',', '.'))?.[0] ?? Number.NaN);
}
