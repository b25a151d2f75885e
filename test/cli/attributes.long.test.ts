import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { jsonLines, runCli } from './run-cli.js';

const cwd = temporaryFolder();
const run = (...args: string[]) => runCli(args, { cwd });

beforeAll(async () => {
  mkdirSync(join(cwd, 'parts'));
  for (const [i, name] of ['a', 'b', 'c'].entries())
    writeFileSync(join(cwd, 'parts', `${name}.stl`), boxStl(1 + i, 2, 3));
  expect((await run('index', 'parts')).code).toBe(0);
});

test('attributes are set, added to, counted and taken away', async () => {
  const path = jsonLines<{ path: string }[]>((await run('list', '--json')).stdout)[0][0].path;
  const set = await run('attributes', '--set', 'Color=red', '--set', 'Length(mm)=25.4', path, '--json');
  expect(jsonLines<{ attributes: string[] }>(set.stdout)[0]).toMatchObject({
    path,
    attributes: ['Color=red', 'Length(mm)=25.4'],
  });
  expect((await run('attributes', path, '--set', 'color=red|blue', '--add')).stdout).toContain('  Color=red|blue');
  expect(jsonLines((await run('attributes', '--json')).stdout)[0]).toEqual([
    { name: 'Color', unit: '', type: 'text', count: 1 },
    { name: 'Length', unit: 'mm', type: 'number', count: 1 },
  ]);
  expect(jsonLines((await run('values', 'COLOR', '--json', '--limit', '1')).stdout)[0]).toEqual([
    { value: 'blue', unit: '', count: 1 },
  ]);
  expect((await run('values', 'color')).stdout).toMatch(/^Value +Unit +Files\nblue +1\nred +1\n$/);
  expect((await run('attributes', path, '--clear')).stdout).not.toContain('Color');
  expect((await run('attributes')).stdout).toMatch(/^No file was given attributes\. .*search --attribute/);
});

test('values of any text are read back and found as they were given', async () => {
  const attributes = [
    'a=b=c&d',
    'bar=x\\|y',
    'several=p|q',
    'quotes="q" \'s\'',
    'lines=two\nlines',
    'emoji=😀👩‍🔧',
    'right=שלום مرحبا',
    'path=C:\\parts',
    'dash=--set',
  ];
  const set = await run('attributes', 'a.stl', '--json', ...attributes.map((text) => `--set=${text}`));
  expect(set.code, set.stderr).toBe(0);
  expect(
    jsonLines<{ attributes: string[] }>((await run('attributes', 'a.stl', '--json')).stdout)[0].attributes,
  ).toEqual(attributes);
  for (const text of ['bar=[x\\|y]', 'several=[q|p]', 'lines=[two\nlines]']) {
    expect(
      jsonLines<{ total: number }>((await run('search', '--attribute', text, '--json')).stdout)[0].total,
      text,
    ).toBe(1);
  }
  // One line a value, whatever it holds.
  expect((await run('attributes', 'a.stl')).stdout.split('\n').filter((line) => line.includes('lines='))).toHaveLength(
    1,
  );
  expect((await run('attributes', 'a.stl', '--clear')).code).toBe(0);
});

test('list pages by path and by arrival', async () => {
  const paths = async (...args: string[]): Promise<string[]> =>
    jsonLines<{ path: string }[]>((await run('list', '--json', ...args)).stdout)[0].map(({ path }) => path.slice(-5));
  expect(await paths('--falling', '--limit', '2')).toEqual(['c.stl', 'b.stl']);
  expect(await paths('--kind', 'TwoD')).toEqual([]);
  expect(await paths('--category', 'none', '--order', 'addedAt', '--after', '0')).toHaveLength(3);
  expect((await run('list', '--limit', '1')).stderr).toMatch(/--after "/);
});

test('a wrong command line ends with 2', async () => {
  for (const args of [
    ['attributes', '--set', 'a=1'],
    ['attributes', 'x', '--add'],
    ['attributes', 'x', '--set', 'nothing'],
    ['list', '--kind', 'model'],
    ['list', '--category', 'none such'],
    ['values'],
  ]) {
    expect((await run(...args)).code, args.join(' ')).toBe(2);
  }
  expect((await run('attributes', 'no such file')).code).toBe(1);
});
