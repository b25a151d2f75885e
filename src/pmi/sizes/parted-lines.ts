import { isLevel, isUpright, TurnedFrame, type Segment } from '../../content/geometry.js';
import { readDimension } from '../dimension-text.js';
import type { LineIndex } from '../line-index.js';
import type { LinePiece, TextLine } from '../placed-text.js';
import { lettersOfWords, lineOf, wordOf } from './words-of-lines.js';

/** A size; what stands behind one; those letters of fits that name no radius, thread or diameter. */
const FIGURE = /^(?:[⌀∅ØRM□±]\s?)?\d[\d.,]*°?$/;
const FIT = String.raw`(?:JS|js|[EFGHJKNP]|[e-hjkmnp])\d{1,2}`;
const BEHIND_SIZE = new RegExp(
  String.raw`^(?:[+\-−±]\s?[\d.,]+(?:\/[+\-−]?[\d.,]+)?|${FIT}(?:\/${FIT}|\(.*)?|\([+\-−±].*|` +
    String.raw`(?:TYP|THRU|REF|MAX|MIN|DEEP|EQ)\.?)$`,
);
/** Deviations, the upper one first. */
const DEVIATION = /^[+\-−]\s?[\d.,]+$/;
const LOWER = /^(?:0|[+\-−]\s?[\d.,]+)$/;
/**
 * In letter heights: how far a wall between words reaches above and below the baseline, and how far it may be off the
 * gap, whose place is estimated where several words are one piece.
 */
const WALL_ABOVE = 0.85;
/** How far below the baseline a wall reaches at least. */
export const WALL_BELOW = 0.1;
const WALL_SLACK = 0.45;
/** The same of a chain that was joined. */
const WALL_IN_GAP = 1.5;
/** How far above and below its text a cell ends at most, in letter heights. */
const FARTHEST_RULE = 3;
/** Walls nearer to each other are one. */
const SAME_WALL = 0.22;
/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.35;

/**
 * Words on both sides of an upright line that is higher than they are: those of cells, and values of neighbouring
 * dimensions with their extension lines between them.
 * @param least length of such a line, in letter heights.
 */
export function apartAtWalls(line: TextLine, index: LineIndex, least: number): TextLine[] {
  const { height, t, start, end } = line;
  if (!/\S\s+\S/.test(line.text) && line.pieces.length < 2) return [line];
  const letters = lettersOfWords(line);
  const words = letters.map(wordOf);
  const edges = index.nearIn(
    new TurnedFrame(line.angleRad),
    (start + end) / 2,
    t - MIDDLE * height,
    Math.max((end - start) / 2, FARTHEST_RULE * height),
  );
  const walls = edges
    .filter(
      (edge) =>
        isUpright(edge, 0.03) &&
        Math.abs(edge.y1 - edge.y0) > least * height &&
        Math.min(edge.y0, edge.y1) < t - WALL_ABOVE * height &&
        Math.max(edge.y0, edge.y1) > t + WALL_BELOW * height,
    )
    .map(({ x0, x1 }) => (x0 + x1) / 2);
  if (walls.length === 0 || words.length < 2) return [line];
  const sizes = sizesOf(words);
  const chain = valuesOfChain(
    line,
    sizes.map((size) => joinedWord(size.map((i) => words[i]))),
    walls,
  );
  if (chain !== undefined)
    return chain.map((value, i) => {
      const own = sizes[i].flatMap((word) => letters[word]);
      return { ...lineOf(line, line.pieces.length > 1 ? own : [value]), text: value.text };
    });
  const groups: number[][] = [[0]];
  words.slice(1).forEach((word, i) => {
    const [from, to] = [words[i].end, word.start];
    const slack = WALL_SLACK * height;
    const between = walls.filter((wall) => wall > from - slack && wall < to + slack);
    // A text of its own in the next cell is no deviation of a size that has one.
    const isInCell =
      isLowerDeviation(words, i + 1) &&
      !walls.some((wall) => wall > words[i - 1].end - slack && wall < words[i].start + slack) &&
      between.some((wall) => isSideOfCell(wall, line, edges));
    if (between.length > 0 && (isInCell || !isOneSize(words, i + 1))) groups.push([i + 1]);
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
  // `H7(+0.021 0)`: brackets that are open.
  if (/\([^()]*$/.test(before) && /^[^()]*\)$/.test(word)) return true;
  if (/^\d{1,3}[xX×]$/.test(before)) return /^[⌀∅ØRM\d□]/.test(word);
  // `M8 x 20`; an x in a cell by itself is a mark.
  const times = /^[xX×]$/.test(word) ? i : /^[xX×]$/.test(before) ? i - 1 : undefined;
  if (times !== undefined) return FIGURE.test(textOf(times - 1)) && FIGURE.test(textOf(times + 1));
  return isLowerDeviation(words, i) || (FIGURE.test(before) && BEHIND_SIZE.test(word));
}

/** Whether a word is the lower one of two deviations behind a size. */
function isLowerDeviation(words: readonly LinePiece[], i: number): boolean {
  const [size, upper] = [words[i - 2], words[i - 1]];
  return size !== undefined && FIGURE.test(size.text) && DEVIATION.test(upper.text) && LOWER.test(words[i].text);
}

/** Whether level lines above and below a line of text reach an upright one, as those of a table do. */
function isSideOfCell(wall: number, { t, height }: TextLine, edges: readonly Segment[]): boolean {
  const levels = edges
    .filter((edge) => {
      const [left, right] = [Math.min(edge.x0, edge.x1), Math.max(edge.x0, edge.x1)];
      return isLevel(edge, 0.03) && left < wall + SAME_WALL * height && right > wall - SAME_WALL * height;
    })
    .map(({ y0, y1 }) => (y0 + y1) / 2);
  return (
    levels.some((at) => at < t - WALL_ABOVE * height && at > t - FARTHEST_RULE * height) &&
    levels.some((at) => at > t + WALL_BELOW * height && at < t + FARTHEST_RULE * height)
  );
}

/** The words of each size of a line, by their numbers: what belongs to the size before it is one with it. */
function sizesOf(words: readonly LinePiece[]): number[][] {
  const sizes: number[][] = [];
  words.forEach((_, i) => {
    if (i > 0 && isOneSize(words, i)) sizes.at(-1)!.push(i);
    else sizes.push([i]);
  });
  return sizes;
}

function joinedWord(words: readonly LinePiece[]): LinePiece {
  const text = words.map((word) => word.text).join(' ');
  return { text, start: words[0].start, end: words[words.length - 1].end };
}

/**
 * The values of a chain, whose walls stand in their gaps, as many as these: some readers of files join them, and how
 * wide the gaps are is then not known. Undefined for other words, and for two plain ones, which a single wall may cross
 * anywhere.
 */
function valuesOfChain(
  { pieces, height, text }: TextLine,
  words: readonly LinePiece[],
  walls: readonly number[],
): readonly LinePiece[] | undefined {
  if (words.length < 2 || !words.every(({ text }) => /\d/.test(text))) return undefined;
  const isPlainPair = words.length === 2 && words.every(({ text }) => !text.includes(' '));
  if (isPlainPair || (words.length === 2 && readDimension(text) !== undefined)) return undefined;
  const [first, last] = [words[0], words[words.length - 1]];
  const within = walls
    .filter((wall) => wall > first.start && wall < last.end)
    .sort((a, b) => a - b)
    .filter((wall, i, sorted) => i === 0 || wall - sorted[i - 1] > SAME_WALL * height);
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
