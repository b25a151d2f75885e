import type { TextPage, TextRun } from '../../content/text.js';
import { plainLine } from './plain-text.js';
import { readingOrder, type Segment } from './reading-order.js';

/**
 * A piece of text as drawn by a format: anything from a character to a line. Lengths are in the page's unit, y points
 * down.
 */
export interface TextPiece {
  readonly text: string;
  /** Start of the baseline. */
  readonly x: number;
  readonly y: number;
  /** Reading direction, rad, clockwise from the x axis as seen on the page. */
  readonly angleRad: number;
  /** Length along the reading direction. */
  readonly length: number;
  /** Size of the letters (em). */
  readonly height: number;
}

/** Gaps in letter sizes: up to WORD_GAP letters form one word; above COLUMN_GAP a new column begins. */
const WORD_GAP = 0.18;
const COLUMN_GAP = 0.9;
/** Greatest distance of baselines in one line, in letter sizes: indices and exponents belong to their line. */
const BASELINE_GAP = 0.4;
/** Extent of letters above and below the baseline, in letter sizes. */
const ASCENT = 0.8;
const DESCENT = 0.2;
/** Greatest gap between cells of one row, in letter sizes. */
const ROW_GAP = 12;

/**
 * Arranges pieces of text: pieces on one baseline, at any angle, are joined to lines; lines follow in reading order,
 * horizontal text first. Cells of a row are separated by `\t`. Every segment becomes a run with its box.
 */
export function layOut(
  pieces: readonly TextPiece[],
  page: { readonly number: number; readonly name: string; readonly width: number; readonly height: number },
): TextPage {
  const runs: TextRun[] = [];
  let text = '';
  for (const [degrees, group] of byAngle(pieces)) {
    const angle = (degrees * Math.PI) / 180;
    let previous: Segment | undefined;
    for (const segment of readingOrder(segmentsOf(group, angle))) {
      const separator = previous === undefined ? '\n' : sameRow(previous, segment) ? '\t' : '\n';
      if (text !== '') text += separator;
      const start = text.length;
      text += segment.text;
      runs.push({ start, end: text.length, box: boxOf(segment, angle, page) });
      previous = segment;
    }
  }
  return { number: page.number, name: page.name, text, runs };
}

/** Groups pieces by whole degrees, within 2° of an axis by that axis; horizontal text first. */
function byAngle(pieces: readonly TextPiece[]): [number, TextPiece[]][] {
  const groups = new Map<number, TextPiece[]>();
  for (const piece of pieces) {
    const { x, y, angleRad, length, height, text } = piece;
    if (![x, y, angleRad, length, height].every(Number.isFinite) || height <= 0 || text.trim() === '') continue;
    const degrees = (angleRad * 180) / Math.PI;
    const right = 90 * Math.round(degrees / 90);
    const rounded = Math.abs(degrees - right) <= 2 ? right : Math.round(degrees);
    const key = ((rounded % 360) + 360) % 360;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [piece]);
    else group.push(piece);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

interface Placed {
  readonly text: string;
  readonly s: number;
  readonly t: number;
  readonly length: number;
  readonly height: number;
}

function segmentsOf(pieces: readonly TextPiece[], angle: number): Segment[] {
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const placed = pieces.map(
    ({ text, x, y, length, height }): Placed => ({
      text,
      s: x * cos + y * sin,
      t: y * cos - x * sin,
      length: Math.max(0, length),
      height,
    }),
  );
  placed.sort((a, b) => a.t - b.t || a.s - b.s);
  const segments: Segment[] = [];
  for (let first = 0; first < placed.length; ) {
    // The baseline of a line is that of its tallest piece so far.
    let { t, height } = placed[first];
    let last = first + 1;
    for (; last < placed.length && placed[last].t - t <= BASELINE_GAP * Math.min(height, placed[last].height); last++) {
      if (placed[last].height > height) ({ t, height } = placed[last]);
    }
    // One by one: a line of a hostile page has more pieces than a call may have arguments.
    for (const segment of splitLine(placed.slice(first, last).sort((a, b) => a.s - b.s))) segments.push(segment);
    first = last;
  }
  return segments;
}

/** Cuts a line at its wide gaps. */
function splitLine(line: readonly Placed[]): Segment[] {
  const segments: Segment[] = [];
  let open: Placed[] = [];
  let end = 0;
  const close = (): void => {
    const segment = joinPieces(open);
    if (segment !== undefined) segments.push(segment);
    open = [];
  };
  for (const piece of line) {
    const previous = open.at(-1);
    if (previous !== undefined) {
      const size = Math.max(previous.height, piece.height);
      // Some programs make letters bold by drawing them twice, slightly displaced.
      if (
        piece.text === previous.text &&
        Math.abs(piece.s - previous.s) < 0.2 * Math.min(size, Math.max(piece.length, 0.1 * size))
      )
        continue;
      if (piece.s - end > COLUMN_GAP * size || piece.s - end < -0.6 * size) close();
    }
    end = open.length === 0 ? piece.s + piece.length : Math.max(end, piece.s + piece.length);
    open.push(piece);
  }
  close();
  return segments;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function joinPieces(pieces: readonly Placed[]): Segment | undefined {
  if (pieces.length === 0) return undefined;
  let joined = '';
  // Pieces are sorted from left to right; scripts that run from right to left are read the other way.
  const turned = pieces.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > pieces.length / 2;
  const inOrder = turned ? pieces.toReversed() : pieces;
  inOrder.forEach((piece, i) => {
    if (i > 0) {
      const [left, right] = turned ? [piece, inOrder[i - 1]] : [inOrder[i - 1], piece];
      if (right.s - left.s - left.length > WORD_GAP * Math.min(left.height, right.height)) joined += ' ';
    }
    joined += piece.text;
  });
  const text = plainLine(joined);
  if (text === '') return undefined;
  const tallest = pieces.reduce((a, b) => (b.height > a.height ? b : a));
  return {
    text,
    sStart: pieces[0].s,
    sEnd: pieces.reduce((end, { s, length }) => Math.max(end, s + length), -Infinity),
    t: tallest.t,
    height: tallest.height,
  };
}

function sameRow(a: Segment, b: Segment): boolean {
  const size = Math.max(a.height, b.height);
  return Math.abs(a.t - b.t) <= BASELINE_GAP * size && b.sStart >= a.sEnd && b.sStart - a.sEnd <= ROW_GAP * size;
}

function boxOf(
  { sStart, sEnd, t, height }: Segment,
  angle: number,
  page: { readonly width: number; readonly height: number },
): TextRun['box'] {
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const top = t - ASCENT * height,
    bottom = t + DESCENT * height;
  const corners = [
    [sStart, top],
    [sEnd, top],
    [sStart, bottom],
    [sEnd, bottom],
  ];
  const xs = corners.map(([s, v]) => share(s * cos - v * sin, page.width));
  const ys = corners.map(([s, v]) => share(s * sin + v * cos, page.height));
  const x = Math.min(...xs),
    y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function share(value: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, value / whole)) : 0;
}
