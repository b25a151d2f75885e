import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonLines, runCli } from './run-cli.js';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'shapedex-cli-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const COMMANDS = [
  'start',
  'index',
  'search',
  'status',
  'delete',
  'stats',
  'verify',
  'reindex',
  'sample',
  'company',
  'user',
  'client',
];

test('help names every command and ends well', async () => {
  const { code, stdout } = await runCli(['--help'], { cwd });
  expect(code).toBe(0);
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test('the help of search names its options', async () => {
  const { code, stdout } = await runCli(['search', '--help'], { cwd });
  expect(code).toBe(0);
  for (const option of [
    'text',
    'attribute',
    'kind',
    'category',
    'filter',
    'limit',
    'offset',
    'within',
    'volume',
    'bbox-volume',
    'surface-area',
    'library',
    'company',
    'json',
  ]) {
    expect(stdout).toContain(`--${option}`);
  }
});

test.each([
  ['an unknown command', ['serach'], 'search'],
  ['an unknown option', ['stats', '--verbose'], '--verbose'],
  ['a missing argument', ['search'], 'file|uid'],
  ['no folder to index', ['index'], 'folder'],
  ['a kind that is none', ['search', '--kind', '3d'], 'ThreeD'],
  ['an attribute without an operator', ['search', '--attribute', 'steel'], 'steel'],
  ['a limit that is no number', ['search', 'x.stl', '--limit', 'ten'], 'ten'],
  ['a folder that is not there', ['index', 'nowhere'], 'nowhere'],
  ['a start folder that is not there', ['start', 'nowhere'], 'nowhere'],
])('%s is a usage error', async (_what, args, named) => {
  const { code, stdout, stderr } = await runCli(args, { cwd });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toContain(named);
});

test.each([
  [
    ['serve', '--key', '--no-key'],
    ['--key', '--no-key'],
  ],
  [
    ['verify', '--purge', '--no-repair'],
    ['--purge', '--no-repair'],
  ],
  [
    ['verify', '--rescue', 'to', '--purge'],
    ['--rescue', '--purge'],
  ],
  [
    ['verify', '--rescue', 'to', '--unit', 'in'],
    ['--rescue', '--unit'],
  ],
  [
    ['company', 'callback', 'acme', '--off', '--allow', 'host'],
    ['--off', '--allow'],
  ],
  [
    ['duplicates', '--decisions', '--csv', 'to.csv'],
    ['--decisions', '--csv'],
  ],
  [
    ['duplicates', '--keep', 'a.stl', '--near'],
    ['--keep', '--near'],
  ],
  [
    ['search', '--text', 'a', '--unit', 'in'],
    ['--unit', 'file on disk'],
  ],
  [
    ['search', '--sheet', 'a.png', '--picture', 'b.png', '--text', 'a'],
    ['--sheet', '--picture'],
  ],
])('%j: one would be ignored, so it is refused, and both are named', async (args, named) => {
  const { code, stderr } = await runCli(args, { cwd });
  expect(code).toBe(2);
  for (const name of named) expect(stderr).toContain(name);
});

test('what compares with a file is refused without one; a picture of nothing is none', async () => {
  await runCli(['company', 'add', 'default', '--library', 'empty'], { cwd });
  const found = await runCli(['search', '--text', 'a', '--volume', '.1', '--library', 'empty'], { cwd });
  expect([found.code, found.stderr]).toEqual([2, expect.stringContaining('--volume compares with a file')]);
  const sheet = await runCli(['search', '--text', 'a', '--sheet', 'a.png', '--library', 'empty'], { cwd });
  expect([sheet.code, sheet.stderr]).toEqual([0, expect.stringContaining('Picture: none')]);
});

test('wrong values are named as the command line has them', async () => {
  const url = ['serve', '--port', '0', '--library', 'empty', '--public-url', 'ftp://x'];
  expect((await runCli(url, { cwd })).stderr).toMatch(/^error: USAGE: --public-url must be/);
  const user = ['user', 'add', 'nobody', '--company', 'default', '--library', 'empty'];
  expect((await runCli(user, { cwd })).stderr).toMatch(/^error: USAGE: email must be an e-mail address/);
});

test('a limit out of range says what it must be', async () => {
  const { code, stderr } = await runCli(['search', '--text', 'x', '--limit', '-3'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a whole number, from 1 to 10000.')]);
});

test('convert says once that a file is missing, or of no kind that is read, by its name', async () => {
  await writeFile(join(cwd, 'odd.thing'), Buffer.from([1, 2, 255, 3, 4]));
  const { code, stderr } = await runCli(['convert', 'nowhere.step', 'odd.thing', '--to', 'stl'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('nowhere.step  FILE_UNKNOWN\n    there is no such file on disk\n');
  expect(stderr).toContain('the format of "odd.thing" is not supported');
  expect(stderr).not.toContain('ENOENT');
});

test('where a file cannot be written, or nobody can listen, it is said in words with a code', async () => {
  await runCli(['company', 'add', 'default'], { cwd });
  await writeFile(join(cwd, 'note.txt'), 'hello');
  await runCli(['index', '.'], { cwd });
  const search = ['search', '--text', 'hello', '--export'];
  for (const [args, said] of [
    [
      [...search, 'nowhere/x.csv'],
      'STORAGE_FAILED: could not open or write nowhere/x.csv: there is no such file or folder (ENOENT)',
    ],
    [
      [...search, 'note.txt/x.csv'],
      'STORAGE_FAILED: could not open or write note.txt/x.csv: a part of the path is a file, not a folder (ENOTDIR)',
    ],
    [
      ['serve', '--host', '192.0.2.1', '--port', '1'],
      'LISTEN_FAILED: could not listen at 192.0.2.1:1: this machine has no such address (EADDRNOTAVAIL)',
    ],
    [['index', '.', '--library', 'note.txt/x'], 'STORAGE_FAILED: could not make the library'],
    [['index', 'nowhere'], 'USAGE: there is no folder nowhere'],
    [['index', 'note.txt'], 'USAGE: note.txt is not a folder'],
  ] as const) {
    const { code, stderr } = await runCli(args, { cwd });
    const expected = [said.startsWith('USAGE') ? 2 : 1, expect.stringContaining(said)];
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual(expected);
    expect(stderr).not.toMatch(/(\bE[A-Z]+): \1/);
  }
});

test('a query file of no kind that is read is named as it is', async () => {
  await writeFile(join(cwd, 'query.unknown'), Buffer.from([1, 2, 255, 3, 4]));
  await runCli(['company', 'add', 'default'], { cwd });
  const { stderr } = await runCli(['search', 'query.unknown'], { cwd });
  expect(stderr).toMatch(/^error: FORMAT_UNSUPPORTED: the format of "query.unknown" is not supported/);
  await rm(join(cwd, 'library'), { recursive: true });
});

test('a missing library is one clear line, and a document with --json', async () => {
  const plain = await runCli(['list', '--library', 'missing'], { cwd });
  expect(plain.code).toBe(1);
  expect(plain.stderr).toMatch(/^error: LIBRARY_UNREADABLE: .*missing.*\n$/);

  const json = await runCli(['stats', '--library', 'missing', '--json'], { cwd });
  expect(json.code).toBe(1);
  expect(jsonLines<{ error: { code: string } }>(json.stdout)).toMatchObject([
    { error: { code: 'LIBRARY_UNREADABLE' } },
  ]);
});

test('DEBUG adds the stack', async () => {
  const { stderr } = await runCli(['stats', '--library', 'missing'], { cwd, env: { DEBUG: '1' } });
  expect(stderr).toMatch(/\n {4}at /);
});

test('a name with spaces that was given without quotes is told as that', async () => {
  await writeFile(join(cwd, 'my flat plate.dxf'), 'no drawing');
  for (const words of [['pmi'], ['search'], ['index']]) {
    const { code, stderr } = await runCli(
      [...words, 'my', 'flat', 'plate.dxf', '--limit', '3'].slice(0, words[0] === 'search' ? 6 : 4),
      { cwd },
    );
    expect([code, stderr]).toEqual([2, 'error: USAGE: a name with spaces must stand in quotes: "my flat plate.dxf"\n']);
  }
});
