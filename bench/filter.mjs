/**
 * Filters: what a filter adds to the time of a search by shape, and how fast filters are alone.
 *
 * Data: a library of --files models and a tenth as many documents. --shapes generated parts (support/many-parts.mjs)
 * are read and described. Every model gets the descriptors of one of them, with its compact vector moved slightly and
 * its sizes changed, and no views (so that none are made when the library is opened). No model is then a copy of
 * another: testing for the same part takes little time, and the cost of a filter stands out. Attributes, words and
 * categories are drawn so that a known share of the files has each. Everything is written through the store without
 * reading files, about 200 000 rows a minute. A library that is kept (--library) is used again.
 *
 * Every round first gives an attribute to --changed files, so that cached answers are out of date: with the default the
 * engine looks up those files again, with 4 200 or more it asks for everything again. Then, for each filter: a search
 * without it, a search with it (`first`), the same again (`again`), and the filter without a shape (`alone`). Every
 * search by shape uses another part, limit 20.
 *
 * Printed: files that pass; median and p95 of the processor time (on a busy machine the clock time depends on other
 * work), and the medians divided by the median of the searches without a filter.
 *
 * On a busy machine 40 rounds take an hour: with --seconds the last round is the one in which so many have passed, and
 * how many rounds there were is printed.
 *
 * npm run bench -- filter [--files 100000] [--shapes 2000] [--rounds 40] [--changed 600] [--seconds N] [--library DIR]
 * [--json]
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { ATTRIBUTE_FORMS } from '../dist/words/attribute-forms.js';
import { TERM_MAKER } from '../dist/words/file-terms.js';
import { CONTENT_VERSION, NO_VIEWS } from '../dist/indexing/worker/file-description.js';

import { parseAttributes } from '../dist/attributes/attribute.js';
import { openLibrary } from '../dist/library.js';
import { mulberry32 } from './parts/reference/kit.mjs';
import { describedParts } from './support/described-parts.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const COMPANY = 'bench';
const LIMIT = 20;
const BATCH = 512;
const STORE_OPTIONS = { fileBytesLimit: 1e9, crashLimit: 10, terms: TERM_MAKER };
/**
 * Number of different blobs: few, so that little is written, but more than one, because puts of the same bytes wait for
 * each other.
 */
const BLOBS = 64;
/** Number of equally likely values or words; each is in one of that many files. */
const SHARES = { '0.1 %': 1_000, '1 %': 100, '10 %': 10, '50 %': 2 };
const NAMES = { '0.1 %': 'Project', '1 %': 'Customer', '10 %': 'Material', '50 %': 'Status' };

const args = benchOptions({
  files: { type: 'string', default: '100000' },
  shapes: { type: 'string', default: '2000' },
  rounds: { type: 'string', default: '40' },
  changed: { type: 'string', default: '600' },
  seconds: { type: 'string' },
  library: { type: 'string' },
});
const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-filter-'));
try {
  if (!existsSync(join(library, 'full'))) await fill(library, Number(args.files), Number(args.shapes));
  const report = {
    machine: await machine(),
    load: loadavg()[0],
    ...(await measure(join(library, 'full'), Number(args.rounds), Number(args.changed))),
  };
  if (args.json) console.log(JSON.stringify(report));
  else print(report);
} finally {
  if (args.library === undefined) rmSync(library, { recursive: true, force: true });
}

/** Describes parts in one library and writes changed ones to another. */
async function fill(folder, files, shapes) {
  const shapeOf = await describedParts(join(folder, 'parts'), shapes);
  const draft = join(folder, 'draft');
  rmSync(draft, { recursive: true, force: true });
  await (await Engine.open(draft)).close();
  const to = await openLibrary(draft, STORE_OPTIONS);
  // There is nothing to do yet; without this call the engine would make the terms of all files again when it is opened.
  await to.rooms.words.make();
  const owner = await to.company(COMPANY);
  const random = mulberry32(7);
  const total = Math.round(1.1 * files);
  for (let first = 0; first < total; first += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, total - first) }, (_, i) => rowOf(first + i, random, shapeOf));
    const entered = await Promise.all(
      made.map(({ path, attributes, indexed: { kind } }, i) =>
        to.put({
          companyId: owner,
          path,
          overwrite: true,
          textOnly: false,
          kind,
          priority: 3,
          source: Buffer.from(`bytes ${i % BLOBS}`),
          attributes: parseAttributes(attributes, ATTRIBUTE_FORMS.key),
        }),
      ),
    );
    await Promise.all(entered.map(({ fileId }, i) => to.jobs.complete(fileId, made[i].indexed)));
    if (process.stderr.isTTY) process.stderr.write(`\r${first} of ${total} rows\x1b[K`);
  }
  await to.close();
  renameSync(draft, join(folder, 'full'));
}

