import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';
import { holeGroups, MOST_FEATURES, type PartFeatures } from '../../descriptors/features/part-features.js';
import type { Because } from '../query/because.js';

/** Diameters that differ by less, as a share and in mm, may be one that was rounded, or of a coarse mesh. */
const MAY_BE_SAME = 0.03;
const MAY_BE_SAME_MM = 0.1;
/** Holes of diameters that differ by more are other holes. */
const MOST_FACTOR = 1.6;
/** Largest distance in log extents that another number of features makes. */
export const MOST_APART = Math.log(MOST_FACTOR);
/** What a model has for a thread: from its core to the clearance of its screw, as shares of its diameter. */
const LEAST_OF_THREAD = 0.7;
const MOST_OF_THREAD = 1.25;

/** As many or more holes of one diameter that a drawing states in one place. */
interface StatedHoles {
  readonly count: number;
  readonly sizeMm: number;
}

/**
 * Of another number of features half as much as of a size that is as many times as large, and no more than of one that
 * is 1.6 times as large.
 */
const COUNT_SHARE = 0.5;

type OtherHoles = Extract<Because, { readonly code: 'other-drawn-holes' }>;

/**
 * Holes that a drawing states and the model has in another size, or in another number. Told is only what can be meant
 * by nothing else: several holes of a diameter that is stated once and is no diameter of the model's, where the model
 * has as many of one other diameter that the drawing does not state; or that is one, for another number of holes.
 */
export function otherDrawnHoles(stated: DrawnSizes, part: PartFeatures | undefined): OtherHoles[] {
  const features = part?.features ?? [];
  if (part === undefined || features.length === 0 || features.length >= MOST_FEATURES) return [];
  if (stated.unread > 0 || stated.unsure.some((kind) => kind !== 'length')) return [];
  const holes = holeGroups(part);
  const several = severalOf(stated.sizes);
  const own = several.filter(({ sizeMm }) => !diametersOf(part).some((diameter) => mayBeSame(diameter, sizeMm)));
  const left = holes.filter(({ diameterMm }) => !stated.sizes.some((size) => mayBeOf(size, diameterMm)));
  const sized = own.flatMap((drawn) => {
    const isMeant = ({ count, sizeMm }: StatedHoles, hole: StatedHoles): boolean =>
      count === hole.count && isWithin(hole.sizeMm / sizeMm, MOST_FACTOR);
    const among = left
      .map(({ count, diameterMm }) => ({ count, sizeMm: diameterMm }))
      .filter((one) => isMeant(drawn, one));
    const isAlone = among.length === 1 && own.filter((each) => isMeant(each, among[0])).length === 1;
    return isAlone ? [toldOf(drawn, among[0])] : [];
  });
  const counted = several.flatMap((drawn) => {
    const among = holes.filter(({ diameterMm }) => mayBeSame(diameterMm, drawn.sizeMm));
    const isOther = among.length === 1 && among[0].count > 1 && among[0].count !== drawn.count;
    if (!isOther || !isSure(part, drawn, among[0])) return [];
    return [toldOf(drawn, { count: among[0].count, sizeMm: among[0].diameterMm })];
  });
  return [...sized, ...counted];
}

/** Distance in log extents of a model and of what a drawing states of its holes; 0 where nothing is told. */
export function holesApart(stated: DrawnSizes | undefined, part: PartFeatures | undefined): number {
  const told = stated === undefined ? [] : otherDrawnHoles(stated, part);
  return Math.hypot(
    ...told.map(({ count, diameterMm, statedCount, statedMm }) =>
      count === statedCount ? Math.log(diameterMm / statedMm) : countApart(count, statedCount),
    ),
  );
}

/** Distance in log extents of so many features instead of another number of them. */
export function countApart(count: number, other: number): number {
  return Math.min(MOST_APART, COUNT_SHARE * Math.abs(Math.log(count / other)));
}

/** Diameters for several features that are stated in one place alone, of which no thread is. */
function severalOf(sizes: readonly DrawnSize[]): readonly StatedHoles[] {
  const isOnce = (size: DrawnSize): boolean => sizes.every((other) => other === size || !mayBeOf(other, size.sizeMm));
  return sizes.filter((size) => size.kind === 'diameter' && size.count > 1 && isOnce(size));
}

/**
 * Whether another number of holes is no other way to count them: twice as many may lie on both sides, unless all lie in
 * one pattern.
 */
function isSure(part: PartFeatures, drawn: StatedHoles, hole: { readonly count: number; readonly diameterMm: number }) {
  const [least, most] = [Math.min(drawn.count, hole.count), Math.max(drawn.count, hole.count)];
  const isOfPattern = (part.features ?? []).some(
    ({ kind, count, diameterMm = 0, pattern }) =>
      kind === 'hole' && count === hole.count && pattern !== undefined && mayBeSame(diameterMm, hole.diameterMm),
  );
  return isOfPattern || most % least !== 0;
}

/** All diameters of a model that a drawing may state. */
function diametersOf({ features }: PartFeatures): number[] {
  return (features ?? []).flatMap(({ diameterMm, sunkDiameterMm, pattern }) => [
    ...[diameterMm, sunkDiameterMm].filter((diameter) => diameter !== undefined),
    ...(pattern?.kind === 'circle' ? [pattern.diameterMm] : []),
  ]);
}

/** Whether a model may have holes of this diameter for a size that is stated. */
function mayBeOf({ kind, sizeMm }: DrawnSize, diameterMm: number): boolean {
  if (kind === 'thread') return diameterMm >= LEAST_OF_THREAD * sizeMm && diameterMm <= MOST_OF_THREAD * sizeMm;
  return mayBeSame(kind === 'radius' ? 2 * sizeMm : sizeMm, diameterMm);
}

function mayBeSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(MAY_BE_SAME_MM, MAY_BE_SAME * Math.max(a, b));
}

function isWithin(factor: number, most: number): boolean {
  return factor <= most && factor >= 1 / most;
}

function toldOf(drawn: StatedHoles, hole: StatedHoles): OtherHoles {
  const { count, sizeMm: diameterMm } = hole;
  return { code: 'other-drawn-holes', count, diameterMm, statedCount: drawn.count, statedMm: drawn.sizeMm };
}
