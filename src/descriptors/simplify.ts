import { canonicalGridMesh, type GridMesh } from './surface-grid.js';

/**
 * Merges the vertices in each cell of a cubic lattice (Rossignac and Borrel 1993). Lattices are tried from fine to
 * coarse until at most `triangleLimit` triangles are left. A merged vertex lies at the mean of its cell's vertices.
 * Deterministic: integers, except for the size of the cells.
 * @param extent sides of the mesh's box, mm.
 * @returns the mesh, and the largest distance by which a vertex moved, mm (0 when the mesh was small enough).
 */
export function simplifyGridMesh(
  mesh: GridMesh,
  extent: readonly number[],
  triangleLimit: number,
): { mesh: GridMesh; movedByMm: number } {
  let simplified = { mesh, movedByMm: 0 };
  const longest = Math.max(extent[0], extent[1], extent[2]);
  // A surface of n triangles has about n / 2 vertices; a lattice with √(n / 2) cells per side leaves nearly all of
  // them.
  let cells = Math.sqrt(2 * triangleLimit);
  while (simplified.mesh.indices.length / 3 > triangleLimit) {
    simplified = joinCells(mesh, extent, longest / cells);
    cells *= 0.9;
  }
  return simplified;
}

function joinCells(
  { steps, indices }: GridMesh,
  extent: readonly number[],
  cellMm: number,
): { mesh: GridMesh; movedByMm: number } {
  const count = steps.length / 3;
  const stepMm = [extent[0] / 65535, extent[1] / 65535, extent[2] / 65535];
  const numbers = new Map<number, number>();
  const cellOf = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let key = 0;
    for (let axis = 0; axis < 3; axis++) key = key * 65536 + Math.floor((steps[3 * i + axis] * stepMm[axis]) / cellMm);
    let cell = numbers.get(key);
    if (cell === undefined) {
      cell = numbers.size;
      numbers.set(key, cell);
    }
    cellOf[i] = cell;
  }
  const sums = new Float64Array(4 * numbers.size);
  for (let i = 0; i < count; i++) {
    const cell = 4 * cellOf[i];
    for (let axis = 0; axis < 3; axis++) sums[cell + axis] += steps[3 * i + axis];
    sums[cell + 3]++;
  }
  const joined = new Uint16Array(3 * numbers.size);
  for (let cell = 0; cell < numbers.size; cell++) {
    for (let axis = 0; axis < 3; axis++)
      joined[3 * cell + axis] = Math.floor(sums[4 * cell + axis] / sums[4 * cell + 3] + 0.5);
  }
  let moved = 0;
  for (let i = 0; i < count; i++) {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const way = (joined[3 * cellOf[i] + axis] - steps[3 * i + axis]) * stepMm[axis];
      squared += way * way;
    }
    moved = Math.max(moved, squared);
  }
  return {
    mesh: canonicalGridMesh(
      joined,
      indices.map((index) => cellOf[index]),
    ),
    movedByMm: Math.sqrt(moved),
  };
}
