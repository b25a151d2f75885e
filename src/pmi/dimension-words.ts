import type { DimensionKind } from './sizes/dimension.js';

/** Words behind a size that tell of features, in the languages of drawings: how many, where, of which make. */
const OF_FEATURES =
  // English
  String.raw`THRU(?:\s*ALL)?|THROUGH(?:\s*ALL)?|EQ(?:UALLY)?\.?\s+SP(?:ACED)?\.?|EQS|PLACES|PLCS?\.?|HOLES?|H\.?T\.?|` +
  String.raw`TAP(?:PED)?|LH|RH|(?:NEAR|FAR|BOTH|ONE|OTHER)\s+(?:SIDES?|WALLS?|ENDS?)(?:\s+ONLY)?|N/S|F/S|` +
  // German
  String.raw`Gewinde|durchgehend|durchg\.|durch|links|Bohrung(?:en)?|gleichm(?:äßig|\.)?(?:\s+verteilt)?|` +
  // French, Italian, Spanish
  String.raw`trous?|taraudages?|taraudés?|débouchants?|debouchants?|traversants?|équidistants?|passant[ei]|pasantes?|` +
  // Chinese, Japanese
  String.raw`通孔|完全贯穿|贯穿|均布|螺纹|螺孔|通し|等配`;
export const COUNTERBORE =
  String.raw`C['′’/-]?BORE|COUNTER-?\s?BORE|SPOT-?\s?FACE|S['′’/]?FACE|S/F|` +
  'Flachsenkung|Plansenkung|lamage|lamatura|沉孔|锪平|ザグリ';
export const COUNTERSINK =
  String.raw`C['′’/-]?SINK|COUNTER-?\s?SINK|CSK|Kegelsenkung|Senkung|` + 'fraisurage|svasatura|沉头孔|皿モミ';
/** The circle that holes lie on, in full. */
const CIRCLE_IN_FULL = String.raw`Teilkreis|Lochkreis|(?:PITCH|BOLT)\s?CIRCLE`;
/** Words of a round size: of its circle of holes, or of the tool that makes it. */
export const CIRCLE = String.raw`${CIRCLE_IN_FULL}|P\.?C\.?D\.?|B\.?C\.?D?\.?|LK|TK`;
const ROUND = String.raw`DIA(?:M|METER)?\.?|${CIRCLE}|DRILL|REAM(?:ED)?|BORED?|キリ`;
/** Words of a width across flats, and of a thickness. */
const ACROSS = String.raw`A/?F|ACROSS\s+FLATS|SW`;
const THICK = String.raw`THK\.?|THICK`;
const THICKNESS = 'THICKNESS|Blechdicke|Dicke|épaisseur|spessore|espesor';
/** The circle that holes lie on, with the size of it in any order: `ON ⌀50 BC`, `auf TK ⌀80`. */
export function onCircle(number: string): string {
  return String.raw`(?:ON|AUF)\s(?:A\s)?(?:(?:⌀\s?)?${number}\s?(?:${CIRCLE})|(?:${CIRCLE})\s?(?:⌀\s?)?${number})`;
}
/** Chamfers, in the languages of drawings. */
const CHAMFERS = 'CHAM(?:F(?:ER)?)?|chanfreins?|smuss[oi]|chafl[aá]n|bisel|面取り?|倒角';
/** Modifiers of sizes (ISO 14405-1): the envelope requirement, and how a size is measured. */
export const SIZE_MODIFIER = String.raw`Ⓔ|\((?:E|L[PS]|G[GXNC]|C[CAV]|S[XNAMDR])\)`;
/** Other circled letters too. */
const MODIFIER = String.raw`[Ⓐ-Ⓩ]|${SIZE_MODIFIER}`;
/** All words that stand behind a size and belong to it; without regard to case. */
const WORD =
  String.raw`MAX(?:IMUM)?\.?|MIN(?:IMUM|D|DESTENS)?\.?|HÖCHST(?:ENS)?\.?|NOM(?:INAL)?\.?|TYP\.?|TYPICAL|REF\.?|DEEP|BASIC|BSC\.?|THEOR\.?|TP|NTS|N\.T\.S\.|DRAFT|` +
  String.raw`tief|RAD\.?|□|${ACROSS}|${THICK}|${ROUND}|` +
  String.raw`(?:${CHAMFERS}|Fase)\.?|${COUNTERBORE}|${COUNTERSINK}|${OF_FEATURES}`;
