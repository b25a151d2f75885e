import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

const cwd = temporaryFolder();
const library = join(cwd, 'library');

test('stats tells in one line what holds the processes that read files', async () => {
  expect((await runCli(['company', 'add', 'acme', '--library', library], { cwd })).code).toBe(0);
  const { code, stdout } = await runCli(['stats', '--library', library], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ *reading processes +(namespaces|offline|limits|bounds|none): .*MiB of memory/m);
});
