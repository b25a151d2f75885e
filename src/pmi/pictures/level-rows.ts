import { fineDarkness } from '../../bitmap/binarise.js';
import { unionOf } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { PixelBox } from '../../bitmap/bitmap.js';
import { labelBefore, labelOf, labelsLeft, type LabelledLine } from './labels/labels-of-rows.js';
import type { PageInk } from './page-ink.js';
import { LETTER, rowsOf } from './piece-rows.js';
import type { PictureText, PictureWord } from './picture-text.js';
import type { InkGrid } from './text-blocks.js';
import { readWholeLine, type WholeLine, type WholeLetter } from './whole-line.js';
import { asGeneralTolerance, asProse } from './word-forms.js';

/** Most rows of a page that are read, each up to three times. */
const MOST_ROWS = 600;
/** Heights of letters that end below the line, and of small letters, in heights of capitals. */
const WITH_DESCENDER = 1.29;
const SMALL = 0.76;
/** Paper around a row, in its heights. */
const AROUND = 0.5;
/** A row that is at least this sure needs no other try, and what a row must be: rows of one letter more so. */
const SURE = -0.04;
const LEAST = -0.4;
const LEAST_OF_ONE = -0.12;
/** Half the width of a letter, and least half of a space, in heights of a capital. */
const HALF_LETTER = 0.35;
const HALF_SPACE = 0.13;
/** A scale behind its label, of which the colon was not read. */
const SCALE_BEHIND = /^\p{L}{4,}[\s.]?(?=\d+\s?:?\s?\d+$)/u;
/** Letters and marks that are lower than capitals; all others, signs too, are as high as these. */
const ONLY_SMALL = /^[acegm-su-z\s.,:;'"°+\-=<>_]*$/;
/** Bars alone are pieces of lines, but for the scale 1:1. */
const ONLY_BARS = /^(?!1 ?: ?1$)[1Iil|/\\\-_.,:'"° ]+$/;
/** A label with its value behind it. */
const WITH_VALUE = /^([^:]*[\p{L}.)])\s?:\s*(?=[\p{L}\p{N}])/u;

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
  const found: { readonly read: ReadRow; readonly row: readonly number[] }[] = [];
  for (const row of rowsOf(page).slice(0, MOST_ROWS)) {
    const pixels = pixelsOfRow(page, row);
    if (pixels > budget.pixels) {
      budget.unread++;
      continue;
    }
    budget.pixels -= pixels;
    const read = readRow(page, row);
    if (read !== undefined) found.push({ read, row });
  }
  const left = labelsLeft(found.map(({ read }) => read));
  const texts: PictureText[] = [];
  const taken = new Set<number>();
  for (const { read, row } of found) {
    const text = textOfRow(read, labelOf(read) ?? left.get(read));
    if (text === undefined) continue;
    texts.push(text);
    for (const piece of row) taken.add(piece);
  }
  return { texts, taken };
}

/** Pixels of the finest picture that are looked at for a row. */
function pixelsOfRow({ pieces: { list }, page, fine }: PageInk, row: readonly number[]): number {
  const { x0, y0, x1, y1 } = row.map((i) => list[i].box).reduce(unionOf);
  const about = 2 * AROUND * (y1 - y0);
  return (x1 - x0 + about) * (y1 - y0 + about) * (fine.widthPx / page.width) ** 2;
}

/** A row as the network reads it: pixels of the page, the places of its letters `scale` times finer. */
interface ReadRow extends LabelledLine {
  readonly x: number;
  readonly width: number;
  readonly high: number;
  readonly bottom: number;
  readonly scale: number;
}

/** Reads a row with each of the heights that its capitals may have; undefined where it shows nothing. */
function readRow(page: PageInk, row: readonly number[]): ReadRow | undefined {
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
  const last = boxes.reduce((most, each) => (each.x1 > most.x1 ? each : most));
  const isComma = isCommaBehind(last, letters, { high, bottom: usualBottom });
  const whole = isComma ? withComma(best.whole, ((last.x0 + last.x1) / 2 - x) * grid.scale) : best.whole;
  const count = whole.letters.filter(({ text }) => text !== ' ').length;
  return { whole, count, x, width, high, bottom, scale: grid.scale };
}

