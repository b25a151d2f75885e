import { fineDarkness } from '../../bitmap/binarise.js';
import { unionOf } from '../../content/geometry.js';
import { addTo, DisjointSets, medianOf } from '../../content/groups.js';
import type { PixelBox } from '../../bitmap/bitmap.js';
import { likeliestOf } from './known-words.js';
import { LABEL_WORDS } from './label-words.js';
import type { PageInk } from './page-ink.js';
import type { PictureText, PictureWord } from './picture-text.js';
import { isWalled, type InkGrid } from './text-blocks.js';
import { readWholeLine, type WholeLine, type WholeLetter } from './whole-line.js';
import { asGeneralTolerance, asProse } from './word-forms.js';

/** Most pieces of a page that are put into rows: a page with more is a picture. */
const MOST_PIECES = 12_000;
/** Most rows of a page that are read, each up to three times. */
const MOST_ROWS = 600;
/** Heights of pieces that may be letters, and of points, pixels on a page of 2400; the widest word, in its heights. */
const LEAST_HIGH = 5;
const MOST_HIGH = 60;
const POINT = 2;
const WIDEST = 30;
/** In heights of the larger piece: the gap between words, and between a letter and a point. */
const GAP = 0.95;
const POINT_GAP = 0.7;
/** Pieces of one row share so much of the smaller one's height, and differ by less in height. */
const OVERLAP = 0.5;
const SIMILAR = 2.3;
/** Lower pieces are points and dashes. */
const LETTER = 0.5;
/** Heights of letters that end below the line, and of small letters, in heights of capitals. */
const WITH_DESCENDER = 1.29;
const SMALL = 0.76;
/** Paper around a row, in its heights. */
const AROUND = 0.5;
/** A row that is at least this sure needs no other try, and what a row must be: rows of one letter more so. */
const SURE = -0.04;
const LEAST = -0.4;
const LEAST_OF_ONE = -0.12;
/** Half the width of a letter, in heights of a capital. */
const HALF_LETTER = 0.35;
/**
 * A line is a label where that is no less likely for each letter, and likelier than one of another meaning by the
 * second number; the third holds for lines that are less sure than the fourth.
 */
