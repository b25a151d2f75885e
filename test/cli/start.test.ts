import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

const cwd = temporaryFolder();
const start = (folder: string) => runCli(['start', folder], { cwd });

test('start searches with the first model of its folder, whatever else is there or was indexed before', async () => {
  mkdirSync(join(cwd, 'letters'));
  writeFileSync(join(cwd, 'letters', 'a.txt'), 'a letter about a flange');
  const letters = await start('letters');
  expect(letters.code).toBe(0);
  expect(letters.stdout).toContain('no model to search with by shape');
  expect(letters.stdout).toMatch(/search --text <words> --library library/);

  mkdirSync(join(cwd, 'older'));
  writeFileSync(join(cwd, 'older', 'a.stl'), boxStl(1, 2, 3));
  expect((await start('older')).code).toBe(0);
  mkdirSync(join(cwd, 'mixed'));
  writeFileSync(join(cwd, 'mixed', 'aa.txt'), 'a note');
  writeFileSync(join(cwd, 'mixed', 'b.stl'), boxStl(4, 5, 6));
  // The second time both files are unchanged.
  for (let run = 0; run < 2; run++) {
    const mixed = await start('mixed');
    expect(mixed.stderr).not.toContain('error');
    expect(mixed.code).toBe(0);
    expect(mixed.stdout).toContain('The files most like b.stl:');
    expect(mixed.stdout).toMatch(/search mixed.b\.stl /);
  }
}, 120_000);

test.skipIf(process.platform === 'win32')('the list of failures holds no control characters of file names', async () => {
  mkdirSync(join(cwd, 'hostile'));
  writeFileSync(join(cwd, 'hostile', 'a\x1b[31m\nb.stl'), boxStl(1, 2, 3));
  const { code, stdout, stderr } = await start('hostile');
  expect(code).toBe(1);
  expect(stdout).toContain('a\u{FFFD}[31m⏎b.stl  LIMIT_EXCEEDED');
  expect(stdout + stderr).not.toMatch(/\x1b/);
}, 60_000);
