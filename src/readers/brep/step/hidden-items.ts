import { idOf, idsOf, type Part21Instances } from './part21-instances.js';

/** Types of instances that {@link readHiddenItems} needs to be listed. */
export const HIDING_KEYWORDS = ['INVISIBILITY'] as const;

/** Most items that are examined. */
const ITEMS = 1_000_000;

/**
 * Instance numbers of the geometric items that a STEP file hides (ISO 10303-46, INVISIBILITY): through a styled item, a
 * layer, or a whole representation. CAD programs hide construction geometry this way: tool bodies, extracted surfaces,
 * reference planes.
 */
export function readHiddenItems(instances: Part21Instances): ReadonlySet<number> {
  const hidden = new Set<number>();
  let visits = 0;
  const hide = (id: number, isInLayer: boolean): void => {
    if (++visits > ITEMS) return;
    const instance = instances.read(id);
    if (instance === undefined) return;
    const layer = instance.get('PRESENTATION_LAYER_ASSIGNMENT');
    const style = instance.get('STYLED_ITEM') ?? instance.get('OVER_RIDING_STYLED_ITEM');
    // In a complex instance, an over-riding styled item names its item at the end of its part STYLED_ITEM.
    if (layer !== undefined && !isInLayer) for (const item of idsOf(layer[2])) hide(item, true);
    else if (style !== undefined) add(idOf(style.length > 2 ? style[2] : style.at(-1)));
    else if (isInLayer) add(id);
    else for (const item of idsOf([...instance.values()].find((list) => list.length === 3)?.[1])) add(item);
  };
  const add = (id: number | undefined): void => {
    if (id !== undefined) hidden.add(id);
  };
  for (const id of instances.listed('INVISIBILITY')) {
    for (const item of idsOf(instances.read(id)?.get('INVISIBILITY')?.[0])) hide(item, false);
  }
  return hidden;
}
