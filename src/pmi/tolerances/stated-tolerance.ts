import type { TextLine } from '../text-lines.js';

/** Half of a tolerance as it is written. */
export interface StatedHalf {
  /** Of sizes with so many decimals; absent for all. */
  readonly places?: number;
  readonly written: string;
  /** Absent where none is written. */
  readonly unit?: 'mm' | 'in';
}

const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{1,4})?|[.,]\d{1,4})`;
/** `±0.1 in accordance with` is not in inches. */
const UNIT = String.raw`(?:mm|in(?:ch(?:es)?)?|["″])(?![a-z]|\s?:|\s(?:acc|all|any|the|conf|line)[a-z]*)`;
/** A ± that is no angle's, with its unit. */
const HALF = String.raw`±\s?${NUMBER}(?!\d|[.,]\d|\s?[°'′])(?:\s?(${UNIT}))?`;
const HALF_ANGLE = String.raw`±\s?${NUMBER}\s?°`;
/** `ISO 22081` and what belongs to it (ISO 22081:2021, 5): linear sizes, angular sizes, the profile of surfaces. */
export const ISO_22081 = /ISO\s?22081\b(?:\s?[:-]\s?\d{4}\b)?/i;
/**
 * What names the classes of ISO 2768-1, whose values EN 22768, JIS B 0405, GB/T 1804 and GOST 30893.1 have: the standard, then
 * f, m, c, v and perhaps H, K, L of ISO 2768-2.
 */
export const CLASSES =
  /(?<![\p{L}\p{N}])(ISO\s?2768|EN\s?22768|JIS\s?B\s?0405|GB\/?T\s?1804|ГОСТ\s?30893\.1)(?:-1(?!\d)|-\d{4})?\s?[-–]?\s?([fmcv][HKL]?)\b/gu;
const NAMES_OF_CLASSES = ['ISO 2768', 'EN 22768', 'JIS B 0405', 'GB/T 1804', 'ГОСТ 30893.1'] as const;
const LINEAR_WORD = 'linear|length|längen|lin[ée]aire|lineari';
const ANGULAR_WORD = 'angular|angle|winkel|angulaire|angolari';
const HAS_LINEAR = new RegExp(LINEAR_WORD, 'i');
const HAS_ANGULAR = new RegExp(ANGULAR_WORD, 'i');
// A number between the word and the ± is a size, and the ± is its own.
const LINEAR = new RegExp(String.raw`(?:${LINEAR_WORD})[^\n±\d]{0,30}${HALF}`, 'gi');
const ANGULAR = new RegExp(String.raw`(?:${ANGULAR_WORD})[^\n±\d]{0,30}${HALF_ANGLE}`, 'i');
const PROFILE = new RegExp(
  String.raw`(?:⌓|(?:profile of (?:a |any )?surface|surface profile|flächenprofil|profil d.une surface)(?: tolerance)?)[\s:|]*${NUMBER}((?:\s*\|?\s*[A-Z](?![A-Z\w]))*)`,
  'i',
);
/** Any ±; the first group is the size that it belongs to, if one stands before it. */
const UNLABELLED = new RegExp(String.raw`(${NUMBER}\s?(?:mm|°)?\s?)?(?:${HALF}|${HALF_ANGLE})`, 'gi');
/** Tolerances by decimals, `X.XX ±.01`, as title blocks in America have them (ASME Y14.5, 2.1.1). */
const ROW = String.raw`(?<![\w.,])([X0]{0,3}[.,](?:X{1,4}|0{1,4}))(?![\w.,])\s?[:=]?\s?${HALF}`;
/** The same for whole numbers, `X ±0.5`, which stands beside such rows alone: `20 x ±0.5` is something else. */
const WHOLE_ROW = String.raw`(?<![\w.,]|\d\s)(X{1,3})(?![\w.,])\s?[:=]?\s?${HALF}`;
const BY_PLACES = new RegExp(ROW, 'gi');
const OF_WHOLE = new RegExp(WHOLE_ROW, 'g');
const HAS_ROW = new RegExp(ROW, 'i');
/** Units before the first row of a line. */
const UNIT_BEFORE = /.*\b(mm|millimet|inch)/i;
const HEAD = new RegExp(
  String.raw`${ISO_22081.source}|general\s+(?:\w+\s+)?toleran|allgemeintoleran|tol[eé]rances?\s+g[eé]n|` +
    String.raw`tolleranze\s+general|tolerancias\s+general`,
  'i',
);
/**
 * Words beside a ± that is for all sizes: `All dimensions ±0.1 unless otherwise stated`. Any other word may say that
 * it is for some.
 */
const OF_ALL = new RegExp(
  '^(?:general|overall|all|alle|any|untoleranced|toleranc(?:es?|ing)|tol|g[eé]n[eé]rales?|tol[eé]rances?|' +
    'allgemein(?:toleranz(?:en)?|e)|toleranz(?:en|angaben?)?|tolleranz[ae]|generali|tolerancias?|generales|' +
    'dim(?:ension)?s?|dimensioni|cotes?|quote|cotas|ma(?:ß|ss)e|sizes?|linear|lin[eé]aires?|lineari|lengths?|' +
    'längen(?:maße)?|angular|angles?|winkel(?:maße)?|angulaires?|angolari|unless|otherwise|other|specified|stated|' +
    'noted|indicated|shown|marked|toleranced|without|if|not|wenn|nicht|ohne|anders|angegeben|sonst|sauf|sans|' +
    'indications?|contraires?|salvo|senza|se|non|specificato|indicato|diversamente|mm|inch(?:es)?|in|are|is|be|to|' +
    'on|for|of|the|an|and|und|et|y|notes?)$',
  'i',
);
/** What says that a ± is for all sizes, and what the line must be about. */
const FOR_ALL = new RegExp(
  String.raw`general|g[eé]n[eé]ral|\balle?\b|allgemein|untoleranced|unless|otherwise|wenn nicht|ohne toleranz|sauf|` +
    String.raw`salvo|se non|senza tolleranza|tolerances\s*:?\s*±`,
  'i',
);
const ABOUT_SIZES = /toll?[eé]?ran[cz]|dimension|\bsizes\b|cotes|quote|ma(?:ß|ss)e/i;
const HEAD_OF_ROWS = /toll?[eé]ran[cz]|\btol\b|unless otherwise|decimal/i;
/** Lines that belong to a head before them. */
const LABELLED = new RegExp(
  String.raw`^(?:(?:tol\S*|general|for|dimensions?|dimensioni|cotes|sizes?)\s+){0,3}(?:${LINEAR_WORD}|${ANGULAR_WORD})` +
    String.raw`[^±\d]{0,30}±|^(?:⌓|profile of |surface profile|flächenprofil|profil d.une )|^\W{0,3}(?:${ROW}|X{1,3}\s?[:=]?\s?±)`,
  'i',
);
const FRAME = /^(?:⌓[\s|]*)?(?:[\d.,]+|[A-Z])?(?:[\s|]+[A-Z])*$/;
const CELL = /^(?:\d{0,3}[.,]\d{1,4}|[A-Z])$/;
/**
 * Most heads of a sheet, and how far what belongs to one is below the line before and beside the head, in letter
 * heights.
 */
const MOST_HEADS = 100;
const BELOW = 4;
const BESIDE = 20;

/**
 * The lines of a sheet as {@link generalToleranceIn} takes them: behind each line that may be the head of general
 * tolerances what stands below it and is labelled as one of them, other lines apart by empty ones.
 */
export function textOfTolerances(lines: readonly TextLine[]): string {
  const taken = new Set<TextLine>();
  let heads = 0;
  const blocks = lines.map((head, i) => {
    const block = [head];
    if (taken.has(head) || !isHead(head.text) || ++heads > MOST_HEADS) return block;
    for (const line of lines.slice(i + 1)) {
      const last = block[block.length - 1];
      if (Math.abs(line.angleRad - head.angleRad) > 0.1 || line.t - last.t > BELOW * last.height) break;
      const aside = BESIDE * head.height;
      const isNear = line.start < head.end + aside && line.end > head.start - aside;
      if (taken.has(line) || !isNear || !follows(line.text, last.text)) continue;
      taken.add(line);
      block.push(line);
    }
    return block;
  });
  return blocks
    .filter(([head]) => !taken.has(head))
    .map((block) => block.map(({ text }) => text).join('\n'))
    .join('\n\n');
}

function isHead(line: string): boolean {
  return HEAD.test(line) || HEAD_OF_ROWS.test(line) || HAS_ROW.test(line);
}

function follows(line: string, last: string): boolean {
  return LABELLED.test(line) || (CELL.test(line) && FRAME.test(last));
}

/** Heads with the lines right behind them that belong to them. */
function blocksIn(text: string): string[][] {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (open !== undefined && follows(line, open[open.length - 1])) open.push(line);
    else {
      open = isHead(line) ? [line] : undefined;
      if (open !== undefined) blocks.push(open);
    }
  }
  return blocks;
}

/**
 * What notes and title blocks state as general tolerances, in one form: `ISO 2768-mK`, `JIS B 0405-m`,
 * `ISO 22081 ±0.1 ±0.5° ⌓0.2 A B C`, `.X ±0.2 .XX ±0.1 ±1°`, with units where they are written; undefined when they
 * state none. Only what stands in the line that names them or is labelled right behind it counts: a ± of another note
 * is that of one size.
 * @param text lines of the sheet, apart by line feeds.
 */
export function generalToleranceIn(text: string): string | undefined {
  const classes = [...text.replace(/\n+/g, '\n').matchAll(CLASSES)];
  // Two that contradict are both said, so that none of them is applied silently.
  const byLinear = new Map<string, string>();
  for (const [, standard, name] of classes)
    if (!byLinear.has(name[0])) byLinear.set(name[0], `${standardOf(standard)}-${name}`);
  if (byLinear.size > 0) return [...byLinear.values()].join(' / ');
  const blocks = blocksIn(text);
  if (ISO_22081.test(text)) {
    const general = blocks.filter(([head]) => HEAD.test(head));
    const bodies = general.map((block) => block.join('\n'));
    const labelled = bodies.flatMap((body) => [...body.matchAll(LINEAR)].map(([, half, unit]) => halfOf(half, unit)));
    const heads = general.flatMap(([head]) => (ISO_22081.test(head) ? [head] : []));
    const lengths = labelled.length > 0 ? labelled : heads.flatMap((head) => unlabelledIn(head).lengths);
    const [angle] = [
      ...bodies.flatMap((body) => ANGULAR.exec(body)?.[1] ?? []),
      ...heads.flatMap((head) => unlabelledIn(head).angles),
    ];
    const [profile] = bodies.flatMap((body) => {
      const found = PROFILE.exec(body);
      return found === null ? [] : [`⌓${found[1]} ${found[2].replace(/[\s|]+/g, ' ').trim()}`.trim()];
    });
    const said = [...new Set(lengths.map(shownHalf)), angle === undefined ? '' : `±${angle}°`, profile ?? ''];
    return ['ISO 22081', ...said].filter((each) => each !== '').join(' ');
  }
  const stated = blocks.map((block) => ({ block, rows: rowsOf(block) })).filter(({ rows }) => rows.length > 0);
  if (stated.length === 0) return ofAllIn(text, blocks);
  const rows = stated.flatMap((each) => each.rows.map(shownHalf));
  const [angle] = stated.flatMap(({ block }) => ANGULAR.exec(block.join('\n'))?.[1] ?? []);
  return [...new Set(rows), ...(angle === undefined ? [] : [`±${angle}°`])].join(' ');
}

/** Whether a line states a general tolerance by itself, or is labelled as one below its head. */
export function statesTolerance(line: string): boolean {
  return LABELLED.test(line) || generalToleranceIn(line) !== undefined;
}

/** A ± for all sizes, in one sentence or labelled below its head; each of several that contradict. */
function ofAllIn(text: string, blocks: readonly (readonly string[])[]): string | undefined {
  const sentences = text.split('\n').filter(isOfAll).map(unlabelledIn);
  const bodies = blocks.map((block) => block.join('\n'));
  const labelled = bodies.flatMap((body) => [...body.matchAll(LINEAR)].map(([, half, unit]) => halfOf(half, unit)));
  const lengths = new Set([...sentences.flatMap((each) => each.lengths), ...labelled].map(shownHalf));
  if (lengths.size === 0) return undefined;
  const [angle] = [
    ...sentences.flatMap((each) => each.angles),
    ...bodies.flatMap((body) => ANGULAR.exec(body)?.[1] ?? []),
  ];
  return [...lengths, ...(angle === undefined ? [] : [`±${angle}°`])].join(' ');
}

/** Longest line that is looked at, characters. */
const LONGEST_SENTENCE = 200;
const ANY_HALF = new RegExp(`${HALF}|${HALF_ANGLE}`, 'gi');
/** `marked`, `shown in`: said of some sizes, unless it says which ones have another tolerance. */
const OF_SOME = /\b(?:marked|shown|indicated|specified|stated|noted|toleranced|angegeben|specificato|indicato)\b/i;
const OTHERS = /unless|\bnot\b|otherwise|without|nicht|anders|salvo|\bnon\b|diversamente/i;
/** `not all dimensions`. */
const NOT_ALL = /\bnot\b(?!\s+(?:be|otherwise|marked|shown|indicated|specified|stated|noted|toleranced)\b)/i;

/**
 * Whether a line says nothing but that its ± is for all sizes. What may be of some sizes (a range, a mark, another
 * number) or is no plain number (a fraction, a share) is not: no deviation is better than a wrong one.
 */
function isOfAll(line: string): boolean {
  if (line.length > LONGEST_SENTENCE || !line.includes('±') || !FOR_ALL.test(line) || !ABOUT_SIZES.test(line))
    return false;
  if ((OF_SOME.test(line) && !OTHERS.test(line)) || NOT_ALL.test(line)) return false;
  if (HAS_ANGULAR.test(line) && !HAS_LINEAR.test(line) && !line.includes('°')) return false;
  const rest = line
    .replace(/^\s*\d{1,2}[.)]?\s/, '')
    .replace(/\((?:mm|in(?:ch(?:es)?)?)\)/gi, ' ')
    .replace(ANY_HALF, ' ');
  if (/[\d/%*<>()]/.test(rest)) return false;
  return (rest.match(/\p{L}+/gu) ?? []).every((word) => OF_ALL.test(word));
}

