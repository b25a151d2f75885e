import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Accounts } from '../../dist/accounts/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

const folder = temporaryFolder();
const passwordDigest = sha1('right');
const ANN = { email: 'ann@acme.org', firstName: 'Ann', lastName: 'Lee', passwordDigest, company: 'acme' };
const SIGN_IN = { email: ANN.email, passwordDigest };

async function addAnn(accounts: Accounts): Promise<void> {
  await accounts.addCompany('acme');
  await accounts.addUser({ ...ANN, role: 'admin' });
}

describe('tokens', () => {
  test('for a password name the user as it is now', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await addAnn(accounts);
      const grant = await accounts.grantPassword(SIGN_IN);
      expect(grant).toMatchObject({ expiresInS: 3_600, scope: 'admin' });
      expect(Buffer.from(grant.accessToken, 'base64url')).toHaveLength(32);
      const { uid: userUid } = (await accounts.user(ANN.email))!;
      const principal = await accounts.principalOf(grant.accessToken);
      expect(principal).toEqual({
        kind: 'user',
        userUid,
        email: ANN.email,
        companyName: 'acme',
        role: 'admin',
        tokenId: expect.any(String) as string,
      });
      // A refresh token opens nothing by itself, an access token renews nothing.
      expect(await accounts.principalOf(grant.refreshToken!)).toBeUndefined();
      expect(await failure(accounts.grantRefresh({ refreshToken: grant.accessToken }))).toMatchObject({
        code: 'CREDENTIALS_INVALID',
        details: { what: 'token' },
      });
      for (const junk of ['', 'x', 'x'.repeat(100_000), '\u0000'])
        expect(await accounts.principalOf(junk)).toBeUndefined();
      expect(await accounts.removeUser(ANN.email)).toBe(true);
      expect(await accounts.principalOf(grant.accessToken)).toBeUndefined();
    }));

  test('wrong user and wrong password are one answer', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await addAnn(accounts);
      const errors = await Promise.all(
        [
          { ...SIGN_IN, passwordDigest: sha1('wrong') },
          { ...SIGN_IN, email: 'bob@acme.org' },
        ].map((request) => failure(accounts.grantPassword(request))),
      );
      expect(errors[0]).toMatchObject({ code: 'CREDENTIALS_INVALID', details: { what: 'user' } });
      expect(errors[1].message).toBe(errors[0].message);
      expect(errors[1].details).toEqual(errors[0].details);
    }));

  test('end by the clock; a refresh gives new ones', async () => {
    const clock = new Clock();
    await withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await addAnn(accounts);
        const first = await accounts.grantPassword(SIGN_IN);
        clock.passS(99);
        expect(await accounts.principalOf(first.accessToken)).toBeDefined();
        clock.passS(2);
        expect(await accounts.principalOf(first.accessToken)).toBeUndefined();
        const second = await accounts.grantRefresh({ refreshToken: first.refreshToken! });
        expect(second.scope).toBe('admin');
        expect((await accounts.principalOf(second.accessToken))?.tokenId).toBeDefined();
        clock.passS(1_001);
        expect(await failure(accounts.grantRefresh({ refreshToken: second.refreshToken! }))).toMatchObject({
          code: 'CREDENTIALS_INVALID',
        });
      },
      { accessTokenS: 100, refreshTokenS: 1_000, now: clock.now },
    );
  });

  test('a sign-in cannot be renewed for ever', async () => {
    const clock = new Clock();
    await withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await addAnn(accounts);
        let { refreshToken } = await accounts.grantPassword(SIGN_IN);
        for (let time = 0; time < 2; time++) {
          clock.passS(900);
          ({ refreshToken } = await accounts.grantRefresh({ refreshToken: refreshToken! }));
        }
        clock.passS(300);
        expect(await failure(accounts.grantRefresh({ refreshToken: refreshToken! }))).toMatchObject({
          code: 'CREDENTIALS_INVALID',
        });
      },
      { refreshTokenS: 1_000, signInS: 2_000, now: clock.now },
    );
  });

  test('outlive the process, and are nowhere in the catalogue', async () => {
    const library = newLibrary(folder);
    const { accessToken, refreshToken, secret } = await withAccounts(library, async (accounts) => {
      await addAnn(accounts);
      return { ...(await accounts.grantPassword(SIGN_IN)), ...(await accounts.addClient()) };
    });
    const catalogue = Buffer.concat(
      ['catalog.sqlite', 'catalog.sqlite-wal']
        .map((name) => join(library, name))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path)),
    );
    for (const text of [accessToken, refreshToken!, secret]) {
      expect(catalogue.includes(text)).toBe(false);
      expect(catalogue.includes(Buffer.from(text, 'base64url'))).toBe(false);
    }
    await withAccounts(library, async (accounts) => {
      expect(await accounts.principalOf(accessToken)).toMatchObject({ email: ANN.email });
      expect(await accounts.grantRefresh({ refreshToken: refreshToken! })).toMatchObject({ scope: 'admin' });
    });
  });

  test('end with a new password, and when revoked by either token', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await addAnn(accounts);
      const grants = await Promise.all([1, 2, 3].map(() => accounts.grantPassword(SIGN_IN)));
      expect(await accounts.revoke(grants[0].accessToken)).toBe(true);
      expect(await accounts.revoke(grants[1].refreshToken!)).toBe(true);
      expect(await accounts.revoke(grants[0].accessToken)).toBe(false);
      expect(
        await Promise.all(
          grants.map(async ({ accessToken }) => (await accounts.principalOf(accessToken)) !== undefined),
        ),
      ).toEqual([false, false, true]);
      await accounts.setPassword(ANN.email, sha1('new'));
      expect(await accounts.principalOf(grants[2].accessToken)).toBeUndefined();
      expect(await failure(accounts.grantPassword(SIGN_IN))).toMatchObject({ code: 'CREDENTIALS_INVALID' });
      expect(await accounts.grantPassword({ ...SIGN_IN, passwordDigest: sha1('new') })).toBeDefined();
    }));

  test('are not given for passwords when that is switched off', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await addAnn(accounts);
        expect(await failure(accounts.grantPassword(SIGN_IN))).toMatchObject({ code: 'NOT_ALLOWED' });
      },
      { passwordGrant: false },
    ));
});

