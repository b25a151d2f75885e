import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import * as internal from '../../dist/accounts/user-accounts.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { CHEAP_SCRYPT, Clock, failure, newLibrary, sha1, withAccounts } from './library.js';

const folder = temporaryFolder();
const ANN = {
  email: 'Ann@Acme.org',
  firstName: 'Ann',
  lastName: 'Lee',
  passwordDigest: sha1('right'),
  company: 'acme',
};

test('a caller works for its own company, an operator for any that it names', () =>
  withAccounts(newLibrary(folder), async (accounts) => {
    await accounts.addCompany('acme');
    await accounts.addCompany('other');
    const ann = { kind: 'user', role: 'member', companyName: 'acme', tokenId: '1' } as const;
    const operator = { ...ann, role: 'operator' } as const;
    const app = { ...ann, kind: 'app' } as const;
    expect(await accounts.companyFor(ann, { needs: 'user', named: 'other' })).toBe('acme');
    expect(await accounts.companyFor(operator, { needs: 'user', named: 'other' })).toBe('other');
    expect(await accounts.companyFor(operator, { needs: 'operator', named: 'other' })).toBe('acme');
    expect(await accounts.companyFor(app, { needs: 'app' })).toBe('acme');
    for (const [by, needs] of [
      [app, 'user'],
      [ann, 'operator'],
    ] as const)
      expect(await failure(accounts.companyFor(by, { needs }))).toMatchObject({ code: 'NOT_ALLOWED' });
    for (const named of ['nobody', 'a\u0001'])
      expect(await failure(accounts.companyFor(operator, { needs: 'user', named }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
  }));

test('a new library has no user, no client and no company', () =>
  withAccounts(newLibrary(folder), async (accounts) => {
    expect(await Promise.all([accounts.users(), accounts.clients(), accounts.companies()])).toEqual([[], [], []]);
  }));

describe('companies', () => {
  test('have a GUID and a name that is there once, also those made by the first file', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      await engine.company('by file');
      const acme = await accounts.addCompany('  acme ');
      expect(acme).toEqual({
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string,
        name: 'acme',
        addedAt: expect.any(Date) as Date,
      });
      expect(await failure(accounts.addCompany('acme'))).toMatchObject({
        code: 'ACCOUNT_EXISTS',
        details: { what: 'company' },
      });
      expect((await accounts.companies()).map(({ name }) => name)).toEqual(['acme', 'by file']);
      expect(await accounts.companyNamed('acme')).toEqual(acme);
      expect(await accounts.companyByUid(acme.uid.toUpperCase())).toEqual(acme);
      expect(await accounts.companyNamed('other')).toBeUndefined();
      expect(await accounts.companyByUid('00000000-0000-4000-8000-000000000000')).toBeUndefined();
      expect(await engine.companies()).toEqual(['acme', 'by file']);
      expect(await (await engine.company('acme')).list()).toEqual([]);
      await expect(accounts.addCompany('')).rejects.toThrow(RangeError);
      await expect(accounts.addCompany('a\u0001')).rejects.toThrow(RangeError);
    }));

  test('search inputs lie beside a company and are none', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      await (await engine.company('acme')).putInput(new Uint8Array(2_000), { extension: '.txt' });
      expect((await accounts.companies()).map(({ name }) => name)).toEqual(['acme']);
    }));
});

