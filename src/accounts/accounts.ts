import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkInteger, withDefaults } from '../options.js';
import type { CompanyAccount, CompanyLogo, CompanyRow } from '../store/companies.js';
import { checkCompanyName } from '../store/company-name.js';
import type { CallbackSettings, Delivery } from '../store/deliveries.js';
import type { ExtractedFeedback, SearchFeedback, Stored } from '../store/feedback.js';
import type { Rfq } from '../store/rfqs.js';
import type { SavedSearch } from '../store/saved-searches.js';
import type { Principal } from '../store/tokens.js';
import type { Plan, UsageCounter } from '../store/usage.js';
import type { Client, UserProfile } from '../store/users.js';
import { Attempts } from './attempts.js';
import { checkCallback, secretText, type NewCallback } from './callback-settings.js';
import { Callbacks, type PayloadOf } from './callbacks.js';
import { checkBytes, checkGuid, checkText } from './checks.js';
import { checkExtractedFeedback, checkSearchFeedback } from './feedback.js';
import { companyOfImageToken, imageToken } from './image-tokens.js';
import { mediaTypeOf } from './logo-type.js';
import { commit, companyOf, type AccountParts } from './parts.js';
import { Passwords } from './passwords.js';
import { readProfile, writeProfile, type CompanyProfile } from './profile.js';
import { Quotes, type NewRfq } from './quotes.js';
import { SignIn, type TokenGrant } from './sign-in.js';
import { UsageMeter, type MonthlyUsage } from './usage-meter.js';
import { checkDomain, profileOf, UserAccounts, type NewClient, type NewUser } from './user-accounts.js';

/** A page of a list, newest first. */
export interface LogPage {
  /** 1 to 1 000. Default 100. */
  readonly limit?: number;
  /** The last id of the page before. */
  readonly before?: string;
}

/** With feedback: its id (absent: a new one; one of the same id is replaced) and the user who sends it. */
export interface FeedbackOrigin {
  readonly id?: string;
  readonly userUid?: string;
}

const PAGE_DEFAULTS: Required<LogPage> = Object.freeze({ limit: 100, before: undefined as never });
const PAGE_LIMIT = 1_000;
const SEARCH_NAME_LIMIT = 200;
const QUERY_LIMIT = 16_000;

/**
 * Who may enter, and what companies have set, used and asked for. Get it from `engine.accounts`. A company is named by its
 * name; one that is not there is an EngineError `ACCOUNT_UNKNOWN`. What resolves is durable.
 */
export class Accounts {
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #signIn: SignIn;
  readonly #quotes: Quotes;
  readonly #meter: UsageMeter;
  readonly #callbacks: Callbacks;
  readonly #imageKey: Uint8Array;

  private constructor(parts: AccountParts, imageKey: Uint8Array) {
    const { options: { scryptCost, loginWindowS, now } } = parts;
    const attempts = new Attempts({ windowMs: loginWindowS * 1_000, now });
    this.#parts = parts;
    this.#users = new UserAccounts(parts, { passwords: new Passwords({ cost: scryptCost }), attempts });
    this.#signIn = new SignIn(parts, { users: this.#users, attempts });
    this.#quotes = new Quotes(parts);
    this.#meter = new UsageMeter(parts);
    this.#callbacks = new Callbacks(parts);
    this.#imageKey = imageKey;
  }

  /**
   * Not for callers: use `engine.accounts`.
   * @internal
   */
  static async open(parts: AccountParts): Promise<Accounts> {
    const accounts = new Accounts(parts, await parts.store.commit(() => parts.store.accounts.key('image tokens')));
    await accounts.#meter.start();
    return accounts;
  }

