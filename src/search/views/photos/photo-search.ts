import type { Core } from '../../../core/core.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import { decodeSurface } from '../../../descriptors/surface.js';
import { VIEW_BYTES } from '../../../descriptors/views.js';
import type { Store } from '../../../store/store.js';
import type { ViewsInput } from '../../query/inputs.js';
import { nearestInput, poolDistances } from '../../query/pool-inputs.js';
import { fitPhoto, type PhotoCandidate, type PhotoFit } from './photo-rank.js';
import { photoOf, type Photo } from './photo.js';

/** Most triangles of cached decoded meshes, about 18 bytes each. */
const KEPT_TRIANGLES = 1_000_000;
/**
 * Most triangles of all rendered candidates of a search; later candidates are not rendered. Bounds the time, some
 * microseconds a triangle.
 */
const DRAWN_TRIANGLES = 800_000;

/** Cost of a photo that a model explains no better than any other. */
const UNEXPLAINED = 1;

/** Surfaces read at a time: the finest have 0.4 MB. */
const READ_AT_A_TIME = 16;
const NONE: ReadonlyMap<number, undefined> = new Map();

/** The cost of several photos together. photo: index of the one that the file is most like. */
type PooledFit = PhotoFit & { readonly photo: number };

/** What the comparison with photos needs. */
export interface PhotoSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
}

/** Compares photos with models by rendering the models in perspective. */
export class PhotoSearch {
  readonly #parts: PhotoSearchParts;
  /** Cached meshes by file, the most recently used last. */
  readonly #meshes = new Map<number, TriangleMesh>();
  #triangles = 0;
  /** Counts the calls of {@link forget}: what was read before one is not kept. */
  #forgotten = 0;

  constructor(parts: PhotoSearchParts) {
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

  /**
   * The pooled cost of each file for all photos (see `poolDistances`), and the view that is nearest to the photo that
   * it is most like. Undefined for files that are not models or have no surface to render. turn: lets the event loop
   * run.
   */
  async fits(
    photos: readonly Photo[],
    fileIds: readonly number[],
    turn: () => Promise<void>,
  ): Promise<(PooledFit | undefined)[]> {
    const candidates = await this.#candidates(fileIds);
    const drawn = candidates.flatMap((candidate) => candidate ?? []);
    const found: PhotoFit[][] = [];
    for (const photo of photos) found.push(await fitPhoto(this.#parts.core, photo, drawn, turn));
    let next = 0;
    return candidates.map((candidate) => {
      if (candidate === undefined) return undefined;
      const own = found.map((fits) => fits[next]);
      next++;
      const costs = own.map(({ cost }) => cost);
      const photo = nearestInput(costs);
      return { cost: poolDistances(costs, UNEXPLAINED), view: own[photo].view, photo };
    });
  }

  async #candidates(fileIds: readonly number[]): Promise<(PhotoCandidate | undefined)[]> {
    const { store, companyId } = this.#parts;
    const [rows, places] = await Promise.all([store.views.some(companyId, fileIds), store.views.shapeletsOf(fileIds)]);
    const views = new Map(rows.map(({ fileId, bytes }) => [fileId, bytes]));
    const candidates: (PhotoCandidate | undefined)[] = [];
    let triangles = 0;
    for (let first = 0; first < fileIds.length; first += READ_AT_A_TIME) {
      const block = fileIds.slice(first, first + READ_AT_A_TIME);
      const forgotten = this.#forgotten;
      const surfaces = triangles >= DRAWN_TRIANGLES ? NONE : await this.#surfaces(block.filter((id) => views.has(id)));
      for (const fileId of block) {
        const bytes = views.get(fileId);
        const mesh =
          bytes === undefined || triangles >= DRAWN_TRIANGLES
            ? undefined
            : this.#mesh(fileId, surfaces.get(fileId), forgotten === this.#forgotten);
        triangles += (mesh?.indices.length ?? 0) / 3;
        const cameras = places.get(fileId)!.flatMap(({ place }) => (place.kind === 'camera' ? [place] : []));
        const isDrawn =
          mesh !== undefined && triangles <= DRAWN_TRIANGLES && VIEW_BYTES * cameras.length === bytes?.length;
        candidates.push(isDrawn ? { mesh, views: bytes, cameras } : undefined);
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

/** The photos of all inputs; undefined when an input is not a photo of one object. */
export function photosOf(inputs: readonly ViewsInput[]): Photo[] | undefined {
  const photos = inputs.map(({ bytes, shapelets, pictures }) => {
    if (shapelets.length !== 1 || pictures === null) return undefined;
    const gray = unpackPicture(pictures, shapelets.length);
    return gray === undefined || gray.every((value) => value === 0) ? undefined : photoOf(bytes, gray);
  });
  return photos.every((photo) => photo !== undefined) ? photos : undefined;
}
