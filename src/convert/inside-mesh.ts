import { boxOf } from '../content/boxes.js';
import type { WideMesh } from './refine-mesh.js';

/** Cells per side of the grid in which triangles are looked up, and most entries of it. */
const MOST_CELLS = 256;
const MOST_ENTRIES = 40_000_000;
/** Offset of the rays, as a share of the mesh's extent. */
const NUDGE = 1e-6;

/**
 * Which points (f32[3 * n], mm) lie inside a closed mesh, 1 or 0 each; points that are not `wanted` get 0. The winding
 * of the surface around a point is counted along a ray of each axis, and two of three decide: a ray that meets an edge
 * may miscount. Overlapping surfaces (solids of an assembly) and inverted meshes also count as inside.
 */
export function insideMesh(mesh: WideMesh, points: Float32Array, wanted: (point: number) => boolean): Uint8Array {
  const votes = new Uint8Array(points.length / 3);
  for (const axis of [0, 1, 2]) countAlong(axis, mesh, points, wanted, votes);
  return votes.map((count) => (count >= 2 ? 1 : 0));
}

function countAlong(
  axis: number,
  { positions: p, indices }: WideMesh,
  points: Float32Array,
  wanted: (point: number) => boolean,
  votes: Uint8Array,
): void {
  const u = (axis + 1) % 3,
    v = (axis + 2) % 3;
  const grid = gridOf(p, indices, u, v);
  for (let i = 0; i < votes.length; i++) {
    if (!wanted(i)) continue;
    const x = points[3 * i + u] + grid.nudge[0],
      y = points[3 * i + v] + grid.nudge[1],
      z = points[3 * i + axis];
    const cell = grid.cellAt(x, y);
    if (cell < 0) continue;
    let winding = 0;
    for (let k = grid.starts[cell]; k < grid.starts[cell + 1]; k++) {
      const t = 3 * grid.triangles[k];
      const a = 3 * indices[t],
        b = 3 * indices[t + 1],
        c = 3 * indices[t + 2];
      const ab = cross(p[a + u] - x, p[a + v] - y, p[b + u] - x, p[b + v] - y);
      const bc = cross(p[b + u] - x, p[b + v] - y, p[c + u] - x, p[c + v] - y);
      const ca = cross(p[c + u] - x, p[c + v] - y, p[a + u] - x, p[a + v] - y);
      const isUp = ab >= 0 && bc >= 0 && ca >= 0,
        isDown = ab < 0 && bc < 0 && ca < 0;
      const area = ab + bc + ca;
      if (isUp === isDown || area === 0) continue;
      if ((p[a + axis] * bc + p[b + axis] * ca + p[c + axis] * ab) / area > z) winding += isUp ? 1 : -1;
    }
    if (winding !== 0) votes[i]++;
  }
}

interface Grid {
  /** Number of the cell at a place; -1 outside the grid. */
  readonly cellAt: (x: number, y: number) => number;
  /** Start of each cell's triangles, with the total at the end. */
  readonly starts: Uint32Array;
  readonly triangles: Uint32Array;
  /** Moves rays off edges and corners, which in drawn parts often share coordinates with the points. */
  readonly nudge: readonly [u: number, v: number];
}

/** The triangles above a plane, each in all cells that its box touches. */
function gridOf(p: Float64Array, indices: Uint32Array, u: number, v: number): Grid {
  const { low, high } = boxOf(p);
  const [lowU, highU, lowV, highV] = [low[u], high[u], low[v], high[v]];
  for (
    let side = Math.max(1, Math.min(MOST_CELLS, Math.ceil(Math.sqrt(indices.length / 3))));
    ;
    side = Math.ceil(side / 2)
  ) {
    const column = (x: number): number => Math.min(side - 1, Math.floor(((x - lowU) / (highU - lowU || 1)) * side));
    const row = (y: number): number => Math.min(side - 1, Math.floor(((y - lowV) / (highV - lowV || 1)) * side));
    const eachCell = (visit: (cell: number, triangle: number) => void): void => {
      for (let t = 0; t < indices.length; t += 3) {
        const corners = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
        const us = corners.map((corner) => p[corner + u]),
          vs = corners.map((corner) => p[corner + v]);
        const lastColumn = column(Math.max(...us)),
          lastRow = row(Math.max(...vs)),
          firstColumn = column(Math.min(...us));
        for (let y = row(Math.min(...vs)); y <= lastRow; y++)
          for (let x = firstColumn; x <= lastColumn; x++) visit(y * side + x, t / 3);
      }
    };
    const starts = new Uint32Array(side * side + 1);
    eachCell((cell) => {
      starts[cell + 1]++;
    });
    for (let cell = 0; cell < side * side; cell++) starts[cell + 1] += starts[cell];
    if (starts[side * side] > MOST_ENTRIES && side > 1) continue;
    const triangles = new Uint32Array(starts[side * side]);
    const next = starts.slice(0, -1);
    eachCell((cell, triangle) => {
      triangles[next[cell]++] = triangle;
    });
    return {
      starts,
      triangles,
      nudge: [0.75 * NUDGE * (highU - lowU), 0.57 * NUDGE * (highV - lowV)],
      cellAt: (x, y) => (x < lowU || x > highU || y < lowV || y > highV ? -1 : row(y) * side + column(x)),
    };
  }
}

function cross(ax: number, ay: number, bx: number, by: number): number {
  return ax * by - ay * bx;
}