const LIKE_LABEL = -2.6;
const CLEARLY = 2;
const FAINT_LABEL = -5;
const UNSURE = -0.1;
/** Bars alone are pieces of lines. */
const ONLY_BARS = /^[1Iil|/\\\-_.,:'"° ]+$/;

/** Level lines of text, and the pieces of the page that they consist of. */
export interface LevelRows {
  readonly texts: readonly PictureText[];
  readonly taken: ReadonlySet<number>;
}

/** How many pixels may still be looked at, and how many rows were not for it; counted. */
export interface RowBudget {
  pixels: number;
  unread: number;
}

/**
 * Reads the level lines of text of a part of a page: rows of pieces, however many letters a piece is, each read as a
 * whole. Of tables and title blocks, whose small letters touch each other. Places are pixels of the page.
 */
export function levelRows(page: PageInk, budget: RowBudget): LevelRows {
  const texts: PictureText[] = [];
  const taken = new Set<number>();
  for (const row of rowsOf(page).slice(0, MOST_ROWS)) {
    const pixels = pixelsOfRow(page, row);
    if (pixels > budget.pixels) {
      budget.unread++;
      continue;
    }
    budget.pixels -= pixels;
    const text = readRow(page, row);
    if (text === undefined) continue;
    texts.push(text);
    for (const piece of row) taken.add(piece);
  }
  return { texts, taken };
}

/** Pieces that stand in one row: numbers of pieces, from left to right. */
function rowsOf({ pieces: { list }, walls, unit }: PageInk): number[][] {
  const numbers: number[] = [];
  for (let i = 1; i < list.length && numbers.length < MOST_PIECES; i++) {
    const { x0, y0, x1, y1 } = list[i].box;
    const high = y1 - y0;
    const isPiece = high >= POINT * unit && high <= MOST_HIGH * unit && x1 - x0 < WIDEST * Math.max(high, LEAST_HIGH);
    if (isPiece && list[i].area >= 3) numbers.push(i);
  }
  numbers.sort((a, b) => list[a].box.x0 - list[b].box.x0 || list[a].box.y0 - list[b].box.y0);
  const joined = new DisjointSets(list.length);
  numbers.forEach((i, at) => {
    const a = list[i].box;
    const high = a.y1 - a.y0;
    for (let k = at + 1; k < numbers.length; k++) {
      const j = numbers[k];
      const b = list[j].box;
      const gap = b.x0 - a.x1;
      if (gap > GAP * MOST_HIGH * unit) break;
      const other = b.y1 - b.y0;
      const larger = Math.max(high, other),
        smaller = Math.min(high, other);
      if (larger < LEAST_HIGH * unit) continue;
      const isPoint = smaller < LETTER * larger;
      if (gap > (isPoint ? POINT_GAP : GAP) * larger) continue;
      const over = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
      const isBeside = isPoint ? over > -0.3 * larger : over > OVERLAP * smaller && larger < SIMILAR * smaller;
      if (isBeside && !isWalled(a, b, walls)) joined.join(i, j);
    }
  });
  const rows = new Map<number, number[]>();
  for (const i of numbers) addTo(rows, joined.rootOf(i), i);
  return [...rows.values()].filter((row) => row.some((i) => list[i].box.y1 - list[i].box.y0 >= LEAST_HIGH * unit));
}

/** Pixels of the finest picture that are looked at for a row. */
function pixelsOfRow({ pieces: { list }, page, fine }: PageInk, row: readonly number[]): number {
  const { x0, y0, x1, y1 } = row.map((i) => list[i].box).reduce(unionOf);
  const about = 2 * AROUND * (y1 - y0);
  return (x1 - x0 + about) * (y1 - y0 + about) * (fine.widthPx / page.width) ** 2;
}

/** Reads a row with each of the heights that its capitals may have; undefined where none is sure. */
function readRow(page: PageInk, row: readonly number[]): PictureText | undefined {
  const { list } = page.pieces;
  const boxes = row.map((i) => list[i].box);
  const box = boxes.reduce(unionOf);
  const tallest = Math.max(...boxes.map(({ y0, y1 }) => y1 - y0));
  const letters = boxes.filter(({ y0, y1 }) => y1 - y0 >= LETTER * tallest);
  const top = Math.min(...letters.map(({ y0 }) => y0)),
    bottom = Math.max(...letters.map(({ y1 }) => y1));
  const high = bottom - top;
  const usualBottom = medianOf(letters.map(({ y1 }) => y1)) ?? bottom;
  const { x0: x } = box;
  const width = box.x1 - x;
  const grid = gridOf(page, box, AROUND * high);
  const tries = [
    { height: high, bottom },
    { height: high / WITH_DESCENDER, bottom: bottom - high * (1 - 1 / WITH_DESCENDER) },
    { height: high / SMALL, bottom },
  ];
  // Letters that stand apart tell by their ends whether some end below the line.
  if (bottom - usualBottom > 0.12 * high) [tries[0], tries[1]] = [tries[1], tries[0]];
  let best: (Try & { readonly whole: WholeLine }) | undefined;
  for (const each of tries) {
    const whole = readWholeLine(grid, {
      x: x * grid.scale - grid.x0,
      y: each.bottom * grid.scale - grid.y0,
      angleRad: 0,
      height: each.height * grid.scale,
      width: width * grid.scale,
    });
    if (whole === undefined || whole.text === '') continue;
    if (best === undefined || whole.confidence > best.whole.confidence) best = { ...each, whole };
    if (best.whole.confidence > SURE) break;
  }
  if (best === undefined) return undefined;
  const { whole, height, bottom: y } = best;
  const count = whole.letters.filter(({ text }) => text !== ' ').length;
  const found = (text: string, confidence: number, words: readonly PictureWord[]): PictureText => ({
    text,
    confidence,
    x,
    y,
    angleRad: 0,
    height,
    width,
    count,
    isBars: false,
    words,
    fill: 0,
  });
  const label = labelOf(whole, count);
  if (label !== undefined) return found(label, 0, [{ text: label, confidence: 0, start: 0, width }]);
  if (whole.confidence < (count < 2 ? LEAST_OF_ONE : LEAST) || ONLY_BARS.test(whole.text)) return undefined;
  const words = wordsOf(whole.letters, { scale: grid.scale, height, width });
  return found(words.map((word) => word.text).join(' '), whole.confidence, words);
}

/** The label of a title block that a line is, though some of its letters may look like others. */
function labelOf({ text, scores, confidence }: WholeLine, count: number): string | undefined {
  const likely = likeliestOf(scores, count, LABEL_WORDS);
  if (likely === undefined || likely.less - likely.other < CLEARLY) return undefined;
  // What is more than the label is its value.
  const extra = text.replace(/[^\p{L}\p{N}]/gu, '').length - likely.known.letters.length;
  if (extra > 1 || /:\s*[\p{L}\p{N}]/u.test(text)) return undefined;
  return likely.less > (confidence < UNSURE ? FAINT_LABEL : LIKE_LABEL) ? likely.known.label : undefined;
}

/** Height and baseline of a row's capitals. */
interface Try {
  readonly height: number;
  readonly bottom: number;
}

/** What is dark about a row but the lines of its table: a place on the page times `scale`, less `x0`, is one in it. */
function gridOf(
  { page, fine, walls }: PageInk,
  box: PixelBox,
  about: number,
): InkGrid & { readonly x0: number; readonly y0: number; readonly scale: number } {
  const scale = fine.widthPx / page.width;
  const area = {
    x0: Math.floor((box.x0 - about) * scale),
    y0: Math.floor((box.y0 - about) * scale),
    x1: Math.ceil((box.x1 + about) * scale),
    y1: Math.ceil((box.y1 + about) * scale),
  };
  const ink = fineDarkness(page, fine, area);
  const [width, height] = [area.x1 - area.x0, area.y1 - area.y0];
  const isInside = ({ x0, y0, x1, y1 }: PixelBox, x: number, y: number): boolean =>
    x >= x0 && x < x1 && y >= y0 && y < y1;
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const x = Math.floor((area.x0 + u + 0.5) / scale),
        y = Math.floor((area.y0 + v + 0.5) / scale);
      if (isInside(box, x, y) || x < 1 || y < 1 || x + 1 >= walls.width || y + 1 >= walls.height) continue;
      const at = y * walls.width + x;
      const isWall =
        walls.bits[at] |
        walls.bits[at - 1] |
        walls.bits[at + 1] |
        walls.bits[at - walls.width] |
        walls.bits[at + walls.width];
      if (isWall !== 0) ink[v * width + u] = 0;
    }
  return { width, height, ink, x0: area.x0, y0: area.y0, scale };
}

