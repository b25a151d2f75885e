import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runCli } from './run-cli.js';

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

/** The shell code of a README. */
const scriptsIn = (text: string): string =>
  [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, code]) => code).join('');

async function helpOf(command: string): Promise<string[]> {
  const { code, stdout } = await runCli([...command.split(' '), '--help'], { cwd: tmpdir() });
  expect(code, command).toBe(0);
  // What a text mentions is no option of the command.
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, name]) => name);
}

test('each documented option is one of the command, and each option is documented', async () => {
  expect(ROWS.size).toBeGreaterThan(25);
  for (const [command, documented] of ROWS) {
    const taken = await helpOf(command);
    expect(taken, command).toEqual(expect.arrayContaining(documented));
    const unsaid = taken.filter((name) => name !== '--help' && !documented.includes(name) && !SHARED.includes(name));
    expect(unsaid, command).toEqual([]);
  }
}, 240_000);

test('the commands that the READMEs show take the options that they show', async () => {
  let shown = 0;
  for (const file of ['README.md', 'src/cli/README.md', 'src/http/README.md', 'src/http/SERVING.md'])
    for (const [, line] of scriptsIn(read(file)).matchAll(/^(?:npx )?(shapedex [a-z][^\n]*)$/gm)) {
      const words = line.split(/[#|&]/)[0].split(' ').slice(1);
      const command = [...ROWS.keys()].find((name) => `${words.join(' ')} `.startsWith(`${name} `));
      expect(command, line).toBeDefined();
      expect(await helpOf(command!), line).toEqual(expect.arrayContaining(optionsIn(words.join(' '))));
      shown++;
    }
  expect(shown).toBeGreaterThan(15);
}, 240_000);

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
