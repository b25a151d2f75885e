import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fileSystem from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Engine, type Company, type WatchEvent, type WatchFolderOptions } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let folders = 0;

/** Quick enough for a test, slow enough to tell a file that is being written. */
const QUICK: WatchFolderOptions = { settleMs: 300, retryMs: 300, pollMs: 200 };
const PATIENCE_MS = 60_000;

/** A folder that is watched, with what was told of it. */
class Watched {
  readonly events: WatchEvent[] = [];
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #seen = 0;
  #told: () => void = () => undefined;

  constructor(company: Company, cad: string, options: WatchFolderOptions) {
    this.#ended = (async () => {
      for await (const event of company.folders.watch(cad, { ...QUICK, ...options, signal: this.#stop.signal })) {
        this.events.push(event);
        this.#told();
      }
    })();
  }

  /** The next events, as short texts, until one begins so; sorted, as files on their way may overtake each other. */
  async until(beginning: string): Promise<string[]> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const fresh = this.events.slice(this.#seen).map(shortOf);
      const at = fresh.findIndex((text) => text.startsWith(beginning));
      if (at >= 0) {
        this.#seen += at + 1;
        return fresh.slice(0, at + 1).sort();
      }
      if (patience.aborted) throw new Error(`no event ${beginning}; there were ${JSON.stringify(fresh)}`);
      await new Promise<void>((resolve) => {
        this.#told = resolve;
        patience.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}

function shortOf(event: WatchEvent): string {
  switch (event.event) {
    case 'ready':
      return `ready ${event.method} ${event.files} ${event.unchanged} ${event.failing}`;
    case 'added':
    case 'changed':
      return `${event.event} ${event.path}`;
    case 'moved':
      return `moved ${event.from} ${event.path}`;
    case 'removed':
      return `removed ${event.path} ${event.deleted}`;
    case 'failed':
      return `failed ${event.path} ${event.error.code} ${event.attempt} ${event.retryAt === null ? 'never' : 'again'}`;
    case 'polling':
      return 'polling';
  }
}

/** A library and a folder with these files, watched; `watch` begins another watching. */
async function watching(
  files: Record<string, Uint8Array>,
  options: WatchFolderOptions,
  body: (parts: { acme: Company; cad: string; watched: Watched; watch: () => Watched }) => Promise<void>,
): Promise<void> {
  const cad = join(folder, `cad-${folders++}`);
  mkdirSync(cad, { recursive: true });
  for (const [path, bytes] of Object.entries(files)) write(join(cad, path), bytes);
  const engine = await Engine.open(join(folder, `library-${folders++}`), { workers: 2 });
  const all: Watched[] = [];
  try {
    const acme = await engine.company('acme');
    const watch = (): Watched => {
      all.push(new Watched(acme, cad, options));
      return all.at(-1)!;
    };
    await body({ acme, cad, watched: watch(), watch });
  } finally {
    for (const watched of all) await watched.stop();
    await engine.close();
  }
}

function write(file: string, bytes: Uint8Array): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, bytes);
}

const paths = async (company: Company): Promise<string[]> => (await company.list()).map(({ path }) => path);

describe.each([
  ['events', false],
  ['polling', true],
] as const)('by %s', (method, poll) => {
  test('what is there, comes, changes, moves and goes is followed', () =>
    watching(
      { 'a/x.stl': boxStl(1, 2, 3), 'a/notes.tmp': new Uint8Array(3) },
      { poll, prefix: 'cad', attributes: ['Source=cad'] },
      async ({ acme, cad, watched }) => {
        expect(await watched.until('ready')).toEqual(['added cad/a/x.stl', `ready ${method} 1 0 0`]);
        expect((await acme.find('cad/a/x.stl'))?.attributes).toEqual(['Source=cad']);

        write(join(cad, 'y.stl'), boxStl(2, 2, 3));
        expect(await watched.until('added cad/y.stl')).toEqual(['added cad/y.stl']);
        const { uid, arrival, indexedAt } = (await acme.find('cad/y.stl'))!;

        // A new folder, and at once a file in it; then the whole folder moves.
        mkdirSync(join(cad, 'b/c'), { recursive: true });
        renameSync(join(cad, 'y.stl'), join(cad, 'b/c/z.stl'));
        expect(await watched.until('moved')).toEqual(['moved cad/y.stl cad/b/c/z.stl']);
        renameSync(join(cad, 'b'), join(cad, 'bb'));
        expect(await watched.until('moved')).toEqual(['moved cad/b/c/z.stl cad/bb/c/z.stl']);
        // Renamed, not read again.
        expect(await acme.find('cad/bb/c/z.stl')).toMatchObject({ uid, arrival, indexedAt });
        expect((await acme.search({ text: 'z' })).hits.map(({ path }) => path)).toEqual(['cad/bb/c/z.stl']);

        write(join(cad, 'bb/c/z.stl'), boxStl(2, 2, 4));
        expect(await watched.until('changed')).toEqual(['changed cad/bb/c/z.stl']);
        expect(await acme.get(uid)).toMatchObject({ path: 'cad/bb/c/z.stl', state: 'indexed' });
        expect((await acme.get(uid)).volumeMm3).toBeCloseTo(16, 6);

        rmSync(join(cad, 'bb'), { recursive: true });
        expect(await watched.until('removed')).toEqual(['removed cad/bb/c/z.stl false']);
        expect(await paths(acme)).toEqual(['cad/a/x.stl', 'cad/bb/c/z.stl']);
      },
    ));

  test('what was missed is caught up with', () =>
    watching(
      { 'a.stl': boxStl(1, 1, 1), 'b.stl': boxStl(1, 1, 2), 'c.stl': boxStl(1, 1, 3) },
      { poll },
      async ({ acme, cad, watched, watch }) => {
        await watched.until('ready');
        await watched.stop();
        const { uid } = (await acme.find('b.stl'))!;
        renameSync(join(cad, 'b.stl'), join(cad, 'moved.stl'));
        rmSync(join(cad, 'c.stl'));
        write(join(cad, 'd.stl'), boxStl(1, 1, 4));
        const again = watch();
        expect(await again.until('removed')).toEqual(
          expect.arrayContaining(['added d.stl', 'moved b.stl moved.stl', 'removed c.stl false']),
        );
        expect((await acme.find('moved.stl'))?.uid).toBe(uid);
        await again.stop();
        expect(await watch().until('ready')).toEqual([`ready ${method} 3 3 0`]);
      },
    ));
});

test('a folder that moves while it is listed is told as moved and nothing else', () =>
  watching(
    { 'a/x.stl': boxStl(1, 1, 1), 'b/c/z.stl': boxStl(2, 2, 3) },
    { poll: true, pollMs: 1, settleMs: 20 },
    async ({ cad, watched }) => {
      await watched.until('ready');
      // With a look each ms, most moves fall into one.
      for (let i = 0; i < 20; i++) {
        const [from, to] = i % 2 === 0 ? ['b', 'bb'] : ['bb', 'b'];
        renameSync(join(cad, from), join(cad, to));
        expect(await watched.until('moved')).toEqual([`moved ${from}/c/z.stl ${to}/c/z.stl`]);
      }
    },
  ));

test('a file that is stored at the beginning does not count as unchanged when it is looked at again', () => {
  const cad = join(folder, `cad-${folders}`);
  write(join(cad, 'old.stl'), boxStl(1, 1, 1));
  utimesSync(join(cad, 'old.stl'), 1e9, 1e9);
  // The other was written just now and has to settle: until then the first one is looked at each ms.
  return watching({ 'new.stl': boxStl(1, 1, 2) }, { poll: true, pollMs: 1, settleMs: 1_000 }, async ({ watched }) => {
    expect(await watched.until('ready')).toEqual(['added new.stl', 'added old.stl', 'ready polling 2 0 0']);
  });
});

test('what was indexed by other ways is known', () =>
  watching({ 'a.stl': boxStl(1, 1, 1) }, {}, async ({ acme, cad, watched, watch }) => {
    await watched.until('ready');
    await watched.stop();
    write(join(cad, 'b.stl'), boxStl(1, 1, 2));
    for await (const _ of acme.putFolder(cad, { resume: true }));
    expect(await watch().until('ready')).toEqual(['ready events 2 2 0']);
  }));

test('a file that is being written is waited for, and read once', () =>
  // Writing lasts longer than the settle time, and a stall of 2 s between two pieces is still within it.
  watching({}, { settleMs: 3_000 }, async ({ acme, cad, watched }) => {
    await watched.until('ready');
    const bytes = Buffer.from(boxStl(3, 4, 5));
    const file = join(cad, 'slow.stl');
    for (let at = 0; at < bytes.length; at += 100) {
      appendFileSync(file, bytes.subarray(at, at + 100));
      await sleep(500);
    }
    expect(await watched.until('added')).toEqual(['added slow.stl']);
    expect((await acme.find('slow.stl'))?.volumeMm3).toBeCloseTo(60, 4);
  }));

test('a file that is only touched is no event', () =>
  watching({ 'a.stl': boxStl(1, 1, 1) }, {}, async ({ cad, watched }) => {
    await watched.until('ready');
    utimesSync(join(cad, 'a.stl'), new Date(), new Date(Date.now() - 60_000));
    write(join(cad, 'b.stl'), boxStl(1, 1, 2));
    expect(await watched.until('added')).toEqual(['added b.stl']);
  }));

test('what is malformed is told once, and again when it changes', () =>
  watching({ 'bad.stl': new TextEncoder().encode('no model') }, {}, async ({ cad, watched }) => {
    expect(await watched.until('ready')).toEqual(['failed bad.stl FILE_MALFORMED 1 never', 'ready events 1 0 0']);
    // Until another file is stored, longer than the time of a new try has passed.
    write(join(cad, 'good.stl'), boxStl(1, 1, 1));
    expect(await watched.until('added')).toEqual(['added good.stl']);
    write(join(cad, 'bad.stl'), boxStl(1, 2, 3));
    expect(await watched.until('changed')).toEqual(['changed bad.stl']);
  }));

// The superuser may read everything.
test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'what cannot be read is tried again, later and later',
  () =>
    watching({ 'a.stl': boxStl(1, 1, 1), 'locked/b.stl': boxStl(1, 1, 2) }, {}, async ({ cad, watched }) => {
      await watched.until('ready');
      chmodSync(join(cad, 'locked'), 0o000);
      write(join(cad, 'c.stl'), boxStl(1, 1, 3));
      chmodSync(join(cad, 'c.stl'), 0o000);
      await watched.until('failed c.stl STORAGE_FAILED 2 again');
      chmodSync(join(cad, 'c.stl'), 0o644);
      chmodSync(join(cad, 'locked'), 0o755);
      const events = await watched.until('added c.stl');
      expect(events.filter((text) => text.startsWith('removed'))).toEqual([]);
    }),
);

