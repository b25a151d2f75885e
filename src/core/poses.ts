import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** An object segmented from a picture. */
export interface GrayPicture {
  /** Pixels per side, at most 181. */
  readonly size: number;
  /**
   * f32[size²], rows from the top: brightness of the object's pixels, 0 to 1; −1 outside the object. The object's box
   * is centred, and its longer side takes 60 / 64 of `size`.
   */
  readonly gray: Float32Array;
}

/**
 * Numbers per pose: unit vectors right, up and towards the camera, then half the diagonal of the mesh's box divided by
 * the distance of the camera from its centre.
 */
export const POSE_LENGTH = 10;
/** Numbers per pose that {@link measurePoses} returns. */
export const POSE_FIGURES = 4;

/**
 * Renders a mesh in each pose, in perspective, fits the rendering to the box of the object and measures the agreement.
 * @param poses f64[count * POSE_LENGTH].
 * @returns f32[count * 4]: pixels in the intersection and in the union of the silhouettes; over the intersection, the
 *   squared residual of brightness after fitting a light to the rendered normals, and the squared deviation from its
 *   mean.
 * @throws RangeError when the picture has not size² pixels; EngineError `NO_GEOMETRY` for a mesh without triangles,
 *   `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function measurePoses(core: Core, mesh: TriangleMesh, picture: GrayPicture, poses: Float64Array): Float32Array {
  return followPoses(core, mesh, picture, { poses, rounds: 0 }).figures;
}

/** @throws RangeError when a picture has not size² pixels. */
export function checkPicture({ size, gray }: GrayPicture): void {
  if (gray.length !== size ** 2)
    throw new RangeError(`gray must hold ${size} × ${size} pixels, received ${gray.length}`);
}

/** Poses that {@link followPoses} found, and how well they agree. */
export interface FollowedPoses {
  /** f64[count * (rounds + 1) * POSE_LENGTH]: each pose as it was, then after each round. */
  readonly poses: Float64Array;
  /** f32[count * (rounds + 1) * POSE_FIGURES], as {@link measurePoses} returns. */
  readonly figures: Float32Array;
}

/**
 * Turns each pose, round by round, so that the outline of the mesh comes to lie on that of the object; the last rounds
 * need not be the best. One rendering a round.
 * @param poses f64[count * POSE_LENGTH].
 * @throws EngineError as {@link measurePoses}.
 */
export function followPoses(
  core: Core,
  mesh: TriangleMesh,
  picture: GrayPicture,
  { poses, rounds }: { readonly poses: Float64Array; readonly rounds: number },
): FollowedPoses {
  checkPicture(picture);
  const { size, gray } = picture;
  const count = poses.length / POSE_LENGTH,
    all = count * (rounds + 1);
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const grayAt = arena.copyIn(gray),
      posesAt = arena.copyIn(poses);
    const posesOut = arena.reserve(8 * POSE_LENGTH * all),
      out = arena.reserve(4 * POSE_FIGURES * all);
    checkStatus(
      'followPoses',
      arena.kernels.followPoses(...meshAt, grayAt, size, posesAt, count, rounds, posesOut, out),
    );
    return { poses: arena.f64(posesOut, POSE_LENGTH * all), figures: arena.f32(out, POSE_FIGURES * all) };
  });
}
