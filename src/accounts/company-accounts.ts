import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import type { CompanyAccount, CompanyLogo, CompanyRow } from './tables/companies.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import type { ExtractedFeedback, SearchFeedback, Stored } from './tables/feedback.js';
import type { Rfq } from './tables/rfqs.js';
import type { SavedSearch } from './tables/saved-searches.js';
import { checkBytes, checkGuid, checkText } from './checks.js';
import { checkExtractedFeedback, checkSearchFeedback } from './feedback.js';
import { checkPage, type LogPage } from './log-page.js';
import { mediaTypeOf } from './logo-type.js';
import { commit, companyOf, type AccountParts } from './parts.js';
import { readProfile, writeProfile, type CompanyProfile } from './profile.js';
import { Quotes, type NewRfq } from './quotes.js';

/** Feedback with its id (absent: a new one; feedback with the same id is replaced) and the user who sends it. */
export interface FeedbackOrigin {
  readonly id?: string;
  readonly userUid?: string;
}

const SEARCH_NAME_LIMIT = 200;
const QUERY_LIMIT = 16_000;

/**
 * The part of the accounts that manages companies and the data that they and their users store: profiles, logos, saved
 * searches, feedback, requests for quotation.
 */
export abstract class CompanyAccounts {
  readonly #parts: AccountParts;
  readonly #quotes: Quotes;

