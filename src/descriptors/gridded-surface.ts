import type { TriangleMesh } from '../core/mesh.js';
import { EngineError } from '../errors.js';
import { canonicalGridMesh, GRID_STEPS, type GridMesh } from './surface-grid.js';
import { measureSurface, type SurfaceMeasures } from './surface-measures.js';

/** A mesh rounded to a grid over its bounding box, and what is measured of it. */
export interface GriddedSurface {
  /** Low corner of the axis-aligned box of the triangles, mm. */
  readonly low: readonly number[];
  /** Side lengths of that box along the axes, mm. */
  readonly extent: readonly number[];
  readonly grid: GridMesh;
  /** Measures of the rounded mesh, not of the original one. */
  readonly measures: SurfaceMeasures;
}

/**
 * Rounds a mesh to {@link GRID_STEPS} steps along each axis of its box, welds it and measures it.
 * @throws EngineError `NO_GEOMETRY` when no triangle has area on the grid.
 */
export function gridSurface(mesh: TriangleMesh): GriddedSurface {
  const { low, extent } = boundsOf(mesh);
  const grid = canonicalGridMesh(toSteps(mesh.positions, low, extent), mesh.indices);
  const measures = measureSurface({ positions: fromSteps(grid.steps, low, extent), indices: grid.indices });
  if (!(measures.surfaceAreaMm2 > 0)) throw new EngineError('NO_GEOMETRY', 'the mesh has no triangle of positive area');
  return { low, extent, grid, measures };
}

function boundsOf({ positions, indices }: TriangleMesh): { low: number[]; extent: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const index of indices) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * index + axis];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  if (indices.length === 0) throw new EngineError('NO_GEOMETRY', 'the mesh has no triangles');
  return { low, extent: [high[0] - low[0], high[1] - low[1], high[2] - low[2]] };
}

function toSteps(positions: Float32Array, low: readonly number[], extent: readonly number[]): Uint16Array {
  const steps = new Uint16Array(positions.length);
  for (let axis = 0; axis < 3; axis++) {
    const scale = extent[axis] > 0 ? GRID_STEPS / extent[axis] : 0;
    for (let i = axis; i < positions.length; i += 3) {
      // Vertices that no triangle uses may lie outside the box.
      steps[i] = Math.min(GRID_STEPS, Math.max(0, Math.floor((positions[i] - low[axis]) * scale + 0.5)));
    }
  }
  return steps;
}

/** f32[3 * vertexCount]: the grid points as coordinates, mm. */
export function fromSteps(steps: Uint16Array, low: readonly number[], extent: readonly number[]): Float32Array {
  const positions = new Float32Array(steps.length);
  for (let axis = 0; axis < 3; axis++) {
    const step = extent[axis] / GRID_STEPS;
    for (let i = axis; i < steps.length; i += 3) positions[i] = low[axis] + steps[i] * step;
  }
  return positions;
}