test('a link that leads nowhere is tried again, and read when it leads somewhere; links to folders are not followed', () =>
  watching({ 'a/a.stl': boxStl(1, 1, 1) }, {}, async ({ cad, watched }) => {
    await watched.until('ready');
    symlinkSync(join(cad, 'loop.stl'), join(cad, 'loop.stl'));
    symlinkSync(cad, join(cad, 'a', 'above.stl'));
    expect(await watched.until('failed loop.stl STORAGE_FAILED 3')).toEqual(
      [1, 2, 3].map((attempt) => `failed loop.stl STORAGE_FAILED ${attempt} again`),
    );
    rmSync(join(cad, 'loop.stl'));
    write(join(cad, 'loop.stl'), boxStl(1, 1, 2));
    expect((await watched.until('added')).at(0)).toBe('added loop.stl');
  }));

test(
  'a link out of the folder is told and not read, and what the library has of it stays',
  { skip: process.platform === 'win32' },
  () =>
    watching(
      { 'a.stl': boxStl(1, 1, 1), 'b.stl': boxStl(1, 1, 3) },
      { delete: true },
      async ({ acme, cad, watched }) => {
        await watched.until('ready');
        const beside = `${cad}-beside`;
        mkdirSync(beside);
        write(join(beside, 'far.stl'), boxStl(1, 1, 2));
        symlinkSync(join(beside, 'far.stl'), join(cad, 'far.stl'));
        await watched.until('failed far.stl NOT_ALLOWED 1 never');
        rmSync(join(cad, 'a.stl'));
        symlinkSync(join(beside, 'far.stl'), join(cad, 'a.stl'));
        await watched.until('failed a.stl NOT_ALLOWED 1 never');
        symlinkSync(join(cad, 'b.stl'), join(cad, 'near.stl'));
        await watched.until('added near.stl');
        // A file in the place of the link is read.
        rmSync(join(cad, 'far.stl'));
        write(join(cad, 'far.stl'), boxStl(1, 1, 4));
        expect(await watched.until('added far.stl')).toEqual(['added far.stl']);
        expect((await paths(acme)).sort()).toEqual(['a.stl', 'b.stl', 'far.stl', 'near.stl']);
      },
    ),
);

