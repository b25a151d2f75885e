import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import loadOpenCascade, { type OpenCascadeInstance } from 'replicad-opencascadejs';
import type { ExactShape } from '../content/exact-shape.js';
import { EngineError } from '../errors.js';
import { exactPart21 } from './exact-part21.js';
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
    return written(kernel, scale === 1 ? read : scaled(kernel, read, scale), name);
  } catch (cause) {
    // Its own exceptions come as numbers or as errors of WebAssembly.
    if (cause instanceof EngineError) throw cause;
    return undefined;
  }
}

/** What a mesh of the same model says, to check the exact shape by. */
export interface Expected {
  readonly areaMm2: number;
  readonly box: readonly [lowX: number, lowY: number, lowZ: number, highX: number, highY: number, highZ: number];
}

/**
 * A shape of solids and faces as STEP (AP214), mm: faces that meet are sewn to shells, closed shells become solids. Loads the modeller as {@link brepToStep} does.
 * The modeller reads curves and surfaces from STEP text of ours, finds the curves in the parameters of the surfaces, and mends what files leave open.
 * @returns the bytes, or why there are none: what came out is compared with the mesh that is expected.
 * @throws EngineError `WORKER_FAILED` when the modeller cannot be loaded.
 */
export async function exactToStep(shape: ExactShape, name: string, expected: Expected): Promise<Uint8Array | string> {
  const kernel = await modeller();
  try {
    const read = readPart21(kernel, exactPart21(shape, name));
    if (read === undefined) return 'the solid modeller could not build it';
    const built = shape.faces.length === 0 ? read : sewn(kernel, read, sewingTolerance(shape, expected));
    const difference = differenceOf(kernel, built, expected);
    if (difference !== undefined) return difference;
    return written(kernel, built, name) ?? 'the solid modeller could not write it';
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    return 'the solid modeller failed on it';
  }
}

type Shape = ReturnType<OpenCascadeInstance['BRepToolsWrapper']['Read']>;

/** How much the area of a mesh may differ from that of its surfaces, as a share: a round part with 64 segments loses 0.2 %. */
const AREA_SHARE = 0.01;
/** How far the box may be off, as a share of its diagonal. */
const BOX_SHARE = 0.005;
/** Edges of faces nearer than this are one: a share of the diagonal, or some times the resolution of the file where that is less; never below the last, mm. */
const SEWING_SHARE = 1e-4;
const SEWING_RESOLUTIONS = 10;
const SEWING_LEAST_MM = 1e-3;

function readPart21(kernel: OpenCascadeInstance, text: Uint8Array): Shape | undefined {
  const path = '/exact.step';
  kernel.FS.writeFile(path, text);
  const reader = new kernel.STEPControl_Reader();
  if (!isDone(kernel, reader.ReadFile(path))) return undefined;
  reader.TransferRoots(new kernel.Message_ProgressRange());
  const shape = reader.OneShape();
  return shape.IsNull() ? undefined : shape;
}

function sewingTolerance({ resolutionMm }: ExactShape, { box }: Expected): number {
  const most = SEWING_SHARE * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return Math.max(SEWING_LEAST_MM, Math.min(most, SEWING_RESOLUTIONS * resolutionMm));
}

/** The solids as they are, and the other faces sewn; shells that closed are solids. */
function sewn(kernel: OpenCascadeInstance, shape: Shape, toleranceMm: number): Shape {
  const { TopAbs_ShapeEnum: kind } = kernel;
  const compound = new kernel.TopoDS_Compound();
  const builder = new kernel.TopoDS_Builder();
  builder.MakeCompound(compound);
  for (const solid of partsOf(kernel, shape, kind.TopAbs_SOLID)) builder.Add(compound, solid);
  const sewing = new kernel.BRepBuilderAPI_Sewing(toleranceMm, true, true, true, false);
  for (const face of partsOf(kernel, shape, kind.TopAbs_FACE, kind.TopAbs_SOLID)) sewing.Add(face);
  sewing.Perform(new kernel.Message_ProgressRange());
  const result = sewing.SewedShape();
  for (const shell of partsOf(kernel, result, kind.TopAbs_SHELL)) {
    builder.Add(compound, kernel.BRep_Tool.IsClosed(shell) ? new kernel.ShapeFix_Solid().SolidFromShell(kernel.TopoDS.Shell(shell)) : shell);
  }
  for (const face of partsOf(kernel, result, kind.TopAbs_FACE, kind.TopAbs_SHELL)) builder.Add(compound, face);
  return compound;
}

