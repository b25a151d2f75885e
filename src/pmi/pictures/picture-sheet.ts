import { isOnPaper } from '../../content/paper.js';
import type { Picture, Sheet, SheetPicture, SheetText } from '../../content/sheet.js';
import { signInCell, textInCell, type SignPlace } from './cell-sign.js';
import type { InkLine } from './ink-lines.js';
import { withLowerDeviations } from './lower-deviations.js';
import { withoutLineEnds } from './line-ends.js';
import { levelRows } from './level-rows.js';
import { isRingAt, ringsOf, type InkRing } from './ink-rings.js';
import { headPieceAt } from './arrowheads.js';
import { pageInks, type PageInk } from './page-ink.js';
import { headAtTip } from './lines/head-at-tip.js';
import type { HeadReader } from './lines/arrows-of-texts.js';
import type { PictureText } from './picture-text.js';
import { isLeft, readBlock } from './read-block.js';
import type { ReadingBudget } from './read-line.js';
import { slantOf } from './slant.js';
import { areDownwards, isUpwards } from './reading-direction.js';
import { soundTexts } from './sound-texts.js';
import { stackedFits } from './stacked-fits.js';
import { stretchedTexts } from './stretched-line.js';
import { straightened, turnedPoint, type SheetTurn } from './straightened.js';
import { likelihoodsIn, withUsualPoints } from './usual-points.js';
import { inkOfBlock, pixelsOfBlock, textBlocks, type BlockInk } from './text-blocks.js';

/** Most glyphs of a page that are read, a fifth of a millisecond each. */
const MOST_GLYPHS = 20_000;
/**
 * Most pixels of a page that are looked at for letters, each time that they are, some 70 ns each: blocks may lie across
 * each other, and are looked at in several directions. Drawings take 2 to 17 million.
 */
const MOST_PIXELS = 100_000_000;
/** What is read of a page at most; see there. */
export const PAGE_BOUNDS = Object.freeze({ glyphs: MOST_GLYPHS, pixels: MOST_PIXELS });
/** Level texts are longer than high by this factor. */
const LEVEL = 1.5;
/** Height of capitals as a share of the font's height. */
const CAPITALS = 0.72;

/**
 * Circles from this radius on are larger than letters, in heights of most letters; how far their ink reaches inwards
 * and outwards; the share of a piece's ink there that makes it one of the circle.
 */
const LARGE_RING = 0.9;
const RING_BAND = [0.15, 0.08] as const;
const OF_RING = 0.8;
/** Corners of a circle. */
const RING_CORNERS = 24;

/** Fewest long level and upright lines of a drawing. */
const FEW_LINES = 3;

/** A sheet that was read from pixels. Its texts are those of the drawing area. */
export interface ReadSheet extends Sheet {
  /** Texts around the drawing area: of title blocks and tables, whose numbers are no dimensions. */
  readonly tableTexts: readonly SheetText[];
  /** Blocks of letters that were not read, because the page has more than a person could read. */
  readonly unread: number;
  /** The sign of a geometric characteristic in a cell of a control frame. */
  readonly signIn: (cell: SignPlace, mayBe?: (sign: string) => boolean) => string | undefined;
  /** The text in a cell. @param capital height of capitals, in units of the sheet. */
  readonly textIn: (cell: SignPlace, capital: number) => string | undefined;
  /** The length of an arrow's head with its tip at a place. */
  readonly headAt: HeadReader;
  /** Whether a circle of a radius stands about a place, which lines may touch. */
  readonly ringAt: (x: number, y: number, radius: number) => boolean;
  /** How the page is turned in the picture: the sheet is straight. */
  readonly turn: SheetTurn;
}

/** An image of a drawing as a sheet; undefined for other images. One unit is a pixel of the picture. */
export function sheetOfImage(picture: Picture, number: number): ReadSheet | undefined {
  if (!isOnPaper(picture)) return undefined;
  const sheet = sheetOfPicture(picture, number);
  const { count, starts } = sheet.strokes;
  const lines = count === 0 ? 0 : starts.subarray(1).filter((end, i) => end - starts[i] === 2).length;
  return lines < FEW_LINES || (sheet.texts.length === 0 && sheet.unread === 0) ? undefined : sheet;
}

