import type { Arena, Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** A search tree over the triangles of a mesh, copied out of the core so that it can be reused. */
export interface SurfaceTree {
  /** @internal In the layout of the kernels, as are the next three. */
  readonly packets: Uint8Array;
  /** @internal */
  readonly nodes: Uint8Array;
  /** @internal */
  readonly root: number;
  /** @internal */
  readonly lowestCount: number;
  /** u32[triangleCount]: for each triangle of the tree, its number in the mesh. */
  readonly triangles: Uint32Array;
}

/** Numbers per query: point x y z, unit normal x y z (0: any triangle), largest distance, mm. */
export const QUERY_LENGTH = 7;

/** Finds the nearest triangles in a tree. Usable until the {@link withSurfaceTree} that provides it returns. */
export interface SurfaceQuery {
  /**
   * @param queries f32[QUERY_LENGTH * n]. @param count number of queries to answer, from the first.
   * @param distances f32[≥ count]: receives the distance to the nearest triangle with a matching normal, or the limit.
   * @param triangles i32[≥ count]: receives that triangle, or −1.
   */
  (queries: Float32Array, count: number, distances: Float32Array, triangles: Int32Array): void;
}

/**
 * Builds the tree of a mesh. Triangles with a height below `thinMm` have no reliable normal and match every query.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not
 *   finite.
 */
export function buildSurfaceTree(core: Core, mesh: TriangleMesh, thinMm: number): SurfaceTree {
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const out = arena.reserve(32);
    arena.run('meshTree', ...meshAt, thinMm, out);
    const [packets, packetBytes, nodes, nodeBytes, root, lowestCount, order] = arena.u32(out, 7);
    const triangleCount = mesh.indices.length / 3;
    const pairs = arena.u32(order, 2 * triangleCount);
    return {
      packets: arena.u8(packets, packetBytes),
      nodes: arena.u8(nodes, nodeBytes),
      root,
      lowestCount,
      triangles: Uint32Array.from({ length: triangleCount }, (_, place) => pairs[2 * place + 1]),
    };
  });
}

/**
 * Runs `body` with a tree in the core's memory.
 * @param options.mostQueries the largest count that `body` passes at once.
 * @param options.cosLimit normals match within arccos of this, in either direction.
 */
export function withSurfaceTree<T>(
  core: Core,
  tree: SurfaceTree,
  options: { readonly mostQueries: number; readonly cosLimit: number },
  body: (nearest: SurfaceQuery) => T,
): T {
  return core.call((arena: Arena) => {
    const packets = arena.copyIn(tree.packets);
    const nodes = arena.copyIn(tree.nodes);
    const into = arena.reserve(4 * QUERY_LENGTH * options.mostQueries);
    const out = arena.reserve(8 * options.mostQueries);
    const { kernels } = arena;
    return body((queries, count, distances, triangles) => {
      if (count > options.mostQueries)
        throw new RangeError(`at most ${options.mostQueries} queries at once, received ${count}`);
      new Float32Array(kernels.memory.buffer, into, QUERY_LENGTH * count).set(
        queries.subarray(0, QUERY_LENGTH * count),
      );
      const mark = kernels.mark();
      const status = kernels.nearestTriangles(
        packets,
        nodes,
        tree.root,
        tree.lowestCount,
        into,
        count,
        options.cosLimit,
        out,
      );
      kernels.reset(mark);
      checkStatus('nearestTriangles', status);
      const found = new Float32Array(kernels.memory.buffer, out, 2 * count);
      const places = new Uint32Array(kernels.memory.buffer, out, 2 * count);
      for (let i = 0; i < count; i++) {
        distances[i] = found[2 * i];
        const place = places[2 * i + 1];
        // The last packet repeats its last triangle.
        triangles[i] = place === 0xffffffff ? -1 : tree.triangles[Math.min(place, tree.triangles.length - 1)];
      }
    });
  });
}
