import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { confinement, type Confinement } from '../../dist/indexing/pool/confinement.js';
import { reportedUsage, usageOf, type ProcessUsage } from '../../dist/indexing/pool/process-usage.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
const isLinux = process.platform === 'linux';
const entry = new URL('../../dist/indexing/worker/worker.js', import.meta.url);
const library = join(folder, 'library');
const seen = join(folder, 'seen');
mkdirSync(join(library, 'service'), { recursive: true });
mkdirSync(seen);
const held = { entry, memoryMiB: 256, openFiles: 64, folders: [seen], hidden: [library] };

/** What a program can do under the prefix: 'yes', what it read, or the code of the error. */
async function tried(prefix: readonly string[], port: number): Promise<Record<string, string>> {
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
  const [file, ...args] = [...prefix, process.execPath, '-e', script];
  return JSON.parse((await promisify(execFile)(file, args)).stdout) as Record<string, string>;
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

test('a reading process sees its own folders, not the library nor its service, and does no more than it is held to', async () => {
  writeFileSync(join(seen, 'file'), 'read');
  writeFileSync(join(library, 'service', 'door.json'), 'the key', { mode: 0o600 });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const door = createServer().listen(isLinux ? join(library, 'service', 'socket') : 0);
  await once(door, 'listening');
  const { kind, prefix, isOwnUser } = await confinement(held);
  const can = await tried(prefix, port);
  expect(can).toMatchObject({ read: 'read', ...HELD[kind] });
  if (isOwnUser) expect(can).toMatchObject({ key: GONE, environment: 'EACCES', door: GONE, signal: 'EPERM' });
  server.close();
  door.close();
  if (isLinux) expect(kind, 'Linux always bounds memory').not.toBe('none');
  if (kind !== 'namespaces') console.log(`confinement here is ${kind}: what it hides was not tried`);
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

test.runIf(isLinux)('the process that read a file of a library does not see the library', async () => {
  const path = join(folder, 'read from');
  await using engine = await Engine.open(path, { workers: 1 });
  const company = await engine.company('acme');
  expect((await company.put('a.txt', Buffer.from('flange '.repeat(60_000)))).state).toBe('indexed');
  const { reading } = await engine.stats();
  const worker = childrenOf(process.pid).find((pid) => commandOf(pid).includes('worker.js'));
  expect(worker).toBeDefined();
  if (reading!.confinement !== 'namespaces')
    return console.log(`skipped: confinement here is ${reading!.confinement}, which does not hide the library`);
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

test('where a folder cannot be read in namespaces, they are not used', async () => {
  const missing = join(folder, 'missing');
  const { kind } = await confinement({ ...held, folders: [missing] });
  expect(['limits', 'bounds', 'none']).toContain(kind);
  if (kind === 'none') return;
  mkdirSync(missing);
  expect((await confinement({ ...held, folders: [missing] })).kind).not.toBe('none');
});

test.runIf(isLinux)('a library among what is seen is covered', async () => {
  const within = join(seen, 'library');
  mkdirSync(within);
  writeFileSync(join(within, 'catalog.sqlite'), 'x');
  const { kind, prefix } = await confinement({ ...held, hidden: [within] });
  if (kind !== 'namespaces' && kind !== 'readonly') return console.log(`skipped: confinement here is ${kind}`);
  const list = `console.log(JSON.stringify(require('node:fs').readdirSync(${JSON.stringify(within)})))`;
  const [file, ...args] = [...prefix, process.execPath, '-e', list];
  expect(JSON.parse((await promisify(execFile)(file, args)).stdout)).toEqual([]);
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