/** The text of a row that may be a label; undefined where it is none and not surely read. */
function textOfRow(read: ReadRow, label: string | undefined): PictureText | undefined {
  const { whole, count, x, width, high, scale } = read;
  const { height, bottom: y } = capitalsOf(whole.text, { height: high, bottom: read.bottom });
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
  if (label !== undefined) return found(label, 0, [{ text: label, confidence: 0, start: 0, width }]);
  if (whole.confidence < (count < 2 ? LEAST_OF_ONE : LEAST) || ONLY_BARS.test(whole.text)) return undefined;
  const words = wordsOf(asLabelled(whole), { scale, height, width });
  return found(words.map((word) => word.text).join(' '), whole.confidence, words);
}

/** A comma behind the letters of a row: a low piece that reaches below their line, in heights of capitals. */
const COMMA_HIGH = [0.14, 0.45] as const;
const COMMA_WIDE = 0.3;
const COMMA_BELOW = 0.05;
const COMMA_ABOVE = 0.05;

function isCommaBehind(
  { x0, x1, y0, y1 }: PixelBox,
  letters: readonly PixelBox[],
  { high, bottom }: { readonly high: number; readonly bottom: number },
): boolean {
  const tall = (y1 - y0) / high;
  return (
    tall > COMMA_HIGH[0] &&
    tall < COMMA_HIGH[1] &&
    x1 - x0 < COMMA_WIDE * high &&
    y1 > bottom + COMMA_BELOW * high &&
    y0 < bottom - COMMA_ABOVE * high &&
    letters.every((letter) => letter.x1 <= x0 + 1)
  );
}

/** A line with the comma at its end, which the network, made of sizes, does not expect there. */
function withComma(line: WholeLine, at: number): WholeLine {
  const last = line.letters[line.letters.length - 1];
  if (!/[\p{L}\d)]/u.test(last.text)) return line;
  const comma = { ...last, text: ',', at: Math.max(at, last.at) };
  return { ...line, text: `${line.text},`, letters: [...line.letters, comma] };
}

/** Height and baseline of capitals by the letters that a row consists of: it is read at other heights just as well. */
function capitalsOf(text: string, { height, bottom }: Try): Try {
  const below = /[gjpqy]/.test(text) ? WITH_DESCENDER - 1 : 0;
  const capital = height / ((ONLY_SMALL.test(text) ? SMALL : 1) + below);
  return { height: capital, bottom: bottom - below * capital };
}

/** The letters of a line, those of a label before a value as its list has them, though some may look like others. */
function asLabelled({ text, letters, scores: { values } }: WholeLine): readonly WholeLetter[] {
  const withScale = SCALE_BEHIND.exec(text)?.[0].length;
  const before = WITH_VALUE.exec(text)?.[1].length ?? withScale;
  if (before === undefined) return letters;
  const { place } = letters[before];
  const count = letters.slice(0, before).filter((letter) => letter.text !== ' ').length;
  const known = labelBefore({ values, places: place }, count);
  if (known === undefined || (withScale !== undefined && known.name !== 'Scale')) return letters;
  // A word has its place by its first and last letter.
  const label = `${known.label}${withScale === undefined ? '' : ':'}`;
  const said = [...label].map((sign, i) => ({
    ...letters[Math.min(before - 1, Math.floor((i * before) / label.length))],
    text: sign,
    sure: 0,
  }));
  return [...said, ...letters.slice(before)];
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
  // Where letters are narrow, a space has its room all the same.
  const edgeOf = (before: readonly WholeLetter[], after: readonly WholeLetter[], side: 1 | -1): number => {
    const [last, first] = [before[before.length - 1].at / scale, after[0].at / scale];
    const gap = Math.max(first - last - 2 * HALF_LETTER * height, 2 * HALF_SPACE * height);
    return (first + last + side * gap) / 2;
  };
  const sureOf = (all: readonly WholeLetter[]): number => all.reduce((sum, { sure }) => sum + sure, 0) / all.length;
  if (general !== undefined) return [{ text: general, confidence: sureOf(letters), start: 0, width }];
  return full.map((word, i) => {
    const start = i === 0 ? 0 : Math.min(width - 1, Math.max(0, edgeOf(full[i - 1], word, 1)));
    const end = i === full.length - 1 ? width : edgeOf(word, full[i + 1], -1);
    const isFollowed = /^[a-z]/.test(full[i + 1]?.[0].text ?? '');
    return {
      text: asProse(word.map(({ text }) => text).join(''), { isFollowed }),
      confidence: sureOf(word),
      start,
      width: Math.max(1, end - start),
    };
  });
}
