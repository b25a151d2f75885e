import { lengthOf, longerSide } from '../../content/geometry.js';
import { addTo, medianOf } from '../../content/groups.js';
import type { Picture } from '../../content/sheet.js';
import { binarise, type Ink } from '../../bitmap/binarise.js';
import {
  bitmapOf,
  componentBits,
  componentsOf,
  open,
  without,
  both,
  type Bitmap,
  type Component,
  type Components,
} from '../../bitmap/bitmap.js';
import { drawingArea } from '../../bitmap/drawing-area.js';
import { arrowheads, takeOutHeads, type Arrowhead } from './arrowheads.js';
import { BorderEnds } from './border-ends.js';
import { cutInk } from './crisp-ink.js';
import { dashedLines } from './dashes.js';
import { heightOfRun } from './letter-runs.js';
import { linesOf, takeOutSlanted, type InkLine } from './ink-lines.js';
import { bridgesOf, crossedShare, isOfLetters, takeOut } from './line-bands.js';
import { bracketsOf } from './lines/brackets.js';
import { closingSides } from './lines/closing-sides.js';
import { rejoined } from './lines/rejoined.js';
import { slantedSides } from './lines/slanted-sides.js';

/** Sizes on a page with a longer side of 2400 pixels: the tallest letters, and the shortest lines. */
const UNIT_SIDE = 2400;
const LETTER = 72;
const LEAST_LETTER = 24;
/** Letters are at least this high. */
const LEAST_HIGH = 10;
const LINE = 40;
const SHORTEST_LINE = 18;
/**
 * Lines are longer than letters are tall by these factors: level and upright lines, and slanted ones. Below FEW_LETTERS
 * letters their height is unknown.
 */
const LONGER = 1.14;
/**
 * Lines about letters: their least size and largest share of ink, and sizes of letters that they hold, in those
 * heights.
 */
const HOLDER = 1.5;
const HOLDER_FILL = 0.25;
const HELD = [0.6, 1.4] as const;
/** The largest letters, in heights of most of them. */
const TALLEST = 2.2;
const SLANTED_LONGER = 1.7;
const FEW_LETTERS = 8;
/** Of a table's line letters touch no more than this share: letters that touch each other are no line. */
const CROSSED = 0.3;
/** Of a table's lines up to this length, what is thicker than most longer ones by this factor is a word. */
const SHORT = 216;
const WORD = 1.5;
/** Largest thickness of a line. */
const THICK = 9;
/**
 * Borders of low cells and narrow columns, which are no longer than letters, run from line to line: their least length,
 * and how far from a line an end of a border is, on that page.
 */
const BORDER = 16;
const REACH = 3;

/** The ink of a part of a page, separated into letters and lines. */
export interface PageInk {
  readonly page: Ink;
  /** The picture with the most pixels that there is. */
  readonly fine: Picture;
  /** Ink of this part of the page. */
  readonly inside: Bitmap;
  /** Pieces that may be letters, after lines longer than letters were removed. */
  readonly pieces: Components;
  /** f32: height of letters that each piece consists of; 0 for no letters. */
  readonly sizes: Float32Array;
  /** Where the lines are that were removed. */
  readonly walls: Bitmap;
  /** Straight lines. */
  readonly lines: readonly InkLine[];
  /** Heads of arrows. */
  readonly heads: readonly Arrowhead[];
  /** Height of most letters, pixels; an estimate where there are few. */
  readonly letter: number;
  /** Pixels per 1/2400 of the page's longer side. */
  readonly unit: number;
}

/** The ink of the drawing area, and of what is around it: the frame, title blocks and tables. */
export function pageInks(picture: Picture): readonly [inside: PageInk, around: PageInk] {
  const found = binarise(picture);
  const page = { ...found, ink: cutInk(found) };
  const { ink } = page;
  const unit = Math.max(page.width, page.height) / UNIT_SIDE;
  const { area } = drawingArea(without(ink, open(ink, Math.round(14 * unit))), unit);
  const fine = picture.fine ?? picture;
  return [
    separated({ page, fine, inside: both(ink, area), unit }),
    ruled({ page, fine, inside: without(ink, area), unit }),
  ];
}

