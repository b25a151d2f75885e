import type { FaceRange, Mesh } from '../../../content/model.js';
import type { ModelAnnotation } from '../../../content/model-annotation.js';
import { Part21Instances } from './part21-instances.js';
import { vector } from './placements.js';
import { boxOf, diagonalOf } from '../../../content/boxes.js';

const SOLIDS = ['MANIFOLD_SOLID_BREP', 'BREP_WITH_VOIDS', 'FACETED_BREP'] as const;
const SHELLS = ['CLOSED_SHELL', 'OPEN_SHELL'] as const;
const FACE = /^(ADVANCED_FACE|FACE_SURFACE)$/;
const ADVANCED_FACE = 'ADVANCED_FACE';
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

/** Most faces of a body whose vertices are compared with a mesh, besides annotated ones; spread over all of them. */
const FACES_COMPARED = 8;

/**
 * Sets the numbers of faces in the file on their runs of triangles (`FaceRange.number`), and the instance numbers of
 * annotated ones (`FaceRange.id`). The kernel keeps the faces of a body in the order of the text, but does not return
 * their numbers. A body is matched to a mesh with the same number of faces when nearly all of its compared faces have
 * their vertices on the runs in the same order. Faces that cannot be matched so, such as those that the kernel split in
 * two, get the number -1 and no id.
 * @param millimetres per unit of the file's coordinates.
 */
export function numberFaces(
  bytes: Uint8Array,
  meshes: readonly Mesh[],
  annotations: readonly ModelAnnotation[],
  millimetres: number,
): readonly Mesh[] {
  const wanted = new Set(annotations.flatMap(({ faces }) => faces.map(({ id }) => id)));
  const instances = new Part21Instances(bytes, [...SOLIDS, ...SHELLS, ADVANCED_FACE]);
  const numberOf = new Map(instances.listed(ADVANCED_FACE).map((id, number) => [id, number]));
  const runsOf = meshes.map(({ faces }) => faces?.map((run): FaceRange => ({ ...run, number: -1 })));
  const isNumbered = meshes.map(() => false);
  let left = MOST_FACES;
  for (const faces of bodies(instances)) {
    if ((left -= faces.length) < 0) break;
    const compared = faces.map((face, i) => wanted.has(face) || isSpread(i, faces.length));
    const corners = faces.map((face, i) => (compared[i] ? cornersOf(instances, face, millimetres) : undefined));
    meshes.forEach((mesh, i) => {
      const runs = runsOf[i];
      if (runs?.length !== faces.length || isNumbered[i]) return;
      const isThere = runsWithCorners(mesh, runs, corners);
      if (isThere === undefined) return;
      isNumbered[i] = true;
      runsOf[i] = runs.map((run, at) => {
        if (!isThere[at]) return run;
        const known = { ...run, number: numberOf.get(faces[at]) ?? -1 };
        return wanted.has(faces[at]) ? { ...known, id: faces[at] } : known;
      });
    });
  }
  return meshes.map((mesh, i) => (runsOf[i] === undefined ? mesh : { ...mesh, faces: runsOf[i] }));
}

/** Whether one of so many is among those that are compared. */
function isSpread(index: number, count: number): boolean {
  return count <= FACES_COMPARED || index % Math.floor(count / FACES_COMPARED) === 0;
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

/**
 * For each run, whether all vertices of the corresponding face are among its vertices; those that are not compared
 * count as there. Undefined when too many are not.
 */
function runsWithCorners(
  { positions, indices }: Mesh,
  runs: readonly FaceRange[],
  corners: readonly (readonly (readonly number[])[] | undefined)[],
): boolean[] | undefined {
  const tolerance = TOLERANCE * diagonalOf(boxOf(positions));
  const compared = corners.filter((face) => face !== undefined).length;
  let missed = 0;
  const isThere: boolean[] = [];
  for (const [i, { first, count }] of runs.entries()) {
    const vertices = corners[i] === undefined ? undefined : new Set(indices.subarray(3 * first, 3 * (first + count)));
    const has = ([x, y, z]: readonly number[]): boolean => {
      for (const v of vertices!) {
        if (
          Math.abs(positions[3 * v] - x) <= tolerance &&
          Math.abs(positions[3 * v + 1] - y) <= tolerance &&
          Math.abs(positions[3 * v + 2] - z) <= tolerance
        )
          return true;
      }
      return false;
    };
    isThere.push(corners[i]?.every(has) ?? true);
    if (!isThere[i] && ++missed > (1 - FACES_FOUND) * compared) return undefined;
  }
  return isThere;
}
