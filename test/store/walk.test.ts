import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileBelow, hashOfFile } from '../../dist/store/disk/file-below.js';
import { walkFolder, walkSteps } from '../../dist/store/disk/walk.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
const accepts = (name: string): boolean => name.endsWith('.stl');

/** A folder of these files. */
function made(name: string, paths: readonly string[]): string {
  for (const path of paths) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true });
    writeFileSync(join(folder, name, path), '');
  }
  return join(folder, name);
}

test('files come in the order of their paths, whatever names folders and files have', async () => {
  // A slash is behind "-" and "." and before "0" and letters.
  const paths = [
    'a-b.stl',
    'a.stl',
    'a/b.stl',
    'a/b/c.stl',
    'a/b-c.stl',
    'a0.stl',
    'a0/x.stl',
    'B/x.stl',
    'ä/x.stl',
    'ä.stl',
    'z.stl',
    'a b/x.stl',
  ];
  const { files, unreadable, passedOver } = await walkFolder(made('order', [...paths, 'a/notes.tmp']), { accepts });
  expect(files.map(({ path }) => path)).toEqual([...paths].sort());
  expect(unreadable).toEqual([]);
  expect(passedOver).toEqual({ folderLinks: 0, outsideLinks: 0, brokenLinks: 0, special: 0 });
});

test('a large folder comes in small steps, each folder is told of before its files, and the walk stops where its caller does', async () => {
  const paths = Array.from(
    { length: 1_000 },
    (_, i) => `${i % 2 === 0 ? 'even/' : ''}${String(i).padStart(4, '0')}.stl`,
  );
  const root = made('large', paths);
  const told: string[] = [];
  const steps: number[] = [];
  const found: string[] = [];
  for await (const { files } of walkSteps(root, { accepts, onFolder: (path) => told.push(path) })) {
    steps.push(files.length);
    found.push(...files.map(({ path }) => path));
    for (const { path } of files) expect(told).toContain(path.includes('/') ? 'even' : '');
  }
  expect(found).toEqual([...paths].sort());
  expect(told).toEqual(['', 'even']);
  expect(Math.max(...steps)).toBeLessThanOrEqual(256);

  // The files of the second folder are not looked at by who leaves before: they may go meanwhile.
  const walk = walkSteps(root, { accepts });
  expect((await walk.next()).value?.files.length).toBeGreaterThan(0);
  rmSync(join(root, 'even'), { recursive: true });
  const rest: string[] = [];
  const failed: string[] = [];
  for await (const { files, unreadable } of walk) {
    rest.push(...files.map(({ path }) => path));
    failed.push(...unreadable.map(({ path }) => path));
  }
  expect(rest.some((path) => path.startsWith('even/'))).toBe(false);
  // A folder that is gone by the time it would be listed is passed over, as if the walk had begun later.
  expect(failed).toEqual([]);

  const stop = new AbortController();
  const stopped = walkSteps(root, { accepts, signal: stop.signal });
  await stopped.next();
  stop.abort();
  await expect(stopped.next()).rejects.toMatchObject({ code: 'ABORTED' });
});

test.skipIf(process.platform === 'win32')(
  'links to files below the folder are followed, links to folders, out of it, nowhere and in circles are not',
  async () => {
    const root = made('links', ['a/x.stl']);
    const beside = made('links-beside', ['secret.stl', 'notes.txt']);
    symlinkSync(join(beside, 'secret.stl'), join(root, 'a', 'out.stl'));
    symlinkSync(join('..', '..', 'links-beside', 'secret.stl'), join(root, 'a', '.up.stl'));
    symlinkSync(join(root, 'a', 'out.stl'), join(root, 'chain.stl'));
    symlinkSync(join(beside, 'notes.txt'), join(root, 'notes.txt'));
    symlinkSync(join(root, 'a/x.stl'), join(root, 'link.stl'));
    symlinkSync(join(root, 'a'), join(root, 'b'));
    symlinkSync(root, join(root, 'a', 'up'));
    symlinkSync(join(root, 'nowhere'), join(root, 'gone'));
    symlinkSync(join(root, 'nowhere.stl'), join(root, 'gone.stl'));
    const { files, unreadable, passedOver } = await walkFolder(root, { accepts });
    expect(files.map(({ path }) => path)).toEqual(['a/x.stl', 'link.stl']);
    expect(unreadable).toEqual([{ path: 'gone.stl', message: expect.stringContaining('ENOENT') }]);
    expect(passedOver).toEqual({ folderLinks: 2, outsideLinks: 3, brokenLinks: 1, special: 0 });
    const all = await walkFolder(root, { accepts, followLinks: true });
    expect(all.files.map(({ path }) => path)).toEqual(['a/.up.stl', 'a/out.stl', 'a/x.stl', 'chain.stl', 'link.stl']);
    expect(all.passedOver).toEqual({ folderLinks: 2, outsideLinks: 0, brokenLinks: 1, special: 0 });
    // The folder may itself be reached over a link.
    symlinkSync(root, `${root}-too`);
    expect((await walkFolder(`${root}-too`, { accepts })).files.map(({ path }) => path)).toEqual([
      'a/x.stl',
      'link.stl',
    ]);
    await expect(walkFolder(join(root, 'nothing'), { accepts })).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  },
);

test.skipIf(process.platform === 'win32')(
  'a hash is of the file that was seen: not of a pipe, a device, a link out, or what grows in its place',
  async () => {
    const root = made('hashes', ['a.stl']);
    const outside = join(folder, 'hashes-outside.stl');
    writeFileSync(join(root, 'a.stl'), 'whole');
    writeFileSync(outside, 'whole');
    const of = (name: string, byteLength = 5): Promise<string | undefined> =>
      hashOfFile(new FileBelow(root, join(root, name)), { byteLength, signal: AbortSignal.timeout(5_000) });
    expect(await of('a.stl')).toBe(createHash('sha256').update('whole').digest('hex'));
    expect(await of('a.stl', 6)).toBeUndefined();
    appendFileSync(join(root, 'a.stl'), ' and more');
    expect(await of('a.stl')).toBeUndefined();
    execFileSync('mkfifo', [join(root, 'pipe.stl')]);
    symlinkSync(outside, join(root, 'out.stl'));
    symlinkSync('/dev/zero', join(root, 'zero.stl'));
    for (const name of ['pipe.stl', 'out.stl', 'zero.stl'])
      await expect(of(name), name).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(of('gone.stl')).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ENOENT' } });
    // Where links are followed, a device is no file all the same.
    const followed = { byteLength: 5, signal: AbortSignal.timeout(5_000) };
    expect(await hashOfFile(join(root, 'zero.stl'), followed)).toBeUndefined();
    expect(await hashOfFile(join(root, 'pipe.stl'), followed)).toBeUndefined();
  },
);
