import { createHash } from 'node:crypto';
import type { Settings } from '../../store/database/settings.js';

/** Who somebody is for an identity provider. */
export interface IdentityKey {
  /** The provider's issuer. */
  readonly issuer: string;
  /** The provider's name for the person, which is never given to another. */
  readonly subject: string;
}

/** Which user an identity is; the hash of the identity stands after it. */
const IDENTITY = 'identity ';
/** Which identity a user is; the user's GUID stands after it. @internal */
export const IDENTITY_OF = 'identity of ';

/** The GUID of the user who is this identity. @internal */
export function userOfIdentity(settings: Settings, key: IdentityKey): string | undefined {
  return settings.get(IDENTITY + hashOf(key));
}

/** Whether a user signs in by a provider. @internal */
export function hasIdentity(settings: Settings, uid: string): boolean {
  return settings.get(IDENTITY_OF + uid) !== undefined;
}

/** Notes who a user is for a provider. Only within a transaction. @internal */
export function noteIdentity(settings: Settings, uid: string, key: IdentityKey): void {
  const hash = hashOf(key);
  settings.set(IDENTITY + hash, uid);
  settings.set(IDENTITY_OF + uid, hash);
}

/** Forgets the identity of a user who is removed. Only within a transaction. @internal */
export function forgetIdentity(settings: Settings, uid: string): void {
  const hash = settings.get(IDENTITY_OF + uid);
  if (hash === undefined) return;
  settings.remove(IDENTITY_OF + uid);
  settings.remove(IDENTITY + hash);
}

function hashOf({ issuer, subject }: IdentityKey): string {
  return createHash('sha256').update(`${issuer}\n${subject}`).digest('hex');
}
