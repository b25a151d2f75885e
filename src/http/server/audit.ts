import type { Principal } from '../../accounts/index.js';
import type { Engine } from '../../index.js';
import type { Call } from './call.js';
import type { Endpoint } from './endpoint.js';

/**
 * Endpoints that change nothing of the company, although their method is none of reading, and `/mcp`, whose tools are
 * noted one by one.
 */
const NO_CHANGES: ReadonlySet<string> = new Set([
  'post /mcp',
  'post /FindFile',
  'post /Token',
  'post /OpenId',
  // Noted with whose sign-ins end.
  'post /OpenIdLogout',
  'put /Input',
  'put /Search',
  'put /ConvertFiles',
  'put /SearchFeedback',
  'put /ExtractedAttributeFeedback',
  'delete /Session',
]);
/** Endpoints that store search inputs unless this parameter is false. */
const UPLOADS: ReadonlySet<string> = new Set(['put /File', 'put /FileBinary', 'put /FileBinaryDirect']);
/** Parameters that say what is changed, in the order in which they are looked for, without regard to case. */
const OBJECTS = ['fileUID', 'path', 'file', 'fileName', 'uids', 'emailID', 'email', 'id', 'ids', 'name', 'field'];

interface Sent {
  readonly endpoint: Endpoint | undefined;
  readonly principal: Principal | undefined;
  readonly companyName: string | undefined;
  readonly address: string | undefined;
  readonly url: URL;
}

/**
 * Notes a change, or one that was refused to somebody who signed in. What nobody signed in for is not noted: an attack
 * would write.
 */
export async function noteChange(
  { accounts }: Engine,
  { endpoint, principal, companyName, address, url }: Sent,
  status: number,
): Promise<void> {
  if (endpoint === undefined || endpoint.method === 'get' || principal === undefined) return;
  const name = `${endpoint.method} ${endpoint.path}`;
  if (NO_CHANGES.has(name) || (status >= 400 && status !== 403)) return;
  const parameters = new Map([...url.searchParams].map(([key, value]) => [key.toLowerCase(), value]));
  if (UPLOADS.has(name) && !/^(false|0)$/i.test(parameters.get('issearchinput') ?? '')) return;
  const found = OBJECTS.map((key) => parameters.get(key.toLowerCase())).find((value) => value !== undefined);
  await accounts.audit.note({
    company: companyName ?? principal.companyName ?? null,
    actor: nameOf(principal),
    source: address ?? null,
    action: `${endpoint.method.toUpperCase()} ${endpoint.path.slice(1)}`,
    object: found ?? null,
    outcome: status < 400 ? 'done' : String(status),
  });
}

/** Notes what a tool of an agent changed. */
export async function noteToolChange(
  { engine, principal, companyName, client }: Call<unknown>,
  action: string,
  object: string,
): Promise<void> {
  const actor = principal === undefined ? null : nameOf(principal);
  const source = client.address ?? null;
  await engine.accounts.audit.note({ company: companyName, actor, source, action, object, outcome: 'done' });
}

function nameOf({ email, clientId }: Principal): string | null {
  return email ?? clientId ?? null;
}
