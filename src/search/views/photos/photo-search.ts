import type { Core } from '../../../core/core.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import { decodeSurface } from '../../../descriptors/surface.js';
import { VIEW_BYTES } from '../../../descriptors/views.js';
import type { Store } from '../../../store/store.js';
import type { ViewsInput } from '../../query/inputs.js';
import { fitPhoto, type PhotoCandidate, type PhotoFit } from './photo-rank.js';
import { photoOf, type Photo } from './photo.js';

/** Most triangles of cached decoded meshes, about 18 bytes each. */
const KEPT_TRIANGLES = 1_000_000;
/**
 * Most triangles of all rendered candidates of a search; later candidates are not rendered. Bounds the time, some
 * microseconds a triangle.
 */
const DRAWN_TRIANGLES = 800_000;

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

  constructor(parts: PhotoSearchParts) {
    this.#parts = parts;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    const mesh = this.#meshes.get(fileId);
    if (mesh === undefined || !this.#meshes.delete(fileId)) return;
    this.#triangles -= mesh.indices.length / 3;
  }

  /**
   * The mean cost of each file for photos of one part. Undefined for files that are not models or have
   * no surface to render. turn: lets the event loop run.
   */
  async fits(
    photos: readonly Photo[],
    fileIds: readonly number[],
    turn: () => Promise<void>,
  ): Promise<(PhotoFit | undefined)[]> {
    const candidates = await this.#candidates(fileIds);
    const drawn = candidates.flatMap((candidate) => candidate ?? []);
    const found: PhotoFit[][] = [];
    for (const photo of photos) found.push(await fitPhoto(this.#parts.core, photo, drawn, turn));
    let next = 0;
    return candidates.map((candidate) => {
      if (candidate === undefined) return undefined;
      const own = found.map((fits) => fits[next]);
      next++;
      return { cost: own.reduce((sum, { cost }) => sum + cost, 0) / own.length, view: own[0].view };
    });
  }

  async #candidates(fileIds: readonly number[]): Promise<(PhotoCandidate | undefined)[]> {
    const { store, companyId } = this.#parts;
    const views = new Map((await store.views.some(companyId, fileIds)).map(({ fileId, bytes }) => [fileId, bytes]));
    const places = await store.views.shapeletsOf(fileIds);
    let triangles = 0;
    return fileIds.map((fileId) => {
      const bytes = views.get(fileId);
      const mesh = bytes === undefined || triangles >= DRAWN_TRIANGLES ? undefined : this.#mesh(fileId);
      if (bytes === undefined || mesh === undefined) return undefined;
      triangles += mesh.indices.length / 3;
      if (triangles > DRAWN_TRIANGLES) return undefined;
      const cameras = places.get(fileId)!.flatMap(({ place }) => (place.kind === 'camera' ? [place] : []));
      return VIEW_BYTES * cameras.length === bytes.length ? { mesh, views: bytes, cameras } : undefined;
    });
  }

  #mesh(fileId: number): TriangleMesh | undefined {
    const known = this.#meshes.get(fileId);
    if (known !== undefined) {
      this.#meshes.delete(fileId);
      this.#meshes.set(fileId, known);
      return known;
    }
    const [stored] = this.#parts.store.shapes.descriptors('surface', [fileId]);
    if (stored === undefined) return undefined;
    const { positions, indices } = decodeSurface(stored);
    this.#meshes.set(fileId, { positions, indices });
    this.#triangles += indices.length / 3;
    for (const oldest of this.#meshes.keys()) {
      if (this.#triangles <= KEPT_TRIANGLES) break;
      this.forget(oldest);
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
