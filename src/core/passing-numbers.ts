/** Bytes of a page of WebAssembly. */
const PAGE = 65_536;
/** It grows by a half, as pages that were never written take no memory. */
const AHEAD = 1.5;

/**
 * Numbers that are needed for a while: u32, in memory that grows where it is and goes back to the system when nothing
 * refers to it. What `new Uint32Array` takes lies on the heap of C, where a large block that is freed behind one that
 * stays is a hole: making the index of words of 70 000 files left 35 MiB of them.
 */
export class PassingNumbers {
  readonly #memory = new WebAssembly.Memory({ initial: 0 });
  #values = new Uint32Array(this.#memory.buffer);

  /**
   * The numbers, at least `length` of them: 0, or what was written before. Arrays that were returned before are empty
   * afterwards if it grew.
   * @throws RangeError when the memory of the machine, or 4 GiB, is full.
   */
  atLeast(length: number): Uint32Array<ArrayBuffer> {
    const held = this.#values.length;
    if (length > held) {
      this.#memory.grow(Math.ceil((4 * Math.max(length, AHEAD * held)) / PAGE) - (4 * held) / PAGE);
      this.#values = new Uint32Array(this.#memory.buffer);
    }
    return this.#values;
  }
}
