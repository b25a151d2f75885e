import type { Sheet, SheetBox, SheetText } from '../content/sheet.js';
import { isBallooned } from './balloons.js';
import { turned, type LineIndex, type Ring } from './line-index.js';
import { boxOfPoints } from './page-frame.js';

/**
 * A word, or words that were written as one piece, in the frame of its line: s along the baseline, t across it,
 * downwards.
 */
export interface LinePiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

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

/** Most texts of a sheet that are read, and most drawn diameter signs. */
const MOST_TEXTS = 20_000;
const MOST_SIGNS = 2_000;
/** Directions that differ by less are one, rad. */
const SAME_ANGLE = 0.035;
/** In letter heights: offset between baselines of one line, the gap between words, and the widest gap within a line. */
const SAME_LINE = 0.22;
const WORD_GAP = 0.16;
const WIDEST_GAP = 0.75;
/** Letters of one line differ by less in size. */
const SAME_SIZE = 1.6;
/** Radius of a drawn diameter sign's circle, in letter heights. */
const SIGN_RADIUS = [0.16, 0.5] as const;
/** How far its middle may be from the letters that follow it, and from the middle of their height. */
const SIGN_BEFORE = 1.6;
const SIGN_BESIDE = 0.25;
/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.35;

/**
 * The texts of a sheet as lines, ordered by angle, baseline and start. Diameter signs that are drawn as strokes are
 * inserted.
 */
export function textLinesOf(sheet: Sheet, index: LineIndex): TextLine[] {
  const signs = diameterSigns(index).slice(0, MOST_SIGNS);
  const lines: TextLine[] = [];
  for (const [angle, texts] of byAngle(sheet.texts.slice(0, MOST_TEXTS))) {
    const cos = Math.cos(angle),
      sin = Math.sin(angle);
    const placed = texts.map((text) => {
      const start = text.x * cos + text.y * sin;
      return { text: text.text, start, end: start + text.width, t: text.y * cos - text.x * sin, height: text.height };
    });
    // Numbers of notes and parts stand beside sizes and are not digits of them.
    const isNote = (piece: Placed): boolean => {
      const s = (piece.start + piece.end) / 2,
        t = piece.t - MIDDLE * piece.height;
      return (
        /^\d{1,3}$/.test(piece.text.trim()) && isBallooned(index, s * cos - t * sin, s * sin + t * cos, piece.height)
      );
    };
    const sizes = placed.filter((piece) => !isNote(piece));
    const drawn = [
      ...signs.flatMap((sign) => signBefore(sign, sizes, cos, sin) ?? []),
      ...sizes.flatMap((piece) => plusMinusBefore(piece, index, cos, sin) ?? []),
    ];
    lines.push(...joined([...sizes, ...drawn], angle));
  }
  return lines;
}

/** The upright box around a line, or around part of it. */
export function boxOfLine({ angleRad, height, t }: TextLine, start: number, end: number): SheetBox {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const corners = [
    [start, t - 0.78 * height],
    [end, t - 0.78 * height],
    [start, t + 0.22 * height],
    [end, t + 0.22 * height],
  ];
  return boxOfPoints(corners.map(([s, across]) => [s * cos - across * sin, s * sin + across * cos]));
}

/** The words of a line with their places: letters count as equally wide, remaining width lies between words. */
export function wordsOfLine(line: TextLine): LinePiece[] {
  return line.pieces.flatMap((piece) => {
    const words = piece.text.trim().split(/\s+/);
    if (words.length < 2) return [piece];
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    const width = piece.end - piece.start;
    const letter = Math.min(0.52 * line.height, width / (letters + words.length - 1));
    const gap = (width - letters * letter) / (words.length - 1);
    let at = piece.start;
    return words.map((text) => {
      const start = at;
      at += text.length * letter + gap;
      return { text, start, end: start + text.length * letter };
    });
  });
}

interface Placed extends LinePiece {
  readonly t: number;
  readonly height: number;
}

