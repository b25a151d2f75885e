import type { KeptRows } from './kept-rows.js';
import { NARROW_BYTES } from './view-distances.js';

/** Rows are multiplied by fours; `assembly/distance/view-lists.ts` reads them so. */
const FOUR = 4;
/** Rows of a chunk: 4 times a power of two up to this one, the largest that is no more than a share of its list. */
const MOST_DOUBLINGS = 6;
const CHUNK_SHARE = 16;
/** Where the number of a row's file lies in it. */
const NUMBER_AT = NARROW_BYTES - 4;
const FIRST_ROWS = 4_096;
const FIRST_CHUNKS = 1_024;
/** Rows and chunks reserved ahead. Rows grow in place, so nothing is copied; of chunks, 64 times 8 bytes each are. */
const ROWS_AHEAD = 1 + 1 / 256;
const CHUNKS_AHEAD = 1 + 1 / 64;
/** Bits of the size of a chunk beside the number of the next one; rows of 32 bytes fit 134 million into a core. */
const SIZE_BITS = 3;

/** A row that lies elsewhere now. */
export interface MovedRow {
  /** Of its file. */
  readonly number: number;
  readonly from: number;
}

/**
 * Lists that hold short rows, in chunks in the memory of a core, so that what is read together lies together: with
 * chunks of 8 rows a search of ten million took as long as with rows that lay by files. A row takes 34 bytes. Rows are
 * told by their places.
 */
export class RowLists {
  readonly #core: KeptRows;
  /** u32[lists]: rows in each. */
  readonly lengths: Uint32Array;
  /**
   * u32[lists]: the first chunk of each, the only one that may have room, and the number of its rows. Chunk 0: none.
   */
  readonly #heads: Uint32Array;
  readonly #filled: Uint16Array;
  /**
   * u32[chunks]: the place of its first row; the next chunk of its list, or, of a free one, the next free one, with how
   * often four rows are doubled in the last three bits.
   */
  #starts = new Uint32Array(FIRST_CHUNKS);
  #links = new Uint32Array(FIRST_CHUNKS);
  #chunks = 1;
  /** The first free chunk of each size. */
  readonly #free = new Uint32Array(MOST_DOUBLINGS + 1);
  #rowsAt = 0;
  #end = 0;
  #reserved = 0;

  constructor(core: KeptRows, lists: number) {
    this.#core = core;
    this.lengths = new Uint32Array(lists);
    this.#heads = new Uint32Array(lists);
    this.#filled = new Uint16Array(lists);
  }

  /** Address of place 0. */
  get rowsAt(): number {
    return this.#rowsAt;
  }

  /** Bytes reserved, spare capacity included. */
  get byteLength(): number {
    return this.#reserved * NARROW_BYTES + 8 * this.#starts.length + 10 * this.#heads.length;
  }

  /** The first chunk of a list, 0 for an empty one. */
  headOf(list: number): number {
    return this.#heads[list];
  }

