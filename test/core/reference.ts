import type { TriangleMesh } from '../../dist/core/index.js';

/** Plain, slow twins of the kernels: what the tests hold them against. Each goes another way than its kernel where there is one. */

/** Volume, area, centroids and second moments about the origin, summed tetrahedron by tetrahedron. */
export function massReference({ positions: p, indices }: TriangleMesh) {
  let volume = 0, area = 0;
  const moment = [0, 0, 0], areaMoment = [0, 0, 0];
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
