import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { EngineError } from '../../dist/index.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let libraries = 0;
const newLibrary = (): string => join(folder, `library-${libraries++}`);
const open = (library: string): Promise<Library> => openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 10 });
const failure = async (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(
    () => Promise.reject(new Error('resolved, expected a failure')),
    (error: EngineError) => error,
  );
const RULES = {
  versions: { compact: 1, fine: 1, surface: 1, faces: 1, faceWords: 1 },
  lengths: { compact: 8 },
  contentVersion: 1,
};
const shape = (fill: number) => ({
  triangleCount: 1,
  componentCount: 1,
  volumeMm3: fill,
  bboxVolumeMm3: 2,
  bboxSizeMm: [1, 1, 2] as const,
  surfaceAreaMm2: 10,
  descriptors: {
    compact: { version: 1, bytes: new Uint8Array(8).fill(fill) },
    fine: { version: 1, bytes: new Uint8Array([fill]) },
    surface: { version: 1, bytes: new Uint8Array([fill]) },
    faces: { version: 1, bytes: new Uint8Array([fill]) },
    faceWords: { version: 1, bytes: new Uint8Array([fill]) },
  },
});
const indexed = (fill: number) => ({
  kind: 'ThreeD' as const,
  warnings: [],
  contentVersion: 1,
  faceCount: null,
  pageCount: null,
  pages: [],
  extracted: [],
  shape: shape(fill),
});

async function put(
  store: Library,
  path: string,
  text: string,
): Promise<{ fileId: number; uid: string; companyId: number }> {
  const companyId = await store.company('acme');
  const { fileId, uid } = await store.put({
    companyId,
    path,
    overwrite: true,
    textOnly: false,
    kind: 'ThreeD',
    priority: 3,
    source: new TextEncoder().encode(text),
  });
  return { fileId, uid, companyId };
}

/** A closed library of three indexed files. */
async function filledLibrary(): Promise<string> {
  const library = newLibrary();
  const store = await open(library);
  for (let i = 1; i <= 3; i++) await put(store, `${i}.stl`, `text ${i}`);
  for (const { fileId } of await store.jobs.claim(3, { idle: true }))
    await store.jobs.complete(fileId, indexed(fileId));
  await store.close();
  return library;
}

describe('lock', () => {
  test('a second opener, in this process or another, is told who has the library', async () => {
    const library = newLibrary();
    const store = await open(library);
    const error = await failure(open(library));
    expect(error.code).toBe('LIBRARY_LOCKED');
    expect(error.details['holder']).toMatchObject({ pid: process.pid });
    expect(error.message).toContain(`process ${process.pid}`);
    expect(await openInChild(library)).toMatchObject({ code: 'LIBRARY_LOCKED', pid: process.pid });
    await store.close();
    expect(await openInChild(library)).toEqual({ opened: true });
    expect(existsSync(join(library, 'holder.json'))).toBe(false);
  });

  test("a failed opening leaves the first holder's lock whole", async () => {
    const library = newLibrary();
    const store = await open(library);
    for (let i = 0; i < 3; i++) await failure(open(library));
    expect(await openInChild(library)).toMatchObject({ code: 'LIBRARY_LOCKED' });
    await store.close();
  });

  test('the lock ends with its process, killed or not', async () => {
    const library = newLibrary();
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `${openScript(library)} console.log('open'); setInterval(() => {}, 1000);`,
    ]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect((await failure(open(library))).details['holder']).toMatchObject({ pid: child.pid });
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    await (await open(library)).close();
  });
});

const openScript = (library: string): string => `
  const { openLibrary } = await import(${JSON.stringify(new URL('../../dist/library.js', import.meta.url).href)});
  const store = await openLibrary(${JSON.stringify(library)}, { fileBytesLimit: 1e6, crashLimit: 10 });`;

/** What a child process sees that opens a library: done, or the error's code and the holder's process. */
function openInChild(library: string): Promise<unknown> {
  const script = `try { ${openScript(library)} store.close(); console.log('{"opened":true}'); }
    catch (error) { console.log(JSON.stringify({ code: error.code, pid: error.details?.holder?.pid })); }`;
  return new Promise((resolve) => {
    let text = '';
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once('close', () => resolve(JSON.parse(text)));
  });
}

