import type { Component, Components, PixelBox } from '../../../bitmap/bitmap.js';
import { longerSide } from '../../../content/geometry.js';
import type { InkLine } from '../ink-lines.js';

/** Longer and shorter sides of such a piece, in heights of letters. */
const LONG = [1.2, 3] as const;
const SHORT = [0.6, 2.4] as const;
/** The share of a side, above which a value may reach, and of the line between the sides, that is ink. */
const SOLID_SIDE = 0.78;
const SOLID = 0.88;
/** Least length of its sides, in heights of letters: letters that touch each other have no longer ones. */
const HIGH = 1.35;
/** Least distance of its sides, in heights of letters: that of strokes of two letters that touch each other is less. */
const WIDE = 0.7;
/** How far from its ends a side may be, as a share of the piece's length across the sides. */
const SIDE = 0.22;
/**
 * Where the line between the sides stands, as a share of their length: an H has its bar there too, but holds nothing.
 */
const BAR = [0.08, 0.92] as const;
/** Heads of arrows reach so far from their line, in heights of letters. */
const HEAD = 0.38;
/**
 * A value between the sides: its least room, and the ink that it has there, in heights of letters and their squares.
 */
const ROOM = 0.7;
const VALUE_INK = 0.08;

/** The short lines about a value: two extension lines and the dimension line between them. */
export interface Bracket {
  readonly lines: readonly InkLine[];
  /** The dimension line with its heads. */
  readonly bar: PixelBox;
}

/**
 * Short dimension lines with both of their extension lines, which are no longer than letters and hold a value between
 * them that touches them or stands apart: pieces in the form of an H, level or upright.
 */
export function bracketsOf(
  { list, labels }: Components,
  isSmall: (number: number) => boolean,
  { letter, width, bits }: { readonly letter: number; readonly width: number; readonly bits: Uint8Array },
): Bracket[] {
  return list.flatMap((component, number) => {
    const { x0, y0, x1, y1 } = component.box;
    const long = longerSide(component.box),
      short = Math.min(x1 - x0, y1 - y0);
    if (number === 0 || !isSmall(number)) return [];
    if (long < LONG[0] * letter || long > LONG[1] * letter) return [];
    if (short < SHORT[0] * letter || short > SHORT[1] * letter) return [];
    const ink = (x: number, y: number): boolean => labels[y * width + x] === number;
    const any = (x: number, y: number): boolean => bits[y * width + x] !== 0;
    return (
      bracketOf(component, { isLevel: true, letter, ink, any }) ??
      bracketOf(component, { isLevel: false, letter, ink, any }) ??
      []
    );
  });
}

interface Place {
  /** Whether its dimension line is level. */
  readonly isLevel: boolean;
  readonly letter: number;
  /** Whether a pixel is of the piece, and whether it is ink at all. */
  readonly ink: (x: number, y: number) => boolean;
  readonly any: (x: number, y: number) => boolean;
}

function bracketOf({ box }: Component, { isLevel, letter, ink, any }: Place): Bracket[] | undefined {
  const [u0, u1, v0, v1] = isLevel ? [box.x0, box.x1, box.y0, box.y1] : [box.y0, box.y1, box.x0, box.x1];
  const [long, high] = [u1 - u0, v1 - v0];
  if (high < HIGH * letter) return undefined;
  const set = (u: number, v: number): boolean => (isLevel ? ink(u, v) : ink(v, u));
  const dark = (u: number, v: number): boolean => (isLevel ? any(u, v) : any(v, u));
  const shareOf = (u: number): number => {
    let count = 0;
    for (let v = v0; v < v1; v++) if (set(u, v)) count++;
    return count / high;
  };
  const most = Math.max(2, Math.round(SIDE * long));
  const sideFrom = (start: number, step: 1 | -1): readonly [number, number] | undefined => {
    let [first, last] = [-1, -1];
    for (let i = 0; i < most; i++) {
      if (shareOf(start + step * i) >= SOLID_SIDE) {
        if (first < 0) first = i;
        last = i;
      } else if (first >= 0) break;
    }
    if (first < 0) return undefined;
    const ends = [start + step * first, start + step * last];
    return [Math.min(...ends), Math.max(...ends) + 1];
  };
  const left = sideFrom(u0, 1),
    right = sideFrom(u1 - 1, -1);
  if (left === undefined || right === undefined || right[0] - left[1] < WIDE * letter) return undefined;
  const [from, to] = [left[1], right[0]];
  const inked = (v: number): number => {
    let count = 0;
    for (let u = from; u < to; u++) if (set(u, v)) count++;
    return count / (to - from);
  };
  let bar = -1;
  for (let v = Math.round(v0 + BAR[0] * high); v < v0 + BAR[1] * high; v++)
    if (inked(v) >= SOLID && (bar < 0 || inked(v) > inked(bar))) bar = v;
  if (bar < 0) return undefined;
  // The line with its heads ends where the room between the sides is clear; where a value touches it, sooner.
  const reach = Math.round(HEAD * letter);
  const endOf = (step: 1 | -1): number => {
    for (let i = 1; i <= reach; i++) if (inked(bar + step * i) === 0) return bar + step * (i - 1);
    return bar + step * Math.round(reach / 2);
  };
  const [top, bottom] = [endOf(-1), endOf(1)];
  const inkWithin = (low: number, end: number): number => {
    let count = 0;
    for (let v = low; v < end; v++) for (let u = from; u < to; u++) if (dark(u, v)) count++;
    return count;
  };
  const above = top - v0 >= ROOM * letter && inkWithin(v0, top) > VALUE_INK * letter * letter,
    below = v1 - bottom - 1 >= ROOM * letter && inkWithin(bottom + 1, v1) > VALUE_INK * letter * letter;
  if (above === below) return undefined;
  const lineOf = (x0: number, y0: number, x1: number, y1: number, thickness: number): InkLine =>
    isLevel ? { x0, y0, x1, y1, thickness } : { x0: y0, y0: x0, x1: y1, y1: x1, thickness };
  const sideOf = ([first, end]: readonly [number, number]): InkLine => {
    const at = (first + end) / 2;
    return lineOf(at, v0, at, v1, end - first + 1);
  };
  const boxOf = isLevel ? { x0: from, y0: top, x1: to, y1: bottom + 1 } : { x0: top, y0: from, x1: bottom + 1, y1: to };
  return [{ lines: [sideOf(left), sideOf(right), lineOf(from, bar + 0.5, to, bar + 0.5, 1)], bar: boxOf }];
}
