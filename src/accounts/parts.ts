import { EngineError } from '../errors.js';
import type { AccountOptions } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import type { CompanyRow } from './tables/companies.js';
import type { Lifetime } from '../store/lifetime.js';
import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import type { AccountRecords } from './tables/account-records.js';

/**
 * What the engine provides to the accounts.
 * @internal
 */
export interface AccountParts {
  readonly store: Store<Rooms & { readonly accounts: AccountRecords }>;
  readonly options: AccountOptions;
  /** Largest file accepted, bytes. */
  readonly fileBytesLimit: number;
  readonly lifetime: Lifetime;
}

/**
 * The company of this name. @throws EngineError `ACCOUNT_UNKNOWN`.
 * @internal
 */
export function companyOf({ store, lifetime }: AccountParts, name: string): CompanyRow {
  lifetime.checkOpen();
  const label = checkCompanyName(name);
  const company = store.rooms.accounts.companies.byName(label);
  if (company !== undefined) return company;
  throw new EngineError('ACCOUNT_UNKNOWN', `there is no company ${JSON.stringify(label)}`, {
    details: { what: 'company', name: label },
  });
}

/**
 * Commits `work` on the accounts; the library does not close before that is done.
 * @internal
 */
export function commit<T>({ store, lifetime }: AccountParts, work: () => T): Promise<T> {
  lifetime.checkOpen();
  return lifetime.write(() => store.commit(work));
}
