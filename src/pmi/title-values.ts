import { isLevel, isUpright, lengthOf } from '../content/geometry.js';
import type { LineIndex } from './line-index.js';
import type { TextSource } from './confidence.js';
import { CAPITALS, type SignReader } from './frames/control-frames.js';
import { proseOf } from './pictures/word-forms.js';
import { boxOfLine, type TextLine } from './text-lines.js';

/**
 * How far right of and below its label a value may begin, in label heights: in a cell of its own, and in the label's.
 * Fields of 40 title blocks made by code, as PDF text, that are right (seeds 9100 to 9139, not looked at): .996 as it
 * is, .886 and .904 without the longer reach to the right and below.
 */
const RIGHT = 12;
const BELOW = 5;
const RIGHT_IN_CELL = 60;
const BELOW_IN_CELL = 20;
/** The same for a value in the cell behind that of its label; .971 with no longer reach. */
const RIGHT_NEXT = 25;
/** Farthest end of a label's cell, in label heights; .853 where labels have no cells. */
const CELL = 30;
/**
 * Extra distance for a value in the next cell, and distance below which lines count as one, in label heights. Without
 * the first, or one of the next two bounds, PDF text made by code reads the same (162 fields of 24 title blocks);
 * what they do for other kinds was not measured.
 */
const NEXT_CELL = 6;
const THIN = 0.25;
/** Least length of a border, in heights of its fonts: letters are lower. */
const WALL = 1.1;
/** Letters of a value in a next cell are not higher, in label heights. */
const MOST_NEXT = 2.5;
/**
 * Lines that go on below a value in its cell: fields that have them, most of them, gap and difference in height. With
 * one line .969 of 162 fields are right, with all of them 1.000.
 */
const OF_SEVERAL_LINES: ReadonlySet<string> = new Set(['Name', 'Material', 'Finish']);
const MOST_LINES = 3;
const NEXT_LINE = 2.2;
const SAME_HEIGHT = 1.25;

