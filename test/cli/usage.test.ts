import { mkdtemp, rm } from 'node:fs/promises';
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
  ['a kind that is none', ['search', '--kind', 'text'], 'ThreeD'],
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