  /** @internal */
  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#quotes = new Quotes(parts);
  }

  /**
   * Adds a company.
   * @throws EngineError `ACCOUNT_EXISTS`; TypeError or RangeError for an invalid name.
   */
  async addCompany(name: string): Promise<CompanyAccount> {
    const label = checkCompanyName(name);
    const { companies } = this.#records;
    const row = await this.#commit(() => {
      if (companies.byName(label) !== undefined) return undefined;
      this.#parts.store.enterCompany(label);
      return companies.byName(label);
    });
    if (row === undefined)
      throw new EngineError('ACCOUNT_EXISTS', `there is a company ${JSON.stringify(label)} already`, {
        details: { what: 'company', name: label },
      });
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

  /** All companies, sorted by name. */
  async companies(): Promise<CompanyAccount[]> {
    return this.#records.companies.all().map(accountOf);
  }

  /** All fields of a company's profile. */
  async profile(company: string): Promise<CompanyProfile> {
    return readProfile(this.#parts, companyOf(this.#parts, company));
  }

  /**
   * Sets the given fields (all of them, or none when one is wrong) and returns the whole profile.
   * @throws TypeError for an unknown field, RangeError for a value that a field does not accept.
   */
  async setProfile(company: string, fields: Partial<CompanyProfile>): Promise<CompanyProfile> {
    const row = companyOf(this.#parts, company);
    await writeProfile(this.#parts, row, fields);
    return readProfile(this.#parts, row);
  }

  /**
   * Sets the company's logo: PNG, JPEG, GIF or WebP.
   * @throws EngineError `LIMIT_EXCEEDED` (`accounts.logoBytes`), `FORMAT_UNSUPPORTED`.
   */
  async setLogo(company: string, bytes: Uint8Array): Promise<void> {
    const { id } = companyOf(this.#parts, company);
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
    if (mediaType === undefined)
      throw new EngineError('FORMAT_UNSUPPORTED', 'the logo is not a PNG, JPEG, GIF or WebP');
    await this.#commit(() => this.#records.companies.setLogo(id, own, mediaType, now()));
  }

  /** The company's logo, if it has one. */
  async logo(company: string): Promise<CompanyLogo | undefined> {
    return this.#records.companies.logo(companyOf(this.#parts, company).id);
  }

  /** Removes the logo. Returns false when there is none. */
  async removeLogo(company: string): Promise<boolean> {
    const { id } = companyOf(this.#parts, company);
    return this.#commit(() => this.#records.companies.removeLogo(id));
  }

  /**
   * Saves a search for a user; a search with the same name is replaced.
   * @throws EngineError `ACCOUNT_UNKNOWN`, `LIMIT_EXCEEDED` (`accounts.savedSearches`); RangeError for a name longer
   * than 200 or a query longer than 16 000 characters.
   */
  async saveSearch(userUid: string, search: { name: string; query: string }): Promise<SavedSearch> {
    const userId = this.#userId(userUid);
    const name = checkText('name', search.name, { least: 1, most: SEARCH_NAME_LIMIT });
    const query = checkText('query', search.query, { most: QUERY_LIMIT });
    const { savedSearches: allowed, now } = this.#parts.options;
    return this.#commit(() => {
      const known = this.#records.savedSearches.ofUser(userId);
      if (known.length >= allowed && !known.some((saved) => saved.name === name)) {
        throw new EngineError(
          'LIMIT_EXCEEDED',
          `the user has ${known.length} saved searches, allowed are ${allowed} (accounts.savedSearches)`,
          {
            details: { limit: 'savedSearches', allowed, found: known.length + 1 },
          },
        );
      }
      return this.#records.savedSearches.put(userId, { name, query, now: now() });
    });
  }

  /**
   * A user's saved searches, sorted by name.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async savedSearches(userUid: string): Promise<SavedSearch[]> {
    return this.#records.savedSearches.ofUser(this.#userId(userUid));
  }

  /**
   * Removes a saved search. Returns false when the user has none with this id.
   * @throws EngineError `ACCOUNT_UNKNOWN`.
   */
  async removeSavedSearch(userUid: string, id: string): Promise<boolean> {
    const userId = this.#userId(userUid);
    return this.#commit(() => this.#records.savedSearches.remove(userId, String(id).toLowerCase()));
  }

  /** Stores a user's feedback on a search. Returns its id. */
  async putSearchFeedback(company: string, feedback: SearchFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'search', feedback, checkSearchFeedback(feedback));
  }

  /** Feedback on searches, newest first. */
  async searchFeedback(company: string, page?: LogPage): Promise<Stored<SearchFeedback>[]> {
    return this.#records.feedback.list(companyOf(this.#parts, company).id, 'search', checkPage(page));
  }

  /** Stores a user's feedback on the attributes extracted from a file. Returns its id. */
  async putExtractedFeedback(company: string, feedback: ExtractedFeedback & FeedbackOrigin): Promise<string> {
    return this.#putFeedback(company, 'extracted', feedback, checkExtractedFeedback(feedback));
  }

  /** Feedback on extracted attributes, newest first. */
  async extractedFeedback(company: string, page?: LogPage): Promise<Stored<ExtractedFeedback>[]> {
    return this.#records.feedback.list(companyOf(this.#parts, company).id, 'extracted', checkPage(page));
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
    return this.#quotes.find(company, id);
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

  async #putFeedback(
    company: string,
    kind: 'search' | 'extracted',
    { id: given, userUid }: FeedbackOrigin,
    body: object,
  ): Promise<string> {
    const { id: companyId } = companyOf(this.#parts, company);
    const id = given === undefined ? randomUUID() : checkGuid('id', given);
    const origin = userUid === undefined ? null : checkGuid('userUid', userUid);
    await this.#commit(() =>
      this.#records.feedback.put(companyId, kind, { id, userUid: origin, body, now: this.#parts.options.now() }),
    );
    return id;
  }

  #userId(uid: string): number {
    const row = this.#records.users.byUid(checkGuid('userUid', uid));
    if (row === undefined)
      throw new EngineError('ACCOUNT_UNKNOWN', `there is no user ${uid}`, { details: { what: 'user', uid } });
    return row.id;
  }

  #commit<T>(work: () => T): Promise<T> {
    return commit(this.#parts, work);
  }

  get #records() {
    this.#parts.lifetime.checkOpen();
    return this.#parts.store.rooms.accounts;
  }
}

/**
 * A company without the fields that are internal to the catalogue.
 * @internal
 */
export function accountOf({ uid, name, addedAt }: CompanyRow): CompanyAccount {
  return { uid, name, addedAt: new Date(addedAt) };
}