/** The name of a standard in one spelling. */
export function standardOf(written: string): string {
  return NAMES_OF_CLASSES.find(([letter]) => letter === written[0]) ?? written;
}

/**
 * Tolerances by decimals of a block. Zeros stand for any digits in tables; a line of them alone may be the size zero.
 */
function rowsOf(block: readonly string[]): StatedHalf[] {
  const all = block.flatMap((line) => placesIn(line));
  const rows = all.some(({ places }) => places !== 0) ? all : [];
  const isTable = HEAD_OF_ROWS.test(block[0]) || new Set(rows.map(({ places }) => places)).size > 1;
  return isTable ? rows : rows.filter(({ isZeros }) => !isZeros);
}

/** The rows of a line that state tolerances by decimals; `isZeros`: their form is zeros, which may be a size. */
export function placesIn(line: string): (StatedHalf & { readonly isZeros: boolean })[] {
  return [...line.matchAll(OF_WHOLE), ...line.matchAll(BY_PLACES)].map(({ 1: form, 2: half, 3: unit, index }) => ({
    ...halfOf(half, unit ?? UNIT_BEFORE.exec(line.slice(0, index))?.[1]),
    places: /[.,](.*)$/.exec(form)?.[1].length ?? 0,
    isZeros: !/x/i.test(form),
  }));
}

function halfOf(written: string, unit: string | undefined): StatedHalf {
  return unit === undefined ? { written } : { written, unit: /^m/i.test(unit) ? 'mm' : 'in' };
}

function shownHalf({ places, written, unit }: StatedHalf): string {
  const form = places === undefined ? '' : places === 0 ? 'X ' : `.${'X'.repeat(places)} `;
  return `${form}±${written}${unit === undefined ? '' : ` ${unit}`}`;
}

/** Each ± of a line that stands behind no size. */
export function unlabelledIn(line: string): {
  readonly lengths: readonly StatedHalf[];
  readonly angles: readonly string[];
} {
  const found = [...line.replace(ISO_22081, ';').matchAll(UNLABELLED)].filter(([, size]) => size === undefined);
  return {
    lengths: found.flatMap(({ 3: half, 4: unit }) => (half === undefined ? [] : [halfOf(half, unit)])),
    angles: found.flatMap(({ 5: angle }) => angle ?? []),
  };
}
