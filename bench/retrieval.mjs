/**
 * Retrieval quality, leave one out, through the public API.
 *
 * Data: any folder of class folders. Every model is searched with against all the others, without size filters; classes
 * of one member are skipped.
 *
 * Printed: nearest neighbour, first and second tier, DCG and mAP, with equal weight for all queries; Kendall's tau
 * between rank and distance in log extents within the classes that are size families of one shape, and what that order
 * costs the other measures (the same queries with `ignoreSize`); how many of the hits of each similarity are of the
 * query's class; seconds of indexing; milliseconds per search; the twenty worst queries. With --pictures these are
 * drawn, each with its first hits.
 *
 * npm run bench -- retrieval --data DIR [--json] [--pictures FILE.png] [--library DIR]
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { kendallTau, meanOf, rankedListMeasures } from './support/retrieval-metrics.mjs';

/**
 * Classes of the development set in which every part is one shape in another size. On a folder without these names
 * every class in which the boxes differ (median distance in log extents over 0.3) and the shape hardly does counts.
 */
const SIZE_FAMILIES = [
  'screw_cap',
  'screw_pan',
  'hex_nut',
  'washer_spring',
  'washer_star',
  'linear_bearing',
  'circlip',
  'jst_xh_header',
  'brick_1xN',
  'brick_2xN',
  'plate_flat',
  'beam_straight',
  'axle',
  'tubing',
  'box_section',
  'stepper_motor',
  'rail_carriage',
  'ic_soic',
  'smd_inductor',
];

/**
 * Reference figures, measured on the same files with the authors' code and with a prototype of this design; see
 * README.md.
 */
const BASELINES = [
  ["Light Field Descriptor (authors' code)", 0.541, 0.254, 0.337, 0.549, 0.266],
  ['D2, 64 bins, L1', 0.404, 0.175, 0.242, 0.465, 0.185],
];

const options = benchOptions({ pictures: { type: 'string' }, library: { type: 'string' } });
if (options.data === undefined) {
  console.log('the bench retrieval needs --data DIR, a folder of class folders with models; nothing was measured.');
  process.exit(0);
}
const data = (await readdir(options.data)).includes('parts') ? join(options.data, 'parts') : options.data;
const folder = options.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-retrieval-')));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('bench');
  const indexing = await index(company);
  const { queries, searchMs } = await searchAll(company);
  const sizeBlind = await searchAll(company, { ignoreSize: true });
  await report(indexing, queries, searchMs, sizeBlind.queries);
  if (options.pictures !== undefined) {
    const { drawWorst } = await import('./support/worst-queries.mjs');
    await drawWorst(data, worst(queries), options.pictures);
    if (!options.json) console.log(`pictures of the worst twenty: ${options.pictures}`);
  }
} finally {
  await engine.close();
  if (options.library === undefined) await rm(folder, { recursive: true, force: true });
}

