/**
 * What a filter costs a search by shape, and how fast filters answer by themselves.
 *
 * Data: a library of --files models and a tenth as many documents. --shapes parts made by code (support/many-parts.mjs) are read and
 * described; every model gets the descriptors of one of them, its compact vector moved a little and its sizes changed, each by
 * itself, so that none is a copy of another: telling the same part then takes little time, and what a filter costs stands out.
 * Attributes, words and categories are drawn so that a known share of the files has each. All is written at the store's door, no
 * file is read for it; 200 000 rows a minute or so. A library that is kept (--library) is used again.
 *
 * Every round searches with another part, limit 20: without a filter, then with each filter (for other values than the round
 * before, where the filter has several), then once more without. Shown for each filter: files that pass, median and p95 of the
 * processor time (the clock's median behind it: on a busy machine it says more of the others), and the median over the rounds of its
 * processor time by the mean of the two unfiltered ones of the same round. `alone`: the filter without a shape.
 *
 * npm run bench:filter -- [--files 100000] [--shapes 2000] [--rounds 60] [--library DIR] [--json]
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { DESCRIPTORS } from '../dist/descriptors/description.js';
import { ATTRIBUTE_FORMS } from '../dist/index/attribute-forms.js';
import { TERM_MAKER } from '../dist/index/file-terms.js';
import { CONTENT_VERSION } from '../dist/indexing/file-description.js';
import { parseAttributes } from '../dist/store/attribute.js';
import { Store } from '../dist/store/store.js';
import { mulberry32 } from './reference-parts/kit.mjs';
import { manyParts } from './support/many-parts.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const COMPANY = 'bench';
const LIMIT = 20;
const BATCH = 512;
/** Files that share bytes, so that few are written; more than one, because puts of the same bytes wait for each other. */
const BLOBS = 64;
/** Shares of the files that have a value or word: one of so many, each as likely. */
const SHARES = { '0.1 %': 1_000, '1 %': 100, '10 %': 10, '50 %': 2 };
const NAMES = { '0.1 %': 'Project', '1 %': 'Customer', '10 %': 'Material', '50 %': 'Status' };
/** How far a compact vector is moved, by component; the nearest of 2 000 parts are some 0.3 apart. */
const MOVED = 0.02;

const args = benchOptions({
  files: { type: 'string', default: '100000' }, shapes: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '60' }, library: { type: 'string' },
});
const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-filter-'));
try {
  if (!existsSync(join(library, 'full'))) await fill(library, Number(args.files), Number(args.shapes));
  const report = { machine: await machine(), load: loadavg()[0], ...await measure(join(library, 'full'), Number(args.rounds)) };
  if (args.json) console.log(JSON.stringify(report));
  else print(report);
} finally {
  if (args.library === undefined) rmSync(library, { recursive: true, force: true });
}

/** Describes parts in one library, writes them changed to another. */
async function fill(folder, files, shapes) {
  const parts = join(folder, 'parts');
  const engine = await Engine.open(parts);
  const company = await engine.company(COMPANY);
  const partOf = await manyParts();
  for (let first = 0; first < shapes; first += BATCH) {
    await Promise.all(Array.from({ length: Math.min(BATCH, shapes - first) }, (_, i) => {
      const { path, bytes } = partOf(first + i);
      return company.put(path, bytes, { wait: false });
    }));
    await engine.idle();
  }
  await engine.close();

  const options = { fileBytesLimit: 1e9, crashLimit: 10, attributeForms: ATTRIBUTE_FORMS, terms: TERM_MAKER };
  const from = await Store.open(parts, options);
  const companyId = await from.company(COMPANY);
  const ids = from.files.list({ companyId, prefix: '', after: '', limit: shapes, state: 'indexed', order: 'path', direction: 'rising' }).map(({ uid }) => from.files.row(companyId, uid).id);
  const known = ids.map((id) => from.files.recordById(id));
  const fines = from.shapes.descriptors('fine', ids);
  const surfaces = from.shapes.descriptors('surface', ids);
  const compacts = from.shapes.descriptors('compact', ids);
  const draft = join(folder, 'draft');
  rmSync(draft, { recursive: true, force: true });
  await (await Engine.open(draft)).close();
  const to = await Store.open(draft, options);
  const owner = await to.company(COMPANY);
  const random = mulberry32(7);
  const total = Math.round(1.1 * files);
  for (let first = 0; first < total; first += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, total - first) }, (_, i) => rowOf(first + i, random, { known, surfaces, compacts, fines }));
    const entered = await Promise.all(made.map(({ path, attributes, indexed: { kind } }, i) => to.put({
      companyId: owner, path, overwrite: true, textOnly: false, kind, priority: 3, sequence: to.nextSequence(),
      source: Buffer.from(`bytes ${i % BLOBS}`), attributes: parseAttributes(attributes, ATTRIBUTE_FORMS.key),
    })));
    await Promise.all(entered.map(({ fileId }, i) => to.complete(fileId, made[i].indexed)));
    if (process.stderr.isTTY) process.stderr.write(`\r${first} of ${total} rows\x1b[K`);
  }
  from.close();
  to.close();
  renameSync(draft, join(folder, 'full'));
}

