/**
 * Geometry: what the core measures on one mesh, namely mass properties, topology, smallest box, samples, distances.
 *
 * Data: generated shapes (support/meshes.mjs). Quality is printed beside speed: the smallest box against its closed
 * form, and its spread over random orientations. Times are medians of the public functions in one thread, including the
 * copy into the core's memory.
 *
 * npm run bench -- geometry [--json]
 */
import { cpus } from 'node:os';
import {
  Core,
  massProperties,
  meshTopology,
  orientedBox,
  pointMeshDistances,
  sampleSurface,
  surfaceDeviations,
} from '../dist/core-entry.js';
import { bumpySphere, randomOf, shaft, sphere, torus, turned } from './support/meshes.mjs';

const ORIENTATIONS = 20;
const SAMPLES = 1000;
const CANDIDATES = 48;
const BOUND_MM = 0.05;

const core = await Core.load();
const shapes = [
  { name: 'shaft', mesh: shaft(100, 9), boxMm3: 24 * 24 * 76 },
  { name: 'torus', mesh: torus(20, 6, 128, 78), boxMm3: 52 * 52 * 12 },
  { name: 'small torus', mesh: torus(20, 6, 72, 36), boxMm3: 52 * 52 * 12 },
  { name: 'sphere', mesh: sphere(10, 100, 100), boxMm3: 8000 },
  { name: 'bumpy sphere', mesh: bumpySphere(708, 7) },
];
const rows = shapes.map(measure);
if (process.argv.includes('--json'))
  console.log(JSON.stringify({ machine: cpus()[0].model, node: process.version, rows }));
else print(rows);

function measure({ name, mesh, boxMm3 }) {
  const random = randomOf(3);
  const triangles = mesh.indices.length / 3;
  const runs = triangles > 200_000 ? 3 : 11;
  const boxes = [],
    boxTimes = [];
  for (let i = -2; i < (triangles > 200_000 ? 3 : ORIENTATIONS); i++) {
    const copy = turned(mesh, random);
    const start = performance.now();
    const { volumeMm3 } = orientedBox(core, copy);
    if (i >= 0) {
      boxTimes.push(performance.now() - start);
      boxes.push(volumeMm3);
    }
  }
  const { positions } = sampleSurface(core, mesh, SAMPLES, 1);
  const one = positions.subarray(0, 3);
  const wrong = Array.from({ length: CANDIDATES - 1 }, () => transformOf(random));
  const candidates = new Float32Array([...wrong.flat(), 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const found = surfaceDeviations(core, mesh, positions, candidates, BOUND_MM).at(-1);
  if (!(found.maxMm < BOUND_MM)) throw new Error(`${name}: samples lie ${found.maxMm} mm off their own mesh`);
  const buildMs = median(() => pointMeshDistances(core, mesh, one), runs);
  return {
    name,
    triangles,
    boxMs: middle(boxTimes),
    boxError: boxMm3 === undefined ? undefined : middle(boxes) / boxMm3 - 1,
    boxSpread: Math.max(...boxes) / Math.min(...boxes) - 1,
    massMs: median(() => massProperties(core, mesh), runs),
    topologyMs: median(() => meshTopology(core, mesh), runs),
    samplesMs: median(() => sampleSurface(core, mesh, SAMPLES, 1), runs),
    buildMs,
    // For a large mesh the time of the queries is within the noise of building the tree.
    queryUs:
      triangles > 200_000
        ? undefined
        : (1000 * (median(() => pointMeshDistances(core, mesh, positions), runs) - buildMs)) / SAMPLES,
    verifyMs: median(() => surfaceDeviations(core, mesh, positions, candidates, BOUND_MM), runs),
  };
}

/** A random orientation and a shift of 3 mm as f32[12]; the shift also changes round shapes. */
function transformOf(random) {
  const { positions: p } = turned(
    { positions: new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1]), indices: new Uint32Array() },
    random,
  );
  return [p[0], p[3], p[6], 3, p[1], p[4], p[7], 0, p[2], p[5], p[8], 0];
}

function median(body, runs) {
  body();
  const times = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    body();
    times.push(performance.now() - start);
  }
  return middle(times);
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function print(rows) {
  console.log(`measuring one mesh, ms; ${cpus()[0].model}; Node ${process.version}`);
  console.log(`verify: ${SAMPLES} samples under ${CANDIDATES} transforms, one of them right, search tree included\n`);
  const heads = [
    'triangles',
    'box',
    'box error',
    'box spread',
    'mass',
    'topology',
    `${SAMPLES} samples`,
    'build tree',
    'us/query',
    'verify',
  ];
  console.log(''.padEnd(14), heads.map((head) => head.padStart(14)).join(''));
  for (const row of rows) {
    const cells = [
      row.triangles.toLocaleString('en'),
      row.boxMs.toFixed(2),
      row.boxError === undefined ? '–' : `${(100 * row.boxError).toFixed(2)} %`,
      row.boxSpread.toExponential(1),
      ...[row.massMs, row.topologyMs, row.samplesMs, row.buildMs, row.queryUs, row.verifyMs].map(
        (ms) => ms?.toFixed(2) ?? '–',
      ),
    ];
    console.log(row.name.padEnd(14), cells.map((cell) => cell.padStart(14)).join(''));
  }
}
