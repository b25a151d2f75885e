import type { TextLine } from '../text-lines.js';
import { ABOUT_SIZES, classesIn, FOR_ALL, FOR_SOME_FACES, HEADS, OF_ALL, plainTolerances } from './tolerance-words.js';

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
const HALF = String.raw`±\s?${NUMBER}(?!\d|[.,]\d|\s?[°'′]|\s?/\s?\d)(?:\s?(${UNIT}))?`;
const HALF_ANGLE = String.raw`±\s?${NUMBER}\s?°`;
/** `ISO 22081` and what belongs to it (ISO 22081:2021, 5): linear sizes, angular sizes, the profile of surfaces. */
export const ISO_22081 = /ISO\s?22081\b(?:\s?[:-]\s?\d{4}\b)?/i;
const LINEAR_WORD = 'linear|length|längen|lin[ée]aire|lineari';
const ANGULAR_WORD = String.raw`angular|angle|winkel|angulaire|angolari|\bang\b\.?`;
const HAS_LINEAR = new RegExp(LINEAR_WORD, 'i');
const HAS_ANGULAR = new RegExp(ANGULAR_WORD, 'i');
// A number between the word and the ± is a size, and the ± is its own.
const LINEAR = new RegExp(String.raw`(?:${LINEAR_WORD})[^\n±\d]{0,30}${HALF}`, 'gi');
const ANGULAR = new RegExp(String.raw`(?:${ANGULAR_WORD})[^\n±\d]{0,30}${HALF_ANGLE}`, 'i');
/** `LINEAR: ±0.1 ANGULAR: ±0.5°` in one line is a table of tolerances. */
const HAS_HALF_LINE = new RegExp(LINEAR.source, 'i');
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
/** Of sizes that are written as fractions of an inch. */
export const FRACTIONS = -1;
const FRACTION_ROW = String.raw`FRACTION(?:S|AL)?\s?[:=]?\s?±\s?(\d{1,2}/(?:2|4|8|16|32|64))(?!\d)`;
const OF_FRACTIONS = new RegExp(FRACTION_ROW, 'gi');
const HAS_FRACTIONS = new RegExp(FRACTION_ROW, 'i');
/** Units before the first row of a line. */
const UNIT_BEFORE = /.*\b(mm|millimet|inch)/i;
const HEAD = new RegExp(String.raw`${ISO_22081.source}|${HEADS}`, 'iu');
const HEAD_OF_ROWS = /toll?[eé]ran[cz]|\btol\b|unless otherwise|decimal/i;
/** Lines that belong to a head before them. */
const LABELLED = new RegExp(
  String.raw`^(?:(?:tol\S*|general|for|dimensions?|dimensioni|cotes|sizes?)\s+){0,3}(?:${LINEAR_WORD}|${ANGULAR_WORD})` +
    String.raw`[^±\d]{0,30}±|^(?:⌓|profile of |surface profile|flächenprofil|profil d.une )|^\W{0,3}(?:${ROW}|${FRACTION_ROW}|X{1,3}\s?[:=]?\s?±)`,
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
export function textOfTolerances(asWritten: readonly TextLine[]): string {
  const lines = withHalves(asWritten.map((line) => ({ ...line, text: plainTolerances(line.text) })));
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

/** What a cell holds that has its ± in the next one: `X.XX`, `ANGULAR`, `Allgemeintoleranz`. */
const ALONE = new RegExp(
  String.raw`^(?:[X0]{0,3}[.,](?:X{1,4}|0{1,4})|X{1,3}|FRACTION(?:S|AL)?|(?:${LINEAR_WORD}|${ANGULAR_WORD})\S{0,8}|` +
    String.raw`(?:${HEADS})\P{Nd}{0,20})$`,
  'iu',
);
const HALF_IN_CELL = new RegExp(String.raw`^±\s?(?:${NUMBER}|\d{1,2}/\d{1,2})\s?(?:°|${UNIT})?$`);
/** How far a ± stands behind the end of its label, or below it, in letter heights. */
const CELLS_APART = 12;
const ROWS_APART = 2.6;
const SAME_ROW = 0.6;

/** Lines of tables with their ±, which stands in the next cell, or in the one below. */
function withHalves(lines: readonly TextLine[]): TextLine[] {
  const halves = lines.filter(({ text }) => HALF_IN_CELL.test(text));
  if (halves.length === 0) return [...lines];
  const taken = new Set<TextLine>();
  const joined = lines.map((line) => {
    if (!ALONE.test(line.text)) return line;
    const { height, t, end, start, angleRad } = line;
    const near = halves.filter((half) => !taken.has(half) && Math.abs(half.angleRad - angleRad) < 0.1);
    const isBehind = (half: TextLine): boolean =>
      Math.abs(half.t - t) < SAME_ROW * height && half.start > end && half.start < end + CELLS_APART * height;
    const isBelow = (half: TextLine): boolean =>
      half.t > t && half.t < t + ROWS_APART * height && half.start < end && half.end > start;
    const [half] = [
      ...near.filter(isBehind).toSorted((a, b) => a.start - b.start),
      ...near.filter(isBelow).toSorted((a, b) => a.t - b.t),
    ];
    if (half === undefined) return line;
    taken.add(half);
    return { ...line, text: `${line.text} ${half.text}` };
  });
  return joined.filter((_, i) => !taken.has(lines[i]));
}

function isHead(line: string): boolean {
  const heads = [HEAD, HEAD_OF_ROWS, HAS_ROW, HAS_FRACTIONS];
  return heads.some((head) => head.test(line)) || (HAS_HALF_LINE.test(line) && ANGULAR.test(line));
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
 * @param written lines of the sheet, apart by line feeds.
 */
export function generalToleranceIn(written: string): string | undefined {
  const text = written.split('\n').map(plainTolerances).join('\n');
  const classes = classesIn(text.replace(/\n+/g, '\n'));
  // Two that contradict are both said, so that none of them is applied silently.
  const byLinear = new Map<string, string>();
  for (const { standard, name, ofForm } of classes)
    if (!byLinear.has(name)) byLinear.set(name, `${standard}-${name}${ofForm}`);
  const [some] = text
    .split('\n')
    .flatMap((line) => (classesIn(line).length > 0 ? (FOR_SOME_FACES.exec(line) ?? []) : []));
  if (byLinear.size > 0) return [...byLinear.values()].join(' / ') + (some === undefined ? '' : ` (${some})`);
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
  const fractions = [...line.matchAll(OF_FRACTIONS)].map(([, half]) => ({
    ...halfOf(half, undefined),
    places: FRACTIONS,
    isZeros: false,
  }));
  const decimals = [...line.matchAll(OF_WHOLE), ...line.matchAll(BY_PLACES)].map(
    ({ 1: form, 2: half, 3: unit, index }) => ({
      ...halfOf(half, unit ?? UNIT_BEFORE.exec(line.slice(0, index))?.[1]),
      places: /[.,](.*)$/.exec(form)?.[1].length ?? 0,
      isZeros: !/x/i.test(form),
    }),
  );
  return [...fractions, ...decimals];
}

function halfOf(written: string, unit: string | undefined): StatedHalf {
  return unit === undefined ? { written } : { written, unit: /^m/i.test(unit) ? 'mm' : 'in' };
}

function shownHalf({ places, written, unit }: StatedHalf): string {
  const ofDecimals = places === 0 ? 'X ' : `.${'X'.repeat(Math.max(0, places ?? 0))} `;
  const form = places === undefined ? '' : places === FRACTIONS ? 'FRACTIONS ' : ofDecimals;
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
