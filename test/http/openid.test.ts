import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LogEntry, OpenIdOptions } from '../../dist/http/index.js';
import { openHost, sha1, type Answer, type Host } from './host.js';
import { CLIENT, follow, openProvider, type Person, type TestProvider } from './openid-provider.js';

// Signing in by OpenID Connect, against a provider by others (oidc-provider).

const HOME = 'http://localhost/';
const ANN: Person = {
  sub: 'p-1',
  email: 'ann@acme.example',
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Ames',
  groups: ['everybody'],
  org: 'acme',
};

let provider: TestProvider;
let host: Host;
let clock = Date.now();
const log: LogEntry[] = [];

const OPTIONS: Omit<OpenIdOptions, 'issuer'> = {
  ...CLIENT,
  title: 'Acme',
  scope: 'openid email profile groups',
  companyClaim: 'org',
  roles: { 'cad-admins': 'admin', owners: 'operator' },
};

beforeAll(async () => {
  provider = await openProvider([HOME]);
  host = await openHost(
    { openId: { ...OPTIONS, issuer: provider.issuer }, log: (entry) => log.push(entry) },
    { accounts: { now: () => clock, provenSignInS: 7_200 } },
  );
});
afterAll(async () => {
  await host.close();
  await provider.close();
});
beforeEach(() => {
  provider.signsIn = ANN;
});

interface Kept {
  readonly answer: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Goes to the provider and back, as a browser does. */
async function comeBack(from = host): Promise<Kept> {
  const { status, json, text } = await from.send('GET', '/api/OpenId');
  expect(status, text).toBe(200);
  const { url, ...kept } = json;
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
  const back = await follow(url, HOME);
  expect(back.searchParams.get('state')).toBe(kept.state);
  return { ...kept, answer: back.search.slice(1) };
}

const send = ({ ...form }: Kept, to = host): Promise<Answer> =>
  to.send('POST', '/api/OpenId', { form, client: { address: '192.0.2.9' } });
const signIn = async (who: Person, to = host): Promise<Answer> => {
  provider.signsIn = who;
  return send(await comeBack(to), to);
};
const withToken = (token: string, method: string, path: string, more: object = {}): Promise<Answer> =>
  host.send(method, path, { headers: { Authorization: `Bearer ${token}` }, ...more });

test('the page is told who the provider is, and a host without one has none', async () => {
  expect((await host.send('GET', '/api/SignInWays')).json).toEqual({ password: true, openId: 'Acme' });
  const bare = await openHost({ passwordGrant: false });
  expect((await bare.send('GET', '/api/SignInWays')).json).toEqual({ password: false, openId: null });
  expect((await bare.send('GET', '/api/OpenId')).status).toBe(404);
  expect((await bare.send('POST', '/api/OpenId', { form: { answer: 'x' } })).status).toBe(404);
  await bare.close();
});

test('a person whom the provider knows gets an account of the company that a claim names, and the token works', async () => {
  const { status, json, text } = await signIn(ANN);
  expect(status, text).toBe(200);
  expect(json).toMatchObject({ token_type: 'Bearer', scope: 'member', email: 'ann@acme.example' });
  const [user] = (await host.engine.accounts.users('acme')).filter(({ email }) => email === ANN['email']);
  expect(user).toMatchObject({ firstName: 'Ann', lastName: 'Ames', role: 'member', isWaiting: false });
  expect((await withToken(json.access_token, 'GET', '/api/Status')).status).toBe(200);
  // No password opens it.
  for (const password of ['', 'secret', 'ann@acme.example'])
    expect(await host.engine.accounts.verifyPassword(user.email, sha1(password))).toBeUndefined();
  const audit = (await host.send('GET', '/api/Audit', { as: 'admin', query: { object: user.email } })).json;
  expect(audit.map(({ action, source }: any) => [action, source])).toEqual([['OpenID made member', '192.0.2.9']]);
});

test('groups say the role at each sign-in, by the highest of them', async () => {
  expect((await signIn({ ...ANN, groups: ['everybody', 'cad-admins'] })).json.scope).toBe('admin');
  expect((await signIn({ ...ANN, groups: ['owners', 'cad-admins'] })).json.scope).toBe('operator');
  const { json } = await signIn(ANN);
  expect(json.scope).toBe('member');
  expect((await withToken(json.access_token, 'GET', '/api/Users')).status).toBe(403);
  // No name of the language is a group.
  expect((await signIn({ ...ANN, groups: ['constructor', '__proto__'] })).json.scope).toBe('member');
});

const logOut = (token: string): Promise<Answer> =>
  host.send('POST', '/api/OpenIdLogout', { form: { logout_token: token }, client: { address: '192.0.2.1' } });

test('who is signed out by the provider is signed out here, everywhere, once', async () => {
  const works = async (token: string): Promise<boolean> =>
    (await withToken(token, 'GET', '/api/Status')).status === 200;
  const tokens = [(await signIn(ANN)).json, (await signIn(ANN)).json];
  const other = (await signIn({ ...ANN, sub: 'p-8', email: 'dee@acme.example' })).json.access_token;
  const { accounts } = host.engine;
  const { key } = await accounts.keys.add({ user: (await accounts.user('ann@acme.example'))!.uid, name: 'import' });
  const token = await provider.signOut('p-1');
  const { status, json, headers } = await logOut(token);
  expect([status, json, headers.get('cache-control')]).toEqual([200, true, 'no-store']);
  for (const { access_token: access, refresh_token: refresh } of tokens) {
    expect(await works(access)).toBe(false);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    expect((await host.send('POST', '/api/Token', { form })).status).toBe(400);
  }
  expect([await works(other), await works(key), await works(host.tokens.ada)]).toEqual([true, true, true]);
  const [noted] = (await host.send('GET', '/api/Audit', { as: 'admin', query: { object: 'ann@acme.example' } })).json;
  expect(noted.action).toMatch(/^OpenID logout of [2-9]$/);
  expect(noted.source).toBe('192.0.2.1');
  // Nobody here, and a token for another client, with another signature, of another kind, or none.
  expect((await logOut(await provider.signOut('p-unknown'))).json).toBe(false);
  const [head, claims, signature] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ ...JSON.parse(String(Buffer.from(claims, 'base64url'))), sub: 'p-8' }));
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  for (const wrong of [
    await provider.signOut('p-8', 'another'),
    `${head}.${forged.toString('base64url')}.${signature}`,
    `${none}.${claims}.`,
    'nonsense',
    'x'.repeat(40_000),
    '',
  ])
    expect([await logOut(wrong).then((answer) => answer.status), await works(other)]).toEqual([400, true]);
  // The same token again, after a new sign-in, ends nothing.
  clock += 120_000;
  const again = (await signIn(ANN)).json.access_token;
  expect((await logOut(token)).status).toBe(200);
  expect(await works(again)).toBe(true);
});

