import { dot, minus } from '../faces/vector.js';
import type { PartFace } from '../faces/part-face.js';
import { areParallel, areSquare } from './axis-line.js';
import type { FaceGraph } from './face-graph.js';

/** A groove along a shaft, for a key. */
export interface Keyway {
  readonly kind: 'keyway';
  readonly widthMm: number;
  /** Below the round of the shaft in which it lies (t1 of DIN 6885), whatever collars stand beside it. */
  readonly depthMm: number;
}

/** The walls of a keyway are as far from the axis, as a share of its width. */
const IN_THE_MIDDLE = 0.02;
/** Largest width and depth as shares of the diameter; of DIN 6885 they are at most 0.5 and 0.25. */
const MOST_WIDE = 0.6;
const MOST_DEEP = 0.35;

/**
 * The keyway that faces joined by grooves are: a flat floor along the axis of a shaft, between two walls on both sides
 * of that axis, whose ends are round, flat or open. Undefined of anything else.
 */
export function keywayOf(graph: FaceGraph, members: readonly number[]): Keyway | undefined {
  const shaft = shaftAround(graph, members);
  if (shaft === undefined) return undefined;
  const { axis, origin, radiusMm } = shaft;
  const heightOf = (face: PartFace): number => dot(face.axis, minus(face.middle, origin));
  const flat = members.map((i) => graph.faces[i]).filter((face) => face.kind === 'plane' && areSquare(face.axis, axis));
  for (const floor of flat) {
    const sides = flat.filter((face) => areSquare(face.axis, floor.axis));
    const isPair = sides.length === 2 && areParallel(sides[0].axis, sides[1].axis);
    const depthMm = radiusMm - heightOf(floor);
    if (!isPair || dot(sides[0].axis, sides[1].axis) > 0 || !(depthMm > 0 && depthMm <= MOST_DEEP * 2 * radiusMm))
      continue;
    // The walls face the middle, so both lie behind the axis.
    const [left, right] = sides.map((side) => -heightOf(side));
    const widthMm = left + right;
    const isMiddle = Math.abs(left - right) <= IN_THE_MIDDLE * widthMm;
    if (isMiddle && widthMm > 0 && widthMm <= MOST_WIDE * 2 * radiusMm) return { kind: 'keyway', widthMm, depthMm };
  }
  return undefined;
}

/** The outer round wall in which faces lie: that with which they have most of their ridges in common. */
function shaftAround(graph: FaceGraph, members: readonly number[]): PartFace | undefined {
  const lengths = new Map<number, number>();
  for (const i of members)
    for (const { face, kind, lengthMm } of graph.beside(i)) {
      const { kind: surface, isHollow } = graph.faces[face];
      if (kind === 'convex' && surface === 'cylinder' && !isHollow)
        lengths.set(face, (lengths.get(face) ?? 0) + lengthMm);
    }
  const [longest] = [...lengths].sort((a, b) => b[1] - a[1]);
  return longest && graph.faces[longest[0]];
}
