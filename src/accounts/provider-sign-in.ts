import { randomBytes } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkEmail, checkText } from './checks.js';
import type { AccountParts } from './parts.js';
import type { Identified } from './tables/identities.js';
import type { Role } from './tables/users.js';
import type { SignIn, TokenGrant } from './sign-in.js';
import { NAME_LIMIT, ROLES, type UserAccounts } from './user-accounts.js';

/** Somebody whom an identity provider has identified; who calls has checked that it did. */
export interface ProvenIdentity {
  /** Issuer of the provider, 1 to 1 000 characters. */
  readonly issuer: string;
  /** The provider's own name for the person, 1 to 255 characters; an address may be given to another person. */
  readonly subject: string;
  /** Address that the provider has verified to be the person's. */
  readonly email: string;
  /** At most 100 characters are kept; the same holds for the last name. Default ''. */
  readonly firstName?: string;
  readonly lastName?: string;
  /** Name of the company. Absent: that of the user; of a new user the one that the address's domain is mapped to. */
  readonly company?: string;
  /** Absent: that of the user; of a new user 'member'. */
  readonly role?: Role;
  /** False: no account is made for who has none. Default true. */
  readonly mayJoin?: boolean;
}

/** Tokens for an identity, and what became of the account. */
export interface ProvenGrant extends TokenGrant {
  readonly email: string;
  readonly company: string | null;
  readonly role: Role;
  /** 'updated': company, role or address are others than before. */
  readonly change: 'made' | 'linked' | 'updated' | 'none';
}

/** Somebody whom an identity provider has signed out. */
export interface ProvenEnd {
  readonly issuer: string;
  readonly subject: string;
  /** Sign-ins that began then or before end: who came back afterwards stays. */
  readonly until: Date;
}

/** Whose sign-ins ended. */
export interface EndedSignIns {
  readonly email: string;
  readonly company: string | null;
  readonly count: number;
}

const ISSUER_LIMIT = 1_000;
const SUBJECT_LIMIT = 255;
/** Lengths of what scrypt makes, so that no password has this form by chance or by search. */
const SALT_BYTES = 16;
const VERIFIER_BYTES = 32;

/**
 * Signs in users whom an identity provider knows.
 * @internal
 */
export class ProviderSignIn {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #signIn: SignIn;

  constructor(parts: AccountParts, { users, signIn }: { users: UserAccounts; signIn: SignIn }) {
    this.#parts = parts;
    this.#users = users;
    this.#signIn = signIn;
  }

  async grant(identity: ProvenIdentity): Promise<ProvenGrant> {
    this.#parts.lifetime.checkOpen();
    const issuer = checkText('identity.issuer', identity.issuer, { least: 1, most: ISSUER_LIMIT });
    const subject = checkText('identity.subject', identity.subject, { least: 1, most: SUBJECT_LIMIT });
    const emailKey = checkEmail('identity.email', identity.email);
    const { role, company, mayJoin = true } = identity;
    if (role !== undefined && !ROLES.includes(role))
      throw new RangeError(`identity.role must be one of ${ROLES.join(', ')}, received ${String(role)}`);
    const named = company === undefined ? undefined : await this.#parts.company(company);
    const mapped = await this.#users.companyOfEmail(emailKey);
    const { scryptCost: cost, now } = this.#parts.options;
    const entry = {
      issuer,
      subject,
      email: identity.email.normalize('NFC').trim(),
      emailKey,
      firstName: nameOf('identity.firstName', identity.firstName),
      lastName: nameOf('identity.lastName', identity.lastName),
      companyId: named?.id,
      mappedId: mapped?.id,
      role,
      mayJoin,
      now: now(),
      // No password is derived to this: it is random, not made of one.
      salt: randomBytes(SALT_BYTES),
      cost,
      verifier: randomBytes(VERIFIER_BYTES),
    };
    const { user, change } = opened(await this.#parts.write(({ identities }) => identities.identify(entry)));
    const grant = await this.#signIn.identified(user.uid);
    return { ...grant, email: user.email, company: user.companyName, role: user.role, change };
  }

  async end({ issuer, subject, until }: ProvenEnd): Promise<EndedSignIns | undefined> {
    this.#parts.lifetime.checkOpen();
    const user = await this.#parts.records.identities.user({ issuer, subject });
    if (user === undefined) return undefined;
    const count = await this.#parts.write(({ tokens }) => tokens.endSignIns(user.uid, { until: until.getTime() }));
    return { email: user.email, company: user.companyName, count };
  }
}

function opened(found: Identified): Exclude<Identified, string> {
  if (found === 'other')
    throw new EngineError('NOT_ALLOWED', 'the address belongs to an account that this sign-in may not take over', {
      details: { what: 'identity' },
    });
  if (found === 'closed')
    throw new EngineError('NOT_ALLOWED', 'there is no account for this person, and none is made', {
      details: { what: 'identity' },
    });
  return found;
}

/** What a provider says of a name, cut to what is kept. */
function nameOf(what: string, name: string | undefined): string {
  return checkText(what, (name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, NAME_LIMIT), { most: NAME_LIMIT });
}
