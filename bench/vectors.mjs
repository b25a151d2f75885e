/**
 * The vector index: exact scan against HNSW (hnswlib-node), in one run on the same vectors.
 *
 * Data, seeded: support/clustered-vectors.mjs.
 *
 * Measured: time of a search for 200 candidates (as the engine asks) and for 10, median and 95th percentile; recall
 * against the exact scan (a result as near as the last exact one counts); time to build and load the graph; bytes per
 * vector; filters. "cold" is a scan after the table was evicted from the processor's caches by reading 512 MB of other
 * data. Last, the effect of a build on the host: the delay of a 1 ms timer, with the graph built in a worker and in
 * slices of 5 ms.
 *
 * npm run bench -- vectors [--sizes 1000,10000,100000] [--m 16] [--ef-construction 200] [--ef-search
 *     50,100,200,400,800] [--json]
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import hnswlib from 'hnswlib-node';
import { Core } from '../dist/core-entry.js';
import { VectorIndex } from '../dist/vectors/vector-index.js';
import { HNSW_DEFAULTS } from '../dist/vectors/hnsw-graph.js';
import { CacheFile } from '../dist/store/disk/cache-file.js';
import { DIMENSION, clusteredVectors, randomOf } from './support/clustered-vectors.mjs';

const COLD_QUERIES = 15;
const FILTER_SHARES = [0.001, 0.01, 0.1, 0.5];
const HOST_ROWS = 5_000;

const { values: args } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    m: { type: 'string', default: String(HNSW_DEFAULTS.m) },
    'ef-construction': { type: 'string', default: String(HNSW_DEFAULTS.efConstruction) },
    'ef-search': { type: 'string', default: '50,100,200,400,800' },
    json: { type: 'boolean', default: false },
  },
});
const numbers = (/** @type {string} */ list) => list.split(',').map(Number);
const build = { m: Number(args.m), efConstruction: Number(args['ef-construction']) };

const core = await Core.load();
const report = { machine: cpus()[0].model, node: process.version, ...build, sizes: [], host: undefined };
for (const size of numbers(args.sizes)) {
  const measured = await measure(size);
  report.sizes.push(measured);
  if (!args.json) printSize(measured);
}
report.host = await measureHost();
if (args.json) console.log(JSON.stringify(report));
else printHost(report.host);

async function measure(size) {
  const { rows, queries } = clusteredVectors(size);
  const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
  try {
    const open = (options) => VectorIndex.open(core, { dimension: DIMENSION, vectors: [rows], ...options });
    const started = performance.now();
    const scan = await open({});
    const fillMs = performance.now() - started;
    const result = {
      size,
      fillMs,
      tableBytes: DIMENSION * 4 + 4,
      scan: timed(queries, (query) => scan.search(query, 200, { exact: true })),
      cold: timedCold(queries, (query) => scan.search(query, 200, { exact: true })),
      graphs: [],
      filters: [],
    };
    const exact10 = queries.map((query) => scan.search(query, 10, { exact: true }));
    const exact200 = queries.map((query) => scan.search(query, 200, { exact: true }));

    const cacheFile = new CacheFile(join(folder, 'graph'));
    const building = performance.now();
    const first = await open({ exactLimit: 0, cacheFile, hnsw: build });
    await first.flush();
    result.buildMs = performance.now() - building;
    await first.close();
    result.graphFileBytes =
      readdirSync(cacheFile.folder).reduce((sum, name) => sum + statSync(join(cacheFile.folder, name)).size, 0) / size;
    for (const efSearch of numbers(args['ef-search'])) {
      const index = await open({ exactLimit: 0, cacheFile, hnsw: { ...build, efSearch } });
      const loading = performance.now();
      await index.flush();
      result.loadMs = performance.now() - loading;
      if (efSearch === HNSW_DEFAULTS.efSearch) {
        const everyOther = (share) =>
          Uint32Array.from(
            rows.filter(() => random() < share),
            (row) => row.label,
          );
        const random = randomOf(7);
        for (const share of FILTER_SHARES) {
          const allow = everyOther(share);
          const truth = queries.map((query) => scan.search(query, 200, { exact: true, allow }));
          result.filters.push({
            share,
            scan: timed(queries, (query) => index.search(query, 200, { exact: true, allow })),
            index: timed(queries, (query) => index.search(query, 200, { allow })),
            recall: recall(
              truth,
              queries.map((query) => index.search(query, 200, { allow })),
            ),
          });
        }
      }
      const row = {
        efSearch,
        ten: timed(queries, (query) => index.search(query, 10)),
        recall10: recall(
          exact10,
          queries.map((query) => index.search(query, 10)),
        ),
        twoHundred: timed(queries, (query) => index.search(query, 200)),
        cold: timedCold(queries, (query) => index.search(query, 200)),
        recallFirst10of200: recall(
          exact10,
          queries.map((query) => index.search(query, 200)),
        ),
        recall200: recall(
          exact200,
          queries.map((query) => index.search(query, 200)),
        ),
      };
      result.graphs.push(row);
      await index.close();
    }
    await scan.close();
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Delay of a 1 ms timer of the host while a graph of HOST_ROWS rows is built, in a worker and in slices. */
async function measureHost() {
  const { rows } = clusteredVectors(HOST_ROWS);
  const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
  try {
    const worker = await lateness(async () => {
      const index = await VectorIndex.open(core, {
        dimension: DIMENSION,
        vectors: [rows],
        exactLimit: 0,
        cacheFile: new CacheFile(join(folder, 'graph')),
        hnsw: build,
      });
      await index.flush();
      await index.close();
    });
    const slices = await lateness(async () => {
      const graph = new hnswlib.HierarchicalNSW('l2', DIMENSION);
      graph.initIndex(HOST_ROWS, build.m, build.efConstruction, 100);
      for (let row = 0; row < HOST_ROWS; ) {
        const end = performance.now() + 5;
        for (; row < HOST_ROWS && performance.now() < end; row++)
          graph.addPoint(Array.from(rows[row].vector), rows[row].label);
        await new Promise((resolve) => setImmediate(resolve));
      }
      graph.writeIndexSync(join(folder, 'slices'));
    });
    return { rows: HOST_ROWS, worker, slices };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lateness(body) {
  const late = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - 1));
    last = now;
  }, 1);
  const started = performance.now();
  await body();
  clearInterval(timer);
  return { totalMs: performance.now() - started, ...spread(late), worstMs: Math.max(...late) };
}

