import { isUpright, TurnedFrame } from '../content/geometry.js';
import { plainSigns, readDimension } from './dimension-text.js';
import type { LineIndex } from './line-index.js';
import { calloutParts } from './sizes/callouts.js';
import { closeParts, compoundParts } from './sizes/compounds.js';
import { hasDimensionLine } from './sizes/held-texts.js';
import { widened } from './sizes/drawn-widths.js';
import { closeWords, lineOf } from './sizes/words-of-lines.js';
import type { LinePiece, TextLine } from './text-lines.js';

/**
 * Splits lines that hold several sizes of a hole: `⌀5 THRU ⌴ ⌀9 ↧ 4` becomes three, `⌀6.5 THRU CBORE ⌀11
 * DEEP 6.4` two. Other lines stay as they are.
 * @param factor by which letters are wider than guessed, where they are guessed.
 */
export function splitCompounds(lines: readonly TextLine[], factor: number): TextLine[] {
  return lines.flatMap((line) => (readDimension(line.text) === undefined ? split(line, factor) : [line]));
}

/** Most words of a line that are values of neighbouring dimensions, and most letters of such a line. */
const MOST_VALUES = 8;
const MOST_LETTERS = 640;
/**
 * In letter heights: how far the middle of a gap may be from the extension line in it, and where that line must pass.
 */
const GAP_SLACK = 0.6;
const MIDDLE = 0.35;
/** How far below the middle of capitals an extension line may end. */
const ENDS_BELOW = 0.95;

/**
 * Splits lines of several values that stand side by side, each on a dimension line of its own: each part reads as a
 * dimension, and an extension line passes between them. Other lines stay as they are.
 */
export function splitNeighbours(lines: readonly TextLine[], index: LineIndex): TextLine[] {
  return lines.flatMap((line) => {
    if (!mayBeSeveral(line) || readDimension(line.text) !== undefined) return [line];
    const words = closeWords(line);
    if (words.length < 2 || words.length > MOST_VALUES) return [line];
    const groups = valuesOf(words);
    if (groups === undefined || groups.length < 2) return [line];
    const gaps = groups.slice(1).map((group, i) => ({ from: groups[i][groups[i].length - 1].end, to: group[0].start }));
    return gaps.every((gap) => isDivided(line, gap, index)) ? groups.map((group) => lineOf(line, group)) : [line];
  });
}

/**
 * Splits lines whose texts are sizes each, as a file has them, where each has a sign or a tolerance, or a dimension
 * line of its own: they stand close to each other by chance. Other lines stay as they are.
 */
export function splitTexts(lines: readonly TextLine[], index: LineIndex): TextLine[] {
  return lines.flatMap((line) => {
    const { pieces } = line;
    const isOfFile = pieces.every(({ confidence }) => confidence === undefined);
    if (pieces.length < 2 || pieces.length > MOST_VALUES || !isOfFile || !mayBeSeveral(line)) return [line];
    if (readDimension(line.text) !== undefined) return [line];
    const parts = pieces.map((piece) => lineOf(line, [piece]));
    const isSize = (part: TextLine): boolean => {
      const reading = readDimension(part.text);
      const isPlain = reading?.kind === 'length' && reading.toleranceTexts.length === 0;
      return reading !== undefined && (!isPlain || hasDimensionLine(part, index, { isOwn: true }));
    };
    return parts.every(isSize) ? parts : [line];
  });
}

/**
 * Whether a line that is no dimension holds several sizes, which nothing parts: at least one has a sign or a tolerance,
 * or a dimension line holds them.
 * @param isHeld whether a dimension line holds it.
 */
export function hasSeveralSizes(line: TextLine, isHeld: (line: TextLine) => boolean): boolean {
  if (!mayBeSeveral(line) || readDimension(line.text) !== undefined) return false;
  const words = closeWords(line);
  const groups = words.length > MOST_VALUES ? undefined : valuesOf(words);
  if (groups === undefined || groups.length < 2) return false;
  const isPlain = groups.every((group) => {
    const reading = readDimension(group.map(({ text }) => text).join(' '));
    return reading?.kind === 'length' && reading.toleranceTexts.length === 0 && reading.tolerance === undefined;
  });
  return !isPlain || isHeld(line);
}

/**
 * Whether two words of a line have figures; long ones are not searched, which would take the square of their length.
 */
function mayBeSeveral({ text }: TextLine): boolean {
  return text.length <= MOST_LETTERS && /\d\S*\s+\S*\d/.test(text);
}

/** The fewest groups of words that each read as a dimension; undefined when a word belongs to none. */
function valuesOf(words: readonly LinePiece[]): LinePiece[][] | undefined {
  // best[n]: the groups of the first n words.
  const best: (LinePiece[][] | undefined)[] = [[]];
  for (let end = 1; end <= words.length; end++) {
    for (let start = 0; start < end; start++) {
      const before = best[start];
      if (before === undefined || before.length + 1 >= (best[end]?.length ?? Infinity)) continue;
      const group = words.slice(start, end);
      if (readDimension(group.map(({ text }) => text).join(' ')) !== undefined) best[end] = [...before, group];
    }
  }
  return best[words.length];
}

function isDivided(
  line: TextLine,
  { from, to }: { readonly from: number; readonly to: number },
  index: LineIndex,
): boolean {
  const { height } = line;
  const middle = (from + to) / 2,
    t = line.t - MIDDLE * height;
  const slack = Math.max(GAP_SLACK * height, (to - from) / 2);
  return index
    .nearIn(new TurnedFrame(line.angleRad), middle, t, slack)
    .some(
      (edge) =>
        isUpright(edge, 0.05) &&
        Math.abs((edge.x0 + edge.x1) / 2 - middle) < slack &&
        Math.min(edge.y0, edge.y1) < t + ENDS_BELOW * height &&
        Math.max(edge.y0, edge.y1) > t - 0.2 * height,
    );
}

function split(line: TextLine, factor: number): TextLine[] {
  let words = closeWords(widened(line, factor)).flatMap((piece) => piecesOf(piece, signsApart));
  let parts = calloutParts(words.map(({ text }) => plainSigns(text)));
  if (parts === undefined && /[±+-]/.test(plainSigns(line.text))) {
    words = words.flatMap((piece) => piecesOf(piece, closeParts));
    parts = compoundParts(words.map(({ text }) => plainSigns(text)));
  }
  return parts?.map(({ from, to, text }) => ({ ...lineOf(line, words.slice(from, to)), text })) ?? [line];
}

function signsApart(text: string): string[] {
  return text.split(/(?<=[\d\p{L}])(?=[⌴⌵↧])/u);
}

/** `⌀5↧4` is two words; widths are split as if letters were equally wide. */
function piecesOf({ text, start, end }: LinePiece, partsOf: (text: string) => readonly string[]): LinePiece[] {
  const wide = (end - start) / text.length;
  let at = 0;
  return partsOf(text).map((part) => {
    const piece = { text: part, start: start + wide * at, end: start + wide * (at + part.length) };
    at += part.length;
    return piece;
  });
}
