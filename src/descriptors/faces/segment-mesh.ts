import { boxOf, diagonalOf } from '../../content/boxes.js';
import type { Mesh } from '../../content/model.js';
import type { Triangles } from './face-patch.js';
import { FaceGrower, LEAST_TRIANGLES, type Segment } from './grow-faces.js';
import { screwMotionOf } from './screw-motion.js';
import { smoothFaces } from './smooth-faces.js';
import { TriangleNet } from './triangle-net.js';

/** Triangles that lie in one plane up to this bend belong together, as 1 minus the cosine (0.3°). */
const COPLANAR = 1.4e-5;
/** A flat piece this much larger than its neighbours is a flat face; the strips of an arc are alike. */
const FLAT = 4;
/** Least share of a piece that its flat faces have. */
const LEAST_FLAT = 0.2;
/**
 * Of a helical wall: triangles that are looked at, how nearly it slides in itself (see `screwMotionOf`), and the least
 * shift of a turn of 1 rad beside the radius. Washers, springs, augers, screws and twisted columns made by code leave
 * at most .012.
 */
const SCREW_SAMPLES = 96;
const HELICAL = { mostLeft: 0.015, clearer: 3 };
const LEAST_PITCH = 0.01;

/**
 * The faces of a mesh without faces, in the order of their first triangles: bounded by its sharp edges (24°), then by
 * flat pieces that run smoothly into others, then grown on cylinders, cones, spheres and tori. What lies on none of
 * these stays one free face, and so does a helical wall, whose strips pass for cones.
 * @param off as that of `find-faces.ts`. @param partners as of `pairCorners`.
 */
export function segmentMesh(
  mesh: Mesh,
  { off, partners }: { readonly off: { readonly face: number; readonly mesh: number }; readonly partners: Int32Array },
): Segment[] {
  const { positions, indices } = mesh;
  const { low, high } = boxOf(positions);
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const centred = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i++) centred[i] = positions[i] - middle[i % 3];
  const diagonal = diagonalOf({ low, high });
  const segmenter = new Segmenter(mesh, partners, (extent) => off.face * extent + off.mesh * diagonal);
  return smoothFaces({ positions: centred, indices }, partners)
    .flatMap((piece) => segmenter.split(piece))
    .sort((a, b) => a.triangles[0] - b.triangles[0]);
}

class Segmenter {
  readonly #net: TriangleNet;
  readonly #grower: FaceGrower;
  /** By triangle: its cluster. */
  readonly #clusters: Int32Array;

  constructor(mesh: Mesh, partners: Int32Array, toleranceOf: (extent: number) => number) {
    this.#net = new TriangleNet(mesh, partners);
    this.#grower = new FaceGrower(this.#net, toleranceOf);
    this.#clusters = new Int32Array(mesh.indices.length / 3).fill(-1);
  }

  split(piece: Triangles): Segment[] {
    const { surface } = this.#grower.fit(piece);
    if (surface.kind !== 'free' || this.#isHelical(piece)) return [{ triangles: piece, surface }];
    const { flat, rest } = this.#flatPieces(piece);
    if (flat.length === 0) return this.#grower.grown(piece, surface);
    return [...flat.map((triangles) => ({ triangles })), ...rest.flatMap((part) => this.#splitCurved(part))];
  }

  #splitCurved(part: Triangles): Segment[] {
    const { surface } = this.#grower.fit(part);
    if (surface.kind !== 'free' || this.#isHelical(part)) return [{ triangles: part, surface }];
    return this.#grower.grown(part, surface);
  }

  /** Whether a piece slides in itself by a screw, as the wall of a thread or a spring does. */
  #isHelical(piece: Triangles): boolean {
    if (piece.length < LEAST_TRIANGLES) return false;
    const screw = screwMotionOf(this.#net.centroidsOf(piece, SCREW_SAMPLES), HELICAL);
    return screw !== undefined && Math.abs(screw.pitchMm) > LEAST_PITCH * screw.radiiMm[1];
  }

  /** Flat faces in a piece, and what remains in pieces that hang together; nothing where too little of it is flat. */
  #flatPieces(piece: Triangles): { flat: Triangles[]; rest: Triangles[] } {
    const net = this.#net,
      { normals, neighbours } = net,
      clusterOf = this.#clusters;
    const isCoplanar = (a: number, b: number): boolean =>
      1 -
        (normals[3 * a] * normals[3 * b] +
          normals[3 * a + 1] * normals[3 * b + 1] +
          normals[3 * a + 2] * normals[3 * b + 2]) <=
      COPLANAR;
    const clusters = net.joined(piece, isCoplanar);
    const size = clusters.map((triangles) => net.areaOf(triangles));
    for (const [i, triangles] of clusters.entries()) for (const t of triangles) clusterOf[t] = i;
    const beside = clusters.map(() => new Map<number, number>());
    for (const t of piece)
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const b = neighbours[corner] < 0 ? -1 : clusterOf[neighbours[corner]];
        if (b < 0 || clusterOf[t] === b) continue;
        const lengths = beside[clusterOf[t]];
        lengths.set(b, (lengths.get(b) ?? 0) + net.edgeLength(corner));
      }
    const isFlat = clusters.map((_, i) => {
      const usual = usualSize(beside[i], size);
      return usual !== undefined && size[i] >= FLAT * usual;
    });
    const flat = clusters.filter((_, i) => isFlat[i]);
    const curved = piece.filter((t) => !isFlat[clusterOf[t]]);
    for (const t of piece) clusterOf[t] = -1;
    const wholeMm2 = size.reduce((sum, mm2) => sum + mm2, 0);
    const flatMm2 = size.reduce((sum, mm2, i) => (isFlat[i] ? sum + mm2 : sum), 0);
    if (flat.length === 0 || flatMm2 < LEAST_FLAT * wholeMm2) return { flat: [], rest: [] };
    return { flat, rest: net.joined(curved, () => true) };
  }
}

/**
 * The size of the larger of those beside which a piece has half of its rim, by the lengths of the common edges: the
 * ends of a strip, short as they are, say little.
 */
function usualSize(lengths: ReadonlyMap<number, number>, sizes: readonly number[]): number | undefined {
  const order = [...lengths.keys()].sort((a, b) => sizes[a] - sizes[b] || a - b);
  let left = [...lengths.values()].reduce((sum, length) => sum + length, 0) / 2;
  const usual = order.find((k) => (left -= lengths.get(k)!) < 0);
  return usual === undefined ? undefined : sizes[usual];
}
