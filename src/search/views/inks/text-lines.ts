import type { PageInk } from '../../../descriptors/page-inks.js';
import type { StoredPage, StoredRun } from '../../../store/catalog/file-text.js';
import type { Similarity } from './similarity.js';
import { areSwapped, type TextPair } from './swapped-texts.js';

/** A line of text on a page, joined from the pieces in which a program wrote it. */
export interface TextLine {
  /** Its signs without white space, in the order in which they stand. */
  readonly text: string;
  /** Its middle and its longer side, in units of the longer side of its page. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  /** Its shorter side. */
  readonly height: number;
  /** Whether it is level, so that its pieces were joined. */
  readonly isLevel: boolean;
}

interface Piece {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Most pieces of a page that are compared. */
export const MOST_RUNS = 2_000;
/** Most pieces of a page with what was read from them: each check looks at all earlier ones. */
const MOST_READ = 3 * MOST_RUNS;
/**
 * Around a text, in units of the longer side of its page, and along it, share of its length: programs state other
 * widths of the same letters.
 */
export const AROUND_TEXT = 3 / 384;
export const ALONG_TEXT = 0.15;
/**
 * Pieces stand on one line: largest distance of their middles, and widest gap between them, heights of the lower one.
 */
const SAME_LINE = 0.4;
const WIDEST_GAP = 1;
/** Most lines without a partner that are compared row by row. */
const MOST_ALONE = 1_000;

/** The same signs, whichever of their code points a program writes. Capitals count: H7 is not h7. */
export function sameSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[∅⌀⌽ø]/g, 'Ø')
    .replace(/×/g, 'x')
    .replace(/[−–—‐]/g, '-');
}

/**
 * The pieces of a page as its file states them. What was read on the page, as notes and sizes, is stored behind them
 * once more, each with the box of the pieces that it was read from; an input, and the file of another program, may
 * lack it.
 */
export function statedRuns({ text, runs = [] }: Pick<StoredPage, 'text' | 'runs'>): readonly StoredRun[] {
  if (runs.length > MOST_READ) return runs;
  const signs: string[][] = [];
  const signsOf = (at: number): string[] => (signs[at] ??= [...squeezed(text.slice(runs[at].start, runs[at].end))]);
  let count = runs.length;
  while (count > 0 && isSaidBefore(runs, count - 1, signsOf)) count--;
  return runs.slice(0, count);
}

/** Whether all signs of a piece stand in earlier ones, whose middles lie in its box. */
function isSaidBefore(runs: readonly StoredRun[], at: number, signsOf: (at: number) => string[]): boolean {
  const missing = new Map<string, number>();
  for (const sign of signsOf(at)) missing.set(sign, (missing.get(sign) ?? 0) + 1);
  const { box } = runs[at];
  for (let i = 0; i < at && missing.size > 0; i++) {
    const { box: other } = runs[i];
    const [x, y] = [other.x + other.width / 2, other.y + other.height / 2];
    if (!(x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height)) continue;
    for (const sign of signsOf(i)) {
      const count = missing.get(sign) ?? 0;
      if (count > 1) missing.set(sign, count - 1);
      else missing.delete(sign);
    }
  }
  return missing.size === 0;
}

function squeezed(text: string): string {
  return sameSigns(text).replace(/\s+/g, '');
}

/** The lines of text of a page. Undefined: where they stand is not known, or they have too many pieces. */
export function textLinesOf({ page }: PageInk, stored: StoredPage): TextLine[] | undefined {
  const runs = statedRuns(stored);
  if (runs.length > MOST_RUNS || (runs.length === 0 && stored.text.trim() !== '')) return undefined;
  const pieceOf = ({ start, end, box }: StoredRun): Piece => ({
    text: squeezed(stored.text.slice(start, end)),
    left: page.width * box.x,
    right: page.width * (box.x + box.width),
    top: page.height * box.y,
    bottom: page.height * (box.y + box.height),
  });
  const pieces = runs.map(pieceOf).filter(({ text }) => text !== '');
  // Which way an upright text reads is not known, so its pieces are not joined.
  const isUpright = ({ text, left, right, top, bottom }: Piece): boolean =>
    text.length > 1 && bottom - top > right - left;
  const level = pieces.filter((piece) => !isUpright(piece)).sort((a, b) => a.left - b.left);
  const ends: Piece[] = [];
  for (const piece of level) {
    const at = ends.findIndex((end) => follows(end, piece));
    if (at < 0) ends.push(piece);
    else ends[at] = joined(ends[at], piece);
  }
  const lineOf = ({ text, left, right, top, bottom }: Piece, isLevel: boolean): TextLine => ({
    text,
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    length: Math.max(right - left, bottom - top),
    height: Math.min(right - left, bottom - top),
    isLevel,
  });
  return [...ends.map((end) => lineOf(end, true)), ...pieces.filter(isUpright).map((piece) => lineOf(piece, false))];
}