/** A scanned page with the texts and lines of its scan. */
export function sheetOfScan(sheet: Sheet, { box, picture }: SheetPicture): ReadSheet {
  const read = sheetOfPicture(picture, sheet.number);
  const scaleX = box.width / picture.widthPx,
    scaleY = box.height / picture.heightPx;
  const placed = (text: SheetText): SheetText => ({
    ...text,
    x: box.x + scaleX * text.x,
    y: box.y + scaleY * text.y,
    height: scaleY * text.height,
    width: scaleX * text.width,
  });
  const inPicture = (cell: SignPlace): SignPlace => ({
    x: (cell.x - box.x) / scaleX,
    y: (cell.y - box.y) / scaleY,
    angleRad: cell.angleRad,
    width: cell.width / scaleX,
    height: cell.height / scaleY,
  });
  const points = read.strokes.points.map((value, i) => (i % 2 === 0 ? box.x + scaleX * value : box.y + scaleY * value));
  const turn = { angleRad: read.turn.angleRad, middle: { x: box.x + box.width / 2, y: box.y + box.height / 2 } };
  const straight = (text: SheetText): SheetText => ({
    ...text,
    ...turnedPoint(text, turn.middle, -turn.angleRad),
    angleRad: text.angleRad - turn.angleRad,
  });
  return {
    ...read,
    turn,
    width: sheet.width,
    height: sheet.height,
    unitMm: sheet.unitMm,
    texts: [...(turn.angleRad === 0 ? sheet.texts : sheet.texts.map(straight)), ...read.texts.map(placed)],
    tableTexts: read.tableTexts.map(placed),
    signIn: (cell, mayBe) => read.signIn(inPicture(cell), mayBe),
    textIn: (cell, capital) => read.textIn(inPicture(cell), capital / scaleY),
    headAt: (tip, letter) => {
      const at = { x: (tip.x - box.x) / scaleX, y: (tip.y - box.y) / scaleY };
      return scaleX * read.headAt({ ...tip, ...at }, letter / scaleY);
    },
    ringAt: (x, y, radius) => read.ringAt((x - box.x) / scaleX, (y - box.y) / scaleY, radius / scaleY),
    strokes: { ...read.strokes, points },
  };
}

/**
 * A picture of a drawing as a sheet: the texts that are read in it, and its straight lines. One unit is a pixel of the
 * picture after it was straightened.
 */
export function sheetOfPicture(
  asIs: Picture,
  number: number,
  bounds: { readonly glyphs: number; readonly pixels: number } = PAGE_BOUNDS,
): ReadSheet {
  const budget: PageBudget = { ...bounds, unread: 0 };
  const { picture, angleRad } = straightened(asIs);
  const parts = pageInks(picture);
  const { rings, sides } = ringsOf(parts[0].page.ink, parts[0].letter);
  const inside = withoutRings(parts[0], rings),
    around = parts[1];
  const read = textsOfPart(inside, budget).map((text) => withoutLineEnds(text, inside));
  const complete = withLowerDeviations(stackedFits(stretchedTexts(read, inside), inside), inside);
  const texts = withUsualPoints(complete, likelihoodsIn(inside)).flatMap(wordsOf);
  const rows = levelRows(around, budget);
  const sizes = around.sizes.map((size, piece) => (rows.taken.has(piece) ? 0 : size));
  const tableTexts = [...rows.texts, ...textsOfPart({ ...around, sizes }, budget)].flatMap(wordsOf);
  return {
    number,
    width: picture.widthPx,
    height: picture.heightPx,
    unitMm: null,
    space: 'paper',
    arcs: [],
    texts,
    tableTexts,
    unread: budget.unread,
    turn: { angleRad, middle: { x: picture.widthPx / 2, y: picture.heightPx / 2 } },
    signIn: (cell, mayBe) => signInCell(parts[0].page, parts[0].fine, cell, mayBe),
    textIn: (cell, capital) => textInCell(parts[0].page, parts[0].fine, cell, capital),
    headAt: (tip, letter) => headPieceAt(inside.heads, tip, letter) ?? headAtTip(parts[0].page, tip, letter),
    ringAt: (x, y, radius) => isRingAt(parts[0].page.ink, x, y, radius),
    annotations: [],
    pictures: [],
    styles: [{ layer: '', width: 0, dash: [], color: 0, isFill: false }],
    strokes: strokesOf([...parts.flatMap(({ lines }) => lines), ...sides], rings),
  };
}

