import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createHandler, toNodeListener, type Handler } from '../../dist/http/index.js';
import { openHost, type Host } from './host.js';

// What clients that do not take their answers may cost.

const MIB = 2 ** 20;
/** A rough surface whose triangles share hardly a plane. */
function surface(side: number): Uint8Array {
  const stl = Buffer.alloc(84 + 50 * 2 * side * side);
  stl.writeUInt32LE(2 * side * side, 80);
  const height = (x: number, y: number): number => Math.sin(x / 3) * Math.cos(y / 5) + ((x * 7 + y * 13) % 11) / 9;
  let at = 84;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (const corners of [
        [
          [x, y],
          [x + 1, y],
          [x + 1, y + 1],
        ],
        [
          [x, y],
          [x + 1, y + 1],
          [x, y + 1],
        ],
      ]) {
        corners.forEach(([u, v], k) => {
          for (const [axis, value] of [u, v, height(u, v)].entries())
            stl.writeFloatLE(value, at + 12 + 12 * k + 4 * axis);
        });
        at += 50;
      }
  return stl;
}

let host: Host;
let handler: Handler;
let file = '';

/** Bytes of an answer. */
let length = 0;

beforeAll(async () => {
  host = await openHost();
  ({ uid: file } = await (await host.engine.company('acme')).put('surface.stl', surface(160)));
  handler = createHandler(host.engine);
  length = (await (await ask('ada')).arrayBuffer()).byteLength;
  expect(length).toBeGreaterThan(1.1 * MIB);
  handler = createHandler(host.engine, {
    heldAnswerBytes: Math.ceil(2.9 * length),
    heldAnswerBytesPerUser: Math.ceil(2.5 * length),
  });
});
afterEach(() => vi.useRealTimers());
afterAll(() => host.close());

const ask = (as: 'ada' | 'bob' | 'admin', init: RequestInit = {}): Promise<Response> =>
  handler(
    new Request(`http://localhost/api/Model?fileUID=${file}`, {
      headers: { Authorization: `Bearer ${host.tokens[as]}` },
      ...init,
    }),
  );

test('answers that are not taken have a bound by user and in all; what is taken or given up makes room', async () => {
  const gone = new AbortController();
  const [first, second] = [await ask('ada'), await ask('ada', { signal: gone.signal })];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await ask('ada');
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
  const health = async (): Promise<any> => (await handler(new Request('http://localhost/health'))).json();
  // Two of another user would be more than all may have.
  vi.useFakeTimers({ toFake: ['performance'] });
  expect((await ask('bob')).status).toBe(503);
  expect(await health()).toMatchObject({ status: 503, code: 'OUT_OF_ROOM', full: ['answers'] });
  vi.advanceTimersByTime(5_001);
  expect(await health()).toEqual({ status: 'ok' });
  vi.useRealTimers();
  // The client goes away.
  gone.abort();
  const others = await ask('bob');
  expect(others.status).toBe(200);
  await others.body!.cancel();
  // One that is read leaves as well, and is whole.
  expect((await first.arrayBuffer()).byteLength).toBe(length);
  expect(Number(first.headers.get('content-length'))).toBe(length);
  for (let i = 0; i < 20; i++) {
    const answer = await ask('admin');
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBe(length);
    expect((await ask('admin', { method: 'HEAD' })).status).not.toBe(503);
  }
});

test('answers give their room back after a collection of garbage too: given up, or dropped unread', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const gone = new AbortController();
  const [given, kept] = [await ask('ada', { signal: gone.signal }), await ask('ada')];
  for (let i = 0; i < 3; i++) {
    collect();
    expect((await ask('bob')).status).toBe(503);
  }
  // A signal whose request is garbage hears nothing.
  gone.abort();
  await (await ask('bob')).arrayBuffer();
  await expect(given.body!.cancel()).resolves.toBeUndefined();
  const drop = async (): Promise<number> => (await ask('ada')).status;
  expect(await drop()).toBe(200);
  await expect
    .poll(async () => {
      collect();
      const answer = await ask('bob');
      await answer.body?.cancel();
      return answer.status;
    })
    .toBe(200);
  await kept.body!.cancel();
});

test('a client of a server that reads nothing and goes away gives its room back', async () => {
  const server = createServer(toNodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  for (let round = 0; round < 6; round++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /api/Model?fileUID=${file} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${host.tokens['bob']}\r\n\r\n`,
    );
    const head = await new Promise<string>((resolve) =>
      socket.once('data', (bytes) => resolve(bytes.toString('latin1'))),
    );
    socket.pause();
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    await new Promise((resolve) => socket.once('close', resolve));
    await expect
      .poll(async () => {
        const answer = await ask('bob');
        await answer.body?.cancel();
        return answer.status;
      })
      .toBe(200);
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the bounds are checked', () => {
  expect(() => createHandler(host.engine, { heldAnswerBytes: 0 })).toThrow(/heldAnswerBytes/);
});
