import type { PartFace } from '../faces/part-face.js';
import { pointsOf } from '../faces/region.js';
import type { Vector } from '../faces/vector.js';

const known = new WeakMap<PartFace, readonly Vector[]>();

/** Points spread over a face, as `pointsOf`; computed once for each face, because many questions are asked of it. */
export function pointsOn(face: PartFace): readonly Vector[] {
  let points = known.get(face);
  if (points === undefined) known.set(face, (points = pointsOf(face, face.region)));
  return points;
}
