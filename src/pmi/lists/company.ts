import { addTo } from '../../content/groups.js';
import { stacksOf } from '../inspection-order.js';
import type { PmiObject, PmiPage } from '../pmi.js';
import type { ComparedItem } from './compared-items.js';

/** Larger groups are tables and faces that everything refers to. */
const MOST_TOGETHER = 12;
/** Sizes are told apart by so many of a millimetre, and of a degree. */
const FINEST = 1e4;

/**
 * What stands with each annotation of a page: on the sheet those that an inspector reads together, in a model those of
 * the same faces. Keys of {@link ItemOfAny.around}, without the annotation's own.
 * @param itemsOf the items of an annotation.
 */
export function companyOf(
  { objects, widthPx }: PmiPage,
  itemsOf: (object: PmiObject) => readonly ComparedItem[],
): ReadonlyMap<PmiObject, readonly string[]> {
  const counted = objects.filter((object) => itemsOf(object).length > 0);
  const groups = widthPx === 0 ? groupsOfFaces(counted) : stacksOf(counted).map((stack) => stack.objects);
  const others = new Map<PmiObject, Set<PmiObject>>();
  for (const group of groups) {
    if (group.length > MOST_TOGETHER) continue;
    for (const object of group) {
      const known = others.get(object) ?? new Set<PmiObject>();
      others.set(object, known);
      for (const other of group) if (other !== object) known.add(other);
    }
  }
  return new Map(
    [...others].map(([object, known]) => [object, [...known].flatMap((other) => itemsOf(other).map(keyOf))]),
  );
}

function groupsOfFaces(objects: readonly PmiObject[]): PmiObject[][] {
  const groups = new Map<number, PmiObject[]>();
  for (const object of objects) for (const { id } of object.faces ?? []) addTo(groups, id, object);
  return [...groups.values()];
}

/** Equal for what is the same but for its tolerance. */
function keyOf(item: ComparedItem): string {
  if (item.family === 'size') return `${item.kind} ${Math.round(item.nominal * FINEST) / FINEST}`;
  if (item.family !== 'frame') return `${item.family} ${item.key}`;
  return item.rows.map(({ sign, zone, width, datums }) => `${sign} ${zone}${width} ${datums}`).join(' / ');
}