  /** Rows of its first chunk that are to be read, by fours; all others are full. */
  filledOf(list: number): number {
    return Math.ceil(this.#filled[list] / FOUR) * FOUR;
  }

  /** By chunks, u32 each, as `assembly/distance/view-lists.ts` follows them: where each begins, and which is next. */
  get chunks(): { readonly starts: Uint32Array; readonly links: Uint32Array } {
    return { starts: this.#starts.subarray(0, this.#chunks), links: this.#links.subarray(0, this.#chunks) };
  }

  /** The vectors and numbers of all rows, by places. Not to be kept. */
  rows(): Int8Array {
    return this.#core.keep(({ kernels: { memory } }) => new Int8Array(memory.buffer, this.#rowsAt));
  }

  /** u16: the list of each row, by places. */
  lists(): Uint16Array {
    const lists = new Uint16Array(this.#end);
    for (const [list, head] of this.#heads.entries())
      for (let chunk = head; chunk !== 0; chunk = this.#nextOf(chunk))
        lists.fill(list, this.#starts[chunk], this.#starts[chunk] + this.#sizeOf(chunk));
    return lists;
  }

  /**
   * A place for a row in a list, to be written with {@link write}.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core is full; nothing has changed then.
   */
  add(list: number): number {
    const head = this.#heads[list];
    if (head === 0 || this.#filled[list] === this.#sizeOf(head)) this.#open(list);
    this.lengths[list]++;
    return this.#starts[this.#heads[list]] + this.#filled[list]++;
  }

  /** Writes a row. vector: i8[28]. number: of its file. */
  write(place: number, vector: Int8Array, number: number): void {
    this.#core.keep(({ kernels: { memory } }) => {
      const at = this.#rowsAt + place * NARROW_BYTES;
      new Int8Array(memory.buffer, at, NUMBER_AT).set(vector);
      new DataView(memory.buffer).setUint32(at + NUMBER_AT, number, true);
    });
  }

  /** Takes a row out of its list, the last of which comes to its place, unless it is that. */
  remove(list: number, place: number): MovedRow | undefined {
    const head = this.#heads[list];
    const last = this.#starts[head] + --this.#filled[list];
    this.lengths[list]--;
    const moved = this.#core.keep(({ kernels: { memory } }) => {
      const rows = new Uint8Array(memory.buffer, this.#rowsAt);
      rows.copyWithin(place * NARROW_BYTES, last * NARROW_BYTES, (last + 1) * NARROW_BYTES);
      rows.fill(0, last * NARROW_BYTES, (last + 1) * NARROW_BYTES);
      if (last === place) return undefined;
      const number = new DataView(memory.buffer).getUint32(this.#rowsAt + place * NARROW_BYTES + NUMBER_AT, true);
      return { number, from: last };
    });
    if (this.#filled[list] === 0) {
      this.#heads[list] = this.#nextOf(head);
      if (this.#heads[list] !== 0) this.#filled[list] = this.#sizeOf(this.#heads[list]);
      const doublings = this.#doublingsOf(head);
      this.#link(head, this.#free[doublings], doublings);
      this.#free[doublings] = head;
    }
    return moved;
  }

  #sizeOf(chunk: number): number {
    return FOUR << this.#doublingsOf(chunk);
  }

  #doublingsOf(chunk: number): number {
    return this.#links[chunk] & ((1 << SIZE_BITS) - 1);
  }

  #nextOf(chunk: number): number {
    return this.#links[chunk] >>> SIZE_BITS;
  }

  #link(chunk: number, next: number, doublings: number): void {
    this.#links[chunk] = (next << SIZE_BITS) | doublings;
  }

  /** Gives a list an empty first chunk. */
  #open(list: number): void {
    const share = this.lengths[list] / CHUNK_SHARE / FOUR;
    const doublings = share < 2 ? 0 : Math.min(MOST_DOUBLINGS, 31 - Math.clz32(share));
    let chunk = this.#free[doublings];
    if (chunk !== 0) this.#free[doublings] = this.#nextOf(chunk);
    else {
      const size = FOUR << doublings;
      if (this.#end + size > this.#reserved) this.#growRows(this.#end + size);
      if (this.#chunks === this.#starts.length) this.#growChunks();
      chunk = this.#chunks++;
      this.#starts[chunk] = this.#end;
      this.#links[chunk] = doublings;
      this.#end += size;
    }
    const at = this.#rowsAt + this.#starts[chunk] * NARROW_BYTES;
    this.#core.keep(({ kernels: { memory } }) =>
      new Uint8Array(memory.buffer, at, this.#sizeOf(chunk) * NARROW_BYTES).fill(0),
    );
    this.#link(chunk, this.#heads[list], doublings);
    this.#heads[list] = chunk;
    this.#filled[list] = 0;
  }

  /** The rows are the last thing reserved, so they grow in place. */
  #growRows(wanted: number): void {
    const capacity = Math.max(FIRST_ROWS, wanted, Math.ceil(ROWS_AHEAD * this.#end));
    this.#rowsAt = this.#core.grow(this.#rowsAt, (arena) => arena.reserve(capacity * NARROW_BYTES));
    this.#reserved = capacity;
  }

  #growChunks(): void {
    const length = Math.ceil(CHUNKS_AHEAD * this.#chunks);
    const starts = new Uint32Array(length),
      links = new Uint32Array(length);
    starts.set(this.#starts);
    links.set(this.#links);
    this.#starts = starts;
    this.#links = links;
  }
}
