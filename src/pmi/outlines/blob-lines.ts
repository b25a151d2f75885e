import { lengthOf, middleOf } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import { eachEdge, type Sheet } from '../../content/sheet.js';
import { extentOf, type Extent, type Slant } from './blob-picture.js';
import { LineIndex } from '../line-index.js';
import type { Blob } from './blobs.js';

/** Blobs on one baseline, in reading order. */
export interface BlobLine {
  readonly blobs: readonly Blob[];
  readonly slant: Slant;
}

const QUARTER = Math.PI / 2;
const DEGREE = Math.PI / 180;
/** Level, upwards, downwards. */
const PLAIN = [0, -QUARTER, QUARTER] as const;
/** Largest gap between neighbours of a chain and of a line, as a share of the largest blob. */
const CHAIN_GAP = 1;
const LINE_GAP = 1;
/** Blobs below this share of the others' size are points, which are filled even among stroked letters. */
const POINT = 0.3;
/** Letters and the signs among them differ by less in size. */
const SIGN = 0.6;
/**
 * Deviations behind a size, in heights of its letters: they are lower than the first; the upper one begins above the
 * second and ends above the third; the lower one begins below the fourth, negative, and ends below the fifth. The
 * middle of a hyphen is between the two of HYPHEN.
 */
const DEVIATION = 0.88;
const RAISED = 0.2;
const UPPER_TOP = 0.98;
const LOWERED = 0.12;
const LOWER_TOP = 0.62;
const MARK = 0.45;
const OVER = 0.25;
const HYPHEN = [0.22, 0.66] as const;
/** Least length of the hyphen of a printed font, in heights of the letters before it. */
const SHORT_HYPHEN = 0.12;
/** A plus is at least so high; a point is lower. */
const PLUS = 0.22;
const OVERLAP = 0.35;
/** Length of a letter that is one straight stroke, and its largest gap, as shares of the letter beside it. */
const STEM = 1.12;
const STEM_GAP = 0.7;
/** Shorter strokes are no letters, unless they are points. */
const SHORT_STEM = 0.75;
const SPECK = 0.15;
/** Blobs before and after one, in the order of strokes, and how many times their size it may have. */
const GIANT_NEAR = 6;
const GIANT = 2.8;
/** Letters of a line cover no more than this share of each other. */
const LEAST_SPAN = 0.7;
/** Longest chain that is split into lines as one. */
const LONGEST = 400;
/** Directions that are tried for a chain beside level and upright. */
const MOST_DIRECTIONS = 5;
const BIN = 3 * DEGREE;
/** Directions nearer to level or upright are these. */
const NEARLY_PLAIN = 1.6 * DEGREE;
/** Most text is level or upright: these directions score like one more aligned blob. */
const PLAIN_BONUS = 1;
/**
 * Bars of a letter: how far from it in the order of strokes; the least share of the bar that is over or under the
 * letter, which leans in some fonts;
 * its longest and shortest length in widths of the letter; how far below the letter, in heights of it.
 */
const BAR_NEAR = 3;
const BAR_OVER = 0.68;
const BAR_WIDEST = 1.25;
const BAR_LEAST = 0.35;
const BAR_BELOW = 0.55;
/** Commas, in heights of letters: their length, how far above the baseline they begin, and how far behind a letter. */
const COMMA = [0.12, 0.65] as const;
const COMMA_TOP = 0.32;
const COMMA_GAP = 0.6;
/**
 * Lines beside a chain that give it a direction: how near and how long they are, in sizes of its letters; most of them; chains
 * with more letters show theirs by themselves; how many aligned blobs a drawn direction is worth.
 */
const DRAWN_NEAR = 3;
const DRAWN_LONG = 2.5;
const MOST_DRAWN = 3;
const MOST_FANNED = 12;
const SHORT_CHAIN = 24;
const DRAWN_BONUS = 1.5;
/** Lines with at least as many blobs define their direction themselves. */
const FEW = 3;
/** Most letters by which the level of the next one is judged. */
const BEFORE = 24;
/**
 * Values of neighbouring dimension lines, in heights of letters: how far one is higher than the other, by how much
 * their letters differ in size, and the gap between them.
 */