test('with `delete` the library loses what the folder loses, but not all at once', () =>
  watching({ 'a.stl': boxStl(1, 1, 1), 'b.stl': boxStl(1, 1, 2) }, { delete: true }, async ({ acme, cad, watched }) => {
    await watched.until('ready');
    rmSync(join(cad, 'a.stl'));
    expect(await watched.until('removed')).toEqual(['removed a.stl true']);
    expect(await paths(acme)).toEqual(['b.stl']);
    rmSync(join(cad, 'b.stl'));
    expect(await watched.until('failed')).toEqual(['failed  CONFLICT 1 never']);
    expect(await paths(acme)).toEqual(['b.stl']);
    write(join(cad, 'c.stl'), boxStl(1, 1, 3));
    await watched.until('removed b.stl true');
    expect(await paths(acme)).toEqual(['c.stl']);
  }));

test('with `delete` nothing is deleted where another folder stands in its place, even with files of its own', () =>
  watching(
    { 'a.stl': boxStl(1, 1, 1), 'b.stl': boxStl(1, 1, 2) },
    { delete: true, poll: true },
    async ({ acme, cad, watched }) => {
      await watched.until('ready');
      renameSync(cad, `${cad}-away`);
      await watched.until('failed  STORAGE_FAILED 1 again');
      mkdirSync(cad);
      await watched.until('failed  CONFLICT 1 never');
      for (const [i, name] of ['stray.stl', 'more.stl', 'last.stl'].entries()) {
        write(join(cad, name), boxStl(2, 2, i + 2));
        await watched.until(`added ${name}`);
      }
      expect((await paths(acme)).sort()).toEqual(['a.stl', 'b.stl', 'last.stl', 'more.stl', 'stray.stl']);
      // The disk is back: what lay in the other folder is gone, and what is deleted from it is deleted.
      const uids = (await acme.list()).filter(({ path }) => path === 'b.stl').map(({ uid }) => uid);
      renameSync(cad, `${cad}-other`);
      renameSync(`${cad}-away`, cad);
      await watched.until('removed stray.stl true');
      rmSync(join(cad, 'a.stl'));
      await watched.until('removed a.stl true');
      expect((await acme.list()).filter(({ path }) => path === 'b.stl').map(({ uid }) => uid)).toEqual(uids);
    },
  ));

