/**
 * Attributes in a catalogue: rate of writing, bytes on disk, and the time of conditions.
 *
 * Data: a catalogue of 100 000 records (environment variable FILES), generated and seeded, each with 8 given attributes
 * and the 8 measures of a model. The conditions are met by few, by many and by half of all files. Times are median and
 * 95th percentile of 21 runs.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ATTRIBUTE_FORMS } from '../dist/words/attribute-forms.js';
import { parseAttributes } from '../dist/attributes/attribute.js';
import { openLibrary } from '../dist/library.js';

const FILES = Number(process.env.FILES ?? 100_000);
const RUNS = 21;
let seed = 1;
const folder = mkdtempSync(join(tmpdir(), 'bench-attributes-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure() {
  const options = { fileBytesLimit: 1e9, crashLimit: 10 };
  const empty = await openLibrary(folder, options);
  const companyId = await empty.company('bench');
  await empty.close();
  const ids = enterRows(companyId);
  const store = await openLibrary(folder, options);
  let start = performance.now();
  for (let first = 0; first < FILES; first += 640) {
    const numbers = Array.from({ length: Math.min(640, FILES - first) }, (_, i) => first + i);
    await Promise.all(
      numbers.map((number) => store.setAttributes(companyId, uidOf(number), attributesOf(number), { replace: true })),
    );
  }
  const elapsed = (performance.now() - start) / 1000;
  print(`give ${FILES} records 8 attributes`, `${Math.round(FILES / elapsed)} per s`);
  const before = size();
  start = performance.now();
  for (let first = 0; first < FILES; first += 640) {
    await store.jobs.claim(640, { idle: true });
    await Promise.all(ids.slice(first, first + 640).map((fileId) => store.jobs.complete(fileId, indexed())));
  }
  print('store 8 extracted figures of each', `${Math.round(FILES / ((performance.now() - start) / 1000))} per s`);
  print('catalogue', `${Math.round(before)} MB, with the figures ${Math.round(size())} MB`);

  const q = (text, unit = '') => ATTRIBUTE_FORMS.quantity(text, unit);
  const find = (name, nameKey, match) =>
    time(name, () => store.rooms.attributes.door.filesWith(companyId, { nameKey, match }));
  await find('equal, half of all files', 'material', { kind: 'equals', key: 'steel' });
  await find('equal, 2 %', 'color', { kind: 'equals', key: 'color 7' });
  await find('equal, one file', 'part no', { kind: 'equals', key: 'ab-777/7' });
  await find('one word, all files', 'part no', { kind: 'terms', terms: ['ab'] });
  await find('two words, few files', 'part no', { kind: 'terms', terms: ['ab', '777'] });
  await find('two words, all files', 'note', { kind: 'terms', terms: ['see', 'drawing'] });
  await find('beginning, a ninth', 'part no', { kind: 'prefix', terms: ['ab', '5'] });
  await find('range, half, all numbers different', 'length', { kind: 'compare', operator: '>', quantity: q('500 mm') });
  await find('range, 1 %', 'length', { kind: 'compare', operator: '>', quantity: q('99 cm') });
  await find('range of an extracted figure, half', 'volume', { kind: 'compare', operator: '>', quantity: q('500000') });
  await time('estimate of the range of half', async () => [
    await store.rooms.attributes.door.countWith(companyId, {
      nameKey: 'length',
      match: { kind: 'compare', operator: '>', quantity: q('500') },
    }),
  ]);
  const some = Uint32Array.from(ids.slice(0, 1_000));
  await time('check of 1 000 files', () =>
    store.rooms.attributes.door.those(some, {
      nameKey: 'length',
      match: { kind: 'compare', operator: '>', quantity: q('500') },
    }),
  );
  await time('names', () => store.rooms.attributes.door.names(companyId));
  await time('values, 50 of them', () =>
    store.rooms.attributes.door.values(companyId, 'color', { prefix: '', limit: 100, offset: 0 }),
  );
  await time(`values, first 100 of ${FILES}`, () =>
    store.rooms.attributes.door.values(companyId, 'part no', { prefix: '', limit: 100, offset: 0 }),
  );
  await time('list 1 000 by path', () => store.files.list({ companyId, limit: 1_000 }));
  await time('list 1 000 by arrival, falling', () =>
    store.files.list({ companyId, order: 'addedAt', direction: 'falling', limit: 1_000 }),
  );
  await time('counts by kind', async () => [await store.files.counts(companyId)]);
  await store.close();
}

/** Writes the rows of files and their jobs directly, because bytes are not measured here. Returns the ids. */
function enterRows(companyId) {
  const database = new Database(join(folder, 'catalog.sqlite'));
  const file = database.prepare(
    `INSERT INTO file (company_id, uid, path, extension, kind, blob_hash, byte_length, state, priority, added_at)
     VALUES (?, ?, ?, '.step', 'ThreeD', ?, 1, 'queued', 3, 0)`,
  );
  const job = database.prepare('INSERT INTO job (file_id, priority, sequence) VALUES (?, 3, ?)');
  const ids = database.transaction(() =>
    Array.from({ length: FILES }, (_, number) => {
      const hash = number.toString(16).padStart(64, '0');
      const path = `folder ${number % 100}/part ${number}.step`;
      const fileId = Number(file.run(companyId, uidOf(number), path, hash).lastInsertRowid);
      job.run(fileId, number);
      return fileId;
    }),
  )();
  database.close();
  return ids;
}

function uidOf(number) {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

function attributesOf(number) {
  const pick = (name, count) => `${name}=${name.toLowerCase()} ${Math.floor(random() * count)}`;
  return parseAttributes(
    [
      `Material=${random() < 0.5 ? 'steel' : 'aluminium'}`,
      `Part no=AB-${number}/${number % 10}`,
      `Length(mm)=${(random() * 1000).toFixed(3)}`,
      pick('Color', 50),
      pick('Supplier', 500),
      `Date=2024-${String(1 + (number % 12)).padStart(2, '0')}-01`,
      `Note=see drawing ${Math.floor(random() * 1e6)}`,
      pick('Project', 40),
    ],
    ATTRIBUTE_FORMS.key,
  );
}

function indexed() {
  const figure = (name, unit, most) => ({ name, unit, value: String(Number((random() * most).toPrecision(6))) });
  return {
    kind: 'ThreeD',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: null,
    pages: [],
    extracted: [
      figure('Length', 'mm', 1000),
      figure('Width', 'mm', 500),
      figure('Height', 'mm', 200),
      figure('Volume', 'mm3', 1e6),
      figure('Bounding box volume', 'mm3', 2e6),
      figure('Surface area', 'mm2', 1e5),
      { name: 'Triangles', unit: '', value: String(Math.floor(random() * 20_000)) },
      { name: 'Components', unit: '', value: '1' },
    ],
  };
}

async function time(name, work) {
  await work();
  const times = [];
  let found;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    found = await work();
    times.push(performance.now() - start);
  }
  printTimes(name, times, found);
}

function printTimes(name, times, found) {
  times.sort((a, b) => a - b);
  print(
    name,
    `p50 ${times[RUNS >> 1].toFixed(2)} ms, p95 ${times[Math.floor(RUNS * 0.95)].toFixed(2)} ms, ${found.length} found`,
  );
}

function size() {
  return ['', '-wal'].reduce((sum, end) => sum + statSync(join(folder, `catalog.sqlite${end}`)).size, 0) / 1e6;
}

function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function print(name, value) {
  console.log(`${name.padEnd(48)} ${value}`);
}
