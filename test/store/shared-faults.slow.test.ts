import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { openNamespace } from '../fixtures/net-namespace.js';
import { network } from '../fixtures/network.js';
import { hasPostgres, HOW, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

// The database stops, the network is cut, a standby takes over: processes go on by themselves, and nothing is lost.

/** How many faults of each kind; the campaign of the README: 20. */
const FAULTS = Number(process.env['SHAPEDEX_FAULTS'] ?? 2);

/**
 * Lease of the processes. One that does not come to run for so long is taken for dead, and what it was reading is read
 * twice: on a machine with thirty ready processes a lease of 3 s was too short.
 */
const LEASE_MS = 10_000;

/** `SHAPEDEX_NAMESPACES=1`: the network is cut by taking away the link of a namespace, not by a proxy. Needs root. */
const namespace = process.env['SHAPEDEX_NAMESPACES'] === '1' ? openNamespace() : undefined;

/** How long the link is away, ms, in turns: the last for longer than a lease. */
const AWAY_MS = [500, 4_000, 1.2 * LEASE_MS];

/** What each way to a slow database takes, ms. */
const SLOW_MS = 50;

const folder = temporaryFolder();
let server: TestServer;
let places = 0;

const settled = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const paths = async (company: Company, uid: string): Promise<string[]> =>
  (await company.search({ like: { uid } })).hits.map(({ path }) => path);

/** A process that puts and indexes; see shared-process.mjs. */
function startProcess(
  url: string,
  { blobs, tag, leaseMs = LEASE_MS }: { blobs: string; tag: number; leaseMs?: number },
): { uids: string[]; signal(name: 'SIGSTOP' | 'SIGCONT'): void; end(): Promise<void> } {
  const script = fileURLToPath(new URL('shared-process.mjs', import.meta.url));
  const args = [script, url, blobs, join(folder, `replica-${places++}`), `${tag}`, `${leaseMs}`];
  const [program, ...words] = [...(namespace?.command ?? []), process.execPath, ...args];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const uids: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { uid } = JSON.parse(line) as { uid?: string };
    if (uid !== undefined) uids.push(uid);
  });
  return {
    uids,
    signal: (name) => void child.kill(name),
    end: async () => {
      expect([child.exitCode, child.signalCode]).toEqual([null, null]); // It lived through all of it.
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Everything that was acknowledged is there and indexed, and the library is whole. Returns what it counts. */
async function expectWhole(
  url: string,
  blobs: string,
  uids: readonly string[],
): Promise<{ files: number; described: number }> {
  const engine = await Engine.open(url, {
    ...{ blobs, replica: join(folder, `replica-${places++}`) },
    ...{ workers: 1, pictures: 'none', leaseMs: 3_000 },
  });
  await engine.idle({ signal: AbortSignal.timeout(120_000) });
  const { states, files, described } = await engine.stats();
  expect(states).toEqual({ indexed: files, queued: 0, failed: 0 });
  const acme = await engine.company('acme');
  for (const uid of uids) expect((await acme.get(uid)).state).toBe('indexed');
  const paths = (await acme.list()).map(({ path }) => path);
  expect(new Set(paths).size).toBe(files);
  expect((await engine.verify({ repair: false })).problems).toEqual([]);
  await engine.close();
  return { files, described };
}

describe.skipIf(!hasPostgres)(hasPostgres ? 'faults of a library in PostgreSQL' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres({ address: namespace?.address });
  });
  afterAll(async () => {
    await server.stop();
    namespace?.close();
  });

  test.each(['stop of the database', 'cut of the network'])(
    'each %s loses nothing, and all go on',
    { timeout: 180_000 + 30_000 * FAULTS },
    async (fault) => {
      if (fault.startsWith('stop') && server.crash === undefined) return;
      const database = await server.database();
      const blobs = join(folder, `blobs-${places++}`);
      const between = await network(database);
      const url = namespace === undefined ? between.url : database.replace('127.0.0.1', namespace.address);
      const processes = [1, 2].map((tag) => startProcess(url, { blobs, tag }));
      for (let at = 0; at < FAULTS; at++) {
        const before = processes.map(({ uids }) => uids.length);
        // Both put again before the next fault: neither needs to be started anew.
        await expect
          .poll(() => processes.every(({ uids }, i) => uids.length > before[i] + 1), { timeout: 60_000 })
          .toBe(true);
        await settled((at * 619) % 700);
        if (fault.startsWith('cut') && namespace !== undefined) await namespace.cut(AWAY_MS[at % AWAY_MS.length]);
        else if (fault.startsWith('cut')) await between.cut(at % 2 === 0 ? 'ended' : 'silent');
        else {
          await server.crash!();
          await server.start();
        }
      }
      for (const one of processes) await one.end();
      await between.close();
      const uids = processes.flatMap((one) => one.uids);
      const { files, described } = await expectWhole(database, blobs, uids);
      console.log(`${FAULTS} x ${fault}: ${uids.length} acknowledged, ${files} files, ${described} descriptions`);
      expect(described).toBe(files);
    },
  );

  test.each(['both are cut off', 'one is cut off', 'one is stopped'] as const)(
    'for longer than a lease %s: nothing is lost, and all go on',
    { timeout: 180_000 },
    async (fault) => {
      const [database, blobs] = [await server.database(), join(folder, `blobs-${places++}`)];
      const between = await Promise.all([network(database), network(database)]);
      const leaseMs = 4_000;
      const processes = between.map(({ url }, tag) => startProcess(url, { blobs, tag, leaseMs }));
      const goOn = async (which: readonly { uids: string[] }[]): Promise<void> => {
        const before = which.map(({ uids }) => uids.length);
        const more = (): boolean => which.every(({ uids }, i) => uids.length > before[i] + 2);
        await expect.poll(more, { timeout: 60_000 }).toBe(true);
      };
      await goOn(processes);
      const cut = fault === 'both are cut off' ? between : between.slice(0, 1);
      if (fault === 'one is stopped') processes[0].signal('SIGSTOP');
      else for (const one of cut) one.pause();
      if (fault !== 'both are cut off') await goOn(processes.slice(1)); // The other goes on meanwhile.
      await settled(2.5 * leaseMs);
      if (fault === 'one is stopped') processes[0].signal('SIGCONT');
      else for (const one of cut) one.resume();
      await goOn(processes);
      for (const one of processes) await one.end();
      for (const one of between) await one.close();
      const uids = processes.flatMap((one) => one.uids);
      const { files, described } = await expectWhole(database, blobs, uids);
      console.log(`${fault}: ${uids.length} acknowledged, ${files} files, ${described} descriptions`);
      // What the one was reading is another's; its own answer is dropped, and counted.
      expect(described - files).toBeLessThanOrEqual(fault === 'both are cut off' ? 0 : 1);
    },
  );

  test('a database that is slow makes writes slow, and nobody is taken for dead', { timeout: 180_000 }, async () => {
    const [database, blobs] = [await server.database(), join(folder, `blobs-${places++}`)];
    const between = await network(database, { delayMs: SLOW_MS });
    // Of what is asked on a connection, an answer takes two ways: a lease is renewed by several.
    const processes = [1, 2].map((tag) => startProcess(between.url, { blobs, tag, leaseMs: 4_000 }));
    await expect.poll(() => processes.every(({ uids }) => uids.length >= 4), { timeout: 120_000 }).toBe(true);
    for (const one of processes) await one.end();
    await between.close();
    const { files, described } = await expectWhole(
      database,
      blobs,
      processes.flatMap(({ uids }) => uids),
    );
    console.log(`an answer takes ${2 * SLOW_MS} ms: ${files} files, ${described} descriptions`);
    expect(described).toBe(files);
  });

  test.skipIf(process.env['SHAPEDEX_POSTGRES'] !== undefined)(
    'a standby answers reads, refuses writes with a code, and takes them once it is promoted',
    async () => {
      const database = await server.database();
      const blobs = join(folder, `blobs-${places++}`);
      const options = { blobs, workers: 0, pictures: 'none' } as const;
      const replica = (): string => join(folder, `replica-${places++}`);
      const first = await Engine.open(database, { ...options, workers: 1, replica: replica() });
      const here = await first.company('acme');
      const box = await here.put('box.stl', boxStl(1, 2, 3), { attributes: ['Material=Steel'] });
      const standby = await server.standby!();
      const second = await Engine.open(standby.urlOf(database), { ...options, replica: replica(), outageMs: 500 });
      const there = await second.company('acme');
      expect(await paths(there, box.uid)).toEqual(['box.stl']);
      expect((await there.search({ text: 'steel' })).total).toBe(1);
      await here.put('later.stl', boxStl(1, 2, 3.1));
      await expect.poll(() => paths(there, box.uid), { timeout: 20_000 }).toEqual(['box.stl', 'later.stl']);
      const refused = { code: 'STORAGE_FAILED', details: { standby: true } };
      await expect(there.setAttributes(box.uid, ['Material=Brass'])).rejects.toMatchObject(refused);
      await expect(there.put('refused.stl', boxStl(1, 2, 4), { wait: false })).rejects.toMatchObject(refused);
      await expect(there.delete(box.uid)).rejects.toMatchObject(refused);
      await expect(second.company('globex')).rejects.toMatchObject(refused);
      expect((await second.verify({ repair: false })).problems).toEqual([]);

      await first.close();
      await server.crash!();
      standby.promote();
      await expect
        .poll(() => there.setAttributes(box.uid, ['Material=Brass']).catch(({ code }) => code), { timeout: 20_000 })
        .toMatchObject({ attributes: ['Material=Brass'] });
      await there.put('after.stl', boxStl(1, 2, 3.2), { wait: false });
      await second.close();
      const third = await Engine.open(standby.urlOf(database), { ...options, workers: 1, replica: replica() });
      await third.idle();
      expect(await paths(await third.company('acme'), box.uid)).toEqual(['box.stl', 'later.stl', 'after.stl']);
      await third.close();
      await standby.stop();
      await server.start();
    },
  );
});