/** Words that a depth stands before or behind: `12 tief`, `深12`. */
export const DEPTH = String.raw`DEEP|DEPTH|DP\.?|tief|Tiefe|prof\.?|profondeur|głęb\.?|глуб\.?|深さ|深度?`;
/** Words behind a count: `4 trous ⌀6`. */
const COUNTED = String.raw`HOLES?|PLACES|PLCS?\.?|PL\.?|OFF|Stk\.?|Stück|Bohrungen|Bohr\.|Löcher|trous?|fori|agujeros|отв\.?|otw\.?`;

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})(?:\s?mm)?`;
const IN_MM = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})\s?mm`;
/** The angle of a countersink. */
const OPENING = String.raw`[x×]?\s?\d{1,3}(?:[.,]\d+)?\s?°`;
const PART =
  String.raw`(?:[-,x×]\s?)?(?:(?:${DEPTH})\s?${NUMBER}(?:\s?(?:MIN|MAX)\.?)?|${NUMBER}\s?(?:${DEPTH})|` +
  String.raw`(?:${COUNTERBORE})\s?${NUMBER}|${onCircle(NUMBER)}|${WORD})(?![\p{L}\d])|` +
  String.raw`\((?:${WORD})\)|\*{1,3}(?![\p{L}\d*])|${MODIFIER}|${OPENING}`;
/** A second size behind a round one: its depth or its length. */
const SECOND = String.raw`[x×]\s?${NUMBER}(?![\p{L}\d°.,])`;
/**
 * Parts are taken off one at a time: `tief 1 tief 1` in one pattern can be parted in more ways than there is time for.
 */
const NEXT_PART = new RegExp(String.raw`(?:${PART})\s*`, 'iuy');
const NEXT_OF_ROUND = new RegExp(String.raw`(?:${PART}|${SECOND})\s*`, 'iuy');
const FEATURES = new RegExp(String.raw`^(?:[-,x×]\s?)?(?:${OF_FEATURES}|(?:${CHAMFERS}|Fase)\.?)\s*$`, 'iu');
const COUNTS = new RegExp(String.raw`^(?:[-,x×]\s?)?(?:${COUNTED})\s*$`, 'iu');
const IS_OF_SIZE = new RegExp(String.raw`\d|${DEPTH}|(?<!\p{L})(?:${ROUND}|${ACROSS}|${THICK})(?!\p{L})`, 'iu');
const COUNT = new RegExp(
  String.raw`^(?:(\d{1,3})\s?[x×]\s?(?=\S)|\((\d{1,3})\s?(?:[x×]|${COUNTED})\)\s?(?=\S)|` +
    // `4-M8`, `6-⌀9`, `2-C1`, `4-10キリ` in China and Japan; `4 trous ⌀6`.
    String.raw`(\d{1,2})\s?-\s?(?=M\d|S?⌀|S?R\d|C\d|□|G\d|R[cp]\s?\d|${NUMBER}\s?(?:DRILL|キリ))|` +
    String.raw`(?:n[r°]?\.?\s?)?(\d{1,3})(?:\s?(?:${COUNTED})|-?fach)(?:\s(?=\S)|(?=⌀)))`,
  'iu',
);
/**
 * The count behind a size: in brackets, as a word, or as `2X` and `(x2)` behind all of it, also behind a dash or a
 * comma: `⌀8 H7 - 2 x`.
 */
