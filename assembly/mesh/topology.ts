/**
 * How the triangles hang together: open and overfull edges, edges whose triangles disagree, and connected shells. Edges
 * are sorted by counting, first by their higher vertex, then by their lower one, so that the time is bounded by the number
 * of triangles and vertices whatever the mesh (a hash table may be made to collide).
 */
import { reserve } from '../arena';
import { BAD_INDEX, DONE, NO_GEOMETRY, OUT_OF_MEMORY } from '../status';
import { MOST_TRIANGLES, TRIANGLE, allBelow } from './check';

/**
 * Counts, to `out`: u32[4] = edges of one triangle, edges of more than two, edges of two triangles that run along them the
 * same way, and shells (sets of triangles connected by shared vertices). A triangle that names a vertex twice is no triangle
 * here. Returns a status.
 */
export function meshTopology(vertexCount: u32, indices: usize, triangleCount: u32, out: usize): i32 {
  if (triangleCount == 0) return NO_GEOMETRY;
  if (!allBelow(indices, triangleCount * 3, vertexCount)) return BAD_INDEX;
  if (triangleCount > MOST_TRIANGLES) return OUT_OF_MEMORY;
  const starts = reserve((vertexCount + 1) * 4);
  const byHigher = reserve(triangleCount * 3 * 8);
  const byLower = reserve(triangleCount * 3 * 4);
  const parents = reserve(vertexCount * 4);
  if (starts == 0 || byHigher == 0 || byLower == 0 || parents == 0) return OUT_OF_MEMORY;
  const end = indices + <usize>triangleCount * TRIANGLE;

  // By higher vertex: u32 lower, u32 (higher << 1 | whether the triangle runs from higher to lower).
  memory.fill(starts, 0, (<usize>vertexCount + 1) << 2);
  for (let at = indices; at < end; at += TRIANGLE) {
    const a = load<u32>(at), b = load<u32>(at, 4), c = load<u32>(at, 8);
    if (a == b || b == c || c == a) continue;
    countAt(starts, max(a, b));
    countAt(starts, max(b, c));
    countAt(starts, max(c, a));
  }
  const edgeCount = toStarts(starts, vertexCount);
  if (edgeCount == 0) return NO_GEOMETRY;
  for (let at = indices; at < end; at += TRIANGLE) {
    const a = load<u32>(at), b = load<u32>(at, 4), c = load<u32>(at, 8);
    if (a == b || b == c || c == a) continue;
    putEdge(starts, byHigher, a, b);
    putEdge(starts, byHigher, b, c);
    putEdge(starts, byHigher, c, a);
  }

  // Then by lower vertex; the first order stays within each.
  memory.fill(starts, 0, (<usize>vertexCount + 1) << 2);
  const edgesEnd = byHigher + (<usize>edgeCount << 3);
  for (let at = byHigher; at < edgesEnd; at += 8) countAt(starts, load<u32>(at));
  toStarts(starts, vertexCount);
  for (let at = byHigher; at < edgesEnd; at += 8) {
    store<u32>(byLower + (<usize>takePlace(starts, load<u32>(at)) << 2), load<u32>(at, 4));
  }

  let open: u32 = 0, overfull: u32 = 0, disagreeing: u32 = 0;
  let shells: u32 = 0;
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) store<u32>(parents + (<usize>vertex << 2), vertex);
  // A start has become the end of its run, and so the start of the next vertex's.
  for (let lower: u32 = 0, i: u32 = 0; lower < vertexCount; lower++) {
    const runEnd = load<u32>(starts + (<usize>lower << 2));
    while (i < runEnd) {
      const higher = load<u32>(byLower + (<usize>i << 2)) >> 1;
      let triangles: u32 = 0, backward: u32 = 0;
      for (; i < runEnd && load<u32>(byLower + (<usize>i << 2)) >> 1 == higher; i++) {
        triangles++;
        backward += load<u32>(byLower + (<usize>i << 2)) & 1;
      }
      if (triangles == 1) open++;
      else if (triangles > 2) overfull++;
      else if (backward != 1) disagreeing++;
      join(parents, lower, higher);
    }
  }
  // A shell is counted at its root; roots that no edge touched are vertices without triangles.
  memory.fill(starts, 0, <usize>vertexCount << 2);
  for (let at = byHigher; at < edgesEnd; at += 8) {
    const seen = starts + (<usize>rootOf(parents, load<u32>(at)) << 2);
    if (load<u32>(seen) == 0) {
      store<u32>(seen, 1);
      shells++;
    }
  }
  store<u32>(out, open);
  store<u32>(out, overfull, 4);
  store<u32>(out, disagreeing, 8);
  store<u32>(out, shells, 12);
  return DONE;
}

// @ts-ignore: decorator
@inline function countAt(counts: usize, vertex: u32): void {
  const at = counts + (<usize>vertex << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Turns counts into the number of entries before each; returns how many there are in all. */
function toStarts(counts: usize, length: u32): u32 {
  let before: u32 = 0;
  for (let i: u32 = 0; i <= length; i++) {
    const at = counts + (<usize>i << 2);
    const count = load<u32>(at);
    store<u32>(at, before);
    before += count;
  }
  return before;
}

// @ts-ignore: decorator
@inline function takePlace(starts: usize, vertex: u32): u32 {
  const at = starts + (<usize>vertex << 2);
  const place = load<u32>(at);
  store<u32>(at, place + 1);
  return place;
}

// @ts-ignore: decorator
@inline function putEdge(starts: usize, edges: usize, from: u32, to: u32): void {
  const lower = min(from, to), higher = max(from, to);
  const entry = edges + (<usize>takePlace(starts, higher) << 3);
  store<u32>(entry, lower);
  store<u32>(entry, (higher << 1) | u32(from > to), 4);
}

/** Root of the vertex's shell, halving the way for the next who asks (Tarjan, van Leeuwen 1984). */
function rootOf(parents: usize, vertex: u32): u32 {
  let here = vertex;
  let parent = load<u32>(parents + (<usize>here << 2));
  while (parent != here) {
    const above = load<u32>(parents + (<usize>parent << 2));
    store<u32>(parents + (<usize>here << 2), above);
    here = above;
    parent = load<u32>(parents + (<usize>here << 2));
  }
  return here;
}

/** Joins two shells; the lower root stays. */
function join(parents: usize, a: u32, b: u32): void {
  const p = rootOf(parents, a), q = rootOf(parents, b);
  if (p < q) store<u32>(parents + (<usize>q << 2), p);
  else store<u32>(parents + (<usize>p << 2), q);
}
