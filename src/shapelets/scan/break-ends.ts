import type { LineGraph } from '../../bitmap/skeleton.js';

/**
 * Units of 1/2400 of the page's longer side: gaps of a break, dashes have narrower ones; least length of a line that
 * ends at one; by how much facing ends may be beside each other; by how much the ends of its lines may be out of line;
 * and least distance of two of its lines.
 */
const NARROWEST = 12;
const WIDEST = 290;
const LEAST_LINE = 24;
const BESIDE = 3;
const UNEVEN = 8;
const LEAST_WIDTH = 12;
/** By how much a page may be turned that was turned upright, radians. */
const SKEW = 0.02;
/** Cosine of the largest angle between lines that continue each other. */
const STRAIGHT_ON = Math.cos((8 * Math.PI) / 180);
/** Pixels of a line that give its direction at the end. */
const REACH = 24;
/** Most free ends of a page that are compared. */
const MOST_ENDS = 3_000;

interface FreeEnd {
  readonly chain: number;
  readonly end: 0 | 1;
  readonly x: number;
  readonly y: number;
  /** Direction in which the line would go on. */
  readonly dx: number;
  readonly dy: number;
}

/** Two ends that face each other across a gap. */
export interface FacingEnds {
  readonly from: FreeEnd;
  readonly to: FreeEnd;
}

/** Lines, and where a break interrupts them. */
export interface BrokenLines {
  readonly graph: LineGraph;
  readonly gaps: readonly FacingEnds[];
}

/**
 * The graph with lines joined that a break interrupts: two or more lines side by side end at one place and go on behind
 * one gap. Otherwise the outlines at a break would be lines with a free end, as dimensions are.
 * @param width pixels of a row
 */
export function joinedAtBreaks(graph: LineGraph, width: number, unit: number): BrokenLines {
  const free = freeEnds(graph, width, unit);
  if (free.length > MOST_ENDS) return { graph, gaps: [] };
  const facing = facingEnds(free, unit);
  const joined = facing.filter((pair) => facing.some((other) => other !== pair && areBeside(pair, other, unit)));
  const chains = graph.chains.map((chain) => ({ ...chain, ends: [chain.ends[0], chain.ends[1]] as [number, number] }));
  for (const [i, { from, to }] of joined.entries())
    for (const { chain, end } of [from, to]) chains[chain].ends[end] = graph.nodes + i;
  return { graph: { ...graph, chains, nodes: graph.nodes + joined.length }, gaps: joined };
}

function freeEnds({ chains }: LineGraph, width: number, unit: number): FreeEnd[] {
  return chains.flatMap(({ pixels, ends, isLoop }, chain) =>
    isLoop || pixels.length < LEAST_LINE * unit
      ? []
      : ([0, 1] as const).flatMap((end): FreeEnd[] => {
          if (ends[end] >= 0) return [];
          const reach = Math.min(pixels.length - 1, REACH);
          const [tip, inner] =
            end === 0 ? [pixels[0], pixels[reach]] : [pixels[pixels.length - 1], pixels[pixels.length - 1 - reach]];
          const [x, y] = [tip % width, Math.floor(tip / width)];
          const [dx, dy] = [x - (inner % width), y - Math.floor(inner / width)];
          const length = Math.hypot(dx, dy) || 1;
          return [{ chain, end, x, y, dx: dx / length, dy: dy / length }];
        }),
  );
}

/** Pairs of ends that are each other's nearest continuation, each once. */
function facingEnds(free: readonly FreeEnd[], unit: number): FacingEnds[] {
  const nearest = free.map((from, i) => {
    let [best, least] = [-1, WIDEST * unit];
    for (const [k, to] of free.entries()) {
      if (i === k || to.chain === from.chain) continue;
      if (from.dx * to.dx + from.dy * to.dy > -STRAIGHT_ON) continue;
      const [x, y] = [to.x - from.x, to.y - from.y];
      const along = x * from.dx + y * from.dy,
        beside = Math.abs(x * from.dy - y * from.dx);
      if (along < NARROWEST * unit || along > least || beside > BESIDE * unit + 1) continue;
      [best, least] = [k, along];
    }
    return best;
  });
  return free.flatMap((from, i) =>
    nearest[i] > i && nearest[nearest[i]] === i ? [{ from, to: free[nearest[i]] }] : [],
  );
}

/** Whether two gaps belong to one break: their lines are parallel, and end and go on at one place. */
function areBeside(a: FacingEnds, b: FacingEnds, unit: number): boolean {
  const { dx, dy } = a.from;
  const isSame = dx * b.from.dx + dy * b.from.dy > 0;
  const [first, last] = isSame ? [b.from, b.to] : [b.to, b.from];
  if (Math.abs(dx * b.from.dx + dy * b.from.dy) < STRAIGHT_ON) return false;
  const offset = (p: FreeEnd, q: FreeEnd): readonly [along: number, beside: number] => {
    const [x, y] = [q.x - p.x, q.y - p.y];
    return [Math.abs(x * dx + y * dy), Math.abs(x * dy - y * dx)];
  };
  return [offset(a.from, first), offset(a.to, last)].every(
    ([along, beside]) => along <= UNEVEN * unit + SKEW * beside && beside >= LEAST_WIDTH * unit,
  );
}
