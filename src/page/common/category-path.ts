import type { Category } from '../../index.js';

/** A category with those above it: `Fasteners / Screws`. */
export function categoryPath({ name, parentId }: Category, all: readonly Category[]): string {
  const parent = all.find(({ id }) => id === parentId);
  return parent === undefined ? name : `${categoryPath(parent, all)} / ${name}`;
}
