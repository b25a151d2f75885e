import { signal, type ReadonlySignal } from '@preact/signals';
import { find } from '../api/find.js';
import { messageOf } from '../api/request.js';
import type { WireHit, WireQuery, WireResult } from '../api/wire.js';

/** Hits of one request. */
const PAGE_HITS = 40;

/** What is known of a search so far. */
export interface FoundState {
  /** Undefined until the first page is there. */
  readonly first: WireResult | undefined;
  /** By place; holes where a page is not there yet. */
  readonly hits: readonly (WireHit | undefined)[];
  readonly failure: string | undefined;
  readonly elapsedMs: number;
}

/** The hits of one search, fetched page by page as they come into view. */
export class FoundPages {
  readonly #query: WireQuery;
  readonly #leaving = new AbortController();
  readonly #asked = new Set<number>();
  readonly #state = signal<FoundState>({ first: undefined, hits: [], failure: undefined, elapsedMs: 0 });

  constructor(query: WireQuery) {
    this.#query = query;
  }

  get state(): ReadonlySignal<FoundState> {
    return this.#state;
  }

  /** Fetches what is missing of these places, `last` included. */
  need(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE_HITS); page <= Math.floor(last / PAGE_HITS); page++) void this.#fetch(page);
  }

  /** Gives up what is on its way. */
  leave(): void {
    this.#leaving.abort();
  }

  async #fetch(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const started = performance.now();
    try {
      const counted = page === 0; // The rest of the answer is the same for all pages.
      const result = await find(
        { ...this.#query, limit: PAGE_HITS, offset: page * PAGE_HITS, facets: counted, attributeFacets: counted },
        this.#leaving.signal,
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
