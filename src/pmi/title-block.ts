import { isLevel, isUpright, lengthOf } from '../content/geometry.js';
import type { Sheet, SheetBox } from '../content/sheet.js';
import type { Property } from '../content/text.js';
import type { LineIndex } from './line-index.js';
import { boxOfBoxes } from './page-frame.js';
import { boxOfLine, type TextLine } from './text-lines.js';
import { FORMS, HEADINGS, LABELS } from './title-labels.js';

/** What a title block says, and where it is. */
export interface TitleBlock {
  readonly attributes: readonly Property[];
  /** The box around its labels; undefined where there are too few. */
  readonly box: SheetBox | undefined;
}

/** A title block has more labels than this. */
const FEW_LABELS = 3;
/** Labels of one title block are not farther apart, in label heights. */
const LABEL_GAP_X = 45;
const LABEL_GAP_Y = 10;
const MOST_LABELS = 500;
const MOST_VALUE_CHARACTERS = 120;
/** How far right of and below its label a value may begin, in label heights: in a cell of its own, and in the label's. */
const RIGHT = 12;
const BELOW = 5;
const RIGHT_IN_CELL = 60;
const BELOW_IN_CELL = 20;
/** The same for a value in the cell behind that of its label. */
const RIGHT_NEXT = 25;
/** Farthest end of a label's cell, in label heights. */
const CELL = 30;
/** Extra distance for a value in the next cell, and distance below which lines count as one, in label heights. */
const NEXT_CELL = 6;
/** Least length of a border, in heights of its fonts: letters are lower. */
const WALL = 1.1;
const THIN = 0.25;
/** Labels of one block are not larger than others by more. */
const LARGER = 1.6;
/** Letters of a value in a next cell are not higher, in label heights. */
const MOST_NEXT = 2.5;
/** Headings of a table that stand in a row. */
const FEW_HEADINGS = 3;
/** Placeholders of empty fields: dots, or the name of what is missing. */
const UNFILLED = /^(?:[.\u2026_\s]+|<[^<>]*>)$/;

/** Reads the labels of a sheet's title block and the values beside or below them. */
export function titleBlockOf(sheet: Sheet, lines: readonly TextLine[], index: LineIndex): TitleBlock {
  const level = lines.filter(({ angleRad }) => Math.abs(angleRad) < 0.1);
  const headings = headingsOf(level);
  const labels = level.flatMap((line): FoundLabel[] => {
    if (headings.has(line)) return [];
    for (const { pattern, name, isInline = false } of LABELS) {
      // The colon of a drawn label may be read as a point.
      const match = pattern.exec(line.text) ?? pattern.exec(line.text.replace(/(?<=[A-Z]{3})\.$/, ':'));
      if (match === null) continue;
      // A word that begins a sentence is no label.
      const value = line.text.slice(match[0].length).trim();
      if (value !== '' && name !== '' && !/[:.)]\s*$/.test(match[0]) && !mayFollow(name, value)) return [];
      return [{ line, name, value, isInline }];
    }
    return [];
  });
  if (labels.length <= FEW_LABELS) return { attributes: statedOf(lines), box: undefined };
  // The labels of a title block stand together, in the lower half of the page: the head of a table is none of them.
  const inBlock = (found: readonly FoundLabel[]): FoundLabel[] => {
    const group = new Set(largestGroup(found.slice(0, MOST_LABELS)));
    return found.filter((each) => group.has(each));
  };
  const lower = inBlock(labels.filter(({ line }) => boxOfLine(line).y > sheet.height / 2));
  // Names of views, `SCALE 2 : 1`, are larger than the labels of a block.
  const usual = lower.map(({ line }) => line.height).sort((a, b) => a - b)[lower.length >> 1];
  const block = lower.filter(({ line }) => line.height < LARGER * usual);
  const isBlock = block.length > FEW_LABELS;
  // Unknown labels end like known ones.
  const isLabel = new Set([
    ...headings,
    ...labels.map(({ line }) => line),
    ...level.filter(({ text }) => asksFor(text)),
  ]);
  const attributes = new Map<string, string>();
  const values: TextLine[] = [];
  const inOrder = isBlock ? [...block, ...labels.filter((each) => !block.includes(each))] : labels;
  for (const { line, name, value, isInline } of inOrder) {
    if (name === '' || attributes.has(name)) continue;
    const isStated = value !== '' && !asksFor(value);
    if (isInline && !isStated) continue;
    const apart = isStated ? undefined : valueOf(line, candidatesOf(name, level), isLabel, index);
    const said = apart?.text ?? value;
    if (said === '' || asksFor(said) || said.length > MOST_VALUE_CHARACTERS || UNFILLED.test(said)) continue;
    if (FORMS[name]?.test(said) === false) continue;
    attributes.set(name, said);
    if (apart !== undefined) values.push(apart);
  }
  const box = isBlock
    ? boxOfBoxes(
        [...block.map(({ line }) => line), ...values.filter((value) => isNear(value, block))].map((line) =>
          boxOfLine(line),
        ),
      )
    : undefined;
  const stated = statedOf(lines);
  // What notes say in full is plainer than what a cell says.
  for (const { name } of stated) attributes.delete(name);
  return { attributes: [...[...attributes].map(([name, value]) => ({ name, unit: '', value })), ...stated], box };
}

