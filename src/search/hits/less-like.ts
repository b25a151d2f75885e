import type { ShapeHit } from '../shapes/shape-search.js';

/** Hits of which it is asked how their features and what they state differ: a page of results. */
export const MOST_SIZED = 50;

/** What makes hits less like a query than their surface or their views are. */
export interface Differences<Hit> {
  /** Whether a hit is so like the query that it is asked. */
  readonly isAsked: (hit: Hit) => boolean;
  /** Whether a hit stays before all others, whatever they score. */
  readonly isBefore: (hit: Hit) => boolean;
  /** Distances of these hits in log extents, by file; 0 or none where nothing is known. */
  readonly apartOf: (hits: readonly Hit[]) => Promise<ReadonlyMap<number, number>>;
  /** The score of a hit that is so far apart. */
  readonly scoreOf: (score: number, apart: number) => number;
}

/**
 * The hits by rising score, the first ones less like the query by what is plain of them. Behind these nothing changes,
 * and no score becomes larger than that of the last one of them. hits: by rising score.
 */
export async function lessLike<Hit extends Pick<ShapeHit, 'fileId' | 'uid' | 'score'>>(
  hits: readonly Hit[],
  { isAsked, isBefore, apartOf, scoreOf }: Differences<Hit>,
): Promise<readonly Hit[]> {
  const first = hits.slice(0, MOST_SIZED);
  const most = hits.length > MOST_SIZED ? first.at(-1)!.score : Infinity;
  const asked = first.filter(isAsked);
  const apart = asked.length === 0 ? new Map<number, number>() : await apartOf(asked);
  if (![...apart.values()].some((each) => each > 0)) return hits;
  const changed = first.map((hit): Hit => {
    const own = apart.get(hit.fileId) ?? 0;
    return own > 0 ? { ...hit, score: Math.max(hit.score, Math.min(scoreOf(hit.score, own), most)) } : hit;
  });
  const rest = changed.filter((hit) => !isBefore(hit));
  return [
    ...changed.filter(isBefore),
    ...rest.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1)),
    ...hits.slice(MOST_SIZED),
  ];
}
