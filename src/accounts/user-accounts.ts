import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { withDefaults, type Defaults } from '../options.js';
import type { CompanyRow } from './tables/companies.js';
import type { Client, ClientRow, Role, UserProfile, UserRow } from './tables/users.js';
import type { Attempts } from './attempts.js';
import { checkBytes, checkEmail, checkText } from './checks.js';
import { commit, companyOf, type AccountParts } from './parts.js';
import { DIGEST_BYTES, type Passwords } from './passwords.js';

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
const ROLES: readonly Role[] = ['member', 'admin', 'operator'];
const NAME_LIMIT = 100;
const SECRET_BYTES = 32;

/**
 * Stores users and clients and checks their passwords and secrets.
 * @internal
 */
export class UserAccounts {
  readonly #parts: AccountParts;
  readonly #passwords: Passwords;
  readonly #attempts: Attempts;

  constructor(parts: AccountParts, { passwords, attempts }: { passwords: Passwords; attempts: Attempts }) {
    this.#parts = parts;
    this.#passwords = passwords;
    this.#attempts = attempts;
  }

  async add(user: NewUser): Promise<UserProfile> {
    this.#parts.lifetime.checkOpen();
    const emailKey = checkEmail('user.email', user.email);
    const email = user.email.normalize('NFC').trim();
    const firstName = checkText('user.firstName', user.firstName, { most: NAME_LIMIT });
    const lastName = checkText('user.lastName', user.lastName, { most: NAME_LIMIT });
    const digest = checkDigest(user.passwordDigest);
    const role = user.role ?? 'member';
    if (!ROLES.includes(role))
      throw new RangeError(`user.role must be one of ${ROLES.join(', ')}, received ${String(role)}`);
    const company = user.company === undefined ? this.companyOfEmail(emailKey) : companyOf(this.#parts, user.company);
    const kept = await this.#passwords.keep(digest);
    const row = await commit(this.#parts, () =>
      this.#users.add({
        email,
        emailKey,
        firstName,
        lastName,
        role,
        companyId: company?.id ?? null,
        now: this.#parts.options.now(),
        ...kept,
      }),
    );
    if (row !== undefined) return profileOf(row);
    throw new EngineError('ACCOUNT_EXISTS', `there is a user ${email} already`, { details: { what: 'user', email } });
  }

  find(email: string): UserProfile | undefined {
    this.#parts.lifetime.checkOpen();
    const row = this.#users.byEmail(checkEmail('email', email));
    return row && profileOf(row);
  }

  ofCompany(company: string): UserProfile[] {
    return this.#users.ofCompany(companyOf(this.#parts, company).id).map(profileOf);
  }

  remove(email: string): Promise<boolean> {
    const key = checkEmail('email', email);
    return commit(this.#parts, () => this.#users.remove(key));
  }

  async setPassword(email: string, passwordDigest: Uint8Array): Promise<void> {
    this.#parts.lifetime.checkOpen();
    const key = checkEmail('email', email);
    const kept = await this.#passwords.keep(checkDigest(passwordDigest));
    await commit(this.#parts, () => {
      const row = this.#users.byEmail(key);
      if (row === undefined)
        throw new EngineError('ACCOUNT_UNKNOWN', `there is no user ${email}`, { details: { what: 'user', email } });
      this.#users.setVerifier(row.id, kept);
      this.#parts.store.rooms.accounts.tokens.removeFamiliesOf(row.id);
    });
  }

  /** The user, if this is the password. An invalid address is treated like an unknown one. */
  async verify(email: string, passwordDigest: Uint8Array, source: string | undefined): Promise<UserRow | undefined> {
    this.#parts.lifetime.checkOpen();
    const digest = checkDigest(passwordDigest);
    const key = emailKeyOf(email);
    const { loginFailures, loginFailuresPerSource } = this.#parts.options;
    const succeed = this.#attempts.begin([
      { key: `user ${createHash('sha256').update(key).digest('hex')}`, failures: loginFailures },
      ...(source === undefined ? [] : [{ key: `source ${source}`, failures: loginFailuresPerSource }]),
    ]);
    const row = this.#users.byEmail(key);
    if (!(await this.#passwords.matches(digest, row))) return undefined;
    succeed();
    if (row !== undefined && this.#passwords.isOutdated(row)) {
      const kept = await this.#passwords.keep(digest);
      await commit(this.#parts, () => this.#users.setVerifier(row.id, kept));
    }
    return row;
  }

  /** The company that a new user with this address joins. */
  companyOfEmail(email: string): CompanyRow | undefined {
    this.#parts.lifetime.checkOpen();
    return this.#parts.store.rooms.accounts.companies.ofDomain(domainOf(checkEmail('email', email)));
  }

  /** Adds a client; its secret is returned here and cannot be read later. */
  async addClient(client: NewClient | undefined): Promise<{ id: string; secret: string }> {
    this.#parts.lifetime.checkOpen();
    const { company, name, id = randomUUID() } = withDefaults('client', client, CLIENT_DEFAULTS);
    checkText('client.name', name, { most: 200 });
    if (!/^[\x21-\x7e]{1,200}$/.test(id))
      throw new RangeError(`client.id must be 1 to 200 printable ASCII characters, received ${JSON.stringify(id)}`);
    const companyId = company === undefined ? null : companyOf(this.#parts, company).id;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const added = await commit(this.#parts, () =>
      this.#users.addClient({ id, name, companyId, secretHash: hashOf(secret), now: this.#parts.options.now() }),
    );
    if (!added)
      throw new EngineError('ACCOUNT_EXISTS', `there is a client ${id} already`, { details: { what: 'client', id } });
    return { id, secret };
  }

  clients(): Client[] {
    this.#parts.lifetime.checkOpen();
    return this.#users
      .clients()
      .map(({ id, name, companyName, addedAt }: ClientRow) => ({ id, name, companyName, addedAt: new Date(addedAt) }));
  }

  removeClient(id: string): Promise<boolean> {
    return commit(this.#parts, () => this.#users.removeClient(id));
  }

  get #users() {
    return this.#parts.store.rooms.accounts.users;
  }
}

/**
 * A user without the fields that are internal to the catalogue.
 * @internal
 */
export function profileOf({
  uid,
  email,
  firstName,
  lastName,
  companyId,
  companyName,
  role,
  addedAt,
}: UserRow): UserProfile {
  return { uid, email, firstName, lastName, companyId, companyName, role, addedAt: new Date(addedAt) };
}

/**
 * The stored form of a secret of 256 random bits: a plain hash. Salt or cost would not make it harder to guess.
 * @internal
 */
export function hashOf(secret: string): Uint8Array {
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

function domainOf(emailKey: string): string {
  return emailKey.slice(emailKey.lastIndexOf('@') + 1);
}

function checkDigest(digest: unknown): Uint8Array {
  return checkBytes('passwordDigest', digest, { least: DIGEST_BYTES, most: DIGEST_BYTES });
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
