import { holeGroups, type PartFeatures } from '../../descriptors/features/part-features.js';
import type { ShapeQuery } from '../query/inputs.js';

/** Diameters that differ by less, as a share, are the same: facets of a mesh take as much. */
const SAME_DIAMETER = 5e-3;
/** The two larger sides of the box of a disc differ by less, as a share. */
const ROUND = 0.03;

type Box = readonly [number, number, number];

/**
 * Discs that are one seen along their axis: of one outer diameter, with equally many holes of one diameter. A ring and
 * a flange with a hub are, though their surfaces are so unlike that they have no neighbours in common.
 * @param featuresOf of candidates by their places
 * @returns the candidates, by their places, that have the plan of the query
 */
export async function ofOnePlan(
  query: Pick<ShapeQuery, 'bboxSizeMm' | 'features'>,
  candidates: readonly { readonly bboxSizeMm: Box }[],
  featuresOf: (places: readonly number[]) => Promise<readonly (PartFeatures | undefined)[]>,
): Promise<ReadonlySet<number>> {
  if (!isTurned(query.features) || !isDisc(query.bboxSizeMm)) return NONE;
  const places = [...candidates.keys()].filter(
    (i) => isDisc(candidates[i].bboxSizeMm) && areSame(candidates[i].bboxSizeMm[0], query.bboxSizeMm[0]),
  );
  if (places.length === 0) return NONE;
  const holes = holeGroups(query.features);
  const found = await featuresOf(places);
  return new Set(places.filter((_, at) => isTurned(found[at]) && shareHoles(holes, holeGroups(found[at]))));
}

const NONE: ReadonlySet<number> = new Set();

type Holes = readonly { readonly count: number; readonly diameterMm: number }[];

function shareHoles(own: Holes, others: Holes): boolean {
  return own.some(({ count, diameterMm }) =>
    others.some((other) => other.count === count && areSame(other.diameterMm, diameterMm)),
  );
}

/** A tube with holes is turned, too. */
function isTurned(part: PartFeatures | undefined): part is PartFeatures {
  return part?.shape === 'turned' || part?.shape === 'tube';
}

function isDisc([length, width, height]: Box): boolean {
  return height > 0 && length - width <= ROUND * length && height <= width;
}

function areSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_DIAMETER * Math.max(a, b);
}
