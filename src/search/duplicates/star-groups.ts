import type { PartSet } from './part-sets.js';

/** Two sets that belong together in one way. */
export interface Link<T> {
  readonly from: PartSet;
  readonly to: PartSet;
  /** What `to` is to `from`. */
  readonly match: T;
}

/** Sets about one of them. */
export interface Star<T> {
  readonly centre: PartSet;
  /** Each linked with the centre, in the order of the sets. */
  readonly others: readonly { readonly set: PartSet; readonly match: T }[];
}

/**
 * Makes groups of links: in every group all are linked with its first set, its centre; earlier sets are centres first, and no set is in two groups
 * but as the centre of one. So every set that has a link is in a group. For relations that hold of any two in a group.
 */
export function starsOfFirst<T>(sets: readonly PartSet[], links: readonly Link<T>[]): Star<T>[] {
  const from = new Map<PartSet, Link<T>[]>();
  for (const link of links) from.set(link.from, [...(from.get(link.from) ?? []), link]);
  const taken = new Set<PartSet>();
  const stars: Star<T>[] = [];
  for (const centre of sets) {
    const others = (from.get(centre) ?? []).filter(({ to }) => to !== centre && !taken.has(to)).map(({ to, match }) => ({ set: to, match }));
    if (others.length === 0) continue;
    for (const { set } of [{ set: centre }, ...others]) taken.add(set);
    stars.push({ centre, others });
  }
  return stars;
}

/**
 * The same for likeness, where two that are like a third need not be alike: the set with the most others about it comes first (star
 * clustering, Aslam and others 2004), then the earlier one.
 * links: in both directions.
 */
export function starsOfMost<T>(sets: readonly PartSet[], links: readonly Link<T>[]): Star<T>[] {
  const counts = new Map<PartSet, number>();
  for (const { from } of links) counts.set(from, (counts.get(from) ?? 0) + 1);
  const countOf = (set: PartSet): number => counts.get(set) ?? 0;
  // The sort is stable.
  return starsOfFirst([...sets].sort((a, b) => countOf(b) - countOf(a)), links);
}
