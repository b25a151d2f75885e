import type { Feature } from '../../descriptors/features/feature.js';
import {
  boltCircles,
  holeGroups,
  MOST_FEATURES,
  type HoleGroup,
  type PartFeatures,
} from '../../descriptors/features/part-features.js';
import type { Because, CountedFeature } from '../query/because.js';
import { isNear } from './like-sizes.js';

/** Largest difference of diameters that are called equal, as a share. */
const SAME_DIAMETER = 5e-3;
/** The same of threads and walls, whose sizes come from samples. */
const SAME_SAMPLED = 0.01;
/** Most groups of holes that one reason names. */
const MOST_NAMED = 3;

const COUNTED: readonly CountedFeature[] = ['boss', 'rib', 'bend', 'pocket', 'slot', 'passage'];

/** Features of a kind of which both have equally many: the most of them. One says little. */
export function likeCounts(asked: PartFeatures | undefined, found: PartFeatures | undefined): Because[] {
  const countOf = (features: PartFeatures | undefined, kind: CountedFeature): number =>
    (features?.features ?? []).reduce((sum, feature) => sum + (feature.kind === kind ? feature.count : 0), 0);
  // A list that is full may lack some.
  if ([asked, found].some((own) => (own?.features ?? []).length >= MOST_FEATURES)) return [];
  return COUNTED.map((feature) => ({ feature, count: countOf(found, feature) }))
    .filter(({ feature, count }) => count > 1 && count === countOf(asked, feature))
    .sort((a, b) => b.count - a.count)
    .slice(0, 1)
    .map(({ feature, count }) => ({ code: 'same-count', feature, count }));
}

export function likeFeatures(
  asked: PartFeatures | undefined,
  found: PartFeatures | undefined,
  areAlike: boolean,
): Because[] {
  if (asked === undefined || found === undefined) return [];
  return [
    ...likeTeeth(asked, found),
    ...likeThreads(asked, found),
    ...likeCircles(asked, found),
    ...likeHoles(holeGroups(asked), holeGroups(found), areAlike),
    ...(asked.shape === 'turned' && found.shape === 'turned' ? [{ code: 'both-turned' } as const] : []),
    ...likeWalls(asked, found),
  ];
}

/** As many teeth; or another number of them, where each has one ring of them. */
function likeTeeth(asked: PartFeatures, found: PartFeatures): Because[] {
  const teethOf = ({ features }: PartFeatures): Feature[] => (features ?? []).filter(({ kind }) => kind === 'teeth');
  const modules = (own: Feature, other: Feature): { moduleMm: number | null; queryModuleMm: number | null } => ({
    moduleMm: own.moduleMm ?? null,
    queryModuleMm: other.moduleMm ?? null,
  });
  for (const own of teethOf(found)) {
    const same = teethOf(asked).find((other) => other.count === own.count);
    if (same !== undefined) return [{ code: 'same-teeth', count: own.count, ...modules(own, same) }];
  }
  const [own, other] = [teethOf(found), teethOf(asked)];
  if (own.length !== 1 || other.length !== 1 || isInside(own[0]) !== isInside(other[0])) return [];
  return [{ code: 'other-teeth', count: own[0].count, queryCount: other[0].count, ...modules(own[0], other[0]) }];
}

const isInside = ({ isInternal }: Feature): boolean => isInternal === true;

/** Threads of one diameter and pitch, both inside or both outside. */
function likeThreads(asked: PartFeatures, found: PartFeatures): Because[] {
  const threads = threadsOf(asked);
  const same = threadsOf(found).find((thread) =>
    threads.some(
      (other) =>
        other.isInternal === thread.isInternal &&
        isNear(other.diameterMm, thread.diameterMm, SAME_SAMPLED) &&
        isNear(other.pitchMm, thread.pitchMm, SAME_SAMPLED),
    ),
  );
  return same === undefined ? [] : [{ code: 'same-thread', ...same }];
}

function threadsOf({ features }: PartFeatures): { diameterMm: number; pitchMm: number; isInternal: boolean }[] {
  return (features ?? []).flatMap(({ kind, diameterMm, pitchMm, isInternal = false }) =>
    kind === 'thread' && diameterMm !== undefined && pitchMm !== undefined ? [{ diameterMm, pitchMm, isInternal }] : [],
  );
}