const OTHER_LINE = 0.12;
/** Upper deviations end no lower than the letters before them, but for what round letters reach further. */
const OVERSHOOT = 0.04;
const SAME_SIZE = 0.04;
const APART = 0.4;
/** Two blobs beside each other are a little better than two lines of one. */
const LEAST_EVEN = 0.1;
/** Ends of letters that differ by less, in heights of the higher one, are even. */
const EVEN = 0.05;
/** A level or upright line is turned only if that lessens what its ends differ by to this share. */
const MUCH_LESS = 0.6;

/** Upright letters on a line of a direction. */
export function upright(alongRad: number): Slant {
  return { alongRad, upRad: alongRad - QUARTER };
}

/**
 * Groups blobs into lines of text. Files write letters in reading order, so near consecutive blobs form a chain; the
 * direction chosen for a chain is the one with the longest even lines. The direction of lines of fewer than three blobs
 * is only a guess.
 */
export function linesOfBlobs(sheet: Sheet, blobs: readonly Blob[]): BlobLine[] {
  const letters = blobs.filter(
    (blob, i) => !blob.isArrow && !blob.isAround && (blob.isLine ? isStem(blobs, i) : !isGiant(blobs, i)),
  );
  const index = new LineIndex(sheet);
  return withBars(
    sheet,
    blobs,
    chainsOf(letters).flatMap((chain) => linesOfChain(sheet, chain, index)),
  );
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
          if (!isBarOf(extent, of) && !isCommaBehind(extent, of, high)) continue;
          used.add(bar);
          bars.set(bar, letter);
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

function heightOf({ minH, maxH }: Extent): number {
  return maxH - minH;
}

/** Whether a short steep stroke stands on the baseline or hangs from it, right behind a letter of full height. */
function isCommaBehind(stroke: Extent, letter: Extent, high: number): boolean {
  const own = heightOf(stroke),
    gap = stroke.minS - letter.maxS;
  return (
    heightOf(letter) > 0.8 * high &&
    own > 1.2 * (stroke.maxS - stroke.minS) &&
    own > COMMA[0] * high &&
    own < COMMA[1] * high &&
    stroke.maxH < letter.minH + COMMA_TOP * high &&
    stroke.maxH > letter.minH - 0.05 * high &&
    stroke.minH < letter.minH + 0.05 * high &&
    gap > -0.3 * high &&
    gap < COMMA_GAP * high
  );
}

function isBarOf(bar: Extent, letter: Extent): boolean {
  const wide = bar.maxS - bar.minS,
    high = letter.maxH - letter.minH,
    letterWide = letter.maxS - letter.minS;
  const overlap = Math.min(bar.maxS, letter.maxS) - Math.max(bar.minS, letter.minS);
  return (
    bar.maxH - bar.minH < 0.15 * wide &&
    overlap > BAR_OVER * wide &&
    wide < BAR_WIDEST * letterWide &&
    wide > BAR_LEAST * letterWide &&
    bar.minH > letter.minH - BAR_BELOW * high &&
    bar.maxH < letter.maxH
  );
}

/** Whether a blob is much larger than what is drawn before and after it: a leader with its arrow, and no letter. */
function isGiant(blobs: readonly Blob[], at: number): boolean {
  const around = blobs
    .slice(Math.max(0, at - GIANT_NEAR), at + GIANT_NEAR + 1)
    .filter((other) => other !== blobs[at] && !other.isLine && !other.isArrow)
    .map(sizeOf)
    .sort((a, b) => a - b);
  return around.length > GIANT_NEAR / 2 && sizeOf(blobs[at]) > GIANT * around[Math.floor(0.75 * around.length)];
}

/**
 * Whether a straight stroke is drawn before or behind a stroked letter beside it, and is no longer than letters are.
 */
function isStem(blobs: readonly Blob[], at: number): boolean {
  const size = sizeOf(blobs[at]);
  const beside = blobs
    .slice(Math.max(0, at - 2), at + 3)
    .filter(
      (other, i) =>
        !other.isLine &&
        !other.isAround &&
        !isGiant(blobs, Math.max(0, at - 2) + i) &&
        gapOf(other, blobs[at]) < STEM_GAP * sizeOf(other),
    );
  const tall = beside.filter((other) => sizeOf(other) > 0.5 * size);
  // Hyphens and the bars of signs are found beside the line when it is read.
  return (
    tall.length > 0 &&
    tall.every(
      (other) =>
        !other.isFill &&
        size < STEM * sizeOf(other) &&
        (size > SHORT_STEM * sizeOf(other) || size < SPECK * sizeOf(other)),
    )
  );
}

/** Directions that the stems of a line may have: perpendicular to it, and that of most of its edges. */
export function slantsOf(sheet: Sheet, { blobs, slant: { alongRad } }: BlobLine): Slant[] {
  const weights = new Float64Array(91);
  for (const { strokes } of blobs) {
    for (const stroke of strokes) {
      eachEdge(sheet.strokes, stroke, (x0, y0, x1, y1) => {
        const dx = x1 - x0,
          dy = y1 - y0;
        // 0 for stems perpendicular to the line, positive for those that lean back.
        const lean = (((Math.atan2(dy, dx) - alongRad) / Math.PI + 4) % 1) * 180 - 90;
        if (Math.abs(lean) <= 45) weights[Math.round(lean) + 45] += Math.hypot(dx, dy);
      });
    }
  }
  let best = 45,
    most = 0;
  for (let i = 2; i < 89; i++) {
    const weight = weights[i - 2] / 2 + weights[i - 1] + weights[i] + weights[i + 1] + weights[i + 2] / 2;
    if (weight > most) [most, best] = [weight, i];
  }
  const plain = upright(alongRad),
    lean = (best - 45) * DEGREE;
  return Math.abs(lean) < 4 * DEGREE ? [plain] : [plain, { alongRad, upRad: plain.upRad + lean }];
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

function sizeOf({ box: { width, height } }: Blob): number {
  return Math.max(width, height);
}

function gapOf({ box: a }: Blob, { box: b }: Blob): number {
  return Math.hypot(
    Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width),
    Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height),
  );
}

