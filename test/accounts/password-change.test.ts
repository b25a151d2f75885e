import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Accounts, UserProfile } from '../../dist/accounts/index.js';
import { isCommonPassword } from '../../dist/accounts/common-passwords.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

// A user changes the own password: the current one is asked for, what others try first is refused, other sign-ins end.

const folder = temporaryFolder();
const EMAIL = 'ann.lee@acme.org';
const HOME = '192.0.2.1';
const [current, next] = [sha1('first password of Ann'), sha1('correct horse battery')];
const clock = new Clock();

async function withAnn(
  work: (accounts: Accounts, ann: UserProfile) => Promise<void>,
  options: object = {},
  library = newLibrary(folder),
): Promise<void> {
  await withAccounts(
    library,
    async (accounts) => {
      await accounts.addCompany('Acme Pumps');
      const ann = { email: EMAIL, firstName: 'Ann', lastName: 'Lee', passwordDigest: current, company: 'Acme Pumps' };
      await work(accounts, await accounts.addUser(ann));
    },
    { now: clock.now, ...options },
  );
}
const signIn = (accounts: Accounts, passwordDigest = current, source = HOME) =>
  accounts.grantPassword({ email: EMAIL, passwordDigest, source });

test('the new password works afterwards, the old one no more, and all sign-ins end but the one that stays', () =>
  withAnn(async (accounts, { uid: user }) => {
    const [own, ...others] = await Promise.all([1, 2, 3].map(() => signIn(accounts)));
    await accounts.addUser({ email: 'bob@acme.org', firstName: '', lastName: '', passwordDigest: current });
    const bob = await accounts.grantPassword({ email: 'bob@acme.org', passwordDigest: current });
    await accounts.changePassword({ user, current, next, token: own.accessToken, source: HOME });
    expect((await accounts.principalOf(own.accessToken))?.userUid).toBe(user);
    for (const { accessToken, refreshToken } of others) {
      expect(await accounts.principalOf(accessToken)).toBeUndefined();
      expect(await failure(accounts.grantRefresh({ refreshToken: refreshToken! }))).toMatchObject({
        code: 'CREDENTIALS_INVALID',
      });
    }
    expect(await accounts.grantRefresh({ refreshToken: own.refreshToken! })).toMatchObject({ scope: 'member' });
    expect(await accounts.principalOf(bob.accessToken)).toBeDefined();
    expect(await failure(signIn(accounts))).toMatchObject({ code: 'CREDENTIALS_INVALID' });
    const again = await signIn(accounts, next);
    // Without a sign-in that is to stay, none does; nor does one of somebody else.
    const third = sha1('another one again');
    await accounts.changePassword({ user, current: next, next: third, token: bob.accessToken });
    expect(await accounts.principalOf(again.accessToken)).toBeUndefined();
    expect(await accounts.principalOf(bob.accessToken)).toBeDefined();
    expect(await signIn(accounts, third)).toBeDefined();
  }));

test('a wrong current password changes nothing, and counts as a failed sign-in', () =>
  withAnn(
    async (accounts, { uid: user }) => {
      const { accessToken } = await signIn(accounts, current, '192.0.2.7');
      const change = (given: Uint8Array) => accounts.changePassword({ user, current: given, next, source: HOME });
      for (let i = 0; i < 3; i++)
        expect(await failure(change(sha1(`guess ${i}`)))).toMatchObject({
          code: 'CREDENTIALS_INVALID',
          details: { what: 'current' },
        });
      expect(await failure(change(current))).toMatchObject({ code: 'RATE_LIMITED' });
      expect(await failure(signIn(accounts))).toMatchObject({ code: 'RATE_LIMITED' });
      expect(await accounts.principalOf(accessToken)).toBeDefined();
      clock.passS(901);
      expect(await signIn(accounts)).toBeDefined();
      await change(current);
      expect(await signIn(accounts, next)).toBeDefined();
    },
    { loginFailures: 3 },
  ));