/** Parts of a kind, in their order; `outside`: those in none of another kind. */
function partsOf(kernel: OpenCascadeInstance, shape: Shape, of: unknown, outside?: unknown): Shape[] {
  const parts: Shape[] = [];
  const { TopAbs_SHAPE } = kernel.TopAbs_ShapeEnum;
  for (const explorer = new kernel.TopExp_Explorer(shape, of as never, (outside ?? TopAbs_SHAPE) as never); explorer.More(); explorer.Next()) parts.push(explorer.Current());
  return parts;
}

/** What tells a shape from the mesh that it should be like; undefined where nothing does. */
function differenceOf(kernel: OpenCascadeInstance, shape: Shape, { areaMm2, box }: Expected): string | undefined {
  const properties = new kernel.GProp_GProps();
  kernel.BRepGProp.SurfaceProperties(shape, properties, false, false);
  const area = properties.Mass();
  if (!(Math.abs(area - areaMm2) <= AREA_SHARE * areaMm2)) return `its surfaces have ${area.toPrecision(5)} mm² where the triangles have ${areaMm2.toPrecision(5)} mm²`;
  const bounds = new kernel.Bnd_Box();
  kernel.BRepBndLib.AddOptimal(shape, bounds, false, false);
  const found = [bounds.GetXMin(), bounds.GetYMin(), bounds.GetZMin(), bounds.GetXMax(), bounds.GetYMax(), bounds.GetZMax()];
  const off = Math.max(...found.map((value, i) => Math.abs(value - box[i])));
  if (!(off <= BOX_SHARE * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]))) return `its box is off by ${off.toPrecision(3)} mm from that of the triangles`;
  return undefined;
}

function written(kernel: OpenCascadeInstance, shape: Shape, name: string): Uint8Array | undefined {
  const path = '/converted.step';
  const writer = new kernel.STEPControl_Writer();
  kernel.Interface_Static.SetCVal('write.step.schema', 'AP214IS');
  kernel.Interface_Static.SetCVal('write.step.product.name', name);
  const transferred = writer.Transfer(shape, kernel.STEPControl_StepModelType.STEPControl_AsIs, true, new kernel.Message_ProgressRange());
  if (!isDone(kernel, transferred) || !isDone(kernel, writer.Write(path))) return undefined;
  return withStepHeader(kernel.FS.readFile(path), name);
}

function scaled(kernel: OpenCascadeInstance, shape: Shape, scale: number): Shape {
  const transform = new kernel.gp_Trsf();
  transform.SetScale(new kernel.gp_Pnt(0, 0, 0), scale);
  return new kernel.BRepBuilderAPI_Transform(shape, transform, true).Shape();
}

function isDone(kernel: OpenCascadeInstance, status: unknown): boolean {
  return status === kernel.IFSelect_ReturnStatus.IFSelect_RetDone;
}

async function modeller(): Promise<OpenCascadeInstance> {
  try {
    const wasm = createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm');
    // It prints statistics of every file: nobody asked for them.
    return await loadOpenCascade({ wasmBinary: await readFile(wasm), print: () => undefined, printErr: () => undefined });
  } catch (cause) {
    throw new EngineError('WORKER_FAILED', 'the solid modeller replicad-opencascadejs could not be loaded', { cause });
  }
}