test('when the folder is away nothing is gone, and it goes on when the folder is back', () =>
  watching({ 'a.stl': boxStl(1, 1, 1) }, { delete: true, rescanMs: 300 }, async ({ acme, cad, watched }) => {
    await watched.until('ready');
    renameSync(cad, `${cad}-away`);
    await watched.until('failed  STORAGE_FAILED 1 again');
    expect(await paths(acme)).toEqual(['a.stl']);
    renameSync(`${cad}-away`, cad);
    // Until three more files are stored, longer has passed than a file must be missing to be deleted.
    for (const [i, name] of ['b.stl', 'c.stl', 'd.stl'].entries()) {
      write(join(cad, name), boxStl(1, 1, i + 2));
      await watched.until(`added ${name}`);
    }
    expect(await paths(acme)).toEqual(['a.stl', 'b.stl', 'c.stl', 'd.stl']);
  }));

test('a share that is away as an empty folder takes nothing along, and is not read again when it is back', () =>
  watching({ 'a.stl': boxStl(1, 1, 1), 'deep/b.stl': boxStl(1, 1, 2) }, { rescanMs: 300 }, async (parts) => {
    const { acme, cad, watched } = parts;
    await watched.until('ready');
    const before = (await acme.list()).map(({ uid, indexedAt }) => [uid, indexedAt]);
    renameSync(cad, `${cad}-away`);
    mkdirSync(cad);
    await watched.until('removed deep/b.stl false');
    expect(await paths(acme)).toEqual(['a.stl', 'deep/b.stl']);
    rmSync(cad, { recursive: true });
    renameSync(`${cad}-away`, cad);
    write(join(cad, 'c.stl'), boxStl(1, 1, 3));
    const events = await watched.until('added c.stl');
    expect(events.filter((text) => !text.startsWith('removed') && !text.startsWith('failed '))).toEqual([
      'added c.stl',
    ]);
    write(join(cad, 'd.stl'), boxStl(1, 1, 4));
    expect(await watched.until('added d.stl')).toEqual(['added d.stl']);
    const after = (await acme.list()).map(({ uid, indexedAt }) => [uid, indexedAt]);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(4);
  }));

