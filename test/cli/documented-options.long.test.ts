import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { printedBy } from './printed-by.js';

// What the READMEs say of options and what the commands take, in both directions.

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const optionsIn = (text: string): string[] => [...new Set(text.match(/--[a-z][a-z-]*/g) ?? [])];
const README = read('src/cli/README.md');

/** Options by command, as the table has them: those of its own. */
const ROWS = new Map(
  [...README.matchAll(/^\| `([a-z ]+?)(?= [<[]|`)[^\n]*$/gm)].map(([row, name]) => [name, optionsIn(row)]),
);
/** Options that the text below the table gives to several commands. */
const SHARED = optionsIn(README.slice(README.indexOf('Every command takes `--json`')));

/** The options that each command takes, by its help. */
let taken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const commands = [...ROWS.keys()];
  const program = fileURLToPath(new URL('../../dist/cli/program.js', import.meta.url));
  const helps = await printedBy(
    program,
    commands.map((command) => [...command.split(' '), '--help']),
  );
  // What a text mentions is no option of the command.
  taken = new Map(
    commands.map((command, i) => [
      command,
      [...helps[i].matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, name]) => name),
    ]),
  );
});

test('each documented option is one of the command, and each option is documented', () => {
  expect(ROWS.size).toBeGreaterThan(25);
  for (const [command, documented] of ROWS) {
    const options = taken.get(command)!;
    expect(options, command).toEqual(expect.arrayContaining(documented));
    const unsaid = options.filter((name) => name !== '--help' && !documented.includes(name) && !SHARED.includes(name));
    expect(unsaid, command).toEqual([]);
  }
});

test('the licences that the README names are those of the packages', async () => {
  const { stdout } = await import('node:child_process').then(({ spawnSync }) =>
    spawnSync(process.execPath, [new URL('../../.ci/licences.mjs', import.meta.url).pathname, '--json'], {
      encoding: 'utf8',
    }),
  );
  const named = read('README.md').split('## Licences')[1];
  for (const { licence } of JSON.parse(stdout) as { licence: string }[])
    expect(
      licence.split(/[() ]+/).some((word) => word !== '' && named.includes(word.replace('-only', ''))),
      licence,
    ).toBe(true);
});
