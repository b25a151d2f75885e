import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine, type Company, type EngineOptions } from '../../dist/index.js';
import { AskedShapes } from '../../dist/search/shapes/asked-shapes.js';
import { boxStl } from '../fixtures/box.mjs';
import { drawnPicture } from '../fixtures/drawn-picture.js';
import { dxfOf, threeViews } from '../fixtures/drawing-of-body.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { box, lBracket } from '../fixtures/shapes.js';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

const folder = temporaryFolder();
let server: TestServer;
let places = 0;

/** A new library in PostgreSQL; each call of `open` opens it with a replica of its own. */
interface Shared {
  readonly url: string;
  readonly blobs: string;
  open(options?: Partial<EngineOptions>): Promise<Engine>;
}

async function newLibrary(): Promise<Shared> {
  const url = await server.database();
  const blobs = join(folder, `blobs-${places++}`);
  const open = (options: Partial<EngineOptions> = {}): Promise<Engine> =>
    Engine.open(url, { blobs, replica: join(folder, `replica-${places++}`), workers: 1, pictures: 'none', ...options });
  return { url, blobs, open };
}

/** Waits until `found` answers true, at most `ms`. Returns the time it took. */
async function within(ms: number, found: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await found())) {
    if (performance.now() - start > ms) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - start;
}

const paths = async (company: Company, query: Parameters<Company['search']>[0]): Promise<string[]> =>
  (await company.search(query)).hits.map(({ path }) => path);

/** An assembly of two pairs of blocks and a cylinder. */
const WHOLE: StepFile = {
  parts: [
    { name: 'block', shape: { kind: 'box', x: 1, y: 2, z: 3.2 } },
    { name: 'pin', shape: { kind: 'cylinder', radius: 2, height: 9 } },
  ],
  assembly: {
    name: 'whole',
    placements: [
      { part: 0, at: [0, 0, 0] },
      { part: 0, at: [20, 0, 0] },
      { part: 1, at: [0, 30, 0] },
    ],
  },
};

/** How often processes are killed, and the database stopped; the campaign of the README: 100. */
const KILLS = Number(process.env['SHAPEDEX_KILLS'] ?? 4);

