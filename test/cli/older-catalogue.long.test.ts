import { once } from 'node:events';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { catalog, withOlderCatalogue } from '../store/library-with-lost-files.js';
import { jsonLines, runCli } from './run-cli.js';

// What the command line says of a library whose catalogue is older than its files, and the ways out that it names.

const cwd = temporaryFolder();
let newer = '';
const shapedex = (...args: string[]) => runCli([...args, '--library', 'library'], { cwd });

beforeAll(async () => {
  ({ newer } = await withOlderCatalogue(join(cwd, 'library')));
});

test('status, serve and verify tell it; verify names the safe ways before --purge', async () => {
  const status = await shapedex('status', '--company', 'acme', '--json');
  expect(status.stderr).toMatch(/^warning: CATALOG_OLDER: .*4 stored.*verify --rescue <folder>/);
  expect(jsonLines(status.stdout)).toMatchObject([{ files: 6, warnings: [{ code: 'CATALOG_OLDER' }] }]);

  const served = await runCli(['serve', '--port', '0', '--json', '--no-key', '--library', 'library'], {
    cwd,
    onStart: (child) => void once(child.stdout, 'data').then(() => child.kill('SIGTERM')),
  });
  expect([served.code, served.stderr]).toEqual([0, expect.stringMatching(/^warning: CATALOG_OLDER: /)]);

  const { code, stdout } = await shapedex('verify');
  expect(code).toBe(0);
  const ways = ['CATALOG_OLDER', 'newer catalog.sqlite back', 'verify --rescue <folder>', 'verify --purge'];
  const places = ways.map((way) => stdout.indexOf(way));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('its two ways lead to whole files, and then it is told no more', async () => {
  const rescued = await shapedex('verify', '--rescue', 'rescued');
  expect(rescued.code).toBe(0);
  const texts = readdirSync(join(cwd, 'rescued'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(texts.sort()).toEqual(Array.from({ length: 10 }, (_, number) => `text ${number}`));

  cpSync(newer, catalog(join(cwd, 'library')));
  const status = await shapedex('status', '--company', 'acme', '--json');
  expect(status.stderr).not.toContain('warning');
  expect(jsonLines(status.stdout)).toEqual([
    { files: 10, states: expect.anything() as object, describedAgain: 0, failures: [] },
  ]);
});

test('verify ends with a report where the library does not open', async () => {
  writeFileSync(catalog(join(cwd, 'library')), 'overwritten');
  const { code, stdout } = await shapedex('verify', '--json');
  expect(code).toBe(1);
  expect(jsonLines(stdout)).toMatchObject([
    { blobsChecked: 10, problems: [{ code: 'CATALOG_DAMAGED', repaired: false }], lostAndFound: { moved: 0 } },
  ]);
});
