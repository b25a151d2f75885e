import { distanceTo, lengthOf } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import type { Edge, LineIndex } from '../line-index.js';
import { QUARTER, directionOfTwo, directionsOf, drawnDirections, refined, upright } from './blob-directions.js';
import { type Extent, type Slant, extentOf } from './blob-picture.js';
import { type BlobLine, type Placed, gapOf, heightOf, sizeOf } from './blob-places.js';
import {
  SPECK,
  isBarOf,
  isCommaBehind,
  isOverComma,
  isDeviation,
  isGiant,
  isPointBehindPlus,
  isStem,
} from './blob-signs.js';
import type { Blob } from './blobs.js';

/** Largest gap between neighbours of a chain and of a line, as a share of the largest blob. */
const CHAIN_GAP = 1;
const LINE_GAP = 1;
/** Blobs below this share of the others' size are points, which are filled even among stroked letters. */
const POINT = 0.3;
/** Letters and the signs among them differ by less in size. */
const SIGN = 0.6;
/** Letters of a line lie over each other by no more, as a share of the smaller one. */
const OVERLAP = 0.35;
/** Letters of a line cover no more than this share of each other. */
const LEAST_SPAN = 0.7;
/** Longest chain that is split into lines as one. */
const LONGEST = 400;
/** Most text is level or upright: these directions score like one more aligned blob. */
const PLAIN_BONUS = 1;
/** Bars of a letter are so near to it in the order of strokes. */
const BAR_NEAR = 3;
/** Chains with more letters show their direction by themselves. */
const SHORT_CHAIN = 24;
/** How many aligned blobs the direction of a line beside a chain is worth. */
const DRAWN_BONUS = 1.5;
/** And that of the lines of a chain before it. */
const OTHERS_BONUS = 1;
/** Most lines before that lend their direction to what is left of their chain. */
const MOST_OTHERS = 2;
/** Lines with at least as many blobs define their direction themselves. */
const FEW = 3;
/** Most letters by which the level of the next one is judged. */
const BEFORE = 24;
/**
 * Marks between two letters: how many, how long, and how far the letters are apart and differ in height and base, in
 * heights of these.
 */
const MOST_MARKS = 3;
const MARK = 0.9;
const MARKS_GAP = 2.2;
const SAME_BASE = 0.15;
/** Least height and largest width of a small letter, in heights of the letter before it. */
const SMALL_LETTER = 0.5;
const ONE_LETTER = 0.85;
/**
 * Walls of cells: how far their ends may be from the lines across them, and how long these are at least, in lengths of
 * the wall; the sine between both.
 */
const AT_WALL = 0.05;
const ALONG_WALL = 2.5;
const ACROSS_WALL = 0.4;
/** Two blobs beside each other are a little better than two lines of one. */
const LEAST_EVEN = 0.1;

/**
 * Groups blobs into lines of text. Files write letters in reading order, so near consecutive blobs form a chain; the
 * direction chosen for a chain is the one with the longest even lines. The direction of lines of fewer than three blobs
 * is only a guess.
 */
export function linesOfBlobs(sheet: Sheet, blobs: readonly Blob[], index: LineIndex): BlobLine[] {
  const letters = blobs.filter(
    (blob, i) =>
      !blob.isArrow &&
      !blob.isAround &&
      (blob.isLine ? isStem(blobs, i) && !isWall(sheet, blob, index) : !isGiant(blobs, i)),
  );
  return withBars(
    sheet,
    blobs,
    overMarks(
      sheet,
      blobs,
      chainsOf(letters).flatMap((chain) => linesOfChain(sheet, chain, index)),
    ),
  );
}

/** Whether a straight stroke ends at long lines across it on both sides, as the walls between cells of a frame do. */
function isWall({ strokes: { points, starts } }: Sheet, { strokes: [stroke] }: Blob, index: LineIndex): boolean {
  const ends = [starts[stroke], starts[stroke + 1] - 1].map((at) => ({ x: points[2 * at], y: points[2 * at + 1] }));
  const [dx, dy] = [ends[1].x - ends[0].x, ends[1].y - ends[0].y];
  const size = Math.hypot(dx, dy);
  const isAcross = (edge: Edge): boolean =>
    Math.abs((edge.x1 - edge.x0) * dy - (edge.y1 - edge.y0) * dx) > ACROSS_WALL * size * lengthOf(edge);
  return ends.every(({ x, y }) =>
    index
      .near(x, y, AT_WALL * size)
      .some(
        (edge) =>
          edge.stroke !== stroke &&
          lengthOf(edge) > ALONG_WALL * size &&
          isAcross(edge) &&
          distanceTo(edge, x, y) < AT_WALL * size,
      ),
  );
}

/**
 * Joins lines of strokes between which nothing but hyphens and marks of feet or minutes is drawn, `11'-6"`: these are
 * found beside the line when it is read.
 */
