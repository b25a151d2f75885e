import type { TriangleMesh } from '../core/mesh.js';
import { insideMesh } from './inside-mesh.js';

/** A closed piece of a mesh. */
interface Piece {
  readonly triangles: readonly number[];
  /** mm³; negative when the faces point inward. */
  readonly volume: number;
  /** Low corner, high corner. */
  readonly box: readonly number[];
}

/** With more inverted pieces none is treated as a cavity: each is tested against the bodies around it. */
const MOST_CAVITIES = 100;

/**
 * Which closed pieces of a mesh are cavities: those whose faces point inward and that lie inside another piece.
 * @param closed triangle numbers of each closed piece.
 * @returns for each cavity's number in `closed`, the number of the smallest piece around it.
 */
export function cavitiesOf(mesh: TriangleMesh, closed: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const pieces = closed.map((triangles) => measured(mesh, triangles));
  const cavities = new Map<number, number>();
  const inverted = pieces.flatMap(({ volume }, i) => (volume < 0 ? [i] : []));
  if (inverted.length > MOST_CAVITIES) return cavities;
  const bodies = pieces
    .flatMap(({ volume }, i) => (volume > 0 ? [i] : []))
    .sort((a, b) => pieces[a].volume - pieces[b].volume);
  const positions = Float64Array.from(mesh.positions);
  for (const i of inverted) {
    const { box, triangles } = pieces[i];
    const corner = 3 * mesh.indices[3 * triangles[0]];
    const point = Float32Array.from(mesh.positions.subarray(corner, corner + 3));
    const around = bodies.find((j) => {
      const body = pieces[j];
      if (!box.every((value, k) => (k < 3 ? value > body.box[k] : value < body.box[k]))) return false;
      const indices = Uint32Array.from(body.triangles.flatMap((t) => [...mesh.indices.subarray(3 * t, 3 * t + 3)]));
      return insideMesh({ positions, indices }, point, () => true)[0] === 1;
    });
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
