import type { FacePatch } from './fit-surface.js';
import { cross, lengthOf, minus, type Vector } from './vector.js';

/** Numbers of the triangles of one face. */
export type Triangles = Uint32Array;

/** A mesh, and whether its normals must be reversed to point outwards. */
export interface Geometry {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly sign: number;
}

/** The vertices, normals and areas of triangles, for fitting. */
export function patchOf({ positions, indices, sign }: Geometry, triangles: Triangles): FacePatch {
  const seen = new Set<number>();
  const normals: number[] = [],
    centroids: number[] = [],
    areas: number[] = [];
  for (const t of triangles) {
    const [a, b, c] = cornersAt(positions, indices, t);
    for (let k = 0; k < 3; k++) seen.add(indices[3 * t + k]);
    const normal = cross(minus(b, a), minus(c, a));
    const length = lengthOf(normal);
    if (!(length > 0)) continue;
    for (let k = 0; k < 3; k++) {
      normals.push((sign * normal[k]) / length);
      centroids.push((a[k] + b[k] + c[k]) / 3);
    }
    areas.push(length / 2);
  }
  const points = new Float64Array(3 * seen.size);
  let at = 0;
  for (const vertex of seen) for (let k = 0; k < 3; k++) points[at++] = positions[3 * vertex + k];
  return {
    points,
    normals: Float64Array.from(normals),
    centroids: Float64Array.from(centroids),
    areas: Float64Array.from(areas),
  };
}

/** The corners of a triangle. */
export function cornersAt(positions: Float64Array, indices: Uint32Array, t: number): [Vector, Vector, Vector] {
  return [
    pointOf(positions, indices[3 * t]),
    pointOf(positions, indices[3 * t + 1]),
    pointOf(positions, indices[3 * t + 2]),
  ];
}

/** A vertex. */
export function pointOf(positions: Float64Array, vertex: number): Vector {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}
