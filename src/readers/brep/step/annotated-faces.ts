import type { FaceRange, Mesh } from '../../../content/model.js';
import type { ModelAnnotation } from '../../../content/model-annotation.js';
import { Part21Instances } from './part21-instances.js';
import { vector } from './placements.js';
import { boxOf, diagonalOf } from '../../../content/boxes.js';

const SOLIDS = ['MANIFOLD_SOLID_BREP', 'BREP_WITH_VOIDS', 'FACETED_BREP'] as const;
const SHELLS = ['CLOSED_SHELL', 'OPEN_SHELL'] as const;
const FACE = /^(ADVANCED_FACE|FACE_SURFACE)$/;
/** Keywords between a face and its vertices. Curves and surfaces are not followed. */
const BOUNDARY = /BOUND|LOOP|EDGE|VERTEX|^CARTESIAN_POINT$/;

/** Most faces that are examined in all bodies, and most instances below one face. */
const MOST_FACES = 50_000;
const MOST_BELOW = 10_000;
/**
 * Largest distance between a vertex of the text and the mesh's vertex, as a fraction of the mesh's diagonal. The kernel
 * moves vertices when it heals edges.
 */
const TOLERANCE = 1e-4;
/** Least fraction of a body's faces whose vertices must lie on the corresponding runs of triangles. */
const FACES_FOUND = 0.9;

/**
 * Sets the instance numbers of annotated faces on their runs of triangles (`FaceRange.id`). The kernel keeps the faces
 * of a body in the order of the text, but does not return their numbers. A body is matched to a mesh with the same
 * number of faces when nearly all of its faces have their vertices on the runs in the same order. Faces that cannot be
 * matched so, such as those that the kernel split in two, get no number.
 * @param millimetres per unit of the file's coordinates.
 */
export function numberFaces(
  bytes: Uint8Array,
  meshes: readonly Mesh[],
  annotations: readonly ModelAnnotation[],
  millimetres: number,
): readonly Mesh[] {
  const wanted = new Set(annotations.flatMap(({ faces }) => faces.map(({ id }) => id)));
  if (wanted.size === 0) return meshes;
  const instances = new Part21Instances(bytes, [...SOLIDS, ...SHELLS]);
  const numbered = [...meshes];
  let left = MOST_FACES;
  for (const faces of bodies(instances)) {
    if (!faces.some((face) => wanted.has(face)) || (left -= faces.length) < 0) continue;
    const corners = faces.map((face) => cornersOf(instances, face, millimetres));
    numbered.forEach((mesh, i) => {
      if (mesh.faces?.length !== faces.length || mesh.faces.some(({ id }) => id !== undefined)) return;
      const isThere = runsWithCorners(mesh, mesh.faces, corners);
      if (isThere.filter((found) => found).length < FACES_FOUND * faces.length) return;
      numbered[i] = {
        ...mesh,
        faces: mesh.faces.map((run, at) => (isThere[at] && wanted.has(faces[at]) ? { ...run, id: faces[at] } : run)),
      };
    });
  }
  return numbered;
}

/** The faces of each solid, and of each shell that belongs to no solid, in the order of the text. */
function bodies(instances: Part21Instances): readonly (readonly number[])[] {
  const inside = new Set<number>();
  const solids = SOLIDS.flatMap((keyword) => instances.listed(keyword)).map((solid) => {
    const shells = (instances.links(solid)?.ids ?? []).map((id) =>
      instances.links(id)?.keyword === 'ORIENTED_CLOSED_SHELL' ? (instances.links(id)?.ids[0] ?? id) : id,
    );
    for (const shell of shells) inside.add(shell);
    return shells.flatMap((shell) => facesOf(instances, shell));
  });
  const loose = SHELLS.flatMap((keyword) => instances.listed(keyword))
    .filter((shell) => !inside.has(shell))
    .map((shell) => facesOf(instances, shell));
  return [...solids, ...loose];
}

function facesOf(instances: Part21Instances, shell: number): readonly number[] {
  return (instances.links(shell)?.ids ?? []).filter((id) => FACE.test(instances.links(id)?.keyword ?? ''));
}

/** The vertices of a face, mm; none for a face without edges. */
function cornersOf(instances: Part21Instances, face: number, millimetres: number): readonly (readonly number[])[] {
  const corners: (readonly number[])[] = [];
  const seen = new Set(
    (instances.links(face)?.ids ?? []).filter((id) => /BOUND/.test(instances.links(id)?.keyword ?? '')),
  );
  // Iterating a Set also visits members that are added meanwhile.
  for (const id of seen) {
    if (seen.size > MOST_BELOW) break;
    const node = instances.links(id);
    if (node === undefined || !BOUNDARY.test(node.keyword)) continue;
    if (node.keyword === 'VERTEX_POINT') {
      const point = vector(instances, { id: node.ids[0] });
      if (point !== undefined) corners.push(point.map((value) => value * millimetres));
    } else for (const next of node.ids) seen.add(next);
  }
  return corners;
}

/** For each run, whether all vertices of the corresponding face are among its vertices. */
function runsWithCorners(
  { positions, indices }: Mesh,
  runs: readonly FaceRange[],
  corners: readonly (readonly (readonly number[])[])[],
): boolean[] {
  const tolerance = TOLERANCE * diagonalOf(boxOf(positions));
  return runs.map(({ first, count }, i) => {
    const vertices = new Set(indices.subarray(3 * first, 3 * (first + count)));
    const has = ([x, y, z]: readonly number[]): boolean => {
      for (const v of vertices) {
        if (
          Math.abs(positions[3 * v] - x) <= tolerance &&
          Math.abs(positions[3 * v + 1] - y) <= tolerance &&
          Math.abs(positions[3 * v + 2] - z) <= tolerance
        )
          return true;
      }
      return false;
    };
    return corners[i].every(has);
  });
}