function follows(line: Piece, next: Piece): boolean {
  const low = Math.min(line.bottom - line.top, next.bottom - next.top);
  const apart = Math.abs(line.top + line.bottom - next.top - next.bottom) / 2;
  return apart <= SAME_LINE * low && next.left - line.right <= WIDEST_GAP * low;
}

function joined(line: Piece, next: Piece): Piece {
  return {
    text: line.text + next.text,
    left: line.left,
    right: Math.max(line.right, next.right),
    top: Math.min(line.top, next.top),
    bottom: Math.max(line.bottom, next.bottom),
  };
}

/**
 * Whether each line of text has a partner of the same signs at the same place of the other page, and not at that of
 * another one. Where texts stand close beside each other, as in cells of a table, the widths that a program states
 * decide which of them are one line, so what has no partner is compared row by row.
 */
export function areSameTexts(lines: readonly TextLine[], others: readonly TextLine[], laid: Similarity): boolean {
  const left = new Map<string, TextLine[]>();
  for (const other of others) left.set(other.text, [...(left.get(other.text) ?? []), other]);
  const near = AROUND_TEXT * Math.max(1, laid.scale);
  const pairs: TextPair[] = [];
  const alone = lines.filter(({ text, x, y, length }) => {
    const alike = left.get(text) ?? [];
    const far = ({ x: otherX, y: otherY }: TextLine): number =>
      Math.hypot(laid.atX(x, y) - otherX, laid.atY(x, y) - otherY);
    const at = alike.reduce((best, line, i) => (best < 0 || far(line) < far(alike[best]) ? i : best), -1);
    if (at < 0 || far(alike[at]) > near + ALONG_TEXT * Math.max(length * laid.scale, alike[at].length)) return true;
    pairs.push({ text, own: { x: laid.atX(x, y), y: laid.atY(x, y) }, other: alike[at] });
    alike.splice(at, 1);
    return false;
  });
  const otherAlone = [...left.values()].flat();
  if (areSwapped(pairs)) return false;
  if (alone.length === 0 && otherAlone.length === 0) return true;
  return areSameRows(
    alone.map((line) => laidLine(line, laid)),
    otherAlone,
    near,
  );
}

/** A line at its place of the other page. */
function laidLine(line: TextLine, laid: Similarity): TextLine {
  const { x, y, length, height } = line;
  return {
    ...line,
    x: laid.atX(x, y),
    y: laid.atY(x, y),
    length: laid.scale * length,
    height: laid.scale * height,
    isLevel: line.isLevel && Math.abs(laid.rotationRad) < 0.1,
  };
}

/**
 * Whether lines of one page and of another one that lie over each other have the same signs in the same order, and
 * begin and end at the same places.
 */
function areSameRows(lines: readonly TextLine[], others: readonly TextLine[], near: number): boolean {
  if (lines.length + others.length > MOST_ALONE || ![...lines, ...others].every(({ isLevel }) => isLevel)) return false;
  const left = new Set([
    ...lines.map((line) => ({ line, isOther: false })),
    ...others.map((line) => ({ line, isOther: true })),
  ]);
  for (const first of left) {
    // All that lies over it, over that, and so on.
    const row = [first];
    left.delete(first);
    for (const { line } of row)
      for (const next of left)
        if (areOverEachOther(line, next.line)) {
          row.push(next);
          left.delete(next);
        }
    const [own, other] = [false, true].map((isOther) => rowOf(row.filter((one) => one.isOther === isOther)));
    if (own === undefined || other === undefined || own.text !== other.text) return false;
    const most = near + ALONG_TEXT * Math.max(own.right - own.left, other.right - other.left);
    if (Math.abs(own.left + own.right - other.left - other.right) / 2 > most) return false;
  }
  return true;
}

function areOverEachOther(a: TextLine, b: TextLine): boolean {
  return (
    Math.abs(a.y - b.y) <= SAME_LINE * Math.min(a.height, b.height) && Math.abs(a.x - b.x) <= (a.length + b.length) / 2
  );
}

/** Lines of one row as one; undefined for none. */
function rowOf(
  row: readonly { readonly line: TextLine }[],
): (Pick<TextLine, 'text'> & Record<'left' | 'right', number>) | undefined {
  const lines = row.map(({ line }) => line).sort((a, b) => a.x - b.x);
  if (lines.length === 0) return undefined;
  return {
    text: lines.map(({ text }) => text).join(''),
    left: Math.min(...lines.map(({ x, length }) => x - length / 2)),
    right: Math.max(...lines.map(({ x, length }) => x + length / 2)),
  };
}
