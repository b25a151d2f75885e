import type { PixelBox } from '../../bitmap/bitmap.js';
import { distanceTo, lengthOf } from '../../content/geometry.js';
import type { InkLine } from './ink-lines.js';
import type { PageInk } from './page-ink.js';

/** Slanted lines beside a text: how far from it, and how long they are, in heights of letters; most of them. */
const BESIDE = 1.5;
const LONG = 2;
const MOST = 2;
/** Lines nearer to level and upright are these; directions that differ by less are one, radians. */
const LEAST = 0.05;
const ONE = 0.04;
/** The box around a letter, in heights of letters: its sides, and how far they are from the letter's middle. */
const SIDE = [1.2, 3.2] as const;
const AWAY = [0.5, 1.7] as const;
/** How far the middle of a letter is off the middle of a side, as a share of it. */
const OFF = 0.25;
/** A block that is smaller is a single letter, in heights of letters. */
const SINGLE = 2;
const SQUARE = 0.12;
/** How far the sides of a rectangle reach and stand from the middle of its text, as a share of the text's size. */
const SHARE = 0.3;
const QUARTER = Math.PI / 2;

/** Directions that lines about a text suggest, radians. */
export interface Slants {
  /** Those of slanted lines beside it: the text may run along one. */
  readonly beside: readonly number[];
  /** Those of the sides of a square box about it: the text runs along one of two. */
  readonly boxed: readonly number[];
}

/** The directions of slanted lines that pass a box, the nearest first, and of the box around a single letter. */
export function slantsBeside({ lines, letter }: Pick<PageInk, 'lines' | 'letter'>, box: PixelBox): Slants {
  const x = (box.x0 + box.x1) / 2,
    y = (box.y0 + box.y1) / 2;
  const size = Math.hypot(box.x1 - box.x0, box.y1 - box.y0);
  const reach = Math.max(size / 2 + BESIDE * letter, AWAY[1] * letter);
  const near: { readonly line: InkLine; readonly rad: number; readonly away: number; readonly isEven: boolean }[] = [];
  for (const line of lines) {
    const turn = Math.atan2(line.y1 - line.y0, line.x1 - line.x0);
    const rad = turn > QUARTER ? turn - Math.PI : turn <= -QUARTER ? turn + Math.PI : turn;
    const isEven = Math.abs(rad) < LEAST || QUARTER - Math.abs(rad) < LEAST;
    if (isEven && size >= SINGLE * letter) continue;
    const away = distanceTo(line, x, y);
    if (away < reach) near.push({ line, rad, away, isEven });
  }
  near.sort((a, b) => a.away - b.away);
  const beside: number[] = [];
  for (const { line, rad, isEven } of near)
    if (
      !isEven &&
      beside.length < MOST &&
      lengthOf(line) > LONG * letter &&
      !beside.some((other) => Math.abs(other - rad) < ONE)
    )
      beside.push(rad);
  const boxed =
    size < SINGLE * letter ? boxAbout(near, { x, y, letter }) : rectangleAbout(near, { x, y, letter, size });
  return { beside, boxed };
}

/** The two directions of four lines that stand about a place as a square does; none where they do not. */
function boxAbout(
  near: readonly { readonly line: InkLine; readonly rad: number }[],
  { x, y, letter }: { readonly x: number; readonly y: number; readonly letter: number },
): readonly number[] {
  const sides: { readonly rad: number; readonly outRad: number }[] = [];
  for (const { line, rad } of near) {
    const length = lengthOf(line);
    if (length < SIDE[0] * letter || length > SIDE[1] * letter) continue;
    const [along, across] = [(line.x1 - line.x0) / length, (line.y1 - line.y0) / length];
    const foot = (x - line.x0) * along + (y - line.y0) * across,
      away = (x - line.x0) * across - (y - line.y0) * along;
    if (Math.abs(away) < AWAY[0] * letter || Math.abs(away) > AWAY[1] * letter) continue;
    if (Math.abs(foot - length / 2) > OFF * length) continue;
    sides.push({ rad, outRad: Math.atan2(across, along) + (away > 0 ? QUARTER : -QUARTER) });
  }
  for (const { rad, outRad } of sides) {
    const isBox = [1, 2, 3].every((quarter) =>
      sides.some((other) => Math.cos(other.outRad - outRad - quarter * QUARTER) > 1 - SQUARE * SQUARE),
    );
    if (!isBox) continue;
    if (Math.min(Math.abs(rad), QUARTER - Math.abs(rad)) < LEAST) return [0, -QUARTER];
    return [rad, rad > 0 ? rad - QUARTER : rad + QUARTER];
  }
  return [];
}

/**
 * The direction of a slanted rectangle about a text, along its long sides; none where there is none. A text that leans
 * by a few degrees may be read level as well.
 */
function rectangleAbout(
  near: readonly { readonly line: InkLine; readonly rad: number }[],
  { x, y, letter, size }: { readonly x: number; readonly y: number; readonly letter: number; readonly size: number },
): readonly number[] {
  for (const { line, rad } of near) {
    const cos = Math.cos(rad),
      sin = Math.sin(rad);
    const placed = near.map(({ line: { x0, y0, x1, y1 }, rad: other }) => {
      const [s0, s1] = [(x0 - x) * cos + (y0 - y) * sin, (x1 - x) * cos + (y1 - y) * sin];
      const [t0, t1] = [(y0 - y) * cos - (x0 - x) * sin, (y1 - y) * cos - (x1 - x) * sin];
      return {
        turn: Math.sin(other - rad),
        s: [Math.min(s0, s1), Math.max(s0, s1)],
        t: [Math.min(t0, t1), Math.max(t0, t1)],
      };
    });
    if (lengthOf(line) < LONG * letter) continue;
    const isLong = (side: number): boolean =>
      placed.some(({ turn, s, t }) => {
        const away = (side * (t[0] + t[1])) / 2;
        if (Math.abs(turn) > ONE || away < AWAY[0] * letter || away > AWAY[1] * letter) return false;
        return s[0] < -SHARE * size && s[1] > SHARE * size;
      });
    const isShort = (side: number): boolean =>
      placed.some(({ turn, s, t }) => {
        const away = (side * (s[0] + s[1])) / 2;
        if (Math.abs(turn) < 1 - ONE * ONE || away < SHARE * size || away > size / 2 + BESIDE * letter) return false;
        return t[0] < -AWAY[0] * letter && t[1] > AWAY[0] * letter && t[1] - t[0] < SIDE[1] * letter;
      });
    if ([-1, 1].every((side) => isLong(side) && isShort(side))) return [rad];
  }
  return [];
}