describe('users', () => {
  test('sign in with their password, whatever the case of their address', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      const { uid: companyId } = await accounts.addCompany('acme');
      const ann = await accounts.addUser({ ...ANN, role: 'admin' });
      expect(ann).toMatchObject({
        email: 'Ann@Acme.org',
        firstName: 'Ann',
        lastName: 'Lee',
        companyId,
        companyName: 'acme',
        role: 'admin',
      });
      expect(await accounts.user('ANN@acme.ORG')).toEqual(ann);
      expect(await accounts.users('acme')).toEqual([ann]);
      expect(await accounts.verifyPassword('ann@acme.org', sha1('right'))).toEqual(ann);
      expect(await accounts.verifyPassword('ann@acme.org', sha1('wrong'))).toBeUndefined();
      expect(await accounts.verifyPassword('bob@acme.org', sha1('right'))).toBeUndefined();
      expect(await accounts.verifyPassword('no address', sha1('right'))).toBeUndefined();
      expect(await failure(accounts.addUser({ ...ANN, email: 'ann@ACME.org' }))).toMatchObject({
        code: 'ACCOUNT_EXISTS',
        details: { what: 'user' },
      });
      expect(await failure(accounts.addUser({ ...ANN, email: 'b@acme.org', company: 'nobody' }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
        details: { what: 'company' },
      });
    }));

  test('are refused with a field that is not right, which is named', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      await expect(accounts.addUser({ ...ANN, email: 'ann' })).rejects.toThrow(/email/);
      await expect(accounts.addUser({ ...ANN, firstName: 'x'.repeat(101) })).rejects.toThrow(/firstName/);
      await expect(accounts.addUser({ ...ANN, lastName: 'a\u0000b' })).rejects.toThrow(/lastName/);
      await expect(accounts.addUser({ ...ANN, passwordDigest: new Uint8Array(19) })).rejects.toThrow(/passwordDigest/);
      await expect(accounts.addUser({ ...ANN, role: 'root' as never })).rejects.toThrow(/role/);
      expect(await accounts.users('acme')).toEqual([]);
    }));

  test("join the company of their address's domain when none is named", () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      const acme = await accounts.addCompany('acme');
      await accounts.mapDomain('Acme.ORG', 'acme');
      expect(await accounts.companyOfEmail('x@acme.org')).toEqual(acme);
      expect(await accounts.companyOfEmail('x@sub.acme.org')).toBeUndefined();
      const { company: _, ...ann } = ANN;
      expect((await accounts.addUser(ann)).companyName).toBe('acme');
      expect(await accounts.addUser({ ...ann, email: 'x@else.org' })).toMatchObject({
        companyId: null,
        companyName: null,
        role: 'member',
      });
      expect(await accounts.unmapDomain('acme.org')).toBe(true);
      expect(await accounts.unmapDomain('acme.org')).toBe(false);
      expect((await accounts.addUser({ ...ann, email: 'y@acme.org' })).companyName).toBeNull();
    }));

  test('keep nothing of the password but its scrypt', async () => {
    const library = newLibrary(folder);
    await withAccounts(library, async (accounts) => {
      await accounts.addCompany('acme');
      await accounts.addUser(ANN);
    });
    const catalogue = Buffer.concat(
      ['catalog.sqlite', 'catalog.sqlite-wal'].flatMap((name) => {
        try {
          return [readFileSync(join(library, name))];
        } catch (cause) {
          expect((cause as NodeJS.ErrnoException).code).toBe('ENOENT');
          return [];
        }
      }),
    );
    expect(catalogue.includes('Ann@Acme.org')).toBe(true);
    const digest = Buffer.from(ANN.passwordDigest);
    for (const secret of [digest, digest.toString('hex'), digest.toString('base64')])
      expect(catalogue.includes(secret)).toBe(false);
  });

  test('kept at an older cost still sign in, and are kept at the new one from then on', async () => {
    const library = newLibrary(folder);
    await withAccounts(library, async (accounts) => {
      await accounts.addCompany('acme');
      await accounts.addUser(ANN);
    });
    for (let time = 0; time < 2; time++) {
      await withAccounts(
        library,
        async (accounts) => {
          expect((await accounts.verifyPassword(ANN.email, sha1('right')))?.email).toBe(ANN.email);
          expect(await accounts.verifyPassword(ANN.email, sha1('wrong'))).toBeUndefined();
        },
        { scryptCost: 2 * CHEAP_SCRYPT },
      );
    }
  });

  test('an unknown one takes as long to refuse as a known one', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        await accounts.addUser(ANN);
        // Turn by turn, in time of the processor, and the shortest of each: what else the machine does only makes them
        // longer.
        let [known, unknown] = [Infinity, Infinity];
        const timeMs = async (email: string, i: number): Promise<number> => {
          const before = process.cpuUsage();
          await accounts.verifyPassword(email, sha1(`wrong ${i}`));
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1_000;
        };
        for (let i = 0; i < 6; i++) {
          known = Math.min(known, await timeMs(ANN.email, i));
          unknown = Math.min(unknown, await timeMs('nobody@acme.org', i));
        }
        expect(unknown).toBeGreaterThan(10);
        expect(unknown / known).toBeGreaterThan(0.5);
        expect(unknown / known).toBeLessThan(2);
      },
      { scryptCost: 16_384, loginFailures: 1_000 },
    ));
});

