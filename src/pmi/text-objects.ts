import { middleOf, type Point } from '../content/geometry.js';
import type { Sheet } from '../content/sheet.js';
import { hasSeveralSizes, splitCompounds, splitNeighbours, splitTexts } from './compound-lines.js';
import { plainSigns, readDimension } from './dimension-text.js';
import { isDepthByWord } from './dimension-words.js';
import { tablesOf } from './drawn-tables.js';
import { edgeSymbols, finishSymbols, type DrawnSymbol } from './drawn-symbols.js';
import { findingOf, isCutShort, isGeneralTolerance, type Finding } from './finding.js';
import { CAPITALS, CELL_VALUE, datumApart, placeOfCell, type SignReader } from './frames/control-frames.js';
import { datumTargets, withNamesOfTargets } from './frames/datum-targets.js';
import { boxAbout } from './frames/drawn-frames.js';
import { framedTexts } from './frames/framed-texts.js';
import type { LineIndex } from './line-index.js';
import { arrowheadsOf, linePlacement } from './line-placement.js';
import { arrowsOfTexts, type HeadReader } from './pictures/lines/arrows-of-texts.js';
import { isRead, isSurelyRead } from './stacked-tolerances.js';
import { widthFactorOf } from './sizes/drawn-widths.js';
import { hasDimensionLine, hasLeader, hasTicks } from './sizes/held-texts.js';
import { pointBehindZero, withPoints } from './sizes/lost-points.js';
import { isFastener } from './sizes/no-sizes.js';
import { otherNumbers } from './sizes/other-numbers.js';
import { sizesOfTexts } from './sizes/sizes-of-texts.js';
import {
  holdsSize,
  isCallout,
  isElement,
  isNotUnderstood,
  isParameter,
  isTaper,
  isUnclear,
  mayBeSize,
  namesSize,
  namesSurface,
} from './sizes/unclear-texts.js';
import { finishMarks, type RingReader } from './pictures/finish-marks.js';
import { withLettersOfBoxes, withLevelLetter } from './frames/level-letters.js';
import { PMI_TYPE, sentenceOf, type PmiTypeId } from './pmi.js';
import { boxOfLine, type TextLine } from './text-lines.js';
import { withoutName } from './sizes/dimension-lines.js';
import { weldSymbols } from './weld-symbols.js';
import { withoutPrinciples } from './tolerances/named-standards.js';
import { statesTolerance } from './tolerances/stated-tolerance.js';
import type { TitleBlock } from './title-block.js';

