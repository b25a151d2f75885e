import { isUpright, TurnedFrame } from '../content/geometry.js';
import type { Sheet, SheetText } from '../content/sheet.js';
import { isBallooned } from './balloons.js';
import { COUNTERBORE, COUNTERSINK } from './dimension-words.js';
import { LetterRuns } from './sizes/letter-runs.js';
import { apartAtWalls, WALL_BELOW } from './sizes/parted-lines.js';
import { stackedPieces } from './sizes/stacked-pieces.js';
import { WORD_GAP } from './sizes/words-of-lines.js';
import { DrawnSigns } from './signs-beside.js';
import type { Placed, TextLine } from './placed-text.js';
import type { LineIndex } from './line-index.js';
import { boxInFrame, type TextBox } from './page-frame.js';

export type { LinePiece, TextLine } from './placed-text.js';

/** Most texts of a sheet that are read. */
export const MOST_TEXTS = 20_000;
/** Most lines of one row that texts may go on from at one place: more lie over each other. */
const MOST_OPEN = 100;
/** Most lines of one direction that are parted at walls. */
const MOST_PARTED = 3_000;
/** Most letters that may name a datum target. */
const MOST_NAMES = 500;
/** Directions that differ by less are one, rad. */
const SAME_ANGLE = 0.035;
/** In letter heights: offset between baselines of one line, and the widest gap within a line. */
const SAME_LINE = 0.22;
const WIDEST_GAP = 0.75;
/**
 * The same between a count and a sign, a number and its unit of mass or class, tolerances and their standard, and
 * behind the first letter of a name.
 */
const GAP_OF_COUNT = 1;
const BEHIND_COUNT = /^(?:[⌀□]|M\d)/;
const COUNT_BEFORE = /\d\s?[xX×]$|^\d{1,3} (?:HOLES|PLACES|trous|Bohrungen)$/i;
/** Behind a size. */
const LIMIT_WORD = /^(?:max|min)\.?$/i;
/** Signs and words of counterbores and countersinks, which a ⌀ that is drawn stands behind. */
const SIGN_BEFORE = new RegExp(String.raw`(?:[⌴⌵]|(?<!\p{L})(?:${COUNTERBORE}|${COUNTERSINK}))\s?$`, 'iu');
/** Deviations that are nothing without the size before them, which wide letters stand far behind: `600 ±1`. */
const DEVIATIONS = /^(?:±\s?[\d.,]|[+\-−]\s?[\d.,]+\s?\/\s?[+\-−]?\s?\d)/;
const INITIAL = /^[A-Z]\.$/;
/** Guessed widths are those of narrow letters: plotter fonts reach so much further, as a share. */
const GUESSED = 0.5;
/** What stands behind a size, at a place that says where the size really ends. */
const TOLERANCE = /^(?:[+\-−±]\s?[\d.,]|[A-HJKMNPR-Zj]?[A-HJKMNPR-Za-hjkmnpr-z]\d{1,2}(?!\d))/;
const TOLERANCES = /\bTOLERANCES?:?$/i;
const MASS = /^(?:lbs?|kg|oz)\.?$/;
/** Letters of one line differ by less in size. */
const SAME_SIZE = 1.6;
/** Deviations of files are smaller than their sizes by so much at least, as a share. */
const SMALL = 0.85;
const SMALL_ZERO = /^0(?:[.,]0+)?$/;
/** The sign of a counterbore is low. */
const SIGN_SIZE = 2;
/** Least length of a wall in pictures, in letter heights. */
const LONG_WALL = 1.9;
/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.35;

/**
 * The texts of a sheet as lines, ordered by angle, baseline and start. Diameter signs that are drawn as strokes are
 * inserted.
 * @param options isRead: whether the texts were read from pixels, where a short upright line may be a letter;
 * areGuessed: whether the widths of texts are, because their fonts are not known.
 */
