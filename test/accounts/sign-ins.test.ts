import { expect, test } from 'vitest';
import type { Accounts, UserProfile } from '../../dist/accounts/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

// Users see where they are signed in and end it; a password that a program made for them is good for a short time.

const folder = temporaryFolder();
const EMAIL = 'ann@acme.org';
const HOME = '192.0.2.1';
const password = sha1('made by a program');
const next = sha1('correct horse battery');
const DAY_S = 86_400;
const EXPIRED = { code: 'NOT_ALLOWED', details: { what: 'expired' } };

async function withAnn(
  more: { readonly isInitialPassword?: boolean },
  work: (accounts: Accounts, ann: UserProfile, clock: Clock) => Promise<void>,
): Promise<void> {
  const clock = new Clock();
  await withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await accounts.addCompany('acme');
      const ann = { email: EMAIL, firstName: '', lastName: '', passwordDigest: password, company: 'acme', ...more };
      await work(accounts, await accounts.addUser(ann), clock);
    },
    { now: clock.now },
  );
}
const signIn = (accounts: Accounts, passwordDigest = password) =>
  accounts.grantPassword({ email: EMAIL, passwordDigest, source: HOME });

test('the sign-ins of a user are listed, newest first, and end one by one or all but one', () =>
  withAnn({}, async (accounts, { uid: user }, clock) => {
    await accounts.addUser({ email: 'bob@acme.org', firstName: '', lastName: '', passwordDigest: password });
    const bob = await accounts.grantPassword({ email: 'bob@acme.org', passwordDigest: password });
    const bobsId = (await accounts.principalOf(bob.accessToken))!.tokenId;
    const grants = [];
    for (let i = 0; i < 4; i++) {
      grants.push(await signIn(accounts));
      clock.passS(60);
    }
    const ids = await Promise.all(grants.map(async (g) => (await accounts.principalOf(g.accessToken))!.tokenId));
    const listed = await accounts.signIns(user);
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(listed[0].startedAt.getTime() - listed[1].startedAt.getTime()).toBeGreaterThanOrEqual(60_000);
    expect(listed[0].endsAt.getTime() - listed[0].startedAt.getTime()).toBe(30 * DAY_S * 1_000);

    const end = { user, current: password, source: HOME };
    expect(await failure(accounts.endSignIns({ ...end, current: next }))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
      details: { what: 'current' },
    });
    expect(await accounts.signIns(user)).toHaveLength(4);
    expect(await accounts.endSignIns({ ...end, only: ids[0] })).toBe(1);
    expect(await accounts.principalOf(grants[0].accessToken)).toBeUndefined();
    // Of somebody else, or gone already.
    expect(await accounts.endSignIns({ ...end, only: bobsId })).toBe(0);
    expect(await accounts.endSignIns({ ...end, only: ids[0] })).toBe(0);
    expect(await accounts.endSignIns({ ...end, except: ids[3] })).toBe(2);
    expect((await accounts.signIns(user)).map(({ id }) => id)).toEqual([ids[3]]);
    expect(await accounts.principalOf(bob.accessToken)).toBeDefined();
    clock.passS(31 * DAY_S);
    expect(await accounts.signIns(user)).toEqual([]);
  }));

test('an initial password is good for a short time, and so is what was begun with it', () =>
  withAnn({ isInitialPassword: true }, async (accounts, { uid: user }, clock) => {
    const { refreshToken } = await signIn(accounts);
    clock.passS(3 * DAY_S);
    expect(await failure(signIn(accounts))).toMatchObject(EXPIRED);
    // A wrong one is told nothing of that.
    expect(await failure(signIn(accounts, next))).toMatchObject({ code: 'CREDENTIALS_INVALID' });
    expect(await failure(accounts.grantRefresh({ refreshToken: refreshToken! }))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
    });
    expect(await failure(accounts.changePassword({ user, current: password, next, source: HOME }))).toMatchObject(
      EXPIRED,
    );
    // An admin sets another one: by a program again, or one that stays.
    await accounts.setPassword(EMAIL, next, { isInitial: true });
    expect(await signIn(accounts, next)).toBeDefined();
    clock.passS(3 * DAY_S);
    expect(await failure(signIn(accounts, next))).toMatchObject(EXPIRED);
    await accounts.setPassword(EMAIL, next);
    clock.passS(300 * DAY_S);
    expect(await signIn(accounts, next)).toBeDefined();
  }));

test('an initial password that is changed in time is over, the new one stays', () =>
  withAnn({ isInitialPassword: true }, async (accounts, { uid: user }, clock) => {
    const { accessToken: token, refreshToken } = await signIn(accounts);
    await accounts.changePassword({ user, current: password, next, token, source: HOME });
    clock.passS(4 * DAY_S);
    expect(await signIn(accounts, next)).toBeDefined();
    expect(await accounts.grantRefresh({ refreshToken: refreshToken! })).toBeDefined();
    expect(await accounts.removeUser(EMAIL)).toBe(true);
    expect(await accounts.removeUser(EMAIL)).toBe(false);
  }));
