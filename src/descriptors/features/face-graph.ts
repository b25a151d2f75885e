import { addTo, DisjointSets } from '../../content/groups.js';
import type { BodyFaces, FaceEdge, PartFace } from '../faces/part-face.js';

/** A face beside another one, and how they meet. */
export interface Beside extends Pick<FaceEdge, 'kind' | 'turnRad' | 'lengthMm'> {
  readonly face: number;
}

/** The faces of one body, each with its neighbours. */
export class FaceGraph {
  readonly faces: readonly PartFace[];
  readonly #beside: readonly (readonly Beside[])[];

  constructor({ faces, edges }: BodyFaces) {
    this.faces = faces;
    const beside = faces.map((): Beside[] => []);
    for (const { faces: pair, kind, turnRad, lengthMm } of edges) {
      beside[pair[0]].push({ face: pair[1], kind, turnRad, lengthMm });
      beside[pair[1]].push({ face: pair[0], kind, turnRad, lengthMm });
    }
    this.#beside = beside;
  }

  /** The neighbours of a face, in the order of the edges. */
  beside(face: number): readonly Beside[] {
    return this.#beside[face];
  }

  /** Groups of faces that are joined by the edges that a condition takes, in the order of their first faces. */
  joined(faces: readonly number[], areTogether: (face: number, beside: Beside) => boolean): number[][] {
    const isIn = new Set(faces);
    const sets = new DisjointSets(this.faces.length);
    for (const face of faces)
      for (const beside of this.#beside[face])
        if (isIn.has(beside.face) && areTogether(face, beside)) sets.join(face, beside.face);
    const groups = new Map<number, number[]>();
    for (const face of faces) addTo(groups, sets.rootOf(face), face);
    return [...groups.values()];
  }
}

/** Groups of items that are related, directly or by others, in the order of their first members. */
export function related<Item>(items: readonly Item[], areRelated: (a: Item, b: Item) => boolean): Item[][] {
  const sets = new DisjointSets(items.length);
  for (let i = 0; i < items.length; i++)
    for (let j = 0; j < i; j++)
      if (sets.rootOf(i) !== sets.rootOf(j) && areRelated(items[i], items[j])) sets.join(i, j);
  const groups = new Map<number, Item[]>();
  items.forEach((item, i) => addTo(groups, sets.rootOf(i), item));
  return [...groups.values()];
}
