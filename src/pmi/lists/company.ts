import { addTo } from '../../content/groups.js';
import { stacksOf } from '../inspection-order.js';
import type { PmiObject, PmiPage } from '../pmi.js';

/** Larger groups are tables and faces that everything refers to. */
const MOST_TOGETHER = 12;

/**
 * What stands with each annotation of a page: on the sheet those that an inspector reads together, in a model those of
 * the same faces. The keys of the others, without the annotation's own.
 * @param keysOf what an annotation says, a string for each item: equal for what is the same.
 */
export function companyOf(
  { objects, widthPx }: PmiPage,
  keysOf: (object: PmiObject) => readonly string[],
): ReadonlyMap<PmiObject, readonly string[]> {
  const counted = objects.filter((object) => keysOf(object).length > 0);
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
  return new Map([...others].map(([object, known]) => [object, [...known].flatMap((other) => keysOf(other))]));
}

function groupsOfFaces(objects: readonly PmiObject[]): PmiObject[][] {
  const groups = new Map<number, PmiObject[]>();
  for (const object of objects) for (const { id } of object.faces ?? []) addTo(groups, id, object);
  return [...groups.values()];
}
