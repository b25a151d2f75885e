import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Accounts, Principal } from '../../dist/accounts/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { boxStl } from '../fixtures/box.mjs';
import { Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

const folder = temporaryFolder();
const PERSON = { firstName: 'Ann', lastName: 'Lee', passwordDigest: sha1('right') };

async function companies(accounts: Accounts): Promise<void> {
  for (const name of ['acme', 'other']) await accounts.addCompany(name);
  await accounts.mapDomain('acme.org', 'acme');
}

const admin: Principal = { kind: 'user', role: 'admin', companyName: 'acme', tokenId: '1' };

describe('an account that somebody asks for', () => {
  test('waits until it is let in: neither password nor token before', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await companies(accounts);
      const email = 'ann@acme.org';
      expect(await accounts.signUp({ email, ...PERSON })).toMatchObject({ companyName: 'acme', isWaiting: true });
      expect(await accounts.verifyPassword(email, sha1('right'))).toBeUndefined();
      expect(await failure(accounts.grantPassword({ email, passwordDigest: sha1('right') }))).toMatchObject({
        code: 'NOT_ALLOWED',
        details: { what: 'waiting' },
      });
      // Who does not know the password is not told that the account waits.
      expect(await failure(accounts.grantPassword({ email, passwordDigest: sha1('wrong') }))).toMatchObject({
        code: 'CREDENTIALS_INVALID',
      });
      expect((await accounts.users('acme')).map(({ isWaiting }) => isWaiting)).toEqual([true]);
      expect(await failure(accounts.approveUser(email, { company: 'other' }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
      await accounts.setPassword(email, sha1('right'));
      expect(await accounts.verifyPassword(email, sha1('right'))).toBeUndefined();
      expect(await accounts.approveUser(email, { company: 'acme' })).toMatchObject({ isWaiting: false });
      expect((await accounts.grantPassword({ email, passwordDigest: sha1('right') })).scope).toBe('member');
      expect(await accounts.rejectUser(email)).toBe(false);
    }));

  test('is what the profile says: at once, after approval, or not at all', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await companies(accounts);
      const { uid: acme } = (await accounts.companyNamed('acme'))!;
      const ask = (email: string, more: object = {}) => accounts.signUp({ email, ...PERSON, ...more });
      await accounts.setProfile('acme', { signUp: 'domain' });
      expect(await ask('a@acme.org')).toMatchObject({ companyName: 'acme', isWaiting: false });
      // Without the domain the company is closed, whatever the profile says.
      expect(await failure(ask('a@else.org', { companyUid: acme }))).toMatchObject({ code: 'NOT_ALLOWED' });
      await accounts.setProfile('acme', { signUp: 'off' });
      expect(await failure(ask('b@acme.org'))).toMatchObject({ code: 'NOT_ALLOWED' });
      expect(await ask('c@else.org', { companyUid: acme, by: admin })).toMatchObject({ isWaiting: false });
      expect(await failure(ask('d@acme.org', { by: { ...admin, role: 'member' } }))).toMatchObject({
        code: 'NOT_ALLOWED',
      });
      expect(await failure(ask('d@acme.org', { by: { ...admin, companyName: 'other' } }))).toMatchObject({
        code: 'NOT_ALLOWED',
      });
      for (const companyUid of ['no guid', '00000000-0000-4000-8000-000000000000'])
        expect(await failure(ask('e@acme.org', { companyUid, by: admin }))).toMatchObject({ code: 'NOT_ALLOWED' });
      expect(await ask('alone@else.org')).toMatchObject({ companyName: null, isWaiting: true });
      await expect(accounts.setProfile('acme', { signUp: 'all' as never })).rejects.toThrow('approve, domain, off');
    }));

  test('is given a company by whoever lets it in, where it has none', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await companies(accounts);
      const email = 'ann@else.org';
      await accounts.signUp({ email, ...PERSON });
      // An admin of a company does not reach who belongs to none; and nobody takes a user from another company.
      expect(await failure(accounts.approveUser(email, { company: 'acme' }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
      expect(await accounts.approveUser(email)).toMatchObject({ companyName: null, isWaiting: false });
      expect(await accounts.approveUser(email, { join: 'acme' })).toMatchObject({ companyName: 'acme' });
      expect(await failure(accounts.approveUser(email, { join: 'other' }))).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
      const bob = 'bob@acme.org';
      await accounts.signUp({ email: bob, ...PERSON });
      expect(await failure(accounts.approveUser(bob, { company: 'other', join: 'other' }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
      expect((await accounts.user(bob))!.isWaiting).toBe(true);
    }));

  test('takes no address from who is added by an admin', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await companies(accounts);
      const email = 'ann@acme.org';
      await accounts.signUp({ email, ...PERSON, passwordDigest: sha1('squatter') });
      expect(await failure(accounts.signUp({ email, ...PERSON }))).toMatchObject({ code: 'ACCOUNT_EXISTS' });
      await accounts.addUser({ email, ...PERSON });
      expect(await accounts.verifyPassword(email, sha1('squatter'))).toBeUndefined();
      expect(await accounts.verifyPassword(email, sha1('right'))).toBeDefined();
    }));
});

test('a password that others try first is refused where somebody signs up, after the share of the sender', () =>
  withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await companies(accounts);
      const email = 'ann.field@acme.org';
      const ask = (password: string, more: object = {}) =>
        failure(accounts.signUp({ email, ...PERSON, passwordDigest: sha1(password), ...more }));
      const weak = ['', 'password123', 'ann.field', 'Field2026', 'Acme123!', 'annlee', 'Shapedex1'];
      for (const password of weak)
        expect(await ask(password), password).toMatchObject({ code: 'NOT_ALLOWED', details: { what: 'password' } });
      // Who makes it for somebody else sets no better one.
      expect(await ask('Welcome2024', { by: admin })).toMatchObject({ details: { what: 'password' } });
      expect(await accounts.user(email)).toBeUndefined();
      const source = '192.0.2.1';
      expect(await ask('acme', { source })).toMatchObject({ code: 'NOT_ALLOWED' });
      expect(await ask('acme', { source })).toMatchObject({ code: 'NOT_ALLOWED' });
      expect(await ask('correct horse battery', { source })).toMatchObject({ code: 'RATE_LIMITED' });
      expect(await accounts.signUp({ email, ...PERSON, passwordDigest: sha1('correct horse battery') })).toBeDefined();
    },
    { signUpsPerSource: 2 },
  ));

