import type { Sheet } from '../../content/sheet.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Strokes whose ends are no farther apart than this, points, form one symbol. */
const TOUCH = 0.4;

/** Whether strokes are drawn letters: no symbol that touching strokes form is larger than `size`. */
export function isWriting(
  { strokes: { points, starts } }: Sheet,
  { boxes, point }: SheetMeasures,
  strokes: readonly number[],
  size: number,
): boolean {
  const isSmall = (i: number): boolean =>
    Math.max(boxes[4 * i + 2] - boxes[4 * i], boxes[4 * i + 3] - boxes[4 * i + 1]) < size;
  if (!strokes.every(isSmall)) return false;
  const signs = Int32Array.from(strokes, (_, n) => n);
  const signOf = (n: number): number => {
    let root = n;
    while (signs[root] !== root) root = signs[root] = signs[signs[root]];
    return root;
  };
  const places = new Map<string, number>();
  const grain = TOUCH * point;
  strokes.forEach((i, n) => {
    for (const p of [starts[i], starts[i + 1] - 1]) {
      const key = `${Math.round(points[2 * p] / grain)} ${Math.round(points[2 * p + 1] / grain)}`;
      const other = places.get(key);
      if (other === undefined) places.set(key, n);
      else signs[signOf(n)] = signOf(other);
    }
  });
  const extents = new Map<number, [number, number, number, number]>();
  strokes.forEach((i, n) => {
    const known = extents.get(signOf(n)) ?? [Infinity, Infinity, -Infinity, -Infinity];
    extents.set(signOf(n), [
      Math.min(known[0], boxes[4 * i]),
      Math.min(known[1], boxes[4 * i + 1]),
      Math.max(known[2], boxes[4 * i + 2]),
      Math.max(known[3], boxes[4 * i + 3]),
    ]);
  });
  return [...extents.values()].every(([minX, minY, maxX, maxY]) => Math.max(maxX - minX, maxY - minY) < size);
}