test('the person is known by the provider’s name for it: a new address is followed, an old one of another is not taken', async () => {
  const { accounts } = host.engine;
  const { uid } = (await accounts.user('ann@acme.example'))!;
  expect((await signIn({ ...ANN, email: 'ann.ames@acme.example' })).json.email).toBe('ann.ames@acme.example');
  expect((await accounts.user('ann.ames@acme.example'))?.uid).toBe(uid);
  // Bob's address, which the provider gives to Ann now: Bob stays Bob.
  const bob = (await accounts.user('bob@acme.example'))!.uid;
  expect((await signIn({ ...ANN, email: 'bob@acme.example' })).json.email).toBe('ann.ames@acme.example');
  expect((await accounts.user('bob@acme.example'))?.uid).toBe(bob);
  // Somebody else who has Ann's address now is not Ann.
  const other = await signIn({ ...ANN, sub: 'p-99', email: 'ann.ames@acme.example' });
  expect([other.status, other.json.error]).toEqual([400, 'invalid_grant']);
});

test('an account that was there is linked, and what opened it before opens it no more', async () => {
  const { accounts } = host.engine;
  const email = 'cay@acme.example';
  const passwordDigest = sha1('chosen by whoever made the account');
  const { uid } = await accounts.addUser({ email, firstName: 'C', lastName: 'D', passwordDigest, company: 'acme' });
  const { accessToken } = await accounts.grantPassword({ email, passwordDigest });
  const { key } = await accounts.keys.add({ user: uid, name: 'import' });
  const { json } = await signIn({ ...ANN, sub: 'p-2', email: 'Cay@acme.example' });
  expect(json.email).toBe('Cay@acme.example');
  expect((await accounts.user(email))?.uid).toBe(uid);
  for (const old of [accessToken, key]) expect((await withToken(old, 'GET', '/api/Status')).status).toBe(401);
  await expect(accounts.grantPassword({ email, passwordDigest })).rejects.toMatchObject({
    code: 'CREDENTIALS_INVALID',
  });
});

