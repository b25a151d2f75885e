import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { confinement, type Confinement } from '../../dist/indexing/pool/confinement.js';
import { reportedUsage, usageOf, type ProcessUsage } from '../../dist/indexing/pool/process-usage.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
const isLinux = process.platform === 'linux';

/** What a program can do under the prefix. */
async function tried(prefix: readonly string[], port: number): Promise<Record<string, string>> {
  const script = `
    const { readFileSync, writeFileSync, openSync } = require('node:fs');
    const can = {};
    const note = (what, act) => { try { can[what] = String(act() ?? 'yes'); } catch (error) { can[what] = error.code ?? error.name; } };
    note('read', () => readFileSync(${JSON.stringify(join(folder, 'file'))}, 'utf8'));
    note('write', () => writeFileSync(${JSON.stringify(join(folder, 'written'))}, 'x'));
    note('hold', () => { Buffer.alloc(1_500 * 2 ** 20); });
    note('capabilities', () => process.platform === 'linux' ? /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] : '');
    const socket = require('node:net').connect(${port}, '127.0.0.1');
    const end = (how) => { can.connect = how; note('open', () => { for (let i = 0; i < 200; i++) openSync(process.execPath); }); console.log(JSON.stringify(can)); process.exit(); };
    socket.on('connect', () => end('yes')).on('error', (error) => end(error.code));`;
  const [file, ...args] = [...prefix, process.execPath, '-e', script];
  return JSON.parse((await promisify(execFile)(file, args)).stdout) as Record<string, string>;
}

/** What each kind allows at least, of what {@link tried} tries. */
const BOUNDS = { open: 'EMFILE', hold: expect.stringMatching(/^(RangeError|ERR_)/) };
const HELD: Partial<Record<Confinement, Record<string, unknown>>> = {
  namespaces: { ...BOUNDS, write: 'EROFS', connect: 'ENETUNREACH', capabilities: '0000000000000000' },
  offline: { ...BOUNDS, write: 'yes', connect: 'ENETUNREACH', capabilities: '0000000000000000' },
  limits: { ...BOUNDS, write: 'yes', connect: 'yes' },
  bounds: { open: 'EMFILE', write: 'yes', connect: 'yes' },
  none: { open: 'yes', hold: 'yes', write: 'yes', connect: 'yes' },
};

test('a reading process can read its folders, and does no more than this system lets it be held to', async () => {
  writeFileSync(join(folder, 'file'), 'read');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { kind, prefix } = await confinement({ memoryMiB: 256, openFiles: 64, folders: [folder] });
  expect(await tried(prefix, port)).toMatchObject({ read: 'read', ...HELD[kind] });
  server.close();
  if (isLinux) expect(kind, 'Linux always bounds memory').not.toBe('none');
  console.log(`confinement here: ${kind}`);
});

test('the engine tells what holds, in the words of its kind', async () => {
  const { kind } = await confinement({ memoryMiB: 512, openFiles: 64, folders: [folder] });
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
});

test('where a folder cannot be read in namespaces, they are not used', async () => {
  const missing = join(folder, 'missing');
  const { kind } = await confinement({ memoryMiB: 256, openFiles: 64, folders: [missing] });
  expect(['limits', 'bounds', 'none']).toContain(kind);
  if (kind === 'none') return;
  mkdirSync(missing);
  expect((await confinement({ memoryMiB: 256, openFiles: 64, folders: [missing] })).kind).not.toBe('none');
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
