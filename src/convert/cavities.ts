import type { TriangleMesh } from '../core/mesh.js';

/** A closed piece of a mesh. */
interface Piece {
  readonly triangles: readonly number[];
  /** mm³, below 0 where it is inside out. */
  readonly volume: number;
  /** Low corner, high corner. */
  readonly box: readonly number[];
}

/** Most pieces that are looked at as cavities: each is tried against all triangles of the pieces about it. */
const MOST_CAVITIES = 100;
/** Along no axis, diagonal or other direction in which meshes have edges. */
const RAY = [0.8137, 0.4361, 0.3847] as const;

/**
 * Which closed pieces are cavities: those inside out that lie inside of another, the smallest about them. closed: triangles of each piece.
 * Gives the number of the other piece by that of the cavity.
 */
export function cavitiesOf(mesh: TriangleMesh, closed: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const pieces = closed.map((triangles) => measured(mesh, triangles));
  const cavities = new Map<number, number>();
  const inverted = pieces.flatMap(({ volume }, i) => (volume < 0 ? [i] : []));
  if (inverted.length > MOST_CAVITIES) return cavities;
  const bodies = pieces
    .flatMap(({ volume }, i) => (volume > 0 ? [i] : []))
    .sort((a, b) => pieces[a].volume - pieces[b].volume);
  for (const i of inverted) {
    const { box, triangles } = pieces[i];
    const corner = 3 * mesh.indices[3 * triangles[0]];
    const around = bodies.find(
      (j) =>
        box.every((value, k) => (k < 3 ? value > pieces[j].box[k] : value < pieces[j].box[k])) &&
        holds(mesh, pieces[j].triangles, corner),
    );
    if (around !== undefined) cavities.set(i, around);
  }
  return cavities;
}

function measured({ positions: p, indices }: TriangleMesh, triangles: readonly number[]): Piece {
  let six = 0;
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const triangle of triangles) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
    six +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
    for (const corner of [a, b, c]) {
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], p[corner + k]);
        box[3 + k] = Math.max(box[3 + k], p[corner + k]);
      }
    }
  }
  return { triangles, volume: six / 6, box };
}

/** Whether a ray from the vertex passes the triangles an odd number of times (Möller and Trumbore 1997). */
function holds({ positions: p, indices }: TriangleMesh, triangles: readonly number[], vertex: number): boolean {
  let passed = 0;
  for (const triangle of triangles) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
    const from = (to: number): number[] => [p[to] - p[a], p[to + 1] - p[a + 1], p[to + 2] - p[a + 2]];
    const first = from(b),
      second = from(c),
      start = from(vertex);
    const across = cross(RAY, second);
    const scale = dot(first, across);
    if (scale === 0) continue;
    const u = dot(start, across) / scale;
    const turned = cross(start, first);
    const v = dot(RAY, turned) / scale;
    if (u >= 0 && v >= 0 && u + v <= 1 && dot(second, turned) / scale > 0) passed++;
  }
  return passed % 2 === 1;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
