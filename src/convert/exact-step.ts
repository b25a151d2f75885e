import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { OpenCascadeInstance } from 'replicad-opencascadejs';
import type { ExactShape } from '../content/exact-shape.js';
import { EngineError } from '../errors.js';
import { loadOptional } from '../optional-package.js';
import { buildExact, isDone, type KernelShape } from './build-exact.js';
import type { MeshMeasures } from './mesh-measures.js';
import { withStepHeader } from './part21-writer.js';

const MODELLER = 'replicad-opencascadejs';
const PURPOSE = 'writing STEP with exact surfaces';

/** What else the STEP file needs. */
export interface StepFacts {
  /** Name of the product. */
  readonly name: string;
  /** Millimetres per unit of the shape's coordinates. */
  readonly scale: number;
}

/**
 * A shape in Open CASCADE's BREP text as STEP (AP214) with its own surfaces, mm. Blocks the thread while the modeller
 * works. Undefined when the modeller cannot read the shape.
 * @throws EngineError `PACKAGE_MISSING` when the modeller is not installed; `WORKER_FAILED` when it cannot be loaded.
 */
export async function brepToStep(bytes: Uint8Array, { name, scale }: StepFacts): Promise<Uint8Array | undefined> {
  const kernel = await modeller();
  try {
    const read = kernel.BRepToolsWrapper.Read(new TextDecoder('latin1').decode(bytes));
    if (read.IsNull()) return undefined;
    return written(kernel, [scale === 1 ? read : scaled(kernel, read, scale)], name);
  } catch (cause) {
    // The modeller throws numbers and WebAssembly errors.
    if (cause instanceof EngineError) throw cause;
    return undefined;
  }
}

/**
 * A shape of solids and faces as STEP (AP214), mm: faces that meet are sewn to shells, closed shells become solids.
 * The modeller reads curves and surfaces from STEP text that is written here, projects the curves onto the surfaces,
 * and closes small gaps that the file leaves.
 * @param expected measures of the same model's mesh; a result that differs from them is refused.
 * @returns the bytes, or a sentence why there are none.
 * @throws EngineError `PACKAGE_MISSING` when the modeller is not installed; `WORKER_FAILED` when it cannot be loaded.
 */
export async function exactToStep(
  shape: ExactShape,
  name: string,
  expected: MeshMeasures,
): Promise<Uint8Array | string> {
  const kernel = await modeller();
  try {
    const built = buildExact(kernel, shape, expected);
    return typeof built === 'string'
      ? built
      : (written(kernel, built, name) ?? 'the solid modeller could not write it');
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    return 'the solid modeller failed on it';
  }
}

/** Each shape becomes a product. Undefined when the modeller cannot write them. */
function written(kernel: OpenCascadeInstance, shapes: readonly KernelShape[], name: string): Uint8Array | undefined {
  const path = '/converted.step';
  const writer = new kernel.STEPControl_Writer();
  kernel.Interface_Static.SetCVal('write.step.schema', 'AP214IS');
  kernel.Interface_Static.SetCVal('write.step.product.name', name);
  const transfer = (shape: KernelShape): unknown =>
    writer.Transfer(shape, kernel.STEPControl_StepModelType.STEPControl_AsIs, true, new kernel.Message_ProgressRange());
  if (!shapes.every((shape) => isDone(kernel, transfer(shape))) || !isDone(kernel, writer.Write(path)))
    return undefined;
  return withStepHeader(kernel.FS.readFile(path), name);
}

function scaled(kernel: OpenCascadeInstance, shape: KernelShape, scale: number): KernelShape {
  const transform = new kernel.gp_Trsf();
  transform.SetScale(new kernel.gp_Pnt(0, 0, 0), scale);
  return new kernel.BRepBuilderAPI_Transform(shape, transform, true).Shape();
}

/**
 * Open CASCADE as WebAssembly, loaded anew for each conversion (some 0.4 s of processor time): it numbers what it
 * writes over its life, and the same bytes must give the same file.
 */
async function modeller(): Promise<OpenCascadeInstance> {
  try {
    const { default: load } = await loadOptional(MODELLER, PURPOSE, () => import('replicad-opencascadejs'));
    const wasm = await loadOptional(MODELLER, PURPOSE, () =>
      createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm'),
    );
    // By default it prints statistics of every file.
    return await load({ wasmBinary: await readFile(wasm), print: () => undefined, printErr: () => undefined });
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('WORKER_FAILED', `the solid modeller ${MODELLER} could not be loaded`, { cause });
  }
}