/** A process of its own. */
function startProcess({ url, blobs }: Shared, tag: number): Child {
  const script = fileURLToPath(new URL('shared-process.mjs', import.meta.url));
  const replica = join(folder, `replica-${places++}`);
  const child = spawn(process.execPath, [script, url, blobs, replica, `${tag}`, `${LEASE_MS}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Line));
  return {
    lines,
    kill: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

interface Line {
  readonly open?: true;
  readonly uid?: string;
  readonly path?: string;
  readonly failed?: string;
}

interface Child {
  readonly lines: readonly Line[];
  kill(): Promise<void>;
}

/** Lease of the processes that are killed. One that does not come to run for so long is taken for dead. */
const LEASE_MS = 5_000;

const acknowledged = ({ lines }: Child): string[] => lines.flatMap(({ uid }) => uid ?? []);

/** Everything that was acknowledged is there and indexed, once; what was not is there whole or not at all. */
async function expectWhole(library: Shared, uids: readonly string[]): Promise<void> {
  const held = await inDatabase<{ owner: string }>(library.url, 'SELECT running AS owner FROM shapedex.job');
  const dead = [0, ...held.map(({ owner }) => Number(owner))].filter((owner) => owner > 1);
  const engine = await library.open({ leaseMs: LEASE_MS });
  // Nothing is stuck: what processes held that ended is free after two leases, and time of a busy machine.
  const taken = `SELECT count(*) FROM shapedex.job WHERE running IN (${['-1', ...dead].join()})`;
  const freeMs = await within(
    2 * LEASE_MS + 5_000,
    async () => (await inDatabase<{ count: string }>(library.url, taken))[0].count === '0',
  );
  const acme = await engine.company('acme');
  const signal = AbortSignal.timeout(120_000);
  await engine.idle({ signal });
  // One that was being read alone when its process was killed for the second time is given up: that may have been why.
  const failed = (await acme.list()).filter(({ state }) => state === 'failed');
  for (const { error } of failed) expect(error?.message).toContain('ended 2 times');
  expect(await acme.retry()).toBe(failed.length);
  await engine.idle({ signal });
  const { states, files, described } = await engine.stats();
  expect(states).toEqual({ indexed: files, queued: 0, failed: 0 });
  for (const uid of uids) expect((await acme.get(uid)).state).toBe('indexed');
  expect(files).toBeGreaterThanOrEqual(uids.length);
  expect((await engine.verify({ repair: false })).problems).toEqual([]);
  console.log(
    `${uids.length} acknowledged, ${files} files, ${described} descriptions, ` +
      `${dead.length} held by the dead, free after ${Math.round(freeMs)} ms, ${failed.length} given up, and read again`,
  );
  expect(described).toBe(files); // None twice.
  await engine.close();
}

describe.skipIf(!hasPostgres)(hasPostgres ? 'a library in PostgreSQL' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('takes, finds and deletes files, and has them when it is opened again', async () => {
    const library = await newLibrary();
    const engine = await library.open();
    const acme = await engine.company('acme');
    const box = await acme.put('a/box.stl', boxStl(1, 2, 3), { attributes: ['Material=Steel', 'Length(mm)=3'] });
    const other = await acme.put('a/other.stl', boxStl(1, 2, 3.2), { attributes: ['Material=Brass'] });
    expect(box.state).toBe('indexed');
    expect(await paths(acme, { like: { uid: box.uid } })).toEqual(['a/box.stl', 'a/other.stl']);
    expect(await paths(acme, { text: 'steel' })).toEqual(['a/box.stl']);
    expect(Buffer.from(await acme.bytes(box.uid)).equals(boxStl(1, 2, 3))).toBe(true);
    await acme.delete(other.uid);
    expect(await paths(acme, { like: { uid: box.uid } })).toEqual(['a/box.stl']);
    await engine.close();

    // What a process that died was writing, and what another may be.
    const drafts = ['draft-old', 'draft-new'].map((name) => join(library.blobs, name));
    for (const draft of drafts) writeFileSync(draft, 'bytes');
    utimesSync(drafts[0], 0, Date.now() / 1_000 - 2 * 86_400);
    // With an empty replica, and with the one of before.
    const again = await library.open();
    expect(await paths(await again.company('acme'), { text: 'steel' })).toEqual(['a/box.stl']);
    expect(await (await again.company('acme')).get(box.uid)).toEqual(box);
    expect(drafts.map((draft) => existsSync(draft))).toEqual([false, true]);
    await again.close();
  });

  test('a process with too little memory for a company finds what others put, change and delete', async () => {
    const library = await newLibrary();
    const engine = await library.open({ workers: 2, exactLimit: 20 });
    const small = await library.open({ workers: 0, exactLimit: 20, searchMemoryMiB: 1 });
    const [here, there] = [await engine.company('acme'), await small.company('acme')];
    const uids: string[] = [];
    const put = async (i: number, edge: number): Promise<void> => {
      uids[i] = (await here.put(`part ${i}.stl`, boxStl(1 + (i % 4), 2, edge))).uid;
    };
    for (let i = 0; i < 12; i++) await put(i, 3 + i / 7);
    const drawing = await here.put('page.dxf', dxfOf(box(20, 12, 5)));
    const found = async (company: Company): Promise<unknown[]> => {
      const queries = [
        { like: { uid: uids[5] } },
        { like: { uid: uids[5] }, volume: '.3' },
        { like: { uid: drawing.uid }, limit: 12 },
      ];
      const results = await Promise.all(queries.map((query) => company.search(query)));
      return results.map(({ hits, total }) => [total, hits.map(({ path, score }) => [path, score])]);
    };
    const same = async (): Promise<boolean> =>
      (await there.find('last.txt')) !== undefined &&
      JSON.stringify(await found(there)) === JSON.stringify(await found(here));
    const byTable = vi.spyOn(AskedShapes.prototype, 'nearest');
    await here.put('last.txt', Buffer.from('last'));
    await within(20_000, same);
    // The search that was opened for an empty company has outgrown its memory, and is opened anew.
    await within(20_000, same);
    expect(byTable).toHaveBeenCalled();
    const before = await found(here);
    await put(3, 3.1);
    await put(12, 4);
    await here.delete(uids[7]);
    await within(20_000, same);
    expect(await found(here)).not.toEqual(before);
    expect((await there.search({ like: { uid: uids[12] } })).hits[0].path).toBe('part 12.stl');
    await Promise.all([engine.close(), small.close()]);
  });

  test('gives the hits of a library in a folder, and of a replica that came later', async () => {
    const library = await newLibrary();
    const engine = await library.open({ workers: 2 });
    const local = await Engine.open(join(folder, `local-${places++}`), { workers: 2, pictures: 'none' });
    const [here, there] = [await engine.company('acme'), await local.company('acme')];
    const uids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
      uids.push(uid);
      const options = { uid, wait: false, attributes: [`Width(mm)=${i}`, i % 2 ? 'Kind=odd' : 'Kind=even'] } as const;
      for (const company of [here, there])
        await company.put(`part ${i}.stl`, boxStl(1 + (i % 5), 2, 3 + i / 7), options);
    }
    const paths = threeViews(lBracket(60, 12, 30)).map(([a, b, c, d]) => `M${a + 90} ${b + 90}L${c + 90} ${d + 90}`);
    const others = [
      ['bracket.dxf', dxfOf(lBracket(60, 12, 30))],
      ['plate.dxf', dxfOf(box(20, 12, 5))],
      ['bracket.png', await drawnPicture({ width: 400, height: 300, texts: [], lines: paths })],
      ['rod.step', stepFile({ parts: [{ name: 'rod', shape: { kind: 'cylinder', radius: 2, height: 9 } }] })],
      ['whole.step', stepFile(WHOLE)],
    ] as const;
    for (const [at, [path, bytes]] of others.entries()) {
      const uid = `00000000-0000-4000-9000-${String(at).padStart(12, '0')}`;
      uids.push(uid);
      for (const company of [here, there])
        await company.put(path, Buffer.from(bytes), { uid, wait: false, indexAssemblyComponents: true });
    }
    await Promise.all([engine.idle(), local.idle()]);
    expect((await engine.stats()).states).toMatchObject({ failed: 0 });
    const late = await library.open();
    const [bracket, , , rod, whole] = uids.slice(-5);
    const queries = [
      ...uids.map((uid) => ({ like: { uid } })),
      { like: { uid: uids[0] }, kinds: ['TwoD', 'Image'] },
      { like: { uid: bracket }, kinds: ['ThreeD'] },
      { contains: { uid: rod }, sizes: 'any' },
      { contains: { uid: whole } },
      { like: { uid: uids[3] }, components: true },
      { like: { uid: rod }, components: true, volume: '.9' },
      { text: 'odd' },
      { text: 'part' },
      { attributes: [{ name: 'Width', above: 4, unit: 'mm' }] },
    ] as const;
    for (const query of queries) {
      const hitsOf = async (company: Company) =>
        (await company.search(query as never)).hits.map((hit) => [
          ...[hit.uid, Math.round((hit.score ?? 0) * 1e6), hit.matchClass, hit.coverage, hit.component?.name],
        ]);
      const expected = await hitsOf(there);
      expect(expected.length, JSON.stringify(query)).toBeGreaterThan(0);
      expect(await hitsOf(here)).toEqual(expected);
      expect(await hitsOf(await late.company('acme'))).toEqual(expected);
    }
    await Promise.all([engine.close(), local.close(), late.close()]);
  });

  test('shows within two seconds what another process indexed, changed and deleted', async () => {
    const library = await newLibrary();
    const [one, two] = [await library.open(), await library.open({ workers: 0 })];
    const [here, there] = [await one.company('acme'), await two.company('acme')];
    const first = await here.put('first.stl', boxStl(1, 2, 3));
    await within(2_000, async () => (await paths(there, { like: { uid: first.uid } }).catch(() => [])).length === 1);
    // Both searches are open now: what comes must reach what they keep in memory.
    const second = await here.put('second.stl', boxStl(1, 2, 3.1), { attributes: ['Colour=red'] });
    await within(2_000, async () => (await paths(there, { like: { uid: first.uid } })).includes('second.stl'));
    await within(2_000, async () => (await paths(there, { text: 'red' })).length === 1);
    await there.setAttributes(second.uid, ['Colour=blue']);
    await within(2_000, async () => (await paths(here, { text: 'blue' })).length === 1);
    expect(await paths(there, { text: 'red' })).toEqual([]);
    // One that only answers takes puts too; the other indexes them.
    const third = await there.put('third.stl', boxStl(1, 2, 2.9));
    expect(third.state).toBe('indexed');
    await there.delete(first.uid);
    await within(2_000, async () => !(await paths(here, { like: { uid: second.uid } })).includes('first.stl'));
    await Promise.all([one.close(), two.close()]);
  });

  test('a notification that is missed costs nothing but a second', async () => {
    const { on } = pg.Client.prototype;
    const deaf = vi.spyOn(pg.Client.prototype, 'on').mockImplementation(function (this: pg.Client, ...[event, heard]) {
      return event === ('notification' as string) ? this : on.call(this, event, heard as never);
    } as typeof on);
    const library = await newLibrary();
    const [one, two] = [await library.open(), await library.open({ workers: 0 })];
    const [here, there] = [await one.company('acme'), await two.company('acme')];
    const first = await here.put('first.stl', boxStl(1, 2, 3));
    await within(5_000, async () => (await paths(there, { like: { uid: first.uid } }).catch(() => [])).length === 1);
    // A put of the one that is deaf and has no readers is indexed by the other, which it hears of as well.
    expect((await there.put('second.stl', boxStl(1, 2, 3.1))).state).toBe('indexed');
    await here.delete(first.uid);
    await within(5_000, async () => (await there.find('first.stl')) === undefined);
    expect(deaf.mock.calls.some(([event]) => (event as string) === 'notification')).toBe(true);
    deaf.mockRestore();
    await Promise.all([one.close(), two.close()]);
  });

  test('brings a replica up to date when the log of changes does not reach back to it, or lacks rows', async () => {
    const library = await newLibrary();
    const replica = join(folder, `replica-${places++}`);
    const one = await library.open();
    const acme = await one.company('acme');
    const first = await acme.put('first.stl', boxStl(1, 2, 3));
    const lagging = async (change: string): Promise<void> => {
      await (await library.open({ replica, workers: 0 })).close();
      const gone = await acme.put('gone.stl', boxStl(2, 2, 3));
      await acme.put('second.stl', boxStl(1, 2, 3.1), { attributes: ['Colour=red'] });
      await acme.delete(gone.uid);
      await inDatabase(library.url, change);
      const again = await library.open({ replica, workers: 0 });
      const there = await again.company('acme');
      expect(await paths(there, { like: { uid: first.uid } })).toEqual(['first.stl', 'second.stl']);
      expect(await paths(there, { text: 'red' })).toEqual(['second.stl']);
      expect((await again.verify({ repair: false })).problems).toEqual([]);
      await again.close();
      await acme.delete((await acme.find('second.stl'))!.uid);
    };
    await lagging('SELECT 1');
    await lagging('DELETE FROM shapedex.change WHERE number < (SELECT number FROM shapedex.library)');
    await lagging('UPDATE shapedex.change SET rows = NULL');
    await one.close();
  });

  test('loses nothing when processes are killed', { timeout: 180_000 + 10_000 * KILLS }, async () => {
    const library = await newLibrary();
    const children = [1, 2].map((tag) => startProcess(library, tag));
    const uids: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const at = kill % children.length;
      await within(60_000, async () => acknowledged(children[at]).length > 0);
      await new Promise((resolve) => setTimeout(resolve, 100 + ((kill * 619) % 1_500)));
      await children[at].kill();
      uids.push(...acknowledged(children[at]));
      children[at] = startProcess(library, 3 + kill);
    }
    for (const child of children) {
      await child.kill();
      uids.push(...acknowledged(child));
    }
    await expectWhole(library, uids);
  });

  test.skipIf(process.env['SHAPEDEX_POSTGRES'] !== undefined)('goes on when the database was stopped', async () => {
    const library = await newLibrary();
    const engine = await library.open({ outageMs: 500 });
    const fresh = await library.open({ workers: 0, replicaAgeMs: 3_000 });
    const acme = await engine.company('acme');
    const box = await acme.put('box.stl', boxStl(1, 2, 3));
    await server.crash!();
    const refused = acme.put('later.stl', boxStl(1, 2, 4), { wait: false });
    await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { outage: true } });
    expect(await paths(acme, { like: { uid: box.uid } })).toEqual(['box.stl']);
    const tooOld = { code: 'STORAGE_FAILED', details: { outage: true, ageMs: expect.any(Number) } };
    await within(20_000, () =>
      fresh.companies().then(
        () => false,
        (cause: unknown) => (expect(cause).toMatchObject(tooOld), true),
      ),
    );
    expect(await paths(acme, { like: { uid: box.uid } })).toEqual(['box.stl']);
    await server.start();
    await within(20_000, () =>
      fresh.companies().then(
        () => true,
        () => false,
      ),
    );
    await fresh.close();
    expect((await acme.put('later.stl', boxStl(1, 2, 4))).state).toBe('indexed');
    await engine.close();
    await server.crash!();
    const start = performance.now();
    const nothing = library.open({ connectTimeoutMs: 2_000 });
    await expect(nothing).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    // One that takes the connection and says nothing.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
    const url = `postgres://shapedex@127.0.0.1:${(silent.address() as AddressInfo).port}/parts`;
    const opening = Engine.open(url, { blobs: library.blobs, replica: `${folder}/silent`, connectTimeoutMs: 2_000 });
    await expect(opening).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    // The time of connecting, twice, and time of a busy machine for opening the replicas.
    expect(performance.now() - start).toBeLessThan(2 * 2_000 + 4_000);
    silent.close();
    await server.start();
    await expectWhole(library, [box.uid]);
  });

  test.skipIf(process.env['SHAPEDEX_POSTGRES'] !== undefined)(
    'a put waits for a database that is away, as every other write does',
    async () => {
      const library = await newLibrary();
      const engine = await library.open({ outageMs: 60_000 });
      const acme = await engine.company('acme');
      const box = await acme.put('box.stl', boxStl(1, 2, 3));
      await server.crash!();
      const asked = [
        acme.put('later.stl', boxStl(1, 2, 4)),
        acme.put('text.txt', Buffer.from('steel'), { wait: false }),
        acme.setAttributes(box.uid, ['Colour=red']),
      ];
      let ended = 0;
      for (const one of asked) void one.finally(() => ended++).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(ended).toBe(0);
      await server.start();
      expect((await asked[0]).state).toBe('indexed');
      await Promise.all(asked);
      expect(await paths(acme, { like: { uid: box.uid } })).toEqual(['box.stl', 'later.stl']);
      await engine.close();
      await expectWhole(library, [box.uid, (await asked[0]).uid, (await asked[1]).uid]);
    },
  );

  test('is opened by many at once, and while somebody writes', async () => {
    const library = await newLibrary();
    const first = await library.open({ workers: 0 });
    const writer = new pg.Client({ connectionString: library.url });
    await writer.connect();
    // What each writer holds until its commit.
    await writer.query('BEGIN');
    for (const table of ['library', 'change', 'gone', 'process'])
      await writer.query(`LOCK TABLE shapedex.${table} IN ROW EXCLUSIVE MODE`);
    const others = await Promise.all([1, 2, 3].map(() => library.open({ workers: 0 })));
    await writer.query('ROLLBACK');
    await writer.end();
    await Promise.all([first, ...others].map((engine) => engine.close()));
  });

  test('counts attempts at signing in for all processes', async () => {
    const library = await newLibrary();
    const accounts = { scryptCost: 2 ** 10 };
    const [one, two] = [await library.open({ accounts }), await library.open({ accounts, workers: 0 })];
    const digest = (text: string): Uint8Array => createHash('sha1').update(text).digest();
    const ann = { email: 'ann@acme.org', firstName: '', lastName: '', passwordDigest: digest('right') };
    await one.accounts.addCompany('acme');
    await one.accounts.addUser({ ...ann, company: 'acme' });
    const verified = (engine: Engine, text: string, source = '203.0.113.66') =>
      engine.accounts.verifyPassword(ann.email, digest(text), { source });
    for (let at = 0; at < 10; at++) expect(await verified(at % 2 === 0 ? one : two, 'wrong')).toBeUndefined();
    for (const engine of [one, two])
      await expect(verified(engine, 'right')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    // Twenty at once, half of them in each: no more are tried than one process would.
    const many = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => verified(at % 2 === 0 ? one : two, 'wrong', '198.51.100.7')),
    );
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    // A right one elsewhere waits a second: twenty others failed.
    await within(20_000, () => verified(two, 'right', '192.0.2.1').then(Boolean, () => false));
    await Promise.all([one.close(), two.close()]);
  });

  test('keeps nobody out for long because of an attempt in which a process died', async () => {
    const library = await newLibrary();
    const engine = await library.open({ accounts: { scryptCost: 2 ** 10 }, workers: 0 });
    const digest = (text: string): Uint8Array => createHash('sha1').update(text).digest();
    await engine.accounts.addCompany('acme');
    for (const email of ['ann@acme.org', 'bob@acme.org']) {
      const passwordDigest = digest('right');
      await engine.accounts.addUser({ email, firstName: '', lastName: '', passwordDigest, company: 'acme' });
    }
    const verified = (name: string, text: string, source: string) =>
      engine.accounts.verifyPassword(`${name}@acme.org`, digest(text), { source });
    // One failure is left, and the attempt of a dead process holds it, for 6 s of its 60 s.
    for (let at = 0; at < 9; at++) await verified('ann', 'wrong', '198.51.100.7');
    await inDatabase(
      library.url,
      `UPDATE shapedex.attempt SET running = 1, running_until = now() + interval '6 seconds' WHERE key LIKE 'user % %'`,
    );
    let waiting = 4; // More than passwords are computed at a time.
    const anns = Array.from({ length: waiting }, () =>
      verified('ann', 'right', '198.51.100.7').finally(() => waiting--),
    );
    await new Promise((resolve) => setTimeout(resolve, 300)); // All have looked, and have found that they must wait.
    expect(await verified('bob', 'right', '203.0.113.5')).toBeDefined();
    expect(waiting).toBe(4);
    // Looking at it did not put its end off.
    for (const user of await Promise.all(anns)) expect(user).toBeDefined();
    await engine.close();
  });

  test('holds a plan, tokens and search inputs for all processes', async () => {
    const library = await newLibrary();
    const accounts = { scryptCost: 2 ** 10 };
    const [one, two] = [await library.open({ accounts }), await library.open({ accounts, workers: 0 })];
    const passwordDigest = createHash('sha1').update('right').digest();
    const email = 'ann@acme.org';
    await one.accounts.addCompany('acme');
    await one.accounts.addUser({ email, firstName: '', lastName: '', passwordDigest, company: 'acme' });
    await one.accounts.setPlan('acme', { fileLimit: 3 });
    const engines = [one, two];
    const puts = await Promise.allSettled(
      Array.from({ length: 8 }, async (_, at) =>
        (await engines[at % 2].served('acme')).put(`${at}.stl`, boxStl(1, 2, 3 + at), { needsCategory: false }),
      ),
    );
    expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const put of puts)
      if (put.status === 'rejected') expect(put.reason).toMatchObject({ details: { limit: 'fileLimit' } });
    const input = await (await one.company('acme')).putInput(boxStl(1, 2, 3), { extension: 'stl' });
    const there = await two.company('acme');
    await within(5_000, () =>
      paths(there, { like: { uid: input.uid } }).then(
        (found) => found.length === 3,
        () => false,
      ),
    );
    const { accessToken } = await two.accounts.grantPassword({ email, passwordDigest });
    await within(5_000, async () => (await one.accounts.principalOf(accessToken)) !== undefined);
    await one.accounts.revoke(accessToken);
    await within(5_000, async () => (await two.accounts.principalOf(accessToken)) === undefined);
    await Promise.all([one.close(), two.close()]);
  });

  test('forgets keys of deleted rows behind the living replicas, and fills one anew that lags more', async () => {
    const library = await newLibrary();
    const replica = join(folder, `replica-${places++}`);
    await (await library.open({ replica, workers: 0 })).close();
    const one = await library.open({ leaseMs: 3_000 });
    const acme = await one.company('acme');
    const box = await acme.put('box.stl', boxStl(1, 2, 3));
    await (await library.open({ replica, workers: 0 })).close();
    await acme.delete((await acme.put('gone.stl', boxStl(2, 2, 3))).uid);
    const left = () => inDatabase<{ count: string }>(library.url, 'SELECT count(*) FROM shapedex.gone');
    expect(Number((await left())[0].count)).toBeGreaterThan(0);
    await inDatabase(
      library.url,
      `UPDATE shapedex.gone SET at = at - interval '8 days';
       DELETE FROM shapedex.change WHERE number < (SELECT number FROM shapedex.library)`,
    );
    await within(20_000, async () => Number((await left())[0].count) === 0);
    const again = await library.open({ replica, workers: 0 });
    expect(await paths(await again.company('acme'), { like: { uid: box.uid } })).toEqual(['box.stl']);
    expect((await again.verify({ repair: false })).problems).toEqual([]);
    await Promise.all([one.close(), again.close()]);
  });

  test('brings a library of the form before to the present one', async () => {
    const library = await newLibrary();
    const one = await library.open();
    const box = await (await one.company('acme')).put('box.stl', boxStl(1, 2, 3), { attributes: ['Material=Steel'] });
    await one.close();
    await inDatabase(
      library.url,
      `UPDATE shapedex.library SET version = 21; CREATE TABLE shapedex.attribute_name (id bigint);
       ALTER TABLE shapedex.library DROP COLUMN forgotten; ALTER TABLE shapedex.gone DROP COLUMN at;
       ALTER TABLE shapedex.process DROP COLUMN held; DROP TABLE shapedex.attempt`,
    );
    const again = await library.open();
    expect(await paths(await again.company('acme'), { text: 'Material=steel' })).toEqual([box.path]);
    expect((await again.verify({ repair: false })).problems).toEqual([]);
    await again.close();
    const [{ found }] = await inDatabase<{ found: string | null }>(
      library.url,
      "SELECT to_regclass('shapedex.attribute_name') AS found",
    );
    expect(found).toBeNull();
  });

  test('brings a library of the version before to the present one, and counts shares of members', async () => {
    const library = await newLibrary();
    const before = await library.open();
    const company = await before.company('acme');
    await company.categories.add('of before');
    const putOf = async (of: Company, height: number): Promise<string> =>
      (await of.putInput(boxStl(1, 2, height), { extension: 'stl', owner: 'ada' })).uid;
    await company.keepInput(await putOf(company, 3), { days: 1 });
    await before.close();
    await inDatabase(
      library.url,
      `UPDATE shapedex.library SET version = 1021; ALTER TABLE shapedex.search_input DROP COLUMN kept_by;
       ALTER TABLE shapedex.category DROP COLUMN made_by`,
    );
    // All at once: one raises it, the others wait for it.
    const [one, other, third] = await Promise.all([1, 2, 3].map(() => library.open()));
    await third.close();
    const companies = [await one.company('acme'), await other.company('acme')];
    expect((await companies[0].categories.list()).map(({ name }) => name)).toEqual(['of before']);
    // Each process may add to the same two.
    const added = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) =>
        companies[i % 2].categories.add(`c${i}`, { owner: 'ada', most: 9, mostOfOwner: 2 }),
      ),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const keeps = await Promise.allSettled(
      [4, 5, 6, 7].map(async (height, i) => {
        const of = companies[i % 2];
        return of.keepInput(await putOf(of, height), { days: 1, most: 9, mostOfOwner: 2 });
      }),
    );
    expect(keeps.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const keep of keeps)
      if (keep.status === 'rejected')
        expect(keep.reason).toMatchObject({ code: 'NOT_ALLOWED', details: { limit: 'keptInputsPerUser', found: 2 } });
    expect((await one.verify({ repair: false })).problems).toEqual([]);
    await Promise.all([one.close(), other.close()]);
  });

  test('reads all files again, and fails one that two processes died of', async () => {
    const library = await newLibrary();
    const before = await library.open();
    const company = await before.company('acme');
    const [one, two] = [await company.put('one.stl', boxStl(1, 2, 3)), await company.put('two.stl', boxStl(1, 2, 4))];
    expect(await before.reindex({ only: 'all' })).toBe(2);
    await before.idle({ signal: AbortSignal.timeout(60_000) });
    const stats = await before.stats();
    expect([stats.states, stats.described]).toEqual([{ indexed: 2, queued: 0, failed: 0 }, 4]);
    expect((await before.verify({ repair: false })).problems).toEqual([]);
    await before.close();
    // Both wait again, held by a process that has died; it is the second death of one of them.
    const putting = await library.open({ workers: 0 });
    await putting.reindex({ only: 'all' });
    await putting.close();
    await inDatabase(
      library.url,
      `UPDATE shapedex.job SET running = 999,
         crashes = (SELECT count(*) FROM shapedex.file WHERE id = file_id AND uid = '${two.uid}')`,
    );
    const engine = await library.open({ leaseMs: 3_000 });
    const acme = await engine.company('acme');
    await within(20_000, async () => (await acme.get(two.uid)).state === 'failed');
    await engine.idle({ signal: AbortSignal.timeout(60_000) });
    expect((await acme.get(two.uid)).error?.message).toContain('2 times');
    expect((await acme.get(one.uid)).state).toBe('indexed');
    await engine.close();
  });

  test('notes bytes that lost their last row in the transaction that removes the row', async () => {
    const library = await newLibrary();
    const engine = await library.open();
    const acme = await engine.company('acme');
    const [box, text] = [await acme.put('box.stl', boxStl(1, 2, 3)), await acme.put('a.txt', Buffer.from('steel'))];
    const noted = (hash: string): Promise<{ together: boolean }[]> =>
      inDatabase(
        library.url,
        `SELECT u.xmin = c.xmin AS together FROM shapedex.unowned AS u, shapedex.change AS c
         WHERE u.hash = '${hash}' AND c.number = (SELECT number FROM shapedex.library)`,
      );
    await acme.delete(box.uid);
    expect(await noted(box.sha256)).toEqual([{ together: true }]);
    const [{ number }] = await inDatabase<{ number: string }>(library.url, 'SELECT number FROM shapedex.library');
    await acme.put('a.txt', Buffer.from('brass'), { wait: false });
    const first = await inDatabase(
      library.url,
      `SELECT 1 FROM shapedex.unowned AS u JOIN shapedex.change AS c ON u.xmin = c.xmin
       WHERE u.hash = '${text.sha256}' AND c.number > ${number}`,
    );
    expect(first).toHaveLength(1);
    await engine.close();
  });

  test('keeps what belongs to a company with its company first', async () => {
    const library = await newLibrary();
    const engine = await library.open();
    for (const name of ['acme', 'globex'])
      await (await engine.company(name)).put('box.stl', boxStl(1, 2, 3), { attributes: ['Material=Steel'] });
    await engine.close();
    const tables = await inDatabase<{ name: string }>(
      library.url,
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'shapedex' AND column_name = 'file_id' ORDER BY 1`,
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const crossing = await inDatabase(
        library.url,
        `SELECT 1 FROM shapedex."${name}" AS t JOIN shapedex.file ON file.id = t.file_id
         WHERE file.of_company <> t.of_company`,
      );
      expect(crossing, name).toEqual([]);
    }
  });
});