describe('clients', () => {
  test('get tokens in their own name, of their company, without a refresh token', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await addAnn(accounts);
      const own = await accounts.addClient({ company: 'acme', name: 'Plug-in' });
      const all = await accounts.addClient({ id: 'given-id' });
      expect(all.id).toBe('given-id');
      expect(await failure(accounts.addClient({ id: 'given-id' }))).toMatchObject({ code: 'ACCOUNT_EXISTS' });
      expect(await accounts.clients()).toMatchObject([
        { id: own.id, name: 'Plug-in', companyName: 'acme' },
        { id: 'given-id', companyName: null },
      ]);
      const grant = await accounts.grantClient({ clientId: own.id, clientSecret: own.secret });
      expect(grant).toMatchObject({ scope: 'app', expiresInS: 3_600 });
      expect(grant.refreshToken).toBeUndefined();
      expect(await accounts.principalOf(grant.accessToken)).toEqual({
        kind: 'app',
        clientId: own.id,
        companyName: 'acme',
        role: 'member',
        tokenId: expect.any(String) as string,
      });
      const wide = await accounts.grantClient({ clientId: all.id, clientSecret: all.secret });
      expect((await accounts.principalOf(wide.accessToken))?.companyName).toBeUndefined();
      for (const wrong of [
        { clientId: own.id, clientSecret: all.secret },
        { clientId: 'nobody', clientSecret: own.secret },
        { clientId: own.id, clientSecret: '' },
      ]) {
        expect(await failure(accounts.grantClient(wrong))).toMatchObject({
          code: 'CREDENTIALS_INVALID',
          details: { what: 'client' },
        });
      }
      expect(await accounts.removeClient(own.id)).toBe(true);
      expect(await accounts.principalOf(grant.accessToken)).toBeUndefined();
    }));

  test("that ask for a user's tokens are known and not another company's; a refresh is for the one that asked", () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await addAnn(accounts);
      await accounts.addCompany('other');
      const [own, foreign] = [
        await accounts.addClient({ company: 'acme' }),
        await accounts.addClient({ company: 'other' }),
      ];
      for (const clientId of ['nobody', foreign.id]) {
        expect(await failure(accounts.grantPassword({ ...SIGN_IN, clientId }))).toMatchObject({
          code: 'CREDENTIALS_INVALID',
          details: { what: 'client' },
        });
      }
      const { accessToken, refreshToken } = await accounts.grantPassword({ ...SIGN_IN, clientId: own.id });
      expect((await accounts.principalOf(accessToken))?.clientId).toBe(own.id);
      expect(await failure(accounts.grantRefresh({ refreshToken: refreshToken!, clientId: foreign.id }))).toMatchObject(
        { code: 'CREDENTIALS_INVALID' },
      );
      expect(await accounts.grantRefresh({ refreshToken: refreshToken!, clientId: own.id })).toBeDefined();
    }));
});

