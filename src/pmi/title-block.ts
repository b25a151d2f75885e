import { isLevel, isUpright } from '../content/geometry.js';
import type { Sheet, SheetBox } from '../content/sheet.js';
import type { Property } from '../content/text.js';
import type { LineIndex } from './line-index.js';
import { boxOfBoxes } from './page-frame.js';
import { boxOfLine, type TextLine } from './text-lines.js';

/** What a title block says, and where it is. */
export interface TitleBlock {
  readonly attributes: readonly Property[];
  /** The box around its labels; undefined where there are too few. */
  readonly box: SheetBox | undefined;
}

/**
 * Labels of a title block (ISO 7200, ASME Y14.1) and the attributes that their values become; '' for labels that only
 * mark the block.
 */
const LABELS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^(?:DWG\.?|DRAWING|PART|ITEM|ARTICLE)\s*(?:NO|NUMBER|NR|#)\.?\s*:?/i, 'Part number'],
  [/^(?:TEILE?|ZEICHNUNGS|ARTIKEL|SACH)-?\s?(?:NR|NUMMER)\.?\s*:?/i, 'Part number'],
  [/^(?:TITLE|DESCRIPTION|BENENNUNG|TITEL|PART NAME|DRAWING NAME|NAME(?=\s*:))\b\s*:?/i, 'Name'],
  [/^(?:MATERIAL|WERKSTOFF|MATL)\b\.?\s*:?/i, 'Material'],
  [/^(?:SCALE|MA(?:ß|SS)STAB)\b\s*:?/i, 'Scale'],
  [/^(?:WEIGHT|MASS|GEWICHT|MASSE)\b\s*:?/i, 'Mass'],
  [/^(?:REVISION|REV|(?:Ä|AE)NDERUNG(?:SINDEX)?)\b\.?\s*(?:NR|NO)?\.?\s*:?/i, 'Revision'],
  [/^(?:DATE(?: OF ISSUE)?|DATUM)\s*(?::|$)/i, 'Date'],
  [/^(?:DRAWN(?:\s+BY)?|MADE BY|CREATED BY|DESIGNED BY|GEZEICHNET|ERSTELLT)\b\s*:?/i, 'Drawn by'],
  [/^(?:FINISH|SURFACE TREATMENT|COATING|OBERFL(?:Ä|AE)CHE(?:NBEHANDLUNG)?)\b\s*:?/i, 'Finish'],
  [/^(?:UNITS?|DIMENSIONS (?:ARE )?IN)\b\s*:?/i, ''],
  [
    new RegExp(
      String.raw`^(?:CHK'?D|CHECKED|APPV'?D|APPROVED|DOCUMENT (?:TYPE|STATUS)|LEGAL OWNER|MFG|Q\.A|NAME|SIGNATURE|` +
        'SHEET|SIZE|DO NOT SCALE DRAWING|SURFACE FINISH|TOLERANCES?|LINEAR|ANGULAR|UNLESS OTHERWISE SPECIFIED|' +
        String.raw`DEBURR? AND|BREAK SHARP)\b.{0,20}$`,
      'i',
    ),
    '',
  ],
];
/** A title block has more labels than this. */
const FEW_LABELS = 3;
/** Labels of one title block are not farther apart, in label heights. */
const LABEL_GAP_X = 45;
const LABEL_GAP_Y = 10;
const MOST_LABELS = 500;
const MOST_VALUE_CHARACTERS = 120;
/** How far right of and below its label a value may begin, in label heights. */
const RIGHT = 12;
const BELOW = 5;
/** Extra distance for a value in the next cell, and distance below which lines count as one, in label heights. */
const NEXT_CELL = 6;
const THIN = 0.25;
/** Placeholders of empty fields: dots, or the name of what is missing. */
const UNFILLED = /^(?:[.\u2026_\s]+|<[^<>]*>)$/;

/** Attributes whose values contain a digit. */
const NUMERIC: ReadonlySet<string> = new Set(['Date', 'Mass']);

