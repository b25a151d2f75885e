import type { ProvenIdentity, Role } from '../../accounts/index.js';
import type { CheckedOpenId } from './open-id-options.js';

/** What a provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>>;

/** Somebody whom the provider knows and who may not enter, in words for that person. */
export class Refused extends Error {}

const RANK: readonly Role[] = ['member', 'admin', 'operator'];

/** Whether an answer of the provider must be looked up, because the token itself lacks something. */
export function lacks(claims: Claims, { groupsClaim, roles, companyClaim }: CheckedOpenId): boolean {
  return (
    claims['email'] === undefined ||
    (roles !== undefined && valueAt(claims, groupsClaim) === undefined) ||
    (companyClaim !== undefined && valueAt(claims, companyClaim) === undefined)
  );
}

/**
 * Who somebody is here.
 * @throws Refused for who has no verified address, no group that may enter, or no company.
 */
export function identityOf(claims: Claims, options: CheckedOpenId): ProvenIdentity {
  const { iss, sub, email, email_verified: isVerified, given_name: first, family_name: last, name } = claims;
  if (typeof email !== 'string' || email === '') throw new Refused('the provider names no e-mail address');
  if (isVerified !== true && !options.trustEmail) throw new Refused('the e-mail address is not verified');
  return {
    issuer: String(iss),
    subject: String(sub),
    email,
    firstName: textOf(first) ?? textOf(name),
    lastName: textOf(last),
    company: companyOf(claims, options),
    role: roleOf(claims, options),
    mayJoin: options.newUsers,
  };
}

function companyOf(claims: Claims, { company, companyClaim }: CheckedOpenId): string | undefined {
  if (companyClaim === undefined) return company;
  const value = valueAt(claims, companyClaim);
  const named = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  if (typeof named !== 'string' || named === '') throw new Refused('the provider names no company');
  return named;
}

function roleOf(claims: Claims, { groupsClaim, roles, others }: CheckedOpenId): Role | undefined {
  if (roles === undefined) return undefined;
  const value = valueAt(claims, groupsClaim);
  // Entra ID leaves out more than 200 groups and says so: nobody's role is guessed then.
  if (value === undefined && isLeftOut(claims, groupsClaim))
    throw new Refused('the provider left out the groups, because there are too many: use app roles instead');
  const groups: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  let rank = others === 'nobody' ? -1 : 0;
  for (const group of groups)
    if (typeof group === 'string' && Object.hasOwn(roles, group)) rank = Math.max(rank, RANK.indexOf(roles[group]));
  if (rank < 0) throw new Refused('no group of this person may enter');
  return RANK[rank];
}

/** Whether the provider says where a claim is to be asked for instead of stating it (OpenID Connect Core, 5.6.2). */
function isLeftOut({ _claim_names: names }: Claims, claim: string): boolean {
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
}

/** The claim of this name, or the one that dots lead to. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Claims)[key] : undefined,
      claims,
    );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
