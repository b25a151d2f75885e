import type { Mesh, Model } from '../../content/model.js';
import { placementsOf } from '../../shapelets/model/mesh.js';
import { findFaces } from './find-faces.js';
import type { FaceTable } from './part-face.js';

/** Most faces of one body that are looked at, the first ones of the file; a body with more is no part of a machinist. */
export const MOST_FACES = 4_096;

/** The faces of a model: of each mesh once, and where it is placed. Deterministic; linear in the triangles. */
export function faceTableOf(model: Pick<Model, 'root' | 'meshes'>): FaceTable {
  const numbers = new Map<Mesh, number>();
  const places = placementsOf(model).map(({ mesh, matrix }) => {
    const body = numbers.get(mesh) ?? numbers.size;
    numbers.set(mesh, body);
    return { body, matrix };
  });
  return { bodies: [...numbers.keys()].map((mesh) => findFaces(mesh, MOST_FACES)), places };
}
