import { numberOf, type DimensionKind } from './dimension-text.js';
import { generalAngles, generalTolerance, type GeneralClass } from './iso-2768.js';
import type { TextLine } from './text-lines.js';

/** What a drawing states for all sizes without a tolerance of their own. */
export interface GeneralRules {
  /**
   * Half of the tolerance of a size, and where it comes from; undefined where the rules give none. `half` is absent
   * where it depends on more than the size; its unit is that of the size, degrees for angles.
   */
  readonly of: (size: GeneralSize) => { readonly half?: number; readonly from: string } | undefined;
  /** In words, why `of` gives nothing for a size: `ISO 2768-m gives nothing for threads`. */
  readonly whyNot: (size: GeneralSize) => string;
}

/** A size as general tolerances see it. */
export interface GeneralSize {
  readonly kind: DimensionKind;
  /** In its unit: mm, inches or degrees. */
  readonly nominal: number;
  /** Decimals that are written. */
  readonly places: number;
  /** Whether it is in inches. */
  readonly isInch: boolean;
  /** Whether the drawing's unit is the inch: that of tolerances that state none. */
  readonly isDrawingInch: boolean;
}

/** Half of a tolerance as it is written. */
interface StatedHalf {
  /** Of sizes with so many decimals; absent for all. */
  readonly places?: number;
  readonly written: string;
  /** Absent where none is written. */
  readonly unit?: 'mm' | 'in';
}

