import type { LinePiece, TextLine } from '../placed-text.js';

/** In letter heights: the gap between words, and that between words of one piece. */
export const WORD_GAP = 0.16;
const USUAL_GAP = 0.35;

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

/** The pieces of each word of a line: one, or its letters. */
export function lettersOfWords(line: TextLine): LinePiece[][] {
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

/** The pieces of a word as one. */
export function wordOf(letters: readonly LinePiece[]): LinePiece {
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
