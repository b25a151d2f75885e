import { matchTurns, type AngularSignature } from './angular-signature.js';
import type { PartSurface } from './part-surface.js';
import { multiply3, poseOf, transpose3, type Pose } from './pose.js';

/**
 * Principal extents that differ by less than this share of the largest may be equal; the directions of their axes are
 * then arbitrary.
 */
const NEARLY_EQUAL = 0.06;
/** Below this difference the principal axes are not used at all. */
const EQUAL = 0.004;
/** Face directions that are tried for parts with three nearly equal extents. */
const DIRECTIONS = 6;
/** Face directions whose areas differ by more than this factor do not correspond. */
const DIRECTION_AREA_FACTOR = 1.25;

/**
 * Candidate poses of `from` on `to`, centroid on centroid, scaled by `options.scale`; if the parts are the same, the
 * right one is among them. Principal axes with each choice of signs; if two principal extents are nearly equal,
 * rotations about the third axis; if all three are, rotations about the normals of the largest faces.
 * @param options.mirrors true: mirroring poses only; false: none of them.
 */
export function candidatePoses(
  from: PartSurface,
  to: PartSurface,
  options: { mirrors: boolean; scale: number },
): Pose[] {
  const { mirrors, scale } = options;
  const poses: Pose[] = [];
  const [r1, r2, r3] = to.radii;
  const upper = (r1 - r2) / r1,
    lower = (r2 - r3) / r1;
  if (upper > EQUAL && lower > EQUAL) {
    for (const signs of SIGNS) {
      const m = mirrors ? -1 : 1;
      const local = Float64Array.of(m * signs[0], 0, 0, 0, m * signs[1], 0, 0, 0, m * signs[2]);
      poses.push(poseOf(multiply3(transpose3(to.axes), multiply3(local, from.axes))));
    }
  }
  const addTurns = (a: AngularSignature, b: AngularSignature): void => {
    for (const flips of [false, true]) {
      for (const local of matchTurns(a, b, { flips, mirrors })) {
        poses.push(poseOf(multiply3(transpose3(b.frame), multiply3(local, a.frame))));
      }
    }
  };
  if (upper < NEARLY_EQUAL)
    addTurns(from.signatureAbout(from.axes.subarray(6)), to.signatureAbout(to.axes.subarray(6)));
  if (lower < NEARLY_EQUAL)
    addTurns(from.signatureAbout(from.axes.subarray(0, 3)), to.signatureAbout(to.axes.subarray(0, 3)));
  if (upper < NEARLY_EQUAL && lower < NEARLY_EQUAL) {
    const [first] = from.faceDirections;
    if (first !== undefined) {
      const area = first.areaMm2 * scale * scale;
      for (const direction of to.faceDirections.slice(0, DIRECTIONS)) {
        if (direction.areaMm2 > area * DIRECTION_AREA_FACTOR || direction.areaMm2 * DIRECTION_AREA_FACTOR < area)
          continue;
        addTurns(from.signatureAbout(first.normal), to.signatureAbout(direction.normal));
      }
    }
  }
  if (scale !== 1) for (const pose of poses) for (let i = 0; i < 9; i++) pose[i] *= scale;
  return poses;
}

/** The four rotations by half turns. */
const SIGNS = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
] as const;
