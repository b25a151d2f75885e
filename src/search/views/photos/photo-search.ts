import type { Core } from '../../../core/core.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import type { ViewsInput } from '../../query/inputs.js';
import { nearestInput, poolDistances } from '../../query/pool-inputs.js';
import type { ModelMeshes } from '../model-meshes.js';
import { fitPhoto, type PhotoFit } from './photo-rank.js';
import { plainCost } from './plain-parts.js';
import { photoOf, type Photo } from './photo.js';

/** What likeness is told by for a photo that a model explains no better than any other. */
const UNEXPLAINED = 1.5;
/**
 * What a model leaves of a photo counts beside this power of what a plain part leaves, and of so much more: a photo
 * that a rod or a block explains is explained by many models. Fitted to the 690 models laid over each of 50 photos
 * made by code; of 60 photos of other parts the log loss is 8.6 a photo instead of 10.3.
 */
const PLAIN = Object.freeze({ power: 0.684, more: 0.05 });

/** How a file explains several photos together. */
export interface PooledFit {
  /** Rising with the cost of each photo beside what a plain part leaves of it. */
  readonly told: number;
  /** Index of the photo that the file is most like, and the view that is nearest to it. */
  readonly photo: number;
  readonly view: number;
}

/** Compares photos with models by rendering the models in perspective. */
export class PhotoSearch {
  readonly #core: Core;
  readonly #meshes: ModelMeshes;

  constructor(core: Core, meshes: ModelMeshes) {
    this.#core = core;
    this.#meshes = meshes;
  }

  /**
   * How each file explains all photos (see `poolDistances`). Undefined for files that are not models or have no surface
   * to render. turn: lets the event loop run.
   */
  async fits(
    photos: readonly Photo[],
    fileIds: readonly number[],
    turn: () => Promise<void>,
  ): Promise<(PooledFit | undefined)[]> {
    const candidates = await this.#meshes.of(fileIds);
    const drawn = candidates.flatMap((candidate) => candidate ?? []);
    const found: PhotoFit[][] = [],
      plain: number[] = [];
    for (const photo of photos) {
      found.push(await fitPhoto(this.#core, photo, drawn, turn));
      plain.push((plainCost(this.#core, photo) + PLAIN.more) ** PLAIN.power);
    }
    let next = 0;
    return candidates.map((candidate) => {
      if (candidate === undefined) return undefined;
      const own = found.map((fits) => fits[next]);
      next++;
      const told = own.map(({ cost }, k) => cost / plain[k]);
      const photo = nearestInput(told);
      return { told: poolDistances(told, UNEXPLAINED), view: own[photo].view, photo };
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
