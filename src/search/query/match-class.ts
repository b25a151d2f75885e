/**
 * The relation of one part to another:
 * - `identical`: the same shape and size, however it is turned, placed, exported or meshed; of drawings, the same
 *   lines and the same texts at the same places, whatever program wrote the file;
 * - `mirrored`: its mirror image, where that differs from the part itself;
 * - `scaled`: the same shape, or its mirror image, in another size;
 * - `similar`: anything else.
 */
export type MatchClass = 'identical' | 'mirrored' | 'scaled' | 'similar';

/** The result for a candidate that is the same part as an input. */
export interface SamePart {
  readonly score: number;
  readonly matchClass: MatchClass;
  readonly transform?: Float64Array;
  readonly maxDeviationMm?: number;
  readonly scale?: number;
}

/** How a model lies to those of several inputs that are models, by its surface. */
export interface SurfaceMatch {
  /** Distance to each input; undefined for inputs that are not models. */
  readonly distances: readonly (number | undefined)[];
  /** Where it is the same part as one of them: as which, and its index. */
  readonly same?: { readonly part: SamePart; readonly input: number };
}

/** Models beside inputs of which some are models: these find models by their surface, whatever the others are. */
export interface Surfaces {
  /** The nearest models, nearest first. */
  readonly near: readonly number[];
  /** Of these files, those that are models. */
  readonly compare: (fileIds: readonly number[]) => Promise<ReadonlyMap<number, SurfaceMatch>>;
}
