import type { Mesh } from '../../content/model.js';
import { GrowableF64, GrowableU32 } from '../geometry/growable.js';
import { firstTwins, weld } from './weld.js';

/**
 * Joins meshes that are patches of one body. Many writers make a run of triangles (an OBJ group, an STL solid) for each
 * face or colour of a body; each run by itself is open. Two meshes are patches of one body when an edge with one
 * triangle in the first also has one triangle in the second. Closed meshes stay separate, even where they touch.
 *
 * The joined mesh takes the position in the list and the name of its first patch, and its colour when all patches
 * agree.
 */
export function joinPatches(meshes: readonly Mesh[]): Mesh[] {
  if (meshes.length < 2) return [...meshes];
  return groupByOpenEdges(meshes).map((group) =>
    group.length === 1 ? meshes[group[0]] : join(group.map((i) => meshes[i])),
  );
}

/** Groups of mesh numbers, ascending, in the order of their first member. */
function groupByOpenEdges(meshes: readonly Mesh[]): number[][] {
  const leader = Uint32Array.from(meshes, (_, i) => i);
  const find = (i: number): number => {
    while (leader[i] !== i) i = leader[i] = leader[leader[i]];
    return i;
  };
  forEachSharedEdge(meshes, (one, other) => {
    const a = find(one),
      b = find(other);
    leader[Math.max(a, b)] = Math.min(a, b);
  });
  const groups = new Map<number, number[]>();
  for (const i of meshes.keys()) {
    const first = find(i);
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [i]);
    else group.push(i);
  }
  return [...groups.values()];
}

/** Calls `visit` with two meshes for every open edge that both have at the same place. */
function forEachSharedEdge(meshes: readonly Mesh[], visit: (one: number, other: number) => void): void {
  const ends = new GrowableF64();
  const owners = new GrowableU32();
  for (const [i, { positions, indices }] of meshes.entries()) {
    const sides = sidesOf(indices);
    forEachEdge(sides, positions.length / 3, (edges, start, end) => {
      if (end - start !== 1) return;
      for (const vertex of [sides[2 * edges[start]], sides[2 * edges[start] + 1]]) {
        ends.push3(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
      }
      owners.push(i);
    });
  }
  const places = firstTwins(ends.view());
  forEachEdge(Uint32Array.from(places), places.length, (edges, start, end) => {
    for (let i = start + 1; i < end; i++) visit(owners.values[edges[start]], owners.values[edges[i]]);
  });
}

/** The two vertices of each side of each triangle: three pairs per triangle. */
function sidesOf(indices: Uint32Array): Uint32Array {
  const sides = new Uint32Array(2 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    sides[2 * i] = indices[i];
    sides[2 * i + 1] = indices[i % 3 === 2 ? i - 2 : i + 1];
  }
  return sides;
}

/**
 * Visits each undirected edge once. pairs: u32[2 * n], all below `vertexCount`. The numbers of the pairs that form the
 * edge are in `edges` from `start` to `end` (exclusive), ascending. Pairs are sorted into buckets by their lower
 * vertex, and sorted there by the upper one: no hash, no limit but memory, and no typed-array view for each of millions
 * of edges.
 */
function forEachEdge(
  pairs: Uint32Array,
  vertexCount: number,
  visit: (edges: Uint32Array, start: number, end: number) => void,
): void {
  const count = pairs.length / 2;
  const starts = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < count; i++) starts[Math.min(pairs[2 * i], pairs[2 * i + 1]) + 1]++;
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  const next = starts.slice();
  const edges = new Uint32Array(count);
  for (let i = 0; i < count; i++) edges[next[Math.min(pairs[2 * i], pairs[2 * i + 1])]++] = i;
  const upper = (edge: number): number => Math.max(pairs[2 * edge], pairs[2 * edge + 1]);
  for (let v = 0; v < vertexCount; v++) {
    const last = starts[v + 1];
    sortRange(edges, starts[v], last, upper);
    for (let start = starts[v], end = start; start < last; start = end) {
      end = start + 1;
      while (end < last && upper(edges[end]) === upper(edges[start])) end++;
      visit(edges, start, end);
    }
  }
}

/** Sorts a range by key, stably. Most ranges hold a handful of edges, for which an insertion sort is used. */
function sortRange(values: Uint32Array, start: number, end: number, key: (value: number) => number): void {
  if (end - start > 32) {
    values.subarray(start, end).sort((p, q) => key(p) - key(q) || p - q);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const value = values[i];
    let at = i;
    for (; at > start && key(values[at - 1]) > key(value); at--) values[at] = values[at - 1];
    values[at] = value;
  }
}

function join(patches: readonly Mesh[]): Mesh {
  const [first] = patches;
  const { positions, indices } = concatenated(patches);
  const welded = weld(positions, indices);
  const agree = patches.every((patch) => String(patch.color) === String(first.color));
  return {
    name: first.name,
    positions: welded.positions,
    indices: welded.indices,
    ...(agree && first.color !== undefined ? { color: first.color } : {}),
  };
}

/** Vertices and triangles of several meshes in sequence, not welded. */
export function concatenated(meshes: readonly Mesh[]): Pick<Mesh, 'positions' | 'indices'> {
  const positions = new Float64Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const indices = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.indices.length, 0));
  let place = 0;
  let corner = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, place);
    for (const index of mesh.indices) indices[corner++] = place / 3 + index;
    place += mesh.positions.length;
  }
  return { positions, indices };
}