const COUNT_BEHIND = new RegExp(
  String.raw`(?<=\S)(?:\s?\((\d{1,3})\s?(?:[xX×]|${COUNTED}|PL\.?|TIMES)\)|` +
    String.raw`(?:[,;]?\s(?:(?:[x×-]|n[r°]?\.?)\s?)?)(\d{1,3})\s?(?:${COUNTED}|PL\.?)$|` +
    String.raw`[,;]?\s(?:-\s?)?(\d{1,2})\s?[xX×]$|\s(\d{1,3})-?fach$|\s?\([x×]\s?(\d{1,2})\))`,
  'i',
);
/** Which way a sheet is bent, before the angle: `UP 90° R 1`. */
export const BENT = String.raw`(?:BEND\s)?(?:UP|DOWN)|(?:nach\s)?(?:oben|unten)|(?:vers\sle\s)?(?:haut|bas)|su|giù`;
/** Words before a size: its limit, what it is the size of. No `TYP`: `Typ 2` is a model. */
const PREFIX = new RegExp(
  String.raw`^(?:(?:MAX(?:IM(?:UM|AL)|I)?|MASSIMO|MIN(?:IM(?:UM|AL|O)|I|D|DESTENS)?|HÖCHST(?:ENS)?)(?!\p{L})\.?\s?|[≤≥<>≈~]\s?|ca\.?\s|(?:${BENT})\s(?=[\d.,]+\s?°)|` +
    // An Italian `FASE 10` is a step of work.
    String.raw`(?:(?:${CHAMFERS})\b\.?|Fasen?(?=\s?${NUMBER}\s?[x×])|SW|A/?F|THK\.?|` +
    // `Rmax 10` is a roughness (DIN 4768), `R max 10` and `Rmax. 10` are radii.
    String.raw`R(?:\s?MIN|\sMAX|MAX(?=\.))\b\.?|` +
    String.raw`P\.?C\.?D\.?|(?:${CIRCLE_IN_FULL})\s?[-:]?|(?:${THICKNESS})|DIA(?:M|METER)?\b\.?|` +
    String.raw`${COUNTERBORE}|${COUNTERSINK})\s?|` +
    // `82° CSK TO ⌀12`: the angle before it; `DEEP 6.4` goes on from a hole.
    String.raw`\d{2,3}\s?°\s?(?:${COUNTERSINK})(?:\s?TO)?\s?(?=⌀)|(?:${DEPTH})\s?(?=${NUMBER}(?![\p{L}\d.,]))|` +
    String.raw`(?:B\.?C\.?D?\.?|LK|TK|DRILL|REAM|S\.?F\.?)\s?(?=⌀)|(?:LK|TK)\s?(?=[\d.,]+\s?±)|` +
    String.raw`[x×]\s?(?=${IN_MM}$))`,
  'iu',
);
const THROUGH = /^(?:THRU|THROUGH|durchgehend|durchg\.|durch|débouchants?|traversants?|passant[ei])/iu;
const DEPTH_BEFORE = new RegExp(`^(?:${DEPTH})`, 'iu');
const DEPTH_ALONE = new RegExp(String.raw`^\(?(?:${DEPTH})\s?[\d.,]`, 'iu');
/** What is written behind several holes: `x 20 ±0.5`; `x 20mm` is a length. */
const TIMES_ALONE = /^[x×]\s(?=[\d.,])(?![\d.,]+\s?mm)/;
const DEPTH_BEHIND = new RegExp(String.raw`[\d.,]\s?(?:mm\s?)?(?:${DEPTH})(?![\p{L}\d])`, 'iu');
/** Behind a tolerance: a length or a depth of its own. */
const SIZE_BEHIND = new RegExp(
  String.raw`^\s*(?:[x×]\s?${NUMBER}\s*$|(?:[x×]\s?)?${NUMBER}\s?(?:${DEPTH})(?!\p{L}))`,
  'iu',
);
const DEPTH_LAST = new RegExp(String.raw`(?<!\p{L})(?:${DEPTH})\s?${NUMBER}\s*$`, 'iu');
/** A second hole behind the first one, with a size of its own: `THRU CBORE 11`, `CBORE 11 DIA`. */
const OTHER_HOLE = new RegExp(
  String.raw`^.*(?:THRU|THROUGH|durch|débouchant|traversant).*(?:${COUNTERBORE}|${COUNTERSINK})\s?${NUMBER}|` +
    String.raw`(?:${COUNTERBORE}|${COUNTERSINK})\s?${NUMBER}\s?DIA`,
  'iu',
);
/** Words before a size that others differ from by case alone: `T25` is a Torx, `Rad 5` a wheel. */
const CASED_PREFIX = /^(?:(?:RAD\b\.?|Rad\.)\s?|[tsTS]\s?=\s?|t\s?(?=\d))/;
/**
 * What stands behind some words is a size only where it is plausible. Widths across flats are whole or those of small
 * keys (DIN 475, ISO 2936), or say their unit: `SW 2.1` and `SW 2019` are programs, `AF 1234` is a number of a part. A
 * thickness is at most 100 mm; a limit of 1000 and more is one of revolutions or of newtons, unless it says its unit.
 */
