import { z } from '@hono/zod-openapi';
import type { UserProfile as User } from '../../accounts/index.js';
import { EngineError } from '../../index.js';
import { principalOf } from '../server/access.js';
import { endpointsOf } from '../server/endpoint.js';
import { badField, given, Problem } from '../server/problem.js';
import { requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('Users');

/** A user as the interface spells it. */
export const UserProfile = z
  .object({
    UID: z.string(),
    EmailID: z.string(),
    FirstName: z.string(),
    LastName: z.string(),
    CompanyID: z.string().nullable(),
    CompanyName: z.string().nullable(),
    IsAdmin: z.boolean(),
    IsWaiting: z.boolean().openapi({ description: 'True: cannot sign in until an admin of the company lets it in.' }),
    DateAdded: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('UserProfile');

/** Bytes of a SHA-1. */
const DIGEST_BYTES = 20;

const emailID = requiredText({ about: 'E-mail address.', most: 320 });
const password = requiredText({ about: 'base64 of the SHA-1 of the password.', most: 100 });

export const USERS = [
  endpoint('GET /User', {
    summary: 'Checks credentials',
    about: 'Null: they are wrong, too old, or no admin has let the user in yet.',
    access: 'none',
    secret: true,
    answer: z.union([UserProfile, z.null()]),
    query: z.object({ emailID, password }),
    statuses: { 429: 'Too many attempts; Retry-After says when to try again.' },
    respond: async (call) => {
      const { emailID: email, password } = call.query;
      const given = { source: call.client.address, signal: call.signal };
      const user = await call.engine.accounts.verifyPassword(email, digestOf(password), given).catch(expired);
      return user === undefined ? null : profileOf(user);
    },
  }),
  endpoint('PUT /User', {
    summary: 'Creates a user',
    access: 'none',
    secret: true,
    answer: UserProfile,
    about:
      "Without companyId the user joins the company that the e-mail address's domain is mapped to, if there is one. " +
      'With it, that company must be this one, or the request must carry the token of one of its admins. A user made ' +
      "with an admin's token may sign in at once; every other one waits until an admin lets it in (IsWaiting), unless " +
      "the company's profile says signUp=domain; signUp=off refuses. A common password, or one that is a name of the " +
      'user or the company, is refused (400).',
    query: z.object({
      emailID,
      firstName: requiredText({ about: 'First name.', most: 100 }),
      lastName: requiredText({ about: 'Last name.', most: 100 }),
      password,
      companyId: text({ about: 'Id of the company.', most: 200 }),
    }),
    statuses: {
      403: 'The company is not open to the user.',
      409: 'There is a user with this address.',
      429: 'Too many sign-ups from this address, or too many that wait; Retry-After says when to try again.',
    },
    respond: async (call) => {
      const { emailID: email, firstName, lastName, password, companyId } = call.query;
      const { accounts } = call.engine;
      const user = await given(
        'emailID',
        accounts.signUp({
          email,
          firstName,
          lastName,
          passwordDigest: digestOf(password),
          companyUid: companyId,
          by: await principalOf(call.engine, call.options, call.request),
          source: call.client.address,
        }),
      ).catch(refused);
      return profileOf(user);
    },
  }),
];

/** The interface's answer for a password that others try first, 400, and for a company that is not open, 403. */
function refused(cause: unknown): never {
  if (!(cause instanceof EngineError && cause.code === 'NOT_ALLOWED')) throw cause;
  throw cause.details['what'] === 'password' ? badField('password', cause.message) : new Problem(403, cause.message);
}

/** An initial password that is good no more opens nothing. */
function expired(cause: unknown): undefined {
  if (!(cause instanceof EngineError && cause.details['what'] === 'expired')) throw cause;
}

function digestOf(text: string): Uint8Array {
  // A plus sign that was not percent-encoded arrives as a space.
  const plain = text.trim().replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
  const digest = Buffer.from(plain, 'base64');
  if (!/^[A-Za-z0-9+/]{27}=?$/.test(plain) || digest.length !== DIGEST_BYTES)
    throw badField('password', 'password must be the base64 of a SHA-1 (20 bytes)');
  return new Uint8Array(digest);
}

/** A user in the names of the interface. */
export function profileOf({
  uid,
  email,
  firstName,
  lastName,
  companyId,
  companyName,
  role,
  isWaiting,
  addedAt,
}: User): z.output<typeof UserProfile> {
  return {
    UID: uid,
    EmailID: email,
    FirstName: firstName,
    LastName: lastName,
    CompanyID: companyId,
    CompanyName: companyName,
    IsAdmin: role !== 'member',
    IsWaiting: isWaiting,
    DateAdded: addedAt.toISOString(),
  };
}
