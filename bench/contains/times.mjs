/**
 * Processor time of queries among many parts: faces of the planted parts and of the STEP files, three in ten as they
 * are and the others scaled at random from 0.6 to 1.6, so that they differ in all sizes; of 100,000 each ten are alike.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeFaces, encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { placedShape } from '../../dist/search/contains/placed-shape.js';
import { seeded } from '../features/random.mjs';
import { quantile } from '../support/options.mjs';
import { spread } from './components.mjs';
import { facesOf, libraryOf, libraryOfFaces, stepFiles } from './library.mjs';

const ALIKE = 10;
/** Parts that are looked for whole, beside the planted features. */
const WHOLE = 16;
/** Queries before those that count, spread over all kinds of them: a server compiles its code once. */
const WARM_UP = 6;

export async function time({ data, cache, parts: counts, queries, seed, times }) {
  const base = join(data, 'planted');
  const truth = JSON.parse(await readFile(join(base, 'truth.json'), 'utf8'));
  const files = [
    ...(await readdir(join(base, 'parts'))).sort().map((name) => ({ path: name, file: join(base, 'parts', name) })),
    ...(await stepFiles(data, 'parts')),
  ];
  const real = (await libraryOf(files, cache)).parts;
  const asked = [];
  for (const { file, faces: numbers } of truth.features)
    asked.push({ faces: await facesOf(await readFile(join(base, file)), basename(file), cache), numbers });
  for (let i = 0; i < WHOLE; i++) asked.push({ faces: real[Math.floor(((i + 0.5) * real.length) / WHOLE)].faces });
  const row = {};
  for (const count of counts) {
    const library = await libraryOfFaces(perturbed(real, count, seed));
    const took = [];
    let found = 0;
    for (const { faces, numbers } of [...spread(asked, WARM_UP), ...asked.slice(0, queries)]) {
      const { hits, cpuMs } = await library.find(faces, { numbers });
      took.push(cpuMs);
      found += hits.length;
    }
    const counted = took.slice(WARM_UP);
    times.push(...counted);
    row[count] = { p50: quantile(counted, 0.5), p95: quantile(counted, 0.95), hits: found / took.length };
  }
  return row;
}

function perturbed(real, count, seed) {
  const random = seeded(seed);
  const different = count > 10 * real.length ? Math.ceil(count / ALIKE) : count;
  const made = [];
  for (let i = 0; i < different; i++) {
    const { faces } = real[i % real.length];
    made.push(random() < 0.3 || i < real.length ? faces : scaled(faces, 0.6 + random()));
  }
  return Array.from({ length: count }, (_, i) => ({
    path: `part-${String(i).padStart(6, '0')}`,
    faces: made[i % different],
  }));
}

function scaled(stored, factor) {
  const { bodies, places } = decodeFaces(stored);
  const matrix = Float64Array.from({ length: 16 }, (_, i) => (i % 5 !== 0 ? 0 : i === 15 ? 1 : factor));
  const unmoved = Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0));
  const larger = bodies.map((_, body) => placedShape({ bodies, places: [{ body, matrix }] }));
  const at = places.map(({ body, matrix: place }) => ({
    body,
    matrix: place.map((value, i) => (i >= 12 && i < 15 ? factor * value : value)),
  }));
  return encodeFaces({ bodies: larger, places: at.length > 0 ? at : [{ body: 0, matrix: unmoved }] });
}
