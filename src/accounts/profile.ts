import type { CompanyRow } from './tables/companies.js';
import { commit, type AccountParts } from './parts.js';
import { PROFILE_FIELDS, type ProfileField } from './profile-fields.js';

/** What a company has set, all of it; see {@link PROFILE_FIELDS}. */
export type CompanyProfile = {
  readonly [Name in keyof typeof PROFILE_FIELDS]: (typeof PROFILE_FIELDS)[Name] extends ProfileField<infer T>
    ? T
    : never;
};

const DATES: readonly string[] = ['registrationDate', 'trialStartDate'] satisfies (keyof CompanyProfile)[];

/** Profiles by what was set, which is the same object as long as nothing else is set, and by the company. */
const PROFILES = new WeakMap<object, Map<string, CompanyProfile>>();
const PROFILES_KEPT = 1_000;

/**
 * The whole profile; fields that were never set have their fallbacks.
 * @internal
 */
export function readProfile({ store }: AccountParts, company: CompanyRow): CompanyProfile {
  const set = store.rooms.accounts.companies.fields(company.id);
  const known = PROFILES.get(set)?.get(company.name);
  if (known !== undefined) return known;
  const profile: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(PROFILE_FIELDS)) {
    const value = set[name] === undefined ? fallback : set[name];
    profile[name] = DATES.includes(name) && typeof value === 'string' ? new Date(value) : value;
  }
  profile['name'] ??= company.name;
  profile['registrationDate'] ??= new Date(company.addedAt);
  const whole = Object.freeze(profile) as CompanyProfile;
  const ofName = PROFILES.get(set) ?? new Map<string, CompanyProfile>();
  if (ofName.size >= PROFILES_KEPT) ofName.clear();
  PROFILES.set(set, ofName.set(company.name, whole));
  return whole;
}

/**
 * Sets the fields that are given, all or none.
 * @throws TypeError for an unknown field, RangeError for a value that a field does not take.
 * @internal
 */
export async function writeProfile(
  parts: AccountParts,
  company: CompanyRow,
  fields: Partial<CompanyProfile>,
): Promise<void> {
  if (typeof fields !== 'object' || fields === null)
    throw new TypeError(`profile must be an object, received ${String(fields)}`);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(PROFILE_FIELDS, name)) throw new TypeError(`profile.${name} is not a field of the profile`);
    const { form, accepts } = PROFILE_FIELDS[name as keyof CompanyProfile];
    if (!accepts(value))
      throw new RangeError(`profile.${name} must be ${form}, received ${String(JSON.stringify(value)).slice(0, 200)}`);
  }
  await commit(parts, () => parts.store.rooms.accounts.companies.setFields(company.id, Object.fromEntries(given)));
}
