import { UidTable } from '../filters/uid-table.js';

/** Sizes of a shape, by which tolerances are tested and hits of one shape told apart. */
export interface Sizes {
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  /** Edges of the smallest box, descending. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
}

/** What is kept in memory of every searchable file with a shape. */
export interface Known extends Sizes {
  readonly uid: string;
}

/** Numbers of a row. */
export const SIZES = 6;
const FIRST_CAPACITY = 256;
const AHEAD = 1 + 1 / 8;

/** UIDs and sizes of the shapes of a company: 72 bytes a file, where a map of objects took some 400. */
export class ShapeTable {
  readonly #uids = new UidTable();
  /** f64[rows][6]: volume, volume of the box, its edges, surface area. */
  #sizes = new Float64Array(FIRST_CAPACITY * SIZES);

  get size(): number {
    return this.#uids.size;
  }

  has(fileId: number): boolean {
    return this.#uids.has(fileId);
  }

  /** Of a file that is held. */
  uidOf(fileId: number): string {
    return this.#uids.get(fileId)!;
  }

  /** See {@link UidTable.bytesOf}. */
  uidBytesOf(fileId: number): Uint8Array | undefined {
    return this.#uids.bytesOf(fileId);
  }

  get(fileId: number): Known | undefined {
    const uid = this.#uids.get(fileId);
    if (uid === undefined) return undefined;
    const [volumeMm3, bboxVolumeMm3, length, width, height, surfaceAreaMm2] = this.sizesOf(fileId);
    return { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm: [length, width, height], surfaceAreaMm2 };
  }

  /** f64[6] of a file that is held; not to be kept. */
  sizesOf(fileId: number): Float64Array {
    const at = SIZES * this.#uids.rowOf(fileId);
    return this.#sizes.subarray(at, at + SIZES);
  }

  /** One of the sizes of a file that is held. */
  sizeOf(fileId: number, name: 'volumeMm3' | 'bboxVolumeMm3' | 'surfaceAreaMm2'): number {
    return this.#sizes[SIZES * this.#uids.rowOf(fileId) + { volumeMm3: 0, bboxVolumeMm3: 1, surfaceAreaMm2: 5 }[name]];
  }

  set(fileId: number, { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 }: Known): void {
    this.setPacked(fileId, uid, [volumeMm3, bboxVolumeMm3, ...bboxSizeMm, surfaceAreaMm2]);
  }

  /** sizes: as {@link sizesOf} returns them. uid: a text, or u8[16]. */
  setPacked(fileId: number, uid: string | Uint8Array, sizes: ArrayLike<number>): void {
    const at = SIZES * this.#uids.set(fileId, uid);
    if (at + SIZES > this.#sizes.length) {
      const grown = new Float64Array(SIZES * Math.ceil((AHEAD * at) / SIZES));
      grown.set(this.#sizes);
      this.#sizes = grown;
    }
    this.#sizes.set(sizes, at);
  }

  /** False: the file was not held. */
  delete(fileId: number): boolean {
    const row = this.#uids.delete(fileId);
    if (row < 0) return false;
    this.#sizes.copyWithin(SIZES * row, SIZES * this.size, SIZES * (this.size + 1));
    return true;
  }

  /** Ids of all files, rising; a copy. */
  ids(): Uint32Array {
    return this.#uids.ids();
  }
}
