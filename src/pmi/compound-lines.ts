import { isUpright, TurnedFrame } from '../content/geometry.js';
import { readDimension } from './dimension-text.js';
import type { LineIndex } from './line-index.js';
import { lineOf, wordsOfLine, type LinePiece, type TextLine } from './text-lines.js';

/**
 * Symbols that begin a dimension of their own within a line: counterbore, countersink and depth follow the diameter of
 * a hole.
 */
const BEGINS = /^(?:\d{1,2}[xX]\s?)?[⌴⌵↧]/;

/**
 * Splits lines that hold several dimensions: `⌀5 THRU ⌴ ⌀9 ↧ 4` becomes three. Other lines stay as they are.
 */
export function splitCompounds(lines: readonly TextLine[]): TextLine[] {
  return lines.flatMap((line) =>
    /.[⌴⌵↧]/.test(line.text) && readDimension(line.text) === undefined ? split(line) : [line],
  );
}

/** Most words of a line that are values of neighbouring dimensions. */
const MOST_VALUES = 8;
/**
 * In letter heights: how far the middle of a gap may be from the extension line in it, and where that line must pass.
 */
const GAP_SLACK = 0.6;
const MIDDLE = 0.35;

/**
 * Splits lines of several values that stand side by side, each on a dimension line of its own: each part reads as a
 * dimension, and an extension line passes between them. Other lines stay as they are.
 */
export function splitNeighbours(lines: readonly TextLine[], index: LineIndex): TextLine[] {
  return lines.flatMap((line) => {
    if (!/\d\S*\s+\S*\d/.test(line.text) || readDimension(line.text) !== undefined) return [line];
    const words = wordsOfLine(line);
    if (words.length < 2 || words.length > MOST_VALUES) return [line];
    const groups = valuesOf(words);
    if (groups === undefined || groups.length < 2) return [line];
    const gaps = groups.slice(1).map((group, i) => ({ from: groups[i][groups[i].length - 1].end, to: group[0].start }));
    return gaps.every((gap) => isDivided(line, gap, index)) ? groups.map((group) => lineOf(line, group)) : [line];
  });
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
        Math.min(edge.y0, edge.y1) < t + 0.2 * height &&
        Math.max(edge.y0, edge.y1) > t - 0.2 * height,
    );
}

function split(line: TextLine): TextLine[] {
  const words = wordsOfLine(line).flatMap(piecesOf);
  const groups: LinePiece[][] = [];
  words.forEach((word, i) => {
    const last = groups.at(-1);
    // A count precedes the symbol that it belongs to.
    const isCount = /^\d{1,2}[xX]$/.test(word.text) && BEGINS.test(words[i + 1]?.text ?? '');
    const isCounted = last !== undefined && last.length === 1 && /^\d{1,2}[xX]$/.test(last[0].text);
    if (last === undefined || isCount || (BEGINS.test(word.text) && !isCounted)) groups.push([word]);
    else last.push(word);
  });
  const parts = groups.map((pieces): TextLine => {
    const part = lineOf(line, pieces);
    return { ...part, text: part.text.replace(/([⌴⌵↧⌀]) (?=[⌀\d.,])/g, '$1') };
  });
  return parts.length > 1 && parts.every(({ text }) => readDimension(text) !== undefined) ? parts : [line];
}

/** `⌀5↧4` is two words; widths are split as if letters were equally wide. */
function piecesOf({ text, start, end }: LinePiece): LinePiece[] {
  const at = text.search(/(?<=\d)[⌴⌵↧]/);
  if (at <= 0) return [{ text, start, end }];
  const middle = start + ((end - start) * at) / text.length;
  return [{ text: text.slice(0, at), start, end: middle }, ...piecesOf({ text: text.slice(at), start: middle, end })];
}
