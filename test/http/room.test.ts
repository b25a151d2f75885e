import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { EngineOptions } from '../../dist/index.js';
import { openHost, partStl, sha1, type Answer, type Host } from './host.js';

/** `/health` says what the process is out of: sign-ins, sign-ups, disk. Bodies: shares.long.test.ts. */

afterEach(() => vi.useRealTimers());

async function withHost(accounts: Partial<EngineOptions['accounts']>, work: (host: Host) => Promise<void>) {
  const host = await openHost({}, { accounts });
  try {
    await work(host);
  } finally {
    await host.close();
  }
}

const health = (host: Host): Promise<Answer> => host.send('GET', '/health');
const outOf = (what: string) => ({ status: 503, code: 'OUT_OF_ROOM', full: [what] });

/**
 * Sends requests all at once; what /health says while the last of them wait. Call it again where it says nothing: the
 * machine may have given this process no time meanwhile.
 */
async function whileThey(host: Host, requests: readonly (() => Promise<Answer>)[]): Promise<Answer> {
  let left = requests.length;
  const sent = Promise.all(requests.map((send) => send().finally(() => left--)));
  let seen = await health(host);
  while (seen.status === 200 && left > 0) seen = await health(host);
  await sent;
  return seen;
}

const signIn = (host: Host, n: number): Promise<Answer> =>
  host.send('POST', '/Token', {
    form: { grant_type: 'password', username: 'ada@acme.example', password: sha1('secret').toString('hex') },
    client: { address: `192.0.2.${n}` },
  });

const signUp = (host: Host, n: number): Promise<Answer> =>
  host.send('PUT', '/api/User', {
    query: {
      emailID: `new${n}@elsewhere.example`,
      firstName: 'First',
      lastName: 'Last',
      password: sha1(`a long and rare secret ${n}`).toString('base64'),
    },
    client: { address: `192.0.2.${n}` },
  });

const slow = { scryptCost: 2 ** 14, signInsWaiting: 1, signInsWaitingPerSource: 1 };

test('sign-ins that wait: it is told, and over when they are done', () =>
  withHost(slow, async (host) => {
    expect((await health(host)).json).toEqual({ status: 'ok' });
    const sent = Array.from({ length: 12 }, (_, n) => () => signIn(host, n));
    let full = await health(host);
    for (let round = 0; full.status === 200 && round < 10; round++) full = await whileThey(host, sent);
    expect(full.json).toMatchObject(outOf('signIns'));
    expect(full.headers.get('retry-after')).toBe('5');
    expect((await health(host)).json).toEqual({ status: 'ok' });
  }));

test('sign-ups that wait for their turn, which is that of sign-ins', () =>
  withHost(slow, async (host) => {
    let full = await health(host);
    for (let round = 0; full.status === 200 && round < 10; round++) {
      const sent = Array.from({ length: 12 }, (_, n) => () => signUp(host, 12 * round + n));
      full = await whileThey(host, sent);
    }
    expect(full.json).toMatchObject(outOf('signIns'));
    expect((await health(host)).status).toBe(200);
  }));

test('accounts that wait to be let in: it is told, and the process is as fit as before', () =>
  withHost({ waitingUsers: 2 }, async (host) => {
    for (const n of [1, 2]) expect((await signUp(host, n)).status).toBe(200);
    expect((await signUp(host, 3)).status).toBe(429);
    expect([(await health(host)).status, (await health(host)).json]).toEqual([
      200,
      { status: 'ok', full: ['signUps'] },
    ]);
    expect((await signIn(host, 4)).status).toBe(200);
    await host.engine.accounts.rejectUser('new1@elsewhere.example');
    expect((await health(host)).json).toEqual({ status: 'ok' });
  }));

test('a disk that refuses writes: it is told for 30 s', () =>
  withHost({}, async (host) => {
    const put = (): Promise<Answer> =>
      host.send('PUT', '/api/FileBinary', { as: 'ada', query: { file: '.stl' }, bytes: partStl(1, 2, 3) });
    const blobs = join(host.library, 'blobs');
    renameSync(blobs, `${blobs}-away`);
    writeFileSync(blobs, '');
    vi.useFakeTimers({ toFake: ['performance'] });
    expect((await put()).status).toBeGreaterThanOrEqual(500);
    expect((await health(host)).json).toMatchObject(outOf('disk'));
    rmSync(blobs);
    mkdirSync(blobs);
    vi.advanceTimersByTime(31_000);
    expect((await health(host)).json).toEqual({ status: 'ok' });
    vi.useRealTimers();
    expect((await put()).status).toBe(200);
  }));
