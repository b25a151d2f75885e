import { z } from '@hono/zod-openapi';
import { EngineError } from '../../index.js';
import { bearerOf } from '../server/access.js';
import type { Call } from '../server/call.js';
import { endpointsOf } from '../server/endpoint.js';
import { formFields } from '../server/form.js';
import { badField, Problem } from '../server/problem.js';

const FIELDS = ['current', 'next'] as const;
type Field = (typeof FIELDS)[number];

/** How a user changes the own password. */
export const PASSWORD = [
  endpointsOf('Additions')('PUT /Password', {
    summary: 'Changes the password of the user whose token it is',
    about:
      'The other sign-ins of the user end. A wrong current password counts as a failed sign-in. A new one that is ' +
      'common, or a name of the user or the company, is refused.',
    body: 'passwords',
    secret: true,
    answer: z.literal(true),
    statuses: { 429: 'Too many attempts; Retry-After says when to try again.' },
    respond: async (call) => {
      if (!call.options.passwordGrant) throw new Problem(403, 'Passwords are switched off.');
      const fields = await formFields(call, FIELDS, (message) => badField('body', message));
      const [current, next] = FIELDS.map((name) => digestOf(name, fields[name]));
      const change = { user: call.userUid, current, next, token: bearerOf(call.request), source: call.client.address };
      await call.engine.accounts.changePassword(change).catch(refused);
      return true;
    },
  }),
];

/** The SHA-1 that a field gives. */
export function digestOf(name: Field, text: string | undefined): Uint8Array {
  if (text === undefined) throw badField(name, 'is required');
  if (!/^[0-9a-f]{40}$/i.test(text)) throw badField(name, 'must be a SHA-1 in hexadecimal (40 digits)');
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/**
 * The password once more; or, where none is sent, the sign-in itself, which stands for it if it is a new one by an
 * identity provider.
 * @throws Problem 400, or 403 where passwords are switched off.
 */
export function onceMore(
  { options, principal }: Pick<Call, 'options' | 'principal'>,
  current: string | undefined,
): { readonly current: Uint8Array } | { readonly signIn: string } {
  const signIn = principal?.tokenId ?? '';
  if (current === undefined && options.openId !== undefined && /^\d+$/.test(signIn)) return { signIn };
  if (!options.passwordGrant) throw new Problem(403, 'Passwords are switched off.');
  return { current: digestOf('current', current) };
}

/** What is wrong with a password is said of its field: 401 and 403 are about the token. */
export function refused(cause: unknown): never {
  if (!(cause instanceof EngineError)) throw cause;
  const { code, message, details } = cause;
  if (code === 'CREDENTIALS_INVALID') throw badField('current', message);
  if (code === 'NOT_ALLOWED' && details['what'] === 'expired') throw badField('current', message);
  if (code === 'NOT_ALLOWED' && details['what'] === 'password') throw badField('next', message);
  // The host's own verifier named somebody who is none of the engine's users.
  if (code === 'ACCOUNT_UNKNOWN') throw new Problem(403, 'The token belongs to no user with a password.');
  throw cause;
}
