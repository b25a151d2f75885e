/**
 * Features of a machinist: how many of them are found on parts of known features, and how many that are found are
 * there.
 *
 * Data: parts that the solid modeller makes of a seed (plates with holes in rows and grids, sunk and blind holes,
 * flanges, shafts, sheets, tubes, pockets, pins, roundings; gears, ratchets, splines, ribs, threads, and parts that
 * look like them), read as STEP; cubes with two to six crossing cuts by flat walls, as meshes; with --data a folder of
 * STEP files with `faces.json`, the labels of their ADVANCED_FACEs in the order of the file (MFCAD).
 *
 * Measured: by kind the features found with count and sizes (within 0.5 %) of those that are there, and there of those
 * found; shapes and walls of parts; the share of faces with the right label, in all and by label.
 *
 * npm run bench -- features [--parts 110] [--toothed 72] [--cubes 150] [--seed 7] [--data DIR] [--json]
 */
import { faceTableOf } from '../dist/descriptors/faces/face-table.js';
import { findFaces } from '../dist/descriptors/faces/find-faces.js';
import { pointsOf } from '../dist/descriptors/faces/region.js';
import { partFeatures } from '../dist/descriptors/features/part-features.js';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readContent } from '../dist/readers/read.js';
import { cutCubes, LABELS } from './features/cubes.mjs';
import { labelsOf } from './features/face-labels.mjs';
import { labelledParts } from './features/mfcad.mjs';
import { knownParts } from './features/parts.mjs';
import { TOOTHED } from './features/toothed.mjs';
import { benchOptions, machine } from './support/options.mjs';

const MOST_FACES = 4_096;
/** Largest difference of a size, as a share. */
const SAME = 5e-3;
/** The same of teeth, ribs and threads, whose radii are those of samples. */
const SAME_TOOTH = 0.02;

const options = benchOptions({
  parts: { type: 'string', default: '110' },
  toothed: { type: 'string', default: '72' },
  cubes: { type: 'string', default: '150' },
  seed: { type: 'string', default: '7' },
});
const say = (line) => (options.json ? undefined : console.log(line));
say(await machine());

const result = {
  parts: await measureParts(Number(options.parts), Number(options.seed)),
  toothed: await measureToothed(Number(options.toothed), Number(options.seed)),
  cubes: await measureCubes(Number(options.cubes), Number(options.seed)),
};
if (options.data !== undefined) result.mfcad = await measureLabelled(options.data);
if (options.json) console.log(JSON.stringify(result));

