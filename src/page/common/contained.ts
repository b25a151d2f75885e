import { facesOf, facesText } from '../api/face-numbers.js';

/** A shape that is looked for inside others, as addresses hold it. */
export interface Contained {
  /** UID of the model; '' for none. */
  readonly uid: string;
  /** Numbers of its faces; none: the whole model. */
  readonly faces: readonly number[];
  readonly sizes: 'exact' | 'any';
  /** What the address gives for faces, where that is no list of their numbers; '' else. Nothing is looked for then. */
  readonly wrongFaces: string;
  /** By how much faces may be apart, mm, as text; '' for the engine's own. */
  readonly tolerance: string;
}

export const NOTHING_CONTAINED: Contained = Object.freeze({
  uid: '',
  faces: [],
  wrongFaces: '',
  sizes: 'exact',
  tolerance: '',
});

/** Parses it from the query of an address; invalid parts but faces are ignored. */
export function containedOf(query: URLSearchParams): Contained {
  const uid = query.get('contains') ?? '';
  if (!/^[0-9a-f-]{36}$/.test(uid)) return NOTHING_CONTAINED;
  const tolerance = query.get('tolerance') ?? '';
  const mm = Number(tolerance);
  const given = query.get('faces') ?? '';
  const faces = facesOf(given);
  return {
    uid,
    faces,
    wrongFaces: faces.length === 0 ? given : '',
    sizes: query.get('sizes') === 'any' ? 'any' : 'exact',
    tolerance: mm > 0 && mm <= 1_000 ? tolerance : '',
  };
}

/** Its parameters in the query of an address. */
export function containedQuery({ uid, faces, wrongFaces, sizes, tolerance }: Contained): Record<string, string> {
  if (uid === '') return {};
  return {
    contains: uid,
    faces: wrongFaces || facesText(faces),
    sizes: sizes === 'any' ? 'any' : '',
    tolerance: sizes === 'any' ? '' : tolerance,
  };
}

/** Why nothing is looked for; undefined where all is well. */
export function wrongFacesText({ wrongFaces }: Contained): string | undefined {
  if (wrongFaces === '') return undefined;
  const shown = wrongFaces.length > 40 ? `${wrongFaces.slice(0, 40)}…` : wrongFaces;
  return `“${shown}” in the address is no list of faces, such as 3,4,7-9. Pick faces of the part, or look for the whole of it.`;
}

/** Its part of the engine's query. */
export function containedWire({ uid, faces, sizes, tolerance }: Contained) {
  return {
    contains: { uid, faces: faces.length === 0 ? undefined : faces },
    sizes,
    toleranceMm: tolerance === '' || sizes === 'any' ? undefined : Number(tolerance),
  };
}

/** From here all of a shape is held: the rims of faces are known to a cell of a grid only. */
const WHOLE = 0.995;

/** Whether a hit holds all of the shape that was looked for. */
export function isHeldWhole({ coverage = 0 }: { readonly coverage?: number }): boolean {
  return coverage >= WHOLE;
}
