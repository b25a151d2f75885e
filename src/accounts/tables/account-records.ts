import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { Settings } from '../../store/database/settings.js';
import type { AccountTables } from '../../store/rooms.js';
import { Companies } from './companies.js';
import { Deliveries } from './deliveries.js';
import { Feedback } from './feedback.js';
import { Rfqs } from './rfqs.js';
import { SavedSearches } from './saved-searches.js';
import { Tokens } from './tokens.js';
import { Usage } from './usage.js';
import { Users } from './users.js';

const KEY_BYTES = 32;

/** The tables of the accounts. Writing methods run inside {@link Store.commit}. */
export class AccountRecords implements AccountTables {
  readonly companies: Companies;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly savedSearches: SavedSearches;
  readonly feedback: Feedback;
  readonly rfqs: Rfqs;
  readonly usage: Usage;
  readonly deliveries: Deliveries;
  readonly #settings: Settings;

  constructor(database: Database) {
    this.#settings = new Settings(database);
    this.companies = new Companies(database);
    this.users = new Users(database);
    this.tokens = new Tokens(database);
    this.savedSearches = new SavedSearches(database);
    this.feedback = new Feedback(database);
    this.rfqs = new Rfqs(database);
    this.usage = new Usage(database);
    this.deliveries = new Deliveries(database);
  }

  awaitCallback(fileId: number, param: string): void {
    this.deliveries.await(fileId, param);
  }

  refers(hash: string): boolean {
    return this.rfqs.refers(hash);
  }

  blobs(): { readonly hash: string; readonly byteLength: number }[] {
    return this.rfqs.blobs();
  }

  owners(hash: string): { readonly uid: string; readonly path: string; readonly company: string }[] {
    return this.rfqs.owners(hash);
  }

  /** A secret of this library, 32 random bytes, made at the first call. */
  key(name: string): Uint8Array {
    const setting = `key ${name}`;
    let hex = this.#settings.get(setting);
    if (hex === undefined) {
      hex = randomBytes(KEY_BYTES).toString('hex');
      this.#settings.set(setting, hex);
    }
    return Buffer.from(hex, 'hex');
  }
}
