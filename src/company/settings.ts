import { DEFAULT_COMPANY_SETTINGS, withDefaults, type CompanySettings } from '../options.js';
import { checkBoolean } from './checks.js';
import type { CompanyContext } from './context.js';

/** The settings of a company: `company.settings`. */
export class StoredSettings {
  readonly #context: CompanyContext;

  /** @internal */
  constructor(context: CompanyContext) {
    this.#context = context;
  }

  /** All settings; those that were never set have the values of {@link DEFAULT_COMPANY_SETTINGS}. */
  async get(): Promise<CompanySettings> {
    const { store, companyId, lifetime } = this.#context;
    lifetime.checkOpen();
    return store.settings(companyId);
  }

  /** Changes the given settings, keeps the others, and returns all. */
  async set(changes: Partial<CompanySettings>): Promise<CompanySettings> {
    const { store, companyId, lifetime } = this.#context;
    lifetime.checkOpen();
    withDefaults('settings', changes, DEFAULT_COMPANY_SETTINGS);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    for (const [name, value] of given) checkBoolean(`settings.${name}`, value);
    return lifetime.write(() => store.setSettings(companyId, Object.fromEntries(given) as Partial<CompanySettings>));
  }
}
