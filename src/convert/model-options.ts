import { checkInteger, withDefaults } from '../options.js';
import { plainExtensionOf } from '../store/catalog/file-path.js';

/** How a model is written as GLB. */
export interface ModelOptions {
  /** Most triangles, meshes with several placements counted once; a model with more is refused. Default 2 000 000. */
  readonly triangles: number;
}

/** Defaults of {@link ModelOptions}. */
export const DEFAULT_MODEL_OPTIONS: ModelOptions = Object.freeze({ triangles: 2_000_000 });

/** Version of the GLB: raise it when the same file gives another one, and kept ones are written again. */
const MODEL_VERSION = 5;

/** Largest GLB that is kept, bytes: a larger one costs more space than writing it again costs time. */
export const LARGEST_KEPT_MODEL = 32 * 2 ** 20;

/** @throws TypeError or RangeError that names a wrong option. */
export function checkModelOptions(options: Partial<ModelOptions> | undefined): ModelOptions {
  const checked = withDefaults('model options', options, DEFAULT_MODEL_OPTIONS);
  checkInteger('model options.triangles', checked.triangles, 1);
  return checked;
}

/**
 * The name under which the GLB of a file's bytes is kept.
 * @param unit in which files without a unit were read: another unit gives another size.
 */
export function modelName(path: string, unit: string): string {
  return `model-${MODEL_VERSION}-${unit}-${plainExtensionOf(path)}`;
}
