import type { createRemoteJWKSet, JWTPayload } from 'jose';
import { loadOptional } from '../../optional-package.js';

/** Whom a provider has signed out, and when. */
export interface LoggedOut {
  readonly issuer: string;
  readonly subject: string;
  readonly at: Date;
}

/** The keys of a provider, fetched when they are needed and remembered. */
export type LogoutKeys = ReturnType<typeof createRemoteJWKSet>;

/** A token that signs nobody out, in words for the log. */
export class BadLogout extends Error {}

/** What a logout token must say. */
interface LogoutExpected {
  readonly issuer: string;
  readonly audience: string;
  /** True: its `typ` may be `JWT` or missing. */
  readonly allowUntyped: boolean;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric ones alone: the provider's keys are public. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Oldest token, and how far the clocks of both may be apart, s. */
const MOST_AGE_S = 600;
const APART_S = 60;
const MOST_CHARACTERS = 32_768;

const load = () => loadOptional('jose', 'signing out by OpenID Connect', () => import('jose'));

/** @throws EngineError `PACKAGE_MISSING` */
export async function logoutKeys(uri: string, timeoutMs: number): Promise<LogoutKeys> {
  const { createRemoteJWKSet } = await load();
  return createRemoteJWKSet(new URL(uri), { timeoutDuration: timeoutMs });
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). A token without `sub`, which ends one
 * session by `sid`, is refused: sessions of the provider are not told apart here. One that is sent twice ends nothing
 * that began after it.
 * @throws BadLogout; other errors where the keys cannot be had.
 */
export async function checkLogout(
  token: string,
  keys: LogoutKeys,
  { allowUntyped, ...expected }: LogoutExpected,
): Promise<LoggedOut> {
  if (token.length > MOST_CHARACTERS) throw new BadLogout('the token is too long');
  const { jwtVerify, errors } = await load();
  let payload: JWTPayload;
  try {
    const verified = await jwtVerify(token, keys, {
      ...expected,
      algorithms: ALGORITHMS,
      maxTokenAge: MOST_AGE_S,
      clockTolerance: APART_S,
      requiredClaims: ['iat', 'jti', 'events', 'sub'],
    });
    const { typ } = verified.protectedHeader;
    if (!(allowUntyped ? /^((application\/)?(logout\+jwt|JWT))?$/i : /^(application\/)?logout\+jwt$/i).test(typ ?? ''))
      throw new BadLogout(`its typ is ${typ ?? 'missing'}, not logout+jwt (openId.untypedLogout takes such ones)`);
    payload = verified.payload;
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError) || cause instanceof errors.JWKSTimeout) throw cause;
    // `JOSEError` itself: the answer was no 200, or no JSON.
    if (cause.code === 'ERR_JOSE_GENERIC') throw cause;
    throw new BadLogout(`${cause.code}: ${cause.message}`, { cause });
  }
  const { events, sub, iat, nonce } = payload;
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT))
    throw new BadLogout('it is no logout token');
  if (nonce !== undefined) throw new BadLogout('it has a nonce, as ID tokens have');
  return { issuer: expected.issuer, subject: sub!, at: new Date((iat! + APART_S) * 1_000) };
}
