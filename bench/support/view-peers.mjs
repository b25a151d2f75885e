/**
 * Indexes of other packages that hold views as vectors, as the first stage of a search by views: each vector of a query
 * (a view in one of four turns) asks for its nearest views. Of a file counts its best product with each view of the
 * query, or the least that was found where the file was not; the 4,096 best files are the proposed ones, as with lists.
 *
 * Packages are no dependencies: `folder` is one whose node_modules holds `hnswlib-node`, `usearch`, `@lancedb/lancedb`
 * or some of them (`npm install` them there).
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { logOf, vectorsOf } from '../../dist/core/view-distances.js';
import { weightsOf } from '../../dist/core/view-facts.js';
import { TURNS, turnedViews } from '../../dist/core/views.js';
import { VIEW_BYTES } from '../../dist/descriptors/views.js';

const LONG = 64;
/** Numbers of the short vectors of our lists. */
const SHORT = 28;
const EQUAL = 127 * 127;
/** Links of a view, and views that are looked at to find them. */
const LINKS = 16;
const BUILD = 128;
/** Rows that LanceDB is given at a time. */
const BATCH = 50_000;

/** The ways that can be asked for, by what they are called in the report. */
export const VIEW_PEERS = {
  'hnswlib-node, 64 numbers': (peers) => hnswlib(peers, LONG),
  'hnswlib-node, 28 numbers': (peers) => hnswlib(peers, SHORT),
  'usearch, 64 of 8 bits': usearch,
  'LanceDB, HNSW of 8 bits': lanceDb,
};

/**
 * @param {{ folder: string, scan: import('../../dist/core/view-scan.js').ViewScan, files: number, nearest: number }}
 * peers scan: holds the views of files 1 to `files`. nearest: views that each vector asks for, and `ef` of its search.
 * @param {keyof typeof VIEW_PEERS} name
 * @returns {Promise<undefined | { buildMs: number, bytesPerView: number, diskBytesPerView?: number,
 *   propose: (query: Uint8Array, most: number) => Promise<Uint32Array>, close: () => void }>} undefined: not installed
 */
export async function viewPeer(peers, name) {
  const fileOf = new Uint32Array(peers.scan.viewCount);
  const rows = new Int8Array(peers.scan.viewCount * LONG);
  let count = 0;
  for (let file = 1; file <= peers.files; file++) {
    const { vectors, weights } = peers.scan.vectorsOf(file);
    rows.set(vectors, count * LONG);
    fileOf.fill(file, count, count + weights.length);
    count += weights.length;
  }
  global.gc?.();
  const before = process.memoryUsage().rss,
    started = performance.now();
  const index = await VIEW_PEERS[name]({ ...peers, rows, count });
  if (index === undefined) return undefined;
  const buildMs = performance.now() - started;
  global.gc?.();
  return {
    buildMs,
    bytesPerView: (process.memoryUsage().rss - before) / count,
    ...(index.diskBytes === undefined ? {} : { diskBytesPerView: index.diskBytes / count }),
    close: () => index.close?.(),
    async propose(query, most) {
      const { vectors } = vectorsOf(peers.scan, turnedViews(peers.scan.core, query, VIEW_BYTES));
      const weights = weightsOf(query, VIEW_BYTES);
      const sums = new Float64Array(peers.files + 1);
      for (const [view, weight] of weights.entries()) {
        const best = new Float64Array(peers.files + 1);
        let least = Infinity;
        for (let turn = 0; turn < TURNS; turn++) {
          const at = (view * TURNS + turn) * LONG;
          const { rows: found, cosines } = await index.search(vectors.subarray(at, at + LONG));
          for (let i = 0; i < found.length; i++) {
            const file = fileOf[found[i]];
            if (cosines[i] > best[file]) best[file] = cosines[i];
            if (cosines[i] < least) least = cosines[i];
          }
        }
        for (let file = 1; file <= peers.files; file++)
          sums[file] += weight * logOf(Math.max(least, best[file]) * EQUAL);
      }
      const files = Uint32Array.from({ length: peers.files }, (_, i) => i + 1);
      return files.sort((a, b) => sums[a] - sums[b] || a - b).slice(0, most);
    },
  };
}

/** The first numbers of a vector, brought to length 1. */
function unit(vector, length) {
  const numbers = Float32Array.from(vector.subarray(0, length));
  const norm = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0)) || 1;
  return numbers.map((value) => value / norm);
}

/** A package of the folder of peers; undefined where it is not installed. */
async function peer(folder, name) {
  const require = createRequire(join(resolve(folder), 'package.json'));
  try {
    const loaded = await import(pathToFileURL(require.resolve(name)).href);
    return loaded.default ?? loaded;
  } catch (cause) {
    if (cause.code !== 'MODULE_NOT_FOUND') throw cause;
    console.error(`${name} is not installed in ${folder}`);
    return undefined;
  }
}

async function hnswlib({ folder, rows, count, nearest }, length) {
  const found = await peer(folder, 'hnswlib-node');
  if (found === undefined) return undefined;
  const index = new found.HierarchicalNSW('l2', length);
  index.initIndex(count, LINKS, BUILD);
  for (let row = 0; row < count; row++)
    index.addPoint(Array.from(unit(rows.subarray(row * LONG, (row + 1) * LONG), length)), row);
  index.setEf(nearest);
  return {
    search(vector) {
      const { neighbors, distances } = index.searchKnn(Array.from(unit(vector, length)), nearest);
      return { rows: neighbors, cosines: distances.map((squared) => 1 - squared / 2) };
    },
  };
}

async function usearch({ folder, rows, count, nearest }) {
  const found = await peer(folder, 'usearch');
  if (found === undefined) return undefined;
  const index = new found.Index({
    metric: 'cos',
    quantization: 'i8',
    dimensions: LONG,
    connectivity: LINKS,
    expansion_add: BUILD,
    expansion_search: nearest,
  });
  for (let row = 0; row < count; row++) index.add(BigInt(row), unit(rows.subarray(row * LONG, (row + 1) * LONG), LONG));
  return {
    search(vector) {
      const { keys, distances } = index.search(unit(vector, LONG), nearest, 1);
      return { rows: Array.from(keys, Number), cosines: Array.from(distances, (distance) => 1 - distance) };
    },
  };
}

async function lanceDb({ folder, rows, count, nearest }) {
  const found = await peer(folder, '@lancedb/lancedb');
  if (found === undefined) return undefined;
  const at = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
  const database = await found.connect(at);
  const batch = (first) =>
    Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => ({
      row: first + i,
      vector: Array.from(unit(rows.subarray((first + i) * LONG, (first + i + 1) * LONG), LONG)),
    }));
  const table = await database.createTable('views', batch(0));
  for (let first = BATCH; first < count; first += BATCH) await table.add(batch(first));
  await table.createIndex('vector', {
    config: found.Index.hnswSq({ distanceType: 'l2', numPartitions: 1, m: LINKS, efConstruction: BUILD }),
  });
  return {
    diskBytes: bytesBelow(at),
    async search(vector) {
      const asked = table.search(unit(vector, LONG)).ef(nearest).select(['row', '_distance']).limit(nearest);
      const hits = await asked.toArray();
      return {
        rows: hits.map(({ row }) => Number(row)),
        cosines: hits.map(({ _distance: squared }) => 1 - squared / 2),
      };
    },
    close() {
      database.close();
      rmSync(at, { recursive: true, force: true });
    },
  };
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
