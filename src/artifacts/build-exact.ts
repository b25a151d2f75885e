import type { OpenCascadeInstance } from 'replicad-opencascadejs';
import type { ExactShape } from '../content/exact-shape.js';
import { exactPart21 } from './exact-part21.js';
import type { MeshMeasures } from './mesh-measures.js';

export type KernelShape = ReturnType<OpenCascadeInstance['BRepToolsWrapper']['Read']>;

/** How much area and volume of a mesh may differ from those of its surfaces, as a share: a round part of 64 segments loses 0.2 %. */
const MEASURE_SHARE = 0.01;
/** How far the box may be off, as a share of its diagonal. */
const BOX_SHARE = 0.005;
/** Edges of faces nearer than this are one: some times the resolution of the file, at most a share of the diagonal, at least the last, mm. */
const SEWING_RESOLUTIONS = 10;
const SEWING_SHARE = 1e-4;
const SEWING_LEAST_MM = 1e-3;

/**
 * A shape of the solid modeller: solids as they are, other faces sewn to shells where they meet, closed shells as solids. Tried are the groups of the file each
 * by itself, because faces of bodies that touch must not be sewn to each other; all together, where groups do not close; and with closed shells inside of others as
 * their cavities. What agrees with none of these stays single faces.
 * @returns the shape, or why there is none: what differs from the mesh of the same model.
 */
export function buildExact(kernel: OpenCascadeInstance, shape: ExactShape, expected: MeshMeasures): KernelShape | string {
  const roots = readRoots(kernel, exactPart21(shape, 'shape'));
  if (roots.length < shape.sheets.length + (shape.solids.length > 0 ? 1 : 0)) return 'the solid modeller could not build all of it';
  const solids = shape.solids.length > 0 ? partsOf(kernel, roots[0], kernel.TopAbs_ShapeEnum.TopAbs_SOLID) : [];
  if (solids.length < shape.solids.length) return 'the solid modeller could not build all solids';
  const sheets = shape.solids.length > 0 ? roots.slice(1) : roots;
  let difference: string | undefined;
  for (const { bodies, others } of attempts(kernel, sheets, sewingTolerance(shape, expected))) {
    const whole = joined(kernel, [...solids, ...bodies, ...others]);
    const found = differenceOf(kernel, whole, others.length === 0 ? expected : { ...expected, volumeMm3: undefined });
    if (found === undefined) return whole;
    difference ??= found;
  }
  return difference ?? 'it holds nothing';
}

/** What came of sewing. */
interface Sewn {
  /** Solids. */
  readonly bodies: readonly KernelShape[];
  /** Open shells and single faces. */
  readonly others: readonly KernelShape[];
}

function* attempts(kernel: OpenCascadeInstance, sheets: readonly KernelShape[], toleranceMm: number): Iterable<Sewn> {
  const groups = sheets.map((sheet) => sewn(kernel, [sheet], toleranceMm));
  let best: Sewn = { bodies: groups.flatMap(({ bodies }) => bodies), others: groups.flatMap(({ others }) => others) };
  if (best.others.length > 0 && sheets.length > 1) {
    const together = sewn(kernel, sheets, toleranceMm);
    if (together.others.length < best.others.length) best = together;
  }
  yield best;
  const hollow = hollowed(kernel, best.bodies);
  if (hollow.length < best.bodies.length) yield { ...best, bodies: hollow };
  if (sheets.length > 0) yield { bodies: [], others: sheets.flatMap((sheet) => partsOf(kernel, sheet, kernel.TopAbs_ShapeEnum.TopAbs_FACE)) };
}

/** The shapes of all products, in their order. */
function readRoots(kernel: OpenCascadeInstance, text: Uint8Array): KernelShape[] {
  const path = '/exact.step';
  kernel.FS.writeFile(path, text);
  const reader = new kernel.STEPControl_Reader();
  if (!isDone(kernel, reader.ReadFile(path))) return [];
  const roots: KernelShape[] = [];
  for (let i = 1; i <= reader.NbRootsForTransfer(); i++) {
    if (reader.TransferRoot(i, new kernel.Message_ProgressRange())) roots.push(reader.Shape(reader.NbShapes()));
  }
  return roots;
}

function sewingTolerance({ resolutionMm }: ExactShape, { box }: MeshMeasures): number {
  const most = SEWING_SHARE * sizeOf(box);
  return Math.max(SEWING_LEAST_MM, Math.min(most, SEWING_RESOLUTIONS * resolutionMm));
}

