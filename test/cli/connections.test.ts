import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { boundConnections, CONNECTIONS, type ConnectionBounds } from '../../dist/cli/connections.js';

const PIECE = Buffer.alloc(65_536, 97);
/** More than the buffers of a connection hold. */
const MUCH_BYTES = 64 * 2 ** 20;

let server: Server;
const sockets: Socket[] = [];
let release: () => void = () => undefined;
let asked = 0;

function endlessly(this: Readable): void {
  this.push(PIECE);
}

/** A server that answers `/wait` when it is released, `/endless` without an end, and all else at once. */
async function serve(bounds: ConnectionBounds): Promise<number> {
  asked = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  server = createServer((request, response) => {
    asked++;
    if (request.url === '/wait') void released.then(() => response.end('late'));
    else if (request.url === '/endless') new Readable({ read: endlessly }).on('error', () => undefined).pipe(response);
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

/** Opens a connection from this address and sends this. */
async function open(port: number, text = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(text));
  socket.on('error', () => undefined);
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return socket;
}
const count = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((cause, found) => (cause ? reject(cause) : resolve(found))));
const ENDLESS = 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n';
/** The answer to one who comes from this address; 'refused' when there is none. */
async function askFrom(port: number, localAddress: string): Promise<string> {
  const socket = await open(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', localAddress);
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return text.endsWith('now') ? 'now' : 'refused';
}
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

// On other systems the machine has no loopback address but the first, so all come from one network.
test.runIf(process.platform === 'linux')(
  'addresses that do not read their answers hold no place that one needs who holds few; the slowest gives way',
  async () => {
    const port = await serve({ all: 12, perNetwork: 6 });
    const hoarded: Socket[] = [];
    for (let i = 0; i < 12; i++) {
      const socket = await open(port, ENDLESS, i % 2 === 0 ? '127.0.0.2' : '127.0.0.3');
      socket.pause();
      hoarded.push(socket);
    }
    await expect.poll(() => asked).toBe(12);
    // One of them reads: it is the fastest, and stays.
    hoarded[0].resume();
    await expect.poll(() => hoarded[0].bytesRead, { timeout: 60_000 }).toBeGreaterThan(MUCH_BYTES);
    for (let i = 4; i < 9; i++) expect(await askFrom(port, `127.0.0.${i}`)).toBe('now');
    expect(hoarded[0].closed).toBe(false);
    expect(await count()).toBeLessThanOrEqual(12);
  },
);

test.runIf(process.platform === 'linux')('whoever holds many waits for others no longer than they do', async () => {
  const port = await serve({ all: 6, perNetwork: 6 });
  const wait = 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n';
  for (let i = 0; i < 6; i++) await open(port, wait, '127.0.0.2');
  await expect.poll(() => asked).toBe(6);
  expect(await askFrom(port, '127.0.0.3')).toBe('now');
  // Its own connections do not drive each other out.
  await open(port, wait, '127.0.0.2');
  await expect.poll(() => asked).toBe(8);
  expect(await askFrom(port, '127.0.0.2')).toBe('refused');
});

test('one that opens connections from many networks does not take the time of the process', () => {
  const doors = new EventEmitter();
  boundConnections(doors as Server, CONNECTIONS);
  /** A connection whose request waits for its answer. */
  const ask = (network: number): void => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress: `2001:${network.toString(16)}::1`,
      ...{ bytesRead: 0, bytesWritten: 0, writableLength: 0 },
      destroy: () => socket.emit('close'),
    });
    doors.emit('connection', socket);
    doors.emit('request', { socket, complete: true }, new EventEmitter());
  };
  for (let i = 0; i < CONNECTIONS.all; i++) ask(1 + (i >> 1));
  const before = process.cpuUsage();
  for (let i = 0; i < 200; i++) ask(10_000 + i);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(800); // Here 70 ms; 2 600 when each network was looked for among all.
});
