import { isLevel, TurnedFrame } from '../../content/geometry.js';
import type { LineIndex } from '../line-index.js';
import type { LinePiece, TextLine } from '../text-lines.js';

/** Most lines that are held against the lines about them, and letters of those that tell enough of a font. */
const MOST_LINES = 2_000;
const FEWEST_LETTERS = 3;
/** By which factor widths of fonts differ from the guessed ones at most. */
const NARROWEST = 0.6;
const WIDEST = 1.7;
/** So many, and this share of those that stand on a line of their own, agree within this factor. */
const LEAST_ALIKE = 4;
const LEAST_SHARE = 0.3;
const ALIKE = 1.05;
/**
 * The same where nothing tells: guessed letters are narrow, so that texts are not joined to what stands close to them.
 * Those of plotters are up to half wider.
 */
const USUAL = 1.2;
/** In letter heights: how far the shoulder of a leader is below the baseline, and how far before its text it begins. */
const BELOW = [0.04, 0.54] as const;
const BEFORE = [-0.14, 0.72] as const;
/** Largest slope of a shoulder against its text. */
const SLOPE = 0.02;

/**
 * By which factor the texts of a sheet are wider than guessed, where their font is not known: shoulders of leaders end
 * where the texts on them do. A usual factor where too few agree.
 */
export function widthFactorOf(lines: readonly TextLine[], index: LineIndex): number {
  const seen = lines
    .filter(({ pieces }) => pieces.length === 1 && isGuessed(pieces[0]))
    .slice(0, MOST_LINES)
    .flatMap((line) => factorOf(line, index) ?? []);
  const least = Math.max(LEAST_ALIKE, LEAST_SHARE * seen.length);
  let [factor, most] = [USUAL, 0];
  for (const each of seen) {
    const alike = seen.filter((other) => other < ALIKE * each && each < ALIKE * other).length;
    if (alike >= least && alike > most) [most, factor] = [alike, each];
  }
  return factor;
}

/** A line whose pieces are so much wider; single letters keep their gaps. */
export function widened(line: TextLine, factor: number): TextLine {
  const wide = (piece: LinePiece): LinePiece =>
    isGuessed(piece) ? { ...piece, end: piece.start + factor * (piece.end - piece.start) } : piece;
  return factor === 1 ? line : { ...line, pieces: line.pieces.map(wide) };
}

function isGuessed({ text, slack = 0 }: LinePiece): boolean {
  return slack > 0 && text.length >= FEWEST_LETTERS;
}

/** By which factor a text reaches further, to the end of the line that it alone stands on. */
function factorOf({ angleRad, start, end, t, height }: TextLine, index: LineIndex): number | undefined {
  const wide = end - start;
  const below = index
    .nearIn(new TurnedFrame(angleRad), (start + end) / 2, t, wide / 2 + 2 * height)
    .find(({ x0, y0, x1, y1 }) => {
      const before = start - Math.min(x0, x1);
      return (
        isLevel({ x0, y0, x1, y1 }, SLOPE) &&
        y0 > t + BELOW[0] * height &&
        y0 < t + BELOW[1] * height &&
        before > BEFORE[0] * height &&
        before < BEFORE[1] * height
      );
    });
  if (below === undefined || !(wide > 0)) return undefined;
  const factor = (Math.max(below.x0, below.x1) - start) / wide;
  return factor > NARROWEST && factor < WIDEST ? factor : undefined;
}