async function index(company) {
  const started = performance.now();
  let progress;
  const failures = [];
  for await (progress of company.putFolder(data, { resume: true })) {
    if (progress.error !== undefined)
      failures.push(`${progress.path}: ${progress.error.code} ${progress.error.message}`);
    if (process.stderr.isTTY) process.stderr.write(`\rindexing ${progress.done}/${progress.total}`);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  return { files: progress?.total ?? 0, seconds: (performance.now() - started) / 1000, failures };
}

async function searchAll(company, { ignoreSize = false } = {}) {
  const parts = [];
  for (let after = ''; ; ) {
    const page = await company.list({ limit: 1000, after });
    if (page.length === 0) break;
    parts.push(...page.filter(({ state }) => state === 'indexed'));
    after = page[page.length - 1].path;
  }
  const classOf = (path) => path.split('/')[0];
  const members = new Map();
  for (const { path } of parts) members.set(classOf(path), (members.get(classOf(path)) ?? 0) + 1);
  const queries = [];
  const searchMs = [];
  for (const part of parts) {
    const others = members.get(classOf(part.path)) - 1;
    if (others < 1) continue;
    const started = performance.now();
    const { hits } = await company.search({
      like: { uid: part.uid },
      limit: Math.min(parts.length, 10_000),
      ignoreSize,
    });
    searchMs.push(performance.now() - started);
    const list = hits.filter(({ uid }) => uid !== part.uid);
    const relevant = list.map(({ path }) => classOf(path) === classOf(part.path));
    const family = list.filter((_, i) => relevant[i]);
    queries.push({
      path: part.path,
      class: classOf(part.path),
      measures: rankedListMeasures(relevant, others),
      tau: kendallTau(
        family.map((_, i) => i),
        family.map((hit) => logExtentDistance(part.bboxSizeMm, hit.bboxSizeMm)),
      ),
      extents: family.map((hit) => logExtentDistance(part.bboxSizeMm, hit.bboxSizeMm)),
      said: list.map(({ similarity }, i) => ({ similarity, isRelevant: relevant[i] })),
      first: list.slice(0, 5).map(({ path, score }) => ({ path, score })),
    });
    if (process.stderr.isTTY) process.stderr.write(`\rsearching ${queries.length}/${parts.length}`);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  return { queries, searchMs };
}

function logExtentDistance(a, b) {
  return Math.hypot(
    ...a.map((edge, i) => Math.log(Math.max(edge, 1e-6 * a[0])) - Math.log(Math.max(b[i], 1e-6 * b[0]))),
  );
}

/** Mean tau per size family, then over the families. */
function sizeOrder(queries) {
  const classes = [...new Set(queries.map((query) => query.class))];
  const named = classes.filter((name) => SIZE_FAMILIES.includes(name));
  const families =
    named.length > 0
      ? named
      : classes.filter(
          (name) =>
            quantile(
              queries.filter((query) => query.class === name).flatMap(({ extents }) => extents),
              0.5,
            ) > 0.3,
        );
  const rows = families.flatMap((name) => {
    const taus = queries.filter((query) => query.class === name && query.tau !== undefined).map(({ tau }) => tau);
    return taus.length === 0 ? [] : [{ class: name, tau: taus.reduce((sum, tau) => sum + tau, 0) / taus.length }];
  });
  return { families: rows, tau: rows.reduce((sum, { tau }) => sum + tau / rows.length, 0) };
}

/** Of the hits whose similarity is within each ten per cent, how many there are and how many are of the class. */
function reliability(queries) {
  const bins = Array.from({ length: 10 }, (_, i) => ({ from: 10 * i, hits: 0, relevant: 0 }));
  for (const { said } of queries) {
    for (const { similarity, isRelevant } of said) {
      const bin = bins[Math.min(9, Math.floor(similarity / 10))];
      bin.hits++;
      if (isRelevant) bin.relevant++;
    }
  }
  return bins;
}

function worst(queries) {
  return [...queries].sort((a, b) => a.measures.map - b.measures.map || (a.path < b.path ? -1 : 1)).slice(0, 20);
}

async function report({ files, seconds, failures }, queries, searchMs, sizeBlind) {
  const blind = meanOf(sizeBlind.map(({ measures }) => measures));
  const all = meanOf(queries.map(({ measures }) => measures));
  const order = sizeOrder(queries);
  const classes = new Set(queries.map((query) => query.class)).size;
  const result = {
    machine: await machine(),
    files,
    classes,
    queries: queries.length,
    failures,
    ...all,
    sizeBlind: { ...blind, tau: sizeOrder(sizeBlind).tau },
    tau: order.tau,
    families: order.families,
    reliability: reliability(queries),
    indexingSeconds: seconds,
    searchMsMedian: quantile(searchMs, 0.5),
    searchMsP95: quantile(searchMs, 0.95),
    worst: worst(queries).map(({ path, measures, first }) => ({ path, map: measures.map, first })),
  };
  if (options.json) {
    console.log(JSON.stringify(result, undefined, 2));
    return;
  }
  const line = (name, values) =>
    console.log(`${name.padEnd(42)} ${values.map((value) => value.toFixed(3)).join('  ')}`);
  console.log(`\n${files} files in ${classes} classes, ${queries.length} queries; ${result.machine}`);
  for (const failure of failures) console.log(`  failed: ${failure}`);
  console.log(`${''.padEnd(42)} NN     FT     ST     DCG    mAP`);
  for (const [name, ...values] of BASELINES) line(`${name} *`, values);
  line('shapedex', [all.nn, all.firstTier, all.secondTier, all.dcg, all.map]);
  line('  without the order of sizes', [blind.nn, blind.firstTier, blind.secondTier, blind.dcg, blind.map]);
  console.log('* measured once on the 773 models of the development set; says nothing of another folder');
  console.log(
    `size order: Kendall's tau ${order.tau.toFixed(3)} over ${order.families.length} families, ${sizeOrder(sizeBlind).tau.toFixed(3)} without; it costs ${(blind.firstTier - all.firstTier).toFixed(3)} of first tier (${order.families.map((f) => `${f.class} ${f.tau.toFixed(2)}`).join(', ')})`,
  );
  console.log('similarity said, hits, of the class of the query:');
  for (const { from, hits, relevant } of result.reliability)
    console.log(
      `  ${from} to ${from + 10} %`.padEnd(16) +
        `${hits}`.padStart(8) +
        `${((100 * relevant) / Math.max(1, hits)).toFixed(1)} %`.padStart(9),
    );
  console.log(
    `indexing ${seconds.toFixed(1)} s; a search for all ${files}: median ${result.searchMsMedian.toFixed(1)} ` +
      `ms, p95 ${result.searchMsP95.toFixed(1)} ms`,
  );
  console.log('worst twenty (mAP, query, what came first):');
  for (const { path, map, first } of result.worst)
    console.log(
      `  ${map.toFixed(3)}  ${path}  ->  ${first
        .slice(0, 3)
        .map((hit) => hit.path)
        .join(', ')}`,
    );
}
