import { bytesOf } from '../../content/bytes-of.js';
import { bitmapOf, componentsOf, type Component } from '../../bitmap/bitmap.js';
import { longerSide } from '../../content/geometry.js';
import { NO_LETTER, readLine, type LineReading, type ReadingBudget } from './read-line.js';
import type { BlockInk, InkGrid } from './text-blocks.js';
import type { PictureText } from './picture-text.js';
import { asWholeLine, isSize, scoreOfWhole } from './surer-line.js';
import { readWholeLine, type WholeLine } from './whole-line.js';
import { directionOfRow, linesOfPieces, turnBackPoint, turnUpright, type UprightPiece } from './upright-block.js';

/** Readings with at least this score are not tried in other directions. */
const SURE = -0.25;
/** The same for the mean logarithm of the letters' probabilities where no piece is left over. */
const SURE_LETTERS = -0.15;
/** Fewer than three pieces are read at a slant where no reading has this score. */
const POOR = -0.7;
/** Penalties for reading upwards, downwards and at a slant. */
const UPWARDS = 0.06;
const DOWNWARDS = 0.25;
const SLANTED = 0.3;
/** The same along a slanted line that is drawn beside the text, and along the row of its letters. */
const ALONG_LINE = 0.1;
/** Penalties for a piece that belongs to no line, and for a letter that cannot be read. */
const LEFT_OVER = 2;
/** Letters with at least the score of minus this are read well. */
const WELL_READ = 1.1;
/** Letters with at least this logarithm of their probabilities are clear. */
const CLEAR = -0.35;
/** Penalty for each further line: in a wrong direction a text falls apart into several. */
const LINE_COST = 0.8;
/** Penalty for each letter of lines that are the steps of one slanted line, and the least slope of such a line. */
const STAIR_COST = 0.5;
const LEAST_SLOPE = 0.08;
/** Most readings of a block, each of what the last one left. */
const MOST_ROUNDS = 3;
/**
 * Least ink that is read again, as a share of the square of the letters' height; how far lines reach, in that height.
 */
const LEAST_LEFT = 0.15;
const BESIDE_LINE = 0.2;
/**
 * Where nothing is read, pieces that are larger than this in heights of the page's letters are lines beside letters.
 */
const LARGE = 1.6;
/** Ink is darker than this share of the darkest pixel. */
const INK = 64;
const FAINT_INK = 20;
/** Pieces of fewer pixels are specks, but for those with as much ink as this: points of a pixel or two. */
const SPECK = 3;
const POINT_INK = 250;
/** Directions in which slanted text is sought, degrees. */
const STEP_DEG = 2;
/** What a point costs in all of them, pixels that are looked at. */
const POINT_PIXELS = 50;
/** The cost of a level reading in a gap of an upright line, for each letter; what is left of one upside down. */
const ACROSS = 0.25;
const TURNED = 0.5;
/** Letters below this height are enlarged before they are turned by other than right angles. */
const SMALL_PX = 26;

/**
 * Reads a block in the direction in which most letters are read well: to the right, upwards, downwards, or at a slant.
 * What is left over, such as a text of another direction beside a leader, is read by itself.
 */
export function readBlock(grid: GridAround, budget: ReadingBudget): PictureText[] {
  const texts: PictureText[] = [];
  let rest: GridAround = grid;
  for (let round = 0; round < MOST_ROUNDS && isLeft(budget); round++) {
    const best = bestReading(rest, budget);
    if (best === undefined) {
      const smaller = withoutLarge(rest);
      if (smaller === undefined) break;
      rest = smaller;
      continue;
    }
    texts.push(...textsOf(rest, best));
    if (best.left === 0) break;
    const next = withoutLines(rest, best);
    if (next === undefined) break;
    rest = next;
  }
  return texts;
}

/** Whether more may be read. */
export function isLeft({ glyphs, pixels }: ReadingBudget): boolean {
  return glyphs > 0 && pixels > 0;
}

function bestReading(grid: GridAround, budget: ReadingBudget): Reading | undefined {
  const best = likeliestReading(grid, budget);
  // Figures upside down look like figures and marks (`S'09` for 40,5): what reads as a size the other way is one.
  if (best === undefined || !isUprightNoSize(best)) return best;
  const other = readAt(grid, -best.angleRad, 0, budget);
  return other !== undefined && other.lines.length === 1 && other.areSizes ? other : best;
}

