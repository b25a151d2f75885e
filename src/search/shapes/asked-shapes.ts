import type { Core } from '../../core/core.js';
import { Least } from '../../core/least.js';
import { nearestOfBlock } from '../../core/scan.js';
import { COMPACT_DIMENSION } from '../../descriptors/description.js';
import { EngineError } from '../../errors.js';
import type { FineShapes, SearchableList, ShapeDoor } from '../../store/catalogue.js';
import { CompactTable, type CompactVector } from '../../store/database/compact-table.js';
import { subtract } from '../../store/database/id-lists.js';
import { turn } from '../event-loop.js';
import type { ShapeQuery } from '../query/inputs.js';
import { UsableTable } from '../usable-table.js';
import type { Among, PutShape, ShapeSearchParts, ShapeSet } from './shape-set.js';
import type { Known } from './shape-table.js';
import { sizesWithin, type SizeTolerances } from './size-tolerances.js';

/** Files read from the catalogue at a time: 1 MiB of vectors. */
const READ_AT_ONCE = 4_096;
/** Blocks of the table that are read in one turn of the event loop: 2 MiB. */
const BLOCKS_A_TURN = 8;
/** Candidates kept of each input at least: many files may be equally near, and looking for more reads all again. */
const LEAST_KEPT = 1_024;
const VECTOR_BYTES = 4 * COMPACT_DIMENSION;

/** Vectors of files, as {@link nearestOfBlock} reads them. */
type Vectors = Parameters<typeof nearestOfBlock>[3];

/**
 * The shapes of a company that are not held in memory: each search reads the compact vectors of the files that it may
 * find from a table on disk, block by block, and keeps the nearest; facts it asks the catalogue for, and vectors too
 * where the table cannot be used. Exact, and an id never means two shapes, so what is put and removed meanwhile changes
 * nothing.
 */
export class AskedShapes implements ShapeSet {
  readonly #core: Core;
  readonly #shapes: ShapeDoor;
  readonly #table: UsableTable<CompactTable>;
  /** Not yet written; undefined: to be removed. */
  readonly #pending = new Map<number, CompactVector | undefined>();
  /** What is being written; never rejects. */
  #work: Promise<unknown> = Promise.resolve();

  private constructor(core: Core, shapes: ShapeDoor, table: UsableTable<CompactTable>) {
    this.#core = core;
    this.#shapes = shapes;
    this.#table = table;
  }

  /**
   * Opens the table and brings it up to date with what the catalogue lists.
   * @returns it, and the ids of all shapes, rising. @throws EngineError `STORAGE_FAILED`, `LIBRARY_DAMAGED`.
   */
  static async open(
    { core, store, companyId, onTableFailed }: ShapeSearchParts,
    listed: SearchableList,
  ): Promise<{ readonly shapes: AskedShapes; readonly ids: Uint32Array }> {
    const open = (): CompactTable => CompactTable.open(store.cacheFolder(`shape-rows-${companyId}`));
    let ids: Uint32Array | undefined;
    const table = await UsableTable.open(
      open,
      async (opening) => {
        await bringUp(opening, store.shapes, listed);
        ids = await opening.use(async (usable) => (await usable.files()).fileIds);
      },
      onTableFailed,
    );
    return { shapes: new AskedShapes(core, store.shapes, table), ids: ids ?? (await idsOf(store.shapes, listed)) };
  }

  bytesOf(): number {
    return 0;
  }

  put(fileId: number, _uid: string, { descriptors }: PutShape): void {
    this.#pending.set(fileId, { fileId, indexedAt: 0, bytes: descriptors.compact });
  }

  remove(fileId: number): void {
    this.#pending.set(fileId, undefined);
  }

