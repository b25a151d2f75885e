import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { failedRun } from '../../dist/cli/commands/index-folders.js';
import { Engine, EngineError } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { jsonLines, runCli } from './run-cli.js';

interface FoundFile {
  readonly path: string;
  readonly volumeMm3: number;
  readonly attributes: string[];
}

const cwd = temporaryFolder();
const run = (...args: string[]) => runCli(args, { cwd });
const json = async <T>(...args: string[]): Promise<T> => jsonLines<T>((await run(...args, '--json')).stdout)[0];
const listed = async (library: string): Promise<FoundFile[]> => json('list', '--library', library);

beforeAll(() => {
  for (const folder of ['one', 'two']) {
    mkdirSync(join(cwd, folder));
    writeFileSync(join(cwd, folder, 'box.stl'), boxStl(1, 2, 3));
  }
});

test('paths begin with the prefix, then the name of the folder where there are several', async () => {
  expect((await run('index', 'one', '--library', 'paths')).code).toBe(0);
  expect((await run('index', 'one', '--prefix', 'a/b', '--library', 'paths')).code).toBe(0);
  expect((await run('index', 'one', 'two', '--prefix', 'c', '--library', 'paths')).code).toBe(0);
  expect((await listed('paths')).map(({ path }) => path)).toEqual([
    'a/b/box.stl',
    'box.stl',
    'c/one/box.stl',
    'c/two/box.stl',
  ]);
});

test('a file of another folder that takes the place of one at the same path is told', async () => {
  mkdirSync(join(cwd, 'other'));
  writeFileSync(join(cwd, 'other', 'box.stl'), boxStl(1, 2, 4));
  const index = async (folder: string) => (await run('index', folder, '--library', 'same-paths')).stdout;
  expect(await index('one')).not.toContain('replaced');
  expect(await index('other')).toContain('1 file indexed, of which 1 replaced an earlier one of the same path (');
  expect(await index('other')).not.toContain('replaced');
});

test('a file that is cut off is named at the end, as read in part', async () => {
  mkdirSync(join(cwd, 'cut'));
  writeFileSync(join(cwd, 'cut', 'whole.stl'), boxStl(1, 2, 3));
  writeFileSync(join(cwd, 'cut', 'half.stl'), boxStl(1, 2, 3).subarray(0, 84 + 50 * 6));
  const { code, stdout } = await run('index', 'cut', '--library', 'cut-off');
  expect(code).toBe(0);
  expect(stdout).toContain('2 files indexed');
  expect(stdout).toContain('Read in part, as far as they go: 1 file (half.stl); `shapedex status PATH` tells why.');
});

test('a library that another program has open is told with the way to search while it is indexed', async () => {
  const engine = await Engine.open(join(cwd, 'taken'));
  try {
    const { stderr } = await run('index', 'one', '--library', 'taken');
    expect(stderr).toMatch(/LIBRARY_LOCKED: .*"shapedex serve" started first lets index, search/);
  } finally {
    await engine.close();
  }
});

test('a full disk is told with what to do, other failures as they are', () => {
  const full = new EngineError('STORAGE_FAILED', 'no room', { details: { errno: 'ENOSPC' } });
  expect(() => failedRun(full)).toThrow(/^no room; what was indexed is safe: make room, then run the same command/);
  const other = new EngineError('STORAGE_FAILED', 'not now', { details: { errno: 'EIO' } });
  expect(() => failedRun(other)).toThrow(other);
});

test('files without a unit take the given one, in search too', async () => {
  expect((await run('index', '--unit', 'in', '--workers', '1', '--ocr', 'one', '--library', 'inches')).code).toBe(0);
  expect((await listed('inches'))[0].volumeMm3).toBeCloseTo(6 * 25.4 ** 3, 0);
  const matchOf = async (...args: string[]): Promise<string> =>
    (await json<{ hits: { matchClass: string }[] }>('search', join('one', 'box.stl'), '--library', 'inches', ...args))
      .hits[0].matchClass;
  expect([await matchOf('--unit', 'in'), await matchOf()]).toEqual(['identical', 'scaled']);
  expect((await run('reindex', '--all', '--unit', 'cm', '--library', 'inches')).code).toBe(0);
  expect((await listed('inches'))[0].volumeMm3).toBeCloseTo(6_000, 0);
});

test('attributes are given to all files, to unchanged ones beside those that they have', async () => {
  const index = (...args: string[]) => run('index', 'one', 'two', '--library', 'given', ...args);
  const attributes = async (): Promise<string[][]> => (await listed('given')).map((file) => file.attributes);
  expect((await index('--attribute', 'Supplier=Acme', '--attribute', 'Length(mm)=3')).code).toBe(0);
  expect(await attributes()).toEqual([
    ['Supplier=Acme', 'Length(mm)=3'],
    ['Supplier=Acme', 'Length(mm)=3'],
  ]);
  expect((await index('--attribute', 'Supplier=Bolt')).stdout).toContain('1 unchanged');
  for (const own of await attributes()) expect(own.sort()).toEqual(['Length(mm)=3', 'Supplier=Acme|Bolt']);
});

test('categories are added, listed and given to files', async () => {
  const category = (...args: string[]) => run('category', ...args, '--library', 'kept');
  expect((await run('index', 'one', '--library', 'kept')).code).toBe(0);
  expect((await category('list')).stdout).toContain('category add');
  expect((await category('add', 'Fasteners')).code).toBe(0);
  const screws = await json<{ id: number }>('category', 'add', 'Screws', '--parent', 'Fasteners', '--library', 'kept');
  expect((await category('set', 'box.stl', 'Screws')).stdout).toBe('box.stl has the category Screws.\n');
  expect((await category('list')).stdout).toMatch(new RegExp(`^ *${screws.id} +Screws +\\d+ +1$`, 'm'));
  expect((await run('search', '--category', 'Screws', '--library', 'kept')).stdout).toContain('box.stl');
  expect((await category('set', 'box.stl', 'none')).code).toBe(0);
  expect(await json('list', '--category', 'none', '--library', 'kept')).toHaveLength(1);
  expect((await category('set', 'box.stl', 'Nuts')).code).toBe(2);
  // What lay in it moves to the one above.
  expect((await category('set', 'box.stl', 'Screws')).code).toBe(0);
  expect((await category('remove', 'Screws')).stdout).toBe('The category Screws is removed.\n');
  expect(await json('list', '--category', 'Fasteners', '--library', 'kept')).toHaveLength(1);
  expect([(await category('remove', 'Screws')).code, (await category('remove', 'none')).code]).toEqual([2, 2]);
});

test.each([
  ['--unit', 'yd'],
  ['--workers', '0'],
  ['--attribute', 'nothing'],
])('%s %s is a usage error', async (...option) => {
  const { code, stderr } = await run('index', 'one', ...option);
  expect(code).toBe(2);
  expect(stderr).toContain(option[1]);
});
