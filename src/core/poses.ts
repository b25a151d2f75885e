import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** An object in a picture. */
export interface GrayPicture {
  /** Pixels a side, at most 181. */
  readonly size: number;
  /**
   * f32[size²], row by row from the top left: brightness of the object's pixels, 0 to 1; -1 where it is not. The longer side of its box takes 60 of
   * 64 parts of a side; the box is centred.
   */
  readonly gray: Float32Array;
}

/** Numbers of one pose: unit vectors right, up and towards the camera, then half the diagonal of the mesh's box over the camera's distance from its middle. */
export const POSE_LENGTH = 10;
/** Numbers that {@link measurePoses} gives of one pose. */
export const POSE_FIGURES = 4;

/**
 * Draws a mesh in each pose, in perspective, fitted to the box of the object, and measures how well that explains the picture. poses: f64[count * 10].
 * Returns f32[count * 4]: pixels of both, of either; of the pixels of both, the squares of brightness that no light explains by the normals seen
 * there, and the squares about the mean.
 * @throws EngineError `NO_GEOMETRY` for a mesh without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function measurePoses(
  core: Core,
  mesh: TriangleMesh,
  { size, gray }: GrayPicture,
  poses: Float64Array,
): Float32Array {
  const count = poses.length / POSE_LENGTH;
  return core.call((arena) => {
    const { positions, vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const grayAt = arena.copyIn(gray),
      posesAt = arena.copyIn(poses);
    const out = arena.reserve(4 * POSE_FIGURES * count);
    checkStatus(
      'measurePoses',
      arena.kernels.scorePoses(positions, vertexCount, indices, triangleCount, grayAt, size, posesAt, count, out),
    );
    return arena.f32(out, POSE_FIGURES * count);
  });
}
