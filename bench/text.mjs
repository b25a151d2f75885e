/**
 * Search by words: time of a query by class, rate of indexing, size on disk and in memory, and how close the ranking is
 * to exact BM25 over all files; compared with MiniSearch (in memory, no phrases) on the same records in the same run.
 *
 * Data: RECORDS generated records (support/records.mjs), seeded: ten attributes, a path, and a text of about 200 words
 * that follow Zipf's law. The words of a query are drawn from the records as they occur there, so the commonest words
 * are asked for most. Records are entered through the store as results of indexing (64 per commit), without bytes and
 * worker threads; their rows are written beforehand.
 *
 * Every query by words runs on a new TextIndex without cached counts; its CPU time is what it takes on a quiet machine.
 * Attributes, and words with a shape, go through Company.search with everything that a hit contains (limit 20): every
 * second record is a model with the descriptors of one of SHAPES parts, moved and resized
 * (support/described-parts.mjs), and without views, so that nothing is read again when the engine is opened. A library
 * that is kept (--library) is used again, with the same --records. Of many records it may be made in several runs: with
 * --fill-for SECONDS a run ends after about so long, and the next one goes on; --bulk fills without the store's small
 * transactions, then the rate says nothing. --only-searches: the second table alone. --quiet-seconds N: the engine is
 * left alone for so long first, in which it lists frequent words.
 *
 * npm run bench -- text [--records 100000] [--queries 200] [--shapes 500] [--no-peer] [--no-overlap] [--folder DIR]
 *     [--library DIR [--fill-for SECONDS] [--bulk]] [--only-searches] [--quiet-seconds 0] [--json]
 */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { Engine } from 'shapedex';
import { VIEWS_VERSION } from '../dist/descriptors/views.js';
import { TERM_MAKER, textTermsOf } from '../dist/words/file-terms.js';
import { TextIndex } from '../dist/words/tables/text-index.js';
import { readTextClause } from '../dist/words/text-query.js';
import { CONTENT_VERSION, NO_VIEWS } from '../dist/indexing/worker/file-description.js';
import { openLibrary } from '../dist/library.js';
import { mulberry32 } from './parts/reference/kit.mjs';
import { describedParts } from './support/described-parts.mjs';
import { joinTransactions } from './support/bulk-writes.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { exactRanking } from './support/exact-bm25.mjs';
import { Records } from './support/records.mjs';

const values = benchOptions({
  records: { type: 'string', default: '100000' },
  queries: { type: 'string', default: '200' },
  shapes: { type: 'string', default: '500' },
  'no-peer': { type: 'boolean', default: false },
  folder: { type: 'string' },
  library: { type: 'string' },
  'no-overlap': { type: 'boolean', default: false },
  'fill-for': { type: 'string' },
  bulk: { type: 'boolean', default: false },
  'only-searches': { type: 'boolean', default: false },
  'quiet-seconds': { type: 'string', default: '0' },
});
const RECORDS = Number(values.records);
const QUERIES = Number(values.queries);
const LIMIT = 20;
/** Records of one transaction with `--bulk`. */
const BULK = 32_768;
const figures = { machine: await machine(), records: RECORDS, queries: QUERIES };

