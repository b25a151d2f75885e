import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AccountOptions, Accounts, Delivery, HostAddress } from '../../dist/accounts/index.js';
import type { Company, Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, withAccounts } from './library.js';
import { withReceiver, type Received, type Receiver } from './receiver.js';

const folder = temporaryFolder();
const LOOPBACK = { allow: ['127.0.0.1'] };

interface Setting {
  readonly accounts: Accounts;
  readonly engine: Engine;
  readonly acme: Company;
  readonly receiver: Receiver;
  readonly secret: string;
}

/** Runs `body` with a company whose callbacks go to a receiver on loopback; their payload is the event itself. */
async function withCallbacks(
  body: (setting: Setting) => Promise<void>,
  options: Partial<AccountOptions> = {},
  answer?: Parameters<typeof withReceiver>[1],
): Promise<void> {
  await withReceiver(
    (receiver) =>
      withAccounts(
        newLibrary(folder),
        async (accounts, engine) => {
          const acme = await engine.company('acme');
          const { secret } = (await accounts.setCallback('acme', { url: receiver.url, ...LOOPBACK }))!;
          accounts.sendCallbacks(async (event) => JSON.stringify(event));
          await body({ accounts, engine, acme, receiver, secret });
        },
        options,
      ),
    answer,
  );
}

