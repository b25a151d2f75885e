import { isUpright, TurnedFrame } from '../content/geometry.js';
import type { Sheet, SheetText } from '../content/sheet.js';
import { isBallooned } from './balloons.js';
import { LetterRuns } from './sizes/letter-runs.js';
import { stackedPieces } from './sizes/stacked-pieces.js';
import { DrawnSigns } from './signs-beside.js';
import type { LinePiece, Placed } from './placed-text.js';
import type { LineIndex } from './line-index.js';
import { boxInFrame, type TextBox } from './page-frame.js';

export type { LinePiece } from './placed-text.js';

/** Pieces of text on one baseline, at any angle. */
export interface TextLine {
  readonly text: string;
  readonly angleRad: number;
  /** Height of the font. */
  readonly height: number;
  readonly start: number;
  readonly end: number;
  /** Position of the baseline. */
  readonly t: number;
  readonly pieces: readonly LinePiece[];
}

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
/** In letter heights: offset between baselines of one line, the gap between words, and the widest gap within a line. */
const SAME_LINE = 0.22;
const WORD_GAP = 0.16;
const WIDEST_GAP = 0.75;
/** The same between a count and a sign, a number and its unit of mass, and behind the first letter of a name. */
const GAP_OF_COUNT = 1;
const COUNT_BEFORE = /\d\s?[xX×]$|^\d{1,3} (?:HOLES|PLACES|trous|Bohrungen)$/i;
/** Signs of counterbores and countersinks, which a ⌀ that is drawn stands behind. */
const SIGN_BEFORE = /[⌴⌵]$/;
const INITIAL = /^[A-Z]\.$/;
/** Guessed widths are those of narrow letters: plotter fonts reach so much further, as a share. */
const GUESSED = 0.5;
/** What stands behind a size, at a place that says where the size really ends. */
const TOLERANCE = /^(?:[+\-−±]\s?[\d.,]|[A-HJKMNPR-Zj]?[A-HJKMNPR-Za-hjkmnpr-z]\d{1,2}(?!\d))/;
/** A size; what stands behind one; those letters of fits that name no radius, thread or diameter. */
const FIGURE = /^(?:[⌀∅ØRM□±]\s?)?\d[\d.,]*°?$/;
const BEHIND_SIZE =
  /^(?:[+\-−±]\s?[\d.,]+|(?:JS|js|[EFGHJKNP]|[e-hjkmnp])\d{1,2}|(?:TYP|THRU|REF|MAX|MIN|DEEP|EQ)\.?)$/;
const MASS = /^(?:lbs?|kg|oz)\.?$/;
/** Letters of one line differ by less in size. */
const SAME_SIZE = 1.6;
/**
 * In letter heights: how far a wall between words reaches above and below the baseline, and how far it may be off the
 * gap, whose place is estimated where several words are one piece.
 */
