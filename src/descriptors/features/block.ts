import type { PartFace } from '../faces/part-face.js';
import { cross, dot, frameOf, lengthOf, minus, unit, type Vector } from '../faces/vector.js';
import { areParallel, areSquare } from './axis-line.js';
import { pointsOn } from './face-points.js';
import type { HalfSpace } from './polytope.js';

/** The block from which a part could be cut: the smallest box along the directions of its flat faces. */
export interface Block {
  /** Its six sides: along each of three directions at right angles the far side, then the near one. */
  readonly sides: readonly HalfSpace[];
  /** Length of its diagonal, mm. */
  readonly sizeMm: number;
}

/** Most faces that are told apart by direction. */
const MOST_DIRECTIONS = 64;

/** The block around faces; undefined without flat faces. */
export function blockAround(faces: readonly PartFace[]): Block | undefined {
  const axes = mainDirections(faces);
  if (axes === undefined) return undefined;
  const sides: HalfSpace[] = [];
  let square = 0;
  for (const axis of axes) {
    let low = Infinity,
      high = -Infinity;
    for (const face of faces) {
      const isAcross = face.kind === 'plane' && areParallel(face.axis, axis);
      for (const point of isAcross ? [face.origin] : pointsOn(face)) {
        const height = dot(point, axis);
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
    }
    sides.push({ normal: axis, offset: high }, { normal: [-axis[0], -axis[1], -axis[2]], offset: -low });
    square += (high - low) ** 2;
  }
  return { sides, sizeMm: Math.sqrt(square) };
}

/** Three directions at right angles: that in which most flat surface faces, then that of most at right angles to it. */
function mainDirections(faces: readonly PartFace[]): [Vector, Vector, Vector] | undefined {
  const directions: { axis: Vector; area: number }[] = [];
  for (const { kind, axis, areaMm2 } of faces) {
    if (kind !== 'plane') continue;
    const known = directions.find((direction) => areParallel(direction.axis, axis));
    if (known !== undefined) known.area += areaMm2;
    else if (directions.length < MOST_DIRECTIONS) directions.push({ axis, area: areaMm2 });
  }
  const largest = (of: typeof directions): Vector | undefined =>
    of.length === 0 ? undefined : of.reduce((a, b) => (b.area > a.area ? b : a)).axis;
  const first = largest(directions);
  if (first === undefined) return undefined;
  const second = largest(directions.filter(({ axis }) => areSquare(axis, first))) ?? frameOf(first)[0];
  const third = unit(cross(first, second));
  return [first, lengthOf(third) > 0 ? unit(cross(third, first)) : second, third];
}

/** Distance of a side from a plane that faces the same way; undefined where the plane does not. */
export function besideSide({ normal, offset }: HalfSpace, { axis, origin }: PartFace): number | undefined {
  return dot(axis, normal) > 0 && areParallel(axis, normal) ? Math.abs(dot(origin, normal) - offset) : undefined;
}

/** Half spaces about another origin. */
export function movedTo(halves: readonly HalfSpace[], origin: Vector): HalfSpace[] {
  return halves.map(({ normal, offset }) => ({ normal, offset: offset - dot(normal, origin) }));
}

/** The middle of a block. */
export function middleOf({ sides }: Block): Vector {
  let middle: Vector = [0, 0, 0];
  for (let i = 0; i < sides.length; i += 2) {
    const height = (sides[i].offset - sides[i + 1].offset) / 2;
    middle = minus(middle, [-height * sides[i].normal[0], -height * sides[i].normal[1], -height * sides[i].normal[2]]);
  }
  return middle;
}