/** Reads the labels of a sheet's title block and the values beside or below them. */
export function titleBlockOf(sheet: Sheet, lines: readonly TextLine[], index: LineIndex): TitleBlock {
  const level = lines.filter(({ angleRad }) => Math.abs(angleRad) < 0.1);
  const labels = level.flatMap((line) => {
    const found = LABELS.flatMap(([pattern, name]) => {
      const match = pattern.exec(line.text);
      return match === null ? [] : [{ line, name, value: line.text.slice(match[0].length).trim() }];
    });
    return found.slice(0, 1);
  });
  if (labels.length <= FEW_LABELS) return { attributes: unitsOf(lines), box: undefined };
  // Unknown labels end like known ones.
  const isLabel = new Set([...labels.map(({ line }) => line), ...level.filter(({ text }) => asksFor(text))]);
  const attributes = new Map<string, string>();
  const values: TextLine[] = [];
  for (const { line, name, value } of labels) {
    if (name === '' || attributes.has(name)) continue;
    const apart =
      value !== '' && !asksFor(value)
        ? undefined
        : valueOf(line, NUMERIC.has(name) ? level.filter(({ text }) => /\d/.test(text)) : level, isLabel, index);
    const said = apart?.text ?? value;
    if (said === '' || asksFor(said) || said.length > MOST_VALUE_CHARACTERS || UNFILLED.test(said)) continue;
    attributes.set(name, said);
    if (apart !== undefined) values.push(apart);
  }
  const boxes = [...labels.map(({ line }) => line), ...values].map((line) => boxOfLine(line));
  // The labels of a title block stand together, in the lower half of the page: the head of a table is none of them.
  const lower = largestGroup(boxes.filter(({ y }) => y > sheet.height / 2).slice(0, MOST_LABELS));
  const box = lower.length > FEW_LABELS ? boxOfBoxes(lower) : undefined;
  return {
    attributes: [...[...attributes].map(([name, value]) => ({ name, unit: '', value })), ...unitsOf(lines)],
    box,
  };
}

/** The largest group of labels whose neighbours are near each other. */
function largestGroup(boxes: readonly SheetBox[]): SheetBox[] {
  let largest: SheetBox[] = [];
  let left = [...boxes];
  while (left.length > 0) {
    const group = left.splice(0, 1);
    for (let at = 0; at < group.length; at++) {
      const { x, y, width, height } = group[at];
      const isFar = (other: SheetBox): boolean =>
        Math.max(other.x - x - width, x - other.x - other.width) > LABEL_GAP_X * height ||
        Math.max(other.y - y - height, y - other.y - other.height) > LABEL_GAP_Y * height;
      group.push(...left.filter((other) => !isFar(other)));
      left = left.filter(isFar);
    }
    if (group.length > largest.length) largest = group;
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
    const isBehind = Math.abs(down) < 0.8 * height && right > -0.2 * height && right < RIGHT * height;
    const isBelow = down > 0.8 * height && down < BELOW * height && over > -2 * height && over < RIGHT * height;
    if (!isBehind && !isBelow) continue;
    const walls = wallsBetween(label, line, index);
    if (walls > 1) continue;
    const distance = (isBehind ? right : down + Math.max(0, over) / 2) + walls * NEXT_CELL * height;
    if (distance < least) [best, least] = [line, distance];
  }
  return best;
}

/** How many cell borders lie between a label and a value: down to the value's height, then along to it. */
function wallsBetween(label: TextLine, value: TextLine, index: LineIndex): number {
  const from = boxOfLine(label),
    to = boxOfLine(value);
  const x0 = from.x + 0.3 * label.height,
    x1 = to.x + 0.3 * value.height;
  const y0 = from.y + from.height / 2,
    y1 = to.y + to.height / 2;
  const edges = index.near((x0 + x1) / 2, (y0 + y1) / 2, Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) / 2);
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
function unitsOf(lines: readonly TextLine[]): Property[] {
  const found: Property[] = [];
  const text = lines.map((line) => line.text).join('\n');
  const unit = /(?:UNITS?\s*:|DIMENSIONS?\s+(?:ARE\s+)?IN)\s*(MILLIMET(?:ER|RE)S?|MM|INCH(?:ES)?|IN)\b/i.exec(text);
  if (unit !== null) found.push({ name: 'Units', unit: '', value: /^m/i.test(unit[1]) ? 'mm' : 'in' });
  const projection = /\b(FIRST|THIRD|1ST|3RD)[ -]ANGLE\b/i.exec(text);
  if (projection !== null)
    found.push({ name: 'Projection', unit: '', value: /^[f1]/i.test(projection[1]) ? 'first angle' : 'third angle' });
  const general = /ISO\s?2768(?:-1)?\s?-?\s?([fmcv][HKL]?)\b/.exec(text);
  if (general !== null) found.push({ name: 'General tolerance', unit: '', value: `ISO 2768-${general[1]}` });
  return found;
}
