/**
 * The memory of a CAD kernel, which can be made again as it was before the first file.
 *
 * The kernel reads memory that it has not written where a file is damaged: of 12 damaged STEP files read one after the
 * other, the last ran for more than a minute; in a kernel of its own it takes 0.2 s. So that the same bytes always give
 * the same answer, each file finds the memory of a new kernel. Restoring it takes 3 ms after small parts, a new kernel
 * 15 to 20.
 */
export class KernelMemory {
  readonly #memory: WebAssembly.Memory;
  /** The memory up to its last byte that is not 0. */
  readonly #start: Uint8Array;
  #isFresh = true;

  /** memory: of a kernel that has started and read nothing. */
  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    const bytes = new Uint8Array(memory.buffer);
    let length = bytes.length;
    while (length > 0 && bytes[length - 1] === 0) length--;
    this.#start = bytes.slice(0, length);
  }

  /**
   * Makes the memory as it was, but for its size: a WebAssembly memory never shrinks. Only between two calls of the
   * kernel that returned: what lies on its stack is lost.
   */
  restore(): void {
    if (this.#isFresh) {
      this.#isFresh = false;
      return;
    }
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.set(this.#start);
    bytes.fill(0, this.#start.length);
  }
}
