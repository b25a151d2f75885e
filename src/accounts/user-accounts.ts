import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { withDefaults, type Defaults } from '../options.js';
import type { CompanyRow } from './tables/companies.js';
import { dated } from './tables/sql.js';
import type { Client, ClientRow, Role, UserEntry, UserProfile, UserRow } from './tables/users.js';
import type { AttemptLimit, Attempts } from './attempts.js';
import { networkOf } from './network.js';
import { checkBytes, checkEmail, checkGuid, checkText } from './checks.js';
import { accountExists, unknownAccount, type AccountParts } from './parts.js';
import { checkNewPassword, wrongCurrent, type PasswordChange } from './password-change.js';
import { DIGEST_BYTES, type Passwords } from './passwords.js';
import type { Turns } from './turns.js';

/** A new user. */
export interface NewUser {
  /** At most 254 characters; unique in the library, without regard to case. */
  readonly email: string;
  /** At most 100 characters; the same limit holds for the last name. */
  readonly firstName: string;
  readonly lastName: string;
  /** SHA-1 of the password, 20 bytes. */
  readonly passwordDigest: Uint8Array;
  /** Name of the company. Absent: the company that the address's domain is mapped to, if any. */
  readonly company?: string;
  /** Default 'member'. */
  readonly role?: Role;
  /**
   * Whether a program made the password: it is then good for `accounts.initialPasswordS`, in which the user changes it.
   * Default false.
   */
  readonly isInitialPassword?: boolean;
}

/** A new client program. */
export interface NewClient {
  /** Name of the company whose users it may sign in. Absent: all companies. */
  readonly company?: string;
  /** Display name, at most 200 characters. Default ''. */
  readonly name?: string;
  /** 1 to 200 printable ASCII characters. Absent: a new GUID. */
  readonly id?: string;
}

const CLIENT_DEFAULTS = Object.freeze({ company: undefined, name: '', id: undefined } satisfies Defaults<NewClient>);
/** @internal */
export const ROLES: readonly Role[] = ['member', 'admin', 'operator'];
/** Longest first or last name, characters. @internal */
export const NAME_LIMIT = 100;
const SECRET_BYTES = 32;
/** Users of an identity provider do what needs the password once more within this time of signing in, ms. */
const RECENT_MS = 600_000;
/** A source where a user has signed in is noted again after this time, ms: not at every sign-in. */
const KNOWN_AGAIN_MS = 86_400_000;

/**
 * What {@link UserAccounts} works with. `sourceKey`: keys the hashes of where users have signed in, so that the
 * catalogue alone does not tell their addresses.
 * @internal
 */
export interface UserParts {
  readonly passwords: Passwords;
  readonly turns: Turns;
  readonly attempts: Attempts;
  readonly sourceKey: Uint8Array;
}

/**
 * Stores users and clients and checks their passwords and secrets.
 * @internal
 */
export class UserAccounts {
  readonly #parts: AccountParts;
  readonly #services: UserParts;

  constructor(parts: AccountParts, services: UserParts) {
    this.#parts = parts;
    this.#services = services;
  }

