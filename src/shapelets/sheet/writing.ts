import { longerSide, NO_CORNERS, unionOf, type Corners } from '../../content/geometry.js';
import { DisjointSets } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';

/** Strokes whose ends are no farther apart than this, points, form one symbol. */
const TOUCH = 0.4;

/** Whether strokes are drawn letters: no symbol that touching strokes form is larger than `size`. */
export function isWriting(
  { strokes: { points, starts } }: Sheet,
  measures: SheetMeasures,
  strokes: readonly number[],
  size: number,
): boolean {
  if (!strokes.every((i) => longerSide(boxAt(measures, i)) < size)) return false;
  const signs = new DisjointSets(strokes.length);
  const places = new Map<string, number>();
  const grain = TOUCH * measures.point;
  strokes.forEach((i, n) => {
    for (const p of [starts[i], starts[i + 1] - 1]) {
      const key = `${Math.round(points[2 * p] / grain)} ${Math.round(points[2 * p + 1] / grain)}`;
      const other = places.get(key);
      if (other === undefined) places.set(key, n);
      else signs.join(n, other);
    }
  });
  const extents = new Map<number, Corners>();
  strokes.forEach((i, n) => {
    const sign = signs.rootOf(n);
    extents.set(sign, unionOf(extents.get(sign) ?? NO_CORNERS, boxAt(measures, i)));
  });
  return [...extents.values()].every((extent) => longerSide(extent) < size);
}
