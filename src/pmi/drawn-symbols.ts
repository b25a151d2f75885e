import { isLevel, isUpright, lengthOf, TurnedFrame } from '../content/geometry.js';
import type { Sheet } from '../content/sheet.js';
import type { Finding } from './finding.js';
import { frameAbout } from './frames/drawn-frames.js';
import type { Edge, LineIndex, Ring } from './line-index.js';
import { boxOfBoxes, boxOfPoints } from './page-frame.js';
import { PMI_TYPE, type PmiTypeId } from './pmi.js';
import { boxOfLine, type TextLine } from './text-lines.js';

/** A symbol and the lines of text that belong to it. */
export interface DrawnSymbol {
  readonly finding: Finding;
  readonly lines: readonly TextLine[];
}

const MOST_RINGS = 3_000;
const MOST_LEGS = 4_000;
/** Length of the long leg of a surface mark, as shares of the sheet's longer side. */
const LEG = [0.004, 0.06] as const;
const VALUE = /^(?:R[a-z]{1,4}\d?\s?)?\d+(?:[.,]\d+)?(?:\s?[µμ]m)?$|^N(?:[1-9]|1[0-2])$/;
const EDGE_VALUE = /^[+\-−±]\s?\d*[.,]?\d+$/;

/** Symbols of the projection method (ISO 5456-2): a truncated cone in side view beside two concentric circles. */
export function projectionSymbols(index: LineIndex): Finding[] {
  const rings = index.rings.slice(0, MOST_RINGS);
  return rings.flatMap((inner): Finding[] => {
    const outer = rings.find(
      (other) =>
        other.radius > 1.25 * inner.radius &&
        other.radius < 4 * inner.radius &&
        Math.hypot(other.x - inner.x, other.y - inner.y) < 0.08 * other.radius,
    );
    if (outer === undefined) return [];
    for (const frame of [TurnedFrame.LEVEL, TurnedFrame.DOWNWARD]) {
      const found = coneBeside(index, inner, outer, frame);
      if (found !== undefined) return [found];
    }
    return [];
  });
}

/**
 * Works in a frame in which cone and circles lie beside each other along x. In third angle projection the cone's small
 * end faces the circles.
 */
function coneBeside(index: LineIndex, inner: Ring, outer: Ring, frame: TurnedFrame): Finding | undefined {
  const { radius } = outer;
  const s = frame.s(outer.x, outer.y),
    t = frame.t(outer.x, outer.y);
  const bars = index
    .near(outer.x, outer.y, 9 * radius)
    .map((edge) => frame.turned(edge))
    .filter(
      (edge) =>
        isUpright(edge, 0.05) &&
        Math.abs((edge.y0 + edge.y1) / 2 - t) < 0.15 * radius &&
        Math.abs(edge.x0 - s) > 1.05 * radius,
    );
  const ofLength = (length: number): Edge[] =>
    bars.filter(({ y0, y1 }) => Math.abs(Math.abs(y1 - y0) - length) < 0.2 * length);
  for (const large of ofLength(2 * radius)) {
    for (const small of ofLength(2 * inner.radius)) {
      const a = large.x0 - s,
        b = small.x0 - s;
      if (a * b < 0 || Math.abs(a - b) < 0.5 * radius || Math.abs(a - b) > 6 * radius) continue;
      const corners = [
        frame.point(Math.min(s - radius, large.x0, small.x0), t - radius),
        frame.point(Math.max(s + radius, large.x0, small.x0), t + radius),
      ];
      return {
        type: Math.abs(b) < Math.abs(a) ? PMI_TYPE.thirdAngle : PMI_TYPE.firstAngle,
        box: boxOfPoints(corners),
        parts: [],
      };
    }
  }
  return undefined;
}

/**
 * Surface finish marks (ISO 1302) with their values: two legs at 60°, closed by a bar, holding a circle, or open.
 * @param isOfPixels whether the lines were seen in pixels, where grain, slots and corners look like marks: of those
 * without a value none is taken.
 */
export function finishSymbols(
  sheet: Sheet,
  lines: readonly TextLine[],
  index: LineIndex,
  isOfPixels = false,
): DrawnSymbol[] {
  const found: DrawnSymbol[] = [];
  const side = Math.max(sheet.width, sheet.height);
  for (const angleRad of [0, -Math.PI / 2]) {
    const frame = new TurnedFrame(angleRad);
    let legs = 0;
    for (const edge of index.edges) {
      const length = lengthOf(edge);
      if (length < LEG[0] * side || length > LEG[1] * side) continue;
      const leg = downward(frame.turned(edge));
      if (!isAt(leg, 60) || legs++ > MOST_LEGS) continue;
      const mark = markOf(index, edge, leg, length, frame);
      if (mark === undefined) continue;
      const values = lines.filter(
        (line) =>
          Math.abs(line.angleRad - angleRad) < 0.05 &&
          VALUE.test(line.text) &&
          line.start > mark.left - 4 * line.height &&
          line.start < mark.right + 1.5 * length &&
          line.t > mark.top - 0.6 * length &&
          line.t < mark.bottom &&
          line.height < 1.2 * length,
      );
      // Two open legs without a value are something else, for instance part of a letter.
      if (values.length === 0 && (isOfPixels || mark.type === PMI_TYPE.finishAny)) continue;
      const corners = [frame.point(mark.left, mark.top), frame.point(mark.right, mark.bottom)];
      found.push({
        lines: values,
        finding: {
          type: mark.type,
          box: boxOfBoxes([boxOfPoints(corners), ...values.map((line) => boxOfLine(line))]),
          parts: values.map(({ text }) => ({ text })),
        },
      });
    }
  }
  return found;
}

