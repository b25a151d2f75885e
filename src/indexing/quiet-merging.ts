import { uprightOf } from '../core/view-facts.js';
import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import type { WordTables } from '../words/tables/word-tables.js';

/** Time without writes and without queued files after which the text index is merged, ms. */
const QUIET_MS = 3_000;
/** Approximate duration of one merge step, and the pause after it, ms. Other work runs in the pause. */
const STEP_MS = 8;
const REST_MS = 16;
const FIRST_PAGES = 8;

/**
 * Merges the segments of the text index, lists frequent words and packs views that an engine of before stored, while
 * nothing is written: after the library is opened, and some seconds after the last change. A write interrupts the merge
 * until writes stop again. A search may have to wait for a step of some ms.
 */
export class QuietMerging {
  readonly #store: Store<Rooms & { readonly words: WordTables }>;
  readonly #timer: NodeJS.Timeout;
  /** The change counter at the last check, and the change counter up to which everything is merged. */
  #seen = -1;
  #merged = -1;
  /** Views of files up to this one are packed. */
  #packed = 0;
  #running: Promise<void> | undefined;
  /** Ends the pause between two steps. */
  #endRest: (() => void) | undefined;
  #closed = false;

  /** quietMs: duration without changes after which merging starts, ms. */
  constructor(store: Store<Rooms & { readonly words: WordTables }>, quietMs = QUIET_MS) {
    this.#store = store;
    this.#timer = setInterval(() => void this.#look(), quietMs).unref();
  }

  /** Stops merging; resolves when the current step has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#endRest?.();
    await this.#running;
  }

  async #look(): Promise<void> {
    const { mark } = await this.#store.changes.since();
    const isQuiet = mark === this.#seen;
    this.#seen = mark;
    if (!isQuiet || mark === this.#merged || this.#running !== undefined) return;
    this.#running = this.#merge(mark).finally(() => {
      this.#running = undefined;
    });
  }

  /** False: there is nothing left to pack. */
  async #packViews(): Promise<boolean> {
    const last = await this.#store.packViews(this.#packed, (views, count) => uprightOf(views, views.length / count));
    this.#packed = last ?? 0;
    return last !== undefined;
  }

  async #merge(mark: number): Promise<void> {
    try {
      if ((await this.#store.jobs.length()) > 0) return;
      for (let pages = FIRST_PAGES; !this.#closed && (await this.#store.changes.since()).mark === mark; ) {
        const start = performance.now();
        const { words } = this.#store.rooms;
        if (!(await words.merge(pages)) && !(await words.listFrequent(STEP_MS)) && !(await this.#packViews())) {
          this.#merged = mark;
          return;
        }
        // Closed during the step: the pause has nobody left who ends it.
        if (this.#closed) return;
        const share = STEP_MS / Math.max(1, performance.now() - start);
        pages = Math.max(1, Math.round(pages * Math.min(2, share)));
        // The timer does not keep the process alive if the host forgets to close the engine.
        await new Promise<void>((resolve) => {
          this.#endRest = resolve;
          setTimeout(resolve, REST_MS).unref();
        });
      }
    } catch {
      // No caller waits for this. If the disk refuses the write, merging is tried again after the next change.
      this.#merged = mark;
    }
  }
}
