import type { Core } from '../../../core/core.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import type { ViewsInput } from '../../query/inputs.js';
import { nearestInput, poolDistances } from '../../query/pool-inputs.js';
import type { ModelMeshes } from '../model-meshes.js';
import { fitPhoto, type PhotoFit } from './photo-rank.js';
import { photoOf, type Photo } from './photo.js';

/** Cost of a photo that a model explains no better than any other. */
const UNEXPLAINED = 1;

/** The cost of several photos together. photo: index of the one that the file is most like. */
export type PooledFit = PhotoFit & { readonly photo: number };

/** Compares photos with models by rendering the models in perspective. */
export class PhotoSearch {
  readonly #core: Core;
  readonly #meshes: ModelMeshes;

  constructor(core: Core, meshes: ModelMeshes) {
    this.#core = core;
    this.#meshes = meshes;
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
    const candidates = await this.#meshes.of(fileIds);
    const drawn = candidates.flatMap((candidate) => candidate ?? []);
    const found: PhotoFit[][] = [];
    for (const photo of photos) found.push(await fitPhoto(this.#core, photo, drawn, turn));
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
