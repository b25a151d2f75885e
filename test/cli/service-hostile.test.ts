import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { listenToCommands } from '../../dist/cli/service/listen.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

// The socket of a library that is served, by somebody who got to it without having read the key.

const folder = temporaryFolder();

function framed(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Sends bytes once the greeting of the server has come; what it said in all until it closed. */
function said(
  path: string,
  answer: (greeting: { protocol: number; version: string; nonce: Buffer }) => Buffer,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket: Socket = connect(path);
    let isAnswered = false;
    socket.on('data', (part) => {
      parts.push(part);
      const all = Buffer.concat(parts);
      if (isAnswered || all.length < 4 || all.length < 4 + all.readUInt32BE(0)) return;
      isAnswered = true;
      socket.write(answer(deserialize(all.subarray(4, 4 + all.readUInt32BE(0)))));
    });
    socket.on('error', () => undefined).on('close', () => resolve(Buffer.concat(parts)));
  });
}

test('who does not know the key of the server gets nothing, and the server goes on', async () => {
  const library = join(folder, 'served');
  await using engine = await Engine.open(library, { workers: 1 });
  await engine.company('acme');
  const service = await listenToCommands(engine, library);
  const path = join(library, 'service', 'socket');
  expect(statSync(join(library, 'service')).mode & 0o777).toBe(0o700);
  const call = framed({ type: 'call', id: 1, path: ['stats'], args: [] });
  const nonce = randomBytes(16);
  const proofs = [
    Buffer.alloc(32),
    randomBytes(32),
    createHmac('sha256', 'key').update('caller').digest(),
    'proof',
    null,
  ];
  const greetings: ((greeting: { protocol: number; version: string }) => Buffer)[] = [
    ...proofs.map(
      (proof) =>
        ({ protocol, version }: { protocol: number; version: string }) =>
          Buffer.concat([framed({ protocol, version, nonce, proof }), call]),
    ),
    // A call before any greeting, no message at all, a length of 4 GiB, one beyond a greeting's.
    () => call,
    () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    () => Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]),
    () => framed({ nonce, text: 'x'.repeat(10_000) }),
    () => framed(undefined),
    () => framed({ protocol: { toString: 1 }, nonce: 'x', proof: [] }),
  ];
  for (const greeting of greetings) {
    const all = await said(path, greeting);
    const first = 4 + all.readUInt32BE(0);
    const rest = all.subarray(first);
    const more = rest.length === 0 ? undefined : (deserialize(rest.subarray(4)) as Record<string, unknown>);
    expect(JSON.stringify(more ?? {})).not.toMatch(/files|companies|acme/);
  }
  // Who has read the key is let in, and the engine is as it was.
  expect(JSON.parse(readFileSync(join(library, 'service', 'door.json'), 'utf8')).key).toMatch(/^[0-9a-f]{64}$/);
  expect(await engine.companies()).toEqual(['acme']);
  await service.close();
});

test('a command waits for a server that has the library open and does not listen yet', async () => {
  const library = join(folder, 'starting');
  await using engine = await Engine.open(library, { workers: 1 });
  await engine.company('default');
  // The command has found the library locked by then; on a slow machine it comes later and finds the server.
  const listening = delay(1_000).then(() => listenToCommands(engine, library));
  const { code, stderr } = await runCli(['stats', '--library', library], { cwd: folder });
  await (await listening).close();
  expect([code, stderr]).toEqual([0, '']);
});