function overMarks(sheet: Sheet, blobs: readonly Blob[], lines: readonly BlobLine[]): readonly BlobLine[] {
  const at = new Map(blobs.map((blob, i) => [blob, i]));
  const joined: BlobLine[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && isOverMarks(sheet, blobs, at, last, line))
      joined[joined.length - 1] = {
        blobs: [...last.blobs, ...line.blobs],
        slant: last.blobs.length > 1 ? last.slant : line.slant,
      };
    else joined.push(line);
  }
  return joined;
}

function isOverMarks(
  sheet: Sheet,
  blobs: readonly Blob[],
  at: ReadonlyMap<Blob, number>,
  a: BlobLine,
  b: BlobLine,
): boolean {
  const [before, after] = [a.blobs[a.blobs.length - 1], b.blobs[0]];
  const marks = blobs.slice(at.get(before)! + 1, at.get(after)!);
  if (marks.length === 0 || marks.length > MOST_MARKS || before.isFill || after.isFill) return false;
  const slant = a.blobs.length > 1 ? a.slant : b.slant;
  const [left, right] = [before, after].map((blob) => extentOf(sheet, blob, slant));
  const high = Math.max(heightOf(left), heightOf(right));
  const gap = right.minS - left.maxS;
  const isHigh = (extent: Extent): boolean => Math.abs(heightOf(left) - heightOf(extent)) < SAME_BASE * high;
  // A class behind its standard begins with a small letter: `ISO 2768-m`, `ISO 2768 - mK`.
  const isClass =
    marks.length === 1 &&
    heightOf(right) > SMALL_LETTER * high &&
    (extentOf(sheet, b.blobs.at(-1)!, slant).maxS - right.minS < ONE_LETTER * high ||
      b.blobs.some((blob) => isHigh(extentOf(sheet, blob, slant))));
  return (
    gap > 0 &&
    gap < MARKS_GAP * high &&
    Math.abs(left.minH - right.minH) < SAME_BASE * high &&
    (isHigh(right) || isClass) &&
    marks.every(
      (mark) => mark.isLine && sizeOf(mark) < MARK * high && isBetween(extentOf(sheet, mark, slant), left, right),
    )
  );
}

function isBetween({ minS, maxS, minH, maxH }: Extent, left: Extent, right: Extent): boolean {
  const slack = SAME_BASE * heightOf(left);
  return minS > left.maxS - slack && maxS < right.minS + slack && minH > left.minH - slack && maxH < left.maxH + slack;
}

/**
 * Adds the strokes that belong to a letter or stand behind it: bars of `A` and of the plus-minus sign, and commas,
 * which are as long as hyphens and known by their place on the line.
 */
function withBars(sheet: Sheet, blobs: readonly Blob[], lines: readonly BlobLine[]): BlobLine[] {
  const used = new Set(lines.flatMap((line) => line.blobs));
  const at = new Map(blobs.map((blob, i) => [blob, i]));
  return lines.map(({ blobs: own, slant }) => {
    const bars = new Map<Blob, Blob>();
    const high = Math.max(...own.map((letter) => heightOf(extentOf(sheet, letter, slant))));
    for (const letter of own) {
      const place = at.get(letter)!;
      for (const bar of blobs.slice(Math.max(0, place - BAR_NEAR), place + BAR_NEAR + 1))
        if (bar.isLine && !used.has(bar)) {
          const [extent, of] = [extentOf(sheet, bar, slant), extentOf(sheet, letter, slant)];
          const isComma = isCommaBehind(extent, of, high);
          if (!isBarOf(extent, of) && !isComma) continue;
          used.add(bar);
          bars.set(bar, letter);
          if (!isComma) continue;
          const over = blobs
            .slice(at.get(bar)! + 1, at.get(bar)! + 2)
            .find(
              (other) => other.isLine && !used.has(other) && isOverComma(extentOf(sheet, other, slant), extent, high),
            );
          if (over === undefined) continue;
          used.add(over);
          bars.set(over, letter);
        }
    }
    return bars.size === 0
      ? { blobs: own, slant }
      : {
          blobs: own.flatMap((letter) => [letter, ...[...bars].flatMap(([bar, of]) => (of === letter ? [bar] : []))]),
          slant,
        };
  });
}

function chainsOf(blobs: readonly Blob[]): Blob[][] {
  const chains: Blob[][] = [];
  let chain: Blob[] = [];
  for (const blob of blobs) {
    const recent = chain.slice(-3);
    const size = Math.max(...chain.slice(-6).map(sizeOf), sizeOf(blob));
    if (
      chain.length >= LONGEST ||
      !recent.some((each) => isOneHand(each, blob, size) && gapOf(each, blob) < CHAIN_GAP * size)
    ) {
      if (chain.length > 0) chains.push(chain);
      chain = [];
    }
    chain.push(blob);
  }
  if (chain.length > 0) chains.push(chain);
  return chains;
}

/** Letters are all areas or all strokes; points may be filled, and signs be strokes of about the size of letters. */
function isOneHand(a: Blob, b: Blob, size: number): boolean {
  return (
    a.isFill === b.isFill ||
    sizeOf(b) < POINT * size ||
    (Math.min(sizeOf(a), sizeOf(b)) > SIGN * size && !a.isLine && !b.isLine)
  );
}

