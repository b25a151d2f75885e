import { checkInteger, withDefaults } from '../options.js';
import type { Core } from './core.js';
import { cross, type Vector3 } from './mass.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** Options of {@link renderView}. */
export interface ViewOptions {
  /** Vector from the part towards the camera, any length. Default [1, −1, 1]: from above, in front and to the right. */
  readonly direction: Vector3;
  /**
   * Vector that points upwards in the image; need not be perpendicular to `direction`, but not parallel. Default [0, 0,
   * 1].
   */
  readonly up: Vector3;
  /** Pixels per side, 1 to {@link MOST_PIXELS}. Default 256. */
  readonly size: number;
  /** Empty border as a share of a side, 0 to 0.45. Default 0.04. */
  readonly margin: number;
  /** Smallest angle between the normals of two triangles whose common edge is drawn, 0 to π. Default 28°. */
  readonly creaseRad: number;
}

/** Largest image, pixels per side. */
export const MOST_PIXELS = 2048;

const DEFAULTS: ViewOptions = Object.freeze({
  direction: [1, -1, 1] as const,
  up: [0, 0, 1] as const,
  size: 256,
  margin: 0.04,
  creaseRad: (28 * Math.PI) / 180,
});

/** Values of the pixels of {@link View.lines}. */
export const LINE = Object.freeze({ NONE: 0, HIDDEN: 1, VISIBLE: 2 });

/** An orthographic image of a mesh. Pixels are stored in rows from the top. */
export interface View {
  /** Pixels per side. */
  readonly size: number;
  readonly scaleMmPerPixel: number;
  /** Unit vectors of the camera in the mesh's frame. */
  readonly camera: { readonly right: Vector3; readonly up: Vector3; readonly toward: Vector3 };
  /** The point at the centre of the image at depth 0, in the mesh's frame. */
  readonly originMm: Vector3;
  /** f32[size²]: depth of the surface behind the part's nearest point, mm; Infinity for background. */
  readonly depthMm: Float32Array;
  /**
   * i8[size²][3]: unit normals in the camera's frame (right, up, toward) times 127, facing the camera; 0 for
   * background.
   */
  readonly normals: Int8Array;
  /** u8[size²]: 1 where the part covers the centre of the pixel. */
  readonly mask: Uint8Array;
  /**
   * u8[size²] of {@link LINE}: edges with one triangle or more than two, creases, silhouettes and outlines. A line may
   * lie one pixel outside the mask.
   */
  readonly lines: Uint8Array;
}

/**
 * Renders a mesh with an orthographic camera, fitted into the image. Winding must be consistent; its direction has no
 * effect. Depth buffer with exact coverage (top-left rule); lines are tested for visibility against the triangle
 * beneath them.
 * @throws EngineError `NO_GEOMETRY` when the image would be a point, `FILE_MALFORMED` for a bad index or a coordinate
 *   that is not finite; TypeError or RangeError that names a wrong option.
 */
export function renderView(core: Core, mesh: TriangleMesh, options?: Partial<ViewOptions>): View {
  const { direction, up: upwards, size, margin, creaseRad } = withDefaults('view options', options, DEFAULTS);
  checkInteger('view options.size', size, 1, MOST_PIXELS);
  checkRange('view options.margin', margin, 0.45);
  checkRange('view options.creaseRad', creaseRad, Math.PI);
  const { right, up, toward } = cameraFrame('view options', direction, upwards);
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const camera = arena.copyIn(Float64Array.of(...right, ...up, ...toward));
    const pixels = size * size;
    const depth = arena.reserve(4 * pixels),
      normals = arena.reserve(3 * pixels);
    const mask = arena.reserve(pixels),
      lines = arena.reserve(pixels),
      frame = arena.reserve(4 * 8);
    const creaseCos = Math.cos(creaseRad);
    arena.run('renderView', ...meshAt, camera, size, margin, creaseCos, depth, normals, mask, lines, frame);
    const [scaleMmPerPixel, x, y, z] = arena.f64(frame, 4);
    return {
      size,
      scaleMmPerPixel,
      camera: { right, up, toward },
      originMm: [0, 1, 2].map((i) => x * right[i] + y * up[i] + z * toward[i]) as unknown as Vector3,
      depthMm: arena.f32(depth, pixels),
      normals: new Int8Array(arena.u8(normals, 3 * pixels).buffer),
      mask: arena.u8(mask, pixels),
      lines: arena.u8(lines, pixels),
    };
  });
}

/**
 * The unit vectors of a camera that looks along −`direction`, with `upwards` pointing up in its image.
 * @throws TypeError or RangeError that names `what` and the wrong vector.
 */
export function cameraFrame(what: string, direction: Vector3, upwards: Vector3): View['camera'] {
  const toward = unit(`${what}.direction`, direction);
  const right = unit(`${what}.up across the direction`, cross(unit(`${what}.up`, upwards), toward));
  return { right, up: cross(toward, right), toward };
}

function checkRange(what: string, value: unknown, most: number): void {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, received ${typeof value}`);
  if (!(value >= 0 && value <= most)) throw new RangeError(`${what} must lie from 0 to ${most}, received ${value}`);
}

function unit(what: string, vector: Vector3): Vector3 {
  if (!Array.isArray(vector) || vector.length !== 3)
    throw new TypeError(`${what} must be three numbers, received ${String(vector)}`);
  const [x, y, z] = vector;
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-9 && length < Infinity))
    throw new RangeError(`${what} must be finite and not zero, received ${vector.join(', ')}`);
  return [x / length, y / length, z / length];
}
