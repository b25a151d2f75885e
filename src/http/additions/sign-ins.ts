import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { formFields } from '../server/form.js';
import { badField } from '../server/problem.js';
import { onceMore, refused } from './password.js';

const endpoint = endpointsOf('Additions');

const SignIn = z
  .object({
    id: z.string(),
    startedAt: z.string().openapi({ format: 'date-time' }),
    endsAt: z.string().openapi({ format: 'date-time', description: 'When it ends if it is not renewed.' }),
    clientId: z.string().nullable(),
    isCurrent: z.boolean().openapi({ description: 'The one whose token was sent.' }),
  })
  .openapi('SignIn');

/** How users see where they are signed in, and end what is not theirs. */
export const SIGN_INS = [
  endpoint('GET /SignIns', {
    summary: 'The sign-ins of the user whose token it is, newest first',
    about: 'Those that have not ended, at most 1,000.',
    answer: z.array(SignIn),
    respond: async ({ engine, userUid, principal }) => {
      const signIns = await engine.accounts.signIns(userUid);
      return signIns.map(({ id, startedAt, endsAt, clientId }) => {
        const times = { startedAt: startedAt.toISOString(), endsAt: endsAt.toISOString() };
        return { id, ...times, clientId, isCurrent: id === principal?.tokenId };
      });
    },
  }),
  endpoint('PUT /SignIns', {
    summary: 'Ends sign-ins of the user whose token it is',
    about:
      'The one that `id` names, or without it all but the one whose token was sent. `current` is the password once ' +
      'more, its SHA-1; a wrong one counts as a failed sign-in. Who signed in by the identity provider within the ' +
      'last 10 minutes leaves it out.',
    body: 'signIns',
    secret: true,
    answer: z.int().openapi({ description: 'How many have ended.' }),
    statuses: { 429: 'Too many attempts; Retry-After says when to try again.' },
    respond: async (call) => {
      const { engine, userUid, principal, client } = call;
      const fields = await formFields(call, ['current', 'id'], (message) => badField('body', message));
      if (fields.id !== undefined && !/^\d{1,15}$/.test(fields.id)) throw badField('id', 'must be that of a sign-in');
      const chosen = fields.id === undefined ? { except: principal?.tokenId } : { only: fields.id };
      const end = { user: userUid, ...onceMore(call, fields.current), ...chosen, source: client.address };
      return engine.accounts.endSignIns(end).catch(refused);
    },
  }),
];
