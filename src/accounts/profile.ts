import type { CompanyRow } from './tables/companies.js';
import type { AccountParts } from './parts.js';
import { PROFILE_FIELDS, type ProfileField } from './profile-fields.js';
import { storedNameOf } from './stored-profile.js';

/** A company's profile with all fields; see {@link PROFILE_FIELDS}. */
export type CompanyProfile = {
  readonly [Name in keyof typeof PROFILE_FIELDS]: (typeof PROFILE_FIELDS)[Name] extends ProfileField<infer T>
    ? T
    : never;
};

const DATES: readonly string[] = ['registrationDate', 'trialStartDate'] satisfies (keyof CompanyProfile)[];

/** Cache of profiles by company and by the object of set fields, which stays the same object until a field is set. */
const PROFILES = new WeakMap<object, Map<string, CompanyProfile>>();
const PROFILES_KEPT = 1_000;

/**
 * The whole profile; fields that were never set have their defaults.
 * @internal
 */
export async function readProfile(parts: AccountParts, company: CompanyRow): Promise<CompanyProfile> {
  const set = await parts.records.companies.fields(company.id);
  const known = PROFILES.get(set)?.get(company.name);
  if (known !== undefined) return known;
  const profile: Record<string, unknown> = {};
  for (const [name, { fallback }] of Object.entries(PROFILE_FIELDS)) {
    const value = set[storedNameOf(name)] ?? fallback;
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
 * Sets the given fields: all of them, or none when one is wrong.
 * @throws TypeError for an unknown field, RangeError for a value that a field does not accept.
 * @internal
 */
export async function writeProfile(parts: AccountParts, { id }: CompanyRow, fields: Partial<CompanyProfile>) {
  if (typeof fields !== 'object' || fields === null)
    throw new TypeError(`profile must be an object, received ${String(fields)}`);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(PROFILE_FIELDS, name)) throw new TypeError(`profile.${name} is not a field of the profile`);
    const { form, accepts } = PROFILE_FIELDS[name as keyof CompanyProfile];
    if (!accepts(value))
      throw new RangeError(`profile.${name} must be ${form}, received ${String(JSON.stringify(value)).slice(0, 200)}`);
  }
  const stored = Object.fromEntries(given.map(([name, value]) => [storedNameOf(name), value]));
  await parts.write(({ companies }) => companies.setFields(id, stored));
}
