import { holeGroups, MOST_FEATURES, type HoleGroup } from '../../descriptors/features/part-features.js';
import type { Feature } from '../../descriptors/features/feature.js';
import type { Because } from '../query/because.js';
import { likeDetails } from './like-hole-details.js';
import { isNear, roundPart, type ComparedModel, type RoundPart } from './like-sizes.js';

/** Largest difference of diameters that are called equal, as a share. */
export const SAME_DIAMETER = 5e-3;
/** The same within one part: less than between drill sizes, as in `holeGroups`. */
const SAME_GROUP = 2e-3;
/** Most groups of holes that one reason names. */
const MOST_NAMED = 3;
/** Largest difference of a hole's depth from the part that it goes through, as a share. */
const SAME_DEPTH = 0.02;
/** A round part that is so many times as long as wide is long: what goes across it is no longer than it is wide. */
const LONG = 1.3;
/** A hole across a shaft is measured from 0.8 of its diameter, where it is wide, to all of it. */
const ACROSS = 0.75;

/** How much more a part without holes fills of its box, over what they take: wider mouths take more than is known. */
const LEAST_SEEN = 0.8;
const MOST_SEEN = 3;

/** Of a round part: whether holes lie along its axis or across; undefined where that is not known. */
type Direction = 'along' | 'across' | undefined;

interface Holes extends HoleGroup {
  readonly direction: Direction;
  /** What it is made of. */
  readonly features: readonly Feature[];
}

/**
 * Which holes both have, and before that which are others: by number, by diameter, by depth, mouth and distance, and
 * those that only one has.
 * areAlike: whether the parts are so alike that each difference is said; of others one thing is.
 */
export function likeHoles(asked: ComparedModel, found: ComparedModel, areAlike: boolean): Because[] {
  const [query, hit] = holesOf(asked, found);
  const isAlone = query.length === 1 && hit.length === 1;
  const isSame = (a: Holes, b: Holes): boolean =>
    isNear(a.diameterMm, b.diameterMm, SAME_DIAMETER) && mayLieAlike(a, b);
  const same = paired(hit, query, (a, b) => a.count === b.count && isSame(a, b));
  const counted = paired(same.hit, same.query, isSame);
  // A single hole of another diameter says little, unless it is all that there is, as of a washer.
  const isTold = ({ count }: Holes): boolean => areAlike || isAlone || count > 1;
  const sized = paired(counted.hit, counted.query, (a, b) => a.count === b.count && isTold(a) && mayLieAlike(a, b));
  const isOther = (a: Holes, b: Holes): boolean => mayLieAlike(a, b) && (isAlone || (a.count > 1 && b.count > 1));
  const others = paired(sized.hit, sized.query, isOther);
  const differences: Because[] = [
    ...counted.pairs.map(([{ count, diameterMm }, { count: queryCount }]) => {
      return { code: 'other-hole-count', diameterMm, count, queryCount } as const;
    }),
    ...sized.pairs.map(([{ count, diameterMm }, { diameterMm: queryDiameterMm }]) => {
      return { code: 'other-hole-size', count, diameterMm, queryDiameterMm } as const;
    }),
    ...others.pairs.map(([{ count, diameterMm }, other]) => {
      const query = { queryCount: other.count, queryDiameterMm: other.diameterMm };
      return { code: 'other-holes', count, diameterMm, ...query } as const;
    }),
  ];
  const details = same.pairs.map(([found, asked]) => likeDetails(asked.features, found.features));
  // Holes elsewhere are the same holes; those of another depth or mouth are not.
  const isElsewhere = ({ code }: Because): boolean => code === 'other-hole-pitch';
  const plain = same.pairs.filter((_, i) => !areAlike || details[i].every(isElsewhere));
  const holes = plain.slice(0, MOST_NAMED).map(([group]) => named(group));
  const both: Because[] = holes.length === 0 ? [] : [{ code: 'same-holes', holes }];
  if (!areAlike) return both.length > 0 ? both : differences.slice(0, 1);
  return [
    ...differences,
    ...details.flat(),
    ...(mayHave(asked, query, found) ? [] : besides('hit', others.hit)),
    ...(mayHave(found, hit, asked) ? [] : besides('query', others.query)),
    ...both,
  ];
}

function named({ count, diameterMm }: HoleGroup): HoleGroup {
  return { count, diameterMm };
}