function sewn(kernel: OpenCascadeInstance, sheets: readonly KernelShape[], toleranceMm: number): Sewn {
  const { TopAbs_FACE, TopAbs_SHELL } = kernel.TopAbs_ShapeEnum;
  const sewing = new kernel.BRepBuilderAPI_Sewing(toleranceMm, true, true, true, false);
  for (const sheet of sheets) {
    for (const face of partsOf(kernel, sheet, TopAbs_FACE)) sewing.Add(face);
  }
  sewing.Perform(new kernel.Message_ProgressRange());
  const result = sewing.SewedShape();
  const bodies: KernelShape[] = [], others: KernelShape[] = [];
  for (const shell of partsOf(kernel, result, TopAbs_SHELL)) {
    if (kernel.BRep_Tool.IsClosed(shell)) bodies.push(new kernel.ShapeFix_Solid().SolidFromShell(kernel.TopoDS.Shell(shell)));
    else others.push(shell);
  }
  others.push(...partsOf(kernel, result, TopAbs_FACE, TopAbs_SHELL));
  return { bodies, others };
}

/** Bodies whose box lies inside of the box of another become its cavities; the largest first. */
function hollowed(kernel: OpenCascadeInstance, bodies: readonly KernelShape[]): KernelShape[] {
  const sized = bodies.map((body) => ({ body, box: boxOf(kernel, body), holes: [] as KernelShape[] })).sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
  const outer: typeof sized = [];
  for (const one of sized) {
    const around = outer.find(({ box }) => box.every((value, i) => (i < 3 ? value < one.box[i] : value > one.box[i])));
    if (around === undefined) outer.push(one);
    else around.holes.push(one.body);
  }
  const shellOf = (body: KernelShape): ReturnType<typeof kernel.TopoDS.Shell> => kernel.TopoDS.Shell(partsOf(kernel, body, kernel.TopAbs_ShapeEnum.TopAbs_SHELL)[0]);
  return outer.map(({ body, holes }) => {
    if (holes.length === 0) return body;
    const maker = new kernel.BRepBuilderAPI_MakeSolid(shellOf(body));
    for (const hole of holes) maker.Add(kernel.TopoDS.Shell(shellOf(hole).Reversed()));
    return maker.Solid();
  });
}

function joined(kernel: OpenCascadeInstance, shapes: readonly KernelShape[]): KernelShape {
  if (shapes.length === 1) return shapes[0];
  const compound = new kernel.TopoDS_Compound();
  const builder = new kernel.TopoDS_Builder();
  builder.MakeCompound(compound);
  for (const shape of shapes) builder.Add(compound, shape);
  return compound;
}

/** Parts of a kind, in their order; `outside`: those in none of another kind. */
function partsOf(kernel: OpenCascadeInstance, shape: KernelShape, of: TopAbs, outside: TopAbs = kernel.TopAbs_ShapeEnum.TopAbs_SHAPE): KernelShape[] {
  const parts: KernelShape[] = [];
  for (const explorer = new kernel.TopExp_Explorer(shape, of, outside); explorer.More(); explorer.Next()) parts.push(explorer.Current());
  return parts;
}

type TopAbs = OpenCascadeInstance['TopAbs_ShapeEnum'][keyof OpenCascadeInstance['TopAbs_ShapeEnum']];

/** What tells a shape from the mesh that it should be like; undefined where nothing does. */
function differenceOf(kernel: OpenCascadeInstance, shape: KernelShape, { areaMm2, volumeMm3, box }: MeshMeasures): string | undefined {
  const isNear = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= MEASURE_SHARE * Math.abs(wanted);
  const said = (value: number): string => value.toPrecision(5);
  const properties = new kernel.GProp_GProps();
  kernel.BRepGProp.SurfaceProperties(shape, properties, false, false);
  const area = properties.Mass();
  if (!isNear(area, areaMm2)) return `its surfaces have ${said(area)} mm², its triangles ${said(areaMm2)} mm²`;
  if (volumeMm3 !== undefined) {
    const solid = new kernel.GProp_GProps();
    kernel.BRepGProp.VolumeProperties(shape, solid, false, false, false);
    const volume = solid.Mass();
    if (!isNear(volume, Math.abs(volumeMm3))) return `its bodies have ${said(volume)} mm³, its triangles ${said(Math.abs(volumeMm3))} mm³`;
  }
  const off = Math.max(...boxOf(kernel, shape).map((value, i) => Math.abs(value - box[i])));
  if (!(off <= BOX_SHARE * sizeOf(box))) return `its box is off by ${off.toPrecision(3)} mm from that of its triangles`;
  return undefined;
}

function boxOf(kernel: OpenCascadeInstance, shape: KernelShape): number[] {
  const bounds = new kernel.Bnd_Box();
  kernel.BRepBndLib.AddOptimal(shape, bounds, false, false);
  return [bounds.GetXMin(), bounds.GetYMin(), bounds.GetZMin(), bounds.GetXMax(), bounds.GetYMax(), bounds.GetZMax()];
}

/** The diagonal of a box. */
function sizeOf(box: readonly number[]): number {
  return Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

export function isDone(kernel: OpenCascadeInstance, status: unknown): boolean {
  return status === kernel.IFSelect_ReturnStatus.IFSelect_RetDone;
}
