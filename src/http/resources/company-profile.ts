import { z } from '@hono/zod-openapi';
import { PROFILE_FIELDS, type CompanyLogo, type CompanyProfile as Profile } from '../../accounts/index.js';
import { endpointsOf } from '../server/endpoint.js';
import { given, Problem } from '../server/problem.js';
import { guidOf, requiredText } from '../server/parameters.js';
import { wireNameOf } from '../wire/profile-names.js';

const endpoint = endpointsOf('Company');

const Currency = z.object({ Code: z.string(), Symbol: z.string(), Name: z.string() }).openapi('Currency');

/** The type of a profile field, from its default value; where that is null, from its name. */
function schemaOf(name: string, fallback: unknown): z.ZodType {
  if (typeof fallback === 'boolean') return z.boolean();
  if (typeof fallback === 'number') return name.startsWith('viewScoreThreshold') ? z.number() : z.int();
  if (name === 'signUp') return z.enum(['approve', 'domain', 'off']);
  if (name === 'currency') return z.union([Currency, z.null()]);
  if (name === 'registrationDate') return z.string().openapi({ format: 'date-time' });
  if (name === 'trialStartDate') return z.string().nullable().openapi({ format: 'date-time' });
  if (/DeficitThreshold$/.test(name)) return z.int().nullable();
  if (/^(scoreThreshold|exact.*Tolerance)$/.test(name)) return z.number().nullable();
  return z.string().nullable();
}

const CompanyProfile = z
  .object(named(Object.entries(PROFILE_FIELDS).map(([name, { fallback }]) => [name, schemaOf(name, fallback)])))
  .openapi('CompanyProfile');

const companyID = requiredText({ about: "The company's id (SpaceID) or name.", most: 200 });

export const COMPANY_PROFILE = [
  endpoint('GET /CompanyProfile', {
    summary: 'The profile of a company',
    answer: CompanyProfile,
    query: z.object({ companyID }),
    statuses: { 404: 'Unknown company, or not that of the user.' },
    respond: async (call) => {
      if (call.principal?.role !== 'operator') void call.companyName; // Throws 403 for a user without a company.
      const { accounts } = call.engine;
      const account = await given('companyID', accounts.companySeenBy(call.principal, spelled(call.query.companyID)));
      if (account === undefined)
        throw new Problem(404, 'There is no such company.', { errors: { companyID: ['names no company'] } });
      const [profile, logo] = await Promise.all([accounts.profile(account.name), accounts.logo(account.name)]);
      return profileOf(logo === undefined ? profile : { ...profile, logo: dataUrlOf(logo) });
    },
  }),
  endpoint('PUT /CompanyProfile', {
    summary: 'Creates an account',
    access: 'operator',
    answer: z.string().openapi({ format: 'uuid', description: 'Id of the company.' }),
    query: z.object({ accountName: requiredText({ about: 'Name of the company.', most: 100 }) }),
    statuses: { 409: 'There is one of this name.' },
    respond: async (call) => (await given('accountName', call.engine.accounts.addCompany(call.query.accountName))).uid,
  }),
  endpoint('GET /IsEmployee', {
    summary: 'Whether the user belongs to a company',
    answer: z.boolean(),
    query: z.object({ companyID }),
    respond: async (call) => {
      const own = await call.engine.accounts.ownCompany(call.principal, spelled(call.query.companyID));
      return own !== undefined;
    },
  }),
];

/** A picture as a URL that needs no further request, and so no token. */
function dataUrlOf({ bytes, mediaType }: CompanyLogo): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** A GUID in the engine's spelling; a name unchanged. */
function spelled(id: string): string {
  return guidOf(id) ?? id;
}

function named<T>(fields: readonly (readonly [name: string, value: T])[]): Record<string, T> {
  return Object.fromEntries(fields.map(([name, value]) => [wireNameOf(name), value]));
}

function profileOf(profile: Profile): Record<string, unknown> {
  const { currency, registrationDate, trialStartDate } = profile;
  return named<unknown>(
    Object.entries({
      ...profile,
      registrationDate: registrationDate?.toISOString() ?? null,
      trialStartDate: trialStartDate?.toISOString() ?? null,
      currency: currency === null ? null : { Code: currency.code, Symbol: currency.symbol, Name: currency.name },
    }),
  );
}
