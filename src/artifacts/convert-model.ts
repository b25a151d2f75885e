import type { Model } from '../content/model.js';
import { MILLIMETRES } from '../content/units.js';
import { EngineError } from '../errors.js';
import { placeMeshes } from '../shapelets/mesh.js';
import type { ConversionFormat, ConvertedModel } from './conversion-format.js';
import { writeStep } from './write-step.js';
import { writeStl } from './write-stl.js';

/** The boundary representation that a model was read from. */
export interface Solids {
  readonly format: 'step' | 'iges' | 'brep';
  readonly bytes: Uint8Array;
}

/**
 * A model in another format. STL: binary, mm, all components in one mesh. STEP: a STEP file as it is; BREP with its own surfaces, which
 * the solid modeller writes; all else, and what the modeller cannot read, as bodies of plane triangles.
 * solids: what the model was read from, where that has surfaces.
 * @throws EngineError `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export async function convertModel(model: Model, to: ConversionFormat, solids: Solids | undefined): Promise<ConvertedModel> {
  if (to === 'step' && solids?.format === 'step') return { bytes: new Uint8Array(solids.bytes), faceted: false };
  if (to === 'step' && solids?.format === 'brep') {
    const { brepToStep } = await import('./exact-step.js');
    const bytes = await brepToStep(solids.bytes, { name: model.root.name, scale: MILLIMETRES[model.unit] });
    if (bytes !== undefined) return { bytes, faceted: false };
  }
  const mesh = placeMeshes(model);
  if (mesh.indices.length === 0) throw new EngineError('NO_GEOMETRY', 'the model has no triangles');
  return { bytes: to === 'stl' ? writeStl(mesh) : writeStep(mesh, model.root.name), faceted: true };
}
