import { checkInteger, withDefaults } from '../options.js';

/** How a model is written as GLB. */
export interface ModelOptions {
  /** Most triangles, placements of shared meshes counted once; a model with more is refused. Default 2 000 000. */
  readonly triangles: number;
}

/** Defaults of {@link ModelOptions}. */
export const DEFAULT_MODEL_OPTIONS: ModelOptions = Object.freeze({ triangles: 2_000_000 });

/** Raised when the same file gives another GLB: those that were kept are then written again. */
export const MODEL_VERSION = 3;

/** Largest GLB that is kept, bytes: above it, writing one again costs less than the room. */
export const LARGEST_KEPT_MODEL = 32 * 2 ** 20;

/** @throws TypeError or RangeError that names a wrong option. */
export function checkModelOptions(options: Partial<ModelOptions> | undefined): ModelOptions {
  const checked = withDefaults('model options', options, DEFAULT_MODEL_OPTIONS);
  checkInteger('model options.triangles', checked.triangles, 1);
  return checked;
}