const records = new Records();
const folder = values.library ?? mkdtempSync(join(values.folder ?? tmpdir(), 'shapedex-bench-'));
/** Written when a kept library is complete. */
const whole = join(folder, 'whole');
const library = join(folder, 'records');
console.log(
  `${figures.machine}; load ${loadavg()
    .map((load) => load.toFixed(0))
    .join(', ')}`,
);
try {
  if (existsSync(whole)) asOfThisVersion();
  const store = existsSync(whole) ? await open() : await fill();
  if (store !== undefined) await measureAll(store);
} finally {
  if (values.library === undefined) rmSync(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(figures));

async function measureAll(store) {
  while (await store.rooms.words.merge(64)); // The engine does this when it is idle.
  if (values.library !== undefined) writeFileSync(whole, '');
  const classes = queriesByClass();
  if (!values['only-searches']) {
    measure(store, classes);
    if (!values['no-overlap']) measureOverlap(store, classes);
  }
  await store.close();
  await measureSearch();
  if (!values['no-peer']) await measurePeer(classes);
}

/**
 * Makes the library: rows of files and their jobs are written directly, results of indexing through the store.
 * Undefined: it is to be gone on with by the next run.
 */
async function fill() {
  const shapeOf = await describedParts(join(folder, 'parts'), Number(values.shapes));
  const had = existsSync(join(library, 'catalog.sqlite')) ? filled() : await enter();
  const random = mulberry32(11 + had);
  const bulk = values.bulk ? joinTransactions() : undefined;
  const store = await open();
  // There is nothing to do yet; without this call the engine would make the terms of all files again when it is opened.
  if (had === 0) await store.rooms.words.make();
  const memoryBefore = process.memoryUsage().rss;
  let termsMs = 0;
  let stored = had;
  const start = performance.now();
  const used = process.cpuUsage();
  const until = start + 1_000 * Number(values['fill-for'] ?? Infinity);
  for (; stored < RECORDS && performance.now() < until; stored = Math.min(RECORDS, stored + 64)) {
    const writes = [];
    for (let i = stored; i < Math.min(RECORDS, stored + 64); i++) {
      const { attributes, text } = records.record(i);
      const pages = [{ number: 1, name: '', text }];
      const before = performance.now();
      const textTerms = textTermsOf(pages); // In the engine a worker does this.
      termsMs += performance.now() - before;
      writes.push(
        store.jobs.complete(i + 1, {
          kind: isModel(i) ? 'ThreeD' : 'Text',
          warnings: [],
          contentVersion: CONTENT_VERSION,
          faceCount: null,
          pageCount: 1,
          pages,
          extracted: attributes,
          textTerms,
          ...(isModel(i) ? { shape: shapeOf(random), views: NO_VIEWS } : {}),
        }),
      );
    }
    await Promise.all(writes);
    if (Math.floor((stored + 64) / BULK) > Math.floor(stored / BULK)) bulk?.commit();
  }
  bulk?.end();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  await store.close();
  figures.indexing = {
    recordsPerSecond: Math.round((stored - had) / seconds),
    cpuMsPerRecord: (user + system) / 1000 / (stored - had),
    workerMsPerRecord: termsMs / (stored - had),
    memoryMiB: Math.round((process.memoryUsage().rss - memoryBefore) / 2 ** 20),
    ...(stored < RECORDS ? {} : sizes()),
  };
  const { recordsPerSecond, cpuMsPerRecord, workerMsPerRecord, catalogMiB, termsMiB, textsMiB } = figures.indexing;
  console.log(
    `${stored - had} records stored at ${recordsPerSecond} per s, ${cpuMsPerRecord.toFixed(2)} ms of processor time ` +
      `each (with the terms of texts, in the engine a worker's work: ${workerMsPerRecord.toFixed(3)} ms each)`,
  );
  if (stored < RECORDS) return undefined;
  console.log(`catalogue ${catalogMiB} MiB: index of texts ${termsMiB}, the texts themselves ${textsMiB}`);
  return open();
}

/** UIDs of the records with a shape that are indexed: of a library that many runs made some may have failed. */
function indexedModels() {
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  const uids = database
    .prepare("SELECT uid FROM file WHERE kind = 'ThreeD' AND state = 'indexed' ORDER BY id")
    .pluck()
    .all();
  database.close();
  return uids;
}

/** Number of records that an earlier run stored: the first ones. */
function filled() {
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  const count = database.prepare("SELECT count(*) FROM file WHERE state = 'indexed'").pluck().get();
  database.close();
  return count;
}

/** Makes the library with the rows of all records, none of them indexed; returns 0. */
async function enter() {
  const store = await open();
  const companyId = await store.company('bench');
  await store.close();
  const database = new Database(join(library, 'catalog.sqlite'));
  const insertFile =
    database.prepare(`INSERT INTO file (company_id, uid, path, extension, kind, text_only, blob_hash, byte_length, state, priority, added_at)
    VALUES (?, ?, ?, '.txt', ?, 0, ?, 1000, 'queued', 3, 0)`);
  const insertJob = database.prepare('INSERT INTO job (file_id, priority, sequence, running) VALUES (?, 3, ?, 1)');
  database.transaction(() => {
    for (let i = 0; i < RECORDS; i++) {
      insertJob.run(
        insertFile.run(
          companyId,
          uidOf(i),
          records.record(i).path,
          isModel(i) ? 'ThreeD' : 'Text',
          i.toString(16).padStart(64, '0'),
        ).lastInsertRowid,
        i,
      );
    }
  })();
  database.close();
  return 0;
}

/**
 * A library that an earlier version made counts as one of this version: its records have no bytes, so the engine, which
 * reads files of before anew, would find each damaged.
 */
function asOfThisVersion() {
  const database = new Database(join(library, 'catalog.sqlite'));
  database
    .prepare('UPDATE file SET content_version = ? WHERE content_version < ?')
    .run(CONTENT_VERSION, CONTENT_VERSION);
  database.prepare('UPDATE views SET version = ? WHERE version < ?').run(VIEWS_VERSION, VIEWS_VERSION);
  database.close();
}

function open() {
  return openLibrary(library, {
    fileBytesLimit: 1e9,
    crashLimit: 1_000_000,
    terms: TERM_MAKER,
  });
}

function sizes() {
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  const mib = (like) =>
    Math.round(database.prepare('SELECT total(pgsize) FROM dbstat WHERE name LIKE ?').pluck().get(like) / 2 ** 20);
  const found = { termsMiB: mib('words%') + mib('phrases%') + mib('term%'), textsMiB: mib('text_page%') };
  database.close();
  return { catalogMiB: Math.round(statSync(join(library, 'catalog.sqlite')).size / 2 ** 20), ...found };
}

/** Every second record has a shape. */
function isModel(number) {
  return number % 2 === 0;
}

function uidOf(number) {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/**
 * The queries by words, per class. `engine`: the query for shapedex. `peer`: the query for MiniSearch, if it supports
 * the class.
 */
function queriesByClass() {
  const random = mulberry32(7);
  const anyRecord = () => records.record(Math.floor(RECORDS * random()));
  const wordsOf = ({ text }) => text.split(/\s+/).filter((word) => /^[a-z]+$/.test(word));
  const from = (words, count) => {
    const at = Math.floor((words.length - count + 1) * random());
    return words.slice(at, at + count);
  };
  const many = (make) => Array.from({ length: QUERIES }, make);
  const query = (text) => ({ clauses: [readTextClause(text)], numeric: false });
  const both = (text) => ({ text, engine: query(text), peer: { text, prefix: false } });
  return {
    'one word, as often as in texts': many(() => both(from(wordsOf(anyRecord()), 1)[0])),
    'one word of the vocabulary': many(() => both(records.rareWord(random))),
    'two words of one text': many(() => {
      const words = wordsOf(anyRecord());
      return both(`${from(words, 1)[0]} ${from(words, 1)[0]}`);
    }),
    'four words of one text': many(() =>
      both(
        from(
          wordsOf(anyRecord()).sort(() => random() - 0.5),
          4,
        ).join(' '),
      ),
    ),
    'phrase of two words': many(() => {
      const text = `"${from(wordsOf({ text: anyRecord().text.split('\n')[1] }), 2).join(' ')}"`;
      return { text, engine: query(text) };
    }),
    'phrase of three words': many(() => {
      const text = `"${from(wordsOf({ text: anyRecord().text.split('\n')[1] }), 3).join(' ')}"`;
      return { text, engine: query(text) };
    }),
    'part number as written': many(() => both(anyRecord().partNumber)),
    'part number in one piece': many(() => {
      const text = anyRecord().partNumber.replace(/\W/g, '').toLowerCase();
      return { text, engine: query(text) };
    }),
    'number, by its value': many(() => {
      const text = anyRecord().attributes.find(({ name }) => name === 'Length').value;
      return { text, engine: { ...query(text), numeric: true } };
    }),
    'prefix of four letters': many(() => prefixQuery(4)),
    'prefix of three letters': many(() => prefixQuery(3)),
    'prefix of two letters': many(() => prefixQuery(2)),
    'word and prefix of three letters': many(() => {
      const text = `${from(wordsOf(anyRecord()), 1)[0]} ${prefixQuery(3).text}`;
      return { text, engine: query(text) };
    }),
  };

  function prefixQuery(length) {
    for (;;) {
      const [word] = from(wordsOf(anyRecord()), 1);
      if (word.length >= length)
        return {
          text: `${word.slice(0, length)}*`,
          engine: query(`${word.slice(0, length)}*`),
          peer: { text: word.slice(0, length), prefix: true },
        };
    }
  }
}

function measure(store, classes) {
  figures.classes = {};
  console.log(
    `\nranked, the first ${LIMIT} and their number; ms${' '.repeat(8)}files (median)     p50     p95     max  ` +
      `CPU p50     p95  highlights of 10 files, p95`,
  );
  for (const [name, queries] of Object.entries(classes)) {
    for (const { engine } of queries.slice(0, 10))
      new TextIndex(store.rooms.words, 1).ranked(engine, { limit: LIMIT, offset: 0 });
    const times = [],
      lights = [],
      totals = [],
      cpu = [];
    for (const { engine } of queries) {
      const index = new TextIndex(store.rooms.words, 1);
      const used = process.cpuUsage();
      const start = performance.now();
      const { fileIds, total } = index.ranked(engine, { limit: LIMIT, offset: 0 });
      times.push(performance.now() - start);
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
      totals.push(total);
      const shown = performance.now();
      for (const fileId of fileIds.slice(0, 10)) index.highlights(fileId, engine);
      lights.push(performance.now() - shown);
    }
    const row = {
      files: quantile(totals, 0.5),
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      max: Math.max(...times),
      cpuP50: quantile(cpu, 0.5),
      cpuP95: quantile(cpu, 0.95),
      highlightsP95: quantile(lights, 0.95),
    };
    figures.classes[name] = row;
    print(name, row.files, row.p50, row.p95, row.max, row.cpuP50, row.cpuP95, row.highlightsP95);
  }
  figures.searchMemoryMiB = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(`memory of the process: ${figures.searchMemoryMiB} MiB`);
}

/** Attributes, and words with a shape, through the public API, including its cache of answers. */
async function measureSearch() {
  const engine = await Engine.open(library);
  const company = await engine.company('bench');
  await untilQuiet();
  await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(values['quiet-seconds'])));
  const random = mulberry32(13);
  const any = () => Math.floor(RECORDS * random());
  const valueOf = (name) => records.record(any()).attributes.find((attribute) => attribute.name === name).value;
  const wordOf = () => {
    const words = records
      .record(any())
      .text.split(/\s+/)
      .filter((word) => /^[a-z]+$/.test(word));
    return words[Math.floor(words.length * random())];
  };
  const models = indexedModels();
  const like = () => ({ uid: models[Math.floor(models.length * random())] });
  const classes = {
    'attribute, whole value': () => ({ text: `PartNumber=[${valueOf('PartNumber')}]` }),
    'attribute, one word': () => ({ text: `Description=${valueOf('Description').split(' ')[0]}` }),
    'attribute, prefix': () => ({ text: `PartNumber=${valueOf('PartNumber').split('/')[0]}*` }),
    'attribute, range of 1 mm': () => {
      const from = 400 * random();
      return { text: [`Length>=${from.toFixed(2)}mm`, `Length<${(from + 1).toFixed(2)}mm`] };
    },
    'shape alone': () => ({ like: like() }),
    'word and shape': () => ({ text: wordOf(), like: like() }),
    'attribute and shape': () => ({ text: `State=${valueOf('State')}`, like: like() }),
    'attribute range and shape': () => {
      const from = 400 * random();
      return { text: [`Length>=${from.toFixed(2)}mm`, `Length<${(from + 40).toFixed(2)}mm`], like: like() };
    },
    'word, attribute and shape': () => ({ text: [wordOf(), `State=${valueOf('State')}`], like: like() }),
  };
  figures.searches = {};
  console.log(
    `\nCompany.search, the first ${LIMIT} hits; ms${' '.repeat(15)}files (median)     p50     p95     max  CPU ` +
      `p50     p95`,
  );
  for (const [name, make] of Object.entries(classes)) {
    const times = [],
      totals = [],
      cpu = [];
    for (let i = -10; i < QUERIES; i++) {
      const query = make();
      const used = process.cpuUsage();
      const start = performance.now();
      const { total } = await company.search({ ...query, limit: LIMIT });
      const elapsed = performance.now() - start;
      const { user, system } = process.cpuUsage(used);
      if (i < 0) continue; // Warm-up.
      times.push(elapsed);
      cpu.push((user + system) / 1000);
      totals.push(total);
    }
    const row = {
      files: quantile(totals, 0.5),
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      max: Math.max(...times),
      cpuP50: quantile(cpu, 0.5),
      cpuP95: quantile(cpu, 0.95),
    };
    figures.searches[name] = row;
    print(name, row.files, row.p50, row.p95, row.max, row.cpuP50, row.cpuP95);
  }
  await engine.close();
}

