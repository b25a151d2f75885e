/**
 * Learns `src/tables/reference.bin` from parts made by code (`bench/parts/reference.mjs`): the projections of views and
 * of features that tell families of parts apart, the units of the terms of the finer comparison, and the cohort that
 * every part is measured against once. The only labels are the generators that made the parts; no file of anybody's
 * library goes in, so every labelled set is a fair test. Deterministic: the same parts give the same bytes.
 *
 *   npm run bench -- learn/reference [--parts N] [--keep-views]      (after npm run build; some ten minutes)
 *     --parts N       parts to learn from, families in turn; default 5520
 *     --keep-views    keeps the projections of views of the present table, and learns the family alone anew
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FINE_BYTES, FINE_TERMS, compareFine } from '../../dist/core/compare.js';
import { Core } from '../../dist/core/core.js';
import { ARRANGEMENTS, arrangementTables, describeShape } from '../../dist/core/shape.js';
import {
  SPREAD_PLANES,
  VIEW_PLANES,
  coefficients,
  hogOrbits,
  imageOrbits,
  representations,
} from '../../dist/descriptors/cube-harmonics.js';
import { vectorMaker } from '../../dist/descriptors/describe-mesh.js';
import { invariantFeatures } from '../../dist/descriptors/family.js';
import { faceStatistics } from '../../dist/descriptors/faces/face-statistics.js';
import { faceTableOf } from '../../dist/descriptors/faces/face-table.js';
import { backgroundOfFine, encodeFine, withBackground } from '../../dist/descriptors/fine.js';
import { FAMILY_DIMENSION, loadReference } from '../../dist/descriptors/reference.js';
import { backgroundOf, normalise, sumTerms } from '../../dist/descriptors/shape-distance.js';
import { encodeReference, storedWeights } from '../support/write-tables.mjs';
import { discriminants, varianceWithin } from './discriminants.mjs';

const COHORT = 128;
/**
 * Added to the variance within families, in units of its mean over all directions: what generated families vary in is
 * not all that real ones vary in. Of 0.03 to 1, chosen on families left out of the training.
 */
const FLOOR = 0.3;

/**
 * @param {AsyncIterable<{ family: string, positions: Float32Array, indices: Uint32Array }>} parts
 * @param {Core} core
 * @param {Pick<import('../../dist/descriptors/reference.js').Reference, 'views' | 'spread'>} [kept] projections of views
 * that are not learned anew
 */
export async function learn(parts, core, kept) {
  const shapes = [];
  const faces = [];
  const families = [];
  for await (const { family, positions, indices } of parts) {
    const shape = describeShape(core, { positions: centred(positions), indices });
    shapes.push(shape);
    faces.push(faceStatistics(faceTableOf(modelOf(positions, indices))));
    families.push(family);
  }
  const tables = arrangementTables(core);
  const projections = {
    ...(kept ?? learnViews(shapes, families, tables)),
    family: learnFamily(
      shapes.map((shape, i) => invariantFeatures(shape, faces[i])),
      families,
    ),
  };
  const vectorsOf = vectorMaker(core, projections);
  const cohort = new Uint8Array(COHORT * FINE_BYTES);
  const row = (i) => cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES);
  chooseCohort(families).forEach((part, i) =>
    row(i).set(encodeFine(vectorsOf(shapes[part], faces[part]), shapes[part].plainPairs)),
  );
  const terms = { termMeans: termMeans(core, cohort), cohort, cohortCount: COHORT };
  for (let i = 0; i < COHORT; i++) row(i).set(withBackground(row(i), backgroundOf(core, row(i), terms)));
  const draft = { ...terms, ...projections, unit: 1 };
  return { ...draft, unit: unitOf(core, draft) };
}

function learnViews(shapes, families, tables) {
  const kinds = representations(tables);
  const hog = aligned(
    shapes.map((shape) => shape.hog),
    families,
    tables.hog,
  );
  const images = aligned(
    shapes.map((shape) => shape.images),
    families,
    tables.images,
  );
  return {
    views: learnPlanes(hog, families, hogOrbits(tables), kinds, VIEW_PLANES),
    spread: learnPlanes(images, families, imageOrbits(tables), kinds, SPREAD_PLANES),
  };
}

function modelOf(positions, indices) {
  return {
    root: { name: '', meshes: [0], children: [] },
    meshes: [{ name: '', positions: Float64Array.from(positions), indices }],
  };
}

/**
 * Discriminants of views, of each representation apart: the same combinations for all coefficients that a rotation
 * mixes, so that the projection commutes with rotations.
 */
