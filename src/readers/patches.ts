import type { Mesh } from '../content/model.js';
import { GrowableF64, GrowableU32 } from './growable.js';
import { firstTwins, weld } from './weld.js';

/**
 * Joins meshes that are patches of one body. Many writers give a run of triangles (an OBJ group, an STL solid) for each
 * face or colour of a body; by themselves these are open. Two meshes belong together when an edge that has one triangle in
 * the first has one triangle in the second as well. Closed meshes stay by themselves, also where bodies touch.
 *
 * The joined mesh stands where its first patch stood, with that one's name and, when all agree, colour.
 */
export function joinPatches(meshes: readonly Mesh[]): Mesh[] {
  if (meshes.length < 2) return [...meshes];
  return groupByOpenEdges(meshes).map((group) => (group.length === 1 ? meshes[group[0]] : join(group.map((i) => meshes[i]))));
}

/** Lists of mesh numbers, each rising, in the order of their first. */
function groupByOpenEdges(meshes: readonly Mesh[]): number[][] {
  const leader = Uint32Array.from(meshes, (_, i) => i);
  const find = (i: number): number => {
    while (leader[i] !== i) i = leader[i] = leader[leader[i]];
    return i;
  };
  forEachSharedEdge(meshes, (one, other) => {
    const a = find(one), b = find(other);
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

/** Calls back with two meshes for every open edge that both have in the same place. */
function forEachSharedEdge(meshes: readonly Mesh[], visit: (one: number, other: number) => void): void {
  const ends = new GrowableF64();
  const owners = new GrowableU32();
  for (const [i, { positions, indices }] of meshes.entries()) {
    forEachEdge(indices, positions.length / 3, (a, b, sides) => {
      if (sides.length !== 1) return;
      ends.push3(positions[3 * a], positions[3 * a + 1], positions[3 * a + 2]);
      ends.push3(positions[3 * b], positions[3 * b + 1], positions[3 * b + 2]);
      owners.push(i);
    });
  }
  const places = firstTwins(ends.view());
  const edges = new Uint32Array(2 * owners.length);
  for (let i = 0; i < edges.length; i++) edges[i] = places[i];
  groupEdges(edges, places.length, (_a, _b, same) => {
    for (const edge of same) visit(owners.values[same[0]], owners.values[edge]);
  });
}

/** Visits each edge of a mesh with its two vertices, lower first, and the numbers of its sides (3 a triangle). */
function forEachEdge(indices: Uint32Array, vertexCount: number, visit: (a: number, b: number, sides: Uint32Array) => void): void {
  const sides = new Uint32Array(2 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    sides[2 * i] = indices[i];
    sides[2 * i + 1] = indices[i % 3 === 2 ? i - 2 : i + 1];
  }
  groupEdges(sides, vertexCount, visit);
}

/**
 * Visits each undirected edge once, with the numbers of the pairs that are this edge. pairs: u32[2 * n], all below
 * `vertexCount`. Edges are put into buckets by their lower vertex and sorted there: no hash, no limit but memory.
 */
function groupEdges(pairs: Uint32Array, vertexCount: number, visit: (a: number, b: number, edges: Uint32Array) => void): void {
  const count = pairs.length / 2;
  const starts = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < count; i++) starts[Math.min(pairs[2 * i], pairs[2 * i + 1]) + 1]++;
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  const next = starts.slice();
  const bucketed = new Uint32Array(count);
  for (let i = 0; i < count; i++) bucketed[next[Math.min(pairs[2 * i], pairs[2 * i + 1])]++] = i;
  const upper = (edge: number): number => Math.max(pairs[2 * edge], pairs[2 * edge + 1]);
  for (let v = 0; v < vertexCount; v++) {
    const bucket = bucketed.subarray(starts[v], starts[v + 1]);
    bucket.sort((p, q) => upper(p) - upper(q) || p - q);
    for (let i = 0; i < bucket.length;) {
      let end = i + 1;
      while (end < bucket.length && upper(bucket[end]) === upper(bucket[i])) end++;
      visit(v, upper(bucket[i]), bucket.subarray(i, end));
      i = end;
    }
  }
}

function join(patches: readonly Mesh[]): Mesh {
  const [first] = patches;
  const positions = new Float64Array(patches.reduce((sum, patch) => sum + patch.positions.length, 0));
  const indices = new Uint32Array(patches.reduce((sum, patch) => sum + patch.indices.length, 0));
  let place = 0;
  let corner = 0;
  for (const patch of patches) {
    positions.set(patch.positions, place);
    for (const index of patch.indices) indices[corner++] = place / 3 + index;
    place += patch.positions.length;
  }
  const welded = weld(positions, indices);
  const agree = patches.every((patch) => String(patch.color) === String(first.color));
  return {
    name: first.name,
    positions: welded.positions,
    indices: welded.indices,
    ...(agree && first.color !== undefined ? { color: first.color } : {}),
  };
}