describe('a folder that is no sound library is refused and left as it is', () => {
  const catalog = (library: string): string => join(library, 'catalog.sqlite');

  test("somebody else's folder", async () => {
    const library = newLibrary();
    mkdirSync(library);
    writeFileSync(join(library, 'diary.txt'), 'mine');
    expect(await failure(open(library))).toMatchObject({ code: 'LIBRARY_UNREADABLE' });
    expect(readdirSync(library)).toEqual(['diary.txt']);
  });

  test('a file instead of a folder', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, 'mine');
    expect(await failure(open(file))).toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ENOTDIR' } });
    expect(await failure(open(join(file, 'below')))).toMatchObject({ code: 'STORAGE_FAILED' });
  });

  test.runIf(existsSync('/proc/self'))('a file system that takes no folders', async () => {
    for (const library of ['/proc/library', '/proc/self/deep/library'])
      expect(await failure(open(library))).toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ENOENT' } });
  });

  // Root may write everywhere.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('one that may not be written to', async () => {
    const library = newLibrary();
    await (await open(library)).close();
    chmodSync(library, 0o555);
    try {
      const error = await failure(open(library));
      expect(error).toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'EACCES' } });
      expect(error.message).toContain('must be writable');
    } finally {
      chmodSync(library, 0o755);
    }
  });

  // Mounting is for root, in a container that may.
  const remount = (library: string): string[] => [
    '-m',
    'sh',
    '-c',
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$0" --input-type=module -e "$2" "$1"',
    process.execPath,
    library,
    `const { Engine } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)});
     await Engine.open(process.argv[1]).catch(({ code, details }) => console.log(code, details.errno));`,
  ];
  test.skipIf(spawnSync('unshare', ['-m', 'true']).status !== 0)('one on a medium that takes no writes', async () => {
    const library = newLibrary();
    await (await open(library)).close();
    const { status, stdout, stderr } = spawnSync('unshare', remount(library), { encoding: 'utf8' });
    if (/mount: .*(?:permission|denied)/i.test(stderr)) return; // Namespaces, but no mounts.
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'STORAGE_FAILED EROFS\n', stderr: '' });
  });

  test("another program's database", async () => {
    const library = newLibrary();
    mkdirSync(library);
    new Database(catalog(library)).exec('CREATE TABLE theirs (x)').close();
    expect(await failure(open(library))).toMatchObject({ code: 'LIBRARY_UNREADABLE' });
  });

  test('a newer version', async () => {
    const library = await filledLibrary();
    new Database(catalog(library)).exec('PRAGMA user_version = 99').close();
    const error = await failure(open(library));
    expect(error).toMatchObject({ code: 'LIBRARY_UNREADABLE', details: { found: 99 } });
    expect(error.message).toContain('newer');
  });

  test.each([
    ['garbage', (file: string) => writeFileSync(file, 'x'.repeat(10_000)), 'LIBRARY_UNREADABLE'],
    ['a truncated catalogue', (file: string) => truncateSync(file, 12_288), 'LIBRARY_DAMAGED'],
    ['a catalogue cut within a page', (file: string) => truncateSync(file, 5_000), 'LIBRARY_DAMAGED'],
    ['an emptied catalogue', (file: string) => truncateSync(file, 0), 'LIBRARY_DAMAGED'],
    ['a missing catalogue', (file: string) => rmSync(file), 'LIBRARY_DAMAGED'],
    [
      'a catalogue whose middle was overwritten',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 4_096, bytes.length - 4_096);
        writeFileSync(file, bytes);
      },
      'LIBRARY_DAMAGED',
    ],
    [
      'a catalogue without its tables',
      (file: string) => {
        const database = new Database(file);
        database.exec('PRAGMA foreign_keys = OFF; DROP TABLE job; DROP TABLE compact');
        database.close();
      },
      'LIBRARY_DAMAGED',
    ],
  ])('%s', async (_what, damage, code) => {
    const library = await filledLibrary();
    const blobs = readdirSync(join(library, 'blobs'), { recursive: true }).length;
    damage(catalog(library));
    expect(await failure(open(library))).toMatchObject({ code });
    expect(readdirSync(join(library, 'blobs'), { recursive: true })).toHaveLength(blobs);
    // Nothing is left locked: the same failure again, not LIBRARY_LOCKED.
    expect(await failure(open(library))).toMatchObject({ code });
  });
});