test.each([
  ['an address that is not verified', { email_verified: false }, /not verified/],
  ['no address', { email: undefined }, /no e-mail/],
  ['a company that is not here', { org: 'nowhere' }, /no company/],
  ['no company', { org: undefined }, /no company/],
  ['the address of an operator, who has a password', { email: 'operator@acme.example' }, /may not take over/],
  ['groups that the provider left out', { groups: undefined, _claim_names: { groups: 'src1' } }, /app roles/],
  ['the address of a user of another company', { email: 'eve@other.example' }, /may not take over/],
])('%s lets nobody in', async (_, claims, why) => {
  const { status, json } = await signIn({ ...ANN, sub: `p-${JSON.stringify(claims)}`, ...claims });
  expect([status, json.error, json.access_token]).toEqual([400, 'invalid_grant', undefined]);
  expect(json.error_description).toMatch(why);
});

test('another state, nonce, verifier or code, a second use, and a refusal of the provider get no token', async () => {
  const [kept, others] = [await comeBack(), await comeBack()];
  const refused = async (sent: Kept): Promise<void> => {
    const { status, json } = await send(sent);
    expect([status, json.error, json.access_token]).toEqual([400, 'invalid_grant', undefined]);
  };
  await refused({ ...kept, state: others.state });
  // Each attempt at the provider uses the code up, so each has one of its own.
  await refused({ ...(await comeBack()), nonce: others.nonce });
  await refused({ ...(await comeBack()), verifier: others.verifier });
  await refused({ ...kept, answer: kept.answer.replace(/code=[^&]+/, 'code=guessed') });
  expect((await send(others)).status).toBe(200);
  await refused(others);
  provider.signsIn = undefined;
  await refused(await comeBack());
  const { status } = await host.send('POST', '/api/OpenId', { form: { answer: 'code=x' } });
  expect(status).toBe(400);
  const lines = log.filter(({ method, path }) => method === 'POST' && path === '/api/OpenId');
  expect(lines.some(({ account }) => account === 'ann@acme.example')).toBe(true);
  expect(JSON.stringify(lines.map(({ query, path }) => [query, path]))).not.toMatch(/code=|verifier/);
  expect(String(lines.at(-2)?.error)).toContain('access_denied');
});

test('who has just signed in makes a key without a password; later, or with a password, not', async () => {
  const { access_token: token } = (await signIn(ANN)).json;
  const make = (as: object): Promise<Answer> => host.send('PUT', '/api/Keys', { form: { name: 'import' }, ...as });
  const made = await make({ headers: { Authorization: `Bearer ${token}` } });
  expect(made.status, made.text).toBe(200);
  expect((await withToken(made.json.key, 'GET', '/api/Status')).status).toBe(200);
  // A key, and the token of a user who has a password, do not stand for a sign-in by the provider.
  expect((await make({ headers: { Authorization: `Bearer ${made.json.key}` } })).status).toBe(403);
  expect((await make({ as: 'ada' })).json.errors).toHaveProperty('current');
  const ended = await withToken(token, 'PUT', '/api/SignIns', { form: {} });
  expect([ended.status, ended.json > 0]).toEqual([200, true]);
  clock += 601_000;
  expect((await make({ headers: { Authorization: `Bearer ${token}` } })).json.errors.current[0]).toMatch(
    /sign in again/,
  );
});

test('a sign-in is renewed for a time, and then the provider is asked again', async () => {
  const renew = (refreshToken: string): Promise<Answer> =>
    host.send('POST', '/api/Token', { form: { grant_type: 'refresh_token', refresh_token: refreshToken } });
  const { json } = await signIn(ANN);
  clock += 3_600_000;
  const next = await renew(json.refresh_token);
  expect(next.status).toBe(200);
  clock += 3_700_000;
  expect((await renew(next.json.refresh_token)).json.error).toBe('invalid_grant');
});