  async add(user: NewUser): Promise<UserProfile> {
    const { email, emailKey } = this.checked(user);
    const company = await (user.company === undefined
      ? this.companyOfEmail(emailKey)
      : this.#parts.company(user.company));
    const initialUntil = this.#initialUntil(user.isInitialPassword);
    const entry = { ...(await this.entryOf(user, company, undefined)), initialUntil };
    const row = await this.#parts.write(({ users }) => users.add(entry));
    if (row === undefined) throw accountExists('user', email, { email });
    return profileOf(row);
  }

  /**
   * The checked fields of a new user.
   * @throws TypeError or RangeError that names the wrong one.
   */
  checked(user: NewUser) {
    this.#parts.lifetime.checkOpen();
    const emailKey = checkEmail('user.email', user.email);
    const email = user.email.normalize('NFC').trim();
    const firstName = checkText('user.firstName', user.firstName, { most: NAME_LIMIT });
    const lastName = checkText('user.lastName', user.lastName, { most: NAME_LIMIT });
    const digest = checkDigest(user.passwordDigest);
    const role = user.role ?? 'member';
    if (!ROLES.includes(role))
      throw new RangeError(`user.role must be one of ${ROLES.join(', ')}, received ${String(role)}`);
    return { email, emailKey, firstName, lastName, role, digest };
  }

  /** A user to be entered, with the password in its stored form; see {@link Turns.run} for `network`. */
  async entryOf(user: NewUser, company: CompanyRow | undefined, network: string | undefined): Promise<UserEntry> {
    const { digest, ...fields } = this.checked(user);
    const kept = await this.#keep(digest, network);
    return { ...fields, companyId: company?.id ?? null, ...kept, now: this.#parts.options.now() };
  }

  async find(email: string): Promise<UserProfile | undefined> {
    const row = await this.#parts.records.users.byEmail(checkEmail('email', email));
    return row && profileOf(row);
  }

  async ofCompany(company: string): Promise<UserProfile[]> {
    const { id } = await this.#parts.company(company);
    return (await this.#parts.records.users.ofCompany(id)).map(profileOf);
  }

  /** The number of a user in the tables. */
  async idOf(userUid: string): Promise<number> {
    const row = await this.#parts.records.users.byUid(checkGuid('userUid', userUid));
    if (row === undefined) throw unknownAccount('user', userUid, { uid: userUid });
    return row.id;
  }

  async setPassword(
    email: string,
    passwordDigest: Uint8Array,
    { isInitial }: { readonly isInitial?: boolean },
  ): Promise<void> {
    this.#parts.lifetime.checkOpen();
    const key = checkEmail('email', email);
    const kept = await this.#keep(checkDigest(passwordDigest), undefined);
    const until = this.#initialUntil(isInitial);
    if (!(await this.#parts.write(({ users }) => users.setPassword(key, kept, until))))
      throw unknownAccount('user', email, { email });
  }

  async changePassword({ user, current, next, token, source }: PasswordChange): Promise<void> {
    const digest = checkDigest(next);
    // First, so that only who knows the current password is told that the next one is refused.
    const row = await this.verifyOwn(user, current, source);
    checkNewPassword(digest, row, current);
    const network = networkOf(source);
    const kept = await this.#keep(digest, network);
    const stays = {
      token: token === undefined ? undefined : hashOf(token),
      source: this.#sourceOf(emailKeyOf(row.email), network),
    };
    if (!(await this.#parts.write(({ users }) => users.changePassword(row, kept, stays)))) throw wrongCurrent();
  }

  /**
   * The user of this GUID, who says the password once more.
   * @throws EngineError `ACCOUNT_UNKNOWN`, `CREDENTIALS_INVALID`, and those of {@link verify}.
   */
  async verifyOwn(user: string, current: Uint8Array, source: string | undefined): Promise<UserRow> {
    const owner = await this.#parts.records.users.byUid(checkGuid('user', user));
    if (owner === undefined) throw unknownAccount('user', user, { uid: user });
    const row = await this.verify(owner.email, current, { source });
    if (row === undefined || row.id !== owner.id || row.waiting === 1) throw wrongCurrent();
    return row;
  }

  /**
   * The user of this GUID, who has just signed in by an identity provider and so has no password to say once more.
   * @throws EngineError `ACCOUNT_UNKNOWN`; `CREDENTIALS_INVALID` for a sign-in that is older than
   * {@link RECENT_MS}, or of a user who has a password.
   */
  async verifyRecent(user: string, signIn: string): Promise<UserRow> {
    const { records, options } = this.#parts;
    const row = await records.users.byUid(checkGuid('user', user));
    if (row === undefined) throw unknownAccount('user', user, { uid: user });
    const begun = await records.tokens.startedAt(row.uid, signIn);
    const isRecent = begun !== undefined && options.now() - begun <= RECENT_MS;
    if (!isRecent || !(await records.identities.has(row.uid)))
      throw new EngineError('CREDENTIALS_INVALID', 'the sign-in is not a new one: sign in again, then try this again', {
        details: { what: 'current' },
      });
    return row;
  }

  /** All users, those of all companies and of none, sorted by address. */
  async all(): Promise<UserProfile[]> {
    return (await this.#parts.records.users.all()).map(profileOf);
  }

  /** The user, if this is the password. An invalid address is treated like an unknown one. */
  async verify(
    email: string,
    passwordDigest: Uint8Array,
    { source, signal }: { readonly source?: string; readonly signal?: AbortSignal },
  ): Promise<UserRow | undefined> {
    const { records, options } = this.#parts;
    const { passwords, turns, attempts } = this.#services;
    const digest = checkDigest(passwordDigest);
    const key = emailKeyOf(email);
    const network = networkOf(source);
    const known = this.#sourceOf(key, network);
    const knownAt = await records.users.knownSince(known);
    const limits = this.#limits(key, network, knownAt !== undefined);
    // Who is locked out takes nobody's turn.
    await attempts.check(limits);
    return attempts.inTurn({ turns, network, limits, signal }, async (attempt) => {
      let row: UserRow | undefined;
      try {
        const found = await records.users.byEmail(key);
        if (await passwords.matches(digest, found)) row = found;
      } catch (cause) {
        await attempt.cancel();
        throw cause;
      }
      if (row === undefined) {
        await attempt.fail();
        return undefined;
      }
      await attempt.succeed();
      const { id, uid, waiting } = row;
      const until = await records.users.initialUntil(uid);
      if (until !== undefined && until <= options.now()) throw overdue();
      if (passwords.isOutdated(row)) {
        const kept = await passwords.keep(digest);
        await this.#parts.write(({ users }) => users.setVerifier(id, kept));
        row = { ...row, ...kept };
      }
      const now = options.now();
      if (waiting === 0 && (knownAt === undefined || now - knownAt > KNOWN_AGAIN_MS))
        await this.#parts.write(({ users }) => users.know(id, known, { most: options.knownSources, now }));
      return row;
    });
  }

  /**
   * What an attempt counts for. The lockout hits the source that guesses; a name is delayed, never locked, for sources
   * new to it; a source where the name has signed in before has to do with its own failures alone.
   */
  #limits(emailKey: string, network: string | undefined, isKnown: boolean): AttemptLimit[] {
    const { loginFailures, loginFailuresPerSource, loginFailuresPerName, loginDelayS } = this.#parts.options;
    const name = hashOf(emailKey).toString('hex');
    const here = { key: `user ${name} ${network ?? ''}`, failures: loginFailures };
    if (isKnown) return [{ ...here, delayS: loginDelayS }];
    return [
      here,
      { key: `user ${name}`, failures: loginFailuresPerName, delayS: loginDelayS },
      ...(network === undefined ? [] : [{ key: `source ${network}`, failures: loginFailuresPerSource }]),
    ];
  }

  #initialUntil(isInitial: boolean | undefined): number | undefined {
    const { now, initialPasswordS } = this.#parts.options;
    return isInitial === true ? now() + 1_000 * initialPasswordS : undefined;
  }

  #sourceOf(emailKey: string, network: string | undefined): Uint8Array {
    return createHmac('sha256', this.#services.sourceKey)
      .update(`${emailKey}\n${network ?? ''}`)
      .digest();
  }

  #keep(digest: Uint8Array, network: string | undefined): ReturnType<Passwords['keep']> {
    const { turns, passwords } = this.#services;
    return turns.run(network, () => passwords.keep(digest));
  }

  /** The company that a new user with this address joins. */
  async companyOfEmail(email: string): Promise<CompanyRow | undefined> {
    const { companies } = this.#parts.records;
    const key = checkEmail('email', email);
    return companies.ofDomain(key.slice(key.lastIndexOf('@') + 1));
  }

  /** Adds a client; its secret is returned here and cannot be read later. */
  async addClient(client: NewClient | undefined): Promise<{ id: string; secret: string }> {
    this.#parts.lifetime.checkOpen();
    const { company, name, id = randomUUID() } = withDefaults('client', client, CLIENT_DEFAULTS);
    checkText('client.name', name, { most: 200 });
    if (!/^[\x21-\x7e]{1,200}$/.test(id))
      throw new RangeError(`client.id must be 1 to 200 printable ASCII characters, received ${JSON.stringify(id)}`);
    const companyId = company === undefined ? null : (await this.#parts.company(company)).id;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const entry = { id, name, companyId, secretHash: hashOf(secret), now: this.#parts.options.now() };
    if (!(await this.#parts.write(({ users }) => users.addClient(entry)))) throw accountExists('client', id, { id });
    return { id, secret };
  }

  async clients(): Promise<Client[]> {
    return (await this.#parts.records.users.clients()).map(clientOf);
  }
}

/**
 * The fields of a user that others see; what else the catalogue holds of it, such as its password, stays there.
 * @internal
 */
export function profileOf(row: UserRow): UserProfile {
  const { uid, email, firstName, lastName, companyId, companyName, role, waiting, addedAt } = row;
  return dated({ uid, email, firstName, lastName, companyId, companyName, role, isWaiting: waiting === 1, addedAt });
}

/**
 * The fields of a client that others see, without its secret.
 * @internal
 */
export function clientOf({ id, name, companyName, addedAt }: ClientRow): Client {
  return dated({ id, name, companyName, addedAt });
}

/**
 * The stored form of a secret of 256 random bits: a plain hash. Salt or cost would not make it harder to guess.
 * @internal
 */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * The domain name in lower case.
 * @throws RangeError unless it is a domain name.
 * @internal
 */
export function checkDomain(domain: unknown): string {
  const label = checkText('domain', domain, { least: 1, most: 253 }).normalize('NFC').toLowerCase();
  if (/[\s@/]/.test(label)) throw new RangeError(`domain must be a domain name, received ${JSON.stringify(domain)}`);
  return label;
}

function checkDigest(digest: unknown): Uint8Array {
  return checkBytes('passwordDigest', digest, { least: DIGEST_BYTES, most: DIGEST_BYTES });
}

/** The right password, but a program's that the user has not changed in time. */
function overdue(): EngineError {
  const message = 'the initial password was not changed in time: an admin sets a new one';
  return new EngineError('NOT_ALLOWED', message, { details: { what: 'expired' } });
}

/** The address in normal form; '' for an invalid address, which no user has. */
function emailKeyOf(email: unknown): string {
  if (typeof email !== 'string') throw new TypeError(`email must be a string, received ${typeof email}`);
  try {
    return checkEmail('email', email);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return '';
  }
}
