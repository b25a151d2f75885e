import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler, toNodeListener } from '../../dist/http/index.js';
import { senders } from '../../dist/http/server/sender.js';
import { openHost, sha1, type Host } from './host.js';

// Behind a proxy the sender's address is what the proxy says, if the proxy is trusted.

let host: Host;
const servers: Server[] = [];

beforeAll(async () => {
  host = await openHost();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await host.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A proxy that appends the address of its client to X-Forwarded-For, and reaches the service from `own`. */
function proxyTo(port: number, own: string): Promise<number> {
  return listening(
    createServer((incoming, outgoing) => {
      const known = incoming.headers['x-forwarded-for'];
      const seen = incoming.socket.remoteAddress ?? '';
      const forwarded = known === undefined ? seen : `${String(known)}, ${seen}`;
      const { method, url: path, headers } = incoming;
      const onward = { port, host: '127.0.0.1', localAddress: own, method, path };
      const passed = request({ ...onward, headers: { ...headers, 'x-forwarded-for': forwarded } }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    }),
  );
}

/** Signs in by way of a port, from an address; the status. */
function signIn(port: number, from: string, password: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const path = { port, host: '127.0.0.1', localAddress: from, path: '/api/Token', method: 'POST', agent: false };
    const sent = request({ ...path, headers: { ...type, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    sent.on('error', reject);
    const username = 'ada@acme.example';
    sent.end(
      new URLSearchParams({ grant_type: 'password', username, password: sha1(password).toString('hex') }).toString(),
    );
  });
}

test('through a chain of trusted proxies, who guesses is locked out and nobody else', async () => {
  const handler = createHandler(host.engine, { trustProxy: ['127.0.0.5', '127.0.1.0/24'] });
  const inner = await proxyTo(await listening(createServer(toNodeListener(handler))), '127.0.0.5');
  const outer = await proxyTo(inner, '127.0.1.7');
  // The guesser also claims to be somebody else: what it sends itself does not count.
  const guess = (): Promise<number> => signIn(outer, '127.0.0.66', 'wrong', { 'X-Forwarded-For': '127.0.0.77' });
  for (let i = 0; i < 10; i++) expect(await guess()).toBe(400);
  expect(await guess()).toBe(429);
  expect(await signIn(outer, '127.0.0.66', 'secret')).toBe(429);
  expect(await signIn(outer, '127.0.0.77', 'secret')).toBe(200);
});

test('the header of anybody else is ignored', async () => {
  const handler = createHandler(host.engine, { trustProxy: ['127.0.0.5'] });
  const port = await listening(createServer(toNodeListener(handler)));
  for (let i = 0; i < 10; i++)
    expect(await signIn(port, '127.0.0.88', 'wrong', { 'X-Forwarded-For': `192.0.2.${i}` })).toBe(400);
  expect(await signIn(port, '127.0.0.88', 'wrong', { 'X-Forwarded-For': '192.0.2.99' })).toBe(429);
});

test.each<[readonly string[], string, string | undefined, string]>([
  [[], '10.0.0.1', '192.0.2.1', '10.0.0.1'],
  [['10.0.0.0/8'], '10.0.0.1', '192.0.2.1', '192.0.2.1'],
  [['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.1, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
  [['10.0.0.0/8'], '10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
  [['10.0.0.0/8'], '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
  [['10.0.0.0/8'], '10.0.0.1', '192.0.2.1, unknown', '10.0.0.1'],
  [['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
  [['2001:db8::/32'], '2001:db8::5', '[2001:db9::1]:443', '2001:db9::1'],
  [['2001:db8::/32'], '2001:db9::5', '192.0.2.1', '2001:db9::5'],
])('proxies %j, from %s with %j: %s', async (proxies, peer, header, expected) => {
  const headers: HeadersInit = header === undefined ? {} : { 'X-Forwarded-For': header };
  expect(senders(proxies)(new Request('http://localhost/', { headers }), peer).address).toBe(expected);
});

test.each([
  ['10.0.0.1', 'https', 'https'],
  ['10.0.0.1', 'https, http', 'https'],
  ['10.0.0.1', 'http', undefined],
  ['10.0.0.1', undefined, undefined],
  ['192.0.2.1', 'https', undefined],
])('the protocol that %s forwards as %j is %j', (peer, sent, expected) => {
  const headers: HeadersInit = sent === undefined ? {} : { 'X-Forwarded-Proto': sent };
  expect(senders(['10.0.0.0/8'])(new Request('http://localhost/', { headers }), peer).protocol).toBe(expected);
});

test.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', ''])(
  'what is no address is refused: %j',
  (proxy) => {
    expect(() => createHandler(host.engine, { trustProxy: [proxy] })).toThrow('options.trustProxy must list addresses');
  },
);

test('the examples of proxies keep /metrics, which needs no token, from the outside', () => {
  const text = (file: string): string => readFileSync(new URL(`../../src/http/${file}`, import.meta.url), 'utf8');
  const [, inPage] = /```nginx\n([\s\S]*?)```/.exec(text('SERVING.md'))!;
  expect(inPage).toMatch(/^\s*location \/metrics \{ return 403; \}/m);
  expect(text('deploy/nginx.conf')).toMatch(/^\s*location \/shapedex\/metrics \{ return 403; \}/m);
  expect(text('deploy/Caddyfile')).toMatch(/handle \/shapedex\/metrics\* \{\s*respond 403/);
});
