import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import loadOpenCascade, { type OpenCascadeInstance } from 'replicad-opencascadejs';
import type { ExactShape } from '../content/exact-shape.js';
import { EngineError } from '../errors.js';
import { buildExact, isDone, type KernelShape } from './build-exact.js';
import type { MeshMeasures } from './mesh-measures.js';
import { withStepHeader } from './step-header.js';

/** What is written beside the shape. */
export interface StepFacts {
  /** Of the product. */
  readonly name: string;
  /** Millimetres of one unit of the numbers that are read. */
  readonly scale: number;
}

/**
 * A shape in Open CASCADE's BREP text as STEP (AP214), mm, with its own surfaces. The modeller (Open CASCADE as WebAssembly) is loaded anew each time,
 * some 0.4 s of a processor: it numbers what it writes, and the same bytes shall give the same. It blocks the thread. Undefined when it cannot read the shape.
 * @throws EngineError `WORKER_FAILED` when the modeller cannot be loaded.
 */
export async function brepToStep(bytes: Uint8Array, { name, scale }: StepFacts): Promise<Uint8Array | undefined> {
  const kernel = await modeller();
  try {
    const read = kernel.BRepToolsWrapper.Read(new TextDecoder('latin1').decode(bytes));
    if (read.IsNull()) return undefined;
    return written(kernel, [scale === 1 ? read : scaled(kernel, read, scale)], name);
  } catch (cause) {
    // Its own exceptions come as numbers or as errors of WebAssembly.
    if (cause instanceof EngineError) throw cause;
    return undefined;
  }
}

/**
 * A shape of solids and faces as STEP (AP214), mm: faces that meet are sewn to shells, closed shells become solids. Loads the modeller as {@link brepToStep} does.
 * The modeller reads curves and surfaces from STEP text of ours, finds the curves in the parameters of the surfaces, and mends what files leave open.
 * @returns the bytes, or why there are none: what came out is compared with the mesh that is expected.
 * @throws EngineError `WORKER_FAILED` when the modeller cannot be loaded.
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

/** Each shape as a product. Undefined when they cannot be written. */
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

async function modeller(): Promise<OpenCascadeInstance> {
  try {
    const wasm = createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm');
    // It prints statistics of every file: nobody asked for them.
    return await loadOpenCascade({
      wasmBinary: await readFile(wasm),
      print: () => undefined,
      printErr: () => undefined,
    });
  } catch (cause) {
    throw new EngineError('WORKER_FAILED', 'the solid modeller replicad-opencascadejs could not be loaded', { cause });
  }
}
