import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { checkInteger, withDefaults, type AccountOptions } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import { UserKeys } from './api-keys.js';
import { Attempts } from './attempts.js';
import { AuditLog } from './audit-log.js';
import { checkCallback, secretText, type NewCallback } from './callback-settings.js';
import { Callbacks, type PayloadOf } from './callbacks.js';
import { checkBytes, checkEmail, checkGuid, checkPage, checkText, type LogPage } from './checks.js';
import { checkExtractedFeedback, checkSearchFeedback } from './feedback.js';
import { ImageTokens } from './image-tokens.js';
import { mediaTypeOf } from './logo-type.js';
import { accountExists, AccountParts, unknownAccount, type AccountSetting } from './parts.js';
import type { PasswordChange } from './password-change.js';
import { Passwords } from './passwords.js';
import { readProfile, writeProfile, type CompanyProfile } from './profile.js';
import {
  ProviderSignIn,
  type EndedSignIns,
  type ProvenEnd,
  type ProvenGrant,
  type ProvenIdentity,
} from './provider-sign-in.js';
import { Quotes, type NewRfq } from './quotes.js';
import { SignUps, type ApproveOptions, type SignUp } from './sign-up.js';
import { SignIn, type ClientGrant, type PasswordGrant, type SignInsEnd, type TokenGrant } from './sign-in.js';
import type { CompanyAccount, CompanyLogo, CompanyRow } from './tables/companies.js';
import type { CallbackSettings, Delivery } from './tables/deliveries.js';
import type { ExtractedFeedback, SearchFeedback, Stored } from './tables/feedback.js';
import type { Rfq } from './tables/rfqs.js';
import type { SavedSearch } from './tables/saved-searches.js';
import type { ActiveSignIn, Principal } from './tables/tokens.js';
import type { Plan, UsageCounter } from './tables/usage.js';
import type { Client, UserProfile } from './tables/users.js';
import { Turns } from './turns.js';
import { UsageMeter, type MonthlyUsage } from './usage-meter.js';
import { checkDomain, profileOf, UserAccounts, type NewClient, type NewUser } from './user-accounts.js';

/** Feedback with its id (absent: a new one; feedback with the same id is replaced) and the user who sends it. */
export interface FeedbackOrigin {
  readonly id?: string;
  readonly userUid?: string;
}

/** Passwords computed at a time: each takes a thread of libuv's pool, which file access needs as well. */
const PASSWORDS_AT_A_TIME = 2;
const SEARCH_NAME_LIMIT = 200;
const QUERY_LIMIT = 16_000;

/**
 * Users, tokens, and the settings, usage and requests of companies. Get it from `engine.accounts`. Companies are given
 * by name; an unknown name throws the EngineError `ACCOUNT_UNKNOWN`. When a method resolves, its change is durable.
 */
export class Accounts {
  /** Keys that programs of a user send instead of a token. */
  readonly keys: UserKeys;
  /** Who changed what. */
  readonly audit: AuditLog;
  readonly #parts: AccountParts;
  readonly #users: UserAccounts;
  readonly #signIn: SignIn;
  readonly #providerSignIn: ProviderSignIn;
  readonly #signUps: SignUps;
  readonly #turns: Turns;
  readonly #quotes: Quotes;
  readonly #meter: UsageMeter;
  readonly #callbacks: Callbacks;
  readonly #imageTokens: ImageTokens;

