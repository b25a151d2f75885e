import { EngineError } from '../errors.js';
import type { AccountOptions } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import type { Lifetime } from '../store/lifetime.js';
import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import type { AccountRecords } from './tables/account-records.js';
import type { CompanyRow } from './tables/companies.js';

/** @internal */
export interface AccountSetting {
  readonly store: Store<Rooms & { readonly accounts: AccountRecords }>;
  readonly options: AccountOptions;
  /** Largest file accepted, bytes. */
  readonly fileBytesLimit: number;
  readonly lifetime: Lifetime;
}

/**
 * What the services of the accounts work with.
 * @internal
 */
export class AccountParts {
  readonly store: AccountSetting['store'];
  readonly options: AccountOptions;
  readonly fileBytesLimit: number;
  readonly lifetime: Lifetime;

  constructor({ store, options, fileBytesLimit, lifetime }: AccountSetting) {
    this.store = store;
    this.options = options;
    this.fileBytesLimit = fileBytesLimit;
    this.lifetime = lifetime;
  }

  /** @throws EngineError `ENGINE_CLOSED`. */
  get records(): AccountRecords {
    this.lifetime.checkOpen();
    return this.store.rooms.accounts;
  }

  /** Writes; the library does not close before that is done. */
  write<T>(work: (records: AccountRecords) => Promise<T>): Promise<T> {
    const { records } = this;
    return this.lifetime.write(() => work(records));
  }

  /** The company of this name. @throws EngineError `ACCOUNT_UNKNOWN`. */
  async company(name: string): Promise<CompanyRow> {
    const { companies } = this.records;
    const label = checkCompanyName(name);
    const company = await companies.byName(label);
    if (company === undefined) throw unknownAccount('company', JSON.stringify(label), { name: label });
    return company;
  }
}

/** @internal */
export function unknownAccount(what: 'company' | 'user', which: string, details: object): EngineError {
  return new EngineError('ACCOUNT_UNKNOWN', `there is no ${what} ${which}`, { details: { what, ...details } });
}

/** @internal */
export function accountExists(what: 'company' | 'user' | 'client', which: string, details: object): EngineError {
  return new EngineError('ACCOUNT_EXISTS', `there is a ${what} ${which} already`, { details: { what, ...details } });
}
