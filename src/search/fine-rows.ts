import { FINE_BYTES } from '../core/compare.js';
import { EngineError } from '../errors.js';
import type { Shapes } from '../store/shapes.js';

/** A file with its fine descriptor. */
export interface FineRow {
  readonly fileId: number;
  /** u8[FINE_BYTES]. */
  readonly fine: Uint8Array;
}

/**
 * The fine descriptors of one company's files, from memory where they were read before: fetching 256 of them takes 1 to 3 ms, finding
 * them here a tenth. What came first goes first, so that the blobs in which they came are given up whole.
 */
export class FineRows {
  readonly #shapes: Shapes;
  readonly #mostKept: number;
  readonly #kept = new Map<number, Uint8Array>();

  /** bytesKept: what may be held in memory. */
  constructor(shapes: Shapes, bytesKept: number) {
    this.#shapes = shapes;
    this.#mostKept = Math.floor(bytesKept / FINE_BYTES);
  }

  /**
   * Those of the given files, in this order; without those that have none (any more).
   * @throws EngineError `LIBRARY_DAMAGED`.
   */
  of(fileIds: readonly number[]): FineRow[] {
    const missing = fileIds.filter((fileId) => !this.#kept.has(fileId));
    const read = missing.length === 0 ? undefined : this.#read(missing);
    const rows: FineRow[] = [];
    for (const fileId of fileIds) {
      const fine = this.#kept.get(fileId) ?? read?.get(fileId);
      if (fine !== undefined) rows.push({ fileId, fine });
    }
    if (read !== undefined) this.#keep(read);
    return rows;
  }

  /** A file is gone or has another descriptor. */
  forget(fileId: number): void {
    this.#kept.delete(fileId);
  }

  #read(fileIds: readonly number[]): Map<number, Uint8Array> {
    const { fileIds: found, bytes } = this.#shapes.fine(fileIds);
    if (bytes.length !== FINE_BYTES * found.length) {
      throw new EngineError('LIBRARY_DAMAGED', `${found.length} fine descriptors have ${bytes.length} bytes, expected ${FINE_BYTES} each`);
    }
    return new Map(found.map((fileId, i) => [fileId, bytes.subarray(FINE_BYTES * i, FINE_BYTES * (i + 1))]));
  }

  #keep(read: ReadonlyMap<number, Uint8Array>): void {
    if (read.size > this.#mostKept) return;
    for (const [fileId, fine] of read) this.#kept.set(fileId, fine);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#mostKept) break;
      this.#kept.delete(oldest);
    }
  }
}
