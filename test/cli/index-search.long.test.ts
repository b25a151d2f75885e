import Database from 'better-sqlite3';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMesh, writeSmallFolder, boxMesh } from './parts.js';
import { jsonLines, runCli, type CliResult } from './run-cli.js';

interface Hit {
  uid: string;
  path: string;
  score: number;
  similarity: number;
  matchClass: string;
  volumeMm3: number;
  input?: number;
}
interface Found {
  hits: Hit[];
  total: number;
  inputs: { volumeMm3: number }[];
}

let cwd: string;
let first: CliResult;
const cli = (...args: string[]) => runCli(args, { cwd });
const search = async (...args: string[]): Promise<Found> => {
  const { code, stdout, stderr } = await cli('search', ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return jsonLines<Found>(stdout)[0];
};

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'shapedex-cli-'));
  await writeSmallFolder(join(cwd, 'parts'));
  first = await cli('index', 'parts');
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

test('the good files are indexed, the bad one is listed with code and sentence, the code is 1', () => {
  expect(first.stdout).toContain('parts: 4 files indexed, 1 failed');
  expect(first.stdout).toMatch(/^ {2}broken\.step +[A-Z_]+\n {4}\S.+$/m);
  expect(first.code).toBe(1);
});

test('without a terminal progress is plain lines on stderr, with no control characters', () => {
  expect(first.stderr).toMatch(/^Indexing: 5\/5, 1 failed/m);
  expect(first.stderr + first.stdout).not.toMatch(/[\r\x1b]/);
  expect(first.stderr).not.toContain('Warning');
});

test('a second run finds everything unchanged', async () => {
  const { stdout } = await cli('index', 'parts', '--json');
  const lines = jsonLines<{ event: string; indexed?: number; unchanged?: number; total?: number }>(stdout);
  expect(lines.at(-1)).toMatchObject({ event: 'end', indexed: 0, total: 5 });
  expect(lines.at(-1)?.unchanged).toBeGreaterThanOrEqual(4);
});

test('a search with a file on disk ranks the same shape first, in whatever format', async () => {
  const { hits, inputs } = await search(join('parts', 'cubes', 'cube-20.stl'));
  expect(
    hits
      .slice(0, 2)
      .map((hit) => hit.path)
      .sort(),
  ).toEqual(['cubes/cube-20-again.obj', 'cubes/cube-20.stl']);
  expect(hits[0]).toMatchObject({ matchClass: 'identical' });
  expect(hits[0].score).toBeLessThanOrEqual(0.01);
  expect(inputs[0].volumeMm3).toBeCloseTo(8000, 3);
  expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => a - b));
});

test('a search by path and by UID in the library finds the same', async () => {
  const byPath = await search('bars/bar-20x20x80.stl');
  const { stdout } = await cli('status', 'bars/bar-20x20x80.stl', '--json');
  const [{ uid }] = jsonLines<{ uid: string }>(stdout);
  expect((await search(uid)).hits).toEqual(byPath.hits);
});

test('limit, offset and a volume tolerance narrow the list', async () => {
  const all = await search('cubes/cube-20.stl');
  const second = await search('cubes/cube-20.stl', '--limit', '1', '--offset', '1');
  expect(second.hits).toEqual([all.hits[1]]);
  const same = await search('cubes/cube-20.stl', '--volume', '.1');
  expect(same.hits.map((hit) => hit.volumeMm3).every((volume) => Math.abs(volume - 8000) <= 800)).toBe(true);
  expect(same.total).toBeLessThan(all.total);
  const smaller = await search('bars/bar-20x20x80.stl', '--volume', '-.5');
  expect(smaller.hits.every((hit) => hit.volumeMm3 <= 32_000.001)).toBe(true);
});

test('a tolerance that cannot be read is said so', async () => {
  const { code, stderr } = await cli('search', 'cubes/cube-20.stl', '--volume', 'about');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^error: QUERY_INVALID: .*about/);
});

