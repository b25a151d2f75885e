import type { CheckedQuery } from './query/check-query.js';
import { NO_VIEWS, type PreparedInput } from './query/inputs.js';
import { lessLike, MOST_SIZED } from './hits/less-like.js';
import { byCounts, byCountsBeside } from './hits/models-apart.js';
import { byStatements } from './hits/statements-apart.js';
import type { StatedSizes } from './hits/stated-sizes.js';
import { NONE, onScaleOfModels, type MergedHit } from './hits/merge-hits.js';
import { ShapeSearch } from './shapes/shape-search.js';
import type { ShapeSearchParts } from './shapes/shape-set.js';
import { ViewSearch } from './views/view-search.js';

/** A found component, by its row, with the row of its assembly. */
export type ComponentHit = MergedHit & { readonly assemblyId: number };

/** A query for components. */
export interface ComponentQuery
  extends Pick<CheckedQuery, 'volume' | 'bboxVolume' | 'surfaceArea' | 'ignoreSize' | 'photoModels' | 'signal'> {
  /** Ids of the assemblies whose components may be found, rising; undefined: all. */
  readonly among: Uint32Array | undefined;
  /** What inputs that are drawings state. */
  readonly stated: StatedSizes;
  /** Most hits to return. */
  readonly wanted: number;
}

/** The components that a search found. */
export interface FoundComponents {
  /** By rising score. */
  readonly hits: readonly ComponentHit[];
  readonly total: number;
  /** The assembly of each of the `total` components. */
  readonly assemblies: () => readonly number[];
}

/**
 * Searches the indexed components of one company's assemblies by shape and by views. Components have rows of their own,
 * beside those of the company's files. Opened by the first search for components.
 */
export class ComponentSearch {
  readonly #parts: ShapeSearchParts;
  readonly #shapes: ShapeSearch;
  readonly #views: ViewSearch;
  /** The assembly of each component, and the components of each assembly. */
  readonly #assemblyOf = new Map<number, number>();
  readonly #ofAssembly = new Map<number, number[]>();
  /** Assemblies that {@link refresh} told of and that are not read again yet. */
  readonly #changed = new Set<number>();
  /** Resolves when all former work has ended. */
  #work: Promise<unknown> = Promise.resolve();

  private constructor(parts: ShapeSearchParts, shapes: ShapeSearch, views: ViewSearch) {
    this.#parts = parts;
    this.#shapes = shapes;
    this.#views = views;
  }

  /**
   * Reads the components from the catalogue. companyId: the id under which the components are stored; see
   * `Components.companyOf`.
   */
  static async open(parts: ShapeSearchParts, companyId: number): Promise<ComponentSearch> {
    const { store } = parts;
    // The stored bytes are those of the assembly, so no component has the bytes of an input.
    const own = { ...parts, companyId, hasOwnBytes: false };
    const assemblies = await store.components.all(parts.companyId);
    const { room = () => Infinity } = parts;
    const shapes = await ShapeSearch.open(own);
    const views = await ViewSearch.open({ ...own, room: () => room() - shapes.bytes });
    const search = new ComponentSearch(own, shapes, views);
    for (const { fileId, assemblyId } of assemblies) search.#know(fileId, assemblyId);
    // Components may have been added or removed while they were read.
    for (const assemblyId of new Set(assemblies.map((row) => row.assemblyId))) search.refresh(assemblyId);
    await search.#settle();
    return search;
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return this.#shapes.bytes + this.#views.bytes;
  }

  /** Of that, what it would ask the database for if there were no room. */
  get heldBytes(): number {
    return this.#shapes.heldBytes + this.#views.heldBytes;
  }

  /**
   * Call when components of an assembly changed or were deleted. A search that begins after this call sees them as they
   * are.
   */
  refresh(assemblyId: number): void {
    this.#changed.add(assemblyId);
    this.#settle().catch(() => undefined); // The next search tries again and rejects.
  }

