import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** How the triangles of a mesh hang together. A closed, well-oriented solid has 0 of all three kinds of edge. */
export interface MeshTopology {
  /** Edges of one triangle: the mesh is open there. */
  readonly boundaryEdges: number;
  /** Edges of more than two triangles. */
  readonly nonManifoldEdges: number;
  /** Edges of two triangles that disagree about which side is out. */
  readonly inconsistentEdges: number;
  /** Sets of triangles connected by shared vertices. */
  readonly shellCount: number;
}

/**
 * Counts open, overfull and inconsistent edges, and shells. Vertices are told apart by number: weld first.
 * Time grows with triangles plus vertices, whatever the mesh.
 * @throws EngineError `NO_GEOMETRY` without a triangle of three vertices, `FILE_MALFORMED` for a bad index.
 */
export function meshTopology(core: Core, mesh: TriangleMesh): MeshTopology {
  return core.call((arena) => {
    const { vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const out = arena.reserve(16);
    checkStatus('meshTopology', arena.kernels.meshTopology(vertexCount, indices, triangleCount, out));
    const [boundaryEdges, nonManifoldEdges, inconsistentEdges, shellCount] = arena.u32(out, 4);
    return { boundaryEdges, nonManifoldEdges, inconsistentEdges, shellCount };
  });
}
