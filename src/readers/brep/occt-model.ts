import type { Color, Component, CurvedSurplus, FaceRange, Mesh, Model } from '../../content/model.js';
import type { Property } from '../../content/text.js';
import { MILLIMETRES, type LengthUnit } from '../../content/units.js';
import { checkLimit, EngineError, fileMalformed, plainReason, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { checkBrepText } from './brep-text.js';
import { checkKernelWork } from './kernel-work.js';
import { curvedSurplus } from './curved-surplus.js';
import { colorOfLinear } from '../geometry/colors.js';
import { inspectIges } from '../iges/iges.js';
import { checkIgesInstances } from '../iges/instances.js';
import { FARTHEST_MM, requireArea, withDropped } from '../mesh/model-of-pieces.js';
import { readWithOcct, type OcctFormat, type OcctMesh, type OcctNode, type OcctResult } from './occt-kernel.js';
import { inspectPart21, type Part21Facts } from './step/part21.js';
import { readPart21Properties } from './step/part21-header.js';
import { readStepAnnotations } from './step/annotations.js';
import { drawnAnnotations } from './step/drawn-annotations.js';
import { numberFaces } from './step/annotated-faces.js';
import { matchMeshes, type MatchedMeshes } from './step/mesh-matching.js';
import { readStepStructure } from './step/product-structure.js';
import { mendTorusFaces } from './torus-faces.js';
import { concatenated } from '../mesh/patches.js';
import { closedSlits } from '../mesh/slits.js';
import { weld, type WeldedMesh } from '../mesh/weld.js';

export { disposeOcct, type OcctFormat } from './occt-kernel.js';

/**
 * Reads a boundary representation with Open CASCADE (occt-import-js): STEP (ISO 10303-21 text of AP203, AP214, AP242),
 * IGES 5.x, or Open CASCADE's BREP text. Surfaces are tessellated by a fixed rule, see `TESSELLATION`; each face of the
 * file stays one run of triangles. A STEP assembly keeps the product structure of its text, with shared meshes. Where
 * the kernel's meshes cannot be matched to that structure, and in IGES and BREP files, the meshes have their placements
 * baked in. Blocks the thread while the kernel works.
 *
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`, or `REFERENCE_MISSING` for an assembly whose
 * parts are all in other files.
 */
export async function readOcctModel(bytes: Uint8Array, format: OcctFormat, options: ReadOptions): Promise<Model> {
  const facts = inspect(bytes, format, options);
  const { toleranceMm, turnRad } = options;
  const result = await readWithOcct(facts.step?.closed ?? bytes, format, {
    toleranceMm: toleranceMm === undefined ? undefined : toleranceMm / facts.scale,
    turnRad,
  });
  if (!result.success || result.meshes.every((mesh) => mesh.index.array.length === 0))
    throw nothingFound(result, facts);
  checkLimits(result, options.limits);

  const warnings = [...facts.warnings, ...kernelWarnings(result.messages)];
  const annotations = format === 'step' ? readStepAnnotations(bytes) : undefined;
  if (format === 'step') warnings.push(...unreadAnnotations(bytes));
  const assembly = format === 'step' ? readAssembly(bytes, result, options.limits) : undefined;
  warnings.push(...(assembly?.warnings ?? []));
  const { root, meshes, dropped } = assembly?.matched ?? readFlat(result, facts.scale);
  requireArea(format, meshes);
  return {
    kind: 'model',
    format,
    unit: facts.unit,
    root,
    meshes: format === 'step' ? numberFaces(bytes, meshes, annotations ?? [], MILLIMETRES[facts.unit]) : meshes,
    properties: facts.properties,
    annotations,
    warnings: withDropped(warnings, dropped),
  };
}

/** Annotations that are no part of the PMI, or that the file hides. */
function unreadAnnotations(bytes: Uint8Array): Warning[] {
  const { unread, hidden } = drawnAnnotations(bytes);
  const said = [
    unread > 0
      ? `${unread} annotations are only drawn, without data about what they mean, and are no part of the PMI`
      : '',
    hidden > 0
      ? `${hidden} annotations are marked as invisible; what they say as data is read like that of others`
      : '',
  ];
  return said.filter((message) => message !== '').map((message) => warning('CONTENT_SKIPPED', message));
}

/** The kernel's tree and meshes as they are. */
function readFlat(
  result: OcctResult & { success: true },
  scale: number,
): Pick<MatchedMeshes, 'root' | 'meshes' | 'dropped'> {
  const read = result.meshes.map((mesh) =>
    readMesh(mesh, new Float64Array(mesh.attributes.position.array), { name: mesh.name, scale, mirrored: false }),
  );
  const meshes = read.map(({ mesh }) => mesh);
  const dropped = read.reduce((sum, mesh) => sum + mesh.dropped, 0);
  const root = rootComponent(result.root);
  const body = joinLooseFaces(meshes);
  return body === undefined
    ? { root, meshes, dropped }
    : { root: { name: root.name, meshes: [0], children: [] }, meshes: [body], dropped };
}

/** What the text of a file says, found before the kernel reads it. */
interface Facts {
  readonly format: OcctFormat;
  readonly unit: LengthUnit;
  /** Millimetres per unit of the kernel's coordinates. */
  readonly scale: number;
  readonly complete: boolean;
  readonly step?: Part21Facts;
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}

function inspect(bytes: Uint8Array, format: OcctFormat, options: ReadOptions): Facts {
  const warnings: Warning[] = [];
  checkKernelWork(bytes, format, options.limits);
  if (format === 'brep') {
    checkBrepText(bytes);
    const unit = options.defaultUnit;
    warnings.push(warning('UNIT_ASSUMED', `a BREP file names no unit; ${unit} was assumed`));
    return { format, unit, scale: MILLIMETRES[unit], complete: true, properties: [], warnings };
  }
  const step = format === 'step' ? inspectPart21(bytes) : undefined;
  const iges = step === undefined ? inspectIges(bytes) : undefined;
  if (iges !== undefined) checkIgesInstances(bytes, options.limits);
  const { unit, complete } = step ?? iges!;
  if (!complete) {
    const ending = format === 'step' ? 'END-ISO-10303-21' : 'its terminate section';
    warnings.push(warning('FILE_TRUNCATED', `the file ends without ${ending}; what could be read was kept`));
  }
  if (step !== undefined && step.references.length > 0) {
    warnings.push(warning('REFERENCE_MISSING', `parts in other files are missing: ${step.references.join(', ')}`));
  }
  // The kernel converts STEP and IGES to millimetres, whatever their unit.
  return {
    format,
    unit: unit ?? 'mm',
    scale: 1,
    complete,
    step,
    properties: iges?.properties ?? readPart21Properties(bytes),
    warnings,
  };
}

/** The error for a file that gave no triangles. */
function nothingFound(result: OcctResult, { format, complete, step }: Facts): EngineError {
  const details = { format, schema: step?.schema, messages: result.messages.map(plainReason) };
  if (!complete && format !== 'step') {
    return fileMalformed(`the ${format} file is truncated, and no shape could be read from it`, {
      details,
    });
  }
  if (step !== undefined && step.references.length > 0) {
    return new EngineError(
      'REFERENCE_MISSING',
      `the STEP file holds no geometry of its own; its parts are in ${step.references.join(', ')}`,
      { details: { ...details, references: step.references } },
    );
  }
  if (step !== undefined && !step.hasSurfaces) {
    return new EngineError(
      'NO_GEOMETRY',
      `the STEP file (schema ${step.schema || 'not named'}) holds no faces; expected solids, surfaces or meshes`,
      { details },
    );
  }
  if (result.success) {
    return new EngineError('NO_GEOMETRY', `the ${format} file holds no surface or solid that could be tessellated`, {
      details,
    });
  }
  const said = plainReason(result.messages[0] ?? '');
  return fileMalformed(
    `the ${format.toUpperCase()} file is damaged or cut off: expected a whole one that keeps to its format` +
      (said === '' ? '' : `; the CAD kernel says "${said}"`),
    { details },
  );
}

function checkLimits(result: { readonly root: OcctNode; readonly meshes: readonly OcctMesh[] }, limits: Limits): void {
  const triangles = result.meshes.reduce((sum, mesh) => sum + mesh.index.array.length / 3, 0);
  checkLimit('the model', limits, 'triangles', triangles);
  let components = 0;
  const pending = [{ node: result.root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    checkLimit('the model', limits, 'components', ++components);
    checkLimit('the model', limits, 'depth', depth);
    for (const child of node.children) pending.push({ node: child, depth: depth + 1 });
  }
}

/**
 * Warnings for the error lines that the kernel printed, such as `*** ERR StepReaderData : Unresolved Reference : Fails
 * Count : 1 ***`.
 */
function kernelWarnings(messages: readonly string[]): Warning[] {
  return messages
    .filter((line) => line.includes('ERR'))
    .map((line) => warning('CONTENT_SKIPPED', `the CAD kernel reported: ${plainReason(line)}`));
}

/**
 * Matches the kernel's meshes to the product structure in the text, with warnings about what did not match. Undefined
 * when the file has no product structure.
 */
function readAssembly(
  bytes: Uint8Array,
  result: OcctResult & { success: true },
  limits: Limits,
): { matched?: MatchedMeshes; warnings: Warning[] } | undefined {
  const structure = readStepStructure(bytes, limits);
  if (structure === undefined) return undefined;
  const matched = matchMeshes(structure, result, (mesh, positions, { name, mirrored }) =>
    readMesh(mesh, positions, { name, scale: 1, mirrored }),
  );
  const warn = (message: string): Warning => warning('CONTENT_SKIPPED', message);
  if (matched === undefined)
    return { warnings: [warn('the product structure could not be matched to the meshes; they are listed without it')] };
  const warnings: Warning[] = [];
  if (matched.missing > 0) warnings.push(warn(`${matched.missing} bodies of the product structure gave no triangles`));
  if (matched.loose > 0)
    warnings.push(
      warn(`${matched.loose} bodies have no place in the product structure; they were added below its root`),
    );
  if (matched.leftOut > 0)
    warnings.push(
      warn(`${matched.leftOut} construction bodies were left out: hidden ones, or open surfaces beside a solid`),
    );
  return { matched, warnings };
}

/**
 * One of the kernel's meshes as a mesh of the model, welded. positions: f64[3 * n], scaled in place to mm. mirrored:
 * the triangles' orientation is flipped.
 */
function readMesh(
  mesh: OcctMesh,
  positions: Float64Array,
  { name, scale, mirrored }: { name: string; scale: number; mirrored: boolean },
): { mesh: Mesh; dropped: number } {
  for (let i = 0; i < positions.length; i++)
    positions[i] = Math.abs(positions[i]) <= FARTHEST_MM / scale ? positions[i] * scale : NaN;
  const runs: FaceRange[] = [];
  for (const { first, last, color } of mesh.brep_faces) {
    if (last >= first) runs.push({ first, count: last - first + 1, color: color === null ? undefined : srgb(color) });
  }
  const corners = new Uint32Array(mesh.index.array);
  for (let i = 0; mirrored && i + 2 < corners.length; i += 3)
    [corners[i + 1], corners[i + 2]] = [corners[i + 2], corners[i + 1]];
  const { positions: places, indices, faces, dropped } = withoutSlits(weld(positions, corners, runs));
  const color = mesh.color === undefined ? undefined : srgb(mesh.color);
  const curved =
    faces === undefined ? undefined : curvedSurplus(places, indices, faces, mendTorusFaces(places, indices, faces));
  return { mesh: { name, positions: places, indices, color, faces, curved }, dropped };
}

function withoutSlits(welded: WeldedMesh): WeldedMesh {
  const closed = closedSlits(welded.positions, welded.indices);
  if (closed === undefined) return welded;
  const again = weld(closed, welded.indices, welded.faces);
  return { ...again, dropped: welded.dropped + again.dropped };
}

/**
 * Joins meshes that consist of a single face each into one mesh; undefined when any has more. IGES files often hold a
 * part as untied surfaces, and a single surface is not what a person would call a component.
 */
function joinLooseFaces(meshes: readonly Mesh[]): Mesh | undefined {
  if (meshes.length < 2 || meshes.some(({ faces }) => faces?.length !== 1)) return undefined;
  const { positions, indices } = concatenated(meshes);
  const faces: FaceRange[] = [];
  let first = 0;
  for (const mesh of meshes) {
    const count = mesh.indices.length / 3;
    faces.push({ first, count, color: mesh.faces?.[0].color ?? mesh.color });
    first += count;
  }
  const { positions: places, indices: corners, faces: runs } = weld(positions, indices, faces);
  const sum = (field: keyof CurvedSurplus): number =>
    meshes.reduce((total, { curved }) => total + (curved?.[field] ?? 0), 0);
  const curved = { volumeMm3: sum('volumeMm3'), areaMm2: sum('areaMm2') };
  return { name: '', positions: places, indices: corners, faces: runs, curved };
}

/** Open CASCADE converts the sRGB colours of files to linear light; this converts back. */
function srgb([red, green, blue]: readonly number[]): Color {
  return colorOfLinear(red, green, blue);
}

/**
 * The model's root. The kernel's own root has neither name nor meshes, so a single product below it takes its place.
 * Nodes without a mesh are curves and points, and are left out. A product with one unnamed body is a single part.
 */
function rootComponent(root: OcctNode): Component {
  const only = root.meshes.length === 0 && root.children.length === 1 ? root.children[0] : root;
  const product = component(only);
  const shaped = product.children.filter(hasMesh);
  const [body] = shaped;
  const isSinglePart =
    product.meshes.length === 0 && shaped.length === 1 && body.children.length === 0 && UNNAMED.test(body.name);
  return isSinglePart ? { name: product.name, meshes: body.meshes, children: [] } : { ...product, children: shaped };
}

/** The names that the kernel gives to bodies without a name. */
const UNNAMED = /^(COMPOUND|COMPSOLID|SOLID|SHELL|FACE)?$/;

function hasMesh({ meshes, children }: Component): boolean {
  return meshes.length > 0 || children.some(hasMesh);
}

function component(node: OcctNode): Component {
  return { name: node.name, meshes: [...node.meshes], children: node.children.map(component) };
}
