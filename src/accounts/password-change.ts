import { createHash, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.js';

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

/**
 * The commonest passwords. Passwords arrive as SHA-1, which hides their length and their words, so that what must not
 * be chosen is looked for by its own digest.
 */
const COMMON = `
  1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 987654321 0987654321 11111111 00000000 88888888
  12341234 12344321 123123123 112233 111111 000000 123123 121212 654321 666666 abc123 abcd1234 a1b2c3d4 abcdefgh
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qazwsxedc zaq12wsx q1w2e3r4 qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwertyui
  qwertyuiop asdfghjk asdfghjkl asdfasdf zxcvbnm aa123456 password password1 password12 password123 password1234
  Password Password1 Password123 Password1! P@ssw0rd p@ssword passw0rd Passw0rd pass1234 passwort Passwort1 kennwort
  motdepasse azerty azertyuiop contraseña admin admin123 administrator adminadmin root toor guest test test1234 testtest
  user user1234 login letmein letmein1 welcome welcome1 Welcome1 welcome123 hello123 changeme changeme1 default secret
  secret123 master iloveyou princess princess1 sunshine sunshine1 football football1 baseball basketball superman
  batman1234 trustno1 whatever starwars computer internet michelle jennifer charlie1 dragon monkey shadow summer2024
  winter2024 summer2025 winter2025 summer2026 winter2026 iloveyou1 google123 samsung1 access14 mustang1 corvette
  shapedex shapedex1 shapedex123`
  .trim()
  .split(/\s+/);

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

/**
 * Refuses the password (its SHA-1, 20 bytes) that anybody would try first: none at all, one of the commonest, a name of
 * the owner or of the company, the one that it replaces.
 * @throws EngineError `NOT_ALLOWED` (`details.what`: 'password').
 * @internal
 */
export function checkNewPassword(next: Uint8Array, owner: PasswordOwner, current: Uint8Array): void {
  if (timingSafeEqual(next, current)) throw refused('the new password is the present one: choose another');
  const { email, firstName, lastName, companyName } = owner;
  const names = [email, email.slice(0, email.lastIndexOf('@')), email.slice(email.lastIndexOf('@') + 1)]
    .concat(firstName, lastName, `${firstName} ${lastName}`, `${firstName}${lastName}`, companyName ?? '')
    .flatMap((name) => [name, name.toLowerCase(), name.replaceAll(' ', '')]);
  if (['', ...COMMON, ...names].some((text) => digestOf(text).equals(next)))
    throw refused('the new password is one that is guessed first: a common one, or a name of yours or your company');
}

function digestOf(text: string): Buffer {
  return createHash('sha1').update(text).digest();
}

function refused(message: string): EngineError {
  return new EngineError('NOT_ALLOWED', message, { details: { what: 'password' } });
}