function linesOfChain(sheet: Sheet, chain: readonly Blob[], index: LineIndex): BlobLine[] {
  const lines: BlobLine[] = [];
  let left = chain;
  while (left.length > 0) {
    let best: Placed[][] = [],
      most = -Infinity,
      direction = 0;
    const drawn = chain.length > SHORT_CHAIN ? [] : drawnDirections(left, index);
    for (const alongRad of directionsOf(left, drawn)) {
      const isPlain = alongRad === 0 || alongRad === -QUARTER;
      const found = split(sheet, left, upright(alongRad), isPlain || drawn.includes(alongRad));
      const score =
        found.reduce((sum, line) => sum + evenness(line), 0) +
        (isPlain ? PLAIN_BONUS : drawn.includes(alongRad) ? DRAWN_BONUS : 0);
      if (score > most + 1e-9) [best, most, direction] = [found, score, alongRad];
    }
    const long = best.filter((line) => line.length >= FEW);
    // Blobs of lines that are too short may belong to another direction.
    const kept = long.length > 0 && long.length < best.length ? long : best;
    for (const line of kept)
      lines.push({
        blobs: line.map(({ blob }) => blob),
        slant: upright(
          line.length >= FEW && !drawn.includes(direction)
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

/** Direction from one blob to another; letters of a line have about the same height. */
function towards(first: Blob, second: Blob): number {
  const a = middleOf(first.box),
    b = middleOf(second.box);
  return Math.atan2(b.y - a.y, b.x - a.x);
}

/**
 * The direction in which two blobs were found if they stand on one baseline there, otherwise that from one to the
 * other.
 */
function directionOfTwo([first, second]: readonly Placed[], found: number): number {
  const high = Math.max(heightOf(first), heightOf(second));
  const isEven = Math.abs(first.minH - second.minH) < EVEN * high || Math.abs(first.maxH - second.maxH) < EVEN * high;
  return isEven ? found : towards(first.blob, second.blob);
}

/**
 * Directions of long lines beside a chain that are neither level nor upright, as they are read: those of dimension lines, of
 * which a few letters of several heights tell too little.
 */
function drawnDirections(chain: readonly Blob[], index: LineIndex): number[] {
  const size = Math.max(...chain.map(sizeOf));
  const boxes = chain.map(({ box }) => middleOf(box));
  const x = boxes.reduce((sum, at) => sum + at.x, 0) / boxes.length,
    y = boxes.reduce((sum, at) => sum + at.y, 0) / boxes.length;
  const lengths = new Map<number, number>();
  for (const edge of index.near(x, y, DRAWN_NEAR * size)) {
    const length = lengthOf(edge);
    if (length < DRAWN_LONG * size) continue;
    const turn = Math.atan2(edge.y1 - edge.y0, edge.x1 - edge.x0);
    const angle = turn > QUARTER ? turn - Math.PI : turn <= -QUARTER ? turn + Math.PI : turn;
    if (Math.min(Math.abs(angle), QUARTER - Math.abs(angle)) < NEARLY_PLAIN) continue;
    const known = [...lengths.keys()].find((each) => Math.abs(each - angle) < 0.2 * DEGREE) ?? angle;
    lengths.set(known, (lengths.get(known) ?? 0) + length);
    // A fan of lines says nothing of a direction.
    if (lengths.size > MOST_FANNED) return [];
  }
  return [...lengths]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_DRAWN)
    .map(([angle]) => angle);
}

/** Directions from blobs to the blobs after them: level and upright, then lines beside them and the most frequent ones. */
function directionsOf(chain: readonly Blob[], drawn: readonly number[]): number[] {
  const bins = new Map<number, { weight: number; sum: number }>();
  for (let i = 0; i < chain.length; i++) {
    for (let j = i + 1; j <= Math.min(chain.length - 1, i + 4); j++) {
      const angle = towards(chain[i], chain[j]),
        weight = j - i;
      if (angle < -100 * DEGREE || angle > 100 * DEGREE) continue;
      const bin = Math.round(angle / BIN),
        found = bins.get(bin);
      if (found === undefined) bins.set(bin, { weight, sum: weight * angle });
      else bins.set(bin, { weight: found.weight + weight, sum: found.sum + weight * angle });
    }
  }
  const frequent = [...bins.values()]
    .sort((a, b) => b.weight - a.weight)
    .map(({ weight, sum }) => sum / weight)
    .filter((angle) => Math.abs(angle) > NEARLY_PLAIN && Math.abs(angle + QUARTER) > NEARLY_PLAIN);
  return [0, -QUARTER, ...drawn, ...frequent.slice(0, MOST_DIRECTIONS)];
}

interface Placed extends Extent {
  readonly blob: Blob;
}

/** Lines of a direction: each blob follows the last one. */
function split(sheet: Sheet, chain: readonly Blob[], slant: Slant, isExact: boolean): Placed[][] {
  const lines: Placed[][] = [];
  for (const blob of chain) {
    const placed = { blob, ...extentOf(sheet, blob, slant) };
    const line = lines
      .slice(-4)
      .toReversed()
      .find((each) => follows(each, placed, isExact));
    if (line === undefined) lines.push([placed]);
    else line.push(placed);
  }
  return lines;
}

function follows(line: readonly Placed[], { blob, minS, maxS, minH, maxH }: Placed, isExact: boolean): boolean {
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
  if (isExact && isDeviation(line.slice(-BEFORE), { blob, minS, maxS, minH, maxH })) return false;
  // Small marks may be at any height of the line; larger blobs must overlap the others.
  return (
    within > -0.3 * high &&
    Math.max(top, maxH) - Math.min(bottom, minH) < 1.55 * Math.max(top - bottom, maxH - minH) &&
    (within > 0.5 * Math.min(top - bottom, maxH - minH) || maxH - minH < 0.4 * high || top - bottom < 0.4 * high)
  );
}

/** Whether a blob behind a line's letters is smaller than these, and above or below their middle. */
function isDeviation(letters: readonly Placed[], { blob, minS, maxS, minH, maxH }: Placed): boolean {
  const high = Math.max(...letters.map((each) => each.maxH - each.minH));
  const tall = letters.filter((each) => each.maxH - each.minH > 0.75 * high);
  // Those with a foot below the line, as `p`, are fewer than others.
  const standing = letters.filter(
    (each) => heightOf(each) > 0.5 * high && !mayBePlus(each.blob, (each.maxS - each.minS) / heightOf(each)),
  );
  const size = medianOf(tall.map((each) => each.maxH - each.minH))!,
    bottom = medianOf((standing.length > 0 ? standing : tall).map((each) => each.minH))!,
    ceiling = Math.max(...tall.map((each) => each.maxH));
  // The bar of a plus-minus sign stands below its cross.
  const last = letters[letters.length - 1];
  if (Math.min(maxS, last.maxS) - Math.max(minS, last.minS) > OVER * Math.min(maxS - minS, last.maxS - last.minS))
    return false;
  const own = (maxH - minH) / size,
    low = (minH - bottom) / size,
    top = (maxH - bottom) / size;
  if (own < MARK) {
    const isLong = maxS - minS > 1.5 * (maxH - minH) && maxS - minS > SHORT_HYPHEN * size;
    const middle = (low + top) / 2;
    if (mayBePlus(blob, (maxS - minS) / (maxH - minH)) && own > PLUS) return middle > HYPHEN[1];
    // The point of a lower deviation stands below the baseline of the size.
    return isLong ? middle < HYPHEN[0] || middle > HYPHEN[1] : low < -LOWERED && top < 0;
  }
  // The value of another dimension line, a little higher or lower.
  if (Math.abs(own - 1) < SAME_SIZE && Math.abs(low) > OTHER_LINE && minS - last.maxS > APART * size) return true;
  return (
    own < DEVIATION &&
    ((low > RAISED && top > UPPER_TOP && maxH > ceiling - OVERSHOOT * size) || (low < -LOWERED && top < LOWER_TOP))
  );
}

/** Whether a speck stands below and behind a plus that begins the line: `+.003`. */
function isPointBehindPlus(line: readonly Placed[], { minS, maxS, minH, maxH }: Placed): boolean {
  const [plus] = line;
  const wide = plus.maxS - plus.minS,
    high = heightOf(plus);
  return (
    line.length === 1 &&
    mayBePlus(plus.blob, wide / high) &&
    Math.max(maxS - minS, maxH - minH) < OVER * high &&
    minS > plus.minS + wide / 2 &&
    minS < plus.maxS + high &&
    maxH < plus.minH &&
    minH > plus.minH - high
  );
}

/**
 * Whether a small sign is as wide as high and drawn like a plus: of two strokes or one area; a degree sign is a ring.
 */
function mayBePlus({ isFill, strokes }: Blob, proportion: number): boolean {
  return strokes.length === (isFill ? 1 : 2) && proportion > 0.75 && proportion < 1.34;
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

/** The direction in which the lower and upper ends of a line's blobs are most even. */
function refined(sheet: Sheet, line: readonly Placed[], start: number): number {
  const costAt = (angle: number): number => {
    const extents = line.map(({ blob }) => extentOf(sheet, blob, upright(angle)));
    const high = Math.max(...extents.map(heightOf));
    const spread = (levels: readonly number[]): number => {
      const middle = medianOf(levels)!;
      return levels.reduce((sum, level) => sum + Math.min(Math.abs(level - middle), 0.12 * high), 0) / high;
    };
    return spread(extents.map(({ minH }) => minH)) + spread(extents.map(({ maxH }) => maxH));
  };
  let best = start;
  for (const step of [1.5 * DEGREE, 0.4 * DEGREE, 0.1 * DEGREE]) {
    let least = Infinity,
      found = best;
    for (let i = -4; i <= 4; i++) {
      const angle = best + i * step;
      const cost = costAt(angle) + 0.02 * Math.abs(i) * step;
      if (cost < least - 1e-9) [least, found] = [cost, angle];
    }
    best = found;
  }
  // Nearly level and nearly upright lines were drawn exactly so; a few letters, high and low ones, do not show a turn.
  for (const plain of PLAIN) if (Math.abs(best - plain) < 0.6 * DEGREE) return plain;
  const isPlain = start === 0 || start === -QUARTER;
  return isPlain && costAt(best) > MUCH_LESS * costAt(start) ? start : best;
}
