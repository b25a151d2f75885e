import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { CallbackSettings } from './tables/deliveries.js';
import { checkAddresses, checkAllowList, normalHost } from './addresses.js';
import { checkText } from './checks.js';

/** Where a company receives its callbacks. */
export interface NewCallback {
  /** http or https, without user name and password; at most 2 000 characters. */
  readonly url: string;
  /** `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0). Absent: a new secret is made. */
  readonly secret?: string;
  /** Host names, addresses and networks that callbacks may reach although they are private. Default: none. */
  readonly allow?: readonly string[];
}

const URL_LIMIT = 2_000;
const SECRET_PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;

/**
 * Checks the settings of callbacks.
 * @throws TypeError or RangeError that names the wrong field; EngineError `ADDRESS_REFUSED` for an address in a private
 * network. (A host name is checked each time it is used.)
 * @internal
 */
export function checkCallback({ url, secret, allow = [] }: NewCallback): CallbackSettings & { secret: Uint8Array } {
  const text = checkText('callback.url', url, { least: 1, most: URL_LIMIT });
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new RangeError(
      `callback.url must be an http or https address without user and password, received ${JSON.stringify(text)}`,
    );
  }
  const entries = checkAllowList(allow);
  const host = normalHost(parsed.hostname);
  const family = isIP(host);
  if (family !== 0) checkAddresses(host, [{ address: host, family: family as 4 | 6 }], entries);
  return {
    url: parsed.href,
    allow: entries,
    secret: secret === undefined ? randomBytes(NEW_SECRET_BYTES) : secretOf(secret),
  };
}

/**
 * A secret in the form that receivers get.
 * @internal
 */
export function secretText(secret: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(secret).toString('base64');
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): HMAC-SHA256 over id, time (s since 1970) and body.
 * @internal
 */
export function signatureOf(
  secret: Uint8Array,
  { id, timestampS, body }: { id: string; timestampS: number; body: string },
): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestampS}.${body}`).digest('base64')}`;
}

function secretOf(text: unknown): Uint8Array {
  const bytes =
    typeof text === 'string' && text.startsWith(SECRET_PREFIX)
      ? Buffer.from(text.slice(SECRET_PREFIX.length), 'base64')
      : undefined;
  if (bytes === undefined || bytes.length < 24 || bytes.length > 64 || secretText(bytes) !== text) {
    // The message does not repeat the secret.
    throw new RangeError(`callback.secret must be ${SECRET_PREFIX} and the base64 of 24 to 64 bytes`);
  }
  return bytes;
}
