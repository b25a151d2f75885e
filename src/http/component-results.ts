import type { Company, IndexedComponent, SearchHit, SearchQuery, SearchResult } from '../index.js';
import { badField, given } from './server/problem.js';

/** A hit, and the component of the input that found it, where the input was searched with component by component. */
export type WireHit = SearchHit & { readonly asked?: Pick<IndexedComponent, 'uid' | 'name'> };
/** A result of such hits. */
export type WireResult = Omit<SearchResult, 'hits'> & { readonly hits: readonly WireHit[] };

/** Most hits of one component: those of the pages before are found, too. */
const MOST_HITS = 10_000;

/**
 * What is found with each component of an assembly, as one list by score. Components of a search input are indexed when they are not yet.
 * Undefined for what has no components to search with: then the file as a whole is what can be searched with.
 */
export async function findByComponents(
  company: Company,
  uid: string,
  { like: _, offset = 0, limit = 20, ...query }: SearchQuery,
): Promise<WireResult | undefined> {
  const tree = await company.assembly(uid);
  if (tree === undefined) return undefined;
  const { indexAssemblyComponents } = await company.get(uid);
  if (!indexAssemblyComponents) {
    if ((await company.input(uid)) === undefined) return undefined;
    await company.assemblies.indexComponents(uid, { signal: query.signal });
  }
  if (offset + limit > MOST_HITS)
    throw badField(
      'offset',
      `offset and limit must be at most ${MOST_HITS} together with searchAssemblyComponents, received ${offset} and ${limit}`,
    );
  const started = performance.now();
  const found = await given('filterStr', company.searchComponents(uid, { ...query, offset: 0, limit: offset + limit }));
  if (found.length === 0) return undefined;
  const hits = found
    .flatMap(({ component: asked, result }, order) => result.hits.map((hit) => ({ order, hit: { ...hit, asked } })))
    .sort((a, b) => a.hit.score - b.hit.score || a.order - b.order || (a.hit.uid < b.hit.uid ? -1 : 1));
  const { kind, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = await company.get(uid);
  return {
    hits: hits.slice(offset, offset + limit).map(({ hit }) => hit),
    total: found.reduce((sum, { result }) => sum + result.total, 0),
    ...(query.facets === true ? { facets: sumOfFacets(found.map(({ result }) => result)) } : {}),
    inputs: [{ uid, kind, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 }],
    elapsedMs: performance.now() - started,
  };
}

function sumOfFacets(results: readonly SearchResult[]): NonNullable<SearchResult['facets']> {
  const kinds = { Image: 0, ThreeD: 0, TwoD: 0, Text: 0 };
  const categories = new Map<number | null, number>();
  for (const { facets } of results) {
    if (facets === undefined) continue;
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) kinds[kind] += facets.kinds[kind];
    for (const { categoryId, count } of facets.categories)
      categories.set(categoryId, (categories.get(categoryId) ?? 0) + count);
  }
  return { kinds, categories: [...categories].map(([categoryId, count]) => ({ categoryId, count })) };
}
