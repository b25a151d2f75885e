import type { SearchFacets, SearchHit, SearchInputFigures, SearchResult } from '../../search/query/query.js';
import type { IndexedComponent } from '../../store/catalog/assembly-component.js';

/** A hit with the component of the input that found it, if an assembly was searched with component by component. */
export type ComponentwiseHit = SearchHit & { readonly asked?: Pick<IndexedComponent, 'uid' | 'name'> };

/** A search result whose hits may name the component of the input that found them. */
export type ComponentwiseResult = Omit<SearchResult, 'hits'> & { readonly hits: readonly ComponentwiseHit[] };

/** The requested part of the merged list, and the values that complete it. */
export interface MergeOptions {
  readonly offset: number;
  readonly limit: number;
  /** Measures of the assembly. */
  readonly input: SearchInputFigures;
  readonly elapsedMs: number;
}

/**
 * Merges the results of all components of an assembly into one list by score; ties are ordered by component, then by
 * UID. Totals and facets are summed: a file that two components found counts twice.
 */
export function mergeComponentResults(
  found: readonly { readonly component: IndexedComponent; readonly result: SearchResult }[],
  { offset, limit, input, elapsedMs }: MergeOptions,
): ComponentwiseResult {
  const hits = found
    .flatMap(({ component: asked, result }, order) => result.hits.map((hit) => ({ order, hit: { ...hit, asked } })))
    .sort((a, b) => a.hit.score - b.hit.score || a.order - b.order || (a.hit.uid < b.hit.uid ? -1 : 1));
  const facets = found.flatMap(({ result }) => (result.facets === undefined ? [] : [result.facets]));
  return {
    hits: hits.slice(offset, offset + limit).map(({ hit }) => hit),
    total: found.reduce((sum, { result }) => sum + result.total, 0),
    ...(facets.length === 0 ? {} : { facets: sumOf(facets) }),
    inputs: [input],
    elapsedMs,
  };
}

function sumOf(all: readonly SearchFacets[]): SearchFacets {
  const kinds = { Image: 0, ThreeD: 0, TwoD: 0, Text: 0 };
  const categories = new Map<number | null, number>();
  for (const facets of all) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) kinds[kind] += facets.kinds[kind];
    for (const { categoryId, count } of facets.categories)
      categories.set(categoryId, (categories.get(categoryId) ?? 0) + count);
  }
  return { kinds, categories: [...categories].map(([categoryId, count]) => ({ categoryId, count })) };
}
