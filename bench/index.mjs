/**
 * The index of compact vectors beside other packages, 256 nearest with and without filters: time, recall, build,
 * memory.
 *
 * Data, seeded: support/clustered-vectors.mjs. A filter passes rows at random. Ours: `VectorIndex` as the engine uses
 * it above `exactLimit` (graph, or the exact scan where a filter leaves few), and its exact scan. Peers are no
 * dependencies: --peers FOLDER names one whose node_modules holds `hnswlib-node`, `usearch`, `@lancedb/lancedb` or some
 * of them (`npm install` them there). hnswlib-node by itself asks a function for each label that a filter may pass.
 * usearch takes no filter from JavaScript. LanceDB: HNSW with vectors of 8 bits, ef 1 024; a filter is a column.
 *
 * Measured in one process, peers one after the other: clock time, median and 95th percentile; recall of the exact first
 * 256 (a result as near as the last exact one counts); time to build; growth of resident memory while building.
 *
 * npm run bench -- index [--rows 100000] [--peers FOLDER] [--json]
 */
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Core } from '../dist/core-entry.js';
import { CacheFile } from '../dist/store/disk/cache-file.js';
import { VectorIndex } from '../dist/vectors/vector-index.js';
import { DIMENSION, clusteredVectors, randomOf } from './support/clustered-vectors.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const NEAREST = 256;
const SHARES = [1, 0.001, 0.01, 0.1, 0.5];
const EF = 1_024;

const args = benchOptions({ rows: { type: 'string', default: '100000' }, peers: { type: 'string' } });
const { rows, queries } = clusteredVectors(Number(args.rows));
const random = randomOf(7);
const filters = SHARES.map((share) => ({
  share,
  allow:
    share === 1
      ? undefined
      : Uint32Array.from(
          rows.filter(() => random() < share),
          ({ label }) => label,
        ),
}));
const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
try {
  const core = await Core.load();
  const exact = await VectorIndex.open(core, { dimension: DIMENSION, vectors: [rows] });
  const truth = filters.map(({ allow }) =>
    queries.map((query) => exact.search(query, NEAREST, { exact: true, allow })),
  );
  const ways = [
    await measure('exact scan', async () => ({
      search: (query, { allow }) => exact.search(query, NEAREST, { exact: true, allow }).labels,
    })),
    await measure('ours', ours),
    ...(args.peers === undefined
      ? []
      : [await measure('hnswlib-node', hnswlib), await measure('usearch', usearch), await measure('LanceDB', lanceDb)]),
  ].filter((way) => way !== undefined);
  const report = { machine: await machine(), load: loadavg()[0], rows: rows.length, ways };
  if (args.json) console.log(JSON.stringify(report));
  else print(report);

  async function ours() {
    const index = await VectorIndex.open(core, {
      dimension: DIMENSION,
      vectors: [rows],
      exactLimit: Math.min(rows.length - 1, 20_000),
      cacheFile: new CacheFile(join(folder, 'graph')),
    });
    await index.flush();
    return {
      search: (query, { allow }) => index.search(query, NEAREST, { allow }).labels,
      close: () => index.close(),
    };
  }

  async function measure(name, open) {
    global.gc?.();
    const before = process.memoryUsage().rss,
      started = performance.now();
    const way = await open();
    if (way === undefined) return undefined;
    const buildMs = performance.now() - started,
      memoryBytes = process.memoryUsage().rss - before;
    const measured = [];
    for (const [i, filter] of filters.entries()) {
      if (way.isPlain && filter.allow !== undefined) continue;
      for (const query of queries.slice(0, 20)) await way.search(query, filter);
      const ms = [],
        found = [];
      for (const query of queries) {
        const start = performance.now();
        const labels = await way.search(query, filter);
        ms.push(performance.now() - start);
        found.push(labels);
      }
      const recall =
        queries.reduce((sum, query, k) => sum + recallOf(query, truth[i][k], found[k]), 0) / queries.length;
      measured.push({ share: filter.share, p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95), recall });
    }
    await way.close?.();
    return { name, buildMs, bytesPerRow: memoryBytes / rows.length, measured };
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Share of the exact results that are found; one as near as the last exact one counts. */
function recallOf(query, { labels, distances }, found) {
  if (labels.length === 0) return 1;
  const last = distances[distances.length - 1] * (1 + 1e-6);
  return Math.min(
    1,
    [...found].filter((label) => distanceOf(query, rows[label - 1].vector) <= last).length / labels.length,
  );
}

function distanceOf(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum);
}

