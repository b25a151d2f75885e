import type { FileKind } from '../../store/catalog/record.js';
import { LISTED_KINDS, type SearchableFile, type SearchableList } from '../../store/catalogue.js';
import { intersection } from './id-set.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import { FILE_KINDS } from '../query/query.js';

const FIRST_CAPACITY = 256;
/** Answers of {@link FileTable.ofKinds} that are kept: each search by a model asks for drawings and images. */
const KEPT_OF_KINDS = 2;
/** The number here of each kind as the catalogue lists it. */
const NUMBERS = LISTED_KINDS.map((kind) => FILE_KINDS.indexOf(kind));

/**
 * The kinds of all searchable files of a company, in memory, by rising id: 5 bytes a file. The catalogue would take 10
 * ms and more to list the models among 100 000 files and to count kinds.
 */
export class FileTable {
  #ids = new Uint32Array(FIRST_CAPACITY);
  #kinds = new Uint8Array(FIRST_CAPACITY);
  #size = 0;
  #list: Uint32Array | undefined;
  /** Answers of {@link ofKinds} by the kinds, until a file changes: reading all kinds of a million files takes 2 ms. */
  readonly #ofKinds = new Map<string, Uint32Array>();

  get size(): number {
    return this.#size;
  }

  /** All ids, rising; built on demand and never modified. */
  get ids(): Uint32Array {
    return (this.#list ??= this.#ids.slice(0, this.#size));
  }

  /** A table of these files. */
  static of({ fileIds, kinds }: SearchableList): FileTable {
    const table = new FileTable();
    table.#ids = new Uint32Array(fileIds.length + FIRST_CAPACITY);
    table.#kinds = new Uint8Array(fileIds.length + FIRST_CAPACITY);
    table.#ids.set(fileIds);
    table.#kinds.set(kinds.map((kind) => NUMBERS[kind]));
    table.#size = fileIds.length;
    return table;
  }

  /** Adds a file or replaces its kind; fastest by rising id. */
  put({ fileId, kind }: SearchableFile): void {
    // Ids rise, so a new file belongs at the end, or near it when files were indexed concurrently.
    const at =
      this.#size === 0 || this.#ids[this.#size - 1] < fileId
        ? this.#size
        : firstNotBelow(this.#ids, fileId, 0, this.#size);
    if (at === this.#size || this.#ids[at] !== fileId) {
      if (this.#size === this.#ids.length) this.#grow();
      for (const column of [this.#ids, this.#kinds]) column.copyWithin(at + 1, at, this.#size);
      this.#ids[at] = fileId;
      this.#size++;
      this.#list = undefined;
    }
    this.#ofKinds.clear();
    this.#kinds[at] = FILE_KINDS.indexOf(kind);
  }

  remove(fileId: number): void {
    const at = firstNotBelow(this.#ids, fileId, 0, this.#size);
    if (at === this.#size || this.#ids[at] !== fileId) return;
    for (const column of [this.#ids, this.#kinds]) column.copyWithin(at, at + 1, this.#size);
    this.#size--;
    this.#list = undefined;
    this.#ofKinds.clear();
  }

  /** Those of these files that are in the table. */
  those(fileIds: Uint32Array): Uint32Array {
    return intersection(fileIds, this.ids);
  }

  /** Ids of the files of these kinds, rising; kept until a file changes, and never modified. */
  ofKinds(kinds: readonly FileKind[]): Uint32Array {
    const wanted = FILE_KINDS.map((kind) => kinds.includes(kind));
    const key = wanted.join();
    const known = this.#ofKinds.get(key);
    if (known !== undefined) return known;
    let count = 0;
    for (let row = 0; row < this.#size; row++) if (wanted[this.#kinds[row]]) count++;
    const found = new Uint32Array(count);
    for (let row = 0, at = 0; at < count; row++) if (wanted[this.#kinds[row]]) found[at++] = this.#ids[row];
    for (const oldest of this.#ofKinds.keys()) if (this.#ofKinds.size >= KEPT_OF_KINDS) this.#ofKinds.delete(oldest);
    this.#ofKinds.set(key, found);
    return found;
  }

  /** Counts these files (rising) by kind; files that are not in the table are ignored. */
  countKinds(fileIds: Uint32Array): Record<FileKind, number> {
    const counts = new Uint32Array(FILE_KINDS.length);
    let row = 0;
    for (const fileId of fileIds) {
      // Binary search, because few files are far apart in the table.
      if (row < this.#size && this.#ids[row] !== fileId) row = firstNotBelow(this.#ids, fileId, row, this.#size);
      if (row === this.#size) break;
      if (this.#ids[row] === fileId) counts[this.#kinds[row++]]++;
    }
    return Object.fromEntries(FILE_KINDS.map((kind, i) => [kind, counts[i]])) as Record<FileKind, number>;
  }

  #grow(): void {
    const capacity = Math.ceil(1.125 * this.#ids.length);
    const grown = <T extends Uint32Array | Uint8Array>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    this.#ids = grown(this.#ids, new Uint32Array(capacity));
    this.#kinds = grown(this.#kinds, new Uint8Array(capacity));
  }
}