interface Mark {
  readonly type: PmiTypeId;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** @param leg the long one, its lower end first, in the frame of the mark. */
function markOf(index: LineIndex, edge: Edge, leg: Edge, length: number, frame: TurnedFrame): Mark | undefined {
  const near = index.near((edge.x0 + edge.x1) / 2, (edge.y0 + edge.y1) / 2, length).map((other) => frame.turned(other));
  const at = (x: number, y: number, toX: number, toY: number, slack: number): boolean =>
    Math.hypot(x - toX, y - toY) < slack * length;
  const short = near.map(downward).find((other) => {
    const size = lengthOf(other);
    return (
      size > 0.28 * length && size < 0.75 * length && at(other.x0, other.y0, leg.x0, leg.y0, 0.05) && isAt(other, 120)
    );
  });
  if (short === undefined) return undefined;
  const level = near.filter(
    ({ x0, y0, x1, y1 }) => Math.abs(y1 - y0) < 0.04 * length && Math.abs(x1 - x0) > 0.15 * length,
  );
  const from = (x: number, y: number, slack: number): Edge | undefined =>
    level.find(({ x0, y0, x1, y1 }) => (at(x0, y0, x, y, slack) && x1 > x0) || (at(x1, y1, x, y, slack) && x0 > x1));
  const isLong = from(leg.x1, leg.y1, 0.05) !== undefined;
  const isClosed = from(short.x1, short.y1, 0.06) !== undefined;
  const high = leg.y0 - short.y1;
  const isRound = index.rings.some(({ x, y, radius }) => {
    const s = frame.s(x, y),
      t = frame.t(x, y);
    return (
      radius > 0.15 * high &&
      radius < 0.6 * high &&
      Math.abs(s - leg.x0) < 0.2 * high &&
      t < leg.y0 &&
      t > short.y1 - 0.3 * high
    );
  });
  const [round, closed, open] = isLong
    ? ([PMI_TYPE.textureProhibited, PMI_TYPE.textureRequired, PMI_TYPE.textureAny] as const)
    : ([PMI_TYPE.finishProhibited, PMI_TYPE.finishMachining, PMI_TYPE.finishAny] as const);
  const type = isRound ? round : isClosed ? closed : open;
  return { type, left: short.x1, right: leg.x1, top: leg.y1, bottom: leg.y0 };
}

/** With its lower end first. */
function downward(edge: Edge): Edge {
  return edge.y0 >= edge.y1 ? edge : { x0: edge.x1, y0: edge.y1, x1: edge.x0, y1: edge.y0, stroke: edge.stroke };
}

function isAt({ x0, y0, x1, y1 }: Edge, degrees: number): boolean {
  return Math.abs((Math.atan2(y0 - y1, x1 - x0) * 180) / Math.PI - degrees) < 6;
}

/**
 * Symbols for the state of edges (ISO 13715): a corner with a value in it, open to the lower right for outer edges, to
 * the upper right for inner edges.
 */
export function edgeSymbols(lines: readonly TextLine[], index: LineIndex): DrawnSymbol[] {
  return lines
    .filter(({ text, angleRad }) => EDGE_VALUE.test(text) && Math.abs(angleRad) < 0.05)
    .flatMap((line): DrawnSymbol[] => {
      if (frameAbout(line, index) !== undefined) return [];
      const { height, start, end, t } = line;
      const middle = t - 0.35 * height;
      const edges = index
        .near((start + end) / 2, middle, (end - start) / 2 + 2 * height)
        .filter((edge) => lengthOf(edge) < 9 * height);
      const upright = edges.filter(
        (edge) =>
          isUpright(edge, 0.05) &&
          Math.abs(edge.y1 - edge.y0) > 0.8 * height &&
          edge.x0 < start + 0.2 * height &&
          edge.x0 > start - 1.6 * height &&
          Math.min(edge.y0, edge.y1) < middle &&
          Math.max(edge.y0, edge.y1) > middle,
      );
      for (const { x0: x, y0, y1 } of upright) {
        for (const level of edges.filter(
          (edge) =>
            isLevel(edge, 0.05) &&
            Math.abs(Math.min(edge.x0, edge.x1) - x) < 0.2 * height &&
            Math.max(edge.x0, edge.x1) > (start + end) / 2,
        )) {
          const top = Math.min(y0, y1),
            bottom = Math.max(y0, y1);
          const type =
            Math.abs(level.y0 - top) < 0.2 * height
              ? PMI_TYPE.outerEdge
              : Math.abs(level.y0 - bottom) < 0.2 * height
                ? PMI_TYPE.innerEdge
                : undefined;
          if (type === undefined) continue;
          const corner = { x, y: top, width: Math.abs(level.x1 - level.x0), height: bottom - top };
          const box = boxOfBoxes([boxOfLine(line), corner]);
          return [{ lines: [line], finding: { type, box, parts: [{ text: line.text.replace('−', '-') }] } }];
        }
      }
      return [];
    });
}
