import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundConnections, type ConnectionBounds } from '../../dist/cli/connections.js';

let server: Server;
const sockets: Socket[] = [];
let release: () => void = () => undefined;
let asked = 0;

/** A server that answers `/wait` when it is released, and all else at once. */
async function serve(bounds: ConnectionBounds): Promise<number> {
  asked = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  server = createServer((request, response) => {
    asked++;
    if (request.url === '/wait') void released.then(() => response.end('late'));
    else response.end('now');
  });
  boundConnections(server, bounds);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
afterEach(() => {
  release();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection and sends this. */
async function open(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => undefined);
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}
const count = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((cause, found) => (cause ? reject(cause) : resolve(found))));
const ask = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } }).then(
    (answer) => answer.text(),
    () => 'refused',
  );

test.each<[string, ConnectionBounds]>([
  ['in all', { all: 10, perNetwork: undefined }],
  ['of one network', { all: 1_000, perNetwork: 10 }],
])('silent connections give way to new ones, the longest silent first: %s', async (_, bounds) => {
  const port = await serve(bounds);
  const first: Socket[] = [];
  for (let i = 0; i < 10; i++) first.push(await open(port, i % 2 === 0 ? '' : 'GET / HTT'));
  await expect.poll(count).toBe(10);
  for (let i = 0; i < 3; i++) expect(await ask(port)).toBe('now');
  await expect.poll(() => first.map(({ closed }) => closed).slice(0, 2)).toEqual([true, false]);
  for (let i = 0; i < 200; i++) await open(port);
  expect(await count()).toBeLessThanOrEqual(10);
  expect(await ask(port)).toBe('now');
});

test('who is being answered stays; where all are, a new one is refused until one has its answer', async () => {
  const port = await serve({ all: 5, perNetwork: undefined });
  const waiting = await Promise.all(
    Array.from({ length: 5 }, () => open(port, 'GET /wait HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')),
  );
  const texts = waiting.map(
    (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
  );
  await expect.poll(() => asked).toBe(5);
  expect(await ask(port)).toBe('refused');
  release();
  for (const text of await Promise.all(texts)) expect(text).toContain('late');
  await expect.poll(() => ask(port)).toBe('now');
});
