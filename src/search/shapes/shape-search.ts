import type { Core } from '../../core/core.js';
import { compactOf } from '../../descriptors/describe.js';
import { COMPACT_DIMENSION, type ShapeDescription } from '../../descriptors/description.js';
import { loadReference, type Reference } from '../../descriptors/reference.js';
import { EngineError } from '../../errors.js';
import { VectorIndex } from '../../vectors/vector-index.js';
import { CacheFile } from '../../store/disk/cache-file.js';
import type { SearchableList } from '../../store/catalogue.js';
import type { Store } from '../../store/store.js';
import type { CheckedQuery } from '../query/check-query.js';
import { FineRows, type FineRow } from './fine-rows.js';
import { IdMarks } from '../filters/id-set.js';
import { listedFiles } from '../filters/listed-files.js';
import type { ShapeQuery } from '../query/inputs.js';
import { SIMILAR_LEAST } from '../query/likeness.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { keepShapes, type KeptShape } from './kept-shapes.js';
import { readShapes } from './read-shapes.js';
import { ShapeTable, type Known, type Sizes } from './shape-table.js';
import { shapeDistances } from './rank.js';
import { findSameParts, type SamePart } from './same-part/find-same-parts.js';
import { withinTolerance } from '../query/tolerance.js';
import { turn } from '../event-loop.js';

/** What a company's search by shape needs. */
export interface ShapeSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Largest number of files at which every search scans all compact vectors. */
  readonly exactLimit: number;
  /** Memory for cached fine descriptors, bytes. */
  readonly fineBytesKept: number;
  /** False: the bytes of a row's file are not those of the shape alone. Default true. */
  readonly hasOwnBytes?: boolean;
}

/** Files of one fine comparison: the nearest by compact vector first, then the next block. */
const BLOCK = 256;
/** Distance of unrelated parts. */
const UNRELATED = 1.1;
/** Memory of a shape without its fine descriptor, bytes: measured with 100 000 parts. */
const BYTES_OF_A_SHAPE = 872;

/** Tolerances of sizes; with several inputs, one of them must be matched. */
export type SizeTolerances = Pick<CheckedQuery, 'volume' | 'bboxVolume' | 'surfaceArea'>;

/** A file in the fine comparison. */
interface Candidate extends Known, FineRow {}

interface Ranked {
  readonly score: number;
  /** Undefined for merely similar files. */
  readonly same: SamePart | undefined;
  /** Index of the nearest input. */
  readonly input: number;
  readonly fileId: number;
  readonly uid: string;
}

/** A found file. input: with several inputs, the index of the one that it is nearest to. */
export type ShapeHit = SamePart & { readonly fileId: number; readonly uid: string; readonly input?: number };

/**
 * The searchable shapes of one company. `add` and `remove` may be called twice for a file, and whether or not `open`
 * has read it.
 */
export class ShapeSearch {
  readonly #parts: ShapeSearchParts;
  readonly #reference: Reference;
  readonly #index: VectorIndex;
  readonly #known: ShapeTable;
  readonly #fine: FineRows;
  /** The keys of `#known`, as bits. */
  readonly #marks = new IdMarks();
  /** The keys of `#known`, rising; built on demand and never modified. */
  #ids: Uint32Array | undefined;
  #closed = false;

  /** While a cache is written: files that changed since the catalogue was listed. */
  readonly #touched = new Set<number>();
  /** Writing of the cache; never rejects. */
  #keeping: Promise<void> | undefined;

  private constructor(parts: ShapeSearchParts, reference: Reference, index: VectorIndex, known: ShapeTable) {
    this.#parts = parts;
    this.#reference = reference;
    this.#index = index;
    this.#known = known;
    for (const fileId of this.ids) this.#marks.add(fileId);
    this.#fine = new FineRows(parts.store.shapes, parts.fineBytesKept);
  }