describe('failed attempts', () => {
  const clock = new Clock();
  const limits = { loginFailures: 3, loginFailuresPerSource: 5, loginWindowS: 60, now: clock.now };

  test('of one name are limited, also at the same time, and also for names that nobody has', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        await accounts.addUser(ANN);
        for (const email of [ANN.email, 'nobody@acme.org']) {
          const answers = await Promise.allSettled(
            Array.from({ length: 8 }, () => accounts.verifyPassword(email, sha1('wrong'))),
          );
          expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
          const error = await failure(accounts.verifyPassword(email.toUpperCase(), sha1('right')));
          expect(error).toMatchObject({ code: 'RATE_LIMITED' });
          expect(error.details['retryAfterS']).toBeGreaterThan(50);
          expect(error.details['retryAfterS']).toBeLessThanOrEqual(60);
        }
        clock.passS(61);
        expect((await accounts.verifyPassword(ANN.email, sha1('right')))?.email).toBe(ANN.email);
      },
      limits,
    ));

  test('are forgiven by a success', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        await accounts.addUser(ANN);
        for (let round = 0; round < 4; round++) {
          for (let i = 0; i < 2; i++) expect(await accounts.verifyPassword(ANN.email, sha1('wrong'))).toBeUndefined();
          expect(await accounts.verifyPassword(ANN.email, sha1('right'))).toBeDefined();
        }
      },
      limits,
    ));

  test('of one source are limited, whatever the names; who has signed in there before still can', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        await accounts.addUser(ANN);
        const source = '198.51.100.7';
        for (let i = 0; i < 5; i++) {
          expect(await accounts.verifyPassword(ANN.email, sha1('right'), { source })).toBeDefined();
          expect(await accounts.verifyPassword(`user${i}@acme.org`, sha1('guess'), { source })).toBeUndefined();
        }
        await accounts.addUser({ ...ANN, email: 'bob@acme.org' });
        expect(await failure(accounts.verifyPassword('bob@acme.org', sha1('right'), { source }))).toMatchObject({
          code: 'RATE_LIMITED',
        });
        expect(await accounts.verifyPassword(ANN.email, sha1('right'), { source })).toBeDefined();
        expect(await accounts.verifyPassword(ANN.email, sha1('right'), { source: '198.51.100.8' })).toBeDefined();
      },
      limits,
    ));

  test('of clients are limited as well', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        const { id, secret } = await accounts.addClient();
        for (let i = 0; i < 3; i++)
          expect(await failure(accounts.grantClient({ clientId: id, clientSecret: 'x' }))).toMatchObject({
            code: 'CREDENTIALS_INVALID',
          });
        expect(await failure(accounts.grantClient({ clientId: id, clientSecret: secret }))).toMatchObject({
          code: 'RATE_LIMITED',
        });
      },
      limits,
    ));
});

test('what others see of a user or a client is named, so that a new column of the catalogue stays inside', () => {
  const { clientOf, profileOf } = internal as unknown as Record<string, (row: object) => object>;
  const secret = Buffer.from('secret');
  const common = { companyName: null, addedAt: 0 };
  const user = { ...common, uid: 'u', email: 'a@b.c', firstName: 'A', lastName: 'B', companyId: null, role: 'member' };
  const row = { ...user, id: 1, waiting: 1, salt: secret, cost: 2, verifier: secret, pepper: secret };
  expect(profileOf(row)).toEqual({ ...user, isWaiting: true, addedAt: new Date(0) });
  const client = { ...common, id: 'c', name: 'robot' };
  expect(clientOf({ ...client, secretHash: secret, oldSecretHash: secret })).toEqual({
    ...client,
    addedAt: new Date(0),
  });
});

test('options that make no sense are refused by name', async () => {
  const library = newLibrary(folder);
  for (const [name, value] of Object.entries({
    accessTokenS: 0,
    scryptCost: 1_000,
    passwordGrant: 'no',
    now: 5,
    loginFailures: 1.5,
    callbackTimeoutMs: -1,
    colour: 1,
  })) {
    await expect(Engine.open(library, { accounts: { [name]: value } as never }), name).rejects.toThrow(name);
  }
});

test('after closing, everything says so', async () => {
  const { accounts } = await withAccounts(newLibrary(folder), async (_accounts, engine) => engine);
  for (const call of [
    () => accounts.addCompany('x'),
    () => accounts.companies(),
    () => accounts.verifyPassword('a@b.c', sha1('x')),
    () => accounts.principalOf('x'),
    () => accounts.usage('x'),
    () => accounts.addClient(),
    () => accounts.deliverDue(),
    async () => accounts.count('x', 'compare'),
    () => accounts.putRfq('x', { fileName: 'a', bytes: new Uint8Array(1) }),
  ])
    expect(await failure(call())).toMatchObject({ code: 'ENGINE_CLOSED' });
});
