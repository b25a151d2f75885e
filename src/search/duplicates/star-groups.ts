import { addTo } from '../../content/groups.js';
import type { PartSet } from './part-sets.js';

/** A relation between two sets. */
export interface Link<T> {
  readonly from: PartSet;
  readonly to: PartSet;
  /** Relation of `to` to `from`. */
  readonly match: T;
}

/** A set with the sets linked to it. */
export interface Star<T> {
  readonly centre: PartSet;
  /** The sets linked with the centre. */
  readonly others: readonly { readonly set: PartSet; readonly match: T }[];
}

/** A spanning forest: drops links between sets that earlier links already connect. */
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

/** A star for each set with outgoing links, in the order of the links. */
export function starsOf<T>(links: readonly Link<T>[]): Star<T>[] {
  return [...linksFrom(links)].map(([centre, others]) => ({
    centre,
    others: others.map(({ to, match }) => ({ set: to, match })),
  }));
}

/**
 * Stars for similarity, which is not transitive: the set with the most links becomes a centre first, then the earlier
 * one (star clustering, Aslam and others 2004). Every set with a link is in a star, and in two only if a star would
 * otherwise be empty.
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
  for (const link of links) addTo(from, link.from, link);
  return from;
}
