import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpOptions } from '../http/index.js';
import type { Engine, Principal } from '../index.js';

/** A key to the page, good until this process ends and kept nowhere. */
export interface PageKey {
  readonly key: string;
  readonly authenticate: NonNullable<HttpOptions['authenticate']>;
}

/** The user whose saved searches and inputs those of the key are. Nobody knows the password: it is random, and thrown away. */
const LOCAL_EMAIL = 'operator@localhost.localdomain';
const KEY_BYTES = 24;

/** Makes a key that lets in whoever holds it as an operator of a company: for a server that only this machine reaches. */
export async function makePageKey({ accounts }: Engine, companyName: string): Promise<PageKey> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const user =
    (await accounts.user(LOCAL_EMAIL)) ??
    (await accounts.addUser({
      email: LOCAL_EMAIL,
      firstName: 'Local',
      lastName: 'operator',
      passwordDigest: randomBytes(20),
      company: companyName,
      role: 'operator',
    }));
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
      const token = /^Bearer +([\w-]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      // Digests are compared, so that neither time nor length tells anything.
      return token !== undefined && timingSafeEqual(digestOf(token), expected) ? principal : undefined;
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
