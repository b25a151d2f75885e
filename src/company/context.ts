import type { SearchOfCompany } from './open-searches.js';
import type { Lifetime } from '../store/lifetime.js';
import type { SeenInputs } from '../store/catalog/seen-inputs.js';
import type { Library } from '../library.js';

/**
 * What the services of one company work with.
 * @internal
 */
export interface CompanyContext {
  readonly companyId: number;
  /** Whose search inputs the caller sees. */
  readonly seen: SeenInputs;
  readonly store: Library;
  readonly lifetime: Lifetime;
  readonly search: SearchOfCompany;
}
