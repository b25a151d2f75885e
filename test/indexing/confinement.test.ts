import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { Engine } from '../../dist/index.js';
import { heldBy, type Confined, type Confinement } from '../../dist/indexing/pool/confined.js';
import { confinement } from '../../dist/indexing/pool/confinement.js';
import { releaseUser, takeUser } from '../../dist/indexing/pool/own-users.js';
import { reportedUsage, usageOf, type ProcessUsage } from '../../dist/indexing/pool/process-usage.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
const isLinux = process.platform === 'linux';
const entry = new URL('../../dist/indexing/worker/worker.js', import.meta.url);
const library = join(folder, 'library');
const seen = join(folder, 'seen');
mkdirSync(join(library, 'service'), { recursive: true });
mkdirSync(seen);
mkdirSync(join(folder, 'fonts'));
writeFileSync(join(folder, 'fonts', 'a.ttf'), '');
const held = { entry, memoryMiB: 256, openFiles: 64, folders: [seen], hidden: [library] };

/** A confined Node that runs a script. */
function nodeOf(confined: Confined, script: string): [string, string[]] {
  const [file, ...args] = [...confined.next().words, process.execPath, '-e', script];
  return [file, args];
}

/** What a script says under a confinement. */
async function says(confined: Confined, script: string): Promise<string> {
  return (await promisify(execFile)(...nodeOf(confined, script))).stdout.trim();
}

/** What a program can do under a confinement: 'yes', what it read, or the code of the error. */
async function tried(confined: Confined, port: number): Promise<Record<string, string>> {
  const script = `
    const { readFileSync, readdirSync, writeFileSync, openSync } = require('node:fs');
    const { connect } = require('node:net');
    const can = {};
    const note = (what, act) => { try { can[what] = String(act() ?? 'yes'); } catch (error) { can[what] = error.code ?? error.name; } };
    const library = ${JSON.stringify(library)}, host = ${process.pid};
    note('read', () => readFileSync(${JSON.stringify(join(seen, 'file'))}, 'utf8'));
    note('write', () => writeFileSync(${JSON.stringify(join(seen, 'written'))}, 'x'));
    note('hold', () => { Buffer.alloc(1_500 * 2 ** 20); });
    note('key', () => readFileSync(library + '/service/door.json', 'utf8'));
    note('keyByHost', () => readFileSync('/proc/' + host + '/root' + library + '/service/door.json', 'utf8'));
    note('environment', () => readFileSync('/proc/' + host + '/environ', 'utf8').length > 0);
    note('list', () => readdirSync(library).join());
    note('run', () => readdirSync('/run').join());
    note('signal', () => { process.kill(host, 0); });
    note('capabilities', () => process.platform === 'linux' ? /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] : '');
    const reach = (...to) => new Promise((resolve) => {
      const socket = connect(...to);
      socket.on('connect', () => resolve('yes')).on('error', (error) => resolve(error.code));
    });
    (async () => {
      can.door = await reach(library + '/service/socket');
      can.connect = await reach(${port}, '127.0.0.1');
      note('open', () => { for (let i = 0; i < 200; i++) openSync(process.execPath); });
      console.log(JSON.stringify(can));
      process.exit();
    })();`;
  return JSON.parse(await says(confined, script)) as Record<string, string>;
}

/** What each kind allows at least, of what {@link tried} tries. */
const BOUNDS = { open: 'EMFILE', hold: expect.stringMatching(/^(RangeError|ERR_)/) };
const APART = { ...BOUNDS, connect: 'ENETUNREACH', capabilities: '0000000000000000' };
const GONE = expect.stringMatching(/^(ENOENT|EACCES)$/);
const HELD: Partial<Record<Confinement, Record<string, unknown>>> = {
  namespaces: {
    ...APART,
    ...{ write: 'EROFS', door: GONE, key: GONE, keyByHost: 'EACCES', environment: 'EACCES', list: GONE, run: GONE },
  },
  readonly: {
    ...APART,
    ...{ write: 'EROFS', door: GONE, key: GONE, keyByHost: 'EACCES', environment: 'EACCES', list: '', run: '' },
  },
  offline: { ...APART, read: 'read' },
  limits: { ...BOUNDS, connect: 'yes' },
  bounds: { open: 'EMFILE', write: 'yes', connect: 'yes' },
  none: { open: 'yes', hold: 'yes', write: 'yes', connect: 'yes' },
};

