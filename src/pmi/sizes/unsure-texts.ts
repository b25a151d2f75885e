import { medianOf } from '../../content/groups.js';

/** A text of a page of pixels that was not read for certain. */
export interface UnsureText<Box> {
  readonly text: string;
  readonly box: Box;
  /** Height of its letters, in the unit of the page. */
  readonly height: number;
  /** How likely it is right, where it was read as an annotation: 0 to 1. */
  readonly confidence?: number;
}

/** Fewest annotations that tell how high the letters of a page are. */
const FEWEST = 4;
/** Letters of sizes are lower than so many times the usual height: edges, and names of views, may be higher. */
const HIGHEST = 1.5;
/** A number that is read with less confidence, and lower than this share of the usual height, is a piece of a view. */
const LOWEST = 0.6;
const LEAST_CONFIDENCE = 0.35;

/**
 * Those that may be sizes: texts much higher than the annotations of the page are edges and names of views, and lower
 * numbers that were hardly read are pieces of views. All where too few annotations tell what is usual.
 * @param heights of the letters of annotations that were read for certain.
 */
export function mayBeSizes<Text extends UnsureText<unknown>>(
  texts: readonly Text[],
  heights: readonly number[],
): readonly Text[] {
  const usual = heights.length < FEWEST ? undefined : medianOf(heights);
  if (usual === undefined) return texts;
  return texts.filter(({ text, height, confidence = 1 }) => {
    if (height > HIGHEST * usual) return false;
    return !(/^\d+$/.test(text) && confidence < LEAST_CONFIDENCE && height < LOWEST * usual);
  });
}
