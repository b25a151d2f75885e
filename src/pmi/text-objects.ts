import { middleOf } from '../content/geometry.js';
import type { Sheet } from '../content/sheet.js';
import { splitCompounds, splitNeighbours } from './compound-lines.js';
import { plainSigns, readDimension } from './dimension-text.js';
import { tablesOf } from './drawn-tables.js';
import { edgeSymbols, finishSymbols, type DrawnSymbol } from './drawn-symbols.js';
import { findingOf, isGeneralTolerance, typeOfReading, partOf, type Finding } from './finding.js';
import {
  CAPITALS,
  cellOfRow,
  datumApart,
  frameFindings,
  isSameCell,
  joinedRows,
  notesOf,
  placeOfCell,
  type Composite,
  type RowAbove,
  type SignReader,
} from './frames/control-frames.js';
import { datumTargets } from './frames/datum-targets.js';
import { boxAbout, frameAbout } from './frames/drawn-frames.js';
import type { LineIndex } from './line-index.js';
import { arrowheadsOf, linePlacement, type Arrowhead } from './line-placement.js';
import { isZero, ordinatesOf } from './ordinates.js';
import { hasDimensionLine } from './sizes/held-texts.js';
import { isFastener } from './sizes/no-sizes.js';
import { otherNumbers } from './sizes/other-numbers.js';
import { finishMarks } from './pictures/finish-marks.js';
import { withLevelLetter } from './frames/level-letters.js';
import { PMI_TYPE, type PmiTypeId } from './pmi.js';
import { depthsOfHoles } from './sizes/depths-of-holes.js';
import { readLines, type ReadLine } from './stacked-tolerances.js';
import { boxOfLine, type TextLine } from './text-lines.js';
import type { TitleBlock } from './title-block.js';

/** Most lines of a page that are read: a page with more is prose, not a drawing. */
export const MOST_LINES = 6_000;
/** Most words of a line that may be an annotation: longer lines are notes. */
const MOST_WORDS = 12;
/** Zone marks of a drawing are nearer to the edge than this share of the page's shorter side. */
const ZONE_MARGIN = 0.09;
/** A fraction without a mark of inches; a whole number and a fraction, which only inches have. */
const BARE_FRACTION = /^\d+\/\d+$/;
const MIXED = /\d[ -]\d+\/\d+/;

/**
 * Numbers of materials, `1.4301` (EN 10027-2), and months, `12.2026`, unless a dimension line holds them or the sheet
 * is in inches. Sixteenths of an inch and a zero at the end are sizes.
 */
const NUMBERED = /^(?:[0-35]\.(?!\d{3}0|0625|1875|3125|4375|5625|6875|8125|9375)\d{4}|1[0-2]\.20\d\d)$/;
/** Sizes with three decimals, without a zero before the point or with zeros at the end are those of an inch drawing. */
const FINE = /(?<![\d.,])(?:\.\d|\d+\.(?:\d{3}|\d{3}0)(?!\d))/;

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
}

/**
 * Annotations from the text of a sheet without entities: dimensions, control frames, datums, finishes, general
 * tolerances. In reading order of the lines.
 */
