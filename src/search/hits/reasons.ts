import { determinant } from '../../content/matrix.js';
import type { TextHighlight } from '../../words/text-query.js';
import { MOST_REASONS, type Because } from '../query/because.js';
import type { SearchHit } from '../query/query.js';
import type { DrawnSizes } from '../../content/drawn-size.js';
import { otherDrawnHoles } from './drawn-holes.js';
import { SAME_DRAWN } from './drawn-factor.js';
import { likeDrawings } from './like-drawings.js';
import { likeCounts, likeFeatures } from './like-features.js';
import { isNear, likePlates, likeSize, nearSize, otherSizes, roundSize, type ComparedModel } from './like-sizes.js';

/** What reasons of one hit are drawn from. */
export interface ReasonFacts {
  readonly hit: Pick<SearchHit, 'matchClass' | 'maxDeviationMm' | 'scale' | 'transform' | 'shapeMatch' | 'similarity'>;
  /** Whether the hit has the bytes of the query, of which nothing is left out. */
  readonly hasSameBytes: boolean;
  /** Size of the hit's views over that of the query's, where both are to scale. */
  readonly drawnFactor?: number;
  /** Query and hit where they are models. */
  readonly asked?: ComparedModel;
  readonly found?: ComparedModel;
  /** Lengths that the one of them that is a drawing states, mm. */
  readonly statedMm: readonly number[];
  /** How what is held inside of the hit differs from what was looked for. */
  readonly held?: readonly Because[];
  readonly highlights: readonly TextHighlight[];
  /** What query and hit state, where they are drawings. */
  readonly askedSizes?: DrawnSizes;
  readonly foundSizes?: DrawnSizes;
}

/** Largest differences, as shares, of what is called equal: volumes, stated sizes. */
const SAME_VOLUME = 5e-3;
const SAME_STATED = 2e-3;
/**
 * Least similarity at which it is said that a view is like another, and how sizes differ where nothing else is known:
 * below it, a third of the hits are of another family, and nobody asks how much longer a pulley is than a bracket.
 */
export const ALIKE = 30;
/** Significant digits of sizes. */
const SIZE_DIGITS = 7;
/** Most words and attributes that one reason names. */
const MOST_NAMED = 3;

/** Why a file was found, the most telling reasons first, at most {@link MOST_REASONS}. */
export function reasonsOf(facts: ReasonFacts): Because[] {
  const { hit, hasSameBytes, asked, found, statedMm, highlights } = facts;
  const reasons: Because[] = [];
  if (hasSameBytes) reasons.push({ code: 'same-bytes' });
  else if (hit.matchClass !== 'similar' && hit.matchClass !== null) reasons.push(...sameShape(hit, facts.drawnFactor));
  else if (asked !== undefined && found !== undefined) {
    const all = likeModel(asked, found, hit.similarity ?? 0);
    // What is different is what people look for; that the rest is alike comes after it.
    reasons.push(...all.filter(isDifference), ...all.filter((reason) => !isDifference(reason)));
  } else {
    const model = asked ?? found;
    if (model !== undefined) reasons.push(...drawnHoles(model, facts), ...statedSizes(model, statedMm));
    else if (facts.askedSizes !== undefined && facts.foundSizes !== undefined)
      reasons.push(...likeDrawings(facts.askedSizes, facts.foundSizes));
    const isAlike = (hit.similarity ?? 100) >= ALIKE;
    if (hit.shapeMatch !== undefined && isAlike) reasons.push({ code: 'like-view', page: hit.shapeMatch.page });
  }
  reasons.push(...(facts.held ?? []));
  return [...reasons.slice(0, MOST_REASONS), ...fromHighlights(highlights)].slice(0, MOST_REASONS);
}

function sameShape(
  { matchClass, maxDeviationMm, scale, transform, shapeMatch }: ReasonFacts['hit'],
  drawn: number | undefined,
): Because[] {
  if (matchClass === 'identical' && shapeMatch !== undefined && drawn !== undefined && Math.abs(drawn - 1) > SAME_DRAWN)
    return [{ code: 'same-drawing', factor: drawn }];
  if (matchClass === 'identical' && shapeMatch !== undefined) return [{ code: 'same-drawing' }];
  if (matchClass === 'identical') return [{ code: 'same-part', maxDeviationMm: maxDeviationMm ?? null }];
  if (matchClass === 'mirrored') return [{ code: 'mirrored' }];
  if (scale === undefined) return [];
  return [{ code: 'same-shape', factor: scale, isMirrored: transform !== undefined && determinant(transform) < 0 }];
}