  /** Brings the components in memory up to date with all calls of {@link refresh} so far. */
  #settle(): Promise<void> {
    return this.#alone(async () => {
      for (const assemblyId of [...this.#changed]) {
        this.#changed.delete(assemblyId);
        try {
          await this.#refresh(assemblyId);
        } catch (cause) {
          this.#changed.add(assemblyId);
          throw cause;
        }
      }
    });
  }

  /** Runs work after all former work has ended. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  /** It may fail at any await; the next call completes it. */
  async #refresh(assemblyId: number): Promise<void> {
    const now = await this.#parts.store.components.idsOf(assemblyId);
    for (const fileId of this.#ofAssembly.get(assemblyId) ?? []) {
      if (now.includes(fileId)) continue;
      this.#shapes.remove(fileId);
      this.#views.remove(fileId);
      this.#assemblyOf.delete(fileId);
    }
    for (const fileId of now) {
      if (!this.#assemblyOf.has(fileId)) await this.#add(fileId);
      this.#know(fileId, assemblyId);
    }
    if (now.length === 0) this.#ofAssembly.delete(assemblyId);
    else this.#ofAssembly.set(assemblyId, [...now]);
  }

  /** The components most similar to the inputs: by surface for models, by views for other inputs. */
  async nearest(
    inputs: readonly PreparedInput[],
    { among, stated, wanted, ...query }: ComponentQuery,
  ): Promise<FoundComponents> {
    await this.#settle();
    const shapes = inputs.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const bySurface = shapes.length === inputs.length;
    const views = bySurface ? [] : await Promise.all(inputs.map(async (input) => (await input.views()) ?? NO_VIEWS));
    if (!bySurface && !this.#views.hasModels) await this.#alone(() => this.#views.loadModels());
    const candidates =
      among &&
      Uint32Array.from(Array.from(among, (assemblyId) => this.#ofAssembly.get(assemblyId) ?? []).flat()).sort();
    const { store } = this.#parts;
    const counted = { store, shapes: this.#shapes, queries: inputs.map(({ shape }) => shape) };
    if (bySurface) {
      const passing = await this.#shapes.passing(shapes, query, candidates);
      const total = passing?.length ?? this.#shapes.size;
      const ids = passing ?? this.#shapes.ids;
      const limit = Math.max(wanted, MOST_SIZED + 1);
      const near = total === 0 ? [] : await this.#shapes.nearest(shapes, passing, { ...query, offset: 0, limit });
      return this.#found(await lessLike(near, byCounts(counted)), ids);
    }
    const meant = candidates === undefined ? this.#views.ids : this.#views.those(candidates);
    const ids = await this.#shapes.withoutOtherSizes(shapes, query, meant);
    if (ids.length === 0 || views.every(({ shapelets }) => shapelets.length === 0))
      return this.#found([], new Uint32Array(0));
    const seen = await this.#views.nearest(views, ids, {
      wanted: Math.max(wanted, MOST_SIZED),
      surfaces: await this.#shapes.surfaces(inputs, ids === meant ? candidates : ids, {
        ...query,
        offset: 0,
        limit: wanted,
      }),
      same: [],
      identical: NONE.identical,
      anew: NONE.anew,
      photoModels: query.photoModels,
      turn: () => this.#shapes.turn(query.signal),
    });
    // No component has the bytes of an input.
    const isSame = (): boolean => false;
    const sized = await lessLike(
      await lessLike(seen, byStatements({ store, inputs, stated, isSame })),
      byCountsBeside(counted, isSame),
    );
    return this.#found(onScaleOfModels(sized), ids);
  }

  async close(): Promise<void> {
    await Promise.all([this.#shapes.close(), this.#views.close()]);
  }

  #found(hits: readonly MergedHit[], ids: Uint32Array): FoundComponents {
    const assemblyOf = this.#assemblyOf;
    // Components that were removed while the search waited are left out.
    const known = hits.flatMap((hit): ComponentHit[] => {
      const assemblyId = assemblyOf.get(hit.fileId);
      return assemblyId === undefined ? [] : [{ ...hit, assemblyId }];
    });
    return {
      hits: known,
      total: ids.length,
      assemblies: () => Array.from(ids, (fileId) => assemblyOf.get(fileId)).filter((id) => id !== undefined),
    };
  }

  #know(fileId: number, assemblyId: number): void {
    this.#assemblyOf.set(fileId, assemblyId);
    const known = this.#ofAssembly.get(assemblyId);
    if (known === undefined) this.#ofAssembly.set(assemblyId, [fileId]);
    else if (!known.includes(fileId)) known.push(fileId);
  }

  async #add(fileId: number): Promise<void> {
    const { store, companyId } = this.#parts;
    const [component, [compact], [views], shapelets] = await Promise.all([
      store.components.one(fileId),
      store.shapes.descriptors('compact', [fileId]),
      store.views.some(companyId, [fileId]),
      store.views.shapelets(fileId),
    ]);
    if (component === undefined || compact === undefined) return;
    this.#shapes.add(fileId, component.uid, { ...component, descriptors: { compact } });
    if (views !== undefined) this.#views.add(fileId, component.uid, { shapelets, bytes: views.bytes });
  }
}