/** The words of a row; places in pixels of the page from its start. */
function wordsOf(
  letters: readonly WholeLetter[],
  { scale, height, width }: { readonly scale: number; readonly height: number; readonly width: number },
): PictureWord[] {
  const words: WholeLetter[][] = [[]];
  for (const letter of letters)
    if (letter.text === ' ') words.push([]);
    else words[words.length - 1].push(letter);
  const full = words.filter((word) => word.length > 0);
  const general = asGeneralTolerance(letters.map(({ text }) => text).join(''));
  const sureOf = (all: readonly WholeLetter[]): number => all.reduce((sum, { sure }) => sum + sure, 0) / all.length;
  if (general !== undefined) return [{ text: general, confidence: sureOf(letters), start: 0, width }];
  return full.map((word, i) => {
    const start = i === 0 ? 0 : Math.max(0, word[0].at / scale - HALF_LETTER * height);
    const end = i === full.length - 1 ? width : word[word.length - 1].at / scale + HALF_LETTER * height;
    const isFollowed = /^[a-z]/.test(full[i + 1]?.[0].text ?? '');
    return {
      text: asProse(word.map(({ text }) => text).join(''), { isFollowed }),
      confidence: sureOf(word),
      start,
      width: Math.max(1, end - start),
    };
  });
}