/** The nearest text behind or below the label that is no label itself: in its cell, or else in the next one. */
export function valueOf(
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

/** In letter heights: how far the sides of a cell are from the text in it. */
const TIGHT = { wide: 25, high: 3 };
/** The same of a label above its value. */
export const CELL_OF_LABEL = { wide: RIGHT_IN_CELL, high: BELOW };

/** Whether lines stand on all four sides of a text: it is in a cell. */
export function isInCell({ start, end, t, height }: TextLine, index: LineIndex, { wide, high } = TIGHT): boolean {
  const [x, y] = [(start + end) / 2, t - 0.35 * height];
  const near = index.near(x, y, (end - start) / 2 + wide * height);
  const level = near.filter(
    (edge) =>
      isLevel(edge, 0.01) &&
      Math.min(edge.x0, edge.x1) < start &&
      Math.max(edge.x0, edge.x1) > end &&
      Math.abs(edge.y0 - y) < high * height,
  );
  const upright = near.filter(
    (edge) => isUpright(edge, 0.01) && Math.min(edge.y0, edge.y1) < y && Math.max(edge.y0, edge.y1) > y,
  );
  return (
    level.some(({ y0 }) => y0 < y) &&
    level.some(({ y0 }) => y0 > y) &&
    upright.some(({ x0 }) => x0 < start) &&
    upright.some(({ x0 }) => x0 > end)
  );
}

/** How many cell borders lie between a label and a value: down to the value's height, then along to it. */
export function wallsBetween(label: TextLine, value: TextLine, index: LineIndex): number {
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

/** Slashes of a date that were read as ones: no date has ten digits. */
const BARS_OF_DATE = /^(\d\d)1(\d\d)1((?:19|20)\d\d)$|^((?:19|20)\d\d)1(\d\d)1(\d\d)$/;

/**
 * A hyphen whose gap to the word before it is wider than usual. Before figures it is one of a long number, `44 -1248`,
 * `AW -6082`, or of a date, `2024 -03 -12`; else a sign, `Temp -5`, `PLATE -10 mm`.
 */
const NO_MEASURE = String.raw`\d*(?![\d.,]|\s?(?:mm|°))`;
const YEAR = '(?:19|20)\\d\\d';
const HYPHEN_APART = new RegExp(
  [
    String.raw`(?<=[\p{L}\d]) -(?=\p{L})`,
    String.raw`(?<=\d) -(?=\d{3}${NO_MEASURE})`,
    String.raw`(?<=\p{Lu}) -(?=\d{4}${NO_MEASURE})`,
    String.raw`(?<=\b${YEAR}) -(?=\d\d ?-\d\d(?!\d))`,
    String.raw`(?<=\b${YEAR} ?-\d\d) -(?=\d\d(?!\d))`,
    String.raw`(?<=\b\d\d) -(?=\d\d ?-${YEAR}(?!\d))`,
  ].join('|'),
  'gu',
);

/** A date of which one point was not read. */
const POINT_OF_DATE = /^(\d{2})(?:\.(\d{2})|(\d{2})\.)((?:19|20)\d{2})$/;

/** A value as its letters were read, with what only the shapes of letters leave open: slashes of dates and hyphens. */
export function asWritten(name: string, said: string, source: TextSource = 'outlines'): string {
  if (source === 'file') return said;
  const text = source === 'pixels' && OF_SEVERAL_LINES.has(name) ? proseOf(said) : said;
  const date = name === 'Date' ? BARS_OF_DATE.exec(text) : null;
  if (name === 'Date' && POINT_OF_DATE.test(text)) return text.replace(POINT_OF_DATE, '$1.$2$3.$4');
  return date === null
    ? text.replace(HYPHEN_APART, '-')
    : date
        .slice(1)
        .filter((part) => part !== undefined)
        .join('/');
}

/** A value with the lines that go on below it in the same cell. */
export function withNextLines(
  value: TextLine,
  { name, label, level, isLabel, index }: ValuePlace,
): readonly TextLine[] {
  const all = [value];
  if (!OF_SEVERAL_LINES.has(name) || !isCell(label, index)) return all;
  for (let last = value; all.length < MOST_LINES; last = all[all.length - 1]) {
    const next = level.find((line) => {
      const down = line.t - last.t,
        size = Math.max(line.height, last.height);
      const isAligned =
        Math.abs(line.start - last.start) < 0.6 * size ||
        Math.abs(line.start + line.end - last.start - last.end) < 1.2 * size;
      return (
        !isLabel.has(line) &&
        down > 0.8 * size &&
        down < NEXT_LINE * size &&
        size < SAME_HEIGHT * Math.min(line.height, last.height) &&
        isAligned &&
        wallsBetween(last, line, index) === 0
      );
    });
    if (next === undefined) break;
    all.push(next);
  }
  return all;
}

/** What a value is sought with. */
interface ValuePlace {
  readonly name: string;
  readonly label: TextLine;
  readonly level: readonly TextLine[];
  readonly isLabel: ReadonlySet<TextLine>;
  readonly index: LineIndex;
}

/**
 * Uprights of large letters: as high as a capital within the first two shares, as far beside what was read as the
 * third, in heights of capitals. Most of them.
 */
const UPRIGHT = [0.75, 1.35] as const;
const BESIDE_UPRIGHT = 1;
const MOST_UPRIGHTS = 40;
/** Sureness of a value that was read again, and share of it that is left where it could not be. */
const READ_AGAIN = 0.9;
const WITH_UNREAD = 0.6;

/**
 * A value that was read from pixels, of which uprights of large letters (H, l, 1) were taken for lines of the sheet:
 * read again with them; where that fails, with less sureness.
 */
export function withUprights(
  value: TextLine,
  { index, textIn }: Pick<SignReader, 'textIn'> & { readonly index: LineIndex },
): TextLine {
  if (textIn === undefined || value.pieces.every(({ confidence }) => confidence === undefined)) return value;
  const { t, height } = value;
  const capital = CAPITALS * height;
  let { start, end } = value,
    found = 0;
  const uprights = index.near((start + end) / 2, t - capital / 2, (end - start) / 2 + 4 * capital).filter((edge) => {
    const [top, bottom] = [Math.min(edge.y0, edge.y1), Math.max(edge.y0, edge.y1)];
    const long = bottom - top;
    return (
      isUpright(edge, 0.05) &&
      long > UPRIGHT[0] * capital &&
      long < UPRIGHT[1] * capital &&
      Math.abs(bottom - t) < 0.3 * capital
    );
  });
  for (let isGrown = true; isGrown && found < MOST_UPRIGHTS; ) {
    isGrown = false;
    for (const { x0 } of uprights) {
      const isWithin = x0 > start - BESIDE_UPRIGHT * capital && x0 < end + BESIDE_UPRIGHT * capital;
      if (!isWithin) continue;
      found++;
      isGrown ||= x0 < start || x0 > end;
      [start, end] = [Math.min(start, x0), Math.max(end, x0)];
    }
  }
  if (found === 0) return value;
  const width = end - start + 1.2 * capital;
  const place = { x: (start + end) / 2, y: t - capital / 2, angleRad: 0, width, height: 2 * capital };
  const text = textIn(place, capital);
  const surer = (sureness: number): TextLine['pieces'] =>
    value.pieces.map((piece) => ({ ...piece, confidence: (piece.confidence ?? 1) * sureness }));
  if (text === undefined || text.length <= value.text.length) return { ...value, pieces: surer(WITH_UNREAD) };
  return { ...value, text, start, end, pieces: surer(READ_AGAIN) };
}
