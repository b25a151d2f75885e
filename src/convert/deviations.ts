import { boxOf } from '../content/boxes.js';
import { determinant } from '../content/matrix.js';
import type { Model } from '../content/model.js';
import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import { pointMeshDistances } from '../core/deviation.js';
import { sampleSurface } from '../core/samples.js';
import { decodeSurface, encodeSurface } from '../descriptors/surface.js';
import { EngineError } from '../errors.js';
import { layParts } from '../search/shapes/same-part/lay-parts.js';
import { PartSurface } from '../search/shapes/same-part/part-surface.js';
import { placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import { MOST_DEVIATION_TRIANGLES, type DeviationFigures, type DeviationModel } from './deviation-options.js';
import { insideMesh } from './inside-mesh.js';
import type { SidesOf } from './write-glb.js';
import { refineMesh, type WideMesh } from './refine-mesh.js';

/** Seed of the sample points: the same at each call. */
const SEED = 20_261_122;

/** Longest edge of the surfaces in the GLB, as a share of the larger model's extent, as far as the triangles allow. */
const LONGEST_EDGE = 1 / 40;
const SHOWN_TRIANGLES = 150_000;
/**
 * A point nearer to the other surface than this share of its extent is on neither side: single precision cannot decide.
 */
const SIDELESS = 1e-6;

/** Options of {@link deviations}, checked by `checkDeviationOptions`. */
export interface DeviationWishes {
  readonly transform?: readonly number[];
  readonly samples: number;
  readonly withModel: boolean;
}

/**
 * Distances between the surfaces of two models after aligning the first with the second.
 * @throws EngineError `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export async function deviations(
  core: Core,
  first: Model,
  second: Model,
  { transform: given, samples, withModel, sidesOf }: DeviationWishes & { readonly sidesOf: SidesOf },
): Promise<DeviationModel> {
  const a = placed(first),
    b = placed(second);
  const surfaces = [surfaceOf(core, a), surfaceOf(core, b)] as const;
  const { alignedBy, matchClass, transform } =
    given === undefined
      ? layParts(core, new PartSurface(surfaces[0]), new PartSurface(surfaces[1]))
      : { alignedBy: 'given' as const, matchClass: null, transform: Float64Array.from(given) };
  const carried = carry(a, transform, b.origin);
  const meshes = [carried, { positions: Float64Array.from(b.positions), indices: b.indices }] as const;
  const longest = LONGEST_EDGE * Math.max(...meshes.map(({ positions }) => extentOf(positions)));
  const shown = withModel ? meshes.map((mesh) => refineMesh(mesh, longest, SHOWN_TRIANGLES)) : meshes;
  const distances = shown.map((mesh, i) =>
    distancesOf(core, meshes[i], mesh, { ...meshes[1 - i], isClosed: surfaces[1 - i].facts.isClosed }, samples),
  );
  const [firstFigures, secondFigures] = distances.map(({ figures }) => figures);
  const found = {
    alignedBy,
    matchClass,
    transform: Array.from(transform),
    maxMm: Math.max(firstFigures.maxMm, secondFigures.maxMm),
    first: firstFigures,
    second: secondFigures,
  };
  if (!withModel) return found;
  const { writeDeviationGlb } = await import('./deviation-glb.js');
  const glb = await writeDeviationGlb(
    shown.map((mesh, i) => ({ mesh, distances: distances[i].vertices })),
    { origin: b.origin, format: second.format, sides: sidesOf(b) },
  );
  return { ...found, glb };
}

function placed(model: Model): PlacedMesh {
  const mesh = placeMeshes(model);
  const found = mesh.indices.length / 3,
    allowed = MOST_DEVIATION_TRIANGLES;
  if (found === 0) throw new EngineError('NO_GEOMETRY', 'a model without triangles has no surface to compare');
  if (found > allowed)
    throw new EngineError('LIMIT_EXCEEDED', `the model has ${found} triangles, at most ${allowed} are compared`, {
      details: { limit: 'triangles', allowed, found },
    });
  return mesh;
}

function surfaceOf(core: Core, mesh: PlacedMesh): ReturnType<typeof decodeSurface> {
  return decodeSurface(encodeSurface(mesh, orientedBox(core, mesh).sizeMm));
}

/**
 * A mesh in the target frame of the transform, relative to `origin` there; a mirroring transform reverses the
 * triangles.
 */
function carry(
  { positions: p, indices, origin: from }: PlacedMesh,
  m: Float64Array,
  origin: readonly number[],
): WideMesh {
  const positions = new Float64Array(p.length);
  for (let i = 0; i < p.length; i += 3) {
    const x = p[i] + from[0],
      y = p[i + 1] + from[1],
      z = p[i + 2] + from[2];
    for (let axis = 0; axis < 3; axis++)
      positions[i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis] - origin[axis];
  }
  if (determinant(m) >= 0) return { positions, indices };
  const turned = indices.slice();
  for (let i = 0; i < turned.length; i += 3) [turned[i + 1], turned[i + 2]] = [turned[i + 2], turned[i + 1]];
  return { positions, indices: turned };
}

/**
 * Distances from `other` of points spread over `mesh` and of the vertices of `shown`, which is the same surface; those
 * of the vertices are signed where `other` is closed.
 */
function distancesOf(
  core: Core,
  mesh: WideMesh,
  shown: WideMesh,
  other: WideMesh & { readonly isClosed: boolean },
  samples: number,
): { figures: DeviationFigures; vertices: Float32Array } {
  const points = sampleSurface(core, narrow(mesh), samples, SEED).positions;
  const corners = Float32Array.from(shown.positions);
  const all = new Float32Array(points.length + corners.length);
  all.set(points);
  all.set(corners, points.length);
  const found = pointMeshDistances(core, narrow(other), all);
  const spread = found.slice(0, samples).sort();
  const sum = spread.reduce((total, value) => total + value, 0),
    squares = spread.reduce((total, value) => total + value * value, 0);
  const figures = {
    maxMm: found.reduce((most, value) => Math.max(most, value), 0),
    meanMm: sum / samples,
    rmsMm: Math.sqrt(squares / samples),
    p95Mm: spread[Math.min(samples - 1, Math.floor(0.95 * samples))],
  };
  if (!other.isClosed)
    return { figures: { ...figures, outsideMm: null, insideMm: null }, vertices: found.slice(samples) };
  const least = SIDELESS * extentOf(other.positions);
  const inside = insideMesh(other, all, (point) => found[point] > least);
  const signed = found.map((distance, point) => (inside[point] === 1 ? -distance : distance));
  const most = (sign: number): number => signed.reduce((mostSoFar, value) => Math.max(mostSoFar, sign * value), 0);
  return { figures: { ...figures, outsideMm: most(1), insideMm: most(-1) }, vertices: signed.slice(samples) };
}

function narrow({ positions, indices }: WideMesh): { positions: Float32Array; indices: Uint32Array } {
  return { positions: Float32Array.from(positions), indices };
}

/** The longest side of the axis-aligned box. */
function extentOf(positions: Float64Array): number {
  const { low, high } = boxOf(positions);
  return Math.max(...high.map((value, axis) => value - low[axis]));
}
