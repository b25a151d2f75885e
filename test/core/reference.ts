import type { TriangleMesh } from '../../dist/core-entry.js';

/**
 * Plain, slow twins of the kernels: what the tests hold them against. Each goes another way than its kernel where there
 * is one.
 */

/** Volume, area, centroids and second moments about the origin, summed tetrahedron by tetrahedron. */
export function massReference({ positions: p, indices }: TriangleMesh) {
  let volume = 0,
    area = 0;
  const moment = [0, 0, 0],
    areaMoment = [0, 0, 0];
  const second = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => p[3 * indices[t + k] + axis]));
    const n = cross(subtract(b, a), subtract(c, a));
    const six = dot(a, n);
    const twice = Math.hypot(...n);
    volume += six / 6;
    area += twice / 2;
    for (let i = 0; i < 3; i++) {
      moment[i] += (six * (a[i] + b[i] + c[i])) / 24;
      areaMoment[i] += (twice * (a[i] + b[i] + c[i])) / 6;
      for (let j = 0; j < 3; j++) {
        const s = (a[i] + b[i] + c[i]) * (a[j] + b[j] + c[j]);
        second[3 * i + j] += (six * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s)) / 120;
      }
    }
  }
  const centroid = moment.map((m) => m / volume);
  const about = second.map((m, k) => m - volume * centroid[Math.floor(k / 3)] * centroid[k % 3]);
  const trace = about[0] + about[4] + about[8];
  const inertia = about.map((m, k) => (k % 4 === 0 ? trace : 0) - m);
  return { volume, area, centroid, areaCentroid: areaMoment.map((m) => m / area), inertia };
}

export function subtract(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Edges and shells counted with maps. */
export function topologyReference({ indices }: TriangleMesh) {
  const edges = new Map<string, { forward: number; backward: number }>();
  const neighbours = new Map<number, Set<number>>();
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t], indices[t + 1], indices[t + 2]];
    if (new Set(corners).size < 3) continue;
    for (let k = 0; k < 3; k++) {
      const a = corners[k],
        b = corners[(k + 1) % 3];
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      const edge = edges.get(key) ?? { forward: 0, backward: 0 };
      if (a < b) edge.forward++;
      else edge.backward++;
      edges.set(key, edge);
      for (const [from, to] of [
        [a, b],
        [b, a],
      ])
        neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
    }
  }
  let boundaryEdges = 0,
    nonManifoldEdges = 0,
    inconsistentEdges = 0,
    shellCount = 0;
  for (const { forward, backward } of edges.values()) {
    if (forward + backward === 1) boundaryEdges++;
    else if (forward + backward > 2) nonManifoldEdges++;
    else if (forward !== 1) inconsistentEdges++;
  }
  const seen = new Set<number>();
  for (const start of neighbours.keys()) {
    if (seen.has(start)) continue;
    shellCount++;
    const pending = [start];
    seen.add(start);
    for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
      for (const next of neighbours.get(here) ?? []) {
        if (!seen.has(next)) {
          seen.add(next);
          pending.push(next);
        }
      }
    }
  }
  return { boundaryEdges, nonManifoldEdges, inconsistentEdges, shellCount };
}

/** Distance from a point to the mesh: every triangle, by the region of the foot (Ericson 2005, 5.1.5). */
export function distanceReference({ positions, indices }: TriangleMesh, point: readonly number[]): number {
  let least = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => Array.from(positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3)));
    least = Math.min(least, Math.hypot(...subtract(point, closestPoint(point, a, b, c))));
  }
  return least;
}

function closestPoint(
  p: readonly number[],
  a: readonly number[],
  b: readonly number[],
  c: readonly number[],
): number[] {
  const ab = subtract(b, a),
    ac = subtract(c, a);
  const at = (v: number, w: number): number[] => a.map((x, i) => x + v * ab[i] + w * ac[i]);
  const d1 = dot(ab, subtract(p, a)),
    d2 = dot(ac, subtract(p, a));
  if (d1 <= 0 && d2 <= 0) return at(0, 0);
  const d3 = dot(ab, subtract(p, b)),
    d4 = dot(ac, subtract(p, b));
  if (d3 >= 0 && d4 <= d3) return at(1, 0);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0);
  const d5 = dot(ab, subtract(p, c)),
    d6 = dot(ac, subtract(p, c));
  if (d6 >= 0 && d5 <= d6) return at(0, 1);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return at(1 - w, w);
  }
  return at(vb / (va + vb + vc), vc / (va + vb + vc));
}
