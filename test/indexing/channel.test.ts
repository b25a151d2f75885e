import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Channel, UNBOUNDED, type MessageBounds } from '../../dist/indexing/channel/channel.js';
import { decode } from '../../dist/indexing/channel/decode.js';
import { encode } from '../../dist/indexing/channel/encode.js';

const BOUNDS = { heapBytes: 2 ** 20, arrayBytes: 2 ** 20 };

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -0, NaN, Infinity, -Infinity, 2 ** 31, -(2 ** 31), ''),
    fc.integer(),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 6, noNullPrototype: true },
    ),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 6 }).map((entries) => new Map(entries)),
  ),
})).value;

test('a value that is encoded and decoded is the same', () => {
  fc.assert(
    fc.property(values, (value) => {
      const { head, arrays } = encode(value);
      expect(arrays).toEqual([]);
      expect(decode(head, UNBOUNDED).value).toEqual(value);
    }),
  );
});

test('fields without a value are not sent; elements without one are null', () => {
  expect(decode(encode({ a: undefined, b: [undefined] }).head, UNBOUNDED).value).toEqual({ b: [null] });
});

test.each([[() => 1], [new Date(0)], [new Float32Array(2)], [1n], [Symbol('x')]])('%s cannot be sent', (value) => {
  expect(() => encode(value)).toThrow(TypeError);
});

test('a head that is cut off or changed gives a plain value or an error', () => {
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(255), fc.boolean(), (value, place, byte, isCut) => {
      const { head } = encode(value);
      const at = place % head.length;
      if (!isCut) head[at] = byte;
      try {
        decode(isCut ? head.subarray(0, at) : head, BOUNDS);
        expect(isCut, 'a whole value in a part of its bytes').toBe(false);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      }
    }),
    { numRuns: 2_000 },
  );
});

test('random bytes give a plain value or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (head) => {
      const bytes = head.map((byte, i) => (i % 3 === 0 ? byte % 12 : byte));
      try {
        decode(bytes, BOUNDS);
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      }
    }),
    { numRuns: 5_000 },
  );
});

test('nesting, values and bytes are bounded', () => {
  let deep: unknown = null;
  for (let i = 0; i < 3_000; i++) deep = [deep];
  expect(() => encode(deep)).toThrow(RangeError);
  const many = encode(Array.from({ length: 70_000 }, () => null)).head;
  expect(() => decode(many, BOUNDS)).toThrow(/more than 1048576 bytes of memory/);
  expect(() => decode(encode(new Uint8Array(2 ** 20 + 1)).head, BOUNDS)).toThrow(/brings 1048577 bytes/);
});

/** Both ends of a pipe. */
async function pipe(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [near, far];
}

async function channels(allowed: MessageBounds): Promise<[Channel, Channel]> {
  const [near, far] = await pipe();
  return [new Channel(near), new Channel(far, allowed)];
}

test('messages arrive whole and in order, byte arrays in buffers of their own', async () => {
  const [near, far] = await channels(UNBOUNDED);
  const sent = [
    { name: 'a', bytes: Buffer.alloc(3_000_000, 1), more: [Buffer.alloc(20_000, 2), 'text'] },
    null,
    { bytes: new Uint8Array([3]) },
  ];
  const got: unknown[] = [];
  far.onMessage = (message) => got.push(message);
  await Promise.all(sent.map((message) => near.send(message)));
  await expect.poll(() => got).toHaveLength(3);
  expect(got.slice(1)).toEqual(sent.slice(1));
  const { bytes, more } = got[0] as { bytes: Uint8Array; more: [Uint8Array, string] };
  expect(Buffer.compare(bytes, Buffer.alloc(3_000_000, 1))).toBe(0);
  expect(Buffer.compare(more[0], Buffer.alloc(20_000, 2))).toBe(0);
  expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, 3_000_000]);
  near.close();
  await far.ended;
});

test('many bytes leave time for others while they are sent', async () => {
  const [near, far] = await channels(UNBOUNDED);
  const bytes = new Uint8Array(64 * 2 ** 20);
  const arrived = new Promise((resolve) => {
    far.onMessage = resolve;
  });
  let rounds = 0;
  let isSent = false;
  const sent = near.send({ bytes }).then(() => {
    isSent = true;
  });
  const turn = (): void => {
    rounds++;
    if (!isSent) setImmediate(turn);
  };
  turn();
  await sent;
  expect(((await arrived) as { bytes: Uint8Array }).bytes).toHaveLength(bytes.length);
  expect(rounds, 'rounds of the event loop').toBeGreaterThan(64);
  near.close();
  far.close();
});

test('what may not come breaks the channel, and nothing after it is read', async () => {
  const [near, far] = await channels({ headBytes: 100, ...BOUNDS });
  const told: unknown[] = [];
  far.onMessage = (message) => told.push(message);
  const broken = new Promise((resolve) => {
    far.onBroken = resolve;
  });
  await near.send('short');
  await near.send('x'.repeat(200));
  await near.send('after it');
  expect(await broken).toMatch(/it has \d+ bytes, allowed are 100/);
  await far.ended;
  expect(told).toEqual(['short']);
  near.close();
});

test('a send resolves when the other side is gone', async () => {
  const [near, far] = await channels(UNBOUNDED);
  far.close();
  await near.ended;
  await near.send({ bytes: new Uint8Array(10_000_000) });
  expect(near.unsent).toBe(0);
});
