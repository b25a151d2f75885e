import type { LabelledVector } from '../../dist/vectors/vector-index.js';

/** Mulberry32: numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Vectors around common centres, with spread falling along the dimensions; labels rise with gaps. */
export function clusteredVectors(count: number, dimension: number, seed: number): LabelledVector[] {
  const random = randomOf(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const around = (centre: Float32Array, spread: number): Float32Array =>
    centre.map((value, d) => value + spread * normal() * Math.exp(-0.05 * d));
  const centres = Array.from({ length: Math.ceil(count / 20) }, () => around(new Float32Array(dimension), 1));
  return Array.from({ length: count }, (_, i) => ({
    label: 3 * i + 1,
    vector: around(centres[Math.floor(random() * centres.length)], 0.3),
  }));
}

/** What a search must return, by a plain loop in double precision over the same single-precision vectors. */
export function naiveSearch(
  rows: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  k: number,
  allow?: ReadonlySet<number>,
) {
  return [...rows]
    .filter(([label]) => allow === undefined || allow.has(label))
    .map(([label, vector]) => ({ label, distance: distanceBetween(query, vector) }))
    .sort((a, b) => a.distance - b.distance || a.label - b.label)
    .slice(0, k);
}

export function distanceBetween(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum);
}
