import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Engine, type Company, type EngineError, type EngineOptions } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let libraries = 0;
const newLibrary = (): string => join(folder, `library-${libraries++}`);

async function withCompany(
  body: (company: Company, engine: Engine) => Promise<void>,
  options: Partial<EngineOptions> = {},
  library = newLibrary(),
): Promise<void> {
  const engine = await Engine.open(library, { workers: 1, ...options });
  try {
    await body(await engine.company('acme'), engine);
  } finally {
    await engine.close();
  }
}

const failure = async (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(
    () => Promise.reject(new Error('resolved, expected a failure')),
    (error: EngineError) => error,
  );

describe('search inputs', () => {
  test('are searched with, but neither listed nor counted nor found', () =>
    withCompany(async (acme, engine) => {
      const stored = await acme.put('box.stl', boxStl(1, 2, 3));
      const input = await acme.putInput(boxStl(3, 2, 1), { extension: 'stl', owner: 'ada' });
      expect(input).toMatchObject({
        state: 'indexed',
        owner: 'ada',
        kind: 'ThreeD',
        extension: '.stl',
        path: `${input.uid}.stl`,
        indexAssemblyComponents: false,
      });
      expect((await acme.list()).map(({ uid }) => uid)).toEqual([stored.uid]);
      expect(await engine.stats()).toMatchObject({ files: 1, companies: [{ name: 'acme', files: 1 }] });
      expect(await engine.companies()).toEqual(['acme']);
      const { hits, total, inputs } = await acme.search({ like: { uid: input.uid } });
      expect(hits.map(({ uid, matchClass }) => ({ uid, matchClass }))).toEqual([
        { uid: stored.uid, matchClass: 'identical' },
      ]);
      expect({ total, uid: inputs[0].uid }).toEqual({ total: 1, uid: input.uid });
      expect((await acme.search({ like: { uid: stored.uid }, within: [input.uid] })).total).toBe(0);
      expect(await acme.get(input.uid)).toMatchObject({ uid: input.uid, state: 'indexed' });
      expect(Buffer.from(await acme.bytes(input.uid)).equals(boxStl(3, 2, 1))).toBe(true);
      expect((await acme.thumbnail(input.uid, { size: 64 })).length).toBeGreaterThan(100);
      expect(await acme.input(stored.uid)).toBeUndefined();
      await acme.delete(input.uid);
      expect((await failure(acme.status(input.uid))).code).toBe('FILE_UNKNOWN');
      expect((await failure(acme.delete(input.uid))).code).toBe('FILE_UNKNOWN');
      expect((await acme.get(stored.uid)).state).toBe('indexed');
    }));

  test('are of one company alone', () =>
    withCompany(async (acme, engine) => {
      const { uid } = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl' });
      const other = await engine.company('other');
      expect(await other.input(uid)).toBeUndefined();
      expect((await failure(other.get(uid))).code).toBe('FILE_UNKNOWN');
      expect((await failure(other.search({ like: { uid } }))).code).toBe('FILE_UNKNOWN');
    }));

  test('with wait: false cannot be searched with until they are indexed', () =>
    withCompany(async (acme, engine) => {
      const input = await acme.putInput(boxStl(1, 2, 3), {
        extension: '.stl',
        wait: false,
        indexAssemblyComponents: true,
      });
      expect(input).toMatchObject({ state: 'queued', owner: null, indexAssemblyComponents: true });
      expect((await failure(acme.search({ like: { uid: input.uid } }))).code).toBe('FILE_NOT_INDEXED');
      await engine.idle();
      expect((await acme.status(input.uid)).state).toBe('indexed');
      const bad = await acme.putInput(new Uint8Array(2000).fill(65), { extension: '.step', wait: false });
      await engine.idle();
      expect(await acme.status(bad.uid)).toMatchObject({ state: 'failed', indexedAt: null });
    }));

  test('go before stored files that wait', () =>
    withCompany(async (acme, engine) => {
      const stored = await Promise.all(
        Array.from({ length: 60 }, (_, i) => i + 1).map((size) =>
          acme.put(`${size}.stl`, boxStl(size, 1, 1), { wait: false }),
        ),
      );
      const input = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl' });
      expect((await acme.status(stored[59].uid)).state).toBe('queued');
      await engine.idle();
      expect((await acme.get(input.uid)).state).toBe('indexed');
    }));

  test('do not take the UID of a stored file or of another owner, and give way to a stored file', () =>
    withCompany(async (acme) => {
      const uid = '11111111-2222-4333-8444-555555555555';
      const first = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl', owner: 'ada', uid });
      expect((await failure(acme.putInput(boxStl(1, 1, 1), { extension: '.stl', owner: 'bob', uid }))).code).toBe(
        'UID_TAKEN',
      );
      const again = await acme.putInput(boxStl(1, 1, 1), { extension: '.stl', owner: 'ada', uid: uid.toUpperCase() });
      expect(again.sha256).not.toBe(first.sha256);
      const stored = await acme.put('stored.stl', boxStl(4, 4, 4), { uid });
      expect(await acme.input(uid)).toBeUndefined();
      expect((await acme.get(uid)).path).toBe(stored.path);
      expect((await failure(acme.putInput(boxStl(1, 1, 1), { extension: '.stl', owner: 'ada', uid }))).code).toBe(
        'UID_TAKEN',
      );
    }));

  test('end after their time, also when the library was closed meanwhile', async () => {
    const library = newLibrary();
    let uid = '';
    await withCompany(
      async (acme, engine) => {
        const input = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl', wait: false });
        while ((await acme.input(input.uid)) !== undefined) await sleep(50);
        expect((await engine.stats()).blobBytes).toBe(0);
        ({ uid } = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl', wait: false }));
      },
      { inputTtlMs: 300 },
      library,
    );
    // A later day: the input is past its time when the library is opened. Timers go on as they are.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    await withCompany(
      async (_, engine) => {
        // One that was not read yet is read first: somebody may wait for it.
        await engine.idle();
      },
      {},
      library,
    );
    await withCompany(
      async (acme) => {
        while ((await acme.input(uid)) !== undefined) await sleep(50);
      },
      {},
      library,
    );
  });

  test('take a stream; what the stream throws is thrown, and nothing stays', () =>
    withCompany(async (acme, engine) => {
      async function* pieces(bytes: Uint8Array, broken: boolean): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
        if (broken) throw new RangeError('the line went dead');
      }
      expect((await acme.putInput(pieces(boxStl(1, 2, 3), false), { extension: '.stl' })).state).toBe('indexed');
      const { blobBytes } = await engine.stats();
      expect((await failure(acme.putInput(pieces(boxStl(3, 3, 3), true), { extension: '.stl' }))).message).toBe(
        'the line went dead',
      );
      expect((await engine.stats()).blobBytes).toBe(blobBytes);
    }));

  test('refuse an extension that is a path', () =>
    withCompany(async (acme) => {
      await expect(acme.putInput(boxStl(1, 2, 3), { extension: './../x.stl' })).rejects.toThrow(RangeError);
      await expect(acme.putInput(boxStl(1, 2, 3), {} as never)).rejects.toThrow(TypeError);
    }));
});
