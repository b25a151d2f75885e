import type { SearchFacets, SearchHit, SearchInputFigures, SearchResult } from '../../search/query/query.js';
import type { IndexedComponent } from '../../store/catalog/assembly-component.js';

/** A hit with the component of the input that found it, if an assembly was searched with component by component. */
export type ComponentwiseHit = SearchHit & { readonly asked?: Pick<IndexedComponent, 'uid' | 'name'> };

/** A search result whose hits may name the component of the input that found them. */
export type ComponentwiseResult = Omit<SearchResult, 'hits'> & { readonly hits: readonly ComponentwiseHit[] };

/** The requested page of the merged list, and the values that complete it. */
export interface MergeOptions {
  readonly offset: number;
  readonly limit: number;
  /** Measures of the assembly. */
  readonly input: SearchInputFigures;
  readonly elapsedMs: number;
}

/**
 * Merges the results of all components of an assembly into pages of one list. The best hit of each component comes
 * before all other hits, so that a small limit leaves no component out, and each page is ordered by score; ties are
 * ordered by component, then by UID. The first page holds the best hit of each component even where these are more than
 * `limit`. Pages never overlap. Totals and facets are summed: a file that two components found counts twice.
 * found: each with its first `offset + limit` hits.
 */
export function mergeComponentResults(
  found: readonly { readonly component: IndexedComponent; readonly result: SearchResult }[],
  { offset, limit, input, elapsedMs }: MergeOptions,
): ComponentwiseResult {
  const hits = found.flatMap(({ component: asked, result }, order) =>
    result.hits.map((hit, i): PlacedHit => ({ order, isBest: i === 0, hit: { ...hit, asked } })),
  );
  const best = hits.filter(({ isBest }) => isBest);
  const others = hits.filter(({ isBest }) => !isBest).sort(byScore);
  // The first page of a limit below the number of components is longer, so the next ones begin after it.
  const first = offset === 0 || limit >= best.length ? offset : Math.max(offset, best.length);
  const page = [...best.sort(byScore), ...others].slice(
    first,
    Math.max(offset + limit, offset === 0 ? best.length : 0),
  );
  const facets = found.flatMap(({ result }) => (result.facets === undefined ? [] : [result.facets]));
  return {
    hits: page.sort(byScore).map(({ hit }) => hit),
    total: found.reduce((sum, { result }) => sum + result.total, 0),
    ...(facets.length === 0 ? {} : { facets: sumOf(facets) }),
    inputs: [input],
    elapsedMs,
  };
}

/** A hit with the place of its component among the components of the input. */
interface PlacedHit {
  readonly order: number;
  /** Whether it is the first hit of its component. */
  readonly isBest: boolean;
  readonly hit: ComponentwiseHit;
}

function byScore(a: PlacedHit, b: PlacedHit): number {
  return a.hit.score - b.hit.score || a.order - b.order || (a.hit.uid < b.hit.uid ? -1 : 1);
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
