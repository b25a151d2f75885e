/**
 * Indexing a folder of STEP files, compared with what occt-import-js alone takes for the same files.
 *
 * Data: all .step and .stp files below --data, put by `putFolder` into a new library, with as many workers as
 * processors. The peer is one process with a plain loop: read the file, `ReadStepFile` with the package's defaults,
 * nothing else. Both run as separate processes, one after the other, and all their user time counts from the start of
 * Node on: for both the compilation of the kernel, for the engine also its disk and its reading processes (two or
 * more). Rounds alternate. It needs Linux, which tells the time of ended children.
 *
 * npm run bench -- indexing --data DIR [--rounds 3] [--most-bytes 3000000] [--json]
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rm, stat, link, copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchOptions, machine, quantile } from './support/options.mjs';

const args = benchOptions({
  rounds: { type: 'string', default: '3' },
  'most-bytes': { type: 'string', default: '3000000' },
  role: { type: 'string' },
});
const ROLES = { engine: runEngine, kernel: runKernel };
if (args.role !== undefined) {
  process.send(await ROLES[args.role](args.data), () => process.disconnect());
} else if (args.data === undefined) {
  console.log('the bench indexing needs --data DIR, a folder with STEP files; nothing was measured.');
} else {
  await compare();
}

async function compare() {
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-indexing-'));
  try {
    const steps = await gather(args.data, join(folder, 'files'));
    const rounds = [];
    for (let round = 0; round < Number(args.rounds); round++) {
      rounds.push({
        kernel: await inChild('kernel', join(folder, 'files')),
        engine: await inChild('engine', join(folder, 'files')),
      });
    }
    const median = (of) => quantile(rounds.map(of), 0.5);
    const report = {
      machine: await machine(),
      load: loadavg()[0],
      ...steps,
      cores: availableParallelism(),
      rounds,
      kernelUserSeconds: median(({ kernel }) => kernel.userSeconds),
      engineUserSeconds: median(({ engine }) => engine.userSeconds),
      ratio: median(({ kernel, engine }) => engine.userSeconds / kernel.userSeconds),
      busyCores: median(({ engine }) => (engine.userSeconds + engine.systemSeconds) / engine.seconds),
    };
    if (args.json) console.log(JSON.stringify(report));
    else print(report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Links the STEP files into one folder, so that both contestants read the same files; files above the size limit are
 * left out.
 */
async function gather(from, to) {
  await mkdir(to);
  let files = 0,
    bytes = 0;
  for (const name of (await readdir(from, { recursive: true })).sort()) {
    if (!/\.(step|stp)$/i.test(name)) continue;
    const { size } = await stat(join(from, name));
    if (size > Number(args['most-bytes'])) continue;
    const target = join(to, `${String(files).padStart(5, '0')}.step`);
    await link(join(from, name), target).catch(() => copyFile(join(from, name), target));
    files++;
    bytes += size;
  }
  return { files, bytes };
}

function inChild(role, data) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['--role', role, '--data', data]);
    child
      .once('message', resolve)
      .once('error', reject)
      .once('exit', (code) => reject(new Error(`the ${role} process ended with ${code}`)));
  });
}

async function runKernel(data) {
  const occt = await createRequire(import.meta.url)('occt-import-js')();
  const names = (await readdir(data)).sort();
  let read = 0;
  for (const name of names) {
    const { success, meshes } = occt.ReadStepFile(await readFile(join(data, name)), null);
    if (success && meshes.length > 0) read++;
  }
  return figures(read);
}

async function runEngine(data) {
  const { Engine } = await import('shapedex');
  const library = await mkdtemp(join(tmpdir(), 'shapedex-indexing-library-'));
  try {
    const engine = await Engine.open(library);
    const company = await engine.company('bench');
    for await (const _ of company.putFolder(data)) {
      /* Only the end matters. */
    }
    const { states } = await engine.stats();
    await engine.close();
    return figures(states.indexed);
  } finally {
    await rm(library, { recursive: true, force: true });
  }
}

/** Time of the whole process so far, and of its children, the reading processes, that have ended. */
function figures(read) {
  const { user, system } = process.cpuUsage();
  const [ofChildrenUser, ofChildrenSystem] = childrenSeconds();
  return {
    seconds: performance.now() / 1000,
    userSeconds: user / 1e6 + ofChildrenUser,
    systemSeconds: system / 1e6 + ofChildrenSystem,
    read,
  };
}

/** User and system time of ended children, s: Linux alone tells it, see proc_pid_stat(5), in ticks of 10 ms. */
function childrenSeconds() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[13] / 100, fields[14] / 100];
}

function print({ machine, load, files, bytes, cores, rounds, kernelUserSeconds, engineUserSeconds, ratio, busyCores }) {
  console.log(
    `${files} STEP files, ${(bytes / 1e6).toFixed(1)} MB; ${machine}; load ${load.toFixed(1)}; medians of ` +
      `${rounds.length} rounds`,
  );
  const row = (name, seconds, of) =>
    console.log(
      `${name.padEnd(22)} ${seconds.toFixed(2).padStart(8)} s of user time, ${quantile(
        rounds.map((round) => of(round).seconds),
        0.5,
      ).toFixed(2)} s by the clock, ${rounds[0][name === 'shapedex' ? 'engine' : 'kernel'].read} read`,
    );
  row('occt-import-js alone', kernelUserSeconds, ({ kernel }) => kernel);
  row('shapedex', engineUserSeconds, ({ engine }) => engine);
  console.log(
    `ratio of user time ${ratio.toFixed(2)} (asked: at most 1.15); ${busyCores.toFixed(2)} of ${cores} cores busy`,
  );
}
