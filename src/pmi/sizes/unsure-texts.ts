import { medianOf } from '../../content/groups.js';
import type { SheetBox } from '../../content/sheet.js';
import { labelIn } from '../title/title-labels.js';

/** A text of a page of pixels that was not read for certain. */
export interface UnsureText {
  readonly text: string;
  readonly box: SheetBox;
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

/** Whether the middle of a box lies in a frame. */
function isMiddleIn(frame: SheetBox, { x, y, width, height }: SheetBox): boolean {
  return (
    Math.abs(2 * (x - frame.x) + width - frame.width) < frame.width &&
    Math.abs(2 * (y - frame.y) + height - frame.height) < frame.height
  );
}

/** Whether a text is the scale of a view with its label: `SCALE 2:1`. */
function isScale(text: string): boolean {
  const label = labelIn(text);
  return typeof label === 'object' && label.name === 'Scale' && /^\d+ ?: ?\d+$/.test(label.value);
}

/**
 * Those that may be sizes: scales of views are none. Texts much higher than the annotations of the page are edges and
 * names of views, and lower numbers that were hardly read are pieces of views, where enough annotations tell what is
 * usual.
 * @param certain heights of the letters of annotations that were read for certain, and the boxes of control frames
 *   among them: what stands in these is a part of them.
 */
export function mayBeSizes<Text extends UnsureText>(
  texts: readonly Text[],
  { heights, frames }: { readonly heights: readonly number[]; readonly frames: readonly SheetBox[] },
): readonly Text[] {
  const others = texts.filter(({ text, box }) => !isScale(text) && !frames.some((frame) => isMiddleIn(frame, box)));
  const usual = heights.length < FEWEST ? undefined : medianOf(heights);
  if (usual === undefined) return others;
  return others.filter(({ text, height, confidence = 1 }) => {
    if (height > HIGHEST * usual) return false;
    return !(/^\d+$/.test(text) && confidence < LEAST_CONFIDENCE && height < LOWEST * usual);
  });
}
