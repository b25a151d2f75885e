import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '../../dist/cli/program.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { jsonLines, runCli } from './run-cli.js';

/**
 * Every command by what it does in common with all others: help with examples, JSON, codes. Most run in this process:
 * it is quicker.
 */
const cwd = temporaryFolder();
const library = join(cwd, 'library');
const folder = join(cwd, 'cad');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function cli(...args: readonly string[]): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    const code = await run(['node', 'shapedex', ...args]);
    return { code, stdout, stderr };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** Names in the list of commands of a help text. */
function namesIn(help: string): string[] {
  const at = help.indexOf('\nCommands:');
  return at < 0
    ? []
    : [
        ...help
          .slice(at)
          .split('\nExample')[0]
          .matchAll(/^ {2}(\w+) /gm),
      ]
        .map(([, name]) => name)
        .filter((name) => name !== 'help');
}

const commands: string[] = [];
beforeAll(async () => {
  for (const name of namesIn((await cli('help')).stdout)) {
    const help = (await cli('help', name)).stdout;
    const inner = namesIn(help).map((one) => `${name} ${one}`);
    // One with arguments of its own is a command beside those that it holds.
    if (inner.length === 0 || help.startsWith(`Usage: shapedex ${name} [options] [command] <`)) commands.push(name);
    commands.push(...inner);
  }
  mkdirSync(join(folder, 'a'), { recursive: true });
  writeFileSync(join(folder, 'a', 'box.stl'), boxStl(1, 2, 3));
  writeFileSync(join(folder, 'copy.stl'), boxStl(1, 2, 3));
  writeFileSync(join(folder, 'long.stl'), boxStl(1, 2, 30));
  writeFileSync(join(folder, 'note.txt'), 'a note about boxes');
  writeFileSync(join(folder, 'sheet.dxf'), DXF);
});
afterEach(() => vi.unstubAllEnvs());

/** One line, 100 mm long. */
const DXF = [
  '0',
  'SECTION',
  '2',
  'ENTITIES',
  '0',
  'LINE',
  '8',
  '0',
  '10',
  '0',
  '20',
  '0',
  '11',
  '100',
  '21',
  '50',
  '0',
  'ENDSEC',
  '0',
  'EOF',
  '',
].join('\n');

/**
 * What each command is called with, in this order, to do its work on the folder. Those that serve until Ctrl-C run by
 * themselves.
 */
const WORK: Readonly<Record<string, readonly string[]>> = {
  index: ['index', folder, '--attribute', 'Material=steel'],
  search: ['search', 'copy.stl'],
  list: ['list'],
  attributes: ['attributes'],
  values: ['values', 'Material'],
  'category add': ['category', 'add', 'Boxes'],
  'category list': ['category', 'list'],
  'category set': ['category', 'set', 'copy.stl', 'Boxes'],
  pmi: ['pmi', 'sheet.dxf'],
  'pmi compare': ['pmi', 'compare', 'sheet.dxf', 'sheet.dxf'],
  features: ['features', 'copy.stl'],
  status: ['status'],
  assembly: ['assembly', 'copy.stl'],
  duplicates: ['duplicates'],
  delete: ['delete', 'note.txt'],
  stats: ['stats'],
  verify: ['verify'],
  reindex: ['reindex', '--all'],
  'company add': ['company', 'add', 'acme'],
  'company profile': ['company', 'profile', 'acme'],
  'company plan': ['company', 'plan', 'acme'],
  'company callback': ['company', 'callback', 'acme', '--url', 'https://example.com/hook'],
  'user add': ['user', 'add', 'ada@acme.example', '--company', 'acme'],
  'user list': ['user', 'list'],
  'user password': ['user', 'password', 'ada@acme.example'],
  'key add': ['key', 'add', 'ada@acme.example', '--name', 'import'],
  'key list': ['key', 'list'],
  audit: ['audit'],
  'user remove': ['user', 'remove', 'ada@acme.example'],
  'client add': ['client', 'add', '--id', 'erp'],
  'client list': ['client', 'list'],
  'client remove': ['client', 'remove', 'erp'],
  backup: ['backup', join(cwd, 'backup')],
};
/** Those that need no library. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  convert: ['convert', join(folder, 'copy.stl'), '--to', 'step', '--out', join(cwd, 'converted')],
};
const UNTIL_STOPPED: Readonly<Record<string, readonly string[]>> = {
  start: ['start', folder],
  watch: ['watch', folder, '--settle', '0.2'],
  serve: ['serve', '--port', '0', '--watch', folder],
};

test('every command is walked', () => {
  // `sample` makes its parts for half a minute, `user approve` needs somebody who signed up, `key remove` a key,
  // `category remove` one, `mcp` a client, `migrate` a database: they have tests of their own.
  const others = ['sample', 'user approve', 'key remove', 'category remove', 'mcp', 'migrate'];
  expect([...Object.keys(WORK), ...Object.keys(ALONE), ...Object.keys(UNTIL_STOPPED), ...others].sort()).toEqual(
    [...commands].sort(),
  );
});

test('the help of each names it, tells of --json and ends with an example of it', async () => {
  for (const command of commands) {
    const { code, stdout } = await cli(...command.split(' '), '--help');
    expect(code, command).toBe(0);
    expect(stdout, command).toMatch(new RegExp(`^Usage: shapedex ${command} `));
    expect(stdout, command).toContain('--json');
    const examples =
      stdout
        .split(/^Examples?:\n/m)[1]
        ?.trimEnd()
        .split('\n') ?? [];
    expect(examples.length, command).toBeGreaterThan(0);
    const isOfAnother = (line: string): boolean =>
      commands.some((other) => other.startsWith(`${command} `) && line.startsWith(`  shapedex ${other} `));
    const own = examples.filter((line) => !isOfAnother(line));
    for (const line of own) expect(line, command).toMatch(new RegExp(`^  shapedex ${command}( |$)`));
    // What an example gives is an option of the command.
    for (const option of own.join(' ').match(/--[a-z][a-z-]*/g) ?? [])
      expect(stdout.split('Example')[0], command).toContain(option);
  }
});

