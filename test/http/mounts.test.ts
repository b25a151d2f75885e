import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler, toNodeListener } from '../../dist/http/index.js';
import { base64, openHost, partStl, type Host } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

/** What must work wherever the handler is mounted: bodies of both kinds, a search, an error, a picture. */
async function works(send: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
  const headers = { Authorization: `Bearer ${host.tokens.ada}` };
  const bytes = partStl(1, 2, 3);
  const stored = await send('/api/FileBinary?file=mounted.stl&isSearchInput=false', {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/octet-stream' },
    body: bytes as BodyInit,
  });
  expect(stored.status).toBe(200);
  const uid = await stored.text();
  const input = await send('/File?file=.stl', {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(base64(bytes)),
  });
  expect(input.status).toBe(200);
  const found = await send(`/api/Search?filterStr=${encodeURIComponent(`fileUID=${await input.text()}`)}`, { headers });
  const {
    ResultsList: [{ FileUID, ThumbnailURL }],
  } = (await found.json()) as { ResultsList: [{ FileUID: string; ThumbnailURL: string }] };
  expect(FileUID).toBe(uid);
  expect(
    (await send(ThumbnailURL.slice(ThumbnailURL.indexOf('/api')), { headers: { Accept: 'image/*' } })).headers.get(
      'content-type',
    ),
  ).toBe('image/png');
  const missing = await send('/api/FileStatus', { headers });
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
  ]);
  expect((await send('/api/File')).status).toBe(401);
  expect(await (await send('/api/Version', { headers: { Accept: 'text/plain' } })).text()).toBe('1');
}

describe('the handler works under', () => {
  test('node:http', async () => {
    const server = createServer(toNodeListener(host.handler));
    const url = await listening(server);
    try {
      await works((path, init) => fetch(url + path, init));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('node:http: links begin with the address that was asked, and what is no host is not told back', async () => {
    const server = createServer(toNodeListener(host.handler));
    const url = await listening(server);
    try {
      const headers = { Authorization: `Bearer ${host.tokens.ada}` };
      const { uid } = await (await host.engine.company('acme')).put('links/part.stl', partStl(3, 4, 5));
      const thumbnail = async (name: string): Promise<string> => {
        const port = Number(new URL(url).port);
        const text = await new Promise<string>((resolve, reject) => {
          const path = `/api/File?fileUID=${uid}`;
          const sent = request({ port, host: '127.0.0.1', path, headers: { ...headers, Host: name } }, (answer) => {
            let said = '';
            answer.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
            answer.on('end', () => resolve(said));
          });
          sent.on('error', reject).end();
        });
        return (JSON.parse(text) as { ThumbNailURLFromID: string }).ThumbNailURLFromID;
      };
      const link = await thumbnail(new URL(url).host);
      expect(link.startsWith(`${url}/api/Image?`)).toBe(true);
      expect((await fetch(link, { headers: { Accept: 'image/*' } })).status).toBe(200);
      expect(await thumbnail('cad.example:81')).toMatch(/^http:\/\/cad\.example:81\/api\//);
      for (const wrong of ['evil.example/path', 'user@evil.example', 'a b', '..:1:2'])
        expect(await thumbnail(wrong)).toMatch(/^http:\/\/localhost\/api\//);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('Hono, below a path', async () => {
    const handler = createHandler(host.engine, { basePath: '/cad' });
    const app = new Hono();
    app.all('/cad/*', (context) => handler(context.req.raw));
    await works(async (path, init) => app.request(`/cad${path}`, init));
    expect((await app.request('/other')).status).toBe(404);
  });

  test('Express, below a path', async () => {
    const app = express();
    app.use('/cad', toNodeListener(createHandler(host.engine, { publicUrl: 'https://example.com/cad' })));
    const server = createServer(app);
    const url = await listening(server);
    try {
      await works((path, init) => fetch(`${url}/cad${path}`, init));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('Fastify, below a path', async () => {
    const app = fastify();
    const listener = toNodeListener(createHandler(host.engine, { basePath: '/cad' }));
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null)); // Bodies are left to the handler.
      scope.all('/cad/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await works((path, init) => fetch(`${url}/cad${path}`, init));
    } finally {
      await app.close();
    }
  });
});

describe('requests that a connection sends without waiting for answers', () => {
  /** Sends a request so many times; gives what came back, how many were handled, and the most at a time. */
  async function sent(times: number): Promise<{ text: string; handled: number; atATime: number }> {
    let [handled, running, atATime] = [0, 0, 0];
    const server = createServer(
      toNodeListener(async (asked, client) => {
        handled++;
        atATime = Math.max(atATime, ++running);
        const answer = await host.handler(asked, client);
        await wait(1);
        running--;
        return answer;
      }),
    );
    const { port } = new URL(await listening(server));
    const socket = connect(Number(port), '127.0.0.1');
    const one = 'GET /api/Version HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\n';
    socket.write(`${`${one}\r\n`.repeat(times - 1)}${one}Connection: close\r\n\r\n`);
    let text = '';
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.on('data', (chunk) => (text += String(chunk))).on('close', resolve));
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await new Promise((resolve) => server.close(resolve));
    return { text, handled: handled - 1, atATime };
  }

  test('are answered one after the other', async () => {
    const { text, handled, atATime } = await sent(12);
    expect([text.match(/HTTP\/1\.1 200 OK/g)?.length, handled, atATime]).toEqual([12, 12, 1]);
  });

  test('are not taken by the thousand', async () => {
    const { handled, atATime } = await sent(3_000);
    expect(atATime).toBe(1);
    expect(handled).toBeLessThan(20);
  });
});
