import dns from 'node:dns';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { network } from '../fixtures/network.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

// The database that a URL leads to becomes another one, while processes have it open.

const folder = temporaryFolder();
const place = (): string => join(folder, `place-${places++}`);
let server: TestServer;
let places = 0;

const paths = async (company: Company, uid: string): Promise<string[]> =>
  (await company.search({ like: { uid } })).hits.map(({ path }) => path);

const numberOf = async (url: string): Promise<string> =>
  (await inDatabase<{ number: string }>(url, 'SELECT number FROM shapedex.library'))[0].number;

/** A name of hosts, and where it leads. Only this process knows it. */
function nameOf(address: string) {
  const name = 'database.parts.example';
  const { lookup } = dns;
  let to = address;
  type Told = (error: null, found: string | dns.LookupAddress[], family?: number) => void;
  const ours = (asked: string, options: dns.LookupOptions, told: Told): void => {
    if (asked !== name) return lookup(asked, options, told as never);
    process.nextTick(() => (options.all === true ? told(null, [{ address: to, family: 4 }]) : told(null, to, 4)));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(ours as never);
  return { name, moveTo: (other: string) => (to = other) };
}

describe.skipIf(!hasPostgres)(hasPostgres ? 'a library in PostgreSQL whose database becomes another' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => server.stop());

  test.skipIf(process.env['SHAPEDEX_POSTGRES'] !== undefined || process.platform !== 'linux').each(['name', 'proxy'])(
    'goes on at a standby that was promoted, when the %s of its URL leads there',
    { timeout: 120_000 },
    async (by) => {
      const database = await server.database();
      const name = nameOf('127.0.0.1');
      const between = await network(database);
      const url = by === 'name' ? database.replace('127.0.0.1', name.name) : between.url;
      const options = { blobs: place(), pictures: 'none', outageMs: 60_000 } as const;
      const one = await Engine.open(url, { ...options, replica: place(), workers: 1 });
      const two = await Engine.open(url, { ...options, replica: place(), workers: 0 });
      const [here, there] = [await one.company('acme'), await two.company('acme')];
      const box = await here.put('box.stl', boxStl(1, 2, 3));
      const standby = await server.standby!({ address: '127.0.0.2' });
      await here.put('before.stl', boxStl(1, 2, 3.1));
      await expect.poll(() => numberOf(standby.urlOf(database)), { timeout: 20_000 }).toBe(await numberOf(database));

      await server.crash!();
      const puts = [here, there].map((company, i) => company.put(`while ${i}.stl`, boxStl(1, 2, 3.2 + i / 10)));
      await expect(paths(there, box.uid)).resolves.toEqual(['box.stl', 'before.stl']); // From the replica.
      standby.promote();
      name.moveTo('127.0.0.2');
      between.moveTo(standby.urlOf(database));
      // Both go on as they are: what waited is put and indexed, and each hears of the other.
      expect((await Promise.all(puts)).map(({ state }) => state)).toEqual(['indexed', 'indexed']);
      await here.put('after.stl', boxStl(1, 2, 3.4));
      const all = ['box.stl', 'before.stl', 'while 0.stl', 'while 1.stl', 'after.stl'];
      for (const company of [here, there])
        await expect.poll(() => paths(company, box.uid), { timeout: 20_000 }).toEqual(all);
      expect(await one.stats()).toMatchObject({ files: 5, described: 5, states: { indexed: 5 } });
      expect((await two.verify({ repair: false })).problems).toEqual([]);
      await Promise.all([one.close(), two.close()]);
      await between.close();
      await standby.stop();
      await server.start();
    },
  );

  test.each(['at once', 'after others wrote'])(
    'refuses everything where the other one lacks changes that it holds, seen %s; opened again, it goes on',
    { timeout: 120_000 },
    async (when) => {
      const database = await server.database();
      const [blobs, replica, leaseMs] = [place(), place(), 3_000];
      const options = { blobs, pictures: 'none', workers: 1, leaseMs } as const;
      const first = await Engine.open(database, { ...options, replica });
      const box = await (await first.company('acme')).put('box.stl', boxStl(1, 2, 3));
      await first.close();
      const copy = new URL(await server.database(database)).pathname.slice(1);

      const between = await network(database);
      const one = await Engine.open(between.url, { ...options, replica });
      const acme = await one.company('acme');
      await acme.put('lost.stl', boxStl(1, 2, 3.1));
      between.pause();
      // The copy of before takes its place, as a standby that lagged would.
      const taken = new URL(database).pathname.slice(1);
      for (const sql of [
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${taken}'`,
        `ALTER DATABASE ${taken} RENAME TO ${taken}_lost`,
        `ALTER DATABASE ${copy} RENAME TO ${taken}`,
      ])
        await inDatabase(database.replace(/[^/]*$/, 'postgres'), sql);
      if (when === 'after others wrote') {
        const two = await Engine.open(database, { ...options, replica: place() });
        for (let i = 0; i < 6; i++) await (await two.company('acme')).put(`other ${i}.stl`, boxStl(1, 2, 4 + i));
        await two.close();
      }
      between.resume();
      const refused = { code: 'STORAGE_FAILED', details: { diverged: true } };
      await expect.poll(() => acme.get(box.uid).catch((cause) => cause), { timeout: 20_000 }).toMatchObject(refused);
      await expect(acme.put('refused.stl', boxStl(1, 2, 5), { wait: false })).rejects.toMatchObject(refused);
      await expect(one.companies()).rejects.toMatchObject(refused);
      await one.close();

      const again = await Engine.open(database, { ...options, replica });
      const company = await again.company('acme');
      const others = when === 'at once' ? [] : [0, 1, 2, 3, 4, 5].map((i) => `other ${i}.stl`);
      expect((await company.list()).map(({ path }) => path).sort()).toEqual(['box.stl', ...others]);
      expect((await company.put('later.stl', boxStl(1, 2, 3.1))).state).toBe('indexed');
      expect((await again.verify({ repair: false })).problems).toEqual([]);
      await again.close();
      await between.close();
    },
  );
});