/** Whether a reading is a line with figures, upwards or downwards, and no size, however surely it was read. */
function isUprightNoSize({ angleRad, lines }: Reading): boolean {
  const isUpright = Math.abs(Math.abs(angleRad) - Math.PI / 2) < 1e-6;
  const said = lines[0].whole?.text ?? lines[0].text;
  return isUpright && lines.length === 1 && /\d/.test(said) && !isSize({ text: said });
}

function likeliestReading(grid: GridAround, budget: ReadingBudget): Reading | undefined {
  const { width, height } = grid;
  const pieces = piecesOf(grid);
  const count = pieces.length;
  const row = directionOfRow(pieces);
  // Single letters are taller than wide, too.
  const isTall = grid.isInUpright || (height > 1.3 * width && count > 1);
  const usual = budget.isDownwards === true ? Math.PI / 2 : -Math.PI / 2;
  const upright: readonly (readonly [number, number])[] = [
    [0, grid.isInUpright ? ACROSS : isTall ? UPWARDS : 0],
    [usual, isTall ? 0 : UPWARDS],
    [-usual, DOWNWARDS],
  ];
  let best: Reading | undefined;
  const consider = (angleRad: number, cost: number): void => {
    const found = readAt(grid, angleRad, cost, budget);
    if (found !== undefined && (best === undefined || worthOf(found) > worthOf(best))) best = found;
  };
  // A letter in a box has the direction of one of its sides: `R` is `70` across.
  if (grid.slants.boxed.length > 0) {
    const found = grid.slants.boxed.map((angleRad) => readAt(grid, angleRad, 0, budget));
    const letters = found.filter((reading) => reading !== undefined && isLetter(reading));
    for (const reading of letters.length > 0 ? letters : found)
      if (reading !== undefined && (best === undefined || worthOf(reading) > worthOf(best))) best = reading;
    if (best !== undefined) return best;
  }
  for (const [angleRad, cost] of isTall ? [upright[1], upright[0], upright[2]] : upright) {
    consider(angleRad, cost);
    if (best !== undefined && !best.isStair && best.isSure && !best.lines.some(isTurned)) {
      if (row === undefined && best.left === 0 && best.lines.length === 1) return best;
      break;
    }
  }
  // A slanted text may look like several level ones of a few letters, or like one of other letters.
  const usualBest = best;
  if (row !== undefined) consider(row, ALONG_LINE);
  for (const angleRad of grid.slants.beside) consider(angleRad, ALONG_LINE);
  const isBetter = best === usualBest || best!.lines.length < (usualBest?.lines.length ?? Infinity);
  if (best !== undefined && !best.isStair && best.isSure && isBetter) return best;
  // Bold letters that touch each other are one piece. One letter beside slanted lines has no direction but theirs.
  const isAlone = count === 1 && grid.slants.beside.length > 0;
  if (count >= 3 || (!isAlone && (best === undefined || best.score < POOR)))
    for (const angleRad of slants(grid, budget)) consider(angleRad, SLANTED);
  return best;
}

function isLetter({ lines }: Reading): boolean {
  return lines.length === 1 && /^[A-Z]$/.test(lines[0].whole?.text ?? lines[0].text);
}

/** The ink outside the lines of a reading; undefined if no more than specks are left. */
function withoutLines(grid: GridAround, { lines, turned, angleRad, scale }: Reading): GridAround | undefined {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const { width, height } = grid;
  const ink = grid.ink.slice();
  const least = (LEAST_LEFT * Math.max(...lines.map(({ top, bottom }) => bottom - top)) ** 2) / scale ** 2;
  let left = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (ink[y * width + x] === 0) continue;
      const dx = scale * (x + 0.5 - width / 2),
        dy = scale * (y + 0.5 - height / 2);
      const s = dx * cos + dy * sin + turned.width / 2,
        t = dy * cos - dx * sin + turned.height / 2;
      const isRead = lines.some(({ x0, x1, top, bottom }) => {
        const slack = BESIDE_LINE * (bottom - top);
        return s > x0 - slack / 2 && s < x1 + slack / 2 && t > top - slack && t < bottom + slack;
      });
      if (isRead) ink[y * width + x] = 0;
      else if (ink[y * width + x] >= INK) left++;
    }
  }
  return left < least ? undefined : { ...grid, ink };
}