test.each([
  ['none', ''],
  ['a common one', 'password123'],
  ['one of the commonest of a published list', 'marlboro'],
  ['the address', EMAIL],
  ['the name before the @', 'ann.lee'],
  ['the own name', 'annlee'],
  ["the company's name", 'acme pumps'],
  ["a word of the company's name, with a year", 'Pumps2026'],
  ['a word of the address, with an ending', 'acme123!'],
  ["the product's name, with an ending", 'Shapedex2025'],
  ['a common word, with an ending', 'Welcome2024'],
  ['the present one', 'first password of Ann'],
])('%s is refused as a new password', (_, weak) =>
  withAnn(async (accounts, { uid: user }) => {
    const refused = await failure(accounts.changePassword({ user, current, next: sha1(weak) }));
    expect(refused).toMatchObject({ code: 'NOT_ALLOWED', details: { what: 'password' } });
    expect(await signIn(accounts)).toBeDefined();
  }),
);

test('the ten thousand commonest passwords of eight characters or more are known, and made ones are not', () => {
  const table = readFileSync(new URL('../../dist/tables/common-passwords.bin', import.meta.url));
  const digests = Array.from({ length: table.length / 5 }, (_, i) => table.subarray(i * 5, (i + 1) * 5));
  expect(digests).toHaveLength(10_000);
  for (const digest of digests) expect(isCommonPassword(Buffer.concat([digest, Buffer.alloc(15)]))).toBe(true);
  // Of a published list: the first, one in the middle, the last of 3,000 that have eight characters.
  for (const text of ['samantha', 'cocacola', 'startrek', '1qazxsw2', 'blink182', 'q1w2e3r4', 'trustno1'])
    expect(isCommonPassword(sha1(text)), text).toBe(true);
  for (let i = 0; i < 1_000; i++) expect(isCommonPassword(sha1(`correct horse ${i} battery`))).toBe(false);
});

test('of two changes at a time one counts, whose password is then the only one', () =>
  withAnn(async (accounts, { uid: user }) => {
    await signIn(accounts);
    const wanted = [sha1('wanted by one'), sha1('wanted by the other')];
    const ended = await Promise.allSettled(
      wanted.map((next) => accounts.changePassword({ user, current, next, source: HOME })),
    );
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const [i, { status }] of ended.entries())
      expect((await accounts.verifyPassword(EMAIL, wanted[i], { source: HOME })) !== undefined).toBe(
        status === 'fulfilled',
      );
  }));

test('a password that is kept at an older cost is changed as well', async () => {
  const library = newLibrary(folder);
  await withAnn(async () => {}, {}, library);
  await withAccounts(
    library,
    async (accounts) => {
      const { uid: user } = (await accounts.user(EMAIL))!;
      await accounts.changePassword({ user, current, next });
      expect(await signIn(accounts, next)).toBeDefined();
    },
    { scryptCost: 2_048 },
  );
});

test('what is no user, no digest, or no password at all is said so', async () => {
  await withAnn(async (accounts, { uid: user }) => {
    const nobody = { user: '00000000-0000-4000-8000-000000000000', current, next };
    expect(await failure(accounts.changePassword(nobody))).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
    await expect(accounts.changePassword({ user: 'ann', current, next })).rejects.toThrow('user must be a GUID');
    for (const wrong of [{ current: new Uint8Array(19) }, { next: new Uint8Array(21) }])
      await expect(accounts.changePassword({ user, current, next, ...wrong })).rejects.toThrow('must have 20 bytes');
  });
  await withAnn(
    async (accounts, { uid: user }) => {
      expect(await failure(accounts.changePassword({ user, current, next }))).toMatchObject({ code: 'NOT_ALLOWED' });
    },
    { passwordGrant: false },
  );
});

test('a password stays good until it is changed, however long that is', async () => {
  const later = new Clock();
  await withAnn(
    async (accounts) => {
      later.passS(20 * 365 * 86_400);
      expect(await signIn(accounts)).toBeDefined();
    },
    { now: later.now },
  );
});
