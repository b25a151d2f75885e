import type { KeptRows } from './kept-rows.js';

/** u32 numbers of a chunk: the number of the next one, then rows. */
const CHUNK = 16;
const CHUNK_ROWS = CHUNK - 1;
const UNUSED = 0xffff_ffff;

/**
 * Lists of rows, in chunks in the memory of a core: `assembly/distance/view-lists.ts` reads them. Chunk 0 is none. A
 * row takes 4.3 bytes; rows cannot be taken out singly.
 */
export class RowLists {
  readonly #core: KeptRows;
  /** u32[lists]: the first chunk of each, the only one that may have room. */
  readonly #heads: Uint32Array;
  /** u8[lists]: rows in the first chunk. */
  readonly #filled: Uint8Array;
  #chunks = 1;
  #at = 0;

  constructor(core: KeptRows, lists: number) {
    this.#core = core;
    this.#heads = new Uint32Array(lists);
    this.#filled = new Uint8Array(lists);
  }

  /** Bytes of memory that so many rows need at most. */
  static bytesOf(rows: number, lists: number): number {
    return (1 + lists + Math.ceil(rows / CHUNK_ROWS)) * CHUNK * 4;
  }

  /** Where its memory lies from now on; whoever moves it has copied it. */
  moved(address: number): void {
    this.#at = address;
  }

  get address(): number {
    return this.#at;
  }

  /** Number of the first chunk of a list; 0: it is empty. */
  headOf(list: number): number {
    return this.#heads[list];
  }

  /** Adds rows `first`, `first + 1` … to the lists named. */
  add(first: number, lists: Uint16Array): void {
    this.#core.keep(({ kernels: { memory } }) => {
      const chunks = new Uint32Array(memory.buffer, this.#at);
      for (let i = 0; i < lists.length; i++) {
        const list = lists[i];
        if (this.#heads[list] === 0 || this.#filled[list] === CHUNK_ROWS) {
          const chunk = this.#chunks++;
          chunks.fill(UNUSED, CHUNK * chunk, CHUNK * (chunk + 1));
          chunks[CHUNK * chunk] = this.#heads[list];
          this.#heads[list] = chunk;
          this.#filled[list] = 0;
        }
        chunks[CHUNK * this.#heads[list] + 1 + this.#filled[list]++] = first + i;
      }
    });
  }

  /** The list of each row, u16[rows]. */
  ofRows(rows: number): Uint16Array {
    const lists = new Uint16Array(rows);
    this.#core.keep(({ kernels: { memory } }) => {
      const chunks = new Uint32Array(memory.buffer, this.#at);
      for (let list = 0; list < this.#heads.length; list++)
        for (let chunk = this.#heads[list]; chunk !== 0; chunk = chunks[CHUNK * chunk])
          for (let at = CHUNK * chunk + 1; at < CHUNK * (chunk + 1) && chunks[at] !== UNUSED; at++)
            lists[chunks[at]] = list;
    });
    return lists;
  }

  clear(): void {
    this.#heads.fill(0);
    this.#filled.fill(0);
    this.#chunks = 1;
  }
}
