import type { Core } from '../../core/core.js';
import { Least } from '../../core/least.js';
import { nearestOfBlock } from '../../core/scan.js';
import { COMPACT_DIMENSION } from '../../descriptors/description.js';
import { EngineError } from '../../errors.js';
import type { ShapeDoor } from '../../store/catalogue.js';
import type { ShapeQuery } from '../query/inputs.js';
import type { Among, ShapeSet } from './shape-set.js';
import type { Known } from './shape-table.js';
import { sizesWithin, type SizeTolerances } from './size-tolerances.js';

/** Files read at a time: 1 MiB of vectors. */
const BLOCK = 4_096;
/** Candidates kept of each input at least: many files may be equally near, and looking for more reads all again. */
const LEAST_KEPT = 1_024;
const VECTOR_BYTES = 4 * COMPACT_DIMENSION;

/**
 * The shapes of a company that are not held in memory: each search reads the compact vectors of the files that it may
 * find from the catalogue, block by block, and keeps the nearest. Exact, and of an id the catalogue never says two
 * things, so what is put and removed meanwhile changes nothing.
 */
export class AskedShapes implements ShapeSet {
  readonly #core: Core;
  readonly #shapes: ShapeDoor;

  constructor(core: Core, shapes: ShapeDoor) {
    this.#core = core;
    this.#shapes = shapes;
  }

  bytesOf(): number {
    return 0;
  }

  put(): void {
    // The catalogue has it.
  }

  remove(): void {
    // The catalogue has it no more.
  }

  async within(queries: readonly ShapeQuery[], tolerances: SizeTolerances, fileIds: Uint32Array): Promise<Uint32Array> {
    const found = new Uint32Array(fileIds.length);
    let count = 0;
    for (let first = 0; first < fileIds.length; first += BLOCK)
      for (const sizes of await this.#shapes.sizes(fileIds.subarray(first, first + BLOCK)))
        if (sizesWithin((field) => sizes[field], queries, tolerances)) found[count++] = sizes.fileId;
    return found.subarray(0, count);
  }

  async nearest(
    queries: readonly Pick<ShapeQuery, 'compact'>[],
    count: number,
    { allowed, all, turn }: Among,
  ): Promise<number[]> {
    if (count === 0) return [];
    const fileIds = allowed ?? all();
    for (let k = Math.max(count + 1, LEAST_KEPT); ; k *= 2) {
      const found = await this.#nearest(queries, k, fileIds, turn);
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
    turn: () => Promise<void>,
  ): Promise<{ readonly value: number; readonly number: number }[][]> {
    const kept = queries.map(() => new Least(k));
    for (let first = 0; first < fileIds.length; first += BLOCK) {
      if (first > 0) await turn();
      const block = await this.#shapes.compacts(fileIds.subarray(first, first + BLOCK));
      if (block.bytes.length !== VECTOR_BYTES * block.fileIds.length)
        throw new EngineError(
          'LIBRARY_DAMAGED',
          `${block.fileIds.length} compact descriptors have ${block.bytes.length} bytes, expected ${VECTOR_BYTES} each`,
        );
      const vectors = { labels: Uint32Array.from(block.fileIds), vectors: block.bytes };
      for (const [i, { compact }] of queries.entries()) {
        const { labels, distances } = nearestOfBlock(this.#core, compact, k, vectors);
        for (let at = 0; at < labels.length && distances[at] <= kept[i].bound; at++)
          kept[i].offer(distances[at], labels[at]);
      }
    }
    return kept.map((least) => least.rising());
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
    const known = new Map<number, Known>();
    for (const fileId of fileIds) {
      const shape = await this.#shapes.one(fileId);
      if (shape !== undefined) known.set(fileId, shape);
    }
    return known;
  }

  async close(): Promise<void> {
    // Nothing is held.
  }
}
