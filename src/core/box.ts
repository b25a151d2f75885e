import type { Core } from './core.js';
import type { Vector3 } from './mass.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** A box parallel to the axes of the mesh's frame. */
export interface AxisAlignedBox {
  readonly lowMm: Vector3;
  readonly highMm: Vector3;
}

/** A box in any orientation. */
export interface OrientedBox {
  readonly centerMm: Vector3;
  /** Unit vectors along the sides, in the order of `sizeMm`; right-handed. */
  readonly axes: readonly [Vector3, Vector3, Vector3];
  /** Side lengths, descending. The last is 0 for a flat shape. */
  readonly sizeMm: Vector3;
  readonly volumeMm3: number;
}

/**
 * The axis-aligned box of all triangles; vertices that no triangle uses do not count.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not
 *   finite.
 */
export function axisAlignedBox(core: Core, mesh: TriangleMesh): AxisAlignedBox {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const out = arena.reserve(32);
    arena.run('axisAlignedBox', ...meshAt, out);
    const b = arena.f32(out, 8);
    return { lowMm: [b[0], b[1], b[2]], highMm: [b[4], b[5], b[6]] };
  });
}

/**
 * The box of smallest volume around all triangles, in any orientation. Rotating the mesh changes its volume by less
 * than a thousandth. A shape thinner than a millionth of its size counts as flat. Directions from the faces and edges
 * of the convex hull (O'Rourke 1985), rotating calipers, then local improvement.
 * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function orientedBox(core: Core, mesh: TriangleMesh): OrientedBox {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const out = arena.reserve(16 * 8);
    arena.run('orientedBox', ...meshAt, out);
    const b = arena.f64(out, 16);
    return {
      centerMm: [b[0], b[1], b[2]],
      axes: [
        [b[3], b[4], b[5]],
        [b[6], b[7], b[8]],
        [b[9], b[10], b[11]],
      ],
      sizeMm: [b[12], b[13], b[14]],
      volumeMm3: b[15],
    };
  });
}