function timed(queries, search) {
  for (const query of queries.slice(0, 50)) search(query);
  return spread(queries.map((query) => timeOf(() => search(query))));
}

function timedCold(queries, search) {
  const other = new Float64Array(64 * 1024 * 1024);
  let sum = 0;
  return spread(
    queries.slice(0, COLD_QUERIES).map((query) => {
      for (let i = 0; i < other.length; i += 8) sum += other[i];
      if (sum !== 0) throw new Error('the buffer was written to');
      return timeOf(() => search(query));
    }),
  );
}

function timeOf(body) {
  const start = performance.now();
  body();
  return performance.now() - start;
}

/** Share of results that are at least as near as the last exact one. */
function recall(exact, found) {
  const shares = exact.map(({ distances }, i) => {
    const last = distances[distances.length - 1];
    return (
      found[i].distances.subarray(0, distances.length).filter((distance) => distance <= last).length / distances.length
    );
  });
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

function spread(ms) {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

function printSize({ size, fillMs, tableBytes, scan, cold, graphs, filters, buildMs, loadMs, graphFileBytes }) {
  const gbps = ((size * DIMENSION * 4) / scan.p50Ms / 1e6).toFixed(1);
  const times = ({ p50Ms, p95Ms }) => `${p50Ms.toFixed(2)} / ${p95Ms.toFixed(2)}`.padStart(15);
  console.log(
    `\n${size.toLocaleString('en')} vectors of ${DIMENSION}; m ${build.m}, efConstruction ` +
      `${build.efConstruction}; ${report.machine}; Node ${report.node}`,
  );
  console.log(
    `table: ${tableBytes} bytes a vector, filled in ${fillMs.toFixed(0)} ms; graph: ` +
      `${graphFileBytes.toFixed(0)} bytes a vector, built in ${(buildMs / 1000).toFixed(1)} s, loaded in ` +
      `${loadMs.toFixed(0)} ms`,
  );
  console.log('ms, p50 / p95               k = 10  recall@10        k = 200  first 10  recall@200   k = 200 cold');
  console.log(`exact scan (${gbps} GB/s)`.padEnd(47), times(scan), '   1.0000      1.0000', times(cold));
  for (const { efSearch, ten, recall10, twoHundred, cold: graphCold, recallFirst10of200, recall200 } of graphs) {
    console.log(
      `graph, efSearch ${efSearch}`.padEnd(20),
      times(ten),
      recall10.toFixed(4).padStart(9),
      times(twoHundred),
      recallFirst10of200.toFixed(4).padStart(9),
      recall200.toFixed(4).padStart(11),
      times(graphCold),
    );
  }
  for (const { share, scan: scanned, index, recall: found } of filters) {
    console.log(
      `filter of ${(100 * share).toFixed(1)} %: scan ${times(scanned)}   index ${times(index)}   recall@200 ` +
        `${found.toFixed(4)}`,
    );
  }
}

function printHost({ rows, worker, slices }) {
  console.log(`\nbuilding ${rows} rows beside a host with a 1 ms timer: ms late, p50 / p95 / worst`);
  for (const [name, { totalMs, p50Ms, p95Ms, worstMs }] of [
    ['worker', worker],
    ['slices of 5 ms', slices],
  ]) {
    console.log(
      `${name.padEnd(16)} ${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)} / ${worstMs.toFixed(1)}, built in ` +
        `${(totalMs / 1000).toFixed(1)} s`,
    );
  }
}
