import { EngineError } from '../errors.js';
import { checkInteger, withDefaults } from '../options.js';
import type { CompanyAccount } from './tables/companies.js';
import type { CallbackSettings, Delivery } from './tables/deliveries.js';
import type { Principal } from './tables/tokens.js';
import type { Plan, UsageCounter } from './tables/usage.js';
import type { Client, UserProfile } from './tables/users.js';
import { Attempts } from './attempts.js';
import { checkCallback, secretText, type NewCallback } from './callback-settings.js';
import { Callbacks, type PayloadOf } from './callbacks.js';
import { checkGuid } from './checks.js';
import { accountOf, CompanyAccounts } from './company-accounts.js';
import { ImageTokens } from './image-tokens.js';
import { checkPage, type LogPage } from './log-page.js';
import { commit, companyOf, type AccountParts } from './parts.js';
import { Passwords } from './passwords.js';
import { SignIn, type TokenGrant } from './sign-in.js';
import { UsageMeter, type MonthlyUsage } from './usage-meter.js';
import { checkDomain, profileOf, UserAccounts, type NewClient, type NewUser } from './user-accounts.js';

/**
 * Users, tokens, and the settings, usage and requests of companies. Get it from `engine.accounts`. A company is named
 * by its name; one that is not there is an EngineError `ACCOUNT_UNKNOWN`. What resolves is durable.
 */
export class Accounts extends CompanyAccounts {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #signIn: SignIn;
  readonly #meter: UsageMeter;
  readonly #callbacks: Callbacks;
  readonly #imageTokens: ImageTokens;

  private constructor(parts: AccountParts, imageKey: Uint8Array) {
    super(parts);
    const {
      options: { scryptCost, loginWindowS, imageTokenS, now },
    } = parts;
    const attempts = new Attempts({ windowMs: loginWindowS * 1_000, now });
    this.#parts = parts;
    this.#users = new UserAccounts(parts, { passwords: new Passwords({ cost: scryptCost }), attempts });
    this.#signIn = new SignIn(parts, { users: this.#users, attempts });
    this.#meter = new UsageMeter(parts);
    this.#callbacks = new Callbacks(parts);
    this.#imageTokens = new ImageTokens(imageKey, { lifeMs: imageTokenS * 1_000, now });
  }

  /**
   * Not for callers: use `engine.accounts`.
   * @internal
   */
  static async open(parts: AccountParts): Promise<Accounts> {
    const accounts = new Accounts(
      parts,
      await parts.store.commit(() => parts.store.rooms.accounts.key('image tokens')),
    );
    await accounts.#meter.start();
    return accounts;
  }

