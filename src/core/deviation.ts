import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** Distances of points to a mesh. */
export interface SurfaceDeviation {
  readonly maxMm: number;
  readonly meanMm: number;
  readonly rmsMm: number;
  /**
   * Number of points that were measured: all, unless one was farther than the bound. The figures are of these points.
   */
  readonly pointsSeen: number;
}

/**
 * Unsigned distance of each point to the mesh, f32[n], mm. Exact up to single precision: about a millionth of the size
 * of mesh and points. Triangles without area count as line segments.
 * @param points f32[3 * n], mm.
 * @throws RangeError when the points' length is not a multiple of three.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not
 *   finite.
 */
export function pointMeshDistances(core: Core, mesh: TriangleMesh, points: Float32Array): Float32Array {
  checkLength('points', points, 3);
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const count = points.length / 3;
    const from = arena.copyIn(points);
    const out = arena.reserve(4 * count);
    arena.run('pointMeshDistances', ...meshAt, from, count, out);
    return arena.f32(out, count);
  });
}

/**
 * Distances of transformed points to a mesh, for several transforms. A transform is abandoned at the first point
 * farther than `boundMm`; points from all over the list are measured first, so that a bad fit is found early. All
 * transforms share one call and one search tree.
 * @param points f32[3 * n], mm.
 * @param transforms f32[12 * k], row-major 3 × 4, from the frame of the points to that of the mesh.
 * @param boundMm Infinity measures all points.
 * @throws RangeError when a length does not fit or the bound is not a number above or equal to 0.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not
 *   finite.
 */
export function surfaceDeviations(
  core: Core,
  mesh: TriangleMesh,
  points: Float32Array,
  transforms: Float32Array,
  boundMm: number,
): SurfaceDeviation[] {
  checkLength('points', points, 3);
  checkLength('transforms', transforms, 12);
  if (!(boundMm >= 0)) throw new RangeError(`boundMm must be a number above or equal to 0, received ${boundMm}`);
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const pointCount = points.length / 3;
    const transformCount = transforms.length / 12;
    const from = arena.copyIn(points);
    const matrices = arena.copyIn(transforms);
    const out = arena.reserve(32 * transformCount);
    arena.run('surfaceDeviations', ...meshAt, from, pointCount, matrices, transformCount, boundMm, out);
    const figures = arena.f64(out, 4 * transformCount);
    return Array.from({ length: transformCount }, (_, i) => {
      const [maxMm, meanMm, rmsMm, pointsSeen] = figures.subarray(4 * i, 4 * i + 4);
      return { maxMm, meanMm, rmsMm, pointsSeen };
    });
  });
}

function checkLength(name: string, values: Float32Array, step: number): void {
  if (values.length % step !== 0)
    throw new RangeError(`${name} must hold a multiple of ${step} numbers, received ${values.length}`);
}
