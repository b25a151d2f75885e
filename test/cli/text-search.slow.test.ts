import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine, type SearchResult } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { jsonLines, runCli, type CliResult } from './run-cli.js';

let cwd: string;
let cube: string;
let flange: string;
const cli = (...args: string[]): Promise<CliResult> => runCli(['search', ...args], { cwd });
const found = async (...args: string[]): Promise<SearchResult> => {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return jsonLines<SearchResult>(stdout)[0];
};
const paths = async (...args: string[]): Promise<string[]> => (await found(...args)).hits.map(({ path }) => path);

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'shapedex-cli-'));
  const engine = await Engine.open(join(cwd, 'library'));
  const company = await engine.company('default');
  ({ uid: cube } = await company.put('boxes/cube.stl', boxStl(20, 20, 20), {
    attributes: ['Material=Steel', 'Length(mm)=25.4'],
  }));
  await company.put('boxes/bar.stl', boxStl(20, 20, 80), { attributes: ['Material=Brass', 'Length(mm)=80'] });
  ({ uid: flange } = await company.put(
    'orders/4711.txt',
    Buffer.from('Order 4711 of the flange AB-123/4, made of stainless steel'),
  ));
  await company.categories.assign(flange, (await company.categories.add('Letters')).id);
  await company.put('notes.txt', Buffer.from('Nothing of interest'), { attributes: ['Material=Stainless steel'] });
  await engine.close();
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

test('words are found in texts, names and attributes, with what stands around them', async () => {
  expect((await paths('--text', 'steel')).sort()).toEqual(['boxes/cube.stl', 'notes.txt', 'orders/4711.txt']);
  expect(await paths('--text', 'ab123', '--text', '"stainless steel"')).toEqual(['orders/4711.txt']);
  const { stdout, code } = await cli('--text', 'flange');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# +Score +Kind +File +Found$/m);
  expect(stdout).toMatch(/^1 +0\.\d{4} +Text +orders\/4711\.txt +.*flange AB-123\/4/m);
  expect(stdout).toContain('1 to 1 of 1 file.');
  expect(stdout.split('\n').every((line) => line.length <= 100)).toBe(true);
});

test('attributes, kinds and a filter text narrow the list', async () => {
  expect(await paths('--attribute', 'Material=steel')).toEqual(['boxes/cube.stl', 'notes.txt']);
  expect(await paths('--attribute', 'Material=[steel]')).toEqual(['boxes/cube.stl']);
  expect(await paths('--attribute', 'Length=1in')).toEqual(['boxes/cube.stl']);
  expect(await paths('--attribute', 'Length>26', '--kind', 'ThreeD')).toEqual(['boxes/bar.stl']);
  expect(await paths('--kind', 'Text')).toEqual(['notes.txt', 'orders/4711.txt']);
  expect(
    await paths('--kind', 'Text', '--kind', 'ThreeD', '--within', flange, 'boxes/cube.stl', '--within', cube),
  ).toEqual(['boxes/cube.stl']);
  expect(await paths('--filter', 'FT=Material%3Dsteel&resultFileType=text')).toEqual(['notes.txt']);
  const { stdout } = await cli('--attribute', 'Material=steel');
  expect(stdout).toMatch(/^1 +ThreeD +boxes\/cube\.stl +Material=Steel +20 × 20 × 20 +8,000 mm³$/m);
  expect(stdout).toContain('1 to 2 of 2 files. ThreeD 1, Text 1.');
});

test('a shape ranks what the filters let through', async () => {
  const { hits, total, facets } = await found('boxes/cube.stl', '--attribute', 'Material=brass');
  expect(hits.map(({ path, matchClass }) => [path, matchClass])).toEqual([['boxes/bar.stl', 'similar']]);
  expect([total, facets?.kinds.ThreeD]).toEqual([1, 1]);
  const [{ uid }] = (await found('boxes/cube.stl')).hits;
  expect(await paths('--filter', `fileUID=${uid}&v=.1`)).toEqual(['boxes/cube.stl']);
});

test('nothing found is said, and so is what cannot be read', async () => {
  expect((await cli('--text', 'unobtainium')).stdout).toBe('No file matches.\n');
  expect((await cli('--filter', 'FT=x&colour=red')).stderr).toMatch(
    /^error: QUERY_INVALID: "colour" is not a filter key/,
  );
  expect((await cli('--attribute', 'Length>long')).stderr).toMatch(/^error: QUERY_INVALID: .*Length>long/);
  expect((await cli('--filter', '')).stderr).toContain('--filter names nothing to search for');
});

test('a category is given by name, id or none', async () => {
  expect(await paths('--category', 'Letters')).toEqual(['orders/4711.txt']);
  expect(await paths('--category', 'none', '--kind', 'Text')).toEqual(['notes.txt']);
  expect(await paths('--category', 'none', '--category', '1', '--kind', 'Text')).toEqual([
    'notes.txt',
    'orders/4711.txt',
  ]);
  const unknown = await cli('--category', 'Leters');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/^error: USAGE: .*"Leters"/);
});