const MM_PER_INCH = 25.4;
const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{1,4})?|[.,]\d{1,4})`;
/** `±0.1 in accordance with` is not in inches. */
const UNIT = String.raw`(?:mm|in(?:ch(?:es)?)?|["″])(?![a-z]|\s?:|\s(?:acc|all|any|the|conf|line)[a-z]*)`;
/** A ± that is no angle's, with its unit. */
const HALF = String.raw`±\s?${NUMBER}(?!\d|[.,]\d|\s?[°'′])(?:\s?(${UNIT}))?`;
const HALF_ANGLE = String.raw`±\s?${NUMBER}\s?°`;
/** `ISO 22081` and what belongs to it (ISO 22081:2021, 5): linear sizes, angular sizes, the profile of surfaces. */
const ISO_22081 = /ISO\s?22081\b(?:\s?[:-]\s?\d{4}\b)?/i;
/**
 * What names the classes of ISO 2768-1, whose values JIS B 0405 (Japan) and GB/T 1804 (China) have: the standard, then
 * f, m, c, v and perhaps H, K, L of ISO 2768-2.
 */
const CLASSES = /\b(ISO\s?2768|JIS\s?B\s?0405|GB\/?T\s?1804)(?:-1(?!\d)|-\d{4})?\s?[-–]?\s?([fmcv][HKL]?)\b/g;
const LINEAR_WORD = 'linear|length|längen|lin[ée]aire|lineari';
const ANGULAR_WORD = 'angular|angle|winkel|angulaire|angolari';
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
const BY_PLACES = new RegExp(ROW, 'gi');
const HAS_ROW = new RegExp(ROW, 'i');
/** Units before the first row of a line. */
const UNIT_BEFORE = /.*\b(mm|millimet|inch)/i;
const HEAD = new RegExp(
  String.raw`${ISO_22081.source}|general\s+(?:\w+\s+)?toleran|allgemeintoleran|tol[eé]rances?\s+g[eé]n|` +
    String.raw`tolleranze\s+general|tolerancias\s+general`,
  'i',
);
const HEAD_OF_ROWS = /toll?[eé]ran[cz]|\btol\b|unless otherwise|decimal/i;
/** Lines that belong to a head before them. */
const LABELLED = new RegExp(
  String.raw`^(?:(?:tol\S*|general|for|dimensions?|dimensioni|cotes|sizes?)\s+){0,3}(?:${LINEAR_WORD}|${ANGULAR_WORD})` +
    String.raw`[^±\d]{0,30}±|^(?:⌓|profile of |surface profile|flächenprofil|profil d.une )|^\W{0,3}${ROW}`,
  'i',
);
const FRAME = /^(?:⌓[\s|]*)?(?:[\d.,]+|[A-Z])?(?:[\s|]+[A-Z])*$/;
const CELL = /^(?:\d{0,3}[.,]\d{1,4}|[A-Z])$/;
/** Kinds that are lengths between or across surfaces. */
const LENGTHS: ReadonlySet<DimensionKind> = new Set(['length', 'diameter', 'depth', 'counterbore', 'square']);
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
  if (stated.length === 0) return undefined;
  const rows = stated.flatMap((each) => each.rows.map(shownHalf));
  const [angle] = stated.flatMap(({ block }) => ANGULAR.exec(block.join('\n'))?.[1] ?? []);
  return [...new Set(rows), ...(angle === undefined ? [] : [`±${angle}°`])].join(' ');
}

/** The name of a standard in one spelling. */
function standardOf(written: string): string {
  const [letter] = written;
  return letter === 'I' ? 'ISO 2768' : letter === 'J' ? 'JIS B 0405' : 'GB/T 1804';
}

/**
 * Tolerances by decimals of a block. Zeros stand for any digits in tables; a line of them alone may be the size zero.
 */
function rowsOf(block: readonly string[]): StatedHalf[] {
  const rows = block.flatMap((line) => placesIn(line));
  const isTable = HEAD_OF_ROWS.test(block[0]) || new Set(rows.map(({ places }) => places)).size > 1;
  return isTable ? rows : rows.filter(({ isZeros }) => !isZeros);
}

function placesIn(line: string): (StatedHalf & { readonly isZeros: boolean })[] {
  return [...line.matchAll(BY_PLACES)].map(({ 1: form, 2: half, 3: unit, index }) => ({
    ...halfOf(half, unit ?? UNIT_BEFORE.exec(line.slice(0, index))?.[1]),
    places: form.replace(/^.*[.,]/, '').length,
    isZeros: !/x/i.test(form),
  }));
}

function halfOf(written: string, unit: string | undefined): StatedHalf {
  return unit === undefined ? { written } : { written, unit: /^m/i.test(unit) ? 'mm' : 'in' };
}

function shownHalf({ places, written, unit }: StatedHalf): string {
  return `${places === undefined ? '' : `.${'X'.repeat(places)} `}±${written}${unit === undefined ? '' : ` ${unit}`}`;
}

/** Each ± of a line that stands behind no size. */
function unlabelledIn(line: string): { readonly lengths: readonly StatedHalf[]; readonly angles: readonly string[] } {
  const found = [...line.replace(ISO_22081, ';').matchAll(UNLABELLED)].filter(([, size]) => size === undefined);
  return {
    lengths: found.flatMap(({ 3: half, 4: unit }) => (half === undefined ? [] : [halfOf(half, unit)])),
    angles: found.flatMap(({ 5: angle }) => angle ?? []),
  };
}

/**
 * The rules that a `General tolerance` states; undefined for other texts. ISO 22081 gives its ± to sizes across
 * surfaces and to angles, and the profile of surfaces to all else, radii and chamfers among it. Two classes of ISO 2768
 * give none. Where several are stated for a size, that in its unit holds; one for all sizes is converted, those by
 * decimals are not.
 */
export function generalRules(stated: string): GeneralRules | undefined {
  const classes = classesIn(stated);
  if (classes.size > 1) return undefined;
  for (const [name, standard] of classes) return rulesOf2768(name, `${standard}-${name}`);
  const from = ISO_22081.test(stated) ? 'ISO 22081' : 'general';
  const rows = placesIn(stated);
  const { lengths, angles } = unlabelledIn(stated);
  if (rows.length === 0 && lengths.length === 0 && angles.length === 0) return undefined;
  // A ± with other words about it may be that of one size.
  if (from === 'general' && rows.length === 0 && !/^(?:general\s+|linear\s+)?±[\s\d.,±°min]+$/i.test(stated))
    return undefined;
  return {
    of: (size) => {
      const { kind } = size;
      if (kind === 'angle') return angles.length === 0 ? undefined : { half: numberOf(angles[0]), from };
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!(LENGTHS.has(kind) || (isEdge && from === 'general'))) return undefined;
      const half = chosenHalf(rows.length > 0 ? rows : lengths, size);
      // As large as the size itself, it was meant for others.
      return half === undefined || half >= size.nominal ? undefined : { half, from };
    },
    whyNot: (size) => {
      const name = from === 'general' ? `the general tolerance ${stated}` : from;
      if (size.kind === 'angle') return `${name} states no ± for angles`;
      const isEdge = size.kind === 'radius' || size.kind === 'chamfer';
      if (isEdge && from !== 'general')
        return `${name} gives its ± to sizes across surfaces, and a ${size.kind} is none`;
      if (!LENGTHS.has(size.kind) && !isEdge) return `${name} gives nothing for a ${wordOf(size.kind)}`;
      const all = rows.length > 0 ? rows : lengths;
      if (all.length === 0) return `${name} states no ± for lengths`;
      const half = chosenHalf(all, size);
      if (half !== undefined) return `${name} would be ±${half}, as large as the size`;
      const fitting = all.filter(({ places }) => places === undefined || places === size.places);
      if (fitting.length === 0) return `${name} says nothing for ${size.places} decimals`;
      return fitting.length > 1
        ? `${name} states several values for this size`
        : `${name} is stated by decimals in the other unit`;
    },
  };
}

