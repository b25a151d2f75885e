import { z } from '@hono/zod-openapi';
import type { ApiKey } from '../../accounts/index.js';
import { accountName } from '../resources/files.js';
import { endpointsOf } from '../server/endpoint.js';
import { formFields } from '../server/form.js';
import { maybeInteger, requiredGuid, text } from '../server/parameters.js';
import { badField, given, Problem } from '../server/problem.js';
import { onceMore, refused } from './password.js';

const endpoint = endpointsOf('Additions');

const Time = z.string().openapi({ format: 'date-time' });
const Key = z
  .object({
    id: z.string(),
    name: z.string().openapi({ description: 'What it is for.' }),
    email: z.string().openapi({ description: 'Whose it is.' }),
    addedAt: Time,
    expiresAt: Time.nullable().openapi({ description: 'Null: it does not end.' }),
    usedAt: Time.nullable().openapi({ description: 'To the hour; null: never.' }),
  })
  .openapi('ApiKey');

/** Keys that a user's programs send instead of a token, and withdraw. */
export const KEYS = [
  endpoint('GET /Keys', {
    summary: 'The keys of the user whose token it is, newest first',
    answer: z.array(Key),
    respond: async ({ engine, userUid }) => (await engine.accounts.keys.list({ user: userUid })).map(wireKey),
  }),
  endpoint('PUT /Keys', {
    summary: 'Makes a key, which is sent as a bearer token',
    about:
      'It does what the user may do. `current` is the password once more, its SHA-1; `days`: until it ends, without ' +
      'end when absent. At most 50 a user. A key does not make keys. Who signed in by the identity provider within ' +
      'the last 10 minutes leaves `current` out.',
    body: 'key',
    secret: true,
    answer: Key.extend({ key: z.string().openapi({ description: 'Told this once.' }) }).openapi('NewApiKey'),
    statuses: { 422: 'The user has 50 keys.', 429: 'Too many attempts; Retry-After says when to try again.' },
    respond: async (call) => {
      const { engine, userUid, principal, client } = call;
      if (principal?.tokenId.startsWith('key ') === true) throw new Problem(403, 'A key does not make keys: sign in.');
      const fields = await formFields(call, ['current', 'name', 'days'], (message) => badField('body', message));
      if (fields.name === undefined) throw badField('name', 'is required');
      if (fields.days !== undefined && !/^\d{1,4}$/.test(fields.days))
        throw badField('days', 'must be a number of days');
      const { key, ...made } = await given(
        'body',
        engine.accounts.keys
          .add({
            user: userUid,
            name: fields.name,
            days: fields.days === undefined ? undefined : Number(fields.days),
            ...onceMore(call, fields.current),
            source: client.address,
          })
          .catch(refused),
      );
      return { ...wireKey(made), key };
    },
  }),
  endpoint('DELETE /Keys', {
    summary: 'Withdraws a key of the user whose token it is',
    answer: z.boolean().openapi({ description: 'False: the user has no such key.' }),
    query: z.object({ id: requiredGuid({ about: 'Id of the key.' }) }),
    respond: async ({ engine, userUid, query }) => engine.accounts.keys.remove(query.id, { user: userUid }),
  }),
  endpoint('GET /CompanyKeys', {
    summary: 'The keys of all users of the company',
    access: 'admin',
    answer: z.array(Key),
    query: z.object({ accountName }),
    respond: async (call) => (await call.engine.accounts.keys.list({ company: call.companyName })).map(wireKey),
  }),
  endpoint('DELETE /CompanyKeys', {
    summary: 'Withdraws a key of a user of the company',
    access: 'admin',
    answer: z.boolean().openapi({ description: 'False: no user of the company has such a key.' }),
    query: z.object({ id: requiredGuid({ about: 'Id of the key.' }), accountName }),
    respond: async (call) => {
      const { keys } = call.engine.accounts;
      const own = await keys.list({ company: call.companyName });
      return own.some(({ id }) => id === call.query.id) && keys.remove(call.query.id);
    },
  }),
  endpoint('GET /Audit', {
    summary: 'Who changed what, newest first',
    about: 'Changes and refused ones (403) of users, programs and commands; kept for 400 days, at most a million.',
    access: 'admin',
    answer: z.array(
      z
        .object({
          id: z.int(),
          at: Time,
          company: z.string().nullable(),
          actor: z.string().nullable().openapi({ description: 'Address of a user, id of a program, or command line.' }),
          source: z.string().nullable().openapi({ description: 'Network address of the sender.' }),
          action: z.string().openapi({ example: 'PUT FileAttributes' }),
          object: z.string().nullable().openapi({ description: 'UID, path or address that it was done to.' }),
          outcome: z.string().openapi({ example: 'done', description: 'Or the status of the refusal.' }),
        })
        .openapi('AuditEntry'),
    ),
    query: z.object({
      actor: text({ about: 'By this user or program.', most: 1_000 }),
      action: text({ about: 'Of this kind.', most: 1_000 }),
      object: text({ about: 'Done to this.', most: 1_000 }),
      before: maybeInteger({ about: 'id of the last entry of the page before.', least: 1 }),
      limit: maybeInteger({ about: 'Default 100.', least: 1, most: 1_000 }),
      accountName,
    }),
    respond: async (call) => {
      const { actor, action, object, before, limit } = call.query;
      const entries = await given(
        (option) => option ?? 'object',
        call.engine.accounts.audit.list({
          company: call.companyName,
          actor: actor || undefined,
          action: action || undefined,
          object: object || undefined,
          before,
          limit,
        }),
      );
      return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
    },
  }),
];

function wireKey({ addedAt, expiresAt, usedAt, ...key }: ApiKey) {
  const times = { expiresAt: expiresAt?.toISOString() ?? null, usedAt: usedAt?.toISOString() ?? null };
  return { ...key, addedAt: addedAt.toISOString(), ...times };
}
