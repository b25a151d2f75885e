import { DisjointSets } from '../../content/groups.js';
import type { TriangleMesh } from '../../core/mesh.js';
import { fillNormals } from '../surface-measures.js';

/** Numbers of the triangles of one face. */
export type MeshFace = Uint32Array;

/**
 * Cosine of the largest bend within a face, 24°: a round wall of 16 facets or more is one face. The wall of an octagon
 * (45°) or of a hexagon is none.
 */
const COS_SMOOTH = 0.9135;

/**
 * Parts of a mesh that its sharp edges bound, in the order of their first triangles. @param partners as of
 * `pairCorners`.
 */
export function smoothFaces(mesh: TriangleMesh, partners: Int32Array): MeshFace[] {
  const { indices } = mesh;
  const count = indices.length / 3;
  const normals = new Float64Array(indices.length);
  fillNormals(mesh, 0, new Float64Array(count), normals);
  const sets = new DisjointSets(count);
  for (let corner = 0; corner < indices.length; corner++) {
    const partner = partners[corner];
    if (partner <= corner) continue;
    const a = corner - (corner % 3),
      b = partner - (partner % 3);
    const cosine = normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
    if (cosine >= COS_SMOOTH) sets.join(a / 3, b / 3);
  }
  const all = new Uint32Array(count);
  for (let t = 0; t < count; t++) all[t] = t;
  return groupedBy(all, (t) => sets.rootOf(t));
}

/** Members by the root of their places, in the order of their first members. */
export function groupedBy(members: Uint32Array, rootOf: (place: number) => number): Uint32Array[] {
  const sizes = new Uint32Array(members.length),
    filled = new Uint32Array(members.length),
    groupOf = new Int32Array(members.length).fill(-1);
  for (let i = 0; i < members.length; i++) sizes[rootOf(i)]++;
  const groups: Uint32Array[] = [];
  for (let i = 0; i < members.length; i++) {
    const root = rootOf(i);
    if (groupOf[root] < 0) groupOf[root] = groups.push(new Uint32Array(sizes[root])) - 1;
    groups[groupOf[root]][filled[root]++] = members[i];
  }
  return groups;
}