test('a host may let in those alone whom it knows or who are in a group', async () => {
  const closed = await openHost({
    openId: { ...CLIENT, issuer: provider.issuer, scope: 'openid email groups', newUsers: false, company: 'acme' },
  });
  expect((await signIn(ANN, closed)).json.error_description).toMatch(/none is made/);
  expect((await signIn({ ...ANN, email: 'bob@acme.example' }, closed)).json.scope).toBe('member');
  // The address of the user was removed: the provider's name for it opens nothing.
  await closed.engine.accounts.removeUser('bob@acme.example');
  expect((await signIn({ ...ANN, email: 'bob@acme.example' }, closed)).json.error_description).toMatch(/none is made/);
  await closed.close();
  const chosen = await openHost({
    openId: {
      ...CLIENT,
      issuer: provider.issuer,
      scope: 'openid email groups',
      others: 'nobody',
      company: 'acme',
      roles: { cad: 'member' },
    },
  });
  expect((await signIn(ANN, chosen)).json.error_description).toMatch(/no group/);
  expect((await signIn({ ...ANN, groups: 'cad' }, chosen)).json.scope).toBe('member');
  await chosen.close();
});

test('a provider that does not answer is 503, and asked again by the next', async () => {
  const gone = await openProvider([HOME]);
  await gone.close();
  const lost = await openHost({ openId: { ...OPTIONS, issuer: gone.issuer } });
  const { status, headers } = await lost.send('GET', '/api/OpenId');
  expect([status, headers.get('retry-after')]).toEqual([503, '10']);
  expect(
    (await lost.send('POST', '/api/OpenId', { form: { answer: 'code=x', state: 'x', nonce: 'x', verifier: 'x' } }))
      .status,
  ).toBe(503);
  await lost.close();
});

test.each<[string, object]>([
  ['http to another machine', { issuer: 'http://id.example' }],
  ['no address', { issuer: 'id.example' }],
  ['an unknown field', { issuer: 'https://id.example', clientID: 'x' }],
  ['an unknown role', { issuer: 'https://id.example', roles: { cad: 'root' } }],
  ['no openid in the scope', { issuer: 'https://id.example', scope: 'email' }],
  ['no client', { issuer: 'https://id.example', clientId: '' }],
])('%s is refused when the handler is made', async (_, wrong) => {
  const { createHandler } = await import('../../dist/http/index.js');
  expect(() => createHandler(host.engine, { openId: { clientId: 'x', ...wrong } as OpenIdOptions })).toThrow(/openId/);
});

test.each<[string, object]>([
  ['a company that everybody joins', { issuer: 'https://accounts.google.com', company: 'acme' }],
  ['groups that nobody needs', { issuer: 'https://accounts.google.com', company: 'acme', roles: { cad: 'admin' } }],
  ['addresses that anybody may claim', { issuer: 'https://login.microsoftonline.com/common/v2.0', trustEmail: true }],
])('%s is refused with a provider at which anybody has an account', async (_, wrong) => {
  const { createHandler } = await import('../../dist/http/index.js');
  const make = (more: object): unknown =>
    createHandler(host.engine, { openId: { clientId: 'x', ...wrong, ...more } as OpenIdOptions });
  expect(() => make({})).toThrow(/anybody may have an account/);
  expect(() => make({ issuer: 'https://id.example' })).not.toThrow();
  expect(() => make({ trustEmail: false, newUsers: false })).not.toThrow();
  expect(() => make({ trustEmail: false, company: undefined })).not.toThrow();
});

test('an admin whom the provider moves to another company is a member there', async () => {
  const plain = await openHost({ openId: { ...OPTIONS, roles: undefined, issuer: provider.issuer } });
  const mia = { ...ANN, sub: 'p-9', email: 'mia@acme.example' };
  const entry = { email: mia.email, firstName: 'Mia', lastName: 'May', passwordDigest: sha1('secret') };
  await plain.engine.accounts.addUser({ ...entry, company: 'acme', role: 'admin' });
  const scopes: unknown[] = [];
  for (const org of ['acme', 'acme', 'other', 'acme']) scopes.push((await signIn({ ...mia, org }, plain)).json.scope);
  expect(scopes).toEqual(['admin', 'admin', 'member', 'member']);
  await plain.close();
});
