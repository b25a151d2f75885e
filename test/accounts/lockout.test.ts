import { expect, test } from 'vitest';
import { Attempts } from '../../dist/accounts/attempts.js';
import { networkOf, type Accounts } from '../../dist/accounts/index.js';
import { ATTEMPT_KEYS, AttemptsInMemory } from '../../dist/store/attempt-counts.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

// Who guesses is locked out; whose password is guessed is not.

const folder = temporaryFolder();
const EMAIL = 'ann@acme.org';
const HOME = '192.0.2.1';
const GUESSER = '203.0.113.66';
const clock = new Clock();

async function withAnn<T>(work: (accounts: Accounts) => Promise<T>, options: object = {}): Promise<T> {
  return withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await accounts.addCompany('acme');
      for (const email of [EMAIL, 'bob@acme.org'])
        await accounts.addUser({ email, firstName: '', lastName: '', passwordDigest: sha1('right'), company: 'acme' });
      return work(accounts);
    },
    { now: clock.now, ...options },
  );
}
const right = (accounts: Accounts, source: string, email = EMAIL) =>
  accounts.verifyPassword(email, sha1('right'), { source });
const wrong = (accounts: Accounts, source: string, email = EMAIL) =>
  accounts.verifyPassword(email, sha1('wrong'), { source }).then(
    () => 'wrong',
    ({ code, details }: { code: string; details: Record<string, unknown> }) => {
      expect(code).toBe('RATE_LIMITED');
      return details['retryAfterS'];
    },
  );

test('ten wrong passwords lock out who sent them, and nobody else', () =>
  withAnn(async (accounts) => {
    for (let i = 0; i < 10; i++) expect(await wrong(accounts, GUESSER)).toBe('wrong');
    expect(await wrong(accounts, GUESSER)).toBeGreaterThan(800);
    expect(await failure(right(accounts, GUESSER))).toMatchObject({ code: 'RATE_LIMITED' });
    // The owner, where she never was before, and somebody else where the guesser is.
    expect(await right(accounts, HOME)).toBeDefined();
    expect(await right(accounts, GUESSER, 'bob@acme.org')).toBeDefined();
    clock.passS(901);
    expect(await right(accounts, GUESSER)).toBeDefined();
  }));

test('many guessers slow each other down; the owner still comes in where she was before', () =>
  withAnn(async (accounts) => {
    await right(accounts, HOME);
    for (let i = 0; i < 20; i++) expect(await wrong(accounts, `203.0.113.${i}`)).toBe('wrong');
    // From now on one guess after each delay, from all new sources together.
    for (const delayS of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await wrong(accounts, '198.51.100.7')).toBe(delayS);
      clock.passS(delayS);
      expect(await wrong(accounts, `198.51.100.${delayS}`)).toBe('wrong');
      expect(await right(accounts, HOME)).toBeDefined();
    }
    // Where she never was, she waits as long.
    expect(await failure(right(accounts, '192.0.2.99'))).toMatchObject({ details: { retryAfterS: 60 } });
    clock.passS(60);
    expect(await right(accounts, '192.0.2.99')).toBeDefined();
  }));

test('where she was before, her own mistakes delay her and do not lock her out', () =>
  withAnn(async (accounts) => {
    await right(accounts, HOME);
    for (let i = 0; i < 10; i++) await wrong(accounts, HOME);
    expect(await wrong(accounts, HOME)).toBe(1);
    clock.passS(1);
    expect(await right(accounts, HOME)).toBeDefined();
    expect(await wrong(accounts, HOME)).toBe('wrong');
  }));

test('100 failures from one address, all of a team behind a proxy: who was there before still signs in', () =>
  withAnn(async (accounts) => {
    await right(accounts, HOME);
    for (let i = 0; i < 100; i++) await wrong(accounts, HOME, `user${i}@acme.org`);
    expect(await wrong(accounts, HOME, 'user100@acme.org')).toBeGreaterThan(800);
    expect(await failure(right(accounts, HOME, 'bob@acme.org'))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await right(accounts, HOME)).toBeDefined();
  }));