/** Separates letters from the level and upright lines of frames and tables. */
function ruled({ page, fine, inside, unit }: Pick<PageInk, 'page' | 'fine' | 'inside' | 'unit'>): PageInk {
  const { width, height } = page;
  const measures = { least: Math.round(LINE * unit), thick: Math.max(3, Math.round(THICK * unit)) };
  const lines = [true, false]
    .flatMap((isLevel) => linesOf(inside, { isLevel, ...measures }))
    .filter((line) => crossedShare(line, inside) < CROSSED);
  const left = inside.bits.slice();
  // Bars of large letters that touch each other (FT) end at no line.
  const ends = new BorderEnds(lines, REACH * unit);
  const usual = medianOf(lines.filter((line) => lengthOf(line) > SHORT * unit).map(({ thickness }) => thickness));
  const isWord = (line: InkLine): boolean =>
    lengthOf(line) <= SHORT * unit && usual !== undefined && line.thickness > WORD * usual;
  const borders = lines.filter((line) => (lengthOf(line) > LETTER * unit || ends.of(line) > 0) && !isWord(line));
  for (const line of borders) takeOut(line, left, width);
  const endsOnBorders = new BorderEnds(borders, REACH * unit);
  const between = [true, false]
    .flatMap((isLevel) =>
      linesOf(bitmapOf(width, height, left), { ...measures, isLevel, least: Math.round(BORDER * unit) }),
    )
    .filter((line) => endsOnBorders.of(line) > 1);
  for (const line of between) takeOut(line, left, width);
  const pieces = componentsOf(bitmapOf(width, height, left), 8);
  const sizes = Float32Array.from(pieces.list, ({ box, area }, i) => {
    const side = longerSide(box);
    return i > 0 && area >= 3 && side <= LETTER * unit ? side : 0;
  });
  return {
    page,
    fine,
    inside,
    pieces,
    sizes,
    walls: without(inside, bitmapOf(width, height, left)),
    lines: [...lines, ...between],
    heads: [],
    letter: LEAST_LETTER * unit,
    unit,
  };
}

/**
 * Separates letters from lines: pieces no larger than letters are kept; larger pieces lose their straight lines.
 */
function separated({ page, fine, inside, unit }: Pick<PageInk, 'page' | 'fine' | 'inside' | 'unit'>): PageInk {
  const { width, height } = page;
  const whole = componentsOf(inside, 8);
  const letter = commonHeight(
    whole.list.filter(({ box }, i) => i > 0 && longerSide(box) <= LETTER * unit),
    unit,
  );
  // Boxes around basic sizes and leaders with their arrows are no letters either.
  const most =
    letter === undefined ? LETTER * unit : Math.min(LETTER * unit, Math.max(LEAST_LETTER * unit, TALLEST * letter));
  const runOf = (components: Components, component: Component, i: number): number | undefined =>
    letter === undefined || i === 0 ? undefined : heightOfRun(components, component, i, { letter, width });
  const isHolder = holdersOf(whole.list, letter, most);
  const map = componentBits(
    inside,
    whole,
    (component, i) => isHolder(i) || (longerSide(component.box) > most && runOf(whole, component, i) === undefined),
  );
  const least =
      letter === undefined
        ? Math.round(LINE * unit)
        : Math.max(Math.round(SHORTEST_LINE * unit), Math.ceil(LONGER * letter)),
    thick = Math.max(3, Math.round(THICK * unit));
  const size = letter ?? LEAST_LETTER * unit;
  const lines = [true, false]
    .flatMap((isLevel) => linesOf(map, { isLevel, least, thick }))
    .filter((line) => letter === undefined || !isOfLetters(line, inside, letter));
  const left = inside.bits.slice();
  for (const line of lines) takeOut(line, left, width);
  const isShort = (i: number): boolean => letter !== undefined && longerSide(whole.list[i].box) <= most;
  for (const { lines: own, bar } of bracketsOf(whole, isShort, { letter: size, width, bits: inside.bits })) {
    for (const line of own) takeOut(line, left, width);
    for (let y = bar.y0; y < bar.y1; y++) left.fill(0, y * width + bar.x0, y * width + bar.x1);
    lines.push(...own);
  }
  const straight = lines.slice();
  const heads = takeOutHeads(left, { letter: size, page: inside });
  const slanted = letter === undefined ? 1.5 * LINE * unit : SLANTED_LONGER * letter;
  lines.push(
    ...takeOutSlanted(withoutLetters(both(map, bitmapOf(width, height, left)), runOf), left, {
      least: slanted,
      thickness: medianOf(lines.map(({ thickness }) => thickness)) ?? 3,
    }),
  );
  const cut = componentsOf(bitmapOf(width, height, left), 8);
  // Where lines run through all texts, no letter stands alone, and their height is unknown.
  const heights = letter === undefined ? [LEAST_HIGH * unit, size] : [letter, letter];
  const pieces = rejoined(cut, straight, { inside, left, least: heights[0], most: heights[1] });
  const isBridge = bridgesOf(pieces, straight, inside);
  const sizes = Float32Array.from(pieces.list, (piece, i) => {
    if (i === 0 || piece.area < 3 || isBridge[i] === 1) return 0;
    const side = longerSide(piece.box);
    return side <= most ? side : (runOf(pieces, piece, i) ?? 0);
  });
  pieces.list.forEach(({ box: { x0, y0, x1, y1 } }, number) => {
    if (isBridge[number] !== 1) return;
    for (let y = y0; y < y1; y++)
      for (let i = y * width + x0; i < y * width + x1; i++) if (pieces.labels[i] === number) left[i] = 0;
  });
  const walls = without(inside, bitmapOf(width, height, left));
  const isLeft = (i: number): boolean => sizes[i] > 0;
  for (const { line, number } of slantedSides(pieces, isLeft, { walls, letter: size })) {
    lines.push(line);
    sizes[number] = 0;
  }
  for (const side of closingSides(lines, pieces, { ink: inside, letter: size })) {
    lines.push(side.line);
    for (const number of side.pieces) sizes[number] = 0;
  }
  const small = arrowheads(pieces, isLeft, { letter: size, page: inside });
  heads.push(...small);
  for (const { line, pieces: dashes } of dashedLines(pieces.list, isLeft, { letter: size, heads })) {
    lines.push(line);
    for (const i of dashes) sizes[i] = 0;
  }
  for (const { number } of small) sizes[number] = 0;
  return { page, fine, inside, pieces, sizes, walls, lines, heads, letter: size, unit };
}

