import { signal, type ReadonlySignal } from '@preact/signals';
import { find } from '../api/endpoints.js';
import { messageOf } from '../api/request.js';
import type { WireHit, WireQuery, WireResult } from '../api/endpoints.js';

/** Hits per request. */
const PAGE_HITS = 40;

/** The loaded part of a result. */
export interface FoundState {
  /** Undefined until the first answer has arrived. */
  readonly first: WireResult | undefined;
  /** Hits by place; undefined where a page is not loaded yet. */
  readonly hits: readonly (WireHit | undefined)[];
  readonly failure: string | undefined;
  readonly elapsedMs: number;
}

/** The hits of one search, fetched in pages as they come into view. */
export class FoundPages {
  readonly #query: WireQuery;
  readonly #aborting = new AbortController();
  readonly #asked = new Set<number>();
  readonly #state = signal<FoundState>({ first: undefined, hits: [], failure: undefined, elapsedMs: 0 });

  constructor(query: WireQuery) {
    this.#query = query;
  }

  get state(): ReadonlySignal<FoundState> {
    return this.#state;
  }

  /** Fetches the missing hits from `first` to `last`, inclusive. */
  need(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE_HITS); page <= Math.floor(last / PAGE_HITS); page++) void this.#fetch(page);
  }

  /** Aborts running requests. */
  cancel(): void {
    this.#aborting.abort();
  }

  async #fetch(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const started = performance.now();
    try {
      const counted = page === 0; // Facets are the same for all pages.
      const result = await find(
        { ...this.#query, limit: PAGE_HITS, offset: page * PAGE_HITS, facets: counted, attributeFacets: counted },
        this.#aborting.signal,
      );
      const before = this.#state.value;
      const total = before.first?.total ?? result.total;
      const hits = before.hits.length === total ? [...before.hits] : Array.from<WireHit | undefined>({ length: total });
      result.hits.forEach((hit, i) => {
        hits[page * PAGE_HITS + i] = hit;
      });
      this.#state.value = {
        first: before.first ?? result,
        hits,
        failure: undefined,
        elapsedMs: before.first === undefined ? performance.now() - started : before.elapsedMs,
      };
    } catch (cause) {
      this.#asked.delete(page);
      const failure = messageOf(cause);
      if (failure !== undefined) this.#state.value = { ...this.#state.value, failure };
    }
  }
}
