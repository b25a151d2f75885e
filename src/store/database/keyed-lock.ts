/** Runs asynchronous work one at a time for equal keys, in the order of the calls; different keys do not wait. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work of this key has ended, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