function byAngle(texts: readonly SheetText[]): [number, SheetText[]][] {
  const groups: [number, SheetText[]][] = [];
  const sorted = texts
    .map((text) => ({ text, angle: Math.atan2(Math.sin(text.angleRad + 1e-3), Math.cos(text.angleRad + 1e-3)) - 1e-3 }))
    .sort((a, b) => a.angle - b.angle);
  for (const { text, angle } of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && angle - last[0] < SAME_ANGLE) last[1].push(text);
    else groups.push([angle, [text]]);
  }
  return groups;
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
  const open: Placed[][] = [];
  for (const piece of row.toSorted((a, b) => a.start - b.start)) {
    const line = open.find((each) => {
      const last = each[each.length - 1];
      const size = Math.min(last.height, piece.height);
      const gap = piece.start - last.end;
      return gap < WIDEST_GAP * size && gap > -0.5 * size && Math.max(last.height, piece.height) < SAME_SIZE * size;
    });
    if (line === undefined) open.push([piece]);
    else line.push(piece);
  }
  return open.map((pieces) => {
    let text = '';
    let last: Placed | undefined;
    for (const piece of pieces) {
      if (last !== undefined && piece.start - last.end > WORD_GAP * piece.height && !/[⌀±]$/.test(text)) text += ' ';
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

/** A plus-minus sign before a number, drawn as a cross over a level stroke. */
function plusMinusBefore(
  { text, start, t, height }: Placed,
  index: LineIndex,
  cos: number,
  sin: number,
): Placed | undefined {
  if (!/^[\d.,]/.test(text)) return undefined;
  const s = start - 0.5 * height,
    middle = t - MIDDLE * height;
  const edges = index
    .near(s * cos - middle * sin, s * sin + middle * cos, 0.7 * height)
    .map((edge) => turned(edge, cos, sin))
    .filter(({ x0, y0, x1, y1 }) => {
      const length = Math.hypot(x1 - x0, y1 - y0);
      return (
        length > 0.25 * height &&
        length < 0.75 * height &&
        Math.max(x0, x1) < start + 0.1 * height &&
        Math.min(x0, x1) > start - 1.2 * height &&
        Math.max(y0, y1) < t + 0.2 * height &&
        Math.min(y0, y1) > t - height
      );
    });
  const level = edges.filter(({ x0, y0, x1, y1 }) => Math.abs(y1 - y0) < 0.05 * Math.abs(x1 - x0));
  const upright = edges.filter(({ x0, y0, x1, y1 }) => Math.abs(x1 - x0) < 0.05 * Math.abs(y1 - y0));
  if (level.length !== 2 || upright.length !== 1) return undefined;
  const [above, below] = level.toSorted((a, b) => a.y0 - b.y0);
  const [{ x0, y0, y1 }] = upright;
  const crosses =
    Math.min(y0, y1) < above.y0 && Math.max(y0, y1) > above.y0 && Math.max(y0, y1) < below.y0 + 0.1 * height;
  if (
    !crosses ||
    Math.abs((above.x0 + above.x1) / 2 - x0) > 0.1 * height ||
    Math.abs((below.x0 + below.x1) / 2 - x0) > 0.1 * height
  )
    return undefined;
  return { text: '\u00b1', start: Math.min(above.x0, above.x1), end: Math.max(above.x0, above.x1), t, height };
}

/** Characters of symbol fonts whose names are lost: counterbore, countersink and depth before a size. */
function withSigns(text: string): string {
  return text
    .replace(/(^|\d\s?[xX]\s)v\s?(?=⌀)/, '$1⌴')
    .replace(/(^|\d\s?[xX]\s)w\s?(?=⌀)/, '$1⌵')
    .replace(/^x\s?(?=[\d.])/, '↧');
}

/** Circles with a stroke through their middle that reaches beyond them on both sides. */
function diameterSigns(index: LineIndex): Ring[] {
  return index.rings.filter(
    ({ x, y, radius }) =>
      index.near(x, y, radius).some(({ x0, y0, x1, y1 }) => {
        const length = Math.hypot(x1 - x0, y1 - y0);
        if (length < 2.2 * radius || length > 4.5 * radius) return false;
        const across = Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / length;
        return across < 0.2 * radius && Math.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y) < 0.4 * radius;
      }) && crossings(index, x, y, radius) === 1,
  );
}

/** Two long strokes through a circle's middle in different directions are a position symbol. */
function crossings(index: LineIndex, x: number, y: number, radius: number): number {
  const directions: number[] = [];
  for (const { x0, y0, x1, y1 } of index.near(x, y, radius)) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (
      length < 1.9 * radius ||
      length > 4.5 * radius ||
      Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) > 0.2 * radius * length
    )
      continue;
    if (Math.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y) > 0.4 * radius) continue;
    const direction = ((Math.atan2(y1 - y0, x1 - x0) % Math.PI) + Math.PI) % Math.PI;
    if (!directions.some((other) => Math.abs(Math.sin(direction - other)) < 0.3)) directions.push(direction);
  }
  return directions.length;
}

/** A sign as a piece of text, where it precedes letters of this direction. */
function signBefore({ x, y, radius }: Ring, placed: readonly Placed[], cos: number, sin: number): Placed | undefined {
  const s = x * cos + y * sin,
    t = y * cos - x * sin;
  for (const piece of placed) {
    const { height } = piece;
    if (radius < SIGN_RADIUS[0] * height || radius > SIGN_RADIUS[1] * height) continue;
    const ahead = piece.start - s;
    if (ahead <= 0 || ahead > SIGN_BEFORE * height || Math.abs(piece.t - MIDDLE * height - t) > SIGN_BESIDE * height)
      continue;
    return { text: '⌀', start: s - radius, end: s + radius, t: piece.t, height };
  }
  return undefined;
}
