import { longerSide, type Corners } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';

/** Letters that a sheet has as filled areas. */
export interface DrawnLetters {
  /** That of capitals: small letters are lower, sheet units. */
  readonly height: number;
  /** Of each, sheet units. */
  readonly boxes: readonly Corners[];
}

/** Least and largest longer side of a letter, points. */
const SIDES = [2, 20] as const;
/** Letters differ from most in height by less. */
const LIKE = [0.3, 1.6] as const;
/** Most letters are small or figures: so many of all are no higher than capitals. */
const CAPITALS = 0.75;
/** Fewest points of a letter's outline, a closed one: heads of arrows have fewer, as have bars and points. */
const POINTS = 6;
/** Fewer areas like letters are signs; of more than the most the first ones are looked at. */
const FEWEST = 30;
const MOST = 20_000;

/** The letters of a sheet whose text was saved as outlines; undefined where there are few filled areas like letters. */
export function drawnLetters({ strokes, styles }: Sheet, measures: SheetMeasures): DrawnLetters | undefined {
  const boxes: Corners[] = [];
  for (let i = 0; i < strokes.count && boxes.length < MOST; i++) {
    if (!styles[strokes.styles[i]].isFill) continue;
    const box = boxAt(measures, i);
    const longer = longerSide(box);
    const isSmall = longer >= SIDES[0] * measures.point && longer <= SIDES[1] * measures.point;
    if (isSmall && strokes.starts[i + 1] - strokes.starts[i] >= POINTS) boxes.push(box);
  }
  if (boxes.length < FEWEST) return undefined;
  const height = boxes.map(longerSide).sort((a, b) => a - b)[Math.floor(CAPITALS * boxes.length)];
  const isLike = (box: Corners): boolean => longerSide(box) > LIKE[0] * height && longerSide(box) < LIKE[1] * height;
  return { height, boxes: boxes.filter(isLike) };
}
