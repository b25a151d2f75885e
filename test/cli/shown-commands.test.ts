import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../dist/cli/program.js';

// Every command line that the READMEs and the deploy files show is one that the program takes.

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The words of a line of a shell, without quotes and comment; a `;`, `&` or `|` ends it. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (/^[#&|;]/.test(word)) break;
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return words;
}

/** The shell code of a README, or of the comments at the head of a file, without the ends of continued lines. */
const scriptsOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, code]) => code.replaceAll(/\\\n\s*/g, '').split('\n'));

/** Parses a line as the program does, runs nothing, and returns what it would run. @throws what the program prints. */
function parsed(words: readonly string[]): { name: string; options: Record<string, unknown> } {
  let found: { name: string; options: Record<string, unknown> } | undefined;
  const program = buildProgram(() => undefined);
  const mute = (command: Command): void => {
    if (command !== program)
      command.action(() => {
        const names = [command.parent, command].filter((one) => one !== program).map((one) => one!.name());
        found = { name: names.join(' '), options: command.opts() };
      });
    command.commands.forEach(mute);
  };
  mute(program);
  program.parse([...words], { from: 'user' });
  if (found === undefined) throw new Error('it names no command');
  return found;
}

/** The same, with the line in what it throws. */
function parsedLine(words: readonly string[]): ReturnType<typeof parsed> {
  try {
    return parsed(words);
  } catch (cause) {
    throw new Error(`shapedex ${words.join(' ')}: ${(cause as Error).message}`);
  }
}

test('a line with an option that no command has, or without one that it needs, is told', () => {
  expect(() => parsedLine(['user', 'add', 'a@b.c', '--company', 'acme', '--role', 'operator'])).toThrow('--role');
  expect(() => parsedLine(['user', 'add', 'a@b.c'])).toThrow('--company');
  expect(() => parsedLine(['serve', 'here'])).toThrow('too many arguments');
  expect(() => parsedLine(['company', 'remove', 'acme'])).toThrow();
});

test.each([
  ['README.md', 10],
  ['src/cli/README.md', 0],
  ['src/http/README.md', 4],
  ['src/http/SERVING.md', 20],
  ['src/store/shared/RUNNING.md', 1],
])('the lines of %s', (file, atLeast) => {
  const lines = scriptsOf(read(file)).flatMap((line) => {
    const [, shown] = /^(?:[A-Z_]+=\S+ )?(?:npx )?shapedex (.*)$/.exec(line) ?? [];
    return shown === undefined ? [] : [wordsOf(shown)];
  });
  for (const words of lines) parsedLine(words);
  expect(lines.length).toBeGreaterThanOrEqual(atLeast);
});

test('what the text of RUNNING.md tells to run', () => {
  // Those with arguments; others are named only. `…` stands for a rest that is yours.
  const lines = [...read('src/store/shared/RUNNING.md').matchAll(/`shapedex ([^`]+ [^`]+)`/g)].map(([, line]) => line);
  for (const line of lines) parsedLine(wordsOf(line.replaceAll('\n', ' ')));
  expect(lines.length).toBeGreaterThan(1);
});

test('the lines of compose.yaml name the library in PostgreSQL, and nothing in the image but the command', () => {
  const compose = read('src/http/deploy/compose.yaml').replaceAll(/\$\{(\w+)[^}]*\}/g, '$1');
  const url = /&url (postgres:\S+)/.exec(compose)![1];
  const shown = [...compose.matchAll(/^# +docker compose .* run --rm (\S+) (.*)$/gm)];
  expect(shown.map(([, service]) => service)).toEqual(['server-1', 'server-1']);
  const lines = shown.map(([, , line]) => wordsOf(line.replaceAll('"$LIBRARY"', url)));
  const server = /command: &serve\n((?: +- .*\n)+)/.exec(compose)![1];
  lines.push(server.split('\n').flatMap((line) => wordsOf(line.replace(/^ +- (&\w+ )?/, ''))));
  lines.push(wordsOf(/command: \[(serve, .*)\]/.exec(compose)![1].replaceAll(', ', ' ').replace('*url', url)));
  const found = lines.map(parsedLine);
  expect(found.map(({ name }) => name)).toEqual(['company add', 'user add', 'serve', 'serve']);
  for (const { options } of found) expect(options['library']).toBe(url);
  expect(found.slice(2).map(({ options }) => options['workers'])).toEqual([0, 2]);
});

test('the lines of the image and of the unit', () => {
  const image = read('src/http/deploy/Dockerfile');
  expect(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)![1])).toEqual(['node', '/app/dist/cli/main.js']);
  const run = JSON.parse(/^CMD (.*)$/m.exec(image)![1]) as string[];
  const unit = read('src/http/deploy/shapedex.service').replaceAll(/\\\n\s*/g, '');
  const started = wordsOf(/^ExecStart=\/usr\/bin\/env shapedex (.*)$/m.exec(unit)![1]);
  expect([run, started].map((words) => parsedLine(words).name)).toEqual(['serve', 'serve']);
});
