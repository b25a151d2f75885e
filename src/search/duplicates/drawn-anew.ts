import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import { drawnFactor, SAME_DRAWN } from '../hits/drawn-factor.js';
import { times } from '../query/because-text.js';
import { sameLines } from '../views/inks/same-ink.js';
import type { ReadDrawing } from '../views/same-drawing.js';

/** How a drawing stands on its paper beside the same one in another file. */
export interface DrawnAnew {
  /** Its size over that of the first file's; null where they are not both to scale. */
  readonly scale: number | null;
  /** Its size as a share of its page over that of the first file's. */
  readonly onPage: number;
}

/** Pages differ at least by so much: that of a drawing in model space is what is drawn, with a margin. */
const OTHER_PAGE = 0.15;

/**
 * How a drawing stands on its paper beside another one that is the same.
 * @param first, second: the drawings, and the shapelets of their files
 */
export function drawnAnew(
  [first, firstViews]: readonly [ReadDrawing, readonly StoredShapelet[]],
  [second, secondViews]: readonly [ReadDrawing, readonly StoredShapelet[]],
): DrawnAnew {
  const laid = first.inks.flatMap((ink, at) => {
    const [lines, others] = [ink?.lines, second.inks[at]?.lines];
    return lines === undefined || others === undefined ? [] : sameLines(lines, others).slice(0, 1);
  });
  const scale = drawnFactor(firstViews, secondViews) ?? null;
  return { scale, onPage: laid[0]?.laid.scale ?? 1 };
}

/** `drawn ×2 larger`, `on larger paper`, `×1.41 smaller on its page`; undefined where it stands as the first one. */
export function drawnAnewText({ scale, onPage }: DrawnAnew): string | undefined {
  if (scale !== null && Math.abs(scale - 1) > SAME_DRAWN) return `drawn ${times(scale, ['larger', 'smaller'])}`;
  if (Math.abs(Math.log(onPage)) < OTHER_PAGE) return undefined;
  if (scale === null) return `${times(onPage, ['larger', 'smaller'])} on its page`;
  return onPage < 1 ? 'on larger paper' : 'on smaller paper';
}