test('a reading process sees its own folders, not the library nor its service, and does no more than it is held to', async ({
  skip,
}) => {
  writeFileSync(join(seen, 'file'), 'read');
  writeFileSync(join(library, 'service', 'door.json'), 'the key', { mode: 0o600 });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const door = createServer().listen(isLinux ? join(library, 'service', 'socket') : 0);
  await once(door, 'listening');
  const confined = await confinement(held);
  const { kind, isOwnUser } = confined;
  const can = await tried(confined, port);
  expect(can).toMatchObject({ read: 'read', ...HELD[kind] });
  if (isOwnUser) expect(can).toMatchObject({ key: GONE, environment: 'EACCES', door: GONE, signal: 'EPERM' });
  server.close();
  door.close();
  if (isLinux) expect(kind, 'Linux always bounds memory').not.toBe('none');
  skip(kind !== 'namespaces', `confinement here is ${kind}: what namespaces hide was not tried`);
});

test('a reader that was taken over neither reads the memory of another one nor ends it', async ({ skip }) => {
  const confined = await confinement(held);
  skip(!confined.isOwnUser, 'readers are users of their own only where the host is root');
  const victim = spawn(...nodeOf(confined, "console.log('runs'); setInterval(() => undefined, 1_000)"));
  await once(victim.stdout, 'data');
  const attack = `
    const { openSync } = require('node:fs');
    const can = (act) => { try { act(); return 'yes'; } catch (error) { return error.code; } };
    console.log(can(() => openSync('/proc/${victim.pid}/mem', 'r')), can(() => process.kill(${victim.pid}, 'SIGKILL')));`;
  expect(await says(confined, attack)).toBe('EACCES EPERM');
  victim.kill('SIGKILL');
});

test('no two processes have one user at the same time, and none is lost', async ({ skip }) => {
  const confined = await confinement(held);
  skip(!confined.isOwnUser, 'readers are users of their own only where the host is root');
  const userOf = (words: readonly string[]): string => words[words.indexOf('--reuid') + 1];
  for (let round = 0; round < 8; round++) {
    const prefixes = Array.from({ length: 300 }, () => confined.next());
    expect(new Set(prefixes.map(({ words }) => userOf(words))).size).toBe(300);
    for (const { user } of prefixes) releaseUser(user!);
  }
});

test('no reader has the user of a process of another host', async ({ skip }) => {
  const confined = await confinement(held);
  skip(!confined.isOwnUser, 'readers are users of their own only where the host is root');
  const own = takeUser();
  releaseUser(own);
  const script = "console.log('runs'); setInterval(() => undefined, 1_000)";
  const theirs = spawn(process.execPath, ['-e', script], { uid: own, gid: own, cwd: '/' });
  await once(theirs.stdout, 'data');
  await delay(1_100); // What runs is looked at once a second.
  const other = own === 61_184 ? own + 1 : own - 1;
  const picked = [own, own, other];
  expect(takeUser(() => picked.shift()!)).toBe(other);
  releaseUser(other);
  theirs.kill('SIGKILL');
});

