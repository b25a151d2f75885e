import { DisjointSets } from '../../content/groups.js';
import type { TriangleMesh } from '../../core/mesh.js';
import { pairCorners } from '../shared-edges.js';
import { fillNormals } from '../surface-measures.js';

/** Numbers of the triangles of one face. */
export type MeshFace = Uint32Array;

/**
 * Cosine of the largest bend within a face, 24°: a round wall of 16 facets or more is one face. The wall of an octagon
 * (45°) or of a hexagon is none.
 */
const COS_SMOOTH = 0.9135;

/** Parts of a mesh that its sharp edges bound, in the order of their first triangles. */
export function smoothFaces(mesh: TriangleMesh): MeshFace[] {
  const { indices } = mesh;
  const count = indices.length / 3;
  const normals = new Float64Array(indices.length);
  fillNormals(mesh, 0, new Float64Array(count), normals);
  const partners = pairCorners(indices);
  const sets = new DisjointSets(count);
  for (let corner = 0; corner < indices.length; corner++) {
    const partner = partners[corner];
    if (partner <= corner) continue;
    const a = 3 * Math.floor(corner / 3),
      b = 3 * Math.floor(partner / 3);
    const cosine = normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
    if (cosine >= COS_SMOOTH) sets.join(a / 3, b / 3);
  }
  return groupsOf(count, (triangle) => sets.rootOf(triangle));
}

function groupsOf(count: number, keyOf: (triangle: number) => number): MeshFace[] {
  const sizes = new Uint32Array(count);
  for (let t = 0; t < count; t++) sizes[keyOf(t)]++;
  const groups = new Map<number, MeshFace>();
  const filled = new Uint32Array(count);
  for (let t = 0; t < count; t++) {
    const key = keyOf(t);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = new Uint32Array(sizes[key])));
    group[filled[key]++] = t;
  }
  return [...groups.values()];
}
