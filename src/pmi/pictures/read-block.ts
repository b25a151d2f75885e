import { bitmapOf, componentsOf } from '../../bitmap/bitmap.js';
import { NO_LETTER, readLine, type LineReading } from './read-line.js';
import type { InkGrid } from './text-blocks.js';
import { linesOfPieces, turnBackPoint, turnUpright, type UprightPiece } from './upright-block.js';

/** A line of text on a picture. */
export interface PictureText {
  readonly text: string;
  /** See {@link LineReading}. */
  readonly confidence: number;
  /** Start of its baseline, pixels of the block. */
  readonly x: number;
  readonly y: number;
  readonly angleRad: number;
  /** Height of capitals. */
  readonly height: number;
  readonly width: number;
  /** Number of letters. */
  readonly count: number;
  readonly isBars: boolean;
  /** Share of its box that is ink. */
  readonly fill: number;
}

/** Readings with at least this score are not tried in other directions. */
const SURE = -0.25;
/** Penalties for reading upwards, downwards and at a slant. */
const UPWARDS = 0.06;
const DOWNWARDS = 0.25;
const SLANTED = 0.3;
/** Penalties for a piece that belongs to no line, and for a letter that cannot be read. */
const LEFT_OVER = 2;
/** Ink is darker than this share of the darkest pixel. */
const INK = 64;
/** Pieces of fewer pixels are specks. */
const SPECK = 3;
/** Directions in which slanted text is sought, degrees. */
const STEP_DEG = 2;
/** Letters below this height are enlarged before they are turned by other than right angles. */
const SMALL_PX = 26;

/** Reads a block in the direction with the best score: to the right, upwards, downwards, or at a slant. */
export function readBlock(grid: InkGrid, budget: { glyphs: number }): PictureText[] {
  const { width, height } = grid;
  // Single letters are taller than wide, too.
  const isTall = height > 1.3 * width && piecesOf(grid).length > 1;
  const upright: readonly (readonly [number, number])[] = [
    [0, isTall ? UPWARDS : 0],
    [-Math.PI / 2, isTall ? 0 : UPWARDS],
    [Math.PI / 2, DOWNWARDS],
  ];
  let best: Reading | undefined;
  for (const [angleRad, cost] of isTall ? [upright[1], upright[0], upright[2]] : upright) {
    const found = readAt(grid, angleRad, cost, budget);
    if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
    if (best !== undefined && best.score > SURE) return textsOf(grid, best);
  }
  if (best === undefined || best.pieceCount >= 3) {
    for (const angleRad of slants(grid)) {
      const found = readAt(grid, angleRad, SLANTED, budget);
      if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
    }
  }
  return best === undefined ? [] : textsOf(grid, best);
}

interface Reading {
  readonly angleRad: number;
  readonly lines: readonly LineReading[];
  readonly turned: InkGrid;
  readonly score: number;
  readonly pieceCount: number;
  /** Pixels of the turned block per pixel of the block. */
  readonly scale: number;
}

function readAt(grid: InkGrid, angleRad: number, cost: number, budget: { glyphs: number }): Reading | undefined {
  const isSlanted = Math.abs(Math.sin(2 * angleRad)) > 1e-6;
  const scale = isSlanted && Math.min(grid.width, grid.height) < 6 * SMALL_PX ? 2 : 1;
  const turned = turnUpright(scale === 2 ? doubled(grid) : grid, angleRad);
  const pieces = piecesOf(turned);
  if (pieces.length === 0) return undefined;
  const heights = pieces.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  const tall = heights.filter((high) => high > 0.4 * heights[heights.length - 1]);
  const found = linesOfPieces(pieces, tall[Math.floor(0.75 * tall.length)]);
  const lines: LineReading[] = [];
  let sum = 0,
    count = 0,
    taken = 0;
  for (const line of found) {
    const reading = readLine(line.pieces, line.top, line.bottom, budget);
    if (reading === undefined) continue;
    taken += line.pieces.length;
    lines.push(reading);
    sum += reading.score * reading.count;
    count += reading.count;
  }
  if (lines.length === 0) return undefined;
  const left = pieces.length - taken;
  const bad = lines.reduce((all, { text }) => all + text.split(NO_LETTER).length - 1, 0);
  return {
    angleRad,
    lines,
    turned,
    score: (sum - LEFT_OVER * (left + bad)) / (count + left) - cost,
    pieceCount: pieces.length,
    scale,
  };
}

function piecesOf({ width, height, ink }: InkGrid): UprightPiece[] {
  const bits = Uint8Array.from(ink, (dark) => (dark >= INK ? 1 : 0));
  const { labels, list } = componentsOf(bitmapOf(width, height, bits), 8);
  return list.flatMap(({ box: { x0, y0, x1, y1 }, area }, number): UprightPiece[] => {
    if (number === 0 || area < SPECK) return [];
    const w = x1 - x0;
    const own = new Uint8Array(w * (y1 - y0));
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++)
        if (labels[y * width + x] === number) own[(y - y0) * w + x - x0] = ink[y * width + x];
    return [{ x0, y0, x1, y1, ink: own }];
  });
}

/** The likeliest directions of slanted lines: those along which rows of ink are sharpest. */
function slants({ width, height, ink }: InkGrid): number[] {
  const points: number[] = [];
  const step = Math.max(1, Math.floor((width * height) / 60_000));
  for (let i = 0; i < ink.length; i += step) if (ink[i] >= INK) points.push(i % width, Math.floor(i / width));
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
  return lines.map(({ text, confidence, count, isBars, x0, x1, top, bottom }) => {
    const [x, y] = turnBackPoint(large, turned, angleRad, x0, bottom);
    return {
      text,
      confidence,
      x: x / scale,
      y: y / scale,
      angleRad,
      height: (bottom - top) / scale,
      width: (x1 - x0) / scale,
      count,
      isBars,
      fill: fillOf(turned, x0, top, x1, bottom),
    };
  });
}

function fillOf({ width, ink }: InkGrid, x0: number, y0: number, x1: number, y1: number): number {
  let sum = 0;
  for (let y = Math.floor(y0); y < y1; y++) for (let x = x0; x < x1; x++) sum += ink[y * width + x];
  return sum / 255 / Math.max(1, (x1 - x0) * (y1 - y0));
}
