import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { sphereMesh, writeMesh } from './parts.js';
import { jsonLines, runCli, type CliResult } from './run-cli.js';

/** What commands do on a library while `shapedex serve` has it open: the same as without it. */

const cwd = temporaryFolder();
// Longer than the path of a socket may be.
const library = join(cwd, 'a-library-whose-path-is-longer-than-the-one-hundred-bytes-of-a-socket', 'library');
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
let server: ChildProcessWithoutNullStreams;
let url = '';

const run = (args: readonly string[], stdin?: string): Promise<CliResult> =>
  runCli([...args, '--library', library], {
    cwd,
    env: { COLUMNS: '120' },
    onStart: (child) => {
      if (stdin !== undefined) child.stdin.end(stdin);
    },
  });

async function startServer(): Promise<void> {
  server = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--json', '--workers', '1', '--library', library], {
    cwd,
  });
  url = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (line: Buffer) => resolve((JSON.parse(String(line)) as { url: string }).url));
    server.once('close', () => reject(new Error('the server ended')));
  });
}

async function stopServer(): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGTERM');
  await closed;
}

beforeAll(async () => {
  mkdirSync(join(cwd, 'parts'));
  writeFileSync(join(cwd, 'parts', 'a.stl'), boxStl(1, 2, 3));
  writeFileSync(join(cwd, 'parts', 'b.stl'), boxStl(2, 2, 3));
  writeFileSync(join(cwd, 'parts', 'broken.stl'), 'solid nothing');
  writeFileSync(join(cwd, 'query.stl'), boxStl(1, 2, 3.1));
  await startServer();
  expect(await run(['company', 'add', 'acme', '--domain', 'acme.example'])).toMatchObject({ code: 0 });
}, 120_000);
afterAll(stopServer);

/** Everything that differs from one process to the next. */
const steady = (text: string): string =>
  text.replace(/(\d+:)?\d+:\d\d(\.\d+)?|[\d.]+ (ms|s)\b|[\d.]+\/s\b|"(elapsedMs|remainingS|ratePerS)":[^,}]*/g, '#');

test('commands index, search, change and tell as they do without a server', { timeout: 600_000 }, async () => {
  const indexed = await run(['index', 'parts', '--company', 'acme', '--attribute', 'Material=steel']);
  expect(indexed.code).toBe(1);
  expect(indexed.stdout).toMatch(/2 files indexed, 1 failed/);
  expect(await run(['category', 'add', 'Boxes', '--company', 'acme'])).toMatchObject({ code: 0 });
  expect(await run(['category', 'set', 'a.stl', 'Boxes', '--company', 'acme'])).toMatchObject({ code: 0 });
  expect(await run(['attributes', 'b.stl', '--set', 'Coat=zinc', '--add', '--company', 'acme'])).toMatchObject({
    code: 0,
  });
  // Answers, exit codes and pictures, first of the server's engine, then of one that the command opens itself.
  const asked: readonly (readonly string[])[] = [
    ['status', '--company', 'acme'],
    ['status', 'a.stl', '--company', 'acme'],
    ['status', 'missing.stl', '--company', 'acme'],
    ['list', '--company', 'acme', '--category', 'Boxes'],
    ['list', '--company', 'nobody'],
    ['values', 'Material', '--company', 'acme'],
    ['search', 'query.stl', '--company', 'acme', '--sheet', 'sheet.png'],
    ['search', 'a.stl', '--company', 'acme', '--json'],
    ['search', '--attribute', 'Coat=zinc', '--company', 'acme'],
    ['search', '--attribute', 'Coat>', '--company', 'acme', '--json'],
    ['search', 'query.stl', '--volume', 'wrong', '--company', 'acme'],
    ['duplicates', '--company', 'acme'],
    ['company', 'profile', 'acme', '--set', 'signUp=domain'],
    ['company', 'profile', 'acme', '--set', 'signUp=perhaps'],
    ['user', 'remove', 'nobody@acme.example'],
    ['verify', '--no-repair'],
  ];
  const served: CliResult[] = [];
  for (const args of asked) served.push(await run(args));
  const sheet = readFileSync(join(cwd, 'sheet.png'));
  await stopServer();
  const alone: CliResult[] = [];
  for (const args of asked) alone.push(await run(args));
  await startServer();
  for (const [position, args] of asked.entries()) {
    const { code, stdout, stderr } = served[position];
    expect([code, steady(stdout), steady(stderr)], args.join(' ')).toEqual([
      alone[position].code,
      steady(alone[position].stdout),
      steady(alone[position].stderr),
    ]);
  }
  expect(served.map(({ code }) => code)).toEqual([0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 2, 0, 0, 2, 2, 0]);
  expect(readFileSync(join(cwd, 'sheet.png')).equals(sheet)).toBe(true);
});

