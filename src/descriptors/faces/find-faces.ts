import type { Mesh } from '../../content/model.js';
import { boxOf, diagonalOf } from '../../content/boxes.js';
import { pairCorners } from '../shared-edges.js';
import { cornersAt, Patches, pointOf, type Geometry, type Triangles } from './face-patch.js';
import { fitSurface, type FacePatch } from './fit-surface.js';
import { normalAt, type FittedSurface } from './fitted-surface.js';
import { samplesEach, samplesOf } from './free-samples.js';
import type { BodyFaces, EdgeKind, FaceEdge, PartFace } from './part-face.js';
import { regionOf } from './region.js';
import type { Segment } from './grow-faces.js';
import { segmentMesh } from './segment-mesh.js';
import { cross, dot, lengthOf, minus, plus, scaled, type Vector } from './vector.js';

/**
 * Largest distance of a face's vertices from its surface, as a share of the face's size, and of the mesh's diagonal:
 * kernels put them on the surface, files of meshes round them.
 */
const OFF_EXACT = { face: 3e-5, mesh: 1e-6 };
const OFF_MESH = { face: 2e-4, mesh: 1e-5 };
/** Faces that meet at less are tangent, rad: where both surfaces are known, and where one is free. */
const SMOOTH = 0.06;
const SMOOTH_FREE = 0.25;
const NO_SAMPLES = new Float64Array();

/**
 * The faces of a mesh with their surfaces, regions and neighbours, at most `most` of them: those of the exact surface
 * from which the mesh was made (`mesh.faces`), or else regions of its triangles that lie on one surface.
 */
export function findFaces(mesh: Mesh, most: number): BodyFaces {
  const { positions, indices } = mesh;
  const diagonal = diagonalOf(boxOf(positions));
  const partners = pairCorners(indices);
  const groups = groupsOf(mesh, partners);
  const off = mesh.faces === undefined ? OFF_MESH : OFF_EXACT;
  const inward = partners.every((partner) => partner >= 0) && volumeOf(mesh) < 0;
  const geometry = { positions, indices, sign: inward ? -1 : 1 };
  const patches = new Patches(geometry);
  const found = groups.slice(0, most).map(({ triangles, number, surface }): PartFace => {
    const patch = patches.of(triangles);
    const tolerance = off.face * extentOf(patch.points) + off.mesh * diagonal;
    const fitted = surface !== undefined && !inward ? surface : fitSurface(patch, tolerance);
    return faceOf(fitted, patch, number);
  });
  const count = samplesEach(found.filter(isFree).length);
  const faces = found.map((face, i) =>
    isFree(face) && count > 0
      ? { ...face, samples: samplesOf(cornersOf(geometry, groups[i].triangles), geometry, count) }
      : face,
  );
  return { faces, edges: edgesOf(geometry, { groups: groups.slice(0, most), faces, partners }) };
}

/** The triangles of each face of a mesh, with its number in the file. */
export function trianglesOf(mesh: Mesh): { triangles: Triangles; number: number }[] {
  return groupsOf(mesh, mesh.faces === undefined ? pairCorners(mesh.indices) : undefined);
}

/** partners: as of `pairCorners`; needed of meshes without faces. */
function groupsOf(mesh: Mesh, partners: Int32Array | undefined): (Segment & { number: number })[] {
  if (mesh.faces === undefined) {
    const segments = segmentMesh(mesh, { off: OFF_MESH, partners: partners ?? pairCorners(mesh.indices) });
    return segments.map((segment, number) => ({ ...segment, number }));
  }
  return mesh.faces.map(({ first, count, number }, i) => {
    const triangles = new Uint32Array(count);
    for (let k = 0; k < count; k++) triangles[k] = first + k;
    return { triangles, number: number ?? i };
  });
}

function cornersOf({ positions, indices }: Geometry, triangles: Triangles): Float64Array {
  const corners = new Float64Array(9 * triangles.length);
  let at = 0;
  for (const t of triangles)
    for (let k = 0; k < 3; k++)
      for (let axis = 0; axis < 3; axis++) corners[at++] = positions[3 * indices[3 * t + k] + axis];
  return corners;
}

function faceOf(fitted: FittedSurface, patch: FacePatch, number: number): PartFace {
  const { normals, centroids, areas } = patch;
  const isRound = fitted.kind !== 'plane' && fitted.kind !== 'free';
  let flat = 0,
    exact = 0,
    outwards = 0;
  const sums = new Float64Array(6);
  for (let i = 0; i < areas.length; i++) {
    const area = areas[i];
    flat += area;
    for (let k = 0; k < 3; k++) {
      sums[k] += area * centroids[3 * i + k];
      sums[3 + k] += area * normals[3 * i + k];
    }
    if (!isRound) continue;
    const normal: Vector = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
    const centroid: Vector = [centroids[3 * i], centroids[3 * i + 1], centroids[3 * i + 2]];
    exact += area * bulge(fitted, centroid);
    outwards += area * dot(normal, normalAt(fitted, centroid));
  }
  const summed: Vector = [sums[0], sums[1], sums[2]],
    mean: Vector = [sums[3], sums[4], sums[5]];
  const middle = flat > 0 ? scaled(summed, 1 / flat) : summed;
  const surface = placedOnFace(fitted, patch.points, middle, mean);
  return {
    ...surface,
    isHollow: isRound && outwards < 0,
    areaMm2: isRound ? exact : flat,
    middle,
    region: regionOf(surface, patch.points, patch.corners),
    samples: NO_SAMPLES,
    number,
  };
}

