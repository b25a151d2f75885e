import { EngineError } from '../errors.js';

/** Most names and sources that are remembered; the oldest are forgotten first. */
const KEYS_LIMIT = 100_000;

/** A key and the number of failures that it may have. */
export interface AttemptLimit {
  readonly key: string;
  readonly failures: number;
}

interface Failures {
  count: number;
  readonly until: number;
}

/**
 * Counts failed attempts by key (a name, a network address) within a time window that begins with the first failure.
 * Kept in memory: a new process starts from zero, and an attack causes no writes.
 */
export class Attempts {
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();

  constructor({ windowMs, now }: { windowMs: number; now: () => number }) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /**
   * Counts an attempt as failed until the returned function reports its success, so that concurrent attempts count as
   * well. Success clears all failures of the first key, and only this attempt of the other keys.
   * @throws EngineError `RATE_LIMITED` when a key has reached its limit of failures.
   */
  begin(limits: readonly AttemptLimit[]): () => void {
    const now = this.#now();
    for (const { key, failures } of limits) {
      const known = this.#known(key, now);
      if (known === undefined || known.count < failures) continue;
      const retryAfterS = Math.ceil((known.until - now) / 1_000);
      throw new EngineError('RATE_LIMITED', `too many failed attempts; try again in ${retryAfterS} s`, {
        details: { retryAfterS },
      });
    }
    const noted = limits.map(({ key }) => ({ key, failures: this.#note(key, now) }));
    return () =>
      noted.forEach(({ key, failures }, position) => {
        failures.count--;
        if (position === 0 || failures.count === 0) this.#failures.delete(key);
      });
  }

  #known(key: string, now: number): Failures | undefined {
    const known = this.#failures.get(key);
    if (known === undefined || known.until > now) return known;
    this.#failures.delete(key);
    return undefined;
  }

  #note(key: string, now: number): Failures {
    const known = this.#known(key, now) ?? { count: 0, until: now + this.#windowMs };
    known.count++;
    this.#failures.set(key, known);
    if (this.#failures.size > KEYS_LIMIT) this.#failures.delete(this.#failures.keys().next().value as string);
    return known;
  }
}
