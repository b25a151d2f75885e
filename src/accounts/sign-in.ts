import { randomBytes, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.js';
import type { Principal } from './tables/tokens.js';
import type { ClientRow } from './tables/users.js';
import type { Attempts } from './attempts.js';
import { commit, type AccountParts } from './parts.js';
import { hashOf, type UserAccounts } from './user-accounts.js';

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

  async password({
    email,
    passwordDigest,
    clientId,
    source,
  }: {
    email: string;
    passwordDigest: Uint8Array;
    clientId?: string;
    source?: string;
  }): Promise<TokenGrant> {
    this.#parts.lifetime.checkOpen();
    if (!this.#parts.options.passwordGrant)
      throw new EngineError('NOT_ALLOWED', 'tokens for passwords are switched off (accounts.passwordGrant)');
    const client = clientId === undefined ? undefined : this.#client(clientId);
    const verified = await this.#users.verify(email, passwordDigest, source);
    if (verified === undefined) throw wrong('user', 'no user with this address and password');
    if (
      client?.companyName !== undefined &&
      client.companyName !== null &&
      client.companyName !== verified.companyName
    ) {
      throw wrong('client', "the client is not one of the user's company");
    }
    const grant = await commit(this.#parts, () => {
      const user = this.#records.users.byUid(verified.uid);
      if (user === undefined) return undefined; // The user was removed in the meantime.
      const { now } = this.#parts.options;
      const familyId = this.#records.tokens.start({ userId: user.id, clientId: client?.id ?? null, now: now() });
      return this.#issue(familyId, { scope: user.role, refresh: true });
    });
    if (grant === undefined) throw wrong('user', 'no user with this address and password');
    return grant;
  }

  async refresh({ refreshToken, clientId }: { refreshToken: string; clientId?: string }): Promise<TokenGrant> {
    const hash = this.#hash(refreshToken);
    // The failure is returned, not thrown: an exception would roll back the revocation of the family.
    const grant =
      hash &&
      (await commit(this.#parts, () => {
        const token = this.#records.tokens.find(hash);
        if (token === undefined || token.kind !== 'refresh' || token.expiresAt <= this.#parts.options.now())
          return undefined;
        if (token.spent === 1) {
          this.#records.tokens.removeFamily(token.familyId);
          return undefined;
        }
        if (clientId !== undefined && clientId !== token.clientId) return undefined;
        this.#records.tokens.spend(hash);
        return this.#issue(token.familyId, { refresh: true });
      }));
    if (grant === undefined) throw wrong('token', 'the refresh token is unknown, used or expired');
    return grant;
  }

  async client({
    clientId,
    clientSecret,
    source,
  }: {
    clientId: string;
    clientSecret: string;
    source?: string;
  }): Promise<TokenGrant> {
    this.#parts.lifetime.checkOpen();
    const { loginFailures, loginFailuresPerSource } = this.#parts.options;
    const secretHash = this.#hash(clientSecret) ?? NO_SECRET;
    const succeed = this.#attempts.begin([
      { key: `client ${Buffer.from(hashOf(String(clientId))).toString('hex')}`, failures: loginFailures },
      ...(source === undefined ? [] : [{ key: `source ${source}`, failures: loginFailuresPerSource }]),
    ]);
    const known = this.#records.users.client(String(clientId));
    if (!timingSafeEqual(secretHash, known?.secretHash ?? NO_SECRET) || known === undefined)
      throw wrong('client', 'no client with this id and secret');
    succeed();
    const grant = await commit(this.#parts, () => {
      // The client was removed in the meantime.
      if (this.#records.users.client(known.id) === undefined) return undefined;
      const familyId = this.#records.tokens.start({ userId: null, clientId: known.id, now: this.#parts.options.now() });
      return this.#issue(familyId, { scope: 'app', refresh: false });
    });
    if (grant === undefined) throw wrong('client', 'no client with this id and secret');
    return grant;
  }

  principalOf(accessToken: string): Principal | undefined {
    const hash = this.#hash(accessToken);
    return hash && this.#records.tokens.principal(hash, this.#parts.options.now());
  }

  async revoke(token: string): Promise<boolean> {
    const hash = this.#hash(token);
    return (
      hash !== undefined &&
      commit(this.#parts, () => {
        const known = this.#records.tokens.find(hash);
        if (known !== undefined) this.#records.tokens.removeFamily(known.familyId);
        return known !== undefined;
      })
    );
  }

  /** Call inside a commit. */
  #issue(familyId: number, { scope, refresh }: { scope?: string; refresh: boolean }): TokenGrant {
    const { accessTokenS, refreshTokenS, now } = this.#parts.options;
    const time = now();
    const accessToken = this.#add(familyId, 'access', time + accessTokenS * 1_000);
    const refreshToken = refresh ? this.#add(familyId, 'refresh', time + refreshTokenS * 1_000) : undefined;
    this.#records.tokens.sweep(time);
    return {
      accessToken,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      expiresInS: accessTokenS,
      scope: scope ?? this.#records.tokens.principal(hashOf(accessToken), time)?.role ?? 'member',
    };
  }

  #add(familyId: number, kind: 'access' | 'refresh', expiresAt: number): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#records.tokens.add(familyId, kind, hashOf(token), expiresAt);
    return token;
  }

  #client(id: string): ClientRow {
    const client = this.#records.users.client(String(id));
    if (client === undefined) throw wrong('client', 'no client with this id');
    return client;
  }

  /** Undefined for a text that cannot be a token. */
  #hash(token: unknown): Uint8Array | undefined {
    this.#parts.lifetime.checkOpen();
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    return token.length > TOKEN_CHARACTERS_LIMIT ? undefined : hashOf(token);
  }

  get #records() {
    return this.#parts.store.rooms.accounts;
  }
}

function wrong(what: Wrong, message: string): EngineError {
  return new EngineError('CREDENTIALS_INVALID', message, { details: { what } });
}
