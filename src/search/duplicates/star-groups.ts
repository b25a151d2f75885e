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
  /** Each linked with the centre. */
  readonly others: readonly { readonly set: PartSet; readonly match: T }[];
}

/** Links that say something new: not those between sets that hang together by links before them. */
export function spanning<L extends Link<unknown>>(links: readonly L[]): L[] {
  const above = new Map<PartSet, PartSet>();
  const rootOf = (set: PartSet): PartSet => {
    let root = set;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    if (root !== set) above.set(set, root);
    return root;
  };
  return links.filter(({ from, to }) => {
    const a = rootOf(from),
      b = rootOf(to);
    if (a !== b) above.set(b, a);
    return a !== b;
  });
}

/** A star for each set that links go from, in the order of the links. */
export function starsOf<T>(links: readonly Link<T>[]): Star<T>[] {
  return [...linksFrom(links)].map(([centre, others]) => ({
    centre,
    others: others.map(({ to, match }) => ({ set: to, match })),
  }));
}

/**
 * Stars for likeness, where two that are like a third need not be alike: the set with the most others about it is a centre first (star
 * clustering, Aslam and others 2004), then the earlier one. Every set that has a link is in a star, and in two only where a
 * star would else be empty.
 * links: in both directions.
 */
export function starsOfMost<T>(links: readonly Link<T>[]): Star<T>[] {
  const from = linksFrom(links);
  const centres = [...from].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a.number - b.number);
  const taken = new Set<PartSet>();
  const stars: Star<T>[] = [];
  for (const [centre, all] of centres) {
    const free = all.filter(({ to }) => !taken.has(to));
    if (taken.has(centre) && free.length === 0) continue;
    const others = free.length > 0 ? free : all;
    stars.push({ centre, others: others.map(({ to, match }) => ({ set: to, match })) });
    for (const set of [centre, ...others.map(({ to }) => to)]) taken.add(set);
  }
  return stars;
}

function linksFrom<T>(links: readonly Link<T>[]): Map<PartSet, Link<T>[]> {
  const from = new Map<PartSet, Link<T>[]>();
  for (const link of links) {
    const row = from.get(link.from);
    if (row === undefined) from.set(link.from, [link]);
    else row.push(link);
  }
  return from;
}
