import { z } from '@hono/zod-openapi';
import { accountName } from '../resources/files.js';
import { profileOf, UserProfile } from '../resources/users.js';
import { endpointsOf } from '../server/endpoint.js';
import { flag, requiredText } from '../server/parameters.js';
import { given } from '../server/problem.js';

const endpoint = endpointsOf('Additions');

const emailID = requiredText({ about: 'E-mail address of a user who waits.', most: 320 });
const statuses = { 404: 'No such user of the company waits.' };

/** The users of a company, and who waits to be let in, for its admins. */
export const COMPANY_USERS = [
  endpoint('GET /Users', {
    summary: 'The users of the company',
    access: 'admin',
    answer: z.array(UserProfile),
    query: z.object({
      waiting: flag({ about: 'True: only those who wait to be let in.', byDefault: false }),
      accountName,
    }),
    respond: async (call) => {
      const users = await call.engine.accounts.users(call.companyName);
      return users.filter(({ isWaiting }) => isWaiting || !call.query.waiting).map(profileOf);
    },
  }),
  endpoint('PUT /UserApproval', {
    summary: 'Lets in a user who waits',
    about: 'With the token of an operator also a user of no company, who then belongs to this one.',
    access: 'admin',
    answer: UserProfile,
    query: z.object({ emailID, accountName }),
    statuses,
    respond: async (call) => {
      const company = call.companyName;
      // Whoever belongs to no company is an operator's business.
      const join = call.principal?.role === 'operator' ? company : undefined;
      const { accounts } = call.engine;
      return profileOf(await given('emailID', accounts.approveUser(call.query.emailID, { company, join })));
    },
  }),
  endpoint('DELETE /UserApproval', {
    summary: 'Removes a user who waits',
    access: 'admin',
    answer: z.boolean().openapi({ description: 'False: no such user of the company waits.' }),
    query: z.object({ emailID, accountName }),
    respond: async (call) => {
      const company = call.companyName;
      return given('emailID', call.engine.accounts.rejectUser(call.query.emailID, { company }));
    },
  }),
];
