import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import type { View } from './render.js';

/** A mesh whose triangles may have colors. */
export interface ColoredMesh extends TriangleMesh {
  /**
   * u8[triangleCount][4]: red, green, blue (sRGB, under full light) and a byte that is 0 for a triangle without a
   * color, which is drawn in light grey. Absent: no triangle has a color.
   */
  readonly tints?: Uint8Array;
}

/** How a shaded picture is drawn. */
export interface ShadedOptions {
  /** Candidates; the one that shows most lines is used, the first of equals. */
  readonly cameras: readonly View['camera'][];
  /** Pixels a side, 16 to 1024. */
  readonly size: number;
  /** Smallest angle between the normals of two triangles whose common edge is drawn as a line. */
  readonly creaseRad: number;
}

/**
 * Renders a mesh shaded, with its lines.
 * @returns u8[size²][4]: red, green, blue and opacity, rows from the top.
 * @throws EngineError `NO_GEOMETRY` when the image would be a point, `FILE_MALFORMED` for a bad index or a coordinate
 *   that is not finite; RangeError when `tints` is of another number of triangles.
 */
export function drawShaded(core: Core, mesh: ColoredMesh, { cameras, size, creaseRad }: ShadedOptions): Uint8Array {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const tintBytes = 4 * (mesh.indices.length / 3);
    if (mesh.tints !== undefined && mesh.tints.length !== tintBytes)
      throw new RangeError(`mesh.tints must hold 4 numbers a triangle (${tintBytes}), received ${mesh.tints.length}`);
    const tints = mesh.tints === undefined ? 0 : arena.copyIn(mesh.tints);
    const camerasAt = arena.copyIn(numbersOf(cameras));
    const out = arena.reserve(4 * size * size);
    arena.run('renderShaded', ...meshAt, camerasAt, cameras.length, size, Math.cos(creaseRad), tints, out);
    return arena.u8(out, 4 * size * size);
  });
}

/**
 * The index of the camera that {@link drawShaded} would take, whatever the size.
 * @throws EngineError `NO_GEOMETRY` or `FILE_MALFORMED` as there.
 */
export function fullestSide(
  core: Core,
  mesh: TriangleMesh,
  { cameras, creaseRad }: Pick<ShadedOptions, 'cameras' | 'creaseRad'>,
): number {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const camerasAt = arena.copyIn(numbersOf(cameras));
    const out = arena.reserve(4);
    arena.run('fullestSide', ...meshAt, camerasAt, cameras.length, Math.cos(creaseRad), out);
    return arena.u32(out, 1)[0];
  });
}

/** f64[9 * count]: right, up and towards the camera. */
function numbersOf(cameras: ShadedOptions['cameras']): Float64Array {
  return Float64Array.from(cameras.flatMap(({ right, up, toward }) => [...right, ...up, ...toward]));
}
