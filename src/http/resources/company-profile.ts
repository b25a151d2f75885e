import { z } from '@hono/zod-openapi';
import { PROFILE_FIELDS, type CompanyAccount, type CompanyProfile as Profile } from '../../accounts/index.js';
import type { Call } from '../server/call.js';
import { endpoint } from '../server/endpoint.js';
import { given, Problem } from '../server/problem.js';
import { guidOf, requiredText } from '../wire/parameters.js';

const Currency = z.object({ Code: z.string(), Symbol: z.string(), Name: z.string() }).openapi('Currency');

/** The type of a field, by what it is until it is set; of those that are null then, by name. */
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
      const account = await ownCompany(call, call.query.companyID);
      if (account === undefined)
        throw new Problem(404, 'There is no such company.', { errors: { companyID: ['names no company'] } });
      return profileOf(account, await call.engine.accounts.profile(account.name));
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
      const own = call.principal?.companyName;
      if (own === undefined) return false;
      const account = await call.engine.accounts.companyNamed(own);
      return account !== undefined && isNamed(account, call.query.companyID);
    },
  }),
];

/** The company of this id or name, when it is the caller's; operators see all. */
async function ownCompany<Query>(call: Call<Query>, id: string): Promise<CompanyAccount | undefined> {
  const { accounts } = call.engine;
  if (call.principal?.role === 'operator') {
    const uid = guidOf(id);
    const byUid = uid === undefined ? undefined : await accounts.companyByUid(uid);
    return byUid ?? given('companyID', accounts.companyNamed(id));
  }
  const own = await accounts.companyNamed(call.companyName);
  return own !== undefined && isNamed(own, id) ? own : undefined;
}

function isNamed({ uid, name }: CompanyAccount, id: string): boolean {
  return guidOf(id) === uid || id.normalize('NFC').trim() === name;
}

function profileOf({ name, addedAt }: CompanyAccount, profile: Profile): Record<string, unknown> {
  const { currency, registrationDate, trialStartDate } = profile;
  return {
    ...profile,
    name: profile.name ?? name,
    registrationDate: (registrationDate ?? addedAt).toISOString(),
    trialStartDate: trialStartDate?.toISOString() ?? null,
    currency: currency === null ? null : { Code: currency.code, Symbol: currency.symbol, Name: currency.name },
  };
}