/** Reasons that say how a hit differs; of all others the hit is like the query. */
const DIFFERENCES: ReadonlySet<Because['code']> = new Set<Because['code']>([
  'other-side',
  'round-size',
  'same-proportions',
  'near-size',
  'near-proportions',
  'other-sizes',
  'other-teeth',
  'other-bolt-circle',
  'other-hole-count',
  'other-hole-size',
  'other-holes',
  'other-hole-depth',
  'other-through-holes',
  'other-hole-mouth',
  'other-hole-pitch',
  'other-thread',
  'more-holes',
  'other-keyways',
  'other-keyway-size',
  'other-count',
  'other-wall',
  'other-bends',
]);

/** Differences that take or leave material: beside them volumes are not called the same, however little it is. */
const OTHER_VOLUMES: ReadonlySet<Because['code']> = new Set<Because['code']>([
  'other-hole-count',
  'other-hole-size',
  'other-holes',
  'other-hole-depth',
  'other-through-holes',
  'other-hole-mouth',
  'more-holes',
  'other-keyways',
  'other-keyway-size',
  'other-count',
]);

function isDifference(reason: Because): boolean {
  // As many teeth, of another module.
  if (reason.code === 'same-teeth' && reason.moduleMm !== null && reason.queryModuleMm !== null)
    return reason.moduleMm !== reason.queryModuleMm;
  return DIFFERENCES.has(reason.code);
}

function likeModel(asked: ComparedModel, found: ComparedModel, similarity: number): Because[] {
  const areAlike = similarity >= ALIKE;
  const round = roundSize(asked, found, areAlike);
  const size = round ?? likeSize(asked.bboxSizeMm, found.bboxSizeMm);
  const features = likeFeatures(asked, found, areAlike);
  const isOtherVolume = features.some(({ code }) => OTHER_VOLUMES.has(code));
  // Of parts that are not alike and have other sizes it is chance.
  const isTelling = areAlike || size.some(({ code }) => code === 'same-size');
  const reasons = [
    ...size,
    ...features,
    ...(found.volumeMm3 > 0 && isTelling && !isOtherVolume && isNear(found.volumeMm3, asked.volumeMm3, SAME_VOLUME)
      ? [{ code: 'same-volume', volumeMm3: found.volumeMm3 } as const]
      : []),
    ...(size.length > 0 ? [] : likePlates(asked, found)),
  ];
  if (!areAlike) return reasons;
  // What is true of many parts is said where little else is, and of parts that are alike.
  const about = size.length > 0 ? [] : nearSize(asked.bboxSizeMm, found.bboxSizeMm);
  reasons.push(...about, ...likeCounts(asked.features, found.features));
  // One side that is the same does not tell how the others differ.
  const isSizeSaid = [...size, ...about].some(({ code }) => code !== 'same-side');
  if (!isSizeSaid) reasons.push(...otherSizes(asked.bboxSizeMm, found.bboxSizeMm));
  const areFlat = asked.features?.shape === 'milled' && found.features?.shape === 'milled';
  if (areFlat) reasons.push({ code: 'both-flat-faced' });
  return reasons;
}

function drawnHoles({ features }: ComparedModel, { askedSizes, foundSizes }: ReasonFacts): Because[] {
  const stated = askedSizes ?? foundSizes;
  return stated === undefined ? [] : otherDrawnHoles(stated, features);
}

/**
 * One stated size may be there by chance, so two different ones are asked for: of the box, or along the axes. Where one
 * of three is missing, the part on the drawing may have another thickness or length, which is said first.
 */
function statedSizes({ bboxSizeMm, extentsMm }: ComparedModel, statedMm: readonly number[]): Because[] {
  const isStated = (size: number): boolean => statedMm.some((length) => isNear(length, size, SAME_STATED));
  // Sides of boxes carry the noise of their rotation: 100.00000000000001.
  const written = (size: number): number => Number(size.toPrecision(SIZE_DIGITS));
  const different = [bboxSizeMm, [...extentsMm].sort((a, b) => b - a)].map((sides) =>
    sides.filter((size, k) => k === 0 || !isNear(size, sides[k - 1], SAME_STATED)),
  );
  const count = (sides: readonly number[]): number => sides.filter(isStated).length;
  const [sides] = different.sort((a, b) => count(b) - count(a));
  if (count(sides) < 2) return [];
  return [
    ...sides
      .filter((size) => !isStated(size))
      .map((size) => ({ code: 'unstated-size', sizeMm: written(size) }) as const),
    { code: 'stated-sizes', sizesMm: sides.filter(isStated).map(written) },
  ];
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