describe('verify', () => {
  const blobOf = async (store: Library, companyId: number, uid: string): Promise<string> => {
    const { blob_hash: hash } = await store.files.row(companyId, uid);
    return join(store.blobs.folder, hash.slice(0, 2), hash.slice(2));
  };

  test('finds bytes that changed or are gone, and they are refused when read', async () => {
    const store = await open(await filledLibrary());
    const companyId = await store.company('acme');
    const [a, b] = await store.files.list({ companyId, prefix: '', after: '', limit: 10 });
    writeFileSync(await blobOf(store, companyId, a.uid), 'text !');
    renameSync(await blobOf(store, companyId, b.uid), join(folder, 'gone'));
    const steps: number[] = [];
    const report = await store.verify(RULES, {
      repair: true,
      onProgress: ({ done, total }) => steps.push(done / total),
    });
    expect(report.problems.map(({ code, path, company, repaired }) => [code, path, company, repaired]).sort()).toEqual([
      ['BLOB_CHANGED', a.path, 'acme', false],
      ['BLOB_MISSING', b.path, 'acme', false],
    ]);
    expect(steps).toEqual([1 / 3, 2 / 3, 1]);
    for (const { uid } of [a, b])
      expect((await failure(store.bytes(await store.files.row(companyId, uid)))).code).toBe('LIBRARY_DAMAGED');
    await store.close();
  });

  test('finds and mends missing or unfit descriptors and blobs without owner', async () => {
    const library = await filledLibrary();
    const database = new Database(join(library, 'catalog.sqlite'));
    database.exec(
      "DELETE FROM fine WHERE file_id = 1; UPDATE compact SET bytes = x'00' WHERE file_id = 2; UPDATE surface SET version = 0 WHERE file_id = 3",
    );
    database.close();
    const store = await open(library);
    mkdirSync(join(store.blobs.folder, '00'));
    writeFileSync(join(store.blobs.folder, '00', '0'.repeat(62)), "nobody's");
    const looked = await store.verify(RULES, { repair: false });
    expect(looked.problems.map(({ code }) => code)).toEqual([
      'DESCRIPTOR_STALE',
      'DESCRIPTOR_STALE',
      'DESCRIPTOR_STALE',
      'BLOB_UNOWNED',
    ]);
    expect(await store.jobs.length()).toBe(0);
    const mended = await store.verify(RULES, { repair: true });
    expect(mended.problems.every(({ repaired }) => repaired)).toBe(true);
    expect(mended.requeued.map(({ fileId }) => fileId)).toEqual([1, 2, 3]);
    expect(await store.jobs.length()).toBe(3);
    for (const { fileId } of await store.jobs.claim(3, { idle: true }))
      await store.jobs.complete(fileId, indexed(fileId));
    expect((await store.verify(RULES, { repair: true })).problems).toEqual([]);
    await store.close();
  });
});

test('descriptors of an older version are made again, once, when a library is opened', async () => {
  const store = await open(await filledLibrary());
  await store.jobs.reindexAfterUpgrade(RULES);
  expect(await store.jobs.length()).toBe(0);
  await store.jobs.reindexAfterUpgrade({ ...RULES, versions: { ...RULES.versions, fine: 2 } });
  expect(await store.jobs.length()).toBe(3);
  expect(await store.shapes.after(await store.company('acme'), 0)).toEqual([]);
  await store.close();
});

test('hands out descriptors of indexed files: all compact ones, and some whole', async () => {
  const store = await open(await filledLibrary());
  const companyId = await store.company('acme');
  await put(store, '4.stl', 'not indexed');
  const all = await store.shapes.after(companyId, 0);
  expect(await store.shapes.after(companyId, all[2].fileId)).toEqual([]);
  expect(await store.shapes.after(companyId, all[0].fileId)).toEqual(all.slice(1));
  expect(all.map(({ fileId, compact, volumeMm3 }) => [fileId, [...compact], volumeMm3])).toEqual(
    [1, 2, 3].map((id) => [id, new Array(8).fill(id), id]),
  );
  expect(all.map(({ bboxSizeMm }) => bboxSizeMm)).toEqual(new Array(3).fill([1, 1, 2]));
  expect(await store.shapes.fine([3, 4, 99, 1])).toEqual({ fileIds: [3, 1], bytes: Buffer.from([3, 1]) });
  expect(await store.shapes.descriptors('fine', [2, 4, 1])).toEqual([Buffer.from([2]), undefined, Buffer.from([1])]);
  expect(await store.shapes.descriptors('compact', [2, 4], 3)).toEqual([Buffer.from([2, 2, 2]), undefined]);
  await store.close();
});

test('fine descriptors come back as they are, whatever their bytes', async () => {
  const library = newLibrary();
  const store = await open(library);
  const companyId = await store.company('acme');
  const fine = Array.from({ length: 4 }, (_, i) =>
    Uint8Array.from({ length: 600 }, (_, k) => (i === 3 ? 0 : (k * (2 * i + 1) + 37 * i) % 256)),
  );
  for (let i = 0; i < fine.length; i++) await put(store, `${i}.stl`, `text ${i}`);
  for (const [i, { fileId }] of (await store.jobs.claim(fine.length, { idle: true })).entries()) {
    const { descriptors, ...figures } = shape(fileId);
    await store.jobs.complete(fileId, {
      ...indexed(fileId),
      shape: { ...figures, descriptors: { ...descriptors, fine: { version: 1, bytes: fine[i] } } },
    });
  }
  const ids = (await store.shapes.after(companyId, 0)).map(({ fileId }) => fileId);
  const order = [2, 0, 3, 1];
  expect(await store.shapes.fine(order.map((i) => ids[i]))).toEqual({
    fileIds: order.map((i) => ids[i]),
    bytes: Buffer.concat(order.map((i) => fine[i])),
  });
  new Database(join(library, 'catalog.sqlite'))
    .exec(`UPDATE fine SET bytes = x'0102' WHERE file_id = ${ids[1]}`)
    .close();
  await expect(store.shapes.fine(ids)).rejects.toThrow(/fine descriptors of 2 to 600 bytes/);
  await store.close();
});