/**
 * After it was opened, the engine examines in the background what was written without it. Waits for the end of that:
 * until 200 turns of the event loop in a row are short, or for a minute on a busy machine.
 */
async function untilQuiet() {
  const until = performance.now() + 60_000;
  for (let short = 0; short < 200 && performance.now() < until; ) {
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    short = performance.now() - start < 8 ? short + 1 : 0;
  }
}

/**
 * Compares the ranking with exact BM25 over all files: share of the best 10 that the engine finds (files of equal score
 * count as the same).
 */
function measureOverlap(store, classes) {
  const index = new TextIndex(store.rooms.words, 1);
  const names = ['one word, as often as in texts', 'two words of one text', 'four words of one text'];
  const exact = exactRanking(store, records, RECORDS);
  console.log('\nof the best 10 by BM25 with exact frequencies and lengths');
  figures.overlap = {};
  for (const name of names) {
    const shares = [],
      losses = [];
    for (const { text, engine } of classes[name].slice(0, 50)) {
      const { fileIds } = index.ranked(engine, { limit: 10, offset: 0 });
      const { share, loss } = exact(text.split(' '), fileIds);
      shares.push(share);
      losses.push(loss);
    }
    const mean = (numbers) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    figures.overlap[name] = { share: mean(shares), loss: mean(losses) };
    console.log(
      `${name.padEnd(36)} found ${(100 * mean(shares)).toFixed(1)} %; the scores of those found lie ` +
        `${(100 * mean(losses)).toFixed(2)} % below the best`,
    );
  }
}

