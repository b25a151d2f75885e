import type { Feature } from '../../descriptors/features/feature.js';
import type { PartFeatures } from '../../descriptors/features/part-features.js';
import type { Because } from '../query/because.js';
import { SAME_DIAMETER } from './like-holes.js';
import { otherMouth } from './like-hole-details.js';
import { isNear } from './like-sizes.js';

/** Features of a model, and the numbers of those of its faces that are meant; undefined: all. */
export interface MeantFaces {
  readonly features: PartFeatures | undefined;
  readonly faces: readonly number[] | undefined;
}

/**
 * Of a shape that a model holds: its holes whose mouths are others there. The wall of a plain hole lies in that of a
 * countersunk one, so that the faces alone do not tell. Holes are those with a face among the ones that are meant.
 */
export function heldMouths(asked: MeantFaces, found: MeantFaces): Because[] {
  const [query, hit] = [holesOn(asked), holesOn(found)];
  const told: Because[] = [];
  const left = new Set(query);
  for (const first of query) {
    if (!left.has(first)) continue;
    const isOf = ({ diameterMm = 0 }: Feature): boolean => isNear(diameterMm, first.diameterMm!, SAME_DIAMETER);
    const [same, others] = [query.filter((one) => left.has(one) && isOf(one)), hit.filter(isOf)];
    for (const one of same) left.delete(one);
    if (others.length > 0) told.push(...otherMouth(same, others));
  }
  return told;
}

/** Of a group of equal holes those that are meant: at most one for each face of the group that is. */
function holesOn({ features, faces }: MeantFaces): Feature[] {
  const meant = faces && new Set(faces);
  return (features?.features ?? []).flatMap((feature) => {
    if (feature.kind !== 'hole' || feature.diameterMm === undefined) return [];
    const held = meant === undefined ? feature.count : feature.faces.filter((face) => meant.has(face)).length;
    return held === 0 ? [] : [{ ...feature, count: Math.min(feature.count, held) }];
  });
}
