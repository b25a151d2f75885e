import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Engine, type EngineError, type Company, type EngineOptions } from '../../dist/index.js';
import { withDefaults } from '../../dist/options.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let libraries = 0;
const newLibrary = (): string => join(folder, `library-${libraries++}`);

/** Runs `body` with a company of a new library, which is closed whatever happens. */
async function withCompany(
  body: (company: Company, engine: Engine, library: string) => Promise<void>,
  options: Partial<EngineOptions> = {},
): Promise<void> {
  const library = newLibrary();
  const engine = await Engine.open(library, { workers: 1, ...options });
  try {
    await body(await engine.company('acme'), engine, library);
  } finally {
    await engine.close();
  }
}

const failure = async (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(
    () => Promise.reject(new Error('resolved, expected a failure')),
    (error: EngineError) => error,
  );
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

test('what is no signal is refused at once, and not in the middle of the work, where nobody could catch it', () =>
  withCompany(async (acme, engine) => {
    await acme.put('a.stl', boxStl(1, 2, 3), { wait: false });
    const signal = 5 as unknown as AbortSignal;
    const none = null as unknown as AbortSignal;
    expect((await failure(engine.idle({ signal: none }))).message).toMatch(/must be an AbortSignal, received object$/);
    for (const call of [
      engine.idle({ signal }),
      acme.put('b.stl', boxStl(1, 2, 4), { signal }),
      acme.assemblies.indexComponents(UNKNOWN, { signal }),
      acme.assemblies.sharedParts(UNKNOWN, { signal }),
    ])
      expect((await failure(call)).message).toMatch(/options\.signal must be an AbortSignal, received number$/);
    await engine.idle();
  }));

test('a signal of another realm, as in jsdom, is one', () =>
  withCompany(async (acme) => {
    const events = new EventTarget();
    const foreign = Object.assign(events, { aborted: false, reason: undefined as unknown }) as unknown as AbortSignal;
    await acme.put('a.stl', boxStl(1, 2, 3), { signal: foreign });
    expect((await acme.search({ kinds: ['ThreeD'], signal: foreign })).hits).toHaveLength(1);
    const following = withDefaults('options', { signal: foreign }, { signal: undefined }).signal!;
    expect(AbortSignal.any([following]).aborted).toBe(false);
    Object.assign(foreign, { aborted: true, reason: 'enough' });
    events.dispatchEvent(new Event('abort'));
    expect([following.aborted, following.reason]).toEqual([true, 'enough']);
    expect((await failure(acme.put('b.stl', boxStl(1, 2, 4), { signal: foreign }))).code).toBe('ABORTED');
  }));

describe('put', () => {
  test('resolves with the indexed record of the bytes', () =>
    withCompany(async (acme) => {
      const bytes = boxStl(1, 2, 3);
      const record = await acme.put('brackets\\B-17.STL', bytes, { attributes: ['Material=Steel', 'Length(mm)=3'] });
      expect(record).toMatchObject({
        path: 'brackets/B-17.STL',
        displayName: 'B-17.STL',
        extension: '.stl',
        kind: 'ThreeD',
        state: 'indexed',
        error: null,
        byteLength: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        priority: 3,
        attributes: ['Material=Steel', 'Length(mm)=3'],
        triangleCount: 12,
        componentCount: 1,
      });
      expect(record.volumeMm3).toBeCloseTo(6, 4);
      expect(record.surfaceAreaMm2).toBeCloseTo(22, 4);
      expect(record.bboxSizeMm?.map((edge) => Math.round(edge * 1e4) / 1e4)).toEqual([3, 2, 1]);
      expect(await acme.get(record.uid)).toEqual(record);
      expect(await acme.status(record.uid)).toEqual({
        uid: record.uid,
        state: 'indexed',
        indexedAt: record.indexedAt,
        error: null,
      });
      expect(Buffer.from(await acme.bytes(record.uid)).equals(bytes)).toBe(true);
    }));

  test('takes a file by name or URL', () =>
    withCompany(async (acme) => {
      const file = join(folder, 'on-disk.stl');
      writeFileSync(file, boxStl(4, 5, 6));
      const byName = await acme.put('by-name.stl', file);
      const byUrl = await acme.put('by-url.stl', pathToFileURL(file));
      expect(byName).toMatchObject({ state: 'indexed', byteLength: 684 });
      expect(byUrl.sha256).toBe(byName.sha256);
      const missing = await failure(acme.put('missing.stl', join(folder, 'missing.stl')));
      expect(missing).toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ENOENT' } });
      expect(await acme.list()).toHaveLength(2);
    }));

  test('with wait: false resolves while the file is queued', () =>
    withCompany(async (acme, engine) => {
      const record = await acme.put('box.stl', boxStl(1, 1, 1), { wait: false });
      expect(record).toMatchObject({ state: 'queued', volumeMm3: null, bboxSizeMm: null, indexedAt: null });
      await engine.idle();
      expect(await acme.get(record.uid)).toMatchObject({ state: 'indexed', triangleCount: 12 });
    }));

  test('of a file that cannot be read resolves with its failure, and the engine goes on', () =>
    withCompany(async (acme) => {
      const bad = await acme.put('bad.stl', new TextEncoder().encode('this is no model of any kind'));
      expect(bad.state).toBe('failed');
      expect(bad.error?.message).toBeTruthy();
      expect((await acme.status(bad.uid)).error).toEqual(bad.error);
      expect((await acme.put('good.stl', boxStl(1, 1, 1))).state).toBe('indexed');
    }));

  test('of the same bytes again is the same record, not read again', () =>
    withCompany(async (acme) => {
      const first = await acme.put('box.stl', boxStl(1, 2, 3), { attributes: ['a=1'] });
      expect(await acme.put('box.stl', boxStl(1, 2, 3))).toEqual(first);
      expect(await acme.put('box.stl', boxStl(1, 2, 3), { attributes: ['b=2'] })).toEqual({
        ...first,
        attributes: ['b=2'],
      });
    }));

  test('of other bytes replaces the file under its UID and keeps its attributes', () =>
    withCompany(async (acme, engine) => {
      const first = await acme.put('box.stl', boxStl(1, 2, 3), { attributes: ['a=1'] });
      const second = await acme.put('box.stl', boxStl(2, 2, 3));
      expect(second).toMatchObject({ uid: first.uid, state: 'indexed', attributes: ['a=1'] });
      expect(second.volumeMm3).toBeCloseTo(12, 4);
      expect(await engine.stats()).toMatchObject({ files: 1, blobBytes: 684 });
    }));

  test('with overwrite: false gets the next free number', () =>
    withCompany(async (acme) => {
      const paths: string[] = [];
      for (let i = 0; i < 3; i++)
        paths.push((await acme.put('g/Gear.stl', boxStl(1, 2, 3), { overwrite: false })).path);
      expect(paths).toEqual(['g/Gear.stl', 'g/Gear(2).stl', 'g/Gear(3).stl']);
    }));

  test('under a UID replaces what has the UID and what has the path', () =>
    withCompany(async (acme) => {
      const a = await acme.put('a.stl', boxStl(1, 1, 1));
      const b = await acme.put('b.stl', boxStl(2, 1, 1));
      const moved = await acme.put('b.stl', boxStl(3, 1, 1), { uid: a.uid.toUpperCase() });
      expect(moved.uid).toBe(a.uid);
      expect((await acme.list()).map(({ path, uid }) => [path, uid])).toEqual([['b.stl', a.uid]]);
      expect((await failure(acme.get(b.uid))).code).toBe('FILE_UNKNOWN');
    }));

  test('calls that overlap leave the last one, whole', () =>
    withCompany(async (acme) => {
      const boxes = Array.from({ length: 20 }, (_, i) => boxStl(i + 1, 1, 1));
      const records = await Promise.all(boxes.map((bytes) => acme.put('box.stl', bytes)));
      const final = await acme.get(records[0].uid);
      expect(final.volumeMm3).toBeCloseTo(20, 3);
      expect(new Set(records.map(({ uid }) => uid)).size).toBe(1);
      expect(Buffer.from(await acme.bytes(final.uid)).equals(boxes[19])).toBe(true);
    }));

  test.each([[new Uint8Array(5 << 20)], [Buffer.alloc(5 << 20)]])(
    'stores what was hashed even if the caller changes the array meanwhile',
    (bytes) =>
      withCompany(async (acme, engine) => {
        const putting = acme.put('changing.stl', bytes, { wait: false });
        for (let i = 1; i <= 20; i++) {
          bytes.fill(i);
          await new Promise((resolve) => setImmediate(resolve));
        }
        const { uid, sha256 } = await putting;
        expect(
          createHash('sha256')
            .update(await acme.bytes(uid))
            .digest('hex'),
        ).toBe(sha256);
        expect((await engine.verify()).problems).toEqual([]);
      }),
  );

  test('refuses a file above limits.fileBytes and leaves nothing', () =>
    withCompany(
      async (acme, engine) => {
        const error = await failure(acme.put('box.stl', boxStl(1, 2, 3)));
        expect(error).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          details: { limit: 'fileBytes', allowed: 100, found: 684 },
        });
        expect(await acme.list()).toEqual([]);
        expect((await engine.verify({ repair: false })).problems).toEqual([]);
      },
      { limits: { fileBytes: 100 } },
    ));

  test('is undone by an abort before it is durable, and only left alone after', () =>
    withCompany(async (acme) => {
      expect((await failure(acme.put('a.stl', boxStl(1, 1, 1), { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
      expect(await acme.list()).toEqual([]);
      const controller = new AbortController();
      const putting = failure(acme.put('b.stl', boxStl(2, 1, 1), { signal: controller.signal }));
      while ((await acme.list()).length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      const error = await putting;
      expect(error.code).toBe('ABORTED');
      const again = await acme.put('b.stl', boxStl(2, 1, 1));
      expect(again).toMatchObject({ uid: error.details['uid'], state: 'indexed' });
    }));

  test.each([
    ['path', () => ['', boxStl(1, 1, 1)]],
    ['path', () => ['a/../b.stl', boxStl(1, 1, 1)]],
    ['path', () => [7, boxStl(1, 1, 1)]],
    ['path', () => ['a\u0000.stl', boxStl(1, 1, 1)]],
    ['path', () => ['x'.repeat(1025), boxStl(1, 1, 1)]],
    ['source', () => ['a.stl', 7]],
    ['source', () => ['a.stl', new URL('https://example.org/a.stl')]],
    ['priority', () => ['a.stl', boxStl(1, 1, 1), { priority: 5 }]],
    ['wait', () => ['a.stl', boxStl(1, 1, 1), { wait: 1 }]],
    ['uid', () => ['a.stl', boxStl(1, 1, 1), { uid: 'x' }]],
    ['attributes[0]', () => ['a.stl', boxStl(1, 1, 1), { attributes: ['no equals sign'] }]],
    ['put options.colour', () => ['a.stl', boxStl(1, 1, 1), { colour: 'red' }]],
  ])('names the wrong argument: %s', (name, args) =>
    withCompany(async (acme) => {
      const error: unknown = await failure((acme.put as (...args: unknown[]) => Promise<unknown>)(...args()));
      expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
      expect((error as Error).message).toContain(name);
      expect(await acme.list()).toEqual([]);
    }),
  );
});

describe('list and delete', () => {
  test('lists by path, in pages, by prefix and state', () =>
    withCompany(async (acme) => {
      const paths = ['a/1.stl', 'a/2.stl', 'a_.stl', 'b/é.stl', 'b/😀.stl'];
      for (const [i, path] of paths.entries()) await acme.put(path, boxStl(i + 1, 1, 1));
      await acme.put('bad.stl', new Uint8Array(10));
      const listed = async (options?: object): Promise<string[]> => (await acme.list(options)).map(({ path }) => path);
      expect(await listed({ state: 'indexed' })).toEqual(paths);
      expect(await listed({ state: 'failed' })).toEqual(['bad.stl']);
      expect(await listed({ prefix: 'a/' })).toEqual(['a/1.stl', 'a/2.stl']);
      expect(await listed({ prefix: 'b/' })).toEqual(['b/é.stl', 'b/😀.stl']);
      expect(await listed({ limit: 2, after: 'a/1.stl' })).toEqual(['a/2.stl', 'a_.stl']);
      await expect(acme.list({ limit: 0 })).rejects.toThrow(/list options.limit/);
    }));

  test('deletes the record, its shape and its bytes, once', () =>
    withCompany(async (acme, engine) => {
      const a = await acme.put('a.stl', boxStl(1, 2, 3));
      const twin = await acme.put('twin.stl', boxStl(1, 2, 3));
      await acme.delete(a.uid);
      expect((await acme.search({ like: { uid: twin.uid } })).hits.map(({ uid }) => uid)).toEqual([twin.uid]);
      expect((await acme.bytes(twin.uid)).length).toBe(684);
      for (const gone of [
        acme.get(a.uid),
        acme.status(a.uid),
        acme.bytes(a.uid),
        acme.delete(a.uid),
        acme.delete(UNKNOWN),
      ]) {
        expect((await failure(gone)).code).toBe('FILE_UNKNOWN');
      }
      await acme.delete(twin.uid);
      expect(await engine.stats()).toMatchObject({ files: 0, blobBytes: 0 });
      expect((await engine.verify({ repair: false })).problems).toEqual([]);
    }));

  test('a file deleted while its put waits ends the put', () =>
    withCompany(async (acme) => {
      const uid = '11111111-1111-4111-8111-111111111111';
      const slow = acme.put('slow.stl', boxStl(1, 1, 1));
      const putting = failure(acme.put('b.stl', boxStl(2, 1, 1), { uid }));
      while ((await acme.list()).length < 2) await new Promise((resolve) => setImmediate(resolve));
      await acme.delete(uid);
      expect((await putting).code).toBe('FILE_UNKNOWN');
      expect((await slow).state).toBe('indexed');
    }));
});

describe('companies', () => {
  test('see only their own files', () =>
    withCompany(async (acme, engine) => {
      const other = await engine.company('other');
      const mine = await acme.put('a.stl', boxStl(1, 2, 3));
      const theirs = await other.put('a.stl', boxStl(1, 2, 3), { uid: mine.uid });
      await acme.delete(mine.uid);
      expect(await other.get(theirs.uid)).toEqual(theirs);
      expect((await failure(acme.get(theirs.uid))).code).toBe('FILE_UNKNOWN');
      expect((await other.search({ like: { uid: theirs.uid } })).hits).toHaveLength(1);
      expect(await engine.companies()).toEqual(['acme', 'other']);
      expect((await engine.stats()).companies.map(({ name, files }) => [name, files])).toEqual([
        ['acme', 0],
        ['other', 1],
      ]);
      expect(await engine.company('acme')).toBe(acme);
      await expect(engine.company('')).rejects.toThrow(RangeError);
    }));
});

describe('search', () => {
  test('finds what was put, at once and after opening again', async () => {
    const library = newLibrary();
    let engine = await Engine.open(library, { workers: 1 });
    const a = await (await engine.company('acme')).put('a.stl', boxStl(10, 20, 30));
    await engine.close();
    engine = await Engine.open(library, { workers: 1 });
    const acme = await engine.company('acme');
    const b = await acme.put('b.stl', boxStl(10, 20, 30.5));
    const { hits } = await acme.search({ like: { uid: a.uid } });
    expect(hits.map(({ uid }) => uid)).toEqual([a.uid, b.uid]);
    const bytes = boxStl(30.5, 10, 20);
    const input = await acme.search({ like: { bytes, extension: 'stl' } });
    expect(input.hits[0].uid).toBe(b.uid);
    expect(bytes).toEqual(boxStl(30.5, 10, 20));
    await engine.close();
  });
});

describe('close', () => {
  test('twice is fine; every call after it fails with ENGINE_CLOSED', async () => {
    const engine = await Engine.open(newLibrary(), { workers: 1 });
    const acme = await engine.company('acme');
    const { uid } = await acme.put('a.stl', boxStl(1, 2, 3));
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
    const calls: (() => Promise<unknown>)[] = [
      () => acme.put('b.stl', boxStl(1, 2, 3)),
      () => acme.get(uid),
      () => acme.status(uid),
      () => acme.bytes(uid),
      () => acme.list(),
      () => acme.delete(uid),
      () => acme.search({ like: { uid } }),
      () => engine.company('acme'),
      () => engine.companies(),
      () => engine.stats(),
      () => engine.verify(),
      () => engine.reindex(),
      () => engine.idle(),
      async () => {
        for await (const step of acme.putFolder(folder)) void step;
      },
    ];
    for (const call of calls) expect((await failure(call())).code, String(call)).toBe('ENGINE_CLOSED');
  });

  test('while busy: what is durable stays queued and goes on at the next opening', async () => {
    const library = newLibrary();
    const engine = await Engine.open(library, { workers: 1 });
    const acme = await engine.company('acme');
    const waiting = Array.from({ length: 30 }, (_, i) => failure(acme.put(`${i}.stl`, boxStl(i + 1, 1, 1))));
    while ((await acme.list()).length < 10) await new Promise((resolve) => setImmediate(resolve));
    await engine.close();
    const errors = await Promise.allSettled(waiting);
    for (const { status, value } of errors as PromiseFulfilledResult<EngineError>[]) {
      if (status === 'fulfilled') expect(value.code).toBe('ENGINE_CLOSED');
    }
    const again = await Engine.open(library, { workers: 1 });
    await again.idle();
    const records = await (await again.company('acme')).list();
    expect(records).toHaveLength(30);
    expect(records.every(({ state }) => state === 'indexed')).toBe(true);
    expect((await again.verify()).problems).toEqual([]);
    await again.close();
  });

  test('is what `await using` calls', async () => {
    const library = newLibrary();
    const engine = await Engine.open(library);
    await engine[Symbol.asyncDispose]();
    await (await Engine.open(library)).close();
  });
});

describe('limits', () => {
  test('a file that takes too long fails with TIMEOUT, the next is read', () =>
    withCompany(
      async (acme) => {
        const triangles = 400_000;
        const large = new Uint8Array(84 + 50 * triangles);
        const view = new DataView(large.buffer);
        view.setUint32(80, triangles, true);
        // Small triangles here and there: a surface that lies over itself would be refused before it is drawn.
        for (let i = 0; i < 9 * triangles; i++) {
          const middle = 50 * Math.sin(7.13 * Math.floor(i / 9) + 2.1 * (i % 3));
          view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), middle + Math.sin(i), true);
        }
        const slow = await acme.put('slow.stl', large);
        expect(slow).toMatchObject({ state: 'failed', error: { code: 'TIMEOUT' } });
        expect((await acme.put('box.stl', boxStl(1, 1, 1))).state).toBe('indexed');
        // The first takes some ten seconds, the box some milliseconds: on a busy machine too.
      },
      { limits: { timeoutMs: 2_000 } },
    ));

  test.each([
    [{ workers: 0 }, 'options.workers'],
    [{ limits: { depth: -1 } }, 'options.limits.depth'],
    [{ limits: { timeoutMs: 3e9 } }, 'options.limits.timeoutMs'],
    [{ toString: 1 }, 'toString'],
    [{ wrokers: 1 }, 'wrokers'],
    [{ limits: { deep: 1 } }, 'deep'],
    [{ defaultUnit: 'mile' }, 'options.defaultUnit'],
    [{ attempts: '3' }, 'options.attempts'],
  ])('a wrong option is named: %o', async (options, name) => {
    await expect(Engine.open(newLibrary(), options as never)).rejects.toThrow(name);
  });
});

describe('reindex', () => {
  test('reads all files again, failed ones too, and keeps them searchable', () =>
    withCompany(async (acme, engine) => {
      const box = await acme.put('a.stl', boxStl(1, 2, 3));
      await acme.put('bad.stl', new Uint8Array(100));
      expect(await engine.reindex()).toBe(0);
      expect(await engine.reindex({ only: 'all' })).toBe(2);
      expect((await acme.get(box.uid)).state).toBe('indexed');
      await engine.idle();
      expect((await acme.get(box.uid)).indexedAt!.getTime()).toBeGreaterThan(box.indexedAt!.getTime());
      expect((await acme.list({ state: 'failed' })).map(({ path }) => path)).toEqual(['bad.stl']);
    }));
});