const WALL_ABOVE = 0.85;
const WALL_BELOW = 0.1;
const WALL_SLACK = 0.45;
/** The same of a chain that was joined, and its values at least. */
const WALL_IN_GAP = 1.5;
const FEW_OF_CHAIN = 3;
/** Least length of a wall in pictures, in letter heights. */
const LONG_WALL = 1.9;
/** Gap between words of one piece, in letter heights. */
const USUAL_GAP = 0.35;
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
      const { x, y } = frame.point((piece.start + piece.end) / 2, piece.t - MIDDLE * piece.height);
      return (
        /^\d{1,3}$/.test(piece.text.trim()) &&
        isBallooned(index, x, y, piece.height) &&
        !isOfTarget(piece, names) &&
        /^\d{1,3}$/.test(runs.runOf(piece))
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

/** A line of some pieces of another one. */
export function lineOf(line: TextLine, pieces: readonly LinePiece[]): TextLine {
  const text = pieces.map((piece) => piece.text).join(' ');
  return { ...line, pieces, text, start: pieces[0].start, end: pieces[pieces.length - 1].end };
}

/**
 * The words of a line with their places. Where several words are one piece, the gaps between them are taken for usual
 * ones, and what remains is shared by the letters as in common fonts.
 */
export function wordsOfLine(line: TextLine): LinePiece[] {
  return line.pieces.flatMap((piece) => {
    const words = piece.text.trim().split(/\s+/);
    if (words.length < 2) return [piece];
    const width = piece.end - piece.start;
    const gap = Math.min(USUAL_GAP * line.height, (0.5 * width) / (words.length - 1));
    const shares = words.map((word) => [...word].reduce((sum, letter) => sum + shareOf(letter), 0));
    const unit = (width - gap * (words.length - 1)) / shares.reduce((sum, share) => sum + share, 0);
    let at = piece.start;
    return words.map((text, i) => {
      const start = at;
      at += shares[i] * unit + gap;
      return { text, start, end: start + shares[i] * unit };
    });
  });
}

/** The words of a line, of letters too where a file holds each of them by itself. */
export function closeWords(line: TextLine): LinePiece[] {
  return lettersOfWords(line).map(wordOf);
}

/** The pieces of each word: one, or its letters. */
function lettersOfWords(line: TextLine): LinePiece[][] {
  const words: LinePiece[][] = [];
  for (const piece of wordsOfLine(line)) {
    const last = words.at(-1)?.at(-1);
    const areLetters = last?.text.length === 1 && piece.text.length === 1;
    // What was read from shapes keeps its places and its sureness.
    const isRead = (last?.confidence ?? piece.confidence) !== undefined;
    if (last !== undefined && areLetters && !isRead && piece.start - last.end <= WORD_GAP * line.height)
      words.at(-1)!.push(piece);
    else words.push([piece]);
  }
  return words;
}

function wordOf(letters: readonly LinePiece[]): LinePiece {
  if (letters.length === 1) return letters[0];
  const text = letters.map((letter) => letter.text).join('');
  return { text, start: letters[0].start, end: letters[letters.length - 1].end };
}

/** Width of a letter beside others: points and small signs are narrow. */
function shareOf(letter: string): number {
  if (/[.,:;'′"″|]/.test(letter)) return 0.5;
  if (/[()\-/°ijltI]/.test(letter)) return 0.65;
  return /[A-Z⌀]/.test(letter) ? 1.25 : 1;
}

/**
 * Words on both sides of an upright line that is higher than they are: those of cells, and values of neighbouring
 * dimensions with their extension lines between them.
 * @param least length of such a line, in letter heights.
 */
function apartAtWalls(line: TextLine, index: LineIndex, least: number): TextLine[] {
  const { height, t, start, end } = line;
  if (!/\S\s+\S/.test(line.text) && line.pieces.length < 2) return [line];
  const letters = lettersOfWords(line);
  const words = letters.map(wordOf);
  const walls = index
    .nearIn(new TurnedFrame(line.angleRad), (start + end) / 2, t - MIDDLE * height, (end - start) / 2)
    .filter(
      (edge) =>
        isUpright(edge, 0.03) &&
        Math.abs(edge.y1 - edge.y0) > least * height &&
        Math.min(edge.y0, edge.y1) < t - WALL_ABOVE * height &&
        Math.max(edge.y0, edge.y1) > t + WALL_BELOW * height,
    )
    .map(({ x0, x1 }) => (x0 + x1) / 2);
  if (walls.length === 0 || words.length < 2) return [line];
  const chain = valuesOfChain(line, words, walls);
  if (chain !== undefined)
    return chain
      .map((word, i) => lineOf(line, letters[i].length > 1 ? letters[i] : [word]))
      .map((value, i) => ({ ...value, text: words[i].text }));
  const groups: number[][] = [[0]];
  words.slice(1).forEach((word, i) => {
    const [from, to] = [words[i].end, word.start];
    const slack = WALL_SLACK * height;
    const isParted = walls.some((wall) => wall > from - slack && wall < to + slack);
    if (isParted && !isOneSize(words, i + 1)) groups.push([i + 1]);
    else groups.at(-1)!.push(i + 1);
  });
  if (groups.length === 1) return [line];
  return groups.map((group) => {
    const text = group.map((i) => words[i].text).join(' ');
    return {
      ...lineOf(
        line,
        group.flatMap((i) => letters[i]),
      ),
      text,
    };
  });
}

/**
 * Whether a word belongs to the size before it: a fit, a deviation, a word about it, what a count counts. A centre line
 * may run through such a size.
 */
function isOneSize(words: readonly LinePiece[], i: number): boolean {
  const textOf = (at: number): string => words[at]?.text ?? '';
  const [before, word] = [textOf(i - 1), textOf(i)];
  if (/^\d{1,3}[xX×]$/.test(before)) return /^[⌀∅ØRM\d□]/.test(word);
  // `M8 x 20`; an x in a cell by itself is a mark.
  const times = /^[xX×]$/.test(word) ? i : /^[xX×]$/.test(before) ? i - 1 : undefined;
  if (times !== undefined) return FIGURE.test(textOf(times - 1)) && FIGURE.test(textOf(times + 1));
  return FIGURE.test(before) && BEHIND_SIZE.test(word);
}

/**
 * The values of a chain, whose walls stand in their gaps, as many as these: some readers of files join them, and how
 * wide the gaps are is then not known. Undefined for other words, and for two, which a single wall may cross anywhere.
 */
function valuesOfChain(
  { pieces, height }: TextLine,
  words: readonly LinePiece[],
  walls: readonly number[],
): readonly LinePiece[] | undefined {
  if (
    words.length < FEW_OF_CHAIN ||
    words.some((_, i) => isOneSize(words, i)) ||
    !words.every(({ text }) => /\d/.test(text))
  )
    return undefined;
  const [first, last] = [words[0], words[words.length - 1]];
  const within = walls
    .filter((wall) => wall > first.start && wall < last.end)
    .sort((a, b) => a - b)
    .filter((wall, i, sorted) => i === 0 || wall - sorted[i - 1] > SAME_LINE * height);
  const isNear = (wall: number, i: number): boolean =>
    wall > words[i].end - WALL_IN_GAP * height && wall < words[i + 1].start + WALL_IN_GAP * height;
  if (within.length !== words.length - 1 || !within.every(isNear)) return undefined;
  if (pieces.length > 1) return words;
  // In the middle between their walls; the first and the last one have a wall on one side alone.
  return words.map((word, i) => {
    const [left, right] = [within[i - 1] ?? word.start, within[i] ?? word.end];
    const isEnd = i === 0 || i === words.length - 1;
    if (isEnd) return { ...word, start: Math.max(word.start, left), end: Math.min(word.end, right) };
    const half = Math.min(word.end - word.start, right - left) / 2;
    return { ...word, start: (left + right) / 2 - half, end: (left + right) / 2 + half };
  });
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

/** Whether letters that stand apart are values of a chain, `5 5 5`: an upright line is in each gap, or ends below it. */
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
    const line = open.find((each) => {
      const last = each[each.length - 1];
      const size = Math.min(last.height, piece.height);
      const gap = piece.start - last.end;
      const isCount = /^[⌀□]/.test(piece.text) && (COUNT_BEFORE.test(last.text) || SIGN_BEFORE.test(last.text));
      const isUnit = MASS.test(piece.text) && /^\d[\d.,]*$/.test(last.text);
      const widest = isCount || isUnit || INITIAL.test(last.text) ? GAP_OF_COUNT : WIDEST_GAP;
      const slack = isCount || TOLERANCE.test(piece.text) ? (last.slack ?? 0) : 0;
      return gap < widest * size + slack && gap > -0.5 * size && Math.max(last.height, piece.height) < SAME_SIZE * size;
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
      text: withSigns(text.replace(/\s+/g, ' ').trim()),
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
const MEDIUM = /(2768)\s?-?\s?n1(?=[HKL]?$)/;

/** Characters of symbol fonts whose names are lost: counterbore, countersink and depth before a size. */
function withSigns(text: string): string {
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
