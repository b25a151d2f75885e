import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import type { EngineError } from '../../dist/index.js';
import type { Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { inStore, putTexts, stored, verified } from './library-with-lost-files.js';

const folder = temporaryFolder();
const { rm, open } = fs.promises;
const { exec } = Database.prototype;
let libraries = 0;

/** Which commits fail. */
let refusesCommit = (): boolean => false;
Database.prototype.exec = function (this: Database.Database, sql: string) {
  if (sql === 'COMMIT' && refusesCommit()) {
    exec.call(this, 'ROLLBACK');
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
  }
  return exec.call(this, sql);
};

afterEach(() => {
  refusesCommit = () => false;
  fs.promises.rm = rm;
  fs.promises.open = open;
  syncBuiltinESMExports();
});

const refused = (): Error => Object.assign(new Error('i/o error'), { code: 'EIO' });

/** From now on, removing a path that matches fails. */
function refuseRemoving(path: RegExp): void {
  fs.promises.rm = async (file, options) => {
    if (path.test(String(file))) throw refused();
    return rm(file, options);
  };
  syncBuiltinESMExports();
}

/** From now on, syncing a path that matches fails. */
function refuseSyncing(path: RegExp): void {
  fs.promises.open = async (file, flags, mode) => {
    const handle = await open(file, flags, mode);
    if (path.test(String(file))) handle.sync = () => Promise.reject(refused());
    return handle;
  };
  syncBuiltinESMExports();
}

const failing = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'resolved',
    (cause: EngineError) => cause.code,
  );

const SHARD = /blobs[\\/][0-9a-f]{2}$/;
const BLOB = /blobs[\\/][0-9a-f]{2}[\\/][0-9a-f]{62}$/;

const drafts = (library: string): string[] =>
  fs.readdirSync(join(library, 'blobs')).filter((name) => name.startsWith('draft-'));

const remove = async (store: Library): Promise<void> => {
  const companyId = await store.company('acme');
  const [{ uid }] = await store.files.list({ companyId, prefix: '', after: '', limit: 1 });
  await store.remove(companyId, uid);
};

test.each([
  [
    'the removal of bytes',
    async (store: Library) => {
      await putTexts(store, 1, 2);
      refuseRemoving(BLOB);
      await remove(store);
    },
  ],
  [
    'the sync after a rename, and the removal after that',
    async (store: Library) => {
      refuseSyncing(SHARD);
      refuseRemoving(BLOB);
      expect(await failing(putTexts(store, 1, 2))).toBe('STORAGE_FAILED');
    },
  ],
  [
    'the removal of a draft',
    async (store: Library) => {
      await putTexts(store, 1, 2);
      refuseRemoving(/draft-/);
      await putTexts(store, 1, 2);
      fs.promises.rm = rm;
      syncBuiltinESMExports();
      await remove(store);
    },
  ],
  [
    'every commit of a put and after it',
    async (store: Library) => {
      await store.company('acme');
      refusesCommit = () => true;
      expect(await failing(putTexts(store, 1, 2))).toBe('STORAGE_FAILED');
      refusesCommit = () => false;
    },
  ],
])('bytes that stay because the disk refuses %s are found at the next opening', async (_what, harm) => {
  const library = join(folder, `library-${libraries++}`);
  await inStore(library, (store) => putTexts(store, 0, 1).then(() => remove(store)));
  await inStore(library, harm);
  fs.promises.rm = rm;
  fs.promises.open = open;
  syncBuiltinESMExports();
  await inStore(library, async (store) => {
    expect(stored(library).blobs).toEqual([]);
    expect(drafts(library)).toEqual([]);
    expect((await verified(store)).problems).toEqual([]);
  });
});

test('bytes of a put whose commit failed once are removed at once', async () => {
  const library = join(folder, `library-${libraries++}`);
  await inStore(library, async (store) => {
    await store.company('acme');
    let refusals = 1;
    refusesCommit = () => refusals-- > 0;
    expect(await failing(putTexts(store, 1, 2))).toBe('STORAGE_FAILED');
    expect(stored(library)).toEqual({ blobs: [], lost: [] });
    await putTexts(store, 1, 2);
    expect((await verified(store)).problems).toEqual([]);
  });
});

test('a delete resolves although the disk refuses to remove the bytes', async () => {
  const library = join(folder, `library-${libraries++}`);
  await inStore(library, async (store) => {
    await putTexts(store, 1, 2);
    refuseRemoving(BLOB);
    await remove(store);
    expect(stored(library).blobs).toHaveLength(1);
  });
});

test('a put that is refused removes no bytes that were there before it, in blobs or lost+found', async () => {
  const library = join(folder, 'earlier');
  await inStore(library, (store) => putTexts(store, 0, 1));
  const older = fs.readFileSync(join(library, 'catalog.sqlite'));
  await inStore(library, (store) => putTexts(store, 1, 2));
  // An older catalogue that cannot be told: its mark is missing, and it was left tidy.
  fs.writeFileSync(join(library, 'catalog.sqlite'), older);
  fs.rmSync(join(library, 'catalog.mark'));
  const before = stored(library);
  expect(before.blobs).toHaveLength(2);
  const putRefused = async (store: Library): Promise<void> => {
    await store.company('acme');
    refusesCommit = () => true;
    expect(await failing(putTexts(store, 1, 2))).toBe('STORAGE_FAILED');
    refusesCommit = () => false;
  };
  await inStore(library, async (store) => {
    await putRefused(store);
    expect(stored(library)).toEqual(before);
    await verified(store);
    expect(stored(library).lost).toHaveLength(1);
    await putRefused(store);
    expect(stored(library).lost).toHaveLength(1);
    await putTexts(store, 1, 2);
    expect(stored(library)).toEqual({ blobs: expect.arrayContaining(before.blobs) as string[], lost: [] });
  });
});
