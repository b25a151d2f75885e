import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHost, type Answer, type Host } from '../host.js';

// Logout tokens that a provider never meant as such, sent by anybody: POST OpenIdLogout needs no token.

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let provider: Server;
let issuer: string;
let host: Host;
const keys = await generateKeyPair('RS256');
const others = await generateKeyPair('RS256');
let asked = 0;

beforeAll(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  provider = createServer((request, response) => {
    asked++;
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    const value = request.url === '/jwks' ? { keys: [jwk] } : metadata;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  host = await openHost({ openId: { issuer, clientId: 'cad' } });
});
afterAll(async () => {
  await host.close();
  provider.closeAllConnections();
  provider.close();
});

/** Signs in at the provider; tells whether that sign-in still works. */
async function signedIn(): Promise<() => Promise<boolean>> {
  const person = { issuer, subject: 'p-1', email: 'ann@acme.example', company: 'acme' };
  const { accessToken } = await host.engine.accounts.grantProven(person);
  return async () =>
    (await host.send('GET', '/api/Status', { headers: { Authorization: `Bearer ${accessToken}` } })).status === 200;
}

interface Made {
  readonly claims?: JWTPayload;
  readonly head?: object;
  readonly key?: Parameters<SignJWT['sign']>[0];
}

/** A right logout token, but for what is given; undefined takes a claim or a field of the head away. */
function tokenOf({ claims, head, key = keys.privateKey }: Made = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const all = { iss: issuer, aud: 'cad', sub: 'p-1', iat: now, exp: now + 120, jti: 'j', events: EVENTS, ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(all)) as JWTPayload)
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg: 'RS256', kid: 'k', typ: 'logout+jwt', ...head })))
    .sign(key);
}

const logOut = (token: string, to = host): Promise<Answer> =>
  to.send('POST', '/api/OpenIdLogout', { form: { logout_token: token } });

test('an ID token ends nothing, whatever it says of itself, nor does one of another issuer, audience or key', async () => {
  const works = await signedIn();
  const publicText = new TextEncoder().encode(await exportSPKI(keys.publicKey));
  const own = await exportJWK(others.publicKey);
  const wrong: readonly Made[] = [
    { claims: { events: undefined, nonce: 'n' }, head: { typ: 'JWT' } },
    { claims: { nonce: 'n' } },
    { head: { typ: 'JWT' } },
    { head: { typ: undefined } },
    { head: { typ: 'at+jwt' } },
    { claims: { events: undefined } },
    { claims: { events: ['http://schemas.openid.net/event/backchannel-logout'] } },
    { claims: { events: { 'http://schemas.openid.net/event/other': {} } } },
    { claims: { iss: 'https://evil.example' } },
    { claims: { aud: 'another' } },
    { claims: { aud: undefined } },
    { claims: { sub: undefined, sid: 's' } },
    { claims: { jti: undefined } },
    { key: others.privateKey },
    { key: others.privateKey, head: { jwk: own } },
    { key: others.privateKey, head: { jku: `${issuer}/evil` } },
    { key: others.privateKey, head: { kid: 'other' } },
    // The public key as the secret of a symmetric algorithm.
    { key: publicText, head: { alg: 'HS256' } },
  ];
  for (const made of wrong) {
    const { status, json } = await logOut(await tokenOf(made));
    expect([status, json, await works()], JSON.stringify(made.head ?? made.claims)).toEqual([
      400,
      { error: 'invalid_request', error_description: 'the logout token is not valid' },
      true,
    ]);
  }
  const before = asked;
  for (let i = 0; i < 20; i++)
    expect((await logOut(await tokenOf({ key: others.privateKey, head: { kid: `made up ${i}` } }))).status).toBe(400);
  // Keys that nobody has are not asked for again each time.
  expect(asked - before).toBeLessThanOrEqual(1);
  expect((await logOut(await tokenOf())).json).toBe(true);
  expect(await works()).toBe(false);
});

test('one that is old, of tomorrow or over ends nothing', async () => {
  const works = await signedIn();
  const now = Math.floor(Date.now() / 1_000);
  for (const claims of [
    { iat: now - 700, exp: now + 120 },
    { iat: now + 700, exp: now + 900 },
    { exp: now - 120 },
    { nbf: now + 700 },
    { iat: undefined },
  ])
    expect([(await logOut(await tokenOf({ claims }))).status, await works()], JSON.stringify(claims)).toEqual([
      400,
      true,
    ]);
});

test('of a provider that names no type, tokens count where the host says so, and ID tokens do not', async () => {
  const older = await openHost({ openId: { issuer, clientId: 'cad', untypedLogout: true } });
  for (const [made, status] of [
    [{ head: { typ: 'JWT' } }, 200],
    [{ head: { typ: undefined } }, 200],
    [{ head: { typ: 'at+jwt' } }, 400],
    [{ head: { typ: 'JWT' }, claims: { nonce: 'n' } }, 400],
    [{ head: { typ: 'JWT' }, claims: { events: undefined } }, 400],
  ] as const)
    expect((await logOut(await tokenOf(made), older)).status, JSON.stringify(made)).toBe(status);
  await older.close();
});
