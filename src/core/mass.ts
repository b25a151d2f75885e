import type { Core } from './core.js';
import { checkMesh, copyMeshIn, type TriangleMesh } from './mesh.js';
import { Status, checkStatus } from './status.js';

/** x, y, z in the mesh's frame. */
export type Vector3 = readonly [x: number, y: number, z: number];

/** The cross product of two vectors. */
export function cross([ax, ay, az]: Vector3, [bx, by, bz]: Vector3): Vector3 {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** Volume and surface area of a mesh. */
export interface VolumeAndArea {
  /**
   * Negative when normals point inwards. For an open mesh: the sum over tetrahedra with the area's centroid as apex.
   */
  readonly signedVolumeMm3: number;
  readonly surfaceAreaMm2: number;
}

/** Mass properties of the solid that a mesh encloses, at a density of 1. */
export interface MassProperties extends VolumeAndArea {
  /** Centroid of the volume, mm; of the surface when the mesh is open or encloses no volume. */
  readonly centroidMm: Vector3;
  /** Centroid of the surface, mm. */
  readonly areaCentroidMm: Vector3;
  /** Inertia tensor about `centroidMm`, row-major 3 × 3, mm⁵. Reversed normals do not change it. */
  readonly inertiaMm5: readonly [number, number, number, number, number, number, number, number, number];
  /** The area vectors do not sum to zero, so the mesh is certainly open. False does not prove that it is closed. */
  readonly isOpen: boolean;
}

/**
 * Volume and surface area alone, faster than {@link massProperties}.
 * Divergence theorem in double precision with compensated sums (Ogita, Rump, Oishi 2005).
 * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function volumeAndArea(core: Core, mesh: TriangleMesh): VolumeAndArea {
  checkMesh(mesh);
  const { positions, indices } = mesh;
  const found = core.call((arena) => {
    const { kernels } = arena;
    const positionsAt = arena.copyIn(positions);
    const sums = arena.copyIn(new Float64Array(SUMS_LENGTH));
    const out = arena.reserve(16);
    // In chunks: the indices are most of a mesh, and copied as a whole they would leave the cache before the kernel
    // reads them.
    const chunkAt = arena.reserve(12 * CHUNK_TRIANGLES);
    const chunk = new Uint32Array(kernels.memory.buffer, chunkAt, 3 * CHUNK_TRIANGLES);
    for (let first = 0; first < indices.length; first += chunk.length) {
      const part = indices.subarray(first, first + chunk.length);
      chunk.set(part);
      checkStatus(
        'volumeAndArea',
        kernels.addVolumeArea(positionsAt, positions.length / 3, chunkAt, part.length / 3, sums),
      );
    }
    const status = kernels.volumeAreaOf(sums, out);
    if (status === Status.OPEN_MESH) return undefined;
    checkStatus('volumeAndArea', status);
    const [signedVolumeMm3, surfaceAreaMm2] = arena.f64(out, 2);
    return { signedVolumeMm3, surfaceAreaMm2 };
  });
  if (found !== undefined) return found;
  // An open mesh: massProperties uses the area's centroid as apex, so the order of triangles does not affect the
  // volume.
  const { signedVolumeMm3, surfaceAreaMm2 } = massProperties(core, mesh);
  return { signedVolumeMm3, surfaceAreaMm2 };
}

/** Triangles per chunk, a multiple of 512; a chunk fits in the second-level cache. */
const CHUNK_TRIANGLES = 8_192;
/** Number of f64 in the kernel's sums. */
const SUMS_LENGTH = 14;

/**
 * Volume, area, centroids and inertia of a mesh.
 * Tetrahedra from a common apex (Tonon 2004), in double precision with compensated sums.
 * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function massProperties(core: Core, mesh: TriangleMesh): MassProperties {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const out = arena.reserve(15 * 8);
    arena.run('massProperties', ...meshAt, out);
    const m = arena.f64(out, 15);
    return {
      signedVolumeMm3: m[0],
      surfaceAreaMm2: m[1],
      centroidMm: [m[2], m[3], m[4]],
      areaCentroidMm: [m[5], m[6], m[7]],
      inertiaMm5: [m[8], m[11], m[12], m[11], m[9], m[13], m[12], m[13], m[10]],
      isOpen: m[14] === 1,
    };
  });
}
