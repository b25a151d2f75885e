import { EngineError } from '../errors.js';
import { withDefaults, type Defaults } from '../options.js';
import { Attempts } from './attempts.js';
import { checkEmail, checkGuid } from './checks.js';
import { networkOf } from './network.js';
import { accountExists, unknownAccount, type AccountParts } from './parts.js';
import { checkNewPassword } from './password-change.js';
import { readProfile } from './profile.js';
import type { CompanyRow } from './tables/companies.js';
import type { Principal } from './tables/tokens.js';
import type { UserProfile } from './tables/users.js';
import { profileOf, type NewUser, type UserAccounts } from './user-accounts.js';

/** Somebody who asks for an account. */
export interface SignUp extends Pick<NewUser, 'email' | 'firstName' | 'lastName' | 'passwordDigest'> {
  /** GUID of the company. Absent: the company that the address's domain is mapped to, if any. */
  readonly companyUid?: string;
  /** Who asks; undefined: nobody who has signed in. */
  readonly by?: Principal;
  /** Network address of the sender. */
  readonly source?: string;
}

/** Whom {@link SignUps.approve} lets in; see `Accounts.approveUser`. */
export interface ApproveOptions {
  readonly company?: string;
  readonly join?: string;
}

const APPROVE_DEFAULTS = Object.freeze({ company: undefined, join: undefined } satisfies Defaults<ApproveOptions>);
const SIGN_UP_WINDOW_MS = 3_600_000;

/**
 * Accounts that people ask for, and those who wait to be let in.
 * @internal
 */
export class SignUps {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #counts: Attempts;

  constructor(parts: AccountParts, users: UserAccounts) {
    this.#parts = parts;
    this.#users = users;
    const { store, options } = parts;
    this.#counts = new Attempts({ windowMs: SIGN_UP_WINDOW_MS, door: store.attempts, now: options.now });
  }

  async add({ companyUid, by, source, ...user }: SignUp): Promise<UserProfile> {
    const { options } = this.#parts;
    const { email, emailKey, firstName, lastName, digest } = this.#users.checked(user);
    const mapped = await this.#users.companyOfEmail(emailKey);
    const company = companyUid === undefined ? mapped : await this.#companyOf(companyUid);
    const isAdmin =
      by?.role === 'operator' || (by?.role === 'admin' && company !== undefined && by.companyName === company.name);
    const isMapped = company?.id === mapped?.id;
    if (!isAdmin && !isMapped) throw notOpen();
    const rule = company === undefined ? 'approve' : (await readProfile(this.#parts, company)).signUp;
    if (!isAdmin && rule === 'off') throw notOpen();
    const waits = !isAdmin && !(rule === 'domain' && company !== undefined);
    const network = networkOf(source);
    if (!isAdmin && network !== undefined) await this.#count(network);
    // After the sender's share: each check costs some thousand digests, and tells what the company is called.
    checkNewPassword(digest, { email, firstName, lastName, companyName: company?.name ?? null }, undefined);
    const entry = await this.#users.entryOf(user, company, network);
    const limits = {
      ofCompany: options.waitingUsersPerCompany,
      inAll: options.waitingUsers,
      since: entry.now - 1_000 * options.waitingUserS,
    };
    const row = await this.#parts.write(({ users }) => users.signUp(entry, waits ? limits : undefined));
    if (row === 'taken') throw accountExists('user', email, { email });
    if (row === 'full')
      throw new EngineError('RATE_LIMITED', 'too many accounts wait to be let in; try again later', {
        details: { reason: 'waiting', retryAfterS: SIGN_UP_WINDOW_MS / 1_000 },
      });
    return profileOf(row);
  }

  /** Whether so many wait to be let in that no more may. */
  async areFull(): Promise<boolean> {
    const { options, records } = this.#parts;
    return (await records.users.waiting(options.now() - 1_000 * options.waitingUserS)) >= options.waitingUsers;
  }

  async approve(email: string, options: ApproveOptions): Promise<UserProfile> {
    const key = checkEmail('email', email);
    const { company, join } = withDefaults('options', options, APPROVE_DEFAULTS);
    const [only, joined] = [await this.#idOf(company), await this.#idOf(join)];
    const isKnown = await this.#parts.write(({ users }) => users.approve(key, { only, joined }));
    const row = isKnown ? await this.#parts.records.users.byEmail(key) : undefined;
    if (row === undefined) {
      const where = company ?? join;
      const who = `${email} who waits to be let in${where === undefined ? '' : ` to ${JSON.stringify(where)}`}`;
      throw unknownAccount('user', who, { email });
    }
    return profileOf(row);
  }

  async #idOf(company: string | undefined): Promise<number | undefined> {
    return company === undefined ? undefined : (await this.#parts.company(company)).id;
  }

  async reject(email: string, companyName: string | undefined): Promise<boolean> {
    const key = checkEmail('email', email);
    const company = companyName === undefined ? undefined : await this.#parts.company(companyName);
    return this.#parts.write(({ users }) => users.reject(key, company?.id));
  }

  /** @throws EngineError `NOT_ALLOWED` for a company that does not exist: nobody is told which do. */
  async #companyOf(uid: string): Promise<CompanyRow> {
    let guid: string;
    try {
      guid = checkGuid('companyUid', uid.trim());
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw notOpen();
    }
    const company = await this.#parts.records.companies.byUid(guid);
    if (company === undefined) throw notOpen();
    return company;
  }

  /** @throws EngineError `RATE_LIMITED` when the network has asked for as many accounts as it may. */
  #count(network: string): Promise<void> {
    return this.#counts.count({ key: `sign-up ${network}`, failures: this.#parts.options.signUpsPerSource });
  }
}

function notOpen(): EngineError {
  return new EngineError('NOT_ALLOWED', 'The company is not open to this user.', { details: { what: 'company' } });
}
