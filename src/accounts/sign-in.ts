import { randomBytes, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.js';
import type { NewToken, Principal } from './tables/tokens.js';
import type { Attempts } from './attempts.js';
import type { AccountParts } from './parts.js';
import { networkOf } from './network.js';
import { hashOf, type UserAccounts } from './user-accounts.js';

/** A user's password as a sign-in sends it. */
export interface PasswordGrant {
  readonly email: string;
  readonly passwordDigest: Uint8Array;
  /** The program that asks; it must belong to the user's company or to all. */
  readonly clientId?: string;
  /** Network address of the sender. */
  readonly source?: string;
  /** Gives the sign-in up while it waits for its turn. */
  readonly signal?: AbortSignal;
}

/** A client's secret as a sign-in sends it. */
export interface ClientGrant {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Network address of the sender. */
  readonly source?: string;
}

/** Which sign-ins a user ends. */
export interface SignInsEnd {
  /** GUID of the user. */
  readonly user: string;
  /** SHA-1 of the user's password, 20 bytes. */
  readonly current?: Uint8Array;
  /** Instead of it, for a user of an identity provider: the sign-in (`tokenId`), begun within the last 10 minutes. */
  readonly signIn?: string;
  /** Ends this one alone. */
  readonly only?: string;
  /** Ends all but this one. */
  readonly except?: string;
  /** Network address of the sender. */
  readonly source?: string;
}

/** The tokens of a sign-in. */
export interface TokenGrant {
  /** 256 random bits, base64url. */
  readonly accessToken: string;
  /** Can be used once. Absent for apps. */
  readonly refreshToken?: string;
  readonly expiresInS: number;
  /** The user's role, or 'app'. */
  readonly scope: string;
}

/** Which of the credentials is wrong. */
type Wrong = 'user' | 'client' | 'token';

const TOKEN_BYTES = 32;
/** Longest text that can be a token; longer ones are rejected without a look-up. */
const TOKEN_CHARACTERS_LIMIT = 1_000;
const NO_SECRET = new Uint8Array(32);

/**
 * Issues tokens for passwords, client secrets and refresh tokens. All tokens that originate from one sign-in form a
 * family. A refresh token that is used twice was stolen from one of its two senders, so its whole family is revoked
 * (RFC 9700, section 4.14.2).
 * @internal
 */
export class SignIn {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #attempts: Attempts;

  constructor(parts: AccountParts, { users, attempts }: { users: UserAccounts; attempts: Attempts }) {
    this.#parts = parts;
    this.#users = users;
    this.#attempts = attempts;
  }

  async password({ email, passwordDigest, clientId, source, signal }: PasswordGrant): Promise<TokenGrant> {
    const { records, options } = this.#parts;
    if (!options.passwordGrant)
      throw new EngineError('NOT_ALLOWED', 'tokens for passwords are switched off (accounts.passwordGrant)');
    const client = clientId === undefined ? undefined : await records.users.client(String(clientId));
    if (clientId !== undefined && client === undefined) throw wrong('client', 'no client with this id');
    const verified = await this.#users.verify(email, passwordDigest, { source, signal });
    if (verified === undefined) throw wrong('user', 'no user with this address and password');
    if (verified.waiting === 1)
      throw new EngineError('NOT_ALLOWED', 'the account waits for an admin of the company to let it in', {
        details: { what: 'waiting' },
      });
    if (client !== undefined && client.companyName !== null && client.companyName !== verified.companyName)
      throw wrong('client', "the client is not one of the user's company");
    const { tokens, now, grant } = this.#make({ refresh: true });
    const scope = await this.#parts.write((into) =>
      into.tokens.startForUser(verified.uid, client?.id ?? null, tokens, now),
    );
    // Undefined: the user was removed in the meantime.
    if (scope === undefined) throw wrong('user', 'no user with this address and password');
    return { ...grant, scope };
  }

  async refresh({ refreshToken, clientId }: { refreshToken: string; clientId?: string }): Promise<TokenGrant> {
    const hash = this.#hash(refreshToken);
    const { tokens, now, grant } = this.#make({ refresh: true });
    const { signInS, provenSignInS } = this.#parts.options;
    const begun = { since: now - 1_000 * signInS, provenSince: now - 1_000 * provenSignInS };
    const scope =
      hash && (await this.#parts.write((into) => into.tokens.renew(hash, clientId, tokens, { now, ...begun })));
    if (scope === undefined) throw wrong('token', 'the refresh token is unknown, used or expired');
    return { ...grant, scope };
  }

  /** Tokens for a user of this GUID, whom somebody else has identified. */
  async identified(uid: string): Promise<TokenGrant> {
    const { tokens, now, grant } = this.#make({ refresh: true });
    const scope = await this.#parts.write((into) => into.tokens.startForUser(uid, null, tokens, now));
    // Undefined: the user was removed in the meantime.
    if (scope === undefined) throw wrong('user', 'the user is gone');
    return { ...grant, scope };
  }

  async client({ clientId, clientSecret, source }: ClientGrant): Promise<TokenGrant> {
    const { records, options } = this.#parts;
    const secretHash = this.#hash(clientSecret) ?? NO_SECRET;
    const network = networkOf(source);
    // By the network that guesses, never by the client alone: its secret cannot be guessed, but it could be locked out.
    const attempt = await this.#attempts.begin([
      { key: `client ${hashOf(String(clientId)).toString('hex')} ${network ?? ''}`, failures: options.loginFailures },
      ...(network === undefined ? [] : [{ key: `source ${network}`, failures: options.loginFailuresPerSource }]),
    ]);
    const known = await records.users.client(String(clientId)).catch(async (cause: unknown) => {
      await attempt.cancel();
      throw cause;
    });
    if (!timingSafeEqual(secretHash, known?.secretHash ?? NO_SECRET) || known === undefined) {
      await attempt.fail();
      throw wrong('client', 'no client with this id and secret');
    }
    await attempt.succeed();
    const { tokens, now, grant } = this.#make({ refresh: false });
    // False: the client was removed in the meantime.
    if (!(await this.#parts.write((into) => into.tokens.startForClient(known.id, tokens, now))))
      throw wrong('client', 'no client with this id and secret');
    return { ...grant, scope: 'app' };
  }

  async principalOf(accessToken: string): Promise<Principal | undefined> {
    const hash = this.#hash(accessToken);
    return hash && this.#parts.records.tokens.principal(hash, this.#parts.options.now());
  }

  async end({ user, current, signIn, only, except, source }: SignInsEnd): Promise<number> {
    if (current !== undefined) await this.#users.verifyOwn(user, current, source);
    else await this.#users.verifyRecent(user, signIn ?? '');
    return this.#parts.write(({ tokens }) => tokens.endSignIns(user, { only, except }));
  }

  async revoke(token: string): Promise<boolean> {
    const hash = this.#hash(token);
    return hash !== undefined && this.#parts.write(({ tokens }) => tokens.revoke(hash));
  }

  /** New tokens: their hashes for the tables, and what the caller gets. */
  #make({ refresh }: { readonly refresh: boolean }) {
    const { accessTokenS, refreshTokenS, now: time } = this.#parts.options;
    const now = time();
    const tokens: NewToken[] = [];
    const make = (kind: NewToken['kind'], lifeS: number): string => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      tokens.push({ hash: hashOf(token), kind, expiresAt: now + lifeS * 1_000 });
      return token;
    };
    const grant: Omit<TokenGrant, 'scope'> = {
      accessToken: make('access', accessTokenS),
      ...(refresh ? { refreshToken: make('refresh', refreshTokenS) } : {}),
      expiresInS: accessTokenS,
    };
    return { tokens, now, grant };
  }

  /** Undefined for a text that cannot be a token. */
  #hash(token: unknown): Uint8Array | undefined {
    this.#parts.lifetime.checkOpen();
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    return token.length > TOKEN_CHARACTERS_LIMIT ? undefined : hashOf(token);
  }
}

function wrong(what: Wrong, message: string): EngineError {
  return new EngineError('CREDENTIALS_INVALID', message, { details: { what } });
}
