import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import type { WordTables } from '../words/word-tables.js';

/** Time without a write, and without a file in the queue, after which the text index is merged, ms. */
const QUIET_MS = 3_000;
/** Approximate time of one step, and the pause before the next, which is left to other work, ms. */
const STEP_MS = 8;
const REST_MS = 16;
const FIRST_PAGES = 8;

/**
 * Merges the segments of the index of texts while nobody writes: after opening, and some seconds after the last change.
 * What comes in the middle ends it until it is quiet again; a search waits for a step of some ms, now and then.
 */
export class QuietMerging {
  readonly #store: Store<Rooms & { readonly words: WordTables }>;
  readonly #timer: NodeJS.Timeout;
  /** What was last seen of the changes, and up to where all is merged. */
  #seen = -1;
  #merged = -1;
  #running: Promise<void> | undefined;
  /** Ends the rest between two steps. */
  #endRest: (() => void) | undefined;
  #closed = false;

  /** quietMs: how long nothing must have changed. */
  constructor(store: Store<Rooms & { readonly words: WordTables }>, quietMs = QUIET_MS) {
    this.#store = store;
    this.#timer = setInterval(() => this.#look(), quietMs).unref();
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#endRest?.();
    await this.#running;
  }

  #look(): void {
    const { mark } = this.#store.changes;
    const isQuiet = mark === this.#seen;
    this.#seen = mark;
    if (!isQuiet || mark === this.#merged || this.#running !== undefined) return;
    this.#running = this.#merge(mark).finally(() => {
      this.#running = undefined;
    });
  }

  async #merge(mark: number): Promise<void> {
    try {
      if ((await this.#store.queueLength()) > 0) return;
      for (let pages = FIRST_PAGES; !this.#closed && this.#store.changes.mark === mark; ) {
        const start = performance.now();
        if (!(await this.#store.rooms.words.merge(pages))) {
          this.#merged = mark;
          return;
        }
        const share = STEP_MS / Math.max(1, performance.now() - start);
        pages = Math.max(1, Math.round(pages * Math.min(2, share)));
        // The timer does not keep the process alive when the host forgets to close the engine.
        await new Promise<void>((resolve) => {
          this.#endRest = resolve;
          setTimeout(resolve, REST_MS).unref();
        });
      }
    } catch {
      // No caller waits for this. What the disk refuses now is tried again after the next change.
      this.#merged = mark;
    }
  }
}
