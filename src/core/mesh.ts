import type { Arena } from './core.js';
import type { MeshInCore } from './exports.js';

/** A triangle mesh as the kernels read it: single precision, near the origin, all parts of the model in one frame. */
export interface TriangleMesh {
  /** f32[3 * vertexCount], mm. Far from the origin precision is lost: translate such models before rounding to f32. */
  readonly positions: Float32Array;
  /** u32[3 * triangleCount], counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
}

/**
 * Copies a mesh into the core's memory. The kernels check indices and coordinates, because they read all of them
 * anyway.
 * @throws RangeError when an array's length is not a multiple of three.
 */
export function copyMeshIn(arena: Arena, mesh: TriangleMesh): MeshInCore {
  checkMesh(mesh);
  const { positions, indices } = mesh;
  return [arena.copyIn(positions), positions.length / 3, arena.copyIn(indices), indices.length / 3];
}

/** @throws RangeError when an array's length is not a multiple of three. */
export function checkMesh({ positions, indices }: Record<'positions' | 'indices', { readonly length: number }>): void {
  if (positions.length % 3 !== 0)
    throw new RangeError(`mesh.positions must hold 3 numbers a vertex, received ${positions.length}`);
  if (indices.length % 3 !== 0)
    throw new RangeError(`mesh.indices must hold 3 numbers a triangle, received ${indices.length}`);
}
