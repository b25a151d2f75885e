/** Words behind a size that tell of features, in the languages of drawings: how many, where, of which make. */
const OF_FEATURES =
  // English
  String.raw`THRU(?:\s*ALL)?|THROUGH(?:\s*ALL)?|EQ(?:UALLY)?\.?\s+SP(?:ACED)?\.?|EQS|PLACES|PLCS?\.?|HOLES?|H\.?T\.?|` +
  String.raw`TAP(?:PED)?|LH|RH|` +
  // German
  String.raw`Gewinde|durchgehend|durchg\.|durch|links|Bohrung(?:en)?|gleichm(?:äßig|\.)?(?:\s+verteilt)?|` +
  // French, Italian, Spanish
  String.raw`trous?|taraudages?|taraudés?|débouchants?|debouchants?|traversants?|équidistants?|passant[ei]|pasantes?|` +
  // Chinese, Japanese
  String.raw`通孔|完全贯穿|贯穿|均布|螺纹|螺孔|通し|キリ|等配`;
/** All words that stand behind a size and belong to it; without regard to case. */
const WORD = String.raw`MAX\.?|MIN\.?|TYP\.?|TYPICAL|REF\.?|DEEP|BASIC|BSC|TP|tief|${OF_FEATURES}`;
/** Words that a depth stands before or behind: `12 tief`, `深12`. */
const DEPTH = String.raw`DEEP|DEPTH|tief|Tiefe|prof\.?|profondeur|深さ|深度?`;
/** Words behind a count: `4 trous ⌀6`. */
const COUNTED = String.raw`HOLES?|PLACES|PLCS?\.?|OFF|Stk\.?|Stück|Bohrungen|trous?|fori|agujeros`;

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})(?:\s?mm)?`;
const PART =
  String.raw`(?:[-,x×]\s?)?(?:(?:${DEPTH})\s?${NUMBER}(?:\s?(?:MIN|MAX)\.?)?|${NUMBER}\s?(?:${DEPTH})|${WORD})(?![\p{L}\d])|` +
  // The angle of a countersink.
  String.raw`[x×]\s?\d{1,3}(?:[.,]\d+)?\s?°`;
/**
 * Parts are taken off one at a time: `tief 1 tief 1` in one pattern can be parted in more ways than there is time for.
 */
const NEXT_PART = new RegExp(String.raw`(?:${PART})\s*`, 'iuy');
const FEATURES = new RegExp(String.raw`^(?:[-,x×]\s?)?(?:${OF_FEATURES})\s*$`, 'iu');
const COUNTS = new RegExp(String.raw`^(?:[-,x×]\s?)?(?:${COUNTED})\s*$`, 'iu');
const HAS_DEPTH = new RegExp(String.raw`\d|${DEPTH}`, 'iu');
const COUNT = new RegExp(
  String.raw`^(?:(\d{1,3})\s?[x×]\s?(?=\S)|\((\d{1,3})\s?[x×]\)\s?(?=\S)|` +
    // `4-M8`, `6-⌀9` in China and Japan; `4 trous ⌀6`.
    String.raw`(\d{1,2})\s?-\s?(?=M\d|S?⌀|R\d)|(\d{1,3})\s?(?:${COUNTED})(?:\s(?=\S)|(?=⌀)))`,
  'iu',
);

/** Whether all that stands behind a size, and behind its tolerance, are words that belong to it. */
export function areWordsOfSize(text: string): boolean {
  return partsOf(text) !== undefined;
}

/**
 * Whether words behind a bare whole number make it a count and no size: `4 HOLES`, `1 LH`; a depth stays one:
 * `10 DEEP`.
 * @param before the count before the number: `4x 12 THRU` are four of 12, but `2x 4 HOLES` are holes.
 */
export function areWordsOfCount(text: string, before: string): boolean {
  const parts = partsOf(text) ?? [];
  const isOne = (part: string): boolean => (before === '' ? FEATURES : COUNTS).test(part);
  return parts.some(isOne) && !parts.some((part) => HAS_DEPTH.test(part));
}

/** The words behind a size, with their numbers; undefined when some belong to no size. */
function partsOf(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    NEXT_PART.lastIndex = at;
    const [part] = NEXT_PART.exec(text) ?? [];
    if (part === undefined) return undefined;
    parts.push(part);
    at += part.length;
  }
  return parts.length === 0 ? undefined : parts;
}

/** How many features a size says that it holds for, and how that is written; undefined when it states no number. */
export function countBefore(text: string): { readonly said: string; readonly count: number } | undefined {
  const found = COUNT.exec(text);
  if (found === null) return undefined;
  return { said: found[0], count: Number(found.slice(1).find((group) => group !== undefined)) };
}
