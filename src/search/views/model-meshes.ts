import type { TriangleMesh } from '../../core/mesh.js';
import { decodeSurface } from '../../descriptors/surface.js';
import type { FileViewRow, StoredShapelet } from '../../store/catalog/shapelet.js';
import type { Store } from '../../store/store.js';

/** Most triangles of cached decoded meshes, about 18 bytes each. */
const KEPT_TRIANGLES = 1_000_000;
/**
 * Most triangles of all rendered candidates of a search; later candidates are not rendered. Bounds the time, some
 * microseconds a triangle.
 */
const DRAWN_TRIANGLES = 800_000;

/** Surfaces read at a time: the finest have 0.4 MB. */
const READ_AT_A_TIME = 16;
const NONE: ReadonlyMap<number, undefined> = new Map();

/** Where a view of a model was rendered from. */
export type StoredCamera = Extract<StoredShapelet['place'], { kind: 'camera' }>;

/** A model's views, from `describeViews`. */
export interface ModelViews {
  readonly fileId: number;
  readonly views: Uint8Array;
}

/** A model that can be rendered again, and where each of its views was rendered from. */
export interface ModelMesh extends ModelViews {
  readonly mesh: TriangleMesh;
  readonly cameras: readonly StoredCamera[];
}

/** What reading the meshes of a company's models needs. */
export interface ModelMeshesParts {
  readonly store: Store;
  readonly companyId: number;
}

/** The meshes of models, decoded from their surfaces to be compared in poses and views of a query. */
export class ModelMeshes {
  readonly #parts: ModelMeshesParts;
  /** Cached meshes by file, the most recently used last. */
  readonly #meshes = new Map<number, TriangleMesh>();
  #triangles = 0;
  /** Counts the calls of {@link forget}: what was read before one is not kept. */
  #forgotten = 0;

  constructor(parts: ModelMeshesParts) {
    this.#parts = parts;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    this.#forgotten++;
    this.#drop(fileId);
  }

  #drop(fileId: number): void {
    const mesh = this.#meshes.get(fileId);
    if (mesh === undefined || !this.#meshes.delete(fileId)) return;
    this.#triangles -= mesh.indices.length / 3;
  }

  /** The mesh, views and cameras of each file; undefined for files that are not models or have no surface to render. */
  async of(fileIds: readonly number[]): Promise<(ModelMesh | undefined)[]> {
    const { store, companyId } = this.#parts;
    const rows = await store.views.some(companyId, fileIds, { part: 'all' });
    return (await this.#read(fileIds, rows, () => undefined)) as (ModelMesh | undefined)[];
  }

  /**
   * The same with their upright views alone, which come first; and without mesh and cameras of a model of which `shown`
   * tells how many triangles it has: what it shows is known. It counts like the others, so that what is known changes
   * no answer. rows: of their upright views.
   */
  unless(
    fileIds: readonly number[],
    rows: readonly FileViewRow[],
    shown: (model: ModelViews) => number | undefined,
  ): Promise<((ModelViews & Partial<ModelMesh>) | undefined)[]> {
    return this.#read(fileIds, rows, shown);
  }

  async #read(
    fileIds: readonly number[],
    rows: readonly FileViewRow[],
    shown: (model: ModelViews) => number | undefined,
  ): Promise<((ModelViews & Partial<ModelMesh>) | undefined)[]> {
    const { store } = this.#parts;
    const views = new Map(rows.map(({ fileId, bytes }) => [fileId, bytes]));
    const counts = new Map(rows.map(({ fileId, count }) => [fileId, count]));
    const known = new Map(rows.map(({ fileId, bytes }) => [fileId, shown({ fileId, views: bytes })]));
    const unknown = fileIds.filter((fileId) => views.has(fileId) && known.get(fileId) === undefined);
    const places = await store.views.shapeletsOf(unknown);
    const candidates: ((ModelViews & Partial<ModelMesh>) | undefined)[] = [];
    let triangles = 0;
    for (let first = 0; first < fileIds.length; first += READ_AT_A_TIME) {
      const block = fileIds.slice(first, first + READ_AT_A_TIME);
      const forgotten = this.#forgotten;
      const wanted = block.filter((fileId) => places.has(fileId));
      const surfaces = triangles >= DRAWN_TRIANGLES ? NONE : await this.#surfaces(wanted);
      for (const fileId of block) {
        const bytes = views.get(fileId),
          shownTriangles = known.get(fileId);
        const mesh =
          bytes === undefined || shownTriangles !== undefined || triangles >= DRAWN_TRIANGLES
            ? undefined
            : this.#mesh(fileId, surfaces.get(fileId), forgotten === this.#forgotten);
        triangles += shownTriangles ?? (mesh?.indices.length ?? 0) / 3;
        const cameras = (places.get(fileId) ?? []).flatMap(({ place }) => (place.kind === 'camera' ? [place] : []));
        const isDrawn =
          triangles <= DRAWN_TRIANGLES &&
          mesh !== undefined &&
          bytes !== undefined &&
          cameras.length === counts.get(fileId);
        if (bytes !== undefined && shownTriangles !== undefined && triangles <= DRAWN_TRIANGLES)
          candidates.push({ fileId, views: bytes });
        else candidates.push(isDrawn ? { fileId, views: bytes, mesh, cameras } : undefined);
      }
    }
    return candidates;
  }

  /** The cached mesh of each file, or else its stored surface. */
  async #surfaces(fileIds: readonly number[]): Promise<ReadonlyMap<number, TriangleMesh | Uint8Array | undefined>> {
    const found = new Map<number, TriangleMesh | Uint8Array | undefined>(
      fileIds.map((fileId) => [fileId, this.#meshes.get(fileId)]),
    );
    const missing = fileIds.filter((fileId) => found.get(fileId) === undefined);
    const stored = missing.length === 0 ? [] : await this.#parts.store.shapes.descriptors('surface', missing);
    missing.forEach((fileId, i) => found.set(fileId, stored[i]));
    return found;
  }

  #mesh(fileId: number, surface: TriangleMesh | Uint8Array | undefined, keeps: boolean): TriangleMesh | undefined {
    if (surface === undefined) return undefined;
    const { positions, indices } = surface instanceof Uint8Array ? decodeSurface(surface) : surface;
    if (!keeps) return { positions, indices };
    this.#drop(fileId);
    this.#meshes.set(fileId, { positions, indices });
    this.#triangles += indices.length / 3;
    for (const oldest of this.#meshes.keys()) {
      if (this.#triangles <= KEPT_TRIANGLES) break;
      this.#drop(oldest);
    }
    return { positions, indices };
  }
}
