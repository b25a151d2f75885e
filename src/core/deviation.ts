import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** How far points lie from a mesh. */
export interface SurfaceDeviation {
  readonly maxMm: number;
  readonly meanMm: number;
  readonly rmsMm: number;
  /** Points looked at: all of them, unless one lay farther than the bound. The figures are of these. */
  readonly pointsSeen: number;
}

/**
 * Distance of each point (f32[3 * n], mm) to the nearest place on the mesh, mm; unsigned, f32[n]. Exact but for single
 * precision: within about a millionth of the size of mesh and point. Triangles without area count as the lines that they are.
 * @throws RangeError when the points' length is not a multiple of three.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function pointMeshDistances(core: Core, mesh: TriangleMesh, points: Float32Array): Float32Array {
  checkLength('points', points, 3);
  return core.call((arena) => {
    const { positions, vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const count = points.length / 3;
    const from = arena.copyIn(points);
    const out = arena.reserve(4 * count);
    checkStatus(
      'pointMeshDistances',
      arena.kernels.pointMeshDistances(positions, vertexCount, indices, triangleCount, from, count, out),
    );
    return arena.f32(out, count);
  });
}

/**
 * For each of several transforms (f32[12 * k], row-major 3 × 4, from the points' frame to the mesh's): how far the points lie
 * from the mesh after it. A transform is given up at the first point farther than `boundMm`; some points from
 * all over the list come first, so that a bad fit is found out early. One crossing and one search tree for all.
 * @throws RangeError when a length does not fit or the bound is not a number above or equal to 0 (Infinity: look at all).
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
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
    const { positions, vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const pointCount = points.length / 3;
    const transformCount = transforms.length / 12;
    const from = arena.copyIn(points);
    const matrices = arena.copyIn(transforms);
    const out = arena.reserve(32 * transformCount);
    checkStatus(
      'surfaceDeviations',
      arena.kernels.surfaceDeviations(
        positions,
        vertexCount,
        indices,
        triangleCount,
        from,
        pointCount,
        matrices,
        transformCount,
        boundMm,
        out,
      ),
    );
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