/** The ink of a block without pieces that are too large for letters; undefined if there are none, or no others. */
function withoutLarge(grid: GridAround): GridAround | undefined {
  const { width, height, letter } = grid;
  const bits = bytesOf(grid.ink, (dark) => (dark > 0 ? 1 : 0));
  const { labels, list } = componentsOf(bitmapOf(width, height, bits), 8);
  const isLarge = list.map(({ box }, i) => i > 0 && longerSide(box) > LARGE * letter);
  if (!isLarge.includes(true) || isLarge.every((large, i) => i === 0 || large)) return undefined;
  const ink = grid.ink.map((dark, i) => (isLarge[labels[i]] ? 0 : dark));
  return { ...grid, ink };
}

/** The ink of a block with all that is dark about it. */
type GridAround = InkGrid & Pick<BlockInk, 'around' | 'letter' | 'isInUpright' | 'slants'>;

/** A line as it was read letter by letter, and as a whole. */
interface TwiceRead extends LineReading {
  readonly whole: WholeLine | undefined;
}

interface Reading {
  readonly angleRad: number;
  readonly lines: readonly TwiceRead[];
  readonly turned: InkGrid;
  readonly score: number;
  /** Whether other directions need not be tried: by its letters, or because every line is a size as a whole. */
  readonly isSure: boolean;
  /** Whether every line is a size as a whole, and surely read. */
  readonly areSizes: boolean;
  /** Larger for more letters that are read well; letters that are not take nothing away. */
  readonly gain: number;
  /** Whether its lines are the steps of one slanted line. */
  readonly isStair: boolean;
  /** Pieces that belong to none of the lines. */
  readonly left: number;
  /** Pixels of the turned block per pixel of the block. */
  readonly scale: number;
}

function readAt(grid: GridAround, angleRad: number, cost: number, budget: ReadingBudget): Reading | undefined {
  const isSlanted = Math.abs(Math.sin(2 * angleRad)) > 1e-6;
  const scale = isSlanted && Math.min(grid.width, grid.height) < 6 * SMALL_PX ? 2 : 1;
  const turned = turnUpright(scale === 2 ? doubled(grid) : grid, angleRad);
  budget.pixels -= turned.width * turned.height;
  const pieces = piecesOf(turned);
  if (pieces.length === 0) return undefined;
  const heights = pieces.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  const tall = heights.filter((high) => high > 0.4 * heights[heights.length - 1]);
  const found = linesOfPieces(pieces, tall[Math.floor(0.75 * tall.length)]);
  const large = scale === 2 ? { width: 2 * grid.width, height: 2 * grid.height, ink: grid.ink } : grid;
  const lines: TwiceRead[] = [];
  let sum = 0,
    count = 0,
    taken = 0,
    gain = 0;
  // Letter by letter; upside down a line may look well as a whole.
  let letters = 0,
    sureness = 0,
    all = 0,
    missing = 0,
    sizes = true;
  for (const line of found) {
    const read = readLine(line.pieces, line.top, line.bottom, budget);
    if (read === undefined) continue;
    const [x, y] = turnBackPoint(large, turned, angleRad, read.ends[0], read.bottom);
    const whole = readWholeLine(grid.around, {
      x: x / scale + grid.around.x0,
      y: y / scale + grid.around.y0,
      angleRad,
      height: (read.bottom - read.top) / scale,
      width: (read.ends[1] - read.ends[0]) / scale,
    });
    const wholeScore = scoreOfWhole(whole);
    const isWhole = whole !== undefined && wholeScore !== undefined && wholeScore > read.score;
    const reading: TwiceRead = isWhole
      ? { ...read, whole, score: wholeScore, count: whole.text.replaceAll(' ', '').length }
      : { ...read, whole };
    if (whole === undefined || whole.confidence < SURE_LETTERS || !isSize(whole)) sizes = false;
    letters += read.score * read.count;
    sureness += read.confidence * read.count;
    all += read.count;
    missing += read.text.split(NO_LETTER).length - 1;
    const bad = isWhole ? 0 : reading.text.split(NO_LETTER).length - 1;
    const own = (reading.score + WELL_READ - cost) * reading.count - LEFT_OVER * bad;
    // A clear sign that is rare on drawings costs more than it gains.
    if (own <= 0 && (bad > 0 || reading.confidence < CLEAR)) continue;
    gain += Math.max(0, own);
    taken += line.pieces.length;
    lines.push(reading);
    sum += reading.score * reading.count;
    count += reading.count;
  }
  if (lines.length === 0) return undefined;
  const left = pieces.length - taken;
  const isStair = isStairOf(lines);
  const bad = lines.reduce(
    (all, { text, score, whole }) => all + (score === scoreOfWhole(whole) ? 0 : text.split(NO_LETTER).length - 1),
    0,
  );
  return {
    angleRad,
    lines,
    turned,
    score: (sum - LEFT_OVER * (left + bad)) / (count + left) - cost,
    gain: gain - LINE_COST * (lines.length - 1) - (isStair ? STAIR_COST * count : 0),
    isStair,
    areSizes: sizes,
    isSure:
      sizes ||
      (letters - LEFT_OVER * (left + missing)) / (all + left) - cost > SURE ||
      (left === 0 && sureness / all > SURE_LETTERS),
    left,
    scale,
  };
}