interface FoundLabel {
  readonly line: TextLine;
  readonly name: string;
  /** What stands behind it in the same string. */
  readonly value: string;
  readonly isInline: boolean;
}

/** Whether a text behind a label without a colon is its value: `SCALE 1:2`, but not `MATERIAL TO BE DEBURRED`. */
function mayFollow(name: string, value: string): boolean {
  return (
    FORMS[name]?.test(value) ?? (value.split(' ').length <= 4 && !/^(?:TO|OF|IS|ARE|AND|FOR|BY|IN|ON)\b/i.test(value))
  );
}

/** Headings of tables: several in a row, one of which says that it is about parts or revisions. */
function headingsOf(level: readonly TextLine[]): ReadonlySet<TextLine> {
  const found = new Set<TextLine>();
  const all = level.filter(({ text }) => HEADINGS.test(text.trim())).slice(0, MOST_LABELS);
  for (const line of all) {
    const row = all.filter((other) => Math.abs(other.t - line.t) < 0.5 * line.height);
    const isTable =
      row.length >= FEW_HEADINGS &&
      row.some(({ text }) => /^(?:DESCRIPTION|QTY|QUANTITY|ZONE|MENGE|MODIFICATION)/i.test(text));
    if (isTable) for (const each of row) found.add(each);
  }
  // The title of such a table begins like a label.
  for (const line of level)
    if (/^REVISIONS?(?: HISTORY)?$|^REVISION HISTORY/i.test(line.text) && found.size > 0 && !isAlone(line, found))
      found.add(line);
  return found;
}

/** Whether no heading stands right below a line. */
function isAlone(line: TextLine, headings: ReadonlySet<TextLine>): boolean {
  return ![...headings].some((other) => other.t > line.t && other.t - line.t < BELOW * line.height);
}

function candidatesOf(name: string, level: readonly TextLine[]): readonly TextLine[] {
  const form = FORMS[name];
  return form === undefined ? level : level.filter(({ text }) => form.test(text));
}

function isNear(value: TextLine, block: readonly FoundLabel[]): boolean {
  const { x, y, width, height } = boxOfBoxes(block.map(({ line }) => boxOfLine(line)));
  const box = boxOfLine(value);
  return box.x >= x - width && box.x <= x + 2 * width && box.y >= y - 0.5 * height && box.y <= y + 1.5 * height;
}

/** The largest group of labels whose neighbours are near each other. */
function largestGroup(labels: readonly FoundLabel[]): FoundLabel[] {
  let largest: FoundLabel[] = [];
  let left = labels.map((found) => ({ found, box: boxOfLine(found.line) }));
  while (left.length > 0) {
    const group = left.splice(0, 1);
    for (let at = 0; at < group.length; at++) {
      const { x, y, width, height } = group[at].box;
      const isFar = ({ box: other }: (typeof left)[number]): boolean =>
        Math.max(other.x - x - width, x - other.x - other.width) > LABEL_GAP_X * height ||
        Math.max(other.y - y - height, y - other.y - other.height) > LABEL_GAP_Y * height;
      group.push(...left.filter((other) => !isFar(other)));
      left = left.filter(isFar);
    }
    if (group.length > largest.length) largest = group.map(({ found }) => found);
  }
  return largest;
}

function asksFor(text: string): boolean {
  return text.endsWith(':');
}

