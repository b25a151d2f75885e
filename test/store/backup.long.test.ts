import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupLibrary, Engine } from '../../dist/index.js';
import type { Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { inStore, putTexts, stored, text } from './library-with-lost-files.js';

const folder = temporaryFolder();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const blob = (library: string, hash: string): string => join(library, 'blobs', hash.slice(0, 2), hash.slice(2));

/** The paths of a library's files and the hashes of its bytes. */
async function holds(library: string): Promise<{ paths: string[]; blobs: string[]; lost: string[] }> {
  let paths: string[] = [];
  await inStore(library, async (store) => {
    paths = await pathsOf(store);
  });
  return { paths, blobs: stored(library).blobs.sort(), lost: stored(library).lost };
}

async function pathsOf(store: Library): Promise<string[]> {
  const companyId = await store.company('acme');
  return (await store.files.list({ companyId, limit: 1_000 })).map(({ path }) => path).sort();
}

test('a copy made while files are put and deleted holds one state, with all its bytes and no others', async () => {
  const library = join(folder, 'busy');
  const states: string[][] = [];
  await inStore(library, async (store) => {
    const companyId = await store.company('acme');
    await putTexts(store, 0, 120);
    let ended = false;
    const writer = (async () => {
      // Files come and go in pairs: a state between the two calls has one more.
      for (let number = 120; !ended; number++) {
        await putTexts(store, number, number + 1);
        const [first] = await store.files.list({ companyId, limit: 1 });
        await store.remove(companyId, first.uid);
      }
    })();
    for (const name of ['first', 'second']) {
      await backupLibrary(library, join(folder, name), { link: name === 'second' });
      states.push(await pathsOf(store));
    }
    ended = true;
    await writer;
  });
  for (const name of ['first', 'second']) {
    const copy = join(folder, name);
    const before = stored(copy).blobs.sort();
    const { paths, blobs, lost } = await holds(copy);
    expect([120, 121]).toContain(paths.length);
    expect(before).toEqual(paths.map((path) => sha256(text(Number(path.replace('.txt', ''))))).sort());
    expect(blobs).toEqual(before);
    expect(lost).toEqual([]);
  }
  // The writer had gone on between the copies: they are of different states.
  expect(states[0]).not.toEqual(states[1]);
});

test('an open engine backs itself up; the copy is whole, private, and of use at once', async () => {
  const library = join(folder, 'engine');
  const engine = await Engine.open(library, { workers: 1 });
  const acme = await engine.company('acme');
  await acme.put('note.txt', Buffer.from('flange gasket'));
  await engine.accounts.addUser({
    email: 'ada@acme.example',
    firstName: '',
    lastName: '',
    passwordDigest: new Uint8Array(20),
    company: 'acme',
    role: 'admin',
  });
  const progress: [number, number][] = [];
  const copy = join(folder, 'deep', 'copy');
  const report = await engine.backup(copy, { onProgress: ({ done, total }) => progress.push([done, total]) });
  expect(report).toMatchObject({ folder: copy, blobs: 1, linked: 0, damaged: [] });
  expect(report.bytes).toBe(13 + statSync(join(copy, 'catalog.sqlite')).size);
  expect(progress).toEqual([[1, 1]]);
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o700);
  await expect(engine.backup(copy)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(engine.backup(join(library, 'inside'))).rejects.toMatchObject({ code: 'CONFLICT' });
  if (process.platform !== 'win32') {
    // A link that leads into the library is no way around; and /proc refuses at once what it cannot hold.
    symlinkSync(join(library, 'blobs'), join(folder, 'into'));
    await expect(engine.backup(join(folder, 'into', 'x'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readdirSync(join(library, 'blobs'))).not.toContain('x');
    expect(statSync(library).mode & 0o777).toBe(0o700);
  }
  if (process.platform === 'linux')
    await expect(engine.backup('/proc/self/x')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  await expect(engine.backup(join(folder, 'x'), { links: true } as object)).rejects.toThrow(/links is not an option/);
  await engine.close();
  await expect(engine.backup(join(folder, 'closed'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });

  const opened = await Engine.open(copy, { workers: 1 });
  const found = await (await opened.company('acme')).search({ text: 'gasket' });
  expect(found.hits.map(({ path }) => path)).toEqual(['note.txt']);
  expect((await opened.accounts.users()).map(({ email }) => email)).toEqual(['ada@acme.example']);
  expect((await opened.verify()).problems).toEqual([]);
  await opened.close();
});

test('hard links share their bytes with the library and are checked as copies are', async () => {
  const library = join(folder, 'linked');
  await inStore(library, (store) => putTexts(store, 0, 3));
  const damaged = sha256(text(1));
  writeFileSync(blob(library, damaged), 'other');
  const copy = join(folder, 'links');
  const report = await backupLibrary(library, copy, { link: true });
  expect(report).toMatchObject({ blobs: 2, linked: 2, damaged: [{ hash: damaged, fault: 'changed' }] });
  expect(statSync(blob(copy, sha256(text(2)))).nlink).toBe(2);
  expect(existsSync(blob(copy, damaged))).toBe(false);
});

test('what a library has no longer whole is told, and all else is copied; bytes in lost+found are found', async () => {
  const library = join(folder, 'damaged');
  await inStore(library, (store) => putTexts(store, 0, 5));
  const [missing, changed, folderInstead, lost] = [0, 1, 2, 3].map((number) => sha256(text(number)));
  mkdirSync(join(library, 'lost+found'));
  writeFileSync(join(library, 'lost+found', lost), text(3));
  for (const hash of [missing, lost, folderInstead]) rmSync(blob(library, hash));
  writeFileSync(blob(library, changed), 'other');
  mkdirSync(blob(library, folderInstead));
  const { damaged, blobs } = await backupLibrary(library, join(folder, 'rest'));
  const byHash = new Map(damaged.map(({ hash, fault }) => [hash, fault]));
  expect(byHash).toEqual(
    new Map([
      [missing, 'missing'],
      [changed, 'changed'],
      [folderInstead, 'changed'],
    ]),
  );
  expect(blobs).toBe(2);
  expect(stored(join(folder, 'rest')).blobs.sort()).toEqual([lost, sha256(text(4))].sort());
});

test('a backup that is aborted leaves nothing, and what is no library is refused', async () => {
  const library = join(folder, 'aborted');
  await inStore(library, (store) => putTexts(store, 0, 40));
  const to = join(folder, 'made', 'deep');
  const stop = new AbortController();
  const stopped = backupLibrary(library, to, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  expect(existsSync(join(folder, 'made'))).toBe(false);
  mkdirSync(to, { recursive: true });
  const again = new AbortController();
  const second = backupLibrary(library, to, { signal: again.signal, onProgress: () => again.abort() });
  await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
  expect(readdirSync(to)).toEqual([]);
  await expect(backupLibrary(join(folder, 'nowhere'), to)).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
  await expect(backupLibrary(library, '')).rejects.toThrow('folder must be a path');
  await expect(backupLibrary(library, to, { link: 'yes' } as object)).rejects.toThrow('backup options.link');
  expect(readdirSync(to)).toEqual([]);
});

const DIST = new URL('../../dist/index.js', import.meta.url).href;

/** Starts a process that runs `script`, which sees `shapedex` and the arguments `args`. */
function child(script: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const code = `import * as shapedex from ${JSON.stringify(DIST)};\nconst args = process.argv.slice(1);\n${script}`;
  return spawn(process.execPath, ['--input-type=module', '-e', code, ...args]);
}

/** Holds a library open and puts, replaces and deletes files until its input ends. */
const HOLDER = `
const engine = await shapedex.Engine.open(args[0], { workers: 1 });
const acme = await engine.company('acme');
let ended = false;
process.stdin.on('end', () => (ended = true)).resume();
for (let number = 0; !ended; number++) {
  const path = number % 7 + '.txt';
  await acme.put(path, Buffer.from('text ' + number), { wait: false, overwrite: true, textOnly: true });
  if (number % 5 === 4) await acme.delete((await acme.find(path)).uid);
  if (number === 20) console.log('busy');
}
await engine.close();
`;

test('a library that another process has open and writes to is copied whole, several times over', {
  timeout: 300_000,
}, async () => {
  const library = join(folder, 'elsewhere');
  const holder = child(HOLDER, library);
  const errors: string[] = [];
  holder.stderr.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  await once(holder.stdout, 'data');
  await expect(Engine.open(library)).rejects.toMatchObject({ code: 'LIBRARY_LOCKED' });
  for (const name of ['1', '2', '3']) {
    const { damaged } = await backupLibrary(library, join(folder, `of-elsewhere-${name}`));
    expect(damaged).toEqual([]);
  }
  holder.stdin.end();
  expect(await once(holder, 'close')).toEqual([0, null]);
  expect(errors.join('')).toBe('');
  for (const name of ['1', '2', '3']) {
    const copy = await Engine.open(join(folder, `of-elsewhere-${name}`), { workers: 1 });
    expect((await copy.verify()).problems).toEqual([]);
    expect((await (await copy.company('acme')).list()).length).toBeGreaterThan(0);
    await copy.close();
  }
});

/** Backs up `args[0]` to `args[1]`, tells of each byte string, and waits after it so that it can be killed there. */
const COPIER = `
await shapedex.backupLibrary(args[0], args[1], { onProgress: ({ done }) => {
  process.stdout.write(done + '\\n');
  if (done === Number(args[2])) process.kill(process.pid, 'SIGKILL');
} });
process.stdout.write('end\\n');
`;

test('a backup that is killed leaves no copy that looks whole, and the library as it was', {
  timeout: 300_000,
}, async () => {
  const library = join(folder, 'killed');
  await inStore(library, (store) => putTexts(store, 0, 12));
  const before = stored(library);
  for (const at of [1, 6, 12]) {
    const copy = join(folder, `killed-at-${at}`);
    const copier = child(COPIER, library, copy, String(at));
    expect(await once(copier, 'close')).toEqual([null, 'SIGKILL']);
    await expect(Engine.open(copy)).rejects.toMatchObject({
      code: 'LIBRARY_UNREADABLE',
      message: expect.stringMatching(/a backup that was cut short/) as string,
    });
    await expect(backupLibrary(copy, join(folder, 'of-half'))).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
    await expect(backupLibrary(library, copy)).rejects.toMatchObject({ code: 'CONFLICT' });
  }
  expect(stored(library)).toEqual(before);
  const { blobs, damaged } = await backupLibrary(library, join(folder, 'after-kills'));
  expect([blobs, damaged]).toEqual([12, []]);
});
