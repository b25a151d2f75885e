import type { Mesh, Model } from '../../content/model.js';
import { placementsOf } from '../../shapelets/model/mesh.js';
import type { Triangles } from './face-patch.js';
import { MOST_FACES, MOST_PLACES } from './face-table.js';
import { trianglesOf } from './find-faces.js';

/** The triangles of a face. */
export interface FaceTriangles {
  /** Its number in the file, as `PartFace.number`; -1 where it is unknown. */
  readonly number: number;
  readonly triangles: Triangles;
}

/** Finding the faces of a mesh that tells none takes up to 0.1 ms a triangle; of larger ones none are told. */
const MOST_TRIANGLES = 200_000;

/**
 * Which triangles of each mesh belong to which face, as `faceTableOf` counts the faces of a model, without their
 * surfaces. Faces beyond its bounds are left out, and those of meshes of over 200 000 triangles in formats without
 * faces.
 */
export function faceTriangles(model: Pick<Model, 'root' | 'meshes'>): ReadonlyMap<Mesh, readonly FaceTriangles[]> {
  const found = new Map<Mesh, readonly FaceTriangles[]>();
  let left = MOST_FACES;
  for (const { mesh } of placementsOf(model).slice(0, MOST_PLACES)) {
    if (found.has(mesh) || left <= 0) continue;
    if (mesh.faces === undefined && mesh.indices.length / 3 > MOST_TRIANGLES) continue;
    const faces = trianglesOf(mesh).slice(0, left);
    left -= faces.length;
    found.set(mesh, faces);
  }
  return found;
}
