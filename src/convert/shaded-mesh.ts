import type { Mesh } from '../content/model.js';
import { faceOfTriangles, triangleNormals } from './feature-edges.js';

/** A mesh whose vertices have normals: a vertex on a crease appears once for each side of it. */
export interface ShadedMesh {
  /** f32[3 * n], mm from the centre. */
  readonly positions: Float32Array;
  /** f32[3 * n], unit. */
  readonly normals: Float32Array;
  /** u32[3 * triangleCount], in the order of the mesh's triangles. */
  readonly indices: Uint32Array;
  /** u32[vertexCount]: for each vertex of the mesh, one of the vertices made from it. */
  readonly vertexOf: Uint32Array;
  /** u32[n]: for each vertex, the vertex of the mesh it was made from. */
  readonly sourceOf: Uint32Array;
}

/** Triangles are shaded as one surface when their normals differ by less: on one face, and where no faces are known. */
const COS_ON_FACE = Math.cos((60 * Math.PI) / 180);
const COS_WITHOUT_FACES = Math.cos((30 * Math.PI) / 180);

/**
 * At a vertex with more triangles (the middle of a disc) each gets its own normal: comparing all pairs would take too
 * long.
 */
const MOST_AROUND = 64;
/** Normals that differ by less are one. */
const SAME = 1e-4;
/** How many normals of a vertex are searched for an equal one. */
const LOOKED_THROUGH = 16;

/**
 * Gives a mesh normals: area-weighted means of the triangles around a vertex, never across creases and edges of faces.
 * @param centre subtracted from the positions before they become single precision.
 */
export function shadedMesh(
  { positions, indices, faces }: Pick<Mesh, 'positions' | 'indices' | 'faces'>,
  centre: readonly number[],
): ShadedMesh {
  const vertexCount = positions.length / 3;
  const triangleCount = indices.length / 3;
  const faceOf = faces && faceOfTriangles(faces, triangleCount);
  const cosCrease = faceOf === undefined ? COS_WITHOUT_FACES : COS_ON_FACE;
  const { normals: flat, areas } = triangleNormals(positions, indices);
  const { starts, corners } = cornersOfVertices(indices, vertexCount);
  const out = { positions: new Float32Array(3 * indices.length), normals: new Float32Array(3 * indices.length) };
  const outIndices = new Uint32Array(indices.length);
  const vertexOf = new Uint32Array(vertexCount);
  const sourceOf = new Uint32Array(indices.length);
  let count = 0;
  const sum = [0, 0, 0];
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const from = starts[vertex],
      to = starts[vertex + 1];
    const first = count;
    vertexOf[vertex] = first;
    for (let i = from; i < to; i++) {
      const t = Math.floor(corners[i] / 3);
      sum[0] = sum[1] = sum[2] = 0;
      for (let j = to - from > MOST_AROUND ? to : from; j < to; j++) {
        const other = Math.floor(corners[j] / 3);
        if (faceOf !== undefined && faceOf[other] !== faceOf[t]) continue;
        const cos =
          flat[3 * t] * flat[3 * other] + flat[3 * t + 1] * flat[3 * other + 1] + flat[3 * t + 2] * flat[3 * other + 2];
        if (cos < cosCrease) continue;
        for (let k = 0; k < 3; k++) sum[k] += areas[other] * flat[3 * other + k];
      }
      let length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
      if (length === 0) {
        for (let k = 0; k < 3; k++) sum[k] = flat[3 * t + k];
        length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
      }
      if (length === 0) sum[2] = length = 1; // A triangle without area is not seen, but its normal must be of length 1.
      const x = sum[0] / length,
        y = sum[1] / length,
        z = sum[2] / length;
      const n = out.normals;
      let place = count - 1;
      const last = Math.max(first, count - LOOKED_THROUGH);
      while (
        place >= last &&
        Math.abs(n[3 * place] - x) + Math.abs(n[3 * place + 1] - y) + Math.abs(n[3 * place + 2] - z) > SAME
      )
        place--;
      if (place < last) {
        place = count++;
        sourceOf[place] = vertex;
        n.set([x, y, z], 3 * place);
        for (let k = 0; k < 3; k++) out.positions[3 * place + k] = positions[3 * vertex + k] - centre[k];
      }
      outIndices[corners[i]] = place;
    }
  }
  return {
    positions: out.positions.slice(0, 3 * count),
    normals: out.normals.slice(0, 3 * count),
    indices: outIndices,
    vertexOf,
    sourceOf: sourceOf.slice(0, count),
  };
}

/** The corners (3 × triangle + 0 to 2) at each vertex: those of vertex v are at `starts[v]` to `starts[v + 1]`. */
function cornersOfVertices(indices: Uint32Array, vertexCount: number): { starts: Uint32Array; corners: Uint32Array } {
  const starts = new Uint32Array(vertexCount + 1);
  for (const vertex of indices) starts[vertex + 1]++;
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  const next = starts.slice();
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) corners[next[indices[i]]++] = i;
  return { starts, corners };
}