export function textLinesOf(sheet: Sheet, index: LineIndex, { isRead = false, areGuessed = false } = {}): TextLine[] {
  const signs = new DrawnSigns(index);
  const lines: TextLine[] = [];
  for (const [angle, texts] of byAngle(sheet.texts.slice(0, MOST_TEXTS))) {
    const frame = new TurnedFrame(angle);
    const placed = texts.map(({ text, x, y, width, height, confidence }) => {
      const start = frame.s(x, y);
      const slack = areGuessed ? GUESSED * width : 0;
      const placed = { text, start, end: start + width, t: frame.t(x, y), height, confidence, slack };
      return SPACED.test(text.trim()) && !areOfChain(placed, frame, index) ? { ...placed, text: closed(text) } : placed;
    });
    const runs = new LetterRuns(placed);
    const names = placed.filter(({ text }) => /^[A-Z]\d{0,2}$/.test(text.trim())).slice(0, MOST_NAMES);
    // Numbers of notes and parts stand beside sizes and are not digits of them. What is read upwards on a picture in a
    // box that looks like a circle may be a letter.
    const isAcross = isRead && Math.abs(Math.sin(angle)) > 0.9;
    const isNote = (piece: Placed): boolean => {
      if (isAcross) return false;
      const said = piece.text.trim();
      // The sides of a ring around a number look like brackets on a picture.
      const text = isRead ? said.replace(/^\((\d{1,3})\)$/, '$1') : said;
      const { x, y } = frame.point((piece.start + piece.end) / 2, piece.t - MIDDLE * piece.height);
      return (
        /^\d{1,3}$/.test(text) &&
        isBallooned(index, x, y, piece.height) &&
        !isOfTarget(piece, names) &&
        (text !== said || /^\d{1,3}$/.test(runs.runOf(piece)))
      );
    };
    const sizes = placed.filter((piece) => !isNote(piece));
    const stacked = isRead ? stackedPieces(sizes) : new Set<Placed>();
    const apart = sizes.filter((piece) => stacked.has(piece)),
      others = sizes.filter((piece) => !stacked.has(piece));
    const rows = [...joined([...others, ...signs.beside(others, frame, { isRead })], angle), ...joined(apart, angle)];
    lines.push(
      ...rows.flatMap((line, i) => (i < MOST_PARTED ? apartAtWalls(line, index, isRead ? LONG_WALL : 0) : [line])),
    );
  }
  return lines;
}

/** The box around a line, or around part of it. */
export function boxOfLine(line: Omit<TextLine, 'text' | 'pieces'>, start = line.start, end = line.end): TextBox {
  const { angleRad, t, height } = line;
  return boxInFrame({ angleRad, s: [start, end], t: [t - 0.78 * height, t + 0.22 * height] });
}

/** Whether a letter stands right below a number: in a circle they are the size and the name of a datum target. */
function isOfTarget({ start, end, t, height }: Placed, names: readonly Placed[]): boolean {
  return names.some(
    (other) =>
      other.t > t + 0.7 * height &&
      other.t < t + 2.5 * height &&
      Math.abs(other.start + other.end - start - end) < 2.5 * height,
  );
}

/** A number whose letters stand apart, as some programs space theirs: `1 0 . 5`. */
const SPACED = /^(?=.*\d)[\dR⌀∅ØM.,°+\-±](?: [\d.,°])+$/;

function closed(text: string): string {
  return text.replaceAll(' ', '');
}

/** In letter heights: how far below the baseline extension lines end, which stand between the values of a chain. */
const WALL_ENDS = 0.6;
/** How far they are off the middle between two letters that stand apart, as a share of these letters' distance. */
const OFF_MIDDLE = 0.4;

/**
 * Whether letters that stand apart are values of a chain, `5 5 5`: an upright line is in each gap, or ends below it.
 */
function areOfChain({ text, start, end, t, height }: Placed, frame: TurnedFrame, index: LineIndex): boolean {
  const count = text.trim().split(' ').length;
  const pitch = (end - start) / count;
  const walls = index
    .nearIn(frame, (start + end) / 2, t, (end - start) / 2)
    .filter(
      (edge) =>
        isUpright(edge, 0.03) &&
        Math.abs(edge.y1 - edge.y0) > height &&
        Math.min(edge.y0, edge.y1) < t + WALL_ENDS * height &&
        Math.max(edge.y0, edge.y1) > t + WALL_BELOW * height,
    )
    .map(({ x0, x1 }) => (x0 + x1) / 2);
  return Array.from({ length: count - 1 }, (_, i) => start + (i + 1) * pitch).every((gap) =>
    walls.some((wall) => Math.abs(wall - gap) < OFF_MIDDLE * pitch),
  );
}

