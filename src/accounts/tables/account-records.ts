import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { Companies } from './companies.js';
import { Deliveries } from './deliveries.js';
import { Feedback } from './feedback.js';
import { Rfqs } from './rfqs.js';
import { SavedSearches } from './saved-searches.js';
import { Tokens } from './tokens.js';
import { Usage } from './usage.js';
import { Users } from './users.js';

const KEY_BYTES = 32;

/** What the catalogue holds beside files. Writing methods run inside {@link Store.commit}. */
export class AccountRecords {
  readonly companies: Companies;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly savedSearches: SavedSearches;
  readonly feedback: Feedback;
  readonly rfqs: Rfqs;
  readonly usage: Usage;
  readonly deliveries: Deliveries;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.companies = new Companies(database);
    this.users = new Users(database);
    this.tokens = new Tokens(database);
    this.savedSearches = new SavedSearches(database);
    this.feedback = new Feedback(database);
    this.rfqs = new Rfqs(database);
    this.usage = new Usage(database);
    this.deliveries = new Deliveries(database);
  }

  /** A secret of this library, 32 bytes, made at the first call. */
  key(name: string): Uint8Array {
    this.#database
      .prepare('INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
      .run(`key ${name}`, randomBytes(KEY_BYTES).toString('hex'));
    const value = this.#database
      .prepare<[string], string>('SELECT value FROM setting WHERE name = ?')
      .pluck()
      .get(`key ${name}`) as string;
    return Buffer.from(value, 'hex');
  }
}