const PLAUSIBLE: readonly (readonly [word: RegExp, size: RegExp])[] = [
  [
    /^(?:SW|A\/?F)/i,
    new RegExp(
      String.raw`^(?:(?:[2-9]|[1-9]\d|[12]\d\d)(?![\d.,])|(?:0[.,][79]|1[.,][35]|[2-9][.,]5|3[.,]2)(?!\d)|` +
        String.raw`0?[.,]\d{3}|\d{1,2}/\d|[\d.,]+\s?(?:mm|["″]|[±+]))`,
    ),
  ],
  [new RegExp(`^(?:${DEPTH})`, 'iu'), /^\d{0,3}(?!\d)/],
  [new RegExp(`^(?:[ts]\\s?(?:=|$)|(?:${THICKNESS}))`, 'iu'), /^(?:100|\d{0,2})(?!\d)/],
  [/^(?:MA[XS]|MIN|HÖCHST|ca|[≤≥<>≈~])/i, /^(?!\d{4}(?!\d*(?:[.,]\d+)?\s?(?:mm|["″])))/],
];
const KINDS: readonly (readonly [pattern: RegExp, kind: DimensionKind])[] = [
  [new RegExp(String.raw`^\W*(?:${COUNTERBORE}|S\.?F\.?\s?$)`, 'iu'), 'counterbore'],
  [new RegExp(String.raw`^\W*(?:\d{2,3}\s?°\s?)?(?:${COUNTERSINK})`, 'iu'), 'countersink'],
  [new RegExp(String.raw`^\W*(?:${ROUND})(?![\p{L}\d])`, 'iu'), 'diameter'],
  [/^□/, 'square'],
  [/^\W*(?:RAD\b|Rad\.|R\s?(?:MAX|MIN|max|min)\b)/, 'radius'],
  [new RegExp(`^(?:${CHAMFERS}|Fase)`, 'iu'), 'chamfer'],
];
/** Kinds that words say more of: a bare number is a length, and a counterbore is round. */
const OPEN_KINDS: ReadonlySet<DimensionKind> = new Set(['length', 'diameter']);

/** The words before a size, with the spaces behind them; '' for none. */
export function wordsBefore(text: string): string {
  const said = (PREFIX.exec(text) ?? CASED_PREFIX.exec(text) ?? TIMES_ALONE.exec(text))?.[0] ?? '';
  const size = text.slice(said.length);
  return PLAUSIBLE.every(([word, plausible]) => !word.test(said) || plausible.test(size)) ? said : '';
}

/** The kind of a size with the words about it: `⌀50 PCD`, `CBORE ⌀11`, `.250 DIA`. */
export function kindWith(words: readonly string[], kind: DimensionKind): DimensionKind {
  if (!OPEN_KINDS.has(kind)) return kind;
  // What stands behind a hole that goes through is another one's: `⌀6.5 THRU CBORE`.
  const through = words.findIndex((word) => THROUGH.test(word));
  if (through >= 0) return kindWith(words.slice(0, through), kind);
  const [said] = KINDS.filter(([pattern]) => words.some((word) => pattern.test(word)));
  return said?.[1] ?? kind;
}

/** Whether words behind a size tell of another hole, which is a size of its own. */
export function tellOfOtherHole(words: string): boolean {
  return OTHER_HOLE.test(words);
}

/** Whether words end in a depth with its word before it, `DEEP 12`: what follows is said of the depth. */
export function endsInDepth(words: string): boolean {
  return DEPTH_LAST.test(words);
}

/**
 * Whether what stands behind a tolerance is a length or a depth of its own: `⌀8 ±0.1 x 20`, `⌀8 ±0.1 20 DEEP`.
 */
export function tellOfSizeBehind(words: string): boolean {
  return SIZE_BEHIND.test(words);
}

/** Whether a size is a depth by the word behind it: `6.5 DEEP`. */
export function isDepthByWordBehind(text: string): boolean {
  return DEPTH_BEHIND.test(text);
}

/**
 * Whether a text is a depth by its word alone, `DEEP 6.4`, or by the x before it, `x 20`: it goes on from a hole, and
 * without one `DP 10` is a pitch and `Prof. 12` a name.
 */
export function isDepthByWord(text: string): boolean {
  return DEPTH_ALONE.test(text) || TIMES_ALONE.test(text);
}

/** Whether a text is a depth that its word names in full, which on a dimension's line is one without a hole, too. */
export function isNamedDepth(text: string): boolean {
  return /^\(?(?:DEPTH|DEEP|Tiefe|profondeur)\s?[\d.,]/i.test(text);
}

/** Whether the words before a size are those of a depth: `DEEP 6.4`. */
export function areWordsOfDepth(words: string): boolean {
  return DEPTH_BEFORE.test(words);
}

/** The count behind a size and how it is written, with the space before it; undefined for none. */
export function countBehind(text: string): { readonly said: string; readonly count: number } | undefined {
  const found = COUNT_BEHIND.exec(text);
  return found === null
    ? undefined
    : { said: found[0], count: Number(found.slice(1).find((group) => group !== undefined)) };
}

/** The word at the beginning of what stands behind a size, with the spaces behind it; '' where none begins there. */
export function wordAt(text: string, { isRound = false } = {}): string {
  const pattern = isRound ? NEXT_OF_ROUND : NEXT_PART;
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0] ?? '';
}

/**
 * Whether words behind a bare whole number make it a count and no size: `4 HOLES`, `1 LH`; a depth stays one:
 * `10 DEEP`.
 * @param before the count before the number: `4x 12 THRU` are four of 12, but `2x 4 HOLES` are holes.
 */
export function areWordsOfCount(text: string, before: string): boolean {
  const parts = partsOf(text) ?? [];
  // `4 HOLES EQ SP ON 3.00 B.C.`: the size is that of the circle.
  if (before === '' && COUNTS.test(parts[0] ?? '')) return true;
  const isOne = (part: string): boolean => (before === '' ? FEATURES : COUNTS).test(part);
  return parts.some(isOne) && !parts.some((part) => IS_OF_SIZE.test(part));
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
