import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** Pixels per side of the pictures of {@link drawModelViews}. */
const SIZE = 64;
const PIXELS = SIZE * SIZE;

/** One picture of a mesh. */
export interface ModelView {
  /**
   * u8[64²] each, rows from the top: coverage of each pixel, 0 to 255. The longer side of the shape's box takes 60
   * pixels.
   */
  readonly mask: Uint8Array;
  readonly lines: Uint8Array;
  readonly hiddenLines: Uint8Array;
  /** 0 when the part projects to a point; the pictures are empty then. */
  readonly scaleMmPerPixel: number;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Angle by which the picture was turned counter-clockwise so that its longest axis is horizontal; 0 when upright. */
  readonly angleRad: number;
}

/**
 * How a view is drawn. `UPRIGHT`: by an orthographic camera, upright. `LAID`: in perspective, turned so that the
 * longest axis of the shape is horizontal.
 */
export const VIEW_MODE = Object.freeze({ UPRIGHT: 0, LAID: 1 });

/** How the views of a mesh are drawn. */
export interface ModelViewDrawing {
  /** f64[9 * count]: orthogonal unit vectors right, up and towards the camera. */
  readonly cameras: Float64Array;
  /** u8[count] of {@link VIEW_MODE}. */
  readonly modes: Uint8Array;
  /**
   * In perspective: half the diagonal of the mesh's box divided by the distance of the camera from its centre, 0 to
   * 0.5.
   */
  readonly nearness: number;
  /** Smallest angle between the normals of two triangles whose common edge is drawn as a line. */
  readonly creaseRad: number;
}

/**
 * Renders a mesh from many cameras in one call.
 * @throws EngineError `NO_GEOMETRY` for a mesh without triangles, `FILE_MALFORMED` for a bad index or a coordinate that
 *   is not finite.
 */
export function drawModelViews(
  core: Core,
  mesh: TriangleMesh,
  { cameras, modes, nearness, creaseRad }: ModelViewDrawing,
): ModelView[] {
  const count = cameras.length / 9;
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const camerasAt = arena.copyIn(cameras);
    const pictures = arena.reserve(count * 3 * PIXELS),
      frames = arena.reserve(count * 4 * 8);
    const modesAt = arena.copyIn(modes);
    const creaseCos = Math.cos(creaseRad);
    arena.run('renderModelViews', ...meshAt, camerasAt, modesAt, count, nearness, creaseCos, pictures, frames);
    const sizes = arena.f64(frames, 4 * count);
    return Array.from({ length: count }, (_, view) => ({
      mask: arena.u8(pictures + 3 * view * PIXELS, PIXELS),
      lines: arena.u8(pictures + (3 * view + 1) * PIXELS, PIXELS),
      hiddenLines: arena.u8(pictures + (3 * view + 2) * PIXELS, PIXELS),
      scaleMmPerPixel: sizes[4 * view],
      widthMm: sizes[4 * view + 1],
      heightMm: sizes[4 * view + 2],
      angleRad: sizes[4 * view + 3],
    }));
  });
}
