import { randomBytes } from 'node:crypto';
import { Settings } from '../../store/database/settings.js';
import type { AccountTables, OpenCatalog } from '../../store/rooms.js';
import { ApiKeys } from './api-keys.js';
import { Audit } from './audit.js';
import { Companies } from './companies.js';
import { Deliveries } from './deliveries.js';
import { Feedback } from './feedback.js';
import { Identities } from './identities.js';
import { Rfqs } from './rfqs.js';
import { SavedSearches } from './saved-searches.js';
import { Sql } from './sql.js';
import { Tokens } from './tokens.js';
import { Usage } from './usage.js';
import { Users } from './users.js';

const KEY_BYTES = 32;

/**
 * The tables of the accounts. Their methods are asynchronous, a method that writes is one transaction, durable when it
 * resolves; only what takes part in a transaction of the store is called within it.
 */
export class AccountRecords implements AccountTables {
  readonly companies: Companies;
  readonly users: Users;
  readonly identities: Identities;
  readonly tokens: Tokens;
  readonly keys: ApiKeys;
  readonly audit: Audit;
  readonly savedSearches: SavedSearches;
  readonly feedback: Feedback;
  readonly rfqs: Rfqs;
  readonly usage: Usage;
  readonly deliveries: Deliveries;
  readonly #sql: Sql;
  readonly #settings: Settings;

  constructor(catalog: OpenCatalog) {
    const sql = new Sql(catalog);
    this.#sql = sql;
    this.#settings = new Settings(catalog.database);
    this.companies = new Companies(sql, catalog);
    this.users = new Users(sql, this.#settings);
    this.identities = new Identities(sql, this.#settings, this.users);
    this.tokens = new Tokens(sql);
    this.keys = new ApiKeys(sql);
    this.audit = new Audit(sql);
    this.savedSearches = new SavedSearches(sql);
    this.feedback = new Feedback(sql);
    this.rfqs = new Rfqs(sql);
    this.usage = new Usage(sql);
    this.deliveries = new Deliveries(sql);
  }

  awaitCallback(fileId: number, param: string): void {
    this.deliveries.await(fileId, param);
  }

  refers(hash: string): boolean {
    return this.rfqs.refers(hash);
  }

  blobs(): ReturnType<AccountTables['blobs']> {
    return this.rfqs.blobs();
  }

  owners(hash: string): ReturnType<AccountTables['owners']> {
    return this.rfqs.owners(hash);
  }

  /** A secret of this library, 32 random bytes, made at the first call. */
  key(name: string): Promise<Uint8Array> {
    return this.#sql.commit(() => {
      const setting = `key ${name}`;
      const known = this.#settings.get(setting);
      const key = known === undefined ? randomBytes(KEY_BYTES) : Buffer.from(known, 'hex');
      if (known === undefined) this.#settings.set(setting, key.toString('hex'));
      return key;
    });
  }
}
