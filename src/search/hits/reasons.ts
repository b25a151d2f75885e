import { determinant } from '../../content/matrix.js';
import type { Feature } from '../../descriptors/features/feature.js';
import {
  boltCircles,
  holeGroups,
  MOST_FEATURES,
  type HoleGroup,
  type PartFeatures,
} from '../../descriptors/features/part-features.js';
import type { TextHighlight } from '../../words/text-query.js';
import { MOST_REASONS, type Because, type CountedFeature } from '../query/because.js';
import type { SearchHit } from '../query/query.js';

/** Sizes of a model, and what is known of its features. */
export interface ComparedModel {
  /** Sides of the smallest box, falling. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly volumeMm3: number;
  /** Undefined where none are known. */
  readonly features: PartFeatures | undefined;
}

/** What reasons of one hit are drawn from. */
export interface ReasonFacts {
  readonly hit: Pick<SearchHit, 'matchClass' | 'maxDeviationMm' | 'scale' | 'transform' | 'shapeMatch' | 'similarity'>;
  /** Whether the hit has the bytes of the query, of which nothing is left out. */
  readonly hasSameBytes: boolean;
  /** Query and hit where they are models. */
  readonly asked?: ComparedModel;
  readonly found?: ComparedModel;
  /** Lengths that the one of them that is a drawing states, mm. */
  readonly statedMm: readonly number[];
  readonly highlights: readonly TextHighlight[];
}

/** Largest differences, as shares, of what is called equal: sides, their ratios, volumes, diameters, stated sizes. */
const SAME_SIDE = 0.01;
const SAME_RATIO = 0.02;
const SAME_VOLUME = 5e-3;
const SAME_DIAMETER = 5e-3;
const SAME_STATED = 2e-3;
/** Largest ratio of factors, or factor, of what is called nearly equal. */
const NEAR = 1.1;
/**
 * Least similarity at which it is said how sizes differ where nothing else is known: below it, a third of the hits are
 * of another family, and nobody asks how much longer a pulley is than a bracket.
 */
const ALIKE = 30;
/** Beyond this factor nobody says how much longer a part is: it is another part. */
const MOST_FACTOR = 4;
/** A plate is at most this thick, as a share of its width. */
const PLATE = 0.25;
/** Most groups of holes, words and attributes that one reason names. */
const MOST_NAMED = 3;

/** Why a file was found, the most telling reasons first, at most {@link MOST_REASONS}. */
export function reasonsOf(facts: ReasonFacts): Because[] {
  const { hit, hasSameBytes, asked, found, statedMm, highlights } = facts;
  const reasons: Because[] = [];
  if (hasSameBytes) reasons.push({ code: 'same-bytes' });
  else if (hit.matchClass !== 'similar' && hit.matchClass !== null) reasons.push(...sameShape(hit));
  else if (asked !== undefined && found !== undefined) reasons.push(...likeModel(asked, found, hit.similarity ?? 0));
  else {
    const model = asked ?? found;
    if (model !== undefined) reasons.push(...statedSizes(model, statedMm));
    if (hit.shapeMatch !== undefined) reasons.push({ code: 'like-view', page: hit.shapeMatch.page });
  }
  return [...reasons.slice(0, MOST_REASONS), ...fromHighlights(highlights)].slice(0, MOST_REASONS);
}

function sameShape({ matchClass, maxDeviationMm, scale, transform, shapeMatch }: ReasonFacts['hit']): Because[] {
  if (matchClass === 'identical' && shapeMatch !== undefined) return [{ code: 'same-drawing' }];
  if (matchClass === 'identical') return [{ code: 'same-part', maxDeviationMm: maxDeviationMm ?? null }];
  if (matchClass === 'mirrored') return [{ code: 'mirrored' }];
  if (scale === undefined) return [];
  return [{ code: 'same-shape', factor: scale, isMirrored: transform !== undefined && determinant(transform) < 0 }];
}

