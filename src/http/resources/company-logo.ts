import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { readFile } from '../wire/json-body.js';
import { badField, given } from '../server/problem.js';

const endpoint = endpointsOf('Company');

export const COMPANY_LOGO = [
  endpoint('PUT /CompanyLogo', {
    summary: 'Sets the logo',
    about: 'A PNG, JPEG, GIF or WebP.',
    body: 'file',
    answer: z.boolean(),
    respond: async (call) => {
      const bytes = await readFile(call.request, call.body, call.options.bodyBytes);
      if (bytes.length === 0) throw badField('body', 'must be a JSON string of the base64 of a picture, received none');
      await given('body', call.engine.accounts.setLogo(call.companyName, bytes));
      return true;
    },
  }),
  endpoint('DELETE /CompanyLogo', {
    summary: 'Removes the logo',
    about: 'False: there was none.',
    answer: z.boolean(),
    respond: (call) => call.engine.accounts.removeLogo(call.companyName),
  }),
];
