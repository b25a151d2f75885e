import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

const cwd = temporaryFolder();
const start = (folder: string) => runCli(['start', folder, '--once'], { cwd });

test('start searches with the first model of its folder, whatever else is there or was indexed before', async () => {
  mkdirSync(join(cwd, 'letters'));
  writeFileSync(join(cwd, 'letters', 'a.txt'), 'a letter about a flange');
  const letters = await start('letters');
  expect(letters.code).toBe(0);
  expect(letters.stdout).toContain('no model to search with by shape');
  expect(letters.stdout).toMatch(/search --text "<words>" --library library/);

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
});

test.skipIf(process.platform === 'win32')(
  'the list of failures holds no control characters of file names',
  async () => {
    mkdirSync(join(cwd, 'hostile'));
    writeFileSync(join(cwd, 'hostile', 'a\x1b[31m\nb.stl'), boxStl(1, 2, 3));
    const { code, stdout, stderr } = await start('hostile');
    expect(code).toBe(1);
    expect(stdout).toContain('a\u{FFFD}[31m⏎b.stl  PATH_INVALID');
    expect(stdout + stderr).not.toMatch(/\x1b/);
  },
);

test.skipIf(process.platform === 'win32')(
  'what is no file is said apart from files of kinds that are not read',
  async () => {
    mkdirSync(join(cwd, 'links'));
    writeFileSync(join(cwd, 'secret.txt'), 'secret');
    writeFileSync(join(cwd, 'links', 'b.stl'), boxStl(1, 2, 3));
    writeFileSync(join(cwd, 'links', 'Makefile'), '');
    symlinkSync(cwd, join(cwd, 'links', 'above'));
    symlinkSync('nowhere', join(cwd, 'links', 'lost'));
    symlinkSync('../secret.txt', join(cwd, 'links', 'out.txt'));
    execFileSync('mkfifo', [join(cwd, 'links', 'pipe')]);
    const { code, stdout } = await start('links');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Left out, of kinds that are not read: 1 file (1 without an extension).\nPassed over: ' +
        '1 link to a folder is not followed, 1 link out of the folder (--follow-links reads what they lead to), ' +
        '1 broken link, 1 is not a plain file.\n',
    );
  },
);

test('a library that cannot be opened is told before the sample parts are made', async () => {
  writeFileSync(join(cwd, 'taken'), 'a file');
  const { code, stderr } = await runCli(['start', '--once', '--library', 'taken'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('it is a file; a library is a folder')]);
  expect(existsSync(join(cwd, 'sample-library'))).toBe(false);
});

test('start goes on to serve the page to this machine, until it is told to stop', async () => {
  mkdirSync(join(cwd, 'served'));
  writeFileSync(join(cwd, 'served', 'b.stl'), boxStl(4, 5, 6));
  let seen: Promise<void> | undefined;
  const { code, stdout } = await runCli(['start', 'served', '--library', 'served-library'], {
    cwd,
    onStart: (child) => {
      let said = '';
      child.stdout.on('data', (text: string) => {
        said += text;
        const address = /(http:\/\/127\.0\.0\.1:\d+)\/#key=([\w-]+)/.exec(said);
        if (address !== null) seen ??= looks(address[1], address[2]).finally(() => child.kill('SIGTERM'));
      });
    },
  });
  await seen;
  expect(seen).toBeDefined();
  expect(code).toBe(0);
  expect(stdout).toContain('The files most like b.stl:');

  async function looks(url: string, key: string): Promise<void> {
    expect(await (await fetch(`${url}/`)).text()).toContain('<title>shapedex</title>');
    const status = (token: string) => fetch(`${url}/api/Status`, { headers: { Authorization: `Bearer ${token}` } });
    expect(((await (await status(key)).json()) as { files: number }).files).toBe(1);
    expect((await status(`${key.slice(0, -1)}x`)).status).toBe(401);
    const saved = await fetch(`${url}/api/SavedSearches?name=b&queryStr=text%3Db`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(((await saved.json()) as { Name: string }[]).map(({ Name }) => Name)).toEqual(['b']);
  }
});