function likeModel(asked: ComparedModel, found: ComparedModel, similarity: number): Because[] {
  const size = likeSize(asked.bboxSizeMm, found.bboxSizeMm);
  const reasons = [
    ...size,
    ...likeFeatures(asked.features, found.features),
    ...(isNear(found.volumeMm3, asked.volumeMm3, SAME_VOLUME)
      ? [{ code: 'same-volume', volumeMm3: found.volumeMm3 } as const]
      : []),
    ...likePlates(asked.bboxSizeMm, found.bboxSizeMm),
  ];
  if (similarity < ALIKE) return reasons;
  // What is true of many parts is said where little else is, and of parts that are alike.
  const about = size.length > 0 ? [] : nearSize(asked.bboxSizeMm, found.bboxSizeMm);
  reasons.push(...about, ...likeCounts(asked.features, found.features));
  const isSizeSaid = [...size, ...about].length > 0 || reasons.some(({ code }) => code === 'same-thickness');
  if (!isSizeSaid) reasons.push(...otherSizes(asked.bboxSizeMm, found.bboxSizeMm));
  const areFlat = asked.features?.shape === 'milled' && found.features?.shape === 'milled';
  if (areFlat) reasons.push({ code: 'both-flat-faced' });
  return reasons;
}

const SIDES = ['length', 'width', 'height'] as const;

function likeSize(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  const others = SIDES.flatMap((_, k) => (isNear(found[k], asked[k], SAME_SIDE) ? [] : [k]));
  if (others.length === 0) return [{ code: 'same-size', sizeMm: found }];
  // A flat part has a side of 0, which is no multiple of anything.
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  if (others.length === 1) {
    const [k] = others;
    const factor = found[k] / asked[k];
    return [{ code: 'other-side', side: SIDES[k], factor, sideMm: found[k], querySideMm: asked[k] }];
  }
  const factors = SIDES.map((_, k) => found[k] / asked[k]);
  const factor = Math.cbrt(factors[0] * factors[1] * factors[2]);
  if (Math.max(...factors) > (1 + SAME_RATIO) * Math.min(...factors) || isNear(factor, 1, SAME_SIDE)) return [];
  return [{ code: 'same-proportions', factor }];
}

/** Nearly equal as a whole, or one side of them. */
function nearSize(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  const factors = SIDES.map((_, k) => found[k] / asked[k]);
  const most = Math.max(...factors),
    least = Math.min(...factors);
  if (most <= NEAR && least >= 1 / NEAR) return [{ code: 'near-size', sizeMm: found, querySizeMm: asked }];
  if (most <= NEAR * least) return [{ code: 'near-proportions', factor: Math.cbrt(factors.reduce((a, b) => a * b)) }];
  const same = SIDES.flatMap((side, k) => (isNear(found[k], asked[k], SAME_SIDE) ? [[side, k] as const] : []));
  if (same.length !== 1 || (same[0][1] === 2 && likePlates(asked, found).length > 0)) return [];
  return same.map(([side, k]) => ({ code: 'same-side', side, sideMm: found[k] }));
}

function otherSizes(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  const [length, width, height] = SIDES.map((_, k) => found[k] / asked[k]);
  if ([length, width, height].some((factor) => !(factor < MOST_FACTOR && factor > 1 / MOST_FACTOR))) return [];
  return [{ code: 'other-sizes', factors: [length, width, height] }];
}

const COUNTED: readonly CountedFeature[] = ['boss', 'rib', 'bend', 'pocket', 'slot', 'passage'];

