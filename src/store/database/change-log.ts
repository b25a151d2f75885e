/** The log remembers at least this many changes. */
const REMEMBERED = 4_096;

/**
 * Which files' names, attributes or texts changed, so that remembered answers can be brought up to date. It lives in
 * memory and begins when the library is opened. It also holds changes whose transaction was rolled back.
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

  /** Everything may have changed: no earlier mark is known any more. */
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