/** Texts of about one direction, which is that of most of their letters: a few are read a little askew. */
function byAngle(texts: readonly SheetText[]): [number, SheetText[]][] {
  const groups: { readonly first: number; readonly members: { readonly text: SheetText; readonly angle: number }[] }[] =
    [];
  const sorted = texts
    .map((text) => ({ text, angle: Math.atan2(Math.sin(text.angleRad + 1e-3), Math.cos(text.angleRad + 1e-3)) - 1e-3 }))
    .sort((a, b) => a.angle - b.angle);
  for (const each of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && each.angle - last.first < SAME_ANGLE) last.members.push(each);
    else groups.push({ first: each.angle, members: [each] });
  }
  return groups.map(({ members }) => [usualAngle(members), members.map(({ text }) => text)]);
}

function usualAngle(members: readonly { readonly text: SheetText; readonly angle: number }[]): number {
  const weights = new Map<number, number>();
  for (const { text, angle } of members) weights.set(angle, (weights.get(angle) ?? 0) + text.text.length);
  let best = members[0].angle;
  for (const [angle, weight] of weights) if (weight > weights.get(best)!) best = angle;
  return best;
}

function joined(placed: readonly Placed[], angleRad: number): TextLine[] {
  const lines: TextLine[] = [];
  let row: Placed[] = [];
  const end = (): void => {
    lines.push(...splitRow(row, angleRad));
    row = [];
  };
  for (const piece of placed.toSorted((a, b) => a.t - b.t || a.start - b.start)) {
    const first = row.at(0);
    if (first !== undefined && piece.t - first.t > SAME_LINE * Math.min(piece.height, first.height)) end();
    row.push(piece);
  }
  end();
  return lines;
}

function splitRow(row: readonly Placed[], angleRad: number): TextLine[] {
  const lines: Placed[][] = [];
  // Those that what follows may go on from.
  let open: Placed[][] = [];
  for (const piece of row.toSorted((a, b) => a.start - b.start)) {
    open = open.filter((each) => {
      const { end, height, slack = 0 } = each[each.length - 1];
      return piece.start - end <= GAP_OF_COUNT * height + slack;
    });
    const areDeviations = DEVIATIONS.test(piece.text);
    const line = open.find((each) => {
      const last = each[each.length - 1];
      // The small letter of a class, which outlines show in its own height; its hyphen may be lost.
      const isClass = last.text.endsWith('2768') && CLASS.test(piece.text);
      const size = isClass ? last.height : Math.min(last.height, piece.height);
      const gap = piece.start - last.end;
      const isCount = BEHIND_COUNT.test(piece.text) && (COUNT_BEFORE.test(last.text) || SIGN_BEFORE.test(last.text));
      const isUnit = MASS.test(piece.text) && /^\d[\d.,]*$/.test(last.text);
      const isStandard = TOLERANCES.test(last.text) && piece.text.startsWith('ISO');
      const isLimit = LIMIT_WORD.test(piece.text) && /\d$/.test(last.text);
      const isTolerance = areDeviations && /\d$/.test(last.text);
      const isWide = isTolerance || isCount || isLimit || isUnit || isClass || isStandard || INITIAL.test(last.text);
      const widest = isWide ? GAP_OF_COUNT : WIDEST_GAP;
      const slack = isCount || TOLERANCE.test(piece.text) ? (last.slack ?? 0) : 0;
      // A lower deviation on the baseline of its size, whose letters are smaller: `42`, `+0.1`, `0`.
      const isDeviation =
        SMALL_ZERO.test(piece.text) && last.confidence === undefined && piece.height < SMALL * last.height;
      const isLike = isClass || Math.max(last.height, piece.height) < (isCount ? SIGN_SIZE : SAME_SIZE) * size;
      return gap < widest * size + slack && gap > -0.5 * size && isLike && !isDeviation;
    });
    if (line !== undefined) {
      line.push(piece);
      continue;
    }
    const begun = [piece];
    lines.push(begun);
    open.push(begun);
    if (open.length > MOST_OPEN) open.shift();
  }
  return lines.map((pieces) => {
    let text = '';
    let last: Placed | undefined;
    for (const piece of pieces) {
      if (
        last !== undefined &&
        piece.start - last.end > WORD_GAP * piece.height &&
        !/[⌀±↧□]$/.test(text) &&
        piece.text !== '°' &&
        !(text.endsWith('S') && piece.text.startsWith('⌀'))
      )
        text += ' ';
      text += piece.text;
      last = piece;
    }
    const height = usualHeight(pieces);
    return {
      text: asRead(withSigns(text.replace(/\s+/g, ' ').trim()), pieces),
      angleRad,
      height,
      start: pieces[0].start,
      end: Math.max(...pieces.map((piece) => piece.end)),
      t: pieces[0].t,
      pieces,
    };
  });
}