  /** From now on new users with an e-mail address of this domain join this company. */
  async mapDomain(domain: string, company: string): Promise<void> {
    const label = checkDomain(domain);
    const { id } = companyOf(this.#parts, company);
    await this.#commit(() => this.#records.companies.mapDomain(label, id));
  }

  /** Undoes {@link mapDomain}. False: there is nothing to undo. */
  async unmapDomain(domain: string): Promise<boolean> {
    const label = checkDomain(domain);
    return this.#commit(() => this.#records.companies.unmapDomain(label));
  }

  /** The company that a new user with this address joins, if any. */
  async companyOfEmail(email: string): Promise<CompanyAccount | undefined> {
    const row = this.#users.companyOfEmail(email);
    return row && accountOf(row);
  }

  /**
   * Name of the company that a new user may join by its UID: the company that the address's domain is mapped to, or any
   * that `by` administers (operators: all). Undefined for every other company, known or not.
   * @throws TypeError or RangeError for an address that is malformed.
   */
  async companyToJoin(
    companyUid: string,
    { email, by }: { readonly email: string; readonly by: () => Promise<Principal | undefined> },
  ): Promise<string | undefined> {
    const account = await this.companyByUid(companyUid.trim()).catch(ofWrongName);
    const mapped = await this.companyOfEmail(email);
    if (account === undefined) return undefined;
    if (mapped?.uid === account.uid) return account.name;
    const principal = await by();
    const isAdmin =
      principal?.role === 'operator' || (principal?.role === 'admin' && principal.companyName === account.name);
    return isAdmin ? account.name : undefined;
  }

  /**
   * The company of this UID or name as `by` may see it: operators see all companies, others their own.
   * @throws RangeError for an operator's name that no company can have.
   */
  async companySeenBy(by: Principal | undefined, uidOrName: string): Promise<CompanyAccount | undefined> {
    if (by?.role !== 'operator') return this.ownCompany(by, uidOrName);
    return (await this.companyByUid(uidOrName).catch(ofWrongName)) ?? this.companyNamed(uidOrName);
  }

  /** The company that `by` belongs to, when it has this UID or name. */
  async ownCompany(by: Principal | undefined, uidOrName: string): Promise<CompanyAccount | undefined> {
    const own = by?.companyName === undefined ? undefined : await this.companyNamed(by.companyName);
    const isOwn = uidOrName.toLowerCase() === own?.uid || uidOrName.normalize('NFC').trim() === own?.name;
    return isOwn ? own : undefined;
  }

  /** The company of this name whose profile lets everybody read its records and pictures (`publiclyAccessible`). */
  async publicCompany(name: string): Promise<CompanyAccount | undefined> {
    const account = await this.companyNamed(name).catch(ofWrongName);
    return account !== undefined && (await this.profile(account.name)).publiclyAccessible ? account : undefined;
  }

  /**
   * Adds a user. @throws EngineError `ACCOUNT_EXISTS`, `ACCOUNT_UNKNOWN` (the company); TypeError or RangeError that
   * names a field.
   */
  async addUser(user: NewUser): Promise<UserProfile> {
    return this.#users.add(user);
  }

  /** The user with this e-mail address, if any. */
  async user(email: string): Promise<UserProfile | undefined> {
    return this.#users.find(email);
  }

  /** A company's users by address. */
  async users(company: string): Promise<UserProfile[]> {
    return this.#users.ofCompany(company);
  }

  /** Removes a user with all sign-ins and saved searches. False: there was none. */
  async removeUser(email: string): Promise<boolean> {
    return this.#users.remove(email);
  }

  /** Gives a user another password and ends all sign-ins. @throws EngineError `ACCOUNT_UNKNOWN`. */
  async setPassword(email: string, passwordDigest: Uint8Array): Promise<void> {
    return this.#users.setPassword(email, passwordDigest);
  }

  /**
   * The user, when this is the password (SHA-1 of it, 20 bytes); undefined when user or password is wrong, after the
   * same time. `source`: the network address of who asks, for the limit of attempts from there.
   * @throws EngineError `RATE_LIMITED` (`details.retryAfterS`).
   */
  async verifyPassword(
    email: string,
    passwordDigest: Uint8Array,
    { source }: { source?: string } = {},
  ): Promise<UserProfile | undefined> {
    const row = await this.#users.verify(email, passwordDigest, source);
    return row && profileOf(row);
  }

  /**
   * Adds a program that may ask for tokens. The secret is told only here. @throws EngineError `ACCOUNT_EXISTS`,
   * `ACCOUNT_UNKNOWN`.
   */
  async addClient(client?: NewClient): Promise<{ id: string; secret: string }> {
    return this.#users.addClient(client);
  }

  /** All clients in the order in which they were added. */
  async clients(): Promise<Client[]> {
    return this.#users.clients();
  }

  /** Removes a client with the sign-ins that it asked for. False: there was none. */
  async removeClient(id: string): Promise<boolean> {
    return this.#users.removeClient(id);
  }

  /**
   * Tokens for a user's password. A client that is named must be known and of the user's company or of all.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'user' or 'client'), `RATE_LIMITED`, `NOT_ALLOWED`.
   */
  async grantPassword(request: {
    email: string;
    passwordDigest: Uint8Array;
    clientId?: string;
    source?: string;
  }): Promise<TokenGrant> {
    return this.#signIn.password(request);
  }

  /**
   * New tokens for a refresh token, which is spent by that. One that was spent before ends all tokens of its sign-in.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'token').
   */
  async grantRefresh(request: { refreshToken: string; clientId?: string }): Promise<TokenGrant> {
    return this.#signIn.refresh(request);
  }

  /**
   * A token for a client in its own name. @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'client'),
   * `RATE_LIMITED`.
   */
  async grantClient(request: { clientId: string; clientSecret: string; source?: string }): Promise<TokenGrant> {
    return this.#signIn.client(request);
  }

  /** Who stands behind an access token; undefined when it is unknown, expired or revoked. */
  async principalOf(accessToken: string): Promise<Principal | undefined> {
    return this.#signIn.principalOf(accessToken);
  }

  /** Ends the sign-in that an access or refresh token belongs to. False: it is unknown. */
  async revoke(token: string): Promise<boolean> {
    return this.#signIn.revoke(token);
  }

  /**
   * A token for the pictures of one file of a company, good for `accounts.imageTokenS` at most and nine tenths of that
   * at least: tokens of one file that are asked for in between are the same. Whether there is such a file is not asked.
   */
  async imageToken(company: string, fileUid: string): Promise<string> {
    return (await this.imageTokens(company, [fileUid]))[0];
  }

  /** {@link imageToken} of several files, in their order. */
  async imageTokens(company: string, fileUids: readonly string[]): Promise<string[]> {
    const { uid: companyUid } = companyOf(this.#parts, company);
    return fileUids.map((uid) => this.#imageTokens.make(companyUid, checkGuid('fileUid', uid)));
  }

  /** The name of the company, when the token is good for this file now. */
  async checkImageToken(token: string, fileUid: string): Promise<string | undefined> {
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    const uid = this.#imageTokens.companyOf(token, checkGuid('fileUid', fileUid));
    return uid === undefined ? undefined : this.#records.companies.byUid(uid)?.name;
  }

  /**
   * Adds to a company's counter of this month. {@link usage} sees it at once; it resolves when durable, within about a
   * second, and need not be awaited (a crash before then loses the amount).
   */
  count(company: string, counter: UsageCounter, amount = 1): Promise<void> {
    return this.#meter.count(company, counter, amount);
  }

  /** Sets a company's limits; null is none, what is absent stays. Limits are told by {@link usage}, not enforced. */
  async setPlan(company: string, plan: Partial<Plan>): Promise<void> {
    const { id } = companyOf(this.#parts, company);
    const { fileLimit, tokenLimit } = withDefaults('plan', plan, this.#records.usage.plan(id));
    if (fileLimit !== null) checkInteger('plan.fileLimit', fileLimit, 0);
    if (tokenLimit !== null && !(Number.isFinite(tokenLimit) && tokenLimit >= 0))
      throw new RangeError(`plan.tokenLimit must be null or at least 0, received ${tokenLimit}`);
    await this.#commit(() => this.#records.usage.setPlan(id, { fileLimit, tokenLimit }));
  }

  /**
   * What a company used in a month: the current one as it is now, unless year and month name another; a past one as it
   * ended. Undefined: nothing is known of that month.
   */
  async usage(company: string, period: { year?: number; month?: number } = {}): Promise<MonthlyUsage | undefined> {
    return this.#meter.usage(company, period);
  }

  /**
   * Sets where a company's callbacks go, or with null that it wants none (those on their way are given up). Returns the
   * secret that receivers check the signature with; it is told only here.
   * @throws EngineError `ADDRESS_REFUSED`; TypeError or RangeError that names what is wrong.
   */
  async setCallback(company: string, callback: NewCallback | null): Promise<{ secret: string } | undefined> {
    const { id } = companyOf(this.#parts, company);
    const { deliveries } = this.#records;
    if (callback === null) {
      await this.#commit(() => deliveries.unset(id));
      return undefined;
    }
    const settings = checkCallback(callback);
    await this.#commit(() => deliveries.set(id, settings));
    return { secret: secretText(settings.secret) };
  }

  /** Where a company's callbacks go; undefined: it wants none. */
  async callback(company: string): Promise<CallbackSettings | undefined> {
    const settings = this.#records.deliveries.settings(companyOf(this.#parts, company).id);
    return settings && { url: settings.url, allow: settings.allow };
  }

  /** From now on callbacks are sent, with payloads made so. Until then they wait. */
  sendCallbacks(payloadOf: PayloadOf): void {
    this.#parts.lifetime.checkOpen();
    if (typeof payloadOf !== 'function')
      throw new TypeError(`payloadOf must be a function, received ${typeof payloadOf}`);
    this.#callbacks.start(payloadOf);
  }

  /** Sends the callbacks that are due now, without waiting for the timer; resolves when each was tried. */
  async deliverDue(): Promise<void> {
    this.#parts.lifetime.checkOpen();
    await this.#callbacks.deliverDue();
  }

  /** A company's callbacks, newest first. Those that ended stay for 30 days. */
  async deliveries(company: string, page?: LogPage): Promise<Delivery[]> {
    return this.#records.deliveries.list(companyOf(this.#parts, company).id, checkPage(page));
  }

  /**
   * Sends a callback again, with all attempts before it. @throws EngineError `RECORD_UNKNOWN`: there is none of this id
   * that was tried.
   */
  async replay(company: string, deliveryId: string): Promise<Delivery> {
    const { id } = companyOf(this.#parts, company);
    const { deliveries } = this.#records;
    if (!(await this.#commit(() => deliveries.replay(id, deliveryId)))) {
      throw new EngineError('RECORD_UNKNOWN', `there is no callback ${deliveryId} to send again`, {
        details: { what: 'delivery', id: deliveryId },
      });
    }
    const delivery = deliveries.find(id, deliveryId)!;
    this.#callbacks.wake();
    return delivery;
  }

  /**
   * To be called when a file is indexed or failed: a callback may be due.
   * @internal
   */
  wakeCallbacks(): void {
    this.#callbacks.wake();
  }

  /**
   * Ends timers and what is on its way, and writes what was counted.
   * @internal
   */
  async close(): Promise<void> {
    await Promise.all([this.#callbacks.close(), this.#meter.close()]);
  }

  #commit<T>(work: () => T): Promise<T> {
    return commit(this.#parts, work);
  }

  get #records() {
    this.#parts.lifetime.checkOpen();
    return this.#parts.store.rooms.accounts;
  }
}

/** No company has a UID or name that none can have. */
function ofWrongName(cause: unknown): undefined {
  if (!(cause instanceof RangeError)) throw cause;
}
