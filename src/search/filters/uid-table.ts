import { LabelRows } from '../../core/label-rows.js';
import { risingIds } from '../../store/database/id-lists.js';
import { putUid, UID_BYTES, uidOf } from '../../store/database/uid-bytes.js';

const FIRST_CAPACITY = 256;
/** Little is reserved ahead: an eighth. */
const AHEAD = 1 + 1 / 8;

/**
 * The UIDs of files, in memory: 24 bytes a file, where a map of strings takes 140. Files lie in rows without holes, so
 * that whoever keeps more of each file keeps it in columns by the same rows.
 */
export class UidTable {
  readonly #rows = new LabelRows();
  #fileIds = new Uint32Array(FIRST_CAPACITY);
  #bytes = new Uint8Array(FIRST_CAPACITY * UID_BYTES);
  /** UIDs that are not written as a UUID is. */
  readonly #others = new Map<number, string>();

  get size(): number {
    return this.#rows.size;
  }

  /** The row of a file; -1: it is not held. */
  rowOf(fileId: number): number {
    return this.#rows.get(fileId);
  }

  has(fileId: number): boolean {
    return this.#rows.get(fileId) >= 0;
  }

  /** The UID of a file; undefined: it is not held. */
  get(fileId: number): string | undefined {
    const row = this.#rows.get(fileId);
    return row < 0 ? undefined : (this.#others.get(fileId) ?? uidOf(this.#bytes, row * UID_BYTES));
  }

  /** u8[16] of a file that is held, undefined for a UID that is no UUID. */
  bytesOf(fileId: number): Uint8Array | undefined {
    const at = this.#rows.get(fileId) * UID_BYTES;
    return this.#others.has(fileId) ? undefined : this.#bytes.subarray(at, at + UID_BYTES);
  }

  /** Adds a file or changes its UID. uid: as a text, or u8[16]. @returns its row. */
  set(fileId: number, uid: string | Uint8Array): number {
    let row = this.#rows.get(fileId);
    if (row < 0) {
      row = this.#rows.size;
      if (row === this.#fileIds.length) this.#grow(Math.ceil(AHEAD * row));
      this.#rows.set(fileId, row);
      this.#fileIds[row] = fileId;
    }
    this.#others.delete(fileId);
    if (typeof uid !== 'string') this.#bytes.set(uid, row * UID_BYTES);
    else if (!putUid(uid, this.#bytes, row * UID_BYTES)) this.#others.set(fileId, uid);
    return row;
  }

  /**
   * Removes a file; the last row takes the place of its row.
   * @returns the row of the file; -1: it was not held.
   */
  delete(fileId: number): number {
    const row = this.#rows.get(fileId);
    if (row < 0) return -1;
    this.#rows.delete(fileId);
    this.#others.delete(fileId);
    const last = this.#rows.size;
    if (row !== last) {
      this.#bytes.copyWithin(row * UID_BYTES, last * UID_BYTES, (last + 1) * UID_BYTES);
      this.#fileIds[row] = this.#fileIds[last];
      this.#rows.set(this.#fileIds[row], row);
    }
    return row;
  }

  /** Ids of all files, rising; a copy. Every search asks for them after a file came: sorting a million takes 60 ms. */
  ids(): Uint32Array {
    return risingIds(this.#fileIds.slice(0, this.size));
  }

  #grow(capacity: number): void {
    const fileIds = new Uint32Array(capacity),
      bytes = new Uint8Array(capacity * UID_BYTES);
    fileIds.set(this.#fileIds);
    bytes.set(this.#bytes);
    this.#fileIds = fileIds;
    this.#bytes = bytes;
  }
}
