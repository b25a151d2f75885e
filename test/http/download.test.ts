import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, openSync, rmSync, writeSync, closeSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import { toNodeListener } from '../../dist/http/index.js';
import { openHost, type Host } from './host.js';

const MIB = 1 << 20;

let host: Host;
let url: string;
const server = createServer((incoming, outgoing) => toNodeListener(host.handler)(incoming, outgoing));
beforeAll(async () => {
  host = await openHost();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await host.close();
});

/** Stores bytes that are no model: a file that cannot be read is downloaded as any other. */
async function put(byteLength: number): Promise<{ uid: string; bytes: Uint8Array; blob: string }> {
  const bytes = randomBytes(byteLength);
  const company = await host.engine.company('acme');
  const { uid } = await company.put(`large/${byteLength}.stl`, bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { uid, bytes, blob: join(host.library, 'blobs', hash.slice(0, 2), hash.slice(2)) };
}

const download = (uid: string, method = 'GET'): Promise<Response> =>
  fetch(`${url}/api/Download?fileUID=${uid}`, { method, headers: { Authorization: `Bearer ${host.tokens.ada}` } });

/** Changes the last byte of a blob. */
function spoil(blob: string, byteLength: number): void {
  chmodSync(blob, 0o600);
  const file = openSync(blob, 'r+');
  writeSync(file, 'x', byteLength - 1);
  closeSync(file);
}

describe('a large file', () => {
  test('is downloaded whole, with its length', async () => {
    const { uid, bytes } = await put(5 * MIB + 17);
    const answer = await download(uid);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const asked = await download(uid, 'HEAD');
    expect([asked.status, asked.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  test('is read from the disk as the client takes it', async () => {
    const { uid } = await put(96 * MIB);
    const before = process.memoryUsage().arrayBuffers;
    const halted = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<IncomingMessage>((resolve, reject) => {
            const headers = { Authorization: `Bearer ${host.tokens.ada}` };
            get(`${url}/api/Download?fileUID=${uid}`, { headers, agent: false }, resolve).on('error', reject);
          }),
      ),
    );
    // Four whole files would be 384 MiB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(96 * MIB);
    for (const incoming of halted) incoming.destroy();
  });

  test('whose last byte was changed never arrives whole', async () => {
    const { uid, bytes, blob } = await put(3 * MIB);
    spoil(blob, bytes.length);
    const answer = await download(uid);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    const { byteLength, pieces } = await (await host.engine.company('acme')).stream(uid);
    expect(byteLength).toBe(bytes.length);
    let read = 0;
    const reading = (async () => {
      for await (const piece of pieces) read += piece.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
    expect(read).toBeLessThan(bytes.length);
  });

  test('whose bytes are missing is an error with a status', async () => {
    const { uid, blob } = await put(2 * MIB);
    rmSync(blob);
    expect((await download(uid)).status).toBeGreaterThanOrEqual(500);
  });
});

test('a small file that was changed is an error with a status; an empty one has no pieces', async () => {
  const { uid, bytes, blob } = await put(100);
  spoil(blob, bytes.length);
  expect((await download(uid)).status).toBeGreaterThanOrEqual(500);
  const empty = await put(0);
  expect((await (await download(empty.uid)).arrayBuffer()).byteLength).toBe(0);
});

test('pieces of an unknown file are refused', async () => {
  const unknown = (await host.engine.company('acme')).stream('00000000-0000-4000-8000-000000000000');
  await expect(unknown).rejects.toThrow(EngineError);
});
