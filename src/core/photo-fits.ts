import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { POSE_LENGTH, type GrayPicture } from './poses.js';

/**
 * How surely an object shows a mesh in each of these poses, the higher the surer, as a learned network tells.
 * @param picture of 64 pixels a side.
 * @param poses f64[count * POSE_LENGTH].
 * @param table of `tables/photo-fits.bin`.
 * @throws EngineError as `measurePoses`.
 */
export function photoFits(
  core: Core,
  mesh: TriangleMesh,
  { gray }: GrayPicture,
  poses: Float64Array,
  table: Uint8Array,
): Float32Array {
  const count = poses.length / POSE_LENGTH;
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const grayAt = arena.copyIn(gray),
      posesAt = arena.copyIn(poses),
      tableAt = arena.copyIn(table);
    const out = arena.reserve(4 * count);
    arena.run('photoFits', ...meshAt, grayAt, posesAt, count, tableAt, out);
    return arena.f32(out, count);
  });
}