test('a library whose disk refuses a write says so and stores nothing by halves', {
  skip: process.platform === 'win32',
}, async () => {
  const store = await open(newLibrary());
  const companyId = await store.company('acme');
  // A file where the blob's folder should be: refused even for the superuser, whom no permission stops.
  writeFileSync(join(store.blobs.folder, '98'), '');
  // Some text whose hash begins with that folder's name.
  let text = 0;
  while (!createHash('sha256').update(`hello ${text}`).digest('hex').startsWith('98')) text++;
  const error = await failure(put(store, 'a.stl', `hello ${text}`));
  expect(error.code).toBe('STORAGE_FAILED');
  expect(error.details['errno']).toMatch(/^(EEXIST|ENOTDIR)$/);
  expect(await store.files.list({ companyId, prefix: '', after: '', limit: 10 })).toEqual([]);
  expect((await store.blobs.list()).drafts).toEqual([]);
  await put(store, 'b.stl', 'another');
  expect(await store.files.list({ companyId, prefix: '', after: '', limit: 10 })).toHaveLength(1);
  await store.close();
});

test('a full disk refuses the put and leaves no bytes behind; with room again the same store goes on', async () => {
  const library = newLibrary();
  const { store, limitPages } = await openLimited(library);
  const companyId = await store.company('acme');
  limitPages(0);
  let stored = 0;
  let error: EngineError | undefined;
  while (error === undefined) {
    const result = await put(store, `${stored}.stl`, `${stored} ${'x'.repeat(50)}`).catch((cause: EngineError) => {
      error = cause;
    });
    if (result !== undefined) stored++;
  }
  expect(error).toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ENOSPC' } });
  expect(await store.files.list({ companyId, prefix: '', after: '', limit: 1e6 })).toHaveLength(stored);
  expect((await store.blobs.list()).hashes).toHaveLength(stored);
  limitPages(1e6);
  await put(store, `${stored}.stl`, 'with room again');
  expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
  await store.close();
});

/** A store whose catalogue can be kept from growing by so many pages, which SQLite reports as a full disk. */
async function openLimited(library: string): Promise<{ store: Library; limitPages: (more: number) => void }> {
  const { pragma } = Database.prototype;
  let catalog: Database.Database | undefined;
  Database.prototype.pragma = function (this: Database.Database, ...args: Parameters<typeof pragma>): unknown {
    catalog = this;
    return pragma.apply(this, args);
  };
  try {
    const store = await open(library);
    return {
      store,
      limitPages: (more) =>
        catalog!.pragma(`max_page_count = ${(catalog!.pragma('page_count', { simple: true }) as number) + more}`),
    };
  } finally {
    Database.prototype.pragma = pragma;
  }
}

test('makes the folders above a new library, and leaves nothing behind but what it holds', async () => {
  const library = join(folder, 'deep', 'deeper', 'library');
  const store = await open(library);
  await put(store, 'a.stl', 'text');
  await store.close();
  expect(readdirSync(library).sort()).toEqual(['blobs', 'catalog.mark', 'catalog.sqlite', 'lock.sqlite']);
});

test('an expired search input takes room as long as it waits to be read: it is removed only then', async () => {
  const store = await open(newLibrary());
  const companyId = await store.companyOfInputs(await store.company('acme'));
  const put = (path: string, expiresAt: number): Promise<{ fileId: number }> =>
    store.put({
      companyId,
      path,
      overwrite: true,
      textOnly: false,
      kind: 'ThreeD',
      priority: 3,
      input: { owner: 'ada', expiresAt, components: false },
      mostInputs: { count: 2, bytes: 1e6 },
      source: new TextEncoder().encode(path),
    });
  const past = Date.now() - 1_000;
  const { fileId } = await put('a.stl', past);
  await put('b.stl', past);
  const refused = await failure(put('c.stl', past));
  expect([refused.code, refused.details]).toEqual([
    'NOT_ALLOWED',
    { limit: 'inputsPerUser', allowed: 2, found: 2 }, // No time: none expires by itself.
  ]);
  // Both are still there; what was read and has expired counts for nobody.
  expect(await store.removeExpired(Date.now())).toEqual([]);
  await store.jobs.claim(2, { idle: true });
  await store.jobs.complete(fileId, indexed(1));
  await put('c.stl', past);
  await store.close();
});
