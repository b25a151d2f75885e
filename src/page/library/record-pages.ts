import { signal, type ReadonlySignal } from '@preact/signals';
import { listRecords } from '../api/endpoints.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/endpoints.js';
import type { LibraryState } from './library-state.js';

/** Records per request; the first request is smaller, so that it is answered sooner. */
const PAGE_RECORDS = 1_000;
const FIRST_RECORDS = 100;

/** The loaded part of a list. */
export interface RecordsState {
  readonly records: readonly WireRecord[];
  /** True: all records are loaded. */
  readonly ended: boolean;
  readonly failure: string | undefined;
}

/**
 * An ordered list of records, fetched page by page as needed. The server answers "after this record", not by offset, so
 * pages are fetched one after the other.
 */
export class RecordPages {
  readonly #shown: LibraryState;
  readonly #aborting = new AbortController();
  readonly #state = signal<RecordsState>({ records: [], ended: false, failure: undefined });
  #wanted = 0;
  /** The last record that came, whether it is shown or not. */
  #last: WireRecord | undefined;
  #fetching = false;

  constructor(shown: LibraryState) {
    this.#shown = shown;
  }

  get state(): ReadonlySignal<RecordsState> {
    return this.#state;
  }

  /**
   * Fetches until `count` records are loaded. Resolves when they are, when there are no more, or on failure (see
   * `state`). If a fetch is already running it goes on to `count`, and this call resolves at once.
   */
  async need(count: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, count);
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      while (!this.#state.value.ended && this.#state.value.records.length < this.#wanted) await this.#fetch();
    } catch (cause) {
      const failure = messageOf(cause);
      if (failure !== undefined) this.#state.value = { ...this.#state.value, failure };
    } finally {
      this.#fetching = false;
    }
  }

  cancel(): void {
    this.#aborting.abort();
  }

  async #fetch(): Promise<void> {
    const { kind, state, prefix, order, reason } = this.#shown;
    const { records } = this.#state.value;
    const last = this.#last;
    const limit = last === undefined ? FIRST_RECORDS : PAGE_RECORDS;
    const next = await listRecords(
      {
        kind,
        state,
        prefix: prefix || undefined,
        ...(order !== 'path' && { order: 'addedAt', direction: order === 'newest' ? 'falling' : 'rising' }),
        after: order === 'path' ? last?.path : last?.arrival,
        limit,
      },
      this.#aborting.signal,
    );
    this.#last = next.at(-1) ?? last;
    const shown = reason === '' ? next : next.filter(({ error }) => error?.code === reason);
    this.#state.value = { records: [...records, ...shown], ended: next.length < limit, failure: undefined };
  }
}
