/**
 * Describing a mesh of 20 000 triangles in one thread: the total time, and the time of each step.
 *
 * Data: generated meshes (support/meshes.mjs): a stepped shaft, a torus and a bumpy sphere, rotated at random.
 * Processor time of this process is printed beside the clock time: on a busy machine it is close to the clock time of a
 * quiet one. Bytes are the size of the descriptors in the catalogue.
 *
 * npm run bench -- describe [--runs 21] [--json]
 */
import { loadavg } from 'node:os';
import { massProperties, meshTopology, orientedBox } from 'shapedex/core';
import { Core } from 'shapedex/core';
import { backgroundOf } from '../dist/descriptors/shape-distance.js';
import { vectorMaker } from '../dist/descriptors/describe-mesh.js';
import { ShapeDescriber } from '../dist/descriptors/describe.js';
import { encodeFine } from '../dist/descriptors/fine.js';
import { loadReference } from '../dist/descriptors/reference.js';
import { encodeSurface } from '../dist/descriptors/surface.js';
import { describeShape } from '../dist/core/shape.js';
import { faceStatistics } from '../dist/descriptors/faces/face-statistics.js';
import { faceTableOf } from '../dist/descriptors/faces/face-table.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { bumpySphere, randomOf, shaft, torus, turned } from './support/meshes.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const args = benchOptions({ runs: { type: 'string', default: '21' } });
const WARM_UP = 3;

const core = await Core.load();
const describer = await ShapeDescriber.load(core);
const reference = await loadReference();
const vectorsOf = vectorMaker(core, reference);
const report = { machine: await machine(), load: loadavg()[0], meshes: [] };
for (const [name, mesh] of [
  ['shaft', shaft(100, 9)],
  ['torus', torus(20, 6, 128, 78)],
  ['bumpy sphere', bumpySphere(100, 7)],
]) {
  report.meshes.push({ name, ...measure(turned(mesh, randomOf(5))) });
}
if (args.json) console.log(JSON.stringify(report));
else print(report);

function measure({ positions, indices }) {
  const model = modelOf(positions, indices);
  const mesh = placeMeshes(model);
  const box = orientedBox(core, mesh);
  const features = describeShape(core, mesh);
  const table = faceTableOf(model);
  const faces = faceStatistics(table);
  const vectors = vectorsOf(features, faces);
  const fine = encodeFine(vectors, features.plainPairs);
  const { descriptors } = describer.describe(model);
  const steps = {
    describe: () => describer.describe(model),
    'place the meshes': () => placeMeshes(model),
    'mass properties': () => massProperties(core, mesh),
    'smallest box': () => orientedBox(core, mesh),
    topology: () => meshTopology(core, mesh),
    shape: () => describeShape(core, mesh),
    faces: () => faceTableOf(model),
    'statistics of faces': () => faceStatistics(table),
    'learned vectors': () => vectorsOf(features, faces),
    'fine bytes': () => encodeFine(vectors, features.plainPairs),
    background: () => backgroundOf(core, fine, reference),
    surface: () => encodeSurface(mesh, box.sizeMm),
  };
  const times = Object.fromEntries(Object.entries(steps).map(([step, body]) => [step, timed(body)]));
  const bytes = Object.fromEntries(Object.entries(descriptors).map(([descriptor, { length }]) => [descriptor, length]));
  return { triangles: indices.length / 3, times, bytes };
}

function modelOf(positions, indices) {
  const identity = Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0));
  const mesh = { positions: Float64Array.from(positions), indices };
  return {
    kind: 'model',
    format: 'stl',
    meshes: [mesh],
    root: { name: '', transform: identity, meshes: [0], children: [] },
    warnings: [],
  };
}

function timed(body) {
  const clock = [],
    processor = [];
  for (let run = -WARM_UP; run < Number(args.runs); run++) {
    const cpu = process.cpuUsage(),
      start = performance.now();
    body();
    if (run < 0) continue;
    clock.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpu);
    processor.push((user + system) / 1000);
  }
  return { medianMs: quantile(clock, 0.5), processorMs: quantile(processor, 0.5) };
}

function print({ machine, load, meshes }) {
  console.log(`${machine}; load ${load.toFixed(1)}; medians of ${args.runs} runs, ms: by the clock / of processor`);
  console.log(''.padEnd(18), ...meshes.map(({ name, triangles }) => `${name}, ${triangles}`.padStart(22)));
  for (const step of Object.keys(meshes[0].times)) {
    console.log(
      step.padEnd(18),
      ...meshes.map(({ times }) =>
        `${times[step].medianMs.toFixed(2)} / ${times[step].processorMs.toFixed(2)}`.padStart(22),
      ),
    );
  }
  console.log(
    'bytes'.padEnd(18),
    ...meshes.map(({ bytes }) => Object.values(bytes).join(' + ').padStart(22)),
    `  (${Object.keys(meshes[0].bytes).join(' + ')})`,
  );
}
