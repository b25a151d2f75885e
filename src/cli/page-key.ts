import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpOptions } from '../http/index.js';
import type { Principal } from '../accounts/index.js';
import type { Engine } from '../index.js';

/** A key to the page. It is valid until this process ends and is never stored. */
export interface PageKey {
  readonly key: string;
  readonly authenticate: NonNullable<HttpOptions['authenticate']>;
}

/**
 * The user who owns the saved searches and inputs made with the key. The password is random and discarded, so nobody
 * can sign in with it.
 */
const LOCAL_EMAIL = 'operator@localhost.localdomain';
const KEY_BYTES = 24;

/** Headers that proxies add. A browser on this machine sends none of them. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Makes a key that lets in whoever holds it as an operator of a company: for a server that only this machine reaches.
 * Unless `throughProxies`, it is refused in requests that a proxy has passed on.
 */
export async function makePageKey(
  { accounts }: Engine,
  companyName: string,
  { throughProxies }: { readonly throughProxies: boolean },
): Promise<PageKey> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const known = await accounts.user(LOCAL_EMAIL);
  // Anybody may ask for an account under this address: who waits is no operator, and gives way.
  const user =
    known?.role === 'operator' && !known.isWaiting
      ? known
      : await accounts.addUser({
          email: LOCAL_EMAIL,
          firstName: 'Local',
          lastName: 'operator',
          passwordDigest: randomBytes(20),
          company: companyName,
          role: 'operator',
        });
  const principal: Principal = {
    kind: 'user',
    userUid: user.uid,
    email: user.email,
    companyName,
    role: 'operator',
    tokenId: 'page-key',
  };
  const expected = digestOf(key);
  return {
    key,
    authenticate: async ({ headers }) => {
      if (!throughProxies && PROXY_HEADERS.some((name) => headers.has(name))) return undefined;
      const token = /^Bearer +([\w-]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      // Digests are compared, so that neither the time nor the length of the key leaks.
      return token !== undefined && timingSafeEqual(digestOf(token), expected) ? principal : undefined;
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