function rowOf(number, random, shapeOf) {
  const values = Object.fromEntries(
    Object.entries(SHARES).map(([share, count]) => [share, Math.floor(random() * count)]),
  );
  const attributes = [
    ...Object.entries(values).map(([share, value]) => `${NAMES[share]}=${wordOf(value)}`),
    `Length(mm)=${(1_000 * random()).toFixed(2)}`,
    `Part=AB-${number}/${number % 7}`,
    `Note=drawn ${wordOf(Math.floor(5_000 * random()))}`,
  ];
  // Each share has its own words, among others; about 60 per file.
  const words = [
    ...Object.entries(values).map(([share, value]) => textWordOf(share, value)),
    ...Array.from({ length: 56 }, () => wordOf(Math.floor(20_000 * random() ** 3))),
  ];
  const isModel = number % 11 !== 10;
  return {
    path: `${wordOf(number % 300)}/part-${number}.${isModel ? 'stl' : 'txt'}`,
    attributes,
    indexed: {
      kind: isModel ? 'ThreeD' : 'Text',
      warnings: [],
      contentVersion: CONTENT_VERSION,
      faceCount: null,
      pageCount: isModel ? null : 1,
      pages: [{ number: 1, name: '', text: words.join(' ') }],
      extracted: [],
      ...(isModel ? { shape: shapeOf(random), views: NO_VIEWS } : {}),
    },
  };
}

/** A word of letters that encodes a number. */
function wordOf(number) {
  let word = '';
  for (let rest = number + 7; rest > 0; rest = Math.floor(rest / 16))
    word += 'bcdfghklmnprstvz'[rest % 16] + 'aeio'[rest % 4];
  return word;
}

function textWordOf(share, value) {
  return `${NAMES[share].slice(0, 3).toLowerCase()}${wordOf(value)}`;
}

/** The filters of a round, for each kind and share. */
function filtersOf() {
  const pick = (count, round) => (7 * round + 3) % count;
  const filters = [];
  for (const [share, count] of Object.entries(SHARES)) {
    filters.push({
      by: 'attribute',
      share,
      query: (round) => ({ attributes: [{ name: NAMES[share], equals: wordOf(pick(count, round)) }] }),
    });
  }
  for (const [share, count] of Object.entries(SHARES)) {
    const least = (round) => Math.floor((((round * 37) % 100) / 100) * (1_000 - 1_000 / count));
    filters.push({
      by: 'range',
      share,
      query: (round) =>
        count === 2
          ? { text: `Length>${500 + round / 100}` }
          : { text: [`Length>=${least(round)}mm`, `Length<${least(round) + 1_000 / count}mm`] },
    });
  }
  for (const [share, count] of Object.entries(SHARES)) {
    filters.push({ by: 'word', share, query: (round) => ({ text: textWordOf(share, pick(count, round)) }) });
  }
  filters.push(
    { by: 'kind ThreeD', share: '100 %', query: () => ({ kinds: ['ThreeD'] }) },
    {
      by: 'word and attribute',
      share: '5 %',
      query: (round) => ({
        text: textWordOf('50 %', round % 2),
        attributes: [{ name: NAMES['10 %'], equals: wordOf(pick(10, round)) }],
      }),
    },
    {
      by: 'word, attribute, range',
      share: '2.5 %',
      query: (round) => ({
        text: [textWordOf('10 %', pick(10, round)), 'Length>500'],
        attributes: [{ name: NAMES['50 %'], equals: wordOf(round % 2) }],
      }),
    },
    {
      by: 'attribute, facets',
      share: '50 %',
      query: (round) => ({ attributes: [{ name: NAMES['50 %'], equals: wordOf(round % 2) }], facets: true }),
    },
  );
  return filters;
}

