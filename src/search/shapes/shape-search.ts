import { compactOf } from '../../descriptors/describe.js';
import { loadReference, type Reference } from '../../descriptors/reference.js';
import { EngineError } from '../../errors.js';
import { subtract } from '../../store/database/id-lists.js';
import { union } from '../filters/id-set.js';
import type { SearchableList } from '../../store/catalogue.js';
import type { CheckedQuery } from '../query/check-query.js';
import { FineRows, type FineRow } from './fine-rows.js';
import { IdMarks } from '../../store/database/id-marks.js';
import { listedFiles } from '../filters/listed-files.js';
import { featuresOf, type ShapeQuery } from '../query/inputs.js';
import { SIMILAR_LEAST } from '../query/likeness.js';
import type { SamePart, SurfaceMatch, Surfaces } from '../query/match-class.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { AskedShapes } from './asked-shapes.js';
import { BYTES_OF_A_SHAPE, HeldShapes } from './held-shapes.js';
import type { PutShape, ShapeSearchParts, ShapeSet } from './shape-set.js';
import type { Known } from './shape-table.js';
import { hasTolerances, type SizeTolerances } from './size-tolerances.js';
import { ofOnePlan } from './one-plan.js';
import { shapeDistances } from './rank.js';
import { findSameParts } from './same-part/find-same-parts.js';
import { turn } from '../event-loop.js';

/** Files of one fine comparison: the nearest by compact vector first, then the next block. */
const BLOCK = 256;
/** Distance of unrelated parts. */
const UNRELATED = 1.1;

type Searching = Pick<CheckedQuery, 'offset' | 'limit' | 'ignoreSize' | 'signal'>;

interface Comparing {
  readonly ignoreSize: boolean;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/** Candidates compared with one query. */
interface Compared {
  readonly distances: Float64Array;
  /** By their places among the candidates. */
  readonly same: ReadonlyMap<number, SamePart>;
}

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
   * These files (rising) but those with a shape whose sizes are not within the tolerances of one of the inputs; all of
   * them where no input or tolerance is given.
   */
  async withoutOtherSizes(
    queries: readonly ShapeQuery[],
    tolerances: SizeTolerances,
    fileIds: Uint32Array,
  ): Promise<Uint32Array> {
    if (queries.length === 0 || !hasTolerances(tolerances)) return fileIds;
    const within = await this.#set.within(queries, tolerances, this.#marks.those(fileIds));
    return union(within, subtract(fileIds, this.ids));
  }

  /**
   * The allowed files (rising, all with a shape; undefined: all) that are most similar to the inputs: one page by
   * rising score, ties by UID. The candidates are chosen before the first await; later steps let the event loop run.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async nearest(
    queries: readonly ShapeQuery[],
    allowed: Uint32Array | undefined,
    { offset, limit, ignoreSize, signal }: Searching,
  ): Promise<ShapeHit[]> {
    const turnOfOwn = (): Promise<void> => this.turn(signal);
    const wanted = offset + limit;
    const ranked: Ranked[] = [];
    const order = await this.#nearest(queries, Math.min(wanted, allowed?.length ?? this.size), allowed, turnOfOwn);
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
   * How models lie to inputs of which some, but not all, are models; undefined: all or none are. The nearest files of
   * the first page (see {@link nearest}) are beside every file in the comparison, as its neighbourhood is made of them.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async surfaces(
    inputs: readonly { readonly shape: ShapeQuery | undefined }[],
    among: Uint32Array | undefined,
    { offset, limit, ignoreSize, signal }: Searching,
  ): Promise<Surfaces | undefined> {
    const queries = inputs.flatMap(({ shape }) => shape ?? []);
    if (queries.length === 0 || queries.length === inputs.length) return undefined;
    const allowed = among && this.#marks.those(among);
    const count = Math.min(offset + limit, allowed?.length ?? this.size);
    const comparing = { ignoreSize, turn: (): Promise<void> => this.turn(signal) };
    const near = await this.#nearest(queries, count, allowed, comparing.turn);
    const known = new Map<number, SurfaceMatch>();
    const compare = async (fileIds: readonly number[]): Promise<ReadonlyMap<number, SurfaceMatch>> => {
      const asked = new Set(fileIds.filter((fileId) => !known.has(fileId) && this.#marks.has(fileId)));
      if (asked.size === 0) return known;
      const order = [...asked, ...near.slice(0, BLOCK).filter((fileId) => !asked.has(fileId))];
      await this.#fine.with(order, async (rows) => {
        const candidates = await this.#candidates(rows);
        const own = candidates.filter(({ fileId }) => asked.has(fileId));
        const found: (Compared | undefined)[] = [];
        for (const { shape } of inputs) found.push(shape && (await this.#compare(shape, candidates, comparing)));
        for (const [i, { fileId }] of own.entries()) known.set(fileId, matchOf(found, i));
      });
      return known;
    };
    return { near, compare };
  }

  /**
   * Files with a score of at most `most` in a search with a stored file, where all files count as merely similar.
   * Without the file itself, by rising id. Empty when the file is not searchable.
   * copies: files that are known to be the same part.
   */
  async alike(
    fileId: number,
    { most, copies }: { readonly most: number; readonly copies: ReadonlySet<number> },
  ): Promise<{ readonly fileId: number; readonly score: number }[]> {
    const { store, core } = this.#parts;
    const [[compact], own] = await Promise.all([
      store.shapes.descriptors('compact', [fileId]),
      this.#fine.with([fileId], ([row]) => row?.fine.slice()),
    ]);
    const known = (await this.#set.known([fileId])).get(fileId);
    if (known === undefined || compact === undefined || own === undefined) return [];
    const query = { fine: own, bboxSizeMm: known.bboxSizeMm };
    const turnOfOwn = (): Promise<void> => this.turn(undefined);
    const order = await this.#nearest([{ compact: compactOf(compact) }], BLOCK, undefined, turnOfOwn);
    return this.#fine.with(order, async (rows) => {
      const candidates = await this.#candidates(rows);
      const same = new Map(
        candidates.flatMap((one, i) => (copies.has(one.fileId) ? [[i, { matchClass: 'identical' }] as const] : [])),
      );
      const distances = shapeDistances(core, this.#reference, query, candidates, { ignoreSize: false, same });
      return candidates
        .map((candidate, i) => ({ fileId: candidate.fileId, score: SIMILAR_LEAST + distances[i] }))
        .filter((other) => other.fileId !== fileId && other.score <= most)
        .sort((a, b) => a.fileId - b.fileId);
    });
  }

