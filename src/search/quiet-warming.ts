/** Searches after which a process is warm: V8 has compiled what they run, the catalogue's upper pages are in memory. */
const SEARCHES = 20;
/** Time without a search before the first and between two of those that warm, ms. */
const QUIET_MS = 250;

/**
 * Makes searches of its own while nobody searches, so that the first ones that somebody waits for are as fast as later
 * ones: in a process that has just begun they take several times as long. Each takes some 20 ms of processor time;
 * those that others make count as well, so a process that is busy from its start makes none.
 */
export class QuietWarming {
  readonly #search: (number: number, of: number, signal: AbortSignal) => Promise<void>;
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #made = 0;
  /** Searches of others that run, and when the last one ended. */
  #running = 0;
  #endedAt = performance.now();
  #own: Promise<void> | undefined;

  /** search: makes search `number` of so many, from 0. */
  constructor(search: (number: number, of: number, signal: AbortSignal) => Promise<void>) {
    this.#search = search;
    this.#timer = setInterval(() => this.#look(), QUIET_MS).unref();
  }

  /** Runs a search that somebody waits for. */
  async during<T>(search: () => Promise<T>): Promise<T> {
    this.#made++;
    this.#running++;
    try {
      return await search();
    } finally {
      this.#running--;
      this.#endedAt = performance.now();
    }
  }

  /** Makes no more; resolves when the last one has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await this.#own;
  }

  #look(): void {
    if (this.#made >= SEARCHES) return clearInterval(this.#timer);
    if (this.#own !== undefined || this.#running > 0 || performance.now() - this.#endedAt < QUIET_MS) return;
    this.#own = this.#search(this.#made++, SEARCHES, this.#end.signal)
      // Nobody waits for it: a search that somebody makes tells what is wrong.
      .catch(() => undefined)
      .finally(() => {
        this.#own = undefined;
      });
  }
}