/** Bolt circles of one diameter with as many holes; or of which diameters, where each has one. */
function likeCircles(asked: PartFeatures, found: PartFeatures): Because[] {
  const [circles, own] = [boltCircles(asked), boltCircles(found)];
  const same = own.find(({ count, circleMm }) =>
    circles.some((other) => other.count === count && isNear(other.circleMm, circleMm, SAME_DIAMETER)),
  );
  if (same !== undefined) return [{ code: 'same-bolt-circle', count: same.count, diameterMm: same.circleMm }];
  if (own.length !== 1 || circles.length !== 1 || own[0].count !== circles[0].count) return [];
  const [{ count, circleMm }] = own;
  return [{ code: 'other-bolt-circle', count, diameterMm: circleMm, queryDiameterMm: circles[0].circleMm }];
}

/** Both sheets or both tubes: of one thickness, or of which. */
function likeWalls(asked: PartFeatures, found: PartFeatures): Because[] {
  const { shape, wallMm } = found;
  if ((shape !== 'sheet metal' && shape !== 'tube') || shape !== asked.shape) return [];
  if (wallMm === null || asked.wallMm === null) return [];
  const bends = shape === 'sheet metal' ? [bendsOf(found), bendsOf(asked)] : [0, 0];
  return [
    isNear(wallMm, asked.wallMm, SAME_SAMPLED)
      ? { code: 'same-wall', shape, wallMm }
      : { code: 'other-wall', shape, wallMm, queryWallMm: asked.wallMm },
    ...(bends[0] === bends[1] ? [] : [{ code: 'other-bends', count: bends[0], queryCount: bends[1] } as const]),
  ];
}

function bendsOf({ features }: PartFeatures): number {
  return (features ?? []).reduce((sum, { kind, count }) => sum + (kind === 'bend' ? count : 0), 0);
}

/** areAlike: whether it is said which holes only one of them has. */
function likeHoles(asked: readonly HoleGroup[], found: readonly HoleGroup[], areAlike: boolean): Because[] {
  const isSame = (a: HoleGroup, b: HoleGroup): boolean => isNear(a.diameterMm, b.diameterMm, SAME_DIAMETER);
  const holes = found.filter((group) => asked.some((other) => group.count === other.count && isSame(group, other)));
  if (holes.length > 0) {
    const besides = areAlike ? holesBesides(asked, found, isSame) : [];
    return [{ code: 'same-holes', holes: holes.slice(0, MOST_NAMED) }, ...besides];
  }
  for (const { count, diameterMm } of found) {
    const same = asked.find((other) => isSame(other, { count, diameterMm }));
    if (same !== undefined) return [{ code: 'other-hole-count', diameterMm, count, queryCount: same.count }];
  }
  const [pattern, other] = [found[0], asked[0]];
  if (pattern === undefined || other === undefined) return [];
  const { count, diameterMm } = pattern;
  const query = { queryCount: other.count, queryDiameterMm: other.diameterMm };
  // A single hole of another diameter says little, unless it is all that there is, as of a washer.
  const isAlone = found.length === 1 && asked.length === 1;
  if (count === other.count)
    return count > 1 || isAlone
      ? [{ code: 'other-hole-size', count, diameterMm, queryDiameterMm: other.diameterMm }]
      : [];
  return isAlone ? [{ code: 'other-holes', count, diameterMm, ...query }] : [];
}

/** Holes of diameters that only one of them has, where all others are the same. */
function holesBesides(
  asked: readonly HoleGroup[],
  found: readonly HoleGroup[],
  isSame: (a: HoleGroup, b: HoleGroup) => boolean,
): Because[] {
  const without = (own: readonly HoleGroup[], others: readonly HoleGroup[]): HoleGroup[] =>
    own.filter((group) => !others.some((other) => isSame(group, other)));
  const [more, less] = [without(found, asked), without(asked, found)];
  const isSaid = (holes: readonly HoleGroup[]): boolean => holes.length > 0 && holes.length <= MOST_NAMED;
  if (isSaid(more) && less.length === 0) return [{ code: 'more-holes', of: 'hit', holes: more }];
  return isSaid(less) && more.length === 0 ? [{ code: 'more-holes', of: 'query', holes: less }] : [];
}