test('a network disk, whose changes no system tells, is looked at again and again by itself', async () => {
  const told = vi.spyOn(fileSystem, 'statfs');
  told.mockResolvedValue({ type: 0xfe534d42 - 2 ** 32 } as Awaited<ReturnType<typeof fileSystem.statfs>>);
  syncBuiltinESMExports();
  try {
    await watching({ 'a.stl': boxStl(1, 1, 1) }, {}, async ({ cad, watched }) => {
      expect((await watched.until('ready')).filter((text) => !text.startsWith('added'))).toEqual([
        'polling',
        'ready polling 1 0 0',
      ]);
      expect(watched.events.find(({ event }) => event === 'polling')).toMatchObject({
        reason: expect.stringContaining('SMB'),
      });
      write(join(cad, 'b.stl'), boxStl(1, 1, 2));
      await watched.until('added b.stl');
    });
  } finally {
    told.mockRestore();
    syncBuiltinESMExports();
  }
});

test('leaving the loop ends it, and wrong options are named', () =>
  watching({ 'a.stl': boxStl(1, 1, 1) }, {}, async ({ acme, cad, watched }) => {
    await watched.until('ready');
    await watched.stop();
    for await (const { event } of acme.folders.watch(cad, QUICK)) if (event === 'ready') break;
    const first = (options: object): Promise<unknown> => acme.folders.watch(cad, options as WatchFolderOptions).next();
    await expect(first({ settleMs: -1 })).rejects.toThrow(/settleMs.*-1/);
    await expect(first({ poll: 5 })).rejects.toThrow(/poll must be true or false/);
    await expect(first({ recursive: true })).rejects.toThrow(/recursive/);
  }));

test('rename: the path alone changes; one that is taken is refused', () =>
  watching({ 'a.stl': boxStl(1, 1, 1), 'b.stl': boxStl(1, 1, 2) }, {}, async ({ acme, watched }) => {
    await watched.until('ready');
    await watched.stop();
    const { uid, sha256 } = (await acme.find('a.stl'))!;
    expect(await acme.rename(uid, 'parts\\c.stl')).toMatchObject({
      uid,
      sha256,
      path: 'parts/c.stl',
      state: 'indexed',
    });
    await expect(acme.rename(uid, 'b.stl')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(acme.rename('00000000-0000-4000-8000-000000000000', 'd.stl')).rejects.toMatchObject({
      code: 'FILE_UNKNOWN',
    });
  }));
