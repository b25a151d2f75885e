import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/**
 * How the triangles of a mesh are connected. A closed, consistently oriented solid has 0 of all three kinds of edge.
 */
export interface MeshTopology {
  /** Edges with one triangle: the mesh is open there. */
  readonly boundaryEdges: number;
  /** Edges with more than two triangles. */
  readonly nonManifoldEdges: number;
  /** Edges whose two triangles have opposite orientations. */
  readonly inconsistentEdges: number;
  /** Number of sets of triangles that are connected by shared vertices. */
  readonly shellCount: number;
}

/**
 * Counts open, non-manifold and inconsistent edges, and shells. Vertices are identified by number, so weld the mesh
 * first. Time is linear in triangles and vertices for every mesh.
 * @throws EngineError `NO_GEOMETRY` without a triangle of three vertices, `FILE_MALFORMED` for a bad index.
 */
export function meshTopology(core: Core, mesh: TriangleMesh): MeshTopology {
  return core.call((arena) => {
    const [, vertexCount, indices, triangleCount] = copyMeshIn(arena, mesh);
    const out = arena.reserve(16);
    arena.run('meshTopology', vertexCount, indices, triangleCount, out);
    const [boundaryEdges, nonManifoldEdges, inconsistentEdges, shellCount] = arena.u32(out, 4);
    return { boundaryEdges, nonManifoldEdges, inconsistentEdges, shellCount };
  });
}
