import { lengthOf, middleOf } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import { type Sheet, eachEdge } from '../../content/sheet.js';
import type { LineIndex } from '../line-index.js';
import { type Slant, extentOf } from './blob-picture.js';
import { type BlobLine, type Placed, heightOf, sizeOf } from './blob-places.js';
import type { Blob } from './blobs.js';

/** A quarter turn, rad. */
export const QUARTER = Math.PI / 2;
const DEGREE = Math.PI / 180;
/** Level, upwards, downwards. */
const PLAIN = [0, -QUARTER, QUARTER] as const;
/** Directions that are tried for a chain beside level and upright. */
const MOST_DIRECTIONS = 5;
const BIN = 3 * DEGREE;
/** Directions nearer to level or upright are these. */
const NEARLY_PLAIN = 1.6 * DEGREE;
/**
 * Lines beside a chain that give it a direction: how near and how long they are, in sizes of its letters; most of them.
 */
const DRAWN_NEAR = 3;
const DRAWN_LONG = 2.5;
const MOST_DRAWN = 3;
/** More directions beside a chain are a fan, which says nothing. */
const MOST_FANNED = 12;
/**
 * Sides of the box around a letter, in sizes of it: how long they are, and how far from its middle; how far that may be
 * off the middle of a side, as a share of it; cosine of what a side may be turned by against the others.
 */
const BOX_SIDE = [1.1, 2.8] as const;
const BOX_AWAY = [0.5, 1.5] as const;
const BOX_OFF = 0.15;
const SAME_SIDE = 0.9995;
/** Ends of letters that differ by less, in heights of the higher one, are even. */
const EVEN = 0.05;
/** A level or upright line is turned only if that lessens what its ends differ by to this share. */
const MUCH_LESS = 0.6;

/** Upright letters on a line of a direction. */
export function upright(alongRad: number): Slant {
  return { alongRad, upRad: alongRad - QUARTER };
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
export function directionOfTwo([first, second]: readonly Placed[], found: number): number {
  const high = Math.max(heightOf(first), heightOf(second));
  const isEven = Math.abs(first.minH - second.minH) < EVEN * high || Math.abs(first.maxH - second.maxH) < EVEN * high;
  return isEven ? found : towards(first.blob, second.blob);
}

/**
 * Directions of long lines beside a chain that are neither level nor upright, as they are read: those of dimension
 * lines, of which a few letters of several heights tell too little.
 */
export function drawnDirections(chain: readonly Blob[], index: LineIndex): number[] {
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

/**
 * Directions of the square box around a letter that leans with it, as a datum does on a slanted surface: along its
 * sides as they are read. None where no four sides stand about it, or these are level.
 */
export function boxDirections(blob: Blob, index: LineIndex): number[] {
  const turn = turnsOfBoxes(blob, index).find((each) => Math.abs(each) >= NEARLY_PLAIN);
  return turn === undefined ? [] : [turn, turn > 0 ? turn - QUARTER : turn + QUARTER];
}

/** Whether a square box whose sides are level stands about a letter. */
export function isInLevelBox(blob: Blob, index: LineIndex): boolean {
  return turnsOfBoxes(blob, index).some((turn) => Math.abs(turn) < NEARLY_PLAIN);
}

/** By how much the boxes about a letter are turned from level ones, rad, -π/4 to π/4. */
function turnsOfBoxes(blob: Blob, index: LineIndex): number[] {
  const { x, y } = middleOf(blob.box);
  const size = sizeOf(blob);
  const sides: { readonly turn: number; readonly outRad: number }[] = [];
  for (const edge of index.near(x, y, BOX_AWAY[1] * size)) {
    const length = lengthOf(edge);
    if (length < BOX_SIDE[0] * size || length > BOX_SIDE[1] * size) continue;
    const [along, across] = [(edge.x1 - edge.x0) / length, (edge.y1 - edge.y0) / length];
    const foot = (x - edge.x0) * along + (y - edge.y0) * across,
      away = (x - edge.x0) * across - (y - edge.y0) * along;
    if (Math.abs(away) < BOX_AWAY[0] * size || Math.abs(away) > BOX_AWAY[1] * size) continue;
    if (Math.abs(foot - length / 2) > BOX_OFF * length) continue;
    const turn = Math.atan2(across, along);
    sides.push({ turn: turn - QUARTER * Math.round(turn / QUARTER), outRad: turn + (away > 0 ? QUARTER : -QUARTER) });
  }
  return sides
    .filter(({ outRad }) =>
      [1, 2, 3].every((quarter) =>
        sides.some((other) => Math.cos(other.outRad - outRad - quarter * QUARTER) > SAME_SIDE),
      ),
    )
    .map(({ turn }) => turn);
}

/**
 * Directions from blobs to the blobs after them: level and upright, then lines beside them and the most frequent ones.
 */
export function directionsOf(chain: readonly Blob[], drawn: readonly number[]): number[] {
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

/** The direction in which the lower and upper ends of a line's blobs are most even. */
export function refined(sheet: Sheet, line: readonly Placed[], start: number): number {
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
