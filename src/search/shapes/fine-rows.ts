import { FINE_BYTES } from '../../core/compare.js';
import { EngineError } from '../../errors.js';
import type { Shapes } from '../../store/catalog/shapes.js';

/** A file with its fine descriptor. */
export interface FineRow {
  readonly fileId: number;
  /** u8[FINE_BYTES]; overwritten by the next call. */
  readonly fine: Uint8Array;
}

/** Rows of a block of memory. */
const BLOCK_ROWS = 1_024;

/**
 * A cache of the fine descriptors of one company's files, first in, first out: reading 256 from the catalogue takes 1
 * to 3 ms, from here a tenth. They are copied into permanent blocks; keeping the buffers that the catalogue returns, a
 * megabyte a search, caused a full garbage collection after every fifteen searches.
 */
export class FineRows {
  readonly #shapes: Shapes;
  readonly #mostKept: number;
  /** Place of each file in the blocks. */
  readonly #places = new Map<number, number>();
  /** The file at each place; 0: none. */
  readonly #files: number[] = [];
  readonly #blocks: Uint8Array[] = [];
  /** Place of the next row. */
  #next = 0;
  /** Buffer for the result of {@link of}. */
  #given = new Uint8Array(0);

  /** bytesKept: most bytes of the cache. */
  constructor(shapes: Shapes, bytesKept: number) {
    this.#shapes = shapes;
    this.#mostKept = Math.floor(bytesKept / FINE_BYTES);
  }

  /**
   * The descriptors of the given files, in this order, without files that have none. The bytes are overwritten by the
   * next call.
   * @throws EngineError `LIBRARY_DAMAGED`.
   */
  of(fileIds: readonly number[]): FineRow[] {
    const missing = fileIds.filter((fileId) => !this.#places.has(fileId));
    const read = missing.length === 0 ? undefined : this.#read(missing);
    if (this.#given.length < fileIds.length * FINE_BYTES) this.#given = new Uint8Array(fileIds.length * FINE_BYTES);
    const rows: FineRow[] = [];
    for (const fileId of fileIds) {
      const place = this.#places.get(fileId);
      const bytes = place === undefined ? read?.get(fileId) : this.#keptAt(place);
      if (bytes === undefined) continue;
      const fine = rowAt(this.#given, rows.length);
      fine.set(bytes);
      rows.push({ fileId, fine });
    }
    if (read !== undefined && read.size <= this.#mostKept)
      for (const [fileId, bytes] of read) this.#keep(fileId, bytes);
    return rows;
  }

  /** Must be called when a file was removed or has a new descriptor. */
  forget(fileId: number): void {
    const place = this.#places.get(fileId);
    if (place === undefined) return;
    this.#places.delete(fileId);
    this.#files[place] = 0;
  }

  #read(fileIds: readonly number[]): Map<number, Uint8Array> {
    const { fileIds: found, bytes } = this.#shapes.fine(fileIds);
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
    this.forget(fileId);
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
