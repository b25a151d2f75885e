import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { toNodeListener } from '../../dist/http/index.js';
import { openHost, partStl, sha1, type Host } from './host.js';

// Who sends much, or sends nothing, takes room from nobody else. Senders have addresses of their own: 127.0.0.x.

let host: Host;
let server: Server;
let port = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  host = await openHost();
  server = createServer(toNodeListener(host.handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await host.close();
});

/** Connections that begin a body, send one byte of it and then nothing; resolves when all are sent. */
async function idle(count: number, from: (i: number) => string, head: string): Promise<Socket[]> {
  return Promise.all(
    Array.from(
      { length: count },
      (_, i) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', localAddress: from(i) });
          sockets.push(socket);
          socket.on('error', () => undefined);
          socket.once('connect', () =>
            socket.write(`${head}\r\nHost: x\r\nContent-Length: 5000\r\n\r\ng`, (error) =>
              error ? reject(error) : resolve(socket),
            ),
          );
        }),
    ),
  );
}
const FORM = 'POST /api/Token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded';
const upload = (as: 'ada' | 'bob'): string =>
  `PUT /api/FileBinary?file=.stl HTTP/1.1\r\nContent-Type: application/octet-stream\r\n` +
  `Authorization: Bearer ${host.tokens[as]}`;

/** Sends a request from an address and gives status and body. */
function send(path: string, { from = '127.0.0.99', method = 'POST', headers = {}, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', localAddress: from, path, method, headers, agent: false });
    sent.on('response', (answer: IncomingMessage) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
interface Sent {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}
interface Received {
  readonly status: number;
  readonly text: string;
}

const signIn = (from?: string): Promise<Received> =>
  send('/api/Token', {
    from,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'password',
      username: 'ada@acme.example',
      password: sha1('secret').toString('hex'),
    }).toString(),
  });
const put = (from?: string): Promise<Received> =>
  send('/api/FileBinary?file=.stl', {
    from,
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${host.tokens.ada}` },
    body: partStl(1, 2, 3),
  });

test.each([
  ['64 idle connections of one address', 64, () => '127.0.0.2'],
  ['256 of one address', 256, () => '127.0.0.2'],
  ['256 of eight addresses', 256, (i: number) => `127.0.0.${2 + (i % 8)}`],
  ['300 of 150 addresses', 300, (i: number) => `127.0.1.${i % 150}`],
])('%s stop neither sign-ins nor uploads, not even of their own address', async (_, count, from) => {
  await idle(count, from, FORM);
  const answers = await Promise.all([signIn(), put(), signIn(from(0)), put(from(0))]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('40 right sign-ins at once all succeed, beside idle ones', async () => {
  await idle(64, () => '127.0.0.2', FORM);
  const answers = await Promise.all(Array.from({ length: 40 }, () => signIn()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a user has a share of the bodies, an address a larger one; others still upload', async () => {
  await idle(16, () => '127.0.0.2', upload('bob'));
  const beyond = await send('/api/FileBinary?file=.stl', {
    from: '127.0.0.3',
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${host.tokens.bob}` },
    body: partStl(1, 2, 3),
  });
  expect([beyond.status, (JSON.parse(beyond.text) as { detail: string }).detail]).toEqual([
    503,
    'Too many bodies are being read.',
  ]);
  expect((await put('127.0.0.2')).status).toBe(200);
  expect((await signIn('127.0.0.2')).status).toBe(200);
});

test('a silent form is given up: the room of an address that has signed in nobody', async () => {
  const first = await idle(1, () => '127.0.0.2', FORM);
  const heard = new Promise<string>((resolve) => first[0].once('data', (bytes) => resolve(bytes.toString('latin1'))));
  await idle(64, () => '127.0.0.2', FORM);
  expect(await heard).toMatch(/^HTTP\/1\.1 503 /);
});

test('/health says when the process is out of room, and nothing about companies', async () => {
  const healthy = await host.send('GET', '/health');
  expect([healthy.status, healthy.text]).toEqual([200, '{"status":"ok"}']);
  const full = await openHost({ concurrentBodies: 1 });
  const { createHandler } = await import('../../dist/http/index.js');
  const handler = createHandler(full.engine, { concurrentBodies: 1 });
  let end = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(partStl(1, 2, 3));
      end = () => controller.close();
    },
  });
  const running = handler(
    new Request('http://localhost/api/FileBinary?file=.stl', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${full.tokens.ada}`, 'Content-Type': 'application/octet-stream' },
      body,
      duplex: 'half',
    } as RequestInit),
  );
  const ask = async (): Promise<[number, any]> => {
    const answer = await handler(new Request('http://localhost/health'));
    return [answer.status, await answer.json()];
  };
  while ((await ask())[0] === 200) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask()).toEqual([
    503,
    {
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The process is out of room: bodies.',
      instance: '/health',
      traceId: expect.any(String) as string,
      code: 'OUT_OF_ROOM',
      full: ['bodies'],
    },
  ]);
  end();
  expect((await running).status).toBe(200);
  expect(await ask()).toEqual([200, { status: 'ok' }]);
  await full.close();
});
