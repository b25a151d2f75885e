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

/**
 * Which triangles of each mesh belong to which face, as `faceTableOf` counts the faces of a model, without their
 * surfaces. Faces beyond its bounds are left out.
 */
export function faceTriangles(model: Pick<Model, 'root' | 'meshes'>): ReadonlyMap<Mesh, readonly FaceTriangles[]> {
  const found = new Map<Mesh, readonly FaceTriangles[]>();
  let left = MOST_FACES;
  for (const { mesh } of placementsOf(model).slice(0, MOST_PLACES)) {
    if (found.has(mesh) || left <= 0) continue;
    const faces = trianglesOf(mesh).slice(0, left);
    left -= faces.length;
    found.set(mesh, faces);
  }
  return found;
}