/**
 * How much larger the surface is than a triangle with this centroid, of cylinders and cones. A chord of the turn t is
 * shorter than its arc by t² / 24, and the centroid of the triangle is nearer to the axis by t² / 9, so the ratio is
 * that of the radii to the power 3/8.
 */
function bulge({ kind, axis, origin, radiusMm, second }: FittedSurface, centroid: Vector): number {
  if (kind !== 'cylinder' && kind !== 'cone') return 1;
  const from = minus(centroid, origin);
  const along = dot(from, axis);
  const out = lengthOf(plus(from, axis, -along));
  const radius = kind === 'cylinder' ? radiusMm : along * Math.tan(second);
  if (!(out > 0.5 * radius && radius > 0)) return 1;
  const eighth = Math.sqrt(Math.sqrt(Math.sqrt(radius / out)));
  return eighth * eighth * eighth;
}

/** The same surface with its origin beside the middle of the face; the axis of a sphere points there. */
function placedOnFace(fitted: FittedSurface, points: Float64Array, middle: Vector, mean: Vector): FittedSurface {
  const { kind, axis, origin } = fitted;
  if (kind === 'plane' || kind === 'free') {
    const at: Vector = kind === 'free' ? middle : plus(middle, axis, -dot(minus(middle, origin), axis));
    return { ...fitted, origin: at };
  }
  if (kind === 'sphere') {
    const length = lengthOf(mean);
    return length > 0 ? { ...fitted, axis: scaled(mean, 1 / length) } : fitted;
  }
  if (kind !== 'cylinder') return fitted;
  let low = Infinity,
    high = -Infinity;
  for (let at = 0; at < points.length; at += 3) {
    const along =
      (points[at] - origin[0]) * axis[0] +
      (points[at + 1] - origin[1]) * axis[1] +
      (points[at + 2] - origin[2]) * axis[2];
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  return { ...fitted, origin: plus(origin, axis, (low + high) / 2) };
}

/** Where faces meet: the edges of triangles that have another face on the other side. */
function edgesOf(
  geometry: Geometry,
  {
    groups,
    faces,
    partners,
  }: {
    groups: readonly { triangles: Triangles }[];
    faces: readonly PartFace[];
    partners: Int32Array;
  },
): FaceEdge[] {
  const { positions, indices, sign } = geometry;
  const faceAt = new Int32Array(indices.length / 3).fill(-1);
  groups.forEach(({ triangles }, face) => triangles.forEach((t) => (faceAt[t] = face)));
  const sums = new Map<number, { length: number; turn: number; bend: number; free: boolean }>();
  for (let corner = 0; corner < indices.length; corner++) {
    const partner = partners[corner];
    if (partner <= corner) continue;
    const t = Math.floor(corner / 3),
      other = Math.floor(partner / 3);
    const a = faceAt[t],
      b = faceAt[other];
    if (a === b || a < 0 || b < 0) continue;
    const from = pointOf(positions, indices[corner]),
      to = pointOf(positions, indices[corner % 3 === 2 ? corner - 2 : corner + 1]);
    const along = minus(to, from);
    const length = lengthOf(along);
    if (!(length > 0)) continue;
    const middle = scaled(plus(from, to), 0.5);
    const here = outward(faces[a], middle, geometry, t),
      there = outward(faces[b], middle, geometry, other);
    const side = sign * dot(cross(here, there), along);
    const turn = Math.acos(Math.min(1, Math.max(-1, dot(here, there))));
    const key = Math.min(a, b) * faces.length + Math.max(a, b);
    const sum = sums.get(key) ?? { length: 0, turn: 0, bend: 0, free: isFree(faces[a]) || isFree(faces[b]) };
    sum.length += length;
    sum.turn += length * turn;
    sum.bend += side * turn;
    sums.set(key, sum);
  }
  return [...sums]
    .sort(([a], [b]) => a - b)
    .map(([key, { length, turn, bend, free }]) => {
      const turnRad = turn / length;
      const kind: EdgeKind = turnRad < (free ? SMOOTH_FREE : SMOOTH) ? 'smooth' : bend > 0 ? 'convex' : 'concave';
      return { faces: [Math.floor(key / faces.length), key % faces.length], kind, turnRad, lengthMm: length };
    });
}

function isFree({ kind }: PartFace): boolean {
  return kind === 'free';
}

/** Outward normal of a face at a point of its rim. */
function outward(face: PartFace, point: Vector, { positions, indices, sign }: Geometry, t: number): Vector {
  if (face.kind === 'plane') return face.axis;
  if (face.kind !== 'free') return face.isHollow ? scaled(normalAt(face, point), -1) : normalAt(face, point);
  const [a, b, c] = cornersAt(positions, indices, t);
  const normal = cross(minus(b, a), minus(c, a));
  const length = lengthOf(normal);
  return length > 0 ? scaled(normal, sign / length) : [0, 0, 1];
}

function volumeOf({ positions, indices }: Mesh): number {
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    six +=
      positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  return six / 6;
}

function extentOf(points: Float64Array): number {
  return points.length > 0 ? diagonalOf(boxOf(points)) : 0;
}