  /** Writes what was put and removed. */
  #flush(): Promise<void> {
    const writing = this.#work.then(async () => {
      if (this.#pending.size === 0) return;
      const changes = [...this.#pending];
      await this.#table.use((table) =>
        table.change(
          changes.flatMap(([, vector]) => vector ?? []),
          changes.flatMap(([fileId, vector]) => (vector === undefined ? [fileId] : [])),
        ),
      );
      for (const [fileId, vector] of changes) if (this.#pending.get(fileId) === vector) this.#pending.delete(fileId);
    });
    this.#work = writing.catch(() => undefined);
    return writing;
  }

  async within(queries: readonly ShapeQuery[], tolerances: SizeTolerances, fileIds: Uint32Array): Promise<Uint32Array> {
    const found = new Uint32Array(fileIds.length);
    let count = 0;
    for (let first = 0; first < fileIds.length; first += READ_AT_ONCE)
      for (const sizes of await this.#shapes.sizes(fileIds.subarray(first, first + READ_AT_ONCE)))
        if (sizesWithin((field) => sizes[field], queries, tolerances)) found[count++] = sizes.fileId;
    return found.subarray(0, count);
  }

  async nearest(queries: readonly Pick<ShapeQuery, 'compact'>[], count: number, among: Among): Promise<number[]> {
    if (count === 0) return [];
    const fileIds = among.allowed ?? among.all();
    await this.#flush();
    for (let k = Math.max(count + 1, LEAST_KEPT); ; k *= 2) {
      const found = await this.#nearest(queries, k, fileIds, among);
      const nearest = new Map<number, number>();
      let unseen = Infinity;
      for (const of of found) {
        for (const { number, value } of of) nearest.set(number, Math.min(value, nearest.get(number) ?? Infinity));
        if (of.length === k) unseen = Math.min(unseen, of[k - 1].value);
      }
      const order = [...nearest].sort(([, near], [, far]) => near - far);
      if (order.length > count && order[count - 1][1] >= unseen) continue;
      return this.#byUid(order, count);
    }
  }

  /** The k nearest of each input, nearest first. */
  async #nearest(
    queries: readonly Pick<ShapeQuery, 'compact'>[],
    k: number,
    fileIds: Uint32Array,
    { has, turn }: Among,
  ): Promise<{ readonly value: number; readonly number: number }[][]> {
    const kept = queries.map(() => new Least(k));
    let blocks = 0;
    for (let first = 0, end = 0; first < fileIds.length; first = end) {
      const number = CompactTable.blockOf(fileIds[first]);
      while (end < fileIds.length && CompactTable.blockOf(fileIds[end]) === number) end++;
      if (blocks++ % BLOCKS_A_TURN === BLOCKS_A_TURN - 1) await turn();
      for (const vectors of await this.#vectors(number, fileIds.subarray(first, end), has))
        for (const [i, { compact }] of queries.entries()) {
          const { labels, distances } = nearestOfBlock(this.#core, compact, k, vectors);
          for (let at = 0; at < labels.length && distances[at] <= kept[i].bound; at++)
            kept[i].offer(distances[at], labels[at]);
        }
    }
    return kept.map((least) => least.rising());
  }

  /** Those of files (rising) of one block of the table. What the table lacks the catalogue is asked for. */
  async #vectors(number: number, wanted: Uint32Array, has: (fileId: number) => boolean): Promise<Vectors[]> {
    const block = await this.#table.use((table) => table.read(number));
    const rows = block && rowsOf(block.fileIds, wanted);
    const found: Vectors[] = block === undefined ? [] : [{ labels: block.fileIds, vectors: block.vectors, rows }];
    if (block !== undefined && (rows ?? block.fileIds).length === wanted.length) return found;
    const missing = block === undefined ? wanted : subtract(wanted, block.fileIds);
    const asked = await compactsOf(this.#shapes, missing);
    if (asked.fileIds.length === 0) return found;
    // Files that go or come meanwhile may be in one of both alone.
    if (asked.fileIds.some((fileId) => has(fileId) && !this.#pending.has(fileId))) this.#table.spoil();
    return [...found, { labels: Uint32Array.from(asked.fileIds), vectors: asked.bytes, rows: undefined }];
  }

  /** The first `count` of files by rising distance, where equal distances are ordered by UID. */
  async #byUid(order: readonly (readonly [number, number])[], count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let first = 0, end = 0; first < order.length && ids.length < count; first = end) {
      for (end = first + 1; end < order.length && order[end][1] === order[first][1]; ) end++;
      const equal = order.slice(first, end).map(([fileId]) => fileId);
      const known = equal.length === 1 ? undefined : await this.known(equal);
      // Files that are gone come last; they are left out later.
      const uidOf = (fileId: number): string => known?.get(fileId)?.uid ?? '~';
      ids.push(...(known === undefined ? equal : equal.sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1))));
    }
    return ids.slice(0, count);
  }

  async known(fileIds: readonly number[]): Promise<ReadonlyMap<number, Known>> {
    return new Map((await this.#shapes.facts(fileIds)).map((facts) => [facts.fileId, facts]));
  }

  /** What cannot be written any more is read from the catalogue by the next opening. */
  async close(): Promise<void> {
    await this.#flush();
    this.#table.close();
  }
}

/** Brings a table up to date with what the catalogue lists. */
async function bringUp(
  table: UsableTable<CompactTable>,
  shapes: ShapeDoor,
  { fileIds, indexedAt }: SearchableList,
): Promise<void> {
  const had = await table.use((usable) => usable.files());
  if (had === undefined) return;
  const missing = new Uint32Array(fileIds.length),
    times = new Float64Array(fileIds.length);
  const gone: number[] = [];
  let count = 0,
    at = 0;
  for (const [i, fileId] of fileIds.entries()) {
    while (at < had.fileIds.length && had.fileIds[at] < fileId) gone.push(had.fileIds[at++]);
    const isHad = had.fileIds[at] === fileId;
    if (!isHad || had.indexedAt[at] !== indexedAt[i]) {
      times[count] = indexedAt[i];
      missing[count++] = fileId;
      if (isHad) gone.push(fileId);
    }
    if (isHad) at++;
  }
  for (; at < had.fileIds.length; at++) gone.push(had.fileIds[at]);
  await table.use((usable) => usable.change([], gone));
  for (let first = 0; first < count && table.isUsable; first += READ_AT_ONCE) {
    const end = Math.min(count, first + READ_AT_ONCE);
    await fill(table, shapes, { fileIds: missing.subarray(first, end), indexedAt: times.subarray(first, end) });
    await turn();
  }
}

/** Files without a shape are passed over. */
async function fill(
  table: UsableTable<CompactTable>,
  shapes: ShapeDoor,
  { fileIds, indexedAt }: Pick<SearchableList, 'fileIds' | 'indexedAt'>,
): Promise<void> {
  const found = await compactsOf(shapes, fileIds);
  let at = 0;
  const vectors = found.fileIds.map((fileId, i): CompactVector => {
    while (fileIds[at] !== fileId) at++;
    const bytes = found.bytes.subarray(VECTOR_BYTES * i, VECTOR_BYTES * (i + 1));
    return { fileId, indexedAt: indexedAt[at], bytes };
  });
  await table.use((usable) => usable.change(vectors, []));
}

/** Ids of the listed files with a shape, rising. */
async function idsOf(shapes: ShapeDoor, { fileIds }: SearchableList): Promise<Uint32Array> {
  const ids = new Uint32Array(fileIds.length);
  let count = 0;
  for (let first = 0; first < fileIds.length; first += READ_AT_ONCE) {
    for (const fileId of (await compactsOf(shapes, fileIds.subarray(first, first + READ_AT_ONCE))).fileIds)
      ids[count++] = fileId;
    await turn();
  }
  return ids.subarray(0, count);
}

/** @throws EngineError `LIBRARY_DAMAGED`. */
async function compactsOf(shapes: ShapeDoor, fileIds: Uint32Array): Promise<FineShapes> {
  const found = await shapes.compacts(fileIds);
  if (found.bytes.length !== VECTOR_BYTES * found.fileIds.length)
    throw new EngineError(
      'LIBRARY_DAMAGED',
      `${found.fileIds.length} compact descriptors have ${found.bytes.length} bytes, expected ${VECTOR_BYTES} each`,
    );
  return found;
}

/** Places of those of these ids that `fileIds` has; both rising. undefined: they are the same. */
function rowsOf(fileIds: Uint32Array, wanted: Uint32Array): Uint32Array | undefined {
  const rows = new Uint32Array(Math.min(fileIds.length, wanted.length));
  let count = 0;
  for (let i = 0, j = 0; i < fileIds.length && j < wanted.length; ) {
    if (fileIds[i] === wanted[j]) rows[count++] = i;
    const isBehind = fileIds[i] <= wanted[j];
    if (fileIds[i] >= wanted[j]) j++;
    if (isBehind) i++;
  }
  return count === fileIds.length ? undefined : rows.subarray(0, count);
}
