import { signal, type ReadonlySignal } from '@preact/signals';
import { listRecords } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import type { LibraryState } from './library-state.js';

/** Records of one request, and of the first, which shall be there soon. */
const PAGE_RECORDS = 1_000;
const FIRST_RECORDS = 100;

/** What is known of a list so far. */
export interface RecordsState {
  readonly records: readonly WireRecord[];
  /** Whether there are no more. */
  readonly ended: boolean;
  readonly failure: string | undefined;
}

/** Records in an order, fetched one page after the other as far as they are wanted: a list without places, only with what comes next. */
export class RecordPages {
  readonly #shown: LibraryState;
  readonly #leaving = new AbortController();
  readonly #state = signal<RecordsState>({ records: [], ended: false, failure: undefined });
  #wanted = 0;
  #fetching = false;

  constructor(shown: LibraryState) {
    this.#shown = shown;
  }

  get state(): ReadonlySignal<RecordsState> {
    return this.#state;
  }

  /** Fetches until `count` records are there. Resolves when they are, or when there are no more. */
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

  leave(): void {
    this.#leaving.abort();
  }

  async #fetch(): Promise<void> {
    const { kind, state, prefix, order } = this.#shown;
    const { records } = this.#state.value;
    const last = records.at(-1);
    const limit = last === undefined ? FIRST_RECORDS : PAGE_RECORDS;
    const next = await listRecords(
      {
        ...(kind === undefined ? {} : { kind }),
        ...(state === undefined ? {} : { state }),
        ...(prefix === '' ? {} : { prefix }),
        ...(order === 'path' ? {} : { order: 'addedAt', direction: order === 'newest' ? 'falling' : 'rising' }),
        ...(last === undefined ? {} : { after: order === 'path' ? last.path : last.arrival }),
        limit,
      },
      this.#leaving.signal,
    );
    this.#state.value = { records: [...records, ...next], ended: next.length < limit, failure: undefined };
  }
}