/** Features of a kind of which both have equally many: the most of them. One says little. */
function likeCounts(asked: PartFeatures | undefined, found: PartFeatures | undefined): Because[] {
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

function likeFeatures(asked: PartFeatures | undefined, found: PartFeatures | undefined): Because[] {
  if (asked === undefined || found === undefined) return [];
  return [
    ...likeTeeth(asked, found),
    ...likeThreads(asked, found),
    ...likeCircles(asked, found),
    ...likeHoles(holeGroups(asked), holeGroups(found)),
    ...(asked.shape === 'turned' && found.shape === 'turned' ? [{ code: 'both-turned' } as const] : []),
    ...likeWalls(asked, found),
  ];
}

/** As many teeth; or another number of them, where each has one ring of them. */
function likeTeeth(asked: PartFeatures, found: PartFeatures): Because[] {
  const teethOf = ({ features }: PartFeatures): Feature[] => (features ?? []).filter(({ kind }) => kind === 'teeth');
  for (const { count, moduleMm } of teethOf(found)) {
    const same = teethOf(asked).find((other) => other.count === count);
    if (same !== undefined)
      return [{ code: 'same-teeth', count, moduleMm: moduleMm === same.moduleMm ? (moduleMm ?? null) : null }];
  }
  const [own, other] = [teethOf(found), teethOf(asked)];
  if (own.length !== 1 || other.length !== 1 || isInside(own[0]) !== isInside(other[0])) return [];
  return [{ code: 'other-teeth', count: own[0].count, queryCount: other[0].count }];
}

const isInside = ({ isInternal }: Feature): boolean => isInternal === true;

/** Threads of one diameter and pitch, both inside or both outside. */
function likeThreads(asked: PartFeatures, found: PartFeatures): Because[] {
  const threads = threadsOf(asked);
  const same = threadsOf(found).find((thread) =>
    threads.some(
      (other) =>
        other.isInternal === thread.isInternal &&
        isNear(other.diameterMm, thread.diameterMm, SAME_SIDE) &&
        isNear(other.pitchMm, thread.pitchMm, SAME_SIDE),
    ),
  );
  return same === undefined ? [] : [{ code: 'same-thread', ...same }];
}

function threadsOf({ features }: PartFeatures): { diameterMm: number; pitchMm: number; isInternal: boolean }[] {
  return (features ?? []).flatMap(({ kind, diameterMm, pitchMm, isInternal = false }) =>
    kind === 'thread' && diameterMm !== undefined && pitchMm !== undefined ? [{ diameterMm, pitchMm, isInternal }] : [],
  );
}

/** Bolt circles of one diameter with as many holes. */
function likeCircles(asked: PartFeatures, found: PartFeatures): Because[] {
  const circles = boltCircles(asked);
  const same = boltCircles(found).find(({ count, circleMm }) =>
    circles.some((other) => other.count === count && isNear(other.circleMm, circleMm, SAME_DIAMETER)),
  );
  return same === undefined ? [] : [{ code: 'same-bolt-circle', count: same.count, diameterMm: same.circleMm }];
}

/** Both sheets or both tubes: of one thickness, or of which. */
function likeWalls(asked: PartFeatures, found: PartFeatures): Because[] {
  const { shape, wallMm } = found;
  if ((shape !== 'sheet metal' && shape !== 'tube') || shape !== asked.shape) return [];
  if (wallMm === null || asked.wallMm === null) return [];
  return isNear(wallMm, asked.wallMm, SAME_SIDE)
    ? [{ code: 'same-wall', shape, wallMm }]
    : [{ code: 'other-wall', shape, wallMm, queryWallMm: asked.wallMm }];
}

function likeHoles(asked: readonly HoleGroup[], found: readonly HoleGroup[]): Because[] {
  const isSame = (a: HoleGroup, b: HoleGroup): boolean => isNear(a.diameterMm, b.diameterMm, SAME_DIAMETER);
  const holes = found.filter((group) => asked.some((other) => group.count === other.count && isSame(group, other)));
  if (holes.length > 0) return [{ code: 'same-holes', holes: holes.slice(0, MOST_NAMED) }];
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

/** Plates of one thickness, if that is not said by their sizes. */
function likePlates(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  const arePlates = [asked, found].every(([, width, height]) => height > 0 && height <= PLATE * width);
  if (!arePlates || !isNear(found[2], asked[2], SAME_SIDE)) return [];
  if (isNear(found[0], asked[0], SAME_SIDE) || isNear(found[1], asked[1], SAME_SIDE)) return [];
  return [{ code: 'same-thickness', thicknessMm: found[2] }];
}

/** One stated size may be there by chance, so two different ones are asked for. */
function statedSizes({ bboxSizeMm }: ComparedModel, statedMm: readonly number[]): Because[] {
  const sizes = bboxSizeMm.filter((size, k) => k === 0 || !isNear(size, bboxSizeMm[k - 1], SAME_STATED));
  const sizesMm = sizes.filter((size) => statedMm.some((stated) => isNear(stated, size, SAME_STATED)));
  return sizesMm.length < 2 ? [] : [{ code: 'stated-sizes', sizesMm }];
}

function fromHighlights(highlights: readonly TextHighlight[]): Because[] {
  const wordsIn = (field: TextHighlight['field']): string[] => {
    const words = highlights
      .filter((highlight) => highlight.field === field)
      .flatMap(({ snippet, ranges }) => ranges.map(({ start, end }) => snippet.slice(start, end)));
    return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()].slice(0, MOST_NAMED);
  };
  const reasons: Because[] = [];
  for (const field of ['name', 'text'] as const) {
    const words = wordsIn(field);
    if (words.length > 0) reasons.push({ code: 'words', field, words });
  }
  const attributes = highlights.filter(({ field }) => field === 'attribute').map(({ snippet }) => snippet);
  if (attributes.length > 0) reasons.push({ code: 'attributes', attributes: attributes.slice(0, MOST_NAMED) });
  return reasons;
}

/** Whether two lengths or volumes differ by at most a share of the larger one. */
function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(a, b);
}
