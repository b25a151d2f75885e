import type { AttemptDoor, CountedAttempts } from './catalogue.js';

/** Most keys that are remembered; the oldest are forgotten first, but never one whose attempt runs. */
export const ATTEMPT_KEYS = 100_000;

/**
 * Counts of the one process that has a library open: a new process starts from zero, and an attack causes no writes.
 */
export class AttemptsInMemory implements AttemptDoor {
  readonly #keys = new Map<string, CountedAttempts>();

  async update<T>(
    keys: readonly string[],
    change: (counted: readonly CountedAttempts[], now: number | undefined) => T,
  ): Promise<T> {
    const counted = keys.map((key) => this.#keys.get(key) ?? { failures: 0, until: 0, lastFailureAt: 0, running: 0 });
    try {
      return change(counted, undefined);
    } finally {
      for (const [at, key] of keys.entries()) {
        if (counted[at].failures + counted[at].running > 0) this.#keys.set(key, counted[at]);
        else this.#keys.delete(key);
        if (this.#keys.size > ATTEMPT_KEYS) this.#forgetOldest();
      }
    }
  }

  #forgetOldest(): void {
    for (const [key, { running }] of this.#keys) {
      if (running > 0) continue; // A few: as many as there are turns.
      this.#keys.delete(key);
      return;
    }
  }
}
