/**
 * A mesh on a grid of 65 536 points along each side of its box: welded, without degenerate triangles, in canonical
 * order.
 */
export interface GridMesh {
  /** u16[3 * vertexCount]: steps from the low corner; sorted by x, then y, then z; no two equal. */
  readonly steps: Uint16Array;
  /**
   * u32[3 * triangleCount]: the lowest index of each triangle first, its orientation kept; sorted by the first, then by
   * the lower and the higher of the other two. Triangles may repeat: where two bodies touch, each has its own.
   */
  readonly indices: Uint32Array;
}

/** Steps along each side of the box. */
export const GRID_STEPS = 65_535;

/**
 * Brings a mesh of grid points into canonical order: the same triangles in any order give the same arrays. Repeated
 * triangles are kept, because otherwise the area would depend on how touching faces are triangulated.
 * @param steps u16[3 * vertexCount], points may repeat.
 * @param indices u32[3 * triangleCount].
 */
export function canonicalGridMesh(steps: Uint16Array, indices: Uint32Array): GridMesh {
  const { steps: welded, indices: corners } = weld(steps, indices);
  const vertexCount = welded.length / 3;
  // Counting sort by the first vertex; the few triangles of a vertex are then sorted by a key that a double holds
  // exactly.
  const starts = new Uint32Array(vertexCount + 1);
  for (let t = 0; t < corners.length; t += 3) {
    if (!isDegenerate(corners, t)) starts[lowest(corners, t) + 1]++;
  }
  for (let i = 0; i < vertexCount; i++) starts[i + 1] += starts[i];
  const keys = new Float64Array(starts[vertexCount]);
  const filled = starts.slice();
  for (let t = 0; t < corners.length; t += 3) {
    if (isDegenerate(corners, t)) continue;
    const a = corners[t],
      b = corners[t + 1],
      c = corners[t + 2];
    const first = lowest(corners, t);
    const second = first === a ? b : first === b ? c : a;
    const third = first === a ? c : first === b ? a : b;
    const turned = second > third ? 1 : 0;
    keys[filled[first]++] = (Math.min(second, third) * 2 ** 24 + Math.max(second, third)) * 2 + turned;
  }
  const ordered = new Uint32Array(3 * keys.length);
  let corner = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    sortRun(keys, starts[vertex], starts[vertex + 1]);
    for (let i = starts[vertex]; i < starts[vertex + 1]; i++) {
      const key = keys[i];
      const pair = Math.floor(key / 2);
      const low = Math.floor(pair / 2 ** 24);
      const high = pair - low * 2 ** 24;
      const turned = key - 2 * pair === 1;
      ordered[corner++] = vertex;
      ordered[corner++] = turned ? high : low;
      ordered[corner++] = turned ? low : high;
    }
  }
  return dropUnused(welded, ordered);
}

/** Sorts vertices and merges equal ones. A double holds a point of 3 × 16 bits exactly. */
function weld(steps: Uint16Array, indices: Uint32Array): GridMesh {
  const count = steps.length / 3;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = (steps[3 * i] * 65536 + steps[3 * i + 1]) * 65536 + steps[3 * i + 2];
  const sorted = keys.slice().sort();
  let unique = 0;
  for (let i = 0; i < count; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[unique++] = sorted[i];
  }
  const welded = new Uint16Array(3 * unique);
  for (let i = 0; i < unique; i++) {
    const key = sorted[i];
    const high = Math.floor(key / 65536);
    welded[3 * i] = Math.floor(high / 65536);
    welded[3 * i + 1] = high % 65536;
    welded[3 * i + 2] = key % 65536;
  }
  const renumbered = new Uint32Array(count);
  for (let i = 0; i < count; i++) renumbered[i] = placeOf(keys[i], sorted, unique);
  const corners = new Uint32Array(indices.length);
  for (let i = 0; i < corners.length; i++) corners[i] = renumbered[indices[i]];
  return { steps: welded, indices: corners };
}

/** Index of a key among the first `count` ascending keys, one of which it is (binary search). */
function placeOf(key: number, rising: Float64Array, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Runs up to this length are sorted by insertion: a vertex has about six triangles, for which a call of `sort` costs
 * more.
 */
const SHORT_RUN = 32;

function sortRun(keys: Float64Array, from: number, to: number): void {
  if (to - from > SHORT_RUN) {
    keys.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const key = keys[i];
    let at = i;
    for (; at > from && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

function dropUnused(steps: Uint16Array, indices: Uint32Array): GridMesh {
  const used = new Uint8Array(steps.length / 3);
  for (const index of indices) used[index] = 1;
  const numbers = new Uint32Array(used.length);
  let count = 0;
  for (let i = 0; i < used.length; i++) {
    numbers[i] = count;
    if (used[i] === 1) count++;
  }
  if (count === used.length) return { steps, indices };
  const kept = new Uint16Array(3 * count);
  for (let i = 0; i < used.length; i++) {
    if (used[i] === 1) kept.set(steps.subarray(3 * i, 3 * i + 3), 3 * numbers[i]);
  }
  return { steps: kept, indices: indices.map((index) => numbers[index]) };
}

function lowest(indices: Uint32Array, t: number): number {
  return Math.min(indices[t], indices[t + 1], indices[t + 2]);
}

function isDegenerate(indices: Uint32Array, t: number): boolean {
  return indices[t] === indices[t + 1] || indices[t + 1] === indices[t + 2] || indices[t] === indices[t + 2];
}