  /** Adds a company. @throws EngineError `ACCOUNT_EXISTS`; TypeError or RangeError for a name that none can have. */
  async addCompany(name: string): Promise<CompanyAccount> {
    const label = checkCompanyName(name);
    const { companies } = this.#records;
    const row = await this.#commit(() => {
      if (companies.byName(label) !== undefined) return undefined;
      this.#parts.store.files.company(label);
      return companies.byName(label);
    });
    if (row === undefined) throw new EngineError('ACCOUNT_EXISTS', `there is a company ${JSON.stringify(label)} already`, { details: { what: 'company', name: label } });
    return accountOf(row);
  }

  /** The company of this name, if any. */
  async companyNamed(name: string): Promise<CompanyAccount | undefined> {
    const row = this.#records.companies.byName(checkCompanyName(name));
    return row && accountOf(row);
  }

  /** The company with this GUID, if any. */
  async companyByUid(uid: string): Promise<CompanyAccount | undefined> {
    const row = this.#records.companies.byUid(checkGuid('company uid', uid));
    return row && accountOf(row);
  }

  /** All companies by name. */
  async companies(): Promise<CompanyAccount[]> {
    return this.#records.companies.all().map(accountOf);
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

  /** All fields of a company's profile. */
  async profile(company: string): Promise<CompanyProfile> {
    return readProfile(this.#parts, companyOf(this.#parts, company));
  }

  /**
   * Sets the fields that are given, all or none, and returns the whole profile.
   * @throws TypeError for an unknown field, RangeError for a value that a field does not take.
   */
  async setProfile(company: string, fields: Partial<CompanyProfile>): Promise<CompanyProfile> {
    const row = companyOf(this.#parts, company);
    await writeProfile(this.#parts, row, fields);
    return readProfile(this.#parts, row);
  }

  /** Sets the company's picture: PNG, JPEG, GIF or WebP. @throws EngineError `LIMIT_EXCEEDED` (`accounts.logoBytes`), `FORMAT_UNSUPPORTED`. */
  async setLogo(company: string, bytes: Uint8Array): Promise<void> {
    const { id } = companyOf(this.#parts, company);
    const { logoBytes, now } = this.#parts.options;
    const own = new Uint8Array(checkBytes('logo', bytes, { least: 0, most: Number.MAX_SAFE_INTEGER }));
    if (own.length > logoBytes) {
      throw new EngineError('LIMIT_EXCEEDED', `the logo has ${own.length} bytes, allowed are ${logoBytes} (accounts.logoBytes)`, {
        details: { limit: 'logoBytes', allowed: logoBytes, found: own.length },
      });
    }
    const mediaType = mediaTypeOf(own);
    if (mediaType === undefined) throw new EngineError('FORMAT_UNSUPPORTED', 'the logo is no PNG, JPEG, GIF or WebP');
    await this.#commit(() => this.#records.companies.setLogo(id, own, mediaType, now()));
  }

  /** The company's picture, if it has one. */
  async logo(company: string): Promise<CompanyLogo | undefined> {
    return this.#records.companies.logo(companyOf(this.#parts, company).id);
  }

  /** False: there was none. */
  async removeLogo(company: string): Promise<boolean> {
    const { id } = companyOf(this.#parts, company);
    return this.#commit(() => this.#records.companies.removeLogo(id));
  }

  /** Adds a user. @throws EngineError `ACCOUNT_EXISTS`, `ACCOUNT_UNKNOWN` (the company); TypeError or RangeError that names a field. */
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
   * The user, when this is the password (SHA-1 of it, 20 bytes); undefined when user or password is wrong, after the same
   * time. `source`: the network address of who asks, for the limit of attempts from there.
   * @throws EngineError `RATE_LIMITED` (`details.retryAfterS`).
   */
  async verifyPassword(email: string, passwordDigest: Uint8Array, { source }: { source?: string } = {}): Promise<UserProfile | undefined> {
    const row = await this.#users.verify(email, passwordDigest, source);
    return row && profileOf(row);
  }

  /** Adds a program that may ask for tokens. The secret is told only here. @throws EngineError `ACCOUNT_EXISTS`, `ACCOUNT_UNKNOWN`. */
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
  async grantPassword(request: { email: string; passwordDigest: Uint8Array; clientId?: string; source?: string }): Promise<TokenGrant> {
    return this.#signIn.password(request);
  }

  /**
   * New tokens for a refresh token, which is spent by that. One that was spent before ends all tokens of its sign-in.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'token').
   */
  async grantRefresh(request: { refreshToken: string; clientId?: string }): Promise<TokenGrant> {
    return this.#signIn.refresh(request);
  }

  /** A token for a client in its own name. @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'client'), `RATE_LIMITED`. */
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

  /** A token for the pictures of one file of a company, good for `accounts.imageTokenS`. Whether there is such a file is not asked. */
  async imageToken(company: string, fileUid: string): Promise<string> {
    const { uid: companyUid } = companyOf(this.#parts, company);
    const { now, imageTokenS } = this.#parts.options;
    return imageToken(this.#imageKey, { companyUid, fileUid: checkGuid('fileUid', fileUid), expiresAt: now() + imageTokenS * 1_000 });
  }

  /** The name of the company, when the token is good for this file now. */
  async checkImageToken(token: string, fileUid: string): Promise<string | undefined> {
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    const uid = companyOfImageToken(this.#imageKey, token, { fileUid: checkGuid('fileUid', fileUid), now: this.#parts.options.now() });
    return uid === undefined ? undefined : this.#records.companies.byUid(uid)?.name;
  }

  /**
   * Keeps a search for a user; one of the same name is replaced.
   * @throws EngineError `ACCOUNT_UNKNOWN`, `LIMIT_EXCEEDED` (`accounts.savedSearches`); RangeError for a name of more than 200 or a query of more than 16 000 characters.
   */
  async saveSearch(userUid: string, search: { name: string; query: string }): Promise<SavedSearch> {
    const userId = this.#userId(userUid);
    const name = checkText('name', search.name, { least: 1, most: SEARCH_NAME_LIMIT });
    const query = checkText('query', search.query, { most: QUERY_LIMIT });
    const { savedSearches: allowed, now } = this.#parts.options;
    return this.#commit(() => {
      const known = this.#records.savedSearches.ofUser(userId);
      if (known.length >= allowed && !known.some((saved) => saved.name === name)) {
        throw new EngineError('LIMIT_EXCEEDED', `the user has ${known.length} saved searches, allowed are ${allowed} (accounts.savedSearches)`, {
          details: { limit: 'savedSearches', allowed, found: known.length + 1 },
        });
      }
      return this.#records.savedSearches.put(userId, { name, query, now: now() });
    });
  }

  /** A user's saved searches by name. @throws EngineError `ACCOUNT_UNKNOWN`. */
  async savedSearches(userUid: string): Promise<SavedSearch[]> {
    return this.#records.savedSearches.ofUser(this.#userId(userUid));
  }

  /** False: the user has none of this id. @throws EngineError `ACCOUNT_UNKNOWN`. */
  async removeSavedSearch(userUid: string, id: string): Promise<boolean> {
    const userId = this.#userId(userUid);
    return this.#commit(() => this.#records.savedSearches.remove(userId, String(id).toLowerCase()));
  }

  /** Keeps what a user thought of a search. Returns its id. */
  async putSearchFeedback(company: string, feedback: SearchFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'search', feedback, checkSearchFeedback(feedback));
  }

  /** Feedback on searches, newest first. */
  async searchFeedback(company: string, page?: LogPage): Promise<Stored<SearchFeedback>[]> {
    return this.#records.feedback.list(companyOf(this.#parts, company).id, 'search', checkPage(page));
  }

  /** Keeps what a user thought of the attributes extracted from a file. Returns its id. */
  async putExtractedFeedback(company: string, feedback: ExtractedFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'extracted', feedback, checkExtractedFeedback(feedback));
  }

  /** Feedback on extracted attributes, newest first. */
  async extractedFeedback(company: string, page?: LogPage): Promise<Stored<ExtractedFeedback>[]> {
    return this.#records.feedback.list(companyOf(this.#parts, company).id, 'extracted', checkPage(page));
  }

  /**
   * Puts a request for quotation, whole or one chunk of it; every chunk is durable for itself. The same chunk may come again.
   * @throws EngineError `CONFLICT` (other bytes for a complete request, another total), `LIMIT_EXCEEDED` (`limits.fileBytes`,
   * `accounts.openRfqs`); RangeError for more chunks than `accounts.rfqChunks`.
   */
  async putRfq(company: string, rfq: NewRfq): Promise<Rfq> {
    return this.#quotes.put(company, rfq);
  }

  /** The request of this id, if any. */
  async rfq(company: string, id: string): Promise<Rfq | undefined> {
    return this.#quotes.find(company, id);
  }

  /** The file of a complete request. @throws EngineError `RECORD_UNKNOWN`, `CONFLICT` while chunks are missing, `LIBRARY_DAMAGED`. */
  async rfqBytes(company: string, id: string): Promise<Uint8Array> {
    return this.#quotes.bytes(company, id);
  }

  /** Notes the file that was made of a request. @throws EngineError `RECORD_UNKNOWN`. */
  async setRfqFile(company: string, id: string, fileUid: string): Promise<Rfq> {
    return this.#quotes.setFile(company, id, fileUid);
  }

  /** Removes a request with its chunks. False: there was none of this id. */
  async removeRfq(company: string, id: string): Promise<boolean> {
    return this.#quotes.remove(company, id);
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
    if (tokenLimit !== null && !(Number.isFinite(tokenLimit) && tokenLimit >= 0)) throw new RangeError(`plan.tokenLimit must be null or at least 0, received ${tokenLimit}`);
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
    this.#parts.checkOpen();
    if (typeof payloadOf !== 'function') throw new TypeError(`payloadOf must be a function, received ${typeof payloadOf}`);
    this.#callbacks.start(payloadOf);
  }

  /** Sends the callbacks that are due now, without waiting for the timer; resolves when each was tried. */
  async deliverDue(): Promise<void> {
    this.#parts.checkOpen();
    await this.#callbacks.deliverDue();
  }

  /** A company's callbacks, newest first. Those that ended stay for 30 days. */
  async deliveries(company: string, page?: LogPage): Promise<Delivery[]> {
    return this.#records.deliveries.list(companyOf(this.#parts, company).id, checkPage(page));
  }

  /** Sends a callback again, with all attempts before it. @throws EngineError `RECORD_UNKNOWN`: there is none of this id that was tried. */
  async replay(company: string, deliveryId: string): Promise<Delivery> {
    const { id } = companyOf(this.#parts, company);
    const { deliveries } = this.#records;
    if (!await this.#commit(() => deliveries.replay(id, deliveryId))) {
      throw new EngineError('RECORD_UNKNOWN', `there is no callback ${deliveryId} to send again`, { details: { what: 'delivery', id: deliveryId } });
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

  async #putFeedback(company: string, kind: 'search' | 'extracted', { id: given, userUid }: FeedbackOrigin, body: object): Promise<string> {
    const { id: companyId } = companyOf(this.#parts, company);
    const id = given === undefined ? randomUUID() : checkGuid('id', given);
    const origin = userUid === undefined ? null : checkGuid('userUid', userUid);
    await this.#commit(() => this.#records.feedback.put(companyId, kind, { id, userUid: origin, body, now: this.#parts.options.now() }));
    return id;
  }

  #userId(uid: string): number {
    const row = this.#records.users.byUid(checkGuid('userUid', uid));
    if (row === undefined) throw new EngineError('ACCOUNT_UNKNOWN', `there is no user ${uid}`, { details: { what: 'user', uid } });
    return row.id;
  }

  #commit<T>(work: () => T): Promise<T> {
    return commit(this.#parts, work);
  }

  get #records() {
    this.#parts.checkOpen();
    return this.#parts.store.accounts;
  }
}

function accountOf({ uid, name, addedAt }: CompanyRow): CompanyAccount {
  return { uid, name, addedAt: new Date(addedAt) };
}

function checkPage(page: LogPage | undefined): { limit: number; before?: string } {
  const { limit, before } = withDefaults('page', page as Partial<Required<LogPage>>, PAGE_DEFAULTS);
  checkInteger('page.limit', limit, 1, PAGE_LIMIT);
  return { limit, before: before === undefined ? undefined : checkGuid('page.before', before) };
}
