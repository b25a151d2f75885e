import { cross, dot, minus } from '../faces/vector.js';
import type { PartFace } from '../faces/part-face.js';
import { areParallel, areSquare } from './axis-line.js';
import type { FaceGraph } from './face-graph.js';

/** A groove for a key, along a shaft or a bore. */
export interface Keyway {
  readonly kind: 'keyway';
  readonly widthMm: number;
  /** Below the round in which it lies (t1, t2 of DIN 6885), whatever collars stand beside it; where it is deepest. */
  readonly depthMm: number;
  /** Along the axis, with round ends; undefined of a Woodruff key. */
  readonly lengthMm: number | undefined;
  /** Whether it lies in a bore. */
  readonly isInternal: boolean;
  /** Number of the face of the shaft or bore in which it lies. */
  readonly around: number;
}

/** The walls of a keyway are as far from the axis, as a share of its width. */
const IN_THE_MIDDLE = 0.02;
/** Largest width and depth as shares of the diameter; of DIN 6885 they are at most 0.5 and 0.25. */
const MOST_WIDE = 0.6;
const MOST_DEEP = 0.35;

/**
 * The keyway that faces joined by grooves are: a floor along the axis of a shaft or a bore, between two flat walls on
 * both sides of that axis, whose ends are round, flat or open. The floor is flat, or round as the cutter of a Woodruff
 * key. Undefined of anything else.
 */
export function keywayOf(graph: FaceGraph, members: readonly number[]): Keyway | undefined {
  const round = roundAround(graph, members);
  if (round === undefined) return undefined;
  const { axis, origin, radiusMm, isHollow: isInternal } = graph.faces[round];
  const faces = members.map((i) => graph.faces[i]).filter((face) => areSquare(face.axis, axis));
  const flat = faces.filter(({ kind }) => kind === 'plane');
  for (const floor of faces) {
    const isRound = floor.kind === 'cylinder' && floor.isHollow && !isInternal;
    if (floor.kind !== 'plane' && !isRound) continue;
    const sides = flat.filter((face) => (isRound ? areParallel : areSquare)(face.axis, floor.axis));
    const isPair = sides.length === 2 && areParallel(sides[0].axis, sides[1].axis);
    if (!isPair || dot(sides[0].axis, sides[1].axis) > 0) continue;
    const floorMm = isRound ? lowestOf(floor, graph.faces[round]) : Math.abs(heightOf(floor, origin));
    const depthMm = isInternal ? floorMm - radiusMm : radiusMm - floorMm;
    if (!(depthMm > 0 && depthMm <= MOST_DEEP * 2 * radiusMm)) continue;
    // The floor of a shaft faces away from its axis, that of a bore towards it.
    if (!isRound && heightOf(floor, origin) > 0 === isInternal) continue;
    // The walls face the middle, so the axis lies before both.
    const [left, right] = sides.map((side) => -heightOf(side, origin));
    const widthMm = left + right;
    const isMiddle = Math.abs(left - right) <= IN_THE_MIDDLE * widthMm;
    if (isMiddle && widthMm > 0 && widthMm <= MOST_WIDE * 2 * radiusMm)
      return {
        kind: 'keyway',
        widthMm,
        depthMm,
        lengthMm: isRound ? undefined : lengthAlong(graph, members, { floor, wall: graph.faces[round] }),
        isInternal,
        around: round,
      };
  }
  return undefined;
}

/** From the end before the middle of a floor to that behind it: flat, round, or where the shaft or bore ends. */
function lengthAlong(
  { faces }: FaceGraph,
  members: readonly number[],
  { floor, wall }: { readonly floor: PartFace; readonly wall: PartFace },
): number {
  const { axis, origin, region } = wall;
  const along = (point: PartFace['origin']): number => dot(axis, minus(point, origin));
  const middle = along(floor.middle);
  const ends = members.flatMap((i) => {
    const face = faces[i];
    if (face.kind === 'plane' && areParallel(face.axis, axis)) return [along(face.middle)];
    if (face.kind !== 'cylinder' || !face.isHollow || !areSquare(face.axis, axis)) return [];
    const centre = along(face.origin);
    return [centre + (centre > middle ? face.radiusMm : -face.radiusMm)];
  });
  const before = ends.filter((end) => end < middle);
  const behind = ends.filter((end) => end > middle);
  return Math.min(region.to[1], ...behind) - Math.max(region.from[1], ...before);
}

/** How far a plane lies from a point, in the direction to which it faces. */
function heightOf({ axis, middle }: PartFace, from: PartFace['origin']): number {
  return dot(axis, minus(middle, from));
}

/** How far the lowest line of a round floor lies from the axis of a shaft, which it crosses. */
function lowestOf(floor: PartFace, { axis, origin }: PartFace): number {
  return Math.abs(dot(cross(axis, floor.axis), minus(floor.origin, origin))) - floor.radiusMm;
}

/** The number of the round wall, of a shaft or bore, with which faces have most of their ridges in common. */
function roundAround(graph: FaceGraph, members: readonly number[]): number | undefined {
  const lengths = new Map<number, number>();
  for (const i of members)
    for (const { face, kind, lengthMm } of graph.beside(i))
      if (kind === 'convex' && graph.faces[face].kind === 'cylinder')
        lengths.set(face, (lengths.get(face) ?? 0) + lengthMm);
  const [longest] = [...lengths].sort((a, b) => b[1] - a[1]);
  return longest?.[0];
}
