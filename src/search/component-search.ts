import type { CheckedQuery } from './query/check-query.js';
import type { PreparedInput } from './query/inputs.js';
import { onScaleOfModels, type MergedHit } from './hits/merge-hits.js';
import { ShapeSearch, type ShapeSearchParts } from './shapes/shape-search.js';
import { ViewSearch } from './views/view-search.js';

/** A component that was found, by its row; its assembly is another. */
export type ComponentHit = MergedHit & { readonly assemblyId: number };

/** Which components are looked at, and how they are ordered. */
export interface ComponentQuery
  extends Pick<CheckedQuery, 'volume' | 'bboxVolume' | 'surfaceArea' | 'ignoreSize' | 'photoModels' | 'signal'> {
  /** Assemblies whose components may be found, rising; undefined: all. */
  readonly among: Uint32Array | undefined;
  /** Most hits. */
  readonly wanted: number;
}

/** What was found among components. */
export interface FoundComponents {
  /** By rising score. */
  readonly hits: readonly ComponentHit[];
  readonly total: number;
  /** The assemblies of all that were found, once for each. */
  readonly assemblies: () => readonly number[];
}

/**
 * The components of one company's assemblies that are found by themselves: the searches by shape and by views again, over the rows that
 * lie beside those of the company's files. Opened when the first search asks for components.
 */
export class ComponentSearch {
  readonly #parts: ShapeSearchParts;
  readonly #shapes: ShapeSearch;
  readonly #views: ViewSearch;
  /** The assembly of each component, and the components of each assembly. */
  readonly #assemblyOf = new Map<number, number>();
  readonly #ofAssembly = new Map<number, number[]>();
  /** Resolves when all that was told by {@link refresh} is known. */
  #refreshed: Promise<void> = Promise.resolve();

  private constructor(parts: ShapeSearchParts, shapes: ShapeSearch, views: ViewSearch) {
    this.#parts = parts;
    this.#shapes = shapes;
    this.#views = views;
  }

  /** Reads what the catalogue holds. companyId: of the components of the company's assemblies; see `Components.companyOf`. */
  static async open(parts: ShapeSearchParts, companyId: number): Promise<ComponentSearch> {
    const { store } = parts;
    // The bytes are the assembly's: none of its parts is the same as it.
    const own = { ...parts, companyId, sha256Of: () => undefined };
    const assemblies = await store.components.all(parts.companyId);
    const search = new ComponentSearch(own, await ShapeSearch.open(own), await ViewSearch.open(own));
    for (const { fileId, assemblyId } of assemblies) search.#know(fileId, assemblyId);
    // Some may have come or gone while it was read.
    for (const assemblyId of new Set(assemblies.map((row) => row.assemblyId))) search.refresh(assemblyId);
    await search.#refreshed;
    return search;
  }

  /** The components of an assembly may be others now, or gone. A search that begins after this call sees them as they are. */
  refresh(assemblyId: number): void {
    const refreshed = this.#refreshed.then(() => this.#refresh(assemblyId));
    // After a failure the index is stale: every later search rejects with it.
    refreshed.catch(() => undefined);
    this.#refreshed = refreshed;
  }

  async #refresh(assemblyId: number): Promise<void> {
    const now = await this.#parts.store.components.idsOf(assemblyId);
    for (const fileId of this.#ofAssembly.get(assemblyId) ?? []) {
      if (now.includes(fileId)) continue;
      this.#shapes.remove(fileId);
      this.#views.remove(fileId);
      this.#assemblyOf.delete(fileId);
    }
    this.#ofAssembly.delete(assemblyId);
    for (const fileId of now) {
      if (!this.#assemblyOf.has(fileId)) await this.#add(fileId);
      this.#know(fileId, assemblyId);
    }
  }

  /** The components that are most like the inputs: of models by surface, of all else by views. */
  async nearest(
    inputs: readonly PreparedInput[],
    { among, wanted, ...query }: ComponentQuery,
  ): Promise<FoundComponents> {
    await this.#refreshed;
    const shapes = inputs.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const bySurface = shapes.length === inputs.length;
    const views = bySurface
      ? []
      : (await Promise.all(inputs.map((input) => input.views()))).filter((one) => one !== undefined);
    const candidates =
      among &&
      Uint32Array.from(Array.from(among, (assemblyId) => this.#ofAssembly.get(assemblyId) ?? []).flat()).sort();
    if (bySurface) {
      const passing = this.#shapes.passing(shapes, query, candidates);
      const total = passing?.length ?? this.#shapes.size;
      const ids = passing ?? this.#shapes.ids;
      const hits =
        total === 0 ? [] : await this.#shapes.nearest(shapes, passing, { ...query, offset: 0, limit: wanted });
      return this.#found(hits, ids);
    }
    const ids = candidates?.filter((fileId) => this.#views.has(fileId)) ?? this.#views.ids;
    if (ids.length === 0 || views.length < inputs.length) return this.#found([], new Uint32Array(0));
    const seen = await this.#views.nearest(views, ids, {
      wanted,
      same: [],
      photoModels: query.photoModels,
      turn: () => this.#shapes.turn(query.signal),
    });
    return this.#found(onScaleOfModels(seen), ids);
  }

  close(): Promise<void> {
    return this.#shapes.close();
  }

  #found(hits: readonly MergedHit[], ids: Uint32Array): FoundComponents {
    const assemblyOf = this.#assemblyOf;
    // One that was removed while the search waited is no hit any more.
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
    const { uid, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = (await store.components.one(fileId)) ?? {};
    const [compact] = store.shapes.descriptors('compact', [fileId]);
    if (uid === undefined || compact === undefined) return;
    this.#shapes.add(fileId, uid, {
      volumeMm3: volumeMm3!,
      bboxVolumeMm3: bboxVolumeMm3!,
      bboxSizeMm: bboxSizeMm!,
      surfaceAreaMm2: surfaceAreaMm2!,
      descriptors: { compact },
    });
    const [views] = await store.views.some(companyId, [fileId]);
    if (views !== undefined)
      this.#views.add(fileId, uid, { shapelets: await store.views.shapelets(fileId), bytes: views.bytes });
  }
}
