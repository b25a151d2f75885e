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
 * Users, tokens, and the settings, usage and requests of companies. Get it from `engine.accounts`. Companies are given
 * by name; an unknown name throws the EngineError `ACCOUNT_UNKNOWN`. When a method resolves, its change is durable.
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

  /** From now on, new users whose e-mail address has this domain join this company. */
  async mapDomain(domain: string, company: string): Promise<void> {
    const label = checkDomain(domain);
    const { id } = companyOf(this.#parts, company);
    await this.#commit(() => this.#records.companies.mapDomain(label, id));
  }

  /** Undoes {@link mapDomain}. Returns false when the domain was not mapped. */
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
   * The company of this UID or name if `by` may see it: operators see all companies, other users their own.
   * @throws RangeError when an operator gives a name that is not a valid company name.
   */
  async companySeenBy(by: Principal | undefined, uidOrName: string): Promise<CompanyAccount | undefined> {
    if (by?.role !== 'operator') return this.ownCompany(by, uidOrName);
    return (await this.companyByUid(uidOrName).catch(ofWrongName)) ?? this.companyNamed(uidOrName);
  }

  /** The company that `by` belongs to, if it has this UID or name. */
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

  /** The users of a company, sorted by address. */
  async users(company: string): Promise<UserProfile[]> {
    return this.#users.ofCompany(company);
  }

  /** Removes a user with all sign-ins and saved searches. Returns false when there is no such user. */
  async removeUser(email: string): Promise<boolean> {
    return this.#users.remove(email);
  }

  /**
   * Sets a new password for a user and ends all of the user's sign-ins.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async setPassword(email: string, passwordDigest: Uint8Array): Promise<void> {
    return this.#users.setPassword(email, passwordDigest);
  }

  /**
   * Checks a password (given as its SHA-1, 20 bytes) and returns the user; undefined when the user is unknown or the
   * password is wrong. Both cases take the same time. `source`: network address of the caller, which has a limit of
   * failed attempts of its own.
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
   * Adds a client program that may ask for tokens. Its secret is returned here and cannot be read later.
   * @throws EngineError `ACCOUNT_EXISTS`, `ACCOUNT_UNKNOWN`.
   */
  async addClient(client?: NewClient): Promise<{ id: string; secret: string }> {
    return this.#users.addClient(client);
  }

  /** All clients in the order in which they were added. */
  async clients(): Promise<Client[]> {
    return this.#users.clients();
  }

  /** Removes a client with the sign-ins that it asked for. Returns false when there is no such client. */
  async removeClient(id: string): Promise<boolean> {
    return this.#users.removeClient(id);
  }

  /**
   * Issues tokens for a user's password. If a client is given, it must exist and belong either to the user's company or
   * to all companies.
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
   * Issues new tokens for a refresh token, which is used up by this. A refresh token that is sent a second time ends
   * all tokens of its sign-in.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'token').
   */
  async grantRefresh(request: { refreshToken: string; clientId?: string }): Promise<TokenGrant> {
    return this.#signIn.refresh(request);
  }

  /**
   * Issues a token for a client in its own name.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'client'), `RATE_LIMITED`.
   */
  async grantClient(request: { clientId: string; clientSecret: string; source?: string }): Promise<TokenGrant> {
    return this.#signIn.client(request);
  }

  /** The user or client that an access token belongs to; undefined when the token is unknown, expired or revoked. */
  async principalOf(accessToken: string): Promise<Principal | undefined> {
    return this.#signIn.principalOf(accessToken);
  }

  /** Ends the sign-in that an access or refresh token belongs to. Returns false when the token is unknown. */
  async revoke(token: string): Promise<boolean> {
    return this.#signIn.revoke(token);
  }

  /**
   * A token for the pictures of one file of a company. It is valid for at most `accounts.imageTokenS` and at least nine
   * tenths of that, because requests for the same file return the same token for a while. Does not check whether the
   * file exists.
   */
  async imageToken(company: string, fileUid: string): Promise<string> {
    return (await this.imageTokens(company, [fileUid]))[0];
  }

  /** {@link imageToken} for several files, in their order. */
  async imageTokens(company: string, fileUids: readonly string[]): Promise<string[]> {
    const { uid: companyUid } = companyOf(this.#parts, company);
    return fileUids.map((uid) => this.#imageTokens.make(companyUid, checkGuid('fileUid', uid)));
  }

  /** The name of the company, if the token is valid for this file now. */
  async checkImageToken(token: string, fileUid: string): Promise<string | undefined> {
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    const uid = this.#imageTokens.companyOf(token, checkGuid('fileUid', fileUid));
    return uid === undefined ? undefined : this.#records.companies.byUid(uid)?.name;
  }

  /**
   * Adds to a company's counter of the current month. {@link usage} includes the amount at once. The promise resolves
   * when the amount is durable, within about a second; it need not be awaited (a crash before then loses the amount).
   */
  count(company: string, counter: UsageCounter, amount = 1): Promise<void> {
    return this.#meter.count(company, counter, amount);
  }

  /**
   * Sets a company's limits: null removes a limit, absent fields keep theirs. {@link usage} reports limits; they are
   * not enforced.
   */
  async setPlan(company: string, plan: Partial<Plan>): Promise<void> {
    const { id } = companyOf(this.#parts, company);
    const { fileLimit, tokenLimit } = withDefaults('plan', plan, this.#records.usage.plan(id));
    if (fileLimit !== null) checkInteger('plan.fileLimit', fileLimit, 0);
    if (tokenLimit !== null && !(Number.isFinite(tokenLimit) && tokenLimit >= 0))
      throw new RangeError(`plan.tokenLimit must be null or at least 0, received ${tokenLimit}`);
    await this.#commit(() => this.#records.usage.setPlan(id, { fileLimit, tokenLimit }));
  }

  /**
   * What a company used in a month: the current month up to now, or the past month given by year and month. Undefined
   * when no usage of that month is recorded.
   */
  async usage(company: string, period: { year?: number; month?: number } = {}): Promise<MonthlyUsage | undefined> {
    return this.#meter.usage(company, period);
  }

  /**
   * Sets the address that receives a company's callbacks; null switches callbacks off and abandons pending ones.
   * Returns the secret with which the receiver checks the signature; it cannot be read later.
   * @throws EngineError `ADDRESS_REFUSED`; TypeError or RangeError that names the wrong field.
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

  /** The address of a company's callbacks; undefined when callbacks are off. */
  async callback(company: string): Promise<CallbackSettings | undefined> {
    const settings = this.#records.deliveries.settings(companyOf(this.#parts, company).id);
    return settings && { url: settings.url, allow: settings.allow };
  }

  /** Starts sending callbacks, with payloads made by `payloadOf`. Until this is called, callbacks wait in the queue. */
  sendCallbacks(payloadOf: PayloadOf): void {
    this.#parts.lifetime.checkOpen();
    if (typeof payloadOf !== 'function')
      throw new TypeError(`payloadOf must be a function, received ${typeof payloadOf}`);
    this.#callbacks.start(payloadOf);
  }

  /** Sends the callbacks that are due now, without waiting for the timer; resolves when each was tried once. */
  async deliverDue(): Promise<void> {
    this.#parts.lifetime.checkOpen();
    await this.#callbacks.deliverDue();
  }

  /** A company's callbacks, newest first. Finished callbacks are kept for 30 days. */
  async deliveries(company: string, page?: LogPage): Promise<Delivery[]> {
    return this.#records.deliveries.list(companyOf(this.#parts, company).id, checkPage(page));
  }

  /**
   * Sends a callback again, with a fresh series of attempts.
   * @throws EngineError `RECORD_UNKNOWN` when no callback with this id has been tried.
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
   * Call this when a file is indexed or has failed: a callback may be due.
   * @internal
   */
  wakeCallbacks(): void {
    this.#callbacks.wake();
  }

  /**
   * Stops timers and running deliveries, and writes the usage that is still in memory.
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

/** Turns the RangeError for an invalid UID or name into undefined: no company can have it. */
function ofWrongName(cause: unknown): undefined {
  if (!(cause instanceof RangeError)) throw cause;
}
