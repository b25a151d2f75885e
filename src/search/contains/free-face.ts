import { distanceTo, normalAt } from '../../descriptors/faces/fitted-surface.js';
import { SAMPLE } from '../../descriptors/faces/free-samples.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { covers } from '../../descriptors/faces/region.js';
import { dot, type Vector } from '../../descriptors/faces/vector.js';

/** A point of a free face and the outward normal there. */
export interface SurfacePoint {
  readonly point: Vector;
  readonly normal: Vector;
}

/** A point is on a free face within this many spacings of a sample, and off its plane by this share of its distance. */
const SPACINGS = 1.4;
const BEND = 0.2;
/** Least cosine between the normals. */
const SAME_NORMAL = 0.85;
/** How far triangles lie off a free face, as a share of its extent. */
const OFF = 2e-3;

/** Samples of a face one by one. */
export function surfacePoints({ samples }: PartFace): SurfacePoint[] {
  return Array.from({ length: samples.length / SAMPLE }, (_, i) => {
    const at = SAMPLE * i;
    return {
      point: [samples[at], samples[at + 1], samples[at + 2]],
      normal: [samples[at + 3], samples[at + 4], samples[at + 5]],
    };
  });
}

/** Where the nearest sample of a free face begins; -1 without samples. */
export function nearestSample({ samples }: PartFace, [x, y, z]: Vector): number {
  let best = -1,
    least = Infinity;
  for (let at = 0; at < samples.length; at += SAMPLE) {
    const dx = samples[at] - x,
      dy = samples[at + 1] - y,
      dz = samples[at + 2] - z;
    const square = dx * dx + dy * dy + dz * dz;
    if (square >= least) continue;
    least = square;
    best = at;
  }
  return best;
}

/**
 * Whether a point of a free face lies on a face of the host, facing the same way. extentMm: of the free face.
 * Free faces of one part may be planes and cylinders of another: a mesh does not tell all of them apart.
 */
export function isOnFace(
  { point, normal }: SurfacePoint,
  face: PartFace,
  extentMm: number,
  toleranceMm: number,
): boolean {
  const off = toleranceMm + OFF * extentMm;
  if (face.kind !== 'free') {
    if (Math.abs(distanceTo(face, point)) > off) return false;
    const facing = dot(normalAt(face, point), normal) * (face.isHollow ? -1 : 1);
    return facing >= SAME_NORMAL && covers(face, face.region, point);
  }
  const { samples, areaMm2 } = face;
  const at = nearestSample(face, point);
  if (at < 0) return false;
  const dx = point[0] - samples[at],
    dy = point[1] - samples[at + 1],
    dz = point[2] - samples[at + 2];
  const square = dx * dx + dy * dy + dz * dz;
  if (square > (SPACINGS * SPACINGS * areaMm2 * SAMPLE) / samples.length) return false;
  const [nx, ny, nz] = [samples[at + 3], samples[at + 4], samples[at + 5]];
  return (
    Math.abs(dx * nx + dy * ny + dz * nz) <= off + BEND * Math.sqrt(square) &&
    nx * normal[0] + ny * normal[1] + nz * normal[2] >= SAME_NORMAL
  );
}