/** Waits until something holds; fails after 20 s. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('it never came to hold');
    await sleep(20);
  }
}

const states = async (accounts: Accounts): Promise<string[]> =>
  (await accounts.deliveries('acme')).map(({ state }) => state);

describe('an upload with a callback parameter', () => {
  test('is told of once, when it is indexed, signed as Standard Webhooks say', () =>
    withCallbacks(async ({ accounts, acme, receiver, secret, engine }) => {
      const { uid } = await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'job:42' });
      await until(() => receiver.got.length === 1);
      const [{ path, headers, body }] = receiver.got;
      expect(path).toBe('/hook');
      expect(JSON.parse(body)).toEqual({ companyName: 'acme', fileUid: uid, callbackParam: 'job:42' });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
      });
      // By hand, from the specification.
      const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key)
          .update(`${String(id)}.${String(timestamp)}.${body}`)
          .digest('base64')}`,
      );
      expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(30);
      await until(async () => (await states(accounts))[0] === 'delivered');
      expect(await accounts.deliveries('acme')).toMatchObject([
        { id, fileUid: uid, callbackParam: 'job:42', attempts: 1, status: 200, problem: null, nextAt: null },
      ]);
      // Read again, it is no new upload.
      await engine.reindex({ only: 'all' });
      await engine.idle();
      await accounts.deliverDue();
      expect(receiver.got).toHaveLength(1);
    }));

  test('is told of when it fails, too, and when the same bytes come again; one without is not', () =>
    withCallbacks(async ({ accounts, acme, receiver }) => {
      const { state, uid } = await acme.put('bad.stl', Buffer.from('solid nothing'), { callbackParam: 'a:1' });
      expect(state).toBe('failed');
      const good = await acme.put('a.stl', boxStl(1, 2, 3));
      await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'b:2' });
      await until(() => receiver.got.length === 2);
      await accounts.deliverDue();
      expect(receiver.got.map(({ body }) => JSON.parse(body) as object)).toEqual([
        { companyName: 'acme', fileUid: uid, callbackParam: 'a:1' },
        { companyName: 'acme', fileUid: good.uid, callbackParam: 'b:2' },
      ]);
    }));

  test('may be a search input: the company it belongs to is told', () =>
    withCallbacks(async ({ acme, receiver }) => {
      const { uid } = await acme.putInput(boxStl(1, 2, 3), { extension: '.stl', callbackParam: 'a:1' });
      await until(() => receiver.got.length === 1);
      expect(JSON.parse(receiver.got[0].body)).toEqual({ companyName: 'acme', fileUid: uid, callbackParam: 'a:1' });
    }));

  test('is not told of when the company wants no callbacks, or when it was deleted or replaced before it was read', () =>
    withCallbacks(async ({ accounts, engine, acme, receiver }) => {
      const other = await engine.company('other');
      await other.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
      await other.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
      expect(await accounts.deliveries('other')).toEqual([]);
      const { uid } = await acme.put('gone.stl', boxStl(1, 2, 3), { wait: false, callbackParam: 'gone:1' });
      await acme.delete(uid);
      await acme.put('a.stl', boxStl(2, 2, 3), { wait: false, callbackParam: 'first:1' });
      await acme.put('a.stl', boxStl(3, 2, 3), { wait: false, callbackParam: 'second:1' });
      await engine.idle();
      await until(() => receiver.got.length > 0);
      await accounts.deliverDue();
      const told = receiver.got.map(({ body }) => (JSON.parse(body) as { callbackParam: string }).callbackParam);
      // The first may have been read before the second came; nobody is told of what is gone.
      expect(told.filter((param) => param !== 'first:1')).toEqual(['second:1']);
    }));

  test('has a parameter of at most 2 000 characters', () =>
    withCallbacks(async ({ acme }) => {
      await expect(acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'x'.repeat(2_001) })).rejects.toThrow(
        /callbackParam/,
      );
      await expect(acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 5 as never })).rejects.toThrow(/callbackParam/);
    }));

  test('waits for the next process when it is not read in this one', async () => {
    await withReceiver(async (receiver) => {
      const library = newLibrary(folder);
      const uids = await withAccounts(library, async (accounts, engine) => {
        const acme = await engine.company('acme');
        await accounts.setCallback('acme', { url: receiver.url, ...LOOPBACK });
        accounts.sendCallbacks(async ({ fileUid }) => fileUid);
        return Promise.all(
          [1, 2, 3, 4].map(
            async (edge) =>
              (await acme.put(`${edge}.stl`, boxStl(edge, 2, 3), { wait: false, callbackParam: `n:${edge}` })).uid,
          ),
        );
      });
      await withAccounts(library, async (accounts, engine) => {
        await engine.idle();
        accounts.sendCallbacks(async ({ fileUid }) => fileUid);
        await until(async () => (await states(accounts)).every((state) => state === 'delivered'));
      });
      expect(new Set(receiver.got.map(({ body }) => body))).toEqual(new Set(uids));
      expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(uids.length);
    });
  });
});

describe('a receiver that fails', () => {
  test('is tried again for three days, with growing waits; then it is given up, and can be sent again', async () => {
    const clock = new Clock();
    let status = 500;
    await withCallbacks(
      async ({ accounts, acme, receiver }) => {
        const { uid } = await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        const started = clock.now();
        const waitsS: number[] = [];
        let delivery: Delivery;
        for (;;) {
          await until(async () => (await accounts.deliveries('acme'))[0].attempts > waitsS.length);
          await accounts.deliverDue();
          [delivery] = await accounts.deliveries('acme');
          if (delivery.state !== 'due') break;
          expect(delivery).toMatchObject({ status: 500, problem: 'the receiver answered 500' });
          waitsS.push((delivery.nextAt!.getTime() - delivery.attemptedAt!.getTime()) / 1_000);
          clock.passTo(delivery.nextAt!.getTime() - 500);
          await accounts.deliverDue();
          expect(receiver.got).toHaveLength(waitsS.length); // Not before its time.
          clock.passTo(delivery.nextAt!.getTime());
          await accounts.deliverDue();
        }
        const wanted = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000];
        expect(waitsS).toHaveLength(wanted.length);
        waitsS.forEach((wait, i) => {
          expect(wait).toBeGreaterThanOrEqual(wanted[i]);
          expect(wait).toBeLessThanOrEqual(1.1 * wanted[i] + 1);
        });
        const days = (clock.now() - started) / 86_400_000;
        expect(days).toBeGreaterThan(2.9);
        expect(days).toBeLessThan(3.4);
        expect(delivery).toMatchObject({ state: 'failed', attempts: 10, nextAt: null, fileUid: uid });
        // Always the same message, so that the receiver can tell.
        expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]));
        expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
        status = 204;
        expect(await accounts.replay('acme', delivery.id)).toMatchObject({ state: 'due' });
        await accounts.deliverDue();
        expect((await accounts.deliveries('acme'))[0]).toMatchObject({ state: 'delivered', status: 204, attempts: 1 });
      },
      { now: clock.now },
      (_request, response) => void response.writeHead(status).end(),
    );
  });

  test('is left alone for as long as it asks', () =>
    withCallbacks(
      async ({ accounts, acme }) => {
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
        const [{ nextAt, attemptedAt }] = await accounts.deliveries('acme');
        expect(nextAt!.getTime() - attemptedAt!.getTime()).toBe(900_000);
      },
      {},
      (_request, response) => void response.writeHead(429, { 'Retry-After': '900' }).end(),
    ));

  test('and says that it wants no more is believed', () =>
    withCallbacks(
      async ({ accounts, acme }) => {
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await states(accounts))[0] === 'failed');
        expect((await accounts.deliveries('acme'))[0]).toMatchObject({ attempts: 1, status: 410 });
      },
      {},
      (_request, response) => void response.writeHead(410).end(),
    ));

  test('redirects are not followed', () =>
    withCallbacks(
      async ({ accounts, acme, receiver }) => {
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
        expect((await accounts.deliveries('acme'))[0]).toMatchObject({
          state: 'due',
          status: 307,
          problem: expect.stringContaining('redirects are not followed') as string,
        });
        expect(receiver.got.map(({ path }) => path)).toEqual(['/hook']);
      },
      {},
      (_request, response) => void response.writeHead(307, { Location: '/inner' }).end(),
    ));

  test('that never answers holds up nobody else, and ends by itself', () =>
    withCallbacks(
      async ({ accounts, engine, acme }) => {
        await withReceiver(async (quick) => {
          const other = await engine.company('other');
          await accounts.setCallback('other', { url: quick.url, ...LOOPBACK });
          for (let i = 0; i < 10; i++) await acme.put('slow.stl', boxStl(1, 2, 3), { callbackParam: `n:${i}` });
          await other.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
          await until(() => quick.got.length === 1);
          expect((await accounts.deliveries('acme')).filter(({ attempts }) => attempts > 0).length).toBeLessThan(10);
          await accounts.deliverDue();
          for (const delivery of await accounts.deliveries('acme'))
            expect(delivery).toMatchObject({
              state: 'due',
              attempts: 1,
              status: null,
              problem: 'no answer within 700 ms',
            });
        });
      },
      { callbackTimeoutMs: 700 },
      () => undefined,
    ));

  test('that answers without end is cut off', () =>
    withCallbacks(
      async ({ accounts, acme }) => {
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await states(accounts))[0] === 'delivered');
      },
      { callbackTimeoutMs: 5_000 },
      (_request, response) => {
        response.writeHead(200);
        const pour = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', pour);
        pour();
      },
    ));

  test('with a head without end is a failure', () =>
    withCallbacks(
      async ({ accounts, acme }) => {
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
        expect((await accounts.deliveries('acme'))[0]).toMatchObject({
          state: 'due',
          problem: expect.stringMatching(/header/i) as string,
        });
      },
      {},
      (_request, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end(),
    ));

  test("that nobody runs is a failure with the system's words", () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      const acme = await engine.company('acme');
      const port = await withReceiver(async (receiver) => receiver.port);
      await accounts.setCallback('acme', { url: `http://127.0.0.1:${port}/`, ...LOOPBACK });
      accounts.sendCallbacks(async () => '{}');
      await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
      await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
      expect((await accounts.deliveries('acme'))[0].problem).toContain('ECONNREFUSED');
    }));
});

describe('the payload', () => {
  test('of a file that is gone ends the callback; one that cannot be made now is made later', async () => {
    const clock = new Clock();
    await withReceiver((receiver) =>
      withAccounts(
        newLibrary(folder),
        async (accounts, engine) => {
          const acme = await engine.company('acme');
          await accounts.setCallback('acme', { url: receiver.url, ...LOOPBACK });
          await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'gone' });
          await acme.put('b.stl', boxStl(1, 2, 3), { callbackParam: 'later' });
          expect(await states(accounts)).toEqual(['due', 'due']); // Nobody said what to send.
          let broken = true;
          accounts.sendCallbacks(async ({ callbackParam }) => {
            if (callbackParam === 'gone') return undefined;
            if (broken) throw new Error('the pictures are not ready');
            return '"é"';
          });
          await accounts.deliverDue();
          expect(await accounts.deliveries('acme')).toMatchObject([
            { callbackParam: 'later', state: 'due', problem: 'the pictures are not ready' },
            { callbackParam: 'gone', state: 'failed', problem: 'the file is gone' },
          ]);
          broken = false;
          clock.passS(10);
          await accounts.deliverDue();
          expect((await accounts.deliveries('acme'))[0].state).toBe('delivered');
          expect(receiver.got).toMatchObject([{ body: '"é"', headers: { 'content-length': '4' } }]);
        },
        { now: clock.now },
      ),
    );
  });
});

describe('settings', () => {
  test('are kept, but the secret is told only once; null ends them and what is on its way', () =>
    withCallbacks(
      async ({ accounts, acme, receiver }) => {
        expect(await accounts.callback('acme')).toEqual({ url: receiver.url, allow: ['127.0.0.1'] });
        const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
        expect(
          await accounts.setCallback('acme', {
            url: 'https://Example.com/a?b=c',
            secret,
            allow: ['Hooks.Internal.', '10.1.0.0/16', 'fd00::/8'],
          }),
        ).toEqual({ secret });
        expect(await accounts.callback('acme')).toEqual({
          url: 'https://example.com/a?b=c',
          allow: ['hooks.internal', '10.1.0.0/16', 'fd00::/8'],
        });
        await accounts.setCallback('acme', { url: `${receiver.url}?fails`, ...LOOPBACK });
        await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
        await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
        expect(await accounts.setCallback('acme', null)).toBeUndefined();
        expect(await accounts.callback('acme')).toBeUndefined();
        const [{ id }] = await accounts.deliveries('acme');
        await accounts.replay('acme', id);
        await accounts.deliverDue();
        expect((await accounts.deliveries('acme'))[0]).toMatchObject({
          state: 'failed',
          problem: 'the company wants no callbacks any more',
        });
        expect(await failure(accounts.replay('acme', '00000000-0000-4000-8000-000000000000'))).toMatchObject({
          code: 'RECORD_UNKNOWN',
        });
      },
      {},
      ({ path }, response) => void response.writeHead(path.endsWith('?fails') ? 500 : 200).end(),
    ));

  test.each<[string, unknown]>([
    ['url', ''],
    ['url', 'example.com'],
    ['url', 'ftp://example.com/'],
    ['url', 'file:///etc/passwd'],
    ['url', 'http://user:pass@example.com/'],
    ['url', `https://example.com/${'x'.repeat(2_000)}`],
    ['url', 'javascript:alert(1)'],
    ['secret', 'short'],
    ['secret', 'whsec_AAAA'],
    ['secret', `whsec_${'A'.repeat(200)}`],
    ['allow', '10.0.0.0/8'],
    ['allow', ['10.0.0.0/33']],
    ['allow', ['10.0.0']],
    ['allow', ['a b']],
    ['allow', ['*']],
    ['allow', ['http://a']],
    ['allow', [5]],
    ['allow', Array(101).fill('a')],
  ])('are refused with a wrong %s: %s', (name, value) =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      await expect(
        accounts.setCallback('acme', { url: 'https://example.com/', [name]: value } as never),
      ).rejects.toThrow(new RegExp(`callback.${name}`));
      expect(await accounts.callback('acme')).toBeUndefined();
    }),
  );
});

describe('inner addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::1]/',
    'http://[ff02::1]/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[2001:db8::1]/',
    'http://[::127.0.0.1]/',
  ])('%s is refused when it is set', (url) =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      expect(await failure(accounts.setCallback('acme', { url }))).toMatchObject({ code: 'ADDRESS_REFUSED' });
    }),
  );

  /** What a name leads to, call by call, and whether something came through to the receiver. */
  async function attempt(
    answers: readonly (readonly HostAddress[])[],
    allow: readonly string[],
    host = 'hooks.example',
  ): Promise<{ delivery: Delivery; got: readonly Received[]; calls: string[] }> {
    const calls: string[] = [];
    const resolve = async (hostName: string): Promise<readonly HostAddress[]> =>
      answers[Math.min(calls.push(hostName), answers.length) - 1];
    return withReceiver((receiver) =>
      withAccounts(
        newLibrary(folder),
        async (accounts, engine) => {
          const acme = await engine.company('acme');
          await accounts.setCallback('acme', { url: `http://${host}:${receiver.port}/hook`, allow });
          accounts.sendCallbacks(async () => '{}');
          await acme.put('a.stl', boxStl(1, 2, 3), { callbackParam: 'a:1' });
          await until(async () => (await accounts.deliveries('acme'))[0].attempts === 1);
          return { delivery: (await accounts.deliveries('acme'))[0], got: receiver.got, calls };
        },
        { resolve, callbackTimeoutMs: 1_500 },
      ),
    );
  }
  const v4 = (address: string): HostAddress => ({ address, family: 4 });

  test('behind a name are refused at each attempt; one bad address among good ones is enough', async () => {
    for (const addresses of [
      [v4('127.0.0.1')],
      [v4('93.184.215.14'), v4('127.0.0.1')],
      [{ address: '::ffff:127.0.0.1', family: 6 as const }],
      [{ address: '127.0.0.1', family: 6 as const }],
    ]) {
      const { delivery, got } = await attempt([addresses], []);
      expect(delivery).toMatchObject({
        state: 'due',
        problem: expect.stringContaining('not a public address') as string,
      });
      expect(got).toEqual([]);
    }
    expect((await attempt([[]], [])).delivery.problem).toBe('hooks.example has no address');
  });

  test('are reached when the allow-list has them: by address, by network, by name', async () => {
    for (const allow of [['127.0.0.1'], ['127.0.0.0/8'], ['hooks.example'], ['HOOKS.example.']]) {
      const { delivery, got, calls } = await attempt([[v4('127.0.0.1')]], allow);
      expect(delivery.state, String(allow)).toBe('delivered');
      expect(got[0].headers.host).toMatch(/^hooks\.example:\d+$/);
      expect(calls).toEqual(['hooks.example']);
    }
    for (const allow of [['127.0.0.2'], ['10.0.0.0/8'], ['example'], ['other.example']]) {
      expect((await attempt([[v4('127.0.0.1')]], allow)).delivery.state, String(allow)).toBe('due');
    }
  });

  test('are not reached by a name that is bound anew: it is resolved once, and the connection goes where the check was', async () => {
    // First what is allowed, then what is not. Were the name resolved again for the connection, it would go to a dead
    // end.
    const first = await attempt([[v4('127.0.0.1')], [v4('192.0.2.1')]], ['127.0.0.1']);
    expect(first).toMatchObject({
      delivery: { state: 'delivered' },
      calls: ['hooks.example'],
      got: [{ localAddress: '127.0.0.1' }],
    });
    // First a public address, then loopback, where the receiver listens: it must not be reached. (TEST-NET-2 leads
    // nowhere.)
    const second = await attempt([[v4('198.51.100.1')], [v4('127.0.0.1')]], ['198.51.100.1']);
    expect(second).toMatchObject({ delivery: { state: 'due', status: null }, calls: ['hooks.example'], got: [] });
  });
});
