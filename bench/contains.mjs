/**
 * Finding shapes inside others (`company.search({ contains })`): planted features, pieces cut from parts, components of
 * assemblies, machining features of any size; the time of a query among many parts, and what faces add to indexing.
 *
 * Measured, by set:
 * - planted: of hosts of a feature the share among the first ten hits, whether the first hit is a host, whether the
 *   transform is right to 0.1 mm and 0.1°, and near misses that are called complete (coverage of 0.995).
 * - pieces: whether the part of a piece (40 to 70 % behind a random plane) is first, as STEP and as STL with other
 *   triangles. Beside it, not instead of it: first, or the part that is first holds the whole piece as well, by the
 *   solid modeller.
 * - made: the same of parts with helical and free walls that the modeller makes of the seed.
 * - components: whether each body of a file with several is found whole in that file, which is put without components.
 * - any: of machining features the share of the first ten hits most of whose faces carry the label of the query.
 * - time: processor time of a query, p50 and p95, ms, by number of parts (see contains/times.mjs).
 * - indexing: processor time of reading and describing STEP and STL files, with faces beside without.
 * With --baseline, planted and pieces also say what comparing the descriptors of whole parts and pieces finds.
 *
 * The search runs on faces in memory, made by the engine's own code, without a library on disk. --cache DIR keeps faces
 * and pieces for the next run; --pictures DIR gets a sheet of the worst twenty of each set.
 *
 * Data: folders below --data: `planted` (parts, queries, truth.json), `parts`, `models` and `pairs` (STEP files),
 * `mfcad` (STEP files, faces.json). Rules were looked at on files of all of these; none was fitted by a program.
 *
 * npm run bench -- contains --data DIR [--sets planted,pieces,made,components,any,time,indexing] [--queries 40] [--seed
 * 1]
 *     [--parts 1500,100000] [--baseline] [--cache DIR] [--pictures DIR] [--failures] [--json]
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { any } from './contains/any.mjs';
import { components } from './contains/components.mjs';
import { indexing } from './contains/indexing.mjs';
import { made, pieces } from './contains/pieces.mjs';
import { planted } from './contains/planted.mjs';
import { drawMisses, MOST_ROWS } from './contains/sheet.mjs';
import { time } from './contains/times.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const SETS = { planted, pieces, made, components, any, time, indexing };
/** What the issue of this search asks for. */
const ASKED = {
  planted: { recallAtTen: 0.97, first: 0.93, pose: 0.97, nearMissesComplete: '<= 0.01' },
  pieces: { stepFirst: 0.93, stlFirst: 0.85 },
  components: { found: 1 },
  any: { precisionAtTen: 0.85 },
  time: { 1500: 'p95 <= 200', 100000: 'p95 <= 800' },
  indexing: { ofBefore: '<= 1.1' },
};

const args = benchOptions({
  sets: { type: 'string', default: Object.keys(SETS).join(',') },
  queries: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  parts: { type: 'string', default: '1500,100000' },
  baseline: { type: 'boolean', default: false },
  cache: { type: 'string' },
  pictures: { type: 'string' },
  failures: { type: 'boolean', default: false },
});
if (args.data === undefined) {
  console.error('bench contains needs --data DIR with planted, parts, models, pairs or mfcad');
  process.exit(2);
}
const unknown = args.sets.split(',').find((name) => !(name in SETS));
if (unknown !== undefined) {
  console.error(`no set ${unknown}; there are ${Object.keys(SETS).join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const name of args.sets.split(',')) {
  const times = [],
    misses = [];
  const row = await SETS[name]({
    data: args.data,
    cache: args.cache,
    queries: Number(args.queries),
    seed: Number(args.seed),
    parts: args.parts.split(',').map(Number),
    baseline: args.baseline,
    times,
    fail: (miss) => misses.push(miss),
  });
  rows.push({
    set: name,
    ...row,
    asked: ASKED[name],
    cpuMs: { p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
  });
  console.log(JSON.stringify(rows.at(-1)));
  misses.sort((a, b) => (a.worst ?? 0) - (b.worst ?? 0));
  if (args.failures)
    for (const { what, hits } of misses.slice(0, MOST_ROWS))
      console.log(`  ${what}: ${hits.map(({ path, coverage }) => `${path} ${coverage?.toFixed(3)}`).join(', ')}`);
  if (args.pictures && misses.length > 0) {
    await mkdir(args.pictures, { recursive: true });
    await drawMisses(misses, join(args.pictures, `${name}.png`));
  }
}
console.log(await machine());
if (args.json) console.log(JSON.stringify(rows));
