/** Lays a picture of lines over another: the similarity transform with the least squared differences. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { BLURRED, COARSE_AT, FINE_AT, takePoints } from './blurred-pictures';
import { MOST_SCALE, bothDifferences, differenceOf, improve } from './lucas-kanade';

/**
 * Number of tried rotations; of the best ones and the quarter turns that are refined coarsely; and of the best that are
 * refined finely.
 */
const TURNS: i32 = 72;
const IMPROVED: i32 = 4, QUARTERS: i32 = 4, SETTLED: i32 = 2;
const COARSE_STEPS: i32 = 8, FINE_STEPS: i32 = 12;
/** Most points compared when rotations are tried, refined coarsely and refined finely. */
const TRIED_POINTS: i32 = 256, COARSE_POINTS: i32 = 500, FINE_POINTS: i32 = 1_500;
/** A laid picture: f64 x, y, rotation, scale and difference. */
const LAID: usize = 40;
const TRIED: usize = memory.data(72 * 40, 16);
const STARTS: usize = memory.data(8 * 40, 16);

/**
 * Lays one prepared picture over another, both with lines. out: f64 x, y, rotation and scale: rotated and scaled about
 * its middle, then moved; pixels, x to the right, y downwards; the rotation is positive from x to y, −π to π.
 * Rotations are tried about the centres of the lines, the best ones refined by Gauss-Newton steps on blurred pictures
 * (Lucas and Kanade 1981). Copies are laid to a few hundredths of a pixel. Returns a status.
 */
export function layPicture(onto: usize, from: usize, out: usize): i32 {
  const scratch = mark();
  const blurred = reserve(4 * <u32>BLURRED);
  if (blurred === 0) return OUT_OF_MEMORY;
  const coarseOnto = blurred, coarseFrom = blurred + BLURRED, fineOnto = coarseFrom + BLURRED,
    fineFrom = fineOnto + BLURRED;
  takePoints(onto + COARSE_AT, coarseOnto);
  takePoints(from + COARSE_AT, coarseFrom);
  takePoints(onto + FINE_AT, fineOnto);
  takePoints(from + FINE_AT, fineFrom);

  const starts = chooseStarts(onto, from, coarseOnto, coarseFrom);
  for (let i: i32 = 0; i < starts; i++) {
    const laid = STARTS + LAID * <usize>i;
    improve(coarseOnto, coarseFrom, COARSE_POINTS, laid, COARSE_STEPS);
    store<f64>(laid, bothDifferences(coarseOnto, coarseFrom, laid, COARSE_POINTS), 32);
  }
  let best: usize = 0;
  let least: f64 = Infinity;
  for (let k: i32 = 0; k < SETTLED; k++) {
    const laid = bestOf(STARTS, starts);
    if (best === 0) best = laid;
    // Not chosen again.
    store<f64>(laid, Infinity, 32);
    memory.copy(TRIED + LAID * <usize>k, laid, LAID);
    const own = TRIED + LAID * <usize>k;
    improve(fineOnto, fineFrom, FINE_POINTS, own, FINE_STEPS);
    // Among equally good rotations a later one wins only by more than rounding, so that the result is the same on every
    // machine.
    const difference = bothDifferences(fineOnto, fineFrom, own, FINE_POINTS);
    if (difference < least * (1 - 1e-6)) {
      best = own;
      least = difference;
    }
  }
  memory.copy(out, best, 32);
  const angle = load<f64>(best, 16);
  store<f64>(out, Math.atan2(Math.sin(angle), Math.cos(angle)), 16);
  reset(scratch);
  return DONE;
}

/** Where refinement begins: the best rotations, then quarter turns in the frame. Returns how many. */
function chooseStarts(onto: usize, from: usize, coarseOnto: usize, coarseFrom: usize): i32 {
  const scale = Math.min(MOST_SCALE, Math.max(1 / MOST_SCALE, load<f64>(onto, 16) / load<f64>(from, 16)));
  const fromX = load<f64>(from), fromY = load<f64>(from, 8);
  for (let i: i32 = 0; i < TURNS; i++) {
    const rotation = (2 * Math.PI * <f64>i) / <f64>TURNS;
    const cos = scale * Math.cos(rotation), sin = scale * Math.sin(rotation);
    const laid = TRIED + LAID * <usize>i;
    store<f64>(laid, load<f64>(onto) - (cos * fromX - sin * fromY));
    store<f64>(laid, load<f64>(onto, 8) - (sin * fromX + cos * fromY), 8);
    store<f64>(laid, rotation, 16);
    store<f64>(laid, scale, 24);
    store<f64>(laid, differenceOf(coarseOnto, coarseFrom, TRIED_POINTS, laid), 32);
  }
  let count: i32 = 0;
  for (; count < IMPROVED; count++) {
    let best: usize = 0;
    for (let i: i32 = 0; i < TURNS; i++) {
      const own = load<f64>(TRIED + LAID * <usize>i, 32);
      if (isTaken(i, count) || own > differenceAt(i - 1) || own > differenceAt(i + 1)) continue;
      if (best === 0 || own < load<f64>(best, 32)) best = TRIED + LAID * <usize>i;
    }
    if (best === 0) break;
    memory.copy(STARTS + LAID * <usize>count, best, LAID);
  }
  // Similar views with some different lines fill their frames equally, while the centres of their lines differ.
  for (let quarter: i32 = 0; quarter < QUARTERS; quarter++, count++) {
    const laid = STARTS + LAID * <usize>count;
    store<f64>(laid, 0);
    store<f64>(laid, 0, 8);
    store<f64>(laid, (<f64>quarter * Math.PI) / 2, 16);
    store<f64>(laid, 1, 24);
  }
  return count;
}

/** Whether a tried rotation is among the first starts. */
function isTaken(turn: i32, starts: i32): bool {
  const rotation = load<f64>(TRIED + LAID * <usize>turn, 16);
  for (let i: i32 = 0; i < starts; i++) if (load<f64>(STARTS + LAID * <usize>i, 16) === rotation) return true;
  return false;
}

// @ts-ignore: decorator
@inline
function differenceAt(turn: i32): f64 {
  return load<f64>(TRIED + LAID * <usize>((turn + TURNS) % TURNS), 32);
}

/** The first of those with the least difference. */
function bestOf(laid: usize, count: i32): usize {
  let best = laid;
  for (let i: i32 = 1; i < count; i++)
    if (load<f64>(laid + LAID * <usize>i, 32) < load<f64>(best, 32)) best = laid + LAID * <usize>i;
  return best;
}
