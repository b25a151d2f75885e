import type { Core } from './core.js';
import { checkMesh, copyMeshIn, type TriangleMesh } from './mesh.js';
import { Status, checkStatus } from './status.js';

/** x, y, z in the mesh's frame. */
export type Vector3 = readonly [x: number, y: number, z: number];

/** Volume and surface area of a mesh. */
export interface VolumeAndArea {
  /** Negative when faces point inwards; of an open mesh, the sum over its triangles seen from the area's centroid. */
  readonly signedVolumeMm3: number;
  readonly surfaceAreaMm2: number;
}

/** How the matter of a mesh is spread, at a density of 1. */
export interface MassProperties extends VolumeAndArea {
  /** Centroid of the volume, mm; of the area where the mesh is open or encloses nothing. */
  readonly centroidMm: Vector3;
  /** Centroid of the surface, mm. */
  readonly areaCentroidMm: Vector3;
  /** Inertia tensor about `centroidMm`, row-major 3 × 3, mm⁵. The same for a mesh and for the same turned inside out. */
  readonly inertiaMm5: readonly [number, number, number, number, number, number, number, number, number];
  /** The area vectors do not cancel, so the triangles do not enclose a volume; a sure sign, but not all open meshes give it. */
  readonly isOpen: boolean;
}

/**
 * Volume and surface area alone: the fast way to both.
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
    // Bit by bit: the indices are most of a mesh, and copied as a whole they would leave the cache before they are read.
    const bitAt = arena.reserve(12 * BIT_TRIANGLES);
    const bit = new Uint32Array(kernels.memory.buffer, bitAt, 3 * BIT_TRIANGLES);
    for (let first = 0; first < indices.length; first += bit.length) {
      const part = indices.subarray(first, first + bit.length);
      bit.set(part);
      checkStatus(
        'volumeAndArea',
        kernels.addVolumeArea(positionsAt, positions.length / 3, bitAt, part.length / 3, sums),
      );
    }
    const status = kernels.volumeAreaOf(sums, out);
    if (status === Status.OPEN_MESH) return undefined;
    checkStatus('volumeAndArea', status);
    const [signedVolumeMm3, surfaceAreaMm2] = arena.f64(out, 2);
    return { signedVolumeMm3, surfaceAreaMm2 };
  });
  if (found !== undefined) return found;
  // With the area's centroid as the apex, so that it does not matter which triangle is first.
  const { signedVolumeMm3, surfaceAreaMm2 } = massProperties(core, mesh);
  return { signedVolumeMm3, surfaceAreaMm2 };
}

/** Triangles handed over at a time, a multiple of 512; they lie in the second-level cache. */
const BIT_TRIANGLES = 8_192;
/** f64 of the kernel's sums. */
const SUMS_LENGTH = 14;

/**
 * Volume, area, centroids and inertia of a mesh.
 * Tetrahedra from a common apex (Tonon 2004), in double precision with compensated sums.
 * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function massProperties(core: Core, mesh: TriangleMesh): MassProperties {
  return core.call((arena) => {
    const { positions, vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const out = arena.reserve(15 * 8);
    checkStatus('massProperties', arena.kernels.massProperties(positions, vertexCount, indices, triangleCount, out));
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