  /** What is known of these files; those that are gone are left out. */
  known(fileIds: readonly number[]): Promise<ReadonlyMap<number, Known>> {
    return this.#set.known(fileIds);
  }

  /** At least `count` candidates by their compact vectors, in whole blocks. */
  #nearest(
    queries: readonly Pick<ShapeQuery, 'compact'>[],
    count: number,
    allowed: Uint32Array | undefined,
    turn: () => Promise<void>,
  ): Promise<number[]> {
    const among = { allowed, all: () => this.ids, has: (fileId: number) => this.#marks.has(fileId), turn };
    return this.#set.nearest(queries, Math.ceil(count / BLOCK) * BLOCK, among);
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

  /** Which candidates are the same part as a query, and the distances of all. */
  async #compare(
    query: ShapeQuery,
    candidates: readonly Candidate[],
    { ignoreSize, turn }: Comparing,
  ): Promise<Compared> {
    const { core, store, hasOwnBytes = true } = this.#parts;
    const idsOf = (places: readonly number[]): number[] => places.map((i) => candidates[i].fileId);
    const same = await findSameParts(core, query, candidates, {
      hashes: async (places) => (hasOwnBytes ? store.shapes.hashes(idsOf(places)) : []),
      surfaces: (places, byteLength) => store.shapes.descriptors('surface', idsOf(places), byteLength),
      turn,
    });
    const onePlan = await ofOnePlan(query, candidates, async (places) =>
      (await store.shapes.features(idsOf(places))).map(featuresOf),
    );
    const options = { ignoreSize, same, onePlan };
    return { distances: shapeDistances(core, this.#reference, query, candidates, options), same };
  }

  /** Scores and sorts one block; scores are raised to `floor`, the last score of the block before. */
  async #rank(
    queries: readonly ShapeQuery[],
    candidates: readonly Candidate[],
    { floor, ...options }: Comparing & { readonly floor: number },
  ): Promise<Ranked[]> {
    const found: Compared[] = [];
    for (const query of queries) found.push(await this.#compare(query, candidates, options));
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

/** Candidate `i`, compared with each input. */
function matchOf(found: readonly (Compared | undefined)[], i: number): SurfaceMatch {
  const distances = found.map((compared) => compared?.distances[i]);
  const input = nearestInput(found.map((compared) => compared?.same.get(i)?.score ?? Infinity));
  const part = found[input]?.same.get(i);
  return { distances, ...(part === undefined ? {} : { same: { part, input } }) };
}
