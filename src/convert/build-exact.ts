import type { OpenCascadeInstance } from 'replicad-opencascadejs';
import type { ExactShape } from '../content/exact-shape.js';
import { exactPart21 } from './exact-part21.js';
import type { MeshMeasures } from './mesh-measures.js';

export type KernelShape = ReturnType<OpenCascadeInstance['BRepToolsWrapper']['Read']>;

/** Most faces: each takes the modeller some 5 ms, and only ending its worker can stop it. */
const MOST_FACES = 10_000;
/** How far area and volume may differ from those of the reader's mesh, as a share. */
const MEASURE_SHARE = 0.01;
/**
 * Fineness of the triangulation by which the shape is measured: that of the readers, so that equal shapes measure the
 * same. (The modeller's own integrals over the surfaces were up to 0.9 % wrong on rational ones, and 2 % on surfaces of
 * revolution.)
 */
const CHORD_SHARE = 0.001;
const CHORD_RAD = 0.198;
/** How far the box may be off, as a share of its diagonal. */
const BOX_SHARE = 0.005;
/**
 * Edges of faces nearer than this are sewn: this many times the resolution of the file, at most a share of the
 * diagonal, at least the last, mm. (Ten times as much, tried where faces did not close, took more than a minute on a
 * shape of 305 faces with gaps of 0.02 mm.)
 */
const SEWING_RESOLUTIONS = 10;
const SEWING_SHARE = 1e-4;
const SEWING_LEAST_MM = 1e-3;

/**
 * Builds a shape in the solid modeller: solids as they are, other faces sewn to shells where they meet, closed shells
 * as solids. Each group of the file is sewn by itself first, because faces of touching bodies must not be sewn to each
 * other; where groups do not close, all are sewn together. Bodies that then differ from the mesh stay single faces.
 * @returns the bodies and the open shells, each to be a product of its own, because open shells in the product of a
 *   solid are read as construction geometry; or a sentence why there is none: what differs from the mesh of the same
 *   model.
 */
export function buildExact(
  kernel: OpenCascadeInstance,
  shape: ExactShape,
  expected: MeshMeasures,
): KernelShape[] | string {
  const count = [...shape.solids.flatMap(({ shells }) => shells), ...shape.sheets].reduce(
    (sum, faces) => sum + faces.length,
    0,
  );
  if (count > MOST_FACES) return `it has ${count} faces, at most ${MOST_FACES} are built`;
  const roots = readRoots(kernel, exactPart21(shape, 'shape'));
  if (roots.length < shape.sheets.length + (shape.solids.length > 0 ? 1 : 0))
    return 'the solid modeller could not build all of it';
  const solids = shape.solids.length > 0 ? partsOf(kernel, roots[0], kernel.TopAbs_ShapeEnum.TopAbs_SOLID) : [];
  if (solids.length < shape.solids.length) return 'the solid modeller could not build all solids';
  const sheets = shape.solids.length > 0 ? roots.slice(1) : roots;
  let difference: string | undefined;
  for (const { bodies, others } of attempts(kernel, sheets, sewingTolerance(shape, expected))) {
    const found = differenceOf(
      kernel,
      joined(kernel, [...solids, ...bodies, ...others]),
      others.length === 0 ? expected : { ...expected, volumeMm3: undefined },
    );
    if (found === undefined)
      return [[...solids, ...bodies], others]
        .filter((shapes) => shapes.length > 0)
        .map((shapes) => joined(kernel, shapes));
    difference ??= found;
  }
  return difference ?? 'it holds nothing';
}

/** Result of sewing. */
interface Sewn {
  /** Solids. */
  readonly bodies: readonly KernelShape[];
  /** Open shells. */
  readonly others: readonly KernelShape[];
}

function* attempts(kernel: OpenCascadeInstance, sheets: readonly KernelShape[], toleranceMm: number): Iterable<Sewn> {
  const groups = sheets.map((sheet) => sewn(kernel, [sheet], toleranceMm));
  let best: Sewn = { bodies: groups.flatMap(({ bodies }) => bodies), others: groups.flatMap(({ others }) => others) };
  if (best.others.length > 0 && sheets.length > 1) {
    const together = sewn(kernel, sheets, toleranceMm);
    if (together.others.length < best.others.length) best = together;
  }
  yield { ...best, bodies: hollowed(kernel, best.bodies) };
  if (sheets.length > 0)
    yield {
      bodies: [],
      others: sheets.flatMap((sheet) => partsOf(kernel, sheet, kernel.TopAbs_ShapeEnum.TopAbs_FACE)),
    };
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
  const bodies: KernelShape[] = [],
    others: KernelShape[] = [];
  // A sphere is a closed shell of one face.
  const shells = [
    ...partsOf(kernel, result, TopAbs_SHELL),
    ...partsOf(kernel, result, TopAbs_FACE, TopAbs_SHELL).map((face) => shellOf(kernel, face)),
  ];
  for (const shell of shells) {
    if (kernel.BRep_Tool.IsClosed(shell))
      bodies.push(new kernel.ShapeFix_Solid().SolidFromShell(kernel.TopoDS.Shell(shell)));
    else others.push(shell);
  }
  return { bodies, others };
}

function shellOf(kernel: OpenCascadeInstance, face: KernelShape): KernelShape {
  const shell = new kernel.TopoDS_Shell();
  const builder = new kernel.TopoDS_Builder();
  builder.MakeShell(shell);
  builder.Add(shell, face);
  return shell;
}

