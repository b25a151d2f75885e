/** Topology of a mesh: open, non-manifold and inconsistent edges, and connected shells. */
import { reserve } from '../arena';
import { BAD_INDEX, DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, allBelow } from './check';
import { endOf, isCollapsed, sortByEdge, startOf } from './edges';

/**
 * Counts, to `out`: u32[4] = edges with one triangle, edges with more than two, edges that two triangles traverse in
 * the same direction, and shells (sets of triangles connected by shared vertices). Triangles that name a vertex twice
 * are ignored. Returns a status.
 */
export function meshTopology(vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  if (triangleCount == 0) return NO_GEOMETRY;
  if (!allBelow(indices, triangleCount * 3, vertexCount)) return BAD_INDEX;
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const count = triangleCount * 3;
  const order = reserve(count * 4);
  const parents = reserve(vertexCount * 4);
  const seen = reserve(vertexCount);
  if (order == 0 || parents == 0 || seen == 0) return OUT_OF_MEMORY;
  const status = sortByEdge(indices, vertexCount, triangleCount, order);
  if (status != DONE) return status;

  let open: u32 = 0,
    overfull: u32 = 0,
    disagreeing: u32 = 0,
    edges: u32 = 0;
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) store<u32>(parents + ((<usize>vertex) << 2), vertex);
  for (let i: u32 = 0; i < count; ) {
    const first = load<u32>(order + ((<usize>i) << 2));
    const start = startOf(indices, first),
      end = endOf(indices, first);
    let triangles: u32 = 0,
      alongside: u32 = 0;
    for (; i < count; i++) {
      const half = load<u32>(order + ((<usize>i) << 2));
      const s = startOf(indices, half),
        e = endOf(indices, half);
      if (!(s == start && e == end) && !(s == end && e == start)) break;
      if (isCollapsed(indices, half / 3)) continue;
      triangles++;
      alongside += u32(s == start);
    }
    if (triangles == 0) continue;
    edges++;
    if (triangles == 1) open++;
    else if (triangles > 2) overfull++;
    else if (alongside != 1) disagreeing++;
    join(parents, start, end);
  }
  if (edges == 0) return NO_GEOMETRY;
  // A shell is counted at its root; roots that no triangle touches are vertices without triangles.
  let shells: u32 = 0;
  memory.fill(seen, 0, vertexCount);
  for (let triangle: u32 = 0; triangle < triangleCount; triangle++) {
    if (isCollapsed(indices, triangle)) continue;
    const at = seen + <usize>rootOf(parents, startOf(indices, 3 * triangle));
    shells += 1 - <u32>load<u8>(at);
    store<u8>(at, 1);
  }
  store<u32>(out, open);
  store<u32>(out, overfull, 4);
  store<u32>(out, disagreeing, 8);
  store<u32>(out, shells, 12);
  return DONE;
}

/** Root of the vertex's shell, with path halving (Tarjan, van Leeuwen 1984). */
function rootOf(parents: usize, vertex: u32): u32 {
  let here = vertex;
  let parent = load<u32>(parents + ((<usize>here) << 2));
  while (parent != here) {
    const above = load<u32>(parents + ((<usize>parent) << 2));
    store<u32>(parents + ((<usize>here) << 2), above);
    here = above;
    parent = load<u32>(parents + ((<usize>here) << 2));
  }
  return here;
}

/** Joins two shells; the lower root becomes the root of both. */
function join(parents: usize, a: u32, b: u32): void {
  const p = rootOf(parents, a),
    q = rootOf(parents, b);
  if (p < q) store<u32>(parents + ((<usize>q) << 2), p);
  else store<u32>(parents + ((<usize>p) << 2), q);
}
