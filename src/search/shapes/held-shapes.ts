import { compactOf } from '../../descriptors/describe.js';
import { COMPACT_DIMENSION } from '../../descriptors/description.js';
import type { SearchableList } from '../../store/catalogue.js';
import { CacheFile } from '../../store/disk/cache-file.js';
import { VectorIndex } from '../../vectors/vector-index.js';
import { turn } from '../event-loop.js';
import type { ShapeQuery } from '../query/inputs.js';
import { keepShapes, type KeptShape } from './kept-shapes.js';
import { readShapes } from './read-shapes.js';
import type { Among, PutShape, ShapeSearchParts, ShapeSet } from './shape-set.js';
import { ShapeTable, type Known } from './shape-table.js';
import { sizesWithin, type SizeField, type SizeTolerances } from './size-tolerances.js';

/** Memory of a shape without its fine descriptor, bytes: measured with 100 000 parts. */
export const BYTES_OF_A_SHAPE = 944;

/** The shapes of a company in memory. What a search asks for is answered before the first await. */
export class HeldShapes implements ShapeSet {
  readonly #index: VectorIndex;
  readonly #known: ShapeTable;
  /** While a cache is written: files that changed since the catalogue was listed. */
  readonly #touched = new Set<number>();
  /** Writing of the cache; never rejects. */
  #keeping: Promise<void> | undefined;

  private constructor(index: VectorIndex, known: ShapeTable) {
    this.#index = index;
    this.#known = known;
  }

  /** Reads the shapes from what was kept and from the catalogue. */
  static async open(parts: ShapeSearchParts, listed: SearchableList): Promise<HeldShapes> {
    const { store, companyId } = parts;
    const known = new ShapeTable();
    const cacheFile = new CacheFile(store.cacheFolder(`shapes-${companyId}`));
    const reading = readShapes({ store, companyId, cacheFile, listed, known });
    const index = await VectorIndex.open(parts.core, {
      dimension: COMPACT_DIMENSION,
      vectors: reading.vectors,
      cacheFile: new CacheFile(store.cacheFolder(`vectors-${companyId}`)),
      exactLimit: parts.exactLimit,
    });
    const held = new HeldShapes(index, known);
    if (reading.isToBeKept()) held.#keep(cacheFile, listed);
    return held;
  }

  /** Ids of all shapes, rising; a copy. */
  ids(): Uint32Array {
    return this.#known.ids();
  }

  bytesOf(shapes: number): number {
    return BYTES_OF_A_SHAPE * shapes;
  }

  put(fileId: number, uid: string, shape: PutShape): void {
    const { volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = shape;
    if (this.#keeping !== undefined) this.#touched.add(fileId);
    this.#known.set(fileId, { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 });
    this.#index.add(fileId, compactOf(shape.descriptors.compact));
  }

  remove(fileId: number): void {
    if (this.#keeping !== undefined) this.#touched.add(fileId);
    this.#known.delete(fileId);
    this.#index.remove(fileId);
  }

  async within(queries: readonly ShapeQuery[], tolerances: SizeTolerances, fileIds: Uint32Array): Promise<Uint32Array> {
    const sizeOf = (id: number) => (field: SizeField) => this.#known.sizeOf(id, field);
    return fileIds.filter((id) => sizesWithin(sizeOf(id), queries, tolerances));
  }

  async nearest(queries: readonly Pick<ShapeQuery, 'compact'>[], count: number, { allowed }: Among): Promise<number[]> {
    if (count === 0) return [];
    const total = allowed?.length ?? this.#index.size;
    for (let k = count + 1; ; k *= 2) {
      const nearest = new Map<number, number>();
      let unseen = Infinity;
      for (const { compact } of queries) {
        const { labels, distances } = this.#index.search(compact, k, allowed === undefined ? {} : { allow: allowed });
        labels.forEach((label, i) => nearest.set(label, Math.min(distances[i], nearest.get(label) ?? Infinity)));
        if (labels.length < total) unseen = Math.min(unseen, distances[labels.length - 1]);
      }
      const uidOf = (label: number): string => this.#known.uidOf(label);
      const order = [...nearest].sort(([a, near], [b, far]) => near - far || (uidOf(a) < uidOf(b) ? -1 : 1));
      // Files beyond the k nearest are no nearer than `unseen`. If one may be as near as the last of the list, a larger
      // k is needed.
      if (order.length <= count || order[count - 1][1] < unseen) return order.slice(0, count).map(([label]) => label);
    }
  }

  async known(fileIds: readonly number[]): Promise<ReadonlyMap<number, Known>> {
    return new Map(
      fileIds.flatMap((fileId) => {
        const known = this.#known.get(fileId);
        return known === undefined ? [] : [[fileId, known] as const];
      }),
    );
  }

  async close(): Promise<void> {
    await this.#keeping;
    await this.#index.close();
  }

  #keep(cacheFile: CacheFile, listed: SearchableList): void {
    const shapeOf = (fileId: number): KeptShape | undefined | 'changed' => {
      if (this.#touched.has(fileId)) return 'changed';
      if (!this.#known.has(fileId)) return undefined;
      const uid = this.#known.uidBytesOf(fileId);
      return uid === undefined ? 'changed' : { uid, sizes: this.#known.sizesOf(fileId) };
    };
    const compactOf = (fileIds: Uint32Array): Float32Array => this.#index.vectorsOf(fileIds);
    this.#keeping = keepShapes(cacheFile, { listed, shapeOf, compactOf, turn })
      // Without it the next opening reads the catalogue, as this one did.
      .catch(() => undefined)
      .finally(() => {
        this.#keeping = undefined;
        this.#touched.clear();
      });
  }
}