async function measureParts(count, seed) {
  const kinds = new Map();
  const tally = (kind, what) => {
    const sums = kinds.get(kind) ?? { known: 0, found: 0, right: 0 };
    for (const name of what) sums[name]++;
    kinds.set(kind, sums);
  };
  for await (const part of knownParts(count, seed)) {
    const model = await readContent(part.step, 'part.step', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    const { shape, wallMm, features } = partFeatures(faceTableOf(model), 'closed');
    const isShape = shape === part.shape && (part.wallMm === undefined || isNear(wallMm, part.wallMm));
    tally(`shape ${part.shape}`, ['known']);
    if (shape !== null) tally(`shape ${shape}`, isShape ? ['found', 'right'] : ['found']);
    const left = [...part.features];
    for (const feature of features) {
      if (part.loose?.includes(feature.kind)) continue;
      const at = left.findIndex((known) => matches(feature, known));
      tally(feature.kind, at < 0 ? ['found'] : ['found', 'right']);
      if (at < 0) say(`  ${part.name}: ${told(feature)} is not there`);
      else left.splice(at, 1);
    }
    for (const known of left) say(`  ${part.name}: ${told(known)} is not found`);
    for (const { kind } of part.features) tally(kind, ['known']);
    if (!isShape) say(`  ${part.name}: ${shape} ${wallMm ?? ''} instead of ${part.shape} ${part.wallMm ?? ''}`);
  }
  say(`\n${count} parts of the modeller, seed ${seed}`);
  const rows = [...kinds].map(([kind, { known, found, right }]) => ({ kind, known, found, right }));
  rows.push(
    rows.reduce((sum, row) => ({
      kind: 'all',
      known: sum.known + row.known,
      found: sum.found + row.found,
      right: sum.right + row.right,
    })),
  );
  for (const { kind, known, found, right } of rows)
    say(`${kind.padEnd(22)} recall ${share(right, known)}  precision ${share(right, found)}  (${known} there)`);
  return rows;
}

/** Teeth, ribs and threads, with sizes within 2 %, of parts that have them and of others that are like these. */
async function measureToothed(count, seed) {
  const kinds = new Map(['teeth', 'rib', 'thread'].map((kind) => [kind, { known: 0, found: 0, right: 0 }]));
  for await (const part of knownParts(count, seed, TOOTHED)) {
    const model = await readContent(part.step, 'part.step', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    const { features } = partFeatures(faceTableOf(model), 'closed');
    const left = [...part.features];
    for (const { kind } of left) kinds.get(kind).known++;
    for (const feature of features.filter(({ kind }) => kinds.has(kind))) {
      kinds.get(feature.kind).found++;
      const at = left.findIndex((known) => matches(feature, known, SAME_TOOTH));
      if (at < 0) say(`  ${part.name}: ${told(feature)} is not there`);
      else {
        kinds.get(feature.kind).right++;
        left.splice(at, 1);
      }
    }
    for (const known of left) say(`  ${part.name}: ${told(known)} is not found`);
  }
  say(`\n${count} parts with and without teeth, ribs and threads, seed ${seed}`);
  for (const [kind, { known, found, right }] of kinds)
    say(`${kind.padEnd(22)} recall ${share(right, known)}  precision ${share(right, found)}  (${known} there)`);
  return Object.fromEntries(kinds);
}

async function measureCubes(count, seed) {
  const faces = [];
  for (const { mesh, labelOf } of await cutCubes(count, seed)) {
    const body = findFaces(mesh, MOST_FACES);
    const labels = labelsOf(body);
    for (const [i, face] of body.faces.entries())
      faces.push({ label: labelOf(face, pointsOf(face, face.region)), found: labels[i] });
  }
  return labelled(`${count} cut cubes as meshes, seed ${seed}`, faces);
}

async function measureLabelled(folder) {
  const faces = [];
  let count = 0;
  for await (const { model, labels } of labelledParts(folder)) {
    count++;
    for (const mesh of model.meshes) {
      const body = findFaces(mesh, MOST_FACES);
      const found = labelsOf(body);
      for (const [i, { number }] of body.faces.entries()) faces.push({ label: labels[number], found: found[i] });
    }
  }
  return labelled(`${count} labelled parts of ${folder}`, faces);
}

function labelled(title, faces) {
  const right = faces.filter(({ label, found }) => label === found).length;
  say(`\n${title}: ${share(right, faces.length)} of ${faces.length} faces have the right label`);
  const byLabel = LABELS.map((name, label) => {
    const own = faces.filter((face) => face.label === label);
    const called = faces.filter((face) => face.found === label);
    const both = own.filter(({ found }) => found === label).length;
    say(
      `${name.padEnd(26)} recall ${share(both, own.length)}  precision ${share(both, called.length)}  (${own.length} faces)`,
    );
    return { name, faces: own.length, found: called.length, right: both };
  });
  return { faces: faces.length, right, byLabel };
}

/** Whether a found feature has all that is said of a known one. */
function matches(feature, known, tolerance = SAME) {
  return Object.entries(known).every(([name, value]) => {
    if (name === 'pattern') return feature.pattern !== undefined && matches(feature.pattern, value, tolerance);
    return typeof value === 'number' && name.endsWith('Mm')
      ? isNear(feature[name], value, tolerance)
      : feature[name] === value;
  });
}

function isNear(a, b, tolerance = SAME) {
  return Math.abs(a - b) <= tolerance * Math.max(a, b);
}

function told({ faces: _, ...feature }) {
  return JSON.stringify(feature);
}

function share(part, whole) {
  return whole === 0 ? '  –   ' : (part / whole).toFixed(4);
}
