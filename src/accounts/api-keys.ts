import { randomBytes, randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkInteger } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import { checkGuid, checkText } from './checks.js';
import type { AccountParts } from './parts.js';
import type { ApiKey } from './tables/api-keys.js';
import type { Principal } from './tables/tokens.js';
import { hashOf, type UserAccounts } from './user-accounts.js';

/** What a new key is. */
export interface NewApiKey {
  /** GUID of the user. */
  readonly user: string;
  /** What it is for, 1 to 100 characters. */
  readonly name: string;
  /** Days until it ends, 1 to 1 100; absent: it does not end. */
  readonly days?: number;
  /**
   * SHA-1 of the user's password, 20 bytes: whoever holds a token alone must not make a key that outlives it. Absent
   * where an administrator makes the key.
   */
  readonly current?: Uint8Array;
  /** Instead of it, for a user of an identity provider: the sign-in (`tokenId`), begun within the last 10 minutes. */
  readonly signIn?: string;
  /** Network address of the sender. */
  readonly source?: string;
}

/** Begins every key, so that people and scanners of repositories know it for what it is. */
const KEY_PREFIX = 'sdx_';
const KEY_BYTES = 32;
const KEY_FORM = /^sdx_[\w-]{43}$/;
const NAME_LIMIT = 100;
const MOST_DAYS = 1_100;
/** Most keys of a user. */
const MOST_KEYS = 50;
const DAY_MS = 86_400_000;
/** A use is noted again after this time: each note is a write. */
const NOTE_MS = 3_600_000;

/**
 * Keys that programs of a user send instead of a token: `engine.accounts.keys`. A key does what its user may do,
 * until it ends, is withdrawn, or the user is removed; a new password does not end it. It is stored as a hash.
 */
export class UserKeys {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;

  /** @internal */
  constructor(parts: AccountParts, users: UserAccounts) {
    this.#parts = parts;
    this.#users = users;
  }

  /**
   * Makes a key. `key` is told once.
   * @throws EngineError `ACCOUNT_UNKNOWN`, `CREDENTIALS_INVALID` (`details.what` 'current'), `RATE_LIMITED`,
   * `LIMIT_EXCEEDED` above 50 keys; TypeError or RangeError.
   */
  async add({ user, name, days, current, signIn, source }: NewApiKey): Promise<ApiKey & { readonly key: string }> {
    const label = checkText('key name', name, { least: 1, most: NAME_LIMIT }).trim();
    if (label === '') throw new RangeError('key name must have a character that is no space');
    if (days !== undefined) checkInteger('key days', days, 1, MOST_DAYS);
    const userId =
      current !== undefined
        ? (await this.#users.verifyOwn(user, current, source)).id
        : signIn !== undefined
          ? (await this.#users.verifyRecent(user, signIn)).id
          : await this.#users.idOf(checkGuid('user', user));
    const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
    const addedAt = this.#parts.options.now();
    const expiresAt = days === undefined ? null : addedAt + days * DAY_MS;
    const row = { id: randomUUID(), name: label, hash: hashOf(key), addedAt, expiresAt };
    const added = await this.#parts.write(({ keys }) => keys.add(userId, row, MOST_KEYS));
    if (added === 'full')
      throw new EngineError('LIMIT_EXCEEDED', `the user has ${MOST_KEYS} keys, as many as are allowed: withdraw one`, {
        details: { limit: 'keys', allowed: MOST_KEYS, found: MOST_KEYS + 1 },
      });
    return { ...added, key };
  }

  /**
   * The keys of a user (a GUID), of all users of a company, or all of them, newest first.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async list({ user, company }: { readonly user?: string; readonly company?: string } = {}): Promise<ApiKey[]> {
    const userId = user === undefined ? undefined : await this.#users.idOf(checkGuid('user', user));
    const label = company === undefined ? undefined : checkCompanyName(company);
    return this.#parts.records.keys.list({ userId, company: label });
  }

  /**
   * Withdraws a key: of this user (a GUID), or of anybody. False: there is none of this id.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async remove(id: string, { user }: { readonly user?: string } = {}): Promise<boolean> {
    const known = checkGuid('key id', id);
    const userId = user === undefined ? undefined : await this.#users.idOf(checkGuid('user', user));
    return this.#parts.write(({ keys }) => keys.remove(known, userId));
  }

  /** Whose key this is; undefined for what is no key, or none that is good. @internal */
  async principalOf(text: unknown): Promise<Principal | undefined> {
    if (typeof text !== 'string' || !KEY_FORM.test(text)) return undefined;
    const now = this.#parts.options.now();
    const owner = await this.#parts.records.keys.owner(hashOf(text), now);
    if (owner === undefined) return undefined;
    if (owner.usedAt === null || owner.usedAt < now - NOTE_MS)
      await this.#parts.write(({ keys }) => keys.noteUse(owner.id, now));
    return owner.principal;
  }
}