/**
 * Which pieces are no larger than the largest letters, but lines about letters: short dimension lines with their
 * extension lines, corners of boxes.
 * @returns by the number of a piece.
 */
function holdersOf(list: readonly Component[], letter: number | undefined, most: number): (number: number) => boolean {
  if (letter === undefined) return () => false;
  const cells = new Map<number, Component[]>();
  const cellOf = (x: number, y: number): number => Math.floor(x / most) * 100_003 + Math.floor(y / most);
  list.forEach((component, i) => {
    const { x0, y0, x1, y1 } = component.box;
    const side = longerSide(component.box);
    if (i > 0 && side > HELD[0] * letter && side < HELD[1] * letter)
      addTo(cells, cellOf((x0 + x1) / 2, (y0 + y1) / 2), component);
  });
  return (number) => {
    const { box, area } = list[number];
    const side = longerSide(box);
    if (number === 0 || side > most || side < HOLDER * letter) return false;
    if (area > HOLDER_FILL * (box.x1 - box.x0) * (box.y1 - box.y0)) return false;
    for (let x = box.x0 - most; x <= box.x1 + most; x += most)
      for (let y = box.y0 - most; y <= box.y1 + most; y += most)
        for (const { box: held } of cells.get(cellOf(x, y)) ?? [])
          if (
            held.x0 >= box.x0 &&
            held.x1 <= box.x1 &&
            held.y0 >= box.y0 - letter &&
            held.y1 <= box.y1 &&
            held.y1 > box.y0
          )
            return true;
    return false;
  };
}

/** What remains of line work: without rows of bold letters. */
function withoutLetters(
  map: Bitmap,
  runOf: (components: Components, component: Component, number: number) => number | undefined,
): Bitmap {
  const found = componentsOf(map, 8);
  const isKept = Uint8Array.from(found.list, (component, i) =>
    i > 0 && runOf(found, component, i) === undefined ? 1 : 0,
  );
  return componentBits(map, found, (_, number) => isKept[number] === 1);
}

/** The commonest height of pieces shaped about like letters; undefined where there are few. */
function commonHeight(components: readonly Component[], unit: number): number | undefined {
  const counts = new Map<number, number>();
  for (const {
    box: { x0, y0, x1, y1 },
  } of components) {
    const high = Math.max(y1 - y0, x1 - x0),
      wide = Math.min(y1 - y0, x1 - x0);
    if (high < LEAST_HIGH * unit || wide < 0.4 * high || wide > 0.95 * high) continue;
    for (let i = -1; i <= 1; i++) counts.set(high + i, (counts.get(high + i) ?? 0) + (i === 0 ? 2 : 1));
  }
  let best: number | undefined,
    most = 2 * FEW_LETTERS;
  for (const [high, count] of counts)
    if (count > most || (count === most && best !== undefined && high > best)) [best, most] = [high, count];
  return best;
}
