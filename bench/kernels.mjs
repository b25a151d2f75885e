/**
 * Volume and surface area of a mesh of a million triangles: plain JavaScript, the WebAssembly core, and C.
 *
 * Data: a seeded bumpy sphere, once with its vertices in order and once shuffled (random access). All results must
 * agree to 1e-6. C is bench/kernels.c, compiled here with `cc -O3` if there is a compiler. Runs of all contestants
 * alternate, so that a slow phase of the machine affects all of them. "core" is the kernel alone on a mesh that is
 * already in its memory, as in the C program; "core, copy in" is the public function, which copies the mesh first.
 *
 * npm run bench -- kernels [--json]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Core, massProperties, volumeAndArea } from '../dist/core-entry.js';
import { copyMeshIn } from '../dist/core/mesh.js';
import { bumpySphere, shuffleVertices } from './support/meshes.mjs';

const ROUNDS = 7;
const RUNS_PER_ROUND = 5;
const AGREE = 1e-6;

const core = await Core.load();
const asJson = process.argv.includes('--json');
const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
const report = { machine: cpus()[0].model, node: process.version, triangles: 0, cases: [] };
try {
  const program = compileC(folder);
  if (program === undefined && !asJson) console.log('no C compiler (cc) here: the C rows are left out');
  const ordered = bumpySphere(708, 7);
  report.triangles = ordered.indices.length / 3;
  for (const [order, mesh] of [
    ['in order', ordered],
    ['shuffled', shuffleVertices(ordered, 11)],
  ]) {
    report.cases.push({ order, rows: measure(mesh, program, folder) });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (asJson) console.log(JSON.stringify(report));
else print(report);

/** Runs every contestant in turn and returns the times. */
function measure(mesh, program, folder) {
  const contestants = [
    { name: 'JavaScript, naive', run: () => inTurn(() => plainNaive(mesh)) },
    { name: 'JavaScript, compensated', run: () => inTurn(() => plainCompensated(mesh)) },
    { name: 'core', run: () => kernelAlone(mesh) },
    { name: 'core, copy in', run: () => inTurn(() => pair(volumeAndArea(core, mesh))) },
    { name: 'core, all mass properties', run: () => inTurn(() => pair(massProperties(core, mesh))) },
  ];
  if (program !== undefined) {
    const path = join(folder, 'mesh.bin');
    writeFileSync(path, meshBytes(mesh));
    for (const kind of ['naive', 'compensated']) {
      contestants.push({ name: `C -O3, ${kind}`, run: () => runC(program, path, kind) });
    }
  }
  const times = contestants.map(() => []);
  const found = [];
  for (let round = -1; round < ROUNDS; round++) {
    contestants.forEach((contestant, i) => {
      const { values, ms } = contestant.run();
      found[i] = values;
      if (round >= 0) times[i].push(...ms);
    });
  }
  for (const [i, values] of found.entries()) {
    for (const k of [0, 1]) {
      if (!(Math.abs(values[k] / found[1][k] - 1) <= AGREE)) {
        throw new Error(`${contestants[i].name} found ${values[k]}, expected ${found[1][k]} within ${AGREE}`);
      }
    }
  }
  return contestants.map(({ name }, i) => ({ name, ...spread(times[i]), volume: found[i][0], area: found[i][1] }));
}

function inTurn(body) {
  const ms = [];
  let values;
  for (let run = 0; run < RUNS_PER_ROUND; run++) {
    const start = performance.now();
    values = body();
    ms.push(performance.now() - start);
  }
  return { values, ms };
}

/** The kernel alone: the mesh is copied in once, outside the timed part. */
function kernelAlone(mesh) {
  return core.call((arena) => {
    const placed = copyMeshIn(arena, mesh);
    const out = arena.reserve(16);
    return inTurn(() => {
      const status = arena.kernels.volumeArea(...placed, out);
      if (status !== 0) throw new Error(`the kernel returned ${status}`);
      return arena.f64(out, 2);
    });
  });
}

function runC(program, path, kind) {
  const [volume, area, ...ms] = execFileSync(program, [path, String(RUNS_PER_ROUND), kind])
    .toString()
    .trim()
    .split(' ')
    .map(Number);
  return { values: [volume, area], ms };
}

function compileC(folder) {
  const program = join(folder, 'kernels');
  try {
    execFileSync('cc', ['-O3', '-o', program, fileURLToPath(new URL('./kernels.c', import.meta.url)), '-lm'], {
      stdio: 'pipe',
    });
    return program;
  } catch (cause) {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

function pair({ signedVolumeMm3, surfaceAreaMm2 }) {
  return [signedVolumeMm3, surfaceAreaMm2];
}

function plainNaive({ positions: p, indices }) {
  let volume = 0,
    area = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const wx = p[c] - p[a],
      wy = p[c + 1] - p[a + 1],
      wz = p[c + 2] - p[a + 2];
    const nx = uy * wz - uz * wy,
      ny = uz * wx - ux * wz,
      nz = ux * wy - uy * wx;
    volume += p[a] * nx + p[a + 1] * ny + p[a + 2] * nz;
    area += Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  return [volume / 6, area / 2];
}

function plainCompensated({ positions: p, indices }) {
  let volume = 0,
    volumeError = 0,
    area = 0,
    areaError = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const wx = p[c] - p[a],
      wy = p[c + 1] - p[a + 1],
      wz = p[c + 2] - p[a + 2];
    const nx = uy * wz - uz * wy,
      ny = uz * wx - ux * wz,
      nz = ux * wy - uy * wx;
    const height = p[a] * nx + p[a + 1] * ny + p[a + 2] * nz;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const nextVolume = volume + height;
    volumeError += Math.abs(volume) >= Math.abs(height) ? volume - nextVolume + height : height - nextVolume + volume;
    volume = nextVolume;
    const nextArea = area + length;
    areaError += area >= length ? area - nextArea + length : length - nextArea + area;
    area = nextArea;
  }
  return [(volume + volumeError) / 6, (area + areaError) / 2];
}

function meshBytes({ positions, indices }) {
  const counts = new Uint32Array([positions.length / 3, indices.length / 3]);
  return Buffer.concat([counts, positions, indices].map((a) => Buffer.from(a.buffer, a.byteOffset, a.byteLength)));
}

/** Median and quartiles of the runs. */
function spread(ms) {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return { medianMs: at(0.5), lowMs: at(0.25), highMs: at(0.75) };
}

function print({ machine, node, triangles, cases }) {
  console.log(
    `volume + area of ${triangles.toLocaleString('en')} triangles; ${machine}; Node ${node}; ` +
      `${ROUNDS * RUNS_PER_ROUND} runs each`,
  );
  for (const { order, rows } of cases) {
    const ofC = (kind) => rows.find(({ name }) => name === `C -O3, ${kind}`);
    console.log(`\nvertices ${order}`.padEnd(29), 'median ms   middle half   Mtri/s   ×C naive  ×C compensated');
    for (const row of rows) {
      const versus = (kind) => (ofC(kind) === undefined ? '–' : (ofC(kind).medianMs / row.medianMs).toFixed(2));
      console.log(
        row.name.padEnd(28),
        row.medianMs.toFixed(2).padStart(9),
        `${row.lowMs.toFixed(2)}–${row.highMs.toFixed(2)}`.padStart(13),
        (triangles / row.medianMs / 1000).toFixed(0).padStart(8),
        versus('naive').padStart(10),
        versus('compensated').padStart(15),
      );
    }
  }
}