describe('sign-ups are limited', () => {
  const clock = new Clock();
  const limits = { now: clock.now, signUpsPerSource: 3, waitingUsersPerCompany: 5, waitingUsers: 8, waitingUserS: 1e6 };

  test('by network, by company and in all; those who waited too long give way', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await companies(accounts);
        let people = 0;
        const ask = (domain: string, source?: string) =>
          accounts.signUp({ email: `p${people++}@${domain}`, ...PERSON, source });
        for (let i = 0; i < 3; i++) await ask('acme.org', `2001:db8:0:1::${i}`);
        const refused = await failure(ask('acme.org', '2001:db8:0:1:ffff::9'));
        expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
        expect(refused.details['retryAfterS']).toBeGreaterThan(3_000);
        clock.passS(3_601);
        for (let i = 0; i < 2; i++) await ask('acme.org', '2001:db8:0:1::7');
        expect(await failure(ask('acme.org', '192.0.2.1'))).toMatchObject({
          code: 'RATE_LIMITED',
          details: { reason: 'waiting' },
        });
        for (let i = 0; i < 3; i++) await ask('else.org', `192.0.2.${i}`);
        expect(await failure(ask('else.org', '192.0.2.9'))).toMatchObject({ details: { reason: 'waiting' } });
        expect((await accounts.users()).length).toBe(8);
        clock.passS(1e6);
        await ask('acme.org', '192.0.2.10');
        expect((await accounts.users()).length).toBe(1);
      },
      limits,
    ));
});

test('in a library of before, all users may sign in, and requests for quotation know who sent their input', async () => {
  const library = newLibrary(folder);
  const rfqs: string[] = [];
  await withAccounts(library, async (accounts, engine) => {
    await companies(accounts);
    await accounts.addUser({ email: 'ann@acme.org', ...PERSON });
    const served = await engine.served('acme');
    for (const owner of ['ann', undefined])
      rfqs.push((await served.putRfq({ fileName: 'a.stl', bytes: boxStl(1, 2, 3) }, { owner })).id);
    await engine.idle();
  });
  const database = new Database(join(library, 'catalog.sqlite'));
  database.exec(`
    DROP TABLE known_source; DROP INDEX user_waiting; DROP TABLE faces; DROP TABLE faceWords;
    ALTER TABLE user DROP COLUMN waiting; ALTER TABLE rfq DROP COLUMN owner;
    ALTER TABLE file DROP COLUMN error_details; ALTER TABLE file DROP COLUMN features; ALTER TABLE views DROP COLUMN inks;
    ALTER TABLE search_input DROP COLUMN kept_by; ALTER TABLE category DROP COLUMN made_by;
    PRAGMA user_version = 15;
  `);
  database.close();
  await withAccounts(library, async (accounts) => {
    expect((await accounts.users('acme')).map(({ isWaiting }) => isWaiting)).toEqual([false]);
    expect(await accounts.verifyPassword('ann@acme.org', sha1('right'))).toBeDefined();
    expect(await Promise.all(rfqs.map(async (id) => (await accounts.rfq('acme', id))?.owner))).toEqual(['ann', null]);
  });
});
