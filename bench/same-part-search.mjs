/**
 * Same part through the public API: parts are indexed, and changed copies of them are searched with.
 *
 * Data: parts of a folder of class folders. The copies (rotated, mirrored, scaled, meshed differently, rounded) are
 * given as STL bytes.
 *
 * Printed, a line per change: how many copies find their original first, how many with a score of at most 0.01 if the
 * geometry is the same, and how many with the right match class.
 *
 * npm run bench -- same-part-search --data DIR [--parts 200] [--library DIR] [--json]
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import occtimportjs from 'occt-import-js';
import { Engine } from 'shapedex';
import { readContent } from '../dist/readers/read.js';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { binaryStl } from '../dist/parts/mesh-files.js';
import { changesOf } from './support/same-part-changes.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const options = benchOptions({ parts: { type: 'string', default: '200' }, library: { type: 'string' } });
if (options.data === undefined) {
  console.log(
    'the bench same-part-search needs --data DIR, a folder of class folders with models; nothing was measured.',
  );
  process.exit(0);
}
const occt = await occtimportjs();
const folder = options.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-same-part-')));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('bench');
  for await (const _ of company.putFolder(options.data, { resume: true }));
  const rows = new Map();
  const searchMs = [];
  for (const record of await choose(company, Number(options.parts))) {
    const bytes = await readFile(join(options.data, ...record.path.split('/')));
    const mesh = placeMeshes(await readContent(bytes, record.path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' }));
    const tessellate =
      record.extension.startsWith('.st') && record.extension !== '.stl'
        ? (parameters) => tessellateStep(bytes, parameters)
        : undefined;
    for (const { change, expected, changed } of changesOf(mesh, { random: generator(record.sha256), tessellate })) {
      const { hits, elapsedMs } = await company.search({
        like: { bytes: binaryStl(changed, 'changed'), extension: 'stl' },
        limit: 5,
      });
      searchMs.push(elapsedMs);
      const row = rows.get(change) ?? {
        change,
        count: 0,
        first: 0,
        classed: 0,
        near: 0,
        isSame: expected[0] === 'identical',
        wrong: [],
      };
      rows.set(change, row);
      const own = hits.find((hit) => hit.uid === record.uid);
      // Files with the same geometry under other names may tie with the original.
      const isFirst =
        own !== undefined &&
        (own === hits[0] || (hits[0].matchClass === own.matchClass && own.matchClass !== 'similar'));
      const isClassed = own !== undefined && expected.includes(own.matchClass);
      row.count++;
      row.first += isFirst ? 1 : 0;
      row.classed += isClassed ? 1 : 0;
      row.near += own !== undefined && own.score <= 0.01 ? 1 : 0;
      if (!isFirst || !isClassed)
        row.wrong.push(
          `${record.path}: ` +
            (own === undefined ? 'not in the first five' : `${own.matchClass} ${own.score.toFixed(3)}`),
        );
    }
  }
  await report([...rows.values()], searchMs);
} finally {
  await engine.close();
  if (options.library === undefined) await rm(folder, { recursive: true, force: true });
}

/** Every STEP file, then other files evenly spaced by path. */
async function choose(company, count) {
  const records = await company.list({ limit: 10_000, state: 'indexed' });
  const step = records.filter(({ extension }) => /^\.ste?p$/.test(extension));
  const rest = records.filter(({ extension }) => !/^\.ste?p$/.test(extension));
  const wanted = Math.max(0, Math.min(count - step.length, rest.length));
  return [
    ...step.slice(0, count),
    ...Array.from({ length: wanted }, (_, i) => rest[Math.floor((i * rest.length) / wanted)]),
  ];
}

function tessellateStep(bytes, parameters) {
  const { meshes } = occt.ReadStepFile(bytes, parameters);
  const positions = [];
  const indices = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const value of mesh.attributes.position.array) positions.push(value);
    for (const index of mesh.index.array) indices.push(first + index);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function generator(hash) {
  let state = Number.parseInt(hash.slice(0, 8), 16) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

async function report(rows, searchMs) {
  const summary = {
    machine: await machine(),
    changes: rows,
    searchMsMedian: quantile(searchMs, 0.5),
    searchMsP95: quantile(searchMs, 0.95),
  };
  if (options.json) {
    console.log(JSON.stringify(summary, undefined, 2));
    return;
  }
  console.log(`${summary.machine}\n${'change'.padEnd(28)} parts  first %  class %  score <= 0.01 %`);
  const share = (part, whole) => ((100 * part) / whole).toFixed(1).padStart(7);
  for (const { change, count, first, classed, near, isSame, wrong } of rows) {
    console.log(
      `${change.padEnd(28)} ${String(count).padStart(5)}  ${share(first, count)}  ${share(classed, count)}  ` +
        `${isSame ? share(near, count) : '      -'}`,
    );
    for (const line of wrong.slice(0, 4)) console.log(`    ${line}`);
  }
  console.log(
    `search with bytes, reading and describing included: median ${summary.searchMsMedian.toFixed(0)} ms, p95 ` +
      `${summary.searchMsP95.toFixed(0)} ms`,
  );
}
