/**
 * Learns `src/tables/reference.bin` from parts made by code (`bench/parts/reference.mjs`): the projection of the
 * compact vector (principal axes), the units of the terms of the finer comparison, and the cohort that every part is
 * measured against once. No file of anybody's library and no label goes in, so every labelled set is a fair test.
 * Deterministic: the same parts give the same bytes.
 *
 *   npm run bench -- learn/reference            (after npm run build)
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { COMPACT_DIMENSION } from '../../dist/descriptors/description.js';
import { FINE_BYTES, compareFine } from '../../dist/core/compare.js';
import { Core } from '../../dist/core/core.js';
import { SHAPE_LENGTHS, describeShape } from '../../dist/core/shape.js';
import { backgroundOf } from '../../dist/descriptors/shape-distance.js';
import { invariantFeatures } from '../../dist/descriptors/compact.js';
import { backgroundOfFine, encodeFine, withBackground } from '../../dist/descriptors/fine.js';
import { FEATURE_LENGTH } from '../../dist/descriptors/reference.js';
import { normalise, sumTerms } from '../../dist/descriptors/shape-distance.js';
import { encodeReference } from '../support/write-tables.mjs';

const COHORT = 128;
/** Blocks of the features with their weights in the compact vector, each first brought to unit variance. */
const BLOCKS = blocks();

/**
 * @param {AsyncIterable<{ family: string, positions: Float32Array, indices: Uint32Array }>} parts
 * @param {Core} core
 */
export async function learn(parts, core) {
  const features = [];
  const fine = [];
  const families = [];
  for await (const { family, positions, indices } of parts) {
    const shape = describeShape(core, { positions: centred(positions), indices });
    features.push(invariantFeatures(shape));
    fine.push(encodeFine(shape));
    families.push(family);
  }
  const chosen = chooseCohort(families);
  const cohort = new Uint8Array(chosen.length * FINE_BYTES);
  chosen.forEach((part, i) => cohort.set(fine[part], i * FINE_BYTES));
  const { mean, projection } = principalAxes(features);
  const terms = { termMeans: termMeans(core, cohort, chosen.length), cohort, cohortCount: chosen.length };
  chosen.forEach((_, i) => {
    const row = cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES);
    row.set(withBackground(row, backgroundOf(core, row, terms)));
  });
  const draft = { ...terms, unit: 1, mean, projection };
  return { ...draft, unit: unitOf(core, draft) };
}

/** One part of every family in turn, in the order made, until the cohort is full. */
function chooseCohort(families) {
  const byFamily = new Map();
  families.forEach((family, i) => byFamily.set(family, [...(byFamily.get(family) ?? []), i]));
  const chosen = [];
  for (let round = 0; chosen.length < Math.min(COHORT, families.length); round++) {
    for (const members of byFamily.values()) {
      if (round < members.length && chosen.length < COHORT) chosen.push(members[round]);
    }
  }
  return chosen;
}

function termMeans(core, cohort, count) {
  const sums = { hog: 0, images: 0, pairs: 0, plainPairs: 0, angles: 0, shares: 0 };
  for (let i = 0; i < count; i++) {
    const distances = compareFine(core, cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES), cohort);
    for (const term of Object.keys(sums))
      for (const value of distances[term]) sums[term] += value / (count * (count - 1));
  }
  return sums;
}

function unitOf(core, reference) {
  const { cohort, cohortCount } = reference;
  const row = (i) => cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES);
  const backgrounds = Array.from({ length: cohortCount }, (_, i) => backgroundOfFine(row(i)));
  let sum = 0;
  for (let i = 0; i < cohortCount; i++) {
    sumTerms(compareFine(core, row(i), cohort), reference).forEach((distance, j) => {
      if (i !== j) sum += normalise(distance, backgrounds[i], backgrounds[j], 1);
    });
  }
  return sum / (cohortCount * (cohortCount - 1));
}

/** Mean and principal axes by orthogonal iteration (Golub & Van Loan, §8.2.4); any basis of the subspace serves. */
function principalAxes(rows) {
  const count = rows.length;
  const mean = new Float64Array(FEATURE_LENGTH);
  for (const row of rows)
    row.forEach((value, i) => {
      mean[i] += value / count;
    });
  const weights = new Float64Array(FEATURE_LENGTH);
  for (const { members, weight } of BLOCKS) {
    let variance = 0;
    for (const row of rows) for (const i of members) variance += (row[i] - mean[i]) ** 2 / count;
    for (const i of members) weights[i] = weight / Math.sqrt(variance);
  }
  const n = FEATURE_LENGTH;
  const covariance = new Float64Array(n * n);
  for (const row of rows) {
    const centredRow = Float64Array.from(row, (value, i) => (value - mean[i]) * weights[i]);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) covariance[i * n + j] += (centredRow[i] * centredRow[j]) / count;
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) covariance[j * n + i] = covariance[i * n + j];
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  };
  const basis = Array.from({ length: COMPACT_DIMENSION }, () => Float64Array.from({ length: n }, random));
  for (let iteration = 0; iteration < 60; iteration++) {
    for (let k = 0; k < COMPACT_DIMENSION; k++) {
      const next = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const value = basis[k][i];
        for (let j = 0; j < n; j++) next[j] += value * covariance[i * n + j];
      }
      basis[k] = next;
    }
    orthonormalise(basis);
  }
  const projection = new Float32Array(COMPACT_DIMENSION * n);
  basis.forEach((axis, k) =>
    axis.forEach((value, i) => {
      projection[k * n + i] = value * weights[i];
    }),
  );
  return { mean: Float32Array.from(mean), projection };
}

/** Gram–Schmidt, twice for accuracy. */
function orthonormalise(basis) {
  for (let k = 0; k < basis.length; k++) {
    for (let pass = 0; pass < 2; pass++) {
      for (let m = 0; m < k; m++) {
        let dot = 0;
        for (let i = 0; i < basis[k].length; i++) dot += basis[k][i] * basis[m][i];
        for (let i = 0; i < basis[k].length; i++) basis[k][i] -= dot * basis[m][i];
      }
    }
    let norm = 0;
    for (const value of basis[k]) norm += value * value;
    const scale = 1 / Math.sqrt(norm);
    for (let i = 0; i < basis[k].length; i++) basis[k][i] *= scale;
  }
}

function blocks() {
  const { orbits, pairs, shares, angles } = SHAPE_LENGTHS;
  const range = (from, length) => Array.from({ length }, (_, i) => from + i);
  const orbit = range(0, orbits);
  return [
    { members: orbit.filter((i) => i % 64 < 32), weight: 1 },
    { members: orbit.filter((i) => i % 64 >= 32), weight: 1 },
    { members: range(orbits, pairs), weight: 0.7 },
    { members: range(orbits + pairs, shares), weight: 0.5 },
    { members: range(orbits + pairs + shares, angles), weight: 0.5 },
  ];
}

/** A copy moved so that its box is centred on the origin. */
function centred(positions) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  return positions.map((value, i) => value - (low[i % 3] + high[i % 3]) / 2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { referenceParts } = await import('../parts/reference.mjs');
  const reference = await learn(referenceParts({ seed: 1, count: 1500 }), await Core.load());
  const target = new URL('../../src/tables/reference.bin', import.meta.url);
  await writeFile(target, encodeReference(reference));
  console.log(
    `wrote src/tables/reference.bin: cohort of ${reference.cohortCount}, terms`,
    reference.termMeans,
    'unit',
    reference.unit,
  );
}
