import { middleOf, TurnedFrame } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import { plainSigns } from '../dimension-text.js';
import { isWithinEllipse, type Ellipse, type LineIndex, type Ring } from '../line-index.js';
import { PMI_TYPE } from '../pmi.js';
import { boxOfLine, type TextLine } from '../text-lines.js';
import type { Framed, SignReader } from './control-frames.js';
import { levelLine } from './level-letters.js';

/** The name of a target: the letter of its datum with a number. */
export const TARGET = /^[A-Z]\d{1,2}$/;
/** How far from its middle the tip of a movable target is at most, in halves of its width. */
const MOST_POINTED = 4;

/**
 * A datum target: a letter with a number in the lower half of a circle, the size of its area in the upper half (ISO
 * 5459).
 */
export function datumTargets(lines: readonly TextLine[], index: LineIndex): Framed[] {
  return lines
    .filter(({ text }) => TARGET.test(text))
    .flatMap((line): Framed[] => {
      const middle = middleOf(boxOfLine(line));
      const ring = index.rings.find(
        ({ x, y, radius }) =>
          radius > 0.9 * line.height &&
          radius < 3.5 * line.height &&
          Math.abs(middle.x - x) < 0.5 * radius &&
          middle.y > y &&
          middle.y < y + radius,
      );
      if (ring === undefined) return targetInEllipse(line, lines, index);
      if (/^M\d/.test(line.text) && !isHalved(ring, index)) return [];
      const within = lines
        .map((other) => ({ other, ...middleOf(boxOfLine(other)) }))
        .filter(({ x, y }) => Math.hypot(x - ring.x, y - ring.y) < ring.radius)
        .sort((a, b) => a.y - b.y)
        .map(({ other }) => other);
      const box = { x: ring.x - ring.radius, y: ring.y - ring.radius, width: 2 * ring.radius, height: 2 * ring.radius };
      const parts = within.map(({ text }) => ({ text: plainSigns(text) }));
      return [{ findings: [{ type: PMI_TYPE.datum, box, parts }], taken: within }];
    });
}

/** What of a target's lower half is read, in radii: its middle below that of the circle, its width and its height. */
const LOWER_HALF = [0.47, 1.1, 0.7] as const;
/** Height of a target's letter, in radii. */
const LETTER = 0.55;
/** Radii of circles that may be those of targets, in heights of a font. */
const RADIUS = [0.9, 3.5] as const;

/**
 * The lines with the names of targets that were not read, or only in part: circles of pixels that a bar halves are read
 * in their lower halves.
 */
export function withNamesOfTargets(
  lines: readonly TextLine[],
  index: LineIndex,
  textIn: SignReader['textIn'],
): readonly TextLine[] {
  const height = medianOf(lines.map((line) => line.height));
  if (textIn === undefined || height === undefined) return lines;
  const names: TextLine[] = [];
  const taken = new Set<TextLine>();
  for (const ring of index.rings) {
    const { x, y, radius } = ring;
    if (radius < RADIUS[0] * height || radius > RADIUS[1] * height || !isHalved(ring, index)) continue;
    const within = lines.filter((line) => {
      const middle = middleOf(boxOfLine(line));
      return Math.hypot(middle.x - x, middle.y - y) < radius && middle.y > y;
    });
    if (within.some(({ text }) => TARGET.test(text))) continue;
    const [below, wide, high] = LOWER_HALF.map((share) => share * radius);
    const said = textIn({ x, y: y + below, angleRad: 0, width: wide, height: high }, LETTER * radius);
    if (said === undefined || !TARGET.test(said)) continue;
    for (const line of within) taken.add(line);
    names.push(levelLine(said, { x, y: y + below }, LETTER * radius));
  }
  return names.length === 0 ? lines : [...lines.filter((line) => !taken.has(line)), ...names];
}

/** Whether a stroke parts a circle in its middle, as in targets: a thread may stand within the circle of its hole. */
function isHalved({ x, y, radius }: Ring, index: LineIndex): boolean {
  const bars = index.near(x, y, 0.3 * radius);
  return hasBar(
    bars,
    { x, y, halfWidth: radius, halfHeight: radius },
    { slope: 0.1, height: 0.3, middle: 0.1, length: 0.2 },
  );
}

