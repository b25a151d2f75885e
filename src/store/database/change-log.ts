import type { ChangeDoor, Changes } from '../catalogue.js';

/** The log remembers at least this many changes. */
const REMEMBERED = 4_096;

/**
 * Which files changed, in memory, from the opening of the library on. It also holds changes whose transaction was
 * rolled back.
 */
export class ChangeLog implements ChangeDoor {
  #fileIds: number[] = [];
  /** Changes before those that are remembered. */
  #forgotten = 0;

  note(fileId: number): void {
    this.#fileIds.push(fileId);
    if (this.#fileIds.length < 2 * REMEMBERED) return;
    this.#fileIds = this.#fileIds.slice(REMEMBERED);
    this.#forgotten += REMEMBERED;
  }

  /** Everything may have changed: no earlier mark is known any more. */
  forget(): void {
    this.#forgotten += this.#fileIds.length + 1;
    this.#fileIds = [];
  }

  async since(mark?: number): Promise<Changes> {
    return this.told(mark);
  }

  /** As {@link since}, at once: for what lies in the same catalogue. */
  told(mark = this.#forgotten + this.#fileIds.length): Changes {
    const fileIds =
      mark < this.#forgotten
        ? undefined
        : [...new Set(this.#fileIds.slice(mark - this.#forgotten))].sort((a, b) => a - b);
    return { mark: this.#forgotten + this.#fileIds.length, fileIds };
  }
}