function besides(of: 'hit' | 'query', holes: readonly Holes[]): Because[] {
  return holes.length === 0 || holes.length > MOST_NAMED ? [] : [{ code: 'more-holes', of, holes: holes.map(named) }];
}

/**
 * Whether it may be wrong that a part lacks the holes of another: its list is full or not known; or it has no holes,
 * but passages with many sides, as holes of a coarse mesh are, or fills no more of its box than the other one, as a
 * mesh of which a bore was not seen.
 */
function mayHave(part: ComparedModel, groups: readonly Holes[], other: ComparedModel): boolean {
  const features = part.features?.features ?? undefined;
  if (features === undefined || features.length >= MOST_FEATURES) return true;
  if (groups.length > 0) return false;
  if (features.some(({ kind, form }) => kind === 'passage' && form === 'polygonal')) return true;
  const more = filled(part) - filled(other);
  const cut = holesVolume(other) / boxVolume(other);
  return !(more >= LEAST_SEEN * cut && more <= MOST_SEEN * cut);
}

function boxVolume({ bboxSizeMm: [length, width, height] }: ComparedModel): number {
  return length * width * height;
}

/** The share of its box that a part fills. */
function filled(part: ComparedModel): number {
  return part.volumeMm3 / boxVolume(part);
}

/** Of its holes without their wider mouths, mm³. */
function holesVolume({ features: own }: ComparedModel): number {
  return (own?.features ?? []).reduce((sum, { kind, count, diameterMm = 0, depthMm = 0 }) => {
    return kind === 'hole' ? sum + count * (Math.PI / 4) * diameterMm ** 2 * depthMm : sum;
  }, 0);
}

/** Pairs of what belongs together, each once, and what is left of both. */
function paired(
  hit: readonly Holes[],
  query: readonly Holes[],
  isPair: (a: Holes, b: Holes) => boolean,
): { pairs: [Holes, Holes][]; hit: Holes[]; query: Holes[] } {
  const pairs: [Holes, Holes][] = [];
  const [alone, left] = [[] as Holes[], [...query]];
  for (const group of hit) {
    const at = left.findIndex((other) => isPair(group, other));
    if (at < 0) alone.push(group);
    else pairs.push([group, ...(left.splice(at, 1) as [Holes])]);
  }
  return { pairs, hit: alone, query: left };
}

function mayLieAlike(a: Holes, b: Holes): boolean {
  return a.direction === undefined || b.direction === undefined || a.direction === b.direction;
}

/** The holes of both by diameter; of two round parts by direction, too: a bore is no other size of a cross hole. */
function holesOf(asked: ComparedModel, found: ComparedModel): [Holes[], Holes[]] {
  const [query, hit] = [roundPart(asked), roundPart(found)];
  const areRound = query !== undefined && hit !== undefined;
  return [grouped(asked, areRound ? query : undefined), grouped(found, areRound ? hit : undefined)];
}

function grouped({ features: own }: ComparedModel, round: RoundPart | undefined): Holes[] {
  if (own === undefined) return [];
  const holes = (own.features ?? []).filter(({ kind }) => kind === 'hole');
  const lying = (feature: Feature): Direction => (round === undefined ? undefined : directionOf(feature, round));
  return (['along', 'across', undefined] as const)
    .flatMap((direction) => {
      const features = holes.filter((feature) => lying(feature) === direction);
      return holeGroups({ ...own, features }).map((group) => {
        const isOf = ({ diameterMm = 0 }: Feature): boolean => isNear(diameterMm, group.diameterMm, SAME_GROUP);
        return { ...group, direction, features: features.filter(isOf) };
      });
    })
    .sort((a, b) => b.count - a.count || b.diameterMm - a.diameterMm);
}

function directionOf({ depthMm = 0, isThrough, pattern }: Feature, { diameterMm, lengthMm }: RoundPart): Direction {
  if (isThrough !== true) return undefined;
  if (pattern?.kind === 'circle' || isNear(depthMm, lengthMm, SAME_DEPTH)) return 'along';
  if (lengthMm < LONG * diameterMm) return undefined;
  if (depthMm > (1 + SAME_DEPTH) * diameterMm) return 'along';
  return depthMm > ACROSS * diameterMm ? 'across' : undefined;
}
