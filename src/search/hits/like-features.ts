import type { Feature } from '../../descriptors/features/feature.js';
import { boltCircles, MOST_FEATURES, type PartFeatures } from '../../descriptors/features/part-features.js';
import type { Because, CountedFeature } from '../query/because.js';
import { likeHoles, SAME_DIAMETER } from './like-holes.js';
import { isNear, type ComparedModel } from './like-sizes.js';

/** Largest difference of threads and walls that are called equal, whose sizes come from samples, as a share. */
const SAME_SAMPLED = 0.01;

/** Volumes of one part by meshes and by exact surfaces differ by less, as a share. */
const SAME_MESHED = 2e-3;

const COUNTED: readonly CountedFeature[] = ['boss', 'rib', 'bend', 'pocket', 'slot', 'passage'];

/** Cut into a part or standing on it; bends are told of sheets by themselves. */
const BESIDES: readonly CountedFeature[] = ['passage', 'pocket', 'slot', 'rib', 'boss'];

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

export function likeFeatures(query: ComparedModel, hit: ComparedModel, areAlike: boolean): Because[] {
  const [asked, found] = [query.features, hit.features];
  if (asked === undefined || found === undefined) return [];
  return [
    ...likeTeeth(asked, found),
    ...likeThreads(asked, found),
    ...likeCircles(asked, found, areAlike),
    ...likeHoles(query, hit, areAlike),
    ...(areAlike ? [...likeKeyways(query, hit), ...otherCounts(query, hit)] : []),
    ...(asked.shape === 'turned' && found.shape === 'turned' ? [{ code: 'both-turned' } as const] : []),
    ...likeWalls(asked, found),
  ];
}

/** As many teeth; or another number of them, where each has one ring of them. */
export function likeTeeth(asked: PartFeatures, found: PartFeatures): Because[] {
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

/** Threads of one diameter and pitch, both inside or both outside; or of others, where each has one there. */
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
  if (same !== undefined) return [{ code: 'same-thread', ...same }];
  return [true, false].flatMap((isInside): Because[] => {
    const [own, others] = [threadsOf(found), threads].map((all) => all.filter((one) => one.isInternal === isInside));
    if (own.length !== 1 || others.length !== 1) return [];
    const [{ diameterMm: queryDiameterMm, pitchMm: queryPitchMm }] = others;
    return [{ code: 'other-thread', ...own[0], queryDiameterMm, queryPitchMm }];
  });
}

function threadsOf({ features }: PartFeatures): { diameterMm: number; pitchMm: number; isInternal: boolean }[] {
  return (features ?? []).flatMap(({ kind, diameterMm, pitchMm, isInternal = false }) =>
    kind === 'thread' && diameterMm !== undefined && pitchMm !== undefined ? [{ diameterMm, pitchMm, isInternal }] : [],
  );
}

/** Bolt circles of one diameter with as many holes; or of which diameters, where each has one. */
function likeCircles(asked: PartFeatures, found: PartFeatures, areAlike: boolean): Because[] {
  const [circles, own] = [boltCircles(asked), boltCircles(found)];
  const isSame = (a: { circleMm: number }, b: { circleMm: number }): boolean =>
    isNear(a.circleMm, b.circleMm, SAME_DIAMETER);
  const same = own.find((circle) => circles.some((other) => other.count === circle.count && isSame(circle, other)));
  if (same !== undefined) return [{ code: 'same-bolt-circle', count: same.count, diameterMm: same.circleMm }];
  const [circle, other] = [own[0], circles[0]];
  if (own.length !== 1 || circles.length !== 1 || isSame(circle, other)) return [];
  // Of parts that are not alike, circles of another number of holes are other circles.
  if (!areAlike && circle.count !== other.count) return [];
  const { count, circleMm } = circle;
  return [{ code: 'other-bolt-circle', count, diameterMm: circleMm, queryDiameterMm: other.circleMm }];
}

/**
 * Another number of keyways, where both may have all that are known of them, and another volume: a coarse mesh does not
 * show the walls of a keyway, but has its volume.
 */
export function likeKeyways(query: ComparedModel, hit: ComparedModel): Because[] {
  const [asked, found] = [query, hit].map(({ features }) => features?.features ?? undefined);
  const areKnown = [asked, found].every((all) => all !== undefined && all.length < MOST_FEATURES);
  if (!areKnown || isNear(hit.volumeMm3, query.volumeMm3, SAME_MESHED)) return [];
  const [own, other] = [found, asked].map((all) => all!.filter(({ kind }) => kind === 'keyway'));
  const [count, queryCount] = [own, other].map((all) => all.reduce((sum, feature) => sum + feature.count, 0));
  if (count === queryCount) return own.length === 1 && other.length === 1 ? otherKeyway(own[0], other[0]) : [];
  return [{ code: 'other-keyways', count, queryCount, widthMm: own[0]?.widthMm ?? null }];
}

/** Of as many keyways, where each part's are alike. */
function otherKeyway(own: Feature, other: Feature): Because[] {
  const { count, widthMm = 0, depthMm = 0, lengthMm = null } = own;
  const { widthMm: queryWidthMm = 0, depthMm: queryDepthMm = 0, lengthMm: queryLengthMm = null } = other;
  const areSame =
    isNear(widthMm, queryWidthMm, SAME_SAMPLED) &&
    isNear(depthMm, queryDepthMm, SAME_SAMPLED) &&
    (lengthMm === null || queryLengthMm === null || isNear(lengthMm, queryLengthMm, SAME_SAMPLED));
  if (areSame || isInside(own) !== isInside(other)) return [];
  const sizes = { widthMm, queryWidthMm, depthMm, queryDepthMm, lengthMm, queryLengthMm };
  return [{ code: 'other-keyway-size', count, ...sizes }];
}

/**
 * Other numbers of features that hardly change a surface, where both may have all that are known of them, and another
 * volume, as for {@link likeKeyways}. Parts of different shapes are cut up by other rules, and a passage with many
 * walls may be a hole of a coarse mesh.
 */
function otherCounts(query: ComparedModel, hit: ComparedModel): Because[] {
  const [asked, found] = [query.features, hit.features];
  const areKnown = [asked, found].every(
    (own) => own !== undefined && own.features !== null && own.features.length < MOST_FEATURES,
  );
  if (!areKnown || asked!.shape !== found!.shape || isNear(hit.volumeMm3, query.volumeMm3, SAME_MESHED)) return [];
  return BESIDES.flatMap((feature): Because[] => {
    const [own, other] = [found!, asked!].map(({ features }) =>
      features!.filter(({ kind, form }) => kind === feature && form !== 'polygonal'),
    );
    const [count, queryCount] = [own, other].map((all) => all.reduce((sum, one) => sum + one.count, 0));
    if (count === queryCount) return [];
    const widths = (count > 0 ? own : other).map(({ widthMm }) => widthMm);
    const widthMm = widths.length === 1 ? (widths[0] ?? null) : null;
    return [{ code: 'other-count', feature, count, queryCount, widthMm }];
  });
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
