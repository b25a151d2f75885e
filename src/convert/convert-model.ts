import type { ExactShape } from '../content/exact-shape.js';
import type { Model } from '../content/model.js';
import { MILLIMETRES } from '../content/units.js';
import { EngineError } from '../errors.js';
import { placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import type { ConversionFormat, ConvertedModel } from './conversion-format.js';
import { meshMeasures } from './mesh-measures.js';
import { writeStep } from './write-step.js';
import { writeStl } from './write-stl.js';

/**
 * The boundary representation that a model was read from: the file itself, what a reader made of it, or why a reader
 * made nothing.
 */
export type Solids =
  | { readonly format: 'step' | 'brep'; readonly bytes: Uint8Array }
  | { readonly format: 'iges'; readonly shape: ExactShape }
  | { readonly format: 'iges'; readonly reason: string };

/**
 * A model in another format. STL: binary, mm, all components in one mesh. STEP: a STEP file unchanged; BREP and IGES
 * with their own surfaces, written by the solid modeller; everything else, and what the modeller cannot read, as bodies
 * of plane triangles.
 * @param solids what the model was read from, where that has surfaces.
 * @throws EngineError `NO_GEOMETRY`, `LIMIT_EXCEEDED`; `PACKAGE_MISSING` when BREP or IGES become STEP and the modeller
 *   is not installed.
 */
export async function convertModel(
  model: Model,
  to: ConversionFormat,
  solids: Solids | undefined,
): Promise<ConvertedModel> {
  if (to === 'step' && solids?.format === 'step') return { bytes: new Uint8Array(solids.bytes), faceted: false };
  if (to === 'step' && solids?.format === 'brep') {
    const { brepToStep } = await import('./exact-step.js');
    const bytes = await brepToStep(solids.bytes, { name: model.root.name, scale: MILLIMETRES[model.unit] });
    if (bytes !== undefined) return { bytes, faceted: false };
  }
  const mesh = placeMeshes(model);
  if (mesh.indices.length === 0) throw new EngineError('NO_GEOMETRY', 'the model has no triangles');
  if (to === 'stl') return { bytes: writeStl(mesh), faceted: true };
  if (solids?.format !== 'iges') return { bytes: writeStep(mesh, model.root.name), faceted: true };
  const exact = 'shape' in solids ? await exactStep(solids.shape, model.root.name, mesh) : solids.reason;
  return typeof exact === 'string'
    ? { bytes: writeStep(mesh, model.root.name), faceted: true, reason: exact }
    : { bytes: exact, faceted: false };
}

async function exactStep(shape: ExactShape, name: string, mesh: PlacedMesh): Promise<Uint8Array | string> {
  const { exactToStep } = await import('./exact-step.js');
  return exactToStep(shape, name, meshMeasures(mesh));
}