/** A target in the plane of a pictorial view: its circle is an ellipse, which a bar along the text halves. */
function targetInEllipse(line: TextLine, lines: readonly TextLine[], index: LineIndex): Framed[] {
  const { angleRad, height } = line;
  const frame = new TurnedFrame(angleRad);
  const middle = middleOfLine(line);
  const ellipse = index.ellipses.find(
    (each) =>
      each.major > 0.9 * height &&
      each.minor < 3.5 * height &&
      frame.t(middle.x, middle.y) > frame.t(each.x, each.y) &&
      isWithinEllipse(each, middle.x, middle.y) &&
      isBarred(each, frame, index),
  );
  if (ellipse === undefined) return [];
  const within = lines
    .map((other) => ({ other, ...middleOfLine(other) }))
    .filter(({ other, x, y }) => other.angleRad === angleRad && isWithinEllipse(ellipse, x, y))
    .sort((a, b) => a.other.t - b.other.t)
    .map(({ other }) => other);
  const [a, b, c] = ellipse.conic;
  // Half the width and the height of the box around it.
  const det = a * c - (b * b) / 4;
  const [wide, high] = [Math.sqrt(c / det), Math.sqrt(a / det)];
  const box = { x: ellipse.x - wide, y: ellipse.y - high, width: 2 * wide, height: 2 * high };
  const parts = within.map(({ text }) => ({ text: plainSigns(text) }));
  return [{ findings: [{ type: PMI_TYPE.datum, box, parts }], taken: within }];
}

function middleOfLine({ angleRad, start, end, t, height }: TextLine): { readonly x: number; readonly y: number } {
  return new TurnedFrame(angleRad).point((start + end) / 2, t - 0.36 * height);
}

/**
 * Whether a line along the text goes through the middle of an ellipse, from side to side. Of a movable target it goes
 * on to the tip where two lines about the circle meet (ISO 5459).
 */
function isBarred({ x, y, minor, conic: [a, b, c] }: Ellipse, frame: TurnedFrame, index: LineIndex): boolean {
  const { cos, sin } = frame;
  const half = 1 / Math.sqrt(a * cos * cos + b * cos * sin + c * sin * sin);
  const [s, t] = [frame.s(x, y), frame.t(x, y)];
  const bars = index.nearIn(frame, s, t, 0.3 * minor);
  const ring = { x: s, y: t, halfWidth: half, halfHeight: minor };
  const within = { slope: 0.15, height: 0.25, middle: 0.2, length: 0.3 };
  if (hasBar(bars, ring, within)) return true;
  const pointed = bars.flatMap((bar) => {
    const [left, right] = bar.x0 < bar.x1 ? [bar.x0, bar.x1] : [bar.x1, bar.x0];
    const isLeft = s - left > right - s;
    const tip = isLeft ? left : right;
    const isTip =
      Math.abs(tip - s) < MOST_POINTED * half &&
      index.nearIn(frame, tip, bar.y0, 0.3 * minor).filter(({ x0, y0, x1, y1 }) => {
        const isFirst = Math.hypot(x0 - tip, y0 - bar.y0) < Math.hypot(x1 - tip, y1 - bar.y0);
        const [nearX, nearY, farX, farY] = isFirst ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
        const isAtTip = Math.hypot(nearX - tip, nearY - bar.y0) < 0.1 * minor;
        return isAtTip && Math.abs(farY - bar.y0) > 0.3 * minor && Math.abs(farX - s) < half;
      }).length >= 2;
    return isTip ? [{ ...bar, x0: isLeft ? s - half : left, x1: isLeft ? right : s + half }] : [];
  });
  return hasBar(pointed, ring, within);
}

/**
 * Whether a line goes level through the middle of a ring, from side to side.
 * within: how much its ends, its height, its middle and its length may be off: the first two in halves of the ring's
 * height, the others in halves of its width.
 */
function hasBar(
  lines: readonly { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }[],
  ring: { readonly x: number; readonly y: number; readonly halfWidth: number; readonly halfHeight: number },
  within: { readonly slope: number; readonly height: number; readonly middle: number; readonly length: number },
): boolean {
  const { x, y, halfWidth, halfHeight } = ring;
  return lines.some(
    ({ x0, y0, x1, y1 }) =>
      Math.abs(y0 - y1) < within.slope * halfHeight &&
      Math.abs((y0 + y1) / 2 - y) < within.height * halfHeight &&
      Math.abs((x0 + x1) / 2 - x) < within.middle * halfWidth &&
      Math.abs(Math.abs(x1 - x0) - 2 * halfWidth) < within.length * halfWidth,
  );
}