function rowOf(number, random, { known, surfaces, compacts, fines }) {
  const values = Object.fromEntries(Object.entries(SHARES).map(([share, count]) => [share, Math.floor(random() * count)]));
  const attributes = [
    ...Object.entries(values).map(([share, value]) => `${NAMES[share]}=${wordOf(value)}`),
    `Length(mm)=${(1_000 * random()).toFixed(2)}`, `Part=AB-${number}/${number % 7}`, `Note=drawn ${wordOf(Math.floor(5_000 * random()))}`,
  ];
  // Words of their own for each share, among others; about 60 a file.
  const words = [...Object.entries(values).map(([share, value]) => textWordOf(share, value)), ...Array.from({ length: 56 }, () => wordOf(Math.floor(20_000 * random() ** 3)))];
  const isModel = number % 11 !== 10;
  const at = Math.floor(random() * known.length);
  const times = () => 0.6 + 0.8 * random();
  const part = known[at];
  return {
    path: `${wordOf(number % 300)}/part-${number}.${isModel ? 'stl' : 'txt'}`, attributes,
    indexed: {
      kind: isModel ? 'ThreeD' : 'Text', warnings: [], contentVersion: CONTENT_VERSION, faceCount: null, pageCount: isModel ? null : 1,
      pages: [{ number: 1, name: '', text: words.join(' ') }], extracted: [],
      ...(isModel ? {
        shape: {
          triangleCount: 100, componentCount: 1, volumeMm3: part.volumeMm3 * times(), bboxVolumeMm3: part.bboxVolumeMm3 * times(), surfaceAreaMm2: part.surfaceAreaMm2 * times(),
          bboxSizeMm: part.bboxSizeMm.map((edge) => edge * times()).sort((a, b) => b - a),
          descriptors: {
            compact: { version: DESCRIPTORS.compact, bytes: moved(compacts[at], random) },
            fine: { version: DESCRIPTORS.fine, bytes: fines[at] },
            surface: { version: DESCRIPTORS.surface, bytes: surfaces[at] },
          },
        },
      } : {}),
    },
  };
}

function moved(bytes, random) {
  const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  for (let i = 0; i < vector.length; i++) vector[i] += MOVED * (random() + random() - 1);
  return new Uint8Array(vector.buffer);
}

/** A word of letters that stands for a number. */
function wordOf(number) {
  let word = '';
  for (let rest = number + 7; rest > 0; rest = Math.floor(rest / 16)) word += 'bcdfghklmnprstvz'[rest % 16] + 'aeio'[rest % 4];
  return word;
}

function textWordOf(share, value) {
  return `${NAMES[share].slice(0, 3).toLowerCase()}${wordOf(value)}`;
}

