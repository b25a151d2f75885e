import type { Mesh, Model } from '../../content/model.js';
import { placementsOf } from '../../shapelets/model/mesh.js';
import { findFaces } from './find-faces.js';
import type { BodyFaces, BodyPlace, FaceTable } from './part-face.js';

/** Most faces of the different bodies of a file that are kept, those of its first bodies, and most places of bodies. */
export const MOST_FACES = 20_000;
export const MOST_PLACES = 20_000;

/** The faces of a model: of each different mesh once, and where each is placed. */
export function faceTableOf(model: Pick<Model, 'root' | 'meshes'>): FaceTable {
  const bodies: BodyFaces[] = [];
  const places: BodyPlace[] = [];
  const numbers = new Map<Mesh, number>();
  let left = MOST_FACES;
  for (const { mesh, matrix } of placementsOf(model)) {
    if (places.length === MOST_PLACES) break;
    let body = numbers.get(mesh);
    if (body === undefined) {
      if (left <= 0) continue;
      const found = findFaces(mesh, left);
      left -= found.faces.length;
      body = bodies.push(found) - 1;
      numbers.set(mesh, body);
    }
    places.push({ body, matrix });
  }
  return { bodies, places };
}
