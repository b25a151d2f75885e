import type { Arena, Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkStatus } from './status.js';

/** A search tree over the triangles of a mesh, kept outside the core: it can be used again and again. */
export interface SurfaceTree {
  /** @internal The kernels' own layouts. */
  readonly packets: Uint8Array;
  /** @internal */
  readonly nodes: Uint8Array;
  /** @internal */
  readonly root: number;
  /** @internal */
  readonly lowestCount: number;
  /** u32[triangleCount]: the mesh's number of each of the tree's triangles. */
  readonly triangles: Uint32Array;
}

/** Numbers of one query: point x y z, unit normal x y z (0: any triangle), limit of the distance, mm. */
export const QUERY_LENGTH = 7;

/** Asks a tree for the nearest triangles; usable until the {@link withSurfaceTree} that gave it returns. */
export interface SurfaceQuery {
  /**
   * @param queries f32[QUERY_LENGTH * n]. @param count how many of them are asked.
   * @param distances f32[≥ count]: gets the distance to the nearest triangle that faces the same way, or the limit.
   * @param triangles i32[≥ count]: gets that triangle, or −1.
   */
  (queries: Float32Array, count: number, distances: Float32Array, triangles: Int32Array): void;
}

/**
 * Builds the tree of a mesh. Triangles lower than `thinMm` face no way in particular: they suit every query.
 * @throws EngineError `NO_GEOMETRY` without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not finite.
 */
export function buildSurfaceTree(core: Core, mesh: TriangleMesh, thinMm: number): SurfaceTree {
  return core.call((arena) => {
    const { positions, vertexCount, indices, triangleCount } = copyMeshIn(arena, mesh);
    const out = arena.reserve(32);
    checkStatus('meshTree', arena.kernels.meshTree(positions, vertexCount, indices, triangleCount, thinMm, out));
    const [packets, packetBytes, nodes, nodeBytes, root, lowestCount, order] = arena.u32(out, 7);
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
 * @param options.mostQueries the largest count that `body` asks at once.
 * @param options.cosLimit normals must agree within arccos of this, either way round.
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