/** What the rotation of tokens must do, in a few lines: a family lives until one of its spent tokens comes again. */
interface Family {
  alive: boolean;
  readonly refresh: { readonly token: string; spent: boolean; readonly endsAt: number }[];
  readonly access: { readonly token: string; readonly endsAt: number }[];
}

type Step =
  | { kind: 'sign in' }
  | { kind: 'refresh' | 'twice' | 'revoke'; at: number }
  | { kind: 'wait'; seconds: number }
  | { kind: 'reopen' };

test('rotated in any order, tokens do what a model of families says', async () => {
  const at = fc.nat(1_000);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Step>({ kind: 'sign in' }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('refresh' as const), at }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('twice' as const, 'revoke' as const), at }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 400 }) }),
    },
  );
  const clock = new Clock();
  const [accessTokenS, refreshTokenS] = [300, 1_000];
  await withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await addAnn(accounts);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const families: Family[] = [];
          const all = (): { family: Family; refresh: Family['refresh'][number] }[] =>
            families.flatMap((family) => family.refresh.map((refresh) => ({ family, refresh })));
          const take = (family: Family, grant: { accessToken: string; refreshToken?: string }): void => {
            family.access.push({ token: grant.accessToken, endsAt: clock.now() + 1_000 * accessTokenS });
            family.refresh.push({
              token: grant.refreshToken!,
              spent: false,
              endsAt: clock.now() + 1_000 * refreshTokenS,
            });
          };
          const spend = async (number: number): Promise<void> => {
            if (all().length === 0) return;
            const { family, refresh } = all()[number % all().length];
            const good = family.alive && !refresh.spent && refresh.endsAt > clock.now();
            const grant = await accounts
              .grantRefresh({ refreshToken: refresh.token })
              .catch((cause: { code: string }) => {
                expect(cause.code).toBe('CREDENTIALS_INVALID');
                return undefined;
              });
            expect(grant !== undefined).toBe(good);
            if (grant !== undefined) {
              refresh.spent = true;
              take(family, grant);
            } else if (refresh.spent && refresh.endsAt > clock.now()) family.alive = false;
          };
          for (const one of steps) {
            if (one.kind === 'sign in') {
              const family: Family = { alive: true, refresh: [], access: [] };
              families.push(family);
              take(family, await accounts.grantPassword(SIGN_IN));
            } else if (one.kind === 'wait') clock.passS(one.seconds);
            else if (one.kind === 'refresh') await spend(one.at);
            else if (one.kind === 'twice') {
              await spend(one.at);
              await spend(one.at);
            } else if (one.kind === 'revoke' && all().length > 0) {
              const { family, refresh } = all()[one.at % all().length];
              const known = await accounts.revoke(refresh.token);
              if (known) family.alive = false;
              else expect(family.alive && refresh.endsAt > clock.now()).toBe(false);
            }
            for (const { alive, access } of families) {
              for (const { token, endsAt } of access)
                expect((await accounts.principalOf(token)) !== undefined).toBe(alive && endsAt > clock.now());
            }
          }
        }),
        { numRuns: 60 },
      );
    },
    { now: clock.now, accessTokenS, refreshTokenS },
  );
});

