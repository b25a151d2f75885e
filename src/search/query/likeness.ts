import { LIKENESS_OF_VIEWS, PAGE_LAID_ON, type SeenKind, type ViewedKind } from './likeness-tables.js';

/**
 * One scale for all ways of asking. What a comparison measures becomes the likeness that is expected of such a pair: 1
 * the same part, 1 / (1 + d / 2) a part of its family whose box differs by d in log extents, 0 anything else. Equal
 * likenesses have equal scores and the same similarity, whatever was compared: `npm run bench -- similarity`.
 */

/** Distance of surfaces, without sizes, at which half of the pairs are of one family, and how fast that falls. */
export const LIKENESS_OF_SHAPES = Object.freeze({ half: 0.3, power: 5 });
/** Share of the likeness that sizes take: an edge twice as long (d = 0.69) leaves 74 %, ten times as long 46 %. */
const SIZE_SHARE = 0.5;
/** Added to what is apart of two inks: that of two pictures of one page. */
const LEAST_INK_APART = 0.1;
/** Lowest score of merely similar files, above the scores of all files that are known to be the same part. */
export const SIMILAR_LEAST = 0.05;
/** Score of a drawing that is the same as an input in other bytes: the largest of what is identical. */
export const SAVED_ANEW_SCORE = 0.01;
/**
 * Similarity below which hits are shown as less similar, %: of those that are said to be 20 to 30 % like one of 773
 * labelled parts, half are of its class; of those below 10 %, 1 of 140 (`npm run bench -- retrieval`).
 */
export const LESS_SIMILAR_BELOW = 20;
/** Most that is said of merely similar files, so that only the same part is 100 when it is rounded to whole percent. */
const SIMILAR_MOST = 99.4;

/**
 * 0 to 100 for people: 100 times the likeness that is expected of a hit with this score, 100 for the same part alone.
 */
export function similarityOf(score: number): number {
  if (score < SIMILAR_LEAST) return 100;
  const { half, power } = LIKENESS_OF_SHAPES;
  return Math.min(SIMILAR_MOST, 100 / (1 + ((score - SIMILAR_LEAST) / half) ** power));
}

/**
 * Distance of two models: 0 for the same shape and size, rising with both, about 1.1 and more for unrelated parts.
 * @param shape distance of their surfaces
 * @param sizes distance in log extents of their boxes
 */
export function distanceOfModels(shape: number, sizes: number): number {
  const { half, power } = LIKENESS_OF_SHAPES;
  const unlike = (shape / half) ** power,
    resized = SIZE_SHARE * sizes;
  return half * (unlike + resized + unlike * resized) ** (1 / power);
}

/**
 * Distance of two drawings of parts whose sizes differ.
 * @param drawn by their views, pages and ink: see {@link distanceOfViews}, {@link distanceOfInk}
 * @param sizes distance in log extents of the boxes of their parts
 */
export function distanceOfDrawings(drawn: number, sizes: number): number {
  // What is unlike by its views says nothing of sizes, and distances above 1 are on another scale.
  return drawn < 1 ? Math.max(drawn, Math.min(1, distanceOfModels(drawn, sizes))) : drawn;
}

/**
 * Distance, on the scale of {@link distanceOfModels}, of a file compared by its views: 0 for equal views, at most 2.
 * @param score from `rankViews`, or the unexplained share of a photo; Infinity without views
 */
export function distanceOfViews(asked: SeenKind, found: ViewedKind, score: number): number {
  const curve = LIKENESS_OF_VIEWS[asked][found];
  const distance = LIKENESS_OF_SHAPES.half * (score / curve.half) ** (curve.power / LIKENESS_OF_SHAPES.power);
  return distance <= 1 ? distance : 2 - 1 / distance;
}

/**
 * The same for a page on which the ink of a whole page lies.
 * @param apart 1 minus the share of the ink of their views that agrees, 0 to 1
 * @param left what lengths leave of the distance, see `leftByLengths`
 */
export function distanceOfInk(apart: number, left: number): number {
  const { half, power } = PAGE_LAID_ON;
  return LIKENESS_OF_SHAPES.half * ((left * (apart + LEAST_INK_APART)) / half) ** (power / LIKENESS_OF_SHAPES.power);
}