/** What a reading gains, less where it seems upside down. */
function worthOf({ gain, lines }: Reading): number {
  return lines.some(isTurned) ? TURNED * gain : gain;
}

/** Whether a line of figures begins with a zero, as one that is read upside down. */
function isTurned({ text, whole }: TwiceRead): boolean {
  return /^[-_]?0\d/.test(whole?.text ?? text);
}

/** Whether lines follow each other along a slope: the pieces of a slanted text that was read as level. */
function isStairOf(lines: readonly LineReading[]): boolean {
  if (lines.length < 3) return false;
  const ordered = lines.toSorted((a, b) => a.x0 - b.x0);
  const slopes = ordered.slice(1).map((line, i) => {
    const before = ordered[i];
    const isBehind = line.x0 > before.x1 - 0.3 * (before.bottom - before.top);
    return isBehind ? (line.bottom - before.bottom) / Math.max(1, line.x0 + line.x1 - before.x0 - before.x1) : 0;
  });
  return slopes.every((slope) => slope > LEAST_SLOPE / 2) || slopes.every((slope) => slope < -LEAST_SLOPE / 2);
}

function piecesOf({ width, height, ink }: InkGrid): UprightPiece[] {
  const bits = new Uint8Array(width * height);
  let faint = 0;
  for (let i = 0; i < bits.length; i++) {
    if (ink[i] >= INK) bits[i] = 1;
    else if (ink[i] >= FAINT_INK) faint++;
  }
  const dark = componentsOf(bitmapOf(width, height, bits), 8);
  const pieces = cutOut(dark.list.slice(1), 1, dark.labels, width, ink);
  if (faint < SPECK) return pieces;
  // A point is as small as the pen and paler than letters: what has no darker piece in it is a piece by itself.
  const isLarge = Uint8Array.from(dark.list, (component, i) =>
    i > 0 && isPiece(component, i, dark.labels, width, ink) ? 1 : 0,
  );
  for (let i = 0; i < bits.length; i++) bits[i] = ink[i] >= FAINT_INK ? 1 : 0;
  const all = componentsOf(bitmapOf(width, height, bits), 8);
  const isDark = new Uint8Array(all.list.length);
  for (let i = 0; i < bits.length; i++) if (isLarge[dark.labels[i]] === 1) isDark[all.labels[i]] = 1;
  all.list.forEach((component, i) => {
    if (i > 0 && isDark[i] === 0) pieces.push(...cutOut([component], i, all.labels, width, ink));
  });
  return pieces;
}

function isPiece(
  { box: { x0, y0, x1, y1 }, area }: Component,
  number: number,
  labels: ArrayLike<number>,
  width: number,
  ink: Uint8Array,
): boolean {
  if (area >= SPECK) return true;
  let sum = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) if (labels[y * width + x] === number) sum += ink[y * width + x];
  return sum >= POINT_INK;
}