/** The filters: what is asked in a round, of each kind and share. */
function filtersOf() {
  const pick = (count, round) => (7 * round + 3) % count;
  const filters = [];
  for (const [share, count] of Object.entries(SHARES)) {
    filters.push({ by: 'attribute', share, query: (round) => ({ attributes: [{ name: NAMES[share], equals: wordOf(pick(count, round)) }] }) });
  }
  for (const [share, count] of Object.entries(SHARES)) {
    const least = (round) => Math.floor(((round * 37) % 100) / 100 * (1_000 - 1_000 / count));
    filters.push({ by: 'range', share, query: (round) => (count === 2 ? { text: `Length>${500 + round / 100}` } : { text: [`Length>=${least(round)}mm`, `Length<${least(round) + 1_000 / count}mm`] }) });
  }
  for (const [share, count] of Object.entries(SHARES)) {
    filters.push({ by: 'word', share, query: (round) => ({ text: textWordOf(share, pick(count, round)) }) });
  }
  filters.push(
    { by: 'kind ThreeD', share: '100 %', query: () => ({ kinds: ['ThreeD'] }) },
    { by: 'word and attribute', share: '5 %', query: (round) => ({ text: textWordOf('50 %', round % 2), attributes: [{ name: NAMES['10 %'], equals: wordOf(pick(10, round)) }] }) },
    { by: 'word, attribute, range', share: '2.5 %', query: (round) => ({ text: [textWordOf('10 %', pick(10, round)), 'Length>500'], attributes: [{ name: NAMES['50 %'], equals: wordOf(round % 2) }] }) },
    { by: 'attribute, facets', share: '50 %', query: (round) => ({ attributes: [{ name: NAMES['50 %'], equals: wordOf(round % 2) }], facets: true }) },
  );
  return filters;
}

async function measure(folder, rounds) {
  const engine = await Engine.open(folder);
  const company = await engine.company(COMPANY);
  const { kinds } = await engine.stats();
  const models = (await company.list({ limit: 5_000 })).filter(({ kind }) => kind === 'ThreeD').map(({ uid }) => uid);
  const filters = filtersOf();
  const timed = async (query) => {
    const cpu = process.cpuUsage(), start = performance.now();
    const result = await company.search({ ...query, limit: LIMIT });
    const clock = performance.now() - start, { user, system } = process.cpuUsage(cpu);
    return { ms: (user + system) / 1_000, clock, total: result.total };
  };
  const plain = { ms: [], clock: [] };
  const rows = filters.map(({ by, share }) => ({ by, share, passed: [], ms: [], clock: [], ratios: [], alone: [] }));
  for (let round = -3; round < rounds; round++) {
    const like = { uid: models[(round + 3) * 61 % models.length] };
    const first = await timed({ like });
    const filtered = [];
    for (const { query } of filters) filtered.push(await timed({ like, ...query(round + 3) }));
    const second = await timed({ like });
    const alone = [];
    for (const { query } of filters) alone.push(await timed(query(round + 3)));
    if (round < 0) continue; // Warming up.
    for (const one of [first, second]) {
      plain.ms.push(one.ms);
      plain.clock.push(one.clock);
    }
    rows.forEach((row, i) => {
      row.ms.push(filtered[i].ms);
      row.clock.push(filtered[i].clock);
      row.passed.push(filtered[i].total);
      row.ratios.push(filtered[i].ms / ((first.ms + second.ms) / 2));
      row.alone.push(alone[i].ms);
    });
  }
  await engine.close();
  const spread = (values) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95) });
  return {
    kinds, unfiltered: { ms: spread(plain.ms), clockMs: spread(plain.clock) },
    filters: rows.map(({ by, share, passed, ms, clock, ratios, alone }) => ({
      by, share, passed: quantile(passed, 0.5), ms: spread(ms), clockMs: spread(clock), ratio: quantile(ratios, 0.5), alone: spread(alone),
    })),
  };
}

function print({ machine: on, load, kinds, unfiltered, filters }) {
  const pair = ({ p50, p95 }) => `${p50.toFixed(1).padStart(7)} ${p95.toFixed(1).padStart(7)}`;
  const row = (name, passed, { ms, clockMs }) => `${name.padEnd(34)} ${String(passed).padStart(7)} ${pair(ms)} ${clockMs.p50.toFixed(1).padStart(7)}`;
  console.log(`${on}, load ${load.toFixed(1)}; ${kinds.ThreeD} models, ${kinds.Text} documents`);
  console.log(`${'filter'.padEnd(34)}  passed     p50     p95   clock   ratio   alone: p50     p95   (ms)`);
  console.log(row('none', kinds.ThreeD, unfiltered));
  for (const filter of filters) {
    console.log(`${row(`${filter.by}, ${filter.share}`, filter.passed, filter)} ${filter.ratio.toFixed(2).padStart(7)}      ${pair(filter.alone)}`);
  }
}
