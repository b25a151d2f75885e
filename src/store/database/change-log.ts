/** Changes that are remembered at least. */
const REMEMBERED = 4_096;

/**
 * Which files' names, attributes or texts changed, so that what was read before can be brought up to date. In memory: it begins
 * when the library is opened. A change that is undone with its transaction is in it all the same.
 */
export class ChangeLog {
  #fileIds: number[] = [];
  /** Changes before those that are remembered. */
  #forgotten = 0;

  /** Where the log stands now. */
  get mark(): number {
    return this.#forgotten + this.#fileIds.length;
  }

  note(fileId: number): void {
    this.#fileIds.push(fileId);
    if (this.#fileIds.length < 2 * REMEMBERED) return;
    this.#fileIds = this.#fileIds.slice(REMEMBERED);
    this.#forgotten += REMEMBERED;
  }

  /** More changed than can be said. */
  forget(): void {
    this.#forgotten += this.#fileIds.length + 1;
    this.#fileIds = [];
  }

  /** The files that changed since a mark, each once, rising; undefined when that is not known any more. */
  since(mark: number): number[] | undefined {
    if (mark < this.#forgotten) return undefined;
    return [...new Set(this.#fileIds.slice(mark - this.#forgotten))].sort((a, b) => a - b);
  }
}
