import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs, { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import type { Files } from '../../dist/store/catalog/files.js';
import type { Writes } from '../../dist/store/database/writes.js';
import { BlobStore } from '../../dist/store/disk/blobs.js';
import { LostAndFound } from '../../dist/store/disk/lost-and-found.js';
import type { Pictures } from '../../dist/store/disk/pictures.js';
import { OwnedBlobs } from '../../dist/store/owned-blobs.js';
import { temporaryFolder } from '../fixtures/folder.js';
import {
  catalog,
  inStore,
  listOf,
  putTexts,
  stored,
  text,
  verified,
  withOlderCatalogue,
} from './library-with-lost-files.js';

const folder = temporaryFolder();
let libraries = 0;
const newLibrary = (): string => join(folder, `library-${libraries++}`);
const open = (library: string): Promise<Engine> => Engine.open(library, { workers: 1 });

/** Does `work` on the company of a library, and closes the library. */
async function inCompany(library: string, work: (company: Company, engine: Engine) => Promise<void>): Promise<void> {
  const engine = await open(library);
  try {
    await work(await engine.company('acme'), engine);
  } finally {
    await engine.close();
  }
}

describe('a catalogue that is older than its blobs', () => {
  test('costs none of them: they are moved and listed, and it is told', async () => {
    const { library, newer } = await withOlderCatalogue(newLibrary());
    await inCompany(library, async (company, engine) => {
      expect(stored(library)).toMatchObject({ blobs: { length: 6 }, lost: { length: 4 } });
      for (const line of listOf(library)) {
        expect(Math.abs(Date.parse(line.at) - Date.now())).toBeLessThan(60_000);
        expect(line).toMatchObject({ what: 'blob', byteLength: 6, why: expect.stringContaining('older') as string });
      }
      expect(engine.warnings).toMatchObject([{ code: 'CATALOG_OLDER', message: expect.stringContaining('4 stored') }]);
      expect((await engine.stats()).warnings).toEqual([engine.warnings[0].message]);
      expect(await engine.verify()).toMatchObject({
        problems: [],
        catalogueIsOlder: true,
        lostAndFound: { count: 4, byteLength: 24, moved: 0, takenBack: 0, removed: 0 },
      });
      // Put again, a file is stored as ever, and no longer lost.
      const { uid } = await company.put('7.txt', text(7));
      expect(Buffer.from(await company.bytes(uid))).toEqual(text(7));
      expect(stored(library)).toMatchObject({ blobs: { length: 7 }, lost: { length: 3 } });
    });
    // It is still told at the next opening, until the newer catalogue is back: then nothing is lost.
    await inStore(library, async (store) => expect(store.warnings).toHaveLength(1));
    cpSync(newer, catalog(library));
    await inCompany(library, async (company, engine) => {
      for (const { uid, path } of await company.list())
        expect(Buffer.from(await company.bytes(uid))).toEqual(text(Number(path.replace('.txt', ''))));
      expect(await company.list()).toHaveLength(10);
      expect(await engine.verify()).toMatchObject({
        problems: [],
        catalogueIsOlder: false,
        lostAndFound: { count: 0 },
      });
      expect(existsSync(join(library, 'lost+found'))).toBe(false);
    });
  });

  test('keeps what it deletes, because the newer one may name it', async () => {
    const { library, newer } = await withOlderCatalogue(newLibrary());
    await inCompany(library, async (company) => {
      const [{ uid, path }] = await company.list();
      await company.delete(uid);
      expect(path).toBe('0.txt');
      expect(stored(library)).toMatchObject({ blobs: { length: 6 }, lost: { length: 4 } });
    });
    await inCompany(library, async () => {
      expect(stored(library)).toMatchObject({ blobs: { length: 5 }, lost: { length: 5 } });
    });
    cpSync(newer, catalog(library));
    await inCompany(library, async (company, engine) => {
      expect(await company.list()).toHaveLength(10);
      for (const { uid, path } of await company.list())
        expect(Buffer.from(await company.bytes(uid))).toEqual(text(Number(path.replace('.txt', ''))));
      expect(await engine.verify()).toMatchObject({ problems: [] });
    });
  });

  test('is told until all that it did not name was put again', async () => {
    const { library } = await withOlderCatalogue(newLibrary());
    await inStore(library, async (store) => {
      await putTexts(store, 6, 9);
      expect(await verified(store)).toMatchObject({ catalogueIsOlder: true, lostAndFound: { count: 1 } });
      await putTexts(store, 9, 10);
      expect(await verified(store)).toMatchObject({
        problems: [],
        catalogueIsOlder: false,
        lostAndFound: { count: 0 },
      });
      expect(store.warnings).toEqual([]);
    });
    await inStore(library, async (store) => expect(store.warnings).toEqual([]));
  });

  test('is told where only names were lost, and no more when the newer one is back', async () => {
    const library = newLibrary();
    await inStore(library, (store) => putTexts(store, 0, 2));
    cpSync(catalog(library), `${library}-older`);
    await inStore(library, async (store) => {
      const companyId = await store.company('acme');
      const [{ uid }] = await store.files.list({ companyId, prefix: '', after: '', limit: 1 });
      await store.rename(companyId, uid, 'renamed.txt');
    });
    cpSync(catalog(library), `${library}-newer`);
    cpSync(`${library}-older`, catalog(library));
    for (let opening = 0; opening < 2; opening++)
      await inStore(library, async (store) => {
        expect(await verified(store)).toMatchObject({ catalogueIsOlder: true, lostAndFound: { count: 0 } });
      });
    cpSync(catalog(library), `${library}-between`);
    cpSync(`${library}-newer`, catalog(library));
    await inStore(library, async (store) => expect(store.warnings).toEqual([]));
    // What was put meanwhile is lost with the catalogue that took its place, and told of.
    cpSync(`${library}-between`, catalog(library));
    await inStore(library, async (store) => {
      expect(store.warnings).toHaveLength(1);
      await putTexts(store, 2, 3);
    });
    cpSync(`${library}-newer`, catalog(library));
    await inStore(library, async (store) => expect(store.warnings).toMatchObject([{ code: 'CATALOG_OLDER' }]));
    expect(stored(library)).toMatchObject({ blobs: { length: 2 }, lost: { length: 1 } });
  });

  test('is one whose write-ahead log was lost', async () => {
    const library = newLibrary();
    await inStore(library, (store) => putTexts(store, 0, 3));
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { Engine } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)});
        const engine = await Engine.open(${JSON.stringify(library)}, { workers: 1 });
        const company = await engine.company('acme');
        for (let i = 3; i < 8; i++) await company.put(i + '.txt', Buffer.from('text ' + i), { wait: false });
        process.kill(process.pid, 'SIGKILL');`,
      ],
      { stdio: 'inherit' },
    );
    await once(child, 'close');
    for (const end of ['-wal', '-shm']) rmSync(catalog(library) + end);
    await inStore(library, async (store) => {
      expect(store.warnings).toMatchObject([{ code: 'CATALOG_OLDER' }]);
      const { blobs, lost } = stored(library);
      expect(new Set([...blobs, ...lost]).size).toBe(8);
      expect(await verified(store)).toMatchObject({ problems: [], catalogueIsOlder: true });
    });
  });

  test('is not suspected after a kill, nor when its mark is missing', async () => {
    const library = newLibrary();
    await inStore(library, (store) => putTexts(store, 0, 3));
    rmSync(join(library, 'catalog.mark'));
    await inStore(library, async (store) => {
      expect(store.warnings).toEqual([]);
      const companyId = await store.company('acme');
      const [{ uid }] = await store.files.list({ companyId, prefix: '', after: '', limit: 1 });
      await store.remove(companyId, uid);
      expect(await verified(store)).toMatchObject({ problems: [], catalogueIsOlder: false });
    });
    await inStore(library, async (store) => expect(store.warnings).toEqual([]));
    expect(stored(library)).toMatchObject({ blobs: { length: 2 }, lost: [] });
  });
});

test('purge removes what lost+found holds, and the warning', async () => {
  const { library } = await withOlderCatalogue(newLibrary());
  await inCompany(library, async (_company, engine) => {
    await expect(engine.verify({ purge: true, repair: false })).rejects.toThrow(TypeError);
    expect(await engine.verify({ purge: true })).toMatchObject({
      problems: [],
      catalogueIsOlder: false,
      lostAndFound: { count: 0, removed: 4 },
    });
    expect(engine.warnings).toEqual([]);
  });
  expect(stored(library)).toMatchObject({ blobs: { length: 6 }, lost: [] });
});

test('what has been in lost+found for 30 days is removed at opening, but for what the catalogue names', async () => {
  const { library, newer } = await withOlderCatalogue(newLibrary());
  await inStore(library);
  const list = join(library, 'lost+found', 'list.jsonl');
  const age = (days: number): void => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    writeFileSync(
      list,
      listOf(library)
        .map((line) => `${JSON.stringify({ ...line, at })}\n`)
        .join(''),
    );
  };
  age(29.9);
  await inStore(library);
  expect(stored(library).lost).toHaveLength(4);
  age(30.1);
  cpSync(catalog(library), `${library}-still-older`);
  cpSync(newer, catalog(library));
  await inStore(library, async (store) => expect((await verified(store)).problems).toEqual([]));
  expect(stored(library)).toMatchObject({ blobs: { length: 10 }, lost: [] });
  cpSync(`${library}-still-older`, catalog(library));
  await inStore(library);
  age(30.1);
  await inStore(library);
  expect(stored(library)).toMatchObject({ blobs: { length: 6 }, lost: [] });
});

test('a missing or torn list is made again, and nothing is removed for it', async () => {
  const { library } = await withOlderCatalogue(newLibrary());
  await inStore(library);
  const list = join(library, 'lost+found', 'list.jsonl');
  const whole = readFileSync(list, 'utf8');
  for (const damaged of ['', whole.slice(0, whole.length / 2), '\0'.repeat(whole.length), undefined]) {
    if (damaged === undefined) rmSync(list);
    else writeFileSync(list, damaged);
    await inStore(library);
    expect(
      listOf(library)
        .map(({ hash }) => hash)
        .sort(),
    ).toEqual(stored(library).lost.sort());
    expect(stored(library).lost).toHaveLength(4);
  }
});

test('sound bytes in lost+found give no way to damaged ones of the same name', async () => {
  const library = newLibrary();
  await inStore(library, (store) => putTexts(store, 0, 1));
  const hash = createHash('sha256').update('spare').digest('hex');
  const place = join(library, 'blobs', hash.slice(0, 2));
  mkdirSync(place, { recursive: true });
  for (const content of ['spare', 'damaged']) {
    writeFileSync(join(place, hash.slice(2)), content);
    await inStore(library, async (store) => void (await verified(store)));
    const { lost } = stored(library);
    expect(lost).toHaveLength(1);
    expect(readFileSync(join(library, 'lost+found', lost[0]), 'utf8')).toBe('spare');
    expect(stored(library).blobs).toHaveLength(1);
  }
});

test('sound bytes in lost+found give no way to a blob that the system does not read, which stays', async () => {
  const library = newLibrary();
  await inStore(library, (store) => putTexts(store, 0, 1));
  const hash = createHash('sha256').update('spare').digest('hex');
  const place = join(library, 'blobs', hash.slice(0, 2));
  const blob = join(place, hash.slice(2));
  const kept = join(library, 'lost+found', hash);
  mkdirSync(place, { recursive: true });
  writeFileSync(blob, 'spare');
  await inStore(library, async (store) => void (await verified(store)));
  expect(readFileSync(kept, 'utf8')).toBe('spare');
  writeFileSync(blob, 'damaged');
  const { open } = fs.promises;
  Object.assign(fs.promises, {
    open: async (...args: Parameters<typeof open>) => {
      if (String(args[0]) === blob) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
      return open(...args);
    },
  });
  syncBuiltinESMExports();
  try {
    await inStore(library, async (store) => void (await verified(store)));
  } finally {
    Object.assign(fs.promises, { open });
    syncBuiltinESMExports();
  }
  expect([readFileSync(kept, 'utf8'), readFileSync(blob, 'utf8')]).toEqual(['spare', 'damaged']);
  // Read again, it is damaged, and there is a sound one.
  await inStore(library);
  expect([readFileSync(kept, 'utf8'), existsSync(blob)]).toEqual(['spare', false]);
});

test('while the disk refuses what the catalogue says, no bytes are removed, and the library is not left tidy', async () => {
  const library = newLibrary();
  const blobs = new BlobStore(join(library, 'blobs'), { fileBytesLimit: 1e6 });
  const draft = async (bytes: string) => blobs.draft(Buffer.from(bytes));
  mkdirSync(join(library, 'blobs'), { recursive: true });
  const stays = await draft('stays');
  await blobs.keep(stays);
  const gone = createHash('sha256').update('gone').digest('hex');
  mkdirSync(join(library, 'lost+found'));
  writeFileSync(join(library, 'lost+found', gone), 'gone');
  const lost = new LostAndFound(library);
  await lost.load(Date.now());
  let isOnDisk = false;
  const owned = new OwnedBlobs({
    ...{ blobs, lost, pictures: { remove: async () => undefined } as unknown as Pictures },
    files: { refers: () => false, named: () => new Set<string>() } as unknown as Files,
    writes: { settled: async () => isOnDisk } as unknown as Writes,
  });
  await owned.removeUnowned([stays.hash]);
  await expect(owned.removeLost({ now: Date.now() })).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(stored(library)).toEqual({ blobs: [stays.hash], lost: [gone] });
  expect(owned.tidyUp()).toBe(false);
  isOnDisk = true;
  await owned.removeUnowned([stays.hash]);
  expect(await owned.removeLost({ now: Date.now() })).toBe(1);
  expect(stored(library)).toEqual({ blobs: [], lost: [] });
});

test('a folder of that name that belongs to somebody else stays as it is', async () => {
  const library = newLibrary();
  mkdirSync(join(library, 'lost+found'), { recursive: true });
  writeFileSync(join(library, 'lost+found', '#12345'), 'of fsck');
  await inStore(library, (store) => putTexts(store, 0, 2));
  expect(readdirSync(join(library, 'lost+found'))).toEqual(['#12345']);
});
