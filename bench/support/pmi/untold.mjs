// What became of the items of a drawing that were not read as they stand: read as something else at their place, told
// in `leftOut` with their text or place, or neither. The last ones are what nobody would look for.
import { iou } from './score.mjs';

/** Overlap of boxes from which on something was read at the place of an item. */
const READ = 0.1;

/**
 * @param {{ missed: readonly object[] }} result what `compared` says of a drawing, whose items have boxes.
 * @param {readonly object[]} found what was found on it.
 * @param {readonly string[]} leftOut what the product says it left out.
 * @returns {{ item: object, fate: 'wrong' | 'told' | 'silent' }[]} of each item that was missed.
 */
export function fatesOf({ missed }, found, leftOut) {
  const told = leftOut.flatMap((line) => line.split(/[:;] (?=\S)/));
  const texts = new Set(told.map((each) => each.replace(/ \(page .*| /g, '')));
  const places = leftOut.flatMap((line) =>
    [...line.matchAll(/\(page \d+: (\d+), (\d+)\)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  );
  return missed.map((item) => {
    const [x, y, width, height] = item.box;
    if (found.some(({ object }) => iou(object.box, item.box) >= READ)) return { item, fate: 'wrong' };
    const reach = Math.min(width, height);
    const isTold =
      texts.has(item.said.replaceAll(' ', '')) ||
      places.some(([u, v]) => u > x - reach && u < x + width + reach && v > y - reach && v < y + height + reach);
    return { item, fate: isTold ? 'told' : 'silent' };
  });
}
