import type { PartFeatures } from '../../descriptors/features/part-features.js';
import type { Because } from '../query/because.js';
import { SAME_SIDE } from '../query/because-text.js';

/** Sizes of a model, and what is known of its features. */
export interface ComparedModel {
  /** Sides of the smallest box, falling. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly volumeMm3: number;
  /** Undefined where none are known. */
  readonly features: PartFeatures | undefined;
  /**
   * Extents along the axes of its file, which a drawing states where the smallest box lies aslant, as of an angle;
   * empty where they were not looked up.
   */
  readonly extentsMm: readonly number[];
}

/** Largest differences, as shares, of what is called equal: ratios of sides. */
const SAME_RATIO = 0.02;
/** The same of the two sides of the box of a round part: of a gear with few and odd teeth they differ by so much. */
const SAME_ROUND = 0.03;
/** Largest ratio of factors, or factor, of what is called nearly equal. */
const NEAR = 1.1;
/** Beyond this factor nobody says how much longer a part is: it is another part. */
const MOST_FACTOR = 4;
/** A plate is at most this thick, as a share of its width. */
const PLATE = 0.25;
/** And fills at least this share of its box: half of a disc. */
const SOLID = 0.4;

const SIDES = ['length', 'width', 'height'] as const;

export function likeSize(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  const others = SIDES.flatMap((_, k) => (isNear(found[k], asked[k], SAME_SIDE) ? [] : [k]));
  if (others.length === 0) return [{ code: 'same-size', sizeMm: found }];
  // A flat part has a side of 0, which is no multiple of anything.
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  if (others.length === 1) {
    const [k] = others;
    const factor = found[k] / asked[k];
    const areFlat = arePlates(asked, found);
    return [{ code: 'other-side', side: SIDES[k], factor, sideMm: found[k], querySideMm: asked[k], areFlat }];
  }
  const factors = SIDES.map((_, k) => found[k] / asked[k]);
  const factor = Math.cbrt(factors[0] * factors[1] * factors[2]);
  if (Math.max(...factors) > (1 + SAME_RATIO) * Math.min(...factors) || isNear(factor, 1, SAME_RATIO)) return [];
  return [{ code: 'same-proportions', factor }];
}

/** A part that is round about an axis. */
export interface RoundPart {
  readonly diameterMm: number;
  /** Along the axis. */
  readonly lengthMm: number;
}

/**
 * Diameter and length of two round parts, which people name instead of three sides; undefined where one of them is not
 * round, or both are equal or have the same proportions. Nothing of parts that are not alike but one diameter.
 */
export function roundSize(asked: ComparedModel, found: ComparedModel, areAlike: boolean): Because[] | undefined {
  const [query, hit] = [roundPart(asked), roundPart(found)];
  if (query === undefined || hit === undefined) return undefined;
  const isSame = (side: keyof RoundPart): boolean => isNear(query[side], hit[side], SAME_SIDE);
  const [factor, along] = [hit.diameterMm / query.diameterMm, hit.lengthMm / query.lengthMm];
  if (isSame('diameterMm') && isSame('lengthMm')) return undefined;
  if (isNear(factor, along, SAME_RATIO)) return undefined;
  const isFar = [factor, along].some((times) => !(times < MOST_FACTOR && times > 1 / MOST_FACTOR));
  if (!isSame('diameterMm') && (!areAlike || isFar)) return undefined;
  return [
    {
      code: 'round-size',
      ...hit,
      queryDiameterMm: query.diameterMm,
      queryLengthMm: query.lengthMm,
    },
  ];
}

/** A turned part, a round tube or a gear, whose box is as wide as high about its axis; undefined of others. */
export function roundPart({ bboxSizeMm: [length, width, height], features: of }: ComparedModel): RoundPart | undefined {
  const { shape = null, features } = of ?? {};
  const teeth = (features ?? []).filter(({ kind, isInternal }) => kind === 'teeth' && isInternal !== true);
  const isTube = shape === 'tube' && (features ?? []).some(({ kind }) => kind === 'hole');
  if (!(height > 0) || (shape !== 'turned' && !isTube && teeth.length === 0)) return undefined;
  const isFlat = width / length > height / width;
  const [from, to] = isFlat ? [width, length] : [height, width];
  if (!isNear(from, to, SAME_ROUND)) return undefined;
  // A box lies between the tips of teeth, so the circle through them is larger.
  const tips = teeth.flatMap(({ diameterMm = 0 }) => (isNear(diameterMm, to, SAME_ROUND) ? [diameterMm] : []));
  return { diameterMm: Math.max(to, ...tips), lengthMm: isFlat ? height : length };
}

/** Nearly equal as a whole, or one side of them. */
export function nearSize(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  const factors = SIDES.map((_, k) => found[k] / asked[k]);
  const most = Math.max(...factors),
    least = Math.min(...factors);
  if (most <= NEAR && least >= 1 / NEAR) return [{ code: 'near-size', sizeMm: found, querySizeMm: asked }];
  if (most <= NEAR * least) return [{ code: 'near-proportions', factor: Math.cbrt(factors.reduce((a, b) => a * b)) }];
  const same = SIDES.flatMap((side, k) => (isNear(found[k], asked[k], SAME_SIDE) ? [[side, k] as const] : []));
  if (same.length !== 1 || (same[0][1] === 2 && arePlates(asked, found))) return [];
  return same.map(([side, k]) => ({ code: 'same-side', side, sideMm: found[k] }));
}

export function otherSizes(asked: ComparedModel['bboxSizeMm'], found: ComparedModel['bboxSizeMm']): Because[] {
  if (!(asked[2] > 0 && found[2] > 0)) return [];
  const [length, width, height] = SIDES.map((_, k) => found[k] / asked[k]);
  if ([length, width, height].some((factor) => !(factor < MOST_FACTOR && factor > 1 / MOST_FACTOR))) return [];
  return [{ code: 'other-sizes', factors: [length, width, height], areFlat: arePlates(asked, found) }];
}

/** Plates of one thickness, if that is not said by their sizes; a flange with a hub is none. */
export function likePlates(...models: readonly [asked: ComparedModel, found: ComparedModel]): Because[] {
  const [asked, found] = models.map(({ bboxSizeMm }) => bboxSizeMm);
  const areSolid = models.every(({ bboxSizeMm: [a, b, c], volumeMm3 }) => volumeMm3 >= SOLID * a * b * c);
  if (!areSolid || !arePlates(asked, found) || !isNear(found[2], asked[2], SAME_SIDE)) return [];
  if (isNear(found[0], asked[0], SAME_SIDE) || isNear(found[1], asked[1], SAME_SIDE)) return [];
  return [{ code: 'same-thickness', thicknessMm: found[2] }];
}

/** Whether the smallest side of both is a thickness; of a block or an angle it is none. */
function arePlates(...sizes: readonly ComparedModel['bboxSizeMm'][]): boolean {
  return sizes.every(([, width, height]) => height > 0 && height <= PLATE * width);
}

/** Whether two lengths or volumes differ by at most a share of the larger one. */
export function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(a, b);
}