/** Most lines of a page that are read: a page with more is prose, not a drawing. */
export const MOST_LINES = 6_000;
/** Most words of a line that may be an annotation: longer lines are notes. */
const MOST_WORDS = 12;
/** The same for letters. */
const MOST_LETTERS = 640;
/** Notes are so long at most, of which a page has so many. */
const LONGEST_NOTE = 300;
const MOST_NOTES = 500;
/** Zone marks of a drawing are nearer to the edge than this share of the page's shorter side. */
const ZONE_MARGIN = 0.09;
/** Most marks that say 1 of which it is asked whether a row begins with them. */
const MOST_FIRSTS = 64;
/** Letters of zones stand further apart, and from values, than so many heights; closer ones are datums of a frame. */
const ZONES_APART = 3;
/** Of two numbers of zones that tell each other, one is larger by so many at most. */
const MOST_STEPS = 3;
/** The letter of a section, a view or a detail: `A-A`, `Z (2:1)`, `DETAIL B`. */
const OF_VIEW =
  /^(?:(?:SECTION|VIEW|DETAIL|Schnitt|Ansicht|Einzelheit|Detail|COUPE|VUE|DÉTAIL)\s([A-Z])(?!\p{L})|([A-Z])(?:\s?-\s?\2(?!\p{L})|\s?\(?\d{1,3}\s?:\s?\d))/u;
/** Types of sizes that no arrows hold for certain: arrows of something else may be near them. */
const LOOSE: ReadonlySet<PmiTypeId> = new Set([
  PMI_TYPE.arrows,
  PMI_TYPE.arrowsInsideValueOutside,
  PMI_TYPE.gapValueOutside,
]);

/** What the texts of a sheet say, how many of their lines are beyond the bound, how many are like sizes and none. */
export interface TextFindings {
  readonly findings: readonly Finding[];
  readonly unread: number;
  readonly aside: number;
  /** Lines of several sizes that nothing parts, so that none of these was read. */
  readonly unparted: readonly string[];
  /** What was read from pixels as what no size is, and what a dimension line or a leader holds there as none. */
  readonly doubtful: readonly TextLine[];
  /** Those like sizes, or with one in them, that cannot be read as such for certain. */
  readonly unclear: readonly string[];
  /** Tapers and slopes. */
  readonly tapers: readonly string[];
  /** Lines in words that are no annotations, outside of tables and the title block. */
  readonly notes: readonly TextLine[];
  /** Weld symbols, whose numbers are no sizes of the part. */
  readonly welds: readonly string[];
  /** Texts on dimension lines that were not understood. */
  readonly unknown: readonly string[];
}

/**
 * Annotations from the text of a sheet without entities: dimensions, control frames, datums, finishes, general
 * tolerances. In reading order of the lines.
 */
export function findingsOfText(
  sheet: Sheet,
  asRead: readonly TextLine[],
  {
    index,
    title,
    signIn,
    textIn,
    headAt,
    ringAt,
  }: SignReader & {
    readonly index: LineIndex;
    readonly title: TitleBlock;
    readonly headAt?: HeadReader | undefined;
    readonly ringAt?: RingReader | undefined;
  },
): TextFindings {
  const point = textIn === undefined ? undefined : pointBehindZero(asRead);
  const level = asRead.map((line) => withPoints(withLevelLetter(line, index, textIn), point));
  const all = withNamesOfTargets(withLettersOfBoxes(level, index, textIn), index, textIn);
  const arrows = headAt === undefined ? arrowheadsOf(sheet) : arrowsOfTexts(all, index, headAt);
  const hasArrows = (line: TextLine): boolean => !LOOSE.has(linePlacement(line, arrows, index));
  const zones = zoneMarks(sheet, all, (line) => ({
    byArrows: hasArrows(line) || hasTicks(line, index),
    byLine: hasDimensionLine(line, index, { isOwn: true }),
  }));
  const unmarked = all.filter((line) => !zones.has(line));
  const tables = tablesOf(unmarked, index);
  const tabled = new Set(tables.flatMap((table) => table.lines));
  const isHeld = (line: TextLine): boolean => hasArrows(line) || hasDimensionLine(line, index);
  const isOnLine = (line: TextLine): boolean => hasDimensionLine(line, index, { isOwn: true });
  const isOwn = (line: TextLine): boolean => hasArrows(line) || isOnLine(line);
  const { labelled, listed } = otherNumbers(all, isHeld, isOnLine, (line) => tabled.has(line));
  const isInCell = (line: TextLine): boolean => tabled.has(line) || isInTitle(line, title);
  const shown = all
    .flatMap(datumApart)
    .filter(
      (line) =>
        !zones.has(line) &&
        (isGeneralTolerance(line.text) || !(isInCell(line) || listed.has(line))) &&
        line.text.length <= MOST_LETTERS &&
        line.text.split(' ').length <= MOST_WORDS,
    );
  const lines = shown.slice(0, MOST_LINES);
  const framed = framedTexts(lines, { sheet, index, signIn, textIn, point });
  const findings = [...framed.findings];
  const done = new Set(framed.taken);
  const left = (): TextLine[] => lines.filter((line) => !done.has(line));
  const enter = ({ lines: own, finding }: DrawnSymbol): void => {
    for (const taken of own) done.add(taken);
    findings.push(finding);
  };
  finishSymbols(sheet, left(), index, textIn !== undefined).forEach(enter);
  if (textIn !== undefined) finishMarks(left(), index, point, ringAt).forEach(enter);
  edgeSymbols(left(), index).forEach(enter);
  const welds = textIn === undefined ? weldSymbols(left(), index) : [];
  welds.forEach(enter);
  for (const target of datumTargets(left(), index)) {
    for (const taken of target.taken) done.add(taken);
    findings.push(...target.findings);
  }
  const rest = splitTexts(splitNeighbours(splitCompounds(left(), widthFactorOf(all, index)), index), index).map(
    (line) => withDegrees(withoutPoint(line, isOwn), index, textIn),
  );
  const isBoxed = (line: TextLine): boolean => boxAbout(line, index) !== undefined;
  const isInInches = title.fields.some(({ name, value }) => name === 'Units' && value === 'in');
  const general = title.fields.find(({ name }) => name === 'General tolerance')?.value;
  const isGeneral = (text: string): boolean =>
    general !== undefined && (statesTolerance(text) || (/^±/.test(text) && general.includes(text)));
  const isShown = (line: TextLine): boolean => isHeld(line) || hasLeader(line, index);
  const isOfPixels = textIn !== undefined;
  const around = { index, arrows, labelled, isBoxed, isHeld: isShown, isOnLine: isOwn, isInInches, isRead: isOfPixels };
  const sizes = sizesOfTexts(rest, around);
  findings.push(...sizes.findings);
  let aside =
    sizes.aside +
    [...listed].filter((line) => !zones.has(line) && !isInCell(line) && readDimension(line.text) !== undefined).length;
  // Letters of sections and views stand beside their arrows.
  const views = all.flatMap(({ text }) => OF_VIEW.exec(text)?.slice(1) ?? []);
  const isOfView = (text: string): boolean =>
    views.includes(text) || (/^[A-Z]$/.test(text) && all.filter((line) => line.text === text).length > 1);
  const unparted: string[] = [];
  const firsts = [...zones].filter(({ text }) => text === '1').slice(0, MOST_FIRSTS);
  const middles = firsts.map((line) => middleOf(boxOfLine(line)));
  const unclear = [...zones].filter((line) => !isRead(line) && isDoubtfulMark(line, middles)).map(({ text }) => text);
  const unknown: string[] = [];
  const tapers: string[] = [];
  const doubtful = [...sizes.garbled];
  // What pixels show is told with its place, since its text may be misread.
  const tell = (line: TextLine, texts: string[]): void => {
    if (isOfPixels) doubtful.push(line);
    else texts.push(line.text);
  };
  const said = new Set([...done, ...sizes.taken]);
  for (const line of rest) {
    if (sizes.taken.has(line)) continue;
    if (isFastener(plainSigns(line.text))) aside++;
    const box = boxOfLine(line);
    const text = isRead(line) ? withHyphen(line.text) : line.text;
    const sized = namedSize(text, box);
    const named = sized !== undefined && hasArrows(line) ? sized : undefined;
    const found =
      named ??
      (plainSigns(line.text) === '⌀'
        ? { type: PMI_TYPE.diameterSymbol, box, parts: [{ text: '⌀' }] }
        : findingOf(text, box, isDepthByWord(text) && isHeld(line) ? 'dimension' : 'note'));
    if (found !== undefined) {
      said.add(line);
      findings.push(found);
      if (!isRead(line) && isCutShort(text, found)) unclear.push(line.text);
    } else if (isGeneral(plainSigns(line.text))) continue;
    else if (hasSeveralSizes(line, (each) => hasDimensionLine(each, index))) tell(line, unparted);
    else if ((!isRead(line) || isSurelyRead(line)) && isTaper(line, () => isHeld(line) || hasLeader(line, index)))
      tapers.push(line.text);
    else if (isNotUnderstood(line) && isHeld(line)) tell(line, unknown);
    else if ((isParameter(line) || (!isRead(line) && isElement(line))) && hasArrows(line) && !isOfView(line.text))
      unknown.push(line.text);
    // What was read from pixels or shapes is told as it is where all of it is sure.
    else if (isRead(line) && !(isSurelyRead(line) && holdsSize(line))) {
      if (isOfPixels && mayBeSize(line) && (holdsSize(line) || isShown(line))) doubtful.push(line);
    } else if (sizes.lost.has(line) || isUnclear(line) || holdsSize(line) || namesSize(line)) tell(line, unclear);
    else if (isCallout({ text: withoutPrinciples(line.text) }) && hasLeader(line, index)) tell(line, unclear);
  }
  const isOfField = ({ text }: TextLine): boolean =>
    title.fields.some(({ value }) => value.includes(text) || text.includes(value));
  const inTitle = all.filter(
    (line) => !isRead(line) && isInTitle(line, title) && namesSurface(line) && !isOfField(line),
  );
  unclear.push(...inTitle.map(({ text }) => text));
  return {
    findings: [...findings, ...tables.map(({ finding }) => finding)],
    unread: shown.length - lines.length,
    aside,
    unparted,
    doubtful,
    unclear,
    tapers,
    notes: unmarked
      .filter((line) => isNote(line) && !said.has(line) && !isInCell(line) && !listed.has(line))
      .slice(0, MOST_NOTES),
    welds: welds.map(({ finding }) => sentenceOf(finding)),
    unknown,
  };
}

/** Whether a line has a word, as those of notes and names of views have, or names a section: `A-A`. */
function isNote({ text }: TextLine): boolean {
  return text.length <= LONGEST_NOTE && (/\p{L}{3}/u.test(text) || OF_VIEW.test(text));
}

/** A size with the name of a parameter before it, between the arrows of a dimension line: `b=12`. */
function namedSize(text: string, box: Finding['box']): Finding | undefined {
  const plain = plainSigns(text);
  const value = withoutName(plain);
  const found = value === plain ? undefined : findingOf(value, box, 'dimension');
  if (found === undefined || found.parts.length !== 1) return undefined;
  const [part] = found.parts;
  return { ...found, parts: [{ ...part, text: `${plain.slice(0, plain.length - value.length)}${part.text}` }] };
}

/** `12.`, as inches are written now and then. */
function withoutPoint(line: TextLine, isOnLine: (line: TextLine) => boolean): TextLine {
  return /^\d{1,4}\.$/.test(line.text) && isOnLine(line) ? { ...line, text: line.text.slice(0, -1) } : line;
}

/** The hyphen before the class of ISO 2768, which is lost where it is drawn as a short stroke. */
function withHyphen(text: string): string {
  return text.replace(/(?<=\b2768) ?(?=[fmcv][HKL]?\b)/, '-');
}

/**
 * A size in a tight box on a page of pixels, whose sign of degrees touches the box and was lost with it: the box is
 * read again as a cell.
 */
function withDegrees(line: TextLine, index: LineIndex, textIn: SignReader['textIn']): TextLine {
  if (textIn === undefined || !/^\d{1,3}(?:[.,]\d+)?$/.test(line.text)) return line;
  const frame = boxAbout(line, index);
  const said = frame && textIn(placeOfCell(line, frame, 0), CAPITALS * line.height);
  return said !== undefined && plainSigns(said) === `${line.text}°` ? { ...line, text: said } : line;
}

function isInTitle(line: TextLine, { box }: TitleBlock): boolean {
  if (box === undefined) return false;
  const { x, y } = middleOf(boxOfLine(line));
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/**
 * Whether a number was taken for the mark of a zone, in a row that does not begin with 1: it may be a size.
 * @param firsts middles of the marks that say 1.
 */
function isDoubtfulMark(line: TextLine, firsts: readonly Point[]): boolean {
  if (!/\d/.test(line.text)) return false;
  const { x, y } = middleOf(boxOfLine(line));
  return !firsts.some((at) => Math.min(Math.abs(at.x - x), Math.abs(at.y - y)) < 0.5 * line.height);
}

/** Whether a letter stands right behind a value on its line, as the datum of a frame without others. */
function isBehind(letter: TextLine, value: TextLine): boolean {
  const gap = letter.start - value.end;
  return (
    letter.angleRad === value.angleRad &&
    Math.abs(letter.t - value.t) < 0.3 * letter.height &&
    gap > 0 &&
    gap < ZONES_APART * letter.height
  );
}

/**
 * Letters and numbers in a row at the edge of the page: they name its zones. Numbers that arrows hold are
 * sizes, and those on dimension lines that do not follow each other.
 */
function zoneMarks(
  { width, height }: Sheet,
  lines: readonly TextLine[],
  isHeld: (line: TextLine) => { readonly byArrows: boolean; readonly byLine: boolean },
): ReadonlySet<TextLine> {
  const margin = ZONE_MARGIN * Math.min(width, height);
  const marks = lines.flatMap((line) => {
    if (!/^(?:[A-Z]|\d{1,2})$/.test(line.text)) return [];
    const { x, y } = middleOf(boxOfLine(line));
    // A row runs along an edge: values of a chain may begin at one.
    const inColumn = Math.min(x, width - x) < margin,
      inRow = Math.min(y, height - y) < margin;
    return (inColumn || inRow) && !(/\d/.test(line.text) && isHeld(line).byArrows)
      ? [{ line, x, y, inColumn, inRow }]
      : [];
  });
  const isFar = (a: TextLine, b: TextLine): boolean => Math.abs(Number(a.text) - Number(b.text)) > MOST_STEPS;
  const near = (a: number, b: number, line: TextLine): boolean => Math.abs(a - b) < 0.5 * line.height;
  // Positions from a zero: zones have none.
  const zeros = marks.filter(({ line }) => line.text === '0');
  const letters = marks.filter(({ line }) => !/\d/.test(line.text));
  const values = lines.filter(({ text }) => /\d/.test(text) && CELL_VALUE.test(plainSigns(text)));
  return new Set(
    marks
      .filter(({ line, x, y, inColumn, inRow }) => {
        const isNumber = /\d/.test(line.text);
        const isBeside = (other: (typeof marks)[number]): boolean =>
          other.line.text !== line.text && Math.hypot(other.x - x, other.y - y) < ZONES_APART * line.height;
        if (!isNumber && (letters.some(isBeside) || values.some((value) => isBehind(line, value)))) return false;
        if (isNumber && zeros.some((zero) => (inColumn ? near(zero.x, x, line) : near(zero.y, y, line)))) return false;
        const alike = marks.filter(
          (other) =>
            /\d/.test(other.line.text) === isNumber &&
            other.line.text !== line.text &&
            !(isNumber && isFar(other.line, line) && isHeld(line).byLine),
        );
        return (
          (inColumn && alike.filter((other) => near(other.x, x, line)).length >= 2) ||
          (inRow && alike.filter((other) => near(other.y, y, line)).length >= 2)
        );
      })
      .map(({ line }) => line),
  );
}