  /** Reads the company's shapes from the catalogue. files: what the catalogue lists, if the caller has just read it. */
  static async open(parts: ShapeSearchParts, files?: SearchableList): Promise<ShapeSearch> {
    const { store, companyId } = parts;
    const known = new ShapeTable();
    const listed = files ?? (await listedFiles(store.searchable, companyId));
    const cacheFile = new CacheFile(store.cacheFolder(`shapes-${companyId}`));
    const reading = readShapes({ store, companyId, cacheFile, listed, known });
    const index = await VectorIndex.open(parts.core, {
      dimension: COMPACT_DIMENSION,
      vectors: reading.vectors,
      cacheFile: new CacheFile(store.cacheFolder(`vectors-${companyId}`)),
      exactLimit: parts.exactLimit,
    });
    const search = new ShapeSearch(parts, await loadReference(), index, known);
    if (reading.isToBeKept()) search.#keep(cacheFile, listed);
    return search;
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

  add(
    fileId: number,
    uid: string,
    shape: Sizes & { readonly descriptors: Pick<ShapeDescription['descriptors'], 'compact'> },
  ): void {
    const { volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = shape;
    this.#ids = undefined;
    if (this.#keeping !== undefined) this.#touched.add(fileId);
    this.#fine.forget(fileId);
    this.#known.set(fileId, { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 });
    this.#marks.add(fileId);
    this.#index.add(fileId, compactOf(shape.descriptors.compact));
  }

  remove(fileId: number): void {
    if (this.#keeping !== undefined) this.#touched.add(fileId);
    if (!this.#known.delete(fileId)) return;
    this.#marks.delete(fileId);
    this.#ids = undefined;
    this.#fine.forget(fileId);
    this.#index.remove(fileId);
  }

  /** Searches under way reject with `ENGINE_CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#keeping;
    await this.#index.close();
  }

  get size(): number {
    return this.#known.size;
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return BYTES_OF_A_SHAPE * this.size + this.#fine.bytes;
  }

  /** Ids of all shapes, rising. */
  get ids(): Uint32Array {
    return (this.#ids ??= this.#known.ids());
  }

  /**
   * The files that may be found, rising: those of `among` (rising; undefined: all) with a shape and with sizes within
   * the tolerances.
   * undefined: all.
   */
  passing(
    queries: readonly ShapeQuery[],
    tolerances: SizeTolerances,
    among: Uint32Array | undefined,
  ): Uint32Array | undefined {
    const filters = (['volume', 'bboxVolume', 'surfaceArea'] as const).filter((name) => tolerances[name] !== undefined);
    const shapes = among && this.#marks.those(among);
    if (filters.length === 0) return shapes?.length === this.size ? undefined : shapes;
    const field = { volume: 'volumeMm3', bboxVolume: 'bboxVolumeMm3', surfaceArea: 'surfaceAreaMm2' } as const;
    return (shapes ?? this.ids).filter((id) =>
      filters.every((name) =>
        queries.some((input) =>
          withinTolerance(this.#known.sizeOf(id, field[name]), input[field[name]], tolerances[name]!),
        ),
      ),
    );
  }

  /**
   * The allowed files (rising, all with a shape; undefined: all) that are most similar to the inputs: one page by
   * rising score, ties by UID. The candidates are chosen before the first await; later steps let the event loop run.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async nearest(
    queries: readonly ShapeQuery[],
    allowed: Uint32Array | undefined,
    { offset, limit, ignoreSize, signal }: Pick<CheckedQuery, 'offset' | 'limit' | 'ignoreSize' | 'signal'>,
  ): Promise<ShapeHit[]> {
    const turnOfOwn = (): Promise<void> => this.turn(signal);
    const wanted = offset + limit;
    const ranked: Ranked[] = [];
    const order = this.#nearest(
      queries,
      Math.ceil(Math.min(wanted, allowed?.length ?? this.#index.size) / BLOCK) * BLOCK,
      allowed,
    );
    for (let first = 0; first < order.length; first += BLOCK) {
      if (first > 0) await turnOfOwn();
      const floor = ranked.length === 0 ? 0 : ranked[ranked.length - 1].score;
      const block = await this.#fine.with(order.slice(first, first + BLOCK), (rows) =>
        this.#rank(queries, this.#candidates(rows), { floor, ignoreSize, turn: turnOfOwn }),
      );
      ranked.push(...block);
    }
    return ranked.slice(offset, wanted).map(({ score, same, input, fileId, uid }) => ({
      fileId,
      uid,
      ...(queries.length > 1 ? { input } : {}),
      ...(same ?? { matchClass: 'similar' }),
      score,
    }));
  }

  /**
   * Files with a score of at most `most` in a search with a stored file, where all files count as merely similar.
   * Without the file itself, by rising id. Empty when the file is not searchable.
   */
  async alike(fileId: number, most: number): Promise<{ readonly fileId: number; readonly score: number }[]> {
    const { store, core } = this.#parts;
    const [[compact], own] = await Promise.all([
      store.shapes.descriptors('compact', [fileId]),
      this.#fine.with([fileId], ([row]) => row?.fine.slice()),
    ]);
    const known = this.#known.get(fileId);
    if (known === undefined || compact === undefined || own === undefined) return [];
    const query = { fine: own, bboxSizeMm: known.bboxSizeMm };
    return this.#fine.with(this.#nearest([{ compact: compactOf(compact) }], BLOCK, undefined), (rows) => {
      const candidates = this.#candidates(rows);
      const distances = shapeDistances(core, this.#reference, query, candidates, { ignoreSize: false });
      return candidates
        .map((candidate, i) => ({ fileId: candidate.fileId, score: SIMILAR_LEAST + distances[i] }))
        .filter((other) => other.fileId !== fileId && other.score <= most)
        .sort((a, b) => a.fileId - b.fileId);
    });
  }

  /**
   * The `count` files with the nearest compact vectors, nearest first; with several inputs, by the nearest of them.
   * Equal distances are ordered by UID, so that the same files give the same list in whatever order they arrived.
   */
  #nearest(queries: readonly Pick<ShapeQuery, 'compact'>[], count: number, allowed: Uint32Array | undefined): number[] {
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

  /** Files that were removed while their descriptors were read are left out. */
  #candidates(rows: readonly FineRow[]): Candidate[] {
    return rows.flatMap(({ fileId, fine }) => {
      const known = this.#known.get(fileId);
      if (known === undefined) return [];
      const { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = known;
      return { fileId, fine, uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 };
    });
  }

  /** Lets the event loop run. @throws EngineError `ENGINE_CLOSED`, `ABORTED`. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    await turn();
    if (this.#closed) throw new EngineError('ENGINE_CLOSED', 'the engine was closed during the search');
    if (signal?.aborted === true) throw new EngineError('ABORTED', 'the search was aborted', { cause: signal.reason });
  }

  /** Scores and sorts one block; scores are raised to `floor`, the last score of the block before. */
  async #rank(
    queries: readonly ShapeQuery[],
    candidates: readonly Candidate[],
    { floor, ignoreSize, turn }: { floor: number; ignoreSize: boolean; turn: () => Promise<void> },
  ): Promise<Ranked[]> {
    const { core, store, hasOwnBytes = true } = this.#parts;
    const idsOf = (places: readonly number[]): number[] => places.map((i) => candidates[i].fileId);
    const found: { readonly distances: Float64Array; readonly same: ReadonlyMap<number, SamePart> }[] = [];
    for (const query of queries) {
      const distances = shapeDistances(core, this.#reference, query, candidates, { ignoreSize });
      const same = await findSameParts(core, query, candidates, distances, {
        hashes: async (places) => (hasOwnBytes ? store.shapes.hashes(idsOf(places)) : []),
        surfaces: (places, byteLength) => store.shapes.descriptors('surface', idsOf(places), byteLength),
        turn,
      });
      found.push({ distances, same });
    }
    const ranked = candidates.map(({ fileId, uid }, i): Ranked => {
      // The same part as one of the inputs is that part, whatever the others are.
      const scores = found.map(({ same, distances }) => same.get(i)?.score ?? SIMILAR_LEAST + distances[i]);
      const input = nearestInput(scores);
      const part = found[input].same.get(i);
      const apart = found.map(({ distances }) => distances[i]);
      const score = part?.score ?? SIMILAR_LEAST + poolDistances(apart, UNRELATED);
      return { score: Math.max(score, floor), same: part, input, fileId, uid };
    });
    return ranked.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1));
  }
}