function learnPlanes(views, families, orbits, kinds, counts) {
  const parts = kinds.map((kind) => {
    const width = orbits.length * kind.dimension;
    const rows = [];
    const owners = [];
    views.forEach((values, i) => {
      const all = coefficients(values, orbits, kind);
      for (let j = 0; j < kind.dimension; j++) {
        rows.push(all.subarray(j * width, (j + 1) * width));
        owners.push(`${families[i]} ${j}`);
      }
    });
    return { kind, rows, means: meansOf(rows, owners) };
  });
  // The variance of a row is that of one of the coefficients mixed; all of them together have the length of the views.
  const length = orbits.length * ARRANGEMENTS;
  const variance = parts.reduce((sum, { kind, rows, means }) => sum + kind.dimension * varianceWithin(rows, means), 0);
  const weights = [];
  let offsets;
  parts.forEach(({ rows, means }, i) => {
    // Over all arrangements, only the representation that none changes has a mean.
    const centre = i === 0 ? meanOf(rows) : new Float64Array(rows[0].length);
    const { directions } = discriminants(rows, means, centre, (FLOOR * variance) / length);
    const taken = directions.slice(0, counts[i]);
    if (i === 0)
      offsets = Float32Array.from(taken, (direction) =>
        direction.reduce((sum, value, k) => sum + value * centre[k], 0),
      );
    for (const direction of taken) weights.push(...direction);
  });
  return { weights: Float32Array.from(weights), offsets };
}

/** The views of each part, turned as those of its family: like the part that the others are most like. */
function aligned(views, families, table) {
  const length = views[0].length,
    channel = table.length / ARRANGEMENTS;
  const tables = Array.from({ length: ARRANGEMENTS }, (_, n) =>
    Uint32Array.from({ length }, (_v, i) => i - (i % channel) + table[n * channel + (i % channel)]),
  );
  const found = new Array(views.length);
  for (const members of groupsOf(families)) {
    const turned = members.map((part) =>
      tables.map((places) => Float32Array.from(places, (place) => views[part][place])),
    );
    let best = { sum: -Infinity, member: 0 };
    members.forEach((part, i) => {
      let sum = 0;
      for (const turns of turned) sum += Math.max(...turns.map((values) => dot(values, views[part])));
      if (sum > best.sum) best = { sum, member: i };
    });
    let pattern = views[members[best.member]];
    for (let pass = 0; pass < 2; pass++) {
      members.forEach((part, i) => {
        const products = turned[i].map((values) => dot(values, pattern));
        found[part] = turned[i][products.indexOf(Math.max(...products))];
      });
      pattern = meanOf(members.map((part) => found[part]));
    }
  }
  return found;
}

function learnFamily(features, families) {
  const rows = features.map((values) => Float64Array.from(values));
  const means = meansOf(rows, families);
  const mean = meanOf(rows);
  const floor = (FLOOR * varianceWithin(rows, means)) / mean.length;
  const { directions } = discriminants(rows, means, mean, floor);
  return {
    mean: Float32Array.from(mean),
    weights: storedWeights(
      Float32Array.from(directions.slice(0, FAMILY_DIMENSION).flatMap((direction) => [...direction])),
    ),
  };
}

/** For each row the mean of the rows of its owner. */
function meansOf(rows, owners) {
  const means = new Array(rows.length);
  for (const members of groupsOf(owners)) {
    const mean = meanOf(members.map((i) => rows[i]));
    for (const i of members) means[i] = mean;
  }
  return means;
}

function meanOf(rows) {
  const mean = new Float64Array(rows[0].length);
  for (const row of rows) for (let i = 0; i < mean.length; i++) mean[i] += row[i] / rows.length;
  return mean;
}

/** Numbers of the items of each name, names in the order of their first item. */
function groupsOf(names) {
  const groups = new Map();
  names.forEach((name, i) => groups.set(name, [...(groups.get(name) ?? []), i]));
  return groups.values();
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** One part of every family in turn, in the order made, until the cohort is full. */
function chooseCohort(families) {
  const groups = [...groupsOf(families)];
  const chosen = [];
  for (let round = 0; chosen.length < COHORT; round++)
    for (const members of groups) if (round < members.length && chosen.length < COHORT) chosen.push(members[round]);
  return chosen;
}

function termMeans(core, cohort) {
  const sums = Object.fromEntries(FINE_TERMS.map((term) => [term, 0]));
  for (let i = 0; i < COHORT; i++) {
    const distances = compareFine(core, cohort.subarray(i * FINE_BYTES, (i + 1) * FINE_BYTES), cohort);
    for (const term of FINE_TERMS) for (const value of distances[term]) sums[term] += value / (COHORT * (COHORT - 1));
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
  const { values } = parseArgs({
    options: { parts: { type: 'string', default: '5520' }, 'keep-views': { type: 'boolean', default: false } },
  });
  const kept = values['keep-views'] ? await loadReference() : undefined;
  const parts = referenceParts({ seed: 1, count: Number(values.parts) });
  const reference = await learn(parts, await Core.load(), kept && { views: kept.views, spread: kept.spread });
  const target = new URL('../../src/tables/reference.bin', import.meta.url);
  await writeFile(target, encodeReference(reference));
  const { termMeans: means, unit, cohortCount } = reference;
  console.log(`wrote src/tables/reference.bin: cohort of ${cohortCount}, terms`, means, 'unit', unit);
}