/** A part of a page whose pieces of large circles are no letters. */
function withoutRings(part: PageInk, rings: readonly InkRing[]): PageInk {
  const { labels, list } = part.pieces;
  const { width, height } = part.page;
  const counts = new Map<number, number>();
  for (const { x, y, radius } of rings) {
    if (radius < LARGE_RING * part.letter) continue;
    const [from, to] = [radius - RING_BAND[0] * part.letter - 2, radius + RING_BAND[1] * part.letter + 2];
    for (let v = Math.max(0, Math.floor(y - to)); v < Math.min(height, y + to); v++)
      for (let u = Math.max(0, Math.floor(x - to)); u < Math.min(width, x + to); u++) {
        const away = Math.hypot(u + 0.5 - x, v + 0.5 - y);
        const label = labels[v * width + u];
        if (label > 0 && away > from && away < to) counts.set(label, (counts.get(label) ?? 0) + 1);
      }
  }
  if (counts.size === 0) return part;
  const isOfRing = (i: number): boolean => (counts.get(i) ?? 0) > OF_RING * list[i].area;
  return { ...part, sizes: part.sizes.map((size, i) => (isOfRing(i) ? 0 : size)) };
}

function wordsOf({ words, x, y, angleRad, height }: PictureText): SheetText[] {
  return words.map(({ text, confidence, start, width }) => ({
    text,
    x: x + start * Math.cos(angleRad),
    y: y + start * Math.sin(angleRad),
    angleRad,
    height: height / CAPITALS,
    width,
    annotation: -1,
    confidence: Math.exp(Math.min(0, confidence)),
  }));
}

/** What the parts of a page share. */
interface PageBudget {
  glyphs: number;
  pixels: number;
  /** Blocks that were not read for it. */
  unread: number;
}

function textsOfPart(page: PageInk, shared: PageBudget): readonly PictureText[] {
  const blocks: BlockInk[] = [];
  for (const block of textBlocks(page)) {
    const pixels = pixelsOfBlock(page, block);
    if (pixels > shared.pixels) {
      shared.unread++;
      continue;
    }
    shared.pixels -= pixels;
    blocks.push(inkOfBlock(page, block));
  }
  const { glyphs, pixels } = shared;
  const budget = { glyphs, pixels, slant: slantOf(blocks.filter(isLevelText)) };
  const read = blocks.map((block): PictureText[] => {
    if (isLeft(budget)) return textsOfBlock(block, budget);
    shared.unread++;
    return [];
  });
  if (areDownwards(read.flat())) {
    const again = { ...budget, isDownwards: true };
    blocks.forEach((block, i) => {
      if ((block.isInUpright || read[i].some(isUpwards)) && isLeft(again)) read[i] = textsOfBlock(block, again);
    });
    Object.assign(budget, { glyphs: again.glyphs, pixels: again.pixels });
  }
  Object.assign(shared, { glyphs: Math.max(0, budget.glyphs), pixels: Math.max(0, budget.pixels) });
  return soundTexts(read.flat());
}

/** Whether a block is longer than high, as a level text is. */
function isLevelText({ width, height }: BlockInk): boolean {
  return width > LEVEL * height;
}

/** The texts of a block at their places on the page. */
function textsOfBlock(block: BlockInk, budget: ReadingBudget): PictureText[] {
  const { x0, y0, scale } = block;
  return readBlock(block, budget).map((text) => ({
    ...text,
    x: x0 + text.x / scale,
    y: y0 + text.y / scale,
    height: text.height / scale,
    width: text.width / scale,
    words: text.words.map((word) => ({ ...word, start: word.start / scale, width: word.width / scale })),
  }));
}

/** Lines as strokes of two corners, circles as closed strokes of several. */
function strokesOf(lines: readonly InkLine[], rings: readonly InkRing[]): Sheet['strokes'] {
  const count = lines.length + rings.length;
  const points: number[] = lines.flatMap(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]);
  for (const { x, y, radius } of rings)
    for (let i = 0; i <= RING_CORNERS; i++) {
      const rad = (2 * Math.PI * i) / RING_CORNERS;
      points.push(x + radius * Math.cos(rad), y + radius * Math.sin(rad));
    }
  return {
    count,
    points: Float32Array.from(points),
    starts: Uint32Array.from({ length: count + 1 }, (_, i) =>
      i <= lines.length ? 2 * i : 2 * lines.length + (RING_CORNERS + 1) * (i - lines.length),
    ),
    styles: new Uint16Array(count),
    groups: Uint32Array.from({ length: count }, (_, i) => i),
    annotations: new Int32Array(count).fill(-1),
  };
}