async function measure(folder, rounds, changed) {
  await mergeTerms(folder);
  const engine = await Engine.open(folder);
  const company = await engine.company(COMPANY);
  const { kinds } = await engine.stats();
  const models = (await company.list({ limit: 20_000, kind: 'ThreeD' })).map(({ uid }) => uid);
  const documents = (await company.list({ limit: changed, kind: 'Text' })).map(({ uid }) => uid);
  let next = 0;
  /** Another part each time: neighbours in the list share a folder, not a shape. */
  const part = () => ({ uid: models[next++ % models.length] });
  const timed = async (query) => {
    const cpu = process.cpuUsage(),
      start = performance.now();
    const { total } = await company.search({ ...query, limit: LIMIT });
    const clockMs = performance.now() - start,
      { user, system } = process.cpuUsage(cpu);
    return { ms: (user + system) / 1_000, clockMs, total };
  };
  const filters = filtersOf().map((filter) => ({ ...filter, first: [], again: [], alone: [] }));
  const plain = [];
  const until = performance.now() + 1_000 * Number(args.seconds ?? Infinity);
  let round = -2;
  for (; round < rounds && (round < 1 || performance.now() < until); round++) {
    await Promise.all(
      documents.map((uid) => company.setAttributes(uid, [`Round=${wordOf(round + 2)}`], { replace: false })),
    );
    for (const { query, first, again, alone } of filters) {
      const asked = query(round + 2);
      const times = [
        await timed({ like: part() }),
        await timed({ like: part(), ...asked }),
        await timed({ like: part(), ...asked }),
        await timed(asked),
      ];
      if (round < 0) continue; // Warm-up.
      [plain, first, again, alone].forEach((list, i) => list.push(times[i]));
    }
  }
  await engine.close();
  const spread = (times) => ({
    p50: quantile(
      times.map(({ ms }) => ms),
      0.5,
    ),
    p95: quantile(
      times.map(({ ms }) => ms),
      0.95,
    ),
    clockP50: quantile(
      times.map(({ clockMs }) => clockMs),
      0.5,
    ),
  });
  const unfiltered = spread(plain);
  return {
    kinds,
    rounds: round,
    unfiltered,
    filters: filters.map(({ by, share, first, again, alone }) => ({
      by,
      share,
      passed: quantile(
        first.map(({ total }) => total),
        0.5,
      ),
      first: spread(first),
      again: spread(again),
      alone: spread(alone),
      firstRatio: spread(first).p50 / unfiltered.p50,
      againRatio: spread(again).p50 / unfiltered.p50,
    })),
  };
}

/** The engine's idle-time work, done here so that it does not run during the measurement. */
async function mergeTerms(folder) {
  const store = await openLibrary(folder, STORE_OPTIONS);
  while (await store.rooms.words.merge(64));
  await store.close();
}

function print({ machine: on, load, kinds, rounds, unfiltered, filters }) {
  const cell = (value, digits = 1) => value.toFixed(digits).padStart(7);
  console.log(
    `${on}, load ${load.toFixed(1)}; ${kinds.ThreeD} models, ${kinds.Text} documents; ${rounds} rounds; ms of processor`,
  );
  console.log(
    `without a filter: p50 ${unfiltered.p50.toFixed(1)}, p95 ${unfiltered.p95.toFixed(1)} (clock ` +
      `${unfiltered.clockP50.toFixed(1)})`,
  );
  console.log(
    `${'filter'.padEnd(32)}  passed | first p50     p95   ratio | again p50     p95   ratio | alone p50     p95`,
  );
  for (const { by, share, passed, first, again, alone, firstRatio, againRatio } of filters) {
    console.log(
      `${`${by}, ${share}`.padEnd(32)} ${String(passed).padStart(7)} |   ${cell(first.p50)} ${cell(first.p95)} ${cell(firstRatio, 2)} |   ` +
        `${cell(again.p50)} ${cell(again.p95)} ${cell(againRatio, 2)} |   ${cell(alone.p50)} ${cell(alone.p95)}`,
    );
  }
}