test('the help of a command that only holds others ends with an example of each', async () => {
  for (const group of new Set(
    commands.filter((command) => command.includes(' ')).map((command) => command.split(' ')[0]),
  )) {
    const { code, stdout } = await cli(group, '--help');
    expect(code, group).toBe(0);
    for (const command of commands.filter((each) => each.startsWith(`${group} `)))
      expect(stdout.split(/^Examples?:\n/m)[1], command).toContain(`  shapedex ${command}`);
  }
});

test('a wrong option of each is a usage error with a code', async () => {
  for (const command of commands) {
    // One that is required is asked for first.
    const needed =
      { 'user add': ['--company', 'acme'], convert: ['--to', 'stl'], 'key add': ['--name', 'x'] }[command] ?? [];
    const { code, stdout, stderr } = await cli(...command.split(' '), ...needed, '--no-such-option', '--json');
    expect(code, command).toBe(2);
    expect(stderr, command).toMatch(/^error: USAGE: unknown option '--no-such-option'.*\n$/);
    expect(jsonLines(stdout), command).toEqual([
      { error: { code: 'USAGE', message: expect.stringContaining('--no-such-option') } },
    ]);
  }
});

test('a usage error is one line, with what was perhaps meant', async () => {
  for (const [args, message] of [
    [['serch', 'a.stl'], "unknown command 'serch' (Did you mean search?)"],
    [['list', '--limt', '3'], "unknown option '--limt' (Did you mean --limit?)"],
    [['index'], "missing required argument 'folder'"],
  ] as const) {
    const { code, stdout, stderr } = await cli(...args, '--json');
    expect(code).toBe(2);
    expect(stderr).toBe(`error: USAGE: ${message}\n`);
    expect(jsonLines(stdout)).toEqual([{ error: { code: 'USAGE', message } }]);
  }
  expect(await cli('company')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Usage: shapedex company/) as string,
  });
});

test.each(Object.keys(ALONE))('%s --json needs no library', async (command) => {
  const { code, stdout, stderr } = await cli(...ALONE[command], '--json');
  expect(stderr).not.toMatch(/^error/m);
  expect(code).toBe(0);
  expect(jsonLines(stdout).length).toBeGreaterThan(0);
});

describe('with a library', () => {
  test.each(Object.keys(WORK))('%s --json writes JSON, and nothing else, on stdout', async (command) => {
    const { code, stdout, stderr } = await cli(...WORK[command], '--library', library, '--json');
    expect(stderr).not.toMatch(/^error/m);
    expect(code).toBe(0);
    expect(jsonLines(stdout).length).toBeGreaterThan(0);
  });

  test('a narrow line holds every table', async () => {
    for (const columns of ['40', '60', '80']) {
      vi.stubEnv('COLUMNS', columns);
      for (const args of [
        ['search', 'copy.stl'],
        ['list'],
        ['duplicates'],
        ['attributes'],
        ['values', 'Material'],
        ['category', 'list'],
      ]) {
        const { stdout } = await cli(...args, '--library', library);
        const table = stdout.split('\n').filter((line) => / {2}\S/.test(line));
        expect(table.length, args[0]).toBeGreaterThan(0);
        expect(Math.max(...table.map((line) => [...line].length)), `${args[0]} at ${columns}`).toBeLessThanOrEqual(
          Number(columns),
        );
      }
    }
  });
});

test('a file that ends early is searched and read with a word about it', async () => {
  const cut = join(folder, '..', 'cut.dxf');
  const square = [0, 40, 40, 40, 40, 0, 0, 0].flatMap((x, i, all) =>
    i % 2 === 1
      ? []
      : ['0', 'LINE', '8', '0', '10', x, '20', all[i + 1], '11', all[(i + 2) % 8], '21', all[(i + 3) % 8]],
  );
  writeFileSync(cut, ['0', 'SECTION', '2', 'ENTITIES', ...square, '0', 'ENDSEC', ''].join('\n'));
  for (const args of [
    ['search', cut, '--library', library],
    ['pmi', cut],
    ['pmi', 'compare', cut, cut],
  ]) {
    const { code, stderr } = await cli(...args);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^warning: FILE_TRUNCATED: .*ends without EOF/m);
  }
});