test('two uses of one refresh token at the same time end its family', () =>
  withAccounts(newLibrary(folder), async (accounts) => {
    await addAnn(accounts);
    const { refreshToken, accessToken } = await accounts.grantPassword(SIGN_IN);
    const answers = await Promise.allSettled([1, 2].map(() => accounts.grantRefresh({ refreshToken: refreshToken! })));
    const [won] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const token of [accessToken, won.accessToken]) expect(await accounts.principalOf(token)).toBeUndefined();
    expect(await failure(accounts.grantRefresh({ refreshToken: won.refreshToken! }))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
    });
  }));

describe('tokens for pictures', () => {
  const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

  test('are good for one file, one company and a short time, also in the next process', async () => {
    const library = newLibrary(folder);
    const clock = new Clock();
    const options = { now: clock.now, imageTokenS: 60 };
    const token = await withAccounts(
      library,
      async (accounts) => {
        await accounts.addCompany('acme');
        const token = await accounts.imageToken('acme', one.toUpperCase());
        expect(await accounts.checkImageToken(token, one)).toBe('acme');
        expect(await accounts.checkImageToken(token, other)).toBeUndefined();
        expect(await failure(accounts.imageToken('nobody', one))).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
        return token;
      },
      options,
    );
    await withAccounts(
      library,
      async (accounts) => {
        expect(await accounts.checkImageToken(token, one)).toBe('acme');
        clock.passS(61);
        expect(await accounts.checkImageToken(token, one)).toBeUndefined();
      },
      options,
    );
    // Another library has another key.
    await withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      expect(await accounts.checkImageToken(token, one)).toBeUndefined();
    });
  });

  test('are the same for a tenth of their life, and good for nine tenths at least', () => {
    const clock = new Clock();
    return withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        const first = await accounts.imageToken('acme', one);
        expect(await accounts.imageToken('acme', one)).toBe(first);
        expect(await accounts.imageToken('acme', other)).not.toBe(first);
        clock.passS(7);
        const second = await accounts.imageToken('acme', one);
        expect(second).not.toBe(first);
        clock.passS(47);
        expect([await accounts.checkImageToken(first, one), await accounts.checkImageToken(second, one)]).toEqual([
          'acme',
          'acme',
        ]);
        clock.passS(7);
        expect(await accounts.checkImageToken(first, one)).toBeUndefined();
        clock.passS(60);
        expect(await accounts.checkImageToken(second, one)).toBeUndefined();
      },
      { now: clock.now, imageTokenS: 60 },
    );
  });

  test('changed in any way are good for nothing', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      const token = await accounts.imageToken('acme', one);
      await fc.assert(
        fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'ABCxyz019-_=.+/ '), async (at, character) => {
          const changed = token.slice(0, at) + character + token.slice(at + 1);
          expect(await accounts.checkImageToken(changed, one)).toBe(changed === token ? 'acme' : undefined);
        }),
        { numRuns: 300 },
      );
      for (const junk of ['', 'x', `${token}A`, `${token}=`, ` ${token}`, token.slice(1), 'A'.repeat(1e6)])
        expect(await accounts.checkImageToken(junk, one)).toBeUndefined();
    }));
});