/** Components with numbers from `first` on, each as a piece; specks are left out. */
function cutOut(
  components: readonly Component[],
  first: number,
  labels: ArrayLike<number>,
  width: number,
  ink: Uint8Array,
): UprightPiece[] {
  return components.flatMap((component, i): UprightPiece[] => {
    if (!isPiece(component, first + i, labels, width, ink)) return [];
    const { x0, y0, x1, y1 } = component.box;
    const w = x1 - x0;
    const own = new Uint8Array(w * (y1 - y0));
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++)
        if (labels[y * width + x] === first + i) own[(y - y0) * w + x - x0] = ink[y * width + x];
    return [{ x0, y0, x1, y1, ink: own }];
  });
}

/** The likeliest directions of slanted lines: those along which rows of ink are sharpest. */
function slants({ width, height, ink }: InkGrid, budget: ReadingBudget): number[] {
  const points: number[] = [];
  const step = Math.max(1, Math.floor((width * height) / 60_000));
  for (let i = 0; i < ink.length; i += step) if (ink[i] >= INK) points.push(i % width, Math.floor(i / width));
  budget.pixels -= (POINT_PIXELS * points.length) / 2;
  const sharpness = (rad: number): number => {
    const cos = Math.cos(rad),
      sin = Math.sin(rad);
    const rows = new Map<number, number>();
    for (let i = 0; i < points.length; i += 2) {
      const row = Math.round(points[i + 1] * cos - points[i] * sin);
      rows.set(row, (rows.get(row) ?? 0) + 1);
    }
    let sum = 0;
    for (const count of rows.values()) sum += count * count;
    return sum;
  };
  const found: { rad: number; sharp: number }[] = [];
  for (let deg = -88; deg <= 88; deg += STEP_DEG) {
    const rad = (deg * Math.PI) / 180;
    found.push({ rad, sharp: sharpness(rad) });
  }
  const peaks = found
    .filter(({ sharp }, i) => sharp >= (found[i - 1]?.sharp ?? 0) && sharp >= (found[i + 1]?.sharp ?? 0))
    .sort((a, b) => b.sharp - a.sharp || a.rad - b.rad);
  return peaks
    .slice(0, 2)
    .map(({ rad }) => rad)
    .filter((rad) => Math.abs(rad) > 0.05 && Math.abs(Math.abs(rad) - Math.PI / 2) > 0.05);
}

function doubled({ width, height, ink }: InkGrid): InkGrid {
  const large = new Uint8Array(4 * width * height);
  const at = (x: number, y: number): number => ink[Math.min(height - 1, y) * width + Math.min(width - 1, x)];
  for (let y = 0; y < 2 * height; y++) {
    for (let x = 0; x < 2 * width; x++) {
      const left = x >> 1,
        upper = y >> 1,
        u = x & 1 ? 0.5 : 0,
        v = y & 1 ? 0.5 : 0;
      large[y * 2 * width + x] =
        (1 - v) * ((1 - u) * at(left, upper) + u * at(left + 1, upper)) +
        v * ((1 - u) * at(left, upper + 1) + u * at(left + 1, upper + 1));
    }
  }
  return { width: 2 * width, height: 2 * height, ink: large };
}

function textsOf(grid: InkGrid, { angleRad, lines, turned, scale }: Reading): PictureText[] {
  const large = { width: scale * grid.width, height: scale * grid.height, ink: grid.ink };
  return lines.flatMap(({ text, words, confidence, count, isBars, x0, x1, ends, top, bottom, whole }) => {
    const [x, y] = turnBackPoint(large, turned, angleRad, x0, bottom);
    const read: PictureText = {
      text,
      confidence,
      x: x / scale,
      y: y / scale,
      angleRad,
      height: (bottom - top) / scale,
      width: (x1 - x0) / scale,
      count,
      isBars,
      words: words.map((word) => ({
        text: word.text,
        confidence: word.confidence,
        start: (word.x0 - x0) / scale,
        width: (word.x1 - word.x0) / scale,
      })),
      fill: fillOf(turned, x0, top, x1, bottom),
    };
    const said = asWholeLine(read, { before: (x0 - ends[0]) / scale, behind: (ends[1] - x1) / scale, whole });
    return said === undefined ? [] : [said];
  });
}

function fillOf({ width, ink }: InkGrid, x0: number, y0: number, x1: number, y1: number): number {
  let sum = 0;
  for (let y = Math.floor(y0); y < y1; y++) for (let x = x0; x < x1; x++) sum += ink[y * width + x];
  return sum / 255 / Math.max(1, (x1 - x0) * (y1 - y0));
}