describe('failures', () => {
  /** Those that make a library where none is. */
  const MAKING = ['index', 'company add'];

  /** Those that a file on disk is enough for: here it is not there either. */
  const OF_FILES = ['search', 'pmi', 'pmi compare', 'features', 'assembly'];

  test('a library that is not there', async () => {
    for (const [command, args] of Object.entries(WORK)) {
      if (MAKING.includes(command)) continue;
      const wanted = OF_FILES.includes(command) ? 'FILE_UNKNOWN' : 'LIBRARY_UNREADABLE';
      const { code, stdout, stderr } = await cli(...args, '--library', join(cwd, 'nowhere'), '--json');
      expect(code, command).toBe(1);
      expect(stderr, command).toMatch(new RegExp(`^error: ${wanted}: `));
      expect(jsonLines(stdout), command).toMatchObject([{ error: { code: wanted } }]);
    }
  });

  test.each([
    ['a file that is unknown', ['status', 'nothing.stl'], 1, 'FILE_UNKNOWN'],
    ['to search with', ['search', 'nothing.stl'], 1, 'FILE_UNKNOWN'],
    ['to search with, above the folder', ['search', '../nothing.stl'], 1, 'FILE_UNKNOWN'],
    ['to delete', ['delete', 'nothing.stl'], 1, 'FILE_UNKNOWN'],
    ['to keep', ['duplicates', '--keep', 'nothing.stl'], 1, 'FILE_UNKNOWN'],
    ['a category that is unknown', ['category', 'set', 'copy.stl', 'Nuts'], 2, 'USAGE'],
    ['one file that is different', ['duplicates', '--different', 'copy.stl'], 2, 'USAGE'],
    ['two decisions at once', ['duplicates', '--keep', 'copy.stl', '--decisions'], 2, 'USAGE'],
    ['a folder that is not there', ['watch', 'nowhere'], 2, 'USAGE'],
    ['a file to follow as a folder', ['serve', '--watch', join(folder, 'copy.stl')], 2, 'USAGE'],
    ['folders of one name to serve', ['serve', '--watch', '.', '--watch', '../' + basename(process.cwd())], 2, 'USAGE'],
    ['a tolerance that is none', ['search', 'copy.stl', '--volume', 'about'], 2, 'QUERY_INVALID'],
  ])('%s', async (_what, args, exit, named) => {
    const { code, stdout, stderr } = await cli(...args, '--library', library, '--json');
    expect(code).toBe(exit);
    expect(stderr).toMatch(new RegExp(`^error: ${named}: `));
    expect(jsonLines(stdout)).toMatchObject([{ error: { code: named } }]);
  });
});

describe('duplicates', () => {
  test('decisions by path, shown, used and taken back', async () => {
    const duplicates = (...args: string[]) => cli('duplicates', '--library', library, ...args);
    expect((await duplicates()).stdout).toContain('the same bytes: 2 files');
    expect((await duplicates('--different', 'a/box.stl', 'copy.stl')).code).toBe(0);
    expect((await duplicates()).stdout).toMatch(/^No duplicates\./);
    const [[{ id }]] = jsonLines<{ id: number }[]>((await duplicates('--decisions', '--json')).stdout);
    expect((await duplicates('--undo', String(id))).stdout).toBe('1 decision undone.\n');
    expect((await duplicates('--keep', 'copy.stl')).code).toBe(0);
    expect((await duplicates()).stdout).toMatch(/decided\n.*\n.*\nkeep: bytes +copy\.stl/);
    expect((await duplicates('--open')).stdout).toMatch(/^No duplicates\./);
  });
});

describe('until Ctrl-C', () => {
  test.skipIf(process.platform === 'win32').each(Object.keys(UNTIL_STOPPED))(
    '%s --json tells what happens, and ends well',
    async (command) => {
      const { code, stdout, stderr } = await runCli(
        [...UNTIL_STOPPED[command], '--library', join(cwd, `library-${command}`), '--json'],
        {
          cwd,
          onStart: (child) => {
            let text = '';
            child.stdout.on('data', (more: string) => {
              text += more;
              if (/"event":"(ready|serving)"/.test(text)) child.kill('SIGINT');
            });
          },
        },
      );
      expect(stderr).not.toMatch(/^error/m);
      expect(code).toBe(0);
      const lines = jsonLines<{ event?: string; url?: string; path?: string }>(stdout);
      if (command !== 'start')
        expect(
          lines
            .filter(({ event }) => event === 'added')
            .map(({ path }) => path)
            .sort(),
        ).toEqual(['a/box.stl', 'copy.stl', 'long.stl', 'note.txt', 'sheet.dxf']);
      if (command !== 'watch') expect(lines.some(({ url }) => url?.startsWith('http://127.0.0.1:'))).toBe(true);
    },
  );
});
