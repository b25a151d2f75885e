import { compactOf } from '../../descriptors/describe.js';
import { loadReference, type Reference } from '../../descriptors/reference.js';
import { EngineError } from '../../errors.js';
import type { SearchableList } from '../../store/catalogue.js';
import type { CheckedQuery } from '../query/check-query.js';
import { FineRows, type FineRow } from './fine-rows.js';
import { IdMarks } from '../../store/database/id-marks.js';
import { listedFiles } from '../filters/listed-files.js';
import type { ShapeQuery } from '../query/inputs.js';
import { SIMILAR_LEAST } from '../query/likeness.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { AskedShapes } from './asked-shapes.js';
import { BYTES_OF_A_SHAPE, HeldShapes } from './held-shapes.js';
import type { PutShape, ShapeSearchParts, ShapeSet } from './shape-set.js';
import type { Known } from './shape-table.js';
import { hasTolerances, type SizeTolerances } from './size-tolerances.js';
import { shapeDistances } from './rank.js';
import { findSameParts, type SamePart } from './same-part/find-same-parts.js';
import { turn } from '../event-loop.js';

/** Files of one fine comparison: the nearest by compact vector first, then the next block. */
const BLOCK = 256;
/** Distance of unrelated parts. */
const UNRELATED = 1.1;

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
  readonly #set: ShapeSet;
  readonly #fine: FineRows;
  /** Ids of all shapes, as bits. */
  readonly #marks: IdMarks;
  #size: number;
  /** Ids of all shapes, rising; built on demand and never modified. */
  #ids: Uint32Array | undefined;
  #closed = false;

  private constructor(parts: ShapeSearchParts, reference: Reference, set: ShapeSet, ids: Uint32Array) {
    this.#parts = parts;
    this.#reference = reference;
    this.#set = set;
    this.#ids = ids;
    this.#size = ids.length;
    this.#marks = new IdMarks(ids);
    this.#fine = new FineRows(parts.store.shapes, parts.fineBytesKept);
  }

  /** Reads the company's shapes from the catalogue. files: what the catalogue lists, if the caller has just read it. */
  static async open(parts: ShapeSearchParts, files?: SearchableList): Promise<ShapeSearch> {
    const { store, companyId, room = () => Infinity } = parts;
    const listed = files ?? (await listedFiles(store.searchable, companyId));
    const reference = await loadReference();
    if (BYTES_OF_A_SHAPE * listed.fileIds.length <= room()) {
      const held = await HeldShapes.open(parts, listed);
      return new ShapeSearch(parts, reference, held, held.ids());
    }
    const { shapes, ids } = await AskedShapes.open(parts, listed);
    return new ShapeSearch(parts, reference, shapes, ids);
  }

  add(fileId: number, uid: string, shape: PutShape): void {
    this.#ids = undefined;
    this.#fine.forget(fileId);
    if (!this.#marks.has(fileId)) this.#size++;
    this.#marks.add(fileId);
    this.#set.put(fileId, uid, shape);
  }

  remove(fileId: number): void {
    if (!this.#marks.has(fileId)) return;
    this.#size--;
    this.#marks.delete(fileId);
    this.#ids = undefined;
    this.#fine.forget(fileId);
    this.#set.remove(fileId);
  }

  /** Searches under way reject with `ENGINE_CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#set.close();
  }

  get size(): number {
    return this.#size;
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return this.#set.bytesOf(this.size) + this.#fine.bytes;
  }

  /** Of that, what it would ask the database for if there were no room. */
  get heldBytes(): number {
    return this.#set.bytesOf(this.size);
  }

  /** Ids of all shapes, rising. */
  get ids(): Uint32Array {
    return (this.#ids ??= this.#marks.ids());
  }

  /**
   * The files that may be found, rising: those of `among` (rising; undefined: all) with a shape and with sizes within
   * the tolerances.
   * undefined: all.
   */
  async passing(
    queries: readonly ShapeQuery[],
    tolerances: SizeTolerances,
    among: Uint32Array | undefined,
  ): Promise<Uint32Array | undefined> {
    const shapes = among && this.#marks.those(among);
    if (hasTolerances(tolerances)) return this.#set.within(queries, tolerances, shapes ?? this.ids);
    return shapes?.length === this.size ? undefined : shapes;
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
    const order = await this.#set.nearest(
      queries,
      Math.ceil(Math.min(wanted, allowed?.length ?? this.size) / BLOCK) * BLOCK,
      { allowed, all: () => this.ids, has: (fileId) => this.#marks.has(fileId), turn: turnOfOwn },
    );
    for (let first = 0; first < order.length; first += BLOCK) {
      if (first > 0) await turnOfOwn();
      const floor = ranked.length === 0 ? 0 : ranked[ranked.length - 1].score;
      const block = await this.#fine.with(order.slice(first, first + BLOCK), async (rows) =>
        this.#rank(queries, await this.#candidates(rows), { floor, ignoreSize, turn: turnOfOwn }),
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
    const known = (await this.#set.known([fileId])).get(fileId);
    if (known === undefined || compact === undefined || own === undefined) return [];
    const query = { fine: own, bboxSizeMm: known.bboxSizeMm };
    const order = await this.#set.nearest([{ compact: compactOf(compact) }], BLOCK, {
      allowed: undefined,
      all: () => this.ids,
      has: (id) => this.#marks.has(id),
      turn: () => this.turn(undefined),
    });
    return this.#fine.with(order, async (rows) => {
      const candidates = await this.#candidates(rows);
      const distances = shapeDistances(core, this.#reference, query, candidates, { ignoreSize: false });
      return candidates
        .map((candidate, i) => ({ fileId: candidate.fileId, score: SIMILAR_LEAST + distances[i] }))
        .filter((other) => other.fileId !== fileId && other.score <= most)
        .sort((a, b) => a.fileId - b.fileId);
    });
  }

  /** Files that were removed while their descriptors were read are left out. */
  async #candidates(rows: readonly FineRow[]): Promise<Candidate[]> {
    const facts = await this.#set.known(rows.map(({ fileId }) => fileId));
    return rows.flatMap(({ fileId, fine }) => {
      const known = facts.get(fileId);
      if (known === undefined) return [];
      const { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = known;
      return { fileId, fine, uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 };
    });
  }

  /** Lets the event loop run. @throws EngineError `ENGINE_CLOSED`, `ABORTED`. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    await turn();
    if (this.#closed || this.#parts.closing?.aborted === true)
      throw new EngineError('ENGINE_CLOSED', 'the engine was closed during the search');
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
