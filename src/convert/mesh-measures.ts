import { boxOf } from '../content/boxes.js';
import type { PlacedMesh } from '../shapelets/model/mesh.js';

/** Measures of a mesh, by which another form of the same model is checked. */
export interface MeshMeasures {
  readonly areaMm2: number;
  /** Undefined unless the mesh is closed and consistently oriented. */
  readonly volumeMm3: number | undefined;
  /** Lowest, then highest x, y, z. */
  readonly box: readonly number[];
}

/** Area, volume and box of a mesh. */
export function meshMeasures({ positions, indices, origin }: PlacedMesh): MeshMeasures {
  let area = 0,
    sixfold = 0;
  const at = (vertex: number, axis: number): number => positions[3 * vertex + axis];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = indices.subarray(i, i + 3);
    const [ux, uy, uz, vx, vy, vz] = [
      at(b, 0) - at(a, 0),
      at(b, 1) - at(a, 1),
      at(b, 2) - at(a, 2),
      at(c, 0) - at(a, 0),
      at(c, 1) - at(a, 1),
      at(c, 2) - at(a, 2),
    ];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    area += Math.hypot(nx, ny, nz) / 2;
    sixfold += at(a, 0) * nx + at(a, 1) * ny + at(a, 2) * nz;
  }
  const { low, high } = boxOf(positions);
  const box = [...low, ...high].map((value, i) => value + origin[i % 3]);
  return { areaMm2: area, volumeMm3: isBalanced(indices, positions.length / 3) ? sixfold / 6 : undefined, box };
}

/** Whether every edge is used equally often in both directions. */
function isBalanced(indices: Uint32Array, vertexCount: number): boolean {
  const passed = new Map<number, number>();
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i],
      to = indices[i % 3 === 2 ? i - 2 : i + 1];
    const [key, step] = from < to ? [from * vertexCount + to, 1] : [to * vertexCount + from, -1];
    const sum = (passed.get(key) ?? 0) + step;
    if (sum === 0) passed.delete(key);
    else passed.set(key, sum);
  }
  return passed.size === 0;
}
