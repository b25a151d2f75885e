import { facesOf, facesText } from '../api/face-numbers.js';

/** A shape that is looked for inside others, as addresses hold it. */
export interface Contained {
  /** UID of the model; '' for none. */
  readonly uid: string;
  /** Numbers of its faces; none: the whole model. */
  readonly faces: readonly number[];
  readonly sizes: 'exact' | 'any';
  /** By how much faces may be apart, mm, as text; '' for the engine's own. */
  readonly tolerance: string;
}

export const NOTHING_CONTAINED: Contained = Object.freeze({ uid: '', faces: [], sizes: 'exact', tolerance: '' });

/** Parses it from the query of an address; invalid parts are ignored. */
export function containedOf(query: URLSearchParams): Contained {
  const uid = query.get('contains') ?? '';
  if (!/^[0-9a-f-]{36}$/.test(uid)) return NOTHING_CONTAINED;
  const tolerance = query.get('tolerance') ?? '';
  const mm = Number(tolerance);
  return {
    uid,
    faces: facesOf(query.get('faces') ?? ''),
    sizes: query.get('sizes') === 'any' ? 'any' : 'exact',
    tolerance: mm > 0 && mm <= 1_000 ? tolerance : '',
  };
}

/** Its parameters in the query of an address. */
export function containedQuery({ uid, faces, sizes, tolerance }: Contained): Record<string, string> {
  if (uid === '') return {};
  return {
    contains: uid,
    faces: facesText(faces),
    sizes: sizes === 'any' ? 'any' : '',
    tolerance: sizes === 'any' ? '' : tolerance,
  };
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