test('the table has the query in its first row and fits 100 columns', async () => {
  const { code, stdout } = await cli('search', join('parts', 'cubes', 'cube-20.stl'));
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^ *# +Similar +Match +Score +File +Smallest box, mm +Volume$/);
  expect(lines[1]).toMatch(/^ +query +\S*cube-20\.stl +20 × 20 × 20 +8,000 mm³$/);
  expect(lines[2]).toMatch(/^ *1 +100\.0 % +identical +0\.0\d{3} +cubes\/cube-20/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('--picture draws the query and its hits and leaves stdout as it is', async () => {
  const plain = await cli('search', join('parts', 'cubes', 'cube-20.stl'), '--limit', '2');
  const { code, stdout, stderr } = await cli(
    'search',
    join('parts', 'cubes', 'cube-20.stl'),
    '--limit',
    '2',
    '--picture',
    'found.png',
  );
  expect(code).toBe(0);
  expect(stdout).toBe(plain.stdout);
  expect(stderr).toBe('Picture: found.png\n');
  const png = await readFile(join(cwd, 'found.png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // Three tiles in a row.
  expect(png.readUInt32BE(16)).toBe(16 + 3 * 216);
});

test('several files are versions of what is looked for: each finds its own, and the table says which', async () => {
  const [cube, bar] = [join('parts', 'cubes', 'cube-20.stl'), 'bars/bar-20x20x80.stl'];
  const found = await search(bar, cube);
  expect(found.inputs.map(({ volumeMm3 }) => Math.round(volumeMm3))).toEqual([32_000, 8_000]);
  const firsts = found.hits.slice(0, 3).map(({ path, matchClass, input }) => `${path} ${matchClass} ${input}`);
  expect(firsts.sort()).toEqual([
    'bars/bar-20x20x80.stl identical 0',
    'cubes/cube-20-again.obj identical 1',
    'cubes/cube-20.stl identical 1',
  ]);
  const lines = (await cli('search', bar, cube)).stdout.split('\n');
  expect(lines[0]).toMatch(/^ *# +Like +Similar +Match/);
  expect(lines[1]).toMatch(/query 1 .*bar-20x20x80\.stl +80 × 20 × 20/);
  expect(lines[2]).toMatch(/query 2 .*cube-20\.stl +20 × 20 × 20/);
  expect(lines.slice(3, 6).every((line) => /^ *\d +query [12] +100\.0 %/.test(line))).toBe(true);
  const { code, stderr } = await cli('search', bar, 'no-such-file.stl');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: FILE_UNKNOWN: no-such-file\.stl/);
  const held = await cli('search', bar, cube, '--contains');
  expect(held.stderr).toMatch(/--contains needs one/);
});

test('a tolerance that compares nothing is said not to be applied', async () => {
  const { code, stderr } = await cli('search', join('parts', 'cubes', 'cube-20.stl'), '--contains', '--volume', '.1');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: No tolerance of volume was applied, because a part may be larger/);
});

test('companies do not see each other', async () => {
  await writeMesh(join(cwd, 'other', 'plate.stl'), boxMesh(50, 40, 3));
  expect((await cli('index', 'other', '--company', 'acme')).code).toBe(0);
  const { hits } = await search(join('other', 'plate.stl'), '--company', 'acme');
  expect(hits.map((hit) => hit.path)).toEqual(['plate.stl']);
  expect((await search(join('other', 'plate.stl'))).hits.map((hit) => hit.path)).not.toContain('plate.stl');
});

test('status counts, verify and stats answer, delete takes one out', async () => {
  const overview = await cli('status', '--json');
  expect(jsonLines(overview.stdout)).toMatchObject([{ files: 5, failures: [{ path: 'broken.step' }] }]);
  expect((await cli('stats')).code).toBe(0);
  expect((await cli('verify')).code).toBe(0);

  expect((await cli('delete', 'balls/ball-30.stl')).stdout).toMatch(/^Deleted balls\/ball-30\.stl \(.+\)\.\n$/);
  expect((await search('cubes/cube-20.stl')).hits.map((hit) => hit.path)).not.toContain('balls/ball-30.stl');
  const again = await cli('delete', 'balls/ball-30.stl');
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/^error: FILE_UNKNOWN: .*balls\/ball-30\.stl/);
});

test('status says how many files are described again after an upgrade', async () => {
  const catalogue = new Database(join(cwd, 'library', 'catalog.sqlite'));
  catalogue.exec(`UPDATE views SET version = 8; DELETE FROM setting WHERE name = 'descriptors'`);
  catalogue.close();
  const { stdout } = await cli('status');
  expect(stdout).toMatch(/being described again +[1-9]/);
  const [{ states, describedAgain }] = jsonLines((await cli('status', '--json')).stdout) as [
    { states: object; describedAgain: number },
  ];
  expect(states).toMatchObject({ queued: 0 });
  expect(describedAgain).toBeGreaterThan(0);
  expect((await cli('reindex')).code).toBe(0);
  expect((await cli('status')).stdout).not.toContain('described again');
});

test('verify needs no company, and purges', async () => {
  expect((await cli('company', 'add', 'other', '--library', 'fresh')).code).toBe(0);
  const { code, stdout } = await cli('verify', '--library', 'fresh', '--purge', '--json');
  expect(code).toBe(0);
  expect(jsonLines(stdout)).toMatchObject([{ problems: [], catalogueIsOlder: false, lostAndFound: { count: 0 } }]);
  expect((await cli('verify', '--library', 'fresh', '--purge', '--no-repair')).code).toBe(2);
});

test('verify says what to do about a file whose bytes were changed', async () => {
  expect((await cli('index', 'other', '--library', 'hurt')).code).toBe(0);
  const blobs = join(cwd, 'hurt', 'blobs');
  const [blob] = (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const file = join(blob.parentPath, blob.name);
  await chmod(file, 0o600);
  await writeFile(file, 'changed');
  const { code, stdout } = await cli('verify', '--library', 'hurt');
  expect(code).toBe(1);
  expect(stdout).toMatch(/BLOB_CHANGED: .*plate\.stl[^]*put those again[^]*"touch"[^]*verify --rescue/);
  const now = new Date();
  for (const name of await readdir(join(cwd, 'other'))) await utimes(join(cwd, 'other', name), now, now);
  expect((await cli('index', 'other', '--library', 'hurt')).code).toBe(0);
  expect((await cli('verify', '--library', 'hurt')).code).toBe(0);
});

test('reindex leaves every answer as it was', async () => {
  const before = await search('cubes/cube-20.stl');
  expect((await cli('reindex')).code).toBe(0);
  expect((await search('cubes/cube-20.stl')).hits).toEqual(before.hits);
});

test('what cannot be searched with is called by the name that was typed', async () => {
  const note = 'notes.txt';
  await writeFile(join(cwd, 'parts', note), 'a note');
  await writeFile(join(cwd, 'empty.stl'), '');
  await writeFile(join(cwd, 'short.stl'), 'short');
  await cli('index', 'parts');
  for (const [word, message] of [
    [note, /^error: NO_GEOMETRY: notes\.txt is a document; --text/],
    [join('parts', note), /^error: NO_GEOMETRY: parts.notes\.txt is a document/],
    ['broken.step', /^error: FILE_NOT_INDEXED: broken\.step could not be indexed, .*: FILE_MALFORMED: /],
    ['empty.stl', /^error: FILE_MALFORMED: empty\.stl is empty\n$/],
    ['short.stl', /^error: FILE_MALFORMED: short\.stl: a binary STL file has at least 84 bytes/],
  ] as const) {
    const { code, stderr } = await cli('search', word);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  }
});

test('a file that is not what its name says is told by index and by search, with both', async () => {
  const odd = await mkdtemp(join(tmpdir(), 'shapedex-cli-'));
  try {
    const stl = await readFile(join(cwd, 'parts', 'cubes', 'cube-20.stl'));
    await mkdir(join(odd, 'parts'));
    await writeFile(join(odd, 'parts', 'cube.step'), stl);
    await writeFile(join(odd, 'parts', 'cube.stl'), stl);
    const { stdout } = await runCli(['index', 'parts'], { cwd: odd });
    expect(stdout).toContain(
      'Read by their content, not by their names: 1 file ' +
        '("cube.step" has the extension .step, but its content is STL).',
    );
    const search = await runCli(['search', join('parts', 'cube.step')], { cwd: odd });
    expect(search.stderr).toMatch(/^warning: EXTENSION_MISMATCH: .*extension \.step, but its content is STL$/m);
    const components = await runCli(['search', join('parts', 'cube.stl'), '--components'], { cwd: odd });
    expect(components.stderr).toBe(
      'warning: No components are indexed here, or not yet, so assemblies were searched as wholes: the option ' +
        'indexAssemblyComponents of a put indexes them (shapedex index --components).\n',
    );
  } finally {
    await rm(odd, { recursive: true, force: true });
  }
});