test('known sources outlive the process, are bounded, and go with the password', async () => {
  const library = newLibrary(folder);
  const options = { now: clock.now, knownSources: 2, loginFailuresPerName: 1 };
  const from = async (sources: readonly string[], isKnown: readonly boolean[], change = false): Promise<void> =>
    withAccounts(
      library,
      async (accounts) => {
        if (change) await accounts.setPassword(EMAIL, sha1('right'));
        await wrong(accounts, GUESSER);
        const known = sources.map((source) => right(accounts, source).then(Boolean, () => false));
        expect(await Promise.all(known)).toEqual(isKnown);
      },
      options,
    );
  await withAccounts(
    library,
    async (accounts) => {
      await accounts.addUser({ email: EMAIL, firstName: '', lastName: '', passwordDigest: sha1('right') });
      for (const source of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) {
        await right(accounts, source);
        clock.passS(1);
      }
    },
    options,
  );
  // The same network of IPv6 is the same source.
  await from(['192.0.2.1', '192.0.2.2', '2001:db8::abcd'], [false, true, true]);
  await from(['192.0.2.2'], [false], true);
});

test('forty right sign-ins of one user at once succeed, also of one who never signed in', () =>
  withAnn(async (accounts) => {
    const grants = await Promise.all(
      Array.from({ length: 40 }, () =>
        accounts.grantPassword({ email: EMAIL, passwordDigest: sha1('right'), source: HOME }),
      ),
    );
    expect(new Set(grants.map(({ accessToken }) => accessToken)).size).toBe(40);
  }));

test('overload is no wrong password: who is refused for it may come again at once', () =>
  withAnn(
    async (accounts) => {
      const crowd = await Promise.allSettled(Array.from({ length: 60 }, () => right(accounts, HOME)));
      const refused = crowd.filter(({ status }) => status === 'rejected');
      expect(refused.length).toBeGreaterThan(40);
      for (const one of refused)
        expect(one).toMatchObject({ reason: { code: 'RATE_LIMITED', details: { reason: 'busy' } } });
      for (let i = 0; i < 12; i++) expect(await right(accounts, HOME)).toBeDefined();
    },
    { signInsWaitingPerSource: 8 },
  ));

test('a crowd at one address holds up nobody at another', () =>
  withAnn(
    async (accounts) => {
      let done = 0;
      const sources = Array.from({ length: 400 }, (_, i) => `203.0.113.${i % 4}`);
      const crowd = sources.map((source, i) =>
        accounts.verifyPassword(`p${i}@acme.org`, sha1('x'), { source }).then(
          () => done++,
          () => 'refused',
        ),
      );
      expect(await right(accounts, HOME)).toBeDefined();
      expect(done).toBeLessThan(40);
      await Promise.all(crowd);
    },
    { signInsWaiting: 100, loginFailuresPerSource: 1_000 },
  ));

test('who went away while waiting for a turn is not tried', () =>
  withAnn(
    async (accounts) => {
      const senders = Array.from({ length: 30 }, () => new AbortController());
      const crowd = Promise.allSettled(
        senders.map(({ signal }) => accounts.verifyPassword(EMAIL, sha1('wrong'), { source: GUESSER, signal })),
      );
      // Turns go by network: when these two have had theirs, a few of the thirty have.
      for (let i = 0; i < 2; i++) await wrong(accounts, HOME, 'bob@acme.org');
      for (const sender of senders) sender.abort();
      const ends = await crowd;
      expect(ends.some(({ status }) => status === 'rejected')).toBe(true);
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'ABORTED' });
      expect(await right(accounts, GUESSER)).toBeDefined();
    },
    // If those that went away were counted, their address would be locked out.
    { loginFailures: 30, loginFailuresPerName: 60 },
  ));

test('a flood of names does not make a running attempt be forgotten', async () => {
  const attempts = new Attempts({ windowMs: 900_000, door: new AttemptsInMemory(), now: clock.now });
  const ann = { key: 'ann', failures: 1 };
  const attempt = await attempts.begin([ann]);
  for (let i = 0; i <= ATTEMPT_KEYS; i++) await attempts.count({ key: `name ${i}`, failures: 2 });
  await attempt.fail();
  expect(await failure(attempts.check([ann]))).toMatchObject({ code: 'RATE_LIMITED' });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', undefined],
  [undefined, undefined],
  ['somewhere', 'somewhere'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
