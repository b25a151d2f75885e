import { z } from '@hono/zod-openapi';
import { PROFILE_FIELDS, type CompanyProfile as Profile } from '../../accounts/index.js';
import { endpoint } from '../server/endpoint.js';
import { given, Problem } from '../server/problem.js';
import { guidOf, requiredText } from '../wire/parameters.js';

const Currency = z.object({ Code: z.string(), Symbol: z.string(), Name: z.string() }).openapi('Currency');

/** The type of a profile field, from its default value; where that is null, from its name. */
function schemaOf(name: string, fallback: unknown): z.ZodType {
  if (typeof fallback === 'boolean') return z.boolean();
  if (typeof fallback === 'number') return name.startsWith('viewScoreThreshold') ? z.number() : z.int();
  if (name === 'currency') return z.union([Currency, z.null()]);
  if (name === 'registrationDate') return z.string().openapi({ format: 'date-time' });
  if (name === 'trialStartDate') return z.string().nullable().openapi({ format: 'date-time' });
  if (/DeficitThreshold$/.test(name)) return z.int().nullable();
  if (/^(scoreThreshold|exact.*Tolerance)$/.test(name)) return z.number().nullable();
  return z.string().nullable();
}

const CompanyProfile = z
  .object(
    Object.fromEntries(Object.entries(PROFILE_FIELDS).map(([name, { fallback }]) => [name, schemaOf(name, fallback)])),
  )
  .openapi('CompanyProfile');

const companyID = requiredText({ about: "The company's id (SpaceID) or name.", most: 200 });

export const COMPANY_PROFILE = [
  endpoint({
    method: 'get',
    path: '/CompanyProfile',
    tag: 'Company',
    summary: 'What a company has set',
    access: 'user',
    answer: CompanyProfile,
    query: z.object({ companyID }),
    statuses: { 404: "Unknown company, or another's." },
    respond: async (call) => {
      if (call.principal?.role !== 'operator') void call.companyName; // Throws 403 for a user without a company.
      const { accounts } = call.engine;
      const account = await given('companyID', accounts.companySeenBy(call.principal, spelled(call.query.companyID)));
      if (account === undefined)
        throw new Problem(404, 'There is no such company.', { errors: { companyID: ['names no company'] } });
      return profileOf(await accounts.profile(account.name));
    },
  }),
  endpoint({
    method: 'put',
    path: '/CompanyProfile',
    tag: 'Company',
    summary: 'Creates an account',
    access: 'operator',
    answer: z.string().openapi({ format: 'uuid', description: 'Id of the company.' }),
    query: z.object({ accountName: requiredText({ about: 'Name of the company.', most: 100 }) }),
    statuses: { 409: 'There is one of this name.' },
    respond: async (call) => (await given('accountName', call.engine.accounts.addCompany(call.query.accountName))).uid,
  }),
  endpoint({
    method: 'get',
    path: '/IsEmployee',
    tag: 'Company',
    summary: 'Whether the user belongs to a company',
    access: 'user',
    answer: z.boolean(),
    query: z.object({ companyID }),
    respond: async (call) => {
      const own = await call.engine.accounts.ownCompany(call.principal, spelled(call.query.companyID));
      return own !== undefined;
    },
  }),
];

/** A GUID in the engine's spelling; a name unchanged. */
function spelled(id: string): string {
  return guidOf(id) ?? id;
}

function profileOf(profile: Profile): Record<string, unknown> {
  const { currency, registrationDate, trialStartDate } = profile;
  return {
    ...profile,
    registrationDate: registrationDate?.toISOString() ?? null,
    trialStartDate: trialStartDate?.toISOString() ?? null,
    currency: currency === null ? null : { Code: currency.code, Symbol: currency.symbol, Name: currency.name },
  };
}
