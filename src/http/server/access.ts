import type { Principal } from '../../accounts/index.js';
import { EngineError, type Engine, type SeenInputs } from '../../index.js';
import type { Access } from './endpoint.js';
import { guidOf } from './parameters.js';
import type { HttpOptions } from './http-options.js';
import { Problem } from './problem.js';

/** The sender of a request and the company that it is about. */
export interface Caller {
  readonly principal: Principal | undefined;
  readonly companyName: string | undefined;
  /** Members see their own search inputs, admins and operators those of everybody. */
  readonly seen: SeenInputs;
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
 * Determines for which company the sender (see {@link principalOf}) works, and whether it may call the endpoint at all.
 * @throws Unauthorized; Problem 403; 404 for an account that does not exist.
 */
export async function admit(
  engine: Engine,
  request: Request,
  principal: Principal | undefined,
  access: Access,
  query: URLSearchParams,
): Promise<Caller> {
  if (access === 'none') return { principal: undefined, companyName: undefined, seen: 'none' };
  const accountName = query.get('accountName') ?? '';
  if (principal === undefined) {
    const token = request.headers.has('authorization');
    const companyName = token ? undefined : await companyForNobody(engine, access, query, accountName);
    if (companyName === undefined) throw new Unauthorized(token);
    // An image token is for one picture that its maker saw; of a public company no input is public.
    return { principal, companyName, seen: access === 'image' ? 'all' : 'none' };
  }
  const needs = access === 'app' || access === 'admin' || access === 'operator' ? access : 'user';
  const companyName = await engine.accounts.companyFor(principal, { needs, named: accountName }).catch(refused);
  return { principal, companyName, seen: principal.role === 'member' ? { of: principal.userUid } : 'all' };
}

/** The sender according to the host's own verifier or the bearer token; undefined without a valid token. */
export async function principalOf(
  engine: Engine,
  options: HttpOptions,
  request: Request,
): Promise<Principal | undefined> {
  const own = await options.authenticate?.(request);
  if (own !== undefined) return own;
  const token = bearerOf(request);
  return token === undefined ? undefined : engine.accounts.principalOf(token);
}

/** The token that a request carries. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +([\w.~+/-]{1,4096}=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
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

function refused(cause: unknown): never {
  if (!(cause instanceof EngineError)) throw cause;
  if (cause.code === 'NOT_ALLOWED') throw new Problem(403, cause.message);
  if (cause.code !== 'ACCOUNT_UNKNOWN') throw cause;
  throw new Problem(404, 'There is no such account.', { errors: { accountName: ['names no account'] } });
}
