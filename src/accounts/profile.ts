import type { CompanyRow } from '../store/companies.js';
import { commit, type AccountParts } from './parts.js';
import { PROFILE_FIELDS, type ProfileField } from './profile-fields.js';

/** What a company has set, all of it; see {@link PROFILE_FIELDS}. */
export type CompanyProfile = {
  readonly [Name in keyof typeof PROFILE_FIELDS]: (typeof PROFILE_FIELDS)[Name] extends ProfileField<infer T> ? T : never;
};

const DATES: readonly string[] = ['registrationDate', 'trialStartDate'] satisfies (keyof CompanyProfile)[];

/**
 * The whole profile; fields that were never set have their fallbacks.
 * @internal
 */
export function readProfile({ store }: AccountParts, company: CompanyRow): CompanyProfile {
  const set = store.accounts.companies.fields(company.id);
  const profile: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(PROFILE_FIELDS)) {
    const value = set[name] === undefined ? fallback : set[name];
    profile[name] = DATES.includes(name) && typeof value === 'string' ? new Date(value) : value;
  }
  profile['name'] ??= company.name;
  profile['registrationDate'] ??= new Date(company.addedAt);
  return profile as CompanyProfile;
}

/**
 * Sets the fields that are given, all or none.
 * @throws TypeError for an unknown field, RangeError for a value that a field does not take.
 * @internal
 */
export async function writeProfile(parts: AccountParts, company: CompanyRow, fields: Partial<CompanyProfile>): Promise<void> {
  if (typeof fields !== 'object' || fields === null) throw new TypeError(`profile must be an object, received ${String(fields)}`);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(PROFILE_FIELDS, name)) throw new TypeError(`profile.${name} is not a field of the profile`);
    const { form, accepts } = PROFILE_FIELDS[name as keyof CompanyProfile];
    if (!accepts(value)) throw new RangeError(`profile.${name} must be ${form}, received ${String(JSON.stringify(value)).slice(0, 200)}`);
  }
  await commit(parts, () => parts.store.accounts.companies.setFields(company.id, Object.fromEntries(given)));
}
