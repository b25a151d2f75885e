/** BREP files for benches, made from STEP files, because few models exist in this format. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import loadOpenCascade from 'replicad-opencascadejs';

/**
 * The shape of a STEP file in Open CASCADE's BREP text, mm, without its triangles: surfaces, curves and placements as
 * the modeller reads them.
 * The modeller is loaded again for each file (0.4 s of processor time), because its memory never shrinks.
 * @throws Error when the modeller cannot read it.
 */
export async function brepOfStep(bytes) {
  const wasmBinary = await readFile(createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm'));
  const kernel = await loadOpenCascade({ wasmBinary, print: () => undefined, printErr: () => undefined });
  kernel.FS.writeFile('/original.step', bytes);
  const reader = new kernel.STEPControl_Reader();
  if (reader.ReadFile('/original.step') !== kernel.IFSelect_ReturnStatus.IFSelect_RetDone)
    throw new Error('the modeller could not read the STEP file');
  reader.TransferRoots(new kernel.Message_ProgressRange());
  const shape = reader.OneShape();
  if (shape.IsNull()) throw new Error('the modeller found no shape in the STEP file');
  return new TextEncoder().encode(kernel.BRepToolsWrapper.Write(shape));
}