async function measurePeer(classes) {
  const { default: MiniSearch } = await import('minisearch');
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const search = new MiniSearch({
    fields: ['name', 'attribute', 'text'],
    searchOptions: { boost: { name: 4, attribute: 2 }, combineWith: 'AND' },
  });
  for (let i = 0; i < RECORDS; i++) {
    const { path, attributes, text } = records.record(i);
    search.add({ id: i, name: path, attribute: attributes.map(({ value }) => value).join('\n'), text });
  }
  figures.peer = {
    recordsPerSecond: Math.round(RECORDS / ((performance.now() - start) / 1000)),
    memoryMiB: Math.round((process.memoryUsage().rss - before) / 2 ** 20),
    classes: {},
  };
  console.log(
    `\nMiniSearch: ${figures.peer.recordsPerSecond} records per s, ${figures.peer.memoryMiB} MiB of memory; ` +
      `ms${' '.repeat(17)}p50     p95     max`,
  );
  for (const [name, queries] of Object.entries(classes)) {
    const times = [],
      totals = [];
    for (const { peer } of queries.filter(({ peer: asked }) => asked !== undefined)) {
      const began = performance.now();
      totals.push(search.search(peer.text, { prefix: peer.prefix }).length);
      times.push(performance.now() - began);
    }
    if (times.length === 0) continue;
    figures.peer.classes[name] = {
      files: quantile(totals, 0.5),
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      max: Math.max(...times),
    };
    print(name, quantile(totals, 0.5), quantile(times, 0.5), quantile(times, 0.95), Math.max(...times));
  }
}

function print(name, count, ...times) {
  console.log(
    `${name.padEnd(44)} ${String(count).padStart(16)} ${times.map((time) => time.toFixed(2).padStart(7)).join(' ')}`,
  );
}
