import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { printedWithout } from '../fixtures/package-copy.js';
import { hasPostgres, HOW, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

const folder = temporaryFolder();
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Ended {
  readonly status: number | null;
  readonly said: string;
  readonly last: unknown;
}

/** Runs a command of its own process. `last`: the last line of its output, as JSON. */
function run(env: NodeJS.ProcessEnv, ...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args, '--json'], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return { status, said: stdout + stderr, last: last === '' ? undefined : (JSON.parse(last) as unknown) };
}

/** What opening a library in PostgreSQL with bytes in a bucket, and `import 'shapedex'` alone, print. */
const OPENED = `
  import { Engine } from './dist/index.js';
  const opened = (url, blobs) => Engine.open(url, { blobs, replica: './replica-' + process.pid, connectTimeoutMs: 500 })
    .then(() => 'open', ({ code, details, message }) => ({ code, package: details.package, message }));
  console.log(JSON.stringify([await opened('postgres://shapedex@127.0.0.1:1/any', './bytes')]));
`;

test('without the package pg, only a library in PostgreSQL is refused, and the error names it', async () => {
  const missing = { code: 'PACKAGE_MISSING', package: 'pg', message: expect.stringContaining('npm install pg') };
  expect(await printedWithout(['pg', 'aws4fetch'], OPENED)).toEqual([missing]);
  expect(await printedWithout(['aws4fetch'], OPENED)).toMatchObject([{ code: 'STORAGE_FAILED' }]);
});

describe.skipIf(!hasPostgres)(hasPostgres ? 'commands on a library in PostgreSQL' : HOW, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('move, search, count, check, read again and refuse to copy it', { timeout: 300_000 }, async () => {
    const library = join(folder, 'library');
    const engine = await Engine.open(library, { workers: 1, pictures: 'none' });
    const acme = await engine.company('default');
    const box = await acme.put('box.stl', boxStl(1, 2, 3), { attributes: ['Material=Steel'] });
    await acme.put('other.stl', boxStl(1, 2, 3.1));
    await engine.close();

    const env = { SHAPEDEX_BLOBS: join(folder, 'bytes'), TMPDIR: folder };
    const url = await server.database();
    expect(run({}, 'migrate', library, url, '--blobs', env.SHAPEDEX_BLOBS)).toMatchObject({
      ...{ status: 0, last: { blobs: 2, damaged: [] } },
    });
    const on = (...args: string[]): Ended => run(env, ...args, '--library', url);
    expect(on('search', box.uid)).toMatchObject({
      ...{ status: 0, last: { hits: [{ path: 'box.stl' }, { path: 'other.stl' }] } },
    });
    expect(on('search', '--text', 'steel')).toMatchObject({ status: 0, last: { total: 1 } });
    expect(on('stats')).toMatchObject({ status: 0, last: { files: 2, states: { indexed: 2, failed: 0 } } });
    expect(on('verify')).toMatchObject({ status: 0, last: { problems: [] } });
    expect(on('reindex')).toMatchObject({ status: 0 });
    expect(on('stats')).toMatchObject({ status: 0, last: { files: 2, states: { indexed: 2, queued: 0, failed: 0 } } });
    const copied = on('backup', join(folder, 'copy'));
    expect(copied).toMatchObject({ said: expect.stringContaining('pg_dump') });
    expect(copied.status).not.toBe(0);
    // Without the bytes, and with nothing behind the URL.
    const blobless = run({ SHAPEDEX_BLOBS: undefined }, 'stats', '--library', url);
    expect(blobless).toMatchObject({ said: expect.stringMatching(/blobs/) });
    expect(blobless.status).not.toBe(0);
    const nobody = run(env, 'stats', '--library', 'postgres://shapedex:secret@127.0.0.1:1/parts');
    expect(nobody).toMatchObject({ said: expect.stringContaining('STORAGE_FAILED') });
    expect(nobody.said).not.toContain('secret');
    expect(nobody.status).not.toBe(0);
  });
});