  private constructor(parts: AccountParts, { imageKey, sourceKey }: { imageKey: Uint8Array; sourceKey: Uint8Array }) {
    const { scryptCost, loginWindowS, imageTokenS, signInsWaiting, signInsWaitingPerSource, now } = parts.options;
    const attempts = new Attempts({ windowMs: loginWindowS * 1_000, door: parts.store.attempts, now });
    this.#parts = parts;
    this.#turns = new Turns({
      running: PASSWORDS_AT_A_TIME,
      waiting: signInsWaiting,
      waitingPerSource: signInsWaitingPerSource,
    });
    const passwords = new Passwords({ cost: scryptCost });
    this.#users = new UserAccounts(parts, { passwords, turns: this.#turns, attempts, sourceKey });
    this.keys = new UserKeys(parts, this.#users);
    this.audit = new AuditLog(parts);
    this.#signUps = new SignUps(parts, this.#users);
    this.#signIn = new SignIn(parts, { users: this.#users, attempts });
    this.#providerSignIn = new ProviderSignIn(parts, { users: this.#users, signIn: this.#signIn });
    this.#quotes = new Quotes(parts);
    this.#meter = new UsageMeter(parts);
    this.#callbacks = new Callbacks(parts);
    this.#imageTokens = new ImageTokens(imageKey, { lifeMs: imageTokenS * 1_000, now });
  }

  /**
   * Not for callers: use `engine.accounts`.
   * @internal
   */
  static async open(setting: AccountSetting): Promise<Accounts> {
    const parts = new AccountParts(setting);
    const accounts = new Accounts(parts, {
      imageKey: await parts.records.key('image tokens'),
      sourceKey: await parts.records.key('known sources'),
    });
    await accounts.#meter.start();
    return accounts;
  }

  /**
   * Adds a company.
   * @throws EngineError `ACCOUNT_EXISTS`; TypeError or RangeError for an invalid name.
   */
  async addCompany(name: string): Promise<CompanyAccount> {
    const label = checkCompanyName(name);
    const row = await this.#parts.write(({ companies }) => companies.add(label));
    if (row === undefined) throw accountExists('company', JSON.stringify(label), { name: label });
    return accountOf(row);
  }

  /** The company of this name, if any. */
  async companyNamed(name: string): Promise<CompanyAccount | undefined> {
    const row = await this.#parts.records.companies.byName(checkCompanyName(name));
    return row && accountOf(row);
  }

  /** The company with this GUID, if any. */
  async companyByUid(uid: string): Promise<CompanyAccount | undefined> {
    const row = await this.#parts.records.companies.byUid(checkGuid('company uid', uid));
    return row && accountOf(row);
  }

  /** All companies, sorted by name. */
  async companies(): Promise<CompanyAccount[]> {
    return (await this.#parts.records.companies.all()).map(accountOf);
  }

  /** All fields of a company's profile. */
  async profile(company: string): Promise<CompanyProfile> {
    return readProfile(this.#parts, await this.#parts.company(company));
  }

  /**
   * Sets the given fields (all of them, or none when one is wrong) and returns the whole profile.
   * @throws TypeError for an unknown field, RangeError for a value that a field does not accept.
   */
  async setProfile(company: string, fields: Partial<CompanyProfile>): Promise<CompanyProfile> {
    const row = await this.#parts.company(company);
    await writeProfile(this.#parts, row, fields);
    return readProfile(this.#parts, row);
  }

  /**
   * Sets the company's logo: PNG, JPEG, GIF or WebP.
   * @throws EngineError `LIMIT_EXCEEDED` (`accounts.logoBytes`), `FORMAT_UNSUPPORTED`.
   */
  async setLogo(company: string, bytes: Uint8Array): Promise<void> {
    const { id } = await this.#parts.company(company);
    const { logoBytes, now } = this.#parts.options;
    const own = new Uint8Array(checkBytes('logo', bytes, { least: 0, most: Number.MAX_SAFE_INTEGER }));
    if (own.length > logoBytes) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the logo has ${own.length} bytes, allowed are ${logoBytes} (accounts.logoBytes)`,
        {
          details: { limit: 'logoBytes', allowed: logoBytes, found: own.length },
        },
      );
    }
    const mediaType = mediaTypeOf(own);
    if (mediaType === undefined) throw new EngineError('FORMAT_UNSUPPORTED', 'the logo is no PNG, JPEG, GIF or WebP');
    await this.#parts.write(({ companies }) => companies.setLogo(id, own, mediaType, now()));
  }

  /** The company's logo, if it has one. */
  async logo(company: string): Promise<CompanyLogo | undefined> {
    return this.#parts.records.companies.logo((await this.#parts.company(company)).id);
  }

  /** Removes the logo. Returns false when there is none. */
  async removeLogo(company: string): Promise<boolean> {
    const { id } = await this.#parts.company(company);
    return this.#parts.write(({ companies }) => companies.removeLogo(id));
  }

  /**
   * Saves a search for a user; a search with the same name is replaced.
   * @throws EngineError `ACCOUNT_UNKNOWN`, `LIMIT_EXCEEDED` (`accounts.savedSearches`); RangeError for a name longer
   * than 200 or a query longer than 16 000 characters.
   */
  async saveSearch(userUid: string, search: { name: string; query: string }): Promise<SavedSearch> {
    const userId = await this.#users.idOf(userUid);
    const name = checkText('name', search.name, { least: 1, most: SEARCH_NAME_LIMIT });
    const query = checkText('query', search.query, { most: QUERY_LIMIT });
    const { savedSearches: allowed, now } = this.#parts.options;
    return this.#parts.write(({ savedSearches }) => savedSearches.put(userId, { name, query, now: now() }, allowed));
  }

  /**
   * A user's saved searches, sorted by name.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async savedSearches(userUid: string): Promise<SavedSearch[]> {
    return this.#parts.records.savedSearches.ofUser(await this.#users.idOf(userUid));
  }

  /**
   * Removes a saved search. Returns false when the user has none with this id.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async removeSavedSearch(userUid: string, id: string): Promise<boolean> {
    const userId = await this.#users.idOf(userUid);
    return this.#parts.write(({ savedSearches }) => savedSearches.remove(userId, String(id).toLowerCase()));
  }

  /** Stores a user's feedback on a search. Returns its id. */
  async putSearchFeedback(company: string, feedback: SearchFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'search', feedback, checkSearchFeedback(feedback));
  }

  /** Feedback on searches, newest first. */
  async searchFeedback(company: string, page?: LogPage): Promise<Stored<SearchFeedback>[]> {
    return this.#parts.records.feedback.list((await this.#parts.company(company)).id, 'search', checkPage(page));
  }

  /** Stores a user's feedback on the attributes extracted from a file. Returns its id. */
  async putExtractedFeedback(company: string, feedback: ExtractedFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'extracted', feedback, checkExtractedFeedback(feedback));
  }

  /** Feedback on extracted attributes, newest first. */
  async extractedFeedback(company: string, page?: LogPage): Promise<Stored<ExtractedFeedback>[]> {
    return this.#parts.records.feedback.list((await this.#parts.company(company)).id, 'extracted', checkPage(page));
  }

  /**
   * Stores a request for quotation, as a whole or one chunk of it. Each chunk is durable on its own and may be sent
   * again.
   * @throws EngineError `CONFLICT` (other bytes for a complete request, another total), `LIMIT_EXCEEDED`
   * (`limits.fileBytes`, `accounts.openRfqs`); RangeError for more chunks than `accounts.rfqChunks`.
   */
  async putRfq(company: string, rfq: NewRfq): Promise<Rfq> {
    return this.#quotes.put(company, rfq);
  }

  /** The request of this id, if any. */
  async rfq(company: string, id: string): Promise<Rfq | undefined> {
    return this.#parts.records.rfqs.find((await this.#parts.company(company)).id, id);
  }

  /**
   * The file of a complete request. @throws EngineError `RECORD_UNKNOWN`, `CONFLICT` while chunks are missing,
   * `LIBRARY_DAMAGED`.
   */
  async rfqBytes(company: string, id: string): Promise<Uint8Array> {
    return this.#quotes.bytes(company, id);
  }

  /**
   * Records which search input was made from a request's file.
   * @throws EngineError `RECORD_UNKNOWN`.
   */
  async setRfqFile(company: string, id: string, fileUid: string): Promise<Rfq> {
    return this.#quotes.setFile(company, id, fileUid);
  }

  /** Removes a request with its chunks. Returns false when there is none with this id. */
  async removeRfq(company: string, id: string): Promise<boolean> {
    return this.#quotes.remove(company, id);
  }

  /** From now on, new users whose e-mail address has this domain join this company. */
  async mapDomain(domain: string, company: string): Promise<void> {
    const label = checkDomain(domain);
    const { id } = await this.#parts.company(company);
    await this.#parts.write(({ companies }) => companies.mapDomain(label, id));
  }

  /** Undoes {@link mapDomain}. Returns false when the domain was not mapped. */
  async unmapDomain(domain: string): Promise<boolean> {
    const label = checkDomain(domain);
    return this.#parts.write(({ companies }) => companies.unmapDomain(label));
  }

  /** The company that a new user with this address joins, if any. */
  async companyOfEmail(email: string): Promise<CompanyAccount | undefined> {
    const row = await this.#users.companyOfEmail(email);
    return row && accountOf(row);
  }

  /**
   * The company that a caller works for: its own, or any that an operator names. Others may name one as well; it has
   * no effect, because an answer would tell them which companies exist. `needs`: 'app' admits every caller, 'user' no
   * apps, 'admin' admins of the company and operators, 'operator' only the role operator, who then works for its own
   * company.
   * @throws EngineError `NOT_ALLOWED`; `ACCOUNT_UNKNOWN` for a name that no company has.
   */
  async companyFor(
    { kind, role, companyName }: Principal,
    { needs, named = '' }: { readonly needs: 'app' | 'user' | 'admin' | 'operator'; readonly named?: string },
  ): Promise<string | undefined> {
    if (needs !== 'app' && kind === 'app')
      throw new EngineError('NOT_ALLOWED', "This needs a user's token; the token is an app's.");
    if (needs === 'admin' && role === 'member')
      throw new EngineError('NOT_ALLOWED', 'This needs an admin of the company.');
    if (needs === 'operator' && role !== 'operator')
      throw new EngineError('NOT_ALLOWED', 'This needs special access: the role operator.');
    if (needs === 'operator' || role !== 'operator' || named === '') return companyName;
    const account = await this.companyNamed(named).catch(ofWrongName);
    if (account === undefined) throw unknownAccount('company', JSON.stringify(named), { name: named });
    return account.name;
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

  /**
   * Makes an account for somebody who asks for one. An admin of the company, or an operator, whom `by` is, makes one
   * that may sign in. For everybody else the company's profile says (`signUp`): 'approve', the default, makes an
   * account that waits until an admin lets it in; 'domain' one that may sign in, if the address has a domain that is
   * mapped to the company; 'off' refuses. An account of no company waits for an operator.
   * @throws EngineError `NOT_ALLOWED` (`details.what` 'company': it is not open to this user, or does not exist;
   * 'password': it is a common one, or a name of the user or the company), `ACCOUNT_EXISTS`, `RATE_LIMITED`
   * (`accounts.signUpsPerSource`, `waitingUsersPerCompany`, `waitingUsers`); TypeError or RangeError.
   */
  async signUp(user: SignUp): Promise<UserProfile> {
    return this.#signUps.add(user);
  }

  /**
   * Lets in a user who waits since {@link signUp}. company: only a user of this company; absent: any user. join: also a
   * user of no company, who then belongs to this one, and who may have been let in before.
   * @throws EngineError `ACCOUNT_UNKNOWN` when there is no such user.
   */
  async approveUser(email: string, options: ApproveOptions = {}): Promise<UserProfile> {
    return this.#signUps.approve(email, options);
  }

  /** Removes a user who waits, as {@link approveUser} lets one in. Returns false when no such user waits. */
  async rejectUser(email: string, { company }: { readonly company?: string } = {}): Promise<boolean> {
    return this.#signUps.reject(email, company);
  }

  /** Whether so many accounts wait to be let in (`accounts.waitingUsers`) that sign-ups are refused. */
  async areSignUpsFull(): Promise<boolean> {
    return this.#signUps.areFull();
  }

  /** Whether more sign-ins and sign-ups wait for their turn than may: a newcomer may be refused with `RATE_LIMITED`. */
  get isFull(): boolean {
    return this.#turns.isFull;
  }

  /** The user with this e-mail address, if any. */
  async user(email: string): Promise<UserProfile | undefined> {
    return this.#users.find(email);
  }

  /** The users of a company, sorted by address; without one those of all companies and of none. */
  async users(company?: string): Promise<UserProfile[]> {
    return company === undefined ? this.#users.all() : this.#users.ofCompany(company);
  }

  /** Removes a user with all sign-ins and saved searches. Returns false when there is no such user. */
  async removeUser(email: string): Promise<boolean> {
    const key = checkEmail('email', email);
    return this.#parts.write(({ users }) => users.remove(key));
  }

  /**
   * Sets a new password for a user and ends all of the user's sign-ins. `isInitial`: a program made it, see
   * {@link NewUser}.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async setPassword(
    email: string,
    passwordDigest: Uint8Array,
    options: { readonly isInitial?: boolean } = {},
  ): Promise<void> {
    return this.#users.setPassword(email, passwordDigest, withDefaults('options', options, { isInitial: false }));
  }

  /**
   * Replaces a user's password by one that the user chose, who says the current one; a wrong one is a failed attempt as
   * at a sign-in. Ends all sign-ins of the user but that of `token`.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what` 'current'), `RATE_LIMITED` (see {@link verifyPassword}),
   * `NOT_ALLOWED` (`details.what` 'password': the new one is the current one, a common one, or a name of the user or
   * the company; without `what`: `accounts.passwordGrant` is false), `ACCOUNT_UNKNOWN`; TypeError or RangeError for a
   * digest that has not 20 bytes.
   */
  async changePassword(change: PasswordChange): Promise<void> {
    if (!this.#parts.options.passwordGrant)
      throw new EngineError('NOT_ALLOWED', 'passwords are switched off (accounts.passwordGrant)');
    return this.#users.changePassword(change);
  }

  /**
   * Checks a password (given as its SHA-1, 20 bytes) and returns the user; undefined when the user is unknown, the
   * password is wrong, or the user waits to be let in. The first two take the same time. `source`: network address of
   * the caller, which has limits of failed attempts of its own. `signal`: gives it up while it waits for its turn.
   * @throws EngineError `RATE_LIMITED` (`details.retryAfterS`; `details.reason` is 'busy' when too many wait, or
   * attempts of the same name do not end, which is no failed attempt); `ABORTED`.
   */
  async verifyPassword(
    email: string,
    passwordDigest: Uint8Array,
    { source, signal }: { source?: string; signal?: AbortSignal } = {},
  ): Promise<UserProfile | undefined> {
    const row = await this.#users.verify(email, passwordDigest, { source, signal });
    return row?.waiting === 0 ? profileOf(row) : undefined;
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
    return this.#parts.write(({ users }) => users.removeClient(id));
  }

  /**
   * Issues tokens for a user's password. If a client is given, it must exist and belong either to the user's company or
   * to all companies.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what`: 'user' or 'client'), `RATE_LIMITED`, `NOT_ALLOWED`
   * (`details.what` 'waiting' for a user whom nobody has let in yet).
   */
  async grantPassword(request: PasswordGrant): Promise<TokenGrant> {
    return this.#signIn.password(request);
  }

  /**
   * Issues tokens to somebody whom an identity provider has identified. The first time an account is made, or the one
   * of the same address and company is linked: its password, sign-ins and keys end then. An operator's is never linked.
   * Later the user is known by issuer and subject, and name, address, company and role follow what the provider says.
   * @throws EngineError `NOT_ALLOWED` (`details.what` 'identity': no account, and none is made; or one that may not be
   * linked), `ACCOUNT_UNKNOWN` (the company); TypeError or RangeError that names a field.
   */
  async grantProven(identity: ProvenIdentity): Promise<ProvenGrant> {
    return this.#providerSignIn.grant(identity);
  }

  /**
   * Ends the sign-ins of somebody whom an identity provider has signed out; keys stay. Undefined: nobody here is this
   * person.
   */
  async endProven(end: ProvenEnd): Promise<EndedSignIns | undefined> {
    return this.#providerSignIn.end(end);
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
  async grantClient(request: ClientGrant): Promise<TokenGrant> {
    return this.#signIn.client(request);
  }

  /**
   * The user or client that an access token or a key ({@link keys}) belongs to; undefined when it is unknown, expired,
   * revoked or withdrawn.
   */
  async principalOf(accessToken: string): Promise<Principal | undefined> {
    return (await this.keys.principalOf(accessToken)) ?? this.#signIn.principalOf(accessToken);
  }

  /** The sign-ins of a user (a GUID) that have not ended, newest first; at most 1,000. */
  async signIns(user: string): Promise<ActiveSignIn[]> {
    this.#parts.lifetime.checkOpen();
    return this.#parts.records.tokens.signIns(checkGuid('user', user), this.#parts.options.now());
  }

  /**
   * Ends sign-ins of a user who says the password again, or has just signed in by a provider; a wrong one is a failed
   * attempt as at a sign-in. Returns how many ended.
   * @throws EngineError `CREDENTIALS_INVALID` (`details.what` 'current'), `RATE_LIMITED`, `NOT_ALLOWED`,
   * `ACCOUNT_UNKNOWN`.
   */
  async endSignIns(end: SignInsEnd): Promise<number> {
    if (!this.#parts.options.passwordGrant && end.current !== undefined)
      throw new EngineError('NOT_ALLOWED', 'passwords are switched off (accounts.passwordGrant)');
    return this.#signIn.end(end);
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
    const { uid: companyUid } = await this.#parts.company(company);
    return fileUids.map((uid) => this.#imageTokens.make(companyUid, checkGuid('fileUid', uid)));
  }

  /** The name of the company, if the token is valid for this file now. */
  async checkImageToken(token: string, fileUid: string): Promise<string | undefined> {
    if (typeof token !== 'string') throw new TypeError(`a token must be a string, received ${typeof token}`);
    const uid = this.#imageTokens.companyOf(token, checkGuid('fileUid', fileUid));
    return uid === undefined ? undefined : (await this.#parts.records.companies.byUid(uid))?.name;
  }

  /**
   * Adds to a company's counter of the current month. {@link usage} includes the amount at once. The promise resolves
   * when the amount is durable, within about a second; it need not be awaited (a crash before then loses the amount).
   */
  count(company: string, counter: UsageCounter, amount = 1): Promise<void> {
    return this.#meter.count(company, counter, amount);
  }

  /**
   * Sets a company's limits: null removes a limit, absent fields keep theirs. {@link usage} reports limits. Uploads
   * through `engine.served` respect the one of files; that of tokens is told alone.
   */
  async setPlan(company: string, plan: Partial<Plan>): Promise<void> {
    const { id } = await this.#parts.company(company);
    const { fileLimit, tokenLimit } = withDefaults('plan', plan, await this.#parts.records.usage.plan(id));
    if (fileLimit !== null) checkInteger('plan.fileLimit', fileLimit, 0);
    if (tokenLimit !== null && !(Number.isFinite(tokenLimit) && tokenLimit >= 0))
      throw new RangeError(`plan.tokenLimit must be null or at least 0, received ${tokenLimit}`);
    await this.#parts.write(({ usage }) => usage.setPlan(id, { fileLimit, tokenLimit }));
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
    const { id } = await this.#parts.company(company);
    if (callback === null) {
      await this.#parts.write(({ deliveries }) => deliveries.unset(id));
      return undefined;
    }
    const settings = checkCallback(callback);
    await this.#parts.write(({ deliveries }) => deliveries.set(id, settings));
    return { secret: secretText(settings.secret) };
  }

  /** The address of a company's callbacks; undefined when callbacks are off. */
  async callback(company: string): Promise<CallbackSettings | undefined> {
    const settings = await this.#parts.records.deliveries.settings((await this.#parts.company(company)).id);
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
    return this.#parts.records.deliveries.list((await this.#parts.company(company)).id, checkPage(page));
  }

  /**
   * Sends a callback again, with a fresh series of attempts.
   * @throws EngineError `RECORD_UNKNOWN` when no callback with this id has been tried.
   */
  async replay(company: string, deliveryId: string): Promise<Delivery> {
    const { id } = await this.#parts.company(company);
    const delivery = await this.#parts.write(({ deliveries }) => deliveries.replay(id, deliveryId));
    if (delivery === undefined)
      throw new EngineError('RECORD_UNKNOWN', `there is no callback ${deliveryId} to send again`, {
        details: { what: 'delivery', id: deliveryId },
      });
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
   * Bounds of what the users of a company make.
   * @internal
   */
  get bounds(): Pick<
    AccountOptions,
    'inputsPerUser' | 'inputBytesPerUser' | 'keptInputs' | 'keptInputsPerUser' | 'categories' | 'categoriesPerUser'
  > {
    return this.#parts.options;
  }

  /**
   * Stops timers and running deliveries, and writes the usage that is still in memory.
   * @internal
   */
  async close(): Promise<void> {
    await Promise.all([this.#callbacks.close(), this.#meter.close()]);
  }

  async #putFeedback(
    company: string,
    kind: 'search' | 'extracted',
    { id: given, userUid }: FeedbackOrigin,
    body: object,
  ): Promise<string> {
    const { id: companyId } = await this.#parts.company(company);
    const id = given === undefined ? randomUUID() : checkGuid('id', given);
    const origin = userUid === undefined ? null : checkGuid('userUid', userUid);
    const { now, feedbackPerUser: most } = this.#parts.options;
    const row = { id, userUid: origin, body, now: now(), most };
    await this.#parts.write((records) => records.feedback.put(companyId, kind, row));
    return id;
  }
}

function accountOf({ uid, name, addedAt }: CompanyRow): CompanyAccount {
  return { uid, name, addedAt: new Date(addedAt) };
}

/** Turns the RangeError for an invalid UID or name into undefined: no company can have it. */
function ofWrongName(cause: unknown): undefined {
  if (!(cause instanceof RangeError)) throw cause;
}