/** The classes of ISO 2768-1 that are stated, each with its standard. */
function classesIn(stated: string): ReadonlyMap<GeneralClass, string> {
  return new Map(
    [...stated.matchAll(CLASSES)].map(([, standard, name]) => [name[0] as GeneralClass, standardOf(standard)]),
  );
}

/** In words, why what is stated as general tolerance has no rules ({@link generalRules}). */
export function whyNoRules(stated: string): string {
  if (classesIn(stated).size > 1) return `two classes are stated (${stated}), and none is taken`;
  if (/\b(?:ISO 2768|JIS B 0405|GB\/T 1804)\b/.test(stated)) return `${stated} names no class of lengths`;
  return `the general tolerance ${stated} states no ± that is understood`;
}

/** `arc length`, as people say `arcLength`. */
function wordOf(kind: DimensionKind): string {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The one of the stated halves that holds for a size, in its unit; undefined for none, and where they contradict. */
function chosenHalf(stated: readonly StatedHalf[], { places, isInch, isDrawingInch }: GeneralSize): number | undefined {
  const all = stated.filter((each) => each.places === undefined || each.places === places);
  const own = all.filter(({ unit }) => (unit === undefined ? isDrawingInch : unit === 'in') === isInch);
  const [half, ...others] = new Set((own.length > 0 ? own : all).map(({ written }) => numberOf(written)));
  if (half === undefined || others.length > 0) return undefined;
  if (own.length > 0) return half;
  // How many decimals an inch has says nothing about millimetres.
  if (all.some((each) => each.places !== undefined)) return undefined;
  return isInch ? inInches(half) : Math.round(half * MM_PER_INCH * 1e4) / 1e4;
}

function rulesOf2768(name: GeneralClass, from: string): GeneralRules {
  return {
    of: ({ kind, nominal, isInch }) => {
      if (kind === 'angle') {
        const halves = generalAngles(name);
        return { from: `${from}: ±${shown(halves[0])}° to ±${shown(halves[halves.length - 1])}° by the shorter side` };
      }
      const isEdge = kind === 'radius' || kind === 'chamfer';
      if (!LENGTHS.has(kind) && !isEdge) return undefined;
      const half = generalTolerance(isInch ? nominal * MM_PER_INCH : nominal, name, isEdge);
      if (half === undefined) return undefined;
      return { half: isInch ? inInches(half) : half, from };
    },
    whyNot: ({ kind, nominal }) =>
      !LENGTHS.has(kind) && kind !== 'radius' && kind !== 'chamfer'
        ? `${from} gives nothing for a ${wordOf(kind)}`
        : `${from} gives nothing for a size of ${nominal}`,
  };
}

function inInches(mm: number): number {
  return Math.round((mm / MM_PER_INCH) * 1e5) / 1e5 || 0;
}

function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Whether deviations come from a general tolerance, by {@link import('./inspection.js').InspectionRow.from}. */
export function isGeneral(from: string): boolean {
  return /^(?:ISO 2768|JIS B 0405|GB\/T 1804|ISO 22081$|general$)/.test(from);
}