export function findingsOfText(
  sheet: Sheet,
  asRead: readonly TextLine[],
  { index, title, signIn, textIn }: SignReader & { readonly index: LineIndex; readonly title: TitleBlock },
): TextFindings {
  const all = asRead.map((line) => withLevelLetter(line, index, textIn));
  const zones = zoneMarks(sheet, all);
  const unmarked = all.filter((line) => !zones.has(line));
  const tables = tablesOf(unmarked, index);
  const tabled = new Set(tables.flatMap((table) => table.lines));
  const arrows = arrowheadsOf(sheet);
  const isHeld = (line: TextLine): boolean =>
    !LOOSE.has(linePlacement(line, arrows, index)) || hasDimensionLine(line, index);
  const { labelled, listed } = otherNumbers(unmarked, isHeld);
  const isInCell = (line: TextLine): boolean => tabled.has(line) || isInTitle(line, title);
  const shown = all
    .flatMap(datumApart)
    .filter(
      (line) =>
        !zones.has(line) &&
        (isGeneralTolerance(line.text) || !(isInCell(line) || listed.has(line))) &&
        line.text.split(' ').length <= MOST_WORDS,
    );
  const lines = shown.slice(0, MOST_LINES);
  const findings: Finding[] = [];
  const done = new Set<TextLine>();
  const composites: Composite[] = [];
  const above: RowAbove[] = [];
  for (const line of lines) {
    if (done.has(line) || !mayBeFramed(line.text)) continue;
    const frame = frameAbout(line, index);
    const found = frame && frameFindings(line, frame, { sheet, lines, index, above, signIn, textIn });
    if (frame === undefined || found === undefined) continue;
    const notes = notesOf(line, frame, lines);
    for (const taken of [...found.taken, ...notes]) done.add(taken);
    const [first, ...others] = found.findings;
    const row = { top: frame.top, first, notes: notes.map(({ text }) => ({ text })) };
    const { tall } = found;
    if (found.row !== undefined) above.push({ ...found.row, line, tall: tall ?? cellOfRow(found.row.frame, line) });
    const composite = tall && composites.find((each) => isSameCell(each.tall, tall, line.height));
    if (composite !== undefined) {
      // The symbol is reported with the first row.
      composite.rows.push(row);
      findings[composite.at] = joinedRows(composite.rows);
      findings.push(...others.filter(({ type }) => type === PMI_TYPE.diameterSymbol));
      continue;
    }
    if (tall !== undefined) composites.push({ at: findings.length, rows: [row], tall });
    else if (found.row !== undefined)
      composites.push({ at: findings.length, rows: [row], tall: cellOfRow(found.row.frame, line) });
    findings.push(
      tall === undefined ? { ...first, parts: [...first.parts, ...row.notes] } : joinedRows([row]),
      ...others,
    );
  }
  const left = (): TextLine[] => lines.filter((line) => !done.has(line));
  const enter = ({ lines: own, finding }: DrawnSymbol): void => {
    for (const taken of own) done.add(taken);
    findings.push(finding);
  };
  finishSymbols(sheet, left(), index).forEach(enter);
  if (textIn !== undefined) finishMarks(left(), index).forEach(enter);
  edgeSymbols(left(), index).forEach(enter);
  for (const target of datumTargets(left(), index)) {
    for (const taken of target.taken) done.add(taken);
    findings.push(...target.findings);
  }
  const rest = splitNeighbours(splitCompounds(left()), index).map((line) => withDegrees(line, index, textIn));
  // A lone 0 measures nothing: it is a circle or part of something else.
  const read = depthsOfHoles(readLines(rest)).filter(
    ({ reading }) => reading.kind !== 'length' || reading.nominal !== 0,
  );
  const spoken = new Set(read.flatMap(({ line, taken }) => [line, ...taken]));
  const sizes = read.map((each) => ({ ...each, finding: findingOfLine(each, arrows, index) }));
  // `1/2` is a sheet of two, unless it stands in its dimension line or other sizes are fractions of an inch.
  const isInInches = sizes.some(({ reading }) => reading.isInch === true || MIXED.test(reading.text));
  const isPage = ({ finding, reading }: (typeof sizes)[number]): boolean =>
    !isInInches && BARE_FRACTION.test(reading.text) && finding.type === PMI_TYPE.arrows;
  const mayBeNumbers = title.fields.every(({ name, value }) => name !== 'Units' || value !== 'in') && !isInInches;
  const areFine = sizes.some(({ reading: { text } }) => FINE.test(text));
  const isNumber = ({ line, finding: { type, parts }, reading: { text, kind } }: (typeof sizes)[number]): boolean =>
    parts[0].tolerance === undefined &&
    ((kind === 'length' && labelled.has(line)) ||
      (type === PMI_TYPE.arrows && mayBeNumbers && !areFine && NUMBERED.test(text)));
  const plain = sizes.filter(
    ({ finding, reading, taken }) =>
      finding.type === PMI_TYPE.arrows && reading.kind === 'length' && reading.count === 1 && taken.length === 0,
  );
  const positions = ordinatesOf(
    plain.map(({ line, reading }) => ({ line, nominal: reading.nominal })),
    rest.filter(({ text }) => isZero(text)),
    index,
  );
  let aside = [...listed].filter((line) => !isInCell(line) && readDimension(line.text) !== undefined).length;
  for (const each of sizes) {
    const { line, finding } = each;
    if (isPage(each) || (isNumber(each) && !positions.has(line))) aside++;
    else if (positions.has(line)) findings.push({ ...finding, type: PMI_TYPE.ascending });
    else findings.push(finding);
  }
  for (const line of rest) {
    if (spoken.has(line)) continue;
    if (isFastener(plainSigns(line.text))) aside++;
    const box = boxOfLine(line);
    const found =
      plainSigns(line.text) === '⌀'
        ? { type: PMI_TYPE.diameterSymbol, box, parts: [{ text: '⌀' }] }
        : findingOf(line.text, box, 'note');
    if (found !== undefined) findings.push(found);
  }
  return {
    findings: [...findings, ...tables.map(({ finding }) => finding)],
    unread: shown.length - lines.length,
    aside,
  };
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

function findingOfLine(
  { line, reading, lowerLimit, taken }: ReadLine,
  arrows: readonly Arrowhead[],
  index: LineIndex,
): Finding {
  const lines = [line, ...taken];
  const start = Math.min(...lines.map((each) => each.start)),
    end = Math.max(...lines.map((each) => each.end));
  const t = Math.max(...lines.map((each) => each.t));
  const height = Math.max(line.height, t - Math.min(...lines.map((each) => each.t - each.height)));
  const box = boxOfLine({ ...line, t, height }, start, end);
  const isBasic =
    reading.toleranceTexts.length === 0 && lowerLimit === undefined && boxAbout(line, index) !== undefined;
  const part = isBasic ? { text: reading.text, tolerance: ['basic'] } : partOf(reading);
  const isPlaced = reading.kind === 'length' || reading.kind === 'square';
  const type = isPlaced ? linePlacement({ ...line, t, start, end }, arrows, index) : typeOfReading(reading);
  return { type, box, parts: lowerLimit === undefined ? [part] : [part, { text: lowerLimit }] };
}

/** Texts around which boxes are drawn: a letter, or a text with a number. */
function mayBeFramed(text: string): boolean {
  return /^(?:[A-Z]{1,2}|⌓)$/.test(text) || (/\d/.test(text) && text.length <= 40);
}

function isInTitle(line: TextLine, { box }: TitleBlock): boolean {
  if (box === undefined) return false;
  const { x, y } = middleOf(boxOfLine(line));
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/** Letters and numbers in a row at the edge of the page: they name its zones. */
function zoneMarks({ width, height }: Sheet, lines: readonly TextLine[]): ReadonlySet<TextLine> {
  const margin = ZONE_MARGIN * Math.min(width, height);
  const marks = lines.flatMap((line) => {
    if (!/^(?:[A-Z]|\d{1,2})$/.test(line.text)) return [];
    const { x, y } = middleOf(boxOfLine(line));
    return Math.min(x, y, width - x, height - y) < margin ? [{ line, x, y }] : [];
  });
  const near = (a: number, b: number, line: TextLine): boolean => Math.abs(a - b) < 0.5 * line.height;
  return new Set(
    marks
      .filter(({ line, x, y }) => {
        const isNumber = /\d/.test(line.text);
        const alike = marks.filter((other) => /\d/.test(other.line.text) === isNumber && other.line.text !== line.text);
        return (
          alike.filter((other) => near(other.x, x, line)).length >= 2 ||
          alike.filter((other) => near(other.y, y, line)).length >= 2
        );
      })
      .map(({ line }) => line),
  );
}
