import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** Largest number of samples per call. */
export const MOST_SAMPLES = 10_000_000;

/** Points on a surface. */
export interface SurfaceSamples {
  /** f32[3 * count], mm, ordered by triangle. */
  readonly positions: Float32Array;
  /** f32[3 * count]: unit normals of the triangles that hold the points. */
  readonly normals: Float32Array;
}

/**
 * Samples `count` points evenly by area, one in each equal share of it. The same mesh and seed give the same bits.
 * Systematic sampling over the triangles' areas, uniform within a triangle (Turk 1990), PCG (O'Neill 2014).
 * @throws RangeError unless `count` is a whole number from 1 to {@link MOST_SAMPLES} and `seed` one below 2³².
 * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function sampleSurface(core: Core, mesh: TriangleMesh, count: number, seed: number): SurfaceSamples {
  if (!Number.isInteger(count) || count < 1 || count > MOST_SAMPLES) {
    throw new RangeError(`count must be a whole number from 1 to ${MOST_SAMPLES}, received ${count}`);
  }
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new RangeError(`seed must be a whole number from 0 to ${2 ** 32 - 1}, received ${seed}`);
  }
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const points = arena.reserve(12 * count);
    const normals = arena.reserve(12 * count);
    arena.run('sampleSurface', ...meshAt, count, seed, points, normals);
    return { positions: arena.f32(points, 3 * count), normals: arena.f32(normals, 3 * count) };
  });
}
