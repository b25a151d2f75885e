import { createHash, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.js';
import { isCommonPassword, variantsOf } from './common-passwords.js';

/** A password that a user replaces. Passwords are given as their SHA-1, 20 bytes. */
export interface PasswordChange {
  /** GUID of the user. */
  readonly user: string;
  readonly current: Uint8Array;
  readonly next: Uint8Array;
  /** Access token of the sign-in that goes on; all others end. Absent: all end. */
  readonly token?: string;
  /** Network address of the sender. */
  readonly source?: string;
}

/** @internal */
export function wrongCurrent(): EngineError {
  return new EngineError('CREDENTIALS_INVALID', 'the current password is another one', {
    details: { what: 'current' },
  });
}

/** Whose password it is to be: its own names are the first that others guess. */
interface PasswordOwner {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string | null;
}

/** Shorter words of a name are no name by themselves, characters. */
const SHORTEST_WORD = 3;

/**
 * Passwords arrive as SHA-1, which hides their length and their words, so that what must not be chosen is looked for by
 * its own digest. Refuses the password (its SHA-1, 20 bytes) that anybody would try first: none at all, one of the
 * commonest, a name of the owner or of the company or a word of one, alone or with an ending such as `2026` or `123!`,
 * the one that it replaces. current: that one; undefined for a new account.
 * @throws EngineError `NOT_ALLOWED` (`details.what`: 'password').
 * @internal
 */
export function checkNewPassword(next: Uint8Array, owner: PasswordOwner, current: Uint8Array | undefined): void {
  if (current !== undefined && timingSafeEqual(next, current))
    throw refused('the new password is the present one: choose another');
  const { email, firstName, lastName, companyName } = owner;
  const names = [email, email.slice(0, email.lastIndexOf('@')), email.slice(email.lastIndexOf('@') + 1)]
    .concat(firstName, lastName, `${firstName} ${lastName}`, companyName ?? '')
    .flatMap((name) => [name, name.replaceAll(' ', ''), ...name.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= SHORTEST_WORD)
    .flatMap((word) => [word, word.toLowerCase()]);
  const digest = Buffer.from(next).toString('base64');
  let isGuessed = digest === digestOf('') || isCommonPassword(next);
  for (const word of variantsOf(new Set(names))) isGuessed ||= digest === digestOf(word);
  if (isGuessed)
    throw refused('the new password is one that is guessed first: a common one, or a name of yours or your company');
}

/** SHA-1 of a text, base64. */
function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

function refused(message: string): EngineError {
  return new EngineError('NOT_ALLOWED', message, { details: { what: 'password' } });
}