test.runIf(isLinux)('what is mounted after the pool has begun is read-only too', ({ skip }) => {
  const later = join(folder, 'later');
  mkdirSync(later);
  // Where all places for a root of its own are seen, the whole file system is, read-only.
  const cases = [[later], [later, ...['/sys', '/mnt', '/media', '/srv'].filter((path) => existsSync(path))]];
  const script = `
    const { execFileSync } = await import('node:child_process');
    const { confinement } = await import(${JSON.stringify(new URL('../../dist/indexing/pool/confinement.js', import.meta.url).href)});
    const found = [];
    for (const folders of ${JSON.stringify(cases)})
      found.push(await confinement({ ...${JSON.stringify({ ...held, entry: undefined })}, entry: new URL(${JSON.stringify(entry.href)}), folders }));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=777', 'tmpfs', ${JSON.stringify(later)}]);
    for (const confined of found) {
      const write = "try { require('node:fs').writeFileSync(process.argv[1] + '/x', ''); console.log('written') } catch (error) { console.log(error.code) }";
      const [file, ...args] = [...confined.next().words, process.execPath, '-e', write, ${JSON.stringify(later)}];
      console.log(confined.kind, execFileSync(file, args, { encoding: 'utf8' }).trim());
    }`;
  const apart = ['--user', '--map-root-user', '--mount'];
  skip(spawnSync('unshare', [...apart, 'true']).status !== 0, 'this system lets nobody mount');
  const { stdout, stderr } = spawnSync('unshare', [...apart, process.execPath, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  expect(lines, stderr).toHaveLength(2);
  const hiding = lines.filter((line) => /^(namespaces|readonly) /.test(line));
  skip(hiding.length === 0, `confinement there is ${lines.join(' and ')}`);
  expect(hiding.map((line) => line.split(' ')[1])).toEqual(hiding.map(() => 'EROFS'));
});

test.runIf(isLinux)('spaces and signs of any kind in the path of the package cost no confinement', async () => {
  const { kind } = await confinement({ ...held, folders: [] });
  for (const name of ['a\u00a0b', 'a\u2003b', 'a b#c\\040\t\n"$(x)`\'']) {
    const root = join(folder, name);
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{}');
    writeFileSync(join(root, 'dist', 'worker.js'), '');
    const entry = pathToFileURL(join(root, 'dist', 'worker.js'));
    expect((await confinement({ ...held, folders: [], entry })).kind, JSON.stringify(name)).toBe(kind);
  }
});

test.runIf(isLinux)('of what the environment names only libraries are seen, and that is told', async ({ skip }) => {
  const [fonts, link] = [join(folder, 'fonts'), join(folder, 'link to fonts')];
  symlinkSync(fonts, link);
  vi.stubEnv('LD_LIBRARY_PATH', [library, folder, tmpdir(), homedir(), process.cwd(), '/', '/proc', ''].join(':'));
  vi.stubEnv('FONTCONFIG_PATH', link);
  const confined = await confinement(held);
  vi.unstubAllEnvs();
  skip(confined.kind !== 'namespaces', `confinement here is ${confined.kind}`);
  const looked = [library, folder, homedir(), process.cwd(), link];
  const list = (path: string): string[] => readdirSync(path).sort();
  const script = `
    const { readdirSync } = require('node:fs');
    const list = (path) => { try { return readdirSync(path).sort(); } catch { return []; } };
    console.log(JSON.stringify(${JSON.stringify(looked)}.map(list)));`;
  const [inLibrary, inFolder, inHome, inWorkingFolder, inFonts] = JSON.parse(
    await says(confined, script),
  ) as string[][];
  expect(inLibrary).toEqual([]);
  expect(inFolder).not.toContain('library');
  for (const [seen, path] of [
    [inHome, homedir()],
    [inWorkingFolder, process.cwd()],
  ] as const)
    if (list(path).length > 2) expect(seen.length, path).toBeLessThan(list(path).length);
  expect(inFonts).toEqual(['a.ttf']);
  expect(confined.seenBesides).toEqual([realpathSync(fonts)]);
  expect(heldBy(confined, held).holds.join()).toContain(realpathSync(fonts));
});

test('the engine tells what holds, in the words of its kind', async () => {
  const { kind, isOwnUser } = await confinement({ ...held, memoryMiB: 512 });
  await using engine = await Engine.open(join(folder, 'told'), {
    workers: 1,
    limits: { workerMemoryMiB: 512, workerOpenFiles: 64 },
  });
  const { reading } = await engine.stats();
  expect(reading).toMatchObject({ confinement: kind, holds: expect.arrayContaining(['512 MiB of memory']) });
  const told = reading!.holds.join(', ');
  expect(told.includes('no network')).toBe(HELD[kind]?.['connect'] === 'ENETUNREACH');
  expect(told.includes('read-only')).toBe(HELD[kind]?.['write'] === 'EROFS');
  expect(told.includes('64 open files')).toBe(HELD[kind]?.['open'] === 'EMFILE');
  expect(told.includes('a user of its own')).toBe(isOwnUser);
});

test.runIf(isLinux)('the process that read a file of a library does not see the library', async ({ skip }) => {
  const path = join(folder, 'read from');
  await using engine = await Engine.open(path, { workers: 1 });
  const company = await engine.company('acme');
  expect((await company.put('a.txt', Buffer.from('flange '.repeat(60_000)))).state).toBe('indexed');
  const { reading } = await engine.stats();
  const worker = childrenOf(process.pid).find((pid) => commandOf(pid).includes('worker.js'));
  expect(worker).toBeDefined();
  skip(reading!.confinement !== 'namespaces', `confinement here is ${reading!.confinement}`);
  expect(readdirSync(`/proc/${worker}/root`).sort()).not.toContain('run');
  expect(() => readdirSync(`/proc/${worker}/root${path}`)).toThrow('ENOENT');
  expect(readdirSync(`/proc/${worker}/root${dirname(fileURLToPath(entry))}`)).toContain('worker.js');
});

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]) === parent;
      } catch {
        return false; // It has ended.
      }
    });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}

