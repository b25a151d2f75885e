import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toNodeListener, type LogEntry } from '../../../dist/http/index.js';
import { openHost, partStl, type Host } from '../host.js';

// What arrives at the socket, byte by byte.

let host: Host;
let server: Server;
let port: number;
const log: LogEntry[] = [];

beforeAll(async () => {
  host = await openHost({ log: (entry) => log.push(entry), trustProxy: ['10.0.0.0/8'] });
  server = createServer(toNodeListener(host.handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await host.close();
});

/** Sends bytes and gives what comes back until the connection is closed; it is closed here after `ms` of silence. */
function raw(text: string | Uint8Array, ms = 1_500): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(ms, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (chunk: string) => (said += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(said));
  });
}
const statuses = (said: string): string[] => said.match(/^HTTP\/1\.1 \d{3}/gm)?.map((line) => line.slice(9)) ?? [];
/** What would be answered if the rest of a request were taken for another one. */
const HIDDEN = 'GET /api/Version HTTP/1.1\r\nHost: x\r\n\r\n';

test.each<[string, string]>([
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 44\r\n\r\nhello'],
  ['a list of lengths', 'Content-Length: 5, 44\r\n\r\nhello'],
  ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a signed length', 'Content-Length: +5\r\n\r\nhello'],
  ['a length in hexadecimal', 'Content-Length: 0x5\r\n\r\nhello'],
  ['another coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n'],
  ['a line feed alone', 'X-A: b\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk of no number', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'],
  ['a chunk that is longer than it says', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n'],
  ['a zero in a header', 'X-A: a\0b\r\n\r\n'],
])('a request that ends in two places is refused, and nothing of it is answered twice: %s', async (_, rest) => {
  const said = await raw(`POST /api/Token HTTP/1.1\r\nHost: x\r\n${rest}${HIDDEN}`);
  expect(said).not.toContain('apiVersion');
  expect(statuses(said).filter((status) => status !== '400')).toEqual([]);
});

test('a request without a host, with two, of another version, or with a header of a megabyte is refused', async () => {
  for (const head of [
    'GET /api/Version HTTP/1.1\r\n\r\n',
    'GET /api/Version HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET /api/Version HTTP/9.9\r\nHost: a\r\n\r\n',
    `GET /api/Version HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(1 << 20)}\r\n\r\n`,
  ])
    expect(await raw(head)).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
  // What is asked for by a whole address is answered by its path: its host is not believed.
  const whole = await raw('GET http://evil.example/api/Version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(statuses(whole)).toEqual(['200']);
  for (const path of [
    '//evil.example/api/Version',
    '/\\evil.example',
    '/api/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
  ])
    expect(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`), path).not.toMatch(
      /root:|^Location: (https?:)?\/\/(?!a[:/])/im,
    );
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

test('a body that says it is compressed is taken as it is: it unpacks to nothing', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const answer = await fetch(`http://127.0.0.1:${port}/api/Record?path=a.stl`, {
    method: 'PUT',
    headers: {
      Authorization: `Bearer ${host.tokens.ada}`,
      'Content-Encoding': 'gzip',
      'Content-Type': 'application/octet-stream',
    },
    body: bomb,
  });
  expect([200, 415]).toContain(answer.status);
  if (answer.status !== 200) return;
  await host.engine.idle();
  const { uid } = (await answer.json()) as { uid: string };
  const stored = await (await host.engine.company('acme')).get(uid);
  expect(stored.byteLength).toBe(bomb.length);
});

test('ranges and conditions give the whole, now', async () => {
  const bytes = partStl(7, 8, 9);
  const { uid } = await (await host.engine.company('acme')).put('ranges/part.stl', bytes);
  const asked: readonly Record<string, string>[] = [
    { Range: 'bytes=0-0' },
    { Range: `bytes=${Array.from({ length: 2_000 }, (_, i) => `${i}-`).join(',')}` },
    { Range: 'bytes=-1' },
    { 'If-None-Match': '*' },
    { 'If-Modified-Since': 'Fri, 01 Jan 2038 00:00:00 GMT' },
    { 'If-Range': 'x', Range: 'bytes=5-' },
  ];
  for (const headers of asked) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/Download?fileUID=${uid}`, {
      headers: { Authorization: `Bearer ${host.tokens.ada}`, ...headers },
    });
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(bytes))]).toEqual([200, true]);
  }
});

test('what names another address counts from a trusted proxy alone, and no other header does', async () => {
  for (const name of [
    'X-Forwarded-For',
    'Forwarded',
    'X-Real-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
    'X-Client-IP',
  ]) {
    const value = name === 'Forwarded' ? 'for=192.0.2.77' : '192.0.2.77';
    await fetch(`http://127.0.0.1:${port}/api/Version`, { headers: { [name]: value } });
    expect(log.at(-1)?.address, name).toMatch(/127\.0\.0\.1$/);
  }
  for (const name of ['X-Forwarded-Host', 'X-Original-URL', 'X-Rewrite-URL', 'X-HTTP-Method-Override']) {
    const value = name === 'X-HTTP-Method-Override' ? 'DELETE' : '/api/Users';
    const answer = await fetch(`http://127.0.0.1:${port}/api/Version`, { headers: { [name]: value } });
    expect([answer.status, log.at(-1)?.path, log.at(-1)?.method], name).toEqual([200, '/api/Version', 'GET']);
  }
});

test('a client that takes nothing of its answer loses the connection', async () => {
  const stalled = createServer(toNodeListener(host.handler, { stalledMs: 400 }));
  await new Promise<void>((resolve) => stalled.listen(0, '127.0.0.1', resolve));
  // More than the system's buffers of both sides hold.
  const { uid } = await (await host.engine.company('acme')).put('slow/large.bin', Buffer.alloc(20_000_000, 'abc'));
  const token = host.tokens.ada;
  const asked = `GET /api/Download?fileUID=${uid} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const silent = connect((stalled.address() as AddressInfo).port, '127.0.0.1', () => silent.write(asked));
  silent.on('error', () => undefined).pause();
  const open = (): Promise<number> => new Promise((resolve) => stalled.getConnections((_, count) => resolve(count)));
  await expect.poll(open, { timeout: 10_000 }).toBe(1);
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  silent.destroy();
  stalled.close();
  expect(() => toNodeListener(host.handler, { stalledMs: 0 })).toThrow('stalledMs');
}, 60_000);