/** Bodies do not overlap, so one that lies inside another is its cavity, and one inside a cavity is a body again. */
function hollowed(kernel: OpenCascadeInstance, bodies: readonly KernelShape[]): KernelShape[] {
  const sized = bodies
    .map((body) => ({ body, box: boxOf(kernel, body), depth: 0, holes: [] as KernelShape[] }))
    .sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
  sized.forEach((one, i) => {
    const around = sized
      .slice(0, i)
      .filter(
        ({ body, box }) =>
          box.every((value, k) => (k < 3 ? value < one.box[k] : value > one.box[k])) && holds(kernel, body, one.body),
      );
    one.depth = around.length;
    if (one.depth % 2 === 1) around[around.length - 1].holes.push(one.body);
  });
  const outside = (body: KernelShape): ReturnType<typeof kernel.TopoDS.Shell> =>
    kernel.TopoDS.Shell(partsOf(kernel, body, kernel.TopAbs_ShapeEnum.TopAbs_SHELL)[0]);
  return sized
    .filter(({ depth }) => depth % 2 === 0)
    .map(({ body, holes }) => {
      if (holes.length === 0) return body;
      const maker = new kernel.BRepBuilderAPI_MakeSolid(outside(body));
      for (const hole of holes) maker.Add(kernel.TopoDS.Shell(outside(hole).Reversed()));
      return maker.Solid();
    });
}

/** Whether a corner of the inner body lies inside the outer one; their surfaces do not cross. */
function holds(kernel: OpenCascadeInstance, outer: KernelShape, inner: KernelShape): boolean {
  const [corner] = partsOf(kernel, inner, kernel.TopAbs_ShapeEnum.TopAbs_VERTEX);
  return new kernel.BRepExtrema_DistShapeShape(outer, corner).InnerSolution();
}

function joined(kernel: OpenCascadeInstance, shapes: readonly KernelShape[]): KernelShape {
  if (shapes.length === 1) return shapes[0];
  const compound = new kernel.TopoDS_Compound();
  const builder = new kernel.TopoDS_Builder();
  builder.MakeCompound(compound);
  for (const shape of shapes) builder.Add(compound, shape);
  return compound;
}

/** Sub-shapes of a kind, in their order; `outside`: only those in no shape of this other kind. */
function partsOf(
  kernel: OpenCascadeInstance,
  shape: KernelShape,
  of: TopAbs,
  outside: TopAbs = kernel.TopAbs_ShapeEnum.TopAbs_SHAPE,
): KernelShape[] {
  const parts: KernelShape[] = [];
  for (const explorer = new kernel.TopExp_Explorer(shape, of, outside); explorer.More(); explorer.Next())
    parts.push(explorer.Current());
  return parts;
}

type TopAbs = OpenCascadeInstance['TopAbs_ShapeEnum'][keyof OpenCascadeInstance['TopAbs_ShapeEnum']];

/** How a shape differs from the mesh that it should match; undefined when it matches. */
function differenceOf(
  kernel: OpenCascadeInstance,
  shape: KernelShape,
  { areaMm2, volumeMm3, box }: MeshMeasures,
): string | undefined {
  const isNear = (value: number, wanted: number): boolean =>
    Math.abs(value - wanted) <= MEASURE_SHARE * Math.abs(wanted);
  const said = (value: number): string => value.toPrecision(5);
  const chordMm = (CHORD_SHARE * (box[3] - box[0] + box[4] - box[1] + box[5] - box[2])) / 3;
  const isRelative = false,
    inParallel = false,
    skipShared = false,
    useTriangles = true,
    onlyClosed = false;
  new kernel.BRepMesh_IncrementalMesh(shape, chordMm, isRelative, CHORD_RAD, inParallel);
  const properties = new kernel.GProp_GProps();
  kernel.BRepGProp.SurfaceProperties(shape, properties, skipShared, useTriangles);
  const area = properties.Mass();
  if (!isNear(area, areaMm2)) return `its surfaces have ${said(area)} mm², its triangles ${said(areaMm2)} mm²`;
  if (volumeMm3 !== undefined) {
    const solid = new kernel.GProp_GProps();
    kernel.BRepGProp.VolumeProperties(shape, solid, onlyClosed, skipShared, useTriangles);
    const volume = solid.Mass();
    if (!isNear(volume, Math.abs(volumeMm3)))
      return `its bodies have ${said(volume)} mm³, its triangles ${said(Math.abs(volumeMm3))} mm³`;
  }
  const found = boxOf(kernel, shape);
  kernel.BRepTools.Clean(shape, true);
  const off = Math.max(...found.map((value, i) => Math.abs(value - box[i])));
  if (!(off <= BOX_SHARE * sizeOf(box))) return `its box is off by ${off.toPrecision(3)} mm from that of its triangles`;
  return undefined;
}

function boxOf(kernel: OpenCascadeInstance, shape: KernelShape): number[] {
  const bounds = new kernel.Bnd_Box();
  kernel.BRepBndLib.AddOptimal(shape, bounds, true, false);
  return [bounds.GetXMin(), bounds.GetYMin(), bounds.GetZMin(), bounds.GetXMax(), bounds.GetYMax(), bounds.GetZMax()];
}

/** The diagonal of a box. */
function sizeOf(box: readonly number[]): number {
  return Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

export function isDone(kernel: OpenCascadeInstance, status: unknown): boolean {
  return status === kernel.IFSelect_ReturnStatus.IFSelect_RetDone;
}