test('where a folder cannot be read in namespaces, they are not used', async ({ skip }) => {
  const missing = join(folder, 'missing');
  const { kind } = await confinement({ ...held, folders: [missing] });
  expect(['limits', 'bounds', 'none']).toContain(kind);
  skip(kind === 'none', 'nothing confines here');
  mkdirSync(missing);
  expect((await confinement({ ...held, folders: [missing] })).kind).not.toBe('none');
});

test.runIf(isLinux)('a library among what is seen is covered', async ({ skip }) => {
  const within = join(seen, 'library');
  mkdirSync(within);
  writeFileSync(join(within, 'catalog.sqlite'), 'x');
  const confined = await confinement({ ...held, hidden: [within] });
  const { kind } = confined;
  skip(kind !== 'namespaces' && kind !== 'readonly', `confinement here is ${kind}`);
  const list = `console.log(JSON.stringify(require('node:fs').readdirSync(${JSON.stringify(within)})))`;
  expect(JSON.parse(await says(confined, list))).toEqual([]);
});

describe('what a process has taken', () => {
  // It holds 200 MiB and computes without end.
  const BUSY = 'const held = Buffer.alloc(200 * 2 ** 20, 1); for (;;) held[0]++;';
  const busyEnough = (usage: ProcessUsage | undefined): boolean =>
    usage !== undefined && usage.residentBytes > 200 * 2 ** 20 && usage.processorMs > 200;

  test.runIf(isLinux)('is told by Linux', async () => {
    const child = spawn(process.execPath, ['-e', BUSY]);
    await expect.poll(() => busyEnough(usageOf(child.pid!)), { interval: 50 }).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(usageOf(child.pid!)).toBeUndefined();
  });

  /** A process with the thread that reports; `parent` as it is told. */
  const reporting = (parent: string, work: string) =>
    spawn(process.execPath, [
      '-e',
      `const { Worker } = require('node:worker_threads');
       const entry = new URL(${JSON.stringify(new URL('../../dist/indexing/worker/usage-reporter.js', import.meta.url).href)});
       new Worker(entry, { workerData: { reportsTo: 1, parent: ${parent} } }).once('online', () => { ${work} });`,
    ]);

  test('is reported by itself, however busy it is', async () => {
    const child = reporting('process.ppid', BUSY);
    const usage = reportedUsage(child.stdout);
    await expect.poll(() => busyEnough(usage()), { interval: 50 }).toBe(true);
    child.kill('SIGKILL');
  });

  test('it ends when its host has ended', async () => {
    const child = reporting('process.ppid + 1', BUSY);
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
  });
});
