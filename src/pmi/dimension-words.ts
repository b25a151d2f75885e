/** Words that stand behind a size and belong to it, in the languages of drawings; without regard to case. */
const WORD =
  // English
  String.raw`MAX\.?|MIN\.?|TYP\.?|TYPICAL|REF\.?|THRU(?:\s*ALL)?|THROUGH(?:\s*ALL)?|DEEP|BASIC|BSC|TP|` +
  String.raw`EQ(?:UALLY)?\.?\s+SP(?:ACED)?\.?|EQS|PLACES|PLCS?\.?|HOLES?|H\.?T\.?|TAP(?:PED)?|LH|RH|` +
  // German
  String.raw`Gewinde|durchgehend|durchg\.|durch|tief|links|Bohrung(?:en)?|gleichm(?:äßig|\.)?(?:\s+verteilt)?|` +
  // French, Italian, Spanish
  String.raw`trous?|taraudages?|taraudés?|débouchants?|debouchants?|traversants?|équidistants?|passant[ei]|pasantes?|` +
  // Chinese, Japanese
  String.raw`通孔|完全贯穿|贯穿|均布|螺纹|螺孔|通し|キリ|等配`;
/** Words that a depth stands before or behind: `12 tief`, `深12`. */
const DEPTH = String.raw`DEEP|DEPTH|tief|Tiefe|prof\.?|profondeur|深さ|深度?`;
/** Words behind a count: `4 trous ⌀6`. */
const COUNTED = String.raw`HOLES?|PLACES|PLCS?\.?|OFF|Stk\.?|Stück|Bohrungen|trous?|fori|agujeros`;

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})(?:\s?mm)?`;
const PART =
  String.raw`(?:[-,x×]\s?)?(?:(?:${DEPTH})\s?${NUMBER}(?:\s?(?:MIN|MAX)\.?)?|${NUMBER}\s?(?:${DEPTH})|${WORD})(?![\p{L}\d])|` +
  // The angle of a countersink.
  String.raw`[x×]\s?\d{1,3}(?:[.,]\d+)?\s?°`;
const WORDS = new RegExp(String.raw`^(?:(?:${PART})\s*)+$`, 'iu');
const COUNT = new RegExp(
  String.raw`^(?:(\d{1,3})\s?[x×]\s?(?=\S)|\((\d{1,3})\s?[x×]\)\s?(?=\S)|` +
    // `4-M8`, `6-⌀9` in China and Japan; `4 trous ⌀6`.
    String.raw`(\d{1,2})\s?-\s?(?=M\d|S?⌀|R\d)|(\d{1,3})\s?(?:${COUNTED})(?:\s(?=\S)|(?=⌀)))`,
  'iu',
);

/** Whether all that stands behind a size, and behind its tolerance, are words that belong to it. */
export function areWordsOfSize(text: string): boolean {
  return WORDS.test(text);
}

/** How many features a size says that it holds for, and how that is written; undefined when it states no number. */
export function countBefore(text: string): { readonly said: string; readonly count: number } | undefined {
  const found = COUNT.exec(text);
  if (found === null) return undefined;
  return { said: found[0], count: Number(found.slice(1).find((group) => group !== undefined)) };
}