/** The size of most letters: signs come from other fonts. */
function usualHeight(pieces: readonly Placed[]): number {
  const sorted = pieces.toSorted((a, b) => b.height - a.height);
  const half = sorted.reduce((sum, { text }) => sum + text.length, 0) / 2;
  let seen = 0;
  return sorted.find(({ text }) => (seen += text.length) >= half)!.height;
}

/** What outlines of `3/8-16 UNC` and `ISO 2768-m` look like: there is no such thread and no such class. */
const SLASH_OF_THREAD = /(?<![\d.,/])([1357])1(2|4|8|16)(?=\s?-\s?\d{1,2}\s?UN)/;
/** A count whose gap to the word behind it is narrow: `4XINDIVIDUALLY`. */
const COUNT_OF_WORD = /^(\d{1,3}X)(?=[A-Z]{4})/;
/** Whose gaps behind slashes and hyphens are those of guessed letters: `1/ 4- 20 UNC- 2B`. */
const INCH_THREAD = /(?:\d\/ ?)?\d+- ?\d{1,2} ?UN[A-Z]*(?:- ?\d[AB])?/g;
const CLASS = /^-?(?:n1|[fmcv])[HKL]?$/;
/** The class of general tolerances whose hyphen is a pixel or two, and was not seen. */
const CLASS_WITHOUT_HYPHEN = /(?<=ISO\s?2768)(?=[fmcv][HKL]?$)/;
/** A standard whose I is a bare stroke, and which stands close to a colon: `TOLERANCES:lSO 2768`. */
const STANDARD = /(:?)(?<![A-Za-z])[1Il]SO(?=\s?\d{3,5}(?!\d))/g;
/** One whose gap to the word before it was not seen: `generalesISO 2768-mK`. */
const CLOSE_STANDARD = /(?<=\p{Ll}{3})(?=(?:ISO|DIN|EN)\s?\d{3,5}(?!\d))/u;
/** The class v, which looks like the sign of a countersink. */
const VERY_COARSE = /(?<=\b2768\s?-?\s?)⌵/;
const MEDIUM = /(2768)\s?-?\s?n1(?=[HKL]?$)/;

/** Longer lines are prose, or figures of something else; these are no sizes. */
const MOST_LETTERS = 640;

/** Characters of symbol fonts whose names are lost: counterbore, countersink and depth before a size. */
function withSigns(text: string): string {
  if (text.length > MOST_LETTERS) return text;
  return (
    text
      .replace(/(^|\d\s?[xX]\s)v\s?(?=⌀)/, '$1⌴')
      .replace(/(^|\d\s?[xX]\s)w\s?(?=⌀)/, '$1⌵')
      // `x 20mm` goes on from a line above.
      .replace(/^x(?=[\d.,]+(?!.*mm))/, '↧')
      .replace(COUNT_OF_WORD, '$1 ')
      .replace(INCH_THREAD, (thread) => thread.replace(/(?<=[-/]) (?=\d)/g, ''))
      .replace(SLASH_OF_THREAD, '$1/$2')
      .replace(MEDIUM, '$1-m')
  );
}

/** What letters that were read from shapes say. */
function asRead(text: string, pieces: readonly Placed[]): string {
  return pieces.some(({ confidence }) => confidence !== undefined)
    ? text
        .replace(STANDARD, (_, colon: string) => (colon === '' ? 'ISO' : ': ISO'))
        .replace(CLOSE_STANDARD, ' ')
        .replace(VERY_COARSE, 'v')
        .replace(CLASS_WITHOUT_HYPHEN, '-')
    : text;
}
