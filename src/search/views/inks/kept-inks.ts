import { packedInks, type PackedInk } from '../../../descriptors/page-inks.js';

/**
 * Most bytes of all kept inks, some 17 kB a page: a search looks at the pages of up to 192 files. Of what
 * `searchMemoryMiB` leaves they take no more than a part.
 */
const KEPT_BYTES = 32 * 2 ** 20;
const PART_OF_ROOM = 1 / 4;
/** Bytes of what stands beside the cells of a file's inks, about. */
const FILE_BYTES = 1_000;

/** What is kept of a file. */
interface KeptFile {
  readonly pages: readonly PackedInk[];
  readonly bytes: number;
}

/** The inks of pages, unpacked once for all searches. */
export class KeptInks {
  readonly #read: (fileIds: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;
  readonly #room: () => number;
  /** By file, the most recently used last. */
  readonly #files = new Map<number, KeptFile>();
  #bytes = 0;
  #forgotten = 0;

  /**
   * @param read the packed inks of those of some files that have some. @param room memory that the company's search may
   * hold, bytes
   */
  constructor(read: (fileIds: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>, room: () => number) {
    this.#read = read;
    this.#room = room;
  }

  /** Memory of what is kept, about, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    // What was read before must not be kept after it.
    this.#forgotten++;
    this.#drop(fileId);
  }

  /** The pages with ink of those of the files that have some. */
  async of(fileIds: readonly number[]): Promise<ReadonlyMap<number, readonly PackedInk[]>> {
    const mark = this.#forgotten;
    const found = new Map<number, readonly PackedInk[]>();
    for (const fileId of fileIds) {
      const kept = this.#files.get(fileId);
      if (kept === undefined) continue;
      found.set(fileId, kept.pages);
      this.#files.delete(fileId);
      this.#files.set(fileId, kept);
    }
    const unknown = fileIds.filter((fileId) => !found.has(fileId));
    if (unknown.length === 0) return found;
    for (const [fileId, inks] of await this.#read(unknown)) {
      const pages = packedInks(inks).filter((ink) => ink !== undefined);
      found.set(fileId, pages);
      if (mark === this.#forgotten) this.#keep(fileId, pages);
    }
    return found;
  }

  #keep(fileId: number, pages: readonly PackedInk[]): void {
    this.#drop(fileId);
    const bytes = pages.reduce((sum, { packed }) => sum + packed.length, FILE_BYTES);
    this.#files.set(fileId, { pages, bytes });
    this.#bytes += bytes;
    const most = Math.min(KEPT_BYTES, PART_OF_ROOM * this.#room());
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= most) break;
      this.#drop(oldest);
    }
  }

  #drop(fileId: number): void {
    this.#bytes -= this.#files.get(fileId)?.bytes ?? 0;
    this.#files.delete(fileId);
  }
}