test('a search beside it says that the server goes on with what is not indexed yet', { timeout: 300_000 }, async () => {
  // Long enough in the reading that a search comes before the last of them.
  for (let i = 0; i < 24; i++) await writeMesh(join(cwd, 'balls', `ball-${i}.stl`), sphereMesh(10 + i, 48));
  const indexing = run(['index', 'balls', '--company', 'balls']);
  await expect
    .poll(async () => (await run(['search', '--text', 'ball-23', '--company', 'balls'])).stderr, { timeout: 60_000 })
    .toMatch(/^warning: \d+ files? not searched: not indexed yet \(the server that has the library open indexes them/m);
  expect((await indexing).code).toBe(0);
});

test('users and programs are administered while the server runs, and it knows them at once', {
  timeout: 300_000,
}, async () => {
  const added = await run(
    ['user', 'add', 'ada@acme.example', '--company', 'acme', '--admin', '--json'],
    'a-pass-word\n',
  );
  expect(added.code, added.stderr).toBe(0);
  const sign = (password: string): Promise<Response> =>
    fetch(`${url}/api/Token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        username: 'ada@acme.example',
        password: createHash('sha1').update(password).digest('hex'),
      }),
    });
  expect((await sign('a-pass-word')).status).toBe(200);
  expect((await run(['user', 'password', 'ada@acme.example'], 'another-one')).code).toBe(0);
  expect((await sign('a-pass-word')).status).not.toBe(200);
  expect((await sign('another-one')).status).toBe(200);
  expect((await run(['user', 'list', '--company', 'acme'])).stdout).toContain('ada@acme.example');

  const [{ client }] = jsonLines<{ client: { id: string } }>(
    (await run(['client', 'add', '--company', 'acme', '--name', 'ERP', '--json'])).stdout,
  );
  const [listed] = jsonLines<{ clients: object[] }>((await run(['client', 'list', '--json'])).stdout);
  expect(listed.clients.map((one) => Object.keys(one).sort())).toEqual([['addedAt', 'companyName', 'id', 'name']]);
  expect(listed.clients).toMatchObject([{ id: client.id, name: 'ERP', companyName: 'acme' }]);
  expect((await run(['client', 'remove', client.id])).code).toBe(0);
  expect((await run(['client', 'remove', client.id])).code).toBe(2);
  expect((await run(['client', 'list'])).stdout).toContain('no programs');

  expect(await run(['backup', join(cwd, 'copy')])).toMatchObject({ code: 0 });
  const verified = await runCli(['verify', '--library', join(cwd, 'copy'), '--json'], { cwd });
  expect(jsonLines<object>(verified.stdout)[0]).toMatchObject({ problems: [] });
});

test('what a server alone decides is refused, and a second server too', { timeout: 300_000 }, async () => {
  const unit = await run(['search', 'query.stl', '--unit', 'in', '--company', 'acme']);
  expect(unit).toMatchObject({ code: 2, stderr: expect.stringMatching(/--unit is given to the server/) as string });
  const second = await run(['serve', '--port', '0']);
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/LIBRARY_LOCKED: .*\(process \d+ on /);
});

test('a watch stops with its command and with the server', { timeout: 300_000 }, async () => {
  const watching = async (end: (child: ChildProcessWithoutNullStreams) => void): Promise<CliResult> =>
    runCli(['watch', 'parts', '--company', 'acme', '--json', '--library', library], {
      cwd,
      onStart: (child) => child.stdout.once('data', () => end(child)),
    });
  expect((await watching((child) => child.kill('SIGINT'))).code).toBe(0);
  const cut = await watching(() => void stopServer());
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain('ENGINE_CLOSED');
  await startServer();
});

test.skipIf(process.platform === 'win32')(
  'the service is the user’s alone, and nobody without the key is let in',
  {
    timeout: 120_000,
  },
  async () => {
    const service = join(library, 'service');
    expect(statSync(service).mode & 0o777).toBe(0o700);
    for (const name of ['door.json', 'socket']) expect(statSync(join(service, name)).mode & 0o777).toBe(0o600);
    // A greeting without the right proof, one that is no message, one that is too long, and silence after a beginning.
    const framed = (body: Buffer): Buffer => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(body.length);
      return Buffer.concat([length, body]);
    };
    const wrong = [
      framed(serialize({ nonce: Buffer.alloc(16), proof: Buffer.alloc(32) })),
      framed(serialize({ type: 'call', id: 1, path: ['stats'], args: [] })),
      framed(Buffer.from('nonsense')),
      Buffer.from([0x7f, 0xff, 0xff, 0xff]),
    ];
    process.chdir(service); // For the length of the socket's path.
    try {
      for (const bytes of wrong) {
        const socket = connect('socket');
        let received = 0;
        socket.on('data', (chunk: Buffer) => (received += chunk.length));
        socket.on('error', () => undefined);
        socket.write(bytes);
        await new Promise((resolve) => socket.once('close', resolve));
        expect(received).toBeLessThan(300); // The greeting of the server, and no answer.
      }
    } finally {
      process.chdir(cwd);
    }
    expect((await run(['status'])).code).toBe(0);
  },
);

test('an agent over standard input finds by a file of its own while a server has the library open', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const args = [MAIN, 'mcp', '--library', library, '--company', 'acme', '--read', cwd];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd }));
  try {
    const found = await client.callTool({ name: 'find_similar', arguments: { file: join(cwd, 'query.stl') } });
    expect(found).toMatchObject({ structuredContent: { hits: [{ path: 'a.stl' }, { path: 'b.stl' }] } });
    const refused = await client.callTool({ name: 'get_pmi', arguments: { part: 'a.stl' } });
    expect(JSON.stringify(refused)).not.toContain('is not a function');
  } finally {
    await client.close();
  }
});

test('what a killed server leaves does not keep commands or the next server out', { timeout: 300_000 }, async () => {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGKILL');
  await closed;
  expect(existsSync(join(library, 'service', 'door.json'))).toBe(true);
  expect((await run(['stats'])).code).toBe(0);
  await startServer();
  expect((await run(['stats'])).code).toBe(0);
});
