/**
 * Half-edges: corner k of triangle t stands for the half-edge 3 t + k, which runs from that corner to the next one.
 */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

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

/**
 * Lists half-edges so that those of one edge (the same two vertices, either way round) stand side by side, in the order of
 * their triangles. Counting sort by the higher vertex, then by the lower: time and memory grow in proportion to the mesh.
 * corners: u32[3 * triangleCount], below vertexCount. out: u32[3 * triangleCount]. Returns a status.
 */
export function sortByEdge(corners: usize, vertexCount: u32, triangleCount: u32, out: usize): i32 {
  const scratch = mark();
  const count = triangleCount * 3;
  const byHigher = reserve(count << 2);
  const places = reserve((vertexCount + 1) << 2);
  if (byHigher == 0 || places == 0) return OUT_OF_MEMORY;

  memory.fill(places, 0, <usize>(vertexCount + 1) << 2);
  for (let half: u32 = 0; half < count; half++) countAt(places, higherOf(corners, half));
  toPlaces(places, vertexCount);
  for (let half: u32 = 0; half < count; half++) putAt(places, higherOf(corners, half), byHigher, half);

  memory.fill(places, 0, <usize>(vertexCount + 1) << 2);
  for (let half: u32 = 0; half < count; half++) countAt(places, lowerOf(corners, half));
  toPlaces(places, vertexCount);
  for (let i: u32 = 0; i < count; i++) {
    const half = load<u32>(byHigher + (<usize>i << 2));
    putAt(places, lowerOf(corners, half), out, half);
  }
  reset(scratch);
  return DONE;
}

function higherOf(corners: usize, half: u32): u32 {
  return max(startOf(corners, half), endOf(corners, half));
}

function lowerOf(corners: usize, half: u32): u32 {
  return min(startOf(corners, half), endOf(corners, half));
}

function countAt(places: usize, vertex: u32): void {
  const at = places + (<usize>vertex << 2);
  store<u32>(at, load<u32>(at, 4) + 1, 4);
}

/** Counts, one slot late, become the first place of each vertex. */
function toPlaces(places: usize, vertexCount: u32): void {
  let sum: u32 = 0;
  for (let vertex: u32 = 0; vertex <= vertexCount; vertex++) {
    const at = places + (<usize>vertex << 2);
    sum += load<u32>(at);
    store<u32>(at, sum);
  }
}

function putAt(places: usize, vertex: u32, out: usize, half: u32): void {
  const at = places + (<usize>vertex << 2);
  const place = load<u32>(at);
  store<u32>(out + (<usize>place << 2), half);
  store<u32>(at, place + 1);
}
