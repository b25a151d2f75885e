/**
 * Puts of several processes into one library in PostgreSQL, beside those of one: puts a second, and processor time a
 * put of the processes and of the database. Nothing is indexed.
 *
 * Data: generated; boxes of 684 bytes with two attributes, 16 puts at a time in each process (or --at-a-time: with few,
 * one process leaves the cores idle while it waits for disk and database). Processes, database and disk are those of
 * this machine: on a busy one the puts a second say little, the processor time does.
 *
 * npm run bench -- many-processes [--processes 1,3,1,3] [--seconds 6] [--at-a-time 16]
 *
 * The server is the one that SHAPEDEX_POSTGRES names, or is started from installed programs.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasPostgres, HOW, startPostgres } from '../test/fixtures/postgres.mjs';

/** Ticks of processor time a second in /proc. */
const TICKS = 100;

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,3,1,3' },
    seconds: { type: 'string', default: '6' },
    'at-a-time': { type: 'string', default: '16' },
  },
});

if (!hasPostgres) console.log(HOW);
else await measure(values.processes.split(',').map(Number), Number(values.seconds));

async function measure(counts, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
  const server = await startPostgres();
  try {
    console.log(
      'processes  puts a second  processor ms a put: processes / database  cores busy, of all on the machine',
    );
    for (const count of counts) {
      const url = await server.database();
      const place = join(folder, `${performance.now()}`);
      const processes = Array.from({ length: count }, (_, at) =>
        fork(fileURLToPath(new URL('support/putting-process.mjs', import.meta.url)), [
          url,
          place,
          `${at}`,
          `${seconds}`,
          values['at-a-time'],
        ]),
      );
      await Promise.all(processes.map(answer));
      const done = processes.map(answer);
      const before = machine();
      for (const one of processes) one.send('go');
      const results = await Promise.all(done);
      const after = machine();
      const puts = results.reduce((sum, one) => sum + one.puts, 0);
      const own = results.reduce((sum, one) => sum + one.cpuMs, 0);
      console.log(
        [
          `${count}`.padStart(9),
          results
            .reduce((sum, one) => sum + one.perSecond, 0)
            .toFixed(0)
            .padStart(14),
          `${(own / puts).toFixed(2)} / ${((after.databaseMs - before.databaseMs) / puts).toFixed(2)}`.padStart(43),
          `${Math.round(100 * (1 - (after.idle - before.idle) / (after.all - before.all)))} %`.padStart(37),
        ].join(' '),
      );
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The next message of a process. */
function answer(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => code && reject(new Error(`a process ended with ${code}`)));
  });
}

/** Ticks of the machine, and processor time of all processes of PostgreSQL, ms. */
function machine() {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  let databaseTicks = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [name, rest] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ');
      // Their own time and that of the ones that ended.
      if (name.endsWith('(postgres')) for (const at of [11, 12, 13, 14]) databaseTicks += Number(rest.split(' ')[at]);
    } catch {}
  }
  return {
    idle: ticks[3] + ticks[4],
    all: ticks.reduce((sum, one) => sum + one, 0),
    databaseMs: (databaseTicks * 1_000) / TICKS,
  };
}
