import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  Engine,
  type Company,
  type EngineError,
  type PutFolderOptions,
  type PutFolderProgress,
} from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let folders = 0;

/** A folder with these files, a library and its company. */
async function withFolder(
  files: Record<string, Uint8Array>,
  body: (acme: Company, cad: string, engine: Engine) => Promise<void>,
): Promise<void> {
  const cad = join(folder, `cad-${folders++}`);
  mkdirSync(cad);
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(cad, path, '..'), { recursive: true });
    writeFileSync(join(cad, path), bytes);
  }
  const engine = await Engine.open(join(folder, `library-${folders++}`), { workers: 2 });
  try {
    await body(await engine.company('acme'), cad, engine);
  } finally {
    await engine.close();
  }
}

async function steps(acme: Company, cad: string, options?: PutFolderOptions): Promise<PutFolderProgress[]> {
  const all: PutFolderProgress[] = [];
  for await (const step of acme.putFolder(cad, options)) all.push(step);
  return all;
}
const boxes = (count: number): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${i % 3}/box-${String(i).padStart(3, '0')}.stl`, boxStl(i + 1, 2, 3)]),
  );

test('puts all files of known kinds of a folder and counts them', () =>
  withFolder(
    {
      ...boxes(6),
      'part.xyz': new Uint8Array(10),
      'bad.stl': new Uint8Array(10),
      noextension: new Uint8Array(3),
    },
    async (acme, cad) => {
      const all = await steps(acme, cad, { attributes: ['Source=folder'], prefix: 'cad' });
      expect(all).toHaveLength(8);
      expect(all[0].leftOut).toEqual([
        { extension: '', files: 1 },
        { extension: '.xyz', files: 1 },
      ]);
      expect(all[1].leftOut).toBeUndefined();
      expect(all[0]).toMatchObject({
        done: 0,
        failed: 0,
        skipped: 0,
        total: 7,
        bytes: 0,
        bytesTotal: 6 * 684 + 10,
        remainingS: null,
      });
      const last = all.at(-1)!;
      expect(last).toMatchObject({ done: 6, failed: 1, skipped: 0, total: 7, bytes: 6 * 684 + 10, remainingS: 0 });
      expect(last.ratePerS).toBeGreaterThan(0);
      expect(
        all
          .slice(1)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(['bad.stl', ...Object.keys(boxes(6))].map((path) => `cad/${path}`).sort());
      const failed = all.find(({ error }) => error !== undefined)!;
      expect(failed.path).toBe('cad/bad.stl');
      expect(failed.record?.state).toBe('failed');
      all.slice(1).forEach((step, i) => expect(step.done + step.failed + step.skipped).toBe(i + 1));
      const records = await acme.list({ state: 'indexed' });
      expect(records).toHaveLength(6);
      expect(records.every(({ attributes }) => attributes.join() === 'Source=folder')).toBe(true);
    },
  ));

test('with resume skips what is indexed: by size and time, or by its bytes', () =>
  withFolder(boxes(5), async (acme, cad, engine) => {
    await steps(acme, cad);
    expect((await steps(acme, cad, { resume: true })).at(-1)).toMatchObject({
      done: 0,
      skipped: 5,
      failed: 0,
      remainingS: null,
    });
    utimesSync(join(cad, '0/box-000.stl'), new Date(), new Date(Date.now() + 60_000));
    writeFileSync(join(cad, '1/box-001.stl'), boxStl(99, 2, 3));
    const again = await steps(acme, cad, { resume: true });
    expect(again.at(-1)).toMatchObject({ done: 1, replaced: 1, skipped: 4 });
    expect(again.find(({ record }) => record?.path === '1/box-001.stl')?.record?.volumeMm3).toBeCloseTo(594, 2);
    expect((await steps(acme, cad)).at(-1)).toMatchObject({ done: 5, replaced: 0, skipped: 0 });
    expect((await engine.stats()).files).toBe(5);
  }));

test('with resume skips what is indexed, however its name is spelled', () =>
  withFolder(boxes(1), async (acme, cad) => {
    writeFileSync(join(cad, 'Gro\u0308\u00dfe.stl'), boxStl(7, 2, 3)); // As a Mac writes it.
    expect((await steps(acme, cad, { resume: true })).at(-1)).toMatchObject({ done: 2, skipped: 0 });
    expect((await steps(acme, cad, { resume: true })).at(-1)).toMatchObject({ done: 0, skipped: 2 });
  }));

test('mirrors the folder also where the company keeps files of taken paths', () =>
  withFolder(boxes(2), async (acme, cad) => {
    await acme.settings.set({ overwriteFiles: false });
    await steps(acme, cad, { resume: true });
    const before = await acme.list();
    for (const size of [50, 60]) {
      writeFileSync(join(cad, '0/box-000.stl'), boxStl(size, 2, 3));
      expect((await steps(acme, cad, { resume: true })).at(-1)).toMatchObject({ done: 1, skipped: 1 });
      expect((await steps(acme, cad, { resume: true })).at(-1)).toMatchObject({ done: 0, skipped: 2 });
    }
    expect((await acme.list()).map(({ path, uid }) => ({ path, uid }))).toEqual(
      before.map(({ path, uid }) => ({ path, uid })),
    );
  }));

test('leaving the loop stops it; what is durable stays, and a second run resumes', () =>
  withFolder(boxes(40), async (acme, cad, engine) => {
    for await (const { done } of acme.putFolder(cad, { inFlight: 4 })) if (done === 10) break;
    const { files, states } = await engine.stats();
    expect(states.indexed).toBeGreaterThanOrEqual(10);
    expect(files).toBeLessThanOrEqual(15);
    const last = (await steps(acme, cad, { resume: true })).at(-1)!;
    expect(last.done + last.skipped).toBe(40);
    expect(last.skipped).toBeGreaterThanOrEqual(10);
    expect((await engine.verify({ repair: false })).problems).toEqual([]);
  }));

test('an abort ends it with ABORTED', () =>
  withFolder(boxes(40), async (acme, cad, engine) => {
    const controller = new AbortController();
    let seen = 0;
    const running = (async () => {
      for await (const { done } of acme.putFolder(cad, { signal: controller.signal, inFlight: 4 }))
        if ((seen = done) === 5) controller.abort();
    })();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(seen).toBeGreaterThanOrEqual(5);
    expect((await engine.stats()).files).toBeLessThan(20);
    await expect(steps(acme, cad, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  }));

test('closing the engine ends it with ENGINE_CLOSED', () =>
  withFolder(boxes(20), async (acme, cad, engine) => {
    const error = await (async () => {
      for await (const { done } of acme.putFolder(cad)) if (done === 2) void engine.close();
    })().then(
      () => undefined,
      (cause: EngineError) => cause,
    );
    expect(error?.code).toBe('ENGINE_CLOSED');
  }));

test(
  'files and folders that cannot be read are counted and do not stop it',
  { skip: process.platform === 'win32' },
  () =>
    withFolder(boxes(3), async (acme, cad) => {
      symlinkSync(join(cad, 'nowhere.stl'), join(cad, 'dangling.stl'));
      symlinkSync(cad, join(cad, 'circle'));
      symlinkSync(join(cad, 'nowhere'), join(cad, 'lost'));
      execFileSync('mkfifo', [join(cad, 'pipe.stl')]);
      const closed = join(cad, '1/box-001.stl');
      chmodSync(closed, 0o000);
      const isSuperuser = process.getuid?.() === 0; // Whom no permission stops.
      const all = await steps(acme, cad);
      expect(all[0]).toMatchObject({
        leftOut: [],
        passedOver: { folderLinks: 1, outsideLinks: 0, brokenLinks: 1, special: 1 },
      });
      expect(all.at(-1)).toMatchObject(
        isSuperuser ? { done: 3, failed: 1, total: 4 } : { done: 2, failed: 2, total: 4 },
      );
      chmodSync(closed, 0o600);
    }),
);

test(
  'links out of the folder are counted and not read, unless they are to be followed',
  { skip: process.platform === 'win32' },
  () =>
    withFolder(boxes(2), async (acme, cad) => {
      const secret = `${cad}-secret`;
      mkdirSync(secret);
      writeFileSync(join(secret, 'plan.stl'), boxStl(7, 8, 9));
      symlinkSync(join(secret, 'plan.stl'), join(cad, 'plan.stl'));
      const [file] = await acme.list({ limit: 1 });
      expect(file).toBeUndefined();
      const all = await steps(acme, cad);
      expect(all[0]).toMatchObject({ total: 2, passedOver: { outsideLinks: 1 } });
      expect(all.at(-1)).toMatchObject({ done: 2, failed: 0 });
      const followed = await steps(acme, cad, { followLinks: true, resume: true });
      expect(followed[0]).toMatchObject({ total: 3, passedOver: { outsideLinks: 0 } });
      expect(followed.at(-1)).toMatchObject({ done: 1, skipped: 2 });
      await expect(steps(acme, cad, { followLinks: 'no' as unknown as boolean })).rejects.toThrow(/followLinks/);
    }),
);

test(
  'a link that comes in the place of a file or folder after the listing is not read',
  { skip: process.platform === 'win32' },
  () =>
    withFolder(
      { 'a.stl': boxStl(1, 2, 3), 'b.stl': boxStl(1, 2, 4), 'd/c.stl': boxStl(1, 2, 5) },
      async (acme, cad) => {
        const secret = `${cad}-secret`;
        mkdirSync(secret);
        writeFileSync(join(secret, 'c.stl'), boxStl(7, 8, 9));
        const all: PutFolderProgress[] = [];
        for await (const step of acme.putFolder(cad, { inFlight: 1 })) {
          if (all.push(step) > 1) continue;
          rmSync(join(cad, 'b.stl'));
          symlinkSync(join(secret, 'c.stl'), join(cad, 'b.stl'));
          rmSync(join(cad, 'd'), { recursive: true });
          symlinkSync(secret, join(cad, 'd'));
        }
        expect(all.slice(1).map(({ path, error }) => [path, error?.code])).toEqual([
          ['a.stl', undefined],
          ['b.stl', 'NOT_ALLOWED'],
          ['d/c.stl', 'NOT_ALLOWED'],
        ]);
        expect((await acme.list()).map(({ path }) => path)).toEqual(['a.stl']);
      },
    ),
);

// Other systems refuse such names.
test('a name that is no UTF-8 is said to be', { skip: process.platform !== 'linux' }, () =>
  withFolder(boxes(1), async (acme, cad) => {
    writeFileSync(
      Buffer.concat([Buffer.from(join(cad, 'bo')), Buffer.from([0xe9]), Buffer.from('te.stl')]),
      boxStl(1, 2, 3),
    );
    mkdirSync(Buffer.concat([Buffer.from(join(cad, 'd')), Buffer.from([0xfc])]));
    const errors = (await steps(acme, cad)).flatMap(({ path, error }) =>
      error === undefined ? [] : [[path, error.message]],
    );
    expect(errors).toEqual([
      ['bo\uFFFDte.stl', expect.stringContaining('not UTF-8')],
      ['d\uFFFD', expect.stringContaining('must be renamed')],
    ]);
  }),
);

test('a file that vanishes after the listing is a failure of its own', () =>
  withFolder(boxes(4), async (acme, cad) => {
    const all: PutFolderProgress[] = [];
    for await (const step of acme.putFolder(cad, { inFlight: 1 })) {
      if (all.length === 0) rmSync(join(cad, '2/box-002.stl'));
      all.push(step);
    }
    expect(all.at(-1)).toMatchObject({ done: 3, failed: 1 });
    expect(all.find(({ path }) => path === '2/box-002.stl')?.error).toMatchObject({ code: 'STORAGE_FAILED' });
  }));

test('an empty folder is one step; a missing one an error; a wrong option is named', () =>
  withFolder({}, async (acme, cad) => {
    expect(await steps(acme, cad)).toMatchObject([{ done: 0, total: 0 }]);
    await expect(steps(acme, join(cad, 'missing'))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      details: { errno: 'ENOENT' },
    });
    await expect(steps(acme, cad, { resmue: true } as never)).rejects.toThrow('resmue');
    await expect(steps(acme, cad, { inFlight: 0 })).rejects.toThrow('inFlight');
  }));

test('of two files that are one path in the library the first is put, the other reported', () =>
  withFolder(
    {
      'Mu\u0308ller.stl': boxStl(1, 2, 3),
      'M\u00fcller.stl': boxStl(2, 2, 3),
      'other.stl': boxStl(3, 2, 3),
    },
    async (acme, cad) => {
      for (const options of [{}, { resume: true }]) {
        const all = await steps(acme, cad, options);
        expect(all.at(-1)).toMatchObject({ failed: 1, total: 3 });
        const refused = all.find(({ error }) => error !== undefined)!;
        expect(refused).toMatchObject({
          path: 'M\u00fcller.stl',
          error: { code: 'CONFLICT', message: expect.stringContaining('Mu\u0308ller.stl') },
        });
        expect((await acme.find('M\u00fcller.stl'))?.bboxSizeMm).toEqual([3, 2, 1]);
      }
    },
  ));
