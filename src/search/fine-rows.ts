import { FINE_BYTES } from '../core/compare.js';
import { EngineError } from '../errors.js';
import type { Shapes } from '../store/shapes.js';

/** A file with its fine descriptor. */
export interface FineRow {
  readonly fileId: number;
  /** u8[FINE_BYTES]; overwritten by the next call. */
  readonly fine: Uint8Array;
}

/** Rows that memory is taken for at first; then twice as many as before, up to what may be kept. */
const FIRST_ROWS = 1_024;

/**
 * The fine descriptors of one company's files, from memory where they were read before: fetching 256 of them takes 1 to 3 ms, finding
 * them here a tenth. What came first goes first. All lie in one block: kept as they come from the catalogue, a megabyte a search, they
 * made V8 collect its whole heap after every fifteen searches.
 */
export class FineRows {
  readonly #shapes: Shapes;
  readonly #mostKept: number;
  /** Places in `#block` by file. */
  readonly #places = new Map<number, number>();
  /** The file at each place; 0: none. */
  #files: Uint32Array;
  #block: Uint8Array;
  /** Where the next one goes. */
  #next = 0;
  /** What `of` gave last. */
  #given = new Uint8Array(0);

  /** bytesKept: what may be held in memory. */
  constructor(shapes: Shapes, bytesKept: number) {
    this.#shapes = shapes;
    this.#mostKept = Math.floor(bytesKept / FINE_BYTES);
    this.#files = new Uint32Array(Math.min(FIRST_ROWS, this.#mostKept));
    this.#block = new Uint8Array(this.#files.length * FINE_BYTES);
  }

  /**
   * Those of the given files, in this order; without those that have none (any more). The bytes are overwritten by the next call.
   * @throws EngineError `LIBRARY_DAMAGED`.
   */
  of(fileIds: readonly number[]): FineRow[] {
    const missing = fileIds.filter((fileId) => !this.#places.has(fileId));
    const read = missing.length === 0 ? undefined : this.#read(missing);
    if (this.#given.length < fileIds.length * FINE_BYTES) this.#given = new Uint8Array(fileIds.length * FINE_BYTES);
    const rows: FineRow[] = [];
    for (const fileId of fileIds) {
      const place = this.#places.get(fileId);
      const bytes = place === undefined ? read?.get(fileId) : rowAt(this.#block, place);
      if (bytes === undefined) continue;
      const fine = rowAt(this.#given, rows.length);
      fine.set(bytes);
      rows.push({ fileId, fine });
    }
    if (read !== undefined && read.size <= this.#mostKept) for (const [fileId, bytes] of read) this.#keep(fileId, bytes);
    return rows;
  }

  /** A file is gone or has another descriptor. */
  forget(fileId: number): void {
    const place = this.#places.get(fileId);
    if (place === undefined) return;
    this.#places.delete(fileId);
    this.#files[place] = 0;
  }

  #read(fileIds: readonly number[]): Map<number, Uint8Array> {
    const { fileIds: found, bytes } = this.#shapes.fine(fileIds);
    if (bytes.length !== FINE_BYTES * found.length) {
      throw new EngineError('LIBRARY_DAMAGED', `${found.length} fine descriptors have ${bytes.length} bytes, expected ${FINE_BYTES} each`);
    }
    return new Map(found.map((fileId, i) => [fileId, rowAt(bytes, i)]));
  }

  #keep(fileId: number, bytes: Uint8Array): void {
    if (this.#next === this.#files.length) this.#grow();
    this.forget(fileId);
    this.#places.delete(this.#files[this.#next]);
    this.#files[this.#next] = fileId;
    this.#places.set(fileId, this.#next);
    rowAt(this.#block, this.#next).set(bytes);
    this.#next++;
  }

  /** Makes room for more; where no more may be kept, the first place is the next. */
  #grow(): void {
    const count = Math.min(2 * this.#files.length, this.#mostKept);
    if (count === this.#files.length) {
      this.#next = 0;
      return;
    }
    const [files, block] = [this.#files, this.#block];
    this.#files = new Uint32Array(count);
    this.#files.set(files);
    this.#block = new Uint8Array(count * FINE_BYTES);
    this.#block.set(block);
  }
}

function rowAt(block: Uint8Array, at: number): Uint8Array {
  return block.subarray(FINE_BYTES * at, FINE_BYTES * (at + 1));
}