/** The nearest text behind or below the label that is no label itself: in its cell, or else in the next one. */
function valueOf(
  label: TextLine,
  lines: readonly TextLine[],
  isLabel: ReadonlySet<TextLine>,
  index: LineIndex,
): TextLine | undefined {
  const { height } = label;
  let best: TextLine | undefined,
    least = Infinity;
  for (const line of lines) {
    if (isLabel.has(line) || line === label) continue;
    const down = line.t - label.t,
      right = line.start - label.end,
      over = line.start - label.start;
    const isBehind = Math.abs(down) < 0.8 * Math.max(height, line.height) && right > -0.2 * height;
    const isBelow = down > 0.8 * height && over > -2 * height;
    if (
      !(isBehind && right < RIGHT_IN_CELL * height) &&
      !(isBelow && down < BELOW_IN_CELL * height && over < RIGHT_IN_CELL * height)
    )
      continue;
    const walls = wallsBetween(label, line, index);
    const isNext = walls === 1 && Math.abs(down) < 0.8 * height && line.height < MOST_NEXT * height;
    const isFar = isBehind
      ? right > (isNext ? RIGHT_NEXT : RIGHT) * height
      : down > BELOW * height || over > RIGHT * height;
    // Where no line parts them they stand in one cell, if there are lines at all.
    if (walls > 1 || (isFar && (walls > 0 || !isCell(label, index)))) continue;
    const distance = (isBehind ? right : down + Math.max(0, over) / 2) + walls * NEXT_CELL * height;
    if (distance < least) [best, least] = [line, distance];
  }
  return best;
}

/** Whether a line ends the room below a label: it stands in a cell. */
function isCell({ start, t, height }: TextLine, index: LineIndex): boolean {
  const middle = start + 0.3 * height;
  return index
    .near(middle, t, CELL * height)
    .some(
      (edge) =>
        isLevel(edge, 0.01) &&
        edge.y0 > t &&
        edge.y0 - t < CELL * height &&
        middle > Math.min(edge.x0, edge.x1) &&
        middle < Math.max(edge.x0, edge.x1),
    );
}

/** How many cell borders lie between a label and a value: down to the value's height, then along to it. */
function wallsBetween(label: TextLine, value: TextLine, index: LineIndex): number {
  const from = boxOfLine(label),
    to = boxOfLine(value);
  const x0 = from.x + 0.3 * label.height,
    x1 = to.x + 0.3 * value.height;
  const y0 = from.y + from.height / 2,
    y1 = to.y + to.height / 2;
  // Strokes of drawn letters are shorter than borders.
  const least = WALL * Math.max(label.height, value.height);
  const edges = index
    .near((x0 + x1) / 2, (y0 + y1) / 2, Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) / 2)
    .filter((edge) => lengthOf(edge) > least);
  const isBetween = (at: number, a: number, b: number): boolean => at > Math.min(a, b) && at < Math.max(a, b);
  const level = edges
    .filter((edge) => isLevel(edge, 0.01) && isBetween(x0, edge.x0, edge.x1) && isBetween(edge.y0, y0, y1))
    .map((edge) => edge.y0);
  const upright = edges
    .filter((edge) => isUpright(edge, 0.01) && isBetween(y1, edge.y0, edge.y1) && isBetween(edge.x0, x0, x1))
    .map((edge) => edge.x0);
  const distinct = (places: readonly number[]): number =>
    places.toSorted((a, b) => a - b).filter((place, i, all) => i === 0 || place - all[i - 1] > THIN * label.height)
      .length;
  return distinct(level) + distinct(upright);
}

/** What notes state about units, projection and general tolerances. */
function statedOf(lines: readonly TextLine[]): Property[] {
  const found: Property[] = [];
  const text = lines.map((line) => line.text).join('\n');
  const unit = new RegExp(
    String.raw`(?:UNITS?\s*:|(?:DIMENSIONS?|QUOTE|COTES|MASSE|MA(?:ß|SS)E)\s+(?:ARE\s+)?(?:IN|EN))\s*` +
      String.raw`(MILL?IM[EÈ]T(?:ER|RE|RI|ROS)S?|MM|INCH(?:ES)?|IN|POLLICI|POUCES)\b`,
    'i',
  ).exec(text);
  if (unit !== null) found.push({ name: 'Units', unit: '', value: /^m/i.test(unit[1]) ? 'mm' : 'in' });
  const projection = /\b(FIRST|THIRD|1ST|3RD)[ -]ANGLE\b/i.exec(text);
  if (projection !== null)
    found.push({ name: 'Projection', unit: '', value: /^[f1]/i.test(projection[1]) ? 'first angle' : 'third angle' });
  const general = /ISO\s?2768(?:-1)?\s?-?\s?([fmcv][HKL]?)\b/.exec(text);
  if (general !== null) found.push({ name: 'General tolerance', unit: '', value: `ISO 2768-${general[1]}` });
  else if (/ISO\s?22081\b/.test(text)) found.push({ name: 'General tolerance', unit: '', value: 'ISO 22081' });
  return found;
}
