import { FINE_BYTES } from '../../core/compare.js';
import { EngineError } from '../../errors.js';
import type { ShapeDoor } from '../../store/catalogue.js';

/** A file with its fine descriptor. */
export interface FineRow {
  readonly fileId: number;
  /** u8[FINE_BYTES]; valid until the work of {@link FineRows.with} ends. */
  readonly fine: Uint8Array;
}

/** Rows of a block of memory. */
const BLOCK_ROWS = 1_024;
/** Most buffers that are kept for later searches; more are used while more searches run at a time. */
const KEPT_BUFFERS = 4;

/**
 * A cache of the fine descriptors of one company's files, first in, first out: reading 256 from the catalogue takes 1
 * to 3 ms, from here a tenth. They are copied into permanent blocks; keeping the buffers that the catalogue returns, a
 * megabyte a search, caused a full garbage collection after every fifteen searches.
 */
export class FineRows {
  readonly #shapes: ShapeDoor;
  readonly #mostKept: number;
  /** Place of each file in the blocks. */
  readonly #places = new Map<number, number>();
  /** The file at each place; 0: none. */
  readonly #files: number[] = [];
  readonly #blocks: Uint8Array[] = [];
  /** Place of the next row. */
  #next = 0;
  /** Counts the calls of {@link forget}: what was read before one is not kept. */
  #forgotten = 0;
  /** Buffers for results, not in use. */
  readonly #buffers: Uint8Array[] = [];

  /** bytesKept: most bytes of the cache. */
  constructor(shapes: ShapeDoor, bytesKept: number) {
    this.#shapes = shapes;
    this.#mostKept = Math.floor(bytesKept / FINE_BYTES);
  }

  /** Memory of what is kept, bytes. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.length, 0);
  }

  /**
   * Gives `work` the descriptors of the given files, in this order, without files that have none. The bytes lie in a
   * buffer that belongs to this call until the promise of `work` has settled.
   * @throws EngineError `LIBRARY_DAMAGED`.
   */
  async with<T>(fileIds: readonly number[], work: (rows: FineRow[]) => T | Promise<T>): Promise<T> {
    const length = fileIds.length * FINE_BYTES;
    const spare = this.#buffers.pop();
    const buffer = spare !== undefined && spare.length >= length ? spare : new Uint8Array(length);
    try {
      return await work(await this.#copy(fileIds, buffer));
    } finally {
      if (this.#buffers.length < KEPT_BUFFERS) this.#buffers.push(buffer);
    }
  }

  async #copy(fileIds: readonly number[], buffer: Uint8Array): Promise<FineRow[]> {
    const missing: number[] = [];
    // Cached rows are copied before the first await: later they may be overwritten.
    fileIds.forEach((fileId, i) => {
      const place = this.#places.get(fileId);
      if (place === undefined) missing.push(fileId);
      else rowAt(buffer, i).set(this.#keptAt(place));
    });
    const forgotten = this.#forgotten;
    const read = missing.length === 0 ? undefined : await this.#read(missing);
    for (const [i, fileId] of read === undefined ? [] : fileIds.entries()) {
      const bytes = read!.get(fileId);
      if (bytes !== undefined) rowAt(buffer, i).set(bytes);
    }
    if (read !== undefined && read.size <= this.#mostKept && forgotten === this.#forgotten)
      for (const [fileId, bytes] of read) this.#keep(fileId, bytes);
    const rows = fileIds.map((fileId, i) => ({ fileId, fine: rowAt(buffer, i) }));
    const gone = new Set(missing.filter((fileId) => !read!.has(fileId)));
    return gone.size === 0 ? rows : rows.filter(({ fileId }) => !gone.has(fileId));
  }

  /** Must be called when a file was removed or has a new descriptor. */
  forget(fileId: number): void {
    this.#forgotten++;
    this.#drop(fileId);
  }

  #drop(fileId: number): void {
    const place = this.#places.get(fileId);
    if (place === undefined) return;
    this.#places.delete(fileId);
    this.#files[place] = 0;
  }

  async #read(fileIds: readonly number[]): Promise<Map<number, Uint8Array>> {
    const { fileIds: found, bytes } = await this.#shapes.fine(fileIds);
    if (bytes.length !== FINE_BYTES * found.length) {
      throw new EngineError(
        'LIBRARY_DAMAGED',
        `${found.length} fine descriptors have ${bytes.length} bytes, expected ${FINE_BYTES} each`,
      );
    }
    return new Map(found.map((fileId, i) => [fileId, rowAt(bytes, i)]));
  }

  #keep(fileId: number, bytes: Uint8Array): void {
    if (this.#next === this.#mostKept) this.#next = 0;
    this.#drop(fileId);
    this.#places.delete(this.#files[this.#next]);
    this.#files[this.#next] = fileId;
    this.#places.set(fileId, this.#next);
    this.#keptAt(this.#next++).set(bytes);
  }

  #keptAt(place: number): Uint8Array {
    const block = (this.#blocks[Math.floor(place / BLOCK_ROWS)] ??= new Uint8Array(
      Math.min(BLOCK_ROWS, this.#mostKept) * FINE_BYTES,
    ));
    return rowAt(block, place % BLOCK_ROWS);
  }
}

function rowAt(block: Uint8Array, at: number): Uint8Array {
  return block.subarray(FINE_BYTES * at, FINE_BYTES * (at + 1));
}
