import { readDimension } from './dimension-text.js';
import { lineOf, wordsOfLine, type LinePiece, type TextLine } from './text-lines.js';

/**
 * Symbols that begin a dimension of their own within a line: counterbore, countersink and depth follow the diameter of
 * a hole.
 */
const BEGINS = /^(?:\d{1,2}[xX]\s?)?[⌴⌵↧]/;

/** Splits lines that hold several dimensions: `⌀5 THRU ⌴ ⌀9 ↧ 4` becomes three. Other lines stay as they are. */
export function splitCompounds(lines: readonly TextLine[]): TextLine[] {
  return lines.flatMap((line) =>
    /.[⌴⌵↧]/.test(line.text) && readDimension(line.text) === undefined ? split(line) : [line],
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
