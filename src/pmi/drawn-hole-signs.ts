import { isLevel, isUpright, lengthOf, type TurnedFrame } from '../content/geometry.js';
import type { Edge, LineIndex } from './line-index.js';
import type { Placed } from './placed-text.js';

/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.35;
/**
 * A drawn sign of depth, in letter heights: length of its bar and shaft, and how far its middle is before the number.
 */
const DEPTH_BAR = [0.4, 1.1] as const;
const DEPTH_SHAFT = [0.4, 1.1] as const;
const DEPTH_BEFORE = [0.2, 1.3] as const;
/** How far above the baseline its shaft ends: at the back of its arrowhead, or in it; and how far below. */
const SHAFT_ABOVE = 0.5;
const SHAFT_BELOW = 0.15;
/** Drawn ⌴ ⌵ □, in letter heights: width, height, how far their foot is off the baseline, and the gap behind them. */
const SINK_WIDTH = [0.4, 1.6] as const;
const SINK_HEIGHT = [0.3, 1.2] as const;
const SINK_FOOT = 0.25;
const SINK_BEFORE = [0, 0.9] as const;
/** With more short edges about a text it stands in a hatch. */
const MOST_EDGES = 80;
/** Legs of a ⌵ differ by less, as a share: those of a mark of finish are unequal. */
const EQUAL_LEGS = 0.25;
/** Ends that meet are nearer, in letter heights. */
const MEETS = 0.08;

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most;
}

/**
 * A bar at the height of the capitals' top, and a shaft from its middle down to the tip or the back of the arrowhead on
 * the baseline.
 */
export function depthBefore(
  { text, start, t, height }: Placed,
  index: LineIndex,
  frame: TurnedFrame,
): Placed | undefined {
  if (!/^[\d.,]/.test(text)) return undefined;
  const edges = index.nearIn(frame, start - 0.6 * height, t - MIDDLE * height, 0.8 * height);
  for (const shaft of edges) {
    const top = Math.min(shaft.y0, shaft.y1),
      x = (shaft.x0 + shaft.x1) / 2;
    if (
      !isUpright(shaft, 0.05) ||
      !isWithin(lengthOf(shaft) / height, DEPTH_SHAFT) ||
      !isWithin((start - x) / height, DEPTH_BEFORE) ||
      !isWithin((t - Math.max(shaft.y0, shaft.y1)) / height, [-SHAFT_BELOW, SHAFT_ABOVE])
    )
      continue;
    const bar = edges.find(
      (edge) =>
        isLevel(edge, 0.05) &&
        isWithin(lengthOf(edge) / height, DEPTH_BAR) &&
        Math.abs(edge.y0 - top) < 0.12 * height &&
        Math.abs((edge.x0 + edge.x1) / 2 - x) < 0.1 * height,
    );
    const heads = edges.filter(
      (edge) =>
        !isUpright(edge, 0.05) &&
        !isLevel(edge, 0.05) &&
        lengthOf(edge) < 0.9 * height &&
        [edge.x0, edge.x1].some((end, i) => Math.hypot(end - x, [edge.y0, edge.y1][i] - t) < 0.15 * height),
    );
    if (bar !== undefined && heads.length === 2)
      return { text: '↧', start: Math.min(bar.x0, bar.x1), end: Math.max(bar.x0, bar.x1), t, height };
  }
  return undefined;
}

/** ⌴ ⌵ or □ before a number or a ⌀: a foot with two legs, two legs alone, a closed box. */
export function sinkBefore(
  { text, start, t, height }: Placed,
  index: LineIndex,
  frame: TurnedFrame,
): Placed | undefined {
  if (!/^[⌀Øø∅\d.,]/.test(text)) return undefined;
  const edges = index
    .nearIn(frame, start - 0.8 * height, t - MIDDLE * height, 1.2 * height)
    .filter((edge) => lengthOf(edge) < SINK_WIDTH[1] * height)
    .map(footed);
  if (edges.length > MOST_EDGES) return undefined;
  const isFoot = (y: number): boolean => Math.abs(y - t) < SINK_FOOT * height;
  const made = (sign: string, left: number, right: number): Placed | undefined =>
    isWithin((right - left) / height, SINK_WIDTH) && isWithin((start - right) / height, SINK_BEFORE)
      ? { text: sign, start: left, end: right, t, height }
      : undefined;
  for (const bar of edges.filter((edge) => isLevel(edge, 0.05) && isFoot(edge.y0))) {
    const [left, right] = [Math.min(bar.x0, bar.x1), Math.max(bar.x0, bar.x1)];
    const legs = [left, right].map((x) =>
      edges.find(
        (leg) =>
          isUpright(leg, 0.05) &&
          isWithin(lengthOf(leg) / height, SINK_HEIGHT) &&
          Math.hypot(leg.x0 - x, leg.y0 - bar.y0) < MEETS * height,
      ),
    );
    const [one, other] = legs;
    if (one === undefined || other === undefined || Math.abs(one.y1 - other.y1) > MEETS * height) continue;
    const isClosed = edges.some(
      (lid) =>
        isLevel(lid, 0.05) &&
        Math.abs(lid.y0 - one.y1) < MEETS * height &&
        Math.abs(Math.min(lid.x0, lid.x1) - left) < MEETS * height,
    );
    const isSquare = Math.abs(lengthOf(one) - (right - left)) < 0.15 * height;
    if (isClosed && !isSquare) continue;
    const found = made(isClosed ? '□' : '⌴', left, right);
    if (found !== undefined) return found;
  }
  const legs = edges.filter(
    (edge) =>
      isFoot(edge.y0) && !isLevel(edge, 0.3) && !isUpright(edge, 0.1) && lengthOf(edge) > SINK_HEIGHT[0] * height,
  );
  for (const one of legs.filter((leg) => leg.x1 < leg.x0))
    for (const other of legs.filter((leg) => leg.x1 > leg.x0)) {
      // Below a shaft they are the arrowhead of a ↧.
      const hasShaft = edges.some(
        (edge) => isUpright(edge, 0.05) && Math.hypot(edge.x0 - one.x0, edge.y0 - one.y0) < MEETS * height,
      );
      const areLegs =
        !hasShaft &&
        Math.hypot(one.x0 - other.x0, one.y0 - other.y0) < MEETS * height &&
        Math.abs(lengthOf(one) - lengthOf(other)) < EQUAL_LEGS * lengthOf(one) &&
        Math.abs(one.y1 - other.y1) < 2 * MEETS * height;
      const found = areLegs ? made('⌵', one.x1, other.x1) : undefined;
      if (found !== undefined) return found;
    }
  return undefined;
}

/** An edge from its lower end up; y points down. */
function footed(edge: Edge): Edge {
  const { x0, y0, x1, y1 } = edge;
  return y0 >= y1 ? edge : { ...edge, x0: x1, y0: y1, x1: x0, y1: y0 };
}