function linesOfChain(sheet: Sheet, chain: readonly Blob[], index: LineIndex): BlobLine[] {
  const lines: BlobLine[] = [];
  let left = chain;
  while (left.length > 0) {
    let best: Placed[][] = [],
      most = -Infinity,
      direction = 0;
    // What is left of a chain is most often in the direction of its other lines: two fits behind a slanted size.
    const others = lines.slice(-MOST_OTHERS).map(({ slant }) => slant.alongRad);
    const drawn = chain.length > SHORT_CHAIN ? [] : [...others, ...drawnDirections(left, index)];
    for (const alongRad of directionsOf(left, drawn)) {
      const isPlain = alongRad === 0 || alongRad === -QUARTER;
      const found = split(sheet, left, upright(alongRad), isPlain || drawn.includes(alongRad) ? 'known' : 'guessed');
      const score =
        found.reduce((sum, line) => sum + evenness(line), 0) +
        (isPlain ? PLAIN_BONUS : drawn.includes(alongRad) ? DRAWN_BONUS : 0) +
        (others.includes(alongRad) ? OTHERS_BONUS : 0);
      if (score > most + 1e-9) [best, most, direction] = [found, score, alongRad];
    }
    const long = best.filter((line) => line.length >= FEW);
    // Blobs of lines that are too short may belong to another direction.
    const kept = long.length > 0 && long.length < best.length ? long : best;
    for (const line of kept)
      lines.push({
        blobs: line.map(({ blob }) => blob),
        slant: upright(
          drawn.includes(direction)
            ? direction
            : line.length >= FEW
              ? refined(sheet, line, direction)
              : line.length === 2
                ? directionOfTwo(line, direction)
                : direction,
        ),
      });
    const done = new Set(kept.flatMap((line) => line.map(({ blob }) => blob)));
    left = left.filter((blob) => !done.has(blob));
  }
  return lines;
}

/** Whether the direction of a line is known, or tried. */
type Direction = 'known' | 'guessed';

/** Lines of a direction: each blob follows the last one. */
function split(sheet: Sheet, chain: readonly Blob[], slant: Slant, direction: Direction): Placed[][] {
  const lines: Placed[][] = [];
  for (const blob of chain) {
    const placed = { blob, ...extentOf(sheet, blob, slant) };
    const line = lines
      .slice(-4)
      .toReversed()
      .find((each) => follows(each, placed, direction));
    if (line === undefined) lines.push([placed]);
    else line.push(placed);
  }
  return lines;
}

function follows(line: readonly Placed[], { blob, minS, maxS, minH, maxH }: Placed, direction: Direction): boolean {
  const recent = line.slice(-8);
  const top = Math.max(...recent.map((each) => each.maxH)),
    bottom = Math.min(...recent.map((each) => each.minH)),
    end = Math.max(...recent.map((each) => each.maxS));
  const high = Math.max(top - bottom, maxH - minH, 0.5 * (maxS - minS));
  const within = Math.min(top, maxH) - Math.max(bottom, minH);
  // Of the two dots of an umlaut the right one may be drawn first.
  const isSpeck = Math.max(maxS - minS, maxH - minH) < SPECK * high;
  if (minS - end > LINE_GAP * high || (!isSpeck && minS - end < -OVERLAP * high && maxS < end - OVERLAP * high))
    return false;
  if (minS < line[line.length - 1].minS - OVERLAP * high) return false;
  if (isPointBehindPlus(recent, { blob, minS, maxS, minH, maxH })) return true;
  // In a direction that is a guess, what is above or below the letters is not yet known.
  if (direction === 'known' && isDeviation(line.slice(-BEFORE), { blob, minS, maxS, minH, maxH })) return false;
  // Small marks may be at any height of the line; larger blobs must overlap the others.
  return (
    within > -0.3 * high &&
    Math.max(top, maxH) - Math.min(bottom, minH) < 1.55 * Math.max(top - bottom, maxH - minH) &&
    (within > 0.5 * Math.min(top - bottom, maxH - minH) || maxH - minH < 0.4 * high || top - bottom < 0.4 * high)
  );
}

/** Larger for longer lines whose blobs end at the same height. */
function evenness(line: readonly Placed[]): number {
  const high = Math.max(...line.map(({ minH, maxH }) => maxH - minH));
  const even = (levels: readonly number[]): number => {
    const middle = medianOf(levels)!;
    return levels.filter((level) => Math.abs(level - middle) < 0.06 * high).length;
  };
  if (line.length === 1) return 0;
  const span = Math.max(...line.map(({ maxS }) => maxS)) - Math.min(...line.map(({ minS }) => minS));
  // Letters that lie over each other are those of several lines in another direction.
  if (span < LEAST_SPAN * line.reduce((sum, { minS, maxS }) => sum + maxS - minS, 0)) return 0;
  const score = line.length - 1 + even(line.map(({ minH }) => minH)) + 0.7 * even(line.map(({ maxH }) => maxH)) - 1.7;
  return Math.max(LEAST_EVEN, score);
}
