/**
 * The cost of the library's disk: puts per second (durable, not indexed), the main thread's time per file, and what
 * opening and searching read from the catalogue.
 *
 * Data: generated, seeded; FILES files of BYTES bytes, and a catalogue of ROWS indexed files with descriptors of 256
 * (compact), 2 048 (fine) and 8 192 bytes (surface). Times depend on how long the disk takes to sync; the median of
 * that is printed first.
 *
 * The folder's disk is measured; default: the system's temporary folder.
 *
 * npm run bench -- store [folder]
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { openLibrary } from '../dist/library.js';

const FILES = 1_000;
const BYTES = 100_000;
const ROWS = 20_000;
const FETCHED = 200;

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'shapedex-bench-'));
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const bytesOf = (length) => Uint8Array.from({ length }, () => 256 * random());
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const print = (what, value, unit) =>
  console.log(`${what.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}`);

const descriptors = {
  compact: { version: 1, bytes: bytesOf(256) },
  fine: { version: 1, bytes: bytesOf(2_048) },
  surface: { version: 1, bytes: bytesOf(8_192) },
};
const shape = {
  triangleCount: 1,
  componentCount: 1,
  volumeMm3: 1,
  bboxVolumeMm3: 2,
  bboxSizeMm: [2, 1, 1],
  surfaceAreaMm2: 10,
  descriptors,
};
const described = {
  kind: 'ThreeD',
  warnings: [],
  contentVersion: 1,
  faceCount: null,
  pageCount: null,
  pages: [],
  extracted: [],
  shape,
};

try {
  print('sync of 4 096 bytes, median', median(syncTimes()), 'ms');
  await measurePuts();
  await measureReads();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function syncTimes() {
  const file = openSync(join(folder, 'sync'), 'w');
  const block = Buffer.alloc(4_096);
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, block);
    const start = performance.now();
    fsyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return times;
}

async function measurePuts() {
  const store = await openLibrary(join(folder, 'puts'), {
    fileBytesLimit: 1e9,
    crashLimit: 10,
  });
  const companyId = await store.company('bench');
  const content = bytesOf(BYTES);
  let number = 0;
  const put = () => {
    const bytes = content.slice();
    new DataView(bytes.buffer).setUint32(0, ++number);
    return store.put({
      companyId,
      path: `${number}.stl`,
      overwrite: true,
      textOnly: false,
      kind: 'ThreeD',
      priority: 3,
      source: bytes,
    });
  };
  for (let i = 0; i < 20; i++) await put();

  let start = performance.now();
  for (let i = 0; i < FILES / 10; i++) await put();
  print(`puts of ${BYTES} bytes, one after the other`, FILES / 10 / ((performance.now() - start) / 1000), 'per s');

  start = performance.now();
  const before = performance.eventLoopUtilization();
  for (let done = 0; done < FILES; done += 64) await Promise.all(Array.from({ length: 64 }, put));
  print('puts, 64 at a time', FILES / ((performance.now() - start) / 1000), 'per s');
  print(
    'puts, 64 at a time: main thread, waits for the disk included',
    performance.eventLoopUtilization(before).active / FILES,
    'ms per file',
  );

  let job = (await store.jobs.claim(1, { idle: true }))[0];
  start = performance.now();
  for (let i = 0; i < 200; i++) {
    // Like the queue: the outcome of one file and the start of the next one share a commit.
    const [, [next]] = await Promise.all([
      store.jobs.complete(job.fileId, described),
      store.jobs.claim(1, { idle: true }),
    ]);
    job = next;
  }
  print('store an outcome and start the next: main thread', (performance.now() - start) / 200, 'ms per file');
  await store.close();
}

async function measureReads() {
  const library = join(folder, 'reads');
  await (await openLibrary(library, { fileBytesLimit: 1e9, crashLimit: 10 })).close();
  const database = new Database(join(library, 'catalog.sqlite'));
  database.pragma('synchronous = OFF');
  database.transaction(() => {
    database.prepare("INSERT INTO company (id, name, added_at) VALUES (1, 'bench', 0)").run();
    const file = database.prepare(`
      INSERT INTO file (company_id, uid, path, extension, kind, blob_hash, byte_length, state, priority, added_at, indexed_at,
        triangle_count, component_count, volume_mm3, bbox_volume_mm3, bbox_length_mm, bbox_width_mm, bbox_height_mm, surface_area_mm2)
      VALUES (1, ?, ?, '.stl', 'ThreeD', ?, 1000, 'indexed', 3, 0, 0, 12, 1, 1, 2, 2, 1, 1, 10)`);
    const insert = Object.keys(descriptors).map((name) => [
      database.prepare(`INSERT INTO ${name} (file_id, version, bytes) VALUES (?, 1, ?)`),
      descriptors[name].bytes,
    ]);
    for (let i = 0; i < ROWS; i++) {
      const id = file.run(crypto.randomUUID(), `some/folder/${i}.stl`, String(i).padStart(64, '0')).lastInsertRowid;
      for (const [statement, bytes] of insert) statement.run(id, bytes);
    }
  })();
  database.close();

  let start = performance.now();
  const store = await openLibrary(library, { fileBytesLimit: 1e9, crashLimit: 10 });
  print(`open a library of ${ROWS} files`, performance.now() - start, 'ms');
  start = performance.now();
  let count = 0;
  for (let page = [], last = 0; (page = await store.shapes.after(1, last)).length > 0; last = page.at(-1).fileId)
    count += page.length;
  if (count !== ROWS) throw new Error(`read ${count} of ${ROWS} shapes`);
  print('read all compact vectors and figures', performance.now() - start, 'ms');
  for (const [what, read] of [
    [`fine descriptors of ${FETCHED} files`, (ids) => store.shapes.descriptors('fine', ids)],
    [`fine descriptors of ${FETCHED} files at once`, async (ids) => (await store.shapes.fine(ids)).fileIds],
  ]) {
    const times = [];
    for (let i = 0; i < 50; i++) {
      const ids = Array.from({ length: FETCHED }, () => 1 + Math.floor(ROWS * random()));
      const begin = performance.now();
      if ((await read(ids)).length !== FETCHED) throw new Error('rows are missing');
      times.push(performance.now() - begin);
    }
    print(`${what}, median`, median(times), 'ms');
  }
  await store.close();
}
