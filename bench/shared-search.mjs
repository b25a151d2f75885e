/**
 * Searches by UID in a library in PostgreSQL beside the same library in a folder: with the vectors in memory, and with
 * too little memory for them (`searchMemoryMiB` 4), so that every search reads the derived table beside the replica.
 *
 * Three engines in one process, in turns for each part, so that all meet the same machine: processor time p50 and p95,
 * clock, how many times the folder's p95, and whether hits, order and scores are the same. Asked: 1.5 x in memory,
 * 4 x from the database's side. Data: --library DIR, one of `bench scale` that nothing has open (it is opened, so use
 * a copy); else one is made, of --parts files with 200 shapes, moved slightly. The first --warm-up are not counted.
 * With --firsts N, also the p95 of the first N searches of each, as a process has them that begins.
 *
 * npm run bench -- shared-search [--library DIR] [--parts 100000] [--searches 270] [--warm-up 60] [--firsts 0]
 *
 * The server is the one that SHAPEDEX_POSTGRES names, or is started from installed programs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Engine } from 'shapedex';
import { hasPostgres, HOW, startPostgres } from '../test/fixtures/postgres.mjs';
import { mulberry32 } from './parts/reference/kit.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const COMPANY = 'bench';
const LIMIT = 20;
/** Too little for the vectors of a few thousand parts. */
const LITTLE_MIB = 4;

const args = benchOptions({
  library: { type: 'string' },
  parts: { type: 'string', default: '100000' },
  searches: { type: 'string', default: '270' },
  'warm-up': { type: 'string', default: '60' },
  firsts: { type: 'string', default: '0' },
});

if (!hasPostgres) console.log(HOW);
else await measure();

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
  const library = args.library ?? newLibrary(join(folder, 'library'));
  const server = await startPostgres();
  try {
    const uids = drawn(join(library, 'catalog.sqlite'), Number(args.searches) + Number(args['warm-up']));
    const url = await server.database();
    const blobs = join(folder, 'blobs');
    await timed('moved into PostgreSQL', () => Engine.migrate(library, url, { blobs }));
    const shared = (name, options) =>
      timed(`${name} opened`, () =>
        Engine.open(url, { blobs, replica: join(folder, name), workers: 0, pictures: 'none', ...options }),
      );
    const engines = [
      ['folder', await timed('folder opened', () => Engine.open(library, { pictures: 'none' }))],
      ['replica in memory', await shared('replica in memory', {})],
      ['replica on disk', await shared('replica on disk', { searchMemoryMiB: LITTLE_MIB })],
    ];
    const companies = await Promise.all(engines.map(([, engine]) => engine.company(COMPANY)));
    const times = engines.map(() => []);
    let same = 0;
    for (const [at, uid] of uids.entries()) {
      const found = new Set();
      for (let turn = 0; turn < companies.length; turn++) {
        const which = (at + turn) % companies.length;
        const cpu = process.cpuUsage(),
          start = performance.now();
        const { hits } = await companies[which].search({ like: { uid }, limit: LIMIT });
        const used = process.cpuUsage(cpu);
        times[which].push({ ms: performance.now() - start, processorMs: (used.user + used.system) / 1000 });
        found.add(JSON.stringify(hits.map((hit) => [hit.uid, hit.score.toFixed(6), hit.matchClass])));
      }
      if (found.size === 1) same++;
    }
    print(
      engines.map(([name]) => name),
      times,
    );
    console.log(`hits, order and scores the same in ${same} of ${uids.length}`);
    for (const [, engine] of engines) await engine.close();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${args.library ?? `${args.parts} parts`}; ${await machine()}; load ${loadavg()[0].toFixed(1)}`);
}

function print(names, times) {
  const of = (rows, key, share) =>
    quantile(
      rows.map((row) => row[key]),
      share,
    );
  const rounds = [['after warming', Number(args['warm-up']), Infinity]];
  if (args.firsts !== '0') rounds.push([`the first ${args.firsts}`, 0, Number(args.firsts)]);
  for (const [round, from, to] of rounds) {
    const chosen = times.map((rows) => rows.slice(from, to));
    for (const [i, rows] of chosen.entries()) {
      const spread = (key) => `p50 ${of(rows, key, 0.5).toFixed(1)} p95 ${of(rows, key, 0.95).toFixed(1)} ms`;
      const ratio = (of(rows, 'processorMs', 0.95) / of(chosen[0], 'processorMs', 0.95)).toFixed(2);
      console.log(
        `${round}: ${names[i].padEnd(18)} processor ${spread('processorMs')}, ${ratio} x; clock ${spread('ms')}`,
      );
    }
  }
}

/** A new library of `bench scale`, at most a tenth of it read and described, the rest copied. */
function newLibrary(library) {
  const bench = fileURLToPath(new URL('scale.mjs', import.meta.url));
  const written = Math.min(10_000, Number(args.parts));
  const made = ['--parts', args.parts, '--shapes', '200', '--multiply', `${written}`, '--searches', '20'];
  const { status } = spawnSync(process.execPath, [bench, '--library', library, ...made], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`bench scale ended with ${status}`);
  return library;
}

/** UIDs of indexed files, drawn from the whole library. */
function drawn(catalogue, count) {
  const database = new Database(catalogue, { readonly: true });
  const uids = database.prepare("SELECT uid FROM file WHERE state = 'indexed' ORDER BY path").pluck().all();
  database.close();
  const random = mulberry32(19);
  return Array.from({ length: count }, () => uids[Math.floor(random() * uids.length)]);
}

async function timed(what, work) {
  const cpu = process.cpuUsage(),
    start = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${what} in ${seconds} s, of processor ${((user + system) / 1e6).toFixed(1)} s`);
  return result;
}
