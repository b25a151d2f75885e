import type { Principal } from '../../accounts/index.js';
import type { Engine } from '../../index.js';
import type { Access } from './endpoint.js';
import { guidOf } from '../wire/parameters.js';
import type { HttpOptions } from './http-options.js';
import { Problem } from './problem.js';

/** The sender of a request and the company that it is about. */
export interface Caller {
  readonly principal: Principal | undefined;
  readonly companyName: string | undefined;
}

/** 401 with an empty body. */
export class Unauthorized extends Problem {
  constructor(tokenGiven: boolean) {
    super(401, 'The token is missing, expired or invalid.', {
      headers: { 'WWW-Authenticate': tokenGiven ? 'Bearer error="invalid_token"' : 'Bearer' },
    });
  }
}

/**
 * Determines who sends a request and whether the sender may call the endpoint at all.
 * @throws Unauthorized; Problem 403; 404 for an account that does not exist.
 */
export async function admit(
  engine: Engine,
  options: HttpOptions,
  request: Request,
  access: Access,
  query: URLSearchParams,
): Promise<Caller> {
  if (access === 'none') return { principal: undefined, companyName: undefined };
  const principal = await principalOf(engine, options, request);
  const accountName = query.get('accountName') ?? '';
  if (principal === undefined) {
    const token = request.headers.has('authorization');
    const companyName = token ? undefined : await companyForNobody(engine, access, query, accountName);
    if (companyName === undefined) throw new Unauthorized(token);
    return { principal, companyName };
  }
  if (access !== 'app' && principal.kind === 'app')
    throw new Problem(403, "This needs a user's token; the token is an app's.");
  if (access === 'operator' && principal.role !== 'operator')
    throw new Problem(403, 'This needs special access: the role operator.');
  // accountName of members and admins is ignored: an answer would only tell them which accounts exist.
  if (access === 'operator' || principal.role !== 'operator' || accountName === '')
    return { principal, companyName: principal.companyName };
  const account = await engine.accounts.companyNamed(accountName).catch(ofWrongName);
  if (account === undefined)
    throw new Problem(404, 'There is no such account.', { errors: { accountName: ['names no account'] } });
  return { principal, companyName: account.name };
}

/** The sender according to the host's own verifier or the bearer token; undefined without a valid token. */
export async function principalOf(
  engine: Engine,
  options: HttpOptions,
  request: Request,
): Promise<Principal | undefined> {
  const own = await options.authenticate?.(request);
  if (own !== undefined) return own;
  const token = /^Bearer +([\w.~+/-]{1,4096}=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  return token === undefined ? undefined : engine.accounts.principalOf(token);
}

async function companyForNobody(
  engine: Engine,
  access: Access,
  query: URLSearchParams,
  accountName: string,
): Promise<string | undefined> {
  if (access === 'image') {
    const uid = guidOf(query.get('fid') ?? '');
    return uid === undefined ? undefined : engine.accounts.checkImageToken(query.get('token') ?? '', uid);
  }
  if (access !== 'public' || accountName === '') return undefined;
  return (await engine.accounts.publicCompany(accountName))?.name;
}

/** Undefined for an invalid name: it cannot belong to a company. */
function ofWrongName(cause: unknown): undefined {
  if (!(cause instanceof RangeError)) throw cause;
}
