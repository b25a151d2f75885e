import { z } from '@hono/zod-openapi';
import type { Principal, UserProfile as User } from '../../accounts/index.js';
import { principalOf } from '../server/access.js';
import type { Call } from '../server/call.js';
import { endpoint } from '../server/endpoint.js';
import { badField, given, Problem } from '../server/problem.js';
import { requiredText, text } from '../wire/parameters.js';

const UserProfile = z
  .object({
    UID: z.string(),
    EmailID: z.string(),
    FirstName: z.string(),
    LastName: z.string(),
    CompanyID: z.string().nullable(),
    CompanyName: z.string().nullable(),
    IsAdmin: z.boolean(),
    DateAdded: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('UserProfile');

/** Bytes of a SHA-1. */
const DIGEST_BYTES = 20;

const emailID = requiredText({ about: 'E-mail address.', most: 320 });
const password = requiredText({ about: 'base64 of the SHA-1 of the password.', most: 100 });

export const USERS = [
  endpoint({
    method: 'get',
    path: '/User',
    tag: 'Users',
    summary: 'Checks credentials',
    about: 'Null: they are wrong.',
    access: 'none',
    secret: true,
    answer: z.union([UserProfile, z.null()]),
    query: z.object({ emailID, password }),
    statuses: { 429: 'Too many attempts; Retry-After says when the next is heard.' },
    respond: async (call) => {
      const { emailID: email, password } = call.query;
      const user = await call.engine.accounts.verifyPassword(email, digestOf(password), {
        source: call.client.address,
      });
      return user === undefined ? null : profileOf(user);
    },
  }),
  endpoint({
    method: 'put',
    path: '/User',
    tag: 'Users',
    summary: 'Creates a user',
    access: 'none',
    secret: true,
    answer: UserProfile,
    about:
      "Without companyId the user joins the company that the e-mail address's domain is mapped to, if there is one. " +
      'With it, that company must be this one, or the request must carry the token of one of its admins.',
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
      429: 'Too many passwords wait to be kept.',
    },
    respond: async (call) => {
      const { emailID: email, firstName, lastName, password, companyId } = call.query;
      const company = companyId === undefined ? undefined : await companyToJoin(call, companyId, email);
      return profileOf(
        await given(
          'emailID',
          call.engine.accounts.addUser({
            email,
            firstName,
            lastName,
            passwordDigest: digestOf(password),
            company,
            role: 'member',
          }),
        ),
      );
    },
  }),
];

/**
 * Name of the company; a company that is not open and one that does not exist give the same answer. @throws Problem
 * 403.
 */
async function companyToJoin<Query>(
  { engine, options, request }: Call<Query>,
  companyId: string,
  email: string,
): Promise<string> {
  const by = (): Promise<Principal | undefined> => principalOf(engine, options, request);
  const name = await given('emailID', engine.accounts.companyToJoin(companyId, { email, by }));
  if (name === undefined) throw new Problem(403, 'The company is not open to this user.');
  return name;
}

function digestOf(text: string): Uint8Array {
  // A plus sign that was not percent-encoded arrives as a space.
  const plain = text.trim().replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
  const digest = Buffer.from(plain, 'base64');
  if (!/^[A-Za-z0-9+/]{27}=?$/.test(plain) || digest.length !== DIGEST_BYTES)
    throw badField('password', 'password must be the base64 of a SHA-1 (20 bytes)');
  return new Uint8Array(digest);
}

function profileOf({
  uid,
  email,
  firstName,
  lastName,
  companyId,
  companyName,
  role,
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
    DateAdded: addedAt.toISOString(),
  };
}
