/**
 * Half-edges: corner k of triangle t stands for the half-edge 3 t + k, which runs from that corner to the next one.
 */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { TRIANGLE } from './check';

/** Welded vertex from which a half-edge starts. corners: u32[3 * triangleCount], welded. */
// @ts-ignore: decorator
@inline
export function startOf(corners: usize, half: u32): u32 {
  return load<u32>(corners + (<usize>half << 2));
}

/** Welded vertex at which a half-edge ends. */
// @ts-ignore: decorator
@inline
export function endOf(corners: usize, half: u32): u32 {
  return load<u32>(corners + (<usize>(half % 3 == 2 ? half - 2 : half + 1) << 2));
}

/** Whether two corners coincide. Such a triangle has no area, and its edges do not count. */
// @ts-ignore: decorator
@inline
export function isCollapsed(corners: usize, triangle: u32): bool {
  const at = corners + <usize>triangle * TRIANGLE;
  const a = load<u32>(at), b = load<u32>(at, 4), c = load<u32>(at, 8);
  return a == b || b == c || c == a;
}

/**
 * Sorts half-edges so that those of one edge (the same two vertices in either direction) are adjacent, in the order of
 * their triangles. Counting sort by the higher vertex, then by the lower: time and memory are bounded by the size of
 * the mesh in all cases (a hash table can be made to collide). corners: u32[3 * triangleCount], below vertexCount. out:
 * u32[3 * triangleCount]. Returns a status.
 */
export function sortByEdge(corners: usize, vertexCount: u32, triangleCount: u32, out: usize): i32 {
  const scratch = mark();
  const count = triangleCount * 3;
  // u32 half-edge and u32 lower vertex each.
  const byHigher = reserve(count << 3);
  const places = reserve((vertexCount + 1) << 2);
  if (byHigher == 0 || places == 0) return OUT_OF_MEMORY;

  memory.fill(places, 0, <usize>(vertexCount + 1) << 2);
  for (let half: u32 = 0; half < count; half += 3) {
    const a = startOf(corners, half), b = startOf(corners, half + 1), c = startOf(corners, half + 2);
    countAt(places, max(a, b));
    countAt(places, max(b, c));
    countAt(places, max(c, a));
  }
  toPlaces(places, vertexCount);
  for (let half: u32 = 0; half < count; half += 3) {
    const a = startOf(corners, half), b = startOf(corners, half + 1), c = startOf(corners, half + 2);
    store<u64>(byHigher + (<usize>takePlace(places, max(a, b)) << 3), <u64>half | (<u64>min(a, b) << 32));
    store<u64>(byHigher + (<usize>takePlace(places, max(b, c)) << 3), <u64>(half + 1) | (<u64>min(b, c) << 32));
    store<u64>(byHigher + (<usize>takePlace(places, max(c, a)) << 3), <u64>(half + 2) | (<u64>min(c, a) << 32));
  }

  memory.fill(places, 0, <usize>(vertexCount + 1) << 2);
  const end = byHigher + (<usize>count << 3);
  for (let at = byHigher; at < end; at += 8) countAt(places, load<u32>(at, 4));
  toPlaces(places, vertexCount);
  for (let at = byHigher; at < end; at += 8)
    store<u32>(out + (<usize>takePlace(places, load<u32>(at, 4)) << 2), load<u32>(at));
  reset(scratch);
  return DONE;
}

// @ts-ignore: decorator
@inline
function countAt(places: usize, vertex: u32): void {
  const at = places + (<usize>vertex << 2);
  store<u32>(at, load<u32>(at, 4) + 1, 4);
}

/** Turns counts (shifted by one slot) into the first place of each vertex. */
function toPlaces(places: usize, vertexCount: u32): void {
  let sum: u32 = 0;
  for (let vertex: u32 = 0; vertex <= vertexCount; vertex++) {
    const at = places + (<usize>vertex << 2);
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
}

// @ts-ignore: decorator
@inline
function takePlace(places: usize, vertex: u32): u32 {
  const at = places + (<usize>vertex << 2);
  const place = load<u32>(at);
  store<u32>(at, place + 1);
  return place;
}
