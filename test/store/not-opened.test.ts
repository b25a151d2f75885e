import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { Engine, type EngineError, verifyClosed } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';

/** What is said of a library that does not open, by its opening, its check, a backup and a rescue. */

const folder = temporaryFolder();
const sound = join(folder, 'sound');
let copies = 0;

function copyOf(library: string): string {
  const copy = join(folder, `copy-${copies++}`);
  cpSync(library, copy, { recursive: true });
  return copy;
}

async function refusalOf(library: string): Promise<EngineError> {
  return Engine.open(library, { workers: 1 }).then(
    () => Promise.reject(new Error('it opened')),
    (cause: unknown) => cause as EngineError,
  );
}

beforeAll(async () => {
  const engine = await Engine.open(sound, { workers: 1 });
  await (await engine.company('acme')).put('notes/a.txt', Buffer.from('a flange'), { wait: false });
  await engine.close();
}, 60_000);

test('a library of a newer version is called that by its check, and not damaged', async () => {
  const library = copyOf(sound);
  new Database(join(library, 'catalog.sqlite')).exec('PRAGMA user_version = 999').close();
  const refused = await refusalOf(library);
  expect(refused.code).toBe('LIBRARY_UNREADABLE');
  const { problems, blobsChecked } = await verifyClosed(library, refused);
  expect(problems).toEqual([{ code: 'LIBRARY_UNREADABLE', message: refused.message, repaired: false }]);
  expect(problems[0].message).toContain('written by a newer engine');
  expect(blobsChecked).toBe(0);
});

test("another program's folder `blobs` makes no library", async () => {
  const library = join(folder, 'theirs');
  mkdirSync(join(library, 'blobs', 'photos'), { recursive: true });
  const refused = await refusalOf(library);
  expect(refused).toMatchObject({
    code: 'LIBRARY_UNREADABLE',
    message: expect.stringContaining('"blobs/photos"') as string,
  });
  await expect(verifyClosed(library, refused)).rejects.toBe(refused);
  expect(readdirSync(library)).toEqual(['blobs']);
});

test('the bytes of a library without its catalogue are still checked', async () => {
  const library = copyOf(sound);
  rmSync(join(library, 'catalog.sqlite'));
  const report = await verifyClosed(library, await refusalOf(library));
  expect(report).toMatchObject({ blobsChecked: 1, problems: [{ code: 'CATALOG_DAMAGED' }] });
});

const NO_FILES: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => mkdirSync(path),
  ...(process.platform !== 'win32' && { 'a pipe': (path) => execFileSync('mkfifo', [path]) }),
};

test.each(Object.keys(NO_FILES))('%s in the place of catalog.mark is named, and what to do', async (kind) => {
  const library = copyOf(sound);
  const mark = join(library, 'catalog.mark');
  rmSync(mark);
  NO_FILES[kind](mark);
  const refused = await refusalOf(library);
  expect(refused).toMatchObject({
    code: 'LIBRARY_DAMAGED',
    message: expect.stringContaining(`${mark} is no file; remove it`) as string,
  });
  rmSync(mark, { recursive: true });
  const engine = await Engine.open(library, { workers: 1 });
  expect(await (await engine.company('acme')).list()).toHaveLength(1);
  await engine.close();
});

// Mounting is for root, in a container that may.
const mounts =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp']).status === 0;

describe.skipIf(!mounts)('on a medium that takes no writes (skipped where no mounts can be made)', () => {
  /** What a script says that sees `shapedex` and the library, which is mounted to be read only. */
  function said(library: string, script: string): unknown {
    const code = `const shapedex = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)});
      const [, library, to] = process.argv;
      const { Engine, backupLibrary, rescueFiles, verifyClosed } = shapedex;
      console.log(JSON.stringify(await (async () => { ${script} })()));`;
    const mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ';
    const run = 'exec "$0" --input-type=module -e "$2" "$1" "$3"';
    const to = join(folder, `to-${copies++}`);
    const args = ['-m', 'sh', '-c', mounted + run, process.execPath, library, code, to];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  test('the check says that it can only be read, and checks the bytes', () => {
    const report = said(
      copyOf(sound),
      'const cause = await Engine.open(library).catch((error) => error); return verifyClosed(library, cause);',
    );
    expect(report).toMatchObject({
      blobsChecked: 1,
      problems: [{ code: 'CHECK_FAILED', message: expect.stringContaining('can only be read (EROFS)') as string }],
    });
  });

  test('a backup is refused with the reason', () => {
    const failed = 'return backupLibrary(library, to).catch(({ name, ...error }) => ({ name, ...error }));';
    expect(said(copyOf(sound), failed)).toMatchObject({
      name: 'EngineError',
      code: 'STORAGE_FAILED',
      details: { errno: 'EROFS' },
    });
  });

  test('a rescue knows the names, also those that are in the log alone', async () => {
    const library = join(folder, 'in-the-log');
    const copy = join(folder, 'in-the-log-copy');
    const engine = await Engine.open(library, { workers: 1 });
    await (await engine.company('acme')).put('notes/b.txt', Buffer.from('a shaft'), { wait: false });
    for (const name of ['catalog.sqlite', 'catalog.sqlite-wal', 'blobs'])
      cpSync(join(library, name), join(copy, name), { recursive: true });
    await engine.close();
    writeFileSync(join(copy, 'catalog.mark'), '');
    expect(said(copy, 'return rescueFiles(library, to);')).toMatchObject({ named: 1, unnamed: 0, damaged: [] });
  });
});
