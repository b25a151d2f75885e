import { triangleNormal } from '../content/triangle-normal.js';
import type { Mesh } from '../content/model.js';

/** Faces of a mesh without a boundary representation meet in a feature edge where their normals differ by more, rad. */
const CREASE_RAD = (30 * Math.PI) / 180;

/**
 * In a mesh with at least so many triangles, edges are left out when more than the share below would be feature edges:
 * they are noise.
 */
const MANY_TRIANGLES = 5_000;
const NOISE_SHARE = 0.4;

/**
 * The feature edges of a part, u32[2 * n], pairs of vertices: where faces of the boundary representation meet; in
 * meshes without faces, where triangles meet at more than 30°; and the rims of open surfaces. Each edge once, in the
 * order of the triangles.
 */
export function featureEdges({
  positions,
  indices,
  faces,
}: Pick<Mesh, 'positions' | 'indices' | 'faces'>): Uint32Array {
  const vertexCount = positions.length / 3;
  const faceOf = faces && faceOfTriangles(faces, indices.length / 3);
  const normals = faceOf === undefined ? triangleNormals(positions, indices).normals : undefined;
  const cosCrease = Math.cos(CREASE_RAD);
  /** First triangle at each edge; −1 when both are known. */
  const open = new Map<number, number>();
  const lines: number[] = [];
  let shared = 0;
  for (let t = 0; t < indices.length / 3; t++) {
    for (let k = 0; k < 3; k++) {
      const a = indices[3 * t + k],
        b = indices[3 * t + ((k + 1) % 3)];
      const key = a < b ? a * vertexCount + b : b * vertexCount + a;
      const other = open.get(key);
      if (other === undefined) {
        open.set(key, t);
        continue;
      }
      if (other < 0) continue;
      open.set(key, -1);
      shared++;
      const meet = faceOf !== undefined ? faceOf[t] !== faceOf[other] : cosBetween(normals!, t, other) < cosCrease;
      if (meet) lines.push(a, b);
    }
  }
  for (const [key, triangle] of open) if (triangle >= 0) lines.push(Math.floor(key / vertexCount), key % vertexCount);
  const isNoise =
    faceOf === undefined && indices.length / 3 > MANY_TRIANGLES && lines.length / 2 > NOISE_SHARE * (shared + 1);
  return isNoise ? new Uint32Array(0) : Uint32Array.from(lines);
}

/** The face of each triangle, u32[triangleCount]. */
export function faceOfTriangles(faces: NonNullable<Mesh['faces']>, triangleCount: number): Uint32Array {
  const faceOf = new Uint32Array(triangleCount);
  faces.forEach(({ first, count }, face) => faceOf.fill(face, first, first + count));
  return faceOf;
}

/** Of each triangle: f32[3 * n], unit normals, outward, 0 0 0 for triangles without area; f64[n], areas. */
export function triangleNormals(
  p: ArrayLike<number>,
  indices: Uint32Array,
): { readonly normals: Float32Array; readonly areas: Float64Array } {
  const normals = new Float32Array(indices.length);
  const areas = new Float64Array(indices.length / 3);
  const normal = new Float64Array(3);
  for (let i = 0; i < indices.length; i += 3) {
    const length = triangleNormal(p, indices, i / 3, normal);
    if (length === 0) continue;
    normals[i] = normal[0] / length;
    normals[i + 1] = normal[1] / length;
    normals[i + 2] = normal[2] / length;
    areas[i / 3] = length / 2;
  }
  return { normals, areas };
}

function cosBetween(normals: Float32Array, s: number, t: number): number {
  const a = 3 * s,
    b = 3 * t;
  return normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
}