/** A package of the folder of peers; undefined where it is not installed. */
async function peer(name) {
  const require = createRequire(join(resolve(args.peers), 'package.json'));
  try {
    const loaded = await import(pathToFileURL(require.resolve(name)).href);
    return loaded.default ?? loaded;
  } catch (cause) {
    if (cause.code !== 'MODULE_NOT_FOUND') throw cause;
    console.error(`${name} is not installed in ${args.peers}`);
    return undefined;
  }
}

async function hnswlib() {
  const found = await peer('hnswlib-node');
  if (found === undefined) return undefined;
  const index = new found.HierarchicalNSW('l2', DIMENSION);
  index.initIndex(rows.length, 32, 200);
  for (const { label, vector } of rows) index.addPoint(Array.from(vector), label);
  index.setEf(EF);
  const passes = new Map(filters.map(({ share, allow }) => [share, new Set(allow ?? [])]));
  return {
    search: (query, { share }) => {
      const passing = passes.get(share);
      const asked = share === 1 ? undefined : (label) => passing.has(label);
      return index.searchKnn(Array.from(query), NEAREST, asked).neighbors;
    },
  };
}

async function usearch() {
  const found = await peer('usearch');
  if (found === undefined) return undefined;
  const index = new found.Index({
    metric: 'l2sq',
    dimensions: DIMENSION,
    connectivity: 32,
    expansion_add: 200,
    expansion_search: EF,
  });
  for (const { label, vector } of rows) index.add(BigInt(label), Float32Array.from(vector));
  return {
    isPlain: true,
    search: (query) => Array.from(index.search(Float32Array.from(query), NEAREST, 1).keys, Number),
  };
}

async function lanceDb() {
  const found = await peer('@lancedb/lancedb');
  if (found === undefined) return undefined;
  const passes = filters.map(({ allow }) => new Set(allow ?? []));
  const database = await found.connect(join(folder, 'lance'));
  const table = await database.createTable(
    'vectors',
    rows.map(({ label, vector }) => ({
      label,
      vector: Array.from(vector),
      ...Object.fromEntries(SHARES.map((_, i) => [`pass${i}`, passes[i].has(label) ? 1 : 0])),
    })),
  );
  await table.createIndex('vector', {
    config: found.Index.hnswSq({ distanceType: 'l2', numPartitions: 1, m: 32, efConstruction: 200 }),
  });
  for (const i of SHARES.keys())
    if (SHARES[i] !== 1) await table.createIndex(`pass${i}`, { config: found.Index.btree() });
  return {
    async search(query, { share }) {
      const asked = table.search(Float32Array.from(query)).ef(EF).select(['label']).limit(NEAREST);
      const hits = await (share === 1 ? asked : asked.where(`pass${SHARES.indexOf(share)} = 1`)).toArray();
      return hits.map(({ label }) => Number(label));
    },
    close: () => database.close(),
  };
}

function print({ machine: where, load, rows: count, ways }) {
  console.log(`${count} vectors of ${DIMENSION}, ${NEAREST} nearest; ${where}; load ${load.toFixed(1)}`);
  console.log(
    `${'p50 / p95 ms, recall'.padEnd(12)}${SHARES.map((share) => (share === 1 ? 'all' : `${100 * share} %`).padStart(24)).join('')}`,
  );
  for (const { name, buildMs, bytesPerRow, measured } of ways)
    console.log(
      `${name.padEnd(20)}${SHARES.map((share) => {
        const one = measured.find((row) => row.share === share);
        return (
          one === undefined ? '–' : `${one.p50Ms.toFixed(1)} / ${one.p95Ms.toFixed(1)} ${one.recall.toFixed(4)}`
        ).padStart(24);
      }).join('')}   built in ${(buildMs / 1000).toFixed(1)} s, ${Math.round(bytesPerRow)} bytes a row`,
    );
}
